"""What was tried before aligned document scores got their default: tables of docs/documents.md.

    python tools/aligned.py --data FOLDER            measures and writes
    python tools/aligned.py --data FOLDER --check    says what isn't what is measured

FOLDER holds ``ratings/d_wikipedia.jsonl`` and ``ratings/injected_*.jsonl``, as tools/trust.py reads
them; docs/trust.md says from where to fetch them. In the page a table stands between
``<!-- aligned: NAME -->`` and ``<!-- /aligned -->``.

What was tried and rejected is here, in small functions, and not in the package.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import figures
import numpy as np
import trust
from figures import prose, table
from trust import Data, Estimate, estimate
from trust_claims import ERRORS, NEW, PAST, WIKIDA, bullets, number

from textsimp import meta
from textsimp.core.metric import Floats, Metric, beyond
from textsimp.meta import correlations, levels
from textsimp.metrics import catalogue
from textsimp.metrics.aligned import SentenceMetric
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.d_sari import DSari
from textsimp.metrics.sari import Sari
from textsimp.text import sentence_alignment
from textsimp.text.memory import remembering
from textsimp.text.sentence_alignment import Group, Links
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import Encoder

WORD = "aligned"  # of the marks in pages
SIMPLICITY, MEANING = "simplicity-overall", "meaning"
FOLDS, REPEATS, SEED = 10, 20, 0
THRESHOLDS = (0.1, 0.15, 0.2, 0.25, 0.3)

Text = tuple[str, ...]  # sentences

# How documents are scored ------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """The default, unless something is changed.

    Attributes:
        similarity: One of `SIMILARITIES`, or the package's.
        threshold: From which sentences are linked.
        pairs: See `get_aligner`.
        order: See `get_aligner`.
        groups: ``merged``, as the package's; neighbours of a side that have no link apart
            (``apart``); the same with links of output and reference (``beside``); or the ``whole``
            document as one.
        weights: Of a group: see `WEIGHTS`.
        dropped: What a group counts that neither output nor reference has: its score (None), a
            number, or NaN for nothing.
        level: ``mean`` of the scores of groups, or ``sum`` of their statistics.
        repeats: Orders of the n-grams by whose repetition the score is lessened.
        metric: Of a group.
    """

    similarity: str = sentence_alignment.LEXICAL
    threshold: float = 0.15
    pairs: str = "best"
    order: str = "monotone"
    groups: str = "merged"
    weights: str = "source"
    dropped: float | None = None
    level: str = "mean"
    repeats: tuple[int, ...] = (2,)
    metric: Metric = Sari()


DEFAULT = Way()
WHOLE = replace(DEFAULT, groups="whole")

WEIGHTS: dict[str, Callable[[Floats], Floats]] = {
    "equal": lambda words: np.ones(len(words)),
    "source": lambda words: np.where(words[:, 0] > 0, words[:, 0], words[:, 1]),
    "source only": lambda words: words[:, 0],
    "all": lambda words: words.sum(axis=1),
}
"""(groups, 3) words of source, output, reference → (groups,) weights."""


# Similarities that were tried --------------------------------------------------------------------

FUNCTION_WORDS = """
a an the of in on at by for to from with as and or but nor so is are was were be been being am
it its he she they them him his her hers their who which that this these those there here i you
we us our your my me not no do does did has have had will would can could may might shall should
must also than then when where while if into over under after before about between through
during each other some such only same too very
"""


def words(sentences: Sequence[str]) -> list[list[Any]]:
    """Tokens of each sentence."""
    return Encoder("13a", lowercase=True).encode(sentences).lists()


def content_words(sentences: Sequence[str]) -> list[list[Any]]:
    """Those that aren't function words or punctuation."""
    function_words = {*FUNCTION_WORDS.split()}
    pieces = [re.findall(r"\w+", sentence.lower()) for sentence in sentences]
    return [[word for word in found if word not in function_words] for found in pieces]


def characters(sentences: Sequence[str]) -> list[list[Any]]:
    """Three and four characters in a row."""
    padded = [f" {' '.join(sentence.lower().split())} " for sentence in sentences]
    return [[text[i : i + n] for n in (3, 4) for i in range(len(text) - n + 1)] for text in padded]


def counts(pieces: Sequence[Sequence[Any]]) -> Floats:
    """(sentences, kinds) how often each has a piece."""
    column = {piece: i for i, piece in enumerate(dict.fromkeys(itertools.chain(*pieces)))}
    found = np.zeros((len(pieces), len(column)))
    for row, some in enumerate(pieces):
        np.add.at(found[row], [column[piece] for piece in some], 1)
    return found


def rarity(found: Floats) -> Floats:
    """(kinds,) weights, the more the fewer sentences have it: as the package's."""
    return np.log1p(len(found) / (found > 0).sum(axis=0))


