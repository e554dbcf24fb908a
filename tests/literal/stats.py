"""Simplification statistics as defined, for one text, its source, and words joined by spaces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any


def nist_words(text: str) -> int:
    """Number of words by the NIST tokeniser of NLTK, whose counts EASSE divides by."""
    text = text.replace("<skipped>", "")
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(entity, character)
    text = f" {text} "
    text = re.sub(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 ", text)
    text = re.sub(r"([^0-9])([\.,])", r"\1 \2 ", text)
    text = re.sub(r"([\.,])([^0-9])", r" \1 \2", text)
    text = re.sub("([0-9])(-)", r"\1 \2 ", text)
    return len(text.split())


def common_subsequence(a: Sequence[Any], b: Sequence[Any]) -> int:
    """Length of the longest."""
    row = [0] * (len(b) + 1)
    for x in a:
        above, row = row, [0]
        for j, y in enumerate(b):
            row.append(above[j] + 1 if x == y else max(above[j + 1], row[j]))
    return row[-1]


def edit_distance(a: Sequence[Any], b: Sequence[Any]) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j - 1] + (x != y), above[j] + 1, row[j - 1] + 1))
    return row[-1]


def ngrams(words: list[str], n: int) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + n]) for i in range(len(words) - n + 1)}


def ratio(a: float, b: float, otherwise: float = 0) -> float:
    return a / b if b else otherwise


def stats(source: str, target: str, sentences: Callable[[str], int]) -> dict[str, float]:
    s, t = source.split(), target.split()
    kept = sum((Counter(s) & Counter(t)).values())
    added = sum((Counter(t) - Counter(s)).values())
    deleted = sum((Counter(s) - Counter(t)).values())
    longer = max(nist_words(source), nist_words(target))
    characters = len(source) + len(target)
    indel = characters - 2 * common_subsequence(source, target)
    found = {
        "compression_ratio": ratio(len(target), len(source)),
        "sentence_splits": ratio(sentences(target), sentences(source)),
        "levenshtein_similarity": 1 - ratio(indel, characters),
        "exact_copies": float(source == target),
        "additions_proportion": ratio(added, longer),
        "deletions_proportion": ratio(deleted, longer),
        "words": len(t),
        "words_per_sentence": ratio(len(t), sentences(target)),
        "length_change": 100 * ratio(len(t) - len(s), len(s), float(len(t) > 0)),
        "kept_words": kept,
        "added_words": added,
        "deleted_words": deleted,
        "reordered_words": kept - common_subsequence(s, t),
        "jaccard_similarity": ratio(len({*s} & {*t}), len({*s} | {*t}), 1),
        "word_edit_distance": ratio(edit_distance(s, t), max(len(s), len(t))),
        "split_share": float(sentences(target) > sentences(source)),
        "under_half_share": float(len(t) < len(s) / 2),
    }
    for n in range(1, 5):
        novel = ngrams(t, n) - ngrams(s, n)
        found[f"novel_{n}grams"] = ratio(len(novel), len(ngrams(t, n)))
    return found
