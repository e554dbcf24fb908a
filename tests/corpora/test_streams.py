"""Examples of files in pieces: the same as when all are read at once."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.toys import Marked, Parsed
from textsimp import InputError
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.core.examples import Examples
from textsimp.corpora import files
from textsimp.corpora.reading import Readers, Request, Stream, System, read, stream
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari

SARI = {"sari": Sari.columns}
FKGL = {"fkgl": FkglComponents.columns}
REFERRED = {"": [PREDICTIONS, REFERENCES]}
ALL = {"": [*Marked.columns, *Parsed.columns, REFERENCES.optional]}

Rows = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The current directory, one for all examples of a property."""
    before, path = Path.cwd(), tmp_path_factory.mktemp("files")
    os.chdir(path)
    yield path
    os.chdir(before)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 5)


def write(rows: Rows, suffix: str) -> str:
    """In CSV lists and objects are JSON, and None is an empty cell."""
    path = f"table{suffix}"
    if suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=2)
    elif suffix == ".json":
        Path(path).write_text(json.dumps(rows))
    elif suffix == ".jsonl":
        Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        with open(path, "w", newline="", encoding="utf-8", errors="replace") as file:
            writer = csv.DictWriter(file, list(dict.fromkeys(chain(*rows))))
            writer.writeheader()
            for row in rows:
                row = {k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()}
                writer.writerow(row)
    return path


def joined(pieces: Iterator[Examples]) -> Any:
    found = list(pieces)
    return (
        {n: [r for p in found for r in p.shared[n]] for n in found[0].shared},
        {
            system: {n: [r for p in found for r in p.systems[system][n]] for n in own}
            for system, own in found[0].systems.items()
        },
    )


def outcome(request: Request, readers: Readers, **options: Any) -> Any:
    """What pieces are together, or the error."""
    try:
        found = stream(request, readers, **options)
    except InputError as error:
        return str(error)
    assert len(found) == sum(map(len, found.pieces()))
    return joined(found.pieces())


PIECES = st.fixed_dictionaries(
    {"rows": st.integers(1, 3), "keep": st.sampled_from([0, 300, math.inf])}
)
PLAIN = st.sampled_from(["a", "", " ", "b c", "é", "[x]", "[]"])
WRITTEN = st.sampled_from(['["a"]', '["b", "c"]', "[]", "['a']", "[1]"])
LISTS = st.sampled_from([["a"], ["b", "c"], ["[]"], ["['a', 'b']"]])
ANY = PLAIN | WRITTEN | LISTS | st.sampled_from([None, []])
KINDS = st.sampled_from([PLAIN, PLAIN | st.none(), WRITTEN, PLAIN | WRITTEN, LISTS, ANY])


@given(st.data(), st.integers(2, 6), PIECES, st.sampled_from([".jsonl", ".json", ".csv"]))
def test_pieces_together_are_what_is_read_at_once(
    data: st.DataObject, count: int, options: Any, suffix: str
) -> None:
    """Texts or lists, numbered columns, lists in text: whatever all rows decide."""
    names = data.draw(st.sampled_from([["reference"], ["reference 1", "reference 2"]]))
    kinds = {name: data.draw(KINDS) for name in names}
    rows: Rows = [
        {"prediction": f"p{i}"} | {name: data.draw(kind) for name, kind in kinds.items()}
        for i in range(count)
    ]
    request = Request(data=write(rows, suffix))
    found = outcome(request, REFERRED, **options)
    whole = outcome(request, REFERRED)
    assert isinstance(found, str) == isinstance(whole, str), (found, whole)
    if not isinstance(whole, str):
        assert found == whole


GOOD = {
    "source": "s",
    "prediction": "p",
    "references": ["a", "b"],
    "mark": [1, 0],
    "weight": 1.5,
    "trees": [["a"]],
}
WRONG: list[tuple[str, Any]] = [
    ("source", None),
    ("source", 5),
    ("prediction", ["p"]),
    ("prediction", "\ud800"),
    ("references", []),
    ("references", "a"),
    ("references", ["a", None]),
    ("references", ["\udc00"]),
    ("mark", [2]),
    ("weight", "much"),
    ("weight", math.nan),
    ("trees", math.inf),
]


