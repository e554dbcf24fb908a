"""Text files, and folders of them."""

import contextlib
import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.corpora import text_files


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
    assert text_files.read_lines(file(contents)) == lines


@given(st.binary(max_size=30))
def test_any_bytes_are_lines_or_an_input_error(contents):
    with tempfile.NamedTemporaryFile(suffix=".txt") as file:
        file.write(contents)
        file.flush()
        with contextlib.suppress(InputError):
            assert text_files.read_lines(file.name)


# Folders of text files


@pytest.mark.parametrize(
    ("read", "others", "said"),
    [
        (["0.txt", "2.txt", "10.txt"], [], ""),
        (["0.txt"], [".hidden.txt", "._0.txt", ".DS_Store", ".txt", "folder.txt/"], ""),
        (["0.txt", "1.txt"], ["2.ref", "3.TXT", "READ\nME.md"], "2.ref, 3.TXT, READ\\nME.md"),
        (["asset.test.simp.0", "asset.test.simp.1", "asset.test.simp.10"], ["a.md"], "a.md"),
        (["Dress.low", "Moses.low"], ["README.md"], "README.md"),
        (["ACCESS", "Dress-Ls", "RM+EX"], ["README.md"], "README.md"),
    ],
)
def test_text_files_of_a_folder_are_read_in_the_order_of_their_numbers(
    read, others, said, tmp_path, capsys
):
    for name in [*others, *reversed(read)]:
        path = tmp_path / name
        path.mkdir() if name.endswith("/") else path.touch()
    assert [path.name for path in text_files.text_files(tmp_path)] == read
    told = f"{tmp_path}: {', '.join(read)} are read; not {said}\n" if said else ""
    assert capsys.readouterr().err == told


def test_without_texts_tables_are_read(tmp_path):
    for name in ("2.jsonl", "1.csv", "README.md"):
        (tmp_path / name).touch()
    read = text_files.text_files(tmp_path, (".csv", ".jsonl"))
    assert [path.name for path in read] == ["1.csv", "2.jsonl"]
    (tmp_path / "3.txt").touch()
    assert [path.name for path in text_files.text_files(tmp_path, (".csv",))] == ["3.txt"]


def test_a_number_is_part_of_a_systems_name():
    assert [
        *map(text_files.text_name, ["a/x.txt", "b/asset.test.simp.0", "GPT-4.5", "M.tok.low"])
    ] == ["x", "asset.test.simp.0", "GPT-4.5", "M.tok"]


@pytest.mark.parametrize(
    ("contents", "place"),
    [
        (b"", "a.txt"),
        (b"a\nb\n\xe4\n", "a.txt, line 3: .* 0xe4"),
        ("a\n".encode("utf-16"), "a.txt, line 1: .* got UTF-16: .*iconv"),
        ("a\n".encode("utf-32"), "a.txt, line 1: .* got UTF-32: .*iconv"),
        (gzip.compress(b"a\n", mtime=0), "a.txt, line 1: .* gzip: .*gunzip"),
        ("a\nb\r\nc\n", "a.txt, line 2 .* line 1 "),
        ("a\nb\r\n", "a.txt, line 2 .* line 1 "),  # one of each kind would be a line for either
    ],
)
def test_a_file_that_is_no_text_is_told_with_its_line(contents, place, file):
    with pytest.raises(InputError, match=place):
        text_files.read_lines(file(contents))


@pytest.mark.parametrize(
    ("read", "path", "place"),
    [
        (text_files.read_lines, "gone.txt", "gone.txt: "),
        (text_files.read_lines, "texts", "texts is a folder"),
        (text_files.read_lines, "a\0b", r"^a"),
        (text_files.text_files, "gone", "gone: "),
        (text_files.text_files, "texts", r"texts: .* Dress\.tok\.low, Moses\.out; "),
    ],
)
def test_what_is_not_there_is_told_with_what_is(read, path, place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("texts").mkdir()
    for name in ("Dress.tok.low", "Moses.out", "2.json", ".hidden.txt"):
        Path("texts", name).touch()
    with pytest.raises(InputError, match=place):
        read(path)
