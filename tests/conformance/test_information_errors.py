"""Information errors on the published annotations, as their paper prints them."""

import json

import pytest

from textsimp import InformationErrors, Sari
from textsimp.extensions import people
from textsimp.extensions.people.judgements.error_tables import tabulate
from textsimp.metrics.information_errors import CATEGORIES

from .conftest import SHARED

FOLDER = SHARED / "data" / "information_errors"
FILES = {
    "ref": "reference",
    "access": "ACCESS",
    "controlTS": "ControlTS",
    "dress": "Dress",
    "editNTS": "EditNTS",
    "t5_vanilla": "T5",
}
NAMES = {"0": "0", "1": "1", "2": "2", "-1": "gibberish"}


class Annotated:
    """Columns of the annotated outputs of a system."""

    def __init__(self, system):
        with open(FOLDER / f"{FILES[system]}.jsonl", encoding="utf-8") as file:
            self.rows = [json.loads(line) for line in file]
        self.labels = {category: self.column(category) for category in CATEGORIES}
        self.texts = {name + "s": self.column(name) for name in ("source", "prediction")}

    def column(self, name):
        return [row[name] for row in self.rows]


@pytest.fixture(scope="module")
def annotated():
    return {system: Annotated(system) for system in FILES}


@pytest.fixture(scope="module")
def of_kind(goldens):
    def chosen(kind):
        return [line for line in goldens("information_errors") if line["kind"] == kind]

    return chosen


def test_every_kind_of_line_is_compared(goldens):
    kinds = {line["kind"] for line in goldens("information_errors")}
    compared = {"distribution", "length_change", "edit_distance", "spearman"}
    assert kinds == compared | {"krippendorff_toy"}  # in test_meta.py


def test_tables_4_and_6_to_the_printed_digit(of_kind, annotated):
    lines = of_kind("distribution")
    assert len(lines) == 18
    for line in lines:
        category = line["category"].lower()
        found = InformationErrors().score(**annotated[line["model"]].labels)
        assert found[f"{category}_labelled"] == line["n"]
        percent = [found[f"{category}_{name}"] for name in NAMES.values()]
        counts = [value * line["n"] / 100 for value in percent]
        assert counts == pytest.approx([line["counts"][label] for label in NAMES], abs=1e-9)
        assert [round(value, 1) for value in percent] == line["printed"]


@pytest.mark.parametrize("kind", ["length_change", "edit_distance"])
def test_tables_5_11_and_12(kind, of_kind):
    lines = of_kind(kind)
    assert len(lines) == 7
    for line in lines:
        unit = "characters" if line["table"] == 5 else "tokens"
        file = FOLDER / f"{FILES[line['model']]}.jsonl"
        (found,) = tabulate([file], unit=unit, resamples=1)[kind][1].values()
        categories = [line["category"].lower()] if "category" in line else [*CATEGORIES]
        levels = [level for category in categories for level in found[category].values()]
        rounded = [
            of["outputs"] and [round(of["mean"], 4), round(of["deviation"], 4), of["outputs"]]
            for of in levels
        ]
        assert rounded == [cell or 0 for cell in line["values"]], line["model"]


def test_table_7(of_kind, annotated):
    from nltk.tokenize import TreebankWordTokenizer

    def tokenised(texts):
        return [" ".join(TreebankWordTokenizer().tokenize(text)) for text in texts]

    reference = {row["id"]: row["prediction"] for row in annotated["ref"].rows}
    lines = of_kind("spearman")
    assert len(lines) == 5
    for line in lines:
        data = annotated[line["model"]]
        scores = Sari("xu").score(
            sources=tokenised(data.texts["sources"]),
            predictions=tokenised(data.texts["predictions"]),
            references=tokenised([reference[row["id"]] for row in data.rows]),
            per_example=True,
        )["sari_per_example"]
        values = []
        for labels in data.labels.values():
            levels = [3 if label == -1 else label for label in labels]
            found = people.correlate(scores, levels, confidence=None)
            values.append(found.metrics["scores"]["outputs"]["spearman"].value)
        assert [round(value or 0, 3) for value in values] == line["values"]
