"""Examples on the pages on extensions, and in their docstrings, run and print what is shown."""

import importlib.util
import pkgutil

import pytest

from tests.documentation import (
    EXTENSION_PAGES,
    check_commands,
    check_docstrings,
    check_python_blocks,
)
from tests.project import PROJECT
from textsimp import extensions

# These install, download, ask a model (its tests have one), or serve pages, as browser tests do.
NOT_RUN = (
    *("make", "pip install", "python", "hf auth", "textsimp rate serve"),
    *("textsimp ratings plan.jsonl answers", "textsimp ratings friends.jsonl"),  # nobody rated
    *([] if importlib.util.find_spec("openpyxl") else ["textsimp rate sheet"]),
    *("textsimp hub models --fetch", "textsimp score -m sari,bertscore"),
    *("textsimp judge --base-url", "textsimp ratings judges", "textsimp meta -d judges"),
    *("textsimp score -m sari,judge", "textsimp meta -d rated.jsonl -m judge"),
)
MODULES = [
    module.name for module in pkgutil.walk_packages(extensions.__path__, "textsimp.extensions.")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name):
    check_docstrings(name)


@pytest.mark.parametrize("page", EXTENSION_PAGES)
def test_python_blocks_run(page, monkeypatch):
    monkeypatch.chdir(PROJECT)
    check_python_blocks(page)


@pytest.mark.parametrize("page", [page for page in EXTENSION_PAGES if "models" not in page])
def test_commands_run(page, tmp_path, monkeypatch):
    check_commands(page, tmp_path, monkeypatch, not_run=NOT_RUN)
