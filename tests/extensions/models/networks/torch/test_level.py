"""Levels by classifiers of transformers."""

import numpy as np
import pytest

from tests.extensions.models.networks import tiny
from textsimp import Level
from textsimp.extensions.models.level import CEFR

transformers = pytest.importorskip("transformers")
torch = pytest.importorskip("torch")

TEXTS = ["the cat sat .", "", "dogs ran , and we left .", "it rained", "the cat sat .", "a big cat"]


@pytest.fixture(scope="module")
def cefr(tmp_path_factory):
    """Three folders with random classifiers, whose labels are in other orders."""
    folder = tmp_path_factory.mktemp("cefr")
    orders = [CEFR, CEFR[::-1], [name.lower() for name in CEFR]]
    return [tiny.bert(folder / f"m{i}", [*order], seed=i) for i, order in enumerate(orders)]


def by_pipeline(folders, text):
    """As TSAR 2025's script does it: the best label of each pipeline, and of these the best."""
    found = [
        transformers.pipeline("text-classification", model=str(folder), device="cpu")(text)[0]
        for folder in folders
    ]
    return max(found, key=lambda one: one["score"])


@pytest.mark.parametrize("batch_size", [1, 64])
def test_levels_are_those_of_the_pipelines(cefr, batch_size):
    metric = Level(model=",".join(map(str, cefr)), batch_size=batch_size)
    found = metric.score(predictions=TEXTS, per_example=True)
    expected = [by_pipeline(cefr, text) for text in TEXTS]
    assert found["level_per_example"] == [one["label"].upper() for one in expected]
    assert len({*found["level_per_example"]}) > 1
    scores = [one["score"] for one in expected]
    assert np.allclose(found["confidence_per_example"], scores, atol=1e-5)
