"""The example corpus as audits take it."""

import pytest

from tests.given import columns, lines


@pytest.fixture(scope="session")
def corpus():
    return {"predictions": lines("systems/splitter.txt"), **columns()}
