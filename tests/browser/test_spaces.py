"""The Spaces as the Hub starts them, and their pages as visitors use them."""

import pytest

from tests.browser.conftest import wait
from tests.browser.spaces import HOSTILE, Page

pytest.importorskip("gradio", reason="gradio is not installed")


@pytest.mark.parametrize("name", ["sari", "compare", "splits"])
def test_a_space_shows_results_at_once_with_its_packages_only(browser, spaces, name):
    page = Page(browser, spaces[name])
    wait(lambda: page.find(".ts table, iframe.report"), "results")
    page.check_quiet()


def test_documents_stand_side_by_side_with_their_sentences_linked(browser, served):
    page = Page(browser, served["d_sari"], width=390)
    page.results("D-SARI")
    page.type("Source", "Swans nest here. Nobody minds. The bridge is old, and it is red.")
    page.type("Prediction", f"Swans nest here. The bridge is old. It is red. Oh {HOSTILE}.")
    page.click("Score")
    page.results("Nobody minds")
    shown = [item.get_attribute("class") for item in page.find(".linked li")]
    assert shown == ["aligned", "aligned", "deleted", "split", "split", "split", "added"]
    page.check_harmless()
    page.check_fits()
    page.check_quiet()


@pytest.mark.parametrize(
    ("name", "scheme"),
    [("sari", "light"), ("d_sari", "dark"), ("compare", "light"), ("splits", "dark")],
)
def test_axe_finds_nothing_in_our_part_of_a_page(browser, served, violations, name, scheme):
    """Ours are the blocks of HTML; in Gradio's forms around them is nothing serious."""
    page = Page(browser, served[name], scheme=scheme)
    wait(lambda: page.find(".ts table, iframe.report"), "results")
    blocks = page.find(".html-container")
    wait(
        lambda: {block.value_of_css_property("opacity") for block in blocks} == {"1"},
        "results that no more fade in",
    )
    assert violations(browser, ".ts") == []
    assert violations(browser, grave=True) == []
