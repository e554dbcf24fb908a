"""SARI: how well a simplification adds, keeps and deletes n-grams, judged by references.

Xu et al. (2016); SARI of a corpus is that of EASSE, Alva-Manchego et al. (2019).
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import PREDICTIONS, Preset, Score
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Floats, divide
from textsimp.core.option import option
from textsimp.metrics import options
from textsimp.metrics.aligned import SentenceMetric
from textsimp.metrics.sides import best_references, starts
from textsimp.support.errors import InputError
from textsimp.text import ngrams
from textsimp.text.languages import tokenizer_reads
from textsimp.text.ngrams import PreparedTexts
from textsimp.text.tokenizers import TOKENIZERS, Encoder, Tokens, tokenizer_name

__all__ = ["Sari"]

Ints = NDArray[np.int64]

OPERATIONS = ("add", "keep", "delete")
_PARTS = {"precision": "precision", "recall": "recall", "f1": "F1"}


def _score_orders(operation: str, part: str) -> Score:
    title, about = f"{operation}, {_PARTS[part]}", f"{_PARTS[part]} per n-gram order"
    return Score(f"{operation}_{part}", title, about, better="higher", many=True)


@dataclass(frozen=True)
class Sari(SentenceMetric):
    """SARI in every published variant.

    Per example and n-gram order 1..4, with the counts s (source), c (prediction) and r (summed
    over the R references), and s and c multiplied by R:

    - add, over distinct n-grams: correct ``|(c−s) ∩ r|``, predicted ``|c−s|``, reference ``|r−s|``;
    - keep: correct Σ min(s, c, r), predicted Σ min(s, c), reference Σ min(s, r);
    - delete: correct Σ min(s−c, s−r), predicted Σ (s−c), reference Σ (s−r), − clipped at 0.

    Precision is correct/predicted, recall correct/reference. All scores are 0–100.

    With ``multi_reference="best"`` an example is scored with each reference alone. The one with
    the best SARI counts, of equal ones (to nine decimals) the first.

    Example:
        >>> from textsimp import Sari
        >>> scores = Sari.preset("easse").score(
        ...     sources=["About 95 species are currently accepted."],
        ...     predictions=["About 95 species are now accepted."],
        ...     references=[["About 95 species are now known.", "95 species are now accepted."]],
        ... )
        >>> round(scores["sari"], 2)
        78.63
    """

    name: ClassVar[str] = "sari"
    about: ClassVar[str] = "what a simplification adds, keeps and deletes, judged by references"
    papers: ClassVar = ("xu-etal-2016-optimizing", "alva-manchego-etal-2019-easse")
    people: ClassVar[str] = (
        "the variant easse has a rank correlation of .80 [.74, .88] with people's ratings of 22"
        " older systems; over single outputs its correlation is .34 [.31, .38] on these and .28"
        " [.18, .39] on SimpEval 2022"
    )
    presets: ClassVar = {
        "easse": Preset(
            "EASSE's default: counts summed over the corpus, F1 per operation and order"
        ),
        "easse_paper": Preset(
            "the same with one F1 of precision and recall averaged over the orders",
            {"average": "precision_recall"},
        ),
        "easse_legacy": Preset(
            "EASSE's `legacy`: source as stored, prediction and references 13a, no lowercasing",
            {"source_tokenizer": "none", "lowercase": False},
        ),
        "xu": Preset(
            "the script of 2016: sentence by sentence, deletions by precision, split on single "
            "spaces, lowercased",
            {
                "level": "sentence",
                "keep_recall": "types",
                "delete": "precision",
                "tokenizer": "none",
                "split": "space",
            },
        ),
        "huggingface": Preset(
            "the Hub's `sari`: as `xu` on 13a tokens, with 0/0 = 1 and another recall of kept "
            "n-grams",
            {"level": "sentence", "delete": "precision", "split": "space", "zero_division": 1},
        ),
        "joshua": Preset(
            "the Joshua toolkit's: source and prediction counts weighted by 8 whatever the number "
            "of references",
            {"delete": "precision", "source_tokenizer": "none", "lowercase": False, "weight": 8},
        ),
        "star": Preset(
            "the scorer of Zhang & Lapata (2017) and of tables that copy theirs: as `easse_legacy` "
            "with eight references, whatever their number",
            {"source_tokenizer": "none", "lowercase": False, "weight": 8},
        ),
    }
    scores: ClassVar = (
        Score("sari", "SARI", "mean of add, keep and delete", better="higher"),
        Score("add", "add", "n-grams added, as the references add them", better="higher"),
        Score("keep", "keep", "n-grams kept, as the references keep them", better="higher"),
        Score(
            "delete", "delete", "n-grams deleted, as the references delete them", better="higher"
        ),
        *itertools.starmap(_score_orders, itertools.product(OPERATIONS, _PARTS)),
    )

    tokenizer: options.TokenizerLike = options.tokenizer()
    source_tokenizer: options.TokenizerLike = option(
        about="tokenizer of the sources, if it is another one, as in `easse_legacy` and `joshua`",
        choices=("same", *TOKENIZERS),
        functions=True,
        tag="source_tok",
        of_variants=True,
        label=tokenizer_name,
        for_tokens={"none": "same"},
        reads=tokenizer_reads,
    )
    lowercase: bool = options.lowercase()
    split: str = options.split()
    level: str = options.level()
    delete: str = option(
        about="score deletions by `f1` or by `precision`",
        choices=("f1", "precision"),
        often_unreported=True,
    )
    average: str = option(
        about="average the four orders' F1 scores, or (`precision_recall`) precision and recall "
        "first, then one F1",
        choices=("f1", "precision_recall"),
        often_unreported=True,
    )
    keep_recall: str = option(
        about="at sentence level: recall of kept n-grams by `counts`, or as the mean over `types`",
        choices=("counts", "types"),
        of_variants=True,
    )
    zero_division: int = option(
        0, about="value of 0/0", choices=(0, 1), tag="zero", of_variants=True
    )
    orders: str = option(
        about="average over `all` four orders, or over the `existing` ones",
        choices=("all", "existing"),
        of_variants=True,
    )
    weight: int | None = option(
        None,
        about="factor of source and prediction counts, instead of the number of references",
        least=1,
        most=1_000_000,
        of_variants=True,
    )
    multi_reference: str = option(
        about="compare with all references `pooled`, or with the `best` one of each output; scores "
        "with `best` grow with the number of references",
        choices=("pooled", "best"),
        own={"best": "best reference"},
        only_with={"level": ("corpus", "sentence")},
    )
    per_order: bool = option(
        False,
        about="also `add_precision`, `add_recall`, `add_f1`, `keep_…`, `delete_…`: lists, one "
        "number per order",
        tag="",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.level == "corpus" and self.keep_recall == "types":
            raise InputError(
                f"keep_recall: expected 'counts' at the level 'corpus' of {self.variant}, "
                "got 'types'"
            )
        vars(self)["ordered_references"] = self.multi_reference == "best"

    def doubts(self, examples: Examples) -> str:
        """Say that ``weight`` makes an empty output good."""
        fewest = 1 if self.multi_reference == "best" else min(map(len, examples.references or [[]]))
        if self.weight is None or self.weight <= fewest:
            return ""
        empty = {UNNAMED_SYSTEM: {PREDICTIONS.name: [""] * len(examples)}}
        (rows,) = self.compute_statistics(Examples(examples.shared, empty)).values()
        score = self.reduce(rows.sum(axis=0))["sari"]
        return (
            f"{self.name} ({self.variant}) with weight={self.weight} and {fewest} "
            f"reference{'s' * (fewest > 1)} rewards deletion: an empty output scores {score:.2f} "
            "here, and such ones beat published systems; compare only with tables that used it"
        )

    def cache_keys(self) -> tuple[Any, Any]:
        """What is tokenised how; the same counts serve other options, and `best_rows`."""
        prepared = self.tokenizer, self.source_tokenizer, self.lowercase, self.split
        return prepared, self.weight if self.level == "corpus" else super().cache_keys()

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """``sari``, ``add``, ``keep``, ``delete``; with ``per_order`` their parts too."""
        names = tuple(score.key for score in self.scores)
        return names if self.per_order else names[:4]

    def prepare(self, sources: list[str], references: list[list[str]]) -> PreparedTexts:
        spaces = self.split == "space"
        encoder = Encoder(self.tokenizer, self.lowercase, spaces)
        texts = [*itertools.chain.from_iterable(references)]
        alike = None
        if self.source_tokenizer == "same":  # at once, as they have many words in common
            both = encoder.encode([*sources, *texts])
            of_sources = both.slice(0, len(sources))
            of_references = both.slice(len(sources), len(both))
            alike = sources, of_sources
        else:
            options = self.source_tokenizer, self.lowercase, spaces, encoder.vocabulary
            of_sources, of_references = Encoder(*options).encode(sources), encoder.encode(texts)
        sizes = np.fromiter(map(len, references), np.int64, len(references))
        tables = ngrams.prepare_blocks(
            of_sources,
            of_references,
            sizes,
            base=len(encoder.vocabulary),
            alone=self.multi_reference == "best",
        )
        lengths = np.diff(of_sources.offsets), np.diff(of_references.offsets), sizes
        return PreparedTexts(encoder, *lengths, tables, alike)

    def statistics(self, prepared: PreparedTexts, predictions: list[str]) -> Floats:
        """(n, 36) the counts of `Sari`, or with another ``level`` (n, 40) the scores, and 1.

        The 36 are integers, in the order (add, keep, delete) × (correct, predicted, reference) ×
        (order 1, 2, 3, 4).
        """
        rows = self.token_statistics(prepared, prepared.encode(predictions))
        if self.multi_reference == "best":
            return self.best_rows(rows, prepared.references_per_example)
        return rows

    def statistics_by_reference(self, examples: Examples) -> list[Floats]:
        """Return (references, k) statistics of each system, with each reference alone."""
        metric = replace(self, multi_reference="best")
        prepared = [*metric.prepare_slices(examples)]
        statistics = []
        for own in examples.systems.values():
            predictions = own[PREDICTIONS.name]
            tokens = ((texts, texts.encode(predictions[rows])) for rows, texts in prepared)
            statistics.append(np.concatenate([metric.token_statistics(*x) for x in tokens]))
        return statistics

    def token_statistics(self, prepared: PreparedTexts, tokens: Tokens) -> Floats:
        """Return the statistics of predictions as tokens; a row per reference for the best."""
        parts = []
        alone = self.multi_reference == "best"
        for block, grams, shared in prepared.count(tokens, alone):
            if self.weight is None and not alone:
                weights = prepared.references_per_example[block]
            else:  # what source and prediction counts are multiplied by
                weights = np.full(block.stop - block.start, self.weight or 1)
            if self.level == "sentence":
                parts.append(self._sentence_scores(grams, weights, shared))
            else:
                parts.append(_sum_counts(grams, weights))
        return np.concatenate(parts)

    def best_rows(self, rows: Floats, sizes: Ints) -> Floats:
        """The statistics of each example's best reference, from those of its references alone."""
        scores = self.reduce(rows)["sari"].round(9)
        best = np.flatnonzero(scores == np.repeat(best_references(scores, sizes), sizes))
        return rows[best[np.searchsorted(best, starts(sizes))]]  # the first of equal ones

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Scores (0–100) of summed statistics; lists of four, one per order, for the parts."""
        shape = *totals.shape[:-1], 3, 3, ngrams.ORDERS
        if self.level == "corpus":
            correct, predicted, reference = np.moveaxis(totals.reshape(shape), -2, 0)
            precision = divide(correct, predicted, self.zero_division)
            recall = divide(correct, reference, self.zero_division)
            f1, exists = _f1(precision, recall), (predicted > 0) | (reference > 0)
            components = self._components(precision, recall, f1, exists)
        else:
            means = divide(totals[..., :-1], totals[..., -1:])
            precision, recall, f1 = np.moveaxis(means[..., :36].reshape(shape), -3, 0)
            components = means[..., 36:]
        scores = {"sari": components.mean(axis=-1)}
        scores |= {operation: components[..., i] for i, operation in enumerate(OPERATIONS)}
        for part, values in zip(_PARTS, (precision, recall, f1), strict=True):
            scores |= {f"{op}_{part}": values[..., i, :] for i, op in enumerate(OPERATIONS)}
        return {name: 100 * values for name, values in scores.items()}

    def _components(
        self, precision: Floats, recall: Floats, f1: Floats, exists: NDArray[np.bool_]
    ) -> Floats:
        """(..., operation, order) → (..., operation), means over the orders."""
        parts = np.stack([precision, recall, f1])
        if self.orders == "all":
            means = parts.mean(axis=-1)
        else:
            # Nothing was to be done in any order and nothing was done: as good as can be.
            means = divide((parts * exists).sum(axis=-1), exists.sum(axis=-1), zero=1)
        components = means[2] if self.average == "f1" else _f1(means[0], means[1])
        if self.delete == "precision":
            components[..., 2] = means[0, ..., 2]
        return components

    def _sentence_scores(
        self, orders: list[ngrams.Counts], weights: Ints, shared: dict[Any, Floats]
    ) -> Floats:
        """(n, 40) scores of sentences; ``shared`` has counts by the options they depend on."""
        options = self.keep_recall, self.weight
        if options not in shared:
            shared[options] = self._sentence_counts(orders, weights)
        correct, whole = shared[options]
        precision, recall = divide(correct, whole, self.zero_division)
        f1, exists = _f1(precision, recall), (whole > 0).any(axis=0)
        parts = precision, recall, f1, self._components(precision, recall, f1, exists)
        n = len(weights)
        return np.column_stack([*(part.reshape(n, -1) for part in parts), np.ones(n)])

    def _sentence_counts(self, orders: list[ngrams.Counts], weights: Ints) -> Floats:
        """(2, 2, n, operation, order) what is correct and the whole, for precision and recall."""
        n = len(weights)
        correct, whole = counts = np.empty((2, 2, n, 3, ngrams.ORDERS))
        by_types = self.keep_recall == "types"
        for i, grams in enumerate(orders):
            example, r = grams.ngrams.example, grams.ngrams.r
            s, c = grams.ngrams.s * weights[example], grams.c * weights[example]
            total, shares = grams.total, partial(_sum_of_shares, example, n)
            kept, to_keep = np.minimum(s, c), np.minimum(s, r)
            deleted, to_delete = np.maximum(s - c, 0), np.maximum(s - r, 0)
            well_kept, well_deleted = np.minimum(kept, r), np.maximum(s - c - r, 0)
            recalled = shares(well_kept, to_keep) if by_types else total(well_kept)
            correct[:, :, 0, i] = grams.correct
            whole[:, :, 0, i] = grams.correct + grams.novel, grams.ngrams.reference_only
            correct[:, :, 1, i] = shares(well_kept, kept), recalled
            whole[:, :, 1, i] = total(kept > 0), total(to_keep > 0 if by_types else to_keep)
            correct[:, :, 2, i] = shares(well_deleted, deleted), shares(well_deleted, to_delete)
            whole[:, :, 2, i] = total(deleted > 0), total(to_delete > 0)
        return counts


def _sum_counts(orders: list[ngrams.Counts], weights: Ints) -> Floats:
    """(n, 36) the counts of `Sari`."""
    n = len(weights)
    statistics = np.zeros((n, 3, 3, ngrams.ORDERS))
    for i, grams in enumerate(orders):
        example, r = grams.ngrams.example, grams.ngrams.r
        s, c = grams.ngrams.s * weights[example], grams.c * weights[example]
        kept = np.minimum(s, c)
        source, predicted, reference = map(grams.total, (s, kept, np.minimum(s, r)))
        correct = grams.total(np.minimum(kept, r))
        counts = [
            (grams.correct, grams.correct + grams.novel, grams.ngrams.reference_only),
            (correct, predicted, reference),
            # What isn't kept is deleted, so nothing is left to count.
            (source - predicted - reference + correct, source - predicted, source - reference),
        ]
        statistics[..., i] = np.moveaxis(np.array(counts), -1, 0)
    return statistics.reshape(n, 36)


def _sum_of_shares(example: NDArray[Any], n: int, part: Ints, whole: Ints) -> Floats:
    """(n,) the sum of each example's shares; those of nothing are 0."""
    there = np.flatnonzero(part)
    example, shares = example[there], part[there] / whole[there]
    # In two parts, so exactly: the order of n-grams depends on other examples.
    high = np.rint(shares * 2.0**26) / 2.0**26
    low = np.rint((shares - high) * 2.0**52) / 2.0**52
    return np.asarray(np.bincount(example, high, n) + np.bincount(example, low, n), np.float64)


def _f1(precision: Floats, recall: Floats) -> Floats:
    return divide(2 * precision * recall, precision + recall)
