"""``textsimp errors annotate`` and ``errors merge``. The page itself is driven in tests/browser."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from textsimp import InputError
from textsimp.errors.annotation import Answers, Pair
from textsimp.metrics.information_errors import CATEGORIES

Run = Callable[..., Result]
Fails = Callable[..., str]
PAIRS = [Pair(i, "", f"Source {i}.", f"Output {i}.") for i in range(4)]


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two annotators' files in ``answers/``; they differ about the deletions of rows 1 and 2."""
    monkeypatch.chdir(tmp_path)
    for name, deletions in (("Ann", (0, 1, 2, 2)), ("Bob", (0, 2, 1, 2))):
        kept = Answers("answers", name, PAIRS)
        for row, deletion in enumerate(deletions):
            kept.give(row, {"insertion": row % 2, "deletion": deletion, "substitution": 0})
    return tmp_path


def lines(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def test_files_are_merged_and_the_agreement_is_shown(answers: Path, run: Run) -> None:
    result = run("errors merge answers -o merged.jsonl --disagreements discuss.jsonl")
    assert result.exit_code == 0, result.output
    shown = [" ".join(line.split()) for line in result.output.splitlines()]
    assert shown[0] == "4 examples, Ann, Bob"
    assert shown[2] == "majority % an error label agreed % alpha outputs"
    assert shown[3].startswith("insertion 100.0 2 100.0 1.000 [1.000, 1.000]")
    assert shown[4].startswith("deletion 50.0 3 33.3 0.")
    assert shown[5].startswith("substitution 100.0 0 – – 4")
    assert shown[6].startswith("substitution: no alpha, all ratings are the same")
    assert shown[7] == "to discuss: 0 of insertion, 2 of deletion, 0 of substitution"
    assert shown[8:] == ["written: merged.jsonl", "written: discuss.jsonl"]
    assert [row["deletion"] for row in lines("merged.jsonl")] == [[0, 0], [1, 2], [2, 1], [2, 2]]
    assert [row["deletion_majority"] for row in lines("merged.jsonl")] == [0, None, None, 2]
    assert [row["id"] for row in lines("discuss.jsonl")] == [1, 2]
    assert all(row["discuss"] == ["deletion"] for row in lines("discuss.jsonl"))


def test_a_file_that_is_there_is_overwritten_only_by_force(
    answers: Path, run: Run, fails: Fails
) -> None:
    Path("merged.jsonl").write_text("mine")
    message = fails("errors merge answers -o merged.jsonl")
    assert message == "merged.jsonl is there already: --force overwrites it"
    assert Path("merged.jsonl").read_text() == "mine"
    assert run("errors merge answers -o merged.jsonl --force").exit_code == 0


def test_bad_answers_are_refused_and_nothing_written(answers: Path, fails: Fails) -> None:
    Path("empty").mkdir()
    Answers("unlabelled", "Ann", PAIRS).give(0, dict.fromkeys(CATEGORIES))
    twice = "answers/ann.jsonl answers/ann.jsonl"
    for given, message in (
        ("none.jsonl", "none.jsonl: no such file"),
        ("empty", "empty: a folder without .jsonl files"),
        ("unlabelled", "expected answers with labels, got none"),
        (twice, "line 1: annotator 'Ann' answers id 0 in another file, too"),
    ):
        assert message in fails(f"errors merge {given} -o merged.jsonl")
    assert not Path("merged.jsonl").exists()


@pytest.fixture
def pairs(answers: Path) -> Path:
    rows = [{"id": p.id, "source": p.source, "prediction": p.prediction} for p in PAIRS]
    Path("pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return answers


def test_bad_pairs_are_refused_before_a_page_is_served(pairs: Path, fails: Fails) -> None:
    pytest.importorskip("gradio", reason="gradio is not installed")
    Path("bad.jsonl").write_text('{"source": "a"}\n')
    for arguments, message in (
        ("none.jsonl -o new", "none.jsonl: no such file"),
        ("bad.jsonl -o new", "bad.jsonl has no column 'prediction'; its columns are 'source'"),
        ("pairs.jsonl -o pairs.jsonl", "pairs.jsonl is a file: expected a folder"),
        ("pairs.jsonl -o new --annotator a/b", "name of the annotator: expected at most 40"),
        ("pairs.jsonl -o new --qualification pairs.jsonl", "no column 'insertion'"),
        ("-o new", "expected pairs to annotate: give a file, or -s FILE and -p FILE"),
        ("pairs.jsonl -s pairs.jsonl -o new", "expected PAIRS or sources and systems, got both"),
        ("-p out.txt -o new", "errors annotate needs sources: give -s FILE"),
    ):
        assert message in fails(f"errors annotate {arguments}")
    assert not Path("new").exists()


def test_answers_to_other_pairs_are_refused(pairs: Path, fails: Fails) -> None:
    pytest.importorskip("gradio", reason="gradio is not installed")
    before = Path("answers/ann.jsonl").read_bytes()
    Path("pairs.jsonl").write_text('{"id": 0, "source": "New.", "prediction": "Output 0."}\n')
    message = fails("errors annotate pairs.jsonl -o answers --annotator Ann")
    assert message.startswith("answers/ann.jsonl, line 1: id 0 has the source str 'Source 0.'")
    assert Path("answers/ann.jsonl").read_bytes() == before


def test_a_port_in_use_is_refused(pairs: Path, fails: Fails) -> None:
    pytest.importorskip("gradio", reason="gradio is not installed")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        message = fails(f"errors annotate pairs.jsonl -o answers --port {port}")
    assert message == f"--port {port}: expected one that is free on 127.0.0.1"


def test_every_system_s_output_for_each_source_is_a_pair(
    pairs: Path, fails: Fails, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def build(given: Any, **options: Any) -> Any:
        asked.append(given)
        raise InputError("enough")

    monkeypatch.setattr("textsimp.demo.build_annotate", build)
    for name, text in (("source", "a\nb\n"), ("one", "c\nd\n"), ("two", "e\nf\n")):
        Path(f"{name}.txt").write_text(text)
    fails("errors annotate -s source.txt -p one.txt -p two.txt -o new")
    assert asked == [
        [
            Pair(1, "one", "a", "c"),
            Pair(1, "two", "a", "e"),
            Pair(2, "one", "b", "d"),
            Pair(2, "two", "b", "f"),
        ]
    ]
