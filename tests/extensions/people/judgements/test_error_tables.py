"""Tables of information errors: how often, how far annotators agree, distances by level."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.extensions import people
from textsimp.extensions.people.judgements import error_tables
from textsimp.extensions.people.judgements.distances import edit_distance, length_change
from textsimp.extensions.people.judgements.error_labels import merge, read_systems
from textsimp.extensions.people.judgements.error_tables import by_level
from textsimp.metrics.information_errors import CATEGORIES, majority

DRAWS = {"resamples": 10, "seed": 0}


def merged(*labels, category="deletion"):
    """Rows with the labels of one category, as files are merged."""
    rows = []
    for own in labels:
        row = {name: [0] for name in CATEGORIES} | {category: own}
        rows.append(row | {f"{name}_majority": majority([row[name]])[0] for name in CATEGORIES})
    return rows


def labels_of(*deletions):
    """Judgements with these labels of deletion, and a rater's other labels."""
    zeros = [[0]] * len(deletions)
    columns = {"insertion": zeros, "deletion": [*deletions], "substitution": zeros}
    return people.Judgements.of(columns, people.Scheme.load("information_errors").criteria)


def shown(table):
    return [[*map(str, row)] for row in table.rows]


def test_systems_may_have_outputs_of_other_sources():
    systems = {"good": merged([0], [0], [0], [1]), "$bad_": merged([2], [0, 1], [-1])}
    found, table = error_tables.distribution(systems, confidence=None, **DRAWS)
    assert found["good"]["deletion_1"] == 25
    assert table.header[2:] == ["0", "1", "2", "gibberish", "labelled"]
    assert shown(table)[4] == ["$bad_", "deletion", "0.0", "0.0", "50.0", "50.0", "2"]


def test_a_category_without_labels_has_no_shares():
    _, table = error_tables.distribution({"a": merged([0, 1])})
    assert shown(table)[1] == ["a", "deletion", "–", "–", "–", "–", "0"]


annotations = st.lists(st.sampled_from([0, 1, 2, -1]), max_size=4)


@given(rows=st.lists(annotations, min_size=1, max_size=8))
def test_alpha_is_ordinal_with_gibberish_as_3(rows):
    as_3 = [[3 if label == -1 else label for label in row] for row in rows]
    found, _ = error_tables.agreement(labels_of(*as_3), confidence=None, **DRAWS)
    expected = people.rater_agreement(as_3, level="ordinal", confidence=None, **DRAWS)
    assert found["deletion"] == vars(expected)


def test_the_table_of_agreement_has_a_row_per_category():
    _, table = error_tables.agreement(labels_of([0, 0, 0], [1, 2, 0]), confidence=None, **DRAWS)
    assert table.header == ["", "majority %", "alpha", "outputs"]
    assert shown(table)[1] == ["deletion", "50.0", "0.350", "2"]
    assert table.notes[0] == "insertion: no alpha, no output has two ratings"


rows = st.lists(
    st.tuples(st.sampled_from([math.nan, -50, 0, 7]), st.sampled_from([0, 1, 2, -1, None])),
    min_size=1,
    max_size=12,
)


@given(rows=rows)
def test_levels_have_the_mean_and_deviation_of_their_outputs(rows):
    values, labels = zip(*rows, strict=True)
    given = merged(*([] if label is None else [label] for label in labels))
    found = by_level({"a": np.array(values, float)}, {"a": given})[0]["a"]["deletion"]
    assert list(found) == [0, 1, 2]
    for level, of_level in found.items():
        chosen = [value for value, label in rows if label == level and value == value]
        assert of_level["outputs"] == len(chosen)
        if chosen:
            assert of_level["mean"] == pytest.approx(statistics.fmean(chosen))
            assert of_level["deviation"] == pytest.approx(statistics.pstdev(chosen), abs=1e-9)


def test_the_table_of_levels_has_a_row_per_system_and_category():
    given = merged([0], [0], [1], [-1], category="insertion")
    found, table = by_level({"a": np.array([1, 2, 4.5, 3])}, {"a": given})
    assert table.header == ["system", "category", "0", "1", "2"]
    assert shown(table)[0] == ["a", "insertion", "1.50 ± 0.50 (2)", "4.50 ± 0.00 (1)", "–"]
    assert found["a"]["insertion"][2] == {"outputs": 0, "mean": None, "deviation": None}


# Distances ---------------------------------------------------------------------------------------


def one(measure, source, prediction, *unit):
    return float(measure([source], [prediction], *unit)[0])


def test_length_is_in_treebank_tokens() -> None:
    # do|n't|stop|. and do|not|stop|.
    assert one(length_change, "Don't stop.", "Do not stop.") == 0
    assert one(length_change, "a b", "a b c d e") == 150
    assert one(length_change, "a b", "") == -100


@pytest.mark.parametrize("measure", [length_change, edit_distance])
def test_there_is_no_measure_by_the_length_of_nothing(measure):
    assert np.isnan(one(measure, "", "a"))


def test_distance_is_of_characters_or_tokens_whose_case_does_not_count():
    assert one(edit_distance, "The cats", "the cat") == pytest.approx(1 / 8)
    assert one(edit_distance, "The cats", "the cat", "tokens") == 1 / 2


TEN = "one two three four five six seven eight nine ten"


@pytest.mark.parametrize(
    ("source", "prediction", "expected"),
    [
        (TEN, "one two three four", False),  # one sentence: two fifths of the stems
        (TEN, "one two three", True),
        (TEN, "One more. Two three.", False),  # several sentences: one fifth
        (TEN, "One more. Others are there.", True),
        ("The singers were singing.", "The singer sings.", False),
        ("a", "", True),
    ],
)
def test_noise_shares_too_few_stems_and_has_no_distance(source, prediction, expected):
    assert np.isnan(one(edit_distance, source, prediction)) == expected


# Labels from tables and answers: merged rows, by system ------------------------------------------


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
    stamp = people.Scheme.load("information_errors").stamp
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
