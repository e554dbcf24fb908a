"""Exact n-gram counts of a text against its source and references, without hashing.

An n-gram of order n is the pair of the (n-1)-grams at a position and at the next one. One sort
ranks those pairs and so gives every n-gram a number. Order 1 ranks (example, token): numbers belong
to one example, rows of a table are in the order of the examples, and examples never mix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.text.functions import RESULTS
from textsimp.text.tokenizers import Encoder, Tokens, blocks

Ints = NDArray[np.int64]
SmallInts = NDArray[np.int32]  # tables stay in memory

ORDERS = 4
TOKENS_AT_ONCE = 2**16  # the n-grams of a block are sorted together, best within the cache


@dataclass(frozen=True)
class Ngrams:
    """The distinct n-grams of one order in the sources and references of a block of examples.

    ``example``, ``s`` and ``r`` have an entry for each n-gram of a source: its example, and how
    often it occurs in the source and in all references together.
    """

    keys: Ints  # of all, sorted: (number of the first (n-1)-gram, of the second), packed
    base: int  # greater than every second
    width: int  # bits of the second in a key
    source_rows: SmallInts  # which of them a source has
    example: SmallInts
    s: SmallInts
    r: SmallInts
    bounds: Ints  # (examples + 1,) where the entries of each example begin, and end
    reference_only: Ints  # (examples,) n-grams of the references, not of the source


@dataclass(frozen=True)
class Counts:
    """The n-grams of one order in predictions (candidates)."""

    ngrams: Ngrams
    c: Ints | SmallInts  # occurrences of each entry of `Ngrams`
    correct: (
        Ints  # (examples,) distinct n-grams of the prediction and references, not of the source
    )
    novel: Ints  # (examples,) distinct n-grams of the prediction only

    def total(self, values: NDArray[Any]) -> Ints:
        """(examples,) the sum of whole numbers, one per entry."""
        sums = np.zeros(len(values) + 1, np.int64)
        np.cumsum(values, out=sums[1:])
        ends = sums[self.ngrams.bounds]
        return ends[1:] - ends[:-1]


Counted = tuple[slice, list[Counts], dict[Any, NDArray[np.float64]]]
"""Examples; the counts of each order; what metrics computed from these counts."""

Block = tuple[slice, list[Ngrams], list[tuple[Tokens, Counted]]]
"""Examples; a table per order; in a `cache_scope` the last predictions and their counts."""


@dataclass(frozen=True)
class PreparedTexts:
    """The n-grams of sources and references, as SARI and BLEU count them: once for all systems."""

    encoder: Encoder
    source_sizes: Ints  # (n,) tokens
    reference_sizes: Ints  # (references,) tokens
    references_per_example: Ints  # (n,)
    blocks: list[Block]
    owners: Ints | None = None  # (references,) the examples of these, if each is one of its own
    sources: tuple[list[str], Tokens] | None = None  # if predictions are tokenised like them

    def count(self, tokens: Tokens) -> Iterator[Counted]:
        """Yield the counts of predictions' n-grams, a block of examples at a time."""
        copied = self.sources is not None and tokens is self.sources[1]
        if self.owners is not None:
            tokens = tokens.take(self.owners)
        remembers = RESULTS.get() is not None
        for block, tables, last in self.blocks:
            part = tokens.slice(block.start, block.stop)
            if remembers and last and last[0][0] == part:
                yield last[0][1]
                continue
            counted: Counted = block, [*count(tables, part, copied)], {}
            if remembers:
                last[:] = [(part, counted)]
            yield counted


def prepare(
    sources: Tokens, references: Tokens, owners: Ints, base: int, pooled: bool = True
) -> list[Ngrams]:
    """Rank the n-grams of a block of examples: one table per order.

    Reference i belongs to example ``owners[i]``, ascending; ``base`` is above every token id.
    Unless references are ``pooled``, there are no sources: ``s`` are the occurrences in the
    reference that has most of them.
    """
    n = len(sources)
    numbers = np.concatenate((sources.ids, references.ids))
    sizes = np.concatenate((np.diff(sources.offsets), np.diff(references.offsets)))
    room = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(numbers))  # tokens left in the text
    firsts = np.repeat(np.concatenate((np.arange(n), owners)), sizes)
    bounds = np.arange(n + 1)  # of the examples among the first (n-1)-grams
    text = np.repeat(np.arange(len(sizes), dtype=np.int32), 0 if pooled else sizes)
    tables = []
    for order in range(1, ORDERS + 1):
        if order > 1:
            firsts, numbers = numbers[:-1], numbers[1:]
        width = (base - 1).bit_length()
        sorted_keys, place = _sort((firsts << width) | numbers, room[: len(numbers)] >= order)
        starts, group = _groups(sorted_keys)
        keys = sorted_keys[starts]
        numbers = np.zeros(len(room), np.int64)
        numbers[place] = group
        s = np.bincount(group[place < len(sources.ids)], minlength=len(starts))
        if not pooled:
            runs, _ = _groups((group.astype(np.int64) << 32) | text[place])
            in_text = np.diff(np.append(runs, len(place)))
            s = np.maximum.reduceat(in_text, np.searchsorted(runs, starts))
        r = np.diff(np.append(starts, len(place))) - s
        rows = np.flatnonzero(s > 0)
        bounds = np.searchsorted(keys, bounds << width)
        source_bounds = np.searchsorted(rows, bounds)
        tables.append(
            Ngrams(
                keys,
                base,
                width,
                rows.astype(np.int32),
                np.repeat(np.arange(n, dtype=np.int32), np.diff(source_bounds)),
                s[rows].astype(np.int32),
                r[rows].astype(np.int32),
                source_bounds,
                np.diff(bounds - source_bounds),
            )
        )
        base = len(starts)
    return tables


