"""The report and the pages for everybody: keyboard, screen reader, phone, paper, copied cells."""

from urllib.parse import unquote

import pytest

from tests.browser.access import (
    check_focus,
    check_scrolling_by_keyboard,
    check_targets,
    check_widths,
    printed,
    unfold,
)
from tests.browser.conftest import console, emulated, find, press, visit, wait

# axe


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_in_the_report(browser, many, violations, width, scheme):
    assert violations(unfold(browser, many, width, scheme)) == []


# Keyboard


@pytest.mark.parametrize(
    "check", [check_focus, check_scrolling_by_keyboard, check_targets, check_widths]
)
def test_everybody_can_use_it(check, browser, many):
    check(browser, many)


def test_a_table_is_scrolled_by_keys_and_shows_that_it_goes_on_at_both_sides(browser, many):
    from selenium.webdriver import Keys

    unfold(browser, many, 390)
    (box,) = browser.execute_script("return [document.querySelector('#scores').closest('.scroll')]")
    browser.execute_script("arguments[0].focus()", box)
    name = box.find_element("css selector", "tbody th")
    assert name.value_of_css_property("box-shadow") == "none"
    press(browser, Keys.ARROW_RIGHT * 3)
    wait(lambda: name.value_of_css_property("box-shadow") != "none")
    assert browser.execute_script("return arguments[0].scrollLeft", box) > 0


# Paper


def test_paper_is_light_and_has_keys_but_no_controls(browser, many):
    with printed(browser, many):
        assert find(browser, "h1")[0].value_of_css_property("color") == "rgba(31, 37, 41, 1)"
        for selector in (".controls", "nav", ".take", ".skip"):
            assert not any(part.is_displayed() for part in find(browser, selector)), selector
        assert all(part.is_displayed() for part in find(browser, ".marks"))
        # In a grid, examples that go on on the next page overlap what follows them.
        assert find(browser, "main")[0].value_of_css_property("display") == "block"


def test_a_report_on_documents_fits_on_screens_and_on_paper(browser, documents):
    check_widths(browser, documents)


def test_numbers_are_printed_although_they_were_folded_away(browser, page):
    visit(browser, page)
    browser.execute_script("document.querySelector('#checks').open = false")
    folded = """return document.querySelector('#tests-bleu').closest('details').open
        || document.querySelector('#checks').open"""
    both = folded.replace("||", "&&")
    assert not browser.execute_script(folded)
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script(both)
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert not browser.execute_script(folded)


# Other ways to see it


def test_forced_colours_keep_marks_apart(browser, many):
    unfold(browser, many)
    with emulated(browser, forced_colors="active"):
        inserted, deleted = (find(browser, f"article {mark}")[0] for mark in ("ins", "del"))
        assert "underline" in inserted.value_of_css_property("text-decoration-line")
        struck = deleted.find_elements("css selector", "s") or [deleted]
        assert "line-through" in struck[0].value_of_css_property("text-decoration-line")
        for mark in find(browser, ".mark"):
            assert mark.value_of_css_property("border-top-style") == "solid"


# Taking tables away


def test_a_table_is_copied_for_a_paper_by_a_button(browser, many):
    browser.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
    )
    unfold(browser, many)
    (button,) = find(browser, "[data-copy='scores-LaTeX']")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()
    wait(lambda: button.text == "copied")
    read = browser.execute_async_script(
        "navigator.clipboard.readText().then(arguments[0], (e) => arguments[0](String(e)))"
    )
    assert r"\begin{tabular}" in read
    assert "checkpoint" in read
    wait(lambda: button.text.startswith("Copy LaTeX"))
    assert console(browser) == []


# Verdict and tests


@pytest.mark.parametrize("width", [390, 1280])
def test_the_verdict_and_first_scores_are_on_the_first_screen(browser, page, width):
    visit(browser, page, "", width)
    (headline,) = find(browser, "#verdict .headline")
    assert "SARI" in headline.text
    assert headline.rect["y"] + headline.rect["height"] < 600
    score = find(browser, "#scores td")[0].rect
    assert score["y"] + score["height"] < 800
    assert float(headline.value_of_css_property("font-size").removesuffix("px")) > 18
    assert console(browser) == []


def test_a_click_anywhere_in_a_cell_leads_to_its_examples(browser, page):
    from selenium.webdriver import ActionChains

    visit(browser, page)
    (cell,) = find(browser, "#tests-sari tbody tr:first-child td:nth-child(3)")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", cell)
    x, y = 4 - cell.size["width"] // 2, cell.size["height"] // 2 - 4
    ActionChains(browser).move_to_element_with_offset(cell, x, y).click().perform()
    state = unquote(browser.current_url.partition("#?")[2])
    column = find(browser, "#tests-sari thead th:nth-child(3)")[0].text
    row, *_ = find(browser, "#tests-sari tbody th")[0].text.splitlines()
    assert state == f"sort=-gap&a={row}&b={column}&score=sari.sari"