def cosines(vectors: Floats, m: int) -> Floats:
    """Of the first m rows with the others."""
    norms = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    vectors = vectors / np.where(norms, norms, 1)
    return np.einsum("ik,jk->ij", vectors[:m], vectors[m:])


def containment(found: Floats, m: int) -> Floats:
    """Weight of the words that both have over that of the lighter sentence."""
    present = found > 0
    weighed = present * rarity(found)
    both = np.einsum("ik,jk->ij", weighed[:m], present[m:].astype(float))
    total = weighed.sum(axis=1)
    least = np.minimum(total[:m, None], total[None, m:])
    return np.divide(both, least, out=np.zeros_like(both), where=least > 0)


def bm25(found: Floats, m: int) -> Floats:
    """Okapi BM25 both ways, over what both score with themselves; k1 1.2, b .75."""
    lengths = found.sum(axis=1, keepdims=True)
    least = 1.2 * (0.25 + 0.75 * lengths / max(lengths.mean(), 1))
    weighed = found * 2.2 / (found + least) * rarity(found)
    present = (found > 0).astype(float)
    both = np.einsum("ik,jk->ij", weighed[:m], present[m:])
    both += np.einsum("ik,jk->ij", present[:m], weighed[m:])
    alone = weighed.sum(axis=1)
    total = alone[:m, None] + alone[None, m:]
    return np.divide(both, total, out=np.zeros_like(both), where=total > 0)


SIMILARITIES: dict[str, tuple[Callable[..., list[list[Any]]], Callable[[Floats, int], Floats]]] = {
    "plain counts": (words, cosines),
    "tf-idf": (words, lambda found, m: cosines(found * rarity(found), m)),
    "content words": (content_words, lambda found, m: cosines((found > 0) * rarity(found), m)),
    "characters": (characters, lambda found, m: cosines(found * rarity(found), m)),
    "containment": (words, containment),
    "BM25": (words, bm25),
}
"""Name → pieces of sentences, and similarities of their counts."""


def aligners() -> dict[str, tuple[Any, float]]:
    """Those of the package and those that were tried, each of which knows what it computed."""

    def lexical(source: Text, target: Text) -> Floats:
        (found,) = of_package("13a", [source], [target])
        return found

    def another(
        cut: Callable[..., Any], compare: Callable[..., Floats], source: Text, target: Text
    ) -> Floats:
        return compare(counts(cut([*source, *target])), len(source))

    of_package, threshold = sentence_alignment.ALIGNERS[sentence_alignment.LEXICAL]
    found = {name: partial(another, *both) for name, both in SIMILARITIES.items()}

    def of_documents(
        known: Callable[..., Floats], _: Any, sources: Iterable[Any], targets: Iterable[Any]
    ) -> Iterator[Floats]:
        return map(known, map(tuple, sources), map(tuple, targets))

    return {
        name: (partial(of_documents, functools.cache(compare)), threshold)
        for name, compare in {sentence_alignment.LEXICAL: lexical, **found}.items()
    }


# Scoring -----------------------------------------------------------------------------------------


