"""The gate of ``textsimp compare --fail-if``: exit codes and the line that says why."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import make_runner
from textsimp.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
FILES = f"compare -s {EXAMPLES}/source.txt -r {EXAMPLES}/references"
SPLITTER, SUBSTITUTER = (f"-p {EXAMPLES}/systems/{n}.txt" for n in ("splitter", "substituter"))


def run(arguments):
    return make_runner().invoke(main, shlex.split(arguments))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (f"{FILES} {SUBSTITUTER} {SPLITTER} --fail-if worse", 1),
        (f"{FILES} {SPLITTER} {SUBSTITUTER} --fail-if worse", 0),
        (f"{FILES} {SPLITTER} {SUBSTITUTER} --fail-if not-better", 0),
        (f"{FILES} {SUBSTITUTER} {SPLITTER} --fail-if worse --by 8", 0),
        (f"{FILES} {SPLITTER} {SUBSTITUTER} --fail-if not-better --by 8", 1),
        (f"{FILES} {SPLITTER} {SUBSTITUTER} --fail-if worse --baseline substituter", 1),
        (f"{FILES} {SUBSTITUTER} -p same={EXAMPLES}/systems/substituter.txt --fail-if worse", 0),
        (f"{FILES} {SUBSTITUTER} -p s={EXAMPLES}/systems/substituter.txt --fail-if not-better", 1),
        (f"{FILES} {SPLITTER} {SUBSTITUTER} -m readability --fail-if worse", 2),
        (f"{FILES} {SPLITTER} {SUBSTITUTER} --by 1", 2),
        (f"{FILES} {SPLITTER} {SUBSTITUTER} --fail-if worse --by -1", 2),
    ],
)
def test_the_exit_code_says_whether_a_system_fails(arguments, code):
    assert run(arguments).exit_code == code


def test_the_line_names_system_difference_p_and_detectable_difference():
    result = run(f"{FILES} {SUBSTITUTER} {SPLITTER} --fail-if worse --json")
    line = result.stderr.strip().splitlines()[-1]
    assert re.fullmatch(
        r"splitter is worse than substituter: 7\.1 SARI below "
        r"\(p = 0\.001; smallest detectable difference: 3\.2 SARI\)\.",
        line,
    )


def test_few_examples_and_lost_lines_fail(tmp_path):
    lines = (EXAMPLES / "systems" / "substituter.txt").read_text(encoding="utf-8").splitlines()
    shifted = tmp_path / "shifted.txt"
    shifted.write_text("\n".join([*lines[1:], "."]) + "\n", encoding="utf-8")
    result = run(f"{FILES} {SUBSTITUTER} -p {shifted} --fail-if worse")
    assert result.exit_code == 1
    assert "shifted can't be ranked" in result.stderr
    for name in ("source", "old", "new"):
        (tmp_path / f"{name}.txt").write_text("a b\nc d\n", encoding="utf-8")
    command = f"-s {tmp_path}/source.txt -p {tmp_path}/old.txt -p {tmp_path}/new.txt"
    result = run(f"compare {command} -r {tmp_path}/old.txt --fail-if worse")
    assert result.exit_code == 1
    assert "new can't be tested against old" in result.stderr


@pytest.mark.parametrize(("output", "code"), [("substituter", 0), ("splitter", 1)])
def test_the_documented_workflow_stops_a_worse_system(output, code, tmp_path, monkeypatch):
    block = re.search(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    *_, last = yaml.safe_load(block[1])["jobs"]["simplify"]["steps"]
    shutil.copy(EXAMPLES / "source.txt", tmp_path)
    shutil.copytree(EXAMPLES / "references", tmp_path / "references")
    shutil.copy(EXAMPLES / "systems" / "substituter.txt", tmp_path / "old.txt")
    shutil.copy(EXAMPLES / "systems" / f"{output}.txt", tmp_path / "new.txt")
    monkeypatch.chdir(tmp_path)
    assert run(last["run"].removeprefix("textsimp ")).exit_code == code
