"""Functions of corpora give what `textsimp.splits` gives, whatever the partitions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given, settings
from hypothesis import strategies as st

from textsimp import scale, splits
from textsimp.support.errors import InputError

pytest.importorskip("distributed")

import dask
import dask.bag as db
import dask.dataframe as dd
import pandas as pd
from dask import delayed

SOURCES = ["the cat sat", "it rained a lot", "a big dog", "yes", "the cat sat", "a b c d e"]
TARGETS = ["the cat sat", "it rained", "a dog barked", "no it is", "the cat sat", "e d"]

texts = st.lists(st.sampled_from(["a", "b", "c", "dog"]), max_size=5).map(" ".join)
corpora = st.lists(st.tuples(texts, texts), min_size=1, max_size=8)
cuts = st.lists(st.integers(0, 8), max_size=3)


def rows(pairs: Sequence[tuple[Any, Any]], **more: Any) -> dict[str, list[Any]]:
    return {"source": [s for s, _ in pairs], "target": [t for _, t in pairs], **more}


def partitioned(columns: dict[str, list[Any]], where: Sequence[int]) -> Any:
    """A DataFrame cut at some rows, some of its partitions perhaps empty."""
    frame = pd.DataFrame(columns)
    ends = sorted(min(end, len(frame)) for end in where)
    parts = [frame.iloc[a:b] for a, b in itertools.pairwise([0, *ends, len(frame)])]
    with dask.config.set({"dataframe.convert-string": False}):
        return dd.from_delayed([delayed(p) for p in parts], meta=frame.iloc[:0], verify_meta=False)


def listed(frame: Any) -> dict[str, list[Any]]:
    return {name: column.tolist() for name, column in frame.compute().items()}


@given(corpora, cuts)
def test_annotation_is_that_of_the_whole(pairs: Any, where: Any) -> None:
    found = scale.annotate(partitioned(rows(pairs), where))
    assert listed(found) == splits.annotate_edits(Dataset.from_dict(rows(pairs))).to_dict()


def test_rows_with_several_targets_are_annotated_with_lists() -> None:
    columns = rows([("a b", ["a", "a b c"]), ("c", ["c"])])
    found = scale.annotate(partitioned(columns, [1]))
    expected = splits.annotate_edits(Dataset.from_dict(columns)).to_dict()
    assert listed(found[["delete", "change_percentage"]]) == {
        name: expected[name] for name in ("delete", "change_percentage")
    }


def test_files_and_bags_are_annotated_too(tmp_path: Path) -> None:
    columns = rows([*zip(SOURCES, TARGETS, strict=True)])
    expected = splits.annotate_edits(Dataset.from_dict(columns)).to_dict()
    pd.DataFrame(columns).iloc[:2].to_parquet(tmp_path / "0.parquet")
    pd.DataFrame(columns).iloc[[5, 4, 3, 2]].iloc[::-1].to_parquet(tmp_path / "1.parquet")
    bag = db.from_sequence(pd.DataFrame(columns).to_dict("records"), npartitions=2)
    assert listed(scale.annotate(tmp_path)) == listed(scale.annotate(bag)) == expected


def test_what_was_annotated_can_be_written_and_annotated_no_more(tmp_path: Path) -> None:
    """Dask writes an index, too, which is no column of the data."""
    frame = pd.DataFrame(rows([*zip(SOURCES, TARGETS, strict=True)]))
    dd.from_pandas(frame, npartitions=2).to_parquet(tmp_path / "0")
    annotated = scale.annotate(tmp_path / "0")
    annotated.to_parquet(tmp_path / "1")
    assert listed(dd.read_parquet(tmp_path / "1")) == listed(annotated)
    with pytest.raises(InputError, match="already has a column 'insert'"):
        scale.annotate(tmp_path / "1")


def test_a_file_without_a_column_is_told_at_once(tmp_path: Path) -> None:
    columns = rows([("a", "a")])
    for i, names in enumerate((["source", "target"], ["source", "target"], ["source"])):
        pd.DataFrame(columns)[names].to_parquet(tmp_path / f"{i}.parquet")
    with pytest.raises(InputError, match=r"2\.parquet has no column 'target'"):
        scale.annotate(tmp_path)


def test_bad_rows_come_with_their_partition() -> None:
    columns = rows([("a", "a"), ("b", None)])
    with pytest.raises(InputError, match=r"partition 1: row 0 of target \(counted from 0\)"):
        scale.annotate(partitioned(columns, [1])).compute(scheduler="synchronous")


def test_columns_that_are_there_already_are_told() -> None:
    columns = rows([("a", "a")], keep=[1])
    with pytest.raises(InputError, match="already has a column 'keep'"):
        scale.annotate(partitioned(columns, []))


@settings(max_examples=15)
@given(corpora, corpora, cuts, cuts, st.sampled_from(["shared", "paper"]))
def test_divergences_are_those_of_the_whole(
    threads: Any, test: Any, train: Any, first: Any, second: Any, variant: Any
) -> None:
    options = {"variant": variant, "permutations": 20}
    found = scale.divergence(
        {"train": partitioned(rows(train), first), "test": partitioned(rows(test), second)},
        client=threads,
        **options,
    )
    whole = {"train": Dataset.from_dict(rows(train)), "test": Dataset.from_dict(rows(test))}
    assert found == splits.divergence(DatasetDict(whole), **options)


@pytest.mark.parametrize("values", [[1, 2, 2, 7, 1, 1], [*"xyxzxx"], [True] * 5 + [False]])
def test_divergences_of_a_column_are_those_of_the_whole(threads: Any, values: list[Any]) -> None:
    columns = {"level": values}
    subsets = {"train": partitioned(columns, [2, 2, 4]), "test": partitioned(columns, [5])}
    found = scale.divergence(subsets, "level", client=threads)
    one = Dataset.from_dict(columns)
    assert found == splits.divergence(DatasetDict(train=one, test=one), "level")


def test_a_value_that_is_missing_comes_with_its_subset_and_partition(threads: Any) -> None:
    subsets = {n: partitioned({"level": ["x", "y", None]}, [2]) for n in ("test", "train")}
    with pytest.raises(InputError, match=r"row 0 of column 'level' of subset 'test, partition 1'"):
        scale.divergence(subsets, "level", client=threads)


@settings(max_examples=20)
@given(
    corpora,
    corpora,
    cuts,
    st.sampled_from([0.1, 0.3, 0.5]),
    st.fixed_dictionaries(
        {
            "mode": st.sampled_from(["distinct", "merged"]),
            "ties": st.sampled_from(["first", "last", "random", None]),
            "duplicates": st.sampled_from(["keep", "drop"]),
            "variant": st.sampled_from(["exact", "paper"]),
        }
    ),
)
def test_the_same_alignments_are_dropped(
    threads: Any, test: Any, train: Any, where: Any, fraction: float, options: Any
) -> None:
    subsets = {"train": rows(train), "test": rows(test)}
    found = scale.drop_poor_alignments(
        {name: partitioned(columns, where) for name, columns in subsets.items()},
        fraction,
        client=threads,
        **options,
    )
    expected = splits.drop_poor_alignments(
        DatasetDict({n: Dataset.from_dict(c) for n, c in subsets.items()}), fraction, **options
    )
    assert {n: listed(f) for n, f in found.kept.items()} == {
        name: subset.to_dict() for name, subset in expected.kept.items()
    }
    assert listed(found.removed) == expected.removed.to_dict()
    assert listed(found.duplicates) == expected.duplicates.to_dict()


def test_one_subset_is_ranked_by_a_column_of_its_own(threads: Any) -> None:
    columns = rows([*zip(SOURCES, TARGETS, strict=True)], loss=[3.0, 1.0, 2.0, 9.0, 3.0, 0.5])
    found = scale.drop_poor_alignments(partitioned(columns, [3]), 0.4, by="loss", client=threads)
    expected = splits.drop_poor_alignments(Dataset.from_dict(columns), 0.4, by="loss")
    assert listed(found.kept) == expected.kept.to_dict()
    assert listed(found.removed) == expected.removed.to_dict()


def test_data_that_differ_when_they_are_computed_again_are_told(
    threads: Any, tmp_path: Path
) -> None:
    columns = rows([("a", "b")] * 9)

    def shrinking() -> Any:
        (tmp_path / f"{len([*tmp_path.iterdir()])}").touch()
        return pd.DataFrame(columns).iloc[len([*tmp_path.iterdir()]) :]

    frame = dd.from_delayed(
        [delayed(shrinking, pure=False)()], meta=pd.DataFrame(columns).iloc[:0], verify_meta=False
    )
    found = scale.drop_poor_alignments(frame, 0.5, client=threads)
    with pytest.raises(InputError, match="persist"):
        found.kept.compute(scheduler="synchronous")
