"""Readability formulas are those of their papers, and of counts that can be checked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.literal import readability as literal
from tests.strategies import sentence_texts
from textsimp import Readability
from textsimp.metrics.readability import count_word, is_easy
from textsimp.metrics.readability_formulas import FORMULAS
from textsimp.text.sentences import get_splitter

split = get_splitter().sentences


def of(*lines, **options):
    return Readability(**options).score(predictions=[*lines])


# Formulas, by hand --------------------------------------------------------------------------------

# A text of 100 words in 5 sentences, so that what papers take of 100 words can be put in as it is.
HUNDRED = {
    "sentences": 5,
    "words": 100,
    "syllables": 150,
    "letters": 450,
    "characters": 460,
    "polysyllables": 12,
    "monosyllables": 65,
    "long_words": 20,
    "difficult_words": 10,
}
EASE = "flesch_reading_ease"
BY_HAND = {
    "en": {
        "lix": 20 + 20,
        "rix": 4,
        EASE: 206.835 - 1.015 * 20 - 84.6 * 1.5,
        "ari": 4.71 * 4.6 + 0.5 * 20 - 21.43,
        "coleman_liau": 0.0588 * 450 - 0.296 * 5 - 15.8,
        "smog": 1.043 * 72**0.5 + 3.1291,  # 72 polysyllables in 30 sentences
        "gunning_fog": 0.4 * (20 + 12),
        "dale_chall": 0.1579 * 10 + 0.0496 * 20 + 3.6365,
    },
    "de": {
        EASE: 180 - 20 - 58.5 * 1.5,
        "wiener_1": 0.1935 * 12 + 0.1672 * 20 + 0.1297 * 20 - 0.0327 * 65 - 0.875,
        "wiener_2": 0.2007 * 12 + 0.1682 * 20 + 0.1373 * 20 - 2.779,
        "wiener_3": 0.2963 * 12 + 0.1905 * 20 - 1.1144,
        "wiener_4": 0.2744 * 12 + 0.2656 * 20 - 1.693,
    },
    "es": {EASE: 206.84 - 0.60 * 150 - 1.02 * 20, "szigriszt_pazos": 206.835 - 62.3 * 1.5 - 20},
    "fr": {EASE: 207 - 1.015 * 20 - 0.736 * 150},
    "it": {EASE: 217 - 1.3 * 20 - 0.6 * 150, "gulpease": 89 - 450 / 10 + 3 * 5},
    "nl": {EASE: 206.84 - 0.77 * 150 - 0.93 * 20},
    "ru": {EASE: 206.835 - 1.3 * 20 - 60.1 * 1.5},
}


@pytest.mark.parametrize("language", FORMULAS)
def test_formulas_are_the_published_ones(language):
    own = {"lix": 40, "rix": 4} | BY_HAND.get(language, {})
    found = {
        key: formula(**{part: HUNDRED[part] for part in formula.counts})
        for key, formula in FORMULAS[language].items()
    }
    assert found == pytest.approx(own, abs=1e-9)


def test_dale_chall_adds_its_constant_above_five_percent_of_difficult_words():
    formula = FORMULAS["en"]["dale_chall"]
    five, more = (formula(sentences=1, words=1000, difficult_words=n) for n in (50, 51))
    assert five == pytest.approx(0.1579 * 5 + 0.0496 * 1000)
    assert more == pytest.approx(0.1579 * 5.1 + 0.0496 * 1000 + 3.6365)


# The metric ---------------------------------------------------------------------------------------


@given(st.lists(sentence_texts, min_size=1, max_size=5))
def test_scores_equal_the_literal_definition(lines):
    counts = literal.counts(lines, split)
    found = of(*lines)
    assert {name: found[name] for name in counts} == counts
    for key, formula in Readability().formulas().items():
        expected = float(formula(**{part: counts[part] for part in formula.counts}))
        assert found[key] == pytest.approx(expected if counts["words"] else 0, abs=1e-9)


@pytest.mark.parametrize("language", FORMULAS)
@pytest.mark.parametrize("text", ["", " ", "...", "-lrb-"])
def test_a_text_without_words_has_0_by_every_formula(language, text):
    if text == "-lrb-" and language != "en":
        text = "- ?"  # a bracket of English corpora only
    found = of(text, language=language)
    names = Readability(language=language).formulas()
    assert [found[name] for name in names] == [0] * len(names)
    assert found["words"] == 0


def test_a_text_counts_the_same_tokenized():
    natural = of("It’s the dog's hat (red) which he lost, not mine.")
    tokenized = of("It 's the dog 's hat -lrb- red -rrb- which he lost , not mine .")
    same = ("sentences", "words", "syllables", "polysyllables")
    assert [natural[name] for name in same] == [tokenized[name] for name in same]


# Dale and Chall's words ---------------------------------------------------------------------------

EASY = (
    "The cat cats cities boxes baking baked biggest happily taken grown stopped easier "
    "dogs' children's don't DON’T Mrs. 1990 3.5 good-looking tree-tops"
)


def test_words_of_the_list_and_their_regular_forms_are_easy_and_others_difficult():
    assert [word for word in EASY.split() if not is_easy(word)] == []
    difficult = ["feline", "existence", "simplified", "cat-feline", "3rd", "Paris"]
    assert [*filter(is_easy, difficult)] == []


def test_dale_chall_is_reported_where_it_is_asked_for():
    lines = ["The feline reclined on the mat."]
    found = of(*lines, dale_chall=True)
    assert found["difficult_words"] == 2
    expected = 0.1579 * 100 * 2 / 6 + 0.0496 * 6 + 3.6365
    assert found["dale_chall"] == pytest.approx(expected, abs=1e-9)
    assert "|dale_chall:True|" in found["signature"]
    assert not {"dale_chall", "difficult_words"} & {*of(*lines)}


# Languages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "text", "words", "syllables", "extra"),
    [
        ("de", "Der Hund bellt. Die Blumen duften.", 6, 8, {"monosyllables": 4}),
        ("es", "El perro come carne. ¿Quieres pan?", 6, 10, {}),
        ("fr", "L'homme qu'il a vu est parti.", 6, 7, {}),
        ("it", "L'uomo dell'isola canta.", 3, 7, {"letters": 19}),
        ("nl", "De honden vinden hun vlees.", 5, 7, {}),
        ("ru", "Собака лает. Кошка спит.", 4, 8, {}),
    ],
)
def test_each_language_has_its_syllables_and_formulas(language, text, words, syllables, extra):
    found = of(text, language=language)
    counts = {"words": words, "syllables": syllables, **extra}
    assert {name: found[name] for name in counts} == counts
    for key, formula in FORMULAS[language].items():
        counts = {part: found[part] for part in formula.counts}
        assert found[key] == pytest.approx(float(formula(**counts)), abs=1e-9)
    assert f"|lang:{language}|" in found["signature"]


@pytest.mark.parametrize("language", ["da", "fi", "nb", "pt", "sv"])
def test_lix_and_rix_need_no_syllables(language):
    found = of("Hunden jagar katten. Läsbarhetsindex är användbart.", language=language)
    assert found["lix"] == pytest.approx(3 + 100 * 2 / 6)
    assert found["rix"] == 1
    assert list(Readability(language=language).score_names()) == [
        *("lix", "rix", "words_per_sentence", "sentences", "words", "long_words")
    ]


def test_an_elided_consonant_is_no_syllable():
    words = {"homme": 1, "l'homme": 1, "L’homme": 1, "qu'il": 1, "jusqu'ici": 3, "l'": 1}
    counts = {word: count_word(word, "fr", False)[1] for word in words}
    assert counts == words


def test_the_splitter_may_be_another_than_the_languages():
    text = "A cat . A dog ."
    assert of(text)["sentences"] == 2
    found = of(text, splitter=lambda text: [text])
    assert found["sentences"] == 1
    assert "|splitter:custom-<lambda>|" in found["signature"]


def test_a_text_with_words_has_a_sentence_where_a_splitter_finds_none():
    found = of("a b", "c", "...", splitter=lambda text: [])
    assert (found["sentences"], found["words_per_sentence"]) == (2, 1.5)


# As textstat 0.7.4 --------------------------------------------------------------------------------


def test_textstat_can_be_counted_by_hand():
    found = of("The old cat sat on a mat. It slept.", variant="textstat_0_7_4")
    # 9 words of 25 letters, all of one syllable. A sentence of two words doesn't count.
    assert found["fkgl"] == -0.4  # 0.39 * 9 + 11.8 * 1 - 15.59 is -0.28: it rounds down below 0
    assert found["coleman_liau"] == -2.94  # 0.058 * 278 - 0.296 * 11 - 15.8 is -2.932
    assert found["dale_chall"] == 0.45  # 0.0496 * 9, without difficult words
