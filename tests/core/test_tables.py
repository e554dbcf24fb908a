"""Numbers and tables as people read them: rounding, alignment, and what has to be escaped."""

import csv
import io
import json
import math
import re
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from textsimp.core import cells
from textsimp.core.cells import interval
from textsimp.core.declarations import Score
from textsimp.core.tables import (
    Cell,
    Grid,
    count_decimals,
    format_csv,
    number,
    p_value,
    unescaped,
)

MINUTES = Score("minutes", "Minutes", "", most=None, decimals=1)
SHARE = Score("share", "Share", "", most=1, unit="share", decimals=1)
ANY = Score("any", "Any", "", most=None)


def markdown(name):
    """A table of a row with this name."""
    return Grid(["", "SARI", "p"], [[name, "-1.5 [-2.0, 3.0]", "<0.001"]]).to_markdown()


# Numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "score", "decimals"),
    [
        ([3, 1200], None, 0),  # counts
        ([0, None], None, 0),
        ([], None, 0),
        ([41.23, 0.5], None, 2),
        ([1.99, -1.5], None, 3),
        ([2.0], None, 2),
        ([-2.0], None, 2),
        ([0.0, 0.0], None, 2),
        ([999.9], None, 2),
        ([1000.0, 3.5], None, 0),
        ([-1999.5], None, 0),
        ([41.23], MINUTES, 1),
        ([41.23], ANY, 2),
        ([1999.5], MINUTES, 0),
        ([3], MINUTES, 0),
        ([0.25], SHARE, 3),  # as many as its percentage with one decimal
        ([math.nan], None, 2),
        ([math.nan, 0.5], None, 3),
        ([math.inf, 0.5], None, 3),
    ],
)
def test_decimals_follow_what_is_counted_what_is_declared_and_how_large_it_is(
    values, score, decimals
):
    assert count_decimals(values, score) == decimals


@pytest.mark.parametrize(
    ("value", "decimals", "shown"),
    [
        (1234.5, 1, "1,234.5"),
        (-1234567, 0, "-1,234,567"),
        (12, 0, "12"),
        (0.5, 3, "0.500"),
        (-0.0, 1, "0.0"),
        (-0.004, 2, "0.00"),
        (-0.006, 2, "-0.01"),
        (math.nan, 2, "nan"),
        (-math.inf, 2, "-inf"),
    ],
)
def test_numbers_have_their_thousands_separated_and_no_sign_before_a_zero(value, decimals, shown):
    assert number(value, decimals) == shown


def test_differences_have_a_sign_unless_they_are_zero():
    assert [number(v, 1, sign=True) for v in (1.0, -1.0, 0.0, -0.01)] == [
        *("+1.0", "-1.0", "0.0", "0.0")
    ]


def test_a_minus_may_be_one_of_typography():
    assert number(-1.5, 1, minus="−") == "−1.5"
    assert interval([-1.5, -0.5], 1, minus="−") == "[−1.5, −0.5]"


@given(st.floats(-1e6, 1e6), st.integers(0, 4))
def test_numbers_are_rounded_and_nothing_else(value, decimals):
    shown = number(value, decimals)
    assert float(shown.replace(",", "")) == round(value, decimals)
    assert len(shown.partition(".")[2]) == decimals


@pytest.mark.parametrize(
    ("p", "shown"), [(1, "1.000"), (0.0005, "0.001"), (0.00049, "<0.001"), (1e-9, "<0.001")]
)
def test_small_p_values_are_bounded_instead_of_rounded_to_zero(p, shown):
    assert p_value(p) == shown


# Markdown -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a|b", r"a\|b"),
        ("a\\|b", r"a\\\|b"),
        ("*best*", r"\*best\*"),
        ("_best_", r"\_best\_"),
        ("t5_base_v1", "t5_base_v1"),
        ("`code`", r"\`code\`"),
        ("~~x~~", r"\~\~x\~\~"),
        ("<b>x</b>", r"\<b>x\</b>"),
        ("a < b", "a < b"),
        ("&amp;", r"\&amp;"),
        ("[ours](x)", r"[ours\](x)"),
        ("[ours]", "[ours]"),
        ("R&D", "R&D"),
        ("$a$", r"\$a\$"),
        ("two\nlines", "two lines"),
    ],
)
def test_markdown_shows_names_as_they_are(name, written):
    assert markdown(name).splitlines()[2].startswith(f"| {written} | ")


@given(st.text(max_size=12))
def test_no_name_adds_cells_or_rows_in_markdown(name):
    lines = markdown(name).split("\n")
    assert len(lines) == 5
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", lines[2])) == 4


# HTML -----------------------------------------------------------------------------------------


