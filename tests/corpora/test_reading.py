"""One reader of files: whatever they are, their columns become the same examples."""

import gzip
import io
import math
from pathlib import Path
from typing import Any

import pytest

from tests import given
from tests.toys import Marked, Parsed
from textsimp import InputError
from textsimp.cli.data_arguments import Files
from textsimp.cli.data_reading import read_data
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.core.examples import Examples
from textsimp.corpora import reading
from textsimp.corpora.reading import System
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari

SARI = {"sari": Sari.columns}
FKGL = {"fkgl": FkglComponents.columns}
BLEU = {"bleu": [PREDICTIONS, REFERENCES]}
FKGL_AND_SOURCES = {"fkgl": [*FkglComponents.columns, SOURCES]}
MARKED = {"marked": Marked.columns}
PARSED = {"parsed": Parsed.columns}
EXAMPLES = Examples(
    {"sources": ["s", "t"], "references": [["a", "b"], ["c"]]},
    {"table": {"predictions": ["p", "q"]}},
)
Rows = list[dict[str, Any]]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def text(name, *lines):
    return str(given.write(name, "".join(f"{line}\n" for line in lines).encode()))


def jsonl(rows, stem="table"):
    return str(given.write(f"{stem}.jsonl", rows))


def format_csv(rows, stem="table"):
    """Lists and objects are JSON in a cell; None is an empty one."""
    return str(given.write(f"{stem}.csv", rows))


def parquet(rows, stem="table"):
    return str(given.write(f"{stem}.parquet", rows))


def saved(rows, stem="table"):
    from datasets import Dataset

    Dataset.from_list(rows).save_to_disk(stem)
    return stem


def packed(name):
    return str(given.write(name, gzip.compress(b"prediction\np\n")))


TABLES = pytest.mark.parametrize("write", [jsonl, format_csv, parquet, saved])


def places(**arguments):
    return arguments


def read(asked, readers):
    return reading.read(readers, **asked)


def same(found, expected):
    return (found.shared, found.systems) == (expected.shared, expected.systems)


# Texts


def test_text_files_are_columns():
    asked = places(
        sources=text("source.txt", "s", "t"),
        references=[text("0.txt", "a", "c"), text("1.txt", "b", "d")],
        systems=[System(text("x.txt", "p", "q")), System(text("y.txt", "u", "v"), name="ours")],
    )
    found = read(asked, SARI)
    assert found.shared == {"sources": ["s", "t"], "references": [["a", "b"], ["c", "d"]]}
    assert found.systems == {"x": {"predictions": ["p", "q"]}, "ours": {"predictions": ["u", "v"]}}


@TABLES
def test_a_table_or_dataset_has_columns_of_the_usual_names(write):
    rows = [
        {"source": "s", "references": ["a", "b"], "prediction": "p"},
        {"source": "t", "references": ["c"], "prediction": "q"},
    ]
    assert same(read(places(data=write(rows)), SARI), EXAMPLES)


@TABLES
@pytest.mark.parametrize("name", ["reference {}", "references{}"])
def test_references_may_be_numbered_columns_whose_empty_cells_are_none(name, write):
    first, second = name.format(1), name.format(2)
    rows = [
        {"source": "s", first: "a", second: "b", "prediction": "p"},
        {"source": "t", first: "c", second: "", "prediction": "q"},
    ]
    assert same(read(places(data=write(rows)), SARI), EXAMPLES)
    if write is not format_csv:
        rows[1][second] = None
        stem = "another"
        found = read(places(data=write(rows, stem)), SARI)
        assert found.references == EXAMPLES.references


PADDED = [["a", "b"], ["c", ""]]


