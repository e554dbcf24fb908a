"""What visitors do on the pages that compare systems and look at splits, in a browser."""

import pytest

from tests.browser.conftest import downloads, wait
from tests.browser.spaces import Page

pytest.importorskip("gradio", reason="gradio is not installed")

WIDE = "return document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def compare(browser, served):
    page = Page(browser, served["compare"])
    page.report("splitter")
    return page


def test_an_example_that_is_filled_in_is_compared(compare):
    compare.click("Clear")
    compare.click("Compare")
    wait(lambda: "nothing to score" in compare.find(".ts [role=alert]")[0].text)
    compare.click("Fill in an example")
    compare.report("splitter")
    compare.check_quiet()


def test_the_report_is_shut_in_its_frame_and_its_links_stay_there(compare):
    browser = compare.browser
    browser.switch_to.frame(compare.find("iframe.report")[0])
    try:
        assert browser.execute_script("return self.origin") == "null"
        reach = "try { return parent.document.title } catch (error) { return error.name }"
        assert browser.execute_script(reach) == "SecurityError"
        browser.find_element("css selector", "nav a[href='#examples-section']").click()
        wait(lambda: browser.execute_script("return scrollY > 1000"), "a section")
        assert browser.find_element("css selector", "h1").text == "Simplification report"
        assert browser.execute_script(WIDE) <= 0
        assert browser.find_elements("css selector", "[data-open]")
    finally:
        browser.switch_to.default_content()


def test_the_report_is_saved(compare, tmp_path):
    downloads(compare.browser, tmp_path)
    compare.click("Save the report")
    saved = tmp_path / "report.html"
    wait(saved.exists, "download")
    text = saved.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "<base" not in text
    compare.check_quiet()


def test_on_a_phone_the_report_opens_over_the_whole_page(browser, served):
    page = Page(browser, served["compare"], width=390)
    page.results("substituter leads")
    assert not page.find("iframe.report")[0].is_displayed()
    page.click("Open the report")
    page.report("substituter leads")
    box = page.find("iframe.report")[0].rect
    assert (box["x"], box["width"]) == (0, 390)
    page.click("Close")
    assert not page.find("iframe.report")[0].is_displayed()
    page.check_quiet()


EDGES = """const edge = (e) => e.getBoundingClientRect().right
    return [...document.querySelectorAll('.ts .stacked td')]
        .filter((cell) => cell.textContent && edge(cell) > innerWidth).length"""


def test_on_a_phone_every_number_is_within_the_edge(browser, served):
    page = Page(browser, served["splits"], width=390, scheme="dark")
    page.results("Pairs")
    for action, shown in {
        "Fill in an example": "Pairs",
        "Make the split": "Save the split",
    }.items():
        page.click(action)
        page.results(shown)
        assert browser.execute_script(EDGES) == 0
        page.check_fits()
    page.check_quiet()
