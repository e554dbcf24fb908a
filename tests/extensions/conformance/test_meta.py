"""Agreement with people on public ratings, and raters' agreement, as published or measured."""

import json

import numpy as np
import pytest

from tests.project import SHARED
from textsimp import Bleu, Sari
from textsimp.extensions import people

METRICS = {
    "easse": Sari(),
    "by precision": Sari(delete="precision"),
    "xu": Sari("xu"),
    "huggingface": Sari("huggingface"),
    "bleu": Bleu("sacrebleu"),
}
CONTROLS = ("copy", "scramble_words")


@pytest.fixture(scope="module")
def rated(corpus):
    """``rated("wikida")`` → its rows, with references."""

    def read(name):
        with open(SHARED / "data" / "ratings" / f"{name}.jsonl", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        if name == "simpeval_past":
            references = dict(zip(*corpus("asset_test"), strict=True))
            rows = [{**row, "references": references[row["source"]]} for row in rows]
        return rows

    return read


@pytest.fixture(scope="module")
def past(rated):
    return rated("simpeval_past")


def rounded(found, level, coefficient):
    return [round(of[level][coefficient].value, 2) for of in found.metrics.values()]


@pytest.fixture(scope="module")
def without_controls(past):
    rows = [row for row in past if row["system"] not in CONTROLS]
    return people.evaluate(rows, METRICS, rating="overall_z")


@pytest.mark.slow
def test_systems_of_simpeval_past(without_controls):
    assert (without_controls.outputs, without_controls.systems) == (2200, 22)
    assert rounded(without_controls, "systems", "spearman") == [0.80, 0.88, 0.78, 0.85, 0.53]
    assert rounded(without_controls, "systems", "accuracy") == [0.82, 0.85, 0.81, 0.84, 0.69]


@pytest.mark.slow
def test_intervals_over_sources_and_systems_of_simpeval_past(without_controls):
    measured = [[0.47, 0.96], [0.61, 0.97], [0.36, 0.94], [0.53, 0.95], [0.01, 0.87]]
    for of, interval in zip(without_controls.metrics.values(), measured, strict=True):
        # Another seed moves a bound by some hundredths.
        assert of["systems"]["spearman"].interval == pytest.approx(interval, abs=0.05)


@pytest.mark.parametrize(
    ("name", "rating", "references", "measured"),
    [
        pytest.param(
            *("simpeval_past", "overall_z", "without_output", [0.32, 0.38, 0.34, 0.40, 0.50]),
            marks=pytest.mark.slow,
        ),
        ("simpeval_2022", "overall_z", "without_output", [0.28, 0.03, 0.05, -0.04, -0.16]),
        ("wikida", "simplicity_z", "as_given", [0.24, 0.36, 0.36, 0.32, 0.51]),
    ],
)
def test_outputs(rated, name, rating, references, measured):
    found = people.evaluate(
        rated(name), METRICS, rating=rating, references=references, confidence=None
    )
    assert rounded(found, "outputs", "pearson") == measured


def test_people_put_the_copy_in_the_middle_and_metrics_first_or_last(past):
    systems = list(dict.fromkeys(row["system"] for row in past))

    def place(scores):
        order = [systems[i] for i in np.argsort(scores)[::-1]]
        return 1 + order.index("copy")

    def of(system):
        return [row for row in past if row["system"] == system]

    people = [np.mean([row["overall_z"] for row in of(system)]) for system in systems]
    assert place(people) == 13
    for variant, expected in (("huggingface", 1), ("easse", len(systems))):
        scores = []
        for system in systems:
            rows = of(system)
            columns = {
                "sources": [row["source"] for row in rows],
                "predictions": [row["prediction"] for row in rows],
                "references": [
                    [text for text in row["references"] if text != row["prediction"]]
                    for row in rows
                ],
            }
            scores.append(Sari(variant).score(**columns)["sari"])
        assert place(scores) == expected, variant


def test_the_human_whose_outputs_are_the_references_is_named(rated):
    found = people.evaluate(rated("simpeval_2022"), "bleu", rating="overall", confidence=None)
    assert any("60 of 60 outputs of Human 1 Writing" in note for note in found.notes)
    assert (found.outputs, found.systems) == (300, 5)


def test_documents_with_likert_ratings_and_no_systems(rated):
    found = people.evaluate(rated("d_wikipedia"), "bleu", rating="simplicity-overall", resamples=20)
    assert (found.outputs, found.items, found.systems) == (465, 100, None)
    assert "left out: 57 outputs without another reference" in found.notes
    assert list(found.metrics["bleu"]) == ["outputs", "within_items"]


def test_krippendorffs_alpha_of_the_toy(goldens):
    (toy,) = [row for row in goldens("information_errors") if row["kind"] == "krippendorff_toy"]
    units = [list(unit) for unit in zip(*toy["ratings"], strict=True)]
    as_3 = [[3 if label == -1 else label for label in unit] for unit in units]
    for name, level, labels in (
        ("ordinal_minus1_as_3", "ordinal", as_3),
        ("ordinal_minus1_left", "ordinal", units),
        ("nominal", "nominal", units),
        ("interval", "interval", as_3),
    ):
        found = people.rater_agreement(labels, level=level, confidence=None)
        assert found.alpha == pytest.approx(toy[name], abs=1e-9), name
