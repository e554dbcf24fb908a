"""Classifiers of information errors, trained from tiny random transformers."""

from __future__ import annotations

import gc
import json
import os
import signal
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from textsimp import errors
from textsimp.errors import Stage
from textsimp.errors.labelled import halves, read
from textsimp.support import files
from textsimp.support.errors import InputError

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

SMALL = {"synthetic": Stage(1, 3e-3, 3, 8), "real": Stage(4, 3e-3, 6, 8), "all": Stage(1, 1e-3)}
WEIGHTS = "model.safetensors"


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """More only wait for one another in so small a model, and can't be forked.

    What was imported isn't searched for garbage, which takes longer than to train.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    gc.freeze()
    yield
    gc.unfreeze()
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """What was deleted shows in the words that are left."""
    return [
        {"source": f"the cat {i} sat on the mat", "prediction": text, "deletion": label}
        for i in range(20)
        for text, label in (
            (f"the cat {i} sat on a mat", 0),
            (f"a cat {i} sat on the mat", 0),
            (f"the cat {i} sat", 1),
            ("mat" if i % 4 else "it", 2 if i % 2 else 0),
        )
    ]


@pytest.fixture(scope="module")
def made() -> list[dict[str, Any]]:
    return [
        {"source": f"a dog {i} ran", "target": text, "category": "deletion", "level": level}
        for i in range(9)
        for level, text in enumerate((f"a dog {i} ran", f"a dog {i}", "ran"))
    ]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: Any, rows: Any) -> Path:
    """A folder with a random BERT of two layers."""
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path_factory.mktemp("models") / "tiny"
    words = {word for row in rows for word in (row["source"] + " dog ran it").split()}
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *sorted(words)]
    bare = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({w: i for i, w in enumerate(vocabulary)}, unk_token="[UNK]")
    )
    bare.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    bare.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=bare, pad_token="[PAD]", unk_token="[UNK]", model_max_length=40
    ).save_pretrained(folder)
    transformers.set_seed(0)
    transformers.BertModel(
        transformers.BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=48,
            initializer_range=0.5,  # different texts make a difference from the start
        )
    ).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def trained(tiny: Path, rows: Any, made: Any, tmp_path_factory: Any) -> tuple[Path, Any]:
    """The folder of a classifier, and its report."""
    output = tmp_path_factory.mktemp("trained") / "deletion"
    return output, errors.train(
        rows, "deletion", output, model=tiny, synthetic=made, stages=SMALL, resamples=50
    )


def columns(rows: Any) -> tuple[list[str], list[str]]:
    return [row["source"] for row in rows], [row["prediction"] for row in rows]


# The report --------------------------------------------------------------------------------------


def test_the_report_sets_the_classifier_beside_both_baselines(trained: Any) -> None:
    _, report = trained
    assert list(report.predictors) == ["tiny", "features", "majority"]
    assert set(report.differences) == {"features", "majority"}
    assert (report.outputs, report.sources) == (16, 4)  # a fifth of the sources
    assert sum(map(sum, report.predictors["tiny"].confusion)) == 16


def test_the_report_says_how_it_was_measured(trained: Any) -> None:
    text = trained[1].to_markdown()
    assert "trained on the other 64 outputs" in text
    assert "and on 27 synthetic rows; 0 of sources that are tested on left out" in text
    assert "measured before the last stage" in text


def test_the_report_is_of_the_best_model_of_the_second_stage(
    tiny: Path, rows: Any, tmp_path: Path
) -> None:
    """Of the model that is saved, without a last stage."""
    report = errors.train(
        rows, "deletion", tmp_path / "m", model=tiny, stages={**SMALL, "all": None}, resamples=9
    )
    given = read(rows, "deletion")
    loaded = errors.classifier(tmp_path / "m")
    assert report.predictors["tiny"].mean_f1 > 0
    test = given.take(halves(given, seed=0)[1])
    found = [[0] * 3 for _ in range(3)]
    for label, guess in zip(
        test.labels, loaded.predict(test.sources, test.predictions), strict=True
    ):
        found[label][guess] += 1
    assert found == report.predictors["tiny"].confusion


def test_the_report_is_in_the_folder(trained: Any) -> None:
    folder, report = trained
    assert json.loads((folder / "report.json").read_text("utf-8")) == report.to_dict()
    assert report.to_markdown() in (folder / "README.md").read_text("utf-8")


# What is trained ---------------------------------------------------------------------------------


def test_a_classifier_is_loaded_and_predicts_labels(trained: Any, rows: Any) -> None:
    loaded = errors.classifier(trained[0])
    assert (loaded.name, loaded.category, loaded.labels) == ("deletion", "deletion", [0, 1, 2])
    found = loaded.predict(*columns(rows))
    assert len(found) == len(rows)
    assert {*map(type, found)} == {int}
    assert len(set(found)) > 1
    assert found == loaded.predict(*columns(rows), batch_size=3)


def test_the_same_seed_gives_the_same_weights_another_one_others(
    trained: Any, tiny: Path, rows: Any, made: Any, tmp_path: Path
) -> None:
    usual: dict[str, Any] = {"model": tiny, "synthetic": made, "stages": SMALL, "resamples": 50}
    again = errors.train(rows, "deletion", tmp_path / "again", **usual)
    errors.train(rows, "deletion", tmp_path / "other", seed=1, **usual)
    assert again.to_dict() == trained[1].to_dict()
    weights = [(folder / WEIGHTS).read_bytes() for folder in (trained[0], tmp_path / "again")]
    assert weights[0] == weights[1]
    assert (tmp_path / "other" / WEIGHTS).read_bytes() != weights[0]


def test_synthetic_rows_make_a_difference_and_are_not_needed(
    trained: Any, tiny: Path, rows: Any, tmp_path: Path
) -> None:
    report = errors.train(rows, "deletion", tmp_path / "m", model=tiny, stages=SMALL, resamples=9)
    assert "no synthetic rows: trained without the first stage" in report.notes
    assert (tmp_path / "m" / WEIGHTS).read_bytes() != (trained[0] / WEIGHTS).read_bytes()


def test_no_row_of_a_source_that_is_tested_on_is_trained_on(
    tiny: Path, rows: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Synthetic ones neither, before the last stage, which is told."""
    import transformers

    seen: list[tuple[set[str], set[str]]] = []
    real = transformers.Trainer.train

    def train(self: Any, **options: Any) -> Any:
        texts = [
            {self.processing_class.decode(row["input_ids"]).split("[SEP]")[0] for row in part or []}
            for part in (self.train_dataset, self.eval_dataset)
        ]
        seen.append((texts[0], texts[1]))
        return real(self, **options)

    monkeypatch.setattr(transformers.Trainer, "train", train)
    synthetic = [
        {"source": row["source"].upper(), "target": "it", "category": "deletion", "level": i % 3}
        for i, row in enumerate(rows)
    ]
    report = errors.train(
        rows, "deletion", tmp_path / "m", model=tiny, synthetic=synthetic, stages=SMALL, resamples=9
    )
    assert any("on 64 synthetic rows; 16 of sources that are tested on" in n for n in report.notes)
    (_, first), (real_rows, second), (everything, none) = seen
    assert len(first) == len(second) == 4
    assert not real_rows & second
    assert everything == real_rows | second
    assert none == set()


