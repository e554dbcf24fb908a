"""The example corpus, and reports on it that tests share."""

import pytest

from tests import given
from textsimp import report


@pytest.fixture(scope="session")
def corpus():
    return given.columns()


@pytest.fixture(scope="session")
def systems():
    return given.systems()


@pytest.fixture(scope="session")
def whole(corpus, systems):
    """A report by SARI and BLEU."""
    return report.html(systems, **corpus, metrics=["sari", "bleu"], resamples=200)
