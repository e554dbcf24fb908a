"""The example corpus, and reports on it that tests share."""

import pytest

from tests.given import lines
from textsimp import report

LABELS = {
    "splitter": {"insertion": [0, 0, [1, 2]], "deletion": [1, 2, 0], "substitution": [0, 0, 0]},
    "substituter": {"insertion": [0, -1, 0], "deletion": [0, -1, 0], "substitution": [2, -1, 0]},
}


@pytest.fixture(scope="session")
def corpus():
    references = zip(*(lines(f"references/{i}.txt") for i in range(3)), strict=True)
    return {"sources": lines("source.txt"), "references": [list(row) for row in references]}


@pytest.fixture(scope="session")
def systems():
    return {name: lines(f"systems/{name}.txt") for name in ("splitter", "substituter")}


@pytest.fixture(scope="session")
def labelled(systems):
    """Systems of which only the first three outputs have labels of information errors."""
    return {
        name: {
            "predictions": texts,
            **{c: [*row, *[None] * (len(texts) - 3)] for c, row in LABELS[name].items()},
        }
        for name, texts in systems.items()
    }


@pytest.fixture(scope="session")
def whole(corpus, systems):
    """A report by SARI and BLEU."""
    return report.html(systems, **corpus, metrics=["sari", "bleu"], resamples=200)


@pytest.fixture(scope="session")
def labelled_page(corpus, labelled):
    """A report by SARI and labels."""
    return report.html(labelled, **corpus, metrics=["sari"], examples=3, resamples=20)
