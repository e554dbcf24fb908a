"""What ``Seq2SeqTrainer`` logs of a tiny T5 by `make_compute_metrics`."""

import pytest

from tests.given import columns, load_file
from tests.project import EXAMPLES, PROJECT
from textsimp import Sari
from textsimp.support.errors import InputError
from textsimp.trainer import make_compute_metrics

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def lines():
    return columns()["sources"][:10]


@pytest.fixture(scope="module")
def targets():
    """Two references of each line."""
    return [row[:2] for row in columns()["references"][:10]]


@pytest.fixture(scope="module")
def bpe(lines):
    """A byte-level BPE that decodes what it encodes."""
    return load_file(EXAMPLES / "train_tiny.py").make_tokenizer(lines)


@pytest.fixture
def rows(bpe, lines, targets):
    return [
        {**bpe(line), "labels": bpe(target[0])["input_ids"]}
        for line, target in zip(lines, targets, strict=True)
    ]


@pytest.fixture
def model(bpe):
    """A tiny T5, made of the same random numbers every time."""
    transformers.set_seed(0)
    config = transformers.T5Config(
        vocab_size=len(bpe),
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
    )
    return transformers.T5ForConditionalGeneration(config)


@pytest.fixture
def make_trainer(bpe, model, rows, tmp_path):
    """The model's trainer with what `make_compute_metrics` returned and training arguments."""

    def make(compute_metrics, **arguments):
        usual = {
            "predict_with_generate": True,
            "include_for_metrics": ["inputs"],
            "generation_max_length": 24,
            "per_device_eval_batch_size": 4,
            "max_steps": 2,
            "report_to": "none",
            "save_strategy": "no",
            "disable_tqdm": True,
            "use_cpu": True,
        }
        return transformers.Seq2SeqTrainer(
            model,
            transformers.Seq2SeqTrainingArguments(str(tmp_path), **{**usual, **arguments}),
            train_dataset=rows,
            eval_dataset=rows,
            data_collator=transformers.DataCollatorForSeq2Seq(bpe, model),
            processing_class=bpe,
            compute_metrics=compute_metrics,
        )

    return make


def decoded(bpe, ids):
    return [bpe.decode([i for i in row if i > 1]) for row in ids]


def test_trainer_predicts_and_scores_the_texts_of_its_predictions(
    make_trainer, bpe, rows, lines, targets
):
    output = make_trainer(make_compute_metrics(bpe)).predict(rows)
    expected = Sari().score(
        sources=lines,
        predictions=decoded(bpe, output.predictions),
        references=[row[0] for row in targets],
    )
    expected = expected.to_dict(signature=False)
    assert {name: output.metrics[f"test_{name}"] for name in expected} == expected


def test_trainer_scores_batches_one_by_one_as_together(make_trainer, bpe):
    results = []
    for batchwise in (False, True):
        compute_metrics = make_compute_metrics(bpe)
        results.append(make_trainer(compute_metrics, batch_eval_metrics=batchwise).evaluate())
    together, one_by_one = results
    for name in ("eval_sari", "eval_add", "eval_keep", "eval_delete"):
        assert one_by_one[name] == together[name]


def test_trainer_that_groups_by_length_is_reported_that_columns_are_displaced(
    make_trainer, bpe, targets
):
    old = hasattr(transformers.Seq2SeqTrainingArguments, "group_by_length")
    grouped = {"group_by_length": True} if old else {"train_sampling_strategy": "group_by_length"}
    with pytest.raises(InputError):
        make_trainer(make_compute_metrics(bpe, references=targets), **grouped).evaluate()
    assert make_trainer(make_compute_metrics(bpe), **grouped).evaluate()["eval_sari"] > 0


def test_the_snippet_to_copy_runs(bpe, model, rows, tmp_path, monkeypatch):
    page = (PROJECT / "docs" / "tools.md").read_text(encoding="utf-8")
    section = page.partition("## Scores while a model trains")[2]
    snippet = section.partition("```py\n")[2].partition("```")[0]
    names = {"tokenizer": bpe, "model": model, "train_dataset": rows, "eval_dataset": rows}
    monkeypatch.chdir(tmp_path)
    exec(snippet, names)
    state = names["trainer"].state
    assert state.best_metric == max(log.get("eval_sari", 0) for log in state.log_history)
