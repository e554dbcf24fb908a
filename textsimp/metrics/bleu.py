"""BLEU as sacrebleu computes it, and the base of other metrics that sacrebleu computes.

Papineni et al. (2002), with the tokens, counts and signatures of sacrebleu (Post 2018), lowercased
as by Alva-Manchego et al. (2019). BLEU rewards copying the source.
"""

import itertools
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, References, Score
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.option import Option, option
from textsimp.metrics import options
from textsimp.metrics.aligned import SentenceMetric, mean_scores
from textsimp.metrics.sides import starts
from textsimp.text import ngrams
from textsimp.text.languages import tokenizer_reads
from textsimp.text.ngrams import PreparedTexts
from textsimp.text.tokenizers import Encoder, Tokens, require_mecab

__all__ = ["Bleu"]

_ORDERS = ngrams.ORDERS
_FLOOR = 0.1  # matches that sacrebleu's `floor` smoothing takes an order without any to have


@dataclass(frozen=True)
class Bleu(SentenceMetric):
    """BLEU as simplification has it, lowercased, or as sacrebleu; sentence BLEU of examples.

    The corpus score is ``corpus_bleu``, whose smoothing is `exp`. An example's score is
    ``sentence_bleu``: of the orders that the prediction is long enough for (*effective order*),
    smoothed by ``sentence_smoothing``.

    Example:
        >>> from textsimp import Bleu
        >>> columns = {
        ...     "predictions": ["the cat sat on the mat."],
        ...     "references": ["The cat sat on a mat."],
        ... }
        >>> round(Bleu.preset().score(**columns)["bleu"], 2)
        48.89
        >>> round(Bleu.preset("sacrebleu").score(**columns)["bleu"], 2)
        30.74
    """

    name: ClassVar[str] = "bleu"
    about: ClassVar[str] = "likeness to the references; rewards copying the source"
    papers: ClassVar = (
        "papineni-etal-2002-bleu",
        "post-2018-call",
        "alva-manchego-etal-2019-easse",
    )
    people: ClassVar[str] = (
        "the variant easse has a rank correlation of .55 [.41, .63] with people's ratings of 22"
        " older systems; over single outputs its correlation is .45 [.39, .49] on these and "
        "−.16 [−.27, −.05] on SimpEval 2022"
    )
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES)
    presets: ClassVar = {
        "easse": Preset("lowercased, and sentences smoothed by `floor`, as EASSE does"),
        "easse_sentence": Preset(
            "the mean of its sentences' scores, EASSE's `sent_bleu`", {"level": "sentence"}
        ),
        "sacrebleu": Preset(
            "cased, and sentences smoothed by `exp`, which are sacrebleu's defaults",
            {"lowercase": False, "sentence_smoothing": "exp"},
        ),
    }
    scores: ClassVar = (
        Score("bleu", "BLEU", about, better="higher"),
        Score(
            "precisions",
            "n-gram precisions",
            "share of n-grams that are in a reference, one number per order",
            better="higher",
            many=True,
        ),
        Score(
            "brevity_penalty", "brevity penalty", "for short outputs: 1 is none", most=1, decimals=3
        ),
        Score("length_ratio", "length ratio", "tokens per token of the references", most=None),
    )

    level: str = options.level()
    tokenizer: str = option(
        about="sacrebleu's: `13a` and `intl` for texts with spaces between words, `char`: "
        "characters, `zh` for Chinese, `ja-mecab` for Japanese and `ko-mecab` for Korean (extra "
        "`languages`); `none`: white space",
        choices=("13a", "intl", "char", "zh", "ja-mecab", "ko-mecab", "none"),
        tag="tok",
        often_unreported=True,
        for_tokens={"none": "13a"},
        reads=tokenizer_reads,
    )
    lowercase: bool = options.lowercase()
    sentence_smoothing: str = option(
        about="of an example's score: orders without a match count as `floor` (0.1) or `exp` "
        "(1/2, 1/4, …) matches",
        choices=("floor", "exp"),
        tag="sentence_smooth",
    )

    def cache_keys(self) -> tuple[Any, Any]:
        """What is tokenised how; the same counts serve other options."""
        whole = () if self.level == "corpus" else super().cache_keys()
        return (self.tokenizer, self.lowercase), whole

    def prepare(self, sources: list[str] | None, references: list[list[str]]) -> PreparedTexts:
        """Count the references' n-grams."""
        encoder = Encoder(self.tokenizer, self.lowercase)
        # As sacrebleu, which leaves out white space at the end first.
        tokens = encoder.encode([text.rstrip() for row in references for text in row])
        sizes = np.fromiter(map(len, references), np.int64, len(references))
        nothing = Tokens(np.empty(0, np.int64), np.zeros(len(sizes) + 1, np.int64))
        base = len(encoder.vocabulary)
        tables = ngrams.prepare_blocks(nothing, tokens, sizes, base, pooled=False)
        return PreparedTexts(
            encoder, np.diff(nothing.offsets), np.diff(tokens.offsets), sizes, tables
        )

    def statistics(self, prepared: PreparedTexts, predictions: list[str]) -> Floats:
        """(n, 10) sacrebleu's counts: two lengths, and correct and all n-grams of orders 1–4.

        The lengths are the prediction's and that of the reference closest to it, in tokens. With
        another ``level`` (n, 8) the scores of ``sentence_bleu``, four of them precisions, and 1.
        """
        tokens = prepared.encoder.encode([*map(str.rstrip, predictions)])
        length = np.diff(tokens.offsets)
        sizes = prepared.references_per_example
        apart = prepared.reference_sizes - np.repeat(length, sizes)
        # Of two references that are as close the shorter one.
        least = np.minimum.reduceat(2 * np.abs(apart) + (apart > 0), starts(sizes))
        closest = length + np.where(least % 2, 1, -1) * (least // 2)
        correct = np.empty((len(tokens), _ORDERS))
        for block, orders, _ in prepared.count(tokens):
            for i, grams in enumerate(orders):
                correct[block, i] = grams.total(np.minimum(grams.ngrams.s, grams.c))
        possible = np.maximum(length[:, None] - np.arange(_ORDERS), 0)
        counts = np.column_stack([length, closest, correct, possible]).astype(np.float64)
        if self.level == "corpus":
            return counts
        scores = self._scores(counts, of_sentences=True)
        return np.column_stack([*scores.values(), np.ones(len(counts))])

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """``corpus_bleu`` of summed counts: (..., 10) → (...), and (..., 4) ``precisions``.

        With another ``level`` the means of summed scores: (..., 8).
        """
        if self.level == "corpus":
            return self._scores(totals, of_sentences=False)
        return mean_scores(self.scores, totals)

    def reduce_examples(self, statistics: Floats) -> dict[str, Floats]:
        """``sentence_bleu`` of each example: (n, 10) → (n,), and (n, 4) ``precisions``."""
        if self.level == "corpus":
            return self._scores(statistics, of_sentences=True)
        return self.reduce(statistics)

    def _scores(self, totals: Floats, of_sentences: bool) -> dict[str, Floats]:
        """Scores of summed counts, as of a corpus or of sentences."""
        predicted, reference = totals[..., 0], totals[..., 1]
        correct, possible = totals[..., 2 : 2 + _ORDERS], totals[..., 2 + _ORDERS :]
        missed = (correct == 0) & (possible > 0)
        orders = np.array(_ORDERS)
        smoothed: Any = 0.5 ** np.cumsum(missed, axis=-1)  # 1/2, 1/4, … of one match
        if of_sentences:
            orders = np.maximum(1, np.count_nonzero(possible, axis=-1))
            smoothed = _FLOOR if self.sentence_smoothing == "floor" else smoothed
        precisions = divide(np.where(missed, smoothed, correct), possible)
        precisions *= correct.any(axis=-1, keepdims=True)  # no match at all is 0
        # 0 without any token; reference/predicted only where it is above 1
        ratio = divide(np.maximum(reference, predicted), predicted, zero=np.inf)
        brevity_penalty = np.where(reference > 0, np.exp(1 - ratio), 1.0)
        counted = np.arange(_ORDERS) < orders[..., None]
        product = np.where(counted, precisions, 1.0).prod(axis=-1)
        return {
            "bleu": 100 * brevity_penalty * product ** (1 / orders),
            "precisions": 100 * precisions,
            "brevity_penalty": brevity_penalty,
            "length_ratio": divide(predicted, reference),
        }

    def in_signature(self, option: Option) -> bool:
        """Leave tokenizer and case to sacrebleu's part of the signature."""
        return option.tag not in ("tok", "case") and super().in_signature(option)

    def signature(self, references: References | None = None) -> str:
        """Name and variant, then sacrebleu's own signature of the corpus score or sentences'."""
        from sacrebleu.metrics.bleu import BLEU

        options: dict[str, Any] = {"lowercase": self.lowercase, "tokenize": self.tokenizer}
        if self.level != "corpus":
            options |= {"effective_order": True, "smooth_method": self.sentence_smoothing}
        require_mecab(self.tokenizer)
        return join_signature(super().signature(), BLEU(**options), references)


class SacrebleuMetric(Metric):
    """A metric whose statistics of an example are sacrebleu's."""

    characters_at_once: ClassVar[int] = 2**16  # after which progress is shown

    @abstractmethod
    def scorer(self) -> Any:
        """Return sacrebleu's object with the options of this metric."""

    def prepare(self, sources: list[str] | None, references: list[list[str]]) -> Any:
        """Return sacrebleu's object, and what it keeps of each example's references."""
        scorer = self.scorer()
        return scorer, scorer._cache_references([*itertools.zip_longest(*references)])

    def statistics(self, prepared: Any, predictions: list[str]) -> Floats:
        """Return (n, k) sacrebleu's statistics."""
        scorer, references = prepared
        rows = [
            scorer._compute_segment_statistics(scorer._preprocess_segment(prediction), kept)
            for prediction, kept in zip(predictions, references, strict=True)
        ]
        return np.array(rows, np.float64)

    def in_signature(self, option: Option) -> bool:
        """Leave the options to sacrebleu's part of the signature."""
        return option.name == "variant"

    def signature(self, references: References | None = None) -> str:
        """Return name and variant, then sacrebleu's own signature."""
        return join_signature(super().signature(), self.scorer(), references)


def join_signature(own: str, scorer: Any, references: References | None) -> str:
    """Add sacrebleu's signature, which has the number of references and its version."""
    scorer.num_refs = None
    if references is not None:
        sizes = {*references} if isinstance(references, tuple) else {*map(len, references)}
        scorer.num_refs = min(sizes) if len(sizes) == 1 else -1
    return f"{own.rpartition('|v:')[0]}|{scorer.get_signature().format()}"
