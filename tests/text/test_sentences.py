from importlib.metadata import version

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.tokenize.punkt import PunktSentenceTokenizer

import textsimp
from tests.strategies import texts
from textsimp import DSari, InputError
from textsimp.core.examples import ScriptWarning
from textsimp.text import sentences
from textsimp.text.sentences import ALL_SCRIPTS, SPLITTERS, TRAINED, are_documents, get_splitter

OF_EXTRAS = ("pysbd", "nltk-punkt-en")
OFFLINE = [name for name in SPLITTERS if name not in OF_EXTRAS]

# Stops, what Punkt looks at around them, and characters on which regex engines disagree.
pieces = st.sampled_from(
    [
        *"abzABß019٣².?!.?!   \n\t\r\x0b\x0c,:;-\"'()[]{}é*@&#`_—",
        *"猫。！？।۔؟",
        *"\xa0\x1c\x85\u2028\u0301“”‘’«»ीǅ",
        *["..", ". . .", "--", " . ", " ! ", " ? ", "3.5", "-5.", ",5.", "1990.", "e.", "J."],
        *["word", "Word", "U.S.", "Mr.", "yes.”", "##number##."],
    ]
)
messy_texts = st.lists(pieces, max_size=30).map("".join)
marks_of_other_scripts = st.text(
    st.sampled_from("猫a「」『』（）()。！？．।۔؟”、と \n.,5"), max_size=40
)


@pytest.mark.parametrize("name", sorted({*OFFLINE} - {"lines"}))
def test_tokenised_text_is_split_after_stops(name):
    sentences = get_splitter(name).sentences("a bc . de f ? gh ! i")
    assert sentences == ["a bc .", "de f ?", "gh !", "i"]


def test_the_default_keeps_initials_and_numbers_before_lower_case():
    text = "J. Smith wrote no. 3. of it. He left."
    assert get_splitter().sentences(text) == ["J. Smith wrote no.", "3. of it.", "He left."]


@given(messy_texts)
def test_simple_token_ends_a_sentence_after_each_token_that_is_a_stop(text):
    literal = [[]]
    for token in text.split():
        literal[-1].append(token)
        if token in (".", "?", "!"):
            literal.append([])
    sentences = get_splitter("simple-token").sentences(text)
    assert [sentence.split() for sentence in sentences] == [tokens for tokens in literal if tokens]


@pytest.mark.skipif(
    [*map(int, version("nltk").split(".")[:3])] < [3, 10, 4],
    reason="older versions know no curly quotes, and use another engine",
)
@given(st.one_of(messy_texts, texts))
@example("ab.\x1cx:5. e")  # a letter, a stop, a space to some: yet the number 5. decides
@example("ab.\n\x1c")
@example("ab. . . cd. -- Ef. (Gh. Ij.) Kl")
@example("foo.)ab. Next. 5. of. a.b. C")
@example('ab. "Cd." Ef. ”Gh\t. Ij')
@example(". ab. Cd . ? ef")
@example("ab? )” cd")
@example('He said "yes." Then (a. b) left. . . 5. of')
def test_the_default_is_exactly_nltk_s_untrained_punkt(text):
    """That of 3.10.4, whichever is installed."""
    sentences = PunktSentenceTokenizer().tokenize(text.strip())
    assert get_splitter().sentences(text) == [s.strip() for s in sentences if s.strip()]


def test_a_stop_before_a_curly_quote_ends_a_sentence():
    assert get_splitter().sentences("He said “yes.” She left.") == ["He said “yes.”", "She left."]


@pytest.mark.parametrize("name", OFFLINE)
@given(st.one_of(messy_texts, marks_of_other_scripts))
def test_sentences_are_stripped_not_empty_and_keep_every_character(name, text):
    sentences = get_splitter(name).sentences(text)
    assert all(sentence and sentence == sentence.strip() for sentence in sentences)
    assert "".join("".join(sentences).split()) == "".join(text.split())


def test_count_splits_equal_texts_once():
    seen = []

    def spy(text):
        seen.append(text)
        return [text]

    assert get_splitter(spy).count(["a", "b", "a", ""]).tolist() == [1, 1, 1, 0]
    assert seen == ["a", "b"]


@pytest.mark.parametrize("name", OFFLINE)
@pytest.mark.parametrize("text", ["", " \n"])
def test_a_text_of_white_space_has_no_sentences(name, text):
    assert get_splitter(name).sentences(text) == []


def test_pysbd_knows_abbreviations():
    pysbd = pytest.importorskip("pysbd")
    splitter = get_splitter("pysbd")
    assert splitter.name == f"pysbd-{pysbd.__version__}"
    assert splitter.sentences(" Dr. Smith left. He ran. ") == ["Dr. Smith left.", "He ran."]


