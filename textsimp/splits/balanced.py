"""Balanced splits: similar edit operations per sentence in every subset.

Vásquez-Rodríguez et al. 2021 (Findings of ACL-IJCNLP) draw 500,000 random splits and keep one whose
subsets are most alike by the standard deviation of their operations. A local search reaches better
splits within milliseconds.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from textsimp.splits.pair_values import column_values, concatenate, edit_counts
from textsimp.splits.subsets import MOST_SEED, check_subsets, recut, sizes_of
from textsimp.support.errors import InputError, check_choice, check_integer
from textsimp.text.alignment import EditPath

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict
    from numpy.typing import NDArray

Method = Literal["local_search", "monte_carlo"]
Variant = Literal["rates", "paper"]

_PROPOSALS = 256
_DRAWS = 256
_SPARE = 6  # standard deviations of numbers drawn beyond those expected to suffice
_NUMBERS = 500_000  # random numbers at a time: 8 MB


class SearchInterrupted(UserWarning):
    """Ctrl-C ended a search: what it returned is the best split up to then."""


class Checkpoint(NamedTuple):
    """The best draws after some iterations, by number; `monte_carlo_draw` makes them again.

    Attributes:
        iterations: Draws seen so far.
        best: The one of the smallest objective.
        best_train: The one whose largest subset is best on its own.
        best_held_out: The one whose other subsets are best on their own.
    """

    iterations: int
    best: int
    best_train: int
    best_held_out: int


class Balance(NamedTuple):
    """A balanced split of rows, and how it was found.

    Attributes:
        rows: The rows of each subset, in the order of the sizes.
        objective: Its value, lower is better.
        iterations: Draws or proposals looked at.
        checkpoints: Of the Monte-Carlo method.
    """

    rows: list[NDArray[np.int64]]
    objective: float
    iterations: int
    checkpoints: list[Checkpoint]


def balanced_split(
    dataset_dict: Mapping[str, Dataset],
    *,
    method: Method = "local_search",
    variant: Variant = "rates",
    iterations: int = 500_000,
    columns: Sequence[str] | None = None,
    seed: int = 0,
    source: str = "source",
    target: str = "target",
    edits: EditPath = "paper",
) -> DatasetDict:
    """Recut all subsets so that each has similar edit operations per sentence.

    Args:
        dataset_dict: Two or more subsets with the same columns.
        method: ``"local_search"`` or ``"monte_carlo"``, see `balance`.
        variant: Of the objective, ``"rates"`` or ``"paper"``, see `balance`.
        iterations: Swaps to propose, or splits to draw.
        columns: Columns of numbers from 0 to balance, such as those of `annotate_edits`; ``None``:
            the insertions, deletions and replacements from ``source`` to ``target``.
        seed: Integer from 0 below 2³².
        source: Column of strings, if ``columns`` is ``None``.
        target: Column of strings, or of lists of strings, whose operations add up.
        edits: Which edits are counted, see `edit_columns`.

    Returns:
        Subsets of the same names and sizes; every row is in exactly one of them. Interrupted by
        Ctrl-C, the best found so far, with the warning `SearchInterrupted`.

    Raises:
        InputError: Fewer than two subsets, a missing column, a row without a text or number,
            different columns among subsets, or bad options.
    """
    needed = [source, target] if columns is None else columns
    if not isinstance(needed, (list, tuple)) or not needed:
        raise InputError(f"columns: expected at least one, in a list, got {columns!r}")
    subsets = check_subsets(dataset_dict, *needed, mergeable=True)
    if columns is None:
        pairs = edit_counts(subsets, source, target, edits).values()
        counts = np.concatenate([part.sums() for part in pairs])[:, :3]
    else:
        counts = np.stack([_sums(subsets, column) for column in columns], 1)
    sizes = sizes_of(subsets)
    balanced = balance(
        counts,
        list(sizes.values()),
        method=method,
        variant=variant,
        iterations=iterations,
        seed=seed,
    )
    return recut(dataset_dict, dict(zip(sizes, balanced.rows, strict=True)))


def balance(
    counts: NDArray[Any],
    sizes: Sequence[int],
    *,
    method: Method = "local_search",
    variant: Variant = "rates",
    iterations: int = 500_000,
    checkpoint_every: int = 100_000,
    seed: int = 0,
) -> Balance:
    """Find a balanced split of rows: what `balanced_split` does, without `datasets`.

    Variants of the objective, which is to be as low as can be:

    - ``"rates"``: with r(s, o) the mean of operation o over the rows of subset s and r(o) over all
      rows, the root mean square of r(s, o)/r(o) − 1 over all operations that occur and all subsets
      but the largest.
    - ``"paper"``: the standard deviation over subsets of the standard deviation over operations of
      the subset's sum of each operation (Vásquez-Rodríguez et al. 2021). The largest subset
      dominates it, and the others are best when they are as uneven as can be.

    Methods:

    - ``"local_search"``: from a random split, swaps of two rows between subsets that lower the
      objective.
    - ``"monte_carlo"``: the best of random splits. Each is a function of ``seed`` and its number
      alone, see `monte_carlo_draw`.

    Args:
        counts: Operations of each row, from 0: shape (rows, operations).
        sizes: Rows of each subset; they sum to the rows.
        method: ``"local_search"`` or ``"monte_carlo"``.
        variant: Of the objective, ``"rates"`` or ``"paper"``.
        iterations: Swaps to propose, or splits to draw.
        checkpoint_every: Draws between the checkpoints of ``"monte_carlo"``.
        seed: Integer from 0 below 2³².

    Returns:
        The best split seen; interrupted by Ctrl-C, the best so far, with the warning
        `SearchInterrupted`.

    Raises:
        InputError: Counts of another shape or below 0, sizes that don't sum to the rows, fewer than
            two or an empty one, or bad options.
    """
    check_choice("method", method, get_args(Method))
    check_choice("variant", variant, get_args(Variant))
    iterations = check_integer("iterations", iterations, 1)
    checkpoint_every = check_integer("checkpoint_every", checkpoint_every, 1)
    seed = check_integer("seed", seed, 0, MOST_SEED)
    try:
        counts = np.asarray(counts)
    except ValueError:  # rows of different lengths
        counts = np.empty(0)
    if counts.ndim != 2 or not counts.size or counts.dtype.kind not in "iuf" or counts.min() < 0:
        raise InputError("counts: expected numbers from 0 of shape (rows, operations)")
    lengths = _lengths(sizes, len(counts))
    counts = np.ascontiguousarray(counts, np.float64)
    evaluate = _rates if variant == "rates" else _as_published
    if method == "local_search":
        result = _local_search(counts, lengths, evaluate, iterations, seed)
    else:
        result = _monte_carlo(counts, lengths, evaluate, iterations, seed, checkpoint_every)
    if result.iterations < iterations:
        message = f"Interrupted after {result.iterations:,} of {iterations:,} iterations"
        warnings.warn(SearchInterrupted(f"{message}: this is the best split so far"), stacklevel=2)
    return result


def monte_carlo_draw(sizes: Sequence[int], seed: int, number: int) -> list[NDArray[np.int64]]:
    """Random split number ``number`` (from 0) of the Monte-Carlo method.

    Returns:
        The rows of each subset, in the order of ``sizes``; the largest subset takes, in order, what
        the others leave.

    Raises:
        InputError: Not two or more sizes of at least 1, or no such seed or number.
    """
    lengths = _lengths(sizes)
    seed = check_integer("seed", seed, 0, MOST_SEED)
    number = check_integer("number", number, 0)
    drawn = next(_draws(lengths, seed, range(number, number + 1)))[0]
    largest = _largest(lengths)
    parts = np.split(drawn, np.cumsum(np.delete(lengths, largest))[:-1])
    parts.insert(largest, np.setdiff1d(np.arange(lengths.sum()), drawn))
    return parts


def _lengths(sizes: Any, rows: int | None = None) -> NDArray[np.int64]:
    lengths = np.asarray(sizes, object)
    whole = all(isinstance(n, (int, np.integer)) and 0 < n < 2**31 for n in lengths.flat)
    fits = rows is None or (whole and lengths.sum() == rows)
    if lengths.ndim != 1 or len(lengths) < 2 or not whole or not fits:
        total = "" if rows is None else f", that sum to the {rows} rows"
        raise InputError(
            f"sizes: expected two or more integers, each at least 1{total}, got {sizes!r}"
        )
    return lengths.astype(np.int64)


def _largest(sizes: NDArray[np.int64]) -> int:
    """Return the number of the largest subset; of several the last, train rather than test."""
    return len(sizes) - 1 - int(sizes[::-1].argmax())


def _rates(sums: NDArray[np.float64], sizes: NDArray[np.int64]) -> tuple[Any, Any]:
    """Return objectives (…) and spreads (…, subsets) of sums (…, subsets, operations)."""
    overall = sums.sum(-2, keepdims=True) / sizes.sum()
    # an operation that never occurs is 0 everywhere: its error is 0 and doesn't count
    occurs = overall > 0
    error = np.where(occurs, sums / sizes[:, None] / np.where(occurs, overall, 1) - 1, 0)
    squares = (error**2).sum(-1) / np.maximum(occurs.sum(-1), 1)
    held_out = np.delete(squares, _largest(sizes), axis=-1)
    return np.sqrt(held_out.mean(-1)), np.sqrt(squares)


def _as_published(sums: NDArray[np.float64], sizes: NDArray[np.int64]) -> tuple[Any, Any]:
    spread = sums.std(-1)
    return spread.std(-1), spread


def _local_search(
    counts: NDArray[np.float64],
    sizes: NDArray[np.int64],
    evaluate: Callable[..., tuple[Any, Any]],
    iterations: int,
    seed: int,
) -> Balance:
    from datasets.utils import tqdm

    generator = np.random.default_rng(seed)
    rows = generator.permutation(len(counts))
    subset = np.repeat(np.arange(len(sizes)), sizes)
    held_out = np.flatnonzero(subset != _largest(sizes))
    starts = np.cumsum(sizes) - sizes
    sums = np.add.reduceat(counts[rows], starts)
    best = evaluate(sums, sizes)[0]
    done = 0
    try:
        with tqdm(desc="Swaps", total=iterations, disable=None, leave=False) as progress:
            while done < iterations:
                n = min(_PROPOSALS, iterations - done)
                one = generator.choice(held_out, n)
                other = generator.integers(len(rows), size=n)
                moved = counts[rows[other]] - counts[rows[one]]
                proposals = np.repeat(sums[None], n, axis=0)
                proposals[np.arange(n), subset[one]] += moved
                proposals[np.arange(n), subset[other]] -= moved
                values = evaluate(proposals, sizes)[0]
                i = int(values.argmin())
                if values[i] < best:
                    swap = [one[i], other[i]]
                    rows[swap] = rows[swap[::-1]]  # one step, so that Ctrl-C can't halve it
                    sums, best = proposals[i], values[i]
                done += n
                progress.update(n)
    except KeyboardInterrupt:
        pass
    final = evaluate(np.add.reduceat(counts[rows], starts), sizes)[0]
    return Balance(np.split(rows, starts[1:]), float(final), done, [])


def _monte_carlo(
    counts: NDArray[np.float64],
    sizes: NDArray[np.int64],
    evaluate: Callable[..., tuple[Any, Any]],
    iterations: int,
    seed: int,
    checkpoint_every: int,
) -> Balance:
    from datasets.utils import tqdm

    largest = _largest(sizes)
    held_out = [s for s in range(len(sizes)) if s != largest]
    # a product with ones is the fastest sum of slices, and exact for whole numbers
    membership = np.repeat(np.eye(len(held_out)), sizes[held_out], axis=1)
    total = counts.sum(0)
    best = [(math.inf, -1)] * 3  # by objective, by the largest subset, by the others
    checkpoints: list[Checkpoint] = []
    done = 0
    try:
        with tqdm(desc="Random splits", total=iterations, disable=None, leave=False) as progress:
            for start in range(0, iterations, checkpoint_every):
                stop = min(start + checkpoint_every, iterations)
                for drawn in _draws(sizes, seed, range(start, stop)):
                    sums = np.empty((len(drawn), len(sizes), counts.shape[1]))
                    for i, rows in enumerate(drawn):
                        sums[i, held_out] = membership @ counts.take(rows, axis=0)
                    sums[:, largest] = total - sums[:, held_out].sum(1)
                    values, spread = evaluate(sums, sizes)
                    others = np.sqrt((spread[:, held_out] ** 2).mean(-1))
                    criteria = (values, spread[:, largest], others)
                    best = [_better(*pair, done) for pair in zip(best, criteria, strict=True)]
                    done += len(drawn)
                    progress.update(len(drawn))
                if done % checkpoint_every == 0:
                    checkpoints.append(Checkpoint(done, *(number for _, number in best)))
    except KeyboardInterrupt:
        if not done:
            raise
    objective, number = best[0]
    return Balance(monte_carlo_draw(sizes.tolist(), seed, number), objective, done, checkpoints)


def _better(best: tuple[float, int], values: NDArray[np.float64], first: int) -> tuple[float, int]:
    i = int(values.argmin())
    return (float(values[i]), first + i) if values[i] < best[0] else best


def _draws(sizes: NDArray[np.int64], seed: int, numbers: range) -> Iterator[list[NDArray[np.intp]]]:
    """Draw blocks of random splits: the rows of all subsets but the largest, one after the other.

    Numbers are drawn until enough of them differ. Split i reads only its own stretch of a
    counter-based generator (Philox, keyed by the seed), so it depends on nothing else.
    """
    n = int(sizes.sum())
    m = n - int(sizes.max())
    fresh = (n - np.arange(m)) / n  # chance that a number is new after 0, 1, … different ones
    mean, variance = (1 / fresh).sum(), ((1 - fresh) / fresh**2).sum()
    width = 4 * math.ceil((mean + _SPARE * math.sqrt(variance) + _SPARE) / 4)  # 4 per counter
    block = max(1, min(_DRAWS, _NUMBERS // width))
    order = np.arange(width)
    last = np.empty(n, np.intp)

    def different(tries: NDArray[np.intp], order: NDArray[np.intp]) -> NDArray[np.intp]:
        last[tries] = order  # of equal numbers the last one stays
        return tries.compress(last.take(tries) == order)[-m:]

    for start in range(numbers.start, numbers.stop, block):
        size = min(block, numbers.stop - start)
        philox = np.random.Philox(key=seed, counter=start * width // 4)
        tries = (np.random.Generator(philox).random((size, width)) * n).astype(np.intp)
        drawn = [different(row, order) for row in tries]
        for i, rows in enumerate(drawn):
            if len(rows) < m:  # once in millions: go on in a stretch far from all others
                longer = tries[i]
                philox = np.random.Philox(key=seed, counter=(1 << 192) + ((start + i) << 64))
                more = np.random.Generator(philox)
                while len(drawn[i]) < m:
                    longer = np.concatenate([(more.random(width) * n).astype(np.intp), longer])
                    drawn[i] = different(longer, np.arange(len(longer)))
        yield drawn


def _sums(subsets: Mapping[str, Dataset], column: str) -> NDArray[np.float64]:
    """Return a column of numbers from 0, merged; lists are summed."""
    values = concatenate(list(column_values(subsets, column).values()))
    if values.values.dtype == object or values.values.min() < 0:
        raise InputError(f"column {column!r}: expected numbers from 0")
    return values.sums()
