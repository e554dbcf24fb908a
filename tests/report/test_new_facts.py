"""What an output says that neither its source nor a reference says."""

import pytest

from textsimp.report import new_facts


@pytest.mark.parametrize(
    ("output", "new"),
    [
        ("Ann left Bonn in 1984.", ""),
        ("Ann left Bonn in 1985.", "1985"),
        ("Ann left Rome in 1984.", "rome"),
        ("In 1984 Ann left. She went to Bonn.", "went"),  # a sentence's first word is no name
        ("Ann never left Bonn.", "a negation"),
        ("Ann’s leftist dental Bonn, 1984.", "dental"),  # an inflection is no new word
    ],
)
def test_numbers_names_negations_and_words_are_new(output, new):
    assert str(new_facts.find("Ann left Bonn in 1984.", output, [])) == new


def test_what_a_reference_says_is_not_new():
    source, output = "He departed.", "He left in 1984."
    assert str(new_facts.find(source, output, [])) == "1984, left"
    assert str(new_facts.find(source, output, ["He left in 1984.", "He went."])) == ""


def test_a_lost_negation_is_new_unless_a_reference_lost_it_too():
    assert str(new_facts.find("It was not cold.", "It was cold.", [])) == "no negation"
    assert str(new_facts.find("It was not cold.", "It was warm.", ["It was warm."])) == ""
    assert str(new_facts.find("It was cold. It was not wet.", "It was cold.", [])) == ""


def test_numbers_and_names_weigh_more_than_words():
    number = new_facts.find("It cost 5 euros.", "It cost 6 euros.", [])
    words = new_facts.find("It cost 5 euros.", "It cost 5 golden silver euros.", [])
    assert number.weight > words.weight > 0


def test_words_of_scripts_without_case_are_never_new():
    assert new_facts.find("猫が座った。", "犬が走った。", []).weight == 0
