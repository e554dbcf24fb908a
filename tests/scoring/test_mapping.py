"""Statistics that a function maps over batches are one run on everything, in any order and cut."""

import json
import pickle
from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import textsimp
from tests.commands import make_runner
from tests.core.test_statistics_files import OURS, REFERENCES, SAMPLING, SOURCES, THEIRS, N
from textsimp import ColumnMeans, FkglComponents, InputError, Sari, map_statistics
from textsimp.cli import main
from textsimp.core import block_sums, draws
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors

SCORES = {
    name: [None if i % step == 2 else (i * step) % 9 / 7 for i in range(N)]
    for name, step in (("ours", 5), ("theirs", 7))
}
ROWS = pa.table(
    {
        "row": range(N),
        "source": SOURCES,
        "simple": REFERENCES,
        "ours": OURS,
        "theirs": THEIRS,
        **{f"{name} score": values for name, values in SCORES.items()},
    }
)
PLACES = {"sources": "source", "references": "simple", "predictions": {"a": "ours", "b": "theirs"}}
KINDS = {
    "dict": pa.Table.to_pydict,
    "dict of arrays": lambda rows: {
        name: column.to_numpy() for name, column in zip(rows.column_names, rows, strict=True)
    },
    "table": lambda rows: rows,
    "record batch": lambda rows: rows.combine_chunks().to_batches()[0],
    "frame": pa.Table.to_pandas,
}

MISSING = {  # places, columns, a metric, and what row 2 of 3 is without
    "numbers": ({"comet": "c"}, {"c": [0.5, 1, None]}, ColumnMeans(names="comet"), "number"),
    "labels": (
        {name: name for name in CATEGORIES},
        {name: [0, [1, 1], []] for name in CATEGORIES},
        InformationErrors(),
        "label that isn't a tie",
    ),
}


@pytest.fixture
def blocks(monkeypatch):
    """Of more than a few rows, blocks are drawn; some have several rows."""
    monkeypatch.setattr(draws, "MANY", 7)
    monkeypatch.setattr(draws, "BLOCKS", 16)


def values(result):
    column = result["statistics"]
    return column.to_pylist() if hasattr(column, "to_pylist") else list(column)


def mapped(function, batches):
    """The values of the batches."""
    return [value for batch in batches for value in values(function(batch))]


def cut(order, ends):
    """The rows in this order, in batches."""
    return [ROWS.take([*order[a:b]]) for a, b in pairwise([0, *sorted(ends), N])]


def one_run(metrics, **sampling):
    systems = {"a": OURS, "b": THEIRS}
    columns = {"sources": SOURCES, "references": REFERENCES}
    return textsimp.compare(systems, metrics=metrics, baseline="a", **columns, **sampling)


@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_of_any_kind_gives_one_row_of_the_same_kind(kind):
    function = map_statistics("sari", **PLACES)
    batch = KINDS[kind](ROWS)
    result = function(batch)
    assert isinstance(result, type(batch))
    assert len(values(result)) == 1
    merged = textsimp.merge(values(result))
    found = textsimp.compare(merged, baseline="a", **SAMPLING)
    assert found["sari"].differences == one_run("sari", **SAMPLING)["sari"].differences


METRICS = ["sari", "sari(xu)", "bleu", "fkgl_components"]


@given(st.permutations(range(N)), st.sets(st.integers(1, N - 1), max_size=5), st.randoms())
def test_batches_in_any_order_and_cut_are_one_run_to_the_last_bit(order, ends, chance):
    with patch.multiple(draws, MANY=7, BLOCKS=16):
        pieces = mapped(map_statistics(METRICS, **PLACES), cut(order, ends))
        chance.shuffle(pieces)
        merged = textsimp.merge(iter(pieces), rows=N)
        found = textsimp.compare(merged, baseline="a", **SAMPLING).to_dict()
        expected = one_run(METRICS, **SAMPLING).to_dict()
    for metric, comparison in expected.items():
        assert found[metric]["systems"] == comparison["systems"]
        assert found[metric]["differences"] == comparison["differences"]


