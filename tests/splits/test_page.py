"""The page about splits, without a browser: what is read, what is shown, what is downloaded."""

import base64
import io
import json
import re
import zipfile
from html import unescape
from itertools import chain
from pathlib import Path

import pytest

from textsimp import InputError
from textsimp.core import tables
from textsimp.demo import build_splits
from textsimp.demo import splits_page as splits
from textsimp.demo.example_corpus import examples
from textsimp.demo.limits import Limits
from textsimp.splits.files import ROW

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
    paths = [write("train.jsonl", *lines_of(16, 4)), write("test.jsonl", *lines_of(4, 3))]
    return splits.read_corpus(paths, "source", "target", LIMITS)


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
    found = splits.read_corpus(paths, "source", "target", LIMITS)
    assert list(found.data) == ["train", "test"]
    assert found.data["test"][ROW].to_pylist() == [2, 3]
    assert found.subsets["train"].column("target") == ["t", "v"]


def test_subsets_may_be_pairs_of_text_files(write):
    paths = [write("test.source.txt", "s"), write("test.target.txt", "t")]
    found = splits.read_corpus(paths, "", "", LIMITS)
    assert found.data["test"].to_pylist() == [{"source": "s", "target": "t", ROW: 0}]
    assert found.subsets["test"].endings == (".source.txt", ".target.txt")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "there are no files"),
        (
            ["train.jsonl", "test.source.txt", "test.target.txt"],
            "expected one format: train.jsonl is jsonl, test.source.txt and",
        ),
        (["test.source.txt"], "expected one table, or test.source.txt and test.target.txt, got"),
        (["a.jsonl", "a.csv"], "subset a: expected one table"),
        (["$x^$.jsonl"], "expected a name for the subset"),
        ([f"s{i}.jsonl" for i in range(21)], "expected at most 20 subsets, got 21"),
    ],
)
def test_files_that_are_no_corpus_are_refused(write, names, message):
    paths = [write(name, '{"source": "s", "target": "t"}') for name in names]
    with pytest.raises(InputError, match=message):
        splits.read_corpus(paths, "source", "target", LIMITS)


def test_subsets_may_be_tables_of_any_kind(write):
    found = splits.read_corpus([write("train.csv", "s,t", "a,b")], "s", "t", LIMITS)
    assert found.data["train"].to_pylist() == [{"source": "a", "target": "b", ROW: 0}]


def test_a_source_has_so_many_targets_and_no_more(write):
    path = write("train.jsonl", {"source": "s", "target": ["t"] * 50})
    assert len(splits.read_corpus([path], "source", "target", LIMITS).data["train"]) == 1
    path = write("train.jsonl", {"source": "s", "target": ["t"] * 51})
    with pytest.raises(InputError, match="expected at most 50 targets of a source"):
        splits.read_corpus([path], "source", "target", LIMITS)


def test_too_many_rows_are_reported(write):
    paths = [write("a.jsonl", *lines_of(2)), write("b.jsonl", *lines_of(2))]
    with pytest.raises(InputError, match="expected at most 3 rows, got 4"):
        splits.read_corpus(paths, "source", "target", Limits(rows=3))


# What is shown


def test_operations_are_shown_as_means_per_pair(corpus):
    shown = splits.show_measures(corpus.data, 0.1)
    assert cells(shown, "Edit operations per pair") == [
        ["subset", "change percentage 0–100", "inserted", "deleted", "replaced", "kept"],
        ["train 16 rows", "6.25", "0.00", "0.00", "0.250", "3.75"],
        ["test 4 rows", "18.75", "0.00", "0.00", "0.750", "3.25"],
    ]
    assert shown.count("<svg") == 2


def test_the_divergence_is_that_of_the_library(corpus):
    from textsimp.splits import divergence

    (pair,) = divergence(corpus.data)["pairs"]
    assert cells(splits.show_measures(corpus.data, 0.1), "Do the subsets differ?")[1] == [
        "train, test",
        f"{pair['js_divergence_bits']:.4f}",
        f"{pair['random_split_js_divergence_bits']:.4f}",
        tables.p_value(pair["p_value"]),
    ]


