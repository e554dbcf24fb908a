"""Data checks of lines: texts matched with sources by their rare words."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from textsimp.corpora.findings import REFERENCES, SOURCES, Finding, TextColumns, word_splitter

_MAX_SOURCES = 4  # with a word, for the word to be rare
_MIN_LINES = 3  # that support an offset
MAX_OFFSETS = 8  # that are tried
_MIN_AGREEMENT = 0.4  # share of the lines of a stretch that support its offset
_SWITCH_COST = 2.5  # of another offset, in lines that match
_MAX_EXCHANGED, _MAX_EXCHANGED_SHARE = 3, 0.01  # rows; real systems have at most 2 of 300
_MIN_GAP = 0.2  # by which a text shares more words with another source than with its own


def check_lines(texts: TextColumns) -> Iterator[Finding]:
    """Find columns whose lines are shifted, or match the sources of one another."""
    lines = SourceLines([words for (words,) in texts.words[SOURCES]])
    columns = [column for column in texts.columns if column.of == "references"]
    words_of_columns = zip_longest(*texts.words[REFERENCES], fillvalue=set())
    matches: list[tuple[str, tuple[str, ...], str, Misplaced]] = [
        (name, (name,), "outputs", lines.match([words for (words,) in texts.words[name]]))
        for name in texts.systems
    ]
    for column, words in zip(columns, words_of_columns, strict=True):
        matches.append((column.title, (), "texts", lines.match(words)))
    for name, systems, what, misplaced in matches:
        for start, stop, offset in misplaced.stretches:
            number = "one line" if abs(offset) == 1 else f"{abs(offset):,} lines"
            text = f"{name} seems shifted: its {what} match the sources {number} "
            text += "below their own" if offset > 0 else "above their own"
            if abs(offset) < MAX_OFFSETS:
                cause = "were missing" if offset > 0 else "too many stood"
                text += f", as if {number} {cause} before"
            yield Finding.of("shifted", "error", text, systems, range(start, stop))
    limit = max(_MAX_EXCHANGED, _MAX_EXCHANGED_SHARE * len(texts.sources))
    for name, systems, what, misplaced in matches:
        if len(misplaced.exchanged) > limit and not misplaced.stretches:
            text = f"{name}: {len(misplaced.exchanged):,} {what} fit the sources of one another"
            text += " better than their own: are they in order?"
            yield Finding.of("misplaced", "error", text, systems, misplaced.exchanged)


def realign(sources: Sequence[str], outputs: Sequence[str]) -> list[str]:
    """Move outputs that stand lines away from their sources there; other places become empty.

    >>> sources = [f"number {word} came" for word in ("one", "two", "three", "four", "five")]
    >>> realign(sources, [*sources[1:], "it rained"])[1:]
    ['number two came', 'number three came', 'number four came', 'number five came']
    """
    split = word_splitter(sources)
    of_sources, of_outputs = ([{*split(text)} for text in texts] for texts in (sources, outputs))
    stretches = SourceLines(of_sources).match(of_outputs).stretches
    moved = [*outputs]
    for start, stop, _ in stretches:
        moved[start:stop] = [""] * (stop - start)
    for start, stop, offset in stretches:
        for i in range(max(start, -offset), min(stop, len(outputs) - offset)):
            moved[i + offset] = outputs[i]
    return moved


class Misplaced(NamedTuple):
    """The lines of a column that match other sources than their own."""

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

    def match(self, column: Sequence[set[str]]) -> Misplaced:
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
        return Misplaced(stretches, self._exchanged(column, near))

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
