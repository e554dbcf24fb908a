"""Lines of texts matched with sources by their rare words."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from textsimp.text import languages

_MAX_SOURCES = 4  # with a word, for the word to be rare
_MIN_LINES = 3  # that support an offset
MAX_OFFSETS = 8  # that are tried
_MIN_AGREEMENT = 0.4  # share of the lines of a stretch that support its offset
_SWITCH_COST = 2.5  # of another offset, in lines that match
_MIN_GAP = 0.2  # by which a text shares more words with another source than with its own


def words_of(sources: Sequence[str]) -> Callable[[str], list[str]]:
    """Return a function from a text to its words; in scripts without spaces, to character pairs."""
    if languages.detect(sources).spaced:
        find = re.compile(r"\w+").findall
        return lambda text: find(text.lower())
    return lambda text: [f"{a}{b}" for a, b in pairwise(text)]


def realign(sources: Sequence[str], outputs: Sequence[str]) -> list[str]:
    """Move outputs that stand lines away from their sources there; other places become empty.

    >>> sources = [f"number {word} came" for word in ("one", "two", "three", "four", "five")]
    >>> realign(sources, [*sources[1:], "it rained"])[1:]
    ['number two came', 'number three came', 'number four came', 'number five came']
    """
    split = words_of(sources)
    of_sources, of_outputs = ([{*split(text)} for text in texts] for texts in (sources, outputs))
    stretches = SourceLines(of_sources).match(of_outputs).stretches
    moved = [*outputs]
    for start, stop, _ in stretches:
        moved[start:stop] = [""] * (stop - start)
    for start, stop, offset in stretches:
        for i in range(max(start, -offset), min(stop, len(outputs) - offset)):
            moved[i + offset] = outputs[i]
    return moved


@dataclass(frozen=True)
class Match:
    """The sources that the texts of a column match."""

    stretches: list[tuple[int, int, int]]  # start, stop, offset of lines that match other sources
    exchanged: list[int]  # lines whose texts are those of other such lines


class SourceLines:
    """The sources, to be matched with texts by their rare words."""

    def __init__(self, sources: Sequence[set[str]]) -> None:
        self._sources = sources
        having: defaultdict[str, list[int]] = defaultdict(list)
        for i, words in enumerate(sources):
            for word in words:
                having[word].append(i)
        self._rare = {word: i for word, i in having.items() if len(i) <= _MAX_SOURCES}
        first: dict[frozenset[str], int] = {}
        self._first = [first.setdefault(frozenset(words), i) for i, words in enumerate(sources)]

    def match(self, column: Sequence[set[str]]) -> Match:
        """Match the texts of a column, given by their words, with the sources."""
        rare = {*self._rare}
        near = [Counter(j for word in words & rare for j in self._rare[word]) for words in column]
        elsewhere = [(i, sorted(lines)) for i, lines in enumerate(near) if i not in lines]
        votes = Counter(j - i for i, lines in elsewhere for j in lines)
        offsets = [d for d, number in votes.most_common(MAX_OFFSETS) if number >= _MIN_LINES]
        stretches = [
            (start, stop, offset)
            for start, stop, offset in (self._path(near, [0, *offsets]) if offsets else ())
            # Lines in random order share offsets, too.
            if sum(i + offset in near[i] for i in range(start, stop))
            >= _MIN_AGREEMENT * sum(map(bool, near[start:stop]))
        ]
        return Match(stretches, self._exchanged(column, near))

    def _exchanged(self, column: Sequence[set[str]], near: Sequence[Counter[int]]) -> list[int]:
        """Return lines that are nearer to another source, whose line is nearer to another, too."""
        away: dict[int, int] = {}
        for i, lines in enumerate(near):
            most = max(lines.values(), default=0)
            j = min((j for j, number in lines.items() if number == most), default=i)
            if j != i and self._overlap(column[i], j) - self._overlap(column[i], i) > _MIN_GAP:
                away[i] = j
        left, times = {self._first[i] for i in away}, Counter(self._first)
        claims = Counter(away.values())
        return [i for i, j in away.items() if j in left and claims[j] <= times[j]]

    def _overlap(self, words: set[str], i: int) -> float:
        """Return the share of the words of a text and of a source that both have."""
        source = self._sources[i]
        return 2 * len(words & source) / (len(words) + len(source))

    def _path(
        self, near: Sequence[Counter[int]], offsets: Sequence[int]
    ) -> list[tuple[int, int, int]]:
        """Return the stretches of the best path through the offsets, whose changes cost."""
        scores = [0.0, *(-_SWITCH_COST for _ in offsets[1:])]
        came: list[list[int]] = []
        for i, lines in enumerate(near):
            best = max(range(len(offsets)), key=scores.__getitem__)
            floor = scores[best] - _SWITCH_COST
            came.append([k if score >= floor else best for k, score in enumerate(scores)])
            most = max(lines.values(), default=1)
            gained = [lines[i + offset] / most for offset in offsets]
            scores = [max(score, floor) + more for score, more in zip(scores, gained, strict=True)]
        state = max(range(len(offsets)), key=scores.__getitem__)
        path = []
        for steps in reversed(came):
            path.append(state)
            state = steps[state]
        path.reverse()
        stretches, start = [], 0
        for state, run in groupby(path):
            stop = start + len([*run])
            if offsets[state]:
                stretches.append((start, stop, offsets[state]))
            start = stop
        return stretches
