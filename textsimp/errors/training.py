"""Training classifiers of information errors, in the stages of the paper, resumed where stopped.

Devaraj, Sheffield, Wallace & Li (2022), "Evaluating Factuality in Text Simplification", ACL,
section 9 and Appendix E. One sequence classifier per category reads a source and its
simplification. ``transformers`` and ``torch`` are imported when a model is trained.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core import columns, significance
from textsimp.errors import baselines
from textsimp.errors.assessment import Report, assess, f1
from textsimp.errors.classifiers import (
    CATEGORY,
    REGRESSION,
    REPORT,
    Model,
    located,
    place,
    read_json,
)
from textsimp.errors.labelled import (
    Gibberish,
    Labelled,
    halves,
    key,
    oversampled,
    read,
    read_synthetic,
)
from textsimp.metrics.information_errors import GIBBERISH
from textsimp.support import files
from textsimp.support.errors import InputError, nearest
from textsimp.support.extras import require
from textsimp.support.version import __version__

FEATURES = "features"  # the model that is none


@dataclass(frozen=True)
class Stage:
    """A stage of training.

    Attributes:
        epochs: How often all rows are seen, minority labels' more often.
        learning_rate: At the start; it falls linearly to 0.
        evaluate_every: After how many steps the model is evaluated and saved; the best one is kept.
            None keeps the last.
        batch_size: Rows per step.
    """

    epochs: int
    learning_rate: float
    evaluate_every: int | None = None
    batch_size: int = 64

    def __post_init__(self) -> None:
        numbers = {"epochs": self.epochs, "batch_size": self.batch_size}
        if self.evaluate_every is not None:
            numbers["evaluate_every"] = self.evaluate_every
        for name, value in numbers.items():
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"{name}: expected an integer of at least 1, got {value!r}")
        if not 0 < columns.as_number(self.learning_rate) < math.inf:
            raise InputError(f"learning_rate: expected a number > 0, got {self.learning_rate!r}")


# The paper's. It doesn't say with which batches and rate the second stage trains: those of the
# first are taken.
STAGES: Mapping[str, Stage] = {
    "synthetic": Stage(10, 1e-4, evaluate_every=100),
    "real": Stage(50, 1e-4, evaluate_every=10),
    "all": Stage(1, 3e-5),
}


def train(
    rows: Any,
    category: str,
    output: str | os.PathLike[str],
    *,
    model: str | os.PathLike[str] = FEATURES,
    revision: str | None = None,
    synthetic: Any = None,
    gibberish: Gibberish = "drop",
    stages: Mapping[str, Stage | None] | None = None,
    seed: int = 0,
    confidence: float | None = 0.95,
    resamples: int = 1000,
) -> Report:
    """Train a classifier of one category of information errors, and save it.

    With a transformer, in three stages: on synthetic rows, if there are any; on 80 % of the
    sources' real rows; and on all real rows. Rows of minority labels are repeated until each label
    has as many, in what is trained on only. In the first two stages the model is evaluated on the
    other 20 % of the sources, no row of which is trained on, and the one with the largest mean of
    F1(1) and F1(2) is kept. The report is of that of the second stage, on the same 20 %; so it
    flatters a little, and the model that is saved has seen them.

    A training that is stopped, by Ctrl-C, a crash or a kill, goes on from where the model was last
    saved when it is called again with the same arguments: until it is done, everything is in
    ``OUTPUT.training`` beside the output. On a CPU the same seed and library versions give the same
    classifier, stopped or not.

    Args:
        rows: Labelled outputs: a list of dicts, a dataset, a table, or name → column, with
            ``source``, ``prediction`` and, under the name of the category, a label (0, 1, 2, -1),
            None, or a list of annotators' labels, of which the majority counts.
        category: ``"insertion"``, ``"deletion"`` or ``"substitution"``.
        output: A new folder for the classifier.
        model: A transformer to start from: a folder, or its name on the Hugging Face Hub, from
            where it is fetched (extra ``models``). ``"features"`` is none: a logistic regression on
            `textsimp.errors.features`, of which the report is by cross-validation.
        revision: Of the model on the Hub.
        synthetic: Rows for the first stage, with ``source``, ``target``, ``category`` and
            ``level``. Rows of sources that the model is evaluated on are left out.
        gibberish: ``"drop"`` leaves rows with the label -1 out, ``"class"`` makes it one more.
        stages: Name → `Stage`, where it is to differ from `STAGES`; ``"all"`` may be None, for
            the model that the report is of.
        seed: Of the split, the order of the rows and the weights that training begins with. With a
            transformer it sets the random numbers of Python, NumPy and torch.
        confidence: Coverage of the report's intervals; None for none.
        resamples: Number of bootstrap resamples, of sources.

    Raises:
        InputError: A missing column, fewer than two different labels, too few sources, an option
            that isn't legal, an output that is there already, a model that can't be loaded; before
            anything is trained. Or a training with other arguments was begun for the same output.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from textsimp import errors
        >>> rows = [
        ...     {"source": f"Cat {i} sat on the mat.", "prediction": text, "deletion": label}
        ...     for i in range(10)
        ...     for text, label in [(f"Cat {i} sat on a mat.", 0), ("It sat.", 1)]
        ... ]
        >>> with TemporaryDirectory() as folder:
        ...     report = errors.train(rows, "deletion", f"{folder}/deletion")
        ...     classifier = errors.classifier(f"{folder}/deletion")
        >>> report.predictors["features"].f1[:2]
        [1.0, 1.0]
        >>> classifier.predict(["Dog 1 ran to the park."], ["Dog 1 ran to a park."])
        [0]
    """
    given = read(rows, category, gibberish)
    chosen = _stages(stages)
    significance.check(confidence, resamples, seed)
    if seed >= 2**32:
        raise InputError(f"seed: expected an integer below 2**32, got {seed!r}")
    target = Path(place(output, "output"))
    files.check_no_folder(target)
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    if place(model, "model") == FEATURES:
        if synthetic is not None or stages is not None or revision is not None:
            raise InputError(
                "model: synthetic rows, stages and a revision are for a transformer, give its name"
            )
        report = baselines.crossed(given, None, **sampling)
        found = baselines.features(given.sources, given.predictions)
        fitted = {"category": category, **asdict(baselines.regression(found, given.labels))}
        return _save(target, report, lambda folder: _write_json(folder / REGRESSION, fitted))

    made = None if synthetic is None else read_synthetic(synthetic, category)
    training, test = (given.take(part) for part in halves(given, seed))
    notes = [*given.notes, f"trained on the other {len(training):,} outputs"]
    if made is None:
        notes.append("no synthetic rows: trained without the first stage")
    else:
        every, made = len(made), _apart(made, test)
        notes.append(
            f"and on {len(made):,} synthetic rows; {every - len(made):,} of sources that are "
            "tested on left out"
        )
    if chosen["all"] is not None:
        notes.append("measured before the last stage, which trained on these outputs too")
    notes.append("the best of all evaluations on these outputs, so it flatters")
    base = _Base(model, revision, [0, 1, 2] + [GIBBERISH] * (gibberish == "class"), category)
    arguments = {
        "rows": _digest(given),
        "synthetic": None if made is None else _digest(made),
        "category": category,
        "model": base.name,
        "revision": base.revision,
        "gibberish": gibberish,
        "stages": {name: stage and asdict(stage) for name, stage in chosen.items()},
        "seed": int(seed),
        "versions": [__version__, base.torch.__version__, base.transformers.__version__],
    }
    with _begun(target, arguments) as work:
        after = base.folder
        if made is not None:
            after = _trained(base, work / "1", after, made, test, chosen["synthetic"], seed)
        after = _trained(base, work / "2", after, training, test, chosen["real"], seed)
        loaded = base.load(after)
        device = "cuda" if base.torch.cuda.is_available() else "cpu"
        guesses = loaded.labels_of(test.sources, test.predictions, 64, device)
        predicted = {base.name: guesses, **baselines.predicted(training, test)}
        report = assess(test, predicted, **sampling, notes=notes)
        if chosen["all"] is not None:
            after = _trained(base, work / "3", after, given, None, chosen["all"], seed)
        return _save(
            target, report, lambda folder: shutil.copytree(after, folder, dirs_exist_ok=True)
        )


def _apart(made: Labelled, test: Labelled) -> Labelled:
    """The synthetic rows of sources that the model isn't tested on."""
    aside = {key(source) for source in test.sources}
    kept = np.array([i for i, s in enumerate(made.sources) if key(s) not in aside], np.int64)
    if not len(kept):
        raise InputError("synthetic: all sources are among those that the model is tested on")
    return made.take(kept)


