"""Files and datasets as columns; files written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.corpora import files


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
    assert files.read_lines(file(contents)) == ["one", "two"]


def test_only_a_line_feed_ends_a_line(file: Any) -> None:
    text = "a\u2028b\u0085c\x0cd\re\x1cf"
    assert files.read_lines(file(f"{text}\nx\n")) == [text, "x"]


LINES = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]))


@given(st.lists(LINES, min_size=1), st.booleans())
def test_lines_are_read_as_they_were_written(lines: list[str], ended: bool) -> None:
    text = "\n".join(lines) + "\n" * (ended or not lines[-1])
    assume(not text.startswith("\ufeff"))
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(text.encode())
        file.flush()
        assert files.read_lines(file.name) == lines


@given(st.binary(max_size=30))
def test_any_bytes_are_lines_or_an_input_error(contents: bytes) -> None:
    for suffix in (".txt", ".jsonl", ".csv", ".parquet"):
        with tempfile.NamedTemporaryFile(suffix=suffix) as file:
            file.write(contents)
            file.flush()
            with contextlib.suppress(InputError):
                if suffix == ".txt":
                    assert files.read_lines(file.name)
                else:
                    assert files.read_table(file.name).names is not None


def test_empty_lines_are_texts(file: Any) -> None:
    assert files.read_lines(file("\na\n\n")) == ["", "a", ""]
    assert files.read_lines(file("\n")) == [""]


def test_windows_line_endings_are_taken_off(file: Any) -> None:
    assert files.read_lines(file("a\r\nb\r\n")) == ["a", "b"]
    assert files.read_lines(file("a\r\n\r\nb")) == ["a", "", "b"]


def test_mixed_line_endings_are_told_with_a_line_of_each(file: Any) -> None:
    with pytest.raises(InputError, match=r"a\.txt, line 2 ends with a carriage return .* line 1"):
        files.read_lines(file("a\nb\r\nc\n"))


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
        files.read_lines(file(contents))


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.txt: no such file"):
        files.read_lines(tmp_path / "gone.txt")
    with pytest.raises(InputError, match="is a folder: expected a file"):
        files.read_lines(tmp_path)
    with pytest.raises(InputError, match="can't be read"):
        files.read_lines("a\0b")


# Tables

ROWS = [{"source": "a, b", "references": ["x", "y"]}, {"source": 'c\n"d"', "references": ["z"]}]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=5,
)
JSON = "".join(json.dumps(row) + "\n" for row in ROWS)


def test_jsonl_and_parquet_give_the_same_columns(file: Any, tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    for path in (file(JSON, "a.jsonl"), str(tmp_path / "a.parquet")):
        table = files.read_table(path)
        assert table.names == ["source", "references"]
        for name in table.names:
            assert table.column(name) == [row[name] for row in ROWS]


@pytest.mark.parametrize(("suffix", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_csv_fields_may_be_quoted_and_long(suffix: str, delimiter: str, file: Any) -> None:
    long = "w " * 100_000
    text = f'id{delimiter}text\n1{delimiter}"a{delimiter}""b""\nc"\n2{delimiter}{long}\n'
    table = files.read_table(file(text, f"a.{suffix}"))
    assert table.column("text") == [f'a{delimiter}"b"\nc', long]
    assert table.column("id") == ["1", "2"]


def test_a_missing_column_is_told_with_those_there_are(file: Any) -> None:
    table = files.read_table(file(JSON, "a.jsonl"))
    with pytest.raises(InputError, match=r"no column 'src' .*; its columns are 'source', 'refer"):
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
        files.read_table(file(contents, name))


def test_a_json_line_that_lacks_the_column_is_told(file: Any) -> None:
    table = files.read_table(file('{"a": 1}\n{"b": 2}\n', "a.jsonl"))
    with pytest.raises(InputError, match=r"a\.jsonl, line 2 has no 'a'; it has 'b'"):
        table.column("a")


def test_json_that_is_nested_too_deeply_is_an_error(file: Any) -> None:
    with pytest.raises(InputError, match="line 1"):
        files.read_table(file("[" * 200_000, "a.jsonl"))


ARRAY = """[
  {"source": "a \\u00e9", "references": ["x", "y"], "n": 1.00},
  {"source": "b", "references": ["z"],
   "n": 2e400}
]
"""


def test_a_json_file_may_be_an_array_of_objects(file: Any) -> None:
    table = files.read_table(file(ARRAY, "a.json"))
    assert table.names == ["source", "references", "n"]
    assert table.column("source") == ["a é", "b"]
    assert table.column("references") == [["x", "y"], ["z"]]
    assert files.read_table(file(f"\ufeff \n{ARRAY}", "b.json")).column("source") == ["a é", "b"]


def test_a_json_file_may_be_json_lines(file: Any) -> None:
    assert files.read_table(file(JSON, "a.json")).column("source") == [r["source"] for r in ROWS]


def test_elements_of_an_array_are_kept_as_they_stand(file: Any) -> None:
    table = files.read_table(file(ARRAY, "a.json"))
    assert table.lines[1] == '{"source": "b", "references": ["z"],\n   "n": 2e400}'
    before, between, after = table.frame
    again = files.read_table(file(before + between.join(table.lines) + after, "b.json"))
    assert again.lines == table.lines


@given(st.lists(st.dictionaries(st.just("a"), JSON_VALUES, min_size=1), min_size=1), st.booleans())
def test_any_array_of_objects_is_read_as_json_reads_it(rows: list[Any], indented: bool) -> None:
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(json.dumps(rows, indent=2 if indented else None).encode())
        file.flush()
        table = files.read_table(file.name)
    assert table.column("a") == [row["a"] for row in rows]
    assert [json.loads(line) for line in table.lines] == rows


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        ("[]", "a.json: expected a JSON array of at least one object, got an empty one"),
        ('[{"a": 1},\n2]', "a.json, line 2: expected a JSON object, got int"),
        ('[{"a": 1}\n{"a": 2}]', "a.json, line 2: bad JSON: expected ',' or ']'"),
        ('[{"a": 1},\n{"a": ]', "a.json, line 2: bad JSON: Expecting value"),
        ('[{"a": 1},\n]', "a.json, line 2: bad JSON: Expecting value"),
        ('[{"a": 1}', "a.json, line 1: bad JSON: expected ',' or ']'"),
        ("[", "a.json, line 1: bad JSON: Expecting value"),
        ('[{"a": 1}]\n\n[]', "a.json, line 3: expected nothing after the JSON array"),
        ('[{"a": ' + "[" * 200_000, "a.json, line 1: bad JSON"),
    ],
)
def test_a_bad_array_is_told_with_its_line(contents: str, message: str, file: Any) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as error:
        files.read_table(file(contents, "a.json"))
    assert "\n" not in str(error.value)


def test_an_element_that_lacks_the_column_is_told(file: Any) -> None:
    table = files.read_table(file('[{"a": 1}, {"b": 2}]', "a.json"))
    with pytest.raises(InputError, match=r"a\.json, element 2 has no 'a'; it has 'b'"):
        table.column("a")


CELLS = st.text(st.sampled_from("ab ,\t\"\n\r'é"), max_size=6)


@given(
    st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1),
    st.sampled_from([",", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_rows_of_csv_are_kept_as_they_stand(
    rows: list[list[str]], delimiter: str, ending: str, ended: bool
) -> None:
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"'

    lines = [delimiter.join(map(quoted, row)) for row in rows]
    text = ending.join([f"x{delimiter}y", *lines]) + ending * ended
    with tempfile.NamedTemporaryFile(suffix=".csv" if delimiter == "," else ".tsv") as file:
        file.write(text.encode())
        file.flush()
        table = files.read_table(file.name)
    assert table.lines == lines
    assert table.frame == (f"x{delimiter}y{ending}", ending, ending)
    assert list(zip(*map(table.column, "xy"), strict=True)) == [tuple(row) for row in rows]


def test_two_parquet_columns_of_one_name_are_told(tmp_path: Path) -> None:
    table = pa.table([["a"], ["b"], ["c"]], names=["source", "target", "source"])
    pq.write_table(table, tmp_path / "a.parquet")
    message = r"a\.parquet: a column name stands twice in 'source', 'target', 'source'$"
    with pytest.raises(InputError, match=message):
        files.read_table(tmp_path / "a.parquet")


def not_utf8(nested: bool = False) -> Any:
    """An Arrow column whose row 2 isn't UTF-8."""
    texts = pa.array([b"fine", b"\xc3\xa9", b"caf\xe9", b""], pa.binary()).view(pa.string())
    return (
        pa.ListArray.from_arrays(pa.array([0, 1, 2, 3, 4], pa.int32()), texts) if nested else texts
    )


