"""Files that commands write: whole, and in place of nobody's file."""

import pytest

from tests.options import check_force

SCORE = "score -s source.txt -r references -p systems --resamples 2"
COMMANDS = [
    f"{SCORE} --save-statistics out.parquet",
    f"{SCORE} --per-example out.tsv",
    "report -s source.txt -p systems/splitter.txt --examples 1 --resamples 2 -o out.html",
    "documents -s documents/source.txt -t documents/systems --alignment out.jsonl",
    "check -s source.txt -p systems/splitter.txt --fix out.txt",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_there_is_overwritten_only_by_force(command, examples, run, fails):
    check_force(command, run, fails)
