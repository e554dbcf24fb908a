"""The Spaces as the Hub starts them, and their pages as visitors use them."""

import json

import pytest

from tests.browser.conftest import wait
from tests.browser.spaces import HOSTILE, Page
from textsimp.demo.example_corpus import examples

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


def test_a_wrong_option_is_told_as_text(browser, served):
    page = Page(browser, served["fkgl_components"])
    page.results("FKGL")
    page.click("Options", exact=False)
    page.type("Syllables", HOSTILE)
    page.click("Score")
    message = wait(lambda: page.find(".ts [role=alert]"))[0].text
    assert message.startswith("syllables: expected ")
    assert HOSTILE in message
    page.check_harmless()


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


def test_a_table_of_systems_is_compared(browser, served, tmp_path):
    table = tmp_path / "systems.jsonl"
    rows = [
        {**{k: row[k] for k in ("source", "references", "splitter")}, HOSTILE: row["source"]}
        for row in examples("sentences")[:10]
    ]
    table.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    page = Page(browser, served["compare"])
    page.click("Files")
    page.upload("Text files", table)
    page.click("Compare")
    assert "2 systems" in page.report("Full names of systems")
    page.check_harmless()
