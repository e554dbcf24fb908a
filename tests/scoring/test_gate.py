"""The gate of ``textsimp compare --fail-if``: exit codes and the line that says why."""

import re
import shlex
import shutil

import numpy as np
import pytest
import yaml

import textsimp
from tests.commands import make_runner
from tests.given import lines, write
from tests.project import EXAMPLES, PROJECT
from textsimp.cli import main
from textsimp.core.comparisons import Comparison
from textsimp.core.significance import Difference
from textsimp.scoring.verdict import find_failures

PAGE = PROJECT / "docs" / "cli.md"
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


def test_the_line_names_system_difference_interval_and_p():
    result = run(f"{FILES} {SUBSTITUTER} {SPLITTER} --fail-if worse --json")
    line = result.stderr.strip().splitlines()[-1]
    assert re.fullmatch(
        r"splitter is worse than substituter: 7\.1 \[4\.\d, 9\.\d\] SARI below \(p = 0\.001\)\.",
        line,
    )


def gate(rule, by, value, interval, p=0.001):
    """The sentences on a difference from the baseline of 20 examples."""
    scores = np.arange(20.0)
    found = textsimp.compare(
        {"old": {"score": scores}, "new": {"score": scores + value}},
        metric=textsimp.ColumnMeans(names="score"),
        baseline="old",
        resamples=200,
    )["column"]
    test = Difference(value, interval, p, p, p, p, 20)
    fields = {**vars(found), "differences": {"new": {"score": test}}}
    return find_failures(Comparison(**fields), rule, by)


def test_a_drop_fails_only_if_the_whole_interval_lies_beyond_the_allowed_one():
    assert gate("worse", 0.5, -1, [-1.5, -0.6])
    assert not gate("worse", 0.5, -1, [-1.5, -0.5])
    assert not gate("worse", 0.5, -1, [-1.5, -0.4])
    assert gate("worse", 0, -1, [-1.5, 0.1])


def test_a_gain_passes_only_if_the_whole_interval_lies_beyond_the_asked_one():
    assert not gate("not-better", 0.5, 1, [0.6, 1.4])
    assert gate("not-better", 0.5, 1, [0.5, 1.5])


def test_the_detectable_difference_is_named_only_if_none_was_found():
    (line,) = gate("not-better", 0, 1, [-0.4, 2.4], p=0.2)
    assert "(p = 0.200; smallest detectable difference: 2.0 score)" in line
    (line,) = gate("not-better", 0.5, 1, [0.4, 1.6])
    assert "detectable" not in line


def test_the_line_names_the_allowed_difference():
    (line,) = gate("worse", 0.5, -1, [-1.4, -0.6])
    assert line == "new is worse than old by more than 0.5: 1.0 [0.6, 1.4] score below (p = 0.001)."


def test_equal_scores_are_neither_above_nor_below():
    (line,) = gate("not-better", 0, 0.0, [0.0, 0.0], p=1.0)
    assert line == "new isn't better than old: 0.0 [0.0, 0.0] score apart (p = 1.000)."


def test_few_examples_and_lost_lines_fail(tmp_path):
    outputs = lines("systems/substituter.txt")
    shifted = write(tmp_path / "shifted.txt", [*outputs[1:], "."])
    result = run(f"{FILES} {SUBSTITUTER} -p {shifted} --fail-if worse")
    assert result.exit_code == 1
    assert "shifted can't be ranked" in result.stderr
    for name in ("source", "old", "new"):
        write(tmp_path / f"{name}.txt", ["a b", "c d"])
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
