"""``textsimp errors annotate``. The page itself is driven in tests/browser."""

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
