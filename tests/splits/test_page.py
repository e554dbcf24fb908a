"""The page about splits, without a browser: what is read, what is shown, what is downloaded."""

import base64
import io
import json
import re
import zipfile
from html import unescape
from pathlib import Path

import pytest

from textsimp import InputError
from textsimp.core import tables
from textsimp.demo import build_splits
from textsimp.demo import splits_page as splits
from textsimp.demo.example_corpus import examples
from textsimp.demo.limits import Limits
from textsimp.splits import divergence_of_files

pytest.importorskip("gradio", reason="gradio is not installed")

HOSTILE = "<script>alert(1)</script>"
LIMITS = Limits()


def plain(shown):
    return " ".join(unescape(re.sub("<[^>]*>", " ", shown)).split())


def cells(shown, title):
    """The rows of the table below a title."""
    table = shown[shown.index(title) :].partition("</table>")[0]
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


def measured(paths, fraction=0.1):
    return splits.show_measures(paths, "source", "target", fraction)


def made(paths, method, fraction=0.1, seed=0):
    return splits.show_split(paths, "source", "target", fraction, method, seed)


def handlers(page):
    """The functions behind the page, by the button that calls them."""
    found = {}
    for function in page.fns.values():
        buttons = [getattr(page.blocks.get(block), "value", "") for block, _ in function.targets]
        for name in filter(None, [*buttons, function.api_name]):
            found[str(name)] = function.fn
    return found


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
        ([], "files"),
        (["train.jsonl", "test.source.txt", "test.target.txt"], r"test\.source\.txt"),
        (["test.source.txt"], r"^test\.source\.txt: "),
        (["a.jsonl", "a.csv"], "^subset a: "),
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


def test_too_many_rows_are_reported(write):
    paths = [write("a.jsonl", *lines_of(2)), write("b.jsonl", *lines_of(2))]
    with pytest.raises(InputError):
        splits.read_corpus(Limits(rows=3), paths, "source", "target")


# What is shown


def test_operations_are_shown_as_means_per_pair(corpus):
    shown = measured(corpus)
    assert cells(shown, "Edit operations per pair") == [
        ["subset", "change percentage 0–100", "inserted", "deleted", "replaced", "kept"],
        ["train rows: 16", "6.25", "0.00", "0.00", "0.250", "3.75"],
        ["test rows: 4", "18.75", "0.00", "0.00", "0.750", "3.25"],
    ]
    assert shown.count("<svg") == 2


def test_the_divergence_is_that_of_the_library(corpus):
    (pair,) = divergence_of_files(corpus)["pairs"]
    assert cells(measured(corpus), "Do the subsets differ")[1] == [
        "test – train",
        *(tables.number(pair[name], 4) for name in pair if name.endswith("bits")),
        tables.p_value(pair["p_value"]),
    ]


def test_the_worst_pairs_are_shown_with_their_place_and_edits(corpus):
    shown = measured(corpus)
    text = plain(shown)
    assert "of the worst 10%, which are 2 pairs, with" in text
    assert "test, row 1 · 25 %" in text
    assert "test, row 2 · 25 %" in text
    assert re.search(r"a b<del[^>]*> <s>c</s></del> <ins[^>]*>x</ins> 0", shown)
    assert shown.count('class="example"') == 2


def test_no_more_than_twenty_of_the_worst_pairs_are_shown(write):
    for n in (40, 42):
        path = write("train.jsonl", *lines_of(n))
        shown = measured([path], 0.5)
        assert f"which are {n // 2} pairs, with" in plain(shown)
        assert shown.count('class="example"') == 20


def test_texts_are_escaped(write):
    rows = [{"source": HOSTILE, "target": f"{HOSTILE} a"}] * 2
    shown = measured([write("train.jsonl", *rows)], 0.5)
    assert "&lt;script&gt;" in shown
    assert "<script" not in shown


# What is downloaded


@pytest.mark.parametrize("method", ["balanced", "random", "poor_alignments"])
def test_a_better_split_has_the_rows_as_they_were(method, corpus):
    files = downloaded(made(corpus, method, 0.25, 1))
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
    files = downloaded(made(paths, "random"))
    assert set(files) == {Path(path).name for path in paths}
    for name in ("train", "test"):
        targets = files[f"{name}.target.txt"]
        assert [line.replace("source", "target") for line in files[f"{name}.source.txt"]] == targets


def test_the_new_subsets_are_measured(corpus):
    shown = made(corpus, "balanced")
    rows = cells(shown, "Edit operations per pair")[1:]
    assert [(row[0], row[4]) for row in rows] == [
        ("train rows: 16", "0.375"),
        ("test rows: 4", "0.250"),
    ]
    assert "Give every subset similar edit operations" in shown
    assert "Do the subsets differ" in shown


# The page itself


def test_buttons_measure_and_make_the_example():
    called = handlers(build_splits())
    paths = called["Fill in an example"]()
    assert [Path(path).name for path in paths] == ["test.jsonl", "train.jsonl", "validation.jsonl"]
    rows = [line for path in paths for line in Path(path).read_text().splitlines()]
    assert len(rows) == 3 * len(examples("sentences"))
    assert "of the worst 5%" in plain(called["Measure"](paths, "source", "target", 0.05))
    made = called["Make the split"](paths, "source", "target", 0.05, "poor_alignments", 0)
    assert "A better split: poor alignments" in made


def test_what_is_wrong_is_reported_in_place_of_results():
    shown = handlers(build_splits())["Measure"]([], "source", "target", 0.05)
    assert plain(shown) == "there are no files: upload some, or fill in an example"
