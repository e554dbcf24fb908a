"""Files of statistics: pieces of a corpus, scored anywhere, are one run on everything."""

import functools
import itertools
import json
import random
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import textsimp
from tests.given import given_to, lines
from textsimp import InputError, Sari, compare, merge, score
from textsimp.core import draws, joined_statistics, statistics_files
from textsimp.core.examples import Examples
from textsimp.core.joined_statistics import Batches
from textsimp.metrics import catalogue
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.scoring.systems import check_examples

SOURCES, COPY = lines("source.txt"), lines("source.txt")
OURS, THEIRS = lines("systems/splitter.txt"), lines("systems/substituter.txt")
REFERENCES = [
    list(row) for row in zip(*(lines(f"references/{i}.txt") for i in range(3)), strict=True)
]
N = len(SOURCES)
SAMPLING = {"confidence": 0.95, "resamples": 60, "seed": 3}


def columns(metric, predictions, rows=slice(None)):
    texts = {"sources": SOURCES, "predictions": predictions, "references": REFERENCES}
    return {name: column[rows] for name, column in given_to(metric, texts).items()}


def save(path, metric, rows=slice(None), **more):
    """The statistics of some rows of a system, ours unless another is given."""
    predictions = more.pop("predictions", OURS)
    start = more.pop("first_row", rows.start or 0)
    given = columns(type(metric), predictions, rows)
    textsimp.save(metric, path, **given, system=more.pop("system", "ours"), first_row=start, **more)
    return path


def pieces_of(n, seed):
    """Everything in some pieces, in any order."""
    chance = random.Random(seed)
    ends = [0, *sorted(chance.sample(range(1, n), 2)), n]
    found = [slice(a, b) for a, b in itertools.pairwise(ends)]
    chance.shuffle(found)
    return found


@pytest.mark.parametrize(
    ("name", "many"), [("sari", 7), ("bleu", 7), *((name, N) for name in catalogue.names())]
)
def test_merged_pieces_are_one_run_to_the_last_bit(name, many, tmp_path, monkeypatch):
    monkeypatch.setattr(draws, "MANY", many)  # of more rows blocks are drawn
    monkeypatch.setattr(draws, "BLOCKS", 16)
    metric = catalogue.metric_class(name)()
    n = 6 if name == "ter" else N
    systems = {"ours": OURS, "theirs": THEIRS}
    files = []
    for system, predictions in systems.items():
        for rows in pieces_of(n, seed=len(files)):
            path = tmp_path / f"{len(files)}.parquet"
            files.append(save(path, metric, rows, predictions=predictions, system=system))
    random.Random(1).shuffle(files)
    merged = merge(files)
    own = {c.name for c in metric.columns if c.own}
    given = {system: columns(type(metric), of, slice(n)) for system, of in systems.items()}
    one_run = check_examples(
        [metric],
        {system: {n: r for n, r in of.items() if n in own} for system, of in given.items()},
        {name: rows for name, rows in given["ours"].items() if name not in own},
    )
    expected = score(one_run, metrics=metric, **SAMPLING)
    assert score(merged, **SAMPLING).to_dict() == expected.to_dict()
    found = compare(merged, baseline="ours", **SAMPLING)[name].to_dict()
    compared = compare(one_run, metric=metric, baseline="ours", **SAMPLING)[name]
    best = [] if compared.ahead else found["best"]  # baselines, which files of statistics lack
    assert {*best} == {*compared.best}
    assert found | {"best": compared.best} == compared.to_dict()


@pytest.mark.parametrize("notation", ["sari(xu)", "fkgl_components"])
def test_batches_of_runs_are_one_run_to_the_last_bit(notation, monkeypatch):
    monkeypatch.setattr(draws, "MANY", 7)
    monkeypatch.setattr(draws, "BLOCKS", 16)
    metric, runs = textsimp.metric(notation), {"ours": ["x", "y"]}
    outputs = {
        name: {"predictions": rows} for name, rows in zip("xyz", (OURS, THEIRS, COPY), strict=True)
    }
    whole = Examples({"sources": SOURCES, "references": REFERENCES}, outputs)
    batches = Batches()
    for rows in pieces_of(N, seed=1):
        part = whole.take(range(rows.start, rows.stop))
        measured = {"m": replace(metric.measure(part, rows.start), runs=runs)}
        digests = statistics_files.digests(part.shared, rows.start)
        batches.add(statistics_files.StatisticsFile("", measured, digests))
    found = joined_statistics.join(batches.files())["m"]
    assert found.blocks is not None
    expected = replace(metric.measure(whole), runs=runs)
    found, expected = (
        textsimp.compare({"m": statistics}, baseline="z", **SAMPLING).to_dict()
        for statistics in (found, expected)
    )
    assert found == expected


