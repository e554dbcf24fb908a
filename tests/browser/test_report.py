"""The report in a browser, as its readers use it."""

import pytest

from tests.browser.conftest import (
    draw_examples,
    find,
    page_width,
    press,
    row_names,
    visit,
)


def test_a_heading_sorts_and_turns_the_order_round(opened):
    (heading,) = find(opened, "#scores thead th:nth-child(2)")
    (button,) = heading.find_elements("css selector", "button")
    expected = ["descending", "ascending", "descending"]
    orders = []
    for order in expected:
        button.click()
        assert heading.get_attribute("aria-sort") == order
        orders.append(row_names(opened, "scores"))
    scores = [float(cell.get_attribute("data-value")) for cell in column(opened, orders[0])]
    assert scores == sorted(scores, reverse=True)
    assert orders == [orders[0], orders[0][::-1], orders[0]]


def column(browser, order):
    rows = {
        row.find_element("css selector", "th").text: row.find_element("css selector", "td")
        for row in find(browser, "#scores tbody tr")
    }
    return [rows[name] for name in order]


def test_the_keyboard_reaches_skip_link_and_sort_buttons(opened):
    from selenium.webdriver import Keys

    assert press(opened, Keys.TAB).text == "Skip to the report"
    assert press(opened, Keys.ENTER).get_attribute("id") == "main"
    for _ in range(30):
        if press(opened, Keys.TAB).text.startswith("Texts"):
            break
    button = press(opened, Keys.TAB)
    assert button.text.startswith("SARI")
    assert button.value_of_css_property("outline-style") == "solid"
    press(opened, Keys.ENTER)
    assert find(opened, "#scores th[aria-sort=descending]")[0].text.startswith("SARI")


def test_a_screen_reader_finds_captions_and_edits(opened):
    for table in find(opened, "table"):
        assert table.find_element("css selector", "caption").get_attribute("textContent")
    draw_examples(opened)
    heard = opened.execute_script(
        "return ['ins', 'del'].map(name => "
        "getComputedStyle(document.querySelector(`article ${name}`), '::before').content)"
    )
    assert all("[" in content for content in heard)


# Documents


@pytest.mark.parametrize("width", [390, 1280])
def test_linked_sentences_stand_side_by_side(browser, documents, width):
    visit(browser, documents, "", width)
    draw_examples(browser)
    row = browser.execute_script(
        """const row = document.querySelector(".pair:has(.source):has(.target)")
        const [left, right] = [...row.children].map((side) => side.getBoundingClientRect())
        return [left.top - right.top, left.right <= right.left]"""
    )
    assert row == [0, True]
    assert page_width(browser) <= width
