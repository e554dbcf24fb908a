"""Simplification statistics as defined, for one text, its source, and words joined by spaces."""

import re
from collections import Counter

from tests.literal.edits import table
from tests.literal.sari import grams, ratio


def nist_words(text):
    """Number of words by the NIST tokeniser of NLTK, whose counts EASSE divides by."""
    for entity, character in (("<skipped>", ""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(entity, character)
    text = f" {text} "
    text = re.sub(r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 ", text)
    text = re.sub(r"([^0-9])([\.,])", r"\1 \2 ", text)
    text = re.sub(r"([\.,])([^0-9])", r" \1 \2", text)
    text = re.sub("([0-9])(-)", r"\1 \2 ", text)
    return len(text.split())


def common_subsequence(a, b):
    """Length of the longest."""
    row = [0] * (len(b) + 1)
    for x in a:
        above, row = row, [0]
        for j, y in enumerate(b):
            row.append(above[j] + 1 if x == y else max(above[j + 1], row[j]))
    return row[-1]


def stats(source, target, sentences):
    s, t = source.split(), target.split()
    kept = sum((Counter(s) & Counter(t)).values())
    added = sum((Counter(t) - Counter(s)).values())
    deleted = sum((Counter(s) - Counter(t)).values())
    longer = max(nist_words(source), nist_words(target))
    characters = len(source) + len(target)
    indel = characters - 2 * common_subsequence(source, target)
    found = {
        "compression_ratio": ratio(len(target), len(source), 0),
        "sentence_splits": ratio(sentences(target), sentences(source), 0),
        "levenshtein_similarity": 1 - ratio(indel, characters, 0),
        "exact_copies": float(source == target),
        "additions_proportion": ratio(added, longer, 0),
        "deletions_proportion": ratio(deleted, longer, 0),
        "words": len(t),
        "words_per_sentence": ratio(len(t), sentences(target), 0),
        "length_change": 100 * ratio(len(t) - len(s), len(s), float(len(t) > 0)),
        "kept_words": kept,
        "added_words": added,
        "deleted_words": deleted,
        "reordered_words": kept - common_subsequence(s, t),
        "jaccard_similarity": ratio(len({*s} & {*t}), len({*s} | {*t}), 1),
        "word_edit_distance": ratio(table(s, t)[-1][-1], max(len(s), len(t)), 0),
        "split_share": float(sentences(target) > sentences(source)),
        "under_half_share": float(len(t) < len(s) / 2),
    }
    for n in range(1, 5):
        novel = {*grams(t, n)} - {*grams(s, n)}
        found[f"novel_{n}grams"] = ratio(len(novel), len(grams(t, n)), 0)
    return found
