"""Removal of poor alignments: pairs whose target says something else than its source.

Vásquez-Rodríguez et al. 2021 (Findings of ACL-IJCNLP) remove the 2–20 % of pairs with the highest
change percentage, of which many are misaligned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from textsimp.corpora.dataset_columns import arrow_batches, check_texts
from textsimp.splits.edits import CHANGE
from textsimp.splits.pair_values import concatenate, measured
from textsimp.splits.subsets import (
    MOST_SEED,
    check_subsets,
    cut,
    equal_rows,
    recut,
    select,
    sizes_of,
)
from textsimp.support.errors import InputError, check_choice, check_integer, check_number
from textsimp.text.alignment import EditPath

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]  # numbered from 0 over all subsets

Mode = Literal["distinct", "merged"]
Ties = Literal["first", "last", "random"]
Duplicates = Literal["keep", "drop"]
Variant = Literal["exact", "paper"]

_NO_ROWS = np.empty(0, np.int64)


class Alignments(NamedTuple):
    """What `drop_poor_alignments` keeps and what it removes.

    Attributes:
        kept: ``DatasetDict`` or ``Dataset``, as given.
        removed: The poor alignments, worst first, with the columns ``removed_from`` (subset),
            ``removed_row`` (its row there, from 0) and, unless they were ranked by a column of
            their own, ``change_percentage`` (0–100, the mean of a row with several targets).
        duplicates: The duplicates removed before, in order, with the same columns.
    """

    kept: Any
    removed: Dataset
    duplicates: Dataset


def drop_poor_alignments(
    data: Dataset | DatasetDict,
    fraction: float,
    *,
    mode: Mode = "distinct",
    ties: Ties | None = None,
    duplicates: Duplicates = "keep",
    variant: Variant = "exact",
    by: str | None = None,
    seed: int = 0,
    source: str = "source",
    target: str = "target",
    edits: EditPath = "paper",
) -> Alignments:
    """Remove the pairs that differ most from their source.

    Args:
        data: A ``DatasetDict``, or one ``Dataset``.
        fraction: Share of the rows to remove, above 0 and below 1; the paper removes 0.02–0.2.
        mode: ``"distinct"``: from every subset its own worst rows, order kept; ``"merged"``: the
            worst rows of all subsets, the rest shuffled by ``seed`` and recut at the sizes that
            ``"distinct"`` would leave, the last of test, validation, others, train taking what
            rounding leaves over.
        ties: Which of equally bad rows go: ``"first"``, ``"last"``, or ``"random"`` by ``seed``.
            Default: first; in the paper's merged splits, last.
        duplicates: ``"drop"``: rows whose source and target equal those of an earlier row, over all
            subsets in the order test, validation, others, train, go first; ``fraction`` is of the
            rest.
        variant: ``"exact"`` removes ⌊n · fraction⌋ rows of n. ``"paper"`` computes counts in binary
            floating point as published, which loses a row here and there (9 of 100 for 0.1), and
            shuffles merged rows as ``numpy.random.RandomState(seed)`` does, best first.
        by: Column of numbers to rank by instead of the change percentage, larger is worse.
        seed: Of random ties and of the shuffle.
        source: Column of strings.
        target: Column of strings, or of lists of strings: a row is as bad as its pairs on average.
        edits: Which edits are counted, see `edit_columns`.

    Returns:
        What is kept, what was removed, and the duplicates.

    Raises:
        InputError: A fraction out of range, a missing column, a column that would be added, a row
            without a text or number, different columns among subsets, or bad options.
    """
    from datasets import Dataset, DatasetDict

    fraction = check_number("fraction", fraction, 0, 1, inside=True)
    check_choice("mode", mode, get_args(Mode))
    check_choice("ties", "first" if ties is None else ties, get_args(Ties))
    check_choice("duplicates", duplicates, get_args(Duplicates))
    check_choice("variant", variant, get_args(Variant))
    seed = check_integer("seed", seed, 0, MOST_SEED)
    one = isinstance(data, Dataset)
    whole = {str(data.split or "all"): data} if one else data
    compared = by is None or duplicates == "drop"
    needed = [] if by is None else [by]
    subsets = check_subsets(whole, *needed, at_least=1, mergeable=True)
    for name, subset in subsets.items():
        check_free(subset.column_names, name, by)
        if compared and by is not None:  # otherwise they are checked when they are counted
            check_texts(subset, source, f"subset {name!r}")
            check_texts(subset, target, f"subset {name!r}", lists=True)
    values = concatenate(list(measured(subsets, by, source, target, edits).values()))
    if values.values.dtype == object:
        raise InputError(f"column {by!r}: expected numbers to rank by, got categories")
    measure = values.sums() / values.sizes
    del values  # of large corpora
    repeated = _repeated(subsets, source, target) if duplicates == "drop" else _NO_ROWS
    worst_first, kept = ranked(
        measure, sizes_of(subsets), repeated, fraction, mode, ties, variant, seed
    )
    added = {CHANGE: measure} if by is None else {}
    recut_data = recut(subsets, kept)
    return Alignments(
        recut_data[next(iter(subsets))] if one else DatasetDict({n: recut_data[n] for n in data}),
        _listed(subsets, worst_first, added),
        _listed(subsets, repeated, added),
    )


def ranked(
    measure: NDArray[np.float64],
    sizes: Mapping[str, int],
    repeated: Rows,
    fraction: float,
    mode: Mode,
    ties: Ties | None,
    variant: Variant,
    seed: int,
) -> tuple[Rows, dict[str, Rows]]:
    """The rows to remove, worst first, and those to keep of each subset.

    Args:
        measure: How bad each row is.
        sizes: Rows of each subset.
        repeated: Duplicates, which went before.
        fraction: See `drop_poor_alignments`, as all others.
        mode: Whether subsets are merged.
        ties: Which of equally bad rows go.
        variant: How counts are rounded.
        seed: Of ties and of the shuffle.
    """
    left = cut(np.arange(len(measure)), sizes)
    if len(repeated):
        left = {n: r[~np.isin(r, repeated, assume_unique=True)] for n, r in left.items()}
    ties = ties or ("last" if (variant, mode) == ("paper", "merged") else "first")
    removed, kept = _chosen(left, measure, fraction, mode, ties, variant, seed)
    del left  # of large corpora
    return removed[np.lexsort((removed, -measure[removed]))], kept


def check_free(columns: Sequence[str], name: str, by: str | None) -> None:
    """Check that the columns that would be added aren't there."""
    for column in ("removed_from", "removed_row", *([CHANGE] if by is None else [])):
        if column in columns:
            hint = f", or rank by it (by={CHANGE!r})" if column == CHANGE else ""
            raise InputError(f"subset {name!r} already has a column {column!r}: rename it{hint}")


