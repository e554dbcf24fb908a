"""ROUGE as rouge_score 0.1.2 computes it with a stemmer, in plain loops."""

import functools
import re

from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped, unused-ignore]

from tests.literal.f1_token import f1_of_counts


def tokens(text, stem=True):
    """Lowercased letters and digits of English; words of four letters or more are stemmed."""
    words = re.sub("[^a-z0-9]", " ", text.lower()).split()
    return [PorterStemmer().stem(word) if stem and len(word) > 3 else word for word in words]


def rouge_n(text, other, n, stem=True):
    """F1 of n-grams, each counted as often as both have it."""
    grams = []
    for words in (tokens(text, stem), tokens(other, stem)):
        grams.append([tuple(words[i : i + n]) for i in range(len(words) - n + 1)])
    rest = list(grams[1])
    hits = 0
    for gram in grams[0]:
        if gram in rest:
            rest.remove(gram)
            hits += 1
    return f1_of_counts(hits, len(grams[0]), len(grams[1]))


def chosen(sentence, other):
    """Places of a longest common subsequence, read from the end, the sentence's words first."""

    @functools.cache
    def length(i, j):
        if not i or not j:
            return 0
        if sentence[i - 1] == other[j - 1]:
            return length(i - 1, j - 1) + 1
        return max(length(i - 1, j), length(i, j - 1))

    def places(i, j):
        if not i or not j:
            return []
        if sentence[i - 1] == other[j - 1]:
            return [*places(i - 1, j - 1), i - 1]
        return places(i, j - 1) if length(i, j - 1) > length(i - 1, j) else places(i - 1, j)

    return places(len(sentence), len(other))


def rouge_l(text, other, stem=True):
    """F1 of a longest common subsequence."""
    own, rest = tokens(text, stem), tokens(other, stem)
    return f1_of_counts(len(chosen(own, rest)), len(own), len(rest))


def rouge_lsum(text, other, split, stem=True):
    """F1 of the words in the union of each sentence's LCS with the other's sentences."""
    own_sentences = [tokens(sentence, stem) for sentence in split(text)]
    other_sentences = [tokens(sentence, stem) for sentence in split(other)]
    own = [word for sentence in own_sentences for word in sentence]
    rest_own, rest = list(own), [word for sentence in other_sentences for word in sentence]
    n = len(rest)
    hits = 0
    for sentence in own_sentences:
        union = {i for candidate in other_sentences for i in chosen(sentence, candidate)}
        for i in sorted(union):
            if sentence[i] in rest and sentence[i] in rest_own:
                rest.remove(sentence[i])
                rest_own.remove(sentence[i])
                hits += 1
    return f1_of_counts(hits, len(own), n)
