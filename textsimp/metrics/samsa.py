"""SAMSA: whether each scene of a source has a sentence of its own, and is whole there.

Sulem et al. (2018), section 4; in EASSE by Alva-Manchego et al. (2019).
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, SOURCES, Column, Preset, Score
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric, divide
from textsimp.metrics import options
from textsimp.support.errors import RowError, shown
from textsimp.text import ucca
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import Encoder
from textsimp.text.word_alignment import get_word_aligner

Unit = list[list[int]]
"""The minimal centres of a unit, each its words by number; an implicit unit has none."""

PASSAGES = Column(
    "passages", "structured", "UCCA parses of the sources: MRP JSON", "passage", read=ucca.read
)

_IMPLICIT = 0.5  # what can't be seen to be kept


@dataclass(frozen=True)
class Scene:
    """The relations and participants of a scene; words are numbers."""

    words: frozenset[int]
    relations: list[Unit]
    participants: list[Unit]

    def score(self, kept: frozenset[int]) -> float:
        """Score the scene (0 to 1) in a sentence that keeps some words of the source."""
        relation = fmean(_value(unit, kept) for unit in self.relations) if self.relations else 0.0
        if not self.participants:
            return relation
        return (relation + fmean(_value(unit, kept) for unit in self.participants)) / 2


@dataclass(frozen=True)
class Passage:
    """The words of a source, as they are aligned, and its scenes."""

    words: list[str]
    scenes: list[Scene]
    number: list[int]  # (words,) the numbers that they count under


@dataclass(frozen=True)
class Samsa(Metric):
    """SAMSA, and SAMSAabl, which is the same without the penalty for not splitting.

    A scene is a main relation, a process or state, with its participants. Of n scenes of a source
    and m sentences of the output, scene i is looked for in the sentence M(i) with most of its
    words. A unit is in a sentence if a word of its minimal centre is aligned with one of the
    sentence's::

        SAMSAabl = 1/(2n) · Σ_i [ 1(relation_i in M(i)) + 1/k_i · Σ_j 1(participant_ij in M(i)) ]
        SAMSA = min(1, m/n) · SAMSAabl

    If there are at least as many sentences as scenes, each scene gets a sentence of its own. The
    assignment keeps most words of scenes; among equal ones it has the best score.

    An implicit unit, which has no word, counts one half. A unit with several centres, such as *John
    and Mary*, counts by the share of them in the sentence. A scene without participants counts by
    its relation alone. Each sentence of the output is aligned with the source by itself, so a
    participant that is repeated in each sentence is in all of them.

    Scores are 0–100 here, 0–1 in the paper. A corpus scores the mean over its sources, of those
    that have a scene at all.
    """

    name: ClassVar[str] = "samsa"
    about: ClassVar[str] = "scenes of the source, each whole in a sentence of its own"
    papers: ClassVar = ("sulem-etal-2018-semantic", "abend-rappoport-2013-universal")
    people: ClassVar[str] = (
        "no parses of rated outputs were at hand to measure it; in the notebooks of Alva-Manchego "
        "et al. (2021) EASSE's form of it has a correlation of .06 with ratings of 600 outputs"
    )
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, PASSAGES)
    presets: ClassVar = {
        "corrected": Preset(
            "the paper's formula, without what it does to outputs by accident",
            own="corrected, textsimp's",
        ),
        "sulem": Preset(
            "the paper's: scenes take their sentences one after the other, and an output with more "
            "sentences than scenes has 0"
        ),
        "easse": Preset(
            "as EASSE has it: the paper's, with the relations of all scenes in one list, only the "
            "last centre of a unit, and equal words taken for one"
        ),
    }
    scores: ClassVar = (
        Score("samsa", "SAMSA", about, better="higher"),
        Score("samsa_abl", "SAMSAabl", "SAMSA without the splitting penalty", better="higher"),
        Score("scored", "Scored", "sources with a scene", most=None, unit="sources"),
    )
    slow: ClassVar = True

    aligner: options.WordAlignerLike = options.word_aligner()
    splitter: options.SplitterLike = options.splitter()
    tokenizer: options.TokenizerLike = options.tokenizer()
    lowercase: bool = options.lowercase("words before they are aligned")

    def prepare_slices(self, examples: Examples) -> Iterator[tuple[slice, Any]]:
        """Check that the passages are parses of the sources."""
        passages: Sequence[Any] = examples.shared[PASSAGES.name]
        for i, (source, parse) in enumerate(zip(examples.sources or (), passages, strict=False)):
            if not ucca.same_text(parse["words"], source):
                expected = f"expected a parse of its source, {shown(source)}"
                got = f"got one of {shown(' '.join(parse['words']))}"
                raise RowError(i, PASSAGES.name, f"{expected}, {got}")
        return super().prepare_slices(examples)

    def prepare(self, sources: list[str] | None, passages: list[Any]) -> list[Passage]:
        return [self._passage(passage) for passage in passages]

    def statistics(self, prepared: list[Passage], predictions: list[str]) -> Floats:
        """(n, 3) SAMSA, SAMSAabl (both 0–1), and 1; all 0 for a source without a scene."""
        split = get_splitter(self.splitter).sentences
        sentences = [split(text) for text in predictions]
        encoder = Encoder(self.tokenizer, self.lowercase)
        tokens = encoder.encode([*itertools.chain.from_iterable(sentences)])
        targets = [*encoder.decode(tokens)]
        sources = [p.words for p, of in zip(prepared, sentences, strict=True) for _ in of]
        aligned = iter(get_word_aligner(self.aligner).align(sources, targets))
        rows = np.zeros((len(prepared), 3))
        for row, passage, of in zip(rows, prepared, sentences, strict=True):
            own = itertools.islice(aligned, len(of))
            kept = [frozenset(passage.number[i] for i, _ in pairs) for pairs in own]
            if passage.scenes:
                found = zip(passage.scenes, self._places(passage.scenes, kept), strict=True)
                whole = fmean(scene.score(kept[i]) if i >= 0 else 0.0 for scene, i in found)
                row[:] = whole * min(1.0, len(of) / len(passage.scenes)), whole, 1
            elif self.variant != "corrected":
                row[2] = 1
        return rows

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        samsa, samsa_abl, scored = np.moveaxis(totals, -1, 0)
        return {
            "samsa": 100 * divide(samsa, scored),
            "samsa_abl": 100 * divide(samsa_abl, scored),
            "scored": scored.astype(np.int64),
        }

    def _passage(self, parse: Any) -> Passage:
        words = [word.lower() if self.lowercase else word for word in parse["words"]]
        easse, scenes = self.variant == "easse", parse["scenes"]
        number = [words.index(word) if easse else i for i, word in enumerate(words)]

        def units(of: list[Unit]) -> list[Unit]:
            chosen = [unit[-1:] if easse else unit for unit in of]
            return [[[number[i] for i in centre] for centre in unit] for unit in chosen]

        relations = [units(scene["relations"]) for scene in scenes]
        if easse:
            flat = [[unit] for of_scene in relations for unit in of_scene if unit]
            relations = [*flat, *([] for _ in scenes)][: len(scenes)]
        prepared = []
        for scene, own in zip(scenes, relations, strict=True):
            leaves = frozenset(number[i] for i in scene["words"])
            prepared.append(Scene(leaves, own, units(scene["participants"])))
        return Passage(words, prepared, number)

    def _places(self, scenes: list[Scene], kept: list[frozenset[int]]) -> list[int]:
        """The sentence of each scene, -1 for none."""
        corrected = self.variant == "corrected"
        if not kept or (not corrected and len(kept) > len(scenes)):
            return [-1] * len(scenes)
        leaves = [[len(scene.words & words) for words in kept] for scene in scenes]
        if not corrected:
            return [*_greedy(leaves, once=len(kept) == len(scenes))]
        # The scores of all scenes together are less than a word.
        weights = [
            [n + scene.score(words) / (len(scenes) + 1) for n, words in zip(row, kept, strict=True)]
            for row, scene in zip(leaves, scenes, strict=True)
        ]
        if len(kept) < len(scenes):
            return [row.index(max(row)) for row in weights]
        from scipy.optimize import linear_sum_assignment

        return [*map(int, linear_sum_assignment(weights, maximize=True)[1])]


def _greedy(leaves: list[list[int]], *, once: bool) -> Iterable[int]:
    """Yield for each scene in turn the first sentence with most of its words."""
    free = list(range(len(leaves[0])))
    for row in leaves:
        place = max(free, key=row.__getitem__)  # the first of equal ones
        yield place
        if once:
            free.remove(place)


def _value(unit: Unit, kept: frozenset[int]) -> float:
    """The share of a unit's centres that are kept; a centre is if any of its words is."""
    if not unit:
        return _IMPLICIT
    return fmean(not kept.isdisjoint(centre) for centre in unit)
