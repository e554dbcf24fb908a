"""FKGL and its components (Tanprasert & Kauchak 2021)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import strategies
from tests.literal import fkgl as literal
from textsimp.metrics.fkgl_components import RATIOS, SUMS, FkglComponents
from textsimp.text.sentences import get_splitter

COMPONENTS = (*RATIOS, *SUMS)
split = get_splitter().sentences

# Sentences whose ends, words and odd tokens the programs see differently.
_WORDS = "The cat be simplified Mr. don't U.S. -lrb- $5.00 x_y 1,000"
_MARKS = [".", ".", "!", "?", ",", " ", " ", " ", " . ", "...", "\n", "-", "(", "’s", "É", "word."]
pieces = st.sampled_from([*_WORDS.split(), *_MARKS])
texts = st.one_of(st.lists(pieces, max_size=12).map("".join), strategies.texts)
corpora = st.lists(texts, min_size=1, max_size=5)

no_words = example(["", "   ", "...", "\n", "-lrb- -rrb-", "'s"])
no_stop = example(["just some words"])


def score(variant="default", *, sources=None, references=None, **options):
    predictions = options.pop("predictions")
    metric, given = FkglComponents.configure({"variant": variant, **options})
    return metric.score(sources=sources, predictions=predictions, references=references, **given)


def components(scores, side=""):
    return {name: scores[side + name] for name in COMPONENTS}


# Presets, against the programs they stand for --------------------------------------------------


@given(corpora)
@no_words
@no_stop
def test_default_equals_its_definition(lines):
    expected = literal.default(lines, split)
    assert components(score(predictions=lines)) == pytest.approx(expected, abs=1e-9)


@given(corpora)
@no_words
@no_stop
def test_easse_equals_easse(lines):
    expected = literal.easse(lines, split)
    assert components(score("easse", predictions=lines)) == pytest.approx(expected, abs=1e-9)


@given(corpora, st.none() | st.integers(1, 40))
@example([" ", "\n"], None)
@example(["just some words"], None)
def test_paper_equals_the_script_on_all_lines_as_one_text(lines, sentences):
    expected = literal.paper(lines, sentences)
    scores = score("paper", predictions=lines, sentences=sentences)
    assert components(scores) == pytest.approx(expected, abs=1e-9)
    if sentences:
        assert scores["words_per_sentence"] == expected["words"] / sentences


@given(corpora)
@no_words
@no_stop
@example(["The cat sat on the mat. It was a very old animal."])  # it rounds
def test_textstat_equals_textstat_on_all_lines_as_one_text(lines):
    pyphen = pytest.importorskip("pyphen", reason="needs the extra languages")
    expected = literal.textstat(lines, pyphen.Pyphen(lang="en_US").positions)
    assert components(score("textstat", predictions=lines)) == pytest.approx(expected, abs=1e-9)


# Words and sides --------------------------------------------------------------------------------


def test_a_text_counts_the_same_tokenized():
    natural = score(predictions=["It’s the boss's hat (red) which he lost, not mine."])
    tokenized = score(
        predictions=["It 's the boss 's hat -lrb- red -rrb- which he lost , not mine ."]
    )
    assert natural["words"] == tokenized["words"] == 10
    assert natural["sentences"] == tokenized["sentences"] == 1


def test_sums_are_integers_and_means_over_references_are_not():
    scores = score(predictions=["A cat."], sources=["A cat."], references=[["A cat.", "Cats."]])
    for name in SUMS:
        assert type(scores[name]) is type(scores[f"source_{name}"]) is int
    assert (scores["reference_words"], scores["reference_sentences"]) == (1.5, 1.0)


def test_the_split_rate_is_the_share_of_outputs_with_more_sentences():
    scores = score(
        sources=["He came and he left.", "He came. He left.", "A."],
        predictions=["He came. He left.", "He came and left.", "A."],
        references=[["He came. He left.", "He came."], ["He came."], ["A."]],
    )
    assert scores["split_rate"] == 1 / 3
    assert scores["reference_split_rate"] == 0.5 / 3


def test_the_paper_counts_periods_to_tell_a_split():
    scores = score("paper", sources=["He left ."], predictions=["Mr. X left ."])
    assert scores["split_rate"] == 1


# Sums -------------------------------------------------------------------------------------------


def test_lines_after_the_first_leave_what_precedes_their_first_word_to_the_line_before():
    words = score("paper", predictions=["... a", "... a", "", "a"], per_example=True)
    # "... ", "a" and "\n... "; "a" and "\n\n"; none; "a" and "\n"
    assert words["words_per_example"] == [3, 2, 0, 2]
    assert words["words"] == 7


def test_a_splitter_that_finds_no_sentence_gives_one():
    scores = score(predictions=["Just some words."], splitter=lambda text: [])
    assert (scores["sentences"], scores["words_per_sentence"]) == (1, 3)


def test_examples_share_a_given_number_of_sentences():
    lines = ["a . b .", "c ."]
    scores = score("paper", predictions=lines, sentences=6, per_example=True)
    assert scores["sentences_per_example"] == [4, 2]
    some = score("paper", predictions=["a . b .", "c"], sentences=6, per_example=True)
    assert some["sentences_per_example"] == [6, 1]  # a text with words has a sentence
    assert some["sentences"] == 6
    nothing = score("paper", predictions=["a", "b"], sentences=6, per_example=True)
    assert nothing["sentences_per_example"] == [3, 3]


# Options ----------------------------------------------------------------------------------------


def test_other_languages_by_hyphenation():
    pytest.importorskip("pyphen", reason="needs the extra languages")
    scores = score(predictions=["Die Katze schläft im Garten."], syllables="pyphen-de")
    assert scores["syllables"] == 7
    assert "|syll:pyphen-de|" in scores["signature"]
