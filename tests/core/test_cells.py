"""Short names of systems."""

import math

from hypothesis import example, given
from hypothesis import strategies as st

from textsimp.core import cells


@given(st.lists(st.text(max_size=90), unique=True, max_size=6))
@example(["a b", "a  b", "A", "a\u200b b"])
@example(["x" * 60 + "a" + "y" * 30, "x" * 60 + "b" + "y" * 30])
@example(["references", "references ", ""])
def test_short_names_differ_and_have_room(names):
    short = cells.shorten_names(names, ["references", "B"])
    assert [*short] == names
    assert len({*short.values(), "references", "B"}) == len(names) + 2
    assert all(len(name) <= cells.ROOM for name in short.values())
    assert all(name.isprintable() for name in short.values())


def test_names_of_up_to_24_letters_stay_beside_long_ones():
    names = ["théirs, 2", "x" * 24, "gpt-3.5-turbo-instruct-0914-zero-shot", "A"]
    assert [*cells.shorten_names(names).values()] == [*names[:2], "B", "A"]


def test_long_names_lose_what_all_of_them_share():
    names = [f"wiki_large/beam search/bart-{size}-seed-{i}/test.txt" for size, i in ["a1", "b2"]]
    assert [*cells.shorten_names([*names, "ours"]).values()] == ["a-seed-1", "b-seed-2", "ours"]


def test_names_without_a_short_form_become_letters_in_their_order():
    names = [f"{word * 30} {word}" for word in ("some", "other")]
    assert [*cells.shorten_names(names).values()] == ["A", "B"]
    assert [*cells.shorten_names(names, ["A"]).values()] == ["B", "C"]


def test_an_interval_without_numbers_is_left_out():
    cell = cells.Cell.of(2.5, [math.nan, math.nan], 2)
    assert (str(cell), cell.bounds) == ("2.50", None)
