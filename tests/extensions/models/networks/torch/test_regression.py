"""Numbers of regression models of transformers."""

import pytest

from tests.extensions.models.networks import tiny
from textsimp import Regression

pytest.importorskip("transformers")

SOURCES = ["the cat sat on the mat .", "it rained , and we left .", "a very big cat"]
OUTPUTS = ["the cat sat .", "", "a very big cat"]
REFERENCES = [["a cat sat .", "the cat ran"], ["it rained .", "we left"], ["a big cat", "cat"]]


def by_hand(folder, *texts):
    return float(tiny.logits(folder, *texts)[0])


def near(expected):
    return pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("batch_size", [1, 64])
def test_texts_alone(one, batch_size):
    found = Regression(model=str(one), batch_size=batch_size).score(
        sources=SOURCES, predictions=OUTPUTS, references=REFERENCES, per_example=True
    )
    own, sources = ([by_hand(one, text) for text in texts] for texts in (OUTPUTS, SOURCES))
    assert found["regression_per_example"] == near(own)
    assert found["source_regression_per_example"] == near(sources)
    differences = [a - b for a, b in zip(own, sources, strict=True)]
    assert found["difference_per_example"] == near(differences)
    assert differences[2] == 0
    means = [sum(by_hand(one, text) for text in row) / 2 for row in REFERENCES]
    assert found["reference_regression_per_example"] == near(means)


@pytest.mark.parametrize("batch_size", [1, 64])
def test_pairs(one, batch_size):
    metric = Regression(model=str(one), paired_with="source", batch_size=batch_size)
    found = metric.score(sources=SOURCES, predictions=OUTPUTS, per_example=True)
    expected = [by_hand(one, *pair) for pair in zip(SOURCES, OUTPUTS, strict=True)]
    assert found["regression_per_example"] == near(expected)
    again = metric.score(sources=SOURCES[::-1], predictions=OUTPUTS[::-1])
    assert again["regression"] == near(found["regression"])


def test_the_best_of_references(one):
    metric = Regression(model=str(one), paired_with="reference")
    found = metric.score(predictions=OUTPUTS, references=REFERENCES, per_example=True)
    expected = [
        max(by_hand(one, text, output) for text in row)
        for row, output in zip(REFERENCES, OUTPUTS, strict=True)
    ]
    assert found["regression_per_example"] == near(expected)
    assert "|refs:2|" in found.signature
