"""The reference implementations' outputs, read from ../shared; skipped, saying so, without it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict

SHARED = Path(__file__).parents[3] / "shared"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.conformance)
            if not SHARED.is_dir():
                item.add_marker(pytest.mark.skip(reason=f"needs {SHARED.name}/ beside the project"))


@pytest.fixture(scope="session")
def goldens() -> Callable[[str], list[dict[str, Any]]]:
    """``goldens("sari")`` -> the objects of goldens/sari.jsonl."""

    def read(name: str) -> list[dict[str, Any]]:
        with open(SHARED / "goldens" / f"{name}.jsonl", encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    return read


@pytest.fixture(scope="session")
def lines() -> Callable[[str], list[str]]:
    """``lines("asset_test/source.txt")`` -> its lines; only ``\\n`` ends a line."""

    def read(path: str) -> list[str]:
        text = (SHARED / "data" / path).read_text(encoding="utf-8")
        return text.removesuffix("\n").split("\n")

    return read


@pytest.fixture(scope="session")
def corpus(lines: Callable[[str], list[str]]) -> Callable[[str], tuple[list[str], list[list[str]]]]:
    """``corpus("asset_test")`` -> (sources, references per source)."""

    def read(name: str) -> tuple[list[str], list[list[str]]]:
        folder = SHARED / "data" / name / "references"
        columns = [lines(f"{name}/references/{i}.txt") for i in range(len(list(folder.iterdir())))]
        return lines(f"{name}/source.txt"), [list(row) for row in zip(*columns, strict=True)]

    return read


@pytest.fixture(scope="session")
def columns(corpus: Any, lines: Any) -> Callable[[str, str], dict[str, Any]]:
    """``columns("asset_test", "ACCESS")`` -> what a metric is given; ``identity`` is the copy."""

    @cache
    def read(dataset: str, system: str) -> dict[str, Any]:
        sources, references = corpus(dataset)
        path = f"{dataset}/systems/{system}.txt"
        predictions = sources if system == "identity" else lines(path)
        return {"sources": sources, "predictions": predictions, "references": references}

    return read


@pytest.fixture(scope="session")
def wikismall(lines: Callable[[str], list[str]]) -> DatasetDict:
    """Pairs of both subsets, numbered over test and validation."""
    subsets, row = {}, 0
    for name in ("test", "validation"):
        source = lines(f"wikismall/{name}.source.txt")
        target = lines(f"wikismall/{name}.reference.txt")
        ids = list(range(row, row + len(source)))
        subsets[name] = Dataset.from_dict({"id": ids, "source": source, "target": target})
        row += len(source)
    return DatasetDict(subsets)
