"""Classifiers of information errors: loaded or fitted, asked for labels, and evaluated.

``transformers`` and ``torch`` are imported when a model is loaded.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core import columns, significance
from textsimp.core.draws import RESAMPLES
from textsimp.errors import baselines
from textsimp.errors.assessment import Report, assess
from textsimp.errors.labels import read_rows
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.support.errors import InputError, check_integer, shown
from textsimp.support.extras import require
from textsimp.support.parsing import parse_json
from textsimp.text.models import checkpoints

CATEGORY = "information_errors"
"""The key of a model's config.json that names the category it was trained for."""

Guess = Callable[[list[str], list[str], int], list[int]]
"""Sources, predictions and the batch size → labels."""

_LONGEST = 512  # tokens of a source and its simplification together
_REVISION = 12  # characters of a revision that labels are signed with


@dataclass(frozen=True, eq=False)
class Classifier:
    """Predicts labels of one category of information errors.

    Attributes:
        name: The name of its folder, or its name on the Hugging Face Hub.
        revision: Its commit there; of a folder, a digest of its contents.
        category: ``"insertion"``, ``"deletion"`` or ``"substitution"``.
        labels: The labels that it predicts.
    """

    name: str
    revision: str
    category: str
    labels: list[int]
    _guess: Guess

    @property
    def tag(self) -> str:
        """The signature of its labels: ``category=name@revision``."""
        name = re.sub(r"[^\w./-]", "-", self.name)
        return f"{self.category}={name}@{self.revision[:_REVISION]}"

    def predict(self, sources: Any, predictions: Any, *, batch_size: int = 64) -> list[int]:
        """Predict the likeliest label of each simplification.

        Args:
            sources: The original texts.
            predictions: The simplifications, one per source.
            batch_size: How many a transformer reads at once.
        """
        old, new = columns.parallel_texts(sources=sources, predictions=predictions)
        return self._guess(old, new, check_integer("batch_size", batch_size, 1))


def classifier(
    path_or_hub_id: str | os.PathLike[str], revision: str | None = None, *, device: str = "cpu"
) -> Classifier:
    """Load a classifier, such as ``examples/train_error_classifier.py`` trains.

    Args:
        path_or_hub_id: A folder, or a name on the Hugging Face Hub, with a sequence classifier of
            transformers. Its classes are called by the labels. Its ``config.json`` names its
            category under the key ``information_errors``.
        revision: Its branch, tag or commit on the Hub; the expected digest of a folder.
        device: Where torch computes.
    """
    folder, name, version = _locate(path_or_hub_id, revision)
    category = _read_config(folder).get(CATEGORY)
    if category not in CATEGORIES:
        raise InputError(
            "path_or_hub_id: expected a classifier of information errors, whose config.json has "
            f"a category under {CATEGORY!r}; {os.fspath(path_or_hub_id)!r} has none"
        )
    require("torch", extra="models")
    transformers = require("transformers", extra="models")
    try:
        model = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        labels = [int(label) for _, label in sorted(model.config.id2label.items())]
        pipeline = transformers.pipeline(
            "text-classification", model=model.float(), tokenizer=tokenizer, device=device
        )
    except (OSError, TypeError, ValueError, KeyError, RuntimeError) as error:
        raise InputError(f"path_or_hub_id: {name} can't be loaded: {error}") from error
    # Some models number their positions from 2.
    positions = getattr(model.config, "max_position_embeddings", None) or _LONGEST
    longest = min(tokenizer.model_max_length, positions - 2, _LONGEST)

    def guess(sources: list[str], predictions: list[str], batch_size: int) -> list[int]:
        # Texts of similar lengths stand together, so that there is less to pad.
        n = len(sources)
        order = sorted(range(n), key=lambda i: len(sources[i]) + len(predictions[i]))
        pairs = [{"text": sources[i], "text_pair": predictions[i]} for i in order]
        results = pipeline(pairs, batch_size=batch_size, truncation=True, max_length=longest)
        guesses = {i: int(result["label"]) for i, result in zip(order, results, strict=True)}
        return [guesses[i] for i in range(n)]

    return Classifier(name, version, category, labels, guess)