def configurations(name):
    """A metric's variants, and other levels."""
    metric = catalogue.metric_class(name)
    found = [metric(variant) for variant in metric.presets]
    for option, values in (("level", ("sentence", "aligned")), ("aggregate", ("corpus", "mean"))):
        for f in metric.declared_options():
            if f.name == option:
                found += [metric(**{option: v}) for v in values if v in f.choices]
    return found


@pytest.mark.parametrize("name", catalogue.names())
def test_statistics_of_an_example_are_bit_equal_whatever_others_are_beside_it(name):
    metric = catalogue.metric_class(name)
    for variant in configurations(name):
        if variant.independent_rows:
            given = columns(metric, OURS, slice(9))
            (whole,) = variant.compute_statistics(variant.check(**given)).values()
            for cut in (slice(0, 1), slice(3, 8), slice(6, 9)):
                (rows,) = variant.compute_statistics(
                    variant.check(**columns(metric, OURS, cut))
                ).values()
                np.testing.assert_array_equal(rows, whole[cut], err_msg=str(variant))


def test_a_file_has_a_column_for_each_statistic(tmp_path):
    table = pq.read_table(save(tmp_path / "s.parquet", Sari(), first_row=5))
    assert table.column_names[:2] == ["row", "sari/ours/0"]
    assert table["row"].to_pylist() == list(range(5, 5 + N))
    (rows,) = Sari().compute_statistics(Sari().check(**columns(Sari, OURS))).values()
    assert table["sari/ours/35"].to_pylist() == rows[:, -1].tolist()


def test_rows_that_are_missing_are_told_those_at_the_end_if_their_number_is_given(tmp_path):
    file = save(tmp_path / "a.parquet", Sari(), slice(0, 5))
    merge([file])
    merge([file], rows=5)
    with pytest.warns(UserWarning, match=r"^no file has rows 5-6 \(counted from 0\)"):
        merge([file], rows=7)
    for wrong in (4, 0, "7"):
        with pytest.raises(InputError, match="rows: expected an integer from 5 to"):
            merge([file], rows=wrong)
    file = save(tmp_path / "b.parquet", Sari(), slice(0, 2), first_row=10**15)
    with pytest.warns(UserWarning, match=f"rows 0-{10**15 - 1} "):
        merge([file])


def test_pieces_that_dont_fit_are_refused(tmp_path):
    first = save(tmp_path / "first.parquet", Sari(), slice(0, 6))

    def refused(metric, rows, match, **more):
        other = save(tmp_path / "other.parquet", metric, rows, overwrite=True, **more)
        with pytest.raises(InputError, match=match):
            merge([first, other])

    refused(Sari(), slice(4, 8), r"first.parquet, .*other.parquet: rows 4-5 ")
    refused(Sari(), slice(5, 6), "row 5 .*--first-row")
    refused(Sari("xu"), slice(6, 8), r"other.parquet: .*got sari\(xu\)")
    refused(Sari(), slice(0, 5), "rows 0-5 of ours and rows 0-4 ", system="theirs")
    for files in ([first, first], str(first), ["a\0b"], []):
        with pytest.raises(InputError):
            merge(files)


