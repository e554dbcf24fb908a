"""Figures in sentences are cells of the tables that these name; scores agree as they measure it."""

import csv
import random
import re

import numpy as np
import pytest

from tests.given import load_tool
from tests.project import PROJECT
from textsimp import Bleu, Sari
from textsimp.core.sample import percentiles
from textsimp.extensions import people
from textsimp.extensions.people.judgements import coefficients, resampling
from textsimp.metrics import catalogue

CELLS = re.compile(r"<!-- cells: (.+?) -->\n(.*?)<!-- /cells -->", re.DOTALL)
ESTIMATE = re.compile(r"−?\d?\.\d\d \[−?\d?\.\d\d, −?\d?\.\d\d\]")
NUMBER = re.compile(r"(?<![\w.,])[−+]?(?:\d[\d,]*\d|\d)?(?:\.\d+|(?<=\d))(?!\w)")
NO_FIGURES = re.compile(r"`[^`]*`|\]\([^)]*\)|\b(?:19|20)\d\d\b")  # code, links, years
WORDS = ("the", "a", "cat", "dog", "sat", "lay", "ran", "on", "by", "mat", "hat", "very", "old")


def figures_of(text):
    """Estimates with their intervals, and other numbers."""
    text = " ".join(text.split())
    return {*ESTIMATE.findall(text), *NUMBER.findall(ESTIMATE.sub("", text))}


def test_figures_are_estimates_and_numbers_but_not_years_and_code():
    text = "By 2020 `top_5` has .34 [.31, .38],\n−.05, 1,039 pairs (22 %), and [0.5](page-3.md)."
    assert figures_of(NO_FIGURES.sub("", text)) == {".34 [.31, .38]", "−.05", "1,039", "22", "0.5"}


def scores_of_trust():
    """Set, or a metric's name → its rows of docs/trust.csv, written as in the pages."""
    found = {}
    with open(PROJECT / "docs" / "trust.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            value, *bounds = (
                row[name].replace("-", "−").replace("0.", ".") for name in ("value", "low", "high")
            )
            cell = f"{value} [{', '.join(bounds)}]" if bounds[0] else value
            for name in (f"all-{row['set']}", row["score"].split("`")[1]):
                found[name] = found.get(name, "") + f"| {cell} "
    return found


@pytest.fixture(scope="module")
def of_people():
    """The tables of how well scores agree with people."""
    with pytest.MonkeyPatch.context() as patch:
        return load_tool(patch, "pages").read("trust") | scores_of_trust()


@pytest.fixture(scope="module")
def tables(of_people):
    with pytest.MonkeyPatch.context() as patch:
        read = load_tool(patch, "pages").read
        return read("figures") | read("published") | of_people


PAGES = [
    page
    for pattern in ("README.md", "docs/*.md", "metrics/*/README.md")
    for page in sorted(PROJECT.glob(pattern))
    if CELLS.search(page.read_text("utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(PROJECT)) for page in PAGES])
def test_figures_in_sentences_are_cells_of_the_tables_that_these_name(page, tables, of_people):
    for names, text in CELLS.findall(page.read_text("utf-8")):
        found = figures_of(NO_FIGURES.sub("", text))
        if of_people.keys() & names.split(", "):  # whole numbers count what tables have
            found = {figure for figure in found if "." in figure}
        table = "; ".join(tables[name] for name in names.split(", "))
        cells = {*ESTIMATE.findall(table), *NUMBER.findall(table)}
        assert found
        assert not [one for one in found if not cells & {one, f"−{one}", f"+{one}"}]


def test_a_metrics_own_line_has_figures_of_its_rows(of_people):
    measured = of_people.keys() & {*catalogue.names()}
    assert len(measured) > 8
    for name in measured:
        people = figures_of(catalogue.metric_class(name).people)
        assert {figure for figure in people if "." in figure} <= figures_of(of_people[name])


def test_the_first_page_of_trust_stays_short():
    assert len((PROJECT / "docs" / "trust.md").read_text("utf-8").split()) <= 1200


# Measuring ---------------------------------------------------------------------------------------

METRICS = {"`sari` easse": Sari(), "`bleu` sacrebleu": Bleu("sacrebleu")}
SCORES = {label: (metric, metric.name) for label, metric in METRICS.items()}


@pytest.fixture
def trust(monkeypatch):
    return load_tool(monkeypatch, "trust")


@pytest.fixture(scope="module")
def rows():
    """Random outputs of four systems of fifteen sources; a reference of some is the output."""
    rng = random.Random(7)

    def text():
        return " ".join(rng.choices(WORDS, k=rng.randint(4, 9)))

    found = []
    for item in range(15):
        source, references = text(), [text() for _ in range(3)]
        for system in "dbca":
            output = rng.choice([text(), text(), references[0]])
            rating = [rng.randint(0, 5) for _ in range(3)]
            row = {"item": item, "system": system, "source": source, "prediction": output}
            found.append({**row, "references": references, "rating": rating, "other": item})
    return found


def test_the_figures_are_those_of_meta(trust, rows):
    rated = trust.rate(rows, {"overall": "rating", "other": "other"}, SCORES)
    found = trust.measure(rated)["overall"]
    expected = people.evaluate(rows, METRICS, confidence=None)
    sample = resampling.make_sample(expected.judged)
    over_items, over_systems = (
        sample.resample([kind], resamples=trust.RESAMPLES, seed=0) for kind in ("items", "systems")
    )
    for i, label in enumerate(METRICS):
        for ours, level, name, resamples in (
            (found[trust.R], "outputs", "pearson", over_items),
            (found[trust.TAU], "within_items", "kendall", over_items),
            (found[trust.SYSTEM], "within_systems", "pearson", over_items),
            (found[trust.RHO], "systems", "spearman", over_items),
            (found[trust.PAIRS], "systems", "accuracy", over_items),
            (trust.over_systems(rated, METRICS), "systems", "spearman", over_systems),
        ):
            theirs = expected.metrics[label][level][name].value
            assert ours[label][0] == pytest.approx(theirs), (label, level)
            interval = percentiles(resamples[f"{level}.{name}"][:, i], 0.95)
            assert trust.percentiles(ours[label]) == pytest.approx(interval), (label, level)


def test_ties_within_a_source_count_as_in_kendalls_tau_b(trust):
    x, y = np.array([[1.0, 1, 2, 3, 3, 0]]), np.array([2.0, 1, 2, 2, 5, 1])
    expected = coefficients.kendall(x[0], y, np.ones((1, 6)))[None]
    assert trust.within(x, y, np.zeros(6, int), np.ones((1, 1))) == pytest.approx(expected)


def test_the_mean_of_more_raters_is_more_reliable(trust):
    rows = [{"one": [4], "same": [r, r], "two": [r, r + r % 2]} for r in range(8)]
    assert trust.mean_reliability(rows, "same") == pytest.approx(1)
    alpha = people.rater_agreement([row["two"] for row in rows]).alpha
    assert alpha is not None
    assert trust.mean_reliability(rows, "two") == pytest.approx(2 * alpha / (1 + alpha))
    assert np.isnan(trust.mean_reliability(rows, "one"))
