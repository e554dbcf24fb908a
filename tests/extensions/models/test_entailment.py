"""Entailment, whatever the model says: which pairs it is asked, and what is made of its answers."""

import hashlib
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.extensions.literal import entailment as literal
from textsimp.extensions.models.entailment import indices, judge
from textsimp.support.errors import InputError

WORDS = ["Ann", "left", "Bonn", "in", "May", "…", "é", "."]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
documents = st.lists(sentences, max_size=4)
examples = st.lists(st.tuples(documents, documents), max_size=4)


def says(premise, hypothesis):
    """Probabilities of entailment and contradiction, any but always the same."""
    digest = hashlib.md5(f"{premise}\0{hypothesis}".encode()).digest()
    shares = np.array([*digest[:3]]) + 1.0
    yes, no, _ = (shares / shares.sum()).tolist()
    return yes, no


def entails(premise, hypothesis):
    return says(premise, hypothesis)[0]


def contradicts(premise, hypothesis):
    return says(premise, hypothesis)[1]


def ask(pairs):
    return np.array([says(*pair) for pair in pairs]).reshape(-1, 2)


def mean(shares):
    return float(shares.mean()) if shares.size else 0.0


def means(found):
    return mean(found.supported), mean(found.contradicted), mean(found.missing)


def one(source, output, says):
    """What is said of one example by what is said of pairs, nothing of others."""
    (found,) = judge(
        [source], [output], lambda pairs: np.array([says.get(pair, (0, 0)) for pair in pairs])
    )
    return found


@given(texts=examples)
@example(texts=[(["A ."], []), ([], ["A ."]), ([], [])])
def test_shares_are_those_of_the_literal_definition(texts):
    sources, outputs = [source for source, _ in texts], [output for _, output in texts]
    found = judge(sources, outputs, ask, published=True)
    for source, output, judged in zip(sources, outputs, found, strict=True):
        expected = literal.entailment(source, output, set(), entails, contradicts, published=True)
        assert means(judged) == pytest.approx(expected, abs=1e-12)


@given(source=documents, output=documents, data=st.data())
def test_sentences_that_are_linked_are_joined(source, output, data):
    cells = [*product(range(len(source)), range(len(output)))]
    links = data.draw(st.sets(st.sampled_from(cells)) if cells else st.just(set()))
    linked = np.full((len(source), len(output)), -np.inf)
    for cell in links:
        linked[cell] = 0.5

    class Aligner:
        align = staticmethod(lambda sources, targets: iter([linked]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("textsimp.extensions.models.entailment.get_aligner", Aligner)
        (found,) = judge([source], [output], ask)
    expected = literal.entailment(source, output, links, entails, contradicts)
    assert means(found) == pytest.approx(expected, abs=1e-12)


@given(
    source=st.lists(sentences, min_size=1, max_size=4),
    output=st.lists(sentences, min_size=1, max_size=4),
)
def test_support_without_contradiction_is_the_published_zero_shot_score(source, output):
    (found,) = judge([source], [output], ask, published=True)
    supported, contradicted, _ = means(found)
    expected = literal.summac_zs(source, output, entails, contradicts)
    assert supported - contradicted == pytest.approx(expected, abs=1e-12)


def test_a_sentence_that_was_split_is_not_missing():
    source, output = ["Ann left Bonn and Bob came ."], ["Ann left Bonn .", "Bob came ."]
    whole = "Ann left Bonn . Bob came ."
    found = one(source, output, {(whole, source[0]): (0.9, 0.0)})
    assert found.missing == pytest.approx([0.1])


def test_sentences_that_were_fused_are_supported():
    source, output = ["Ann left Bonn .", "Bob came ."], ["Ann left Bonn and Bob came ."]
    whole = "Ann left Bonn . Bob came ."
    found = one(source, output, {(whole, output[0]): (0.9, 0.0)})
    assert found.supported == pytest.approx([0.9])


@pytest.mark.parametrize(
    ("names", "given_labels", "expected"),
    [
        (["entailment", "neutral", "contradiction"], None, (0, 2)),
        (["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], None, (2, 0)),
        (["Contradict", "Entailed", "Neutral"], None, (1, 0)),
        (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], None, (0, 1)),
        (["entailment", "not_entailment"], None, (0, None)),
        (["not_entailment", "entailment"], None, (1, None)),
        (["contradiction", "entailment"], None, (1, 0)),
        (["LABEL_0", "LABEL_1", "LABEL_2"], "Entailment/Neutral/Contradiction", (0, 2)),
        (["LABEL_0", "LABEL_1"], "not-entailment/entailment", (1, None)),
        (["entailment", "neutral", "contradiction"], "neutral/entailment/contradiction", (1, 2)),
    ],
)
def test_labels_are_found_by_name(names, given_labels, expected):
    assert indices(names, given_labels, "m") == expected


@pytest.mark.parametrize(
    ("names", "given_labels"),
    [
        (["low", "middle", "high"], None),
        (["entailment", "neutral", "other"], None),
        (["entailment"], None),
        (["LABEL_0", "LABEL_1"], None),
        (["a", "b", "c"], "entailment/neutral"),
        (["a", "b", "c"], "entailment/neutral/neutral"),
        (["a", "b"], "neutral/neutral"),
        (["a", "b"], ""),
    ],
)
def test_labels_that_do_not_say_what_entails_are_refused(names, given_labels):
    with pytest.raises(InputError):
        indices(names, given_labels, "m")
