"""Labels of information errors from tables and answers: merged rows, by system."""

import pytest

from textsimp import InputError
from textsimp.extensions.people import Scheme
from textsimp.extensions.people.judgements.error_labels import merge, read_systems
from textsimp.metrics.information_errors import CATEGORIES


def row(label=0, **more):
    return {"item": 1, "insertion": label, "deletion": 0, "substitution": None, **more}


def by_system(files):
    return read_systems(files)[0]


def insertions(found):
    return {system: [row["insertion"] for row in rows] for system, rows in found.items()}


def test_a_file_is_a_system_unless_a_column_names_them(write):
    files = [write("a.jsonl", row(1), row([0, 2], item=2)), write("b.jsonl", row(2))]
    assert insertions(by_system(files)) == {"a": [[1, None], [0, 2]], "b": [[2]]}
    named = write("c.jsonl", row(1, system="x"), row(2, system="z"))
    assert insertions(by_system([named])) == {"x": [[1]], "z": [[2]]}


def test_csv_has_empty_cells_for_no_label_and_lists_as_json(write):
    path = write("x.csv", "insertion,deletion,substitution", '"[0, 1]",,2', "-1,0,")
    first, second = by_system([path])["x"]
    assert [first[name] for name in CATEGORIES] == [[0, 1], [None] * 2, [2, None]]
    assert [second[name] for name in CATEGORIES] == [[-1, None], [0, None], [None] * 2]


def test_bad_tables_are_refused(write, tmp_path):
    for bad, place in (
        ({"insertion": 0}, "x.jsonl .*'deletion'"),
        (row(3), "row 0 of column 'insertion' of .*x.jsonl"),
        ({**row(None), "deletion": None}, "x.jsonl: "),
        (answer("A", 0, 0, 0, 0, scheme="likert"), "row 0 of column 'scheme' of .*x.jsonl"),
    ):
        with pytest.raises(InputError, match=place):
            read_systems([write("x.jsonl", bad)])
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError):  # two systems of one name
        read_systems([write("x.jsonl", row()), write("other/x.jsonl", row())])


def answer(rater, item, *labels, **more):
    """An answer as earlier versions wrote it."""
    row = {"rater": rater, "item": item, "system": "", "source": f"Source {item}."}
    row |= {"prediction": f"Output {item}.", **dict(zip(CATEGORIES, labels, strict=True))}
    return {**row, "time": "2024-05-01T10:00:00", **more}


def test_files_are_merged_into_lists_of_labels_with_their_majority(write):
    files = [
        write("ann.jsonl", answer("Ann", 0, 0, 1, 2), answer("Ann", 1, 1, 0, 0)),
        write("bob.jsonl", answer("Bob", 0, 0, 2, 2)),
        write("cem.jsonl", answer("Cem", 0, 1, 0, None), answer("Cem", 1, 1, 0, -1)),
    ]
    first, second = merge(files)
    assert first["source"] == "Source 0."
    assert first["raters"] == second["raters"] == ["Ann", "Bob", "Cem"]
    assert [first[name] for name in CATEGORIES] == [[0, 0, 1], [1, 2, 0], [2, 2, None]]
    assert [first[f"{name}_majority"] for name in CATEGORIES] == [0, None, 2]
    assert second["insertion"] == [1, None, 1]
    assert second["substitution"] == [0, None, -1]
    assert by_system(files) == {"all": [first, second]}


def test_answers_and_what_they_were_merged_into_are_not_counted_twice(write):
    answers = write("ann.jsonl", answer("Ann", 0, 0, 1, 2, system="x"))
    merged = write("merged.jsonl", *merge([answers]))
    with pytest.raises(InputError, match=r"ann\.jsonl and .*merged\.jsonl both have item '0' of x"):
        read_systems([answers, merged])


def test_answers_by_a_plan_are_merged_without_controls(write):
    stamp = Scheme.load("information_errors").stamp
    row = {**stamp, "rater": "rater 1", "item": "1", "system": ["a"], "control": ""}
    row |= dict.fromkeys(CATEGORIES, 2)
    control = {**row, "system": [], "control": "source"}
    (merged,) = merge([write("answers.jsonl", row, control)])
    assert (merged["system"], merged["deletion"]) == ("a", [2])
    with pytest.raises(InputError, match="controls"):
        read_systems([write("controls.jsonl", control)])


def test_outputs_without_a_label_are_left_out(write):
    rows = [answer("Ann", 0, None, None, None), answer("Ann", 1, 0, None, None)]
    assert [row["item"] for row in merge([write("ann.jsonl", *rows)])] == ["1"]
