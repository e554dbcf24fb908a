"""The reference implementations' outputs, read from ../shared; skipped, saying so, without it."""

import os
from functools import cache

import pytest
from datasets import Dataset, DatasetDict

from tests import given
from tests.conformance.annotated import FILES, Annotated
from tests.project import SHARED

WHOLE = os.environ.get("TEXTSIMP_PROPERTIES") == "many"
"""Whether measurements of minutes are repeated as a whole: in `make test-all`, not in CI."""


@pytest.fixture(scope="session")
def goldens():
    """``goldens("sari")`` -> the objects of goldens/sari.jsonl."""

    def read(name):
        return given.rows(SHARED / "goldens" / f"{name}.jsonl")

    return read


@pytest.fixture(scope="session")
def table_6(goldens):
    """The goldens of table 6 of the paper on D-SARI."""
    wanted = "table6", "nltk-punkt-untrained"
    return [line for line in goldens("d_sari") if (line["kind"], line["splitter"]) == wanted]


@pytest.fixture(scope="session")
def lines():
    """``lines("asset_test/source.txt")`` -> its lines; only ``\\n`` ends a line."""

    def read(path):
        return given.lines(SHARED / "data" / path)

    return read


@pytest.fixture(scope="session")
def corpus():
    """``corpus("asset_test")`` -> (sources, references per source)."""

    def read(name):
        return tuple(given.columns(SHARED / "data" / name).values())

    return read


@pytest.fixture(scope="session")
def columns(corpus, lines):
    """``columns("asset_test", "ACCESS")`` -> what a metric is given; ``identity`` is the copy."""

    @cache
    def read(dataset, system):
        sources, references = corpus(dataset)
        path = f"{dataset}/systems/{system}.txt"
        predictions = sources if system == "identity" else lines(path)
        return {"sources": sources, "predictions": predictions, "references": references}

    return read


@pytest.fixture(scope="session")
def wikismall(lines):
    """Pairs of both subsets, numbered over test and validation."""
    subsets, row = {}, 0
    for name in ("test", "validation"):
        source = lines(f"wikismall/{name}.source.txt")
        target = lines(f"wikismall/{name}.reference.txt")
        ids = list(range(row, row + len(source)))
        subsets[name] = Dataset.from_dict({"id": ids, "source": source, "target": target})
        row += len(source)
    return DatasetDict(subsets)


@pytest.fixture(scope="module")
def annotated():
    return {system: Annotated(system) for system in FILES}


@pytest.fixture(scope="module")
def of_kind(goldens):
    def chosen(kind):
        return [line for line in goldens("information_errors") if line["kind"] == kind]

    return chosen
