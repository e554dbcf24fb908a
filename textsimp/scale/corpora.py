"""Functions of `textsimp.splits` on Dask's DataFrames: what is large stays in partitions.

A number per row is gathered here; all else is done where partitions are. Rows come back as lazy
DataFrames.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from textsimp.core.columns import plain_list, references, texts
from textsimp.metrics.edit_ops import change_percentages
from textsimp.scale.cluster import computed, connected
from textsimp.scale.partitions import check_names, frame, frame_of
from textsimp.splits import poor_alignments
from textsimp.splits.annotate import CHANGE, edit_columns
from textsimp.splits.divergences import Variant, check_options, compare
from textsimp.splits.pair_values import Pairs, column_values, concatenate, count_operations
from textsimp.splits.poor_alignments import Duplicates, Mode, Ties
from textsimp.splits.subsets import (
    check_choice,
    check_seed,
    digests,
    group_numbers,
    in_merge_order,
)
from textsimp.support.errors import InputError, shown
from textsimp.support.extras import require
from textsimp.text.alignment import COUNTED, EditPath

if TYPE_CHECKING:
    from distributed import Client
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]  # numbered from 0 over all subsets


class Alignments(NamedTuple):
    """What `drop_poor_alignments` keeps and what it removes: lazy DataFrames.

    Attributes:
        kept: A DataFrame, or by subset, as given.
        removed: As in `textsimp.splits.Alignments`.
        duplicates: As there.
    """

    kept: Any
    removed: Any
    duplicates: Any


def annotate(
    data: Any, *, source: str = "source", target: str = "target", edits: EditPath = "paper"
) -> Any:
    """Add operation counts and change percentage as columns, see `textsimp.splits.annotate_edits`.

    Args:
        data: A Dask DataFrame, parquet files as `textsimp.scale.score` takes them, or a Bag of
            mappings.
        source: Column of strings.
        target: Column of strings, or of lists of strings.
        edits: Which edits are counted.

    Returns:
        A lazy DataFrame, which ``to_parquet`` computes and writes.

    Raises:
        InputError: A column that is missing or there already; or, when it is computed, a bad row,
            with its partition.
    """
    check_choice("edits", edits, EditPath)
    given = frame(data)
    check_names("data", [*given.columns], [source, target])
    for column in (*COUNTED, CHANGE):
        if column in given.columns:
            raise InputError(f"data already has a column {column!r}: rename or remove it")
    several = not _are_texts(given, target)
    kinds = {**dict.fromkeys(COUNTED, "int64"), CHANGE: "float64"}
    none = {name: np.empty(0, object if several else kind) for name, kind in kinds.items()}
    annotated = _delayed(_annotated)
    tasks = [annotated(rows, i, source, target, edits, none) for i, rows in _numbered(given)]
    return frame_of(tasks, given._meta.iloc[:0].assign(**none))


def _annotated(
    rows: Any, number: int, source: str, target: str, edits: EditPath, none: Mapping[str, Any]
) -> Any:
    if not len(rows):
        return rows.assign(**none)
    with _told(f"partition {number}"):
        return rows.assign(**edit_columns(_lists(rows, source, target), source, target, edits))


def divergence(
    data: Mapping[str, Any],
    column: str | None = None,
    *,
    variant: Variant = "shared",
    bins: int | Sequence[float] = 10,
    smoothing: float = 0.5,
    permutations: int = 1000,
    seed: int = 0,
    source: str = "source",
    target: str = "target",
    edits: EditPath = "paper",
    client: Client | str | int | None = None,
) -> dict[str, Any]:
    """Compare the distributions of a column between subsets, see `textsimp.splits.divergence`.

    Args:
        data: Two or more subsets: Dask DataFrames, parquet files or Bags, see `annotate`.
        column: Of numbers or categories; None for the change percentage from source to target.
        variant: As there, like all others but the last.
        bins: Their number, or edges.
        smoothing: Added to each bin's count.
        permutations: Random splits to draw.
        seed: Of these.
        source: Column of strings.
        target: Column of strings or lists of strings.
        edits: Which edits are counted.
        client: See `textsimp.scale.score`.

    Returns:
        What it returns there, equal to the last bit.

    Raises:
        InputError: As there; bad rows come with their subset and partition.
    """
    check_choice("variant", variant, Variant)
    check_choice("edits", edits, EditPath)
    check_options(bins, smoothing, permutations)
    check_seed(seed)
    subsets = _subsets(data, [source, target] if column is None else [column], at_least=2)
    measure = _Measure(column, source, target, edits)
    with connected(client) as found:
        parts = {name: measure.of_each(found, one, name) for name, one in subsets.items()}
    pairs = {name: [part.pairs for part in of_subset] for name, of_subset in parts.items()}
    return compare(
        _joined(pairs, column),
        column,
        variant=variant,
        bins=bins,
        smoothing=smoothing,
        permutations=permutations,
        seed=seed,
    )


def drop_poor_alignments(
    data: Any,
    fraction: float,
    *,
    mode: Mode = "distinct",
    ties: Ties | None = None,
    duplicates: Duplicates = "keep",
    variant: alignments.Variant = "exact",
    by: str | None = None,
    seed: int = 0,
    source: str = "source",
    target: str = "target",
    edits: EditPath = "paper",
    client: Client | str | int | None = None,
) -> Alignments:
    """Remove the pairs that differ most, see `textsimp.splits.drop_poor_alignments`.

    The data are computed here once, to rank rows, and again when the results are: ``persist`` what
    differs from time to time.

    Args:
        data: A Dask DataFrame, parquet files or a Bag, see `annotate`; or several subsets by name.
        fraction: Share of the rows to remove.
        mode: As there, like all others but the last.
        ties: Which of equally bad rows go.
        duplicates: Whether rows that stand twice go first.
        variant: How counts are rounded.
        by: Column of numbers to rank by.
        seed: Of random ties and of the shuffle.
        source: Column of strings.
        target: Column of strings, or of lists of strings.
        edits: Which edits are counted.
        client: Where to rank, see `textsimp.scale.score`.

    Returns:
        The same rows in the same order, as lazy DataFrames.

    Raises:
        InputError: As there; bad rows come with their subset and partition.
    """
    poor_alignments.check_options(fraction, mode, ties, duplicates, variant, seed)
    check_choice("edits", edits, EditPath)
    single = not isinstance(data, Mapping)
    whole = {"all": data} if single else data
    compared = by is None or duplicates == "drop"
    needed = [*([] if by is None else [by]), *([source, target] if compared else [])]
    subsets = _subsets(whole, needed, at_least=1)
    for name, one in subsets.items():
        poor_alignments.check_free([*one.columns], name, by)
    _check_mergeable(subsets)
    measure = _Measure(by, source, target, edits, keys=duplicates == "drop")
    with connected(client) as found:
        parts = {name: measure.of_each(found, one, name) for name, one in subsets.items()}
    pairs = {name: [part.pairs for part in of_subset] for name, of_subset in parts.items()}
    values = concatenate([*_joined(pairs, by).values()])
    if values.values.dtype == object:
        raise InputError(f"column {by!r}: expected numbers to rank by, got categories")
    badness = values.sums() / values.sizes
    repeated = np.empty(0, np.int64)
    if duplicates == "drop":
        keys = np.concatenate([part.keys for of_subset in parts.values() for part in of_subset])
        first = np.unique(group_numbers(keys), return_index=True)[1]
        repeated = np.setdiff1d(np.arange(len(keys)), first)
    sizes = {name: sum(len(p.sizes) for p in of_subset) for name, of_subset in pairs.items()}
    how = (fraction, mode, ties, variant, seed)
    worst_first, kept = poor_alignments.ranked(badness, sizes, repeated, *how)
    taker = _Taker.of(subsets, pairs)
    added = {CHANGE: badness} if by is None else {}
    frames = {name: taker.take(kept[name]) for name in whole}
    return Alignments(
        frames["all"] if single else frames,
        taker.listed(worst_first, added),
        taker.listed(repeated, added),
    )


class _Part(NamedTuple):
    """What is measured on a partition.

    Attributes:
        pairs: The measure.
        keys: (rows, 2) digests that are equal where source and target are; None unless needed.
    """

    pairs: Pairs
    keys: NDArray[np.uint64] | None


@dataclass(frozen=True)
class _Measure:
    """Measures partitions, where they are.

    Attributes:
        column: What is measured; None for the change percentage.
        source: Column of strings.
        target: Column of strings, or of lists of strings.
        edits: Which edits are counted.
        keys: Whether equal pairs are to be found.
    """

    column: str | None
    source: str
    target: str
    edits: EditPath
    keys: bool = False

    def of_each(self, client: Client, data: Any, name: str) -> list[_Part]:
        """Of the partitions of a subset."""
        measured = _delayed(self)
        return list(
            computed(
                client,
                [measured(rows, f"{name}, partition {i}") for i, rows in _numbered(data)],
            )
        )

    def __call__(self, rows: Any, where: str) -> _Part:
        """Of a partition."""
        if not len(rows):
            none = Pairs(np.empty(0), np.empty(0, np.int64))
            return _Part(none, np.empty((0, 2), np.uint64) if self.keys else None)
        names = (self.source, self.target)
        batch = _lists(rows, *names) if self.column is None or self.keys else {}
        with _told(where):
            if self.column is None:
                counts = count_operations(batch, *names, self.edits, False)
                pairs = Pairs(change_percentages(counts.values), counts.sizes)
            else:
                pairs = column_values({where: _dataset(rows, self.column)}, self.column)[where]
            if not self.keys:
                return _Part(pairs, None)
            targets = references(batch[self.target], self.target)
            return _Part(pairs, digests(texts(batch[self.source], self.source), targets))


class _Taker(NamedTuple):
    """Takes rows of partitions, by their numbers over all of them.

    Attributes:
        names: The subset of each partition.
        partitions: What they are made of.
        starts: (partitions + 1,) the number of the first row of each, and how many there are.
        meta: An empty table.
    """

    names: list[str]
    partitions: list[Any]
    starts: NDArray[np.int64]
    meta: Any

    @classmethod
    def of(cls, subsets: Mapping[str, Any], pairs: Mapping[str, Sequence[Pairs]]) -> _Taker:
        """Those of subsets, of which the rows were measured."""
        names = [name for name, of_subset in pairs.items() for _ in of_subset]
        partitions = [part for one in subsets.values() for part in one.to_delayed()]
        sizes = [len(part.sizes) for of_subset in pairs.values() for part in of_subset]
        meta = next(iter(subsets.values()))._meta.iloc[:0]
        return cls(names, partitions, np.cumsum([0, *sizes]), meta)

    def take(self, rows: Rows, added: Mapping[str, NDArray[Any]] | None = None) -> Any:
        """A DataFrame of some rows in their order, with further columns."""
        size = max(1, int(np.diff(self.starts).max()))
        tasks = []
        for start in range(0, max(1, len(rows)), size):
            chunk = rows[start : start + size]
            of_part = np.searchsorted(self.starts, chunk, side="right") - 1
            pieces, places = [], [np.empty(0, np.int64)]
            for i in np.unique(of_part).tolist():
                places.append(np.flatnonzero(of_part == i))
                first, end = self.starts[i : i + 2].tolist()
                here = (chunk[places[-1]] - first).astype(np.uint32)
                pieces.append(_delayed(_some)(self.partitions[i], here, end - first))
            more = {name: column[start : start + size] for name, column in (added or {}).items()}
            order = np.argsort(np.concatenate(places)).astype(np.uint32)
            tasks.append(_delayed(_together)(self.meta, pieces, order, more))
        none = {name: column[:0] for name, column in (added or {}).items()}
        return frame_of(tasks, self.meta.assign(**none))

    def listed(self, rows: Rows, added: Mapping[str, NDArray[np.float64]]) -> Any:
        """A DataFrame of some rows with their place and their values of added columns."""
        of_part = np.searchsorted(self.starts, rows, side="right") - 1
        names = np.array(self.names, object)
        firsts = {name: self.starts[i] for i, name in reversed([*enumerate(self.names)])}
        return self.take(
            rows,
            {
                "removed_from": names[of_part],
                "removed_row": rows - np.array([firsts[name] for name in self.names])[of_part],
                **{name: column[rows] for name, column in added.items()},
            },
        )


def _some(partition: Any, rows: NDArray[np.uint32], size: int) -> Any:
    if len(partition) != size:
        raise InputError(
            f"a partition had {size:,} rows when it was ranked, and has {len(partition):,} now: "
            "persist data that differ from time to time"
        )
    return partition.iloc[rows]


def _together(
    meta: Any, pieces: list[Any], order: NDArray[np.uint32], added: Mapping[str, NDArray[Any]]
) -> Any:
    import pandas as pd  # type: ignore[import-untyped]

    return (pd.concat(pieces).iloc[order] if pieces else meta).assign(**added)


def _subsets(data: Any, columns: Sequence[str], at_least: int) -> dict[str, Any]:
    """Subsets in the order in which they are merged, with these columns.

    Raises:
        InputError: Too few, or a column is missing.
    """
    if not isinstance(data, Mapping) or len(data) < at_least:
        got = ", ".join(map(repr, data)) if isinstance(data, Mapping) else shown(data)
        raise InputError(f"expected at least {at_least} subsets by name, got {got or 'none'}")
    found = {name: frame(data[name]) for name in in_merge_order(data)}
    for name, one in found.items():
        check_names(f"subset {name!r}", [*one.columns], columns)
    return found


def _check_mergeable(subsets: Mapping[str, Any]) -> None:
    (first, frame), *others = subsets.items()
    for name, other in others:
        if dict(frame.dtypes) != dict(other.dtypes):
            raise InputError(
                f"subsets can't be merged: columns are {dict(frame.dtypes)} in {first!r} and "
                f"{dict(other.dtypes)} in {name!r}"
            )


def _joined(parts: Mapping[str, Sequence[Pairs]], column: str | None) -> dict[str, Pairs]:
    """The pairs of each subset.

    Raises:
        InputError: A subset without rows, or values of several kinds.
    """
    filled = {name: [one for one in of if len(one.sizes)] for name, of in parts.items()}
    for name, of_subset in filled.items():
        if not of_subset:
            raise InputError(f"subset {name!r} has no rows")
    kinds = {one.values.dtype for of_subset in filled.values() for one in of_subset}
    if len(kinds) > 1:
        raise InputError(f"column {column!r}: expected numbers or categories, got some of both")
    return {name: concatenate(of_subset) for name, of_subset in filled.items()}


@contextlib.contextmanager
def _told(where: str) -> Iterator[None]:
    """Say where it is that something is wrong."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _are_texts(data: Any, column: str) -> bool:
    """Whether a column has texts rather than lists; its first row is computed if nothing tells."""
    if str(data.dtypes[column]).startswith("str"):
        return True
    rows = data[[column]].head(1, npartitions=-1)[column].tolist()
    return not rows or isinstance(rows[0], str)


def _lists(rows: Any, *columns: str) -> dict[str, list[Any]]:
    return {name: plain_list(rows[name]) for name in columns}


def _dataset(rows: Any, column: str) -> Any:
    import pyarrow as pa
    from datasets import Dataset

    values = pa.array(rows[column], from_pandas=True)
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    return Dataset(pa.table({column: values}))


def _numbered(data: Any) -> Iterator[tuple[int, Any]]:
    return enumerate(data.to_delayed())


def _delayed(function: Callable[..., Any]) -> Any:
    return require("dask", extra="scale").delayed(function, pure=False)
