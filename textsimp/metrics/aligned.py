"""Documents scored by a metric of sentences: by groups of their aligned sentences.

Maddela & Alva-Manchego (2025), "Adapting Sentence-level Automatic Metrics for Document-level
Simplification Evaluation", NAACL. `textsimp.text.sentence_alignment` says what the groups are.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.columns import InputError
from textsimp.declarations import SOURCES, option
from textsimp.examples import Examples
from textsimp.metric import Floats, Metric
from textsimp.metrics import options
from textsimp.text.sentence_alignment import (
    ALIGNERS,
    LEXICAL,
    LINKED,
    Aligner,
    Group,
    Links,
    get_aligner,
    groups,
)
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import Encoder

_OPTIONS = ("aligner", "threshold", "links", "monotone", "group_weights", "repetition", "splitter")
"""That have a meaning for aligned documents only, unless a metric has more use for one."""


class Document(NamedTuple):
    """What is known of a document before there is an output."""

    source: list[str]  # sentences
    references: list[tuple[list[str], Links]]  # of each its sentences, and their links


@dataclass(frozen=True)
class SentenceMetric(Metric):
    """A metric of sentences. With ``level="aligned"`` the texts are documents.

    The statistics of a document are then the mean of those of its groups, of which each is scored
    as an example, for the reference with which the document scores best; the mean over references
    for a metric that only describes. So the score of a document is the mean over its groups, and
    that of a corpus the mean over its documents.

    Beyond the paper, groups weigh as many words as they have in the source, or in the output if
    they have none there, and a score is multiplied by 1 − p, where p is what the document repeats:
    with o(b) occurrences of a bigram of lowercased 13a tokens within the output's sentences, s(b)
    and r(b) in source and reference,

        p = Σ_b max(0, o(b) − max(1, s(b), r(b))) / Σ_b o(b)
    """

    level: str = option(
        "corpus",
        about="sum over the `corpus`; or `aligned`: texts are documents, which score the mean over "
        "groups of their aligned sentences",
        choices=("corpus", "aligned"),
        tag="level",
    )
    aligner: options.AlignerLike = option(
        LEXICAL,
        about="at level `aligned`: what links sentences, `lexical`, `embedding:` and a model, or a "
        "function from the sentences of two documents to pairs of indices",
        suggestions=tuple(ALIGNERS),
        kind=object,
        tag="aligner",
        label=lambda aligner: get_aligner(aligner).name,
    )
    threshold: float | None = option(
        None,
        about="at level `aligned`: similarity from which sentences may be linked, above 0 and at "
        "most 1; None for the aligner's own",
        kind=float,
        tag="threshold",
    )
    links: str = option(
        "best",
        about="at level `aligned`: each sentence is linked with the `best` one of the other side, "
        "only where that is `mutual`, or with `all`",
        choices=LINKED,
        tag="links",
    )
    monotone: bool = option(
        True,
        about="at level `aligned`: no links that cross",
        choices=(True, False),
        tag="monotone",
    )
    group_weights: str = option(
        "words",
        about="at level `aligned`: a group weighs its `words` in the source, in the output if it "
        "has none there, or all are `equal`, as published",
        choices=("words", "equal"),
        tag="group_weights",
    )
    repetition: str = option(
        "penalised",
        about="at level `aligned`: what an output repeats is `penalised`; or `ignored`, as "
        "published",
        choices=("penalised", "ignored"),
        tag="repetition",
    )
    splitter: options.SplitterLike = options.splitter(
        about="at level `aligned`: what splits documents into sentences",
        always=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        get_splitter(self.splitter)  # an unknown one fails now, and so does an aligner
        aligner = self._aligner()
        if self.aligned:
            # Said in the signature, whatever it will be by default one day.
            object.__setattr__(self, "threshold", aligner.threshold)
            return
        changed = self.changed()
        for f in self.declared():
            if f.name in _OPTIONS and f.name in changed and not f.metadata["always"]:
                raise InputError(
                    f"{f.name}: expected none but with level='aligned', got {changed[f.name]!r}"
                )

    @property
    def aligned(self) -> bool:
        """Whether texts are documents."""
        return self.level == "aligned"

    def signs(self, option: Field[Any]) -> bool:
        """What aligned documents is told wherever they were."""
        if option.name == "threshold":
            return self.threshold is not None  # a function of the user's has none
        return super().signs(option) or (self.aligned and option.name in ("aligner", "splitter"))

    def prepared(self, examples: Examples) -> Iterator[tuple[slice, Any]]:
        """Slices of the examples, and what all systems share in each when it is asked for."""
        if not self.aligned:
            yield from super().prepared(examples)
            return
        if SOURCES.name not in examples.shared:
            raise InputError("sources: level='aligned' needs this column, got none")
        for rows in self.slices(examples):
            yield rows, self._documents(**self._named(examples.shared, rows, own=False))

    def statistics_in(self, rows: slice, prepared: Any, own: Mapping[str, list[Any]]) -> Floats:
        """(rows, k) statistics of one of the slices of `prepared`, from a system's own columns."""
        if not self.aligned:
            return super().statistics_in(rows, prepared, own)
        (predictions,) = self._named(own, rows, own=True).values()
        assert predictions is not None
        return self._of_documents(prepared, predictions)

    def _aligner(self) -> Aligner:
        return get_aligner(
            self.aligner, threshold=self.threshold, links=self.links, monotone=self.monotone
        )

    def _documents(
        self, sources: list[str] | None, references: list[list[str]] | None
    ) -> list[Document]:
        assert sources is not None
        split, align = get_splitter(self.splitter).sentences, self._aligner().align
        of_sources = [split(text) for text in sources]
        rows = [[] for _ in sources] if references is None else references
        flat = [split(text) for row in rows for text in row]
        repeated = [source for source, row in zip(of_sources, rows, strict=True) for _ in row]
        linked = zip(flat, align(repeated, flat), strict=True)
        return [
            Document(source, [*itertools.islice(linked, len(row))])
            for source, row in zip(of_sources, rows, strict=True)
        ]

    def _of_documents(self, documents: list[Document], predictions: list[str]) -> Floats:
        outputs = [*map(get_splitter(self.splitter).sentences, predictions)]
        linked = self._aligner().align([document.source for document in documents], outputs)
        columns: tuple[list[str], ...] = ([], [], [])  # sources, outputs, references of all groups
        sizes, tried = [], []  # groups of each comparison; comparisons of each document
        repeated: list[float] = []  # of each comparison
        encoder = Encoder("13a", lowercase=True)
        for document, output, links in zip(documents, outputs, linked, strict=True):
            nothing: tuple[list[str], Links] = [], np.empty((len(document.source), 0))
            references = document.references or [nothing]
            for reference, reference_links in references:
                sides = document.source, output, reference
                found = groups(links, reference_links)
                if not found:  # neither source nor output has a sentence
                    found = [Group([], [], [*range(len(reference))])]
                for group in found:
                    for column, sentences, members in zip(columns, sides, group, strict=True):
                        column.append(" ".join(sentences[i] for i in members))
                sizes.append(len(found))
                if self.ranks() and self.repetition == "penalised":
                    repeated.append(share_repeated(output, document.source, reference, encoder))
            tried.append(len(references))
        sources, texts, wanted = columns
        given = [[text] for text in wanted] if documents[0].references else None
        rows = self.statistics(self.prepare(sources=sources, references=given), predictions=texts)
        weights = np.ones(len(rows))
        if self.group_weights == "words":
            weights = np.array([len((s or t).split()) for s, t in zip(sources, texts, strict=True)])
        means = _means(rows, sizes, weights)
        if not self.ranks():
            return _means(means, tried, np.ones(len(means)))
        if repeated:
            means[:, :-1] *= 1 - np.array(repeated)[:, None]  # the last column counts
        scores = self.reduce_examples(means)[self.scores[0].key]
        best_first = np.lexsort((-scores, np.repeat(np.arange(len(tried)), tried)))
        best: Floats = means[best_first[_starts(tried)]]
        return best


