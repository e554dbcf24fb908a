"""SAMSA is what its paper says, and where it isn't, what the card says."""

import itertools
import json
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import textsimp
from tests import passages
from tests.given import lines
from tests.literal.samsa import samsa as literal
from tests.passages import mrp, unit
from textsimp import InputError
from textsimp.metrics.samsa import Samsa

SOURCES, PARSES = lines("parses/source.txt"), lines("parses/passages.mrp")


def equal_words(source, target):
    """Aligns every word with all that are equal to it."""
    pairs = itertools.product(enumerate(source), enumerate(target))
    return [(i, j) for (i, a), (j, b) in pairs if a == b]


def metric(variant="corrected", **options):
    return Samsa(variant, aligner=equal_words, splitter="simple-token", **options)


# By hand, of outputs whose sentences end with `` .``


def two_relations():
    """The first scene has a process and a state, so that the list of relations is longer."""
    words = ["Ann", "sat", "silent", ",", "Tom", "slept", "."]
    first = unit(A=unit(0), P=unit(1), S=unit(2))
    second = unit(A=unit(4), P=unit(5))
    return " ".join(words), words, unit(H=[first, second], U=[unit(3), unit(6)])


def implicit_relation():
    words = ["Ann", "here", ",", "Tom", "slept", "."]
    first, second = unit(A=unit(0), S=unit()), unit(A=unit(3), P=unit(4))
    return "", words, unit(H=[first, second], U=[unit(2), unit(5)])


SPLIT = "Ann sold the house . Her father built the house ."
CRACKLED = "She switched the radio off . It crackled . It was old ."


@pytest.mark.parametrize(
    ("passage", "output", "variant", "expected"),
    [
        # A relative clause that becomes a sentence is whole with its remote participant. Without
        # the house, father and built remain of its three units: ½ (1 + ½).
        (passages.relative(), SPLIT, "corrected", 100),
        (passages.relative(), "Ann sold the house . Her father built .", "corrected", 87.5),
        # The outer scene has its own four words in the first sentence and five in the second. So
        # scenes in their turn take each other's: of each only the house is found, ½ (0 + ½).
        (passages.relative(), SPLIT, "sulem", 25),
        # More sentences than scenes are scored, or have zero.
        (passages.radio(), CRACKLED, "corrected", 100),
        (passages.radio(), CRACKLED, "sulem", 0),
        (passages.radio(), CRACKLED, "easse", 0),
        *((passages.concert(), " ", variant, 0) for variant in Samsa.presets),
        # Of two centres only the last counts in EASSE.
        (passages.shop(), "Tom bought bread . The shop had no milk .", "sulem", 93.75),
        (passages.shop(), "Tom bought bread . The shop had no milk .", "easse", 87.5),
        (passages.shop(), "Eva bought bread . The shop had no milk .", "sulem", 93.75),
        (passages.shop(), "Eva bought bread . The shop had no milk .", "easse", 100),
        # In EASSE's flat list the relation of a scene may be another one's. The second of the list
        # is "silent", which the sentence of the second scene hasn't: ½ (½ + 1) and 1.
        (two_relations(), "Ann sat . Tom slept .", "sulem", 87.5),
        (two_relations(), "Ann sat . Tom slept .", "easse", 75),
        (implicit_relation(), "Ann here . Tom slept .", "sulem", 87.5),
        (implicit_relation(), "Ann here . Tom slept .", "easse", 50),  # "slept", and none
    ],
)
def test_scores_by_hand(passage, output, variant, expected):
    _, words, root = passage
    found = metric(variant).score(predictions=[output], passages=[mrp(words, root)])
    assert (found["samsa"], found["samsa_abl"]) == (expected, expected)


def test_a_source_without_scenes_is_left_out_of_the_mean_or_has_zero():
    title = mrp(["Results", "."], unit(H=unit(C=unit(0)), U=unit(1)))
    _, words, root = passages.radio()
    given = {"predictions": ["Results .", "She switched the radio off . It crackled ."]}
    given |= {"passages": [title, mrp(words, root)]}
    found = metric().score(**given, per_example=True)
    assert (found["samsa"], found["scored"]) == (100, 1)
    assert found["samsa_per_example"] == [0, 100]
    found = metric("sulem").score(**given)
    assert (found["samsa"], found["scored"]) == (50, 2)
    found = metric().score(predictions=["Results ."], passages=[title], confidence=0.9)
    assert (found["samsa"], found["scored"], found["samsa_interval"]) == (0, 0, [0, 0])


