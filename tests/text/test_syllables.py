"""Syllable counters. The accuracy on a whole dictionary is what tools/build_syllables.py prints."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
def test_english_words_have_their_syllables(word: str, expected: int) -> None:
    assert count(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("blorp", 1),
        ("glimpable", 3),
        ("snorted", 2),
        ("flaxed", 1),
        ("drindle", 2),
        ("vemosity", 4),
    ],
)
def test_made_up_words_follow_the_rule(word: str, expected: int) -> None:
    assert count(word) == rule(word) == expected


def test_the_table_overrules_the_rule() -> None:
    assert (rule("catastrophe"), count("catastrophe")) == (3, 4)


class TestWhatIsNotAPlainWord:
    @pytest.mark.parametrize("token", ["", " ", ".", "...", "--", "%", "’", "\n", "_", "—", "😀"])
    def test_without_letters_or_digits_there_is_no_syllable(self, token: str) -> None:
        assert count(token) == 0

    @pytest.mark.parametrize(
        "token",
        ["7", "1918", "1,048,576", "3.14", "10:30", "1/2", "20th", "1990s", "1990's", "$5%"],
    )
    def test_a_number_is_one(self, token: str) -> None:
        assert count(token) == 1

    @pytest.mark.parametrize(("token", "expected"), [("3D", 2), ("mp3", 3), ("H2O", 3)])
    def test_letters_and_digits_are_summed(self, token: str, expected: int) -> None:
        assert count(token) == expected

    @pytest.mark.parametrize(
        ("token", "expected"),
        [
            ("U.S.", 2),
            ("U.S", 2),
            ("U.S.A.", 3),
            ("e.g.", 2),
            ("a.m.", 2),
            ("W.", 3),
            ("J.K.Rowling", 4),
        ],
    )
    def test_letters_with_periods_are_spelt_out(self, token: str, expected: int) -> None:
        assert count(token) == expected

    @pytest.mark.parametrize(
        ("token", "expected"), [("BBC", 3), ("bbc", 3), ("TV", 2), ("WWF", 7), ("HTML", 4)]
    )
    def test_words_without_vowels_are_spelt_out(self, token: str, expected: int) -> None:
        assert count(token) == expected

    def test_long_runs_without_vowels_are_one(self) -> None:
        assert count("pffffft") == 1

    @pytest.mark.parametrize(("token", "expected"), [("NATO", 2), ("FBI", 3), ("USA", 3)])
    def test_acronyms_are_as_the_dictionary_has_them(self, token: str, expected: int) -> None:
        assert count(token) == expected

    @pytest.mark.parametrize(
        ("token", "expected"), [("Mr.", 2), ("Dr.", 2), ("St.", 1), ("etc.", 4)]
    )
    def test_common_abbreviations_are_read_as_their_words(self, token: str, expected: int) -> None:
        assert count(token) == expected

    @pytest.mark.parametrize(
        ("token", "expected"),
        [("well-known", 2), ("mother-in-law", 4), ("and/or", 2), ("twenty-one", 3), ("-", 0)],
    )
    def test_hyphens_and_slashes_separate_words(self, token: str, expected: int) -> None:
        assert count(token) == expected

    @pytest.mark.parametrize(
        ("token", "expected"),
        [
            ("dog's", 1),
            ("dogs'", 1),
            ("boss's", 2),
            ("church's", 2),
            ("don't", 1),
            ("didn't", 2),
            ("I'll", 1),
            ("it'll", 2),
            ("they've", 1),
            ("could've", 2),
            ("o'clock", 2),
            ("O'Brien", 3),
            ("d'Artagnan", 3),
            ("rock'n'roll", 3),
            ("didn’t", 2),
            ("'quoted'", 2),
        ],
    )
    def test_apostrophes(self, token: str, expected: int) -> None:
        assert count(token) == expected

    @pytest.mark.parametrize("text", ["did n't", "dog 's", "I 'll", "we 've", "-LRB- A -RRB-"])
    def test_tokenized_text_counts_as_it_is_read(self, text: str) -> None:
        expected = {"did n't": 2}.get(text, 1)
        assert sum(map(count, text.split())) == expected

    @pytest.mark.parametrize(
        ("token", "expected"),
        [
            ("café", 2),
            ("cafés", 2),
            ("résumé", 3),
            ("protégé", 3),
            ("née", 1),
            ("naïve", 2),
            ("Noël", 2),
            ("Zoë", 2),
            ("coöperate", 4),
            ("Müller", 2),
            ("São", 1),
            ("Łódź", 1),
            ("æon", 2),
            ("cafe\u0301", 2),
            ("ｗｉｄｅ", 1),
        ],
    )
    def test_accents_are_folded(self, token: str, expected: int) -> None:
        assert count(token) == expected

    @pytest.mark.parametrize("token", ["Москва", "東京", "서울", "٣"])
    def test_other_scripts_are_one(self, token: str) -> None:
        assert count(token) == 1


@given(st.text() | st.from_regex(re.compile(r"[a-zé0-9'’.,\-]{0,30}", re.IGNORECASE)))
def test_any_string_has_a_count_whatever_its_case(text: str) -> None:
    assert count(text) >= 0
    assert count(f" {text}\n") == count(text)
    if text.isascii():
        assert count(text.upper()) == count(text.lower()) == count(text)


@given(st.text(), st.sampled_from("aZ7"), st.text())
def test_a_letter_or_digit_has_a_syllable(before: str, sound: str, after: str) -> None:
    assert count(f"{before} {sound} {after}") >= 1


@pytest.mark.parametrize("piece", ["a", "b", "1", "'", "a'", "a.", "1,", "é", "a-", "'s"])
def test_a_very_long_string_is_no_trouble(piece: str) -> None:
    assert count(piece * 50_000) >= 0


class TestTable:
    def test_rule_and_table_are_small_and_carry_their_licence(self) -> None:
        folder = resources.files("textsimp.text")
        assert len(folder.joinpath("syllables_en.txt").read_bytes()) <= 100_000
        assert "Carnegie Mellon University" in folder.joinpath("LICENSE-cmudict.txt").read_text()

    def test_no_pattern_is_longer_than_the_rule_looks_for(self) -> None:
        weights, _ = syllables._english()
        assert weights
        assert max(map(len, weights)) <= syllables.LONGEST_PATTERN

    def test_every_exception_is_one(self) -> None:
        _, exceptions = syllables._english()
        assert [w for w, n in exceptions.items() if w.isalpha() and rule(w) == n] == []

    def test_it_is_read_at_the_first_count(self) -> None:
        script = (
            "from textsimp.text import syllables as s; assert s._english.cache_info().misses == 0; "
            "s.count('word'); s.count('words'); assert s._english.cache_info().misses == 1"
        )
        subprocess.run([sys.executable, "-c", script], check=True)


class TestPublishedRule:
    """The rule itself is compared with its publication in tests/conformance."""

    def test_final_e_is_dropped_once_or_wholly(self) -> None:
        assert published_rule("tree", "readability_scripts") == 1
        assert published_rule("tree", "easse") == 0

    def test_patterns_add_and_subtract(self) -> None:
        assert published_rule("radio", "easse") == 3
        assert published_rule("nation", "easse") == 2

    def test_exceptions_come_first_whatever_the_case(self) -> None:
        assert published_rule(" Etc\n", "easse") == 4
        assert published_rule("The", "easse") == 1
        assert published_rule("The", "readability_scripts") == 0

    def test_the_empty_word_has_none(self) -> None:
        assert published_rule("", "easse") == published_rule("", "readability_scripts") == 0

    def test_another_form_is_an_error(self) -> None:
        with pytest.raises(ValueError, match="expected 'easse' or 'readability_scripts', got 'x'"):
            published_rule("word", "x")


class TestCounter:
    def test_names_give_the_functions(self) -> None:
        assert counter("textsimp") is count
        assert counter("easse")("tree") == 0
        assert counter("readability_scripts")("tree") == 1

    def test_other_languages_go_through_pyphen(self) -> None:
        pytest.importorskip("pyphen")
        german = counter("pyphen-de")
        assert [german(w) for w in ("Haus", "Wörterbuch", "Rot-Kreuz", "...", "")] == [
            1,
            3,
            2,
            0,
            0,
        ]
        assert counter("pyphen-pt_BR")("computador") == 4

    @pytest.mark.parametrize(
        ("language", "word", "plain"),
        [("de", "u\u0308bergro\u0308ßer", "übergrößer"), ("ru", "молоко\u0301м", "молоком")],
    )
    def test_marks_of_their_own_do_not_change_a_count(
        self, language: str, word: str, plain: str
    ) -> None:
        pytest.importorskip("pyphen")
        count_of = counter(f"pyphen-{language}")
        assert count_of(word) == count_of(plain)

    def test_counters_can_be_sent_to_other_processes(self) -> None:
        for name in ("textsimp", "easse", "readability_scripts"):
            assert pickle.loads(pickle.dumps(counter(name)))("simple") == counter(name)("simple")

    @pytest.mark.parametrize("name", ["", "pyphen", "cmudict", "Textsimp"])
    def test_an_unknown_name_is_an_error_that_lists_the_known(self, name: str) -> None:
        with pytest.raises(ValueError, match=r"'textsimp', 'easse', .* got "):
            counter(name)

    def test_an_unknown_language_is_an_error_that_lists_the_known(self) -> None:
        pytest.importorskip("pyphen")
        with pytest.raises(ValueError, match=r"de_DE.*got 'pyphen-xx'"):
            counter("pyphen-xx")

    def test_without_pyphen_the_error_names_the_extra(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "pyphen", None)
        with pytest.raises(ImportError, match=r"textsimp\[languages\]"):
            counter("pyphen-de")
