"""A metric with a model next to one without: in a Trainer, a report and a comparison."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

import pytest

import textsimp
from tests.text.models import tiny
from textsimp.trainer import make_compute_metrics

transformers = pytest.importorskip("transformers")

SOURCES = ["the small cat sat on the mat .", "it rained , and we left .", "dogs ran fast ."]
OUTPUTS = ["a cat sat .", "it rained . we left .", "big dogs ran ."]
REFERENCES = [["the cat sat .", "a cat sat on it ."], ["it rained ."], ["dogs ran ."]]


@pytest.fixture
def metrics(bert: Path) -> dict[str, dict[str, Any]]:
    return {"sari": {}, "bertscore": {"model": str(bert), "layer": 3, "device": "cpu"}}


def test_a_trainer_logs_it(metrics: Any, tmp_path: Path) -> None:
    pytest.importorskip("accelerate")
    model = transformers.T5ForConditionalGeneration.from_pretrained(seq2seq(tmp_path / "t5"))
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "t5")
    rows = [
        {**tokenizer(source), "labels": tokenizer(output)["input_ids"]}
        for source, output in zip(SOURCES, OUTPUTS, strict=True)
    ]
    compute_metrics = make_compute_metrics(
        tokenizer, metrics, sources=SOURCES, references=REFERENCES
    )
    arguments = transformers.Seq2SeqTrainingArguments(
        str(tmp_path / "trained"),
        max_steps=1,
        eval_strategy="steps",
        eval_steps=1,
        predict_with_generate=True,
        generation_max_length=8,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        use_cpu=True,
    )
    trainer = transformers.Seq2SeqTrainer(
        model,
        arguments,
        train_dataset=rows,
        eval_dataset=rows,
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model),
        processing_class=tokenizer,
        compute_metrics=compute_metrics,
    )
    trainer.train()
    (log,) = [log for log in trainer.state.log_history if "eval_sari" in log]
    output = trainer.predict(rows)
    predictions = tokenizer.batch_decode(
        [[i for i in row if i >= 0] for row in output.predictions], skip_special_tokens=True
    )
    found = textsimp.BertScore(**metrics["bertscore"]).score(
        sources=SOURCES, predictions=predictions, references=REFERENCES
    )
    for name in ("bertscore", "precision", "bertscore_to_source"):
        assert log[f"eval_{name}"] == pytest.approx(found[name], abs=1e-4)
    assert "|model:encoder@" in compute_metrics.signatures["bertscore"]


def seq2seq(folder: Path) -> Path:
    """A random T5 with a tokenizer that ends texts."""
    size = tiny.tokenizer(folder)
    sizes = {"d_model": 16, "d_kv": 8, "num_layers": 1, "num_heads": 2, "d_ff": 32}
    special = {"decoder_start_token_id": 0, "pad_token_id": 0, "eos_token_id": 3}
    transformers.set_seed(0)
    config = transformers.T5Config(vocab_size=size, **sizes, **special)
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder


@pytest.mark.filterwarnings("ignore:3 examples")
def test_a_report_and_a_comparison_have_the_same_scores(metrics: Any) -> None:
    pytest.importorskip("jinja2", reason="needs the extra report")
    given = {"sources": SOURCES, "references": REFERENCES}
    systems = {"ours": OUTPUTS, "copy": SOURCES}
    compared = textsimp.compare(systems, metric=metrics, **given, resamples=50)
    page = textsimp.report.html(systems, **given, metrics=metrics, resamples=50)
    for name in metrics:
        for scores in compared[name].systems.values():
            assert f"{scores.main.value:.2f}" in page
            assert scores.signature in html.unescape(page)
