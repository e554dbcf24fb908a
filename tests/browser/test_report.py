"""The report in a browser, as its readers use it."""

import pytest

from tests.browser.conftest import (
    HOSTILE,
    HOSTILE_NAME,
    console,
    draw_examples,
    find,
    page_width,
    press,
    requested,
    row_names,
    visit,
)

LINKS = [(0, 1), (1, 2), (1, 3), (3, 5), (4, 5), (5, 0)]  # of the first document


def test_it_opens_without_complaint_or_request(opened, page):
    assert console(opened) == []
    assert requested(opened) == [page]


def test_scripts_in_texts_and_names_stay_text(opened):
    """An alert would make every command fail; a broken image would be logged."""
    assert HOSTILE_NAME in row_names(opened, "scores")
    draw_examples(opened)
    assert find(opened, "img") == []
    assert HOSTILE in find(opened, "#examples")[0].text
    assert console(opened) == []


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
    assert find(opened, "#overview th[aria-sort=descending]")[0].text.startswith("SARI")


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


def drawing(browser):
    """The first system's output beside the first document."""
    draw_examples(browser)
    (card,) = find(browser, "article[data-number='1']")
    return card.find_elements("css selector", ".linked")[0]


def drawn_links(browser, drawing):
    """The sentences at whose edges, half way up, lines begin and end."""
    found = browser.execute_script(
        """return [...arguments[0].querySelectorAll("path")].map((path) => {
            const shown = path.getScreenCTM()
            const at = (length) => path.getPointAtLength(length).matrixTransform(shown)
            const near = (side, edge, point) => [...path.closest(".linked").querySelectorAll(
                `.${side} li`)].findIndex((item) => {
                const box = item.getBoundingClientRect()
                return Math.abs(box[edge] - point.x) < 2
                    && Math.abs((box.top + box.bottom) / 2 - point.y) < 2
            })
            return [near("source", "right", at(0)), near("target", "left", at(1e9))]
        })""",
        drawing,
    )
    return sorted(map(tuple, found))


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_lines_link_the_middles_of_aligned_sentences(browser, documents, width):
    visit(browser, documents, "", width)
    assert drawn_links(browser, drawing(browser)) == LINKS
    assert page_width(browser) <= width
