import math
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.documents.corpora import columns, corpora, words
from textsimp import InputError
from textsimp.documents import corpus_statistics, odds_ratio, sentence_operations

SOURCES = ["The cat sat . It was warm and dry .", "Dogs bark ."]
TARGETS = ["The cat sat .", "Dogs bark . They do ."]


# Corpus statistics


def test_statistics_count_documents_sentences_and_words_of_both_sides():
    assert corpus_statistics(SOURCES, TARGETS) == {
        "documents": 2,
        "source_sentences": 3,
        "source_words": 13,
        "source_sentences_per_document": 1.5,
        "source_words_per_document": 6.5,
        "source_words_per_sentence": 13 / 3,
        "target_sentences": 3,
        "target_words": 10,
        "target_sentences_per_document": 1.5,
        "target_words_per_document": 5.0,
        "target_words_per_sentence": 10 / 3,
        "sentence_compression_ratio": 1.0,
        "word_compression_ratio": 10 / 13,
    }


def test_statistics_of_tokenised_and_detokenised_text_agree():
    detokenised = [text.replace(" .", ".") for text in SOURCES]
    by_form = [corpus_statistics(form, TARGETS) for form in (SOURCES, detokenised)]
    assert by_form[0] == by_form[1]
    assert corpus_statistics(detokenised, TARGETS, tokenizer="none")["source_words"] == 10


def test_statistics_take_a_splitter_of_ones_own():
    result = corpus_statistics(SOURCES, TARGETS, splitter=lambda text: text.split(" and "))
    assert result["source_sentences"] == 3
    assert result["target_sentences"] == 2


def test_ratios_of_nothing_to_nothing_are_nan():
    result = corpus_statistics([""], [""])
    assert math.isnan(result["source_words_per_sentence"])
    assert math.isnan(result["word_compression_ratio"])


@given(corpora)
def test_totals_are_those_of_the_documents(corpus):
    total = corpus_statistics(*columns(corpus))
    each = [corpus_statistics([source], [target]) for source, target in corpus]
    for key in ("documents", "source_sentences", "target_words"):
        assert total[key] == sum(one[key] for one in each)


# Odds ratios


def literal_comparison(table):
    """Equation 1 and the Yates-corrected chi-square test, cell by cell."""
    (a, b), (c, d) = table
    n, rows, cols = a + b + c + d, (a + b, c + d), (a + c, b + d)
    if 0 in rows + cols:
        return {"odds_ratio": math.nan, "chi2": math.nan}
    chi2 = 0.0
    for observed, row, col in ((a, 0, 0), (b, 0, 1), (c, 1, 0), (d, 1, 1)):
        expected = rows[row] * cols[col] / n
        chi2 += max(0.0, abs(observed - expected) - 0.5) ** 2 / expected
    ratio = (a / b) / (c / d) if b and c and d else (math.inf if a and d else 0.0)
    return {"odds_ratio": ratio, "chi2": chi2}


@given(corpora, st.lists(words, min_size=1, max_size=3))
@example([("cat sat on mat", "cat the on mat")], ["sat", "the", "old"])  # on one side only, or none
@example([("", "the cat")], ["the"])
@example([("the cat", "")], ["the"])
def test_odds_ratio_is_that_of_the_two_by_two_table(corpus, chosen):
    sources, targets = columns(corpus)
    sides = [" ".join(side).lower().split() for side in (targets, sources)]
    listed = {word.lower() for word in chosen}
    result = odds_ratio(sources, targets, words=chosen)
    for group, row in [(listed, result)] + [({word}, result["by_word"][word]) for word in listed]:
        hits = [sum(token in group for token in side) for side in sides]
        table = [[hit, len(side) - hit] for hit, side in zip(hits, sides, strict=True)]
        for key, value in literal_comparison(table).items():
            assert row[key] == pytest.approx(value, rel=1e-9, abs=1e-12, nan_ok=True), (key, table)
        assert [row["target_count"], row["source_count"]] == hits
    assert [result["target_words"], result["source_words"]] == [len(side) for side in sides]


