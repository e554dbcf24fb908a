"""The report's tables to take away, and names in them."""

import csv
import html
import io
import re
import shutil
import subprocess
from dataclasses import replace
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import textsimp
from textsimp import report
from textsimp.core.scores import explain_bold
from textsimp.core.tables import Cell, Grid, breakable, unescaped
from textsimp.report import exports

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


def file(form, shown, *signatures):
    files = exports.files(replace(shown, notes=[*signatures]))
    (found,) = [one.text for one in files if one.form == form]
    return found


def records(text):
    return list(csv.DictReader(io.StringIO(text)))


def downloads(text):
    """Files to download, by name."""
    pattern = r'download="([^"]+)"\s+href="data:text/plain;charset=utf-8,([^"]*)"'
    return {name: unquote(html.unescape(address)) for name, address in re.findall(pattern, text)}


def test_csv_has_plain_numbers_in_full_with_bounds_and_marks_in_own_columns():
    assert records(file("CSV", table("a", mark="undecided"), "sari|v:1", "bleu|v:1")) == [
        {
            "texts": "a",
            "SARI, %": "-1234.5678",
            "SARI, % low": "-2000.25",
            "SARI, % high": "3",
            "SARI, % mark": "undecided",
            "p": "0.00012345",
            "p 2": "",
            "signatures": "sari|v:1; bleu|v:1",
        }
    ]


def test_markdown_has_cells_as_shown_pipes_escaped_and_the_best_in_bold():
    assert file("Markdown", table("a|b", mark="best"), "sari|v:1").splitlines() == [
        "|  | SARI, % | p | p |",
        "| --- | ---: | ---: | ---: |",
        r"| a\|b | **-1,234.5** [-2,000.2, 3.0] | <0.001 | – |",
        "",
        "Bold: the best system, and all that do not differ significantly from it "
        "(paired permutation test, p >= 0.05, Holm-adjusted).",
        "",
        "`sari|v:1`",
    ]


@given(st.lists(st.text(max_size=8), min_size=1, max_size=3))
def test_names_come_back_from_csv(names):
    names = [name.replace("\r", "").replace("\0", "") for name in names]
    text = file("CSV", table(*names))
    rows = csv.DictReader(io.StringIO(text, newline=""))
    assert [unescaped(row["texts"]) for row in rows] == names


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_compiles_whatever_systems_are_called(whole, tmp_path):
    tables = [text for name, text in downloads(whole).items() if name.endswith(".tex")]
    document = tmp_path / "tables.tex"
    document.write_text(
        r"\documentclass{article}\usepackage{booktabs}\begin{document}"
        + "\n\n".join([*tables, file("LaTeX", table(HOSTILE, "[a]", "*", "é", mark="best"))])
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


def test_every_table_of_the_page_is_there_in_three_formats(whole):
    ids = re.findall(r'<table id="([^"]+)" class="sortable', whole)
    assert ids == ["overview", "scores", "lengths", "description"]
    expected = {f"{id}.{ending}" for id in ids for ending in ("csv", "tex", "md")}
    assert {*downloads(whole)} == expected


def test_the_csv_of_scores_is_what_the_metric_says(whole, corpus, systems):
    rows = {row["texts"]: row for row in records(downloads(whole)["scores.csv"])}
    for name, outputs in systems.items():
        found = textsimp.Sari().score(predictions=outputs, **corpus, confidence=0.95, resamples=200)
        low, high = found["sari_interval"]
        for end, value in (("", found["sari"]), (" low", low), (" high", high)):
            assert float(rows[name][f"SARI (easse){end}"]) == pytest.approx(value, abs=1e-9)
        assert found["signature"] in rows[name]["signatures"]


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


@given(st.text())
def test_a_breakable_name_is_the_name(name):
    assert html.unescape(breakable(name).replace("<wbr>", "")) == html.unescape(html.escape(name))


def test_names_and_what_users_write_have_their_own_direction(corpus, systems):
    text = report.html(
        {"نظام": systems["splitter"], **systems},
        **corpus,
        resamples=5,
        title="تقرير",
        description="وصف",
    )
    assert '<h1 dir="auto">تقرير</h1>' in text
    assert '<p class="description" dir="auto">وصف</p>' in text
    assert 'dir="auto">نظام</th>' in text
