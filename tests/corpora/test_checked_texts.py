"""Words of checked texts as ids, and texts matched with sources, against sets of strings."""

import re
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.literal import source_lines
from textsimp.corpora.checked_texts import REFERENCES, SOURCES, TextColumns, Words
from textsimp.corpora.source_lines import SourceLines
from textsimp.text.languages import FUNCTION_WORDS, detect, guess_languages, rows_in_others

WORDS = ["the", "The ", "cat", "I can", "’t", "let me", "sorry", "Σ", "İ", "é", "e\u0301", "中文"]
MARKS = [" ", "²", "_", "2", "-", "\n", "\x00", "\x1c", "\u00a0", ".", "||"]
PIECES = st.sampled_from([*WORDS, *MARKS])
TEXT = st.lists(PIECES, max_size=8).map("".join) | st.text(max_size=8)
PARTS = st.sampled_from(
    ["i can", "let me", "sorry", " or ", "\n", "||", "e", "i’", "t ", "2", "at"]
)


def words_of(text, *, spaced):
    if spaced:
        return re.findall(r"\w+", text.lower())
    return [a + b for a, b in pairwise(text)]


@given(st.lists(TEXT, min_size=1, max_size=6), st.lists(TEXT, max_size=6))
def test_words_are_those_that_a_pattern_finds_in_lower_case(sources, others):
    words = Words({SOURCES: sources, "other": others})
    spaced = detect(sources).spaced
    for name, texts in ((SOURCES, sources), ("other", others)):
        expected = [words_of(text, spaced=spaced) for text in texts]
        for tokens, same in ((words.ordered(name), list), (words.distinct[name], set)):
            got = [[words.vocabulary[i] for i in ids] for ids in tokens.lists()]
            assert [*map(same, got)] == [*map(same, expected)]
            assert same is list or sum(map(len, got)) == sum(len({*own}) for own in expected)


@given(st.lists(TEXT, min_size=1, max_size=6), st.sets(PARTS, min_size=1, max_size=3))
def test_rows_with_a_part_are_those_whose_text_has_it_in_lower_case(texts, parts):
    expected = [i for i, text in enumerate(texts) if any(part in text.lower() for part in parts)]
    assert Words({SOURCES: texts}).rows_with(SOURCES, parts) == expected


SENTENCES = st.lists(st.sampled_from("abcdefghijkl"), max_size=5).map(" ".join)


@given(st.data(), st.lists(SENTENCES, min_size=1, max_size=30), st.integers(1, 4))
def test_lines_match_sources_as_sets_of_words_do(data, sources, times):
    sources = [source for source in sources for _ in range(times)]
    moved = data.draw(st.integers(-3, 3))
    texts = [*sources[moved:], *sources[:moved]]
    for row in data.draw(st.lists(st.integers(0, len(sources) - 1), max_size=4)):
        texts[row] = data.draw(SENTENCES)
    words = Words({SOURCES: sources, "ours": texts}).distinct
    expected = source_lines.match(*([{*text.split()} for text in own] for own in (sources, texts)))
    assert tuple(SourceLines(words[SOURCES]).match(words["ours"])) == expected


def test_missing_references_have_no_words():
    references = [["a b", "c"], ["d"], ["e", "f g", "h"]]
    texts = TextColumns(["x", "y", "z"], references, {})
    vocabulary = texts.words.vocabulary
    got = [
        [" ".join(vocabulary[i] for i in ids) for ids in column.lists()]
        for column in texts.reference_words()
    ]
    assert got == [["a b", "d", "e"], ["c", "", "f g"], ["", "", "h"]]
    assert texts.reference_rows.tolist() == [0, 0, 1, 2, 2, 2]
    assert len(texts.words.distinct[REFERENCES]) == 6


FUNCTION_TEXTS = st.lists(
    st.sampled_from(sorted({*FUNCTION_WORDS["en"], *FUNCTION_WORDS["de"], *FUNCTION_WORDS["fr"]}))
    | st.sampled_from(["cat", "der_die", "2le", "la2la"]),
    max_size=12,
).map(" ".join)


@given(st.lists(FUNCTION_TEXTS, min_size=1, max_size=5), st.sets(st.sampled_from(["en", "de"])))
def test_texts_in_other_languages_are_among_those_that_may_be(texts, codes):
    words = Words({SOURCES: texts})
    rows = {*rows_in_others([*codes], words.distinct[SOURCES], words.vocabulary)}
    for i, text in enumerate(texts):
        languages = {*guess_languages(text)}
        if codes and languages and languages.isdisjoint(codes):
            assert i in rows
        elif not any(map(str.isdigit, text)) and "_" not in text:
            assert i not in rows


def test_ids_take_little_memory():
    words = Words({SOURCES: ["a b"] * 100})
    assert words.distinct[SOURCES].ids.dtype == words.pieces[SOURCES].ids.dtype == np.int32
