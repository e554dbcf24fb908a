"""Documents scored by a metric of sentences, in groups of aligned sentences.

After Maddela & Alva-Manchego (2025). `textsimp.text.sentence_alignment` makes the groups.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import Score
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.option import Option, option
from textsimp.metrics import options
from textsimp.metrics.sides import starts
from textsimp.support.errors import InputError
from textsimp.text import sentence_alignment
from textsimp.text.sentence_alignment import LEXICAL, Aligner, Components, Group
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import Encoder, Tokens

__all__ = ["SentenceMetric"]

LEVEL = "aligned"

ALIGNMENT = ("aligner", "threshold", "monotone", "splitter")
"""Options that say how sentences are aligned."""
_WITH = {"level": (LEVEL,)}
_REFERENCE_ONLY = 0.25  # of a group that only the reference has: what its words weigh


class LinkedReference(NamedTuple):
    """A reference that an output is compared with."""

    document: int  # its number
    sentences: list[str]
    components: Components  # of the source's sentences and these, by their links


Documents = tuple[list[list[str]], list[LinkedReference], Encoder, Tokens, Tokens]
"""Sentences of sources; their references, in order; an encoder; bigrams of both sides."""


@dataclass(frozen=True)
class SentenceMetric(Metric):
    """A metric of sentences, with the options of level ``aligned``, at which `Aligned` computes it.

    A subclass may offer other levels, too; its scores are those of sentences.
    """

    level: str = option(
        about="sum counts over the `corpus`, or score documents by the mean over groups of their "
        "`aligned` sentences",
        choices=("corpus", LEVEL),
        own={LEVEL: LEVEL},
    )
    aligner: options.AlignerLike = option(
        LEXICAL,
        about="at level `aligned`: how sentences are linked: `lexical`, `embedding:` and a model, "
        "or a function from the sentences of two documents to pairs of indices",
        suggestions=(LEXICAL,),
        label=lambda aligner: sentence_alignment.get_aligner(aligner).name,
        only_with=_WITH,
    )
    threshold: float | None = option(
        None,
        about="at level `aligned`: the least similarity of linked sentences, from 0 to 1;"
        " None for the aligner's own",
        only_with=_WITH,
    )
    monotone: bool = option(
        True, about="at level `aligned`: whether links must not cross", only_with=_WITH
    )
    splitter: options.SplitterLike = options.splitter(
        about="at level `aligned`: how documents are split into sentences",
        always=False,
        only_with=_WITH,
    )

    @classmethod
    def choose_class(cls, options: Mapping[str, Any]) -> Any:
        """Return the class that computes the level."""
        chosen = super().choose_class(options)
        return align(chosen) if options.get("level") == LEVEL else chosen


class Aligned(SentenceMetric):
    """A metric of documents, made of a metric of their sentences.

    A document's score is the mean over groups of aligned sentences, each scored as an example. The
    reference with the best score counts; of equal ones the mean. A corpus scores the mean over its
    documents.

    The groups and their weights depend on source and reference only, except for groups that only
    the output has: see `group_sentences`. So no output scores above the reference, by a metric of
    which no example does. (Maddela & Alva-Manchego link the source with both and leave out what
    only the reference has.) A group weighs its words in the source. Without any it weighs a
    quarter of its words in the reference, for systems can't know what the source doesn't say;
    without these, too, its words in the output.

    Scores with a direction are multiplied by 1 − p, where p is the share of repeated bigrams;
    negative ones, such as a model's, by 1 + p. A bigram b of lowercased tokens occurs o(b) times
    within the output's sentences, s(b) times in the source and r(b) times in the reference:

        p = Σ_b max(0, o(b) − max(1, s(b), r(b))) / Σ_b o(b)

    Tokens are 13a's, or those of the metric's tokenizer if it is a function or for scripts without
    spaces.
    """

    metric_class: ClassVar[type[Metric]]
    """The metric of sentences, whose declarations it has, see `align`."""

    @functools.cached_property
    def metric(self) -> Metric:
        """The metric that scores a group: the same one at its variant's level."""
        options = self.changed_options()
        for name in ("level", *ALIGNMENT):
            options.pop(name, None)
        return self.metric_class(self.variant, **options)

    def __new__(cls, *variant: Any, **options: Any) -> Any:
        """Make the metric of sentences at another level."""
        if options.get("level") != LEVEL:
            return cls.metric_class(*variant, **options)
        return super().__new__(cls, *variant, **options)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.metric  # noqa: B018  # fails for wrong options
        self._aligner()  # fails for an unknown one

    def __reduce__(self) -> Any:
        make = functools.partial(self.metric_class, self.variant, **self.changed_options())
        return make, (), vars(self)

    def in_signature(self, option: Option) -> bool:
        """Name aligner and splitter always, and the threshold of an aligner that has one."""
        if option.name == "threshold":
            return not callable(self.aligner)
        return super().in_signature(option) or option.name in ("aligner", "splitter")

    def label(self, option: Option) -> Any:
        """Write the threshold in numbers, also if it is the aligner's default."""
        return self._aligner().threshold if option.name == "threshold" else super().label(option)

    def doubts(self, examples: Examples) -> str:
        return ""

    def _aligner(self) -> Aligner:
        return sentence_alignment.get_aligner(
            self.aligner, threshold=self.threshold, monotone=self.monotone, tokenizer=self._words()
        )

    def _words(self) -> Any:
        return sentence_alignment.tokenizer_of_words(getattr(self, "tokenizer", "13a"))

    def _count_words(self, texts: list[str]) -> NDArray[np.int64]:
        words = self._words()
        if words == "13a":
            return np.fromiter((len(text.split()) for text in texts), np.int64, len(texts))
        return np.diff(Encoder(words, lowercase=True).encode(texts).offsets)

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the names of outputs' scores; sources and references have none at this level."""
        keys = [score.key for score in self.scores]
        return tuple(name for name in super().score_names(shared) if name in keys)

    def statistic_names(self, width: int) -> list[str]:
        names = super().statistic_names(width)
        return names if len(names) == width else Metric.statistic_names(self, width)

    def prepare(self, sources: list[str] | None, references: list[list[str]] | None) -> Documents:
        """Split sources and references, and link their sentences."""
        if sources is None:
            raise InputError(f"sources: level={LEVEL!r} needs this column, got none")
        if references is None:
            raise InputError(f"references: level={LEVEL!r} needs this column, got none")
        split = get_splitter(self.splitter).sentences
        sentences = [split(text) for text in sources]
        which = [i for i, row in enumerate(references) for _ in row]
        texts = [split(text) for row in references for text in row]
        linked = self._aligner().align([sentences[i] for i in which], texts)
        components = map(sentence_alignment.connect, linked)
        encoder = Encoder(self._words(), lowercase=True)
        grams = bigrams(encoder, sentences), bigrams(encoder, texts)
        return sentences, [*map(LinkedReference, which, texts, components)], encoder, *grams

    def statistics(self, prepared: Documents, predictions: list[str]) -> Floats:
        """Return (n, k + 1) statistics: the scores of each document, and 1."""
        sources, references, encoder, *grams = prepared
        outputs = [*map(get_splitter(self.splitter).sentences, predictions)]
        which = [reference.document for reference in references]
        o, s, r = (side.lists() for side in (bigrams(encoder, outputs), *grams))
        repeated = [share_repeated(o[i], s[i], r[k]) for k, i in enumerate(which)]
        lost = np.array(repeated)[:, None]
        columns, sizes = self._group(sources, outputs, references)
        prepared_groups = self.metric.prepare(
            sources=columns[0], references=[[text] for text in columns[2]]
        )
        rows = self.metric.statistics(prepared_groups, predictions=columns[1])
        scores, weights = self.metric.reduce_examples(rows), self._weigh(columns)
        means = []  # of each score, a row for each reference
        for score in self.scores:
            values = _means(scores[score.key].reshape(len(rows), -1), sizes, weights)
            means.append(values * (1 - lost * np.sign(values)) if score.better else values)
        main, tries = means[0][:, 0].round(9), np.bincount(which)
        best = main == np.repeat(np.maximum.reduceat(main, starts(tries)), tries)
        return np.column_stack([_means(np.hstack(means), tries, best), np.ones(len(tries))])

    def _group(
        self,
        sources: list[list[str]],
        outputs: list[list[str]],
        references: Sequence[LinkedReference],
    ) -> tuple[tuple[list[str], ...], list[int]]:
        """Return columns of all groups' texts, and the number of groups of each reference.

        The columns are sources, outputs and references.
        """
        aligner = self._aligner()
        linked = [*aligner.align(sources, outputs)]
        which, sentences_of_references, _ = zip(*references, strict=True)
        direct = aligner.align(sentences_of_references, [outputs[i] for i in which])
        columns: tuple[list[str], ...] = ([], [], [])
        sizes = []
        for (i, reference, components), with_output in zip(references, direct, strict=True):
            groups = sentence_alignment.group_sentences(components, linked[i], with_output)
            groups = groups or [Group([], [], [])]
            sides = sources[i], outputs[i], reference
            for group in groups:
                for column, sentences, members in zip(columns, sides, group, strict=True):
                    column.append(" ".join([sentences[k] for k in members]))
            sizes.append(len(groups))
        return columns, sizes

    def _weigh(self, columns: tuple[list[str], ...]) -> Floats:
        """(groups,) weights of groups, from the texts of their sources, outputs and references."""
        source, output, reference = map(self._count_words, columns)
        return np.select([source > 0, reference > 0], [source, _REFERENCE_ONLY * reference], output)

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Return means over documents."""
        return mean_scores(self.scores, totals)


@functools.cache
def align(metric: type[Metric]) -> type[Metric]:
    """Return the class of a metric of sentences that computes it at level ``aligned``."""
    if issubclass(metric, Aligned):
        return metric
    declared = {"metric_class": metric, "declared_options": metric.declared_options}
    return type(metric.__name__, (Aligned, metric), {**declared, "__doc__": metric.__doc__})


def mean_scores(scores: Sequence[Score], totals: Floats) -> dict[str, Floats]:
    """Return the means of scores, of their sums and a count; lists of numbers are equally long."""
    means = divide(totals[..., :-1], totals[..., -1:])
    lists = [score.many for score in scores]
    length = (means.shape[-1] - lists.count(False)) // max(1, lists.count(True))
    ends = np.cumsum(np.where(lists, length, 1))
    parts = zip(scores, np.split(means, ends[:-1], axis=-1), strict=True)
    return {score.key: part if score.many else part[..., 0] for score, part in parts}


def share_repeated(output: list[int], source: list[int], reference: list[int]) -> float:
    """Return p of `Aligned`, from bigrams as numbers; 0 without a bigram."""
    again = {bigram: n for bigram, n in Counter(output).items() if n > 1}
    if not again:
        return 0.0
    s, r = (Counter(filter(again.__contains__, side)) for side in (source, reference))
    return sum(max(0, n - max(1, s[b], r[b])) for b, n in again.items()) / len(output)


def bigrams(encoder: Encoder, documents: list[list[str]]) -> Tokens:
    """Return the bigrams within the sentences of each document, as numbers."""
    tokens = encoder.encode([*itertools.chain.from_iterable(documents)])
    within = np.ones(len(tokens.ids), np.bool_)
    ends = tokens.offsets[1:]
    within[ends[ends > 0] - 1] = False  # the last token of a sentence begins none
    pairs = tokens.ids << 32
    pairs[:-1] |= tokens.ids[1:]
    before = np.concatenate(([0], np.cumsum(within)))
    sentences = np.cumsum([0, *map(len, documents)])
    return Tokens(pairs[within], before[tokens.offsets[sentences]])


def _means(rows: Floats, sizes: Sequence[int] | NDArray[np.int64], weights: NDArray[Any]) -> Floats:
    """Weighted means of consecutive groups of rows with these sizes."""
    at = starts(sizes)
    sums = np.add.reduceat(weights, at)
    # Without any word they weigh the same.
    weights = np.where(np.repeat(sums, sizes) > 0, weights, 1)
    sums = np.add.reduceat(weights, at)
    means: Floats = np.add.reduceat(rows * weights[:, None], at) / sums[:, None]
    return means
