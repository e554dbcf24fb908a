"""Tables as columns."""

import contextlib
import datetime
import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.core.declarations import REFERENCES
from textsimp.corpora import tables

ROWS = [{"source": "a, b", "references": ["x", "y"]}, {"source": 'c\n"d"', "references": ["z"]}]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=5,
)
JSON = "".join(json.dumps(row) + "\n" for row in ROWS)


@given(st.binary(max_size=30))
def test_any_bytes_are_a_table_or_an_input_error(contents):
    for suffix in (".jsonl", ".json", ".csv", ".parquet", ".xlsx"):
        with tempfile.NamedTemporaryFile(suffix=suffix) as file:
            file.write(contents)
            file.flush()
            with contextlib.suppress(InputError):
                assert tables.read_table(file.name).names is not None


def test_a_column_that_the_first_rows_lack_is_told(file):
    """A row in which it is missing would be scored by other references than its own."""
    rows = [{"prediction": "a"}, {"prediction": "b", "references": ["x"]}]
    table = tables.read_table(file("".join(f"{json.dumps(row)}\n" for row in rows), "a.jsonl"))
    with pytest.raises(InputError, match=r"a\.jsonl, line 1 has no 'references'"):
        tables.read_column(table, REFERENCES.optional)


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_cells_of_csv_are_texts_as_they_stand(suffix, file):
    cells = ["01", "NA", "", "null", "2020-01-01", "1e5", "TRUE", " a\u2028b ", "[1]"]
    table = tables.read_table(file("".join(f'"{cell}"\n' for cell in ["x", *cells]), f"a.{suffix}"))
    assert table.column("x") == cells


def test_two_threads_may_read_long_cells_of_csv(file):
    """Python's limit on a cell's length is the process's."""
    path = file("x\n" + f"{'w' * 200_000}\n" * 5, "a.csv")
    with ThreadPoolExecutor(4) as pool:
        read = list(pool.map(lambda _: tables.read_table(path).column("x"), range(40)))
    assert read == [["w" * 200_000] * 5] * 40


@pytest.mark.parametrize(
    ("name", "contents", "place"),
    [
        ("a.jsonl", JSON, "'a'.* 'source', 'references'"),
        ("a.jsonl", '{"a": 1}\n{"b": 2}\n', "line 2 .*'a'.* 'b'"),
        ("a.json", '[{"a": 1}, {"b": 2}]', "element 2 .*'a'.* 'b'"),
    ],
)
def test_a_missing_column_is_told_with_those_there_are(name, contents, place, file):
    table = tables.read_table(file(contents, name))
    with pytest.raises(InputError, match=place):
        table.column("a")


@pytest.mark.parametrize(
    ("name", "contents", "place"),
    [
        ("a.jsonl", '{"a": 1}\n{"a": 2', "line 2: "),
        ("a.jsonl", '{"a": 1}\n\n{"a": 2}', "line 2: "),
        ("a.jsonl", '[{"a": 1}]', "line 1: .* list"),
        ("a.jsonl", '{"a": 1}\n{"a": 1, "a": 3}', "line 2: .* 'a'"),
        ("a.jsonl", b'{"a": 1}\n\xff', "line 2: .* 0xff"),
        ("a.json", "[]", ""),
        ("a.json", "3", "line 1: .* int"),
        ("a.json", '[{"a": 1},\n2]', "element 2: .* int"),
        ("a.json", '[{"a": 1},\n{"a": 2, "a": 3}]', "'a'"),
        ("a.json", '[{"a": 1}\n{"a": 2}]', "line 2: "),
        ("a.json", '[{"a": 1},\n{"a": ]', "line 2: "),
        ("a.json", '[{"a": 1},\n]', "line "),  # which differs between versions of Python
        ("a.json", '[{"a": 1}]\n\n[]', "line 3: "),
        ("a.json", '[{"a": ' + "[" * 200_000, ""),
        ("a.csv", 'a,b\n1,2\n"3\n",4\n5\n', "line 5: "),
        ("a.csv", 'a\n"1\n', "line 2: "),
        ("a.csv", "a,b\n", ""),
        ("a.csv", "a,a\n1,2\n", "'a', 'a'"),
        ("a.parquet", "PAR1", ""),
        ("a.xlsx", "PK", ""),
        ("a.xls", "", ".jsonl"),
        ("a.csv.gz", b"\x1f\x8b", "gunzip"),
        ("a.csv", "a\tb\n".encode("utf-16"), "line 1: .* UTF-16"),
    ],
)
def test_a_bad_table_is_told_with_its_line(name, contents, place, file):
    with pytest.raises(InputError, match=rf"{name}\b.*{place}") as error:
        tables.read_table(file(contents, name))
    assert "\n" not in str(error.value)


