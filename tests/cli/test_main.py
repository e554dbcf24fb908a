"""The script itself: help, version, exit codes, speed of starting, completion, progress."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from textsimp import __version__
from textsimp.cli import main

from .conftest import SCRIPT

HEAVY = {"evaluate", "datasets", "pyarrow", "pandas", "sacrebleu", "scipy", "matplotlib", "nltk"}
FILES = ["-s", "source.txt", "-r", "references"]


def commands(group: Any = main, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = [path]
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            found += commands(group.get_command(context, name), (*path, name))
    return found


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_explains_itself(command: tuple[str, ...], run: Any) -> None:
    for flag in ("-h", "--help"):
        result = run(" ".join([*command, flag]))
        assert result.exit_code == 0
        assert "Usage:" in result.output


@pytest.mark.parametrize(
    "command", ["score", "compare", "audit gaming", "split", "hub datasets", "metrics"]
)
def test_help_shows_an_example(command: str, run: Any) -> None:
    assert "\n  textsimp " in run(f"{command} --help").output.replace("    ", "  ")


def test_help_and_version_import_nothing_heavy() -> None:
    code = """
import sys
from textsimp.cli import main
for arguments in (["--help"], ["--version"], ["score", "--help"], ["split", "random", "--help"]):
    main(arguments, standalone_mode=False)
print(sorted(set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not [name for name in HEAVY if f"'{name}'" in done.stderr]


def test_scoring_imports_neither_evaluate_nor_datasets(examples: Path) -> None:
    code = f"""
import sys
sys.modules["sklearn"] = None  # NLTK imports it, and with it pandas, where it is installed
from textsimp.cli import main
main(["score", *{FILES}, "-p", "systems", "-m", "sari,fkgl_components"], standalone_mode=False)
print(sorted(set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for name in ("evaluate", "datasets", "pandas", "pyarrow", "matplotlib"):
        assert f"'{name}'" not in done.stderr


def test_the_script_scores_and_says_nothing_else(examples: Path, script: Any) -> None:
    done = script("score", *FILES, "-p", "systems/splitter.txt", "--json", cwd=examples)
    assert done.returncode == 0
    assert done.stderr == b""
    assert json.loads(done.stdout)["systems"]["splitter"]["sari"]["sari"] > 30


def test_the_script_reads_standard_input(examples: Path, script: Any) -> None:
    outputs = (examples / "systems" / "splitter.txt").read_bytes()
    done = script("score", *FILES, "-p", "-", cwd=examples, input=outputs)
    assert done.returncode == 0
    assert b"34.36" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-p", "gone.txt"], b"Error: gone.txt: no such file\n"),
        (["-p", "-"], b"Error: standard input, line 2: expected UTF-8, got the byte 0xff\n"),
        (["-p", "systems", "-m", "rouge"], b"Error: unknown metric 'rouge': expected one of "),
    ],
)
def test_bad_input_is_one_sentence_on_standard_error_and_exit_code_2(
    arguments: list[str], message: bytes, examples: Path, script: Any
) -> None:
    done = script("score", *FILES, *arguments, cwd=examples, input=b"a\n\xff\n")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.startswith(message)
    assert done.stderr.count(b"\n") == 1


def test_splitting_says_nothing_on_standard_error(examples: Path, script: Any) -> None:
    text = (examples / "source.txt").read_bytes()
    for name in ("train", "test"):
        (examples / f"{name}.txt").write_bytes(text)
    subsets = ["train=train.txt,source.txt", "test=source.txt,test.txt"]
    done = script("split", "balanced", *subsets, "-o", "new", "--json", cwd=examples)
    assert (done.returncode, done.stderr) == (0, b"")
    assert set(json.loads(done.stdout)["subsets"]) == {"train", "test"}


def test_a_closed_pipe_is_no_crash() -> None:
    done = subprocess.run(
        f"'{SCRIPT}' hub datasets | head -n 1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("ASSET")
    assert done.stderr == ""


def test_an_extra_that_is_missing_is_told(
    examples: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sacremoses", None)
    result = run("score -t . -p systems -O tokenizer=moses")
    assert result.exit_code == 2
    assert "pip install 'textsimp[languages]'" in result.output


def test_a_bug_is_not_hidden(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr("textsimp.corpora.testsets.listed", fail)
    result = run("hub datasets --json")
    assert result.exit_code == 1
    assert isinstance(result.exception, ValueError)


def test_the_version(run: Any) -> None:
    assert run("--version").output.strip() == f"textsimp, version {__version__}"


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("textsimp sc", "score"),
        ("textsimp score -m sari,bl", "sari,bleu"),
        ("textsimp score -t asset_", "asset_test"),
        ("textsimp metrics edit", "edit_ops"),
        ("textsimp split balanced --method mon", "monte_carlo"),
    ],
)
def test_the_shell_completes(words: str, completed: str, script: Any) -> None:
    variables = {
        "_TEXTSIMP_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    done = script(env={**os.environ, **variables})
    assert f"plain,{completed}" in done.stdout.decode().split("\n")


def test_help_lists_every_command_with_its_whole_line(run: Any) -> None:
    done = run("--help")
    listed = re.findall(r"^  (\w+)  ", done.output.partition("Scores:")[2], re.MULTILINE)
    assert sorted(listed) == sorted(main.commands)
    assert len(listed) <= 14
    assert "..." not in done.output
