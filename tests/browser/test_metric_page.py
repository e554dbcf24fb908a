"""A metric's page in a browser: results that are out of date, files to save, colours, a phone."""

from pathlib import Path

import pytest

from tests.browser.conftest import requested, wait
from tests.browser.test_spaces import Page, spaces  # noqa: F401

EXAMPLES = Path(__file__).parents[2] / "examples"
PUT = """const [box, text] = arguments
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set.call(box, text)
    box.dispatchEvent(new Event("input", {bubbles: true}))"""


class Metric(Page):
    """A metric's page."""

    def tab(self, name):
        wait(lambda: [t.click() for t in self.find("[role=tab]") if t.text == name], name)

    @property
    def note(self):
        (note,) = self.find("[role=status].outdated")
        return str(note.text)

    def is_old(self):
        wait(lambda: self.note == "Out of date: the input has changed since.", "out of date")
        opacity = "return getComputedStyle(document.querySelector('.outdated ~ *')).opacity"
        assert self.browser.execute_script(opacity) == "0.65"

    def is_new(self):
        wait(lambda: self.note == "", "up to date")

    def answer(self):
        """The number of the answer that is shown."""
        return int(self.find("[data-answer]")[0].get_attribute("data-answer"))

    def score_again(self):
        self.computes("Score")

    def computes(self, button):
        """Click a button, and wait for its answer."""
        before = self.answer()
        self.click(button)
        wait(lambda: self.answer() > before, "answer")
        self.is_new()

    def box(self, number):
        return [box for box in self.find("textarea") if box.is_displayed()][number]


@pytest.fixture
def page(browser, spaces):  # noqa: F811
    page = Metric(browser, spaces["edit_ops"])
    page.results("change_percentage")
    page.is_new()
    return page


def test_results_are_out_of_date_once_a_text_changes_until_they_are_scored_again(page):
    requested(page.browser)
    source = page.box(0).get_attribute("value")
    page.type("Prediction", "The fortress fell.")
    page.is_old()
    assert requested(page.browser) == []  # the server wasn't asked
    page.score_again()
    page.computes("Example 2")
    page.browser.execute_script(PUT, page.box(0), source)
    page.is_old()
    page.computes("Example 2")
    page.check_quiet()


def test_a_change_that_is_taken_back_is_none(page):
    prediction = page.box(1).get_attribute("value")
    page.browser.execute_script(PUT, page.box(1), "x")
    page.is_old()
    page.browser.execute_script(PUT, page.box(1), prediction)
    page.is_new()


def test_results_are_out_of_date_once_an_option_changes(page):
    page.click("Options", exact=False)
    page.choose("moves", "paper")
    page.is_old()
    page.score_again()
    assert "moves:paper" in page.results()
    page.choose("variant", "shortest")  # which is not folded, and sets others
    page.is_old()
    page.score_again()
    page.choose("examples", "lowest score first")
    page.is_old()


def test_a_tab_that_is_opened_changes_nothing_until_its_inputs_change(page, tmp_path):
    for tab in ("Files", "One example", "Files"):
        page.tab(tab)
        page.browser.execute_async_script("setTimeout(arguments[0], 500)")
        page.is_new()
    other = tmp_path / "splitter.txt"
    other.write_text("x\n" * 48, encoding="utf-8")
    for predictions in (EXAMPLES / "systems" / "splitter.txt", other):
        page.upload("Text files", EXAMPLES / "source.txt", predictions)
        page.is_old()
        page.score_again()
        assert "48 examples" in page.results()
        remove = page.find("button[aria-label='Clear']")
        [button for button in remove if button.is_displayed()][-1].click()
        wait(lambda: page.find(".file-preview") == [])
        page.is_old()


def test_a_late_answer_is_out_of_date_and_a_second_click_is_answered_too(page):
    late = """const [button, box] = arguments, put = (text) => { PUT }
        put("first"); setTimeout(() => { button.click(); setTimeout(() => put("second")) }, 100)"""
    put = PUT.replace("const [box, text] = arguments", "")
    page.browser.execute_script(late.replace("PUT", put), page.button("Score"), page.box(1))
    page.results("first")
    assert page.answer() == 2
    page.is_old()
    twice = """const [button, box] = arguments, put = (text) => { PUT }
        button.click(); setTimeout(() => { put("third"); setTimeout(() => button.click(), 5) })"""
    page.browser.execute_script(twice.replace("PUT", put), page.button("Score"), page.box(1))
    page.results("third")
    page.is_new()


def test_messages_are_out_of_date_too(page):
    page.browser.execute_script(PUT, page.box(0), "")
    page.score_again()
    assert "edit_ops needs sources" in page.find(".ts [role=alert]")[0].text
    page.browser.execute_script(PUT, page.box(0), "A cat sat.")
    page.is_old()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_scores_in_colours_that_can_be_read(browser, spaces, violations, scheme):  # noqa: F811
    page = Metric(browser, spaces["edit_ops"], width=390, scheme=scheme)
    page.results("change_percentage")
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
    moved = [".ts .quiet ins.m", ".ts .quiet del.m"]
    looks = page.browser.execute_script(look, [*kinds, *moved])
    assert len({*looks}) == 6
