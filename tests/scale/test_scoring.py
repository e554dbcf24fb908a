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
from textsimp.scale import scoring
from textsimp.support.errors import InputError

pytest.importorskip("distributed")

import dask
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
        np.testing.assert_array_equal(found[name].numbers, one.numbers)
        for system, rows in one.systems.items():
            np.testing.assert_array_equal(found[name].systems[system], rows)


@settings(max_examples=20)
@given(rows.map(with_second), cuts, st.sampled_from(["frame", "files"]))
def test_statistics_are_those_of_the_whole(
    threads: Any, tmp_path_factory: Any, given: Any, where: Any, kind: str
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    data = frame_of(given, where) if kind == "frame" else files_of(folder, given, where)
    found = scale.statistics(data, SYSTEMS, client=threads, **OPTIONS)
    assert_equal(found, statistics.measure(METRICS, examples_of(given)))


@settings(max_examples=15)
@given(rows.map(with_second), st.integers(1, 4), st.integers(0, 3))
def test_examples_of_this_process_are_measured_in_pieces(
    threads: Any, given: Any, size: int, first: int
) -> None:
    done: list[int] = []
    examples = examples_of(given)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_ROWS", size)
        found = scale.measure(METRICS, examples, first, done.append, client=threads)
    assert_equal(found, statistics.measure(METRICS, examples, first))
    assert sum(done) == len(METRICS) * len(given)


GIVEN = with_second(
    [
        {"source": "a feline sat", "ours": "a cat sat", "first": "the cat sat"},
        {"source": "it rained", "ours": "it rained", "first": "rain fell"},
        {"source": "they went home", "ours": "they left", "first": "they left home"},
    ]
)


def test_scores_and_comparisons_are_those_of_texts(threads: Any) -> None:
    examples = examples_of(GIVEN)
    found = scale.statistics(frame_of(GIVEN, [1]), SYSTEMS, client=threads, **OPTIONS)
    assert str(textsimp.score(found)) == str(textsimp.score(examples, metrics=["sari", "edit_ops"]))
    merged = scale.statistics(frame_of(GIVEN, [2]), SYSTEMS, client=threads, **OPTIONS)
    with pytest.warns(UserWarning, match="cannot test so few"):
        test = textsimp.compare(merged, metric="sari", baseline="copy")["sari"]
    with pytest.warns(UserWarning, match="cannot test so few"):
        expected = textsimp.compare(examples, metric="sari", baseline="copy")["sari"]
    assert test == expected


def test_the_current_client_is_used(threads: Any) -> None:
    with threads.as_current():
        found = scale.statistics(frame_of(GIVEN), SYSTEMS, **OPTIONS)
    assert_equal(found, statistics.measure(METRICS, examples_of(GIVEN)))
    with pytest.raises(ValueError, match="No clients found"):
        scale.statistics(frame_of(GIVEN), SYSTEMS, **OPTIONS)


def test_functions_are_sent_to_workers(threads: Any) -> None:
    metric = textsimp.Sari(tokenizer=lambda text: text.split("a"))
    options = OPTIONS | {"metrics": metric}
    found = scale.statistics(frame_of(GIVEN, [1]), SYSTEMS, client=threads, **options)
    assert_equal(found, statistics.measure({"sari": metric}, examples_of(GIVEN)))


def test_metrics_that_take_all_texts_as_one_get_all(threads: Any) -> None:
    metrics = {"fkgl_components": textsimp.FkglComponents("paper")}
    examples = examples_of(GIVEN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring, "_ROWS", 1)
        found = scale.measure(metrics, examples, client=threads)
    assert_equal(found, statistics.measure(metrics, examples))
    with pytest.raises(InputError, match="takes all texts for one"):
        scale.statistics(frame_of(GIVEN), {"ours": "ours"}, metrics=metrics["fkgl_components"])


def test_a_bad_row_is_reported_with_its_file_or_partition(threads: Any, tmp_path: Path) -> None:
    bad = [*GIVEN, GIVEN[0] | {"ours": None}]
    pd.DataFrame(GIVEN).to_parquet(tmp_path / "0.parquet")
    pd.DataFrame(bad).to_parquet(tmp_path / "1.parquet", row_group_size=2)
    for data, where in (
        (tmp_path, r"1\.parquet, row group 1: row 1"),
        (frame_of(bad, [2]), "partition 1: row 1"),
    ):
        expected = rf"{where} of predictions of ours \(counted from 0\): expected a string"
        with pytest.raises(InputError, match=expected):
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
        ({"systems": {"ours": {"prediction": "ours"}}}, "prediction"),
        ({"data": []}, "at least one row, got none"),
        ({"data": [3]}, "expected parquet files or a Dask DataFrame: .*int"),
        ({"data": pd.DataFrame()}, "expected parquet files or a Dask DataFrame: .*DataFrame"),
        (
            {"data": "nowhere://a.parquet"},
            "expected parquet files or a Dask DataFrame: Protocol not known",
        ),
        ({"data": "nothing.parquet"}, "nothing.parquet: no parquet files"),
        (
            {"data": __file__},
            r"expected parquet files .*test_scoring.py'. Is this a 'parquet' file",
        ),
        ({"data": frame_of(GIVEN).query("source == 0")}, "at least one row"),
    ],
)
def test_what_cannot_be_scored_is_refused(
    threads: Any, change: dict[str, Any], message: str
) -> None:
    options = {"data": frame_of(GIVEN), "systems": SYSTEMS, "client": threads, **OPTIONS}
    with pytest.raises(InputError, match=message):
        scale.statistics(**options | change)


