"""Balanced splits: similar edit operations per sentence in every subset.

Vásquez-Rodríguez et al. 2021 (Findings of ACL-IJCNLP) draw 500,000 random splits and keep one whose
subsets are most alike by the standard deviation of their operations. A local search reaches better
splits within milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from textsimp.core.draws import Floats, Ints
from textsimp.splits.pair_values import column_values, concatenate, edit_counts
from textsimp.splits.random_splits import Sizes, check_corpus
from textsimp.splits.subsets import (
    MOST_SEED,
    assign_groups,
    check_none_empty,
    equal_in,
    in_merge_order,
    recut,
)
from textsimp.support.errors import InputError, check_choice, check_integer
from textsimp.support.progress import progress
from textsimp.text.alignment import CHANGES

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

Method = Literal["local_search", "monte_carlo"]
Variant = Literal["rates", "paper"]

_PROPOSALS = 256
_DRAWS = 256
_NUMBERS = 500_000  # rows of draws at a time: 4 MB


class Balance(NamedTuple):
    """A balanced split."""

    rows: list[Ints]  # of each subset, in the order of the sizes
    objective: float  # lower is better


def balanced_split(
    dataset_dict: Dataset | Mapping[str, Dataset],
    *,
    method: Method = "local_search",
    variant: Variant = "rates",
    iterations: int = 500_000,
    columns: Sequence[str] | None = None,
    sizes: Sizes | None = None,
    together: str | None = None,
    seed: int = 0,
    source: str = "source",
    target: str = "target",
) -> DatasetDict:
    """Give every subset similar edit operations per row, at the original or at other sizes.

    Variants of the objective, which is minimised:

    - ``"rates"``: the root mean square of r(s, o)/r(o) − 1 over all operations o that occur and all
      subsets s but the largest. r(s, o) is the mean of operation o over the rows of subset s, r(o)
      that over all rows.
    - ``"paper"``: the standard deviation over subsets of the standard deviation over operations of
      the subset's sum of each operation. The largest subset dominates it, and the others are best
      when they are as uneven as can be.

    Args:
        dataset_dict: Two or more subsets with the same columns; with ``sizes``, one or more, or a
            single ``Dataset``.
        method: Improve a random split by swaps of two rows, or draw many and keep the best, as
            published.
        variant: What is to be alike: operations per row, or what Vásquez-Rodríguez et al. 2021
            compare.
        iterations: Swaps to try, or splits to draw.
        columns: Numbers from 0 to balance instead of insertions, deletions and replacements.
        sizes: Of the new subsets, see `random_split`.
        together: Rows that are equal in this column, such as the source, come into the same subset.
        seed: Integer from 0 below 2³².
        source: Column of strings, if ``columns`` is ``None``.
        target: Column of strings, or of lists of strings, whose operations add up.

    Returns:
        Subsets of these names and sizes; every row is in exactly one of them.

    Raises:
        InputError: Fewer than two subsets and no sizes, a missing column, a row without a text or
            number, different columns, bad options, or equal rows leave a subset without any.
    """
    needed: dict[str, Sequence[str]] = {"equal": [] if together is None else [together]}
    if columns is None:
        needed["texts"] = [source, target]
    elif isinstance(columns, (list, tuple)) and columns:
        needed["numbers"] = columns
    else:
        raise InputError(f"columns: expected at least one, in a list, got {columns!r}")
    data, subsets, lengths = check_corpus(dataset_dict, sizes, **needed)
    if columns is None:
        pairs = concatenate([*edit_counts(subsets, source, target).values()])
        counts = pairs.sums()[:, : len(CHANGES)]
    else:
        counts = np.stack([_sums(subsets, column) for column in columns], 1)
    groups = None if together is None else equal_in(subsets, together)
    merged = in_merge_order(lengths)
    options: Any = {"method": method, "variant": variant, "iterations": iterations, "seed": seed}
    balanced = balance(counts, [*merged.values()], groups=groups, **options)
    rows = dict(zip(merged, balanced.rows, strict=True))
    if together is not None and groups is not None:
        check_none_empty(rows, groups, together)
    return recut(data, rows, lengths)


def _sums(subsets: Mapping[str, Any], column: str) -> Floats:
    """Return a column of numbers from 0, merged; lists are summed."""
    values = concatenate([*column_values(subsets, column).values()])
    if values.values.min() < 0:
        raise InputError(f"column {column!r}: expected numbers from 0")
    return values.sums()


def balance(
    counts: NDArray[Any],
    sizes: Sequence[int],
    *,
    method: Method = "local_search",
    variant: Variant = "rates",
    iterations: int = 500_000,
    seed: int = 0,
    groups: Ints | None = None,
) -> Balance:
    """Find a balanced split of rows, given the operations of each: shape (rows, operations).

    Options are those of `balanced_split`. Rows of a group, numbered from 0, come into the same
    subset. The sizes are as near as the search comes to those given, and then the objective is
    least.
    """
    check_choice("method", method, get_args(Method))
    check_choice("variant", variant, get_args(Variant))
    iterations = check_integer("iterations", iterations, 1)
    seed = check_integer("seed", seed, 0, MOST_SEED)
    lengths = np.array(sizes, np.int64)
    counts = np.ascontiguousarray(counts, np.float64)
    largest = _largest(lengths)
    evaluate = {
        "rates": lambda sums, sizes: _rates(sums, sizes, largest),
        "paper": lambda sums, sizes: sums.std(-1).std(-1),
    }[variant]
    generator = np.random.default_rng(seed)
    if groups is not None and len(np.unique(groups)) < len(groups):
        groups = np.unique(groups, return_inverse=True)[1]
        patience = (2 * len(groups)) ** 2 if method == "local_search" else 0
    elif method == "monte_carlo":
        return _monte_carlo(counts, lengths, evaluate, iterations, generator)
    else:
        groups, patience = np.arange(len(counts)), iterations
    return _local_search(counts, lengths, groups, evaluate, iterations, patience, generator)


def _largest(sizes: Ints) -> int:
    """Return the number of the largest subset; of several the last, train rather than test."""
    return len(sizes) - 1 - int(sizes[::-1].argmax())


def _rates(sums: Floats, sizes: NDArray[Any], largest: int) -> Any:
    """Return objectives (…) of sums (…, subsets, operations) and sizes (…, subsets)."""
    overall = sums.sum(-2, keepdims=True) / sizes.sum(-1, keepdims=True)[..., None]
    # an operation that never occurs is 0 everywhere: its error is 0 and doesn't count
    occurs = overall > 0
    error = np.where(occurs, sums / sizes[..., None] / np.where(occurs, overall, 1) - 1, 0)
    squares = (error**2).sum(-1) / np.maximum(occurs.sum(-1), 1)
    return np.sqrt(np.delete(squares, largest, axis=-1).mean(-1))


def _local_search(
    counts: Floats,
    sizes: Ints,
    groups: Ints,
    evaluate: Callable[..., Any],
    iterations: int,
    patience: int,
    generator: np.random.Generator,
) -> Balance:
    """Return the best random split, the sizes before the rest, improved by swaps of groups.

    Another begins after ``patience`` swaps that don't help. Where groups have several rows, empty
    ones are among them: a swap with one moves a group.
    """
    columns = np.column_stack([np.ones(len(counts)), counts]).T
    units = np.stack([np.bincount(groups, column) for column in columns], 1)
    numbers = np.arange(len(sizes))
    empty = np.resize(numbers, max(len(units), len(sizes)) * (len(units) < len(counts)))
    units = np.concatenate([units, np.zeros((len(empty), len(columns)))])
    most = counts.sum() + len(counts)  # no objective is larger

    def value_of(sums: Floats) -> Any:
        misfit = np.abs(sums[..., 0] - sizes).sum(-1)
        return evaluate(sums[..., 1:], np.maximum(sums[..., 0], 1)) + misfit * most

    best_rows: list[Ints] = []
    best, done = math.inf, 0
    with progress(desc="Swaps", total=iterations) as bar:
        while done < iterations:
            shuffled = generator.permutation(len(counts))
            order, subset = _start(shuffled, sizes, groups, empty)
            held_out = np.flatnonzero(subset != _largest(sizes))
            sums = np.add.reduceat(units[order], np.searchsorted(subset, numbers))
            value, left = value_of(sums), patience
            done += not patience
            while left > 0 and done < iterations:
                n = min(_PROPOSALS, iterations - done)
                first = generator.choice(held_out, n)
                second = generator.integers(len(order), size=n)
                moved = units[order[second]] - units[order[first]]
                proposals = _swap(sums, subset[first], subset[second], moved)
                values = value_of(proposals)
                i = int(values.argmin())
                done, left = done + n, left - n
                if values[i] < value:
                    swap = [first[i], second[i]]
                    order[swap] = order[swap[::-1]]
                    sums, value, left = proposals[i], values[i], patience
                bar.update(n)
            if value < best:
                subset[order] = subset.copy()  # now of each unit
                best, rows_of = value, subset[groups[shuffled]]
                best_rows = [shuffled[rows_of == i] for i in numbers]
    lengths = np.array([max(1, len(part)) for part in best_rows])
    objective = evaluate(np.stack([counts[part].sum(0) for part in best_rows]), lengths)
    return Balance(best_rows, float(objective))


def _start(shuffled: Ints, sizes: Ints, groups: Ints, empty: Ints) -> tuple[Ints, Ints]:
    """Return the units of a random split, subset by subset, and the subset of each.

    Units are rows; or groups, and then ``empty`` are the subsets of empty ones.
    """
    if not len(empty):
        return shuffled, np.repeat(np.arange(len(sizes)), sizes)
    subset = np.append(assign_groups(shuffled, sizes.tolist(), groups), empty)
    order = np.argsort(subset, kind="stable")
    return order, subset[order]


def _swap(sums: Floats, first: Ints, second: Ints, moved: Floats) -> Floats:
    """Return the sums (n, subsets, columns) after each of n swaps between two subsets."""
    swapped = np.repeat(sums[None], len(moved), axis=0)
    swapped[np.arange(len(moved)), first] += moved
    swapped[np.arange(len(moved)), second] -= moved
    return swapped


def _monte_carlo(
    counts: Floats,
    sizes: Ints,
    evaluate: Callable[..., Any],
    iterations: int,
    generator: np.random.Generator,
) -> Balance:
    """Return the best draw; the largest subset takes, in order, what the others leave."""
    largest = _largest(sizes)
    others = np.delete(sizes, largest)
    held_out = np.delete(np.arange(len(sizes)), largest)
    # a product with ones is the fastest sum of slices, and exact for whole numbers
    membership = np.repeat(np.eye(len(others)), others, axis=1)
    total = counts.sum(0)
    block = max(1, min(_DRAWS, _NUMBERS // int(others.sum())))
    best, best_rows = math.inf, np.empty(0, np.int64)
    with progress(desc="Random splits", total=iterations) as bar:
        for done in range(0, iterations, block):
            n = min(block, iterations - done)
            draws = [generator.choice(len(counts), others.sum(), replace=False) for _ in range(n)]
            sums = np.empty((n, len(sizes), counts.shape[1]))
            for i, rows in enumerate(draws):
                sums[i, held_out] = membership @ counts.take(rows, axis=0)
            sums[:, largest] = total - sums[:, held_out].sum(1)
            values = evaluate(sums, sizes)
            i = int(values.argmin())
            if values[i] < best:
                best, best_rows = float(values[i]), draws[i]
            bar.update(n)
    parts = np.split(best_rows, np.cumsum(others)[:-1])
    parts.insert(largest, np.setdiff1d(np.arange(len(counts)), best_rows))
    return Balance(parts, best)
