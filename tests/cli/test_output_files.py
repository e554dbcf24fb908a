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