class Texts:
    """Outputs with their references, each pair scored by itself: the better one counts.

    Attributes:
        outputs: (pairs,) whose reference it is.
        same: (pairs,) whether the reference is the output.
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        split = get_splitter().sentences
        pairs = [
            (i, *(tuple(split(text)) for text in (row["source"], row["prediction"], reference)))
            for i, row in enumerate(rows)
            for reference in row["references"]
        ]
        self.outputs = np.array([pair[0] for pair in pairs])
        self.texts: list[tuple[Text, Text, Text]] = [pair[1:] for pair in pairs]
        self.same = np.array([output == reference for _, _, output, reference in pairs])
        self._statistics: dict[Metric, dict[Text, Floats]] = {}
        self._repetition: dict[tuple[int, ...], Floats] = {}

    def best(self, scores: Floats, others: bool = False) -> Floats:
        """Of each output's references, or of those that aren't itself; −∞ without one."""
        kept = ~self.same if others else np.ones(len(self.same), np.bool_)
        found = np.full(self.outputs[-1] + 1, -np.inf)
        np.maximum.at(found, self.outputs[kept], scores[kept])
        return found

    def scores(self, way: Way) -> Floats:
        """(pairs,) by a way."""
        found = [*self._groups(way)]
        sizes = [len(groups) for groups in found]
        group = [
            tuple(
                " ".join(text[i] for i in side) for text, side in zip(texts, indices, strict=True)
            )
            for texts, groups in zip(self.texts, found, strict=True)
            for indices in groups
        ]
        pair = np.repeat(np.arange(len(sizes)), sizes)
        statistics = self._of_groups(way.metric, group)
        key = way.metric.scores[0].key
        if way.level == "sum":
            totals = np.zeros((len(sizes), statistics.shape[1]))
            np.add.at(totals, pair, statistics)
            scores = way.metric.reduce_examples(totals)[key]
        else:
            of_group = way.metric.reduce_examples(statistics)[key]
            lengths = np.array([[len(text.split()) for text in texts] for texts in group])
            weights = WEIGHTS[way.weights](lengths.astype(np.float64))
            if way.dropped is not None:
                dropped = lengths[:, 1:].sum(axis=1) == 0
                weights = np.where(dropped & np.isnan(way.dropped), 0, weights)
                of_group = np.where(dropped, np.nan_to_num(way.dropped), of_group)
            total, weight = (
                np.bincount(pair, values, len(sizes)) for values in (weights * of_group, weights)
            )
            scores = np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)
        return scores * (1 - self.repetition(way.repeats))

    def repetition(self, orders: tuple[int, ...]) -> Floats:
        """(pairs,) mean over the orders."""
        if orders not in self._repetition:
            self._repetition[orders] = np.array(
                [np.mean([repetition(*texts, n) for n in orders] or [0]) for texts in self.texts]
            )
        return self._repetition[orders]

    def _groups(self, way: Way) -> Iterator[list[Group]]:
        sources, outputs, references = zip(*self.texts, strict=True)
        if way.groups == "whole":
            for texts in self.texts:
                yield [Group(*([*range(len(text))] for text in texts))]
            return
        link = sentence_alignment.get_aligner(
            way.similarity,
            threshold=way.threshold,
            links=way.pairs,
            monotone=way.order == "monotone",
        ).align
        sides = [link(sources, outputs), link(sources, references)]
        if way.groups == "merged":
            yield from itertools.starmap(sentence_alignment.groups, zip(*sides, strict=True))
        else:
            more = link(outputs, references) if way.groups == "beside" else itertools.repeat(None)
            yield from itertools.starmap(apart, zip(*sides, more, strict=False))

    def _of_groups(self, metric: Metric, group: Sequence[Text]) -> Floats:
        """(groups, k) statistics; those of equal texts are computed once."""
        known = self._statistics.setdefault(metric, {})
        new = [texts for texts in dict.fromkeys(group) if texts not in known]
        if new:
            rows = [{"source": s, "prediction": o, "references": [r]} for s, o, r in new]
            known.update(zip(new, trust.statistics(rows, [metric])[metric], strict=True))
        return np.array([known[texts] for texts in group])


def apart(outputs: Links, references: Links, beside: Links | None = None) -> list[Group]:
    """Groups of which neighbours without a link aren't merged, perhaps with links of the third."""
    m, n, k = *outputs.shape, references.shape[1]
    label = np.arange(m + n + k)
    links = [(outputs, 0, m), (references, 0, m + n)]
    if beside is not None:
        links.append((beside, m, m + n))
    for linked, first, second in links:
        for i, j in np.argwhere(linked > -np.inf):
            label[label == label[second + j]] = label[first + i]
    found = []
    for one in dict.fromkeys(label[: m + n].tolist()):
        members = np.flatnonzero(label == one)
        found.append(
            Group(
                members[members < m].tolist(),
                (members[(members >= m) & (members < m + n)] - m).tolist(),
                (members[members >= m + n] - m - n).tolist(),
            )
        )
    return found


def repetition(source: Text, output: Text, reference: Text, n: int) -> float:
    """Share of the output's n-grams beyond those of the source or reference, or the first.

    Within sentences, of lowercased 13a tokens.
    """
    encoder = Encoder("13a", lowercase=True)  # one, so that equal tokens have equal ids
    own, *others = (
        Counter(
            tuple(tokens[i : i + n])
            for tokens in encoder.encode(text).lists()
            for i in range(len(tokens) - n + 1)
        )
        for text in (output, source, reference)
    )
    more = sum(max(0, own[gram] - max(1, *(other[gram] for other in others))) for gram in own)
    return more / max(own.total(), 1)


# Measuring ---------------------------------------------------------------------------------------


