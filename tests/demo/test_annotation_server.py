"""What the page to annotate asks its server for: messages and replies."""

from __future__ import annotations

import csv
import io
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from textsimp import InputError
from textsimp.demo import build_annotate
from textsimp.demo.annotation_page import render_form
from textsimp.demo.annotation_server import AnnotationServer
from textsimp.errors import annotation, scheme
from textsimp.errors.annotation import Pair
from textsimp.metrics.information_errors import CATEGORIES

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> ${alert(3)} {{7*7}}"
PAIRS = [Pair(i, "A", f"The feline sat {i}.", f"The cat sat {i}. {HOSTILE}") for i in range(3)]
KNOWN = [dict.fromkeys(CATEGORIES, 0), {"insertion": 1, "deletion": None, "substitution": 2}]
ANN: dict[str, Any] = {"name": "Ann"}


@pytest.fixture
def server(tmp_path: Path) -> AnnotationServer:
    return AnnotationServer(PAIRS, tmp_path)


@pytest.fixture
def qualifying(tmp_path: Path) -> AnnotationServer:
    return AnnotationServer(PAIRS, tmp_path, PAIRS[:2], KNOWN)


def answer(
    server: AnnotationServer, row: int, *labels: Any, part: str = "pairs", **who: Any
) -> Any:
    asked = {**ANN, **who, "part": part, "row": row}
    seen = server.pair(asked)["seen"]
    return server.answer({**asked, "labels": list(labels), "seen": seen})


def test_it_begins_with_the_first_pair(server: AnnotationServer) -> None:
    longest = max(len(pair.prediction) for pair in PAIRS)
    assert server.start(ANN) == {
        "name": "Ann",
        "part": "pairs",
        "n": 3,
        "next": 0,
        "labels": {},
        "longest": longest,
    }


def test_texts_are_marked_and_escaped(server: AnnotationServer) -> None:
    found = server.pair({**ANN, "part": "pairs", "row": 1})
    assert found["source"] == 'The <del class="r">feline</del> sat 1.'
    assert found["prediction"].startswith('The <ins class="r">cat</ins> sat 1.')
    assert "&lt;script&gt;" in found["prediction"]
    assert "<script" not in found["prediction"]
    assert "<img" not in found["prediction"]


def test_answers_are_kept_and_gone_on_with(server: AnnotationServer, tmp_path: Path) -> None:
    assert answer(server, 0, 0, 1, 2) == {"kept": True}
    answer(server, 1, 0, None, None)
    again = AnnotationServer(PAIRS, tmp_path).start(ANN)
    assert again["next"] == 1
    assert again["labels"] == {"0": [0, 1, 2], "1": [0, None, None]}
    json.dumps(again)  # as Gradio sends it


