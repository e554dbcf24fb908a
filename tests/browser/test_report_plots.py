"""The report's plots in a browser: pointed at, printed."""

import re

import pytest

from tests.browser.conftest import (
    HOSTILE_NAME,
    console,
    displayed,
    emulate,
    emulated,
    find,
    page_width,
    requested,
    row_names,
    select,
    visit,
)


def centre(browser, element):
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    return element


def test_without_scripts_all_numbers_and_plots_are_there_and_nothing_is_asked_for(browser, page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        visit(browser, page)
        assert len(row_names(browser, "scores")) == 6
        assert "examples need JavaScript" in displayed(browser, "noscript p")[0].text
        plots = find(browser, ".plot:not(:empty)")
        assert len(plots) >= 6  # and one of rare words where wordfreq is installed
        for plot in plots:
            (svg,) = (s for s in plot.find_elements("css selector", "svg") if s.is_displayed())
            assert svg.size["width"] > 200
            assert svg.size["height"] > 90
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    assert requested(browser)[-1] == page


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_plots_fit_with_texts_that_can_be_read(browser, page, width):
    visit(browser, page, "", width)
    sizes = browser.execute_script(
        """return [...document.querySelectorAll(".plot text")]
            .filter((text) => text.checkVisibility()).map((text) => {
                const {a, b} = text.getScreenCTM()
                const size = Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize)
                return [size, text.getBoundingClientRect().right]
            })"""
    )
    assert len(sizes) > 50
    assert min(size for size, _ in sizes) > 9
    assert max(right for _, right in sizes) <= width
    assert page_width(browser) <= width
    assert console(browser) == []


def test_a_pointed_at_mark_tells_its_numbers(opened):
    from selenium.webdriver import ActionChains

    mark = centre(opened, displayed(opened, "#plot-overview path:has(title)")[0])
    ActionChains(opened).move_to_element(mark).perform()
    (tip,) = displayed(opened, "#tip")
    assert tip.text.startswith(row_names(opened, "scores")[0])
    assert find(opened, "#scores tbody td .value")[0].text in tip.text
    ActionChains(opened).move_by_offset(0, -300).perform()
    assert displayed(opened, "#tip") == []


def test_what_a_mark_of_a_hostile_system_tells_stays_text(opened):
    from selenium.webdriver import ActionChains

    hostile = row_names(opened, "scores").index(HOSTILE_NAME)
    mark = centre(opened, displayed(opened, "#plot-overview path:has(title)")[hostile])
    ActionChains(opened).move_to_element(mark).perform()
    assert displayed(opened, "#tip")[0].text.startswith(HOSTILE_NAME)
    assert find(opened, "img") == []
    assert console(opened) == []


def test_any_two_scores_can_be_drawn(opened):
    options = [option.text for option in find(opened, "#pair-controls label + label option")]
    select(opened, "#pair-controls label + label select", str(options.index("Splits")))
    (picture,) = displayed(opened, "#plot-pair svg")
    label = "SARI (easse) and Splits"
    assert picture.get_attribute("aria-label").startswith(label)
    texts = [text.text for text in picture.find_elements("css selector", "text")]
    assert {"splitter", "source unchanged"} <= {*texts}
    name, score = row_names(opened, "scores")[0], find(opened, "#scores tbody td")[0]
    told = [title.get_attribute("textContent") for title in find(opened, "#plot-pair title")]
    (point,) = [lines for lines in map(str.splitlines, told) if lines[0] == name]
    value = float(score.get_attribute("data-value"))
    assert float(re.search(r": ([\d.]+),", point[2])[1]) == pytest.approx(value, rel=1e-4)


def test_plots_follow_the_colour_scheme(opened):
    def colour():
        label = displayed(opened, "#plot-overview text")[0]
        return str(label.value_of_css_property("fill"))

    light = colour()
    emulate(opened, 1280, "dark")
    assert colour() != light


def test_plots_are_printed_in_light_colours(browser, page):
    visit(browser, page, "", 390, "dark")
    with emulated(browser, "print", prefers_color_scheme="dark"):
        label = displayed(browser, "#plot-overview text")[0]
        assert label.value_of_css_property("fill") == "rgb(93, 103, 112)"
