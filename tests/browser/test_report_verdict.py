"""The verdict and the matrices of tests in a browser."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest

from tests.browser.conftest import console, emulate
from tests.browser.test_report import find, write_report
from tests.given import lines

HOSTILE = "</script><img src=x onerror=alert(2)> with a name that is rather long"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report on twelve systems and two metrics."""
    splitter, substituter = (lines(f"systems/{name}.txt") for name in ("splitter", "substituter"))
    systems = {
        "substituter": substituter,
        HOSTILE: splitter,
        **{f"mixture {i}": [*substituter[: 4 * i], *splitter[4 * i :]] for i in range(1, 11)},
    }
    path = write_report(
        tmp_path_factory,
        systems,
        metrics=["sari", "bleu"],
        resamples=200,
        examples=1,
    )
    return path.as_uri()


def visit(browser: Any, page: str, width: int, scheme: str = "light") -> None:
    console(browser)
    emulate(browser, width, scheme)
    browser.get("about:blank")
    browser.get(page)


def box(element: Any) -> dict[str, float]:
    return dict(element.rect)


@pytest.mark.parametrize("width", [390, 1280])
def test_the_verdict_is_on_the_first_screen(browser, page, width):
    visit(browser, page, width)
    (headline,) = find(browser, "#verdict .headline")
    assert "SARI" in headline.text
    assert box(headline)["y"] + box(headline)["height"] < 600
    size = float(headline.value_of_css_property("font-size").removesuffix("px"))
    assert size > 18
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert console(browser) == []


def test_twelve_systems_scroll_sideways_below_their_names(browser, page):
    visit(browser, page, 390)
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.execute_script("return document.documentElement.scrollWidth") == 390
    (table,) = find(browser, "#tests-sari")
    scroll = table.find_element("xpath", "..")
    browser.execute_script("arguments[0].scrollLeft = 600", scroll)
    name = find(browser, "#tests-sari tbody th")[0]
    assert box(name)["x"] == pytest.approx(box(scroll)["x"], abs=2)
    assert len(find(browser, "#tests-sari tbody tr")) == 12
    assert len(find(browser, "#tests-sari tbody tr:first-child td")) == 14


def test_what_cells_say_needs_no_colour(browser, page):
    visit(browser, page, 1280)
    shown = {
        kind: browser.execute_script(
            f"return document.querySelector('#tests-sari td.{kind} .told').firstChild.data"
        )
        for kind in ("better", "worse", "alike")
    }
    assert {kind: text.strip() for kind, text in shown.items()} == {
        "better": "▲",
        "worse": "▼",
        "alike": "≈",
    }


def test_a_click_anywhere_in_a_cell_leads_to_its_examples(browser, page):
    from selenium.webdriver import ActionChains

    visit(browser, page, 1280)
    (cell,) = find(browser, "#tests-sari tbody tr:first-child td:nth-child(3)")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", cell)
    size = cell.size
    corner = ActionChains(browser).move_to_element_with_offset(
        cell, -size["width"] // 2 + 4, size["height"] // 2 - 4
    )
    corner.click().perform()
    state = unquote(browser.current_url.partition("#?")[2])
    heads = [
        head.text.removeprefix("minus").strip() for head in find(browser, "#tests-sari thead th")
    ]
    row = find(browser, "#tests-sari tbody th")[0].text.splitlines()[0]
    assert state == f"sort=-gap&a={row}&b={heads[2]}&score=sari.sari"


def test_the_verdict_links_to_what_is_known_of_people(browser, page):
    visit(browser, page, 1280)
    (link,) = find(browser, "#verdict a[href='#people-1']")
    link.click()
    (note,) = find(browser, "#people-1")
    assert 0 <= browser.execute_script("return arguments[0].getBoundingClientRect().y", note) < 900


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_what_they_stand_on(browser, page, scheme):
    visit(browser, page, 1280, scheme)
    for selector in (
        "#verdict .headline",
        "#verdict li",
        "#verdict .note",
        "#tests-sari td.better .interval",
        "#tests-sari td.worse .interval",
        "#tests-sari td.better .told",
        "#tests-sari td.worse .told",
        "#scores .mark.behind",
    ):
        ratio = browser.execute_script(CONTRAST, find(browser, selector)[0])
        assert ratio >= 4.5, (selector, ratio)


CONTRAST = """
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
  .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
let below = arguments[0], back = [0, 0, 0, 0];
while (below && !(back.length === 3 || back[3] === 1)) {
  back = rgb(getComputedStyle(below).backgroundColor);
  below = below.parentElement;
}
const [a, b] = [light(rgb(getComputedStyle(arguments[0]).color)), light(back)];
return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
"""