def prepare_blocks(
    sources: Tokens, references: Tokens, sizes: Ints, base: int, pooled: bool = True
) -> list[Block]:
    """`prepare` blocks of examples that have ``sizes`` references, so that each fits the cache.

    In a `cache_scope` the last blocks are remembered: texts may have the same tokens by the next
    options.
    """
    results, texts = RESULTS.get(), (sources, references, sizes.tolist(), pooled)
    if results is not None and results.get("n-grams", [()])[0] == texts:
        remembered: list[Block] = results["n-grams"][1]
        return remembered
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    tokens = np.diff(sources.offsets) + np.diff(references.offsets[offsets])
    prepared: list[Block] = []
    for block in blocks(tokens, TOKENS_AT_ONCE):
        tables = prepare(
            sources.slice(block.start, block.stop),
            references.slice(offsets[block.start], offsets[block.stop]),
            np.repeat(np.arange(block.stop - block.start), sizes[block]),
            base,
            pooled,
        )
        prepared.append((block, tables, []))
    if results is not None:
        results["n-grams"] = texts, prepared
    return prepared


def count(tables: list[Ngrams], predictions: Tokens, copied: bool = False) -> Iterator[Counts]:
    """Count the n-grams of one prediction per example, for each order of the tables.

    Predictions that are ``copied`` sources need no counting.
    """
    n = len(predictions)
    if copied:
        none = np.zeros(n, np.int64)
        yield from (Counts(table, table.s, correct=none, novel=none) for table in tables)
        return
    sizes = np.diff(predictions.offsets)
    examples = np.repeat(np.arange(n), sizes)
    room = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(examples))
    firsts, numbers = examples, predictions.ids
    known_firsts = n
    for order, table in enumerate(tables, 1):
        if order > 1:
            firsts, numbers = numbers[:-1], numbers[1:]
        width = int(numbers.max(initial=0)).bit_length()  # wide enough for new ones
        sorted_keys, at = _sort((firsts << width) | numbers, room[: len(numbers)] >= order)
        starts, group = _groups(sorted_keys)
        c = np.diff(np.append(starts, len(at)))
        distinct = sorted_keys[starts]
        firsts, numbers = distinct >> width, distinct & ((1 << width) - 1)
        possible = np.flatnonzero((firsts < known_firsts) & (numbers < table.base))
        keys = (firsts[possible] << table.width) | numbers[possible]
        top = len(table.keys)
        rows = np.searchsorted(table.keys, keys)  # fast, as they ascend
        there = np.flatnonzero(np.append(table.keys, -1)[rows] == keys)
        prepared, rows = possible[there], rows[there]

        # Greater numbers stand for n-grams that the table doesn't have.
        numbers_of = np.arange(top, top + len(starts))
        numbers_of[prepared] = rows
        numbers = np.zeros(len(examples), np.int64)
        numbers[at] = numbers_of[group]
        known_firsts = top

        examples_of = examples[at[starts]]
        in_both = np.bincount(examples_of[prepared], minlength=n)
        occurrences = np.zeros(top, np.int64)
        occurrences[rows] = c[prepared]
        c_of_sources = occurrences[table.source_rows]
        kept = np.bincount(table.example[c_of_sources > 0], minlength=n)
        novel = np.bincount(examples_of, minlength=n) - in_both
        yield Counts(table, c_of_sources, correct=in_both - kept, novel=novel)


def _sort(keys: Ints, inside: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """The keys inside, sorted, and the position of each, equal keys in the order of positions."""
    bits = len(keys).bit_length()
    if int(keys.max(initial=0)).bit_length() + bits <= 63:
        packed = ((keys << bits) | np.arange(len(keys)))[inside]
        packed.sort()  # one array, by vector instructions: much the fastest
        return packed >> bits, packed & ((1 << bits) - 1)
    positions = np.flatnonzero(inside)
    index = np.argsort(keys[positions], kind="stable")
    return keys[positions[index]], positions[index]


def _groups(sorted_keys: Ints) -> tuple[Ints, SmallInts]:
    """Where each run of equal keys starts, and the number of the run that each key is in."""
    first = np.ones(len(sorted_keys), np.bool_)
    first[1:] = sorted_keys[1:] != sorted_keys[:-1]
    return np.flatnonzero(first), np.cumsum(first, dtype=np.int32) - 1
