"""Random splits: merge all subsets, shuffle, and cut at the original or at other sizes.

Vásquez-Rodríguez et al. 2021 (Findings of ACL-IJCNLP) show that a model's SARI depends on the split
by up to seven points, and compare the published split with five random ones.
"""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Mapping, Sequence, Sized
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from textsimp.corpora.datasets import is_a
from textsimp.splits.subsets import (
    MOST_SEED,
    assign_groups,
    check_none_empty,
    check_subsets,
    equal_in,
    in_merge_order,
    recut,
)
from textsimp.support.errors import InputError, check_choice, check_integer
from textsimp.support.parsing import parse_number

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

Variant = Literal["numpy", "paper"]
Size = int | float | None
Sizes = Sequence[Size] | Mapping[str, Size]

_NAMES = {2: ("train", "test"), 3: ("train", "validation", "test")}


def random_split(
    dataset_dict: Dataset | Mapping[str, Dataset],
    seed: int = 0,
    *,
    variant: Variant = "numpy",
    sizes: Sizes | None = None,
    together: str | None = None,
) -> DatasetDict:
    """Merge all subsets, shuffle the rows and cut them at the original or at other sizes.

    Subsets are merged, and the shuffled rows dealt out, in the order test, validation (or valid,
    val, dev), others, train.

    Args:
        dataset_dict: Two or more subsets with the same columns; with ``sizes``, one or more, or a
            single ``Dataset``.
        seed: Integer from 0 below 2³².
        variant: How rows are shuffled: ``"numpy"``, or ``"paper"`` for the splits of
            Vásquez-Rodríguez et al. 2021 (their seeds: 155, 324, 393, 728, 989).
        sizes: Of the new subsets, by name; or a list of two (train, test) or three (train,
            validation, test). All are whole numbers of rows, or all are shares, floats between 0
            and 1; together they make up all rows. One may be ``None``: what the others leave. Of
            shares of rows, the largest are rounded up. ``None`` instead: the sizes there were.
        together: Rows that are equal in this column, such as the source, come into the same subset,
            whose size may then differ by less than the largest group of equal rows.

    Returns:
        Subsets of these names and sizes; every row is in exactly one of them.

    Raises:
        InputError: Fewer than two subsets and no sizes, an empty one, different columns, bad
            options, or equal rows leave a subset without any.
    """
    equal = [] if together is None else [together]
    data, subsets, lengths = check_corpus(dataset_dict, sizes, equal=equal)
    check_choice("variant", variant, get_args(Variant))
    seed = check_integer("seed", seed, 0, MOST_SEED)
    total = sum(lengths.values())
    if variant == "paper":
        order = array("q", range(total))  # a list takes five times the memory
        random.Random(seed).shuffle(order)
        shuffled = np.array(order)
    else:
        shuffled = np.random.default_rng(seed).permutation(total)
    dealt = in_merge_order(lengths)
    subset = np.repeat(np.arange(len(dealt)), [*dealt.values()])
    if together is not None:
        groups = equal_in(subsets, together)
        subset = assign_groups(shuffled, [*dealt.values()], groups)[groups[shuffled]]
    rows = {name: shuffled[subset == i] for i, name in enumerate(dealt)}
    if together is not None:
        check_none_empty(rows, groups, together)
    return recut(data, rows, lengths)


def check_corpus(
    data: Any, sizes: Sizes | None, **columns: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, int]]:
    """Check a corpus and the ``columns`` that are needed, see `check_subsets`.

    Return its subsets, their tables in merge order, and the new subsets' numbers of rows.
    """
    if sizes is not None:
        named_sizes(sizes)
    if not isinstance(data, Mapping) and is_a(data, "Dataset"):
        if sizes is None:
            raise InputError(
                "expected a DatasetDict of at least 2 subsets, got Dataset: give sizes to cut it"
            )
        data = {"dataset": data}
    at_least = 2 if sizes is None else 1
    subsets = check_subsets(data, **columns, at_least=at_least, mergeable=True)
    return data, subsets, new_lengths(data, sizes)


