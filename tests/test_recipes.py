"""docs/tools.md: each recipe runs in the tool that it is for, where that is installed."""

import json

import pytest

from tests.given import load_file, rows
from tests.project import EXAMPLES, PROJECT
from textsimp.metrics.sari import Sari

RECIPES = EXAMPLES / "recipes"
ROWS = rows(EXAMPLES / "examples.jsonl")
SOURCES = [row["source"] for row in ROWS]
REFERENCES = [row["references"] for row in ROWS]
SPLITTER = [row["splitter"] for row in ROWS]


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch, tmp_path):
    monkeypatch.chdir(PROJECT)
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")


def tool(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


def recipe(name):
    return load_file(RECIPES / f"{name}.py")


def scores(predictions, references=REFERENCES):
    sources = SOURCES[-len(predictions) :]
    return Sari.preset().score(
        sources=sources, predictions=predictions, references=references, per_example=True
    )


@pytest.mark.parametrize("file", sorted(RECIPES.iterdir()), ids=lambda file: file.name)
def test_the_page_links_the_file(file):
    if file.is_file():
        page = (PROJECT / "docs" / "tools.md").read_text(encoding="utf-8")
        assert f"](../examples/recipes/{file.name})" in page


def test_lm_evaluation_harness_reports_the_corpus_score():
    lm_eval = tool("lm_eval")
    from lm_eval.tasks import TaskManager

    found = lm_eval.simple_evaluate(
        model="dummy",  # it answers "lol"
        tasks=["simplify"],
        task_manager=TaskManager(include_path=str(RECIPES), include_defaults=False),
    )
    (value,) = (v for k, v in found["results"]["simplify"].items() if k.startswith("sari,"))
    assert value == pytest.approx(scores(["lol"] * len(ROWS))["sari"])


def test_inspect_reports_the_corpus_and_each_output(tmp_path):
    tool("inspect_ai")
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    outputs = [ModelOutput.from_content("mockllm", text) for text in SPLITTER]
    for output in outputs:
        output.usage = ModelUsage()  # counting tokens would download a tokenizer
    (log,) = evaluate(
        recipe("inspect_simplify").simplify(),
        model=get_model("mockllm/model", custom_outputs=outputs),
        max_connections=1,  # the outputs come in the samples' order
        max_samples=1,
        log_dir=str(tmp_path),
        display="none",
    )
    expected = scores(SPLITTER)
    assert log.status == "success"
    assert log.results.scores[0].metrics["corpus"].value == pytest.approx(expected["sari"])
    details = [sample.scores["sari"].value for sample in log.samples]
    assert details == pytest.approx(expected["sari_per_example"])


def test_deepeval_scores_each_output(monkeypatch):
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    tool("deepeval")
    from deepeval.test_case import LLMTestCase

    metric = recipe("deepeval_metric").SariMetric(threshold=0.3)
    found = []
    for row in ROWS:
        case = LLMTestCase(
            input=row["source"],
            actual_output=row["splitter"],
            metadata={"references": row["references"]},
        )
        found.append(metric.measure(case) * 100)
        assert metric.success is (metric.score >= 0.3)
    assert found == pytest.approx(scores(SPLITTER)["sari_per_example"])


def test_weave_scores_each_output(monkeypatch):
    monkeypatch.setenv("WEAVE_DISABLED", "true")
    weave = tool("weave")
    import asyncio

    dataset = [{**row, "references": [*row["references"]]} for row in ROWS[-3:]]
    outputs = {row["source"]: row["splitter"] for row in ROWS}

    @weave.op
    def model(source):
        return outputs[source]

    scorer = recipe("weave_scorer").SariScorer()
    evaluation = weave.Evaluation(dataset=dataset, scorers=[scorer])
    found = asyncio.run(evaluation.evaluate(model))
    expected = scores(SPLITTER[-3:], REFERENCES[-3:])["sari_per_example"]
    assert found["SariScorer"]["sari"]["mean"] == pytest.approx(sum(expected) / 3)


def test_langfuse_evaluates_each_output():
    tool("langfuse")
    sari = recipe("langfuse_evaluator").sari
    found = [
        sari(input=row["source"], output=row["splitter"], expected_output=row["references"]).value
        for row in ROWS
    ]
    assert found == pytest.approx(scores(SPLITTER)["sari_per_example"])


def test_promptfoo_asserts_a_threshold():
    get_assert = recipe("promptfoo_sari").get_assert
    expected = scores(SPLITTER)["sari_per_example"]
    for row, score in zip(ROWS, expected, strict=True):
        context = {"vars": row, "config": {"threshold": expected[0]}}
        found = get_assert(row["splitter"], context)
        assert found["score"] == pytest.approx(score / 100)
        assert found["pass"] is bool(score >= expected[0])


def test_mlflow_keeps_scores_and_signature(tmp_path):
    mlflow = tool("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
    run = mlflow.get_run(recipe("mlflow_run").run.info.run_id)
    expected = scores(SPLITTER)
    assert run.data.metrics["sari"] == pytest.approx(expected["sari"])
    assert run.data.tags["sari.signature"] == expected["signature"]


def test_wandb_keeps_scores_without_network(tmp_path, monkeypatch):
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    tool("wandb")
    recipe("wandb_run")
    (log,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    assert json.dumps(scores(SPLITTER)["sari"]).encode() in log.read_bytes()


def test_torchmetrics_gives_the_corpus_score_over_batches():
    tool("torchmetrics")
    metric = recipe("torchmetrics_sari").Sari()
    for part in (slice(0, 20), slice(20, None)):
        metric.update(SPLITTER[part], REFERENCES[part], SOURCES[part])
    assert float(metric.compute()) == pytest.approx(scores(SPLITTER)["sari"])