@given(corpora)
def test_rank_is_one_more_than_the_number_of_more_frequent_words(corpus):
    sources, targets = columns(corpus)
    by_word = odds_ratio(sources, targets, words=["cat", "the", "unseen"])["by_word"]
    for side, column in (("source", sources), ("target", targets)):
        counts = Counter(" ".join(column).lower().split())
        for word, row in by_word.items():
            better = [other for other in counts if counts[other] > counts[word]]
            assert row[f"{side}_rank"] == 1 + len(better)


def test_a_bursty_word_is_tested_by_documents_that_have_it():
    """One document of ten says it thirty times, so chance alone has p = 1."""
    texts = ["the cat sat on the mat"] * 9
    found = odds_ratio([*texts, "the cat"], [*texts, "dog " * 30], words="dog")
    assert found["chi2"] > 20
    assert found["p_value"] == 1


def test_documents_that_all_prefer_a_word_differ_significantly():
    sources = [f"the old cat {i} sat on the mat" for i in range(12)]
    targets = [text.replace("the mat", "a rug") for text in sources]
    assert odds_ratio(sources, targets, words="the")["p_value"] == pytest.approx(1 / 1001)
    assert math.isnan(odds_ratio(sources[:1], targets[:1], words="the")["p_value"])


def test_a_word_in_two_cases_is_one_word():
    both, one = (odds_ratio(SOURCES, TARGETS, words=w) for w in (["The", "the "], "the"))
    assert both == one


@pytest.mark.parametrize("listed", ["as well", "", ["the", "e.g."], []])
def test_words_must_be_single_tokens(listed):
    with pytest.raises(InputError):
        odds_ratio(SOURCES, TARGETS, words=listed)


# Forms of input

FUNCTIONS = [
    corpus_statistics,
    sentence_operations,
    lambda *args, **kwargs: odds_ratio(*args, words="the", **kwargs),
]


@pytest.mark.parametrize(
    ("args", "options", "place"),
    [
        ((SOURCES, TARGETS[:1]), {}, "targets has 1"),
        ((["a", None], TARGETS), {}, "row 1 of sources"),
        ((SOURCES, TARGETS), {"tokenizer": "spacy"}, "^tokenizer: "),
    ],
)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_bad_input_is_one_clear_error(function, args, options, place):
    with pytest.raises(InputError, match=place):
        function(*args, **options)


def test_the_module_loads_neither_datasets_nor_scipy():
    check = (
        "import sys, textsimp.documents; print({'datasets', 'scipy', 'nltk'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, check=True, text=True)
    assert done.stdout == "set()\n"


def test_words_that_are_one_token_are_counted_once():
    found = odds_ratio(["a & b"], ["a & & b"], words=["&", "&amp;"])
    assert (found["source_count"], found["target_count"]) == (1, 2)


# Made-up corpora


def bursty_documents(rng, documents):
    """Documents of 100 words; of ten topics' words one document has many, and the others none."""
    topics = rng.integers(0, 10, documents)
    shares = 0.3 * rng.random(documents)
    return [
        " ".join(np.where(rng.random(100) < share, f"w{topic}", "the"))
        for topic, share in zip(topics, shares, strict=True)
    ]


@pytest.mark.slow
def test_bursty_words_of_equal_sides_rarely_differ():
    rng, p_values = np.random.default_rng(0), []
    for seed in range(200):
        sides = bursty_documents(rng, 60), bursty_documents(rng, 60)
        p_values.append(odds_ratio(*sides, words="w0", resamples=200, seed=seed)["p_value"])
    assert np.mean(np.array(p_values) < 0.05) <= 0.07


@pytest.mark.slow
def test_words_of_targets_that_edit_their_sources_differ_as_often_as_chance_says():
    """A twentieth of all words is replaced at random, so as many come as go."""
    rng, p_values = np.random.default_rng(1), []
    for seed in range(200):
        words = rng.integers(0, 20, (40, 100))
        edited = np.where(rng.random(words.shape) < 0.05, rng.integers(0, 20, words.shape), words)
        sides = ([" ".join(f"w{word}" for word in row) for row in side] for side in (words, edited))
        p_values.append(odds_ratio(*sides, words="w0", resamples=200, seed=seed)["p_value"])
    assert 0.02 <= np.mean(np.array(p_values) < 0.05) <= 0.07
