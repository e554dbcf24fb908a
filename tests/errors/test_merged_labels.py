"""Answers on information errors, merged: labels of all raters, majorities, disagreements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from textsimp import InputError, errors
from textsimp.judgements import Scheme
from textsimp.metrics.information_errors import CATEGORIES


def answer(rater: str, item: int, *labels: Any, **more: Any) -> dict[str, Any]:
    """An answer as earlier versions wrote it."""
    row = {"annotator": rater, "id": item, "system": "", "source": f"Source {item}."}
    row |= {"prediction": f"Output {item}.", **dict(zip(CATEGORIES, labels, strict=True))}
    return {**row, "time": "2024-05-01T10:00:00", **more}


def test_files_are_merged_into_lists_of_labels_with_their_majority(write: Any) -> None:
    files = [
        write("ann.jsonl", answer("Ann", 0, 0, 1, 2), answer("Ann", 1, 1, 0, 0)),
        write("bob.jsonl", answer("Bob", 0, 0, 2, 2)),
        write("cem.jsonl", answer("Cem", 0, 1, 0, None), answer("Cem", 1, 1, 0, -1)),
    ]
    first, second = errors.merge(files)
    assert first["source"] == "Source 0."
    assert first["raters"] == second["raters"] == ["Ann", "Bob", "Cem"]
    assert [first[name] for name in CATEGORIES] == [[0, 0, 1], [1, 2, 0], [2, 2, None]]
    assert [first[f"{name}_majority"] for name in CATEGORIES] == [0, None, 2]
    assert second["insertion"] == [1, None, 1]
    assert second["substitution"] == [0, None, -1]


def test_answers_by_a_plan_are_merged_without_controls(write: Any) -> None:
    stamp = Scheme.load("information_errors").stamp
    row = {**stamp, "rater": "rater 1", "item": "1", "system": ["a"], "control": ""}
    row |= dict.fromkeys(CATEGORIES, 2)
    control = {**row, "system": [], "control": "source"}
    (merged,) = errors.merge([write("answers.jsonl", row, control)])
    assert (merged["system"], merged["deletion"]) == ("a", [2])


def test_the_last_answer_counts_and_rows_keep_their_order(write: Any) -> None:
    rows = [answer("Ann", 0, 0, 0, 0), answer("Ann", 1, 0, 0, 0), answer("Ann", 0, 2, 0, 0)]
    assert [row["insertion"] for row in errors.merge([write("ann.jsonl", *rows)])] == [[2], [0]]


def test_outputs_without_a_label_are_left_out(write: Any) -> None:
    rows = [answer("Ann", 0, None, None, None), answer("Ann", 1, 0, None, None)]
    assert [row["item"] for row in errors.merge([write("ann.jsonl", *rows)])] == ["1"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ([[answer("A", 0, 0, 0, 3)]], r"row 0 of column 'substitution' .*expected one of '0'"),
        (
            [[answer("A", 0, 0, 0, 0)], [answer("A", 0, 0, 0, 0)]],
            r"row 0 of .*1.jsonl .*: rater 'A' answers as in row 0 of .*0.jsonl",
        ),
        (
            [[answer("A", 0, 0, 0, 0)], [answer("B", 0, 0, 0, 0, source="Other.")]],
            r"row 0 of .*1.jsonl .*: item '0' has the source .* row 0 of .*0.jsonl",
        ),
        ([[answer("A", 0, 0, 0, 0, scheme="likert")]], r"expected 'information_errors'.*'likert'"),
    ],
)
def test_files_that_dont_fit_together_are_refused(files: Any, message: str, write: Any) -> None:
    paths = [write(f"{i}.jsonl", *rows) for i, rows in enumerate(files)]
    with pytest.raises(InputError, match=message):
        errors.merge(paths)


def test_disagreements_name_what_is_to_be_discussed(tmp_path: Path, write: Any) -> None:
    ann = [answer("Ann", 0, 0, 1, -1), answer("Ann", 1, 0, 0, 0), answer("Ann", 2, 0, None, 0)]
    bob = [answer("Bob", 0, 0, 2, 0), answer("Bob", 1, 0, 0, 0), answer("Bob", 2, 0, 2, 0)]
    rows = errors.merge([write("ann.jsonl", *ann), write("bob.jsonl", *bob)])
    (found,) = errors.disagreements(rows)
    assert (found["item"], found["discuss"]) == ("0", ["deletion", "substitution"])
