"""The annotation scheme of Devaraj et al. (2022), in our words, with examples of our own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources

QUESTIONS = {
    "insertion": "Does the output say something that the source doesn't?",
    "deletion": "Does the output leave out something that the source says?",
    "substitution": "Does the output say something else in place of what the source says?",
}
"""What is asked about each category."""

LEVELS = {
    0: ("none or trivial", "No, or only something trivial: what a reader takes away is the same."),
    1: ("main idea kept", "Yes, something that matters; but the main idea of the source is kept."),
    2: ("main idea lost", "Yes, and the main idea of the source is not kept."),
}
"""Level → what a button says, and what it means."""

GIBBERISH_MEANS = (
    "gibberish",
    "The output can't be read as a text: no category can be judged, so it stands for all three.",
)

RULES = (
    "Compare with the source only, not with what you know about the world.",
    "Simpler words for the same thing are no error, and neither is another order.",
    "Something left out is a deletion, something added an insertion; only where one stands for the "
    "other is it a substitution.",
    "Each category is judged by itself: an output may have errors of all three.",
)


@dataclass(frozen=True)
class Example:
    """An output for a source, its level in one category, and why."""

    level: int
    source: str
    prediction: str
    why: str


def read_examples() -> dict[str, list[Example]]:
    """Read the examples of each category, two for each level, and of gibberish."""
    examples: dict[str, list[Example]] = {}
    file = resources.files("textsimp.errors").joinpath("scheme_examples.jsonl")
    for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        examples.setdefault(row.pop("category"), []).append(Example(**row))
    return examples
