"""Studies of a few outputs, a server, and pauses of no length."""

import pytest

from tests.extensions.judges.loopback import by_length, serve
from textsimp.extensions import people
from textsimp.extensions.judges import servers

SOURCES = [f"The committee convened at {hour} o'clock." for hour in range(1, 5)]
SYSTEMS = {
    "long": [f"The group of people met at {hour} o'clock." for hour in range(1, 5)],
    "short": [f"They met at {hour}." for hour in range(1, 5)],
}


def design(scheme="likert", **options):
    return people.design(SOURCES, SYSTEMS, scheme, raters=1, **options)


@pytest.fixture(autouse=True, scope="module")
def _no_pauses():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(servers, "PAUSE", 0.0)
        patch.delenv(servers.KEY, raising=False)
        yield


@pytest.fixture
def server():
    """A server that rates short outputs high."""
    with serve(by_length) as state:
        yield state
