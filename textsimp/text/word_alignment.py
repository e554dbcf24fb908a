"""Words of a text aligned with those of its simplification.

The lexical aligner is for English, and needs no model. Step by step, each with words that no step
before it has aligned:

1. runs of the same words with at least one of content in them, the longest first;
2. single words of content that are the same, those with the most alike neighbours first; then
   those of the same stem, as *participation* and *participate*, *taken* and *took*;
3. the same words beside aligned ones, of whatever kind, and in order between them;
4. between aligned neighbours, words of the same part of speech in order, and two words of content
   that are alone there (*purchased* and *bought* in *they purchased a car*, *they bought a car*).

Each word has at most one partner. What is compared is lowercased.
"""

import functools
import heapq
import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textsimp.support.errors import InputError, nearest
from textsimp.text.functions import call_aligner, custom_name
from textsimp.text.parts_of_speech import TEXTBLOB, Parts, PartsLike, get_parts, has_content

LEXICAL = "lexical"
GAP = 5

Pairs = list[tuple[int, int]]
"""Sorted pairs of indices: of a word of the source, and of one of the target."""
WordAlignerLike = str | Callable[[list[str], list[str]], Iterable[tuple[int, int]]]
"""A name, or a function from the words of two texts to the pairs of indices to align."""

_Texts = Sequence[list[str]]

_NEIGHBOURS = 3  # on either side of a word, its context
_FREQUENT = 2**12  # pairs of the same word from which on its place tells nothing


@dataclass(frozen=True)
class WordAligner:
    """A way to align words. Made by `get_word_aligner`."""

    name: str  # for signatures
    align: Callable[[_Texts, _Texts], Iterator[Pairs]]  # of the words of each pair of texts


def get_word_aligner(
    aligner: WordAlignerLike = LEXICAL, *, parts: PartsLike = TEXTBLOB, gap: int = GAP
) -> WordAligner:
    """Get a word aligner by name, or make one of a function from words to pairs of indices.

    ``"lexical"`` is the module's. It takes ``parts``, and ``gap``: the most words between aligned
    neighbours that are aligned by their part of speech.
    """
    if callable(aligner):
        own = functools.partial(call_aligner, aligner, of="words")
        return WordAligner(custom_name(aligner), functools.partial(map, own))
    if aligner != LEXICAL:
        raise InputError(
            f"aligner: expected {LEXICAL}, or a function from the words of two texts to pairs of "
            f"indices, got {aligner!a}{nearest(aligner, [LEXICAL])}"
        )
    tagger = get_parts(parts)

    lexical = functools.partial(_lexical, parts=tagger, gap=gap)
    return WordAligner(LEXICAL, functools.partial(map, lexical))


@dataclass
class _Links:
    """Which words are aligned so far."""

    source: list[str]
    target: list[str]
    of_source: dict[int, int] = field(default_factory=dict)
    of_target: dict[int, int] = field(default_factory=dict)

    def add(self, i: int, j: int) -> None:
        self.of_source[i], self.of_target[j] = j, i

    def free(self, i: int, j: int) -> bool:
        return i not in self.of_source and j not in self.of_target

    def distance(self, i: int, j: int) -> int:
        return abs(i * len(self.target) - j * len(self.source))

    def gaps(self) -> Iterator[tuple[list[int], list[int]]]:
        """The free words of both sides between aligned neighbours, as links are added."""
        end = len(self.source)
        linked = [-1, *sorted(self.of_source), end]
        partners = {-1: -1, end: len(self.target), **self.of_source}
        for before, after in itertools.pairwise(linked):
            if after - before == 1:
                continue
            between = range(partners[before] + 1, partners[after])
            targets = [j for j in between if j not in self.of_target]
            if targets:
                yield [*range(before + 1, after)], targets


def _lexical(source: list[str], target: list[str], parts: Parts, gap: int) -> Pairs:
    links = _Links([word.lower() for word in source], [word.lower() for word in target])
    if links.source == links.target:
        return [(i, i) for i in range(len(source))]
    stems = [*map(_stem, links.source)], [*map(_stem, links.target)]
    _link_runs(links)
    _link_single(links, links.source, links.target)
    _link_single(links, *stems)
    _link_beside(links)
    _link_between(links, links.source, links.target)
    _link_between(links, *stems)
    if gap:
        _link_by_part(links, parts.of(source), parts.of(target), gap)
    return sorted(links.of_source.items())


