"""Texts matched with sources by their rare words, to find lines that are shifted or exchanged."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.corpora.checked_texts import Ints, count_common, distinct
from textsimp.text.tokenizers import Tokens

_MAX_SOURCES = 4  # different ones with a word, for the word to be rare
_MIN_LINES = 3  # that support an offset
MAX_OFFSETS = 8  # that are tried
_MIN_AGREEMENT = 0.4  # share of the lines of a stretch that support its offset
_SWITCH_COST = 2.5  # of another offset, in lines that match
_MIN_GAP = 0.2  # by which a text shares more words with another source than with its own


class Misplaced(NamedTuple):
    """The lines of a column that match other sources than their own."""

    stretches: list[tuple[int, int, int]]  # start, stop, offset of lines that match other sources
    exchanged: list[int]  # lines whose texts are those of other such lines


class _Near(NamedTuple):
    """Lines i of a text and j of a source that share ``number`` rare words, ordered by both.

    Of equal sources j is the first.
    """

    i: Ints
    j: Ints
    number: Ints


class SourceLines:
    """The sources, given by their distinct words, to be matched with texts by their rare words.

    Sources may repeat. A text whose source is at line i + d of n equal lines fits any of these, so
    that it speaks for several offsets. The one that most texts speak for is that of a shift.
    """

    def __init__(self, sources: Tokens) -> None:
        self._sources, self._first = sources, _find_first_equal(sources)
        n = len(sources)
        different = np.flatnonzero(self._first == np.arange(n))
        texts = sources.take(different)
        counts = np.bincount(texts.ids, minlength=1)
        rare = np.flatnonzero((counts <= _MAX_SOURCES)[texts.ids])
        lines = different[np.searchsorted(texts.offsets, rare, "right") - 1]
        self._lines = lines[np.argsort(texts.ids[rare], kind="stable")]  # by their rare words
        sizes = np.where(counts <= _MAX_SOURCES, counts, 0)  # of each word's lines
        self._sizes = np.append(sizes, 0).astype(np.int8)  # other words have none
        self._starts = np.cumsum(self._sizes) - self._sizes
        # Runs of equal sources, ordered by these, then by lines.
        begins = np.flatnonzero(np.diff(self._first, prepend=-1))
        order = np.argsort(self._first[begins], kind="stable")
        self._runs = begins[order]
        self._ends = np.append(begins, n)[order + 1] - 1  # their last lines
        self._order = self._first[self._runs] * n + self._runs

    def match(self, column: Tokens) -> Misplaced:
        """Match the texts of a column, given by their distinct words, with the sources."""
        near = self._find_near(column)
        offsets = self._find_offsets(near, len(column))
        stretches = self._find_stretches(near, len(column), [0, *offsets]) if offsets else []
        return Misplaced(stretches, self._find_exchanged(column, near))

    def _find_offsets(self, near: _Near, n: int) -> list[int]:
        """Return the offsets that most texts speak for which don't match their own source.

        Each speaks for the next lines with a source that it matches, before and after its own.
        """
        has_own = np.zeros(n, np.bool_)
        has_own[near.i[self._first[near.i] == near.j]] = True
        away = ~has_own[near.i]
        i, j = near.i[away], near.j[away]
        after = np.searchsorted(self._order, j * n + i)
        sides = []
        for at, nearest in ((after - 1, self._ends), (after, self._runs)):
            there = (at >= 0) & (at < len(self._runs))
            there &= self._first[self._runs.take(at, mode="clip")] == j
            at, lines = at[there], i[there]
            sides.append((nearest[at] - lines, self._runs[at] - lines, self._ends[at] - lines))
        votes, begins, ends = map(np.concatenate, zip(*sides, strict=True))
        offsets = distinct(votes)
        numbers = np.searchsorted(np.sort(begins), offsets, "right")
        numbers -= np.searchsorted(np.sort(ends), offsets, "left")
        best = np.lexsort((offsets, abs(offsets), -numbers))[:MAX_OFFSETS]
        return list(offsets[best][numbers[best] >= _MIN_LINES].tolist())

    def _find_near(self, column: Tokens) -> _Near:
        rare = np.flatnonzero(self._sizes.take(column.ids, mode="clip"))
        ids = column.ids[rare]
        sizes = self._sizes[ids]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        j = self._lines[np.repeat(self._starts[ids], sizes) + within]
        i = np.repeat(np.searchsorted(column.offsets, rare, "right") - 1, sizes)
        keys, number = np.unique(i * len(self._sources) + j, return_counts=True)
        return _Near(*np.divmod(keys, max(1, len(self._sources))), number)

    def _find_stretches(
        self, near: _Near, n: int, offsets: Sequence[int]
    ) -> list[tuple[int, int, int]]:
        most = np.ones(n, np.int64)
        np.maximum.at(most, near.i, near.number)
        gains = np.zeros((n, len(offsets)))
        pairs = near.i * n + near.j
        for state, offset in enumerate(offsets):
            lines = np.arange(max(0, -offset), min(n, n - offset))
            wanted = lines * n + self._first[lines + offset]
            at = np.searchsorted(pairs, wanted).clip(0, len(pairs) - 1)
            gains[lines, state] = np.where(pairs[at] == wanted, near.number[at], 0)
        matched = np.zeros(n, np.bool_)
        matched[near.i] = True
        has = gains > 0
        gains /= most[:, None]
        stretches = []
        for start, stop, state in _follow(gains):
            # Lines in random order share offsets, too.
            agree = has[start:stop, state].sum() >= _MIN_AGREEMENT * matched[start:stop].sum()
            if state and agree:
                number = gains[start:stop].sum(axis=0)
                stretches.append((start, stop, _prefer_near(offsets, number, state)))
        return stretches

    def _find_exchanged(self, column: Tokens, near: _Near) -> list[int]:
        """Return lines that are nearer to another source, whose line is nearer to another, too."""
        most = np.zeros(len(column), np.int64)
        np.maximum.at(most, near.i, near.number)
        nearest = near.number == most[near.i]
        i, firsts = np.unique(near.i[nearest], return_index=True)
        j = near.j[nearest][firsts]
        away = self._first[i] != j
        i, j = i[away], j[away]
        if len(i):
            gap = self._overlaps(column, i, j) - self._overlaps(column, i, i)
            i, j = i[gap > _MIN_GAP], j[gap > _MIN_GAP]
        if not len(i):
            return []
        n = len(self._first)
        claims, times = (np.bincount(lines, minlength=n) for lines in (j, self._first))
        fair = np.isin(j, self._first[i]) & (claims[j] <= times[j])
        return list(i[fair].tolist())

    def _overlaps(self, column: Tokens, i: Ints, j: Ints) -> NDArray[np.float64]:
        """Return the share of the words of texts i and sources j that both have."""
        texts, sources = column.take(i), self._sources.take(j)
        sizes = np.diff(texts.offsets) + np.diff(sources.offsets)
        shares: NDArray[np.float64] = 2 * count_common(texts, sources) / sizes
        return shares


def _find_first_equal(texts: Tokens) -> Ints:
    """Return the first text that has the same words as each."""
    ends = pairwise(texts.offsets.tolist())
    hashes = np.array([hash(texts.ids[a:b].tobytes()) for a, b in ends], np.int64)
    _, firsts, numbers = np.unique(hashes, return_index=True, return_inverse=True)
    return firsts[numbers]


def _prefer_near(offsets: Sequence[int], gains: NDArray[np.float64], state: int) -> int:
    """Return the offset of a state; if it is far, maybe a near one that gains nearly as much.

    If all sources repeat later, shifted lines match the sources of each repetition.
    """
    if abs(offsets[state]) < MAX_OFFSETS:
        return offsets[state]
    enough = gains >= gains[state] - _SWITCH_COST
    near = [x for x, as_good in zip(offsets, enough, strict=True) if x and as_good]
    return min((x for x in near if abs(x) < MAX_OFFSETS), key=abs, default=offsets[state])


def _follow(gains: NDArray[np.float64]) -> Iterator[tuple[int, int, int]]:
    """Yield start, stop and state of the best path through the states (lines × states).

    A change of state costs.
    """
    n, number = gains.shape
    scores = [0.0, *(-_SWITCH_COST for _ in range(number - 1))]
    came: list[Sequence[int]] = []
    stay, leave = range(number), [0] * number
    usual, ends = gains[:, 0].tolist(), [*np.flatnonzero(gains[:, 1:].any(axis=1)).tolist(), n]
    while len(came) < n:
        best = max(range(number), key=scores.__getitem__)
        floor = scores[best] - _SWITCH_COST
        came.append([k if score >= floor else best for k, score in enumerate(scores)])
        more = gains[len(came) - 1].tolist()
        scores = [max(score, floor) + gain for score, gain in zip(scores, more, strict=True)]
        first, other = scores[0], scores[1]
        if other <= first - _SWITCH_COST and {*scores[1:]} == {other}:
            # Until another state gains, only the first one's score rises.
            for gain in usual[len(came) : ends[bisect_left(ends, len(came))]]:
                floor = first - _SWITCH_COST
                came.append(stay if other == floor else leave)
                first, other = first + gain, floor
            scores = [first, *(other for _ in range(number - 1))]
    state = max(range(number), key=scores.__getitem__)
    path = []
    for steps in reversed(came):
        path.append(state)
        state = steps[state]
    path.reverse()
    start = 0
    for state, run in groupby(path):
        stop = start + len([*run])
        yield start, stop, state
        start = stop
