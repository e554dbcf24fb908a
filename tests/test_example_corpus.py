"""The example corpus: files that agree with each other, and systems that keep their habits."""

import json
import shutil
import subprocess
import sys
from collections import Counter

import pytest

import textsimp
from tests import pinned
from tests.given import rows
from tests.project import EXAMPLES
from textsimp import hub

SENTENCES = [
    "source.txt",
    "references/0.txt",
    "references/1.txt",
    "references/2.txt",
    "systems/splitter.txt",
    "systems/substituter.txt",
]
DOCUMENTS = [
    "documents/source.txt",
    "documents/references/0.txt",
    "documents/systems/shortener.txt",
    "documents/systems/rewriter.txt",
]


def lines(name):
    text = (EXAMPLES / name).read_bytes().decode("utf-8")
    assert text.endswith("\n")
    return text[:-1].split("\n")


@pytest.mark.parametrize("files", [SENTENCES, DOCUMENTS], ids=["sentences", "documents"])
def test_files_are_parallel(files):
    assert len({len(lines(name)) for name in files}) == 1


@pytest.mark.parametrize("name", SENTENCES + DOCUMENTS)
def test_texts_are_stripped_and_hold_no_line_break_of_any_kind(name):
    for line in lines(name):
        assert line.splitlines() == [line.strip()]


def test_jsonl_holds_the_text_files():
    columns = [lines(name) for name in SENTENCES]
    expected = [
        {"source": s, "references": [r0, r1, r2], "splitter": p, "substituter": u}
        for s, r0, r1, r2, p, u in zip(*columns, strict=True)
    ]
    assert [json.loads(line) for line in lines("examples.jsonl")] == expected


def test_the_demonstration_runs_and_saves_what_it_computed(tmp_path):
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    command = [sys.executable, str(tmp_path / "examples" / "demo.py")]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert "splitter - substituter: SARI -7.12 [" in done.stdout
    assert {line[:21].strip() for line in done.stdout.splitlines()} >= {*hub.names()}
    saved = json.loads((tmp_path / "results" / "demo.json").read_text(encoding="utf-8"))
    assert saved["comparison"]["differences"]["splitter"]["sari"] < -7


# Other programs ----------------------------------------------------------------------------------

PROGRAMS = rows(pinned.GOLDENS / "programs.jsonl")


def test_four_programs_printed_what_is_compared():
    counts = Counter(line["program"] for line in PROGRAMS)
    assert counts == {"EASSE": 27, "sacrebleu": 9, "evaluate's sari": 3, "D_SARI.py": 3}


@pytest.mark.parametrize(
    "line", PROGRAMS, ids=[f"{line['metric']} {line['system']}" for line in PROGRAMS]
)
def test_a_score_is_what_the_other_program_printed(line):
    columns = pinned.columns(line["corpus"])
    outputs = {"source unchanged": columns["sources"], **columns.pop("systems")}
    metric = textsimp.metric(line["metric"])
    given = {column.name: columns[column.name] for column in metric.columns if not column.own}
    scores = metric.score(predictions=outputs[line["system"]], **given)
    for name, printed in line["scores"].items():
        assert scores[name] == pytest.approx(printed, abs=1e-9), name
