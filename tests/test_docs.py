"""What the documentation shows is what happens: every Python example runs."""

import importlib
import pkgutil
import re

import pytest

import textsimp
from tests.documentation import EXTENSION_PAGES, check_docstrings, check_python_blocks
from tests.project import PROJECT, is_there

PAGES = sorted(
    page.relative_to(PROJECT).as_posix()
    for folder in (".", "docs", "docs/extensions", "metrics/*", "benchmarks", "examples")
    for page in PROJECT.glob(f"{folder}/*.md")
)
SPACES = sorted(page.relative_to(PROJECT).as_posix() for page in PROJECT.glob("spaces/*/*.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
PICTURE = re.compile(r"^!\[.*$", re.MULTILINE)
CODE_BLOCK = re.compile(r"^([ ]*)```.*?^\1```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^([ ]*)```.*?^\1```|`[^`\n]+`", re.DOTALL | re.MULTILINE)


def modules():
    found = pkgutil.walk_packages(textsimp.__path__, "textsimp.")
    names = (module.name for module in found if "_modules" not in module.name)
    return ["textsimp", *(name for name in names if "textsimp.extensions" not in name)]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_are_true(name):
    check_docstrings(name)


@pytest.mark.parametrize("page", sorted({*PAGES} - {*EXTENSION_PAGES}))
def test_python_blocks_run(page, monkeypatch):
    monkeypatch.chdir(PROJECT)
    check_python_blocks(page)


@pytest.mark.parametrize("page", [*PAGES, *SPACES])
def test_links_lead_somewhere(page):
    """Files are there, and headings; a card is also read on the Hub, where only addresses work."""
    text = CODE.sub("", (PROJECT / page).read_text(encoding="utf-8"))
    for link in LINK.findall(text):
        if link.startswith("https://"):
            continue
        assert not page.startswith(("metrics/", "spaces/")), f"{link} leads nowhere on the Hub"
        path, _, anchor = link.partition("#")
        target = (PROJECT / page).parent / path if path else PROJECT / page
        assert is_there(target), link
        if anchor and target.exists():
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def test_the_first_page_has_a_link_for_each_thing_that_people_come_for():
    page = (PROJECT / "docs" / "index.md").read_text(encoding="utf-8")
    assert 0 < len(LINK.findall(PICTURE.sub("", page))) <= 8


def test_the_page_on_easse_names_the_functions_that_are_there():
    page = (PROJECT / "docs" / "easse.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.]+)` \| ((?:`\w+`,? ?)+)\|", page, re.MULTILINE)
    assert len(rows) == 12
    for name, cell in rows:
        module = importlib.import_module(f"textsimp.easse.{name}")
        for function in re.findall(r"`(\w+)`", cell):
            assert hasattr(module, function), function


def anchors(text):
    """What GitHub calls the headings of a page."""
    found = re.findall(r"^#+ (.*)$", CODE_BLOCK.sub("", text), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in found]
