"""The report's tables as text for a paper, and names in them."""

import html
import re
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from textsimp.core.cells import breakable
from textsimp.core.scores import explain_bold
from textsimp.core.tables import Cell, Grid

HOSTILE = "</script><script>alert(1)</script> ' \" & % | _x_ \\ $ {}"


def table(*names, mark=""):
    """A table of named rows with the same cells."""
    cells = [
        Cell("−1,234.5", ["[−2,000.2, 3.0]"], -1234.5678, (-2000.25, 3), mark),
        Cell("<0.001", value=0.00012345),
        Cell("–"),
    ]
    header = [Cell("Texts"), Cell("SARI,\u00a0%"), Cell("p"), Cell("p")]
    rows = [[Cell(name), *cells] for name in names]
    return Grid(header, rows, meaning=explain_bold(0.95), id="some")


def copied(page):
    """What can be copied, by the table's id and the form."""
    pattern = r'<pre id="(\w+)-(LaTeX|Markdown|methods)"[^>]*>(.*?)</pre>'
    found = re.findall(pattern, page, re.DOTALL)
    return {(table, form): html.unescape(text) for table, form, text in found}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles_whatever_systems_are_called(whole, tmp_path):
    tables = [text for (_, form), text in copied(whole).items() if form == "LaTeX"]
    document = tmp_path / "tables.tex"
    document.write_text(
        r"\documentclass{article}\usepackage{booktabs}\begin{document}"
        + "\n\n".join([*tables, table(HOSTILE, "[a]", "*", "é", mark="best").to_latex()])
        + r"\end{document}",
        encoding="utf-8",
    )
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", document.name],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]


def test_every_table_of_the_page_can_be_copied_with_its_methods(whole):
    ids = re.findall(r'<table id="([^"]+)" class="sortable', whole)
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
