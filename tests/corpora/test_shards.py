"""Examples read in batches: from files in shards, text files read together, and streams."""

import json
import tracemalloc

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.given import write
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.corpora.reading import System
from textsimp.corpora.shards import cut, is_sharded, read_batches
from textsimp.corpora.text_files import only_file, shards
from textsimp.support.errors import InputError
from textsimp.text import ucca

READERS = {"sari": [SOURCES, PREDICTIONS, REFERENCES]}
ROWS = [
    {"source": f"source {i}", "prediction": f"output {i}", "reference": f"reference {i}"}
    for i in range(25)
]


def read(data=None, **options):
    return [*read_batches(READERS, data=data, **{"size": 4, **options})]


def texts(batches, system):
    """All columns of batches, one after the other."""
    examples = [batch.examples for batch in batches]
    return (
        [text for part in examples for text in part.sources],
        [text for part in examples for text in part.predictions(system)],
        [text for part in examples for row in part.references for text in row],
    )


EXPECTED = tuple([row[name] for row in ROWS] for name in ROWS[0])


@pytest.mark.parametrize("ending", [".parquet", ".jsonl", ".csv", ".tsv", ""])
def test_shards_are_read_in_the_order_of_their_numbers(tmp_path, ending):
    for name, rows in {"1": ROWS[:9], "2": ROWS[9:14], "10": ROWS[14:]}.items():
        write(tmp_path / "shards" / f"part-{name}{ending}", rows)
    batches = read(str(tmp_path / "shards" / "part-*"))
    assert texts(batches, "shards") == EXPECTED
    assert [batch.first for batch in batches] == [0, 4, 8, 9, 13, 14, 18, 22]
    assert texts(read(tmp_path / "shards"), "shards") == EXPECTED


def test_files_that_split_writes_are_read_together_whatever_their_lengths(tmp_path):
    sources, outputs, references = EXPECTED
    for folder, column, size in (
        ("src", sources, 7),
        ("ours", outputs, 10),
        ("ref", references, 25),
    ):
        for number, start in enumerate(range(0, 25, size)):
            write(tmp_path / folder / f"xa{'abcd'[number]}", column[start : start + size])
    batches = read(
        sources=str(tmp_path / "src" / "x*"),
        references=[tmp_path / "ref"],
        systems=[System(str(tmp_path / "ours" / "x*"))],
    )
    assert texts(batches, "ours") == EXPECTED


def test_a_text_shard_that_may_be_cut_within_a_line_is_noted_once(tmp_path, capsys):
    for name, text in (("a", "One.\nTw"), ("b", "o.\nThr"), ("c", "ee.\n")):
        (tmp_path / f"source.{name}").write_text(text)
    batches = [*read_batches({"toy": [SOURCES]}, sources=str(tmp_path / "source.*"))]
    assert len(batches) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{tmp_path}/source.a ends without a line feed")


def test_references_of_several_files_are_lists(tmp_path):
    for name in ("src", "ours", "r0", "r1"):
        write(tmp_path / f"{name}.txt", [f"{name} {i}" for i in range(3)])
    batches = read(
        sources=tmp_path / "src.txt",
        references=[tmp_path / "r0.txt", tmp_path / "r1.txt"],
        systems=[System(str(tmp_path / "ours.txt"))],
    )
    assert batches[0].examples.references == [[f"r0 {i}", f"r1 {i}"] for i in range(3)]


def test_systems_may_be_tables_of_other_shards(tmp_path):
    write(tmp_path / "gold" / "0.jsonl", ROWS[:20])
    write(tmp_path / "gold" / "1.jsonl", ROWS[20:])
    for number, start in enumerate(range(0, 25, 6)):
        write(tmp_path / "theirs" / f"{number}.parquet", ROWS[start : start + 6])
    systems = [System(str(tmp_path / "theirs" / "*.parquet")), System(column="prediction")]
    batches = read(tmp_path / "gold", systems=systems)
    assert texts(batches, "theirs") == texts(batches, "prediction") == EXPECTED


