"""Files and datasets as columns; files written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textsimp import InputError, inputs


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def write(contents: bytes | str, name: str = "a.txt") -> str:
        path = tmp_path / name
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return str(path)

    return write


# Text files


@pytest.mark.parametrize("contents", ["one\ntwo\n", "one\ntwo", "\ufeffone\ntwo\n"])
def test_a_final_line_feed_and_a_byte_order_mark_make_no_difference(
    contents: str, file: Any
) -> None:
    assert inputs.read_lines(file(contents)) == ["one", "two"]


def test_only_a_line_feed_ends_a_line(file: Any) -> None:
    text = "a\u2028b\u0085c\x0cd\re\x1cf"
    assert inputs.read_lines(file(f"{text}\nx\n")) == [text, "x"]


LINES = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]))


@given(st.lists(LINES, min_size=1), st.booleans())
def test_lines_are_read_as_they_were_written(lines: list[str], ended: bool) -> None:
    text = "\n".join(lines) + "\n" * (ended or not lines[-1])
    assume(not text.startswith("\ufeff"))
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(text.encode())
        file.flush()
        assert inputs.read_lines(file.name) == lines


@given(st.binary(max_size=30))
def test_any_bytes_are_lines_or_an_input_error(contents: bytes) -> None:
    for suffix in (".txt", ".jsonl", ".csv", ".parquet"):
        with tempfile.NamedTemporaryFile(suffix=suffix) as file:
            file.write(contents)
            file.flush()
            with contextlib.suppress(InputError):
                if suffix == ".txt":
                    assert inputs.read_lines(file.name)
                else:
                    assert inputs.read_table(file.name).names is not None


def test_empty_lines_are_texts(file: Any) -> None:
    assert inputs.read_lines(file("\na\n\n")) == ["", "a", ""]
    assert inputs.read_lines(file("\n")) == [""]


def test_windows_line_endings_are_taken_off(file: Any) -> None:
    assert inputs.read_lines(file("a\r\nb\r\n")) == ["a", "b"]
    assert inputs.read_lines(file("a\r\n\r\nb")) == ["a", "", "b"]


def test_mixed_line_endings_are_told_with_a_line_of_each(file: Any) -> None:
    with pytest.raises(InputError, match=r"a\.txt, line 2 ends with a carriage return .* line 1"):
        inputs.read_lines(file("a\nb\r\nc\n"))


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "a.txt is empty"),
        (b"a\nb\n\xe4\n", "a.txt, line 3: expected UTF-8, got the byte 0xe4"),
        ("a\n".encode("utf-16"), "a.txt, line 1: expected UTF-8, got the byte 0xff"),
    ],
)
def test_a_file_that_is_no_text_is_told_with_its_line(
    contents: bytes, message: str, file: Any
) -> None:
    with pytest.raises(InputError, match=message):
        inputs.read_lines(file(contents))


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.txt: no such file"):
        inputs.read_lines(tmp_path / "gone.txt")
    with pytest.raises(InputError, match="is a folder: expected a file"):
        inputs.read_lines(tmp_path)
    with pytest.raises(InputError, match="can't be read"):
        inputs.read_lines("a\0b")


# Tables

ROWS = [{"source": "a, b", "references": ["x", "y"]}, {"source": 'c\n"d"', "references": ["z"]}]
JSON = "".join(json.dumps(row) + "\n" for row in ROWS)


def test_jsonl_and_parquet_give_the_same_columns(file: Any, tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    for path in (file(JSON, "a.jsonl"), str(tmp_path / "a.parquet")):
        table = inputs.read_table(path)
        assert table.names == ["source", "references"]
        for name in table.names:
            assert table.column(name) == [row[name] for row in ROWS]


@pytest.mark.parametrize(("suffix", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_csv_fields_may_be_quoted_and_long(suffix: str, delimiter: str, file: Any) -> None:
    long = "w " * 100_000
    text = f'id{delimiter}text\n1{delimiter}"a{delimiter}""b""\nc"\n2{delimiter}{long}\n'
    table = inputs.read_table(file(text, f"a.{suffix}"))
    assert table.column("text") == [f'a{delimiter}"b"\nc', long]
    assert table.column("id") == ["1", "2"]


def test_a_missing_column_is_told_with_those_there_are(file: Any) -> None:
    table = inputs.read_table(file(JSON, "a.jsonl"))
    with pytest.raises(InputError, match=r"no column 'src'; its columns are 'source', 'refer"):
        table.column("src")


@pytest.mark.parametrize(
    ("name", "contents", "message"),
    [
        ("a.jsonl", '{"a": 1}\n{"a": 2', "a.jsonl, line 2: expected a JSON object, got bad JSON"),
        ("a.jsonl", '{"a": 1}\n\n{"a": 2}', "line 2: expected a JSON object, got an empty line"),
        ("a.jsonl", '[{"a": 1}]', "line 1: expected a JSON object, got list"),
        ("a.csv", "a,b\n1,2\n3\n", "a.csv, line 3: expected 2 fields as in the first line, got 1"),
        ("a.csv", 'a\n"1\n', "a.csv, line 2: bad CSV"),
        ("a.csv", "a,b\n", "expected a line of column names and at least one more"),
        ("a.csv", "a,a\n1,2\n", "a column name stands twice"),
        ("a.parquet", "PAR1", "not a parquet file"),
        ("a.xlsx", "", "expected a file whose name ends with .jsonl"),
    ],
)
def test_a_bad_table_is_told_with_its_line(
    name: str, contents: str, message: str, file: Any
) -> None:
    with pytest.raises(InputError, match=message.replace(".", r"\.").replace("[", r"\[")):
        inputs.read_table(file(contents, name))


def test_a_json_line_that_lacks_the_column_is_told(file: Any) -> None:
    table = inputs.read_table(file('{"a": 1}\n{"b": 2}\n', "a.jsonl"))
    with pytest.raises(InputError, match=r"a\.jsonl, line 2 has no 'a'; it has 'b'"):
        table.column("a")


def test_json_that_is_nested_too_deeply_is_an_error(file: Any) -> None:
    with pytest.raises(InputError, match="line 1"):
        inputs.read_table(file("[" * 200_000, "a.jsonl"))


# Datasets


def test_a_folder_of_parquet_files_is_a_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "test-00000-of-00001.parquet")
    table = inputs.load_dataset(str(tmp_path))
    assert table.column("source") == [row["source"] for row in ROWS]
    assert table.column("references") == [row["references"] for row in ROWS]
    with pytest.raises(InputError, match=r"Unknown split .*test"):
        inputs.load_dataset(str(tmp_path), split="tset")


def test_a_dataset_saved_to_disk_is_a_dataset(tmp_path: Path) -> None:
    from datasets import Dataset, DatasetDict

    data = Dataset.from_list(ROWS)
    data.save_to_disk(tmp_path / "one")
    DatasetDict({"test": data}).save_to_disk(tmp_path / "two")
    for name in ("one", "two"):
        table = inputs.load_dataset(str(tmp_path / name))
        assert table.column("source") == [row["source"] for row in ROWS]
    with pytest.raises(InputError, match="no split 'train', only 'test'"):
        inputs.load_dataset(str(tmp_path / "two"), split="train")


# Writing


def test_files_are_written_with_their_folders(tmp_path: Path) -> None:
    paths = [tmp_path / "new" / name for name in ("a", "b")]
    inputs.write_files({path: lambda file: file.write(b"x") for path in paths})
    assert [path.read_bytes() for path in paths] == [b"x", b"x"]
    assert len(list((tmp_path / "new").iterdir())) == 2


def test_a_file_that_is_there_already_is_overwritten_only_if_told_to(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    files = {path: lambda file: file.write(b"x") for path in (new, old)}
    with pytest.raises(InputError, match="old is there already: --force overwrites it"):
        inputs.write_files(files)
    assert old.read_text() == "old"
    assert not new.exists()
    inputs.write_files(files, overwrite=True)
    assert old.read_text() == "x"


def test_when_one_file_fails_none_appears(tmp_path: Path) -> None:
    def fail(file: Any) -> None:
        file.write(b"half")
        raise OSError(28, "No space left on device")

    files = {tmp_path / "a": lambda file: file.write(b"x"), tmp_path / "b": fail}
    with pytest.raises(InputError, match="b can't be written: No space left on device"):
        inputs.write_files(files)
    assert list(tmp_path.iterdir()) == []


def test_text_files_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("10.txt", "2.txt", "0.txt", "notes.md"):
        (tmp_path / name).touch()
    assert [path.stem for path in inputs.text_files(tmp_path)] == ["0", "2", "10"]
