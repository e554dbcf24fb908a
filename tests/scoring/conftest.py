"""A cluster of threads, which starts at once."""

import pytest


@pytest.fixture(scope="package")
def threads():
    """A client of two workers in this process."""
    distributed = pytest.importorskip("distributed")
    with distributed.Client(
        processes=False,
        n_workers=2,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
        set_as_default=False,
    ) as client:
        yield client