def _chosen(
    left: Mapping[str, Rows],
    measure: NDArray[np.float64],
    fraction: float,
    mode: Mode,
    ties: Ties,
    variant: Variant,
    seed: int,
) -> tuple[Rows, dict[str, Rows]]:
    """The rows to remove, and those to keep of each subset."""
    generator = np.random.default_rng(seed)

    def cut_worst(rows: Rows, n: int) -> list[Rows]:
        if ties == "first":  # rows ascend
            return np.split(rows[np.argsort(-measure[rows], kind="stable")], [n])
        tied = -rows if ties == "last" else generator.permutation(len(rows))
        return np.split(rows[np.lexsort((tied, -measure[rows]))], [n])

    if mode == "distinct":
        cuts = {n: cut_worst(r, _removed(len(r), fraction, variant)) for n, r in left.items()}
        removed = np.concatenate([gone for gone, _ in cuts.values()])
        return removed, {name: np.sort(stay) for name, (_, stay) in cuts.items()}
    rows = np.concatenate(list(left.values()))
    removed, stay = cut_worst(rows, len(rows) - _kept(len(rows), fraction, variant))
    if variant == "paper":
        stay = stay[::-1]
        np.random.RandomState(seed).shuffle(stay)
    else:
        stay = generator.permutation(stay)
    return removed, cut(stay, {n: _kept(len(r), fraction, variant) for n, r in left.items()})


def _removed(n: int, fraction: float, variant: Variant) -> int:
    if variant == "paper":
        return int(n * (1 - _published_sample(fraction)))
    return int(n * fraction * (1 + 1e-12))  # 0.1 of 100 is 10, also as 1 − 0.9


def _kept(n: int, fraction: float, variant: Variant) -> int:
    if variant == "paper":
        return int(n * _published_sample(fraction))
    return n - _removed(n, fraction, variant)


def _published_sample(fraction: float) -> float:
    """The share to keep, as the authors give it: 0.9 rather than the float 1 − 0.1 may be."""
    return round(1 - fraction, 12)


def _repeated(subsets: Mapping[str, Dataset], source: str, target: str) -> Rows:
    """Rows whose pair stands in an earlier row."""
    pairs = equal_rows(subsets, source, target)
    repeated = np.ones(len(pairs), bool)
    repeated[np.unique(pairs, return_index=True)[1]] = False
    return np.flatnonzero(repeated)


def _listed(
    subsets: Mapping[str, Dataset],
    rows: Rows,
    added: Mapping[str, NDArray[np.float64]],
) -> Dataset:
    """Some rows with their place and their values of added columns."""
    import pyarrow as pa
    from datasets import Dataset, DatasetInfo, Features, Value, concatenate_datasets

    merged = concatenate_datasets(list(subsets.values()))
    names = list(subsets)
    starts = np.cumsum([0, *map(len, subsets.values())])
    subset = np.searchsorted(starts, rows, side="right") - 1
    columns = {
        "removed_from": pa.array(names, pa.string()).take(pa.array(subset)),
        "removed_row": pa.array(rows - starts[subset], pa.int64()),
        **{name: pa.array(values[rows], pa.float64()) for name, values in added.items()},
    }
    chosen = select(merged, rows)
    # gathered rows are a chunk each, of a kilobyte
    parts = [part.combine_chunks() for part in arrow_batches(chosen, *merged.column_names)]
    table = pa.concat_tables(parts) if parts else chosen.with_format("arrow")[:]
    features = dict(merged.features)
    for name, column in columns.items():
        table = table.append_column(name, column)
        features[name] = Value(str(column.type).replace("double", "float64"))
    return Dataset(table, info=DatasetInfo(features=Features(features)))