def _stages(given: Mapping[str, Stage | None] | None) -> dict[str, Stage | None]:
    if not (given is None or isinstance(given, Mapping)):
        raise InputError(f"stages: expected name → Stage, got {given!r}")
    for name, stage in (given or {}).items():
        if name not in STAGES:
            there = ", ".join(map(repr, STAGES))
            raise InputError(f"stages: expected {there}, got {name!r}{nearest(name, STAGES)}")
        if not isinstance(stage, Stage) and not (stage is None and name == "all"):
            raise InputError(f"stages: expected a Stage for {name!r}, got {stage!r}")
    return {**STAGES, **(given or {})}


def _save(target: Path, report: Report, write: Callable[[Path], object]) -> Report:
    card = (
        f"# A classifier of information errors: {report.category}\n\n"
        f"Trained by textsimp {__version__}; `textsimp.errors.classifier` loads it.\n\n"
        f"{report.to_markdown()}"
    )

    def fill(folder: Path) -> None:
        write(folder)
        _write_json(folder / REPORT, report.to_dict())
        (folder / "README.md").write_text(card, encoding="utf-8")

    files.write_folder(target, fill)
    return report


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _digest(given: Labelled) -> str:
    return hashlib.sha256(
        json.dumps([given.sources, given.predictions, given.labels.tolist()]).encode()
    ).hexdigest()


