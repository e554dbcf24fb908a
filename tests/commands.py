"""Fixtures: a copy of the example corpus to work in, and the commands."""

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.given import lines, write
from tests.project import EXAMPLES
from textsimp.cli import main
from textsimp.support.version import __version__

SCRIPT = Path(sysconfig.get_path("scripts")) / "textsimp"


@pytest.fixture
def examples(tmp_path, monkeypatch):
    """The current directory: source.txt, references/, systems/, examples.jsonl."""
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run():
    """``run("score …", "a file with spaces")``: split on white space, then further arguments."""

    def invoke(arguments, *further, **options):
        return make_runner().invoke(main, [*arguments.split(), *further], **options)

    return invoke


class _Apart(CliRunner):
    """Before click 8.2: what it does since, standard output and error apart and together."""

    def invoke(self, *arguments, **options):
        result = super().invoke(*arguments, **options)
        result.__class__ = _Both
        return result


class _Both(Result):
    @property
    def output(self):
        return self.stdout + self.stderr


def make_runner():
    try:
        return _Apart(mix_stderr=False)
    except TypeError:  # click 8.2 or newer
        return CliRunner()


def own_keys(result):
    """What JSON has beside the keys of every command."""
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert (report.pop("format"), report.pop("version")) == (1, __version__)
    return report


def of_data(result):
    """What JSON says of the data, whatever files they were read from."""
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    return report | {"provenance": report["provenance"]["data"]}


@pytest.fixture(scope="session")
def expected():
    """What `of_data` says of both systems of the example corpus, with 20 resamples."""
    texts = ["-t", EXAMPLES, "-p", EXAMPLES / "systems"]
    options = ["--resamples", "20", "--json"]
    return of_data(make_runner().invoke(main, [*map(str, ["score", *texts, *options])]))


@pytest.fixture
def succeed(run):
    """Run what is to succeed; its result."""

    def invoke(arguments, *further, **options):
        result = run(arguments, *further, **options)
        assert result.exit_code == 0, result.output
        return result

    return invoke


@pytest.fixture
def as_json(run):
    """Run a command with ``--json``; what it prints, as data."""

    def invoke(arguments, *further, **options):
        return json.loads(run(arguments, *further, "--json", **options).stdout)

    return invoke


@pytest.fixture
def fails(run):
    """Run what is to fail with exit code 2 and one sentence, which is returned."""

    def invoke(arguments, *further, **options):
        result = run(arguments, *further, **options)
        assert result.exit_code == 2, result.output
        assert result.output.startswith("Error: "), result.output
        assert result.output.count("\n") == 1, result.output
        return result.output.removeprefix("Error: ").rstrip("\n")

    return invoke


@pytest.fixture
def script():
    """The installed script, in a process of its own."""

    def start(*arguments, **options):
        return subprocess.run([SCRIPT, *arguments], capture_output=True, check=False, **options)

    return start


def environment():
    """The environment in which a shell finds the script."""
    return os.environ | {"PATH": f"{SCRIPT.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture
def terminal(run, monkeypatch):
    """``terminal(80, "score", …)``: what a command prints on a terminal of so many columns."""

    def show(width, *arguments):
        with monkeypatch.context() as patch:
            patch.setattr("textsimp.cli.printing.terminal_width", lambda: width)
            result = run("", *arguments)
        assert (result.exit_code, result.stderr) == (0, ""), result.output
        return str(result.stdout)

    return show


@pytest.fixture
def seeds(examples):
    """Three runs of one system in the folder runs."""
    texts = lines("systems/splitter.txt")
    runs = [[f"{t} so" if n % 3 == i else t for n, t in enumerate(texts)] for i in range(3)]
    for i, run in enumerate(runs):
        write(f"runs/{i}.txt", run)
    return runs
