"""Tables of information errors: how often, how far annotators agree, numbers by level."""

import math
import statistics
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.literal.information_errors import majority
from textsimp import InputError, judgements
from textsimp.judgements import error_tables
from textsimp.judgements.error_tables import by_level

SYSTEMS = {
    "good": {"insertion": [0] * 8, "deletion": [0, 0, 0, 1] * 2, "substitution": [0] * 8},
    "$bad_": {"insertion": [-1, 1], "deletion": [2, [0, 1]], "substitution": [2, 2]},
}


def test_systems_may_have_outputs_of_other_sources():
    found = error_tables.distribution(SYSTEMS, confidence=None)
    assert found.numbers["good"]["deletion_1"] == 25
    assert found.grid().header[2:] == ["0", "1", "2", "gibberish", "labelled"]
    assert [[*map(str, row)] for row in found.grid().rows[3:5]] == [
        ["$bad_", "insertion", "0.0", "50.0", "0.0", "50.0", "2"],
        ["$bad_", "deletion", "0.0", "0.0", "100.0", "0.0", "1"],
    ]
    assert found.to_dict()["good"]["labelled"] == 8


def test_a_category_without_labels_has_no_shares():
    none = {"insertion": [None], "deletion": [[0, 1]], "substitution": [2]}
    rows = error_tables.distribution({"a": none}).grid().rows
    assert rows[0] == ["a", "insertion", "–", "–", "–", "–", "0"]
    assert rows[1] == ["a", "deletion", "–", "–", "–", "–", "0"]
    assert rows[2][-1] == "1"


def test_all_categories_are_needed():
    with pytest.raises(InputError, match=r"^deletion: information_errors needs this column"):
        error_tables.distribution({"a": {"insertion": [0]}})


annotations = st.lists(st.sampled_from([0, 1, 2, -1]), max_size=4)


def of(rows, **options):
    found = error_tables.agreement(deletion=rows, confidence=None, **options)
    return SimpleNamespace(**found.numbers["deletion"])


@given(rows=st.lists(annotations, min_size=1, max_size=8))
def test_shares_are_those_of_the_definition(rows):
    found = of(rows)
    several = [row for row in rows if len(row) >= 2]
    assert found.outputs == len(several)
    if several:
        share = sum(majority(row) is not None for row in several) / len(several)
        assert found.majority == pytest.approx(share)
    wrong = [row for row in several if sum(label != 0 for label in row) > len(row) / 2]
    assert found.nonzero == len(wrong)
    agreed = [row for row in wrong if majority(row) is not None]
    assert found.nonzero_agreed == (len(agreed) / len(wrong) if wrong else None)


@given(rows=st.lists(annotations, min_size=1, max_size=8))
def test_alpha_is_ordinal_with_gibberish_as_3(rows):
    as_3 = [[3 if label == -1 else label for label in row] for row in rows]
    assert (
        of(rows).alpha == judgements.rater_agreement(as_3, level="ordinal", confidence=None).alpha
    )


def test_without_two_labels_of_an_output_there_is_no_alpha():
    found = of([0, 1, None])
    assert (found.outputs, found.majority, found.alpha, found.nonzero_agreed) == (0, *[None] * 3)
    assert found.reason == "no output has two ratings"


def test_the_table_of_agreement_has_a_row_per_category():
    found = error_tables.agreement(
        insertion=[[0, 0, 0], [1, 2, 0]], deletion=[[0, 0], [0, 0]], confidence=None
    )
    header = ["", "majority %", "an error", "label agreed %", "alpha", "outputs"]
    assert found.grid().header == header
    assert [[*map(str, row)] for row in found.grid().rows] == [
        ["insertion", "50.0", "1", "0.0", "0.350", "2"],
        ["deletion", "100.0", "0", "–", "–", "2"],
    ]
    assert found.grid().notes == [
        "deletion: no alpha, all ratings are the same, so chance would agree as well"
    ]
    assert found.to_dict()["insertion"]["nonzero"] == 1


rows = st.lists(
    st.tuples(st.sampled_from([math.nan, -50, 0, 7]), st.sampled_from([0, 1, 2, -1, None])),
    min_size=1,
    max_size=12,
)


@given(rows=rows)
def test_levels_have_the_mean_and_deviation_of_their_outputs(rows):
    values, labels = zip(*rows, strict=True)
    found = by_level({"a": values}, {"a": {"deletion": labels}}).numbers["a"]["deletion"]
    assert list(found) == [0, 1, 2]
    for level, of_level in found.items():
        chosen = [value for value, label in rows if label == level and value == value]
        assert of_level["outputs"] == len(chosen)
        if chosen:
            assert of_level["mean"] == pytest.approx(statistics.fmean(chosen))
            assert of_level["deviation"] == pytest.approx(statistics.pstdev(chosen), abs=1e-9)


def test_the_table_of_levels_has_a_row_per_system_and_category():
    labels = {"insertion": [0, 0, 1, -1], "deletion": [0, 0, 0, None]}
    found = by_level({"a": [1, 2, 4.5, 3]}, {"a": labels})
    assert found.grid().header == ["system", "category", "0", "1", "2"]
    assert found.grid().rows == [
        ["a", "insertion", "1.50 ± 0.50 (2)", "4.50 ± 0.00 (1)", "–"],
        ["a", "deletion", "2.50 ± 1.47 (3)", "–", "–"],
    ]
    assert found.to_dict()["a"]["deletion"][1] == {"outputs": 0, "mean": None, "deviation": None}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, "x"], "^row 1 of values .*: expected a finite number"),
        ([[1, 2], [3, 4]], "^values: expected a number per output, got list"),
        ([1], "values has 1, deletion has 2"),
    ],
)
def test_bad_values_are_refused(values, message):
    with pytest.raises(InputError, match=message):
        by_level({"a": values}, {"a": {"deletion": [0, 1]}})
