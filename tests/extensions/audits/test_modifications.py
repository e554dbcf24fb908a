"""Changes that make texts no simpler (Tanprasert & Kauchak 2021)."""

import pytest

from textsimp.extensions.audits.modifications import MODIFICATIONS

LINE = "aa bbb c dddd ee ffff"  # n = 6 tokens; the first of the longest is dddd
PLACES = [i / 100 for i in range(100)]


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        (
            "random-period",
            LINE,
            {
                "aa . bbb c dddd ee ffff",
                "aa bbb . c dddd ee ffff",
                "aa bbb c . dddd ee ffff",
                "aa bbb c dddd . ee ffff",
            },
        ),
        ("random-the", "a b c d", {"a the b c d", "a b the c d", "a b c the d"}),
        ("replace-longest", LINE, {"aa bbb c the ee ffff"}),
        ("replace-rand-period", "a b c d", {"a . c d", "a b . d", "a b c ."}),
        ("replace-rand-the", "a b c d", {"a the c d", "a b the d"}),
        ("random-period+replace-longest", "a bb c", {"a . the c", "a the . c"}),
    ],
)
def test_a_line_is_changed_at_each_position(name, line, expected):
    assert {MODIFICATIONS[name].line(line, where) for where in PLACES} == expected


def test_all_positions_are_equally_likely():
    changed = [MODIFICATIONS["random-period"].line(LINE, where) for where in PLACES]
    assert {changed.count(line) for line in changed} == {25}


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
    assert MODIFICATIONS[name].line(line, 0.5) == line
    longer = " ".join("x" * (n + 1))
    assert MODIFICATIONS[name].line(longer, 0.5) != longer
