"""The script itself: help, version, exit codes, speed of starting, completion, progress."""

import os
import re
import subprocess
import sys

import click
import pytest
from click.shell_completion import BashComplete

from tests.options import HEAVY, modules_of
from textsimp import __version__
from textsimp.cli import COMMANDS, main

FILES = ["-s", "source.txt", "-r", "references"]


def commands(group=main, path=()):
    found = [path]
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            found += commands(group.get_command(context, name), (*path, name))
    return found


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_explains_itself(command, succeed):
    assert "Usage:" in succeed(" ".join([*command, "-h"])).output


@pytest.mark.parametrize("command", ["score", "compare", "split", "hub datasets", "metrics"])
def test_help_shows_an_example(command, run):
    assert "\n  textsimp " in run(f"{command} --help").output.replace("    ", "  ")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_a_command_is_the_first_sentence_of_its_help(name):
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.get_short_help_str(limit=200) == COMMANDS[name].about


METRICS = "sari,d_sari,fkgl_components,simplification_stats"
SCORE = ["score", *FILES, "-p", "systems", "-b", "-m", METRICS]
REPORT = ["report", *FILES, "-p", "systems", "-o", "page.html", "--examples", "1"]
EXPLAIN = ["explain", "41.48", *FILES, "-p", "systems/splitter.txt", "-m", "f1_token"]


@pytest.mark.parametrize(
    ("commands", "unwanted"),
    [
        pytest.param([["--help"]], {*HEAVY, "textsimp.cli.score", "numpy"}, id="list of commands"),
        pytest.param([["--version"], ["split", "-h"]], HEAVY, id="help"),
        pytest.param(
            [[name, "--help"] for name in ("score", "compare", "explain", "metrics")],
            {*HEAVY, "numpy"},
            id="help without NumPy",
        ),
        pytest.param([SCORE], {*HEAVY} - {"sacrebleu", "scipy"}, id="scoring"),
        pytest.param(
            [["score", *FILES, "-p", "systems"]], {"pyarrow", "rapidfuzz", "tqdm"}, id="SARI"
        ),
        pytest.param(
            [["split", "random", "examples.jsonl", "--sizes", "0.8,0.1,0.1", "-o", "new"]],
            HEAVY,
            id="a random split",
        ),
        pytest.param([REPORT], {"nltk", "datasets"}, id="report"),
        pytest.param([EXPLAIN], {"nltk", "scipy", "datasets"}, id="explain"),
    ],
)
def test_what_is_not_needed_is_not_imported(commands, unwanted, examples):
    if REPORT in commands:
        pytest.importorskip("jinja2", reason="needs the extra report")
    assert unwanted & modules_of(commands) == set()


@pytest.mark.parametrize("given", [None, "3"])
def test_the_script_keeps_numpy_to_one_thread_unless_told_otherwise(given):
    code = """
import os, sys
sys.argv = ["textsimp", "--version"]
import textsimp, textsimp.cli
before = os.environ.get("OPENBLAS_NUM_THREADS")
from textsimp.__main__ import main
try:
    main()
finally:
    print(before, os.environ["OPENBLAS_NUM_THREADS"])
"""
    others = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    env = others | ({} if given is None else {"OPENBLAS_NUM_THREADS": given})
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
    )
    assert done.stdout.split()[-2:] == [str(given), given or "1"]


def test_an_extra_that_is_missing_is_told(examples, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "sacremoses", None)
    result = run("score -t . -p systems -O tokenizer=moses")
    assert result.exit_code == 2
    assert "pip install 'textsimp[languages]'" in result.output


def test_a_bug_is_not_hidden(run, monkeypatch):
    def fail(*_):
        raise ValueError("a bug")

    monkeypatch.setattr("textsimp.corpora.testsets.records", fail)
    result = run("hub datasets --json")
    assert result.exit_code == 1
    assert isinstance(result.exception, ValueError)


def test_the_version(run):
    assert run("--version").output.strip() == f"textsimp, version {__version__}"


@pytest.mark.parametrize(
    ("words", "completed"),
    [("textsimp sc", "score"), ("textsimp split balanced --method mon", "monte_carlo")],
)
def test_the_shell_completes(words, completed):
    _, *arguments, incomplete = words.split()
    completion = BashComplete(main, {}, "textsimp", "_TEXTSIMP_COMPLETE")
    items = completion.get_completions(arguments, incomplete)
    assert completed in [item.value for item in items]


def test_help_lists_every_command_with_its_whole_line(run):
    groups = run("--help").output.partition("Scores:")[2]
    names = re.findall(r"^  (\w+)  ", groups, re.MULTILINE)
    assert sorted(names) == sorted(main.list_commands(click.Context(main)))
    assert len(names) <= 21
    assert "..." not in groups
