from __future__ import annotations

import functools
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from textsimp import DSari, InputError, Sari, SimplificationStats, name_function
from textsimp.text.functions import cache_scope, custom_name
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import Encoder

COLUMNS = {
    "sources": ["the·old·cat·sat|it·rained"],
    "predictions": ["the·cat·sat|it·rained"],
    "references": [["a·cat·sat|rain"]],
}


def middots(text):
    return text.replace("|", "·").split("·")


def bars(text):
    return text.split("|")


def test_a_function_is_signed_by_its_own_name_or_by_the_one_that_it_was_given():
    assert "|tok:custom-middots|" in Sari(tokenizer=middots).signature()
    lambdas = name_function(lambda text: middots(text), name="middots-1.0")
    assert "|tok:custom-middots-1.0|" in Sari(tokenizer=lambdas).signature()
    assert "|source_tok:custom-middots|" in Sari(source_tokenizer=middots).signature()
    signature = DSari(splitter=name_function(bars, "bars-2")).signature()
    assert "|splitter:custom-bars-2|" in signature


def test_a_partial_and_an_object_have_the_name_of_their_class():
    assert custom_name(functools.partial(str.split, sep="a")) == "custom-partial"


@pytest.mark.parametrize("cls", [Sari, DSari, SimplificationStats])
def test_a_function_scores_as_texts_with_spaces_do(cls):
    def spaced(text):
        return text.replace("·", " ").replace("|", " ")

    plain = {
        "sources": [*map(spaced, COLUMNS["sources"])],
        "predictions": [*map(spaced, COLUMNS["predictions"])],
        "references": [[*map(spaced, row)] for row in COLUMNS["references"]],
    }
    one = {} if cls is Sari else {"splitter": lambda text: [text]}
    ours = cls(tokenizer=middots, **one).score(**COLUMNS)
    theirs = cls(tokenizer="13a", **one).score(**plain)
    assert ours.main.value == theirs.main.value


def test_two_functions_of_one_name_make_two_metrics():
    first, second = name_function(middots, "a"), name_function(bars, "a")
    assert Sari(tokenizer=first) != Sari(tokenizer=second)
    assert Sari(tokenizer=first) == Sari(tokenizer=name_function(middots, "a"))


def test_a_named_function_goes_to_other_processes():
    copy = pickle.loads(pickle.dumps(name_function(middots, "m")))
    assert copy == name_function(middots, "m")
    assert copy("a·b") == ["a", "b"]


@pytest.mark.parametrize("name", ["", "a b", "a|b", "a\n", "a\xa0b", "\x1b", None, 3])
def test_a_name_that_would_garble_a_signature_is_an_input_error(name):
    with pytest.raises(InputError):
        name_function(middots, name)


def test_a_function_that_would_garble_a_signature_is_to_be_named():
    def garbled(text):
        return [text]

    garbled.__name__ = "a|v:9"
    with pytest.raises(InputError):
        Sari(tokenizer=garbled)
    assert "custom-good" in Sari(tokenizer=name_function(garbled, "good")).signature()


def test_what_is_no_function_is_an_input_error():
    with pytest.raises(InputError):
        name_function("13a", "13a")  # type: ignore[arg-type]

    with pytest.raises(InputError):
        Sari(tokenizer=3)  # type: ignore[arg-type]


def test_an_object_that_cannot_be_hashed_is_a_function_too():
    @dataclass
    class Parted:
        separator: str

        def __call__(self, text):
            return text.split(self.separator)

    with cache_scope():
        first, second = Encoder(Parted("|"), False), Encoder(Parted("·"), False)
        assert np.diff(first.encode(["a|b·c·d"]).offsets).tolist() == [2]
        assert np.diff(second.encode(["a|b·c·d"]).offsets).tolist() == [3]
        assert get_splitter(Parted("|")).count(["a|b"]).tolist() == [2]
    assert "custom-Parted" in Sari(tokenizer=Parted("|")).signature()
