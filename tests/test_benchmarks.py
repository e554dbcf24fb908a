"""The table of benchmarks: how it is made, and that it is sound."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from subprocess import CalledProcessError

import pytest

PROJECT = Path(__file__).parents[1]
FOLDER = PROJECT / "benchmarks"
PAGE = FOLDER / "README.md"
EMPTY = "# A page\n\n<!-- bench: table -->\nold\n<!-- /bench -->\n\nThe rest.\n"


@dataclass(frozen=True)
class Line:
    """A row of the page's table, as printed."""

    what: str
    data: str
    seconds: float
    ratio: float | None
    peer: str


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


@pytest.fixture
def table(monkeypatch, tmp_path):
    """The script, for a page of its own."""
    monkeypatch.syspath_prepend(FOLDER)
    for name in ("timing", "table"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    script = importlib.import_module("table")
    page = tmp_path / "README.md"
    page.write_text(EMPTY, encoding="utf-8")
    monkeypatch.setattr(script, "PAGE", page)
    return script


def test_a_run_writes_its_rows_the_machine_and_the_date(table, tmp_path, monkeypatch):
    shutil.copy(FOLDER / "timing.py", tmp_path)
    (tmp_path / "quick.py").write_text(
        "from timing import Row, show\n"
        "peer = Row('the peer', 'a corpus', 2.0)\n"
        "show([peer, Row('ours', 'a corpus', 0.5, peer, memory=3.2)])\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(table, "HERE", tmp_path)
    table.SCRIPTS = {"quick": table.Script("Quick", ("pandas",))}
    table.main([])
    page = table.PAGE.read_text(encoding="utf-8")
    assert page.startswith("# A page\n\n<!-- bench: table -->\n")
    assert page.endswith("|\n<!-- /bench -->\n\nThe rest.\n")
    head = page.partition("\n\n| ")[0].replace("\n", " ")
    assert re.search(r"\d+ \w+ 20\d\d; .+, \d+ cores, \d+ GB, .*Python 3.*numpy.*pyarrow", head)
    assert read(page)["quick"] == [
        Line("the peer", "a corpus", 2.0, None, ""),
        Line("ours", "a corpus", 0.5, 0.25, "the peer"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("script", ["sari", "large", "gaming", "splits", "report", "report_page"])
def test_every_script_starts(script):
    if script == "report_page":
        pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    command = [sys.executable, FOLDER / f"{script}.py", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_if_a_script_fails_nothing_is_written(table, tmp_path, monkeypatch):
    (tmp_path / "broken.py").write_text("print('| a |')\nraise SystemExit(3)\n", encoding="utf-8")
    monkeypatch.setattr(table, "HERE", tmp_path)
    table.SCRIPTS = {"broken": table.Script("Broken")}
    with pytest.raises(CalledProcessError):
        table.main([])
    assert table.PAGE.read_text(encoding="utf-8") == EMPTY


def test_a_script_runs_where_its_packages_are_or_is_left_out(table, monkeypatch):
    has = {sys.executable: {"numpy": "1"}, "other": {"Python": "3", "torch": "2", "numpy": "9"}}
    calls = []

    def measured(*call):
        calls.append(call)
        return [["what", "data", "1.0", "", "", ""]]

    monkeypatch.setattr(table, "versions", lambda python, packages: {"pyarrow": "3"} | has[python])
    monkeypatch.setattr(table, "measured", measured)
    table.SCRIPTS = {
        "sari": table.Script("SARI"),
        "deep": table.Script("Deep", ("torch",)),
        "lost": table.Script("Lost", ("torch", "nowhere")),
    }
    table.main(["--also", "other", "--data", "corpus"])
    assert calls == [(sys.executable, "sari", ["--data", "corpus"]), ("other", "deep", [])]
    page = table.PAGE.read_text(encoding="utf-8").replace("\n", " ")
    assert "Deep with another interpreter: Python 3, numpy 9, pyarrow 3, torch 2." in page
    assert "Lost left out: its packages aren't installed." in page


def test_every_script_is_in_the_table(table):
    scripts = {file.stem for file in FOLDER.glob("*.py")} - {"table", "timing"}
    assert scripts == {*table.SCRIPTS}
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    for name, script in table.SCRIPTS.items():
        assert TABLE.get(name) or f"{script.title} left out" in page, "run benchmarks/table.py"


def test_numbers_have_two_digits(table):
    number = sys.modules["timing"].number
    values = (0, 0.00304, 0.1, 0.996, 9.96, 27.8, 671, 12345.6)
    expected = ["0", "0.0030", "0.10", "1.0", "10", "28", "671", "12,346"]
    assert [number(value) for value in values] == expected


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
