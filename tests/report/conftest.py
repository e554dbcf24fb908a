"""The example corpus, and reports on it that tests share."""

import pytest

from tests.given import lines
from textsimp import report


@pytest.fixture(scope="session")
def corpus():
    references = zip(*(lines(f"references/{i}.txt") for i in range(3)), strict=True)
    return {"sources": lines("source.txt"), "references": [list(row) for row in references]}


@pytest.fixture(scope="session")
def systems():
    return {name: lines(f"systems/{name}.txt") for name in ("splitter", "substituter")}


@pytest.fixture(scope="session")
def whole(corpus, systems):
    """A report by SARI and BLEU."""
    return report.html(systems, **corpus, metrics=["sari", "bleu"], resamples=200)
