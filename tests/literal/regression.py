"""What is made of a model's numbers, slowly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def alone(
    number: Callable[[Any], float],
    sources: Sequence[str],
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
) -> dict[str, float]:
    """The model reads one text."""
    return {
        "regression": mean([number(text) for text in predictions]),
        "difference": mean(
            [
                number(text) - number(source)
                for source, text in zip(sources, predictions, strict=True)
            ]
        ),
        "source_regression": mean([number(text) for text in sources]),
        "reference_regression": mean([mean([number(t) for t in row]) for row in references]),
    }


def paired(
    number: Callable[[Any], float], predictions: Sequence[str], others: Sequence[Sequence[str]]
) -> dict[str, float]:
    """It reads an output after each of the example's other texts; the highest number counts."""
    highest = [
        max(number((other, text)) for other in row)
        for row, text in zip(others, predictions, strict=True)
    ]
    return {"regression": mean(highest)}
