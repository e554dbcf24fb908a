"""Syllable counters. The accuracy on a whole dictionary is in benchmarks/syllables.md."""

import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp.support.errors import InputError
from textsimp.text import syllables
from textsimp.text.syllables import count, counter, published_rule, rule

KNOWN = {
    1: "a I the cat dog tree house time make made makes walked used named eye straight through "
    "thought breathe loved horse queue states school league prayed",
    2: "simple people little table water city father science being lion poem quiet create wanted "
    "needed houses boxes sometimes something every business movement guitar chaos naive fluid "
    "ruin riot giant idol able apple acre stable cafe",
    3: "simplify animal area idea museum radio piano video banana beautiful hospital company "
    "syllable recipe potatoes Australia poetry created violin",
    4: "January biology geography electrician scientific information America ecology apostrophe "
    "category simplicity reality California Romania",
    5: "university simplification vocabulary readability imagination electricity administration "
    "unbelievably auditorium abbreviation",
    6: "responsibility encyclopedia autobiography revolutionary",
    7: "industrialization telecommunications",
}


@pytest.mark.parametrize(("word", "expected"), [(w, n) for n in KNOWN for w in KNOWN[n].split()])
def test_english_words_have_their_syllables(word, expected):
    assert count(word) == expected


MADE_UP = {1: "blorp flaxed", 2: "snorted drindle", 3: "glimpable", 4: "vemosity"}


@pytest.mark.parametrize(
    ("word", "expected"), [(w, n) for n in MADE_UP for w in MADE_UP[n].split()]
)
def test_made_up_words_follow_the_rule(word, expected):
    assert count(word) == rule(word) == expected


def test_the_table_overrules_the_rule():
    assert (rule("catastrophe"), count("catastrophe")) == (3, 4)


TOKENS = {  # what isn't a plain word
    0: "|  |.|...|--|%|’|\n|_|—|😀|-|'s|'ll|-LRB-|-rrb-",
    1: "7|1918|1,048,576|3.14|10:30|1/2|20th|1990s|1990's|$5%|pffffft|St.|dog's|dogs'|don't|I'll|"
    "they've|née|São|Łódź|ｗｉｄｅ|Москва|東京|서울|٣|n't",
    2: "3D|U.S.|U.S|e.g.|a.m.|TV|NATO|Mr.|Dr.|well-known|and/or|boss's|church's|didn't|didn’t|"
    "it'll|could've|o'clock|'quoted'|café|cafés|cafe\u0301|naïve|Noël|Zoë|Müller|æon",
    3: "mp3|H2O|U.S.A.|W.|BBC|bbc|FBI|USA|twenty-one|O'Brien|d'Artagnan|rock'n'roll|résumé|protégé",
    4: "J.K.Rowling|HTML|etc.|mother-in-law|coöperate",
    7: "WWF",
}


@pytest.mark.parametrize(
    ("token", "expected"), [(t, n) for n in TOKENS for t in TOKENS[n].split("|")]
)
def test_numbers_abbreviations_parts_and_accents_have_their_syllables(token, expected):
    assert count(token) == expected


@given(st.text() | st.from_regex(re.compile(r"[a-zé0-9'’.,\-]{0,30}", re.IGNORECASE)))
def test_any_string_has_a_count_whatever_its_case(text):
    assert count(text) >= 0
    assert count(f" {text}\n") == count(text)
    if text.isascii():
        assert count(text.upper()) == count(text.lower()) == count(text)


@given(st.text(), st.sampled_from("aZ7"), st.text())
def test_a_letter_or_digit_has_a_syllable(before, sound, after):
    assert count(f"{before} {sound} {after}") >= 1


class TestTable:
    def test_rule_and_table_are_small_and_carry_their_licence(self):
        folder = resources.files("textsimp.text")
        assert len(folder.joinpath("syllables_en.txt").read_bytes()) <= 100_000
        assert "Carnegie Mellon University" in folder.joinpath("LICENSE-cmudict.txt").read_text()

    def test_every_exception_is_one(self):
        _, exceptions = syllables._english()
        assert [w for w, n in exceptions.items() if w.isalpha() and rule(w) == n] == []


class TestPublishedRule:
    """The rule itself is compared with its publication in tests/conformance."""

    def test_final_e_is_dropped_once_or_wholly(self):
        assert published_rule("tree", "readability_scripts") == 1
        assert published_rule("tree", "easse") == 0

    def test_patterns_add_and_subtract(self):
        assert published_rule("radio", "easse") == 3
        assert published_rule("nation", "easse") == 2

    def test_exceptions_come_first_whatever_the_case(self):
        assert published_rule(" Etc\n", "easse") == 4
        assert published_rule("The", "easse") == 1
        assert published_rule("The", "readability_scripts") == 0


class TestCounter:
    def test_names_give_the_functions(self):
        assert counter("textsimp") is count
        assert counter("easse")("tree") == 0
        assert counter("readability_scripts")("tree") == 1

    def test_other_languages_go_through_pyphen(self):
        german = counter("pyphen-de")
        found = [german(word) for word in ("Haus", "Wörterbuch", "Rot-Kreuz", "...", "")]
        assert found == [1, 3, 2, 0, 0]
        assert counter("pyphen-pt_BR")("computador") == 4

    @pytest.mark.parametrize(
        ("language", "word", "plain"),
        [("de", "u\u0308bergro\u0308ßer", "übergrößer"), ("ru", "молоко\u0301м", "молоком")],
    )
    def test_marks_of_their_own_do_not_change_a_count(self, language, word, plain):
        count_of = counter(f"pyphen-{language}")
        assert count_of(word) == count_of(plain)

    @pytest.mark.parametrize(
        ("word", "syllables"),
        [("every", 3), ("Didn't", 2), ("hmm", 0), ("zxqvable", 2), ("2023", 1)],
    )
    def test_the_dictionary_goes_before_hyphenation_points(self, word, syllables):
        assert counter("cmudict")(word) == syllables

    @pytest.mark.parametrize("name", ["", "pyphen", "cmudict-en", "Textsimp", "pyphen-xx"])
    def test_an_unknown_name_or_language_is_refused(self, name):
        with pytest.raises(InputError):
            counter(name)
