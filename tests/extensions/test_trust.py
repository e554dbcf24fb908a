"""``tools/trust_sets.py`` measures how well scores agree with people as `people.evaluate` does."""

import random

import numpy as np
import pytest

from tests.given import load_tool
from textsimp import Bleu, Sari
from textsimp.extensions import people
from textsimp.extensions.people.judgements import resampling

WORDS = ("the", "a", "cat", "dog", "sat", "lay", "ran", "on", "by", "mat", "hat", "very", "old")
METRICS = {"`sari` easse": Sari(), "`bleu` sacrebleu": Bleu("sacrebleu")}
SCORES = {label: (metric, metric.name) for label, metric in METRICS.items()}


@pytest.fixture
def trust(monkeypatch):
    return load_tool(monkeypatch, "trust_sets")


@pytest.fixture(scope="module")
def rows():
    """Random outputs of four systems of fifteen sources; a reference of some is the output."""
    rng = random.Random(7)

    def text():
        return " ".join(rng.choices(WORDS, k=rng.randint(4, 9)))

    found = []
    for item in range(15):
        source, references = text(), [text() for _ in range(3)]
        for system in "dbca":
            output = rng.choice([text(), text(), references[0]])
            rating = [rng.randint(0, 5) for _ in range(3)]
            row = {"item": item, "system": system, "source": source, "prediction": output}
            found.append({**row, "references": references, "rating": rating, "other": item})
    return found


def test_the_figures_are_those_of_meta(trust, rows):
    rated = trust.rate(rows, ["rating", "other"], SCORES)
    found = rated.measure()["rating"]
    expected = people.evaluate(rows, METRICS, confidence=None)
    by_systems = rated.resample("rating", "systems", "systems")[trust.RHO]
    sample = resampling.make_sample(expected.judged)
    over_items, over_systems = (
        sample.resample([kind], resamples=trust.RESAMPLES, seed=0) for kind in ("items", "systems")
    )
    for i, label in enumerate(METRICS):
        for ours, level, name, resamples in (
            (found[trust.R], "outputs", "pearson", over_items),
            (found[trust.TAU], "within_items", "kendall", over_items),
            (found[trust.SYSTEM], "within_systems", "pearson", over_items),
            (found[trust.RHO], "systems", "spearman", over_items),
            (found[trust.PAIRS], "systems", "accuracy", over_items),
            (by_systems, "systems", "spearman", over_systems),
        ):
            value = expected.metrics[label][level][name].value
            drawn = resamples[f"{level}.{name}"][:, i]
            assert np.array_equal(ours[label], [value, *drawn], equal_nan=True), (label, level)


def test_the_mean_of_more_raters_is_more_reliable(trust):
    rows = [{"one": [4], "same": [r, r], "two": [r, r + r % 2]} for r in range(8)]
    assert trust.mean_reliability(rows, "same") == pytest.approx(1)
    alpha = people.rater_agreement([row["two"] for row in rows]).alpha
    assert alpha is not None
    assert trust.mean_reliability(rows, "two") == pytest.approx(2 * alpha / (1 + alpha))
    assert np.isnan(trust.mean_reliability(rows, "one"))