@given(st.permutations(range(N)), st.sets(st.integers(1, N - 1), max_size=5))
def test_systems_are_compared_on_the_rows_that_both_have(order, ends):
    metric = ColumnMeans(names="comet")
    places = {name: {"comet": f"{name} score"} for name in SCORES}
    systems = {name: {"comet": scores} for name, scores in SCORES.items()}
    with patch.multiple(draws, MANY=7, BLOCKS=16):
        pieces = mapped(map_statistics(metric, predictions=places), cut(order, ends))
        found = textsimp.compare(textsimp.merge(pieces), baseline="ours", **SAMPLING)
        expected = textsimp.compare(systems, metrics=metric, baseline="ours", **SAMPLING)
    assert found.to_dict() == expected.to_dict()
    both = [None not in pair for pair in zip(*SCORES.values(), strict=True)]
    assert found["column"].differences["theirs"]["comet"].units == sum(both)


@pytest.mark.parametrize("kind", ["labels", "numbers"])
def test_a_batch_without_a_number_or_label_is_mapped_as_missing(kind):
    places, columns, metric, what = MISSING[kind]
    function = map_statistics(metric, predictions={"a": places})
    batches = [{"row": [i], **{name: [rows[i]] for name, rows in columns.items()}} for i in (2, 0)]
    pieces = mapped(function, batches)
    own = {name: [columns[place][0], columns[place][2]] for name, place in places.items()}
    expected = textsimp.score({"a": own}, metrics=metric, confidence=None)
    with pytest.warns(UserWarning, match="^no file has row 1 "):
        found = textsimp.score(textsimp.merge(pieces), confidence=None)
    assert found["a"] == expected["a"]
    with pytest.raises(InputError, match=f"of a: expected a {what}, got none in any row$"):
        textsimp.merge(pieces[:1])


def test_a_pickled_function_has_the_same_results():
    function = map_statistics("sari", **PLACES)
    assert pickle.loads(pickle.dumps(function))(ROWS) == function(ROWS)


def test_a_single_column_is_the_system_that_files_call_predictions():
    function = map_statistics("fkgl_components", predictions="ours")
    merged = textsimp.merge(values(function(ROWS)))
    found = textsimp.score(merged, confidence=None)["predictions"]["fkgl_components"]
    assert found == FkglComponents().score(predictions=OURS)


def test_references_may_be_columns_of_texts():
    columns = {f"ref{i}": [row[i] for row in REFERENCES] for i in range(3)}
    batch = {"row": range(N), "source": SOURCES, "ours": OURS, **columns}
    function = map_statistics("sari", predictions="ours", sources="source", references=[*columns])
    merged = textsimp.merge(values(function(batch)))
    found = textsimp.score(merged, confidence=None)["predictions"]["sari"]
    assert found == Sari().score(sources=SOURCES, predictions=OURS, references=REFERENCES)


def test_numbers_of_rows_may_be_a_second_argument():
    function = map_statistics("fkgl_components", predictions="ours")
    expected = values(function(ROWS))
    assert values(function(ROWS.drop_columns(["row"]), range(N))) == expected


def test_an_iterator_of_batches_becomes_a_single_row(blocks):
    function = map_statistics("sari", **PLACES)
    batches = [batch for part in cut(range(N), [9, 30]) for batch in part.to_batches()]
    (result,) = function(iter(batches))
    assert isinstance(result, pa.RecordBatch)
    merged = textsimp.merge(values(result), rows=N)
    assert merged["sari"].systems.keys() == {"a", "b"}
    assert [*function(iter([]))] == []


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_batch_gives_no_row(kind):
    function = map_statistics("sari", **PLACES)
    if kind == "record batch":
        result = function(ROWS.schema.empty_table().to_batches()[0:1] or ROWS.to_batches()[0][:0])
    else:
        result = function(KINDS[kind](ROWS[:0]))
    assert values(result) == []


