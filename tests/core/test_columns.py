import json
import math

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp.core import columns
from textsimp.core.declarations import Column
from textsimp.support.errors import InputError, nearest

TEXTS = ["One text.", "", "Ünïcode \u2028 and two  spaces"]
REFERENCES = [["a", "b"], [""], ["c", "d", "e"]]
SQUARE = [["a", "b"], ["", "c"], ["d", "e"]]  # as many references in every row

CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "datasets Column": lambda rows: datasets.Dataset.from_dict({"text": rows})["text"],
    "datasets Column, NumPy format": lambda rows: datasets.Dataset.from_dict(
        {"text": rows}
    ).with_format("numpy")["text"],
    "NumPy array of str": np.array,
    "NumPy array of object": lambda rows: np.array(rows, dtype=object),
    "pandas Series": pd.Series,
    "pandas Series of object": lambda rows: pd.Series(rows, dtype=object),
    "pandas Series with another index": lambda rows: pd.Series(rows, index=[7, 0, 3]),
    "Arrow Array": pa.array,
    "Arrow ChunkedArray": lambda rows: pa.chunked_array([pa.array(rows[:1]), pa.array(rows[1:])]),
}


def assert_plain(column, expected):
    assert column == expected
    assert type(column) is list
    for row in column:
        assert type(row) in (str, list)
        assert {type(text) for text in row} <= {str}


@pytest.mark.parametrize("make", CONTAINERS.values(), ids=CONTAINERS)
def test_every_kind_of_sequence_gives_the_same_plain_lists(make):
    assert_plain(columns.texts(make(TEXTS), "sources"), TEXTS)
    assert_plain(columns.references(make(TEXTS)), [[text] for text in TEXTS])
    assert_plain(columns.references(make(SQUARE)), SQUARE)
    if make is not np.array:  # which must be rectangular
        assert_plain(columns.references(make(REFERENCES)), REFERENCES)


@pytest.mark.parametrize(
    "row", [("a", "b"), np.array(["a", "b"]), pd.Series(["a", "b"]), ["a", np.str_("b")]], ids=type
)
def test_a_row_of_references_may_be_any_sequence_of_any_strings(row):
    assert_plain(columns.references([row, ["c"]]), [["a", "b"], ["c"]])
    assert_plain(columns.texts(row, "sources"), ["a", "b"])


def test_columns_are_copied():
    sources, references = ["a"], [["b"]]
    columns.texts(sources, "sources").append("c")
    columns.references(references).append(["c"])
    assert (sources, references) == (["a"], [["b"]])


NOT_COLUMNS = [
    *(None, "a bare string", b"bytes", 3, math.nan, {"a": 1}, {"a"}, (text for text in "ab")),
    np.array("no dimension"),
    pd.DataFrame({"text": ["a"]}),
    pa.table({"text": ["a"]}),
    *([], (), np.array([], dtype=object), pd.Series([]), pa.array([])),  # no rows
]


@pytest.mark.parametrize("column", NOT_COLUMNS, ids=lambda column: type(column).__name__)
def test_what_is_not_a_sequence_of_rows_is_refused(column):
    for check in (columns.texts, columns.references):
        with pytest.raises(InputError):
            check(column, "references")


def test_a_column_of_a_stream_is_refused_with_what_works_on_it():
    stream = datasets.Dataset.from_dict({"text": ["a"]}).to_iterable_dataset()
    for check in (columns.texts, columns.references):
        with pytest.raises(InputError, match=r"^x: .*IterableColumn, a stream.*add_batch"):
            check(stream["text"], "x")


@pytest.mark.parametrize("rows", [[[], ["a"]], [[], []], [["b", "a", "b"], []]])
def test_a_row_of_items_may_be_empty_and_keeps_its_order(rows):
    items = Column("gold", "texts", "", items=True)
    assert columns.check_column(items, rows) == rows


def test_what_a_column_is_read_as_leaves_the_rows_that_were_given_alone():
    column, rows = Column("marks", "text", "", read=str.upper), ["a", "b"]
    assert columns.check_column(column, rows) == ["A", "B"]
    assert rows == ["a", "b"]


def test_references_in_a_list_per_reference_are_recognised_by_their_shape():
    transposed = [["first of a", "first of b", "first of c"], ["second of a", "of b", "of c"]]
    with pytest.raises(InputError, match=r"^references: .*transposed"):
        columns.check_lengths(sources=["a", "b", "c"], references=transposed)
    turned = [list(row) for row in zip(*transposed, strict=True)]
    columns.check_lengths(sources=["a", "b", "c"], references=turned)


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("source", "sources"),
        ("Predictions", "predictions"),
        ("refs", "references"),
        ("preds", "predictions"),
        ("colour", None),
        ("", None),
        (None, None),
        (3, None),
    ],
)
def test_a_mistyped_name_is_answered_by_the_nearest(value, meant):
    expected = f" (did you mean {meant!r}?)" if meant else ""
    known = ["source_tokenizer", "orders", "sources", "predictions", "references"]
    assert nearest(value, known) == expected


NO_TEXTS = [  # in their second rows
    ["a", None],
    ["a", float("nan")],
    ["a", b"b"],
    ["a", ["b"]],
    ["a", "\ud800"],
    ["fine \U0001f600 \uffff", "before \udfff after"],
    np.array(["a", None], dtype=object),
    pd.Series(["a", float("nan")], dtype=object),
    pa.array(["a", None]),
    datasets.Dataset.from_dict({"text": ["a", None]})["text"],
]


