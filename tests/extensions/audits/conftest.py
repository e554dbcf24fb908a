"""The example corpus as audits take it."""

import pytest

from tests.given import lines


@pytest.fixture(scope="session")
def corpus():
    references = [lines(f"references/{i}.txt") for i in range(3)]
    return {
        "predictions": lines("systems/splitter.txt"),
        "sources": lines("source.txt"),
        "references": [list(row) for row in zip(*references, strict=True)],
    }