@pytest.mark.parametrize("nested", [False, True])
def test_parquet_that_is_no_utf8_is_told_with_its_row(nested: bool, tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1, 2, 3, 4], "text": not_utf8(nested)}), tmp_path / "a.parquet")
    message = r"row 2 of column 'text' of .*a\.parquet \(counted from 0\): expected UTF-8, got the "
    with pytest.raises(InputError, match=f"{message}byte 0xe9$"):
        files.read_table(tmp_path / "a.parquet")


def test_a_dataset_that_is_no_utf8_is_told(tmp_path: Path) -> None:
    from datasets import Dataset

    Dataset(pa.table({"text": not_utf8()})).save_to_disk(tmp_path / "data")
    table = files.load_dataset(str(tmp_path / "data"))
    with pytest.raises(InputError, match=r"column 'text' of .*data: expected UTF-8, got the byte"):
        table.column("text")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (['["a", "b"]', '["c"]'], [["a", "b"], ["c"]]),
        (['["a"]', "text"], None),
        (['["a"]', "['b']"], None),
        (['["a"]', ""], None),
        (["[1]"], None),
        (['"a"'], None),
        (["[" * 200_000], None),
        ([["a"]], None),
        ([], []),
    ],
)
def test_only_a_column_of_json_lists_of_texts_is_parsed(
    rows: list[Any], expected: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert files.parsed_lists(rows, "column 'r'") == (rows if expected is None else expected)
    told = "column 'r': read as JSON lists of 1 to 2 texts\n" if expected else ""
    assert capsys.readouterr().err == told


# Datasets


def test_a_folder_of_parquet_files_is_a_dataset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "test-00000-of-00001.parquet")
    table = files.load_dataset(str(tmp_path))
    assert table.column("source") == [row["source"] for row in ROWS]
    assert table.column("references") == [row["references"] for row in ROWS]
    with pytest.raises(InputError, match=r"Unknown split .*test"):
        files.load_dataset(str(tmp_path), split="tset")


