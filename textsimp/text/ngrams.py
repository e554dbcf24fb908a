"""Exact n-gram counts of a text against its source and references, without hashing.

An n-gram of order n is the pair of the (n-1)-grams at a position and at the next one. One sort
ranks those pairs and so gives every n-gram a number. Order 1 ranks (example, token): numbers belong
to one example, rows of a table are in the order of the examples, and examples never mix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    rows: Ints | SmallInts  # of the table's keys, those of predictions

    def total(self, values: NDArray[Any]) -> Ints:
        """(examples,) the sum of whole numbers, one per entry."""
        sums = np.zeros(len(values) + 1, np.int64)
        np.cumsum(values, out=sums[1:])
        ends = sums[self.ngrams.bounds]
        return ends[1:] - ends[:-1]


@dataclass(frozen=True)
class Alone:
    """The n-grams of one order, with each reference of an example alone."""

    ngrams: Ngrams  # its examples are the references
    entries: Ints  # those of the pooled `Ngrams` that its entries are
    rows: SmallInts  # of the keys, those that a reference has, but not its source
    references: SmallInts  # which reference that is

    def count(self, pooled: Counts, owners: Ints) -> Counts:
        """Count predictions for each reference, of which ``owners`` are the examples."""
        predicted = np.zeros(len(self.ngrams.keys), np.bool_)
        predicted[pooled.rows] = True
        correct = np.bincount(self.references[predicted[self.rows]], minlength=len(owners))
        novel = (pooled.correct + pooled.novel)[owners] - correct
        return Counts(self.ngrams, pooled.c[self.entries], correct, novel, pooled.rows)


Counted = tuple[slice, list[Counts], dict[Any, NDArray[np.float64]]]
"""Examples; the counts of each order; what metrics computed from these counts."""


@dataclass
class Block:
    """The n-grams of some examples, whose references have consecutive numbers."""

    examples: slice
    references: slice
    owners: Ints  # the example of each reference, counted from the first of the block
    tables: list[Ngrams]  # of each order
    alone: list[Alone]  # of each order, if each reference is wanted alone
    last: tuple[Tokens, dict[bool, Counted]] | None = None
    """In a `cache_scope` the last predictions and their counts, of references alone or pooled."""


@dataclass(frozen=True)
class PreparedTexts:
    """The n-grams of sources and references, as SARI and BLEU count them: once for all systems."""

    encoder: Encoder
    source_sizes: Ints  # (n,) tokens
    reference_sizes: Ints  # (references,) tokens
    references_per_example: Ints  # (n,)
    blocks: list[Block]
    sources: tuple[list[str], Tokens] | None = None  # if predictions are tokenised like them

    def encode(self, predictions: list[str]) -> Tokens:
        """Return the tokens of predictions; those of the sources if they are equal."""
        if self.sources is not None and predictions == self.sources[0]:
            return self.sources[1]
        return self.encoder.encode(predictions)

    def count(self, tokens: Tokens, alone: bool = False) -> Iterator[Counted]:
        """Yield the counts of predictions' n-grams, a block of examples at a time.

        With ``alone`` each reference is an example.
        """
        copied = self.sources is not None and tokens is self.sources[1]
        for block in self.blocks:
            part = tokens.slice(block.examples.start, block.examples.stop)
            last = block.last
            if last is None or last[0] != part:
                last = part, {False: (block.examples, [*count(block.tables, part, copied)], {})}
            if RESULTS.get() is not None:
                block.last = last
            counted = last[1]
            if alone and True not in counted:
                pairs = zip(block.alone, counted[False][1], strict=True)
                orders = [table.count(counts, block.owners) for table, counts in pairs]
                counted[True] = block.references, orders, {}
            yield counted[alone]


def prepare(
    sources: Tokens,
    references: Tokens,
    owners: Ints,
    base: int,
    pooled: bool = True,
    alone: bool = False,
) -> tuple[list[Ngrams], list[Alone]]:
    """Rank the n-grams of a block of examples: one table per order.

    Reference i belongs to example ``owners[i]``, ascending; ``base`` is above every token id.
    Unless references are ``pooled``, there are no sources: ``s`` are the occurrences in the
    reference that has most of them. If they are wanted ``alone``, also return these tables.
    """
    n = len(sources)
    numbers = np.concatenate((sources.ids, references.ids))
    sizes = np.concatenate((np.diff(sources.offsets), np.diff(references.offsets)))
    room = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(numbers))  # tokens left in the text
    firsts = np.repeat(np.concatenate((np.arange(n), owners)), sizes)
    bounds = np.arange(n + 1)  # of the examples among the first (n-1)-grams
    by_text = alone or not pooled
    text = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes if by_text else 0)
    tables, tables_alone = [], []
    for order in range(1, ORDERS + 1):
        if order > 1:
            firsts, numbers = numbers[:-1], numbers[1:]
        width = (base - 1).bit_length()
        inside = room[: len(numbers)] >= order
        keys, starts, group, place = _rank((firsts << width) | numbers, inside)
        numbers = np.zeros(len(room), np.int64)
        numbers[place] = group
        s = np.bincount(group[place < len(sources.ids)], minlength=len(starts))
        if by_text:
            of_text = (group.astype(np.int64) << 32) | text[place]
            runs = np.flatnonzero(np.diff(of_text, prepend=-1))
            in_text = np.diff(np.append(runs, len(place)))
        if not pooled:
            s = np.maximum.reduceat(in_text, np.searchsorted(runs, starts))
        r = np.diff(np.append(starts, len(place))) - s
        bounds = np.searchsorted(keys, bounds << width)
        tables.append(_make_table(keys, base, width, s, r, bounds))
        base = len(starts)
        if alone:
            of_reference = np.flatnonzero(text[place[runs]] >= n)
            at = runs[of_reference]
            occurrences = group[at], text[place[at]] - n, in_text[of_reference]
            tables_alone.append(_separate(tables[-1], owners, *occurrences))
    return tables, tables_alone


def _make_table(keys: Ints, base: int, width: int, s: Ints, r: Ints, bounds: Ints) -> Ngrams:
    """Return the table of n-grams that occur as often; those of an example are within bounds."""
    rows = np.flatnonzero(s > 0)
    source_bounds = np.searchsorted(rows, bounds)
    examples = np.arange(len(bounds) - 1, dtype=np.int32)
    return Ngrams(
        keys,
        base,
        width,
        rows.astype(np.int32),
        np.repeat(examples, np.diff(source_bounds)),
        s[rows].astype(np.int32),
        r[rows].astype(np.int32),
        source_bounds,
        np.diff(bounds - source_bounds),
    )


def _separate(
    table: Ngrams, owners: Ints, rows: SmallInts, references: SmallInts, times: Ints
) -> Alone:
    """Return the table of references alone.

    The n-grams ``rows`` of the pooled table occur as many ``times`` in these ``references``.
    """
    starts = table.bounds[owners]
    sizes = table.bounds[owners + 1] - starts
    bounds = np.concatenate(([0], np.cumsum(sizes)))
    shifts = bounds[:-1] - starts  # from an entry of the pooled table
    example = np.repeat(np.arange(len(owners), dtype=np.int32), sizes)
    entries = np.arange(bounds[-1]) - shifts[example]
    entry_of = np.full(len(table.keys), -1)
    entry_of[table.source_rows] = np.arange(len(table.source_rows))
    known = entry_of[rows] >= 0
    r = np.zeros(bounds[-1], np.int32)
    r[entry_of[rows[known]] + shifts[references[known]]] = times[known]
    rest = references[~known]
    ngrams = replace(
        table,
        example=example,
        s=table.s[entries],
        r=r,
        bounds=bounds,
        reference_only=np.bincount(rest, minlength=len(owners)),
    )
    return Alone(ngrams, entries, rows[~known], rest)


def prepare_blocks(
    sources: Tokens,
    references: Tokens,
    sizes: Ints,
    base: int,
    pooled: bool = True,
    alone: bool = False,
) -> list[Block]:
    """`prepare` blocks of examples that have ``sizes`` references, so that each fits the cache.

    In a `cache_scope` the last blocks are remembered: texts may have the same tokens by the next
    options.
    """
    results, texts = RESULTS.get(), (sources, references, sizes.tolist(), pooled)
    if results is not None and results.get("n-grams", [()])[0] == texts:
        remembered: list[Block] = results["n-grams"][1]
        if not alone or all(block.alone for block in remembered):
            return remembered
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    tokens = np.diff(sources.offsets) + np.diff(references.offsets[offsets])
    prepared: list[Block] = []
    for block in blocks(tokens, TOKENS_AT_ONCE):
        own = slice(offsets[block.start], offsets[block.stop])
        owners = np.repeat(np.arange(block.stop - block.start), sizes[block])
        sides = sources.slice(block.start, block.stop), references.slice(own.start, own.stop)
        tables = prepare(*sides, owners, base, pooled, alone)
        prepared.append(Block(block, own, owners, *tables))
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
        yield from (Counts(table, table.s, none, none, table.source_rows) for table in tables)
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
        inside = room[: len(numbers)] >= order
        distinct, starts, group, at = _rank((firsts << width) | numbers, inside)
        c = np.diff(np.append(starts, len(at)))
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
        yield Counts(table, c_of_sources, in_both - kept, novel, rows)


def _rank(keys: Ints, inside: NDArray[np.bool_]) -> tuple[Ints, Ints, SmallInts, Ints]:
    """Sort the keys inside, equal ones in the order of their positions.

    Return the distinct keys; where each first stands among the sorted ones; and of each sorted one
    which distinct key it is, and its position.
    """
    bits = len(keys).bit_length()
    if int(keys.max(initial=0)).bit_length() + bits <= 63:
        packed = ((keys << bits) | np.arange(len(keys)))[inside]
        packed.sort()  # one array, by vector instructions: much the fastest
        ordered, positions = packed >> bits, packed & ((1 << bits) - 1)
    else:
        positions = np.flatnonzero(inside)
        positions = positions[np.argsort(keys[positions], kind="stable")]
        ordered = keys[positions]
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    starts = np.flatnonzero(first)
    return ordered[starts], starts, np.cumsum(first, dtype=np.int32) - 1, positions
