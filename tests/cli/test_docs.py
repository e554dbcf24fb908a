"""Shell examples in the documentation run, and print what is shown."""

import re
import shutil

import click
import pytest

from tests.documentation import check_commands, run_command
from tests.project import EXAMPLES, PROJECT
from textsimp.cli import main

PAGE = PROJECT / "docs" / "cli.md"
BLOCKS = re.compile(r"^```sh\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", re.DOTALL | re.MULTILINE)
OTHER_PAGES = (
    "README.md",
    "docs/documents.md",
    "docs/easse.md",
    "docs/report.md",
    "docs/scale.md",
    "docs/start.md",
    "docs/trust.md",
)
# These install, upload, or download.
NOT_RUN = ("make", "pip install", "python", "hf auth", "textsimp score -m sari,bertscore")
OF_EASSE = (PROJECT / "docs" / "easse.md").read_text("utf-8").partition("| `easse evaluate` |")[2]
FILES = {"-s": "source.txt", "-r": "references", "-p": "systems/splitter.txt"}
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
    if "--eval-results" in commands:
        pytest.importorskip("huggingface_hub", "1.4", reason="needs huggingface_hub 1.4")
    monkeypatch.chdir(corpus)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", corpus / "cache")
    printed = "".join(run_command(command) for command in commands.splitlines() if command)
    if shown:
        assert VERSIONS.sub("", printed) == VERSIONS.sub("", shown)


@pytest.mark.parametrize("page", OTHER_PAGES)
def test_commands_on_other_pages_run_too(page, tmp_path, monkeypatch):
    check_commands(page, tmp_path, monkeypatch, not_run=NOT_RUN)


def lines_beside_easses():
    """A command for the options in each cell; the model of BERTScore isn't here."""
    score, _, report = OF_EASSE.partition("| `easse report` |")
    for command, table in (("score", score), ("report", report)):
        for options in re.findall(
            r"`(-[a-zA-Z] [^`]+|--json)`", re.sub(r"(?m)^\| .*? \| ", "", table)
        ):
            given = options.split()
            files = [f"{flag} {FILES[flag]}" for flag in FILES if flag not in given]
            if "-t" in given:
                files = ["--data-dir corpora", files[-1]]
            if "-c" in given:
                files = []
            if options == "-p -":
                files.append(f"< {FILES['-p']}")
            if "model=" not in options:
                yield " ".join(["textsimp", command, options, *files])


@pytest.mark.parametrize("command", [*lines_beside_easses()])
def test_the_lines_beside_easses_options_run(command, corpus, monkeypatch):
    monkeypatch.chdir(corpus)
    run_command(command)


def test_no_option_of_easse_lacks_a_line():
    rows = re.findall(r"^\| (.*) \| (.*) \|$", OF_EASSE, re.MULTILINE)
    options = {option for cell, _ in rows for option in re.findall(r"`(--\w+)`", cell)}
    assert {"--test_set", "--tokenizer", "--analysis", "--quality_estimation"} < options
    assert all(line for _, line in rows)


def test_every_command_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    for name in main.list_commands(click.Context(main)):
        assert f"`textsimp {name}" in text
