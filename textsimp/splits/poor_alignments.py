"""Removal of poor alignments: pairs whose target says something else than its source.

Vásquez-Rodríguez et al. 2021 (Findings of ACL-IJCNLP) remove the 2–20 % of pairs with the highest
change percentage, of which many are misaligned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from textsimp.core.draws import Floats, Ints
from textsimp.corpora.datasets import as_table, is_a
from textsimp.splits.pair_values import concatenate, values_of
from textsimp.splits.subsets import CHANGE, MOST_SEED, check_subsets, cut, recut
from textsimp.support.errors import InputError, check_choice, check_integer, check_number

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

Mode = Literal["distinct", "merged"]
Variant = Literal["exact", "paper"]


class Alignments(NamedTuple):
    """The rows that `drop_poor_alignments` keeps and those that it removes.

    Attributes:
        kept: ``DatasetDict`` or ``Dataset``, as given.
        removed: The poor alignments, worst first, with the columns ``removed_from`` (subset) and
            ``removed_row`` (its row there, from 0). ``change_percentage`` (0–100, the mean of a row
            with several targets) is added, unless ``by`` named a column to rank by.
    """

    kept: Any
    removed: Dataset


def drop_poor_alignments(
    data: Dataset | DatasetDict,
    fraction: float,
    *,
    mode: Mode = "distinct",
    variant: Variant = "exact",
    by: str | None = None,
    seed: int = 0,
    source: str = "source",
    target: str = "target",
) -> Alignments:
    """Remove the pairs that differ most from their source: many of them are misaligned.

    Args:
        data: A ``DatasetDict``, or one ``Dataset``.
        fraction: Share of the rows to remove, such as 0.02 to 0.2.
        mode: Remove the worst rows of each subset; or of all, and shuffle and cut the rest at the
            sizes that it would else have.
        variant: Exact counts of rows, or those of Vásquez-Rodríguez et al. 2021, which may be one
            less (9 of 100 for 0.1). Of equally bad rows the first are removed; of merged subsets as
            published the last, and the others are shuffled best first.
        by: Rank by these numbers instead of the change percentage, larger is worse.
        seed: Of the shuffle.
        source: Column of strings.
        target: Column of strings, or of lists of strings: a row is as bad as its pairs on average.

    Returns:
        What is kept, and what was removed.

    Raises:
        InputError: A fraction out of range, a missing column, a column that would be added, a row
            without a text or number, different columns among subsets, or bad options.
    """
    import pyarrow as pa

    single = is_a(data, "Dataset")
    whole: Any = {str(data.split or "all"): data} if single else data
    texts, numbers = ([source, target], []) if by is None else ([], [by])
    subsets = check_subsets(whole, texts=texts, numbers=numbers, at_least=1, mergeable=True)
    fraction = check_number("fraction", fraction, 0, 1, inside=True)
    check_choice("mode", mode, get_args(Mode))
    check_choice("variant", variant, get_args(Variant))
    seed = check_integer("seed", seed, 0, MOST_SEED)
    for name, subset in subsets.items():
        _check_names(subset.column_names, name, by)
    values = concatenate([*values_of(subsets, by, source, target).values()])
    badness = values.sums() / values.sizes
    lengths = {name: len(subset) for name, subset in subsets.items()}
    rows = cut(np.arange(len(badness)), lengths)
    removed, kept = _choose(rows, badness, fraction, mode, variant, seed)
    removed = removed[np.lexsort((removed, -badness[removed]))]
    starts = np.cumsum([0, *lengths.values()])
    places = np.searchsorted(starts, removed, side="right") - 1
    added = {
        "removed_from": pa.array([*subsets], pa.string()).take(pa.array(places)),
        "removed_row": pa.array(removed - starts[places], pa.int64()),
    }
    if by is None:
        added[CHANGE] = pa.array(badness[removed], pa.float64())
    left, gone = recut(whole, kept, whole), recut(whole, {"": removed}, [""])[""]
    if isinstance(gone, np.ndarray):
        table = pa.table({"row": gone, "badness": badness[removed], **added})
        return Alignments(left, table)
    return Alignments(left[next(iter(whole))] if single else left, _append(gone, added))


def _check_names(columns: Sequence[str], name: str, by: str | None) -> None:
    """Check that no column has the name of one that is added."""
    for column in ("removed_from", "removed_row", *([CHANGE] if by is None else [])):
        if column in columns:
            hint = f", or rank by it (by={CHANGE!r})" if column == CHANGE else ""
            raise InputError(f"subset {name!r} already has a column {column!r}: rename it{hint}")


def _choose(
    rows: Mapping[str, Ints],
    badness: Floats,
    fraction: float,
    mode: Mode,
    variant: Variant,
    seed: int,
) -> tuple[Ints, dict[str, Ints]]:
    """Return the rows to remove, and those to keep of each subset."""
    generator = np.random.default_rng(seed)
    share = round(1 - fraction, 12)  # the authors' 0.9 rather than the float 1 − 0.1

    def removed_of(n: int) -> int:
        if variant == "paper":
            return int(n * (1 - share))
        return int(n * fraction * (1 + 1e-12))  # 0.1 of 100 is 10, also as 1 − 0.9

    def kept_of(n: int) -> int:
        return int(n * share) if variant == "paper" else n - removed_of(n)

    def cut_worst(part: Ints, n: int) -> list[Ints]:
        tied = -part if (variant, mode) == ("paper", "merged") else part
        return np.split(part[np.lexsort((tied, -badness[part]))], [n])

    if mode == "distinct":
        cuts = {name: cut_worst(part, removed_of(len(part))) for name, part in rows.items()}
        removed = np.concatenate([gone for gone, _ in cuts.values()])
        return removed, {name: np.sort(stay) for name, (_, stay) in cuts.items()}
    merged = np.concatenate(list(rows.values()))
    removed, stay = cut_worst(merged, len(merged) - kept_of(len(merged)))
    if variant == "paper":
        stay = stay[::-1]
        np.random.RandomState(seed).shuffle(stay)
    else:
        stay = generator.permutation(stay)
    return removed, cut(stay, {name: kept_of(len(part)) for name, part in rows.items()})


def _append(rows: Any, columns: Mapping[str, Any]) -> Any:
    """Return rows with further columns."""
    table = as_table(rows)
    for name, column in columns.items():
        table = table.append_column(name, column)
    if is_a(rows, "Table"):
        return table
    from datasets import Dataset

    return Dataset(table.combine_chunks())
