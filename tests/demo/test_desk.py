"""What the page to annotate asks its server for: messages and replies."""

from __future__ import annotations

import base64
import csv
import io
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from textsimp import InputError
from textsimp.demo import desk as desks
from textsimp.demo import sheet
from textsimp.demo.desk import Desk, Task
from textsimp.errors import annotation, scheme
from textsimp.errors.annotation import Pair
from textsimp.metrics.information_errors import CATEGORIES

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> ${alert(3)} {{7*7}}"
PAIRS = [Pair(i, "A", f"The feline sat {i}.", f"The cat sat {i}. {HOSTILE}") for i in range(3)]
KNOWN = [dict.fromkeys(CATEGORIES, 0), {"insertion": 1, "deletion": None, "substitution": 2}]
ANN: dict[str, Any] = {"name": "Ann"}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(Task(PAIRS, tmp_path))


@pytest.fixture
def qualifying(tmp_path: Path) -> Desk:
    return Desk(Task(PAIRS, tmp_path, PAIRS[:2], KNOWN))


def answer(desk: Desk, row: int, *labels: Any, part: str = "pairs", **who: Any) -> Any:
    asked = {**ANN, **who, "part": part, "row": row}
    seen = desk.pair(asked)["seen"]
    return desk.answer({**asked, "labels": list(labels), "seen": seen})


def file(rows: list[dict[str, Any]] | bytes, name: str = "pairs.jsonl") -> dict[str, str]:
    """As a browser reads it."""
    text = "".join(json.dumps(row) + "\n" for row in rows) if isinstance(rows, list) else ""
    data = base64.b64encode(rows if isinstance(rows, bytes) else text.encode()).decode()
    return {"name": name, "data": f"data:application/octet-stream;base64,{data}"}


def table(n: int = 2, **further: Any) -> list[dict[str, Any]]:
    return [{"source": f"Source {i}.", "prediction": HOSTILE, **further} for i in range(n)]


def test_it_begins_with_the_first_pair(desk: Desk) -> None:
    longest = max(len(pair.prediction) for pair in PAIRS)
    assert desk.start(ANN) == {
        "name": "Ann",
        "part": "pairs",
        "n": 3,
        "next": 0,
        "labels": {},
        "longest": longest,
    }


def test_texts_are_marked_and_escaped(desk: Desk) -> None:
    found = desk.pair({**ANN, "part": "pairs", "row": 1})
    assert found["source"] == 'The <del class="r">feline</del> sat 1.'
    assert found["prediction"].startswith('The <ins class="r">cat</ins> sat 1.')
    assert "&lt;script&gt;" in found["prediction"]
    assert "<script" not in found["prediction"]
    assert "<img" not in found["prediction"]


def test_answers_are_kept_and_gone_on_with(desk: Desk, tmp_path: Path) -> None:
    assert answer(desk, 0, 0, 1, 2) == {"kept": True}
    answer(desk, 1, 0, None, None)
    again = Desk(Task(PAIRS, tmp_path)).start(ANN)
    assert again["next"] == 1
    assert again["labels"] == {"0": [0, 1, 2], "1": [0, None, None]}
    json.dumps(again)  # as Gradio sends it