@given(st.integers(1, 6), st.integers(0, 5), st.sampled_from(WRONG), PIECES)
def test_what_is_wrong_is_told_with_its_row_of_all(
    count: int, at: int, wrong: tuple[str, Any], options: Any
) -> None:
    rows = [dict(GOOD) for _ in range(count)]
    rows[at % count] |= dict([wrong])
    request = Request(data=write(rows, ".jsonl"))
    found = outcome(request, ALL, **options)
    assert found == outcome(request, ALL)
    if wrong != ("references", "a") or count > 1:
        told = (
            "row 1 " if wrong == ("references", "a") and at % count == 0 else f"row {at % count} "
        )
        assert told in found


LINES = ["a", "b", "", "['a', 'b']", "é"]


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=6), PIECES, st.integers(1, 9))
def test_text_files_side_by_side_are_what_is_read_at_once(
    lines: list[str], options: Any, block: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", block)
        for i, name in enumerate(("s", "p", "r", "q")):
            texts = [f"{name}{'x' * i * 3}{line}" for line in lines] if i else lines
            Path(f"{name}.txt").write_text("\n".join(texts) + "\n")
        request = Request("s.txt", ["r.txt", "q.txt"], systems=[System("p.txt")])
        found, whole = outcome(request, SARI, **options), outcome(request, SARI)
    assert found == whole
    if not isinstance(whole, str):
        assert whole[0]["sources"] == lines


@pytest.mark.parametrize(
    ("name", "contents", "message"),
    [
        ("a.jsonl", b'{"prediction": "a"}\n' * 3 + b"{", "a.jsonl, line 4: expected a JSON object"),
        (
            "a.jsonl",
            b'{"prediction": "a"}\n' * 3 + b"{}",
            "a.jsonl, line 4 has no 'prediction'; it",
        ),
        ("a.jsonl", b'{"prediction": "a"}\n' * 3 + b"\xff", "a.jsonl, line 4: expected UTF-8, got"),
        ("a.csv", b"prediction,b\na,b\nc,d\ne\n", "a.csv, line 4: expected 2 fields as in the fi"),
        ("a.txt", b"a\nb\nc\n\xff", "a.txt, line 4: expected UTF-8, got the byte 0xff"),
        (
            "a.txt",
            b"a\nb\nc\r\n",
            "a.txt, line 3 ends with a carriage return and a line feed, line 1",
        ),
        (
            "a.txt",
            b"a\r\nb\r\nc\n",
            "a.txt, line 1 ends with a carriage return and a line feed, line",
        ),
        ("a.txt", b"", "a.txt is empty"),
    ],
)
def test_all_is_checked_before_any_example_is_given(
    name: str, contents: bytes, message: str, small_blocks: None
) -> None:
    Path(name).write_bytes(contents)
    with pytest.raises(InputError) as error:
        stream(Request(systems=[System(name)]), FKGL, rows=1, keep=0)
    assert str(error.value).startswith(message)


def test_most_rows_decide_whether_texts_are_lists() -> None:
    """However they are spread over pieces."""
    lists, texts = ["['a', 'b']"] * 3, ["a", "b", "c"]
    Path("a.txt").write_text("\n".join([*lists, *texts]))
    assert len(stream(Request(systems=[System("a.txt")]), FKGL, rows=1)) == 6
    Path("a.txt").write_text("\n".join([*texts, *lists, *lists[:1]]))
    with pytest.raises(InputError, match=r"lists written as text, such as .* in row 3 "):
        stream(Request(systems=[System("a.txt")]), FKGL, rows=1)


@pytest.mark.parametrize("keep", [0, math.inf])
def test_json_lists_in_all_rows_are_parsed_and_noted_once(
    keep: float, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"prediction": "p", "references": f'["{"x" * i}"]'} for i in range(5)]
    found = stream(Request(data=write(rows, ".csv")), REFERRED, rows=2, keep=keep)
    assert found.whole().references == [["x" * i] for i in range(5)]
    assert capsys.readouterr().err == (
        "column 'references' of table.csv: read as JSON lists of 1 text\n"
    )


