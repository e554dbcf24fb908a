"""The page about the command line: every shell example runs, and prints what the page shows."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from textsimp.cli import main

from .conftest import EXAMPLES, SCRIPT

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BLOCKS = re.compile(r"^```sh\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.DOTALL | re.MULTILINE)
VERSIONS = re.compile(r"\b(v|version):[\d.]+")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example corpus, with a test set and a dataset in it."""
    folder = tmp_path_factory.mktemp("docs") / "examples"
    shutil.copytree(EXAMPLES, folder)
    test_set = folder / "corpora" / "asset_test"
    shutil.copytree(EXAMPLES / "references", test_set / "references")
    shutil.copy(EXAMPLES / "source.txt", test_set)
    (folder / "my_dataset").mkdir()
    shutil.copy(EXAMPLES / "examples.jsonl", folder / "my_dataset" / "validation.jsonl")
    return folder


def blocks() -> list[tuple[str, str]]:
    return BLOCKS.findall(PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("commands", "shown"), blocks(), ids=range(len(blocks())))
def test_examples_run_and_print_what_is_shown(
    commands: str, shown: str, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(corpus)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", corpus / "cache")
    printed = "".join(_run(command) for command in commands.splitlines() if command)
    if shown:
        assert VERSIONS.sub("", printed) == VERSIONS.sub("", shown)


def _run(command: str) -> str:
    """What a line prints; plain ones run in this process, which has imported everything."""
    if command.startswith("textsimp ") and not re.search(r"[|<>$\\]", command):
        result = CliRunner().invoke(main, shlex.split(command)[1:])
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


def test_every_command_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in main.commands:
        assert f"`textsimp {name}`" in text or name == "remove-modules"
