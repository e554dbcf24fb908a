"""Tables of information errors: how often, how far annotators agree, distances by level."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp.extensions import people
from textsimp.extensions.people.judgements import error_tables
from textsimp.extensions.people.judgements.error_tables import (
    by_level,
    edit_distance,
    length_change,
)
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
