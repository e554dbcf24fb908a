"""The table of systems in a browser: what of many systems is shown, compared, saved and printed."""

import csv

import pytest

from tests.browser.access import printed
from tests.browser.conftest import (
    console,
    displayed,
    downloads,
    find,
    row_names,
    type_into,
    visit,
    wait_for_download,
    write_report,
)
from tests.given import columns, lines

N = 12


@pytest.fixture(scope="module")
def fourteen(tmp_path_factory):
    """The address of a report on 14 systems, each worse than the one before."""
    outputs = lines("systems/substituter.txt")[:N]
    systems = {f"system {i:02}": [text + " Yes." * i for text in outputs] for i in range(14)}
    references = columns()["references"][:N]
    texts = {"sources": lines("source.txt")[:N], "references": references}
    options = {"metrics": ["sari", "bleu"], "resamples": 50, "examples": 2}
    return write_report(tmp_path_factory, systems, **texts, **options)


@pytest.fixture
def table(browser, fourteen):
    return visit(browser, fourteen)


def systems(browser):
    return [name for name in row_names(browser, "scores") if name.startswith("system")]


def tick(browser, name):
    find(browser, f"#scores input[aria-label='Keep {name} on top']")[0].click()


def test_the_first_ten_are_shown_until_one_asks_for_all(table):
    best_first = [f"system {i:02}" for i in range(14)]
    assert systems(table) == best_first[:10]
    (button,) = displayed(table, "#system-all")
    assert button.text == "All 14 systems"
    button.click()
    assert systems(table) == best_first
    assert console(table) == []


def test_a_system_is_found_by_its_name_wherever_it_stands(table):
    type_into(table, "#system-text", "13")
    assert row_names(table, "scores") == ["system 13"]
    type_into(table, "#system-text", "x")
    assert find(table, "#system-pair")[0].text == "No name has these letters."
    type_into(table, "#system-text", "")
    assert len(systems(table)) == 10


def test_ticked_systems_stay_on_top_and_are_compared(table):
    head = find(table, "#scores th.gap")[0]
    assert head.text.startswith("minus system 00")
    best = find(table, "#scores tbody tr.system td:nth-child(3)")[1].text
    assert best.startswith("−")
    tick(table, "system 03")
    assert head.text.startswith("minus system 03")
    tick(table, "system 01")
    assert row_names(table, "scores")[:2] == ["system 03", "system 01"]
    find(table, "#scores thead button")[1].click()
    assert row_names(table, "scores")[:2] == ["system 03", "system 01"]
    (line,) = displayed(table, "#system-pair")
    assert line.text.startswith("system 03 minus system 01: SARI (easse) −")
    assert "BLEU (easse) −" in line.text
    assert " p = " in line.text or " p < " in line.text
    assert (
        line.find_element("css selector", "a")
        .get_attribute("href")
        .endswith("#?a=system%2003&b=system%2001&sort=-gap&score=sari.sari")
    )


def test_the_difference_of_a_script_is_that_of_the_page(table):
    """Turned round, and back again."""
    cells = "#scores tbody tr.system td:nth-child(3)"
    before = [cell.get_attribute("textContent").split() for cell in find(table, cells)]
    for _ in range(2):
        tick(table, "system 00")
    assert [cell.get_attribute("textContent").split() for cell in find(table, cells)] == before


def test_columns_and_intervals_are_shown_when_they_are_asked_for(table):
    def heads():
        return [head.text for head in displayed(table, "#scores thead th")]

    assert "add ↕" not in " ".join(heads())
    find(table, "#system-columns summary")[0].click()
    (box,) = (b for b in find(table, "#system-columns label") if b.text == "add")
    box.click()
    assert any(head.startswith("add") for head in heads())
    (small, *_) = find(table, "#scores td small")
    assert small.size["width"] <= 1
    find(table, "#system-intervals")[0].click()
    assert small.size["width"] > 40


def test_all_tests_can_be_saved(table, tmp_path):
    downloads(table, tmp_path)
    find(table, "#tests-download")[0].click()
    wait_for_download(tmp_path / "tests.csv")
    with (tmp_path / "tests.csv").open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    pairs = 14 * 13 // 2 + 14 * 2  # of systems, and of each with two baselines
    assert [row["score"] for row in rows].count("SARI (easse)") == pairs
    assert {row["system"] for row in rows[:3]} == {"system 00"}
    assert float(rows[0]["low"]) <= float(rows[0]["difference"]) <= float(rows[0]["high"])


def test_saved_numbers_have_full_names(browser, tmp_path_factory, tmp_path):
    names = [f"{'a long name of a ' * 6}system {i}" for i in "12"]
    outputs = dict(zip(names, (lines("systems/splitter.txt"), lines("source.txt")), strict=True))
    page = write_report(tmp_path_factory, outputs, **columns(), resamples=20, examples=1)
    visit(browser, page)
    downloads(browser, tmp_path)
    buttons = {"tests.csv": "#tests-download", "overview.csv": "#plot-overview .save :last-child"}
    for file, button in buttons.items():
        browser.execute_script("document.querySelector(arguments[0]).click()", button)
        wait_for_download(tmp_path / file)
        saved = (tmp_path / file).read_text(encoding="utf-8")
        assert all(name in saved for name in names)


def test_on_paper_all_systems_and_columns_are_there(browser, fourteen):
    visit(browser, fourteen)
    heads = [head.get_attribute("textContent") for head in find(browser, "#scores thead th")]
    with printed(browser, fourteen):
        pieces = displayed(browser, "table.printed")
        printed_heads = displayed(browser, "table.printed thead th")
        shown = [head.get_attribute("textContent") for head in printed_heads]
        assert [head for head in shown if head != "Texts"] == heads[1:]
        assert len(pieces) == shown.count("Texts") > 1
        for piece in pieces:
            assert len(piece.find_elements("css selector", "tbody tr.system")) == 14
            assert piece.size["width"] <= 700
        assert displayed(browser, "#scores") == []
        assert find(browser, "thead button") == []  # which the next page wouldn't repeat
    assert len(find(browser, "#scores thead button")) == len(heads)