ARRAY = """[
  {"source": "a \\u00e9", "references": ["x", "y"], "n": 1.00},
  {"source": "b", "references": ["z"],
   "n": 2e400}
]
"""


def test_a_json_file_may_be_an_array_of_objects(file):
    table = tables.read_table(file(ARRAY, "a.json"))
    assert table.names == ["source", "references", "n"]
    assert table.column("source") == ["a é", "b"]
    assert table.column("references") == [["x", "y"], ["z"]]
    assert tables.read_table(file(f"\ufeff \n{ARRAY}", "b.json")).column("source") == ["a é", "b"]


@pytest.mark.parametrize(
    "value",
    [
        {"data": [{"a": "x"}, {"a": "y"}], "version": "1.0"},
        {"a": {"0": "x", "1": "y"}},  # by to_json of pandas, as the next
        {"columns": ["a"], "index": [0, 1], "data": [["x"], ["y"]]},
        {"0": "x", "1": "y"},
        {"a": ["x", "y"]},
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_object_that_is_a_table_is_told_how_to_be_written(value, indent, file):
    with pytest.raises(InputError, match=r"a\.json: .* array, with pandas by .*orient='records'"):
        tables.read_table(file(json.dumps(value, indent=indent), "a.json"))


def test_another_json_object_is_a_row(file):
    table = tables.read_table(file('{"a": "x", "b": ["y", "z"]}', "a.json"))
    assert (table.column("a"), table.column("b")) == (["x"], [["y", "z"]])


def test_a_json_file_may_be_json_lines(file):
    assert tables.read_table(file(JSON, "a.json")).column("source") == [r["source"] for r in ROWS]


@given(st.lists(st.dictionaries(st.just("a"), JSON_VALUES, min_size=1), min_size=1), st.booleans())
def test_any_array_of_objects_is_read_as_json_reads_it(rows, indented):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(json.dumps(rows, indent=2 if indented else None).encode())
        file.flush()
        table = tables.read_table(file.name)
    assert table.column("a") == [row["a"] for row in rows]


CELLS = st.text(st.sampled_from("ab ,\t\"\n\r'é"), max_size=6)


@given(
    st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1),
    st.sampled_from([",", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_cells_of_csv_are_read_as_they_were_written(rows, delimiter, ending, ended):
    def quoted(cell):
        return '"' + cell.replace('"', '""') + '"'

    lines = [delimiter.join(map(quoted, row)) for row in rows]
    text = ending.join([f"x{delimiter}y", *lines]) + ending * ended
    with tempfile.NamedTemporaryFile(suffix=".csv" if delimiter == "," else ".tsv") as file:
        file.write(text.encode())
        file.flush()
        table = tables.read_table(file.name)
    assert list(zip(*map(table.column, "xy"), strict=True)) == [tuple(row) for row in rows]


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_csv_may_have_semicolons_as_german_excel_writes_it(delimiter, file):
    text = f'\ufeffsource{delimiter}prediction\r\n"a;b"{delimiter}c, d\r\n'
    table = tables.read_table(file(text, "a.csv"))
    assert (table.names, table.delimiter) == (["source", "prediction"], delimiter)
    assert (table.column("source"), table.column("prediction")) == (["a;b"], ["c, d"])
    assert tables.read_table(file("a,b;c\n1,2\n", "b.csv")).names == ["a", "b;c"]


QUOTED_TSV = {
    "unquoted texts that begin with a mark": (
        'source\tprediction\n"We left.\tWe left.\nIt was late."\tIt was late.\n',
        [('"We left.', "We left."), ('It was late."', "It was late.")],
    ),
    "a mark at both ends of a row": ('source\tprediction\n"b\tc"\n', [('"b', 'c"')]),
    "ends of lines of Windows": ('source\tprediction\r\n"We\ta\r\n', [('"We', "a")]),
    "fields that are quoted whole": (
        'source\tprediction\n"He said ""no""."\t"a"\n5" long\tb\n',
        [('He said "no".', "a"), ('5" long', "b")],
    ),
    "a quoted line break": (
        'source\tprediction\n"a\nb"\tc\nd\t"""e"" f"\n',
        [("a\nb", "c"), ("d", '"e" f')],
    ),
    "a quoted tab": ('source\tprediction\n"a\tb"\tc\n', [("a\tb", "c")]),
    "a quoted tab and line break": ('source\tprediction\n"a\tb\nc"\t"d"\n', [("a\tb\nc", "d")]),
}


@pytest.mark.parametrize(("text", "rows"), QUOTED_TSV.values(), ids=QUOTED_TSV)
@pytest.mark.parametrize("name", ["a.tsv", "a.csv"])
def test_quotation_marks_of_tsv_are_text_unless_fields_are_quoted_whole(name, text, rows, file):
    table = tables.read_table(file(text, name))
    assert list(zip(*map(table.column, table.names), strict=True)) == rows


def test_a_short_line_of_unquoted_tsv_is_told_with_its_number(file):
    text = 'source\tprediction\n"We left.\ta\nHe said "no".\n'
    with pytest.raises(InputError, match="line 3: expected 2 fields as in the first line, got 1"):
        tables.read_table(file(text, "a.tsv"))


def excel(path, rows, *sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for sheet in sheets:
        book.create_sheet(sheet)
    book.save(path)
    return path


def test_excel_files_are_tables_of_texts(tmp_path, capsys):
    rows = [["source", "references", "n"], ["01\n=2", '["a", "b"]', 1], ["NA", None, 1.5]]
    path = excel(tmp_path / "a.xlsx", rows)
    table = tables.read_table(path)
    assert table.names == ["source", "references", "n"]
    columns = [table.column(name) for name in table.names]
    assert columns == [["01\n=2", "NA"], ['["a", "b"]', ""], ["1", "1.5"]]
    assert capsys.readouterr().err == ""
    tables.read_table(excel(path, rows, "notes"))
    assert capsys.readouterr().err == f"{path}: only the sheet 'Sheet' is read; not 'notes'\n"


DAY = datetime.datetime(2026, 1, 2)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([[], ["a"], ["s"], [None], ["t"], [" "]], {"a": ["s", "t"]}),  # empty rows
        (
            [["a"], ["One._x000D_\nTwo."], ["_x005F_x000D_"], ["_x00e9_x000_"]],
            {"a": ["One.\r\nTwo.", "_x000D_", "éx000_"]},
        ),
        (
            [["a", "b", None], [True, 2.0], [DAY, 1e-7, None], [None, None, None]],
            {"a": ["True", "2026-01-02 00:00:00"], "b": ["2", "1e-07"]},
        ),
    ],
)
def test_cells_of_excel_are_texts_as_people_see_them(rows, expected, tmp_path):
    table = tables.read_table(excel(tmp_path / "a.xlsx", rows))
    assert {name: table.column(name) for name in table.names} == expected


@pytest.mark.parametrize(
    ("rows", "place"),
    [
        ([["source"]], ""),
        ([["a", "a"], ["b", "c"]], "'a', 'a'"),
        ([["source", "n"], ["a", "#N/A"]], "cell B2: .* #N/A"),
        ([["source", "n"], ["a", "=A2"]], "cell B2: .* formula"),
        (None, "openpyxl"),
    ],
)
def test_what_is_wrong_with_an_excel_file_is_told(rows, place, tmp_path, monkeypatch):
    path = excel(tmp_path / "a.xlsx", rows or [["a"], ["b"]])
    if rows is None:
        monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(InputError, match=rf"a\.xlsx.*{place}"):
        tables.read_table(path)


@pytest.mark.parametrize(
    ("contents", "rows"),
    [
        ('["a", "b"]', ["a", "b"]),
        ('[["a", "b"], ["c"]]', [["a", "b"], ["c"]]),
        ('[{"a": 1}]', None),
        ('{"a": 1}\n{"a": 2}', None),
        ("[]", None),
    ],
)
def test_a_json_list_of_texts_is_a_column(contents, rows, file):
    assert tables.read_json_texts(file(contents, "a.json")) == rows
    assert tables.read_json_texts(file(contents, "a.txt")) is None


NOT_UTF8 = pa.array([b"fine", b"\xc3\xa9", b"caf\xe9", b""], pa.binary()).view(pa.string())
OFFSETS = pa.array([0, 1, 2, 3, 4], pa.int32())


@pytest.mark.parametrize(
    ("columns", "names", "place"),
    [
        ([["a"], ["b"], ["c"]], ["x", "y", "x"], "'x', 'y', 'x'"),
        ([NOT_UTF8], ["x"], "UTF8"),
        ([pa.ListArray.from_arrays(OFFSETS, NOT_UTF8)], ["x"], "UTF8"),
    ],
)
def test_what_is_wrong_with_a_parquet_file_is_told(columns, names, place, tmp_path):
    pq.write_table(pa.table(columns, names=names), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=rf"a\.parquet: .*{place}"):
        tables.read_table(tmp_path / "a.parquet").column("x")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (['["a", "b"]', '["c"]'], [["a", "b"], ["c"]]),
        (['["a"]', "text"], None),
        (['["a"]', "['b']"], None),
        (["[1]"], None),
        (["[" * 200_000], None),
        ([], []),
    ],
)
def test_only_a_column_of_json_lists_of_texts_is_parsed(rows, expected):
    assert tables.json_lists(rows) == expected
