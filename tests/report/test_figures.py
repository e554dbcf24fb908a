"""Figures for papers: their numbers, their size and their files."""

import csv
import re
import shutil
import subprocess

import numpy as np
import pytest

from tests.given import lines
from textsimp import InputError, Sari, compare, figure
from textsimp.report import bins, figures
from textsimp.scoring import lengths

pytest.importorskip("altair")
QUICK = {"resamples": 50}


def rows(chart):
    return chart.data.to_dict()["values"]


@pytest.fixture(scope="module")
def draw(corpus, systems):
    return lambda kind, **options: figure(kind, systems, **corpus, **QUICK, **options)


def test_numbers_are_those_of_compare(draw, corpus, systems):
    compared = compare(systems, **corpus, metrics=["sari", "bleu"], baselines=True, **QUICK)
    numbers = rows(draw("scores", metrics="sari,bleu,sari"))
    drawn = {(row["metric"], row["system"]): row for row in numbers}
    assert len(numbers) == len(drawn) == 8
    for (metric, system), row in drawn.items():
        main = compared[metric].systems[system].main
        assert [row["value"], row["low"], row["high"]] == [main.value, *main.interval]
        assert row["kind"] == ("baseline" if "source" in system else "system")


def test_scores_of_a_metric_are_panels(draw, systems):
    scores = Sari().score(
        predictions=systems["splitter"],
        references=lines_of("references"),
        sources=lines("source.txt"),
    )
    drawn = rows(draw("scores", metrics="sari, sari.keep, sari.add", baselines=False))
    own = {row["metric"]: row["value"] for row in drawn if row["system"] == "splitter"}
    assert own == {"sari": scores["sari"], "sari.keep": scores["keep"], "sari.add": scores["add"]}


def lines_of(folder):
    files = [lines(f"{folder}/{i}.txt") for i in range(3)]
    return [list(row) for row in zip(*files, strict=True)]


def test_two_scores_of_a_system_are_one_point(draw):
    drawn = {row["system"]: row for row in rows(draw("two", metrics=["sari", "bleu"]))}
    single = rows(draw("scores", metrics="sari,bleu"))
    for row in single:
        side = "x" if row["metric"] == "sari" else "y"
        own = drawn[row["system"]]
        assert [own[side], own[f"{side}_low"]] == [row["value"], row["low"]]


def test_operations_are_shares_of_a_whole(draw):
    drawn = rows(draw("operations"))
    assert [*dict.fromkeys(row["system"] for row in drawn)][-1] == "references"
    for system in {row["system"] for row in drawn}:
        own = [row for row in drawn if row["system"] == system]
        assert [row["operation"] for row in own] == ["kept", "replaced", "deleted", "inserted"]
        assert sum(row["share"] for row in own) == pytest.approx(1)


def test_lengths_are_the_groups_of_sources(draw, corpus):
    drawn = rows(draw("lengths"))
    groups = lengths.group(corpus["sources"])
    assert [*dict.fromkeys(row["length"] for row in drawn)] == [*groups]
    assert {row["examples"] for row in drawn} == {len(group) for group in groups.values()}


def test_distributions_have_the_same_bins_for_all_systems(draw, systems):
    drawn = rows(draw("distributions", metrics="simplification_stats.compression_ratio"))
    bins = {
        name: [(row["low"], row["high"]) for row in drawn if row["system"] == name]
        for name in [*systems, "references"]
    }
    assert len({*map(str, bins.values())}) == 1
    for name in bins:
        assert sum(row["share"] for row in drawn if row["system"] == name) == pytest.approx(1)


def test_a_scale_covers_different_systems():
    low, high = np.arange(100.0), np.arange(100.0, 200.0)
    assert bins.span([low, high]) == pytest.approx((4.95, 194.05))
    assert bins.span([low, low, 50 * high]) == pytest.approx((4.95, 183.15))
    assert bins.span([np.zeros(9), np.zeros(9), low]) == pytest.approx((0, 94.05))
    assert bins.span([np.zeros(0)]) == pytest.approx((0.05, 0.95))


def test_equal_values_have_a_bin():
    assert bins.bin_edges(1.0, 1.0).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("kind", figures.KINDS)
@pytest.mark.parametrize("width", figures.WIDTHS)
def test_a_figure_is_as_wide_as_its_column_or_page(draw, kind, width):
    metrics = {"two": "sari,bleu"}.get(kind)
    picture = figures.render(draw(kind, metrics=metrics, width=width), ".svg").decode()
    points = f"{figures.WIDTHS[width] * 72 / 72.27:.2f}"
    assert re.search(r'<svg[^>]* width="([\d.]+)pt"', picture)[1] == points


@pytest.mark.parametrize(
    "names",
    [
        ["猫のシステム", "نظام التبسيط"],
        ["a system " * 20 + "1", "a system " * 20 + "2"],
        ["<b>&", "'\"\\"],
    ],
)
def test_any_names_fit(systems, corpus, names):
    named = dict(zip(names, systems.values(), strict=True))
    for kind, metrics in {"scores": "sari", "two": "sari,bleu"}.items():
        chart = figure(kind, named, **corpus, metrics=metrics, **QUICK)
        assert {row["system"] for row in rows(chart)} >= {*names}
        picture = figures.render(chart, ".svg").decode()
        assert re.search(r'<svg[^>]* width="([\d.]+)pt"', picture)[1] == "218.18"


