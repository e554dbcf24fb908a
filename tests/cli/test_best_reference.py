"""``multi_reference=best`` of SARI at every door: the same score, and its tag."""

import json

import pytest

import textsimp
from tests.given import columns, lines
from textsimp.scoring.explanation import make_configurations

FILES = "-s source.txt -r references -p systems/substituter.txt"
TAG = "sari|variant:easse|tok:13a|case:lc|multi_reference:best|refs:3|"


@pytest.fixture
def texts(examples):
    return {**columns(), "predictions": lines("systems/substituter.txt")}


@pytest.mark.parametrize("option", ["-m sari:multi_reference=best", "-O multi_reference=best"])
def test_the_command_scores_by_it(run, texts, option):
    done = json.loads(run(f"score {option} {FILES} --json").stdout)
    assert done["signatures"]["sari"].startswith(TAG)
    score = done["systems"]["substituter"]["sari"]["sari"]
    assert score == textsimp.Sari(multi_reference="best").score(**texts)["sari"]
    assert score > textsimp.Sari().score(**texts)["sari"]
    assert (
        "SARI (best reference, textsimp's)" in run(f"score {option} {FILES} --resamples 9").stdout
    )


def test_explain_tries_it_only_with_several_references(texts):
    tried = make_configurations(textsimp.Sari, textsimp.Sari().check(**texts))[0]
    best = [of for of in tried if of.options.get("multi_reference") == "best"]
    assert best
    assert all(of.reference is None for of in best)
    texts["references"] = [texts[:1] for texts in texts["references"]]
    tried = make_configurations(textsimp.Sari, textsimp.Sari().check(**texts))[0]
    assert not any("multi_reference" in of.options for of in tried)