@pytest.mark.parametrize(
    ("write", "references"),
    [
        (jsonl, PADDED),
        (jsonl, [["a", "b"], ["c", None]]),
        (jsonl, [["a", "b"], [" ", "c"]]),
        (format_csv, PADDED),
        (parquet, [["a", "b"], ["c", None]]),
    ],
)
def test_empty_references_beside_others_do_not_count(write, references, capsys):
    texts = zip("st", references, "pq", strict=True)
    names = ("source", "references", "prediction")
    path = write([dict(zip(names, row, strict=True)) for row in texts])
    assert same(read(places(data=path), SARI), EXAMPLES)
    assert capsys.readouterr().err == (
        f"column 'references' of {path}: empty references beside others are left out, in 1 of 2 "
        "rows, first in row 1 (counted from 0)\n"
    )


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"0.txt": ["a", "c"], "1.txt": ["b", ""]}, [["a", "b"], ["c"]]),
        ({"0.txt": ["a", ""], "1.txt": ["b", ""]}, [["a", "b"], [""]]),
        ({"0.txt": ["a", ""]}, [["a"], [""]]),
    ],
)
def test_an_empty_line_is_a_reference_if_its_row_has_no_other(files, expected):
    references = [text(name, *lines) for name, lines in files.items()]
    outputs = System(text("x.txt", "p", "q"))
    asked = places(references=references, systems=[outputs])
    assert read(asked, BLEU).references == expected


def test_a_single_column_of_references_may_have_empty_texts():
    path = format_csv([{"reference": text, "x": "p"} for text in ("a", "")])
    columns = {"references": ["reference"]}
    asked = places(data=path, systems=[System(column="x")], names=columns)
    assert read(asked, BLEU).references == [["a"], [""]]


def test_numbered_columns_go_with_one_of_the_usual_names():
    row = {"references": ["a"], "reference 1": "b", "prediction": "p"}
    assert read(places(data=jsonl([row])), BLEU).references == [["a"]]
    row = {"reference": "a", "reference 2": "b", "prediction": "p"}
    assert read(places(data=jsonl([row])), BLEU).references == [["a", "b"]]


def test_columns_of_other_names_are_named():
    path = jsonl([{"complex": "s", "r": "a", "more": ["b", "c"], "out=1": "p", "x": "q"}])
    columns = {"sources": ["complex"], "references": ["r", "more"]}
    systems = [System(column="ours=x"), System(column="out=1")]
    found = read(places(data=path, names=columns, systems=systems), SARI)
    assert found.shared == {"sources": ["s"], "references": [["a", "b", "c"]]}
    assert found.systems == {"ours": {"predictions": ["q"]}, "out=1": {"predictions": ["p"]}}


def test_tables_of_outputs_need_no_sources_of_the_name_that_the_gold_has():
    gold = jsonl([{"complex": "s", "references": ["a", "b"]}], stem="gold")
    asked = places(
        data=gold,
        systems=[System(format_csv([{"prediction": "p"}]))],
        names={"sources": ["complex"]},
    )
    assert read(asked, SARI).systems == {"table": {"predictions": ["p"]}}


def test_all_columns_of_texts_may_be_systems_that_are_nothing_else():
    row = {"id": 1, "source": "s", "reference 1": "a", "prediction": "p", "x": "q", "tags": ["n"]}
    found = read(places(data=jsonl([row]), every=True), SARI)
    assert list(found.systems) == ["prediction", "x"]


@pytest.mark.parametrize("repeat", [False, True])
def test_texts_may_be_json_lists(repeat):
    text("s.json", '["s", "t"]')
    text("r.json", '[["a", "b"], ["c"]]')
    text("table.json", "[", '"p",', '"q"]')
    references = ["r.json", text("more.txt", "d", "e")] if repeat else ["r.json"]
    asked = places(sources="s.json", references=references, systems=[System("table.json")])
    found = read(asked, SARI)
    assert found.systems == EXAMPLES.systems
    assert found.references == ([["a", "b", "d"], ["c", "e"]] if repeat else EXAMPLES.references)


@pytest.mark.parametrize("place", [{"sources": "-"}, {"systems": [System("-")]}])
def test_a_log_without_the_ending_of_one_is_no_text(place, monkeypatch):
    line = b'{"messages": [{"role": "assistant", "content": "p"}]}\n'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line * 2)))
    asked = places(**{"sources": text("s.txt", "s"), "systems": [System("s.txt")], **place})
    said = r"standard input: expected a text in each line, got a JSON object in each, .*\.jsonl$"
    with pytest.raises(InputError, match=said):
        read(asked, FKGL)


def test_text_files_may_have_lines_that_are_json_objects():
    lines = ['{"a": 1}', "{see below}", '{"a": 2}']
    found = read(places(systems=[System(text("x.txt", *lines))]), FKGL)
    assert found.predictions("x") == lines