def test_sums_take_no_more_room_for_more_rows(blocks):
    function = map_statistics("sari", predictions="ours", sources="source", references="simple")
    sizes = []
    for copies in (1, 20):
        table = pa.concat_tables([ROWS] * copies)
        (value,) = values(function(table, range(len(table))))
        sizes.append(pq.ParquetFile(pa.BufferReader(value)).metadata.num_rows)
    assert sizes == [draws.PARTS * draws.BLOCKS] * 2


def test_files_of_values_are_merged_by_the_command_too(tmp_path, monkeypatch):
    function = map_statistics("sari", **PLACES)
    monkeypatch.chdir(tmp_path)
    for i, batches in enumerate((cut(range(N), [9, 30])[:2], cut(range(N), [9, 30])[2:])):
        pieces = mapped(function, batches)
        pq.write_table(pa.table({"statistics": pa.array(pieces, pa.binary())}), f"{i}.parquet")
    files = ["1.parquet", tmp_path / "0.parquet"]
    assert textsimp.merge(files, rows=N)["sari"].examples == N
    for rows, said in ((N, ""), (N + 1, f"no file has row {N} (counted from 0)")):
        arguments = ["merge", *map(str, files), "--rows", str(rows), "--json"]
        result = make_runner().invoke(main, arguments)
        assert result.exit_code == 0
        assert result.stderr == (f"Warning: {said}\n" if said else "")
        assert json.loads(result.stdout)["warnings"] == ([said] if said else [])


# What doesn't fit


def merged(*pieces, **options):
    function = map_statistics("sari", **PLACES)
    return textsimp.merge(mapped(function, pieces), **options)


def test_rows_that_are_missing_are_named(blocks):
    with pytest.warns(UserWarning, match=r"^no file has rows 3-9, 20 \(counted from 0\)"):
        merged(ROWS[:3], ROWS[21:], ROWS[10:20])
    with pytest.warns(UserWarning, match=r"^no file has rows 48-59 "):
        merged(ROWS, rows=60)


def test_rows_that_are_there_twice_are_named(blocks):
    with pytest.raises(InputError, match=r"rows 10-19 \(counted from 0\) of sari, a are there twi"):
        merged(ROWS[:20], ROWS[10:])
    with pytest.raises(InputError, match=r"rows 0-47 "):
        merged(ROWS, ROWS)


def test_rows_in_many_ranges_are_only_counted(blocks, monkeypatch):
    monkeypatch.setattr(block_sums, "MOST_RANGES", 3)
    even, odd = (ROWS.take([*range(start, N, 2)]) for start in (0, 1))
    assert merged(even, odd)["sari"].examples == N
    said = r"^no file has 23 of rows 0-46 .* or more if others are there twice"
    with pytest.warns(UserWarning, match=said):
        merged(even)
    with pytest.raises(InputError, match=r"24 or more of rows 0-47 .* are there twice"):
        merged(even, odd, even)
    with pytest.raises(InputError, match=r"1 or more of rows 0-47 .* are there twice"):
        merged(even, odd[:22], ROWS[47:], ROWS[46:47])  # without row 45


def test_other_references_sources_or_options_are_refused(blocks):
    first, rest = ROWS[:30], ROWS[30:]
    alone = {**PLACES, "predictions": {"a": "ours"}}
    other = rest.set_column(1, "source", [THEIRS[30:]])
    pieces = values(map_statistics("sari", **alone)(first))
    theirs = {**PLACES, "predictions": {"b": "theirs"}}
    pieces += values(map_statistics("sari", **alone)(rest))
    pieces += mapped(map_statistics("sari", **theirs), [first, other])
    with pytest.raises(InputError, match=r"expected the same sources as in .* in rows 0-47 "):
        textsimp.merge(pieces)
    with pytest.raises(InputError, match=r"expected sari of .*, got sari\(tokenizer=intl\)"):
        textsimp.merge(
            [*pieces[:2], *values(map_statistics("sari(tokenizer=intl)", **theirs)(ROWS))]
        )
    with pytest.raises(InputError, match="rows 0-47 of a and rows 0-29 of b"):
        textsimp.merge(pieces[:3])