def test_a_pattern_reads_folders_inside_folders(tmp_path):
    for number, name in enumerate(["0", "a/1", "a/b/2"]):
        write(tmp_path / f"{name}.jsonl", ROWS[number : number + 1])
    batches = read(f"{tmp_path}/**/*.jsonl")
    assert texts(batches, tmp_path.name)[0] == EXPECTED[0][:3]
    assert len(shards(f"{tmp_path}/**/**/*.jsonl")) == 3  # each once


def test_folders_are_no_shards(tmp_path):
    write(tmp_path / "0.jsonl", ROWS)
    (tmp_path / "later").mkdir()
    assert shards(f"{tmp_path}/*") == [f"{tmp_path}/0.jsonl"]


@pytest.mark.parametrize("header", ["", "source,prediction,reference\n"])
@pytest.mark.parametrize("ending", [".parquet", ".jsonl", ".csv"])
def test_shards_without_rows_are_skipped(tmp_path, ending, header):
    write(tmp_path / "a" / f"0{ending}", ROWS[:1])
    if ending == ".parquet":
        empty = pq.read_table(tmp_path / "a" / "0.parquet")[:0]
        pq.write_table(empty, tmp_path / "a" / "0.parquet")
    else:
        (tmp_path / "a" / f"0{ending}").write_text(header if ending == ".csv" else "")
    with pytest.raises(InputError, match="a: expected at least one row, got none"):
        read(tmp_path / "a")
    write(tmp_path / "a" / f"1{ending}", ROWS)
    assert texts(read(tmp_path / "a"), "a") == EXPECTED


def test_text_files_without_lines_are_skipped(tmp_path):
    write(tmp_path / "a" / "xaa", [])
    write(tmp_path / "a" / "xab", ["text"])
    folder = str(tmp_path / "a")
    (batch,) = read(sources=folder, references=[folder], systems=[System(folder)])
    assert batch.examples.sources == ["text"]


def test_every_further_column_of_texts_can_be_a_system(tmp_path):
    write(tmp_path / "a" / "0.csv", [{"source": "It rained.", "b": "Rain.", "reference": "R."}])
    (batch,) = read(tmp_path / "a", every=True)
    assert [*batch.examples.systems] == ["b"]


PASSAGES = Column("passages", "structured", "", "passage", read=ucca.read)
WRONG_CELLS = {  # the declared column, the cells of all rows but one, and of this one
    "text": (SOURCES, {"source": "a"}, {"source": None}),
    "texts": (REFERENCES, {"reference": ["a"]}, {"reference": []}),
    "one of texts": (REFERENCES, {"reference 1": "a", "reference 2": "b"}, {"reference 2": 1}),
    "no text": (
        REFERENCES,
        {"references 1": "a", "references 2": "b"},
        {"references 1": "", "references 2": ""},
    ),
    "number": (Column("score", "number", ""), {"score": 0.5}, {"score": "0,5"}),
    "structured": (PASSAGES, {"passage": {"scenes": []}}, {"passage": 1}),
    "id": (SOURCES, {"id": 1, "source": "a"}, {"id": [1]}),
}


@pytest.mark.parametrize("kind", WRONG_CELLS)
def test_a_wrong_cell_is_named_by_its_file_column_and_row(tmp_path, kind):
    column, right, wrong = WRONG_CELLS[kind]
    rows = [{"prediction": "a", **right} for _ in range(27)]
    rows[18 + 6] |= wrong
    for number, start in enumerate((0, 9, 18)):
        write(tmp_path / "a" / f"{number}.jsonl", rows[start : start + 9])
    row, first = (7, 1) if kind == "id" else (6, 0)
    place = (
        rf"row {row} of columns? .*'{[*wrong][-1]}' of .*a/2.jsonl \(counted from {first}\): exp"
    )
    with pytest.raises(InputError, match=f"^{place}"):
        [*read_batches({"metric": [column]}, data=tmp_path / "a", size=4)]


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_rows_of_tables_are_counted_in_their_file(tmp_path, ending):
    rows = [{**row, "score": "nan" if i == 24 else "1"} for i, row in enumerate(ROWS)]
    for number, start in enumerate((0, 9, 18)):
        write(tmp_path / "a" / f"{number}{ending}", rows[start : start + 9])
    readers = {"metric": [Column("score", "number", "")]}
    with pytest.raises(InputError, match=rf"^row 6 of column 'score' of .*2{ending} "):
        [*read_batches(readers, data=tmp_path / "a", size=4)]