class Measuring:
    """The rated outputs and the pairs with errors, and how well scores of them do."""

    def __init__(self, data: Data, resamples: int = trust.RESAMPLES) -> None:
        self.data = data
        self.rows = {"rated": data.rows("d_wikipedia")}
        for error in ERRORS:
            for side in ("better", "worse"):
                rows = data.rows(f"injected_{error}")
                self.rows[f"{error} {side}"] = [{**row, "prediction": row[side]} for row in rows]
        self.texts = {name: Texts(rows) for name, rows in self.rows.items()}
        rated = trust.rated(self.rows["rated"], {s: s for s in (SIMPLICITY, MEANING)}, [])
        everything = trust.rated(self.rows["rated"], {SIMPLICITY: SIMPLICITY}, [], as_given=True)
        self.ratings, self.of_all = rated.ratings, everything.ratings[SIMPLICITY]
        judged = levels.judged(np.empty((0, 0)), np.empty(len(rated.items)), rated.items, None, [])
        self.items = judged.items
        self.resampled, _ = trust.drawn(judged, "items", resamples)
        self.weights = self.resampled.take(judged.items, axis=1)
        self.by = functools.cache(self._by)

    def _by(self, scored: Way | Metric) -> Found:
        """What is found of a way, or of a metric of whole documents."""
        if isinstance(scored, Way):
            given = {name: texts.scores(scored) for name, texts in self.texts.items()}
            best = {name: self.texts[name].best(scores) for name, scores in given.items()}
            others = self.texts["rated"].best(given["rated"], others=True)
            return Found(others[np.isfinite(others)], best)
        best = {name: of(scored, rows) for name, rows in self.rows.items()}
        left = trust.rated(self.rows["rated"], {}, [scored]).statistics[scored]
        return Found(scored.reduce_examples(left)[scored.scores[0].key], best)

    def correlation(self, scores: Floats, scale: str = SIMPLICITY) -> Floats:
        """(1 + resamples,) Pearson's r."""
        found: Floats = correlations.pearson(scores[None], self.ratings[scale], self.weights)[0]
        return found

    def within(self, scores: Floats) -> Floats:
        """(1 + resamples,) Kendall's τ-b of outputs of a source, averaged."""
        found: Floats = trust.within(
            scores[None], self.ratings[SIMPLICITY], self.items, self.resampled
        )[0]
        return found

    def cells(self, found: Found) -> list[str]:
        """Of a row of the table."""
        all_outputs = np.corrcoef(found.best["rated"], self.of_all)[0, 1]
        return [
            str(estimate(self.correlation(found.rated))),
            number(all_outputs),
            str(estimate(self.within(found.rated))),
            str(estimate(self.correlation(found.rated, MEANING))),
            *(number(found.agreement(error)) for error in ERRORS),
        ]


@dataclass(frozen=True, eq=False)
class Found:
    """Scores.

    Attributes:
        rated: Of the rated outputs with a reference other than themselves.
        best: Set → of all outputs, with all references.
    """

    rated: Floats
    best: Mapping[str, Floats]

    def agreement(self, error: str) -> float:
        """Share of pairs in which the better one scores higher, less that in which it's lower."""
        pairs = {name: self.best[f"{error} {name}"].tolist() for name in ("better", "worse")}
        found = meta.preferences(pairs["better"], pairs["worse"]).metrics["scores"]
        return (found.higher - found.lower) / len(pairs["better"])


def of(metric: Metric, rows: Sequence[Mapping[str, Any]]) -> Floats:
    """A score for each row."""
    found: Floats = metric.reduce_examples(trust.statistics(rows, [metric])[metric])[
        metric.scores[0].key
    ]
    return found


def whole() -> dict[str, Metric]:
    """Label → metric of the whole document: those that rank by texts alone, but for slow ones."""
    found: dict[str, Metric] = {}
    for name in catalogue.names():
        cls = catalogue.metric_class(name)
        if not cls.ranks() or beyond(cls) or cls.slow:
            continue
        found[f"`{name}` {next(iter(cls.presets))}"] = cls()
        if cls is Sari:
            found["`sari` easse, delete=precision"] = Sari(delete="precision")
        if cls is DSari:
            found["`d_sari` corrected"] = DSari("corrected")
    return found


def ways() -> dict[str, dict[str, Way | Metric]]:
    """What is chosen → what was tried → the way."""

    def change(**options: Mapping[str, Any]) -> dict[str, Way | Metric]:
        ((name, values),) = options.items()
        return {label: replace(DEFAULT, **{name: value}) for label, value in values.items()}

    groups: dict[str, Way | Metric] = {
        label: replace(metric, level="aligned")
        for label, metric in whole().items()
        if isinstance(metric, SentenceMetric) and metric != Sari()
    }
    groups["`sari` xu, 13a tokens"] = Sari("xu", tokenizer="13a", level="aligned")
    groups["`sari` huggingface"] = Sari("huggingface", level="aligned")
    groups["`sari` easse, orders=existing"] = Sari(orders="existing", level="aligned")
    return {
        "**the default**": {"": Sari(level="aligned")},
        "order": change(order={"links may cross": "free"}),
        "links": change(pairs={"all pairs": "all", "mutual best": "mutual"}),
        "threshold": change(
            threshold={number(value): value for value in (0.05, 0.1, 0.2, 0.25, 0.3, 0.4)}
        ),
        "similarity": change(similarity={name: name for name in SIMILARITIES}),
        "groups": change(
            groups={
                "neighbours not merged": "apart",
                "not merged, output and reference linked too": "beside",
            }
        ),
        "weight of a group": change(
            weights={
                "equal": "equal",
                "words of all three": "all",
                "words of the source only": "source only",
            }
        ),
        "rightly deleted groups": change(
            dropped={"left out": np.nan, "count 0": 0.0, "count 100": 100.0}
        ),
        "level": {"counts summed over groups": replace(DEFAULT, level="sum")},
        "repetition": change(
            repeats={
                "ignored": (),
                "of words": (1,),
                "of trigrams": (3,),
                "of 1- to 4-grams": (1, 2, 3, 4),
            }
        ),
        "score of a group": groups,
        "the paper's choices": {
            "": replace(DEFAULT, pairs="all", order="free", weights="equal", repeats=())
        },
        "whole document": {"`sari` easse, repetition penalised": WHOLE},
    }


