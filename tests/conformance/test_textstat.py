"""textstat 0.7.13 on ASSET."""

import pytest

from tests.metrics.test_textstat import FUNCTIONS
from textsimp import FkglComponents, Readability


@pytest.mark.parametrize("system", ["source", "ACCESS", "UNTS", "DMASS-DCSS", "Dress-Ls"])
def test_scores_are_those_of_textstat_0_7_13(goldens, lines, system):
    texts = lines(f"asset_test/{'' if system == 'source' else 'systems/'}{system}.txt")
    golden = {row["function"]: row for row in goldens("textstat") if row["system"] == system}
    metric = Readability("textstat_0_7_13")
    means = metric.score(predictions=texts, per_example=True)
    joined = metric.score(predictions=[" ".join(texts)])
    for name, function in FUNCTIONS.items():
        row = golden[function]
        assert means[name] == pytest.approx(row["mean"], abs=1e-9)
        assert means[f"{name}_per_example"][:3] == pytest.approx(row["first"], abs=1e-9)
        assert joined[name] == pytest.approx(row["joined"], abs=1e-9)
    row = golden["flesch_kincaid_grade"]
    for aggregation, key in (("mean", "mean"), ("joined", "joined")):
        fkgl = FkglComponents("textstat_0_7_13", aggregation=aggregation)
        assert fkgl.score(predictions=texts)["fkgl"] == pytest.approx(row[key], abs=1e-9)