def test_minority_labels_are_repeated_in_what_is_trained_on_only(
    tiny: Path, rows: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import transformers

    counts: list[tuple[list[int], list[int]]] = []
    real = transformers.Trainer.train

    def train(self: Any, **options: Any) -> Any:
        counts.append(
            tuple(  # type: ignore[arg-type]
                np.bincount([row["labels"] for row in part or []], minlength=3).tolist()
                for part in (self.train_dataset, self.eval_dataset)
            )
        )
        return real(self, **options)

    monkeypatch.setattr(transformers.Trainer, "train", train)
    errors.train(rows, "deletion", tmp_path / "m", model=tiny, stages=SMALL, resamples=9)
    (training, test), (everything, _) = counts
    assert len(set(training)) == len(set(everything)) == 1
    assert len(set(test)) > 1
    assert sum(everything) > len(rows)


def test_gibberish_may_be_a_class(tiny: Path, rows: Any, tmp_path: Path) -> None:
    odd = [{**row, "deletion": -1, "prediction": "it it it"} for row in rows[::4]]
    report = errors.train(
        [*rows, *odd],
        "deletion",
        tmp_path / "m",
        model=tiny,
        stages=SMALL,
        gibberish="class",
        resamples=9,
    )
    loaded = errors.classifier(tmp_path / "m")
    assert loaded.labels == report.predictors["tiny"].labels == [0, 1, 2, -1]
    assert set(loaded.predict(*columns([*rows, *odd]))) <= {0, 1, 2, -1}
    assert sum(report.predictors["tiny"].confusion[3]) == 4


def test_long_texts_are_cut(trained: Any) -> None:
    loaded = errors.classifier(trained[0])
    assert len(loaded.predict(["the cat " * 500], ["cat " * 500])) == 1
    assert len(loaded.predict(["", "the cat"], ["", ""])) == 2


# The folder --------------------------------------------------------------------------------------


def test_nothing_else_is_left(trained: Any) -> None:
    folder, _ = trained
    assert [path.name for path in folder.parent.iterdir()] == ["deletion"]
    assert {"config.json", WEIGHTS, "report.json", "README.md", "tokenizer.json"} <= {
        path.name for path in folder.iterdir()
    }
    assert not [path for path in folder.iterdir() if path.suffix in (".bin", ".pt")]


def test_it_names_no_place_of_this_machine(trained: Any) -> None:
    for path in trained[0].iterdir():
        assert str(trained[0].parent.parent).encode() not in path.read_bytes()


def test_a_folder_that_is_there_is_refused(trained: Any, tiny: Path, rows: Any) -> None:
    before = {path.name: path.read_bytes() for path in trained[0].iterdir()}
    with pytest.raises(InputError, match="deletion is there already"):
        errors.train(rows, "deletion", trained[0], model=tiny, stages=SMALL)
    assert {path.name: path.read_bytes() for path in trained[0].iterdir()} == before


def kill(patch: pytest.MonkeyPatch, owner: Any, name: str, calls: int, *, after: bool) -> None:
    """Have this process killed when a function has been called so often, before or after it."""
    import transformers

    real = getattr(owner, name)
    left = iter([False] * calls + [True])

    def call(*arguments: Any, **options: Any) -> Any:
        deadly = next(left)
        if deadly and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        found = real(*arguments, **options)
        if deadly:
            if owner is transformers.TrainerState:  # half of it is written
                os.truncate(arguments[1], 40)
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    patch.setattr(owner, name, call)


def killed(train: Callable[[], object]) -> bool:
    """Whether that kills a process of its own, which needn't import torch again."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads, of which torch's don't run here
        child = os.fork()
    if child == 0:
        signal.alarm(300)
        try:
            train()
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
@pytest.mark.parametrize(
    ("owner", "name", "calls", "after"),
    [
        pytest.param("Trainer", "_save_checkpoint", 1, True, id="after a checkpoint"),
        pytest.param("Trainer", "_save_rng_state", 4, False, id="while saving one"),
        pytest.param("TrainerState", "save_to_json", 4, True, id="while saving its state"),
        pytest.param("files", "write_folder", 1, False, id="before a stage is done"),
        pytest.param("files", "write_folder", 0, True, id="after a stage is done"),
        pytest.param("files", "write_folder", 3, False, id="before the whole is done"),
    ],
)
def test_a_killed_training_goes_on_to_the_same_result(
    owner: str,
    name: str,
    calls: int,
    after: bool,
    trained: Any,
    tiny: Path,
    rows: Any,
    made: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import transformers

    output = tmp_path / "deletion"

    def train() -> Any:
        return errors.train(
            rows, "deletion", output, model=tiny, synthetic=made, stages=SMALL, resamples=50
        )

    with monkeypatch.context() as patch:
        of = files if owner == "files" else getattr(transformers, owner)
        kill(patch, of, name, calls, after=after)
        assert killed(train)
    assert not output.exists()
    assert (tmp_path / "deletion.training").is_dir()
    assert train().to_dict() == trained[1].to_dict()
    assert (output / WEIGHTS).read_bytes() == (trained[0] / WEIGHTS).read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["deletion"]


@pytest.fixture
def interrupted(tiny: Path, rows: Any, made: Any, tmp_path: Path, monkeypatch: Any) -> Path:
    """The output of a training that Ctrl-C ended after the second stage's second checkpoint."""
    import transformers

    output = tmp_path / "deletion"
    with monkeypatch.context() as patch:
        real = transformers.Trainer._save_checkpoint

        def save(self: Any, *arguments: Any, **options: Any) -> None:
            real(self, *arguments, **options)
            if Path(self.args.output_dir).name == "2" and self.state.global_step > 6:
                raise KeyboardInterrupt

        patch.setattr(transformers.Trainer, "_save_checkpoint", save)
        with pytest.raises(KeyboardInterrupt):
            errors.train(rows, "deletion", output, model=tiny, synthetic=made, stages=SMALL)
    return output


def test_what_was_trained_before_ctrl_c_is_not_trained_again(
    interrupted: Path, trained: Any, tiny: Path, rows: Any, made: Any, monkeypatch: Any
) -> None:
    import transformers

    steps = []
    real = transformers.Trainer.training_step

    def count(self: Any, *arguments: Any, **options: Any) -> Any:
        steps.append(self.state.global_step)
        return real(self, *arguments, **options)

    monkeypatch.setattr(transformers.Trainer, "training_step", count)
    errors.train(
        rows, "deletion", interrupted, model=tiny, synthetic=made, stages=SMALL, resamples=9
    )
    assert steps[0] == 12  # of the second stage: the first was done
    assert steps.count(0) == 1  # the last stage's
    assert (interrupted / WEIGHTS).read_bytes() == (trained[0] / WEIGHTS).read_bytes()


def test_other_arguments_than_it_was_begun_with_are_told(
    interrupted: Path, tiny: Path, rows: Any
) -> None:
    with pytest.raises(InputError, match=r"got other rows, synthetic, seed; remove .*\.training"):
        errors.train(rows[4:], "deletion", interrupted, model=tiny, stages=SMALL, seed=1)


def test_two_processes_do_not_train_the_same(tiny: Path, rows: Any, tmp_path: Path) -> None:
    from filelock import FileLock

    (tmp_path / "m.training").mkdir()
    with FileLock(tmp_path / "m.training" / "lock"), pytest.raises(InputError, match="another pro"):
        errors.train(rows, "deletion", tmp_path / "m", model=tiny, stages=SMALL)


# What is no model --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "model: expected a transformer, empty has no config.json"),
        ({"config.json": '{"model_type": "nonsense"}'}, "model: empty is none that"),
        ({"config.json": "{"}, "model: expected a transformer, empty has no config.json"),
    ],
)
def test_what_is_no_model_is_told_before_training(
    files: dict[str, str], message: str, rows: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    with pytest.raises(InputError, match=message) as error:
        errors.train(rows, "deletion", tmp_path / "m", model=folder, stages=SMALL)
    assert "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_a_model_without_padding_is_told(tiny: Path, rows: Any, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    folder = tmp_path / "unpadded"
    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny)
    tokenizer.pad_token = None
    transformers.AutoConfig.from_pretrained(tiny).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    with pytest.raises(InputError, match="has a pad_token, unpadded has none"):
        errors.train(rows, "deletion", tmp_path / "m", model=folder, stages=SMALL)


def test_a_transformer_that_is_no_classifier_of_errors_is_told(tiny: Path) -> None:
    with pytest.raises(InputError, match=r"expected a classifier that textsimp\.errors\.train"):
        errors.classifier(tiny)


def test_a_classifier_of_other_classes_may_be_started_from(
    tiny: Path, rows: Any, tmp_path: Path
) -> None:
    transformers = pytest.importorskip("transformers")
    folder = tmp_path / "seven"
    transformers.AutoTokenizer.from_pretrained(tiny).save_pretrained(folder)
    transformers.AutoModelForSequenceClassification.from_pretrained(
        tiny, num_labels=7
    ).save_pretrained(folder)
    errors.train(rows, "deletion", tmp_path / "m", model=folder, stages=SMALL, resamples=9)
    assert errors.classifier(tmp_path / "m").labels == [0, 1, 2]