def test_files_are_a_folder_a_pattern_or_a_list(threads: Any, tmp_path: Path) -> None:
    given = [GIVEN[i % 3] for i in range(11)]
    folder = tmp_path / "a [1]"
    folder.mkdir()
    files_of(folder, given, range(1, 11))
    (folder / "_temporary").mkdir()
    for hidden in ("_SUCCESS", ".0.parquet.crc", "._0.parquet", "_temporary/0.parquet"):
        (folder / hidden).write_text("none")
    files = [folder / f"{i}.parquet" for i in range(11)]
    expected = statistics.measure(METRICS, examples_of(given))
    for data in (tmp_path, folder, str(tmp_path / "a*" / "*.parquet"), files):
        assert_equal(scale.statistics(data, SYSTEMS, client=threads, **OPTIONS), expected)


def test_references_may_be_lists_in_one_column(threads: Any, tmp_path: Path) -> None:
    rows = [r | {"references": [r["first"], r["second"]]} for r in GIVEN]
    pd.DataFrame(rows).to_parquet(tmp_path / "0.parquet")
    options = OPTIONS | {"references": "references"}
    expected = statistics.measure(METRICS, examples_of(GIVEN))
    for data in (tmp_path, frame_of(rows, [1])):
        assert_equal(scale.statistics(data, SYSTEMS, client=threads, **options), expected)


def test_doubts_about_texts_are_reported_once(threads: Any) -> None:
    rows = [dict.fromkeys(["source", "ours", "first", "second"], "кошка спит") for _ in range(4)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        options = OPTIONS | {"metrics": "fkgl_components"}
        scale.statistics(frame_of(rows, [1, 2, 3]), {"ours": "ours"}, client=threads, **options)
    doubts = [w for w in caught if issubclass(w.category, ScriptWarning)]
    assert len(doubts) == 1
    assert doubts[0].filename == __file__


def test_a_function_that_cannot_be_sent_is_refused(threads: Any) -> None:
    lock = threading.Lock()

    def split(text: str) -> list[str]:
        with lock:
            return text.split()

    metrics = {"sari": textsimp.Sari(tokenizer=split)}
    with pytest.raises(InputError, match="sari: can't be sent to workers: cannot pickle"):
        scale.measure(metrics, examples_of(GIVEN), client=threads)


def test_workers_of_another_version_are_refused(threads: Any, monkeypatch: Any) -> None:
    job = scoring._pack(METRICS)
    monkeypatch.setattr(scoring, "__version__", "0.0.1")
    scoring._unpack.cache_clear()
    with pytest.raises(InputError, match=r"a worker has textsimp 0.0.1: expected"):
        scoring._unpack(job)


def test_dask_is_imported_when_it_is_asked_for() -> None:
    code = """
import sys, textsimp, textsimp.scale, textsimp.cli
assert not {"dask", "distributed"} & {*sys.modules}
sys.modules["distributed"] = None
textsimp.scale.statistics("x", {"ours": "p"}, sources="s", references="r")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'textsimp[scale]'" in ended.stderr.splitlines()[-1]
