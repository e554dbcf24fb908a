"""The report and the pages for everybody: keyboard, screen reader, phone, paper, copied cells."""

import contextlib
import itertools
from urllib.parse import unquote

import pytest

from tests.browser.conftest import (
    console,
    emulate,
    emulated,
    find,
    page_width,
    press,
    visit,
    wait,
)


def unfold(browser, page, width=1280, scheme="light"):
    """The report with all details open."""
    visit(browser, page, "", width, scheme)
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    settle(browser)
    return browser


def settle(browser):
    """Wait until what watches sizes has seen them."""
    frames = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))"
    browser.execute_async_script(f"const done = arguments[0]; {frames}")


# axe


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_in_the_report(browser, many, violations, width, scheme):
    assert violations(unfold(browser, many, width, scheme)) == []


# Keyboard


def test_only_what_scrolls_is_reached_by_the_keyboard(browser, many):
    script = """return [...document.querySelectorAll('.scroll, pre')].map((box) => [
        box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight,
        box.tabIndex === 0])"""
    for width in (390, 1920):
        unfold(browser, many, width)
        boxes = browser.execute_script(script)
        assert all(scrolls == reached for scrolls, reached in boxes)
    unfold(browser, many, 390)
    assert [True, True] in browser.execute_script(script)


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


def test_focus_is_seen_on_everything_and_goes_down_the_page(browser, many):
    from selenium.webdriver import Keys

    unfold(browser, many)
    browser.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
    tops, unseen = [], []
    for _ in range(60):
        press(browser, Keys.TAB)
        top, seen, what = browser.execute_script(
            """const focused = document.activeElement, style = getComputedStyle(focused)
            const {top, height} = focused.getBoundingClientRect()
            const inner = focused.matches('.scroll') ? 0 : height  // what is in a box follows it
            return [top + inner + scrollY, height > 0
                && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
                focused.outerHTML.slice(0, 80)]"""
        )
        tops.append(top)
        if not seen:
            unseen.append(what)
    assert unseen == []
    rows = 60  # what stands beside each other may be aligned at another height
    assert all(later > earlier - rows for earlier, later in itertools.pairwise(tops))


# Sizes


def test_the_page_itself_never_scrolls_sideways(browser, many):
    unfold(browser, many)
    for width in (320, 390, 768, 1280, 1920):
        emulate(browser, width)
        settle(browser)
        assert page_width(browser) <= width


def test_what_is_touched_is_large_enough(browser, many):
    unfold(browser, many, 390)
    small = browser.execute_script(
        """return [...document.querySelectorAll('a, button, input, select, summary')]
            .map((element) => element.closest('label, td') ?? element) // links fill their cells
            .filter((element) => !element.closest('p, dd, figcaption, svg, .skip')
                || element.matches('label'))
            .filter((element) => {
                const {width, height} = element.getBoundingClientRect()
                return width && Math.min(width, height) < 24
            }).map((element) => element.outerHTML.slice(0, 80))"""
    )
    assert small == []


# Paper


@pytest.fixture
def printed(browser):
    """Shows pages as they are printed, on a dark screen."""
    with contextlib.ExitStack() as stack:

        def show(page, width=700):
            unfold(browser, page, width, "dark")
            stack.enter_context(emulated(browser, "print", prefers_color_scheme="dark"))
            settle(browser)
            return browser

        yield show


def test_paper_is_light_and_has_keys_but_no_controls(printed, many):
    browser = printed(many)
    assert find(browser, "h1")[0].value_of_css_property("color") == "rgba(31, 37, 41, 1)"
    for selector in (".controls", "nav", ".take", ".skip"):
        assert not any(part.is_displayed() for part in find(browser, selector)), selector
    assert all(part.is_displayed() for part in find(browser, ".marks"))


def test_sections_follow_each_other_on_paper(printed, many):
    """In a grid, columns of examples that go on on the next page overlap what follows them."""
    main = printed(many).find_element("css selector", "main")
    assert main.value_of_css_property("display") == "block"


@pytest.mark.parametrize("kind", ["many", "documents"])
def test_tables_fit_on_paper(printed, kind, request):
    browser = printed(request.getfixturevalue(kind))  # A4 without margins
    assert page_width(browser) <= 700
    for table in find(browser, "table"):
        assert table.size["width"] <= 700


def test_numbers_are_printed_although_they_were_folded_away(browser, many):
    emulate(browser, 1280)
    browser.get(many)
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
    assert read.startswith(r"\begin{tabular}")
    assert "checkpoint" in read
    wait(lambda: button.text.startswith("Copy LaTeX"))
    assert console(browser) == []


# Verdict and tests


@pytest.mark.parametrize("width", [390, 1280])
def test_the_verdict_is_on_the_first_screen(browser, page, width):
    visit(browser, page, "", width)
    (headline,) = find(browser, "#verdict .headline")
    assert "SARI" in headline.text
    assert headline.rect["y"] + headline.rect["height"] < 600
    assert float(headline.value_of_css_property("font-size").removesuffix("px")) > 18
    assert console(browser) == []


def test_a_click_anywhere_in_a_cell_leads_to_its_examples(browser, many):
    from selenium.webdriver import ActionChains

    visit(browser, many)
    (cell,) = find(browser, "#tests-sari tbody tr:first-child td:nth-child(3)")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", cell)
    x, y = 4 - cell.size["width"] // 2, cell.size["height"] // 2 - 4
    ActionChains(browser).move_to_element_with_offset(cell, x, y).click().perform()
    state = unquote(browser.current_url.partition("#?")[2])
    column = find(browser, "#tests-sari thead th:nth-child(3)")[0].text
    row, *_ = find(browser, "#tests-sari tbody th")[0].text.splitlines()
    assert state == f"sort=-gap&a={row}&b={column}&score=sari.sari"
