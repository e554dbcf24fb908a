"""The page on which people rate, by keyboard, mouse and finger."""

import pytest

from tests.browser.conftest import SECONDS, wait
from tests.browser.spaces import HOSTILE
from tests.extensions.people.browser.rating_pages import ENTER, PRESS, N, Sheet, kept, keys
from textsimp.extensions import people

# Every scheme


@pytest.mark.parametrize("name", PRESS)
def test_screens_by_keyboard_are_the_answers_of_the_plan(name, begun):
    sheet, page, rater = begun(name)
    ways = PRESS[name]
    n = len(page.plan.screens) // len(page.plan.raters)
    for row in range(n):
        sheet.rate(row, way=ways[row % 2])
    assert f"All {n} rated. Thank you, {rater}!" in sheet.ended("All")
    rated = people.read(page.folder / f"{rater}.jsonl", page.plan.scheme, plan=page.plan)
    assert rater not in rated.missing
    screens = {}
    for answer in kept(page.folder, rater):
        assert 0 <= answer["seconds"] < SECONDS
        screens.setdefault(answer["screen"], {})[str(answer["prediction"])] = answer
    for screen, rows in screens.items():
        for criterion, expected in ways[(screen - 1) % 2][1].items():
            several = expected if name == "rank_and_rate" else [expected]
            assert [one[criterion] for one in rows.values()] == several
    sheet.check_quiet()


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        *((name, 390, "dark") for name in PRESS),
        *((name, 1280, "light") for name in ("likert", "pairwise", "rank_and_rate")),
    ],
)
def test_texts_are_texts_and_axe_finds_nothing(name, width, scheme, browser, pages, violations):
    page = pages(name)
    rater = page.plan.raters[-1]
    sheet = Sheet(browser, page.address, rater, width, scheme)
    wait(lambda: sheet.seen(".rate[data-row]") or sheet.find("").get_attribute("data-row"))
    shown = sheet.find(".seen").get_attribute("textContent")
    practice = page.plan.scheme.practice
    first = practice[0].prediction[0] if practice else "Output"
    assert first in shown
    assert browser.find_elements("css selector", ".rate script, .rate img") == []
    assert violations(browser, grave=True) == []
    sheet.press("?")
    wait(lambda: page.plan.scheme.instructions[:40] in sheet.find(".help").text)
    sheet.press(PRESS[name][0][0][0])  # an answer, with the instructions open
    assert violations(browser, ".rate") == []
    assert sheet.fits()
    sheet.check_quiet()


def test_hostile_instructions_are_shown_as_text(browser, pages):
    page = pages("own")
    sheet = Sheet(browser, page.address)
    wait(lambda: sheet.seen(".start"))
    sheet.find(".start select").send_keys(next(page.raters))
    sheet.press(keys.TAB, ENTER)
    wait(lambda: sheet.seen(".intro"))
    assert sheet.find(".intro").text.count(HOSTILE) == 3
    assert browser.find_elements("css selector", ".rate script, .rate img") == []
    sheet.check_quiet()


def test_the_order_of_outputs_is_shown_while_they_are_rated(begun):
    sheet, _, _ = begun("rank_and_rate")
    assert sheet.find(".order").text == "Order: –"
    sheet.press("8", "0", ENTER, "9", "0")
    assert sheet.find(".order").text == "Order: B > A"
    sheet.press(ENTER, "8", "0")
    assert sheet.find(".order").text == "Order: B > A = C"
    sheet.press(keys.ARROW_UP, keys.ARROW_UP, "9", "5")
    assert sheet.find(".order").text == "Order: A > B > C"


def test_a_slider_takes_a_mouse_and_arrows(browser, begun):
    sheet, page, name = begun("direct_assessment")
    ranges = browser.find_elements("css selector", ".rate [type=range]")
    ranges[0].click()  # in the middle, where it stands before it is set
    ranges[1].click()
    sheet.press(keys.ARROW_RIGHT, keys.ARROW_RIGHT)
    sheet.press(keys.TAB, *"10")
    sheet.status("Saved")
    wait(lambda: kept(page.folder, name)[-1]["meaning"] == 10)
    assert kept(page.folder, name)[-1]["fluency"] == 50


