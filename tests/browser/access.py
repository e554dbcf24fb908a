"""What everybody has to be able to do with a report: by keyboard, on a phone, on paper."""

import contextlib
import itertools

from tests.browser.conftest import emulate, emulated, find, page_width, press, visit, wait


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


@contextlib.contextmanager
def printed(browser, page, width=700):
    """The report as it is printed on a dark screen, by default on A4 without margins."""
    unfold(browser, page, width, "dark")
    with emulated(browser, "print", prefers_color_scheme="dark"):
        browser.execute_script("dispatchEvent(new Event('beforeprint'))")
        settle(browser)
        yield browser
    browser.execute_script("dispatchEvent(new Event('afterprint'))")


def check_scrolling_by_keyboard(browser, page):
    """Only what scrolls is reached by the keyboard."""
    wrong = """return [...document.querySelectorAll('.scroll, pre')].filter((box) =>
        (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
        !== (box.tabIndex === 0)).map((box) => box.outerHTML.slice(0, 80))"""
    for width in (390, 1920):
        unfold(browser, page, width)
        wait(lambda: not browser.execute_script(wrong), f"every box as it should be at {width} px")
    unfold(browser, page, 390)
    reached = "return document.querySelectorAll('.scroll[tabindex=\"0\"]').length"
    wait(lambda: browser.execute_script(reached), "no box scrolls at 390 px")


def check_focus(browser, page):
    """Focus is seen on everything, and goes down the page."""
    from selenium.webdriver import Keys

    unfold(browser, page)
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


def check_widths(browser, page):
    """The page itself never scrolls sideways, and its tables fit on paper."""
    unfold(browser, page)
    for width in (320, 390, 768, 1280, 1920):
        emulate(browser, width)
        settle(browser)
        assert page_width(browser) <= width
    with printed(browser, page):
        assert page_width(browser) <= 700
        for table in find(browser, "table"):
            assert table.size["width"] <= 700


def check_targets(browser, page):
    """What is touched is large enough."""
    unfold(browser, page, 390)
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