def test_files_are_named_in_python_as_on_the_command_line():
    table = jsonl([{"id": "b", "out": "q"}, {"id": "a", "out": "p"}], "ours")
    gold = jsonl([{"id": x, "complex": x, "references": [x]} for x in "ab"])
    files = Files(
        data=Path(gold),
        source_column="complex",
        predictions=[f"new={table}"],
        prediction_column=["out"],
        ids=["id"],
    )
    found = read_data(SARI, files)
    assert found.shared == {"sources": ["a", "b"], "references": [["a"], ["b"]]}
    assert found.systems == {"new": {"predictions": ["p", "q"]}}


# Long tables


def long(*cells):
    """Rows of source, prediction and system, a letter each."""
    return [
        {"source": s, "references": [s], "prediction": p, "system": f"gpt-{x}"} for s, p, x in cells
    ]


LONG = long("sp4", "tu5", "tq4", "sv5")


def test_a_row_of_a_long_table_without_a_system_is_an_error():
    for i in (0, 2):
        rows = [{k: v for k, v in row.items() if row != LONG[i] or k != "system"} for row in LONG]
        with pytest.raises(InputError, match=f"line {i + 1} has no 'system'"):
            read(places(data=jsonl(rows)), SARI)


@TABLES
def test_a_long_table_is_split_by_system_and_aligned_by_source(write, capsys):
    path = write(LONG)
    systems = {"gpt-4": {"predictions": ["p", "q"]}, "gpt-5": {"predictions": ["v", "u"]}}
    expected = Examples({"sources": ["s", "t"], "references": [["s"], ["t"]]}, systems)
    assert same(read(places(data=path), SARI), expected)
    told = f"{path}: the column 'system' has 2 systems, aligned by source: gpt-4, gpt-5\n"
    assert capsys.readouterr().err.endswith(told)
    named = {"system_column": "system", "every": True}
    assert same(read(places(data=path, **named), SARI), expected)
    files = places(sources=text("s.txt", "t", "s"), data=path)
    turned = {"gpt-4": {"predictions": ["q", "p"]}, "gpt-5": {"predictions": ["u", "v"]}}
    assert read(files, SARI).systems == turned
    assert read(files, SARI).references == [["t"], ["s"]]


def test_systems_may_be_in_a_long_table_of_their_own():
    renamed = [{"source": r["source"], "o": r["prediction"], "model": r["system"]} for r in LONG]
    asked = places(
        sources=text("s.txt", "s", "t"),
        systems=[System(jsonl(renamed), "o"), System("s.txt")],
        system_column="model",
    )
    found = read(asked, FKGL)
    assert {name: own["predictions"] for name, own in found.systems.items()} == {
        "gpt-4": ["p", "q"],
        "gpt-5": ["v", "u"],
        "s": ["s", "t"],
    }
    no_sources = jsonl([{"prediction": row["prediction"], "system": 1} for row in LONG], "none")
    found = read(places(data=no_sources, system_column="system"), FKGL)
    assert list(found.systems) == ["1"]


def test_systems_of_a_long_table_are_stripped_and_noted_if_they_look_alike(capsys):
    names = ["a", "a\u00a0", "A", "A"]
    rows = [
        {"source": source, "prediction": source, "system": name}
        for source, name in zip("stst", names, strict=True)
    ]
    assert list(read(places(data=jsonl(rows)), FKGL).systems) == ["a", "A"]
    assert "systems 'a', 'A' differ in case or look only\n" in capsys.readouterr().err


def test_what_distinguishes_repeated_sources_aligns_them():
    rows = long("sp4", "sq4", "sv5", "su5")
    for row, level in zip(rows, ["A2", "B1", "B1", "A2"], strict=True):
        row["references"] = [level]
    found = read(places(data=jsonl(rows)), SARI)
    assert found.predictions("gpt-5") == ["u", "v"]


@pytest.mark.parametrize(
    ("cells", "sources", "message"),
    [
        (["sp4", "tq4", "sv5"], None, r"gpt-5: gold .* \(row 2\); .* row for \"t, .* table.jsonl$"),
        (["sp4", "tq5", "sv5"], None, r"gpt-4: gold without a prediction \(row 2\)"),
        (["sp4", "sv5", "sw5"], ["s"], "table.jsonl: rows 1 and 2 .* of system 'gpt-5' have the "),
        (["sp4", "tq4", "sv5", "tu5"], ["s", "u"], "gpt-4: gold .* a row for 'u' of s.txt$"),
    ],
)
def test_systems_of_a_long_table_have_the_same_sources(cells, sources, message):
    path = jsonl(long(*cells))
    file = text("s.txt", *sources) if sources else None
    with pytest.raises(InputError, match=f"^{message}"):
        read(places(sources=file, data=path), FKGL_AND_SOURCES)