def test_systems_with_gaps_must_be_mapped_at_once(blocks):
    metric = ColumnMeans(names="comet")
    pieces = []
    for name in SCORES:
        function = map_statistics(metric, predictions={name: {"comet": f"{name} score"}})
        pieces += values(function(ROWS))
    with pytest.raises(InputError, match="column lacks numbers in some rows: map all systems at"):
        textsimp.merge(pieces)


ALONE = "fkgl_components", {"predictions": "ours"}  # a metric and the places of its columns
UNEQUAL = {"row": [0, 1], "ours": OURS[:2], "r1": ["A cat.", "Cats."], "r2": ["A cat."]}
OF_SARI = {
    "in a batch of rows 0-47: a batch has no column 'absent'": {"sources": "absent"},
    "a batch has no column 'absent', nor numbers .*: pass with_indices=True": {"row": "absent"},
    "source: expected numbers of rows from 0": {"row": "source"},
    "in a batch of rows 0-47: .*sources.* expected": {"sources": "ours score"},
}
OF_ROWS = {  # rows in the order of a batch, whose errors have their numbers in the corpus
    r"rows 700-701: row 700 of predictions \(counted from 0\): ": ([701, 700], ["A cat.", None]),
    r"rows 700-701: row 701 of predictions \(counted from 0\): ": ([700, 701], ["A cat.", None]),
    r"rows 7-7: row 1 of predictions": ([7], ["A cat.", None]),
    r"rows 700-701: row 701 of predictions .* a list": ([701, 700], ["['A cat.']", ""]),
}


@pytest.mark.parametrize(
    ("metric", "places", "batch", "match"),
    [
        *(("sari", {**PLACES, **other}, ROWS, match) for match, other in OF_SARI.items()),
        ("bleu", {**ALONE[1], "references": ["r1", "r2"]}, UNEQUAL, ".*in every column: r1 has 2"),
        *(
            (*ALONE, {"row": rows, "ours": texts}, f"in a batch of {match}")
            for match, (rows, texts) in OF_ROWS.items()
        ),
        *(
            (*ALONE, {"row": [0], "ours": column}, "in a batch of rows 0-0: predictions: ")
            for column in (0, None, "A cat.")
        ),
        *((*ALONE, x, "expected a batch of columns") for x in ([ROWS], None, "ours", iter([None]))),
    ],
)
def test_what_is_wrong_with_a_batch_is_told(metric, places, batch, match):
    with pytest.raises(InputError, match=f"^{match}"):
        [*map_statistics(metric, **places)(batch)]


def test_a_single_row_of_datasets_is_told_how_to_be_a_batch():
    with pytest.raises(InputError, match=r"row: .* got int 7: pass batched=True"):
        map_statistics("sari", **PLACES)(ROWS.slice(7, 1).to_pylist()[0], 7)


@pytest.mark.parametrize(
    ("metric", "places", "match"),
    [
        ("bleu", {"predictions": {}}, "predictions: expected a column, or system → column, got"),
        ("bleu", {"predictions": None}, "predictions: expected a column, or system → column, got"),
        ("bleu", {"predictions": ["p", "q"]}, "predictions: .*, got list"),
        ("bleu", {"predictions": {"a": 3}}, "predictions of a: expected the name of a column"),
        ("bleu", {"predictions": {"a": {"predictions": "p", "foo": "q"}}}, "unknown column 'foo'"),
        ("bleu", {"references": 3}, "references: expected the name of a column, got int 3"),
        ("bleu", {"references": []}, "references: expected the name of a column, got list"),
        ("sari", {"sources": ["s"]}, "sources: expected the name of a column, got list"),
        ("bleu", {"row": None}, "row: expected the name of a column, got None"),
        ("saari", {}, "unknown metric"),
        ("sari", {"references": None}, "references: sari needs this column, got none"),
        ("sari", {"refrences": "x"}, "unknown column 'refrences' .did you mean 'references'"),
        (FkglComponents("textstat"), {"references": None}, ".*pieces of a corpus can't be scored"),
        (Sari(tokenizer=str.split), {}, "tokenizer"),
    ],
)
def test_arguments_are_checked_before_anything_is_mapped(metric, places, match):
    texts = {"predictions": "ours", "sources": "source", "references": "simple"}
    with pytest.raises(InputError, match=f"^{match}"):
        map_statistics(metric, **{**texts, **places})


