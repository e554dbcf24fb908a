"""``--workers`` of the command line."""

import contextlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from textsimp.cli import main
from textsimp.scoring import scale

pytest.importorskip("distributed")

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = ["-s", str(EXAMPLES / "source.txt"), "-p", str(EXAMPLES / "systems")]
FILES += ["-r", str(EXAMPLES / "references")]


def run(*arguments):
    return CliRunner().invoke(main, [*arguments])


def test_workers_print_and_write_what_one_process_does(threads, tmp_path, monkeypatch):
    addresses = []

    @contextlib.contextmanager
    def connect(workers):
        addresses.append(workers)
        yield threads

    monkeypatch.setattr(scale, "_ROWS", 3)
    monkeypatch.setattr("textsimp.scoring.scale.connect", connect)
    written = []
    for name, more in (("one", []), ("many", ["--workers", "tcp://host:8786"])):
        files = [str(tmp_path / f"{name}.parquet"), str(tmp_path / f"{name}.tsv")]
        options = ["-m", "sari,edit_ops", "--json", *more]
        options += ["--save-statistics", files[0], "--per-example", files[1]]
        found = run("compare", *FILES, *options)
        assert found.exit_code == 0, found.output
        merged = run("merge", files[0], "--json")
        printed = [json.loads(one.stdout) | {"provenance": None} for one in (found, merged)]
        written.append((printed, Path(files[1]).read_text()))
    assert written[0] == written[1]
    assert addresses == ["tcp://host:8786"]


@pytest.mark.parametrize("workers", ["0", "00", "many", "-1", "2.5", "host:8786", "²"])
def test_what_is_no_number_or_address_is_refused(workers):
    found = run("score", *FILES, "--workers", workers)
    assert found.exit_code == 2
    assert "--workers: expected a number of processes, or a scheduler's address" in found.output
