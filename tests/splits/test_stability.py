"""The example that measures how much of a score is due to the split."""

import json

import pytest

import textsimp
from tests.given import load_file
from tests.project import EXAMPLES
from tests.splits.corpus import corpus

PATH = EXAMPLES / "stability.py"


@pytest.fixture
def stability():
    pytest.importorskip("altair")
    return load_file(PATH)


def test_every_strategy_is_trained_with_every_seed_and_scored_on_one_test_set(stability):
    seen = []

    def train_and_predict(splits, sources, seed):
        seen.append((len(splits["train"]), seed))
        return ["a cat"] * len(sources)

    data = corpus(12, 5, 3)
    references = [["a cat", "the cat"]] * 2
    runs = stability.benchmark(train_and_predict, data, ["a feline"] * 2, references, (1, 2))
    names = [*stability.STRATEGIES]
    assert [(run["strategy"], run["seed"]) for run in runs] == [
        *((name, 1) for name in names),
        *((name, 2) for name in names),
    ]
    assert seen[:5] == [(12, 1), (12, 1), (11, 1), (10, 1), (12, 1)]
    columns = {"sources": ["a feline"] * 2, "predictions": ["a cat"] * 2}
    sari = textsimp.Sari()
    assert runs[0]["sari"] == sari.score(**columns, references=references)["sari"]
    alone = sari.score(**columns, references=["the cat"] * 2)["sari"]
    assert runs[0]["sari_per_reference"][1] == alone
    summary = stability.summarise(runs)
    assert summary["random"] == ([runs[0]["sari"], *runs[0]["sari_per_reference"]], [0, 0, 0])


@pytest.mark.slow
def test_the_example_runs(stability, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(stability, "RESULTS", tmp_path)
    stability.main()
    assert "random                      27.5 ± 1.3" in capsys.readouterr().out
    assert (tmp_path / "stability.svg").exists()
    lines = (tmp_path / "stability.jsonl").read_text(encoding="utf-8").splitlines()
    assert len([json.loads(line) for line in lines]) == 25