def share_repeated(
    output: list[str], source: list[str], reference: list[str], encoder: Encoder
) -> float:
    """The share of an output's bigrams that it repeats more often than source and reference do.

    Args:
        output: Sentences.
        source: Sentences.
        reference: Sentences.
        encoder: What tokenises them.

    Returns:
        0 to below 1: p of `SentenceMetric`; 0 without a bigram.

    >>> repeated = ["the cat sat .", "the cat sat ."]
    >>> share_repeated(repeated, ["a cat sat ."], ["the cat sat ."], Encoder("13a", lowercase=True))
    0.5
    """
    found = _bigrams(output, encoder)
    again = {bigram for bigram, n in found.items() if n > 1}
    if not again:
        return 0.0
    allowed = [_bigrams(sentences, encoder) for sentences in (source, reference)]
    excess = (found[b] - max(1, *(counts[b] for counts in allowed)) for b in again)
    return sum(n for n in excess if n > 0) / found.total()


def _bigrams(sentences: list[str], encoder: Encoder) -> Counter[tuple[int, int]]:
    lists = encoder.encode(sentences).lists()
    return Counter(itertools.chain.from_iterable(map(itertools.pairwise, lists)))


def _means(rows: Floats, sizes: list[int], weights: NDArray[Any]) -> Floats:
    """Weighted means of as many rows as each size says, one after the other."""
    starts = _starts(sizes)
    sums = np.add.reduceat(weights, starts)
    # Without any word they weigh the same.
    weights = np.where(np.repeat(sums, sizes) > 0, weights, 1)
    sums = np.add.reduceat(weights, starts)
    means: Floats = np.add.reduceat(rows * weights[:, None], starts) / sums[:, None]
    return means


def _starts(sizes: list[int]) -> NDArray[np.int64]:
    starts: NDArray[np.int64] = np.cumsum([0, *sizes[:-1]])
    return starts
