"""The texts that are checked: columns, and their words as ids.

Words are ids in arrays, since sets of strings take ten times the time and memory.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from textsimp.text.languages import detect, is_english
from textsimp.text.tokenizers import Encoder, Tokens, number_tokens

Ints = NDArray[np.int64]
Find = Callable[[str], Any]
"""Returns what it finds in a text, or something false."""

SOURCES, REFERENCES = "the sources", "the references"
COLUMN_TITLE = re.compile(rf"{SOURCES}$|{REFERENCES}$|reference \d")
_WORD = re.compile(r"[^\W_]")
BLOCK = 10_000  # texts that are read at once, as more take more memory


@dataclass(frozen=True)
class TextColumn:
    """A column of texts: the sources, one reference of each, or a system's outputs."""

    of: Literal["sources", "references", "outputs"]
    title: str  # in sentences
    texts: Sequence[str]
    systems: tuple[str, ...] = ()

    @functools.cached_property
    def hashes(self) -> Ints:
        """The hash of each text without case and spaces, in which versions of a corpus differ.

        It is 0 for a text without a word.
        """
        lower = (text.lower() if _WORD.search(text) else "" for text in self.texts)
        bare = (
            text.replace(" ", "") if text.isprintable() else "".join(text.split()) for text in lower
        )
        return np.fromiter(map(hash, bare), np.int64, len(self.texts))

    @functools.cached_property
    def size(self) -> int:
        """The number of texts that aren't empty."""
        return sum(1 for text in self.texts if text and not text.isspace())

    @functools.cached_property
    def odd(self) -> list[int]:
        """The rows with other characters than printable ASCII."""
        texts = enumerate(self.texts)
        return [i for i, text in texts if not (text.isascii() and text.isprintable())]

    def find(self, find: Find, *, odd: bool = False) -> dict[int, Any]:
        """Return row → what ``find`` returns of the texts, or of odd ones, that aren't empty."""
        rows = self.odd if odd else range(len(self.texts))
        texts = ((i, self.texts[i]) for i in rows)
        return {i: hit for i, text in texts if (hit := find(text)) and text.strip()}


class TextColumns:
    """The columns to check, and what several checks compute from them."""

    def __init__(
        self,
        sources: list[str],
        references: list[list[str]] | None,
        systems: Mapping[str, list[str]],
        reference_files: Sequence[str] = (),
    ) -> None:
        self.sources, self.references, self.systems = sources, references or [], systems
        self.columns = [TextColumn("sources", SOURCES, sources)]
        # An example that lacks a reference has an empty one.
        for i, column in enumerate(zip_longest(*self.references, fillvalue="")):
            title = " in ".join([f"reference {i + 1}", *reference_files[i : i + 1]])
            self.columns.append(TextColumn("references", title, column))
        self.outputs = {n: TextColumn("outputs", n, texts, (n,)) for n, texts in systems.items()}
        self.columns += self.outputs.values()
        self.english = is_english(sources)
        # The rows that earlier checks found unsound.
        self.unsound: dict[str, set[int]] = {name: set() for name in systems}

    def changed(self, name: str) -> NDArray[np.bool_]:
        """Return whether each output of a system has a word and isn't the source."""
        hashes = self.outputs[name].hashes
        changed: NDArray[np.bool_] = (hashes != 0) & (hashes != self.columns[0].hashes)
        return changed

    def beside(self, column: TextColumn) -> list[TextColumn]:
        """Return the columns of other kinds; for the sources only references, if there are any."""
        kinds = {"sources", "references", "outputs"} - {column.of}
        if column.of == "sources" and self.references:
            kinds.remove("outputs")
        return [other for other in self.columns if other.of in kinds]

    @functools.cached_property
    def flat(self) -> dict[str, list[str]]:
        """Name of a column → its texts. References are one column here."""
        references = [*chain.from_iterable(self.references)]
        return {SOURCES: self.sources, REFERENCES: references, **self.systems}

    @functools.cached_property
    def words(self) -> Words:
        """The words of the columns of `flat`."""
        return Words(self.flat)

    @functools.cached_property
    def reference_rows(self) -> Ints:
        """The row of each reference in `flat`."""
        return np.repeat(np.arange(len(self.references)), [*map(len, self.references)])

    def reference_words(self) -> Iterator[Tokens]:
        """Yield the distinct words of each column of references; a missing one has none."""
        words = self.words.distinct[REFERENCES]
        with_empty = Tokens(words.ids, np.append(words.offsets, words.offsets[-1]))
        sizes = np.array([*map(len, self.references)], np.int64)
        starts = np.cumsum(sizes) - sizes
        for number in range(sizes.max(initial=0)):
            yield with_empty.take(np.where(number < sizes, starts + number, len(words)))


# Words --------------------------------------------------------------------------------------------


