"""What the documentation shows is what happens: every Python example runs."""

import doctest
import importlib
import pkgutil
import re

import pytest

import textsimp
from tests.project import PROJECT

PAGES = sorted(
    page.relative_to(PROJECT).as_posix()
    for pattern in ("*.md", "docs/*.md", "metrics/*/*.md", "benchmarks/*.md", "examples/*.md")
    for page in PROJECT.glob(pattern)
)
SPACES = sorted(page.relative_to(PROJECT).as_posix() for page in PROJECT.glob("spaces/*/*.md"))
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE_BLOCK = re.compile(r"^([ ]*)```.*?^\1```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"^([ ]*)```.*?^\1```|`[^`\n]+`", re.DOTALL | re.MULTILINE)
NEEDS = {  # what is imported by their examples, and the extra that it comes with
    "textsimp.demo.middleware": ("gradio", "demo"),
    "textsimp.scoring.explanation": ("pysbd", "languages"),  # else it leaves out forms, and says so
    "textsimp.report": ("jinja2", "report"),
    "textsimp.testing": ("MeCab", "languages"),  # it tries every tokenizer
    "docs/notation.md": ("MeCab", "languages"),
    "docs/report.md": ("jinja2", "report"),
    "metrics/readability/README.md": ("textstat", "languages"),  # which brings pyphen
    "metrics/simplification_stats/README.md": ("wordfreq", "languages"),
    "metrics/word_difficulty/README.md": ("cefrpy", "languages"),
    "textsimp.metrics.word_difficulty": ("wordfreq", "languages"),
}
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^([ ]*)```python\n(.*?)^\1```", re.DOTALL | re.MULTILINE)


def skip_without_extra(name):
    if name in NEEDS:
        module, extra = NEEDS[name]
        pytest.importorskip(module, reason=f"needs the extra {extra}")


def modules():
    found = pkgutil.walk_packages(textsimp.__path__, "textsimp.")
    return ["textsimp", *(m.name for m in found if "_modules" not in m.name)]


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_are_true(name):
    skip_without_extra(name)
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_run(page, monkeypatch):
    """Blocks of a page share their variables and run in the project's folder."""
    skip_without_extra(page)
    monkeypatch.chdir(PROJECT)
    names = {"__name__": "__main__"}
    text = (PROJECT / page).read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        line = text[: block.start()].count("\n") + 1
        code = re.sub(f"^{block[1]}", "", block[2], flags=re.MULTILINE)
        if ">>>" in code:
            test = doctest.DocTestParser().get_doctest(code, names, page, page, line)
            runner = doctest.DocTestRunner(optionflags=OPTIONS)
            runner.run(test, clear_globs=False)
            assert runner.failures == 0
            names.update(test.globs)
        else:
            exec(compile("\n" * line + code, page, "exec"), names)


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
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


def test_the_first_page_has_a_link_for_each_thing_that_people_come_for():
    links = LINK.findall((PROJECT / "docs" / "index.md").read_text(encoding="utf-8"))
    assert 0 < len(links) <= 8


def test_the_page_on_easse_names_the_functions_that_are_there():
    page = (PROJECT / "docs" / "easse.md").read_text(encoding="utf-8")
    named, _, _ = page.partition("```")
    module = importlib.import_module("textsimp.easse")
    assert {*re.findall(r"`((?:corpus|sentence)_\w+)`", named)} == {*module.__all__}


def anchors(text):
    """What GitHub calls the headings of a page."""
    found = re.findall(r"^#+ (.*)$", CODE_BLOCK.sub("", text), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in found]
