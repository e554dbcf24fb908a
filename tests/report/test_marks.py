"""Edits marked for people."""

import itertools
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp.report import marks

TEXTS = st.text(st.sampled_from("aAb1ßé ,.\n\t<&—"), max_size=30)
HOSTILE = "<script>alert(1)</script>"


def spans(source, target):
    (found,) = marks.mark([source], [target])
    return [(span.kind, span.old, span.new) for span in found]


def shown(source, target):
    (found,) = marks.mark_html([source], [target])
    return found


@given(TEXTS, TEXTS)
def test_spans_spell_out_both_texts_to_the_letter(source, target):
    (found,) = marks.mark([source], [target])
    assert "".join(span.old for span in found) == source
    assert "".join(span.new for span in found) == target
    for span in found:
        assert (span.kind == "insert") == (span.kind != "keep" and not span.old)
        assert (span.kind == "delete") == (span.kind != "keep" and not span.new)
        kept = "".join(span.old.casefold().split()) == "".join(span.new.casefold().split())
        assert kept or span.kind != "keep"


@given(TEXTS, TEXTS)
def test_a_kept_span_stands_between_two_changes(source, target):
    (found,) = marks.mark([source], [target])
    changed = [span.kind != "keep" for span in found]
    assert all(a != b for a, b in itertools.pairwise(changed))


@given(TEXTS, TEXTS)
def test_html_without_deletions_is_the_target(source, target):
    left = re.sub("<del.*?</del>", "", shown(source, target), flags=re.DOTALL)
    assert unescape(re.sub("</?ins[^>]*>", "", left)) == target


@given(TEXTS, TEXTS)
def test_html_without_insertions_has_the_words_of_the_source(source, target):
    left = re.sub("<ins.*?</ins>", "", shown(source, target), flags=re.DOTALL)
    left = unescape(re.sub("</?(del|s)( [^>]*)?>", "", left))
    assert "".join(left.casefold().split()) == "".join(source.casefold().split())


def test_a_change_of_case_is_no_edit_and_the_target_is_shown_as_it_is_written():
    assert spans("the Old cat sat there", "The cat SAT here") == [
        ("keep", "the", "The"),
        ("delete", " Old", ""),
        ("keep", " cat sat", " cat SAT"),
        ("replace", " there", " here"),
    ]


def test_neighbouring_edits_are_one_stretch():
    assert spans("a b c d", "a x y z d")[1] == ("replace", " b c", " x y z")
    assert spans("a very old b", "a new b")[1] == ("replace", " very old", " new")


def test_punctuation_stands_apart_from_words():
    assert spans("It sat, briefly.", "It sat.") == [
        ("keep", "It sat", "It sat"),
        ("delete", ", briefly", ""),
        ("keep", ".", "."),
    ]
    assert [kind for kind, *_ in spans("(“a”!)", "a")] == ["delete", "keep", "delete"]


@pytest.mark.parametrize("word", ["3,000", "1.5", "12:30", "1.000,50", "don't", "well-known"])
def test_numbers_and_words_with_signs_within_are_one_word(word):
    assert spans(f"{word}, a", f"{word[:-1]}x, a") == [
        ("replace", word, f"{word[:-1]}x"),
        ("keep", ", a", ", a"),
    ]


def test_the_fewest_insertions_are_marked():
    assert [kind for kind, *_ in spans("the x", "x the")] == ["replace"]


def test_white_space_is_no_edit_and_stays_as_the_target_has_it():
    assert spans(" A cat.\nIt sat. ", "A  cat. It sat.\n") == [
        ("keep", " A cat.\nIt sat. ", "A  cat. It sat.\n")
    ]


def test_empty_texts_have_nothing_kept():
    assert spans("a b", "") == [("delete", "a b", "")]
    assert spans("", "a b") == [("insert", "", "a b")]
    assert spans("", "") == []
    assert spans("", " ") == [("keep", "", " ")]


def test_html_marks_the_words_and_says_what_was_replaced():
    assert shown("The old feline sat, briefly.", "The cat sat on it.") == (
        'The<del class="r"> <s>old feline</s></del> <ins class="r">cat</ins> sat'
        '<del class="r"><s>, briefly</s></del> <ins class="r">on it</ins>.'
    )
    assert shown("Big cats", "Cats") == "<del><s>Big</s> </del>Cats"
    assert shown("(big cats)", "(cats)") == "(<del><s>big</s> </del>cats)"
    assert shown("Felines", "Cats") == (
        '<del class="r"><s>Felines</s> </del><ins class="r">Cats</ins>'
    )
    assert shown("It sat and", "It sat.") == (
        'It sat<del class="r"> <s>and</s> </del><ins class="r">.</ins>'
    )
    assert shown("It sat, briefly.", "It sat.") == "It sat<del><s>, briefly</s></del>."
    assert shown("a b", "a") == "a<del> <s>b</s></del>"
    assert shown("a", "a b") == "a <ins>b</ins>"


@pytest.mark.parametrize("source", [HOSTILE, "a"])
@pytest.mark.parametrize("target", [HOSTILE, "b"])
def test_html_is_escaped(source, target):
    assert re.findall(r"<(?!/?(?:ins|del|s)\b)", shown(source, target)) == []
    assert "<script" not in shown(source, target)


@given(TEXTS, TEXTS)
def test_sides_without_their_tags_are_the_texts(source, target):
    (found,) = marks.mark([source], [target])
    shown = [unescape(re.sub("</?(del|ins)[^>]*>", "", side)) for side in marks.sides(found)]
    assert shown == [source, target]


def test_sides_mark_what_only_one_text_has():
    (found,) = marks.mark(["The old feline sat, briefly."], ["The cat sat on <b>."])
    assert marks.sides(found) == (
        'The <del class="r">old feline</del> sat<del class="r">, briefly</del>.',
        'The <ins class="r">cat</ins> sat <ins class="r">on &lt;b&gt;</ins>.',
    )
    (found,) = marks.mark(["Big cats purr"], ["Cats purr loudly"])
    assert marks.sides(found) == ("<del>Big</del> cats purr", "Cats purr <ins>loudly</ins>")
