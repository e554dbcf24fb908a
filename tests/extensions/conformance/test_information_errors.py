"""Lengths, edits and correlations by labels of information errors, as their paper prints them."""

import pytest

from tests.conformance.annotated import FILES, FOLDER
from textsimp import Sari
from textsimp.extensions import people
from textsimp.extensions.people.judgements.error_tables import tabulate
from textsimp.metrics.information_errors import CATEGORIES


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
