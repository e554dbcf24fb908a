"""Text files, and folders of them."""

import contextlib
import tempfile

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.corpora import files


@pytest.mark.parametrize(
    ("contents", "lines"),
    [
        ("one\ntwo\n", ["one", "two"]),
        pytest.param("one\ntwo", ["one", "two"], id="no final line feed"),
        pytest.param("\ufeffone\ntwo\n", ["one", "two"], id="byte order mark"),
        pytest.param("\na\n\n", ["", "a", ""], id="empty lines"),
        pytest.param("\n", [""], id="an empty line"),
        pytest.param("a\r\n\r\nb\r\n", ["a", "", "b"], id="Windows"),
        pytest.param("a\r\n\r\nb", ["a", "", "b"], id="Windows, no final line feed"),
        pytest.param("a\u2028b\x0cd\re\x1cf\n", ["a\u2028b\x0cd\re\x1cf"], id="no other ends"),
    ],
)
def test_a_line_feed_ends_a_line(contents, lines, file):
    assert files.read_lines(file(contents)) == lines


LINES = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]))


@given(st.lists(LINES, min_size=1), st.booleans())
def test_lines_are_read_as_they_were_written(lines, ended):
    text = "\n".join(lines) + "\n" * (ended or not lines[-1])
    assume(not text.startswith("\ufeff"))
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(text.encode())
        file.flush()
        assert files.read_lines(file.name) == lines


@given(st.binary(max_size=30))
def test_any_bytes_are_lines_or_an_input_error(contents):
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(contents)
        file.flush()
        with contextlib.suppress(InputError):
            assert files.read_lines(file.name)


MIXED = r"a\.txt, line 2 ends with a carriage return .* line 1"


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"", "a.txt is empty"),
        (b"a\nb\n\xe4\n", "a.txt, line 3: expected UTF-8, got the byte 0xe4"),
        ("a\n".encode("utf-16"), "a.txt, line 1: expected UTF-8, got the byte 0xff"),
        ("a\nb\r\nc\n", MIXED),
        ("a\nb\r\n", MIXED),  # one of each kind would be a line for either
    ],
)
def test_a_file_that_is_no_text_is_told_with_its_line(contents, message, file):
    with pytest.raises(InputError, match=message):
        files.read_lines(file(contents))


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    with pytest.raises(InputError, match=r"gone\.txt: no such file"):
        files.read_lines(tmp_path / "gone.txt")
    with pytest.raises(InputError, match="is a folder: "):
        files.read_lines(tmp_path)
    with pytest.raises(InputError, match="can't be read"):
        files.read_lines("a\0b")


# Folders of text files


def names(folder):
    return [path.name for path in files.text_files(folder)]


def test_text_files_are_in_the_order_of_their_numbers(tmp_path, capsys):
    for name in ("10.txt", "2.txt", "0.txt"):
        (tmp_path / name).touch()
    assert names(tmp_path) == ["0.txt", "2.txt", "10.txt"]
    assert capsys.readouterr().err == ""


def test_hidden_files_and_folders_do_not_count(tmp_path, capsys):
    for name in ("0.txt", ".hidden.txt", "._0.txt", ".DS_Store", ".txt"):
        (tmp_path / name).touch()
    (tmp_path / "more.txt").mkdir()
    assert names(tmp_path) == ["0.txt"]
    assert capsys.readouterr().err == ""


def test_files_that_are_not_taken_are_told_in_a_line(tmp_path, capsys):
    for name in ("0.txt", "1.txt", "2.ref", "3.TXT", "READ\nME.md"):
        (tmp_path / name).touch()
    assert names(tmp_path) == ["0.txt", "1.txt"]
    told = "only .txt files are read, 0.txt, 1.txt; not 2.ref, 3.TXT, READ\\nME.md\n"
    assert capsys.readouterr().err == f"{tmp_path}: {told}"


def test_a_folder_without_text_files_is_told_with_what_is_there(tmp_path):
    with pytest.raises(InputError, match=r"a folder without \.txt files$"):
        files.text_files(tmp_path)
    for name in ("Dress.tok.low", "2.json", ".hidden.txt"):
        (tmp_path / name).touch()
    with pytest.raises(InputError, match=r"only 2\.json, Dress\.tok\.low: give files by .*/\*$"):
        files.text_files(tmp_path)
    with pytest.raises(InputError, match="gone: no such folder"):
        files.text_files(tmp_path / "gone")


def test_without_text_files_those_of_other_endings_are_read(tmp_path):
    for name in ("2.jsonl", "1.csv", "README.md"):
        (tmp_path / name).touch()
    read = files.text_files(tmp_path, (".csv", ".jsonl"))
    assert [path.name for path in read] == ["1.csv", "2.jsonl"]
    (tmp_path / "3.txt").touch()
    assert [path.name for path in files.text_files(tmp_path, (".csv",))] == ["3.txt"]


def test_a_number_is_part_of_a_systems_name():
    assert [*map(files.text_name, ["a/x.txt", "b/asset.test.simp.0", "GPT-4.5", "M.tok.low"])] == [
        "x",
        "asset.test.simp.0",
        "GPT-4.5",
        "M.tok",
    ]
