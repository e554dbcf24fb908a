"""Changes that make texts no simpler (Tanprasert & Kauchak 2021)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.audits import modifications as change
from textsimp.audits.modifications import MODIFICATIONS

LINE = "aa bbb c dddd ee ffff"  # n = 6 tokens; the first of the longest is dddd

lines = st.lists(st.sampled_from(["a", "bb", "ccc", ".", "the"]), max_size=6).map(" ".join)
seeds = st.integers(0, 2**32)
every_modification = pytest.mark.parametrize(
    "modification", MODIFICATIONS.values(), ids=MODIFICATIONS
)


def outcomes(modification, line):
    """All that a modification can make of a line."""
    return {modification([line], seed=seed)[0] for seed in range(200)}


@pytest.mark.parametrize(
    ("modification", "line", "expected"),
    [
        (
            change.random_period,
            LINE,
            {
                "aa . bbb c dddd ee ffff",
                "aa bbb . c dddd ee ffff",
                "aa bbb c . dddd ee ffff",
                "aa bbb c dddd . ee ffff",
            },
        ),
        (change.random_the, "a b c d", {"a the b c d", "a b the c d", "a b c the d"}),
        (change.replace_longest, LINE, {"aa bbb c the ee ffff"}),
        (change.replace_rand_period, "a b c d", {"a . c d", "a b . d", "a b c ."}),
        (change.replace_rand_the, "a b c d", {"a the c d", "a b the d"}),
        (change.random_period_replace_longest, "a bb c", {"a . the c", "a the . c"}),
    ],
)
def test_a_line_is_changed_at_each_position(modification, line, expected):
    assert outcomes(modification, line) == expected


def test_all_positions_are_equally_likely():
    changed = change.random_period([LINE] * 8000, seed=1)
    for outcome in set(changed):
        assert changed.count(outcome) == pytest.approx(2000, abs=200)


@pytest.mark.parametrize(
    ("name", "n"),
    [
        ("random-period", 2),
        ("random-the", 1),
        ("replace-longest", 0),
        ("replace-rand-period", 1),
        ("replace-rand-the", 2),
        ("random-period+replace-longest", 1),
    ],
)
def test_a_line_that_is_too_short_stays_as_it_is(name, n):
    line = "  ".join("x" * n)
    assert MODIFICATIONS[name]([line]) == [line]
    longer = " ".join("x" * (n + 1))
    assert MODIFICATIONS[name]([longer]) != [longer]


@every_modification
@given(st.lists(lines, min_size=1, max_size=12), seeds)
def test_lines_of_a_smaller_share_are_among_those_of_a_larger(modification, texts, seed):
    everything = modification(texts, seed=seed)
    before = set()
    for tenths in range(11):
        changed = modification(texts, tenths / 10, seed)
        differing = {i for i, line in enumerate(changed) if line != texts[i]}
        assert before <= differing
        assert len(differing) <= round(tenths / 10 * len(texts))
        assert all(changed[i] == everything[i] for i in differing)
        before = differing
    assert changed == everything


@every_modification
def test_the_seed_decides(modification):
    texts = [f"{i} aa bbb cc dddd ee" for i in range(50)]
    assert modification(texts, 0.5, 3) == modification(texts, 0.5, 3)
    assert modification(texts, 0.5, 3) != modification(texts, 0.5, 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a b"], 1.1), "share: expected a number from 0 to 1, got 1.1"),
        ((["a b"], "half"), "share: expected a number from 0 to 1, got 'half'"),
        ((["a b", None],), r"row 1 of texts .*: expected a string, got None"),
        ((["a b"], 1, -1), "seed: expected an integer of at least 0, got -1"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        change.random_the(*arguments)