def test_a_dataset_saved_to_disk_is_a_dataset(tmp_path: Path) -> None:
    from datasets import Dataset, DatasetDict

    data = Dataset.from_list(ROWS)
    data.save_to_disk(tmp_path / "one")
    DatasetDict({"test": data}).save_to_disk(tmp_path / "two")
    for name in ("one", "two"):
        table = files.load_dataset(str(tmp_path / name))
        assert table.column("source") == [row["source"] for row in ROWS]
    with pytest.raises(InputError, match="no split 'train', only 'test'"):
        files.load_dataset(str(tmp_path / "two"), split="train")


def test_a_saved_dataset_has_neither_splits_nor_configurations(tmp_path: Path) -> None:
    from datasets import Dataset

    Dataset.from_list(ROWS).save_to_disk(tmp_path / "one")
    with pytest.raises(InputError, match="one is a saved Dataset, which has no splits: leave out"):
        files.load_dataset(str(tmp_path / "one"), split="test")
    with pytest.raises(InputError, match="one is a saved dataset, which has no configurations"):
        files.load_dataset(str(tmp_path / "one"), config="a")


def test_the_format_that_a_dataset_was_saved_with_makes_no_difference(tmp_path: Path) -> None:
    from datasets import Dataset

    Dataset.from_list(ROWS).with_format("numpy").save_to_disk(tmp_path / "one")
    table = files.load_dataset(str(tmp_path / "one"))
    assert table.column("references") == [row["references"] for row in ROWS]


# Folders of text files


def names(folder: Path) -> list[str]:
    return [path.name for path in files.text_files(folder)]


def test_text_files_are_in_the_order_of_their_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("10.txt", "2.txt", "0.txt"):
        (tmp_path / name).touch()
    assert names(tmp_path) == ["0.txt", "2.txt", "10.txt"]
    assert capsys.readouterr().err == ""


def test_hidden_files_and_folders_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("0.txt", ".hidden.txt", "._0.txt", ".DS_Store", ".txt"):
        (tmp_path / name).touch()
    (tmp_path / "more.txt").mkdir()
    assert names(tmp_path) == ["0.txt"]
    assert capsys.readouterr().err == ""


def test_files_that_are_not_taken_are_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("0.txt", "1.txt", "2.ref", "3.TXT", "READ\nME.md"):
        (tmp_path / name).touch()
    assert names(tmp_path) == ["0.txt", "1.txt"]
    told = "only .txt files are read, 0.txt, 1.txt; not 2.ref, 3.TXT, READ\\nME.md\n"
    assert capsys.readouterr().err == f"{tmp_path}: {told}"


def test_many_files_that_are_not_taken_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("0.txt", *(f"{i}.ref" for i in range(15))):
        (tmp_path / name).touch()
    files.text_files(tmp_path)
    assert capsys.readouterr().err.endswith(
        "; not 0.ref, 1.ref, 2.ref, 3.ref, 4.ref, 5.ref, 6.ref, 7.ref, 8.ref, 9.ref and 5 more\n"
    )


def test_a_folder_without_text_files_is_told_with_what_is_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a folder without \.txt files$"):
        files.text_files(tmp_path)
    for name in ("2.ref", ".hidden.txt"):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"a folder without \.txt files, only 2\.ref$"):
        files.text_files(tmp_path)
    with pytest.raises(InputError, match="gone: no such folder"):
        files.text_files(tmp_path / "gone")


def test_a_link_to_a_file_that_is_gone_is_not_left_out(tmp_path: Path) -> None:
    (tmp_path / "0.txt").touch()
    (tmp_path / "1.txt").symlink_to(tmp_path / "gone")
    assert names(tmp_path) == ["0.txt", "1.txt"]
