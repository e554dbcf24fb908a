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
    tables = []
    positions = np.arange(len(tokens))
    numbers, keys = tokens, examples * base + tokens
    for order in range(1, ORDERS + 1):
        if order > 1:
            positions = np.flatnonzero(room >= order)
            keys = numbers[positions] * base + numbers[positions + 1]
        sorted_keys, by_key = _sort(keys)
        first = _first_of_each(sorted_keys)
        starts = np.flatnonzero(first)
        numbers = np.empty(len(tokens), np.int64)
        numbers[positions[by_key]] = np.cumsum(first) - 1
        of_sources = positions[: np.searchsorted(positions, len(sources.ids))]
        s = np.bincount(numbers[of_sources], minlength=len(starts))
        r = np.diff(np.append(starts, len(by_key))) - s
        rows = np.flatnonzero(s)
        row_examples = examples[positions[by_key[starts]]]
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
        base = len(starts) + 1
    return tables


def count(tables: list[Table], predictions: Tokens) -> Iterator[Counts]:
    """Count the n-grams of one prediction per example, for each order of the tables."""
    n = len(predictions)
    sizes = np.diff(predictions.offsets)
    examples = np.repeat(np.arange(n), sizes)
    room = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(examples))
    numbers = predictions.ids
    positions = np.arange(len(examples))
    first_numbers, second_numbers = examples, predictions.ids
    top = 0  # numbers from here on stand for n-grams that the table doesn't have
    for order, table in enumerate(tables, 1):
        if order > 1:
            positions = np.flatnonzero(room >= order)
            first_numbers, second_numbers = numbers[positions], numbers[positions + 1]
            searchable = (first_numbers < top) & (second_numbers < top)
        else:
            searchable = second_numbers < table.base
        keys = first_numbers * table.base + second_numbers
        row = np.searchsorted(table.keys, keys)
        row[row == len(table.keys)] = 0
        known = searchable & (table.keys[row] == keys) if len(table.keys) else searchable & False
        new = np.flatnonzero(~known)
        # The same pairs have the same key only with a base that no number reaches.
        wide = int(second_numbers.max(initial=0)) + 1
        sorted_keys, by_key = _sort(first_numbers[new] * wide + second_numbers[new])
        first = _first_of_each(sorted_keys)
        novel_examples = examples[positions[new[by_key[first]]]]

        top = len(table.keys)
        found = row.copy()
        found[new[by_key]] = top + np.cumsum(first) - 1
        numbers = np.empty(len(examples), np.int64)
        numbers[positions] = found

        c = np.bincount(row[known], minlength=top)
        added = np.flatnonzero((c > 0) & (table.s == 0))
        # Any position of an n-gram tells its example.
        example_of = np.empty(top, np.int64)
        example_of[row[known]] = examples[positions[known]]
        rows = np.concatenate((table.source_rows, added))
        yield Counts(
            example=np.concatenate((table.source_examples, example_of[added])),
            s=table.s[rows],
            c=c[rows],
            r=table.r[rows],
            novel=np.bincount(novel_examples, minlength=n),
            reference_only=table.reference_only,
        )


def _sort(keys: Ints) -> tuple[Ints, Ints]:
    """Sorted keys and the index of each, equal keys in the order of their indices."""
    bits = max(len(keys) - 1, 1).bit_length()
    if len(keys) and int(keys.max()).bit_length() + bits <= 63:
        packed = (keys << bits) | np.arange(len(keys))  # sorting one array is much the fastest
        packed.sort()
        return packed >> bits, packed & ((1 << bits) - 1)
    index = np.argsort(keys, kind="stable")
    return keys[index], index


def _first_of_each(sorted_keys: Ints) -> NDArray[np.bool_]:
    first = np.ones(len(sorted_keys), np.bool_)
    first[1:] = sorted_keys[1:] != sorted_keys[:-1]
    return first