class _Base:
    """The transformer that training starts from.

    Raises:
        InputError: It can't be loaded, or has no token to pad with.
    """

    def __init__(
        self,
        model: str | os.PathLike[str],
        revision: str | None,
        labels: list[int],
        category: str,
    ) -> None:
        self.torch = require("torch", extra="models")
        self.transformers = require("transformers", extra="models")
        require("accelerate", extra="models")
        self.category, self.labels = category, labels
        self.folder, self.name, self.revision = located(model, revision, "model")
        # Without it transformers guesses from the folder's name.
        if "model_type" not in (read_json(self.folder / "config.json") or {}):
            raise InputError(
                f"model: expected a transformer, {self.name} has no config.json of one"
            )
        self._read("AutoConfig", self.folder)  # told now, not after the first stage
        self.tokenizer = self._read("AutoTokenizer", self.folder)
        if self.tokenizer.pad_token is None:
            raise InputError(
                f"model: expected one whose tokenizer has a pad_token, {self.name} has none"
            )

    def _read(self, what: str, folder: Path, **options: Any) -> Any:
        try:
            return getattr(self.transformers, what).from_pretrained(folder, **options)
        except (OSError, ValueError, KeyError) as error:
            raise InputError(
                f"model: {self.name} is none that transformers can load: {error}"
            ) from error

    def load(self, folder: Path) -> Model:
        """Model and tokenizer."""
        names = {i: str(label) for i, label in enumerate(self.labels)}
        model = self._read(
            "AutoModelForSequenceClassification",
            folder,
            num_labels=len(names),
            id2label=names,
            label2id={name: i for i, name in names.items()},
            ignore_mismatched_sizes=True,  # another head is replaced
            dtype=self.torch.float32,
        )
        setattr(model.config, CATEGORY, self.category)
        return Model(model, self.tokenizer, self.labels)