def test_pieces_of_other_columns_are_refused(tmp_path):
    metric, files = FkglComponents(), [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    textsimp.save(metric, files[0], predictions=OURS[:4], sources=SOURCES[:4])
    textsimp.save(metric, files[1], predictions=OURS[4:6], first_row=4)
    with pytest.raises(InputError):
        merge(files)


def test_pieces_of_a_metric_that_takes_all_texts_for_one_are_refused(tmp_path):
    metric = FkglComponents("textstat")
    with pytest.raises(InputError):
        textsimp.save(metric, tmp_path / "b.parquet", predictions=OURS[3:], first_row=3)
    textsimp.save(metric, tmp_path / "a.parquet", predictions=OURS)
    merged = textsimp.merge([tmp_path / "a.parquet"])
    found = score(merged, confidence=None)["predictions"]["fkgl_components"]
    assert found == metric.score(predictions=OURS)


def test_pieces_of_other_sources_or_references_are_refused(tmp_path):
    def saved(name, rows, system, **more):
        given = {"sources": SOURCES[rows], "references": REFERENCES[rows], **more}
        path = tmp_path / f"{name}.parquet"
        predictions = OURS[rows]
        textsimp.save(
            Sari(), path, predictions=predictions, system=system, first_row=rows.start, **given
        )
        return path

    whole = saved("whole", slice(0, 8), "ours")
    parts = [saved("a", slice(0, 5), "theirs"), saved("b", slice(5, 8), "theirs")]
    assert merge([*parts, whole])["sari"].systems.keys() == {"theirs", "ours"}
    fewer = [row[:1] for row in REFERENCES[:8]]
    others = [[*reversed(row)] for row in REFERENCES[:8]]
    for column, rows in (("references", fewer), ("references", others), ("sources", OURS[:8])):
        name = f"{column}{len(rows[0])}"
        other = saved(name, slice(0, 8), "theirs", **{column: rows})
        with pytest.raises(InputError, match=f"{name}.parquet: .*{column}.* rows 0-7"):
            merge([whole, other])
    odd = saved("odd", slice(5, 8), "theirs", sources=OURS[5:8])
    with pytest.raises(InputError):
        merge([whole, parts[0], odd])
    bleu = tmp_path / "bleu.parquet"
    textsimp.save(Bleu(), bleu, predictions=OURS[:8], references=fewer)
    with pytest.raises(InputError):
        merge([whole, bleu])


def test_what_isnt_a_whole_file_of_statistics_is_refused(tmp_path):
    path = save(tmp_path / "a.parquet", Sari())
    pq.write_table(pq.read_table(path).replace_schema_metadata(None), tmp_path / "not.parquet")
    whole = path.read_bytes()
    path.write_bytes(whole[:-3])
    for name in ("not.parquet", "a.parquet", "nothing.parquet"):
        with pytest.raises(InputError, match=f"{name}: "):
            merge([tmp_path / name])
    path.write_bytes(whole[:300] + bytes(200) + whole[500:])
    with pytest.raises(InputError):
        merge([path])


def replaced(name, change):
    """A function that returns a table with another column of this name."""
    return lambda table: table.set_column(table.column_names.index(name), name, change(table[name]))


OTHER_TABLES = {
    "no row": lambda table: table.drop_columns(["row"]),
    "no statistic": lambda table: table.drop_columns(["sari/ours/7"]),
    "a column twice": lambda table: table.append_column("sari/ours/7", table["sari/ours/7"]),
    "no examples": lambda table: table.slice(0, 0),
    "fewer examples": lambda table: table.slice(0, 9),
    "a number twice": replaced("row", lambda column: pa.array([7] * len(column))),
    "a negative number": replaced("row", lambda column: pa.array(range(-1, len(column) - 1))),
    "statistics as text": replaced("sari/ours/7", lambda column: column.cast("string")),
    "nulls": replaced("sari/ours/7", lambda column: pa.array([None, *column.to_pylist()[1:]])),
}


@pytest.mark.parametrize("change", OTHER_TABLES.values(), ids=OTHER_TABLES)
def test_a_file_with_other_columns_than_were_written_is_told(change, tmp_path):
    path = save(tmp_path / "a.parquet", Sari())
    table = pq.read_table(path)
    pq.write_table(change(table).replace_schema_metadata(table.schema.metadata), path)
    with pytest.raises(InputError, match=r"a\.parquet: expected a file of statistics, .*; "):
        merge([path])


MISSING = object()
OTHER_METADATA = {
    "version": [MISSING, "0.0"],
    "runs": [MISSING, [], {"x": ["nobody"]}, {"x": []}, {"x": ["ours"], "y": ["ours"]}],
    "digests": [MISSING, {}, {"sources": "1", "references": "2"}],
    "metrics": [MISSING, {}],
    "metrics/sari": [{}],
    "metrics/sari/metric": ["nothing", 1],
    "metrics/sari/signature": [Sari().signature((3, 3)).replace("|v:", "|nltk:1|v:")],
    "metrics/sari/statistics": [[], "0"],
    "metrics/sari/systems": [["theirs"], ["ours", "ours"]],
    "metrics/sari/facts/examples": [N - 1],
    "metrics/sari/facts/shared": [["sources"]],
    "metrics/sari/facts/references": [[3], 3],
}
CHANGES = [(place, value) for place, values in OTHER_METADATA.items() for value in values]


@pytest.mark.parametrize(("place", "value"), CHANGES)
def test_a_file_with_other_metadata_than_was_written_is_told(place, value, tmp_path):
    path = save(tmp_path / "a.parquet", Sari())
    table = pq.read_table(path)
    about = json.loads(table.schema.metadata[b"textsimp"])
    *keys, last = place.split("/")
    part = functools.reduce(dict.__getitem__, keys, about)
    del part[last]
    part |= {} if value is MISSING else {last: value}
    pq.write_table(table.replace_schema_metadata({b"textsimp": json.dumps(about)}), path)
    with pytest.raises(InputError, match=r"a\.parquet: "):
        merge([path])


@pytest.mark.parametrize("about", [b"{}", b"3", b"{", b"[" * 100_000, b"\xff"])
def test_metadata_that_is_no_description_is_told(about, tmp_path):
    path = save(tmp_path / "a.parquet", Sari())
    pq.write_table(pq.read_table(path).replace_schema_metadata({b"textsimp": about}), path)
    with pytest.raises(InputError, match=r"a\.parquet: "):
        merge([path])


@pytest.mark.parametrize("system", ["a/b", '"', "ünï→", "row", "x" * 300, "a\nb"])
def test_any_name_of_a_system_comes_back(system, tmp_path):
    path = save(tmp_path / "a.parquet", Sari(), system=system)
    assert [*textsimp.merge([path])["sari"].systems] == [system]
    found = score(textsimp.merge([path]), confidence=None)[system]["sari"]
    assert found == Sari().score(**columns(Sari, OURS))


def test_what_cant_be_saved_is_refused_before_anything_is_computed(tmp_path):
    class Never(Sari):
        def compute_statistics(self, examples):
            raise AssertionError("computed")

    given, path = columns(Sari, OURS), tmp_path / "a.parquet"
    for metric, more, name in (
        ("sari", {}, r"metric: expected one such as textsimp.Sari\(\), got str"),
        (Never(tokenizer=str.split), {}, "tokenizer"),
        *((Never(), {"first_row": bad}, "first_row") for bad in (-1, 2**64, True, 1.0)),
        (Never(), {"system": "\ud800"}, "system"),
    ):
        with pytest.raises(InputError, match=name):
            textsimp.save(metric, path, **given, **more)
    path.write_bytes(b"mine")
    with pytest.raises(InputError):
        textsimp.save(Never(), path, **given)
    with pytest.raises(InputError):
        textsimp.save(Never(), path / "below.parquet", **given, overwrite=True)
    assert path.read_bytes() == b"mine"
    assert [*tmp_path.iterdir()] == [path]
    textsimp.save(Sari(), path, **given, overwrite=True, first_row=np.int64(2))
    with pytest.warns(UserWarning, match="rows 0-1 "):
        merged = textsimp.merge([path])
    assert merged["sari"].numbers.tolist() == [*range(2, 2 + N)]


def test_scores_of_each_of_many_examples_in_memory_are_there(monkeypatch):
    monkeypatch.setattr(draws, "MANY", 10)
    given = {"sources": SOURCES, "references": REFERENCES}
    each = Sari().score(**given, predictions=OURS, per_example=True)["sari_per_example"]
    assert len(each) == N
    for found in (
        score({"ours": OURS}, **given, per_example=True)["ours"]["sari"],
        compare({"ours": OURS, "copy": COPY}, **given, per_example=True)["sari"].systems["ours"],
    ):
        assert found["sari_per_example"] == each


def test_options_of_scores_of_files_are_checked(tmp_path):
    loaded = textsimp.merge([save(tmp_path / "a.parquet", Sari())])["sari"]
    options = [("confidence", 95), ("per_example", True), ("sources", SOURCES)]
    options += [("metrics", metrics) for metrics in ("bleu", ["bleu"], [], {})]
    for name, value in options:
        with pytest.raises(InputError, match=f"^{name}: "):
            score({"sari": loaded}, **{name: value})
    with pytest.raises(InputError):
        compare({"sari": loaded})
