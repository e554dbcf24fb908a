"""Split F1: whether a system splits sentences where the references split them.

No paper has this score. The task is that of Narayan et al. (2017). Scores of n-grams don't measure
splitting (Sulem et al. 2018). Its card says what else was tried.
"""

import itertools
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import Preset, Score
from textsimp.core.metric import Floats, Metric, divide
from textsimp.metrics import options
from textsimp.metrics.sides import mean_references
from textsimp.text.alignment import KEEP, Operation, operations
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import Encoder

Text = Sequence[Sequence[Hashable]]
"""The words of each sentence."""
Place = tuple[int, int]
"""Between how many words of another text, at least and at most, and the rest of it."""
Prepared = tuple[Encoder, list[Text], list[Text], list[list[int]], list[int]]
"""Sources; references one after the other, the splits of each, and how many an example has."""


@dataclass(frozen=True)
class SplitF1(Metric):
    """F1 of the places where sentences are split, with those of the references.

    A split is an end of a sentence that the source doesn't have; the end of the last sentence isn't
    one. A shortest path of edits aligns the words that two texts have in common. Two splits are at
    the same place if the last such word before and the first one after are the same for both. Ends
    in the source are compared in the same way. A split without such a word on either side equals
    none. Each split is paired with at most one other.

    o is the number of splits in an output, r the mean number in its references, and m the mean
    number at the same place in both. These are summed over examples. Precision is m/o, recall m/r
    and F1 2m/(o+r), in percent. Without any split they are 0.

    Example:
        >>> from textsimp import SplitF1
        >>> scores = SplitF1().score(
        ...     sources=["The cat, which was old, sat on the mat and the dog slept."],
        ...     predictions=["The cat sat on the mat. The dog slept."],
        ...     references=[["The cat was old. It sat on a mat. The dog slept."]],
        ... )
        >>> round(scores["split_f1"], 2)  # one split, which is one of the reference's two
        66.67
    """

    name: ClassVar[str] = "split_f1"
    about: ClassVar[str] = "splits sentences where the references do"
    papers: ClassVar = ("sulem-etal-2018-bleu", "narayan-etal-2017-split")
    people: ClassVar[str] = (
        "it has a rank correlation of .80 [.68, .83] with people's ratings of 22 older systems;"
        " over single outputs its correlation with simplicity is .21 [.17, .25] on these, and "
        "from −.03 [−.14, .05] to .23 [.13, .33] on other sets"
    )
    presets: ClassVar = {
        "places": Preset("as often as a reference has a split at the same place", own="textsimp's")
    }
    scores: ClassVar = (
        Score("split_f1", "Split F1", about, better="higher"),
        Score(
            "split_precision", "Split precision", "output splits in a reference", better="higher"
        ),
        Score("split_recall", "Split recall", "reference splits in the output", better="higher"),
        Score("splits", "Splits", "splits per source", most=None),
    )
    slow: ClassVar = True

    tokenizer: options.TokenizerLike = options.tokenizer()
    splitter: options.SplitterLike = options.splitter()

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        return (*super().score_names(shared), "reference_splits")

    def prepare(self, sources: list[str], references: list[list[str]]) -> Prepared:
        encoder = Encoder(self.tokenizer, lowercase=True)
        read = self.read(encoder, sources)
        repeated = [source for source, row in zip(read, references, strict=True) for _ in row]
        texts = self.read(encoder, [*itertools.chain.from_iterable(references)])
        return encoder, read, texts, splits(repeated, texts), [*map(len, references)]

    def statistics(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """(n, 4) splits of the prediction, of references, of both; and 1."""
        encoder, sources, references, of_references, per_example = prepared
        outputs = self.read(encoder, predictions)
        own = splits(sources, outputs)
        which = np.repeat(np.arange(len(outputs)), per_example)
        pairs = zip(which.tolist(), references, of_references, strict=True)
        both = match_ends((outputs[i], own[i], reference, ends) for i, reference, ends in pairs)
        counts = np.column_stack([[*map(len, of_references)], [*map(len, both)]])
        means = mean_references(counts, per_example)
        return np.column_stack([[*map(len, own)], means, np.ones(len(outputs))])

    def statistic_names(self, width: int) -> list[str]:
        return ["splits", "reference_splits", "correct_splits", "examples"]

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        sums = self.by_name(totals)
        own, wanted, both = sums["splits"], sums["reference_splits"], sums["correct_splits"]
        return {
            "split_f1": 100 * divide(2 * both, own + wanted),
            "split_precision": 100 * divide(both, own),
            "split_recall": 100 * divide(both, wanted),
            "splits": divide(own, sums["examples"]),
            "reference_splits": divide(wanted, sums["examples"]),
        }

    def read(self, encoder: Encoder, texts: list[str]) -> list[Text]:
        """Read texts as sentences of words, which are tokens with a letter or a digit."""
        cut = get_splitter(self.splitter).sentences
        sentences = {text: cut(text) for text in dict.fromkeys(texts)}
        tokens = encoder.encode([*itertools.chain.from_iterable(sentences.values())])
        spelled = [*encoder.vocabulary]
        words = {i for i in np.unique(tokens.ids).tolist() if any(map(str.isalnum, spelled[i]))}
        worded = iter([[i for i in ids if i in words] for ids in tokens.lists()])
        read = {
            text: [*filter(None, itertools.islice(worded, len(row)))]
            for text, row in sentences.items()
        }
        return [read[text] for text in texts]


def splits(sources: Sequence[Text], texts: Sequence[Text]) -> list[list[int]]:
    """List the splits of texts as numbers of words before: sentence ends the source lacks."""
    all_ends = [ends_of(text) for text in texts]
    old = match_ends(
        (text, ends, source, ends_of(source))
        for source, text, ends in zip(sources, texts, all_ends, strict=True)
    )
    return [
        [end for i, end in enumerate(ends) if i not in already]
        for ends, already in zip(all_ends, old, strict=True)
    ]


def match_ends(pairs: Iterable[tuple[Text, list[int], Text, list[int]]]) -> list[list[int]]:
    """Return the indices of ends of a text at the same places as ends of another text."""
    several = [*pairs]
    aligned = [pair for pair in several if pair[1] and pair[3]]
    texts, others = ([[*itertools.chain(*pair[i])] for pair in aligned] for i in (0, 2))
    spelled = operations(texts, others, path="shortest")
    return [
        match_places(find_places(ends, next(spelled)), ends_too) if ends and ends_too else []
        for _, ends, _, ends_too in several
    ]


def match_places(places: Sequence[Place | None], ends: Sequence[int]) -> list[int]:
    """Return the indices of as many places as possible with an end each; both lists ascend."""
    matches = []
    next_end = 0
    for i, place in enumerate(places):
        if place is None:
            continue
        next_end = bisect_left(ends, place[0], next_end)
        if next_end < len(ends) and ends[next_end] <= place[1]:
            matches.append(i)
            next_end += 1
    return matches


def ends_of(text: Text) -> list[int]:
    """Count the words up to each sentence end but the last."""
    return [*itertools.accumulate(map(len, text[:-1]))]


def find_places(ends: Sequence[int], spelled: Sequence[Operation]) -> list[Place | None]:
    """Locate the ends of a text in another, by the kept words around them."""
    kept: list[Any] = [(i, j) for code, i, j in spelled if code == KEEP]
    places: list[Place | None] = []
    for end in ends:
        after = bisect_left(kept, (end, 0))
        inside = 0 < after < len(kept)
        places.append((kept[after - 1][1] + 1, kept[after][1]) if inside else None)
    return places
