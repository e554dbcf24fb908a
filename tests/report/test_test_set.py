"""The test set in a report: sizes, alignments of sentences, scores by length of the source."""

import itertools
import re

import pytest

from tests.given import columns, lines
from textsimp import Sari, SimplificationStats
from textsimp.report import measurements, plots, score_tables

SAMPLING = {"confidence": 0.95, "resamples": 10, "seed": 0}


def measured(systems, sources, references, metrics):
    texts, _ = measurements.check(systems, sources, references)
    return measurements.measure(texts, metrics, SAMPLING)


def facts(sources, references):
    grid = score_tables.describe_sources(measured({"ours": sources}, sources, references, {}))
    return [dict(zip(map(str, grid.header), row, strict=True)) for row in grid.rows]


SOURCES = ["One is here .", "One is here . Two are there ."]


def test_the_facts_of_sources_and_references():
    references = [
        ["One is .", "One . Two is ."],
        ["One is here .", "One is here . Two are there ."],
    ]
    sources, own = facts(SOURCES, references)
    assert [sources[key].text for key in ("Number", "Words", "Words each", "Sentences each")] == [
        *("2", "12", "6.0", "1.50")
    ]
    assert [own[key].text for key in ("Number", "Words", "Words each")] == ["4", "20", "5.0"]
    assert [own[f"{kind}, %"].text for kind in ("1-to-1", "1-to-n", "n-to-1", "n-to-m")] == [
        "25.0"
    ] * 4
    stats = SimplificationStats.preset().score(
        predictions=SOURCES, sources=SOURCES, references=references
    )
    assert own["Compression"].value == pytest.approx(stats["reference_compression_ratio"])
    assert own["Similarity"].value == pytest.approx(stats["reference_levenshtein_similarity"])


def test_without_references_there_are_the_sources():
    (sources,) = facts(SOURCES, None)
    assert [*sources] == ["Texts", "Number", "Words", "Words each", "Sentences each"]


def by_length(**systems):
    corpus = columns()
    report = measured(systems, corpus["sources"], corpus["references"], {"sari": Sari()})
    return plots.lengths(report)


def test_scores_by_length_are_those_of_the_examples_there():
    plot = by_length(ours=lines("systems/splitter.txt"))
    corpus, group = columns(), plot.columns[0].removesuffix(" words")
    low, high = map(int, group.split("–"))
    rows = [i for i, text in enumerate(corpus["sources"]) if low <= len(text.split()) <= high]
    part = {name: [texts[i] for i in rows] for name, texts in corpus.items()}
    ours = [lines("systems/splitter.txt")[i] for i in rows]
    score = Sari().score(predictions=ours, **part)
    assert plot.rows[0].numbers[0] == pytest.approx(score.main.value)


def test_of_many_systems_the_best_are_drawn_and_all_are_saved():
    outputs = lines("systems/splitter.txt")
    systems = {f"s{i}": [f"{text}{' Yes.' * i}" for text in outputs] for i in range(8)}
    plot = by_length(**systems)
    assert [row.name for row in plot.rows if row.name in systems] == [f"s{i}" for i in range(6)]
    assert {name for name, *_ in plot.more} == {"s6", "s7"}
    assert "source unchanged" in {row.name for row in plot.rows}


def test_few_examples_are_not_divided():
    report = measured({"ours": SOURCES}, SOURCES, [["a"], ["b"]], {"sari": Sari()})
    assert plots.lengths(report) is None


def test_names_at_the_ends_of_lines_do_not_cover_each_other():
    plot = by_length(**{f"s{i}": lines("systems/splitter.txt") for i in range(6)})
    picture = plot.svg("a plot")
    ups = sorted(float(y) for y in re.findall(r'<text x="100%" y="(-[\d.]+)"', picture))
    assert len(ups) == 8
    assert min(b - a for a, b in itertools.pairwise(ups)) >= 13.9