@pytest.mark.parametrize(
    "numbers", [[0, 0], [0, -1], [0, 0.5], [0], [0, 2**62], [[0], [1]], [[0], [1, 2]], 0]
)
def test_numbers_of_rows_are_checked(numbers):
    function = map_statistics("fkgl_components", predictions="ours")
    with pytest.raises(InputError):
        function(ROWS[:2], numbers)


def test_what_is_merged_are_values_and_not_tables():
    function = map_statistics("sari", **PLACES)
    for kind in ("dict", "table", "frame"):
        result = function(KINDS[kind](ROWS))
        with pytest.raises(InputError, match=r"^expected a list of files of statistics, got ") as e:
            textsimp.merge(result)
        assert len(str(e.value)) < 150
        with pytest.raises(InputError, match=r"^statistics 0: expected the bytes of a file, got "):
            textsimp.merge([result])


@pytest.mark.parametrize("column", [[None], ["text"], [[b"list"]]])
def test_values_of_a_file_that_are_no_bytes_are_told(column, tmp_path):
    path = tmp_path / "other.parquet"
    pq.write_table(pa.table({"statistics": column}), path)
    with pytest.raises(InputError, match=r"^a row of .*other.parquet: expected the bytes of a fil"):
        textsimp.merge([path])


@pytest.mark.parametrize("piece", [b"", b"PAR1", b"x" * 100])
def test_bytes_that_are_no_statistics_are_told(piece):
    with pytest.raises(InputError, match=r"^statistics 1: not a parquet file"):
        textsimp.merge([*values(map_statistics("sari", **PLACES)(ROWS[:9])), piece])


OTHER_BLOCKS = [
    *(0, {}, [], [N], [N, [], 0], [N, [0, 47], 0], [N + 1, [[0, 47]], 0], [N, [[47, 0]], 0]),
    *([N, [[-1, 46]], 0], [N, [[0, 2**70]], 0], [N, [["a", "b"]], 0], [N, [[0, 47]], "x"]),
]


@pytest.mark.parametrize("described", OTHER_BLOCKS, ids=str)
def test_sums_with_other_metadata_are_told(described, blocks):
    (value,) = values(map_statistics("sari", **PLACES)(ROWS))
    table = pq.read_table(pa.BufferReader(value))
    about = json.loads(table.schema.metadata[b"textsimp"]) | {"blocks": described}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata({"textsimp": json.dumps(about)}), sink)
    with pytest.raises(InputError, match=r"^statistics 0: expected a file of statistics"):
        textsimp.merge([sink.getvalue().to_pybytes()])


def test_sums_that_were_changed_are_told(blocks):
    (value,) = values(map_statistics("sari", **PLACES)(ROWS))
    table = pq.read_table(pa.BufferReader(value))
    for name, column in (
        ("block", np.full(len(table), 16)),
        ("examples", np.zeros(len(table))),
        ("block", pd.array([None] * len(table), "Int64")),
    ):
        place = table.column_names.index(name)
        sink = pa.BufferOutputStream()
        pq.write_table(table.set_column(place, name, pa.array(column)), sink)
        with pytest.raises(InputError, match=r"^statistics 0: expected a file of statistics"):
            textsimp.merge([sink.getvalue().to_pybytes()])
