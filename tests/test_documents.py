from __future__ import annotations

import itertools
import json
import math
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.documents import (
    OPERATIONS,
    align_sentences,
    corpus_statistics,
    drop_long,
    odds_ratio,
    sentence_operations,
)
from textsimp.text.sentence_alignment import get_aligner
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import tokenize_13a

ROOT = Path(__file__).parents[1]
SOURCES = ["The cat sat . It was warm and dry .", "Dogs bark ."]
TARGETS = ["The cat sat .", "Dogs bark . They do ."]

words = st.sampled_from(["the", "The", "cat", "sat", "mat", "on", "a", "old", "and"])
sentences = st.lists(words, min_size=1, max_size=5).map(lambda tokens: " ".join([*tokens, "."]))
documents = st.lists(sentences, max_size=6).map(" ".join)
corpora = st.lists(st.tuples(documents, documents), min_size=1, max_size=4)


def columns(corpus: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [source for source, _ in corpus], [target for _, target in corpus]


def dataset(sources: list[str], targets: list[str]) -> Dataset:
    return Dataset.from_dict({"normal": sources, "simple": targets, "id": [*range(len(sources))]})


# Corpus statistics


def test_statistics_count_documents_sentences_and_words_of_both_sides() -> None:
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


def test_statistics_of_tokenised_and_detokenised_text_agree() -> None:
    detokenised = [text.replace(" .", ".") for text in SOURCES]
    by_form = [corpus_statistics(form, TARGETS) for form in (SOURCES, detokenised)]
    assert by_form[0] == by_form[1]
    assert corpus_statistics(detokenised, TARGETS, tokenizer="none")["source_words"] == 10


def test_statistics_take_a_splitter_of_ones_own() -> None:
    result = corpus_statistics(SOURCES, TARGETS, splitter=lambda text: text.split(" and "))
    assert result["source_sentences"] == 3
    assert result["target_sentences"] == 2


def test_ratios_of_nothing_to_nothing_are_nan() -> None:
    result = corpus_statistics([""], [""])
    assert math.isnan(result["source_words_per_sentence"])
    assert math.isnan(result["word_compression_ratio"])


@given(corpora)
def test_totals_are_those_of_the_documents(corpus: list[tuple[str, str]]) -> None:
    total = corpus_statistics(*columns(corpus))
    each = [corpus_statistics([source], [target]) for source, target in corpus]
    for key in ("documents", "source_sentences", "target_words"):
        assert total[key] == sum(one[key] for one in each)


# Odds ratios


def literal_comparison(table: list[list[int]]) -> dict[str, float]:
    """Equation 1 and the Yates-corrected chi-square test, cell by cell."""
    (a, b), (c, d) = table
    n, rows, cols = a + b + c + d, (a + b, c + d), (a + c, b + d)
    if 0 in rows + cols:
        return {"odds_ratio": math.nan, "chi2": math.nan, "p_value": math.nan}
    chi2 = 0.0
    for observed, row, col in ((a, 0, 0), (b, 0, 1), (c, 1, 0), (d, 1, 1)):
        expected = rows[row] * cols[col] / n
        chi2 += max(0.0, abs(observed - expected) - 0.5) ** 2 / expected
    ratio = (a / b) / (c / d) if b and c and d else (math.inf if a and d else 0.0)
    return {"odds_ratio": ratio, "chi2": chi2, "p_value": math.erfc(math.sqrt(chi2 / 2))}


@given(corpora, st.lists(words, min_size=1, max_size=3))
def test_odds_ratio_is_that_of_the_two_by_two_table(
    corpus: list[tuple[str, str]], chosen: list[str]
) -> None:
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
def test_rank_is_one_more_than_the_number_of_more_frequent_words(
    corpus: list[tuple[str, str]],
) -> None:
    sources, targets = columns(corpus)
    by_word = odds_ratio(sources, targets, words=["cat", "the", "unseen"])["by_word"]
    for side, column in (("source", sources), ("target", targets)):
        counts = Counter(" ".join(column).lower().split())
        for word, row in by_word.items():
            better = [other for other in counts if counts[other] > counts[word]]
            assert row[f"{side}_rank"] == 1 + len(better)


def test_above_one_means_that_the_simple_side_prefers_the_word() -> None:
    result = odds_ratio(["if so and if not we go"], ["so and so and so we go"], words="And")
    assert result["odds_ratio"] == pytest.approx((2 / 5) / (1 / 6))
    assert set(result["by_word"]) == {"and"}


def test_a_word_of_one_side_only_has_odds_ratio_zero_or_infinity() -> None:
    result = odds_ratio(["a b c d"], ["a e c d"], words=["b", "e", "z"])["by_word"]
    assert result["b"]["odds_ratio"] == 0
    assert result["e"]["odds_ratio"] == math.inf
    assert math.isnan(result["z"]["odds_ratio"])
    assert math.isnan(result["z"]["p_value"])


def test_a_word_in_two_cases_is_one_word() -> None:
    both, one = (odds_ratio(SOURCES, TARGETS, words=w) for w in (["The", "the "], "the"))
    assert both == one


@pytest.mark.parametrize("listed", ["as well", "", ["the", "e.g."], []])
def test_words_must_be_single_tokens(listed: str | list[str]) -> None:
    with pytest.raises(InputError, match=r"words: expected (one token each|at least one row)"):
        odds_ratio(SOURCES, TARGETS, words=listed)


# Long documents


def test_documents_with_more_words_than_the_limit_on_either_side_are_dropped() -> None:
    assert drop_long(["a b c", "a", "a b"], ["a", "a b c", "a b"], max_words=2) == (
        ["a b"],
        ["a b"],
    )


def test_dropping_keeps_the_other_columns_of_a_dataset() -> None:
    data = dataset(["a b c", "a b"], ["a", "a"])
    kept = drop_long(data, source="normal", target="simple", max_words=2)
    assert kept.to_dict() == {"normal": ["a b"], "simple": ["a"], "id": [1]}


def test_dropping_from_a_dataset_dict_gives_a_dataset_dict() -> None:
    data = DatasetDict({"test": dataset(["a b c"], ["a"]), "train": dataset(["a"], ["a"])})
    kept = drop_long(data, source="normal", target="simple", max_words=2)
    assert isinstance(kept, DatasetDict)
    assert kept.num_rows == {"test": 0, "train": 1}


@pytest.mark.parametrize("limit", [-1, 1.5, "10", True])
def test_the_limit_is_a_number_of_words(limit: int) -> None:
    with pytest.raises(InputError, match="max_words"):
        drop_long(SOURCES, TARGETS, max_words=limit)


# Alignment and sentence operations

HEN = "the hen laid a white egg on straw ."
BOY = "a boy found it before breakfast ."
SUN = "rain and sun followed each other ."


def operations(source: list[str], target: list[str]) -> dict[str, int]:
    result = sentence_operations([" ".join(source)], [" ".join(target)])
    return {name: result[name] for name in OPERATIONS if result[name]}


def test_sentences_left_as_they_are_show_no_operation() -> None:
    assert operations([HEN, BOY, SUN], [HEN, BOY, SUN]) == {}


def test_a_source_sentence_aligned_with_two_is_split() -> None:
    assert operations([HEN, BOY], ["the hen laid a white egg .", "on straw .", BOY]) == {"split": 1}


def test_a_target_sentence_aligned_with_two_is_joined() -> None:
    joined = "a boy found it before breakfast and rain and sun followed each other ."
    assert operations([HEN, BOY, SUN], [HEN, joined]) == {"joined": 1}


def test_unaligned_sentences_are_deleted_and_added() -> None:
    assert operations([HEN, BOY], [HEN]) == {"deleted": 1}
    assert operations([HEN], [HEN, SUN]) == {"added": 1}


def test_sentences_out_of_order_are_reordered() -> None:
    assert operations([HEN, BOY, SUN], [SUN, HEN, BOY]) == {"reordered": 1}
    assert operations([HEN, BOY, SUN], [SUN, BOY, HEN]) == {"reordered": 2}


def test_repeated_sentences_keep_their_order() -> None:
    assert align_sentences([HEN, BOY, HEN], [HEN, BOY, HEN]) == [(0, 0), (1, 1), (2, 2)]


def test_empty_documents_are_deleted_or_added_as_a_whole() -> None:
    result = sentence_operations([f"{HEN} {BOY}", ""], ["", SUN])
    assert (result["deleted"], result["added"]) == (2, 1)
    assert (result["documents_with_deleted"], result["documents_with_added"]) == (1, 1)


def test_a_lower_threshold_aligns_more() -> None:
    pair = [HEN], ["the hen sat ."]
    assert align_sentences(*pair, threshold=0.2) == [(0, 0)]
    assert align_sentences(*pair, threshold=0.9) == []


def literal_alignment(
    source: list[str], target: list[str], threshold: float = 0.15
) -> set[tuple[int, int]]:
    """`align_sentences` as its docstring says it, with sets and loops."""
    bags = [set(tokenize_13a(text.lower()).split()) for text in source + target]
    weight = {
        token: math.log(1 + len(bags) / sum(token in bag for bag in bags))
        for token in set().union(*bags)
    }

    def cosine(i: int, j: int) -> float:
        a, b = bags[i], bags[len(source) + j]
        squares = [sum(weight[token] ** 2 for token in tokens) for tokens in (a & b, a, b)]
        return squares[0] / math.sqrt(squares[1] * squares[2])

    def closeness(i: int, j: int) -> tuple[float, float, int, int]:
        distance = abs(i / len(source) - j / len(target))
        return round(cosine(i, j), 8), -round(distance, 8), -i, -j

    pairs = itertools.product(range(len(source)), range(len(target)))
    chosen = {
        max(((i, j) for j in range(len(target))), key=lambda p: closeness(*p))
        for i in range(len(source))
    }
    chosen |= {
        max(((i, j) for i in range(len(source))), key=lambda p: closeness(*p))
        for j in range(len(target))
    }
    return {pair for pair in pairs if pair in chosen and cosine(*pair) >= threshold - 1e-9}


texts = st.lists(sentences, min_size=1, max_size=6)


@given(texts, texts)
def test_alignment_is_what_its_description_says(source: list[str], target: list[str]) -> None:
    aligned = align_sentences(source, target)
    assert aligned == sorted(aligned)
    assert set(aligned) == literal_alignment(source, target)


@given(texts)
def test_a_document_left_as_it_is_shows_no_operation(source: list[str]) -> None:
    assert align_sentences(source, source) == [(i, i) for i in range(len(source))]
    assert operations(source, source) == {}


@given(corpora)
def test_counts_of_operations_add_up(corpus: list[tuple[str, str]]) -> None:
    result = sentence_operations(*columns(corpus))
    split = get_splitter().sentences
    expected: Counter[str] = Counter(dict.fromkeys(OPERATIONS, 0))
    for source, target in corpus:
        sides = split(source), split(target)
        expected.update(source_sentences=len(sides[0]), target_sentences=len(sides[1]))
        aligned = align_sentences(*sides) if all(sides) else []
        sources, targets = (
            (Counter(side) for side in zip(*aligned, strict=True))
            if aligned
            else (Counter(), Counter())
        )
        expected["split"] += sum(n > 1 for n in sources.values())
        expected["joined"] += sum(n > 1 for n in targets.values())
        expected["deleted"] += len(sides[0]) - len(sources)
        expected["added"] += len(sides[1]) - len(targets)
        assert len(aligned) >= max(len(sources), len(targets))
    assert {key: result[key] for key in expected if key != "reordered"} == {
        key: n for key, n in expected.items() if key != "reordered"
    }
    assert all(result[f"documents_with_{name}"] <= result["documents"] for name in OPERATIONS)


@given(st.permutations(range(6)))
def test_reordered_is_the_fewest_sentences_to_take_out(order: list[int]) -> None:
    source = [f"w{i} x{i} y{i} ." for i in range(6)]
    kept = max(
        size
        for size in range(7)
        if any(list(c) == sorted(c) for c in itertools.combinations(order, size))
    )
    result = operations(source, [source[i] for i in order])
    assert result.get("reordered", 0) == 6 - kept


@pytest.mark.parametrize("threshold", [0, 1.1, math.nan])
def test_the_threshold_is_a_share(threshold: float) -> None:
    with pytest.raises(InputError, match="threshold: expected a number above 0 and at most 1"):
        align_sentences([HEN], [HEN], threshold=threshold)
    with pytest.raises(InputError, match="threshold"):
        sentence_operations([HEN], [HEN], threshold=threshold)


# For each target sentence of the example documents, the source sentences it says again.
BY_HAND = [
    [[0], [1], [1], [2], [3], [4], [4], [5], [6]],
    [[0], [0], [1], [2], [2], [3], [4], [4], [5], [5], [6], [6], [7], [7]],
    [[0], [0], [1], [1], [2], [2], [3], [4], [6], [7], [8], [8]],
    [[0], [0], [1], [2], [2], [3], [3], [4], [4], [5]],
    [[0], [0], [1], [1], [2], [3], [4], [4], [5], [5], [6], [7], [8], [9], [10]],
    [[0], [0], [1], [2], [3], [3], [4], [4], [5], [5], [6]],
    [[0], [0], [1], [1], [2], [2], [3], [3], [4], [5], [7], [8], [8]],
    [[0], [0], [1], [2], [4], [5], [5], [6], [6], [8], [8], [7], [11], [12]],
]


def test_the_alignment_agrees_with_one_made_by_hand_as_documented() -> None:
    folder = ROOT / "examples" / "documents"
    paths = folder / "source.txt", folder / "references" / "0.txt"
    pairs = zip(*(path.read_text(encoding="utf-8").splitlines() for path in paths), strict=True)
    found = right = 0
    for (source, target), rows in zip(pairs, BY_HAND, strict=True):
        by_hand = {(i, j) for j, row in enumerate(rows) for i in row}
        aligned = align_sentences(*map(get_splitter().sentences, (source, target)))
        found += len(aligned)
        right += len(by_hand.intersection(aligned))
    assert (right, found, sum(map(len, BY_HAND))) == (82, 84, 98)


# Forms of input

FUNCTIONS = [
    corpus_statistics,
    sentence_operations,
    lambda *args, **kwargs: odds_ratio(*args, words="the", **kwargs),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_dataset_gives_what_its_columns_give(function) -> None:  # type: ignore[no-untyped-def]
    data = dataset(SOURCES, TARGETS)
    expected = function(SOURCES, TARGETS)
    assert function(data, source="normal", target="simple") == expected
    assert function(data["normal"], data["simple"]) == expected
    assert json.loads(json.dumps(expected)) == expected


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_dataset_dict_gives_a_result_per_split(function) -> None:  # type: ignore[no-untyped-def]
    splits = DatasetDict({"train": dataset(SOURCES, TARGETS), "test": dataset(TARGETS, SOURCES)})
    result = function(splits, source="normal", target="simple")
    assert type(result) is dict
    assert result == {"train": function(SOURCES, TARGETS), "test": function(TARGETS, SOURCES)}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((SOURCES,), "targets: expected a column of strings beside .* got list"),
        ((SOURCES, TARGETS[:1]), "sources has 2, targets has 1"),
        ((["a", None], TARGETS), "row 1 of sources"),
        ((dataset(SOURCES, TARGETS),), "column 'source': the dataset has none; it has normal"),
        ((dataset(SOURCES, TARGETS), TARGETS), "targets: expected none beside a Dataset"),
        ((DatasetDict(test=dataset(SOURCES, TARGETS)),), "split test: column 'source'"),
    ],
)
def test_bad_input_is_one_clear_error(args, message: str) -> None:  # type: ignore[no-untyped-def]
    for function in (*FUNCTIONS, drop_long):
        with pytest.raises(InputError, match=message):
            function(*args)