def test_a_single_system_without_references(corpus, systems):
    ours = {"ours": systems["splitter"]}
    chart = figure("scores", ours, sources=corpus["sources"], metrics="fkgl_components", **QUICK)
    assert [row["system"] for row in rows(chart)] == [
        "ours",
        "source unchanged",
        "source truncated",
    ]


def test_what_copies_the_source_or_says_nothing_is_a_baseline(corpus):
    sources = corpus["sources"]
    outputs = {"mine": sources, "nothing": [""] * len(sources), "copy": ["A cat."] * len(sources)}
    for kind in ("scores", "lengths"):
        chart = figure(kind, outputs, **corpus, **QUICK)
        assert {row["kind"] for row in rows(chart)} == {"baseline"}


def test_operations_stand_by_what_systems_keep_and_baselines_last(corpus, systems):
    chart = figure("operations", {"copies": corpus["sources"], **systems}, **corpus, **QUICK)
    kept = {row["system"]: row["share"] for row in rows(chart) if row["operation"] == "kept"}
    assert [*kept][:-2] == sorted(systems, key=lambda name: -kept[name])
    assert [*kept][-2:] == ["copies", "references"]


def test_a_system_of_long_outputs_does_not_widen_the_scale(corpus, systems):
    long = {"long": [20 * text for text in corpus["sources"]]}
    chart = figure("distributions", {**systems, **long}, **corpus, **QUICK)
    compression = [row for row in rows(chart) if "compression" in row["metric"]]
    assert max(row["high"] for row in compression) < 3
    assert all(row["median"] > 20 for row in compression if row["system"] == "long")


# Files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", figures.ENDINGS)
def test_a_file_and_its_numbers(draw, tmp_path, ending):
    chart = draw("scores")
    figures.write(chart, tmp_path / f"scores{ending}")
    written = (tmp_path / f"scores{ending}").read_bytes()
    begins = {".pdf": b"%PDF", ".svg": b"<svg", ".png": b"\x89PNG", ".html": b"<!DOCTYPE html>"}
    assert written.lstrip().startswith(begins[ending])
    with open(tmp_path / "scores.csv", encoding="utf-8", newline="") as file:
        numbers = [*csv.DictReader(file)]
    assert [float(row["value"]) for row in numbers] == [row["value"] for row in rows(chart)]


def test_a_page_needs_no_network(draw):
    page = figures.render(draw("scores"), ".html").decode()
    assert not re.findall(r"<script[^>]* src=|<link[^>]* href=", page)


def test_a_name_does_not_end_the_script_of_a_page(corpus, systems):
    name = "</script><script>alert(1)</script>"
    page = figures.render(
        figure("scores", {name: systems["splitter"]}, **corpus, **QUICK), ".html"
    ).decode()
    assert "<script>alert" not in page


@pytest.mark.skipif(not shutil.which("pdffonts"), reason="needs poppler-utils")
def test_fonts_of_pdf_are_embedded(draw, tmp_path):
    figures.write(draw("scores"), tmp_path / "scores.pdf")
    told = subprocess.run(["pdffonts", tmp_path / "scores.pdf"], capture_output=True, check=True)
    fonts = told.stdout.decode().splitlines()[2:]
    assert fonts
    assert all(line.split()[-5] == "yes" for line in fonts)


def test_files_are_overwritten_only_if_asked(draw, tmp_path):
    (tmp_path / "scores.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"scores\.csv is there already"):
        figures.write(draw("scores"), tmp_path / "scores.pdf", overwrite=False)
    assert [path.name for path in tmp_path.iterdir()] == ["scores.csv"]


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        ("pie", {}, "kind: expected one of .*scores.*people.*'pie'"),
        ("two", {}, "metrics: expected two for the kind 'two', got 1"),
        ("operations", {"metrics": "sari"}, "metrics: expected edit_ops, got sari"),
        ("scores", {"width": "poster"}, "width: expected one of .*column.*page"),
        ("scores", {"metrics": "sari.keeep"}, "metrics: sari has no score 'keeep'"),
        ("lengths", {"published": True}, "published: expected the kind 'scores', got 'lengths'"),
    ],
)
def test_what_can_not_be_drawn(draw, kind, options, said):
    with pytest.raises(InputError, match=said):
        draw(kind, **options)


def test_an_unknown_ending(draw, tmp_path):
    with pytest.raises(InputError, match=r"ends in \.pdf, \.svg, \.png, \.html"):
        figures.write(draw("scores"), tmp_path / "scores.doc")


def test_the_extra_is_named_where_it_is_missing(draw, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    with pytest.raises(ImportError, match=r"pip install 'textsimp\[figures\]'"):
        draw("scores")


# Papers -------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="needs texlive-latex-base")
def test_a_figure_fits_the_column_of_an_article(draw, tmp_path):
    figures.write(draw("scores", metrics="sari,bleu"), tmp_path / "scores.pdf")
    figures.write(draw("two", metrics="sari,bleu", width="page"), tmp_path / "page.pdf")
    (tmp_path / "paper.tex").write_text(
        r"""\documentclass[twocolumn]{article}\usepackage{graphicx}\setlength{\columnsep}{17pt}
        \setlength{\textwidth}{455pt}\begin{document}
        \begin{figure}\noindent\includegraphics{scores}\caption{Scores.}\end{figure}
        \begin{figure*}\noindent\includegraphics{page}\caption{Scores.}\end{figure*}
        Text.\end{document}""",
        encoding="utf-8",
    )
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert "Overfull" not in (tmp_path / "paper.log").read_text(errors="replace")