def new_lengths(subsets: Mapping[str, Sized], sizes: Sizes | None) -> dict[str, int]:
    """Return the rows of new subsets of these sizes, or of the subsets without any."""
    lengths = {name: len(subset) for name, subset in subsets.items()}
    if sizes is None:
        return lengths
    named, rows = named_sizes(sizes), sum(lengths.values())
    numbers = [size for size in named.values() if size is not None]
    whole = all(isinstance(size, Integral) for size in numbers)
    left = (rows if whole else 1) - sum(numbers)
    rest = len(numbers) < len(named)
    if left < -1e-9 or (left > 1e-9 and not rest):
        total = f"{sum(numbers):,}" if whole else f"{sum(numbers):g}"
        expected = f"the {rows:,} rows" if whole else "1"
        raise InputError(
            f"sizes: they sum to {total}, expected {expected}{' at most' if rest else ''}"
        )
    exact = {name: left if size is None else size for name, size in named.items()}
    exact = exact if whole else {name: share * rows for name, share in exact.items()}
    rounded = {name: int(size) for name, size in exact.items()}
    by_fraction = sorted(exact, key=lambda name: rounded[name] - exact[name])
    for name in by_fraction[: rows - sum(rounded.values())]:  # the largest fractions go up
        rounded[name] += 1
    for name, size in rounded.items():
        if size < 1:
            raise InputError(f"sizes: of {rows:,} rows they leave {name!r} without any")
    return rounded


def named_sizes(sizes: Sizes) -> dict[str, Size]:
    """Return sizes of new subsets by name, see `random_split`."""
    if isinstance(sizes, str) or not isinstance(sizes, (Sequence, Mapping)) or len(sizes) < 2:
        raise InputError(f"sizes: expected two or more sizes, got {sizes!r}")
    if not isinstance(sizes, Mapping) and len(sizes) not in _NAMES:
        raise InputError(f"sizes: expected names for more than three, got {len(sizes)} sizes")
    named = dict(
        sizes if isinstance(sizes, Mapping) else zip(_NAMES[len(sizes)], sizes, strict=True)
    )
    numbers = {name: size for name, size in named.items() if size is not None}
    if len(numbers) < len(named) - 1:
        raise InputError("sizes: expected at most one that is what the others leave")
    whole = all(isinstance(size, Integral) for size in numbers.values())
    for name, size in numbers.items():
        is_share = isinstance(size, (float, np.floating)) and 0 < size < 1
        if not (type(size) is not bool and size >= 1 if whole else is_share):
            raise InputError(
                "sizes: expected only whole numbers from 1, or only shares between 0 and 1, "
                f"got {size!r} for {name!r}"
            )
    return named


def parse_sizes(text: str) -> dict[str, Size]:
    """Read sizes such as ``0.9,0.05,0.05`` or ``train=rest,dev=100``; a sum of 100 is percent.

    >>> parse_sizes("80,10,10")
    {'train': 0.8, 'validation': 0.1, 'test': 0.1}
    """
    sizes: list[Size] = []
    names = []
    for part in text.split(","):
        name, equals, size = map(str.strip, part.rpartition("="))
        names += [name] if equals else []
        try:
            number = None if size == "rest" else parse_number(size)
            sizes.append(int(size) if size.isdigit() else number)
        except ValueError:
            raise InputError(
                f"sizes: expected shares or numbers of rows, such as 0.9,0.05,0.05, got {part!r}"
            ) from None
    if sum(size or 0 for size in sizes) == 100 and all(isinstance(s, Integral) for s in sizes):
        sizes = [size / 100 for size in sizes if size]  # of 100 rows the same
    if not names:
        return named_sizes(sizes)
    if len(names) < len(sizes) or not all(re.fullmatch(r"[\w-]+", name) for name in names):
        raise InputError(f"sizes: expected a name for each, as in NAME=0.9, got {text!r}")
    if len(set(names)) < len(names):
        raise InputError(f"sizes: expected different names, got {text!r}")
    return named_sizes(dict(zip(names, sizes, strict=True)))
