"""Scores of many processes are those of one, whatever the partitions."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import textsimp
from textsimp import scale
from textsimp.core import statistics
from textsimp.core.examples import Examples, ScriptWarning
from textsimp.core.statistics import Statistics
from textsimp.scale import partitions, scoring
from textsimp.support.errors import InputError

pytest.importorskip("distributed")

import dask
import dask.bag as db
import dask.dataframe as dd
import pandas as pd
from dask import delayed

METRICS = {"sari": textsimp.Sari(), "edit_ops": textsimp.EditOps()}
SYSTEMS = {"ours": "ours", "copy": "source"}
OPTIONS: Any = {
    "metrics": ["sari", "edit_ops"],
    "sources": "source",
    "references": ["first", "second"],
}

text = st.lists(st.sampled_from(["a", "b", "cat", "dog", "ẞ", ""]), max_size=4).map(" ".join)
rows = st.lists(st.fixed_dictionaries(dict.fromkeys(["source", "ours", "first"], text)), min_size=1)
cuts = st.lists(st.integers(0, 12), max_size=4)


def with_second(given: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """References in two columns, of which any row has the first."""
    return [row | {"first": f"{row['first']} x", "second": row["source"]} for row in given]


def examples_of(given: Sequence[dict[str, str]]) -> Examples:
    references = [[text for text in (row["first"], row["second"]) if text] for row in given]
    sources = [row["source"] for row in given]
    return Examples(
        {"sources": sources, "references": references},
        {"ours": {"predictions": [row["ours"] for row in given]}, "copy": {"predictions": sources}},
    )


def cut(given: Sequence[Any], where: Sequence[int]) -> list[Sequence[Any]]:
    ends = sorted(min(end, len(given)) for end in where)
    return [given[a:b] for a, b in itertools.pairwise([0, *ends, len(given)])]


def frame_of(given: Sequence[dict[str, Any]], where: Sequence[int] = ()) -> Any:
    frame = pd.DataFrame(given)
    parts = [delayed(frame.iloc[list(part)]) for part in cut(range(len(frame)), where)]
    with dask.config.set({"dataframe.convert-string": False}):
        return dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)


def bag_of(given: Sequence[Any], where: Sequence[int] = ()) -> Any:
    return db.from_delayed([delayed(list(part)) for part in cut(given, where)])


def files_of(folder: Path, given: Sequence[dict[str, Any]], where: Sequence[int] = ()) -> Path:
    for i, part in enumerate(cut(given, where)):
        columns = pd.DataFrame(given).columns
        frame = pd.DataFrame(part, columns=columns).astype(str)
        frame.to_parquet(folder / f"{i}.parquet", row_group_size=2)
    return folder


def assert_equal(found: dict[str, Statistics], expected: dict[str, Statistics]) -> None:
    assert [*found] == [*expected]
    for name, one in expected.items():
        assert found[name].facts == one.facts
        assert [*found[name].systems] == [*one.systems]
        for system, sums in one.systems.items():
            of_system = found[name].systems[system]
            np.testing.assert_array_equal(of_system.ranges, sums.ranges)
            np.testing.assert_array_equal(of_system.total, sums.total)
            for one_unit, unit in zip(of_system.units, sums.units, strict=True):
                np.testing.assert_array_equal(one_unit, unit)


@settings(max_examples=20)
@given(rows.map(with_second), cuts, st.sampled_from(["frame", "bag", "files"]))
def test_statistics_are_those_of_the_whole(
    threads: Any, tmp_path_factory: Any, given: Any, where: Any, kind: str
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    made = {"frame": frame_of, "bag": bag_of, "files": lambda *of: files_of(folder, *of)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partitions, "ROWS", 3)  # parts that begin within a group of rows
        found = scale.statistics(made[kind](given, where), SYSTEMS, client=threads, **OPTIONS)
    assert_equal(found, statistics.gather(METRICS, examples_of(given)))


@settings(max_examples=15)
@given(rows.map(with_second), st.integers(1, 4), st.integers(0, 3))
def test_pieces_are_gathered_in_order(threads: Any, given: Any, size: int, first: int) -> None:
    seen: list[Any] = []

    def each(piece: Examples, start: int, found: Any) -> None:
        seen.append((start, len(piece), {name: [*own] for name, own in found.items()}))

    examples = examples_of(given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_ROWS", size)
        found = scale.gather(METRICS, examples, first, each, client=threads)
    assert_equal(found, statistics.gather(METRICS, examples, first))
    starts = range(first, first + len(given), size)
    sizes = [min(size, first + len(given) - start) for start in starts]
    of_each = {name: ["ours", "copy"] for name in METRICS}
    assert seen == [(start, n, of_each) for start, n in zip(starts, sizes, strict=True)]


@pytest.mark.parametrize("kind", ["bag", "files"])
def test_blocks_of_many_examples_are_those_of_the_whole(
    threads: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr("textsimp.core.sums.MANY", 20)
    given = with_second([{"source": f"a b{i}", "ours": "a", "first": "b"} for i in range(30)])
    cuts = [7, 8, 25]
    data = bag_of(given, cuts) if kind == "bag" else files_of(tmp_path, given, cuts)
    found = scale.statistics(data, SYSTEMS, client=threads, **OPTIONS)
    assert found["sari"].systems["ours"].rows is None
    assert_equal(found, statistics.gather(METRICS, examples_of(given)))


GIVEN = with_second(
    [
        {"source": "a feline sat", "ours": "a cat sat", "first": "the cat sat"},
        {"source": "it rained", "ours": "it rained", "first": "rain fell"},
        {"source": "they went home", "ours": "they left", "first": "they left home"},
    ]
)


def test_scores_and_comparisons_are_those_of_texts(threads: Any) -> None:
    examples = examples_of(GIVEN)
    found = scale.score(frame_of(GIVEN, [1]), SYSTEMS, client=threads, **OPTIONS)
    assert str(found) == str(textsimp.score(examples, metrics=["sari", "edit_ops"]))
    merged = scale.statistics(bag_of(GIVEN, [2]), SYSTEMS, client=threads, **OPTIONS)
    with pytest.warns(UserWarning, match="cannot test so few"):
        test = textsimp.compare(merged, metric="sari", baseline="copy")
    with pytest.warns(UserWarning, match="cannot test so few"):
        expected = textsimp.compare(examples, metric="sari", baseline="copy")
    assert test == expected


def test_metrics_that_take_all_texts_for_one_have_all(threads: Any) -> None:
    metrics = {"fkgl_components": textsimp.FkglComponents("paper")}
    examples = examples_of(GIVEN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_ROWS", 1)
        found = scale.gather(metrics, examples, client=threads)
    assert_equal(found, statistics.gather(metrics, examples))
    with pytest.raises(InputError, match="takes all texts for one"):
        scale.statistics(bag_of(GIVEN), {"ours": "ours"}, metrics=metrics["fkgl_components"])


def test_a_bad_row_comes_with_its_file_and_number(threads: Any, tmp_path: Path) -> None:
    pd.DataFrame(GIVEN).to_parquet(tmp_path / "0.parquet")
    bad = pd.DataFrame([*GIVEN, GIVEN[0] | {"ours": None}])
    bad.to_parquet(tmp_path / "1.parquet", row_group_size=2)
    expected = r"row 3 of column 'ours' of .*1\.parquet \(counted from 0\): expected a string"
    with pytest.raises(InputError, match=expected):
        scale.statistics(tmp_path, SYSTEMS, client=threads, **OPTIONS)


def test_all_files_are_checked_before_the_first_is_scored(threads: Any, tmp_path: Path) -> None:
    pd.DataFrame(GIVEN).to_parquet(tmp_path / "0.parquet")
    pd.DataFrame([GIVEN[0] | {"ours": None}]).to_parquet(tmp_path / "1.parquet")

    def split(text: str) -> list[str]:
        (tmp_path / "split").touch()
        return text.split()

    options = OPTIONS | {"metrics": textsimp.Sari(tokenizer=split)}
    with pytest.raises(InputError, match="row 0 of column 'ours'"):
        scale.statistics(tmp_path, {"ours": "ours"}, client=threads, **options)
    assert not (tmp_path / "split").exists()


def test_a_bad_row_comes_with_its_partition(threads: Any) -> None:
    for data, got in (
        (frame_of([*GIVEN, GIVEN[0] | {"ours": None}], [2]), "row 1 of column 'ours'"),
        (bag_of([*GIVEN, {"source": "a"}], [2]), "row 1 of partition 1"),
        (bag_of([*GIVEN, "a"], [2]), "row 1 of partition 1"),
    ):
        with pytest.raises(InputError, match=rf"{got}.*\(counted from 0\): expected"):
            scale.statistics(data, SYSTEMS, client=threads, **OPTIONS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sources": "sorce"}, "no column 'sorce'.*did you mean 'source'"),
        ({"sources": None}, "sources: sari needs this column"),
        ({"sources": 3}, "sources: expected the name of a column, got int 3"),
        ({"references": []}, "references: expected the name of a column"),
        ({"mark": "source"}, "mark"),
        ({"systems": {}}, "at least one, got none"),
        ({"systems": ["ours"]}, "expected a mapping"),
        ({"systems": {"ours": {"prediction": "ours"}}}, "unknown column 'prediction'"),
        ({"client": 0}, "at least one process"),
        ({"client": 1.5}, "client: expected a distributed.Client"),
        ({"client": "nowhere"}, "no scheduler"),
        ({"data": []}, "got none"),
        ({"data": [3]}, "expected paths of parquet files, got int"),
        ({"data": pd.DataFrame()}, "expected parquet files, a Dask DataFrame or a Bag, got Data"),
        ({"data": "nowhere://a.parquet"}, "nowhere://a.parquet: Protocol not known"),
        ({"data": "nothing.parquet"}, "no such file"),
        ({"data": "nothing*.parquet"}, "no parquet files"),
        ({"data": __file__}, "not a parquet file"),
        ({"data": bag_of([])}, "at least one row"),
    ],
)
def test_what_cannot_be_done_is_told(threads: Any, change: dict[str, Any], message: str) -> None:
    options = {"data": frame_of(GIVEN), "systems": SYSTEMS, "client": threads, **OPTIONS}
    with pytest.raises(InputError, match=message):
        scale.score(**options | change)


def test_files_are_a_folder_a_pattern_or_a_list(threads: Any, tmp_path: Path) -> None:
    folder = tmp_path / "a [1]"
    folder.mkdir()
    files_of(folder, GIVEN, [1, 2])
    files = [folder / f"{i}.parquet" for i in range(3)]
    expected = statistics.gather(METRICS, examples_of(GIVEN))
    for data in (tmp_path, folder, str(tmp_path / "a*" / "*.parquet"), files):
        assert_equal(scale.statistics(data, SYSTEMS, client=threads, **OPTIONS), expected)


def test_files_are_in_the_order_of_their_numbers_without_hidden_ones(
    threads: Any, tmp_path: Path
) -> None:
    given = [GIVEN[i % 3] for i in range(11)]
    folder = tmp_path / "corpus"
    folder.mkdir()
    files_of(folder, given, range(1, 11))
    (folder / "_temporary").mkdir()
    for hidden in ("_SUCCESS", ".0.parquet.crc", "._0.parquet", "_temporary/0.parquet"):
        (folder / hidden).write_text("none")
    expected = statistics.gather(METRICS, examples_of(given))
    for data in (folder, f"{folder}/*", f"{tmp_path}/*"):
        assert_equal(scale.statistics(data, SYSTEMS, client=threads, **OPTIONS), expected)


def test_references_may_be_lists_in_one_column(threads: Any, tmp_path: Path) -> None:
    rows = [r | {"references": [r["first"], r["second"]]} for r in GIVEN]
    pd.DataFrame(rows).to_parquet(tmp_path / "0.parquet")
    options = OPTIONS | {"references": "references"}
    expected = statistics.gather(METRICS, examples_of(GIVEN))
    for data in (tmp_path, bag_of(rows, [1]), frame_of(rows, [1])):
        assert_equal(scale.statistics(data, SYSTEMS, client=threads, **options), expected)


def test_lists_written_as_text_are_told_of_all_partitions_together(threads: Any) -> None:
    listed = [row | {"ours": "['a', 'b']"} for row in GIVEN]
    with pytest.raises(InputError, match="got lists written as text"):
        scale.statistics(bag_of(listed, [1]), SYSTEMS, client=threads, **OPTIONS)
    one = [listed[0], *GIVEN]  # as many as there may be
    assert_equal(
        scale.statistics(bag_of(one, [1]), SYSTEMS, client=threads, **OPTIONS),
        statistics.gather(METRICS, examples_of(one)),
    )


def test_partitions_must_agree_on_what_references_are(threads: Any) -> None:
    rows = [GIVEN[0] | {"references": "a"}, GIVEN[1] | {"references": ["a"]}]
    options = OPTIONS | {"references": "references"}
    with pytest.raises(InputError, match="strings or lists of strings, got some of both"):
        scale.statistics(bag_of(rows, [1]), SYSTEMS, client=threads, **options)


def test_doubts_about_texts_are_told_once(threads: Any) -> None:
    rows = [dict.fromkeys(["source", "ours", "first", "second"], "кошка спит") for _ in range(4)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        options = OPTIONS | {"metrics": "fkgl_components"}
        scale.statistics(bag_of(rows, [1, 2, 3]), {"ours": "ours"}, client=threads, **options)
    doubts = [w for w in caught if issubclass(w.category, ScriptWarning)]
    assert len(doubts) == 1
    assert doubts[0].filename == __file__


def test_a_function_that_cannot_be_sent_is_told() -> None:
    lock = threading.Lock()

    def split(text: str) -> list[str]:
        with lock:
            return text.split()

    with pytest.raises(InputError, match="sari: can't be sent to workers: cannot pickle"):
        scale.gather({"sari": textsimp.Sari(tokenizer=split)}, examples_of(GIVEN))


def test_workers_of_another_version_are_told(threads: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(scoring, "_measured", _as_another_version)
    with pytest.raises(InputError, match=r"a worker has textsimp .*, which may score otherwise"):
        scale.gather(METRICS, examples_of(GIVEN), client=threads)


def _as_another_version(version: str, *others: Any) -> Any:
    return scoring._check_version("0.0.1")


def test_dask_is_imported_when_it_is_asked_for() -> None:
    code = """
import sys, textsimp, textsimp.scale, textsimp.cli
assert not {"dask", "distributed"} & {*sys.modules}
sys.modules["distributed"] = None
textsimp.scale.score("x", {"ours": "p"}, sources="s", references="r")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'textsimp[scale]'" in ended.stderr.splitlines()[-1]