@pytest.mark.parametrize(
    ("rows", "request_"),
    [
        (LONG, {"system_column": ""}),
        (long("sp4", "tq4"), {}),  # one system
        ([{"prediction": "p", "system": "a"}, {"prediction": "q", "system": "b"}], {}),
        ([{"out": "p", "system": "a"}] * 2, {"systems": [System(column="system", name="table")]}),
    ],
)
def test_other_tables_with_a_column_of_this_name_are_one_system(rows, request_):
    assert list(read(places(data=jsonl(rows), **request_), FKGL).systems) == ["table"]


# What else a metric declares

ROWS = [
    {"text": "p", "mark": [1, 1, 0], "weight": 2},
    {"text": "q", "mark": [0], "weight": 1.5},
    {"text": "r", "mark": [], "weight": 1},
]
S, AB = System("s.txt"), [System(column="a"), System(column="b")]
OPTIONAL = {"marked": [column.optional for column in Marked.columns]}
MARKS = {"predictions": ["p", "q", "r"], "mark": [[1, 1, 0], [0], []]}


@TABLES
def test_own_columns_come_from_the_table_of_the_predictions(write):
    found = read(places(data=write(ROWS), systems=[System(column="text")]), MARKED)
    assert found.systems == {"text": MARKS}
    assert found.shared == {"weight": [2.0, 1.5, 1.0]}
    assert Marked().score(**found.shared, **found.systems["text"])["labelled"] == 2


@pytest.mark.parametrize("write", [jsonl, format_csv, parquet])
def test_each_system_may_have_a_table_of_its_own(write):
    renamed = [{"text": r["text"], "label": r["mark"]} for r in ROWS]
    weights = write([{"w": row["weight"]} for row in ROWS], "weights")
    found = read(
        places(
            data=weights,
            systems=[System(write(renamed, "x"), "text"), System(write(renamed, "y"), "text")],
            names={"mark": ["label"], "weight": ["w"]},
        ),
        MARKED,
    )
    assert found.systems == {"x": MARKS, "y": MARKS}
    assert found.shared == {"weight": [2.0, 1.5, 1.0]}


@TABLES
def test_labels_may_be_single_or_numbered_columns_one_for_each_annotator(write):
    rows = [
        {"prediction": "p", "mark 1": 1, "mark 2": 0},
        {"prediction": "q", "mark 1": 1, "mark 2": None},
    ]
    found = read(places(data=write(rows)), MARKED)
    assert found.systems["table"]["mark"] == [[1, 0], [1]]


@TABLES
def test_structured_values_may_be_native(write):
    trees = [[["a"], ["b", "c"]], [[], ["d"]]]
    rows = [{"prediction": "p", "trees": tree} for tree in trees]
    assert read(places(data=write(rows)), PARSED).systems["table"]["trees"] == trees


def test_several_systems_of_one_table_lack_optional_columns_of_their_own():
    asked = places(data=format_csv([{"a": "p", "b": "q", "mark": 1}]), systems=AB)
    found = read(asked, OPTIONAL)
    assert [list(own) for own in found.systems.values()] == [["predictions"]] * 2


# What can't be read

GOOD = {
    "source": "s",
    "prediction": "p",
    "references": ["a", "b"],
    "mark": [1, 0],
    "weight": 1.5,
    "trees": [["a"]],
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("source", None),
        ("prediction", ["p"]),
        ("references", []),
        ("references", "a"),
        ("mark", [2]),
        ("weight", "much"),
        ("trees", math.inf),
    ],
)
def test_a_wrong_value_is_told_with_its_row(name, value):
    readers = {"": [*Marked.columns, *Parsed.columns, REFERENCES.optional]}
    rows = [dict(GOOD), dict(GOOD), {**GOOD, name: value}]
    with pytest.raises(InputError, match="row 2 of column"):
        read(places(data=jsonl(rows)), readers)


def table(*rows, **more):
    return places(data=jsonl(rows), **more)


def referred(first, second):
    return [{"prediction": "p", "reference 1": first, "reference 2": second}]


