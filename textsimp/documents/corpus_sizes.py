"""Sizes of a corpus of documents and their simplifications, and the odds of words."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from textsimp.core.columns import parallel_texts, texts
from textsimp.support.errors import InputError
from textsimp.text.functions import Function, check_function
from textsimp.text.sentences import ALL_SCRIPTS, get_splitter
from textsimp.text.tokenizers import TOKENIZERS, Encoder


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
) -> dict[str, Any]:
    """Return how much more often the simple side uses a word, or any of a list (equation 1).

    With n(x) the occurrences of x among the N words of a side,

        odds(x) = n(x) / (N − n(x)),  odds ratio = odds of the target side / odds of the source side

    above 1 if the simplifications prefer the word. Nothing is smoothed: a word that only the
    source has gives 0, one that only the target has infinity, one that neither has NaN. The
    p-value is that of Pearson's chi-square test on the same 2 × 2 table with Yates' continuity
    correction (SciPy's ``chi2_contingency``); NaN for a word that neither side has.

    Args:
        sources: Documents, strings. Texts are lowercased.
        targets: Their simplifications.
        words: A word, or a list of them whose occurrences are added up. One token each, of any
            case.
        tokenizer: What counts as a word, as in `corpus_statistics`.

    Returns:
        ``odds_ratio``, ``p_value``, ``chi2``, ``source_count`` and ``target_count`` of the words
        together; ``source_words`` and ``target_words``, the sizes of both sides; and ``by_word``.
        For each word (lowercased) it has the first five, ``source_rank`` and ``target_rank``. A
        rank is 1 plus the number of distinct words that are more frequent on that side.
    """
    sources, targets = parallel_texts(sources=sources, targets=targets)
    encoder = _encoder(tokenizer)
    words = texts([words] if isinstance(words, str) else words, "words")
    ids = {word.strip().lower(): _single_token(word, encoder) for word in words}
    sides = [encoder.encode(column).ids for column in (sources, targets)]
    source_counts, target_counts = (
        np.bincount(s, minlength=len(encoder.vocabulary)) for s in sides
    )

    def compare(vocabulary_ids: list[int]) -> dict[str, Any]:
        counts = [int(side[vocabulary_ids].sum()) for side in (source_counts, target_counts)]
        return _compare(*counts, *map(len, sides))

    by_word = {}
    for word, i in ids.items():
        by_word[word] = compare([i])
        by_word[word]["source_rank"] = 1 + int((source_counts > source_counts[i]).sum())
        by_word[word]["target_rank"] = 1 + int((target_counts > target_counts[i]).sum())
    return {
        **compare(sorted(set(ids.values()))),
        "source_words": len(sides[0]),
        "target_words": len(sides[1]),
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


def _compare(
    source_count: int, target_count: int, source_words: int, target_words: int
) -> dict[str, Any]:
    from scipy.stats import contingency

    target_row = [target_count, target_words - target_count]
    table = np.array([target_row, [source_count, source_words - source_count]])
    chi2 = p_value = math.nan
    if table.sum(0).all() and table.sum(1).all():
        chi2, p_value = map(float, contingency.chi2_contingency(table)[:2])
    return {
        "odds_ratio": float(contingency.odds_ratio(table, kind="sample").statistic),
        "p_value": p_value,
        "chi2": chi2,
        "source_count": source_count,
        "target_count": target_count,
    }