def _matches(source: Sequence[str], target: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places of the same word in both, but of a word that stands everywhere."""
    places = defaultdict(list)
    for j, word in enumerate(target):
        places[word].append(j)
    often = Counter(source)
    for i, word in enumerate(source):
        if word in places and often[word] * len(places[word]) <= _FREQUENT:
            yield from ((i, j) for j in places[word])


def _link_runs(links: _Links) -> None:
    """Runs of at least two words with one of content: longest first, the nearest of equals."""
    source, target = links.source, links.target
    content = [*map(_has_content, source)]
    ends: dict[int, int] = {}  # diagonal → where its last run ends in the source
    heap = []
    for i, j in _matches(source, target):
        if not content[i] or ends.get(j - i, 0) > i:
            continue
        start, end = i, i + 1
        while start and start + j - i and source[start - 1] == target[start - 1 + j - i]:
            start -= 1
        while (
            end < len(source) and end + j - i < len(target) and source[end] == target[end + j - i]
        ):
            end += 1
        ends[j - i] = end
        heap.append((start - end, links.distance(start, start + j - i), start, start + j - i))
    heapq.heapify(heap)
    while heap:
        minus, _, start, at = heapq.heappop(heap)
        free = [links.free(start + k, at + k) for k in range(-minus)]
        if all(free):
            for k in range(-minus):
                links.add(start + k, at + k)
            continue
        for is_free, group in itertools.groupby(range(-minus), free.__getitem__):
            rest = [*group]
            i, j, size = start + rest[0], at + rest[0], len(rest)
            if is_free and size > 1 and any(content[i : i + size]):
                heapq.heappush(heap, (-size, links.distance(i, j), i, j))


def _link_single(links: _Links, source: Sequence[str], target: Sequence[str]) -> None:
    """Words of content with the same key: those with the most alike context, then the nearest."""
    candidates = [
        (-_alike(source, target, i, j), links.distance(i, j), i, j)
        for i, j in _matches(source, target)
        if links.free(i, j) and _has_content(links.source[i]) and _has_content(links.target[j])
    ]
    for _, _, i, j in sorted(candidates):
        if links.free(i, j):
            links.add(i, j)


def _alike(source: Sequence[str], target: Sequence[str], i: int, j: int) -> int:
    """How many neighbours two words have in common."""
    around = (
        Counter([*words[max(0, k - _NEIGHBOURS) : k], *words[k + 1 : k + 1 + _NEIGHBOURS]])
        for words, k in ((source, i), (target, j))
    )
    return sum((next(around) & next(around)).values())


def _link_beside(links: _Links) -> None:
    """The same words right after aligned ones, then right before them."""
    source, target = links.source, links.target
    for step in (1, -1):
        for start in sorted(links.of_source, reverse=step < 0):
            i, j = start + step, links.of_source[start] + step
            while 0 <= i < len(source) and 0 <= j < len(target):
                if not links.free(i, j) or source[i] != target[j]:
                    break
                links.add(i, j)
                i, j = i + step, j + step


def _link_between(links: _Links, source: Sequence[str], target: Sequence[str]) -> None:
    """As many words with the same key as can be in order, in each gap."""
    from rapidfuzz.distance import LCSseq

    numbers: defaultdict[str, int] = defaultdict(itertools.count().__next__)
    for here, there in links.gaps():
        a, b = [numbers[source[i]] for i in here], [numbers[target[j]] for j in there]
        for block in LCSseq.opcodes(a, b):
            if block.tag == "equal":
                for k in range(block.src_end - block.src_start):
                    links.add(here[block.src_start + k], there[block.dest_start + k])


def _link_by_part(links: _Links, source: list[str], target: list[str], gap: int) -> None:
    """In each short gap as many words of the same part of speech as can be in order."""
    content = [*map(_has_content, links.source)], [*map(_has_content, links.target)]
    lettered = [any(map(str.isalnum, word)) for word in links.source]

    def weight(i: int, j: int) -> int:
        """Of a pair: a word of content counts more than the others; 0 for no pair."""
        if source[i] != target[j] or not lettered[i]:
            return 0
        return 1 + (content[0][i] and content[1][j])

    for here, there in links.gaps():
        if max(len(here), len(there)) <= gap:
            for i, j in _in_order(here, there, weight):
                links.add(i, j)
    for here, there in links.gaps():
        if len(here) == len(there) == 1 and content[0][here[0]] and content[1][there[0]]:
            links.add(here[0], there[0])


def _in_order(
    source: Sequence[int], target: Sequence[int], weight: Callable[[int, int], int]
) -> Iterator[tuple[int, int]]:
    """Pairs of the greatest total weight of which none cross, the first of equals."""
    m, n = len(source), len(target)
    best = [[0] * (n + 1) for _ in range(m + 1)]  # of what is left of both sides
    weights = [[weight(i, j) for j in target] for i in source]
    for x, y in itertools.product(reversed(range(m)), reversed(range(n))):
        paired = best[x + 1][y + 1] + weights[x][y]
        best[x][y] = max(best[x + 1][y], best[x][y + 1], paired)
    x = y = 0
    while x < m and y < n:
        if weights[x][y] and best[x][y] == best[x + 1][y + 1] + weights[x][y]:
            yield source[x], target[y]
            x, y = x + 1, y + 1
        elif best[x][y] == best[x + 1][y]:
            x += 1
        else:
            y += 1


_has_content = functools.lru_cache(2**16)(has_content)


@functools.lru_cache(2**16)
def _stem(word: str) -> str:
    """What the forms of an English word, and words made from it, have in common."""
    stemmer, irregular_forms = _stemming()
    return str(stemmer.stem(irregular_forms.get(word, word)))


@functools.cache
def _stemming() -> tuple[Any, dict[str, str]]:
    """Return NLTK's stemmer, and irregular form → the word that it is a form of."""
    from nltk.stem.snowball import EnglishStemmer  # type: ignore[import-untyped]

    lines = (Path(__file__).parent / "irregular_forms.txt").read_text("utf-8").splitlines()
    forms = {form: word for word, *forms in map(str.split, lines) for form in forms}
    return EnglishStemmer(), forms
