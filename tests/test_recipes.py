"""docs/recipes.md: each recipe runs in the tool that it is for, where that is installed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from textsimp.metrics.sari import Sari

PROJECT = Path(__file__).parents[1]
RECIPES = PROJECT / "examples" / "recipes"
ROWS = [
    json.loads(line)
    for line in (PROJECT / "examples" / "examples.jsonl").read_text(encoding="utf-8").splitlines()
]
SOURCES = [row["source"] for row in ROWS]
REFERENCES = [row["references"] for row in ROWS]
SPLITTER = [row["splitter"] for row in ROWS]


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(PROJECT)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")


def tool(name: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed")


def recipe(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, RECIPES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def scores(predictions: list[str], references: list[list[str]] = REFERENCES) -> dict[str, Any]:
    rows = len(predictions)
    return Sari.preset().score(
        sources=SOURCES[-rows:], predictions=predictions, references=references, per_example=True
    )


@pytest.mark.parametrize("file", sorted(RECIPES.iterdir()), ids=lambda file: file.name)
def test_the_page_shows_the_file(file: Path) -> None:
    if file.is_file():
        page = (PROJECT / "docs" / "recipes.md").read_text(encoding="utf-8")
        assert f"\n{file.read_text(encoding='utf-8')}```\n" in page


def test_lm_evaluation_harness_reports_the_corpus_score() -> None:
    lm_eval = tool("lm_eval")
    from lm_eval.tasks import TaskManager

    found = lm_eval.simple_evaluate(
        model="dummy",  # it answers "lol"
        tasks=["simplify"],
        task_manager=TaskManager(include_path=str(RECIPES), include_defaults=False),
    )
    (value,) = (v for k, v in found["results"]["simplify"].items() if k.startswith("sari,"))
    assert value == pytest.approx(scores(["lol"] * len(ROWS))["sari"])


def test_unitxt_reports_the_corpus_score_and_an_interval_of_its_own() -> None:
    tool("unitxt")
    found = recipe("unitxt_evaluate").main()
    expected = scores(SPLITTER)
    assert found["sari"] == pytest.approx(expected["sari"])
    assert found["signature"] == expected["signature"]
    assert found["sari_ci_low"] < found["sari"] < found["sari_ci_high"]


def test_flexeval_reports_the_corpus_and_each_example() -> None:
    tool("flexeval")
    found = (
        recipe("flexeval_metric")
        .TextSimp()
        .evaluate(SPLITTER, REFERENCES, [{"source": source} for source in SOURCES])
    )
    expected = scores(SPLITTER)
    assert found.summary["sari"] == pytest.approx(expected["sari"])
    assert found.summary["signature"] == expected["signature"]
    details = [row["sari"] for row in found.instance_details]
    assert details == pytest.approx(expected["sari_per_example"])


def test_euroeval_scores_with_the_first_reference(tmp_path: Path) -> None:
    tool("euroeval")
    from datasets import Dataset
    from euroeval.task_group_utils.text_to_text import compute_metrics

    config = recipe("custom_datasets").MY_SIMPLIFICATION
    targets = [references[0] for references in REFERENCES]
    found = compute_metrics(
        (SPLITTER, targets),
        dataset_config=config,
        benchmark_config=SimpleNamespace(cache_dir=str(tmp_path)),
        dataset=Dataset.from_dict({"text": SOURCES, "target_text": targets}),
    )
    assert found["sari_easse"] == pytest.approx(scores(SPLITTER, [[t] for t in targets])["sari"])
