"""Agreement with people on public ratings, and raters' agreement, as published or measured."""

import json

import pytest

from tests.project import SHARED
from textsimp.extensions import people


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