# Tables ------------------------------------------------------------------------------------------

TABLES: dict[str, Callable[[Measuring], str]] = {}


def named(function: Callable[[Measuring], str]) -> Callable[[Measuring], str]:
    """Give a table its name in the page."""
    TABLES[function.__name__.replace("_", "-")] = function
    return function


@named
def tried(measuring: Measuring) -> str:
    ours, package = measuring.by(DEFAULT), measuring.by(Sari(level="aligned"))
    np.testing.assert_allclose(ours.rated, package.rated, err_msg="of the default")
    rows = [
        ["whole document", label, *measuring.cells(measuring.by(metric))]
        for label, metric in whole().items()
    ]
    for choice, found in ways().items():
        for value, way in found.items():
            rows.append([choice, value, *measuring.cells(measuring.by(way))])
    heads = ["simplicity, r", "of all 522", "within a source, τ", "meaning, r", *ERRORS.values()]
    return table(["choice", "", *heads], rows)


@named
def differences(measuring: Measuring) -> str:
    """Of the default and others, resampled together."""
    ours = measuring.by(DEFAULT).rated
    rows = []
    others: dict[str, Way | Metric] = {
        **whole(),
        "`sari` easse, repetition penalised": WHOLE,
        "links may cross": replace(DEFAULT, order="free"),
        "all pairs": replace(DEFAULT, pairs="all"),
        "threshold .20": replace(DEFAULT, threshold=0.2),
        "equal weights": replace(DEFAULT, weights="equal"),
        "repetition ignored": replace(DEFAULT, repeats=()),
    }
    for label, other in others.items():
        theirs = measuring.by(other).rated
        gaps = (
            measuring.correlation(ours) - measuring.correlation(theirs),
            measuring.within(ours) - measuring.within(theirs),
            measuring.correlation(ours, MEANING) - measuring.correlation(theirs, MEANING),
        )
        rows.append([label, *(str(estimate(gap)) for gap in gaps)])
    return table(["the default minus", "simplicity, r", "within a source, τ", "meaning, r"], rows)


def cross_validated(
    scores: Floats, ratings: Floats, items: Any, folds: int = FOLDS, repeats: int = REPEATS
) -> tuple[float, Counter[int]]:
    """Pearson's r of outputs each scored by the cell that is best on the other folds of items.

    Args:
        scores: (cells, n).
        ratings: (n,).
        items: (n,) numbers from 0.
        folds: Parts of the items.
        repeats: How often they are drawn.

    Returns:
        The mean over repeats, and how often each cell was chosen. As cells differ in scale, a
        cell's scores are standardised by those of the other folds.
    """
    rng = np.random.default_rng(SEED)
    found, chosen = [], Counter[int]()
    for _ in range(repeats):
        fold = rng.permutation(np.arange(items.max() + 1) % folds)[items]
        held_out = np.empty(len(ratings))
        for one in range(folds):
            out = fold == one
            known = scores[:, ~out]
            best = int(np.nanargmax(pearson(known, ratings[~out])))
            chosen[best] += 1
            held_out[out] = (scores[best, out] - known[best].mean()) / known[best].std()
        found.append(pearson(held_out[None], ratings)[0])
    return float(np.mean(found)), chosen


def pearson(scores: Floats, ratings: Floats) -> Floats:
    """(cells, n), (n,) → (cells,)."""
    found: Floats = correlations.pearson(scores, ratings, np.ones((1, len(ratings))))[:, 0]
    return found


