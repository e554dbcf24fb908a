"""Labels of information errors summed up: majorities, percentages, rates, severities."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.literal import information_errors as literal
from textsimp import InputError, compare
from textsimp.core.intervals import wilson
from textsimp.metrics.information_errors import CATEGORIES, LABELS, InformationErrors


def score(deletion, **options):
    """Scores of labels in one category; nothing is wrong in the others."""
    others = {category: [0] * len(deletion) for category in ("insertion", "substitution")}
    return InformationErrors().score(deletion=deletion, **others, **options)


annotations = st.lists(st.sampled_from(LABELS), max_size=5)


@st.composite
def labelled(draw):
    n = draw(st.integers(1, 12))
    rows = st.lists(annotations, min_size=n, max_size=n)
    found = {category: draw(rows) for category in CATEGORIES}
    assume(any(any(labels) for labels in found.values()))  # without any label it is an error
    return found


@given(rows=labelled())
@example({"insertion": [[0], [0]], "deletion": [[], [0, 1]], "substitution": [[0], [-1]]})
def test_scores_are_those_of_the_definition(rows):
    found = InformationErrors().score(**rows, per_example=True)
    plain = found.to_dict(signature=False)
    expected = literal.information_errors(rows)
    assert {name: plain[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    for i in range(len(rows["insertion"])):
        expected = literal.information_errors({name: [row[i]] for name, row in rows.items()})
        assert {name: plain[f"{name}_per_example"][i] for name in expected} == expected


@pytest.mark.parametrize(
    ("row", "label"),
    [
        (2, 2),
        ([1, 1, 0], 1),
        ([1, 0], None),
        ([1, None, None], 1),
        (None, None),
        (float("nan"), None),
        ("-1", -1),
    ],
)
def test_a_row_counts_if_its_annotators_have_a_strict_majority(row, label):
    found = score([row, 0])
    assert found["deletion_labelled"] == 1 + (label is not None)
    assert found["labelled"] == found["deletion_labelled"]
    assert found["insertion_labelled"] == 2
    if label:
        name = "gibberish" if label == -1 else label
        assert found[f"deletion_{name}"] == 50


def test_a_system_without_any_label_is_an_error_as_it_would_win():
    none = {category: [None, []] for category in CATEGORIES}
    some = {**none, "deletion": [0, None]}
    assert InformationErrors().score(**some)["deletion_labelled"] == 1
    with pytest.raises(InputError, match=r"^insertion, deletion, substitution of b: "):
        compare({"a": some, "b": none}, metric="information_errors")


@pytest.mark.parametrize("labels", [[[0, 1]] * 2, [[], [0, 1]]], ids=["ties", "ties and none"])
def test_a_system_with_ties_alone_is_not_without_errors(labels):
    with pytest.raises(InputError, match=r": expected a label that isn't a tie, got none in any"):
        InformationErrors().score(insertion=labels, deletion=labels, substitution=labels)


FEW = [1, 1, 1, *[None] * 97]  # of 1,000 resamples some 50 have no label


def test_resamples_without_labels_do_not_count_in_intervals():
    none = {"deletion": [0] * 100, "substitution": [0] * 100}
    found = InformationErrors().score(insertion=FEW, **none, confidence=0.95)
    for name, value in (("1", 100), ("rate", 1), ("severity", 1), ("0", 0)):
        assert found.predictions[f"insertion_{name}"].value == value
    assert found.predictions["insertion_severity"].interval == [1, 1]
    labelled = sum(label is not None for label in FEW)
    low, high = wilson(1, labelled, 0.95)
    assert found.predictions["insertion_1"].interval == pytest.approx([100 * low, 100 * high])
    assert found.predictions["insertion_0"].interval == pytest.approx([0, 100 - 100 * low])
    assert found.predictions["information_errors"].interval == pytest.approx([low, high])
    low, high = found.predictions["insertion_labelled"].interval
    assert low == 0 < 3 < high


def test_a_category_that_nobody_labelled_is_0_in_all_resamples_too():
    rest = {"deletion": [0, 1] * 6, "substitution": [0] * 12}
    found = InformationErrors().score(insertion=[None] * 12, **rest, confidence=0.95)
    assert found.predictions["insertion_rate"].interval == [0, 0]
