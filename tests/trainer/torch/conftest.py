"""One thread for tiny models."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """More only wait for one another in so small a model."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