X, L = [System(column="x")], System("l.txt")
OTHERS = [{**row, "references": [row["prediction"]]} for row in LONG]


@pytest.mark.parametrize(
    ("asked", "readers", "place"),
    [
        (lambda: places(), SARI, "sari needs sources"),
        (lambda: places(sources="s.txt", systems=[S]), SARI, "sari needs references"),
        (lambda: places(sources="s.txt"), FKGL, "fkgl needs predictions"),
        (lambda: places(sources="t.csv", systems=[S]), FKGL, "t.csv: "),
        (lambda: places(data="s.txt"), FKGL, "s.txt: "),
        (lambda: places(data="t.csv", split="test"), FKGL, "t.csv is a file"),
        (lambda: places(data="t.csv"), FKGL, "t.csv has no column 'prediction'"),
        (lambda: places(systems=[System("t.csv", "out")]), FKGL, "t.csv has no column 'out'"),
        (lambda: places(systems=[S] * 2), FKGL, "two systems are called 's'"),
        (lambda: places(systems=[S]), MARKED, "s.txt: .* a column 'mark'"),
        (lambda: places(systems=[S, L]), FKGL, "s.txt has 1 line, but l.txt"),
        (
            lambda: places(sources="l.txt", data="t.csv", systems=X),
            FKGL,
            "l.txt .* 2 .* 'x' of t.c",
        ),
        (lambda: places(sources=text("s.json", '["s"]'), systems=[L]), FKGL, "s.json has 1 elemen"),
        (lambda: places(sources=text("s.json", '["s", 1]'), systems=[S]), FKGL, "row 1 of s.json"),
        (lambda: table({"x": "p"}, names={"sources": ["x", "y"]}), FKGL, "sources: .* 'x', 'y'"),
        (lambda: places(data="t.csv", names={"marks": ["x"]}), MARKED, "'marks' .* 'mark'"),
        (lambda: places(data=format_csv([{"source": "s"}], "u"), every=True), FKGL, "u.csv: "),
        (lambda: places(data=packed("u.csv.gz")), FKGL, "u.csv.gz, line 1: .*gunzip"),
        (lambda: table({"prediction": "p"}), FKGL_AND_SOURCES, "table.jsonl has no column 'source"),
        (lambda: table(*long("sp4", "tq4", "sv5", "sw5")), SARI, "rows 2 and 3 .* 'gpt-5'"),
        (lambda: table(*LONG, {**LONG[0], "system": None}), FKGL, "row 4 of column 'system'"),
        (lambda: table(*LONG, {**LONG[0], "system": ""}), FKGL, "row 4 of column 'system'"),
        (lambda: places(systems=[System(jsonl(LONG), name="ours")]), FKGL, "table.jsonl has a"),
        (lambda: table(*LONG, systems=[System(column="x=prediction")]), FKGL, "table.jsonl has"),
        (
            lambda: table(*OTHERS, sources=text("l.txt", "s", "t")),
            SARI,
            "same source 0 .* other ref",
        ),
        (lambda: table({"prediction": "p", "trees": math.nan}), PARSED, "row 0 of column 'trees'"),
        (lambda: table({"a": "p", "b": "q", "mark": 1}, systems=AB), MARKED, "table.* mark is"),
        (
            lambda: table({"a": "p", "b": "q", "m": 1}, systems=AB, names={"mark": ["m"]}),
            OPTIONAL,
            "table.jsonl has 2 systems, but mark",
        ),
        (
            lambda: places(systems=[S, System(jsonl([{"prediction": "p", "mark": 1}]))]),
            OPTIONAL,
            "mark of s: ",
        ),
        (lambda: table(*referred(["a"], ["b"]), *referred(["a"], None)), BLEU, "row 1 .*nce 2'"),
        (
            lambda: table(*referred("a", ""), *referred("", "")),
            BLEU,
            "row 1 .*nce 1', 'reference 2",
        ),
        (
            lambda: table(*({"references": [x, x], "prediction": "p"} for x in ("a", ""))),
            BLEU,
            "row 1 of columns 'references' of",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_place(asked, readers, place):
    text("s.txt", "one")
    text("l.txt", "one", "two")
    format_csv([{"source": "s", "x": "p"}], "t")
    with pytest.raises(InputError, match=place):
        read(asked(), readers)
