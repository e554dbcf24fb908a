"""Alignment of the sentences of documents and their simplifications, and the operations on them."""

import bisect
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core.columns import parallel_texts, texts
from textsimp.text.functions import Function, remembered
from textsimp.text.sentence_alignment import (
    LEXICAL,
    Aligner,
    AlignerLike,
    Links,
    connect,
    get_aligner,
)
from textsimp.text.sentences import ALL_SCRIPTS, Splitter, get_splitter

SplitterLike = str | Callable[[str], list[str]]

OPERATIONS = ("joined", "split", "deleted", "added", "reordered")


@dataclass(frozen=True)
class Alignment:
    """The sentences of a document, those of its simplification, and which belong together."""

    source: list[str]
    """The document's sentences."""
    target: list[str]
    """Its simplification's."""
    links: list[tuple[int, int]]
    """Pairs (index in source, index in target), sorted."""
    similarities: Sequence[float] = ()
    """How similar the sentences of each link are, 0–1; all alike if there are none."""

    def source_operations(self) -> list[str]:
        """Return the operation on each source sentence.

        ``"split"`` if it is aligned with two or more target sentences. Otherwise ``"joined"`` if
        its partner has other partners too, ``"aligned"`` if not, and ``"deleted"`` without partner.
        """
        return _labels(len(self.source), self.links, "split", "joined", "deleted")

    def target_operations(self) -> list[str]:
        """Return the operation that made each target sentence.

        ``"joined"`` if it is aligned with two or more source sentences. Otherwise ``"split"`` if
        its partner has other partners too, ``"aligned"`` if not, and ``"added"`` without partner.
        """
        links = [(j, i) for i, j in self.links]
        return _labels(len(self.target), links, "joined", "split", "added")

    def reordered(self) -> list[int]:
        """The target sentences that were moved, as indices.

        These are the fewest aligned sentences without which the others follow the order of the
        source. Each sentence stands for the source sentence that is most similar to it.
        """
        stands_for: dict[int, tuple[float, int]] = {}
        similarities = self.similarities or [1.0] * len(self.links)
        for (i, j), similarity in zip(self.links, similarities, strict=True):
            stands_for[j] = max(stands_for.get(j, (-math.inf, 0)), (similarity, -i))
        rows = sorted(stands_for)
        moved = _out_of_order([-stands_for[j][1] for j in rows])
        return [rows[k] for k in moved]

    def groups(self) -> list[tuple[list[int], list[int]]]:
        """Return groups of sentences that are linked, also by way of others, as indices.

        A group has indices of source sentences and of target sentences. Groups have the order of
        the source; target sentences that are aligned with none come last.
        """
        links = np.full((len(self.source), len(self.target)), -np.inf)
        for link in self.links:
            links[link] = 1
        return connect(links)

    def operations(self) -> dict[str, int]:
        """Count the sentences of each of `OPERATIONS`, as `sentence_operations` does."""
        source_labels, target_labels = self.source_operations(), self.target_operations()
        return {
            "joined": target_labels.count("joined"),
            "split": source_labels.count("split"),
            "deleted": source_labels.count("deleted"),
            "added": target_labels.count("added"),
            "reordered": len(self.reordered()),
        }


def _labels(
    sentences: int, links: Sequence[tuple[int, int]], several: str, shared: str, none: str
) -> list[str]:
    """Return the label of each sentence of the side that comes first in the links."""
    sizes = Counter(sentence for sentence, _ in links)
    partners = dict(links)
    partner_sizes = Counter(partner for _, partner in links)
    labels = []
    for i in range(sentences):
        if sizes[i] > 1:
            labels.append(several)
        elif not sizes[i]:
            labels.append(none)
        else:
            labels.append(shared if partner_sizes[partners[i]] > 1 else "aligned")
    return labels


def _out_of_order(positions: Sequence[int]) -> list[int]:
    """Return the fewest indices, ascending, without which the positions never fall."""
    tails: list[int] = []  # the least end of a non-decreasing subsequence of each length
    ends: list[int] = []  # where it is
    before: list[int] = []  # what comes before each position in its longest subsequence
    for k, position in enumerate(positions):
        place = bisect.bisect_right(tails, position)
        before.append(ends[place - 1] if place else -1)
        tails[place : place + 1] = [position]
        ends[place : place + 1] = [k]
    in_order = set()
    k = ends[-1] if ends else -1
    while k >= 0:
        in_order.add(k)
        k = before[k]
    return [k for k in range(len(positions)) if k not in in_order]


