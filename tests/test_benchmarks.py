"""The table of benchmarks is sound."""

import doctest
import importlib
import subprocess
import sys

import pytest

from tests.project import PROJECT

FOLDER = PROJECT / "benchmarks"
PAGE = FOLDER / "README.md"


def test_goals_and_numbers_are_read_as_they_are_written(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    failed, attempted = doctest.testmod(importlib.import_module("timing"))
    assert attempted
    assert not failed


@pytest.mark.slow
@pytest.mark.parametrize("script", ["sari", "large", "gaming", "splits", "report", "report_page"])
def test_every_script_starts(script):
    if script == "report_page":
        pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if script == "gaming":
        pytest.importorskip("textsimp.extensions.audits", reason="needs the extension audits")
    command = [sys.executable, FOLDER / f"{script}.py", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_script_is_in_the_table(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    table = importlib.import_module("table")
    scripts = {file.stem for file in FOLDER.glob("*.py")} - {"table", "texts", "timing"}
    assert scripts == {*table.SCRIPTS}
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    for name, script in table.SCRIPTS.items():
        heading = f"** (`{name}.py`) |"
        assert heading in page or f"{script.title} left out" in page, "run benchmarks/table.py"
