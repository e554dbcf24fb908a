"""Labels of information errors from tables and answers: systems, majorities, merged answers."""

import pytest

from textsimp import InputError
from textsimp.judgements import Scheme
from textsimp.judgements.error_labels import majorities, merge, read_systems
from textsimp.metrics.information_errors import CATEGORIES


def row(label=0, **more):
    return {"insertion": label, "deletion": 0, "substitution": None, **more}


def insertions(found):
    return {system: columns["insertion"] for system, columns in found.items()}


def test_a_file_is_a_system_unless_a_column_names_them(write):
    files = [write("a.jsonl", row(1), row([0, 2])), write("b.jsonl", row(None))]
    assert insertions(read_systems(files)) == {"a": [[1], [0, 2]], "b": [[]]}
    named = write("c.jsonl", row(1, system="x", model="y"), row(2, system="z", model="y"))
    assert insertions(read_systems([named])) == {"x": [[1]], "z": [[2]]}
    assert insertions(read_systems([named], "model")) == {"y": [[1], [2]]}


def test_a_column_of_systems_without_names_is_none(write):
    assert insertions(read_systems([write("x.jsonl", row(1, system=""))])) == {"x": [[1]]}
    with pytest.raises(InputError, match=r"^row 1 of column 'system' .*got str ''"):
        read_systems([write("y.jsonl", row(1, system="a"), row(1, system=""))])


def test_csv_has_empty_cells_for_no_label_and_lists_as_json(write):
    path = write("x.csv", "insertion,deletion,substitution", '"[0, 1]",,2', "-1,0,")
    found = read_systems([path])["x"]
    expected = {"insertion": [[0, 1], [-1]], "deletion": [[], [0]], "substitution": [[2], []]}
    assert {name: found[name] for name in CATEGORIES} == expected


def test_texts_are_read_where_there_are_any(write):
    both = row(source="s", prediction="p")
    found = read_systems([write("x.jsonl", both, both)])["x"]
    assert (found["sources"], found["predictions"]) == (["s", "s"], ["p", "p"])
    rows = [row(source="s", system="a")], [row(source="t", prediction="p", system="a")]
    found = read_systems([write("y.jsonl", *rows[0]), write("z.jsonl", *rows[1])])["a"]
    assert (found["sources"], found["predictions"]) == (["s", "t"], [None, "p"])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"insertion": 0}], r"x.jsonl has no column 'deletion'"),
        ([row(3)], r"^row 0 of column 'insertion' of .*x.jsonl .*: expected one of 0, 1, 2, -1"),
        ([row(system=True)], r"^row 0 of column 'system' .*got bool True"),
    ],
)
def test_bad_tables_are_refused(rows, message, write):
    with pytest.raises(InputError, match=message):
        read_systems([write("x.jsonl", *rows)])


def test_two_files_of_one_name_are_refused(write, tmp_path):
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError, match="two systems are called 'x'"):
        read_systems([write("x.jsonl", row()), write("other/x.jsonl", row())])
    with pytest.raises(InputError, match="has no column 'model'"):
        read_systems([write("x.jsonl", row())], "model")


def test_answers_are_read_as_they_are_merged(write):
    def answer(rater, item, label):
        return row(label, rater=rater, item=item, prediction=f"Output {item}.")

    files = [
        write("ann.jsonl", answer("Ann", 0, 2), answer("Ann", 1, 0)),
        write("bob.jsonl", answer("Bob", 0, 0), answer("Bob", 2, 1)),
    ]
    found = read_systems(files)["all"]
    assert found["insertion"] == [[2, 0], [0], [1]]
    assert found["predictions"] == [merged["prediction"] for merged in merge(files)]


def test_the_majority_is_of_those_who_gave_a_label():
    labels = [[1, 1, 0], [0, 1], [2, None], None, -1]
    assert majorities(deletion=labels) == {"deletion": [1, None, 2, None, -1]}


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({}, "^expected labels of insertion, deletion, substitution, or one of these, got none$"),
        ({"deletions": [0]}, r"^category: expected .* \(did you mean 'deletion'\?\)"),
        ({"insertion": [[0, 3]]}, r"^row 0 of insertion .*: expected one of 0, 1, 2, -1 or None"),
        ({"insertion": [[0]], "deletion": [0, 1]}, "insertion has 1, deletion has 2"),
    ],
)
def test_bad_labels_are_refused(labels, message):
    with pytest.raises(InputError, match=message):
        majorities(**labels)


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


def test_answers_by_a_plan_are_merged_without_controls(write):
    stamp = Scheme.load("information_errors").stamp
    row = {**stamp, "rater": "rater 1", "item": "1", "system": ["a"], "control": ""}
    row |= dict.fromkeys(CATEGORIES, 2)
    control = {**row, "system": [], "control": "source"}
    (merged,) = merge([write("answers.jsonl", row, control)])
    assert (merged["system"], merged["deletion"]) == ("a", [2])


def test_outputs_without_a_label_are_left_out(write):
    rows = [answer("Ann", 0, None, None, None), answer("Ann", 1, 0, None, None)]
    assert [row["item"] for row in merge([write("ann.jsonl", *rows)])] == ["1"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (answer("A", 0, 0, 0, 3), r"row 0 of column 'substitution' .*expected one of '0'"),
        (answer("A", 0, 0, 0, 0, scheme="likert"), r"expected 'information_errors'.*'likert'"),
    ],
)
def test_answers_by_another_scheme_are_refused(row, message, write):
    with pytest.raises(InputError, match=message):
        merge([write("a.jsonl", row)])
