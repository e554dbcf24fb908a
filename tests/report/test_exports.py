"""The report's tables as text for a paper, and names in them."""

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.latex import COLUMN, PAGE, measure, needs_latex
from textsimp.core.cells import breakable


def copied(page):
    """What can be copied, by the table's id and the form."""
    pattern = r'<pre id="(\w+)-(LaTeX|Markdown|methods)"[^>]*>(.*?)</pre>'
    found = re.findall(pattern, page, re.DOTALL)
    return {(table, form): html.unescape(text) for table, form, text in found}


@needs_latex
def test_the_tables_of_a_report_fit_a_paper(whole, tmp_path):
    tables = [text for (_, form), text in copied(whole).items() if form == "LaTeX"]
    for width, latex in zip(measure(tables, tmp_path), tables, strict=True):
        assert width <= (PAGE if "{table*}" in latex else COLUMN)


def test_scores_and_descriptions_can_be_copied_with_their_methods(whole):
    ids = ["scores", "description"]
    found = copied(whole)
    assert {*found} == {(id, form) for id in ids for form in ("LaTeX", "Markdown", "methods")}
    sentence = found["scores", "methods"]
    assert sentence.startswith("We report sari|variant:easse|tok:13a|case:lc|refs:3|v:")
    assert "on 48 examples, 3 references each, with 95 % bootstrap intervals (200 resamples" in (
        sentence
    )


# Names


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a_b/c\\d", "a_<wbr>b/<wbr>c\\<wbr>d"),
        ("_a_", "_a_"),
        ("</i> & _'", "&lt;/i&gt; &amp; _&#x27;"),
        ("نظام", "نظام"),
        ("", ""),
    ],
)
def test_a_name_can_be_broken_between_its_parts_and_stays_text(name, shown):
    assert breakable(name) == shown


@settings(max_examples=30)
@given(st.text())
def test_a_breakable_name_is_the_name(name):
    assert html.unescape(breakable(name).replace("<wbr>", "")) == html.unescape(html.escape(name))
