"""The page about splits, without a browser: what is read, what is shown, what is downloaded."""

import base64
import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.demo.pages import filled, page, plain, see
from textsimp import InputError
from textsimp.core import tables
from textsimp.demo import splits_page as splits
from textsimp.demo.example_corpus import examples
from textsimp.demo.limits import Limits
from textsimp.splits import divergence_of_files

pytest.importorskip("gradio", reason="gradio is not installed")

HOSTILE = "<script>alert(1)</script>"


def rows_of(shown, heading):
    """The rows of the table whose first column has this heading."""
    (table,) = (
        table
        for table in re.findall("<table.*?</table>", shown, re.DOTALL)
        if re.search(f"<th[^>]*>{heading}<", table)
    )
    rows = re.findall("<tr>.*?</tr>", table, re.DOTALL)
    return [[plain(cell) for cell in re.findall("<t[dh].*?</t[dh]>", row, re.S)] for row in rows]


def downloaded(shown):
    """The lines of the files in the archive that is offered."""
    (data,) = re.findall(r'href="data:application/zip;base64,([^"]+)"', shown)
    archive = zipfile.ZipFile(io.BytesIO(base64.b64decode(data)))
    return {name: archive.read(name).decode().splitlines() for name in archive.namelist()}


def lines_of(n, changed=0):
    """Pairs of four words, of which some replace one of the words."""
    return [
        {"source": f"a b c {i}", "target": f"a b {'x' if i < changed else 'c'} {i}"}
        for i in range(n)
    ]


@pytest.fixture
def corpus(write):
    return [write("train.jsonl", *lines_of(16, 4)), write("test.jsonl", *lines_of(4, 3))]


def show(paths, method="", fraction=0.1, seed=0):
    return splits.show_split(paths, "source", "target", fraction, method, seed)


# What is read


def test_subsets_are_read_line_by_line(write):
    lines = ['{"source": "s", "target": "t", "a": 1}', '{"source": "u", "target": "v"}']
    paths = [write("train.jsonl", *lines), write("test.jsonl", *lines[::-1])]
    data, _ = splits.read_corpus(paths, "source", "target")
    assert list(data) == ["train", "test"]
    assert data["train"].to_pydict() == {"source": ["s", "u"], "target": ["t", "v"]}


def test_subsets_may_be_pairs_of_text_files(write):
    paths = [write("test.source.txt", "s"), write("test.target.txt", "t")]
    data, _ = splits.read_corpus(paths, "", "")
    assert data["test"].to_pylist() == [{"source": "s", "target": "t"}]


@pytest.mark.parametrize(
    ("names", "place"),
    [
        ([], "^there are no files: upload some"),
        (["train.jsonl", "test.source.txt", "test.target.txt"], r"test\.source\.txt"),
        (["test.source.txt"], r"^test\.source\.txt: "),
        (["$x^$.jsonl"], "name"),
        ([f"s{i}.jsonl" for i in range(21)], "got 21"),
    ],
)
def test_files_that_are_no_corpus_are_refused(write, names, place):
    paths = [write(name, '{"source": "s", "target": "t"}') for name in names]
    with pytest.raises(InputError, match=place):
        splits.read_corpus(paths, "source", "target")


def test_subsets_may_be_tables_of_any_kind(write):
    data, _ = splits.read_corpus([write("train.csv", "s,t", "a,b")], "s", "t")
    assert data["train"].to_pylist() == [{"source": "a", "target": "b"}]


def test_the_rows_of_all_subsets_together_are_limited(write, monkeypatch):
    monkeypatch.setattr(splits, "_LIMITS", Limits(rows=3))
    paths = [write("a.jsonl", *lines_of(2)), write("b.jsonl", *lines_of(2))]
    with pytest.raises(InputError, match="expected at most 3 rows, got 4"):
        splits.read_corpus(paths, "source", "target")


# What is shown


def test_both_splits_are_shown_side_by_side(corpus):
    shown = show(corpus, "balanced")
    assert rows_of(shown, "subset") == [
        ["subset", "change percentage 0–100", "inserted", "deleted", "replaced", "kept"],
        ["train as uploaded, rows: 16", "6.25", "0.00", "0.00", "0.250", "3.75"],
        ["test as uploaded, rows: 4", "18.75", "0.00", "0.00", "0.750", "3.25"],
        ["train balanced, rows: 16", "9.38", "0.00", "0.00", "0.375", "3.62"],
        ["test balanced, rows: 4", "6.25", "0.00", "0.00", "0.250", "3.75"],
    ]
    for name in ("Operations", "Change percentages"):
        assert f"{name}, as uploaded" in shown
        assert f"{name}, balanced" in shown
    assert shown.count("<figure") == 4