class Words:
    """The words of columns as ids, which are the same in all columns.

    In scripts without spaces, pairs of characters stand for words.
    """

    def __init__(self, texts: Mapping[str, Sequence[str]]) -> None:
        encoder = Encoder("none", lowercase=True)
        self.texts = texts
        self.pieces = {  # what stands between white space
            name: _join(map(encoder.encode, _blocks(column))) for name, column in texts.items()
        }
        pieces = [*encoder.vocabulary]
        del encoder  # which takes more memory than its results
        self._joined_pieces = "\0".join(["", *pieces, ""])
        self._begins = np.cumsum([0, *(len(piece) + 1 for piece in pieces)])
        self._having: dict[str, Ints] = {}
        numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        self._words: Tokens | None = None  # of each piece
        self._pairs: dict[str, Tokens] = {}
        if detect(next(iter(texts.values()))).spaced:
            split = re.compile(r"\w+").findall
            blocks = (map(split, block) for block in _blocks(pieces))
            self._words = _join(number_tokens(block, numbers) for block in blocks)
        else:
            for name, column in texts.items():
                pairs = (
                    [[*map("".join, pairwise(text))] for text in block] for block in _blocks(column)
                )
                self._pairs[name] = _join(number_tokens(block, numbers) for block in pairs)
        self.vocabulary = [*numbers]  # the word of each id

    @functools.cached_property
    def distinct(self) -> dict[str, Tokens]:
        """Name of a column → the words of its texts, each once, by their ids."""
        most = max(1, len(self.vocabulary))

        def once(texts: Tokens) -> Tokens:
            rows, ids = np.divmod(distinct(texts.rows() * most + texts.ids), most)
            return Tokens(ids, np.searchsorted(rows, np.arange(len(texts) + 1)))

        return {name: _join(map(once, self._in_blocks(name))) for name in self.texts}

    def ordered(self, name: str) -> Tokens:
        """Return the words of a column's texts, in order."""
        return _join(self._in_blocks(name))

    def _in_blocks(self, name: str) -> Iterator[Tokens]:
        if self._words is None:
            yield from _blocks(self._pairs[name])
            return
        for pieces in _blocks(self.pieces[name]):
            ends = np.cumsum(np.append(0, np.diff(self._words.offsets)[pieces.ids]))
            yield Tokens(self._words.take(pieces.ids).ids, ends[pieces.offsets])

    def rows_with(self, name: str, parts: Iterable[str]) -> list[int]:
        """Return the rows of a column whose texts, in lower case, have one of some parts."""
        texts, rows, having = self.texts[name], set[int](), []
        for part in parts:
            pieces = [f"\0{piece}\0" for piece in part.split()]
            if len(pieces) == 1 and pieces[0] == f"\0{part}\0":
                having.append(self._pieces_with(part))
                continue
            # Of a part with spaces, the piece that the fewest pieces have is looked for.
            if pieces and not part[0].isspace():
                pieces[0] = pieces[0].removeprefix("\0")
            if pieces and not part[-1].isspace():
                pieces[-1] = pieces[-1].removesuffix("\0")
            rarest = min(map(self._pieces_with, pieces), key=len, default=None)
            there = range(len(texts)) if rarest is None else self._rows_of(name, rarest)
            rows.update(i for i in there if part in texts[i].lower())
        return sorted(rows.union(self._rows_of(name, np.concatenate(having)) if having else ()))

    def _pieces_with(self, part: str) -> Ints:
        """Return the ids of the pieces that have a part; ``\\0`` is the beginning or end of one."""
        if part not in self._having:
            places = [match.start() for match in re.finditer(re.escape(part), self._joined_pieces)]
            after = np.array(places, np.int64) + part.startswith("\0")
            self._having[part] = np.unique(np.searchsorted(self._begins, after, "left") - 1)
        return self._having[part]

    def _rows_of(self, name: str, having: Ints) -> list[int]:
        """Return the rows of a column with one of some pieces."""
        if not len(having):
            return []
        pieces, has = self.pieces[name], np.zeros(len(self._begins), np.bool_)
        has[having] = True
        places = np.flatnonzero(has[pieces.ids])
        return [*distinct(np.searchsorted(pieces.offsets, places, "right") - 1).tolist()]


def distinct(numbers: Ints) -> Ints:
    """Return the distinct numbers, sorted; ``numpy.unique`` hashes them, which takes longer."""
    ordered = np.sort(numbers)
    return ordered[np.diff(ordered, prepend=ordered[:1] - 1) > 0]


def _blocks(texts: Any) -> Iterator[Any]:
    """Yield blocks of texts or of tokens, so that less memory is needed."""
    for start in range(0, len(texts), BLOCK):
        stop = start + BLOCK
        yield texts.slice(start, stop) if isinstance(texts, Tokens) else texts[start:stop]


def _join(blocks: Iterable[Tokens]) -> Tokens:
    """Return the texts of all blocks, with ids of half the size."""
    ids, sizes = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
    for block in blocks:
        ids.append(block.ids.astype(np.int32))
        sizes.append(np.diff(block.offsets))
    return Tokens(np.concatenate(ids), np.cumsum(np.concatenate(sizes)))


def count_common(first: Tokens, second: Tokens) -> Ints:
    """Return how many distinct ids each text shares with the other text of its row."""
    most = 1 + max(first.ids.max(initial=0), second.ids.max(initial=0))
    a, b = (tokens.rows() * most + tokens.ids for tokens in (first, second))
    shared = np.intersect1d(a, b, assume_unique=True) // most
    return np.bincount(shared, minlength=len(first))
