"""The table of benchmarks is sound."""

import doctest
import importlib
import re
import subprocess
import sys
from collections import namedtuple

import pytest

from tests.project import PROJECT

FOLDER = PROJECT / "benchmarks"
PAGE = FOLDER / "README.md"


Line = namedtuple("Line", "what data seconds ratio peer")  # of the page's table, as printed


def number(cell):
    return float(cell.removesuffix(" ×").removesuffix(" \\*").replace(",", ""))


def read(page):
    """Script → rows."""
    found = {}
    for text in page.splitlines():
        if heading := re.fullmatch(r"\| \*\*.*\*\* \(`(\w+)\.py`\) (\|  )+\|", text):
            found[heading[1]] = []
        elif found and text.startswith("| "):
            what, data, seconds, ratio, peer, _ = text[2:-2].split(" | ")
            row = Line(what, data, number(seconds), number(ratio) if ratio else None, peer)
            found[[*found][-1]].append(row)
    return found


TABLE = read(PAGE.read_text(encoding="utf-8"))


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
        assert TABLE.get(name) or f"{script.title} left out" in page, "run benchmarks/table.py"


def test_the_table_does_not_contradict_itself():
    for script, found in TABLE.items():
        named = {(row.what, row.data): row for row in found}
        assert len(named) == len(found), f"{script}: the same twice"
        for row in found:
            if row.ratio is not None:
                peers = [one for one in found if one.what == row.peer]  # on other data, if any
                peer = named.get((row.peer, row.data), peers[0])
                expected = row.seconds / peer.seconds
                assert row.ratio == pytest.approx(expected, rel=0.15), row