@pytest.mark.parametrize("keep", [0, math.inf])
def test_texts_that_look_like_json_lists_at_first_are_texts(
    keep: float, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = ["[]", "a", "b", "c"]
    rows = [{"prediction": "p", "references": text} for text in texts]
    found = stream(Request(data=write(rows, ".csv")), REFERRED, rows=1, keep=keep)
    assert found.whole().references == [[text] for text in texts]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("keep", [0, math.inf])
def test_an_empty_list_that_turns_out_to_be_a_text_is_a_reference(keep: float) -> None:
    rows = [{"reference 1": "", "reference 2": "[]"}, {"reference 1": "a", "reference 2": "b"}]
    request = Request(data=write([{"prediction": "p", **row} for row in rows], ".csv"))
    found = stream(request, REFERRED, rows=1, keep=keep)
    assert found.whole().references == [["[]"], ["a", "b"]]
    write([{"prediction": "p", **rows[0]}] * 2, ".csv")
    with pytest.raises(InputError, match=r"^row 0 of .* expected at least one reference, got an e"):
        stream(request, REFERRED, rows=1, keep=keep)


def test_none_is_an_empty_cell_of_texts_but_no_list() -> None:
    rows = [{"prediction": "p", "reference 1": ["a"], "reference 2": ["b"]} for _ in range(2)]
    rows[1]["reference 2"] = None  # type: ignore[assignment]
    message = r"^row 1 of column 'reference 2' .* expected a list of strings as in row 0, got None$"
    with pytest.raises(InputError, match=message):
        stream(Request(data=write(rows, ".jsonl")), REFERRED, rows=1)


# Pieces


def pairs(count: int, suffix: str = ".jsonl") -> str:
    return write([{"prediction": f"p{i}", "source": f"s{i}"} for i in range(count)], suffix)


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_pieces_have_at_most_so_many_rows_in_order(suffix: str) -> None:
    found = stream(Request(data=pairs(10, suffix)), FKGL, rows=4, keep=0)
    assert (len(found), list(found.systems), list(found.shared)) == (10, ["table"], ["sources"])
    pieces = list(found.pieces())
    assert [p for piece in pieces for p in piece.predictions("table")] == [
        f"p{i}" for i in range(10)
    ]
    assert max(map(len, pieces)) <= 4


def test_a_dataset_is_read_in_slices() -> None:
    from datasets import Dataset

    rows = [{**GOOD, "prediction": f"p{i}"} for i in range(10)]
    Dataset.from_list(rows).save_to_disk("data")
    found = stream(Request(data="data"), ALL, rows=4, keep=0)
    assert list(map(len, found.pieces())) == [4, 4, 2]
    assert joined(found.pieces()) == outcome(
        Request(data=write(rows, ".jsonl"), systems=[System(column="prediction", name="data")]), ALL
    )


def test_files_of_other_formats_are_read_side_by_side() -> None:
    Path("source.txt").write_text("".join(f"s{i}\n" for i in range(7)))
    Path("0.txt").write_text("".join(f"r{i}\n" for i in range(7)))
    write([{"prediction": f"p{i}"} for i in range(7)], ".parquet")
    systems = [System("table.parquet", name="x"), System(write([{"prediction": "q"}] * 7, ".csv"))]
    request = Request("source.txt", ["0.txt"], systems=systems)
    for piece in (found := stream(request, SARI, rows=3, keep=0)).pieces():
        assert [s[1:] for s in piece.sources or ()] == [p[1:] for p in piece.predictions("x")]
    assert len(found) == 7


def test_a_test_set_is_given_in_pieces() -> None:
    Path("set/references").mkdir(parents=True)
    for name in ("set/source.txt", "set/references/0.txt", "p.txt"):
        Path(name).write_text("a\nb\nc\n")
    request = Request(test_set="set", systems=[System("p.txt")])
    found = stream(request, SARI, rows=2, keep=0)
    assert list(map(len, found.pieces())) == [2, 1]
    assert joined(found.pieces())[0] == {
        "sources": ["a", "b", "c"],
        "references": [["a"], ["b"], ["c"]],
    }


def test_structured_columns_of_files_are_given_in_pieces() -> None:
    Path("p.txt").write_text("a\nb\nc\n")
    Path("trees.txt").write_text("a\nb\nc\n")
    request = Request(data=write([{"prediction": "p"}] * 3, ".csv"), files={"trees": "trees.txt"})
    shared = {"": [PREDICTIONS, PARSED_FILE]}
    found = stream(request, shared, rows=2, keep=0)
    assert [piece.shared["trees"] for piece in found.pieces()] == [["a", "b"], ["c"]]


def _same(row: Any, where: str) -> Any:
    return row


PARSED_FILE = type(SOURCES)("trees", "structured", "trees", read=_same)


@pytest.mark.parametrize("keep", [0, math.inf])
def test_pieces_may_be_read_again_and_by_two_at_once(keep: float, monkeypatch: Any) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(pairs(5)).read_bytes())))
    found = stream(Request(data="-"), FKGL, rows=2, keep=keep)
    for one, other in zip(found.pieces(), found.pieces(), strict=True):
        assert one.systems == other.systems
    assert joined(found.pieces()) == joined(found.pieces())