def fit(rows: Any, category: str) -> Classifier:
    """Fit the baseline that needs no model: a logistic regression on `textsimp.errors.features`.

    It needs the extra ``models``. `textsimp.errors.cross_validate` says how good it is.

    Args:
        rows: Labelled outputs: a list of dicts, a dataset, a table, or name → column. It has
            ``source``, ``prediction`` and a column named by the category. That has a label (0, 1,
            2, -1), None, or a list of annotators' labels, of which the majority counts.
        category: ``"insertion"``, ``"deletion"`` or ``"substitution"``.

    Example:
        >>> from textsimp import errors
        >>> rows = [
        ...     {"source": f"Cat {i} sat on the mat.", "prediction": text, "deletion": label}
        ...     for i in range(10)
        ...     for text, label in [(f"Cat {i} sat on a mat.", 0), ("It sat.", 1)]
        ... ]
        >>> deletions = errors.fit(rows, "deletion")
        >>> deletions.predict(["Dog 1 ran to the park."], ["Dog 1 ran to a park."])
        [0]
    """
    data = read_rows(rows, category)
    values = baselines.features(data.sources, data.predictions)
    regression = baselines.fit_regression(values, data.labels)
    scaler, model = regression[0], regression[1]
    numbers = (model.classes_, scaler.mean_, scaler.scale_, model.coef_, model.intercept_)
    revision = hashlib.sha256(b"".join(array.tobytes() for array in numbers)).hexdigest()

    def guess(sources: list[str], predictions: list[str], _: int) -> list[int]:
        labels: list[int] = regression.predict(baselines.features(sources, predictions)).tolist()
        return labels

    return Classifier("regression", revision, category, model.classes_.tolist(), guess)


def evaluate(
    classifier: Classifier,
    rows: Any,
    *,
    training: Any = None,
    batch_size: int = 64,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Report:
    """Compare a classifier's labels with those that people gave, and with the baselines'.

    Args:
        classifier: The classifier.
        rows: Labelled outputs that it wasn't trained on, as `textsimp.errors.fit` takes them.
        training: The labelled outputs that it was trained on, to fit the baselines on. Outputs of
            sources that are also in ``rows`` are left out. None for no baselines.
        batch_size: How many outputs a transformer reads at once.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples, of sources.
        seed: Seed of the resamples.
    """
    _check_classifiers([classifier])
    significance.check(confidence, resamples, seed)
    data = read_rows(rows, classifier.category)
    guesses = classifier.predict(data.sources, data.predictions, batch_size=batch_size)
    predicted = {classifier.name: np.array(guesses, np.int64)}
    notes = list(data.notes)
    if training is not None:
        others = read_rows(training, classifier.category)
        apart = baselines.rows_apart(others, data.sources)
        predicted |= baselines.predict(others, apart, data)
        notes.append(f"baselines fitted on {len(apart):,} outputs of other sources")
    return assess(
        data, predicted, confidence=confidence, resamples=resamples, seed=seed, notes=notes
    )


@dataclass(frozen=True)
class PredictedLabels:
    """Labels that classifiers predicted.

    Attributes:
        columns: Category → a label per output, as `textsimp.InformationErrors` takes them.
        by: Who predicted them, with their revisions: the metric's option ``labels``.
    """

    columns: dict[str, list[int]]
    by: str


def predict(
    classifiers: Sequence[Classifier], sources: Any, predictions: Any, *, batch_size: int = 64
) -> PredictedLabels:
    """Predict labels of several categories.

    Args:
        classifiers: One for each category.
        sources: The original texts.
        predictions: The simplifications, one per source.
        batch_size: How many a transformer reads at once.
    """
    _check_classifiers(classifiers)
    by_category = {one.category: one for one in classifiers}
    if not by_category or len(by_category) < len(classifiers):
        there = ", ".join(one.category for one in classifiers) or "none"
        raise InputError(f"classifiers: expected one for each category, got {there}")
    ordered = [by_category[category] for category in CATEGORIES if category in by_category]
    labels = {
        one.category: one.predict(sources, predictions, batch_size=batch_size) for one in ordered
    }
    return PredictedLabels(labels, f"classifier:{','.join(one.tag for one in ordered)}")


def _check_classifiers(classifiers: Any) -> None:
    if not isinstance(classifiers, Sequence) or not all(
        isinstance(one, Classifier) for one in classifiers
    ):
        raise InputError(
            "classifiers: expected what `textsimp.errors.classifier` or `fit` returns, got "
            f"{shown(classifiers)}"
        )


def _locate(model: str | os.PathLike[str], revision: str | None) -> tuple[Path, str, str]:
    """The folder of a model, its name, and its revision; of a folder, that of its contents."""
    if not isinstance(model, (str, os.PathLike)) or not os.fspath(model):
        raise InputError(f"path_or_hub_id: expected a path or name, got {model!r}")
    name = str(os.fspath(model))
    path = Path(name)
    if path.is_dir():
        digest = checkpoints.compute_digest(path)
        if revision is not None and not digest.startswith(revision):
            raise InputError(f"revision: expected {digest[:_REVISION]} of {name}, got {revision!r}")
        return path, path.resolve().name, digest
    pretrained = checkpoints.Pretrained(name, revision, argument="path_or_hub_id")
    folder = checkpoints.download(pretrained)
    return folder, name, folder.name


def _read_config(folder: Path) -> dict[str, Any]:
    """The model's config.json; empty if there is none that can be read."""
    try:
        config = parse_json((folder / "config.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return config if isinstance(config, dict) else {}