def test_an_unknown_tokenizer_lists_the_valid_ones() -> None:
    with pytest.raises(InputError, match=r"tokenizer: expected one of '13a', .*, got 'spacy'"):
        corpus_statistics(SOURCES, TARGETS, tokenizer="spacy")


def test_the_module_loads_neither_datasets_nor_scipy() -> None:
    check = (
        "import sys, textsimp.documents; print({'datasets', 'scipy', 'nltk'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, check=True, text=True)
    assert done.stdout == "set()\n"


def test_words_that_are_one_token_are_counted_once() -> None:
    found = odds_ratio(["a & b"], ["a & & b"], words=["&", "&amp;"])
    assert (found["source_count"], found["target_count"]) == (1, 2)


def test_the_extremes_of_options_are_allowed() -> None:
    assert drop_long(["a", ""], ["", ""], max_words=0) == ([""], [""])
    assert align_sentences(["a b"], ["a b"], threshold=1) == [(0, 0)]


def test_a_side_without_words_has_no_p_value() -> None:
    for sides in (([""], ["a b"]), (["a b"], [""])):
        assert math.isnan(odds_ratio(*sides, words="a")["p_value"])


def test_empty_sentences_are_aligned_with_none() -> None:
    assert align_sentences(["", "a"], ["a", ""]) == [(1, 0)]


@pytest.mark.parametrize("size", [3, 5, 7])
def test_links_do_not_depend_on_the_other_documents(size: int) -> None:
    """A document that repeats itself has as good links to either copy: rounding must not choose."""
    words = [f"w{i}" for i in range(60)]
    align = get_aligner(monotone=True).align
    for seed in range(100):
        rng = random.Random(seed)
        document = [" ".join(rng.choices(words, k=rng.randint(4, 14))) for _ in range(size)]
        (alone,) = align([document], [document * 2])
        _, after_others = align([words[::-1], document], [[], document * 2])
        np.testing.assert_array_equal(alone > -np.inf, after_others > -np.inf)