def test_annotators_dont_mix_however_they_answer(desk: Desk) -> None:
    names = [f"annotator {i}" for i in range(6)]

    def work(i: int) -> None:
        for row in (2, 0, 1):
            answer(desk, row, i % 3, row % 3, 0, name=names[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i, name in enumerate(names):
        found = desk.start({"name": name})
        assert found["labels"] == {str(row): [i % 3, row % 3, 0] for row in range(3)}
        assert found["next"] is None


def test_the_download_is_what_is_merged(desk: Desk, tmp_path: Path) -> None:
    answer(desk, 0, 0, 1, 2)
    answer(desk, 0, -1, -1, -1)
    found = desk.download(ANN)
    assert found["file"] == "ann.jsonl"
    saved = tmp_path / "saved.jsonl"
    saved.write_text(found["text"], encoding="utf-8")
    (row,) = annotation.merge([saved])
    assert (row["id"], row["system"], row["source"]) == (0, "A", PAIRS[0].source)
    assert [row[name] for name in CATEGORIES] == [[-1]] * 3


def test_the_download_for_a_spreadsheet_has_the_same_answers(desk: Desk) -> None:
    answer(desk, 0, 0, 1, 2)
    found = desk.download({**ANN, "csv": True})
    assert (found["file"], found["kind"]) == ("ann.csv", "text/csv")
    (row,) = csv.DictReader(io.StringIO(found["text"]))
    assert row["source"] == PAIRS[0].source
    assert [row[name] for name in CATEGORIES] == ["0", "1", "2"]
    assert desk.download({"name": "Bob", "csv": True})["text"] == ""


def test_the_download_for_a_spreadsheet_has_no_formulas(tmp_path: Path) -> None:
    desk = Desk(Task([Pair(0, "A", "=1+1", "@SUM(A1)")], tmp_path))
    answer(desk, 0, 0, 0, 0)
    (row,) = csv.DictReader(io.StringIO(desk.download({**ANN, "csv": True})["text"]))
    assert (row["source"], row["prediction"]) == ("'=1+1", "'@SUM(A1)")


def test_an_answer_counts_only_for_the_texts_that_were_shown(desk: Desk, tmp_path: Path) -> None:
    """A page may be open while the server starts again with other pairs, or in another order."""
    asked = {**ANN, "part": "pairs", "row": 0}
    seen = desk.pair(asked)["seen"]
    turned = Desk(Task(PAIRS[::-1], tmp_path))
    assert turned.answer({**asked, "labels": [0, 0, 0], "seen": seen}) == {"kept": False}
    assert turned.start(ANN)["labels"] == {}


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda d: d.start({}), "name of the annotator"),
        (lambda d: d.start({"name": "../x"}), "name of the annotator"),
        (lambda d: d.pair({**ANN, "part": "pairs", "row": 3}), "row: expected one of 3"),
        (lambda d: d.pair({**ANN, "part": "pairs", "row": "0"}), "row: expected one of 3"),
        (lambda d: d.pair({**ANN, "part": "x", "row": 0}), "part: expected one of"),
        (lambda d: answer(d, 0, 0, 1), "labels: expected one of each category"),
        (lambda d: answer(d, 0, 0, 1, 5), "substitution: expected 0, 1, 2, -1 or null"),
        (lambda d: answer(d, 9, 0, 1, 0), "row: expected one of 3"),
        (lambda d: d.answer({**ANN, "part": "pairs", "row": 9, "labels": [0] * 3}), "row: expec"),
        (lambda d: d.answer({**ANN, "part": "pairs"}), "labels: expected one of each"),
        (lambda d: d.load({"pairs": file(table())}), "this page has its pairs already"),
    ],
)
def test_messages_that_make_no_sense_are_told(desk: Desk, ask: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ask(desk)


# Qualification


def test_known_pairs_come_first_and_the_share_right_is_told(qualifying: Desk) -> None:
    assert qualifying.start(ANN)["part"] == "qualification"
    answer(qualifying, 0, 0, 0, 1, part="qualification")
    assert "result" not in qualifying.start(ANN)
    answer(qualifying, 1, 1, 0, 2, part="qualification")
    result = qualifying.start(ANN)["result"]
    assert result == {"right": 4, "of": 5, "asked": 0.75, "enough": True}
    answer(qualifying, 1, 1, 0, 0, part="qualification")
    result = qualifying.start(ANN)["result"]
    assert result == {"right": 3, "of": 5, "asked": 0.75, "enough": False}


def test_answers_to_known_pairs_are_kept_apart(qualifying: Desk, tmp_path: Path) -> None:
    answer(qualifying, 0, 0, 0, 1, part="qualification")
    assert qualifying.download(ANN)["text"] == ""
    assert [path.name for path in tmp_path.glob("*.jsonl")] == []
    assert (tmp_path / "qualification" / "ann.jsonl").exists()
    assert qualifying.start({**ANN, "skip": True})["labels"] == {}


def test_who_has_begun_isnt_asked_to_qualify_again(qualifying: Desk) -> None:
    for row in range(2):
        answer(qualifying, row, 0, 0, 0, part="qualification")
    assert qualifying.start({**ANN, "skip": True})["part"] == "pairs"
    answer(qualifying, 0, 0, 0, 0)
    assert qualifying.start(ANN)["part"] == "pairs"


def test_the_page_never_has_the_known_labels(qualifying: Desk) -> None:
    sent = [qualifying.start(ANN), qualifying.pair({**ANN, "part": "qualification", "row": 1})]
    assert set(sent[0]) == {"name", "part", "n", "next", "labels", "longest"}
    assert set(sent[1]) == {"source", "prediction", "seen"}


# Uploads


def test_the_same_files_have_the_same_key_whatever_they_are_called(tmp_path: Path) -> None:
    keys = []
    for folder, name in (("a", "x.jsonl"), ("b", "y.jsonl")):
        found = Desk(folder=tmp_path / folder).load({"pairs": file(table(), name)})
        keys.append(found["key"])
    other = Desk(folder=tmp_path / "a").load({"pairs": file(table(3))})["key"]
    known = {"qualification": file(table(1, insertion=0, deletion=1, substitution=2))}
    with_known = Desk(folder=tmp_path / "a").load({"pairs": file(table()), **known})["key"]
    assert keys[0] == keys[1]
    assert len({keys[0], other, with_known}) == 3


def test_uploads_and_answers_outlive_the_server(tmp_path: Path) -> None:
    who = {**ANN, **Desk(folder=tmp_path).load({"pairs": file(table())})}
    answer(Desk(folder=tmp_path), 0, 0, 0, 1, **who)
    found = Desk(folder=tmp_path).start(who)
    assert found["labels"] == {"0": [0, 0, 1]}
    assert Desk(folder=tmp_path).load({"pairs": file(table())}) == {"key": who["key"]}
    assert Desk(folder=tmp_path).start(who)["labels"] == {"0": [0, 0, 1]}


def test_uploads_of_different_files_dont_mix() -> None:
    desk = Desk()
    one = {**ANN, **desk.load({"pairs": file(table(2))})}
    two = {**ANN, **desk.load({"pairs": file(table(3))})}
    answer(desk, 0, 0, 0, 1, **one)
    answer(desk, 0, 2, 2, 2, **two)
    assert desk.start(one)["labels"] == {"0": [0, 0, 1]}
    assert desk.start(two)["labels"] == {"0": [2, 2, 2]}


def test_uploads_may_be_csv_and_bring_known_pairs() -> None:
    known = file(b"source,prediction,insertion,deletion,substitution\na,b,0,1,\n", "known.csv")
    desk = Desk()
    who = {**ANN, **desk.load({"pairs": file(table()), "qualification": known})}
    assert desk.start(who)["part"] == "qualification"
    answer(desk, 0, 0, 2, 2, part="qualification", **who)
    assert desk.start(who)["result"]["of"] == 2


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "^choose a file first$"),
        ({"pairs": "x"}, "^pairs: expected a file, got str"),
        ({"pairs": file([], "x.parquet")}, r"^x.parquet: expected a table \(.jsonl"),
        ({"pairs": {"name": "x.jsonl", "data": "data:;base64,!"}}, "^x.jsonl: expected a data URL"),
        ({"pairs": file(b"\xff", "x.jsonl")}, "^x.jsonl, line 1: expected UTF-8"),
        (
            {"pairs": file([{"source": "a"}], "../../x.jsonl")},
            "^x.jsonl has no column 'prediction'",
        ),
        ({"pairs": file(table(), "a\0b.jsonl")}, "^pairs: expected a file with another name"),
        ({"pairs": file(table(), "x" * 300 + ".jsonl")}, "^pairs: expected a file with another"),
        ({"pairs": file(table(2001))}, "^expected at most 2,000 rows"),
        ({"pairs": file(table()), "qualification": file(table())}, "no column 'insertion'"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_without_the_servers_folders(
    asked: Any, message: str
) -> None:
    with pytest.raises(InputError, match=message) as error:
        Desk().load(asked)
    assert "textsimp-" not in str(error.value)


@pytest.mark.parametrize("key", [None, "", "..", "../../etc", "0" * 15, "0" * 17, 5, "A" * 16])
def test_only_keys_name_files_on_the_server(tmp_path: Path, key: Any) -> None:
    with pytest.raises(InputError, match="choose a file first"):
        Desk(folder=tmp_path).start({**ANN, "key": key})


def test_a_key_of_a_server_that_lost_its_files_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="aren't on this server any more: choose the file again"):
        Desk(folder=tmp_path).start({**ANN, "key": "0" * 16})


def test_there_is_room_for_so_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "_SETS", 2)
    desk = Desk(folder=tmp_path)
    for n in (1, 2):
        desk.load({"pairs": file(table(n))})
    with pytest.raises(InputError, match="no room for more files"):
        desk.load({"pairs": file(table(3))})
    desk.load({"pairs": file(table(2))})  # is there


# The sheet


def test_the_sheet_shows_the_whole_scheme_with_its_keys() -> None:
    made = sheet.page(uploads=False, name="Ann", kept=True)
    for examples in (*scheme.EXAMPLES.values(), scheme.GIBBERISH_EXAMPLES):
        assert all(example.why in made for example in examples)
    for name in CATEGORIES:
        assert f"<kbd>{name[0].upper()}</kbd> <b>{name.capitalize()}</b>" in made
    assert made.count('data-level="1"') == 3
    assert 'type="file"' not in made
    assert "until it restarts" not in made
    assert "until it restarts" in sheet.page(uploads=True, name="", kept=False)
    assert HOSTILE not in sheet.page(uploads=False, name=HOSTILE, kept=True)
