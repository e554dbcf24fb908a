"""What metrics are given in tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textsimp.metric import COLUMNS, Metric

EXAMPLES = Path(__file__).parents[1] / "examples"


def lines(name: str) -> list[str]:
    """The lines of a text file of the example corpus."""
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def given_to(metric: type[Metric], texts: Mapping[str, Any]) -> dict[str, Any]:
    """The columns that a metric reads: texts that are given, and labels made up from them."""
    sizes = list(map(len, texts["predictions"]))
    found = {column.name: texts[column.name] for column in metric.columns if column.name in texts}
    for place, column in enumerate(metric.columns):
        if column.name not in COLUMNS:
            assert column.kind == "labels", f"tests have no rows of {column.kind} to give"
            of = column.labels
            found[column.name] = [[of[(n + place) % len(of)]] * (n % 3 + 1) for n in sizes]
    return found
