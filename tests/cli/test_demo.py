"""``textsimp demo``."""

import shlex
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The current directory, which is empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_scores_the_examples_and_writes_a_report(run, succeed, fails):
    result = succeed("demo")
    assert "\nsubstituter       ★ 41.48 [39.69, 43.14]" in result.stdout
    assert "written: textsimp-demo.html" in result.stdout
    assert Path("textsimp-demo.html").read_text("utf-8").startswith("<!doctype html>")
    assert fails("demo") == "textsimp-demo.html is there already: --force overwrites it"
    commands = [line[2:] for line in result.stdout.splitlines() if line.startswith("$ ")]
    score, report = (shlex.split(command)[1:] for command in commands)
    assert run("", *score, "--resamples", "2").exit_code == 0  # as shown
    assert report[0] == "report"


def test_without_the_extra_it_scores_and_says_what_to_install(succeed, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "jinja2"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = succeed("demo -o page.html")
    assert "substituter" in result.stdout
    assert "pip install 'textsimp[report]'" in result.stderr
    assert not Path("page.html").exists()
