"""The report's plots in a browser: pointed at, reached by keyboard, saved, printed."""

import csv
import re
from xml.etree import ElementTree

import pytest

from tests.browser.conftest import (
    HOSTILE_NAME,
    console,
    displayed,
    downloads,
    emulate,
    emulated,
    find,
    page_width,
    press,
    requested,
    row_names,
    select,
    visit,
    wait_for_download,
)

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
Keys = webdriver.Keys


def centre(browser, element):
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    return element


def test_without_scripts_all_numbers_and_plots_are_there_and_nothing_is_asked_for(browser, page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        visit(browser, page, scripts=False)
        assert len(row_names(browser, "scores")) == 6
        assert "examples need JavaScript" in displayed(browser, "noscript p")[0].text
        plots = displayed(browser, ".plot:not(:empty)")
        assert len(plots) >= 5  # and one of rare words where wordfreq is installed
        for plot in plots:
            svg = plot.find_element("css selector", "svg")
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


def unfold(browser):
    browser.execute_script("document.querySelector('#scores-plot').open = true")
    return browser


@pytest.fixture
def opened(browser, page):
    """The report on a wide screen, with the plot of the main score."""
    return unfold(visit(browser, page))


def point_at(browser, element):
    from selenium.webdriver import ActionChains

    ActionChains(browser).move_to_element(centre(browser, element)).perform()
    return displayed(browser, "#tip")


def test_a_pointed_at_mark_tells_its_numbers(opened):
    from selenium.webdriver import ActionChains

    (tip,) = point_at(opened, find(opened, "#plot-overview g[role]")[0])
    name, score, interval = tip.text.splitlines()
    assert name == row_names(opened, "scores")[0]
    value = float(find(opened, "#scores tbody td")[0].get_attribute("data-value"))
    assert score == f"SARI (easse): {value:#.3g}"
    assert interval.startswith("95 % interval: ")
    ActionChains(opened).move_by_offset(0, -300).perform()
    assert displayed(opened, "#tip") == []


def test_what_a_mark_of_a_hostile_system_tells_stays_text(opened):
    hostile = row_names(opened, "scores").index(HOSTILE_NAME)
    (tip,) = point_at(opened, find(opened, "#plot-overview g[role]")[hostile])
    assert tip.text.startswith(HOSTILE_NAME)
    assert find(opened, "img") == []
    assert console(opened) == []


def test_every_mark_of_two_scores_can_be_pointed_at(opened):
    names = []
    for mark in find(opened, "#plot-pair circle"):
        names += [tip.text.splitlines()[0] for tip in point_at(opened, mark)]
    assert sorted(names) == sorted(row_names(opened, "scores"))


def test_tab_reaches_a_plot_and_arrows_its_marks(opened):
    marks = find(opened, "#plot-overview g[role]")
    assert [mark.get_attribute("tabindex") for mark in marks] == ["0"] + ["-1"] * 5
    opened.execute_script("arguments[0].focus()", marks[0])
    focused = press(opened, Keys.ARROW_DOWN)
    assert focused == marks[1]
    (tip,) = displayed(opened, "#tip")
    assert tip.text == focused.get_attribute("aria-label")
    assert press(opened, Keys.END) == marks[5]
    press(opened, Keys.TAB)
    assert displayed(opened, "#tip") == []
    opened.switch_to.active_element.send_keys(Keys.SHIFT, Keys.TAB)
    assert opened.switch_to.active_element == marks[5]


@pytest.mark.parametrize("plot", ["overview", "compression_ratio", "pair"])
def test_a_plot_is_saved_for_other_programs(opened, tmp_path, plot):
    downloads(opened, tmp_path)
    emulate(opened, 1280, "dark")
    for form in ("SVG", "CSV"):
        press_button(opened, f"#plot-{plot} .save button[aria-label^='Save as {form}']")
        wait_for_download(tmp_path / f"{plot}.{form.lower()}")
    text = (tmp_path / f"{plot}.svg").read_text(encoding="utf-8")
    picture = ElementTree.fromstring(text)
    assert picture.get("width") == "607"
    used = [value for element in picture.iter() for value in element.attrib.values()]
    assert not any("var(" in value or value.endswith("%") for value in used)
    assert "rgb(0, 114, 127)" in used  # light colours
    with (tmp_path / f"{plot}.csv").open(encoding="utf-8", newline="") as file:
        saved = {row["system"]: row for row in csv.DictReader(file)}
    names = row_names(opened, "scores")
    assert {HOSTILE_NAME, "splitter"} <= {*saved} <= {*names}
    if plot == "overview":
        cells = [row.find_element("css selector", "td") for row in find(opened, "#scores tbody tr")]
        values = [float(cell.get_attribute("data-value")) for cell in cells]
        assert [float(saved[name]["SARI (easse)"]) for name in names] == values
    assert console(opened) == []


def press_button(browser, selector):
    (button,) = find(browser, selector)
    centre(browser, button).click()


def test_any_two_scores_can_be_drawn(opened):
    options = [option.text for option in find(opened, "#pair-controls label + label option")]
    select(opened, "#pair-controls label + label select", str(options.index("Splits")))
    (picture,) = displayed(opened, "#plot-pair > svg")
    assert picture.get_attribute("aria-label") == "SARI (easse) by Splits"
    texts = [text.text for text in picture.find_elements("css selector", "text")]
    assert {"splitter", "source unchanged"} <= {*texts}
    name, score = row_names(opened, "scores")[0], find(opened, "#scores tbody td")[0]
    told = [mark.get_attribute("aria-label") for mark in find(opened, "#plot-pair g[role]")]
    (point,) = [lines for lines in map(str.splitlines, told) if lines[0] == name]
    value = float(score.get_attribute("data-value"))
    assert float(re.search(r": ([\d.]+)", point[3])[1]) == pytest.approx(value, rel=1e-2)


@pytest.mark.parametrize("width", [390, 1280])
def test_plots_are_as_wide_as_their_section(browser, page, width):
    visit(browser, page, "", width)
    for plot in ("edits", "pair"):
        (picture,) = displayed(browser, f"#plot-{plot} > svg")
        section = browser.execute_script(
            "return arguments[0].closest('section').clientWidth", picture
        )
        assert picture.size["width"] > 0.95 * section


def test_plots_follow_the_colour_scheme(opened):
    def colour():
        label = displayed(opened, "#plot-overview text")[0]
        return str(label.value_of_css_property("fill"))

    light = colour()
    emulate(opened, 1280, "dark")
    assert colour() != light


def test_plots_are_printed_in_light_colours(browser, page):
    unfold(visit(browser, page, "", 390, "dark"))
    with emulated(browser, "print", prefers_color_scheme="dark"):
        label = displayed(browser, "#plot-overview text")[0]
        assert label.value_of_css_property("fill") == "rgb(93, 103, 112)"


def test_folded_plots_leave_no_heading_on_paper(browser, page):
    visit(browser, page)
    with emulated(browser, "print"):
        assert displayed(browser, "#scores-plot") == []
