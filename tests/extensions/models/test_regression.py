"""Regression is means of what a model says; the model is made up."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extensions.literal import regression as literal
from tests.extensions.models.networks.fake import Fake, models
from textsimp import InputError
from textsimp.extensions.models.regression import Regression

TEXTS = ["a", "b", "c", ""]

texts = st.sampled_from(TEXTS)
numbers = st.floats(-4, 4, width=16)


def of(*said):
    """A model that says these of the texts."""
    return Fake(["LABEL_0"], {text: [number] for text, number in zip(TEXTS, said, strict=False)})


def score(fake, options, **given):
    with models(one=fake):
        return Regression(model="one", **options).score(**given)


@given(
    said=st.tuples(*[numbers] * len(TEXTS)),
    of_pairs=st.lists(numbers, min_size=16, max_size=16),
    rows=st.lists(
        st.tuples(texts, texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=5
    ),
)
def test_scores_equal_the_literal_definition(said, of_pairs, rows):
    fake = of(*said)
    pairs = itertools.product(TEXTS, TEXTS)
    fake.said = {**fake.said, **{p: [x] for p, x in zip(pairs, of_pairs, strict=True)}}
    sources, predictions, references = map(list, zip(*rows, strict=True))
    columns = {"sources": sources, "predictions": predictions, "references": references}

    def number(text):
        return fake.said[text][0]

    expected = {
        "nothing": literal.alone(number, **columns),
        "source": literal.paired(number, predictions, [[text] for text in sources]),
        "reference": literal.paired(number, predictions, references),
    }
    for paired_with, scores in expected.items():
        found = score(fake, {"paired_with": paired_with}, **columns).to_dict(signature=False)
        assert found == pytest.approx(scores, abs=1e-6)  # numbers of models are single precision


def test_scores_without_their_column_are_left_out():
    assert [*score(of(3, 1), {}, predictions=["a"])] == ["regression", "signature"]
    found = score(of(3, 1), {}, predictions=["a"], references=["b"])
    assert [*found] == ["regression", "reference_regression", "signature"]


@pytest.mark.parametrize("paired_with", ["source", "reference"])
def test_what_outputs_are_paired_with_must_be_given(paired_with):
    fake = of(1)
    with pytest.raises(InputError):
        score(fake, {"paired_with": paired_with}, predictions=["a"])
    assert not fake.asked


def test_a_classifier_is_no_regression():
    with models(one=Fake(["no", "yes"], {})), pytest.raises(InputError):
        Regression(model="one")


@pytest.mark.parametrize(
    ("number", "output", "expected"),
    [
        (2.0, "a b", 2.0),
        (2.0, "a b a b a b", 2 * (1 - 3 / 5)),  # 3 of its 5 bigrams repeat others
        (-2.0, "a b a b a b", -2 * (1 + 3 / 5)),  # repetition lowers negative scores, too
    ],
)
def test_documents_are_scored_by_their_aligned_sentences(number, output, expected):
    fake = Fake(["score"], {("a b", output): [number]})
    options = {"paired_with": "reference", "level": "aligned"}
    found = score(fake, options, sources=["a b"], predictions=[output], references=[["a b"]])
    assert found["regression"] == pytest.approx(expected)


def test_at_the_level_of_aligned_sentences_only_outputs_have_numbers():
    columns = {"sources": ["a"], "predictions": ["b"], "references": [["c"]]}
    found = score(of(1, 3, 5, 0), {"level": "aligned"}, **columns)
    assert [*found] == ["regression", "difference", "signature"]


def test_the_signature_has_the_model_and_all_that_changes_a_score():
    with models(one=of(1)):
        signature = Regression(model="one", paired_with="source").signature()
    assert "|model:one@0123456789ab|" in signature
    assert "|pair:source|" in signature


def test_paper_is_that_of_the_model_that_reads_the_like():
    with models(one=of(1)):
        assert Regression(model="one").paper_keys() == ("cripwell-etal-2023-simplicity",)
        metric = Regression(model="one", paired_with="source")
    assert metric.paper_keys() == ("beauchemin-etal-2023-meaningbert",)