@pytest.mark.parametrize("typed", ["150", "10e"])
def test_what_is_not_on_the_scale_of_a_slider_is_no_rating(typed, browser, begun):
    sheet, page, name = begun("direct_assessment")
    box = browser.find_elements("css selector", ".rate [type=number]")[0]
    box.click()
    box.send_keys(keys.CONTROL, "a", keys.NULL, "20")
    wait(lambda: kept(page.folder, name) and kept(page.folder, name)[-1]["fluency"] == 20)
    box.send_keys(keys.CONTROL, "a", keys.NULL, typed, ENTER)  # which doesn't leave it
    wait(lambda: kept(page.folder, name)[-1]["fluency"] is None)
    assert box.get_attribute("value") in (typed, "")  # a browser doesn't tell what is no number
    assert browser.switch_to.active_element == box
    sheet.press(keys.ARROW_DOWN)
    assert box.get_attribute("value") == ""
    assert "unset" in browser.find_elements("css selector", ".rate [type=range]")[0].get_attribute(
        "class"
    )
    sheet.press(keys.ARROW_UP, "7", "0")
    wait(lambda: kept(page.folder, name)[-1]["fluency"] == 70)
    sheet.check_quiet()


# Practice


def test_practice_says_what_is_right_and_why(browser, pages, violations):
    page = pages("information_errors")
    sheet = Sheet(browser, page.address, next(page.raters))
    sheet.at(0, "Practice: ")
    sheet.press("0", "1", "0", ENTER)
    wait(lambda: sheet.seen(".feedback"))
    told = sheet.find(".feedback").text
    assert violations(browser, ".rate") == []
    assert "Insertion ✓ right" in told
    assert "Deletion ✗ expected 0" in told
    assert page.plan.scheme.practice[0].why in told
    sheet.press("1")  # what was checked stays
    assert sheet.chosen() == ["0", "1", "0"]
    browser.refresh()
    sheet.at(1, "Practice: ")
    assert "1 checked" in sheet.find(".where").text
    for row in range(1, 10):
        sheet.at(row, "Practice: ")
        sheet.press("0", "0", "0", ENTER)
        wait(lambda: sheet.seen(".feedback"))
        sheet.press(ENTER)
    told = sheet.ended("right: ")
    assert violations(browser, ".rate") == []
    assert "At least 75 % are asked. Read the instructions once more, and practise again" in told
    assert "begin" not in told
    browser.refresh()
    sheet.ended("Practise again")
    sheet.press(ENTER)  # a key too many does nothing
    sheet.click(".return")
    wait(lambda: sheet.seen(".intro"))
    sheet.press(ENTER)
    sheet.practise()
    sheet.at(0)
    assert f"1 of {N // 2} · 0 rated" in sheet.find(".where").text


# Mouse, touch and looks


def test_it_works_by_mouse_and_by_tab(browser, likert):
    sheet, page, name = likert()
    for i, step in enumerate((2, 4, 1, 3)):
        browser.find_elements("css selector", ".rate .options")[i].find_elements(
            "css selector", "button"
        )[step - 1].click()
    assert sheet.chosen() == ["2", "4", "1", "0"]
    sheet.press(ENTER)  # not the button that was clicked last
    sheet.at(1)
    sheet.click(".next")
    sheet.at(2)
    sheet.click(".back")
    sheet.at(1)
    first = browser.find_elements("css selector", ".rate .options button")[0]
    browser.execute_script("arguments[0].focus()", first)
    sheet.press(keys.TAB, keys.SPACE)  # with the button that has the focus
    sheet.status("Saved")
    wait(lambda: kept(page.folder, name)[-1]["fluency"] == 2)
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert browser.execute_script(outline) == "solid"


def test_a_key_that_is_held_down_answers_once(browser, likert):
    sheet, _, _ = likert()
    for repeated in (False, True, True):
        key = {"type": "keyDown", "key": "1", "text": "1", "autoRepeat": repeated}
        browser.execute_cdp_cmd("Input.dispatchKeyEvent", key)
    browser.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", "key": "1"})
    sheet.status("Saved")
    assert sheet.chosen() == ["1"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_no_button_moves_from_one_screen_to_the_next(browser, likert, width, scheme):
    sheet, _, _ = likert(width=width, scheme=scheme)
    places = """return [...document.querySelectorAll('.rate .work button')]
        .filter((button) => button.checkVisibility()).map(button => button.getBoundingClientRect())
        .map(({x, y, width, height}) => [x, y, width, height].join(' '))"""
    before = browser.execute_script(places)
    heights = [float(place.split()[3]) for place in before]
    assert min(heights) >= 32
    assert len([height for height in heights if height >= 44]) >= 9
    for row in range(1, 4):
        sheet.press("5", "4", "3", "2", keys.ARROW_RIGHT)
        sheet.at(row)
        sheet.status("Saved")
        assert browser.execute_script(places) == before
    assert sheet.fits()