def test_equal_words_count_as_one():
    words = ["Tom", "saw", "Tom", ",", "Eva", "left", "."]
    saw = unit(A=[unit(0), unit(2)], P=unit(1))
    left = unit(A=unit(4), P=unit(5))
    root = unit(H=[saw, left], U=[unit(3), unit(6)])

    def first(source, target):
        return [(source.index(word), i) for i, word in enumerate(target) if word in source]

    for variant, expected in (("sulem", 87.5), ("easse", 100)):
        found = Samsa(variant, aligner=first, splitter="simple-token").score(
            predictions=["Tom saw . Eva left ."], passages=[mrp(words, root)]
        )
        assert found["samsa"] == expected


# Properties

WORDS = ["a", "b", "c", "Tom", "saw", "it"]


@st.composite
def trees(draw):
    """A passage of one to three scenes, some of which lie in others."""
    words = []
    named = []

    def word(least=1):
        start = len(words)
        words.extend(draw(st.lists(st.sampled_from(WORDS), min_size=least, max_size=2)))
        return unit(*range(start, len(words)))

    def participant(depth):
        kind = draw(st.sampled_from(["word", "centres", "scene", "implicit"]))
        if kind == "implicit":
            return unit()
        if kind == "scene" and depth:
            return scene(depth - 1)
        named.append(unit(E=word(), C=[word(), word()]) if kind == "centres" else word())
        return named[-1]

    def scene(depth):
        remote = [draw(st.sampled_from(named))] if named and draw(st.booleans()) else []
        before = [participant(depth) for _ in range(draw(st.integers(0, 2)))]
        relation = word(draw(st.integers(0, 1)))
        found = unit(A=before, A_=remote)
        found.parts.append((draw(st.sampled_from("PS")), relation, False))
        return found

    root = unit(H=[scene(1) for _ in range(draw(st.integers(0, 2)))])
    words.append(".")
    root.parts.append(("U", unit(len(words) - 1), False))
    return words, root


outputs = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5), max_size=4)


def joined(sentences):
    return "".join(f"{' '.join(words)} . " for words in sentences)


RELATIVE, CONCERT, SHOP, RADIO = (passage()[1:] for passage in passages.ALL)
RAINING = ["Raining", "."], unit(H=unit(P=unit(0)), U=unit(1))


@pytest.mark.parametrize("variant", ["corrected", "sulem"])
@given(tree=trees(), sentences=outputs)
@example(tree=RELATIVE, sentences=[["Ann", "sold", "the", "house"]])
@example(tree=RELATIVE, sentences=[["nothing"]])
@example(tree=CONCERT, sentences=[["nothing"]])
@example(tree=CONCERT, sentences=[["concert"], ["Leo", "walked", "home", "through", "Park"]])
@example(tree=SHOP, sentences=[["Tom", "bought", "bread"], ["the", "shop", "had", "no", "milk"]])
@example(tree=RADIO, sentences=[["She", "switched", "radio"], ["it", "crackled"]])
@example(tree=RADIO, sentences=[["switched"], ["the", "old", "radio"], ["it", "crackled"]])
@example(tree=RAINING, sentences=[["Raining"]])
def test_scores_equal_the_literal_definition(variant, tree, sentences):
    words, root = tree
    expected = literal(words, root, [[*of, "."] for of in sentences], equal_words, variant) or (
        Fraction(),
        Fraction(),
    )
    found = metric(variant, lowercase=False).score(
        predictions=[joined(sentences)], passages=[mrp(words, root)]
    )
    assert found["samsa"] == pytest.approx(float(expected[0]), abs=1e-9)
    assert found["samsa_abl"] == pytest.approx(float(expected[1]), abs=1e-9)


# What is given and what is told


def test_a_passage_of_another_sentence_than_the_source_is_told():
    swapped = [SOURCES[1], SOURCES[0]]
    with pytest.raises(InputError, match=r"^row 0 of passages "):
        Samsa().score(sources=swapped, predictions=["a", "b"], passages=PARSES[:2])
    assert Samsa().score(sources=SOURCES, predictions=SOURCES, passages=PARSES)["scored"] == 4


def test_a_module_reads_parses_as_texts_and_as_dicts():
    module = textsimp.load("samsa", aligner=equal_words)
    graphs = [*map(json.loads, PARSES)]
    given = {"sources": SOURCES, "predictions": lines("parses/systems/splitter.txt")}
    found = module.compute(**given, passages=PARSES)
    assert found["samsa"] == 96.875
    assert module.compute(**given, passages=graphs) == found
    for row in zip(SOURCES, given["predictions"], PARSES, strict=True):
        module.add(**dict(zip(("source", "prediction", "passage"), row, strict=True)))
    assert module.compute() == found
