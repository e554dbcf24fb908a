"""Sizes of a corpus of documents and their simplifications, and the odds of words."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from textsimp.core import sample
from textsimp.core.columns import parallel_texts, texts
from textsimp.core.draws import RESAMPLES, Floats, Ints
from textsimp.core.intervals import tails_of
from textsimp.core.sample import Sample
from textsimp.support.errors import InputError, check_sampling
from textsimp.text.functions import Function, check_function
from textsimp.text.sentences import ALL_SCRIPTS, get_splitter
from textsimp.text.tokenizers import TOKENIZERS, Encoder, Tokens


def corpus_statistics(
    sources: Any,
    targets: Any,
    *,
    splitter: str | Function = ALL_SCRIPTS,
    tokenizer: str | Function = "13a",
) -> dict[str, Any]:
    """Sizes of a corpus of documents and their simplifications (the paper's Table 5).

    Args:
        sources: Documents, strings.
        targets: Their simplifications.
        splitter: Sentence splitter, see `textsimp.text.sentences.get_splitter`.
        tokenizer: Words are its tokens, punctuation marks included. ``"13a"`` makes tokenised and
            detokenised text comparable. ``"none"`` splits on white space, as the paper does on its
            tokenised text.

    Returns:
        ``documents``; for both sides, ``source_`` and ``target_``: ``sentences``, ``words``,
        ``sentences_per_document``, ``words_per_document`` and ``words_per_sentence``; and
        ``sentence_compression_ratio`` and ``word_compression_ratio``, totals of the target over
        totals of the source.

    Raises:
        InputError: Columns of unequal length or not of strings; unknown splitter or tokenizer.
    """
    sources, targets = parallel_texts(sources=sources, targets=targets)
    encoder, sentence_splitter = _encoder(tokenizer), get_splitter(splitter)
    result: dict[str, Any] = {"documents": len(sources)}
    for side, column in (("source", sources), ("target", targets)):
        sentences = int(sentence_splitter.count(column).sum())
        words = len(encoder.encode(column).ids)
        result[f"{side}_sentences"] = sentences
        result[f"{side}_words"] = words
        result[f"{side}_sentences_per_document"] = sentences / len(column)
        result[f"{side}_words_per_document"] = words / len(column)
        result[f"{side}_words_per_sentence"] = _ratio(words, sentences)
    for unit in ("sentence", "word"):
        totals = result[f"target_{unit}s"], result[f"source_{unit}s"]
        result[f"{unit}_compression_ratio"] = _ratio(*totals)
    return result


def odds_ratio(
    sources: Any,
    targets: Any,
    *,
    words: str | Sequence[str],
    tokenizer: str | Function = "13a",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, Any]:
    """Return how much more often the simple side uses a word, or any of a list (equation 1).

    With n(x) the occurrences of x among the N words of a side,

        odds(x) = n(x) / (N − n(x)),  odds ratio = odds of the target side / odds of the source side

    above 1 if the simplifications prefer the word. Nothing is smoothed: a word that only the
    source has gives 0, one that only the target has infinity, one that neither has NaN.

    Words of a document aren't independent, so documents are drawn (Lijffijt et al. 2016,
    "Significance testing of word frequencies in corpora"). The p-value is of swaps of a document
    with its simplification; NaN of a single document, and of a word that neither side has. ``chi2``
    is the statistic of Pearson's test on the 2 × 2 table with Yates' correction (SciPy's
    ``chi2_contingency``). Its own p-value holds for independent words only.

    Args:
        sources: Documents, strings. Texts are lowercased.
        targets: Their simplifications.
        words: A word, or a list of them whose occurrences are added up. One token each, of any
            case.
        tokenizer: What counts as a word, as in `corpus_statistics`.
        resamples: Number of resamples and of swaps of documents.
        seed: Seed of both.

    Returns:
        ``odds_ratio``, its 95 % ``interval`` if both sides have the words, ``p_value``, ``chi2``,
        ``source_count`` and ``target_count`` of the words together; ``source_words`` and
        ``target_words``, the sizes of both sides; and ``by_word``. For each word (lowercased) it
        has the first six, ``source_rank`` and ``target_rank``. A rank is 1 plus the number of
        distinct words that are more frequent on that side.
    """
    check_sampling(None, resamples, seed)
    sources, targets = parallel_texts(sources=sources, targets=targets)
    encoder = _encoder(tokenizer)
    words = texts([words] if isinstance(words, str) else words, "words")
    ids = {word.strip().lower(): _single_token(word, encoder) for word in words}
    tokens = [encoder.encode(column) for column in (sources, targets)]
    counts = [np.bincount(side.ids, minlength=len(encoder.vocabulary)) for side in tokens]

    def compare(vocabulary_ids: list[int]) -> dict[str, Any]:
        rows = [_count_by_document(side, vocabulary_ids) for side in tokens]
        result = _compare(np.sum(rows, axis=1).astype(np.int64))
        tested = len(tokens[0]) > 1 and not math.isnan(result["chi2"])
        return result | (_test(rows, resamples, seed) if tested else {})

    by_word = {}
    for word, i in ids.items():
        source_rank, target_rank = (1 + int((own > own[i]).sum()) for own in counts)
        by_word[word] = {**compare([i]), "source_rank": source_rank, "target_rank": target_rank}
    return {
        **compare(sorted(set(ids.values()))),
        "source_words": len(tokens[0].ids),
        "target_words": len(tokens[1].ids),
        "by_word": by_word,
    }


def _encoder(tokenizer: str | Function) -> Encoder:
    check_function("tokenizer", tokenizer, TOKENIZERS)
    return Encoder(tokenizer, lowercase=True)


def _ratio(numerator: int, denominator: int) -> float:
    return numerator / denominator if denominator else math.nan


def _single_token(word: str, encoder: Encoder) -> int:
    ids = encoder.encode([word]).ids
    if len(ids) != 1:
        raise InputError(f"words: expected one token each, got {len(ids)} in {word!a}")
    return int(ids[0])


def _compare(totals: Ints) -> dict[str, Any]:
    """Compare the source and the target (rows) by their counts of some words, and of all."""
    from scipy.stats import contingency

    counts, sizes = totals.T
    table = np.stack([counts, sizes - counts], axis=1)[::-1]  # the target first
    chi2 = math.nan
    if table.sum(0).all() and table.sum(1).all():
        chi2 = float(contingency.chi2_contingency(table)[0])
    return {
        "odds_ratio": float(contingency.odds_ratio(table, kind="sample").statistic),
        "interval": None,
        "p_value": math.nan,
        "chi2": chi2,
        "source_count": int(counts[0]),
        "target_count": int(counts[1]),
    }


def _count_by_document(tokens: Tokens, vocabulary_ids: list[int]) -> Floats:
    """Return (documents, 2) how often the words occur, and how many words there are."""
    rows = tokens.rows()[np.isin(tokens.ids, vocabulary_ids)]
    counts = np.bincount(rows, minlength=len(tokens))
    return np.stack([counts, np.diff(tokens.offsets)], axis=1).astype(np.float64)


def _test(rows: Sequence[Floats], resamples: int, seed: int) -> dict[str, Any]:
    """Return the interval of the odds ratio and the p-value, of counts in documents."""

    def share(totals: Floats) -> dict[str, Floats]:
        with np.errstate(invalid="ignore"):
            return {"share": totals[..., 0] / totals[..., 1]}

    sides = {
        name: Sample(counts, share) for name, counts in zip(("source", "target"), rows, strict=True)
    }
    sampling: dict[str, Any] = {"confidence": 0.95, "resamples": resamples, "seed": seed}
    difference = sample.compare(sides, **sampling)["source", "target"]["share"]
    drawn = [side.resample(resamples=resamples, seed=seed)["share"] for side in sides.values()]
    with np.errstate(invalid="ignore", divide="ignore"):
        source, target = (shares / (1 - shares) for shares in drawn)
        ratios = target / source
    interval = None
    if all(side[:, 0].any() for side in rows):  # else all resamples are 0, or infinite
        ratios = ratios[~np.isnan(ratios)]
        ends = np.quantile(ratios, tails_of(0.95, len(rows[0])), method="nearest")
        interval = ends.tolist()
    return {"interval": interval, "p_value": difference.permutation_p}