def test_the_divergence_is_that_of_the_library(corpus):
    (pair,) = divergence_of_files(corpus)["pairs"]
    assert rows_of(show(corpus), "subsets")[1:] == [
        [
            "test – train as uploaded",
            *(tables.number(pair[name], 4) for name in pair if name.endswith("bits")),
            tables.p_value(pair["p_value"]),
        ]
    ]


def test_the_worst_pairs_are_shown_with_their_place_and_edits(corpus):
    shown = show(corpus, fraction=0.5)
    text = plain(shown)
    assert "of the worst 50% of each subset, 10 in all, with" in text
    assert "test, row 1 · 25 %" in text
    assert "test, row 2 · 25 %" in text
    assert re.search(r"a b<del[^>]*> <s>c</s></del> <ins[^>]*>x</ins> 0", shown)
    assert shown.count('class="example"') == 10


def test_no_more_than_twenty_of_the_worst_pairs_are_shown(write):
    for n in (40, 42):
        path = write("train.jsonl", *lines_of(n))
        shown = show([path], fraction=0.5)
        assert f"of each subset, {n // 2} in all, with" in plain(shown)
        assert shown.count('class="example"') == 20


@pytest.mark.parametrize("method", ["random", "balanced"])
def test_one_subset_can_not_be_split_anew(write, method):
    path = write("train.jsonl", *lines_of(20))
    with pytest.raises(InputError, match=f"{method} split: expected two or more subsets, got one"):
        show([path], method)


def test_texts_are_escaped(write):
    rows = [{"source": HOSTILE, "target": f"{HOSTILE} a"}] * 2
    shown = show([write("train.jsonl", *rows)], fraction=0.5)
    assert "&lt;script&gt;" in shown
    assert "<script" not in shown


# What is downloaded


@pytest.mark.parametrize("method", ["balanced", "random", "poor_alignments"])
def test_a_better_split_has_the_rows_as_they_were(method, corpus):
    files = downloaded(show(corpus, method, 0.25, 1))
    sizes = {name: len(lines) for name, lines in files.items()}
    if method == "poor_alignments":
        assert sizes == {"removed.jsonl": 5, "test.jsonl": 3, "train.jsonl": 12}
        assert all('"target": "a b x' in line for line in files["removed.jsonl"])
    else:
        assert sizes == {"test.jsonl": 4, "train.jsonl": 16}
    found = sorted(json.loads(line)["target"] for lines in files.values() for line in lines)
    before = [line for path in corpus for line in Path(path).read_text().splitlines()]
    assert found == sorted(json.loads(line)["target"] for line in before)


def test_text_files_come_out_in_pairs(write):
    paths = [
        write(f"{name}.{side}.txt", *[f"{side} {name} {i}" for i in range(4)])
        for name in ("train", "test")
        for side in ("source", "target")
    ]
    files = downloaded(show(paths, "random"))
    assert set(files) == {Path(path).name for path in paths}
    for name in ("train", "test"):
        targets = files[f"{name}.target.txt"]
        assert [line.replace("source", "target") for line in files[f"{name}.source.txt"]] == targets


# The page itself


def test_the_page_opens_with_a_balanced_split_of_the_example():
    site = page("splits")
    paths = filled(site)
    assert [Path(path).name for path in paths] == ["test.jsonl", "train.jsonl", "validation.jsonl"]
    rows = [line for path in paths for line in Path(path).read_text().splitlines()]
    assert len(rows) == 3 * len(examples("sentences"))
    opened = plain(see(site, "open"))
    assert opened == plain(see(site, "Make the split", A=paths))
    assert "test balanced, rows:" in opened
    assert "of the worst 5%" in opened


def test_the_method_and_the_share_are_those_of_the_boxes():
    site = page("splits")
    boxes = {"Another": "poor_alignments", "Share": 0.25}
    shown = plain(see(site, "Make the split", A=filled(site), **boxes))
    n = len(examples("sentences"))
    assert f"test without poor alignments, rows: {n - n // 4}" in shown
    assert "of the worst 25%" in shown