@named
def validated(measuring: Measuring) -> str:
    texts = measuring.texts["rated"]
    cells = {}
    for pairs, order, threshold, weights in itertools.product(
        ("best", "all", "mutual"), ("free", "monotone"), THRESHOLDS, ("equal", "source", "all")
    ):
        for repeats in ((), (2,)):
            way = Way(
                pairs=pairs, order=order, threshold=threshold, weights=weights, repeats=repeats
            )
            scores = texts.best(texts.scores(way), others=True)
            cells[way] = scores[np.isfinite(scores)]
    rows, values = [], []
    for label, kept in {
        "repetition ignored": lambda way: not way.repeats,
        "repetition penalised": lambda way: bool(way.repeats),
        "… all but the threshold as the default": lambda way: (
            replace(way, threshold=DEFAULT.threshold) == DEFAULT
        ),
        "… the default alone": lambda way: way == DEFAULT,
    }.items():
        some = [way for way in cells if kept(way)]
        scores = np.array([cells[way] for way in some])
        ratings = measuring.ratings[SIMPLICITY]
        of_all = pearson(scores, ratings)
        value, chosen = cross_validated(scores, ratings, measuring.items)
        values.append(value)
        (most, times), *_ = chosen.most_common(1)
        way = some[most]
        rows.append(
            [
                label,
                str(len(some)),
                number(float(of_all.max())),
                number(float(np.median(of_all))),
                number(value),
                f"{way.pairs}, {way.order}, {number(way.threshold)}, {way.weights}: "
                f"{100 * times / chosen.total():.0f} %",
            ]
        )
    assert max(values) == values[-1], "the page says that none is above the default alone"
    heads = ["cells", "best of all", "median", "cross-validated", "chosen most often"]
    return table(["chosen among", *heads], rows)