def align_documents(
    sources: Any,
    targets: Any,
    *,
    splitter: SplitterLike = ALL_SCRIPTS,
    aligner: AlignerLike = LEXICAL,
    threshold: float | None = None,
    links: str = "best",
    monotone: bool = False,
    tokenizer: str | Function = "13a",
) -> list[Alignment]:
    """Align the sentences of documents with those of their simplifications.

    `align_sentences` describes the method and its limits.

    Args:
        sources: Documents, strings.
        targets: Their simplifications.
        splitter: Sentence splitter, see `textsimp.text.sentences.get_splitter`.
        aligner: See `align_sentences`.
        threshold: See `align_sentences`.
        links: See `align_sentences`.
        monotone: See `align_sentences`.
        tokenizer: See `align_sentences`.

    Returns:
        An alignment per document. One without text has no sentences.

    Raises:
        InputError: Columns of unequal length or not of strings, an unknown splitter, or see
            `align_sentences`.

    >>> (alignment,) = align_documents(
    ...     ["The hen laid an egg and a boy found it."], ["The hen laid an egg. A boy found it."])
    >>> alignment.links, alignment.source_operations(), alignment.target_operations()
    ([(0, 0), (0, 1)], ['split'], ['split', 'split'])
    """
    columns = parallel_texts(sources=sources, targets=targets)
    sentence_aligner = get_aligner(
        aligner, threshold=threshold, links=links, monotone=monotone, tokenizer=tokenizer
    )
    return list(iterate_alignments(columns, get_splitter(splitter), sentence_aligner))


def iterate_alignments(
    columns: Sequence[list[str]], splitter: Splitter, aligner: Aligner
) -> Iterator[Alignment]:
    """Align documents of checked columns."""
    split = remembered(splitter.split, splitter.sentences)
    sides = [[split(text) for text in column] for column in columns]
    for source, target, links in zip(*sides, aligner.align(*sides), strict=True):
        yield _alignment(source, target, links)


def _alignment(source: list[str], target: list[str], links: Links) -> Alignment:
    rows, columns = np.nonzero(links > -np.inf)
    pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
    return Alignment(source, target, pairs, links[rows, columns].tolist())


def sentence_operations(
    sources: Any, targets: Any, *, splitter: SplitterLike = ALL_SCRIPTS, **options: Any
) -> dict[str, Any]:
    """Estimate how sentences were joined, split, deleted, added and reordered (Tables 3–4).

    Counted on the automatic alignments of `align_documents`, with their limits.

    Args:
        sources: Documents, strings.
        targets: Their simplifications.
        splitter: Sentence splitter, see `textsimp.text.sentences.get_splitter`.
        **options: Those of `align_sentences`: ``aligner``, ``threshold``, ``links``, ``monotone``
            and ``tokenizer``.

    Returns:
        ``documents``, ``source_sentences``, ``target_sentences`` and the numbers of sentences

        - ``joined``: target sentences aligned with two or more source sentences;
        - ``split``: source sentences aligned with two or more target sentences;
        - ``deleted``: source sentences aligned with none;
        - ``added``: target sentences aligned with none;
        - ``reordered``: the fewest aligned target sentences without which the others follow the
          order of the source. Each stands for the source sentence that is most similar to it;

        and of each, ``documents_with_joined`` and so on: the number of documents that have any.
    """
    return sum_operations(align_documents(sources, targets, splitter=splitter, **options))


def sum_operations(alignments: Iterable[Alignment]) -> dict[str, int]:
    """Sum the operations of alignments, see `sentence_operations`."""
    totals = dict.fromkeys(
        [
            *("documents", "source_sentences", "target_sentences", *OPERATIONS),
            *(f"documents_with_{name}" for name in OPERATIONS),
        ],
        0,
    )
    for alignment in alignments:
        totals["documents"] += 1
        totals["source_sentences"] += len(alignment.source)
        totals["target_sentences"] += len(alignment.target)
        for name, n in alignment.operations().items():
            totals[name] += n
            totals[f"documents_with_{name}"] += n > 0
    return totals


def align_sentences(
    source_sentences: Any,
    target_sentences: Any,
    threshold: float | None = None,
    *,
    aligner: AlignerLike = LEXICAL,
    links: str = "best",
    monotone: bool = False,
    tokenizer: str | Function = "13a",
) -> list[tuple[int, int]]:
    """Align the sentences of one document with those of its simplification.

    `textsimp.text.sentence_alignment.get_aligner` says how. A sentence can be aligned with several,
    which come from being split or joined.

    The lexical aligner compares words, not meaning. It makes these errors:

    - A sentence whose content words were all replaced counts as deleted and added.
    - A part of a split sentence counts as added, if it adds only what the rest of the document
      implies.
    - Sentences that repeat one another may be aligned crosswise and then count as split or joined.

    Args:
        source_sentences: The document's sentences, a list of strings.
        target_sentences: Its simplification's.
        threshold: Similarity from which sentences may be aligned, from 0 to 1; None for
            the aligner's own, 0.15 of the lexical one.
        aligner: See `get_aligner`.
        links: See `get_aligner`.
        monotone: See `get_aligner`.
        tokenizer: See `get_aligner`.

    Returns:
        Pairs (index in source_sentences, index in target_sentences), sorted.

    Raises:
        InputError: Not lists of strings, or see `get_aligner`.
    """
    sources = texts(source_sentences, "source_sentences")
    targets = texts(target_sentences, "target_sentences")
    sentence_aligner = get_aligner(
        aligner, threshold=threshold, links=links, monotone=monotone, tokenizer=tokenizer
    )
    (matrix,) = sentence_aligner.align([sources], [targets])
    return _alignment(sources, targets, matrix).links
