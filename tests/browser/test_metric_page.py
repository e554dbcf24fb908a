"""A metric's page in a browser: scoring, files, colours, a phone."""

import pytest

from tests.browser.conftest import wait
from tests.browser.spaces import Page
from tests.project import EXAMPLES

pytest.importorskip("gradio", reason="gradio is not installed")


@pytest.fixture
def page(browser, served):
    page = Page(browser, served["edit_ops"])
    page.results("Change percentage")
    return page


def test_what_is_typed_and_chosen_is_scored(page):
    from selenium.webdriver import Keys

    page.type("Prediction", "The fortress fell.")
    page.click("Options", exact=False)
    page.choose("Moves", "paper")
    page.click("Score")
    page.results("moves:paper")
    page.type("Prediction", "The fortress was taken.")
    assert "moves:paper" in page.results("results of the earlier input")
    page.browser.switch_to.active_element.send_keys(Keys.CONTROL, Keys.ENTER)
    wait(lambda: "earlier input" not in page.results(" from "), "new results")
    page.click("Example 2")
    wait(lambda: "fortress" not in page.results(), "the example")
    page.check_quiet()


def test_what_is_uploaded_is_scored(page):
    wait(lambda: [t.click() for t in page.find("[role=tab]") if t.text == "Files"], "tab")
    page.upload("Text files", EXAMPLES / "source.txt", EXAMPLES / "systems" / "splitter.txt")
    page.click("Score")
    page.results("48 examples")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_scores_in_colours_that_can_be_read(browser, served, violations, scheme):
    page = Page(browser, served["edit_ops"], width=390, scheme=scheme)
    page.results("Change percentage")
    page.type("Prediction", "The fortress fell.")
    page.results("results of the earlier input")
    assert violations(browser, rules=["color-contrast"]) == []
    page.click("Score")
    page.results(" from ")
    page.click("Options", exact=False)
    page.check_fits()
    sideways = (
        "const e = document.querySelector('.ts .scroll'); return e.scrollWidth - e.clientWidth"
    )
    assert browser.execute_script(sideways) == 0
    assert violations(browser, rules=["color-contrast"]) == []


def test_kinds_of_edits_look_different_without_colours(page):
    look = """return arguments[0].map((selector) => {
        const e = document.querySelector(selector), s = getComputedStyle(e)
        const inner = e.querySelector("s"), t = inner ? getComputedStyle(inner) : s
        return [s.textDecorationLine, s.textDecorationStyle, t.textDecorationLine,
            t.borderBottomWidth, s.borderTopWidth].join()
    })"""
    kinds = [
        f".ts .quiet {kind}" for kind in ("ins:not([class])", "del:not([class])", "ins.r", "del.r")
    ]
    looks = page.browser.execute_script(look, kinds)
    assert len({*looks}) == 4
