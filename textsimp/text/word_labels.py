"""Labels of the words of a text and its simplification, from an alignment.

The labels are those of Alva-Manchego, Bingel, Paetzold, Scarton & Specia (2017), "Learning How to
Simplify From Explicit Labeling of Complex-Simplified Text Pairs", IJCNLP. They are counted as in
EASSE (Alva-Manchego, Martin, Scarton & Specia 2019):

- a source word without partner is deleted, a target word without partner added;
- one whose partner has another form is replaced. So are all words of a phrase, where several words
  of one side belong to the same word of the other;
- one whose partner has the same form is moved, if their places differ. The place is the number of
  words before it, without deleted and added words and those inside replaced phrases;
- any other is copied.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from textsimp.text.parts_of_speech import PUNCTUATION, word_class

OF_SOURCE = ("delete", "move", "replace", "copy")
"""Labels of a source's words; those of a target have ``"add"`` in place of ``"delete"``."""

_Pairs = Iterable[tuple[int, int]]


class WordLabels(NamedTuple):
    """A label per word."""

    source: list[str]
    target: list[str]


def word_labels(
    source: Sequence[str],
    target: Sequence[str],
    pairs: _Pairs,
    labelled: Callable[[str], bool] = lambda word: True,
) -> WordLabels:
    """Label the words of a pair of texts, lowercased where case doesn't count.

    A word that isn't ``labelled`` has ``""``; where it comes or goes, what follows is moved.
    """
    pairs = [*pairs]
    partners, partners_back = _partners(pairs), _partners((j, i) for i, j in pairs)
    phrases, phrases_back = replaced_phrases(pairs)
    places = _places(source, partners, phrases, labelled)
    places_back = _places(target, partners_back, phrases_back, labelled)
    of_source, of_target = ["delete"] * len(source), ["add"] * len(target)
    for i, j in pairs:
        if source[i] != target[j] or i in phrases or j in phrases_back:
            label = "replace"
        else:
            label = "copy" if places[i] == places_back[j] else "move"
        of_source[i] = of_target[j] = label
    return WordLabels(
        [label if labelled(word) else "" for word, label in zip(source, of_source, strict=True)],
        [label if labelled(word) else "" for word, label in zip(target, of_target, strict=True)],
    )


def replaced_phrases(pairs: _Pairs) -> tuple[dict[int, bool], dict[int, bool]]:
    """The words that belong together, where several of one side are aligned with the same.

    Of each side, index of a word → whether it begins its phrase.
    """
    pairs = sorted(pairs)
    partners, partners_back = _partners(pairs), _partners((j, i) for i, j in pairs)
    phrases: tuple[dict[int, bool], dict[int, bool]] = ({}, {})
    for first, _ in pairs:
        if first in phrases[0]:
            continue
        here, there = {first}, set(partners[first])
        size = 0
        while size < len(here) + len(there):  # until no more words belong to them
            size = len(here) + len(there)
            here.update(i for j in there for i in partners_back[j])
            there.update(j for i in here for j in partners[i])
        if size > 2:
            for side, words in zip(phrases, (here, there), strict=True):
                side |= {word: word == min(words) for word in words}
    return phrases


def replaced_at_index(
    source: Sequence[str],
    target: Sequence[str],
    pairs: Sequence[tuple[int, int]],
    parts: tuple[Sequence[str], Sequence[str]],
) -> list[tuple[int, int]]:
    """The pairs, and each added word with the deleted one of its index and part of speech."""
    here, there = {i for i, _ in pairs}, {j for _, j in pairs}
    added = [
        (k, k)
        for k in range(min(len(source), len(target)))
        if k not in here and k not in there and parts[0][k] == parts[1][k] and is_word(source[k])
    ]
    return sorted([*pairs, *added])


def is_word(token: str) -> bool:
    """Return whether a token isn't punctuation."""
    return word_class(token) != PUNCTUATION


def _partners(pairs: _Pairs) -> dict[int, list[int]]:
    partners: defaultdict[int, list[int]] = defaultdict(list)
    for i, j in pairs:
        partners[i].append(j)
    return partners


def _places(
    words: Sequence[str],
    partners: dict[int, list[int]],
    phrases: dict[int, bool],
    labelled: Callable[[str], bool],
) -> list[int]:
    """How many words stand before each that count for its place."""
    counts = (
        phrases.get(i, True) if i in partners else not labelled(word)
        for i, word in enumerate(words)
    )
    return [*accumulate(counts, initial=0)]