@contextlib.contextmanager
def _begun(target: Path, arguments: Mapping[str, Any]) -> Iterator[Path]:
    """The folder of a training, which is removed when it is done.

    Raises:
        InputError: Other arguments than it was begun with, or another process trains there.
    """
    from filelock import FileLock, Timeout

    work = target.with_name(f"{target.name}.training")
    try:
        work.mkdir(parents=True, exist_ok=True)
        lock = FileLock(work / "lock", timeout=0)
        lock.acquire()
    except Timeout:
        raise InputError(f"{target}: another process trains it, in {work}") from None
    except OSError as error:
        raise InputError(f"{work} can't be written: {error.strerror or error}") from error
    try:
        settings = work / "arguments.json"
        if settings.exists():
            before = json.loads(settings.read_text("utf-8"))
            if other := [name for name, value in arguments.items() if before.get(name) != value]:
                raise InputError(
                    f"{target}: expected the arguments that its training was begun with, got other "
                    f"{', '.join(other)}; remove {work} to begin anew"
                )
        else:
            written = json.dumps(dict(arguments)).encode()
            files.write_files({settings: written})
        yield work
        shutil.rmtree(work, ignore_errors=True)
    finally:
        lock.release()


def _trained(
    base: _Base,
    work: Path,
    start: Path,
    rows: Labelled,
    test: Labelled | None,
    stage: Stage | None,
    seed: int,
) -> Path:
    """The folder of the model after a stage, which is gone through unless that was done before."""
    done = work / "done"
    if done.exists():
        return done
    assert stage is not None
    base.transformers.set_seed(seed)  # of the head, and what torch draws
    loaded = base.load(start)
    order = oversampled(rows.labels, seed)
    steps = stage.epochs * math.ceil(len(order) / stage.batch_size)
    every = min(stage.evaluate_every or steps, steps)
    saved: dict[str, Any] = {"eval_strategy": "no", "save_strategy": "no"}
    if test is not None and stage.evaluate_every is not None:
        saved = {
            "eval_strategy": "steps",
            "save_strategy": "steps",
            "eval_steps": every,
            "save_steps": every,
            "save_total_limit": 1,  # and the best one
            "load_best_model_at_end": True,
            "metric_for_best_model": "mean_f1",
            "greater_is_better": True,
        }
    quiet = not sys.stderr.isatty()
    trainer = base.transformers.Trainer(
        loaded.model,
        base.transformers.TrainingArguments(
            str(work),
            num_train_epochs=stage.epochs,
            learning_rate=stage.learning_rate,
            per_device_train_batch_size=stage.batch_size,
            per_device_eval_batch_size=stage.batch_size,
            seed=seed,
            data_seed=seed,
            report_to="none",
            disable_tqdm=quiet,
            dataloader_pin_memory=base.torch.cuda.is_available(),
            **saved,
        ),
        train_dataset=loaded.encoded(rows.take(order)),
        eval_dataset=None if test is None else loaded.encoded(test),
        data_collator=base.transformers.DataCollatorWithPadding(base.tokenizer),
        processing_class=base.tokenizer,
        compute_metrics=_metrics,
    )
    trainer.remove_callback(base.transformers.PrinterCallback)
    trainer.train(resume_from_checkpoint=_last_checkpoint(work))
    files.write_folder(done, loaded.save)
    for checkpoint in work.glob("checkpoint-*"):
        shutil.rmtree(checkpoint, ignore_errors=True)
    return done


def _metrics(evaluated: Any) -> dict[str, float]:
    """F1 of an evaluation's logits, for the Trainer."""
    k = evaluated.predictions.shape[-1]
    cells = evaluated.label_ids * k + evaluated.predictions.argmax(axis=-1)
    found = f1(np.bincount(cells, minlength=k * k).astype(np.float64))
    return {
        "mean_f1": float(found["mean_f1"]),
        **{f"f1_{i}": float(value) for i, value in enumerate(found["f1"])},
    }


def _last_checkpoint(work: Path) -> str | None:
    """The last one that was saved whole; those that weren't are removed."""
    found = sorted(work.glob("checkpoint-*"), key=lambda path: -int(path.name.split("-")[1]))
    for path in found:
        try:
            json.loads((path / "trainer_state.json").read_text("utf-8"))  # which is written last
        except (OSError, ValueError):
            shutil.rmtree(path)
        else:
            return str(path)
    return None
