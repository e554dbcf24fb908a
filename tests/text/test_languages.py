"""Sentences of languages, written by hand (sentences.txt); and what is said of each language."""

from pathlib import Path

import pytest

from textsimp import DSari, FkglComponents, Sari, SimplificationStats
from textsimp.text.languages import LANGUAGES, detect, guess_languages
from textsimp.text.sentences import get_splitter
from textsimp.text.syllables import counter
from textsimp.text.tokenizers import Encoder


def read_sentences():
    """Language → its sentences."""
    text = (Path(__file__).parent / "sentences.txt").read_text("utf-8")
    found = {}
    for block in text.rstrip("\n").split("\n\n")[1:]:
        heading, *lines = block.split("\n")
        found[heading.removeprefix("# ")] = lines
    return found


SENTENCES = read_sentences()


def text_of(language):
    return ("" if language in ("zh", "ja") else " ").join(SENTENCES[language])


@pytest.mark.parametrize("language", ["zh", "ja"])
def test_sentences_of_a_language_are_told_apart(language):
    splitter = get_splitter(LANGUAGES[language].splitter)
    assert splitter.sentences(text_of(language)) == SENTENCES[language]


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("zh", ["他 说 ： “ 来 。 ”", "你 是 谁 ？ ！", "再 见"]),
        ("ja", ["「 雨 だ 。 」 と 言う 。", "「 行く 。 」", "猫 だ 。"]),
    ],
)
def test_stops_that_were_set_apart_are_read_too(language, expected):
    assert get_splitter(LANGUAGES[language].splitter).sentences(" ".join(expected)) == expected


# Each row of the table --------------------------------------------------------------------------

KOREAN = ["고양이가 1.5시간 동안 앉아 있었다.", "왜 그랬을까?", "비가 왔다!"]
SOME_WORDS = {  # of the texts above, which the tokenizer sets apart
    "en": ["(", "cf", "surprise", "etc"],
    "de": ["„", "“", "müller", "äpfel"],
    "es": ["¿", "¡", "«", "garcía"],
    "fr": ["«", "»", "dupont", "?"],
    "it": ["«", "»", "“", "rossi"],
    "pt": ["“", "”", "silva", "!"],
    "nl": ["“", "‘", "jansen", "?"],
    "ru": ["«", "»", "иванов"],
    "hi": ["।", "?", "सीता"],
    "zh": ["他", "学", "。"],
    "ja": ["彼", "歩い", "た", "。"],
    "ko": ["고양이", "가", "?"],
}
SYLLABLES = {  # of words that are no doubt divided between all syllables
    "en": ("simplification", 5),
    "de": ("Vereinfachung", 4),
    "es": ("simplificar", 4),
    "fr": ("simplement", 3),
    "it": ("semplificare", 5),
    "pt": ("simplificar", 4),
    "nl": ("vereenvoudiging", 5),
    "ru": ("молоко", 3),
}


def texts_of(language):
    return KOREAN if language == "ko" else SENTENCES[language]


def test_the_table_is_of_the_languages_that_are_tested():
    assert {*SENTENCES, "ko"} == {*LANGUAGES} == {*SOME_WORDS}
    assert {code for code, language in LANGUAGES.items() if language.syllables} == {*SYLLABLES}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_of_a_language_are_in_its_script(language):
    assert detect(texts_of(language)).script == LANGUAGES[language].scripts[0]


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "it", "pt", "nl"])
def test_function_words_tell_languages_in_latin_script(language):
    assert guess_languages(text_of(language))[0] == language
    assert "en" not in guess_languages(text_of(language)) or language == "en"


def test_names_and_short_texts_tell_no_language():
    assert guess_languages("Diego de la Torre of the University in León was a poet.") == ("en",)
    assert guess_languages("Rio de la Plata") == guess_languages("") == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tokenizer_of_a_language_sets_its_words_apart(language):
    encoder = Encoder(LANGUAGES[language].tokenizer, lowercase=True)
    encoder.encode(texts_of(language))
    assert encoder.vocabulary.keys() >= {*SOME_WORDS[language]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_options_of_a_language_score_it_without_a_warning(language, recwarn):
    row, texts = LANGUAGES[language], texts_of(language)
    given = {"sources": [" ".join(texts)], "predictions": [" ".join(texts[:-1])]}
    options = {"tokenizer": row.tokenizer, "splitter": row.splitter}
    assert Sari(tokenizer=row.tokenizer).score(**given, references=[texts])["keep"] > 0
    assert DSari(**options).score(**given, references=[texts[-1:]])["d_sari"] > 0
    described = SimplificationStats(**options).score(**given)
    assert described["words_per_sentence"] > 1
    assert described["compression_ratio"] < 1
    assert [str(warning.message) for warning in recwarn] == []


@pytest.mark.filterwarnings("ignore:.*FKGL is a formula for English")
@pytest.mark.parametrize("language", SYLLABLES)
def test_the_parts_of_fkgl_are_counted_in_a_language(language):
    row, texts = LANGUAGES[language], texts_of(language)
    metric = FkglComponents(splitter=row.splitter, syllables=row.syllables)
    counted = metric.score(predictions=[" ".join(texts)])
    assert counted["sentences"] >= len(texts)
    assert 1.1 < counted["syllables_per_word"] < 3


@pytest.mark.parametrize("language", SYLLABLES)
def test_the_syllables_of_a_language_are_counted(language):
    word, syllables = SYLLABLES[language]
    assert counter(str(LANGUAGES[language].syllables))(word) == syllables