def test_the_worst_pairs_are_shown_with_their_place_and_edits(corpus):
    shown = splits.show_measures(corpus.data, 0.1)
    text = plain(shown)
    assert "The worst 10 % are 2 pairs, with" in text
    assert "test, row 1 · 25 %" in text
    assert "test, row 2 · 25 %" in text
    assert re.search(r"a b<del[^>]*> <s>c</s></del> <ins[^>]*>x</ins> 0", shown)
    assert shown.count('class="example"') == 2


def test_no_more_than_twenty_of_the_worst_pairs_are_shown(write):
    for n, more in ((40, ""), (42, " (the first 20 are shown)")):
        path = write("train.jsonl", *lines_of(n))
        found = splits.read_corpus([path], "source", "target", LIMITS)
        shown = splits.show_measures(found.data, 0.5)
        assert f"are {n // 2} pairs{more}, with" in plain(shown)
        assert shown.count('class="example"') == 20


def test_texts_are_escaped(write):
    rows = [{"source": HOSTILE, "target": f"{HOSTILE} a"}] * 2
    found = splits.read_corpus([write("train.jsonl", *rows)], "source", "target", LIMITS)
    shown = splits.show_measures(found.data, 0.5)
    assert "&lt;script&gt;" in shown
    assert "<script" not in shown


# What is downloaded


@pytest.mark.parametrize("method", ["balanced", "random", "poor_alignments"])
def test_a_better_split_has_the_rows_as_they_were(method, corpus):
    shown = splits.show_split(corpus, method, 0.25, 1)
    files = downloaded(shown)
    sizes = {name: len(lines) for name, lines in files.items()}
    if method == "poor_alignments":
        assert sizes == {"removed.jsonl": 5, "test.jsonl": 3, "train.jsonl": 12}
        assert all('"target": "a b x' in line for line in files["removed.jsonl"])
    else:
        assert sizes == {"test.jsonl": 4, "train.jsonl": 16}
    found = sorted(json.loads(line)["target"] for lines in files.values() for line in lines)
    assert found == sorted(chain(*(part.column("target") for part in corpus.subsets.values())))


def test_text_files_come_out_in_pairs(write):
    paths = [
        write(f"{name}.{side}.txt", *[f"{side} {name} {i}" for i in range(4)])
        for name in ("train", "test")
        for side in ("source", "target")
    ]
    files = downloaded(
        splits.show_split(splits.read_corpus(paths, "", "", LIMITS), "random", 0.1, 0)
    )
    assert set(files) == {Path(path).name for path in paths}
    for name in ("train", "test"):
        targets = files[f"{name}.target.txt"]
        assert [line.replace("source", "target") for line in files[f"{name}.source.txt"]] == targets


def test_before_and_after_are_shown(corpus):
    shown = splits.show_split(corpus, "balanced", 0.1, 0)
    rows = cells(shown, "before and after")[1:]
    assert [(row[0], row[4]) for row in rows] == [
        ("train, before 16 rows", "0.250"),
        ("test, before 4 rows", "0.750"),
        ("train, after 16 rows", "0.375"),
        ("test, after 4 rows", "0.250"),
    ]
    assert "Give every subset similar edit operations" in shown
    assert "Do the subsets differ?" in shown


# The page itself


def test_buttons_measure_and_make_the_example():
    called = handlers(build_splits())
    paths = called["Fill in an example"]()
    assert [Path(path).name for path in paths] == ["train.jsonl", "validation.jsonl", "test.jsonl"]
    rows = [json.loads(line) for path in paths for line in Path(path).read_text().splitlines()]
    assert len(rows) == 3 * len(examples("sentences"))
    assert "The worst 5 % are" in plain(called["Measure"](0, paths, "source", "target", 0.05))
    made = called["Make the split"](0, paths, "source", "target", 0.05, "poor_alignments", 0)
    assert "A better split: poor alignments" in made


def test_what_is_wrong_is_reported_in_place_of_results():
    shown = handlers(build_splits())["Measure"](0, [], "source", "target", 0.05)
    assert plain(shown) == "there are no files: upload some, or fill in an example"