BAD_REFERENCES = [
    # Rows of the wrong kind
    ([None], "row 0"),
    ([{"a"}], "row 0"),
    ([["a"], ["b"], float("nan")], "row 2"),
    ([["a"], "b"], "row 1"),
    (["a", ["b"]], "row 1"),
    (pd.Series(["a", float("nan")], dtype=object), "row 1"),
    (pa.array([["a"], None]), "row 1"),
    # Rows without references
    ([[]], "row 0"),
    ([["a"], []], "row 1"),
    # Inside a row
    ([["a"], [None]], "row 1"),
    ([[["a"]]], "row 0"),
    (pa.array([["a", None]]), "row 0"),
    (np.array([[["a"]]]), "row 0"),
    ([["a"], ["b", "c\udc80"]], "row 1"),
    ([["\udc80", "b"]], "row 0"),
]


@pytest.mark.parametrize(
    ("check", "column", "where"),
    [
        *((columns.texts, column, "row 1") for column in NO_TEXTS),
        *((columns.references, column, where) for column, where in BAD_REFERENCES),
    ],
)
def test_a_bad_row_is_named(check, column, where):
    with pytest.raises(InputError, match=rf"^{where} of refs "):
        check(column, "refs")


def test_columns_of_different_lengths_are_refused_with_all_lengths():
    columns.check_lengths(sources=["a"], predictions=["b"], references=None)
    with pytest.raises(InputError, match=r"sources has 2, predictions has 1, references has 2"):
        columns.check_lengths(sources=["a", "b"], predictions=["c"], references=[["d"], ["e"]])


# Lists that became texts

NESTED = [["It's a cat.", "A cat."], ['He said "no".'], ["a", "b", "c"]]
WRITTEN = {
    "pandas, a list": str,
    "NumPy": lambda row: str(np.array(row)),
    "JSON": json.dumps,
    "JSON, indented": lambda row: json.dumps(row, indent=2),
}


@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize(
    "check",
    [columns.references, lambda rows, name: columns.references([[row] for row in rows], name)],
    ids=["strings", "lists of one string"],
)
def test_lists_written_as_text_are_no_references(write, check):
    with pytest.raises(InputError):
        check(["", *map(write, NESTED)], name="refs")


def test_some_texts_that_look_like_lists_are_texts():
    rows = ["['s] Hertogenbosch", '["Title"]', "a text", "", "b"]
    assert columns.texts(rows, "sources") == rows
    rows = ["[]", "[", "['", '["]', '("Yes.")', "[sic]", "[1, 2]", "['a' is b]", "' ]", "['a', b"]
    for row in rows:
        assert columns.texts([row], "sources") == [row]


LIST = "['one', 'another']"


@pytest.mark.parametrize("others", [["a"], ["a", "", "[]"]], ids=["half", "half but empty ones"])
def test_half_of_the_texts_that_are_not_empty_may_look_like_lists(others):
    assert columns.texts([LIST, *others], "texts") == [LIST, *others]


def test_most_texts_that_look_like_lists_are_an_error():
    with pytest.raises(InputError, match=r"^row 1 of sources .*, got a list"):
        columns.texts(["a text", "['a', 'b']", "['c']", "[]", "", " "], "sources")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1))
def test_any_list_written_by_python_or_json_is_recognised(row):
    for text in (str(row), json.dumps(row)):
        with pytest.raises(InputError):
            columns.texts([text], "sources")


# Labels of any name -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column",
    [
        ["A1", "2", None],
        ["A1", 2, ""],
        [["A1"], [np.int64(2)], []],
        pd.Series(["A1", 2.0, math.nan], dtype=object),
        np.array([np.str_("A1"), np.float32(2), None], dtype=object),
    ],
)
def test_labels_that_are_not_declared_are_texts(column):
    checked = columns.labels(column, "target", ())
    assert checked == [["A1"], ["2"], []]
    assert {type(label) for row in checked for label in row} == {str}


@pytest.mark.parametrize("bad", [True, np.True_, 1.5, math.inf, {"a": 1}, b"A1", [["A1"]]])
def test_what_is_no_label_is_refused(bad):
    with pytest.raises(InputError):
        columns.labels(["A1", bad], "target", ())


@pytest.mark.parametrize("missing", [math.nan, None, "", "nan", " NaN", "NA", "n/a"])
def test_a_missing_number_is_the_same_in_jsonl_and_in_csv(missing):
    assert columns.ratings(["1.5", missing], "rating") == [[1.5], []]
    assert columns.labels(["1", missing], "level", [1, 2]) == [[1], []]
    with pytest.raises(InputError):
        columns.numbers(["1", missing], "score")


def test_the_error_of_a_decimal_comma_says_what_to_write():
    for read in (columns.numbers, columns.ratings):
        with pytest.raises(InputError, match=r"'-2,5': it has a decimal comma, write -2\.5$"):
            read(["1", "-2,5"], "score")
    with pytest.raises(InputError, match=r"'1,2,3'$"):
        columns.numbers(["1,2,3"], "score")


def test_nan_is_a_text_among_texts():
    assert columns.texts(["nan", "b"], "sources") == ["nan", "b"]
    assert columns.labels(["nan"], "word", ()) == [["nan"]]


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("number", [1, "1_0"]),
        ("ratings", [1e100, "1_0"]),
        ("text", ["a", 1]),
        ("text", ["a", "\ud800"]),
        ("texts", [["a"], []]),
        ("texts", [["a"], ["\ud800"]]),
        ("texts", [["a"], "a"]),
        ("texts", ["a", ["a"]]),
        ("labels", ["x", "z"]),
        ("number", [1e100, "much"]),
        ("structured", [1, math.nan]),
    ],
)
def test_a_bad_row_is_refused_by_its_number(kind, rows):
    column = Column("c", kind, "", labels=("x", "y"))
    with pytest.raises(InputError, match=r"row 3 of c \(counted from 0\): "):
        columns.check_column(column, [*rows[:1] * 3, rows[1]])