def test_a_function_is_a_splitter_named_after_it():
    def halves(text):
        return [*text.split("/"), ""]

    splitter = get_splitter(halves)
    assert splitter.name == "custom-halves"
    assert splitter.sentences("a / b/") == ["a", "b"]


@pytest.mark.parametrize("result", ["ab", None, ["a", 1], ("a",), 3])
def test_a_function_that_returns_no_list_of_strings_is_named(result):
    def broken(text):
        return result  # type: ignore[return-value]

    with pytest.raises(InputError):
        get_splitter(broken).count(["a"])


def test_lines_end_at_line_feeds_alone():
    text = "One. Two\nthree.\n\n four\r\u2028five "
    assert get_splitter("lines").sentences(text) == ["One. Two", "three.", "four\r\u2028five"]


# Names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "old", ["nltk-punkt-untrained", "nltk-punkt-untrained-3.10.4", "nltk-punkt-untrained-3.8"]
)
def test_old_names_of_the_default_are_still_read(old):
    assert get_splitter(old) is get_splitter()
    assert textsimp.metric(f"d_sari(splitter={old})").signature() == DSari().signature()
    with pytest.warns(ScriptWarning, match=f"here of other versions than splitter:{old}"):
        read = textsimp.metric(f"d_sari|variant:sun|tok:none|case:lc|splitter:{old}|refs:1|v:0.1.0")
    assert read == DSari()


def test_the_default_has_no_version_of_nltk_which_it_does_not_run():
    assert "|splitter:punkt-untrained|" in DSari().signature()
    assert get_splitter().name == "punkt-untrained"


# Marks of other scripts -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("猫坐。狗跑！谁？", ["猫坐。", "狗跑！", "谁？"]),
        ("真的？！是。", ["真的？！", "是。"]),
        ("他说：“来。”我去。", ["他说：“来。”", "我去。"]),
        ("「雨だ。帰る。」と言う。「行く。」彼", ["「雨だ。帰る。」と言う。", "「行く。」", "彼"]),
        ("本（「え？」）だ。", ["本（「え？」）だ。"]),
        ("「閉じない。次。", ["「閉じない。", "次。"]),
        ("３．５と2．0だ．次", ["３．５と2．0だ．", "次"]),
        ("वह गया। वह आया॥", ["वह गया।", "वह आया॥"]),
        ("هل أنت هنا؟ نعم. لا", ["هل أنت هنا؟", "نعم.", "لا"]),
        ("ایم۔اے ہے۔ وہ گیا۔", ["ایم۔اے ہے۔", "وہ گیا۔"]),
        ("Musume (娘。) sang. It did.", ["Musume (娘。) sang.", "It did."]),
        ("。", ["。"]),
        ("。。！", ["。。！"]),
    ],
)  # fmt: skip
def test_sentences_of_all_scripts_end_at_their_marks(text, expected):
    assert get_splitter(ALL_SCRIPTS).sentences(text) == expected


@given(messy_texts.filter(lambda text: not {*"。！？"} & {*text}))
def test_without_such_marks_they_are_those_of_the_default(text):
    assert get_splitter(ALL_SCRIPTS).sentences(text) == get_splitter().sentences(text)


def test_chinese_documents_are_documents():
    assert are_documents(["猫坐。狗跑！谁？"])


def test_long_texts_with_open_brackets_take_no_longer_than_others():
    text = "「（(猫。" * 20_000  # quadratic, it would take minutes
    assert len(get_splitter(ALL_SCRIPTS).sentences(text)) == 20_000


@pytest.mark.parametrize("name", ["punkt", "punkt-de", "nltk-punkt-xx", "pysbd-de", "", None, 3])
def test_an_unknown_name_lists_the_valid_ones(name):
    with pytest.raises(InputError) as caught:
        get_splitter(name)
    assert all(valid in str(caught.value) for valid in SPLITTERS)
    assert ascii(name) in str(caught.value)


# Trained Punkt


@pytest.mark.parametrize("language", TRAINED)
def test_trained_punkt_splits_in_nineteen_languages(language):
    splitter = get_splitter(f"nltk-punkt-{language}")
    assert splitter.name == f"nltk-punkt-{language}-{version('nltk')}"
    assert get_splitter(splitter.name) is splitter
    assert splitter.sentences("Aaa bbb ccc. Ddd eee fff!") == ["Aaa bbb ccc.", "Ddd eee fff!"]


def test_trained_english_punkt_knows_abbreviations_without_nltks_data(monkeypatch):
    monkeypatch.setattr("nltk.data.path", [])
    sentences._make.cache_clear()
    text = "Mr. Smith met Dr. Jones at 5 p.m. on Jan. 3. He left."
    found = get_splitter("nltk-punkt-en").sentences(text)
    assert found == ["Mr. Smith met Dr. Jones at 5 p.m. on Jan. 3.", "He left."]
