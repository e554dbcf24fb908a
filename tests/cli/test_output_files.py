"""Files that commands write: whole, and in place of nobody's file."""

import re
from pathlib import Path

import pytest

SCORE = "score -s source.txt -r references -p systems --resamples 2"
COMMANDS = [
    f"{SCORE} --save-statistics out.parquet",
    f"{SCORE} --per-example out.tsv",
    "report -s source.txt -p systems/splitter.txt --examples 1 --resamples 2 -o out.html",
    "documents -s documents/source.txt -t documents/systems --alignment out.jsonl",
    "errors merge annotations -o out.jsonl",
    "rate design -s source.txt -p systems -o out.jsonl",
    "check -s source.txt -p systems/splitter.txt --fix out.txt",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_there_is_overwritten_only_by_force(command, examples, run, fails):
    path = Path(re.search(r"out\.\w+", command)[0])
    path.write_text("mine")
    assert fails(command) == f"{path} is there already: --force overwrites it"
    assert path.read_text() == "mine"
    assert run(f"{command} --force").exit_code == 0
    assert path.read_bytes() != b"mine"


@pytest.mark.parametrize(
    ("command", "read"),
    [
        (f"{SCORE} --save-statistics", "source.txt"),
        ("score -d examples.jsonl -P splitter --per-example", "examples.jsonl"),
        ("documents ./corpus.jsonl --alignment", "corpus.jsonl"),
        ("documents -d corpus.jsonl --alignment", "./corpus.jsonl"),
        ("documents test=corpus.jsonl --alignment", "corpus.jsonl"),
        ("check -s source.txt -p systems/splitter.txt --fix", "systems/splitter.txt"),
    ],
)
def test_a_file_that_is_read_is_not_overwritten_even_by_force(command, read, examples, fails):
    Path("corpus.jsonl").write_text('{"source": "A cat sat.", "target": "A cat."}\n')
    before = Path(read).read_bytes()
    told = fails(f"{command} {read} --force")
    assert told.endswith(f"{Path(read)} is read by this command: write to another file")
    assert Path(read).read_bytes() == before
