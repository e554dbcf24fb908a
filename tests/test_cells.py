"""Figures in sentences are cells of the tables that these name."""

import csv
import re

import pytest

from tests.given import load_tool
from tests.project import PROJECT
from textsimp.metrics import catalogue

CELLS = re.compile(r"<!-- cells: (.+?) -->\n(.*?)<!-- /cells -->", re.DOTALL)
ESTIMATE = re.compile(r"−?\d?\.\d\d \[−?\d?\.\d\d, −?\d?\.\d\d\]")
NUMBER = re.compile(r"(?<![\w.,])[−+]?(?:\d[\d,]*\d|\d)?(?:\.\d+|(?<=\d))(?!\w)")
NO_FIGURES = re.compile(r"`[^`]*`|\]\([^)]*\)|\b(?:19|20)\d\d\b")  # code, links, years


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
    for pattern in ("README.md", "docs/*.md", "docs/extensions/*.md", "metrics/*/README.md")
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


def test_the_figure_of_trust_shows_what_the_file_of_all_scores_has(monkeypatch):
    tool = load_tool(monkeypatch, "pictures")
    picture = (tool.IMAGES / "trust-simplicity.svg").read_text("utf-8").replace("−", "-")
    values = re.findall(r'"value: (\S+); label: ([^;]+);', picture)
    ends = re.findall(r'"low: (\S+); label: ([^;]+); high: (\S+)"', picture)
    drawn = [(float(x), name) for x, name in values], [(float(x), float(y)) for x, _, y in ends]
    rows = tool.simplicity()
    assert drawn == (
        [(float(row["value"]), row["metric"]) for row in rows],
        [(float(row["low"]), float(row["high"])) for row in rows],
    )