def test_lines_of_windows_lose_both_characters_of_their_ending(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"one\r\ntwo\r\nthree")
    (batch,) = read(
        sources=tmp_path / "a.txt",
        references=[tmp_path / "a.txt"],
        systems=[System(str(tmp_path / "a.txt"))],
    )
    assert batch.examples.sources == ["one", "two", "three"]


def test_texts_may_end_with_lines_that_are_json_objects(tmp_path):
    lines = ["A text."] * 4 + ['{"messages": []}']  # in a batch of their own
    (tmp_path / "x.aa").write_text("".join(f"{line}\n" for line in lines))
    batches = read_batches({"toy": [SOURCES]}, sources=str(tmp_path / "x.*"), size=4)
    assert [text for batch in batches for text in batch.examples.sources] == lines


IDS = [{"id": f"i{i}", **row} for i, row in enumerate(ROWS)]
LACKING = {"source": "It rained.", "prediction": "Rain."}  # no reference
ROW_3 = [{**row, "row 3": ""} for row in ROWS[:6]]


def texts_in(folder):
    """All columns in the text files of a folder."""
    return {"sources": folder, "references": [folder], "systems": [folder]}


WRONG_SHARDS = [  # the files, where columns are, and the error
    ({"a/0.csv": "a,b,c\n1,2,3\n1,2\n"}, {"data": "a"}, r"a/0\.csv, line 3: expected 3 fields"),
    (
        {"a/x": "text\n" * 4 + "['text']\n" * 3},
        texts_in("a"),
        r"^row 5 of a/x \(counted from 1\): exp",
    ),
    ({"a/x": b"text\n" * 5 + b"\xff\n"}, texts_in("a"), "a/x, line 6: expected UTF-8"),
    ({"a/x": b"text\n" * 5 + b"x\r\n"}, texts_in("a"), "x, line 6 ends with a carriage return"),
    ({"a/x": '{"messages": []}\n' * 2}, texts_in("a"), "a/x: expected a text in each line, got a"),
    (
        {"gold/0.jsonl": ROWS, "ours/a": ["text"] * 20, "ours/b": ["text"] * 4},
        {"data": "gold", "systems": ["ours/*"]},
        r"gold has more .*ours/\*, which has 24: .* is row 24 .*, in column .* of gold/0",
    ),
    (
        {"gold/0.jsonl": ROWS, "ours/a": ["text"] * 20, "ours/b": ["text"] * 6},
        {"data": "gold", "systems": ["ours/*"]},
        r"ours/\* has more .*gold, which has 25: .* is row 25 .*, in ours/b$",
    ),
    (
        {"gold/0.jsonl": IDS, "ours/0.jsonl": [*IDS[:9], *reversed(IDS[9:])]},
        {"data": "gold", "systems": ["ours"]},
        "ours has the id 'i24' where row 9 of gold/0.jsonl .* has 'i9'",
    ),
    (
        {"gold/0.jsonl": ROWS, "a/0.jsonl": IDS[:10], "a/1.jsonl": ROWS[10:]},
        {"data": "gold", "systems": ["a"]},
        "a: expected the same columns in all rows; .* after row 10 .* have 'id'",
    ),
    (
        {"gold/0.jsonl": ROWS, "a/0.jsonl": ROWS[:10], "a/1.jsonl": IDS[10:]},
        {"data": "gold", "systems": ["a"]},
        "a: expected the same columns in all rows; .* after row 10 .* have 'id'",
    ),
    (
        {
            f"{name}-{i}.jsonl": rows
            for name in ("g", "o")
            for i, rows in enumerate([ROWS[:9], ROWS[9:]])
        }
        | {"o-1.jsonl": [ROWS[10], ROWS[9], *ROWS[11:]]},
        {"data": "g-*", "systems": ["o-*"]},
        r"the source in row 0 \(counted from 0\) stands elsewhere in .*g-1\.jsonl: expected",
    ),
    (
        {"x/out/0.jsonl": ROWS, "y/out/0.jsonl": ROWS},
        {"data": ROWS, "systems": ["x/out", "y/out"]},
        "two systems are called 'out', in .*x/out.* and .*y/out",
    ),
    (
        {"a/0.csv": ROWS, "a/1.csv": [LACKING]},
        {"data": "a"},
        "no column 'references'; its columns are 'source', 'prediction'",
    ),
    (
        {"a/row 3.jsonl": [*ROWS[:6], LACKING]},
        {"data": "a"},
        r"a/row 3\.jsonl, line 7 has no 'reference'",
    ),
    (
        {},
        {"data": [*ROW_3, ROWS[6]], "names": {"sources": ["row 3"]}},
        "the data, row 7 has no 'row 3'; it has",
    ),
    ({}, {"data": [*ROWS[:24], "text"]}, "row 24 of the data .*expected a mapping"),
    (
        {},
        {"data": [*ROWS[:24], {**ROWS[0], "source": 1}]},
        "row 24 of column 'source' of the data",
    ),
    (
        {},
        {"data": [*ROWS[:24], {"source": "x"}]},
        "no column 'references'; its columns are 'source' in row 24",
    ),
    (
        {},
        {"data": [*ROWS[:21], {"source": "It rained.", "reference": "Rain."}, *ROWS[22:]]},
        "the data, row 22 has no 'prediction'",
    ),
    ({"a/0.csv": ROWS, "a/1.parquet": ROWS}, {"data": "a"}, "shards of one kind, got .csv, .parq"),
    (
        {name: ["text"] for name in ("out.txt", "out.aa", "out.ab")},
        texts_in("out.*"),
        "expected shards of one kind, got .aa, .ab, .txt; name",
    ),
    ({}, {"data": "*.csv"}, "no file has such a name"),
    ({}, {"data": "xyz://a"}, "xyz://a can't be read"),
]