def test_one_function_draws_tables_of_reports_and_pages():
    best = Cell.of(41.234, [40, 42], 2)
    rows = [
        [Cell("a_b", kind="system", about="runs/a_b"), replace(best, mark="best"), "x"],
        ["c", replace(best, behind="copy"), Cell("-1", mark="worse", href="#?a=c")],
    ]
    drawn = Grid(["Texts", Cell("SARI", about="0–100"), "d"], rows, id="s").to_html("sortable")
    assert drawn.startswith('<div class="scroll" role="group" aria-labelledby="s-caption"')
    for part in (
        '<th scope="col" dir="auto" title="0–100"><button type="button" dir="auto">SARI</button>',
        '<tr class="system"><th scope="row" class="name" dir="auto" title="runs/a_b">a_<wbr>b</th>',
        '<td data-value="41.234" data-bounds="40 42"><span class="mark best">★',
        '</span></span> <span class="value">41.23</span> <small>[40.00, 42.00]</small></td>',
        '<small>[40.00, 42.00]</small> <span class="mark behind">▽<span class="word"> behind copy<',
        '<td class="worse"><a href="#?a=c" aria-label="-1, ">-1</a> <span class="mark worse">▼',
    ):
        assert part in drawn
    assert 'data-head="SARI"' in Grid(["", "SARI"], [["a", "1"]]).to_html("stacked")
    drawn = Grid(["", "n"], [["a", Cell("1", bar=[0.25, 0.5])]]).to_html()
    assert 'style="--from:0.250;--to:0.500"' in drawn


# Text -----------------------------------------------------------------------------------------


def test_columns_that_belong_together_stay_together_where_there_is_room():
    grid = Grid(["", "one", "p", "two", "p"], [["a", "1", "2", "3", "4"]], joined=[2, 4])
    assert grid.to_text(17) == "   one  p  two  p\na    1  2    3  4\n"
    assert grid.to_text(16) == "   one  p\na    1  2\n\n   two  p\na    3  4\n"
    assert grid.to_text(7) == "   one\na    1\n\n   p\na  2\n\n   two\na    3\n\n   p\na  4\n"
    grid = Grid(["", "three", "one", "two"], [["a", "1", "2", "3"]])
    assert grid.to_text(11) == "   three\na      1\n\n   one  two\na    2    3\n"


@pytest.mark.parametrize(
    ("cell", "width", "lines"),
    [
        ("one two [3, 4]", 13, ["     text", "our  one two", "     [3, 4]"]),
        ("one two", 12, ["        text", "our  one two"]),  # on the right, if it fits
        ("indivisible", 11, ["     text", "our  indivisible"]),
        ("一二三四 五", 13, ["     text", "our  一二三四", "     五"]),
    ],
)
def test_the_widest_columns_are_wrapped_between_words(cell, width, lines):
    assert Grid(["", "text"], [["our", cell]]).to_text(width).splitlines() == lines


def test_a_part_of_a_table_has_no_empty_rows():
    grid = Grid(["", "one", "two"], [["a", "1", "2"], ["b", "", "3"]])
    assert grid.to_text(10).count("b") == 1
    assert grid.to_text(6) == "   one\na    1\n\n   two\na    2\nb    3\n"


# CSV ------------------------------------------------------------------------------------------


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\0")),
            st.lists(st.text('a"\n\t,')),
        ),
        min_size=1,
    ),
    st.sampled_from(",\t"),
)
def test_texts_and_lists_come_back_from_csv_and_tsv(rows, delimiter):
    written = format_csv([{"text": text, "all": all_} for text, all_ in rows], delimiter)
    header, *found = csv.reader(io.StringIO(written, newline=""), delimiter=delimiter)
    assert header == ["text", "all"]
    assert [(unescaped(text), json.loads(all_)) for text, all_ in found] == rows


def test_numbers_come_back_from_csv_to_the_last_digit():
    written = format_csv([{"sari": 100 / 3, "n": 7, "p": None, "best": True}])
    assert written == f'"sari","n","p","best"\n{100 / 3!r},7,"",True\n'


@given(st.text("'=+-@\t\ra", max_size=4))
def test_no_text_of_a_csv_is_a_formula_and_all_are_read_back(text):
    written = format_csv([{"text": text, text + "2": -1.5}])
    (_, head), (cell, number) = csv.reader(io.StringIO(written, newline=""))
    assert not cell.startswith(("=", "+", "-", "@"))
    assert not head.startswith(("=", "+", "-", "@"))
    assert (unescaped(cell), unescaped(head), number) == (text, text + "2", "-1.5")


# Short names of systems ------------------------------------------------------------------------


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