def test_annotators_dont_mix_however_they_answer(server: AnnotationServer) -> None:
    names = [f"annotator {i}" for i in range(6)]

    def work(i: int) -> None:
        for row in (2, 0, 1):
            answer(server, row, i % 3, row % 3, 0, name=names[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, name in enumerate(names):
        found = server.start({"name": name})
        assert found["labels"] == {str(row): [i % 3, row % 3, 0] for row in range(3)}
        assert found["next"] is None


def test_the_download_is_what_is_merged(server: AnnotationServer, tmp_path: Path) -> None:
    answer(server, 0, 0, 1, 2)
    answer(server, 0, -1, -1, -1)
    found = server.download(ANN)
    assert found["file"] == "ann.jsonl"
    saved = tmp_path / "saved.jsonl"
    saved.write_text(found["text"], encoding="utf-8")
    (row,) = annotation.merge([saved])
    assert (row["id"], row["system"], row["source"]) == (0, "A", PAIRS[0].source)
    assert [row[name] for name in CATEGORIES] == [[-1]] * 3


def test_the_download_for_a_spreadsheet_has_the_same_answers(server: AnnotationServer) -> None:
    answer(server, 0, 0, 1, 2)
    found = server.download({**ANN, "csv": True})
    assert (found["file"], found["kind"]) == ("ann.csv", "text/csv")
    (row,) = csv.DictReader(io.StringIO(found["text"]))
    assert row["source"] == PAIRS[0].source
    assert [row[name] for name in CATEGORIES] == ["0", "1", "2"]
    assert server.download({"name": "Bob", "csv": True})["text"] == ""


def test_the_download_for_a_spreadsheet_has_no_formulas(tmp_path: Path) -> None:
    server = AnnotationServer([Pair(0, "A", "=1+1", "@SUM(A1)")], tmp_path)
    answer(server, 0, 0, 0, 0)
    (row,) = csv.DictReader(io.StringIO(server.download({**ANN, "csv": True})["text"]))
    assert (row["source"], row["prediction"]) == ("'=1+1", "'@SUM(A1)")


def test_an_answer_counts_only_for_the_texts_that_were_shown(
    server: AnnotationServer, tmp_path: Path
) -> None:
    """A page may be open while the server starts again with other pairs, or in another order."""
    asked = {**ANN, "part": "pairs", "row": 0}
    seen = server.pair(asked)["seen"]
    turned = AnnotationServer(PAIRS[::-1], tmp_path)
    assert turned.answer({**asked, "labels": [0, 0, 0], "seen": seen}) == {"kept": False}
    assert turned.start(ANN)["labels"] == {}


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda d: d.start({}), "name of the annotator"),
        (lambda d: d.start({"name": "../x"}), "name of the annotator"),
        (
            lambda d: d.pair({**ANN, "part": "pairs", "row": 3}),
            "row: expected an integer from 0 to 2",
        ),
        (
            lambda d: d.pair({**ANN, "part": "pairs", "row": "0"}),
            "row: expected an integer from 0 to 2",
        ),
        (lambda d: d.pair({**ANN, "part": "x", "row": 0}), "part: expected one of"),
        (lambda d: answer(d, 0, 0, 1), "labels: expected one of each category"),
        (lambda d: answer(d, 0, 0, 1, 5), "substitution: expected 0, 1, 2, -1 or null"),
        (lambda d: answer(d, 9, 0, 1, 0), "row: expected an integer from 0 to 2"),
        (lambda d: d.answer({**ANN, "part": "pairs", "row": 9, "labels": [0] * 3}), "row: expec"),
        (lambda d: d.answer({**ANN, "part": "pairs"}), "labels: expected one of each"),
    ],
)
def test_messages_that_make_no_sense_are_told(
    server: AnnotationServer, ask: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        ask(server)


# Qualification


def test_known_pairs_come_first_and_the_share_right_is_told(qualifying: AnnotationServer) -> None:
    assert qualifying.start(ANN)["part"] == "qualification"
    answer(qualifying, 0, 0, 0, 1, part="qualification")
    assert "result" not in qualifying.start(ANN)
    answer(qualifying, 1, 1, 0, 2, part="qualification")
    result = qualifying.start(ANN)["result"]
    assert result == {"right": 4, "of": 5, "asked": 0.75, "enough": True}
    answer(qualifying, 1, 1, 0, 0, part="qualification")
    result = qualifying.start(ANN)["result"]
    assert result == {"right": 3, "of": 5, "asked": 0.75, "enough": False}


def test_answers_to_known_pairs_are_kept_apart(
    qualifying: AnnotationServer, tmp_path: Path
) -> None:
    answer(qualifying, 0, 0, 0, 1, part="qualification")
    assert qualifying.download(ANN)["text"] == ""
    assert [path.name for path in tmp_path.glob("*.jsonl")] == []
    assert (tmp_path / "qualification" / "ann.jsonl").exists()
    assert qualifying.start({**ANN, "skip": True})["labels"] == {}


def test_who_has_begun_isnt_asked_to_qualify_again(qualifying: AnnotationServer) -> None:
    for row in range(2):
        answer(qualifying, row, 0, 0, 0, part="qualification")
    assert qualifying.start({**ANN, "skip": True})["part"] == "pairs"
    answer(qualifying, 0, 0, 0, 0)
    assert qualifying.start(ANN)["part"] == "pairs"


def test_the_page_never_has_the_known_labels(qualifying: AnnotationServer) -> None:
    sent = [qualifying.start(ANN), qualifying.pair({**ANN, "part": "qualification", "row": 1})]
    assert set(sent[0]) == {"name", "part", "n", "next", "labels", "longest"}
    assert set(sent[1]) == {"source", "prediction", "seen"}


# The page


def test_the_page_shows_the_whole_scheme_with_its_keys() -> None:
    made = render_form("Ann", permanent=True)
    for examples in scheme.read_examples().values():
        assert all(example.why in made for example in examples)
    for name in CATEGORIES:
        assert f"<kbd>{name[0].upper()}</kbd> <b>{name.capitalize()}</b>" in made
    assert made.count('data-level="1"') == 3
    assert "until it restarts" not in made
    assert "until it restarts" in render_form("", permanent=False)
    assert HOSTILE not in render_form(HOSTILE, permanent=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pairs": PAIRS}, "folder: expected one to keep answers in, got None"),
        ({"qualification": "known.jsonl"}, "qualification: needs pairs, and there are none"),
        ({"annotator": "../x"}, "name of the annotator"),
    ],
)
def test_a_page_that_could_not_keep_answers_is_refused(
    arguments: dict[str, Any], message: str
) -> None:
    pytest.importorskip("gradio", reason="gradio is not installed")
    with pytest.raises(InputError, match=message):
        build_annotate(**arguments)