def test_a_pipe_is_copied_to_be_read_twice(small_blocks: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(files, "COPIED", 10)
    contents = Path(pairs(20)).read_bytes()
    os.mkfifo("pipe.jsonl")
    thread = threading.Thread(target=lambda: Path("pipe.jsonl").write_bytes(contents))
    thread.start()
    told: list[tuple[int, int]] = []
    request = Request(data="pipe.jsonl")
    found = stream(request, FKGL, rows=3, keep=0, progress=lambda *both: told.append(both))
    thread.join()
    assert told[-1] == (len(contents), len(contents))
    whole = found.whole()
    assert whole.predictions("pipe") == [f"p{i}" for i in range(20)]


def test_what_is_small_is_not_read_twice() -> None:
    path = pairs(5)
    kept, not_kept = (stream(Request(data=path), FKGL, rows=2, keep=k) for k in (10_000, 100))
    os.remove(path)
    assert len(kept.whole()) == 5
    with pytest.raises(InputError, match="no such file"):
        not_kept.whole()


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_a_file_that_changes_is_told(suffix: str) -> None:
    found = stream(Request(data=pairs(5, suffix)), FKGL, rows=2, keep=0)
    write([{"prediction": "another", "source": "another"}] * 5, suffix)
    with pytest.raises(InputError, match=f"^table{suffix} changed while it was read"):
        list(found.pieces())


@pytest.mark.parametrize("contents", ["ab\nc\nde\n", "abcdefg\n"])
def test_a_file_that_has_other_rows_now_is_told_even_if_it_seems_the_same(contents: str) -> None:
    Path("a.txt").write_text("a\nb\nc\nd\n")
    Path("b.txt").write_text("a\nb\nc\nd\n")
    state = os.stat("a.txt")
    systems = [System("a.txt"), System("b.txt")]
    found = stream(Request(systems=systems), FKGL, rows=2, keep=0)
    Path("a.txt").write_text(contents)
    os.utime("a.txt", ns=(state.st_atime_ns, state.st_mtime_ns))
    with pytest.raises(InputError, match=r"^a\.txt changed while it was read"):
        list(found.pieces())


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_no_file_stays_open_when_reading_is_broken_off(suffix: str, small_blocks: None) -> None:
    path = pairs(50, suffix)

    def opened() -> list[str]:
        links = (f"/dev/fd/{name}" for name in os.listdir("/dev/fd"))
        return [link for link in links if os.path.exists(link) and os.path.samefile(link, path)]

    pieces = stream(Request(data=path), FKGL, rows=2, keep=0).pieces()
    next(pieces)
    del pieces
    assert opened() == []


def test_progress_is_told_in_bytes_of_all_files() -> None:
    path = pairs(20)
    Path("source.txt").write_text("s\n" * 20)
    told: list[tuple[int, int]] = []
    request = Request("source.txt", data=path)
    stream(request, FKGL, rows=5, keep=0, progress=lambda *both: told.append(both))
    total = os.path.getsize(path) + os.path.getsize("source.txt")
    assert {of for _, of in told} == {total}
    done = [bytes for bytes, _ in told]
    assert done == sorted(done)
    assert done[-1] == total


@pytest.mark.parametrize("suffix", [".txt", ".jsonl", ".csv"])
def test_memory_is_that_of_pieces(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 2**14)
    text, count = "word " * 100, 10_000
    rows = [{"prediction": text}] * count
    path = "a.txt" if suffix == ".txt" else write(rows, suffix)
    if suffix == ".txt":
        Path(path).write_text(f"{text}\n" * count)
    tracemalloc.start()
    found = stream(Request(systems=[System(path)]), FKGL, rows=100, keep=2**16)
    assert sum(map(len, found.pieces())) == count
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < os.path.getsize(path) / 5


def test_read_is_all_pieces_of_one_reading() -> None:
    request = Request(data=pairs(5))
    found = stream(request, FKGL, rows=2)
    assert isinstance(found, Stream)
    assert (found.whole().shared, found.whole().systems) == (
        read(request, FKGL).shared,
        read(request, FKGL).systems,
    )
