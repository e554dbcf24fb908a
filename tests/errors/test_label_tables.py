"""Labelled outputs from tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from textsimp import InputError
from textsimp.errors import merge
from textsimp.errors.label_tables import LabelledOutputs, read


def row(label: Any = 0, **more: Any) -> dict[str, Any]:
    return {"insertion": label, "deletion": 0, "substitution": None, **more}


def insertions(found: dict[str, LabelledOutputs]) -> dict[str, list[list[int]]]:
    return {system: labelled.labels["insertion"] for system, labelled in found.items()}


def test_a_file_is_a_system_unless_a_column_names_them(write: Any) -> None:
    files = [write("a.jsonl", row(1), row([0, 2])), write("b.jsonl", row(None))]
    assert insertions(read(files)) == {"a": [[1], [0, 2]], "b": [[]]}
    named = write("c.jsonl", row(1, system="x", model="y"), row(2, system="z", model="y"))
    assert insertions(read([named])) == {"x": [[1]], "z": [[2]]}
    assert insertions(read([named], "model")) == {"y": [[1], [2]]}


def test_a_column_of_systems_without_names_is_none(write: Any) -> None:
    assert insertions(read([write("x.jsonl", row(1, system=""))])) == {"x": [[1]]}
    with pytest.raises(InputError, match=r"^row 1 of column 'system' .*got str ''"):
        read([write("y.jsonl", row(1, system="a"), row(1, system=""))])


def test_csv_has_empty_cells_for_no_label_and_lists_as_json(write: Any) -> None:
    path = write("x.csv", "insertion,deletion,substitution", '"[0, 1]",,2', "-1,0,")
    found = read([path])["x"].labels
    expected = {"insertion": [[0, 1], [-1]], "deletion": [[], [0]], "substitution": [[2], []]}
    assert found == expected


def test_texts_are_read_where_there_are_any(write: Any) -> None:
    both = row(source="s", prediction="p")
    found = read([write("x.jsonl", both, both)])["x"]
    assert (found.sources, found.predictions) == (["s", "s"], ["p", "p"])
    rows = [row(source="s", system="a")], [row(source="t", prediction="p", system="a")]
    found = read([write("y.jsonl", *rows[0]), write("z.jsonl", *rows[1])])["a"]
    assert (found.sources, found.predictions) == (["s", "t"], [None, "p"])
    assert found.with_texts == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"insertion": 0}], r"x.jsonl has no column 'deletion'"),
        ([row(3)], r"^row 0 of column 'insertion' of .*x.jsonl .*: expected one of 0, 1, 2, -1"),
        ([row(system=True)], r"^row 0 of column 'system' .*got bool True"),
    ],
)
def test_bad_tables_are_refused(rows: Any, message: str, write: Any) -> None:
    with pytest.raises(InputError, match=message):
        read([write("x.jsonl", *rows)])


def test_two_files_of_one_name_are_refused(write: Any, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError, match="two systems are called 'x'"):
        read([write("x.jsonl", row()), write("other/x.jsonl", row())])
    with pytest.raises(InputError, match="has no column 'model'"):
        read([write("x.jsonl", row())], "model")


def test_answers_are_read_as_they_are_merged(write: Any) -> None:
    def answer(rater: str, item: int, label: Any) -> dict[str, Any]:
        return row(label, rater=rater, item=item, prediction=f"Output {item}.")

    files = [
        write("ann.jsonl", answer("Ann", 0, 2), answer("Ann", 1, 0)),
        write("bob.jsonl", answer("Bob", 0, 0), answer("Bob", 2, 1)),
    ]
    found = read(files)["all"]
    assert found.labels["insertion"] == [[2, 0], [0], [1]]
    assert found.predictions == [merged["prediction"] for merged in merge(files)]
