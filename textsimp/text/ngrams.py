"""Exact n-gram counts of a text against its source and references, without hashing.

An n-gram of order n is the pair of the (n-1)-grams at a position and at the next one, so ranking
those pairs by one sort gives every n-gram a number. Order 1 ranks (example, token): numbers belong
to one example, rows of a table are in the order of the examples, and no two examples ever mix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textsimp.text.tokenizers import Tokens

Ints = NDArray[np.int64]
SmallInts = NDArray[np.int32]  # tables stay in memory

ORDERS = 4


@dataclass(frozen=True)
class Table:
    """The distinct n-grams of one order in the sources and references of a block, a row each."""

    keys: Ints  # sorted: (number of the first (n-1)-gram, of the second), packed
    base: int  # keys are packed as first * base + second
    s: SmallInts  # occurrences in the source
    r: SmallInts  # occurrences in all references together
    source_rows: SmallInts  # rows with s > 0
    source_examples: SmallInts  # and their examples
    reference_only: Ints  # (examples,) number of rows with s = 0


@dataclass(frozen=True)
class Counts:
    """The n-grams of one order that stand in a source, or in a prediction and its references.

    ``example``, ``s``, ``c``, ``r`` have one entry per such n-gram: its example, and how often it
    occurs in the source, the prediction (candidate) and all references together.
    """

    example: Ints
    s: Ints
    c: Ints
    r: Ints
    novel: Ints  # (examples,) distinct n-grams of the prediction only
    reference_only: Ints  # (examples,) distinct n-grams of the references, not of the source


def prepare(sources: Tokens, references: Tokens, owners: Ints, base: int) -> list[Table]:
    """Rank the n-grams of a block of examples.

    Args:
        sources: One text per example.
        references: The references of all examples.
        owners: (references,) the example that each reference belongs to, ascending.
        base: Greater than every token id.

    Returns:
        One table per order 1..4.
    """
    n = len(sources)
    tokens = np.concatenate((sources.ids, references.ids))
    sizes = np.concatenate((np.diff(sources.offsets), np.diff(references.offsets)))
    examples = np.repeat(np.concatenate((np.arange(n), owners)), sizes)
    room = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(tokens))  # tokens left in the text
    everywhere = np.arange(len(tokens))
    numbers, positions, keys = tokens, everywhere, examples * base + tokens
    tables = []
    for order in range(1, ORDERS + 1):
        if order > 1:  # pairs across the end of a text are computed and left out
            inside = room[:-1] >= order
            positions = everywhere[:-1][inside]
            keys = (numbers[:-1] * base + numbers[1:])[inside]
        sorted_keys, at = _sort(keys, positions)
        first = _first_of_each(sorted_keys)
        starts = np.flatnonzero(first)
        numbers = np.zeros(len(tokens), np.int64)
        numbers[at] = np.cumsum(first) - 1
        of_sources = positions[: np.searchsorted(positions, len(sources.ids))]
        s = np.bincount(numbers[of_sources], minlength=len(starts))
        r = np.diff(np.append(starts, len(at))) - s
        rows = np.flatnonzero(s)
        row_examples = examples[at[starts]]
        source_examples = row_examples[rows]
        reference_only = np.bincount(row_examples, minlength=n) - np.bincount(
            source_examples, minlength=n
        )
        table_keys = sorted_keys[starts]
        tables.append(
            Table(
                table_keys,
                base,
                s.astype(np.int32),
                r.astype(np.int32),
                rows.astype(np.int32),
                source_examples.astype(np.int32),
                reference_only,
            )
        )
        base = len(starts)
    return tables


def count(tables: list[Table], predictions: Tokens) -> Iterator[Counts]:
    """Count the n-grams of one prediction per example, for each order of the tables."""
    n = len(predictions)
    sizes = np.diff(predictions.offsets)
    examples = np.repeat(np.arange(n), sizes)
    room = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(examples))
    numbers, positions = predictions.ids, np.arange(len(examples))
    first_numbers, second_numbers = examples, predictions.ids
    searchable = second_numbers < tables[0].base
    top = 0
    for order, table in enumerate(tables, 1):
        if order > 1:
            positions = np.flatnonzero(room >= order)
            first_numbers, second_numbers = numbers[positions], numbers[positions + 1]
            searchable = np.maximum(first_numbers, second_numbers) < top
        keys = first_numbers * table.base + second_numbers
        row = np.searchsorted(table.keys, keys)
        row[row == len(table.keys)] = 0
        known = searchable & (table.keys[row] == keys) if len(table.keys) else searchable & False
        known_rows = row[known]
        new = np.flatnonzero(~known)
        # The same pairs have the same key only with a base that no number reaches.
        wide = int(second_numbers.max(initial=0)) + 1
        sorted_keys, at = _sort(first_numbers[new] * wide + second_numbers[new], positions[new])
        first = _first_of_each(sorted_keys)

        top = len(table.keys)  # greater numbers stand for n-grams that the table doesn't have
        numbers = np.zeros(len(examples), np.int64)
        numbers[positions] = row
        numbers[at] = top + np.cumsum(first)

        c = np.bincount(known_rows, minlength=top)
        added = np.flatnonzero((c > 0) & (table.s == 0))
        # Any position of an n-gram tells its example.
        example_of = np.empty(top, np.int64)
        example_of[known_rows] = examples[positions[known]]
        rows = np.concatenate((table.source_rows, added))
        yield Counts(
            example=np.concatenate((table.source_examples, example_of[added])),
            s=table.s[rows],
            c=c[rows],
            r=table.r[rows],
            novel=np.bincount(examples[at[first]], minlength=n),
            reference_only=table.reference_only,
        )


def _sort(keys: Ints, positions: Ints) -> tuple[Ints, Ints]:
    """Sorted keys and the position of each, equal keys in the order of their positions."""
    if len(keys) == 0:
        return keys, positions
    bits = int(positions[-1]).bit_length()  # they ascend
    if int(keys.max()).bit_length() + bits <= 63:
        packed = (keys << bits) | positions  # sorting one array is much the fastest
        packed.sort()
        return packed >> bits, packed & ((1 << bits) - 1)
    index = np.argsort(keys, kind="stable")
    return keys[index], positions[index]


def _first_of_each(sorted_keys: Ints) -> NDArray[np.bool_]:
    first = np.ones(len(sorted_keys), np.bool_)
    first[1:] = sorted_keys[1:] != sorted_keys[:-1]
    return first