@named
def made_up(measuring: Measuring) -> str:
    """Mean scores of texts that nobody needs ratings for."""
    documents = {row["source"]: row["references"][0] for row in measuring.rows["rated"]}
    split = get_splitter().sentences
    sources, references = [*documents], [*documents.values()]
    others = [*references[1:], references[0]]
    texts = {
        "the reference": references,
        "its first half, by sentences": [
            " ".join(split(text)[: (len(split(text)) + 1) // 2]) for text in references
        ],
        "the reference and another document's": list(
            map(" ".join, zip(references, others, strict=True))
        ),
        "the reference, last sentence first": [" ".join(split(text)[::-1]) for text in references],
        "the reference twice": [f"{text} {text}" for text in references],
        "the first sentence of the source": [split(text)[0] for text in sources],
        "nothing": [""] * len(sources),
        "another document's reference": others,
        "the source": sources,
        "the source twice": [f"{text} {text}" for text in sources],
    }
    rows = []
    for label, outputs in texts.items():
        given = [
            {"source": source, "prediction": output, "references": [reference]}
            for source, output, reference in zip(sources, outputs, references, strict=True)
        ]
        metrics = (Sari(level="aligned"), Sari(), DSari("sun"), DSari("corrected"))
        scores = [of(metric, given) for metric in metrics]
        rows.append([label, *(f"{values.mean():.1f}" for values in scores)])
    return table(
        ["", "`sari` easse, level=aligned", "`sari` easse", "`d_sari` sun", "`d_sari` corrected"],
        rows,
    )


@named
def sentences(measuring: Measuring) -> str:
    """Sets that the choice was made without, of sentences; the best of their references counts."""
    sets = {
        PAST: (trust.without_controls(measuring.data.referenced("asset_test")), "overall_z", False),
        NEW: (measuring.data.rows("simpeval_2022"), "overall_z", False),
        **{
            f"{WIKIDA}, {scale}": (measuring.data.rows("wikida"), f"{scale}_z", True)
            for scale in ("simplicity", "meaning")
        },
    }
    some = {
        "whole": replace(WHOLE, repeats=()),
        "whole, repetition penalised": WHOLE,
        "**aligned by default**": DEFAULT,
        "repetition ignored": replace(DEFAULT, repeats=()),
        "equal weights": replace(DEFAULT, weights="equal"),
        "threshold .20": replace(DEFAULT, threshold=0.2),
    }
    columns = []
    for rows, column, as_given in sets.values():
        texts = Texts(rows)
        ratings = trust.rated(rows, {column: column}, [], as_given).ratings[column]
        scores = np.array(
            [texts.best(texts.scores(way), others=not as_given) for way in some.values()]
        )
        columns.append(pearson(scores[:, np.isfinite(scores[0])], ratings))
    ignored, penalised, *_ = np.transpose(columns)
    assert (penalised > ignored - 0.005).all(), "the page says that the penalty holds up"
    rows = [
        [label, *map(number, values)]
        for label, values in zip(some, np.transpose(columns).tolist(), strict=True)
    ]
    return table(["`sari` easse", *sets], rows)


class Said:
    """Figures of a score, as prose gives them."""

    def __init__(self, measuring: Measuring, scored: Way | Metric) -> None:
        self.measuring, self.found = measuring, measuring.by(scored)
        self.r = self._of(measuring.correlation)
        self.tau = self._of(measuring.within)
        self.meaning = self._of(lambda scores: measuring.correlation(scores, MEANING))

    def _of(self, coefficient: Callable[[Floats], Floats]) -> Estimate:
        return estimate(coefficient(self.found.rated))

    def minus(self, other: Said) -> Estimate:
        """Of both r, resampled together."""
        ours, theirs = (self.measuring.correlation(of.found.rated) for of in (self, other))
        return estimate(ours - theirs)

    def on(self, error: str) -> str:
        return number(self.found.agreement(error))


@named
def in_short(measuring: Measuring) -> str:
    default = Said(measuring, Sari(level="aligned"))
    others = {label: Said(measuring, metric) for label, metric in whole().items()}
    gaps = {label: default.minus(other) for label, other in others.items()}
    ahead = ", ".join(f"{label} by {gap}" for label, gap in gaps.items() if gap.low > 0)
    close = ", ".join(f"{label} ({gap})" for label, gap in gaps.items() if gap.low <= 0)
    assert "`sari` easse by" in ahead
    assert "sun" in ahead
    assert "corrected" in ahead
    assert "bleu" in ahead
    assert close
    worst = max(min(other.found.agreement(e) for e in ERRORS) for other in others.values())
    own = min(default.found.agreement(error) for error in ERRORS)
    assert own > worst + 0.2, "it is said to be the only one that sees all errors"
    return prose(
        f"""Aligned by default, SARI's `easse` has a correlation of {default.r} with people's
        ratings of the simplicity of documents. Of scores of the whole document it is ahead of
        {ahead}, and can't be told from {close}. With errors put in it falls more often than it
        rises, by {default.on("deletion")} (deletion), {default.on("repetition")} (repetition),
        {default.on("coherence")} (sentences in another order) and {default.on("outdomain")}
        (foreign facts) of all pairs. Each of the others has one with {number(worst)} or less."""
    )


@named
def against(measuring: Measuring) -> str:
    default = Said(measuring, Sari(level="aligned"))
    sari, penalised = Said(measuring, Sari()), Said(measuring, WHOLE)
    ignored = Said(measuring, replace(DEFAULT, repeats=()))
    corrected, bleu = Said(measuring, DSari("corrected")), Said(measuring, Bleu())
    precision = Said(measuring, Sari(delete="precision", level="aligned"))
    crossing = Said(measuring, replace(DEFAULT, order="free"))
    zero = Said(measuring, replace(DEFAULT, dropped=0.0))
    full = Said(measuring, replace(DEFAULT, dropped=100.0))
    without = Said(measuring, replace(DEFAULT, dropped=np.nan))
    assert ignored.tau.value < sari.tau.value + 0.05, "alignment alone adds nothing in a source"
    assert penalised.tau.value > default.tau.value - 0.05, "the penalty alone adds as much"
    assert ignored.r.value > sari.r.value + 0.04, "but alignment does between sources"
    assert default.meaning.value < bleu.meaning.value
    assert crossing.found.agreement("deletion") > default.found.agreement("deletion")
    scorers = {label: Said(measuring, way) for label, way in ways()["score of a group"].items()}
    most = max(scorers, key=lambda label: scorers[label].r.value)
    other = scorers[most]
    assert other.r.value > default.r.value
    repeats = measuring.texts["rated"]
    share = 1 - repeats.best(1 - repeats.repetition((2,)))
    return bullets(
        f"""**Among outputs of one source, which is what comparing systems needs, alignment alone
        adds nothing**: τ is {ignored.tau} where repetition is ignored, {sari.tau} for SARI of the
        whole document. The penalty for repetition does it: with it τ is {default.tau}, and
        {penalised.tau} for SARI of the whole document with the same penalty. What alignment adds
        lies between sources (r {ignored.r} after {sari.r}) and in the errors that it sees.""",
        f"""These outputs are of older neural systems, and {100 * (share > 0).mean():.0f} % of them
        repeat themselves. Where systems don't, the penalty is 0 and adds nothing.""",
        f"""For meaning it still points the wrong way ({default.meaning}; SARI {sari.meaning},
        D-SARI `corrected` {corrected.meaning}, BLEU {bleu.meaning}). Deletions by precision turn
        that ({precision.meaning}), but for newer systems these are the worse choice on sentences
        ([docs/trust.md](trust.md)).""",
        f"""That links don't cross is what makes it see the order of sentences
        ({default.on("coherence")} after {crossing.on("coherence")}), not agreement with people
        ({default.r} after {crossing.r}); it costs some of the deletions ({default.on("deletion")}
        after {crossing.on("deletion")}). An output that tells things in an order of its own, as
        references do too, is marked down.""",
        f"""The reference itself doesn't score 100: a group that output and reference both dropped
        is scored too, 33.3 by `easse`, as the paper has it. Nothing else is better: without
        these groups r is {without.r}, if they count 100 {full.r}; if they count 0 it is {zero.r},
        but τ within a source {zero.tau}.""",
        """Variants for which 0/0 is 1 (`huggingface`, `orders=existing`) must not score groups: an
        added group is then as good as can be, and foreign facts raise the score.""",
        f"""All was chosen on these same 100 documents of one corpus, lowercased, some sentences
        glued together, with three raters: also what the cells of the cross-validation below have in
        common, so that its figures still flatter. More was looked at than stands in the tables
        (other weights, near-duplicate sentences, an order penalty), and nothing was clearly better.
        SARI isn't the best score of a group here: {most} has r {other.r} and {other.meaning} for
        meaning.""",
    )


@named
def sari_card(measuring: Measuring) -> str:
    default, sari = Said(measuring, Sari(level="aligned")), Said(measuring, Sari())
    existing = Said(measuring, Sari(orders="existing", level="aligned"))
    hub = Said(measuring, Sari("huggingface", level="aligned"))
    crossing = Said(measuring, replace(DEFAULT, order="free"))
    ignored = Said(measuring, replace(DEFAULT, repeats=()))
    assert ignored.tau.value < sari.tau.value + 0.05, "alignment alone adds nothing"
    for bad in (existing, hub):
        assert bad.found.agreement("outdomain") < -0.5
        assert bad.r.value < sari.r.value
    return bullets(
        f"""On D-Wikipedia's rated outputs its correlation with people's ratings of simplicity is
        {default.r}, that of SARI of the whole document {sari.r} (difference {default.minus(sari)});
        for meaning {default.meaning} and {sari.meaning}. Pairs of documents of which the worse has
        errors put in: it prefers the better one more often than the worse one by
        {default.on("deletion")} of all pairs for deletions ({sari.on("deletion")} for the whole
        document), {default.on("repetition")} ({sari.on("repetition")}) for repetition,
        {default.on("coherence")} ({sari.on("coherence")}) for sentences in another order (only
        since links may not cross: {crossing.on("coherence")} where they may), and
        {default.on("outdomain")} ({sari.on("outdomain")}) for foreign facts. Among outputs of one
        document, which is what comparing systems needs, Kendall's τ is {default.tau} after
        {sari.tau}, and {ignored.tau} without the penalty for repetition: there alignment alone
        adds nothing.""",
        f"""**Not with `variant="huggingface"` or `orders="existing"`.** Where nothing is to be done
        and nothing was done these give full marks, and so to two of the three operations in a
        group that is only added: foreign facts *raise* the score (preference
        {hub.on("outdomain")} and {existing.on("outdomain")}; r {hub.r} and {existing.r}).""",
    )


@named
def d_sari_card(measuring: Measuring) -> str:
    sun, corrected = Said(measuring, DSari("sun")), Said(measuring, DSari("corrected"))
    default, sari = Said(measuring, Sari(level="aligned")), Said(measuring, Sari())
    assert sun.found.agreement("deletion") < 0 < corrected.found.agreement("deletion")
    assert default.minus(sun).low > 0
    assert abs(default.tau.value - corrected.tau.value) < 0.05, "told apart nearly as well"
    return prose(
        f"""**`sun` rewards deleting content.** Of pairs of documents of which the worse lacks
        sentences it prefers the worse one: the share of pairs in which the better one scores
        higher, less that in which it scores lower, is {sun.on("deletion")}
        ({corrected.on("deletion")} by `corrected`, {sari.on("deletion")} by plain SARI). It sees
        repetition
        ({sun.on("repetition")}) and foreign facts ({sun.on("outdomain")}), which make texts longer,
        and not the order of sentences ({sun.on("coherence")}). Its correlation with people's
        ratings is {sun.r} for simplicity, no more than plain SARI's {sari.r}, and {sun.meaning}
        for meaning. **Use** `sari` with `level="aligned"`: {default.on("deletion")} for deletion,
        {default.on("repetition")} for repetition, {default.on("coherence")} for order,
        {default.on("outdomain")} for foreign facts, and {default.r} for simplicity (difference
        {default.minus(sun)}). Among outputs of one document its Kendall's τ is {default.tau}, that
        of `sun` {sun.tau}, and that of `corrected` {corrected.tau}, nearly as much. Where a paper
        asks for D-SARI, report `corrected` beside `sun`."""
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables, or with ``--check`` compare them: 1 if some differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="ratings")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these tables")
    options = parser.parse_args(arguments)
    if not (options.data / "ratings").is_dir():
        parser.error(f"expected ratings/*.jsonl in {options.data}, see docs/trust.md")
    names = options.names or [*TABLES]
    if unknown := {*names, *figures.used(WORD)} - {*TABLES}:
        parser.error(f"no such table: {', '.join(sorted(unknown))}")
    with remembering(), mock.patch.dict(sentence_alignment.ALIGNERS, aligners()):
        measuring = Measuring(Data(options.data))
        computed = {name: TABLES[name](measuring) for name in names}
    return int(figures.write_pages(computed, options.check, WORD) > 0 and options.check)


if __name__ == "__main__":
    sys.exit(main())