@pytest.mark.parametrize(("files", "places", "message"), WRONG_SHARDS)
def test_what_is_wrong_in_shards_is_told_with_its_place(
    files, places, message, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        write(name, content)
    systems = [System(file) for file in places.get("systems", ())]
    with pytest.raises(InputError, match=message):
        read(**{**places, "systems": systems})


def test_columns_of_one_name_are_an_error():
    with pytest.raises(InputError, match="two systems are called 'prediction'"):
        read(ROWS, systems=[System(column="prediction")] * 2)


def test_optional_columns_are_in_all_shards_or_in_none(tmp_path):
    write(tmp_path / "a" / "0.csv", ROWS)
    write(tmp_path / "a" / "1.csv", [LACKING])
    readers = {"fkgl": [SOURCES, PREDICTIONS, REFERENCES.optional]}
    with pytest.raises(InputError, match=r"after row 25 .* have 'references'"):
        [*read_batches(readers, data=tmp_path / "a")]


@pytest.mark.parametrize("size", [4, 25])
@pytest.mark.parametrize("by_shard", [False, True])
@pytest.mark.parametrize("place", ["data", "system"])
def test_a_row_for_each_source_and_system_is_refused(tmp_path, place, by_shard, size):
    rows = [{**r, "system": f"s{i >= 12 if by_shard else i % 2}"} for i, r in enumerate(ROWS)]
    write(tmp_path / "a" / "0.jsonl", rows[:12])
    write(tmp_path / "a" / "1.jsonl", rows[12:])
    long = str(tmp_path / "a")
    places = {"data": long} if place == "data" else {"data": ROWS, "systems": [System(long)]}
    with pytest.raises(InputError, match=r"write a column for each system \('s.+', 's"):
        read(**places, size=size)


def test_a_column_that_names_one_system_may_stand_beside_texts():
    assert texts(read([{**row, "system": "ours"} for row in ROWS]), "predictions") == EXPECTED


def test_references_are_json_lists_in_all_batches_or_in_none(tmp_path):
    rows = [{**row, "reference": '["a", "b"]' if i > 9 else "a"} for i, row in enumerate(ROWS)]
    write(tmp_path / "a" / "0.csv", rows[:10])
    write(tmp_path / "a" / "1.csv", rows[10:])
    with pytest.raises(
        InputError, match=r"'reference' of .*1.csv: expected JSON lists in all rows"
    ):
        read(tmp_path / "a")
    (tmp_path / "a" / "0.csv").unlink()
    assert read(tmp_path / "a")[-1].examples.references == [["a", "b"]] * 3


def test_urls_are_opened_by_fsspec():
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for number in (2, 10):
        with memory.open(f"/corpus/{number}.jsonl", "w") as file:
            file.write(json.dumps(ROWS[number]) + "\n")
    pq.write_table(pa.Table.from_pylist(ROWS), "table.parquet", filesystem=memory)
    assert texts(read("memory://corpus/*.jsonl"), "corpus")[0] == ["source 2", "source 10"]
    assert texts(read("memory://corpus"), "corpus")[0] == ["source 2", "source 10"]
    assert texts(read("memory://table.parquet"), "table") == EXPECTED


@pytest.mark.parametrize("form", [None, "arrow", "pandas", "numpy"])
def test_an_iterable_dataset_of_any_format_is_read_in_batches(form):
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list(ROWS).to_iterable_dataset()
    try:
        dataset = dataset.with_format(form)
        next(dataset.iter(batch_size=1))
    except NotImplementedError:
        pytest.skip(f"datasets {datasets.__version__} has no format {form} here")
    batches = read(dataset)
    assert texts(batches, "predictions") == EXPECTED
    assert [batch.first for batch in batches] == [0, 4, 8, 12, 16, 20, 24]


@pytest.mark.parametrize("size", [0, -1, 1.5, "4"])
def test_a_batch_has_at_least_one_row(size):
    with pytest.raises(InputError, match="size: expected an integer of at least 1, got"):
        read(ROWS, size=size)


def test_rows_of_a_stream_are_read_when_needed():
    taken = []
    stream = (taken.append(i) or row for i, row in enumerate(ROWS))
    batches = read_batches(READERS, data=stream, size=4)
    assert next(batches).examples.sources == EXPECTED[0][:4]
    assert len(taken) == 4


def test_empty_references_are_noted_once_with_their_row(capsys):
    rows = [{**row, "reference": ["", "text"] if i > 5 else ["text"]} for i, row in enumerate(ROWS)]
    assert read(iter(rows))[-1].examples.references == [["text"]]
    note = capsys.readouterr().err
    assert note.count("empty references") == 1
    assert "first in row 6 (counted from 0)" in note


def test_memory_does_not_grow_with_the_rows(tmp_path):
    def peak(number):
        tracemalloc.start()
        for _ in read_batches(READERS, data=(ROWS[i % 25] for i in range(number)), size=100):
            pass
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(200)  # imports
    assert peak(20_000) < 2 * peak(1_000)


@pytest.mark.parametrize(
    ("files", "name", "expected"),
    [
        (["a.parquet"], "*.parquet", True),
        (["0.jsonl", "1.jsonl", "_SUCCESS", ".hidden"], "", True),
        (["test.jsonl"], "", False),
        (["data-test-0.parquet"], "", False),
        (["latest.parquet"], "", True),
        (["a.txt"], "", False),
        ([], "", False),
        (["a.parquet"], "a.parquet", False),
        (["dataset_dict.json"], "", False),
    ],
)
def test_shards_are_patterns_urls_and_folders_of_tables(tmp_path, files, name, expected):
    for file in files:
        (tmp_path / file).touch()
    assert is_sharded(tmp_path / name if name else tmp_path) is expected
    assert is_sharded("s3://bucket/a.parquet")


def test_batches_are_cut_to_another_size():
    rows = [*cut(read(ROWS), 10)]
    assert [(batch.first, len(batch.examples)) for batch in rows] == [(0, 10), (10, 10), (20, 5)]
    assert texts(rows, "predictions") == texts(read(ROWS), "predictions")
    for size, lengths in ((12, [12, 13]), (24, [25]), (25, [25]), (1000, [25])):
        assert [len(batch.examples) for batch in cut(read(ROWS), size)] == lengths


def test_what_needs_all_texts_takes_one_file(tmp_path):
    for name in ("0.jsonl", "1.jsonl"):
        write(tmp_path / name, ROWS)
    assert only_file(tmp_path / "0.*") == str(tmp_path / "0.jsonl")
    with pytest.raises(InputError, match="is 2 files, and all texts are needed at once: put their"):
        only_file(tmp_path)
