"""Rows in a temporary file come back in any order, as they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.cli import spool
from textsimp.cli.spool import Spool

pieces = st.lists(st.integers(1, 9), min_size=1, max_size=5)


def numbers(start: int, size: int) -> pa.Table:
    return pa.table({"n": range(start, start + size), "text": [f"é {i}" for i in range(size)]})


@given(pieces, st.data())
def test_rows_are_taken_in_any_order_and_more_than_once(
    sizes: list[int], data: st.DataObject
) -> None:
    ends = np.cumsum([0, *sizes]).tolist()
    parts = [numbers(start, size) for start, size in zip(ends, sizes, strict=False)]
    kept = Spool(parts[0].schema)
    for part in parts:
        kept.add(part)
    assert len(kept) == ends[-1]
    rows = np.array(data.draw(st.lists(st.integers(0, ends[-1] - 1), max_size=30)), np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "_MOST", data.draw(st.integers(1, 9)))
        windows = list(kept.windows(rows, ["text", "n"]))
    assert pa.concat_tables(windows) == pa.concat_tables(parts).take(rows).select(["text", "n"])


def test_no_rows_are_an_empty_table() -> None:
    kept = Spool(numbers(0, 1).schema)
    kept.add(numbers(0, 1))
    (window,) = kept.windows(np.empty(0, np.int64), ["n"])
    assert (len(window), window.schema) == (0, numbers(0, 1).select(["n"]).schema)


def test_each_piece_may_have_a_dictionary_of_its_own() -> None:
    parts = [pa.table({"c": pa.array(texts).dictionary_encode()}) for texts in (["a", "b"], ["c"])]
    kept = Spool(parts[0].schema)
    for part in parts:
        kept.add(part)
    (window,) = kept.windows(np.array([2, 0, 1]), ["c"])
    assert window["c"].to_pylist() == ["c", "a", "b"]
    assert window.schema == parts[0].schema


def test_what_was_added_last_is_forgotten() -> None:
    kept = Spool(numbers(0, 1).schema)
    kept.add(numbers(0, 2))
    kept.add(numbers(2, 3))
    kept.forget(2)
    kept.add(numbers(7, 1))
    (window,) = kept.windows(np.arange(3), ["n"])
    assert window["n"].to_pylist() == [0, 1, 7]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a disk that is always full")
def test_a_full_disk_is_told() -> None:
    kept = Spool(numbers(0, 1).schema)
    with open("/dev/full", "wb", buffering=0) as full:
        kept._file = full  # type: ignore[assignment]
        with pytest.raises(InputError, match="can't be copied there, No space left on device"):
            kept.add(numbers(0, 2))
