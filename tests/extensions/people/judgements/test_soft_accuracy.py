"""Soft pairwise accuracy: by hand, as defined, of systems with other items, of corpus scores."""

from statistics import fmean

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.extensions.literal.soft_accuracy import soft_accuracy
from textsimp.extensions import people

NUMBERS = st.integers(0, 4)


def found(scores, ratings, items, systems):
    agreement = people.correlate(
        {"metric": scores}, ratings, items=items, systems=systems, confidence=None
    )
    return agreement.metrics["metric"]["systems"]["soft_accuracy"]


@given(
    st.integers(2, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.tuples(NUMBERS, NUMBERS), min_size=n, max_size=n), min_size=3, max_size=4
        )
    )
)
def test_it_equals_the_literal_definition(systems):
    rows = [(s, i, *pair) for s, own in enumerate(systems) for i, pair in enumerate(own)]
    names, items, scores, ratings = map(list, zip(*rows, strict=True))
    by_system = [{s: [pair[k] for pair in own] for s, own in enumerate(systems)} for k in (0, 1)]
    estimate = found(scores, ratings, items, names)
    means = [{round(fmean(own), 9) for own in column.values()} for column in by_system]
    assume(min(map(len, means)) > 1)  # otherwise a column is constant
    assert estimate.value == pytest.approx(soft_accuracy(*by_system), abs=1e-12)


def test_three_systems_by_hand():
    # Two items, so four swaps. People put a above b above c in both items: p is 1/4 each.
    # Metric: a − b is (4, 0), as large after one swap (1/2); b − c is (−1, 2), at least as large
    # after one swap (1/2); a − c is (3, 2), only without any (1/4).
    ratings = [3, 3, 2, 2, 1, 1]
    scores = [5, 3, 1, 3, 2, 1]
    value = found(scores, ratings, [0, 1] * 3, [*"aabbcc"]).value
    assert value == pytest.approx((3 / 4 + 3 / 4 + 1) / 3)


def test_only_items_that_two_systems_share_count():
    # Of item 2 only a has an output, of item 3 only b; c shares one item with either.
    ratings, scores = [3, 3, 9, 2, 2, 0, 5], [1, 2, 0, 0, 1, 9, 5]
    assert found(scores, ratings, [0, 1, 2, 0, 1, 3, 0], [*"aaabbbc"]).value == 1
    alone = found(scores, ratings, [*range(7)], [*"aaabbbc"])
    assert (alone.value, alone.reason) == (None, "no two systems have two items in common")


def test_a_metric_that_is_as_sure_as_people_has_one():
    texts = ["a b c", "a b", "a", "b c", "c"]
    rows = {
        "source": ["a b c d"] * 15,
        "prediction": [f"{text}{end}" for end in ("", " d", " e") for text in texts],
        "references": [["a b c"]] * 15,
        "item": [*range(5)] * 3,
        "system": [name for name in "xyz" for _ in range(5)],
        "rating": [1.0, 2.0, 3.0, 4.0, 5.0, 3.0, 4.0, 5.0, 6.0, 7.0, 3.0, 5.0, 2.0, 4.0, 1.0],
    }
    same = people.evaluate(rows, [], score_columns=["rating"], confidence=None)
    assert same.metrics["rating"]["systems"]["soft_accuracy"].value == 1
    sari = people.evaluate(rows, "sari", confidence=None)
    assert 0 <= sari.metrics["sari"]["systems"]["soft_accuracy"].value <= 1
