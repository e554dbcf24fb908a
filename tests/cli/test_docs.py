"""Shell examples in the documentation run, and print what is shown."""

import doctest
import importlib.util
import os
import re
import shlex
import shutil
import subprocess

import click
import pytest

from tests.commands import SCRIPT, make_runner
from tests.project import EXAMPLES, PROJECT
from textsimp.cli import main

PAGE = PROJECT / "docs" / "cli.md"
BLOCKS = re.compile(r"^```sh\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.DOTALL | re.MULTILINE)
OTHER_PAGES = (
    "README.md",
    "docs/documents.md",
    "docs/easse.md",
    "docs/audits.md",
    "docs/judges.md",
    "docs/people.md",
    "docs/ratings.md",
    "docs/report.md",
    "docs/scale.md",
    "docs/start.md",
    "docs/tasks.md",
    "docs/trust.md",
)
SHELL = re.compile(r"^```(?:sh|console)\n(.*?)^```", re.DOTALL | re.MULTILINE)
# These install, upload, download, ask a model (tests/text has one), or serve pages, which
# tests/browser does.
NOT_RUN = (
    *("make", "pip install", "python", "hf auth", "textsimp rate serve"),
    *("textsimp ratings answers --plan", "textsimp ratings sheets"),  # nobody has rated
    *([] if importlib.util.find_spec("openpyxl") else ["textsimp rate sheet"]),
    *("textsimp hub models --fetch", "textsimp score -m sari,bertscore"),
    *("textsimp judge --base-url", "textsimp ratings judges", "textsimp meta -d judges"),
)
VERSIONS = re.compile(r"\b(v|version):[\d.]+")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The example corpus, with a test set and a dataset in it."""
    folder = tmp_path_factory.mktemp("docs") / "examples"
    shutil.copytree(EXAMPLES, folder)
    test_set = folder / "corpora" / "asset_test"
    shutil.copytree(EXAMPLES / "references", test_set / "references")
    shutil.copy(EXAMPLES / "source.txt", test_set)
    (folder / "my_dataset").mkdir()
    shutil.copy(EXAMPLES / "examples.jsonl", folder / "my_dataset" / "validation.jsonl")
    return folder


def blocks():
    return BLOCKS.findall(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("commands", "shown"), blocks(), ids=range(len(blocks())))
def test_examples_run_and_print_what_is_shown(commands, shown, corpus, monkeypatch):
    monkeypatch.chdir(corpus)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", corpus / "cache")
    printed = "".join(_run(command) for command in commands.splitlines() if command)
    if shown:
        assert VERSIONS.sub("", printed) == VERSIONS.sub("", shown)


def _run(command):
    """What a line prints; plain ones run in this process, which has imported everything."""
    if command.startswith("textsimp ") and not re.search(r"[|<>$\\]", command):
        result = make_runner().invoke(main, shlex.split(command)[1:])
        assert result.exit_code == 0, result.output
        return result.stdout
    path = f"{SCRIPT.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("page", OTHER_PAGES)
def test_commands_on_other_pages_run_too(page, tmp_path, monkeypatch):
    """One after the other, from the project's folder on."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    text = (PROJECT / page).read_text(encoding="utf-8")
    run = 0
    for command, shown in steps(text):
        if command.startswith("cd "):
            monkeypatch.chdir(command.removeprefix("cd "))
        elif not command.startswith(NOT_RUN):
            printed = _run(command)
            run += 1
            if shown:
                assert doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS)
    assert run


def steps(text):
    """(command, what is shown below it) of all shell examples; only after ``$`` is output shown."""
    found = []
    for block in SHELL.findall(text):
        lines = re.sub(r"\\\n *", "", block).splitlines(keepends=True)
        prompt = "$ " if block.startswith("$ ") else ""
        for line in lines:
            if line.startswith(prompt):
                command = re.sub(r"\s+# .*", "", line.removeprefix(prompt)).strip()
                found.append((command, ""))
            else:
                command, shown = found.pop()
                found.append((command, shown + line))
    return found


def test_every_command_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    for name in main.list_commands(click.Context(main)):
        assert f"`textsimp {name}" in text
