"""Classifiers of information errors: loaded, from a folder or the Hub, and asked for labels.

``transformers`` and ``torch`` are imported when a model is loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core import columns
from textsimp.errors import baselines
from textsimp.errors.labelled import Ints, Labelled
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.support.errors import InputError, shown
from textsimp.support.extras import require
from textsimp.text.models import pretrained

REGRESSION = "features.json"
REPORT = "report.json"
CATEGORY = "information_errors"  # where a model's configuration says what it was trained for

Guess = Callable[[list[str], list[str], int], Ints]
"""Sources, predictions and how many are read at once → labels."""

_LONGEST = 512  # tokens of a source and its simplification together
_REVISION = 12  # characters of a revision that labels are signed with


@dataclass(frozen=True, eq=False)
class Model:
    """A transformer that reads pairs of texts, and its tokenizer."""

    model: Any
    tokenizer: Any
    labels: list[int]

    def encoded(self, given: Labelled) -> list[dict[str, Any]]:
        """Rows for the Trainer."""
        numbers = {label: i for i, label in enumerate(self.labels)}
        tokens = self.tokenize(given.sources, given.predictions)
        return [
            {**{name: values[i] for name, values in tokens.items()}, "labels": numbers[int(label)]}
            for i, label in enumerate(given.labels)
        ]

    def tokenize(self, sources: Sequence[str], predictions: Sequence[str], **options: Any) -> Any:
        """Token ids of pairs; of too long ones the longer text is cut."""
        # Some models number their positions from 2.
        most = getattr(self.model.config, "max_position_embeddings", None) or _LONGEST
        longest = min(self.tokenizer.model_max_length, most - 2, _LONGEST)
        return self.tokenizer(
            list(sources), list(predictions), truncation=True, max_length=longest, **options
        )

    def labels_of(
        self, sources: Sequence[str], predictions: Sequence[str], batch_size: int, device: str
    ) -> Ints:
        """(n,) the likeliest labels."""
        torch = require("torch", extra="models")
        from tqdm import tqdm  # type: ignore[import-untyped]

        self.model.to(device).eval()
        found = np.zeros(len(sources), np.int64)
        # Texts of like lengths together: less to pad.
        order = sorted(range(len(sources)), key=lambda i: len(sources[i]) + len(predictions[i]))
        with (
            torch.inference_mode(),
            tqdm(desc="Labels", total=len(order), disable=None, leave=False) as progress,
        ):
            for start in range(0, len(order), batch_size):
                rows = order[start : start + batch_size]
                tokens = self.tokenize(
                    [sources[i] for i in rows],
                    [predictions[i] for i in rows],
                    padding=True,
                    return_tensors="pt",
                )
                logits = self.model(**tokens.to(device)).logits
                found[rows] = np.array(self.labels)[logits.argmax(dim=-1).cpu().numpy()]
                progress.update(len(rows))
        return found

    def save(self, folder: Path) -> None:
        """Write both to a folder."""
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)


@dataclass(frozen=True, eq=False)
class Classifier:
    """Predicts labels of one category of information errors.

    Attributes:
        name: Of its folder, or on the Hugging Face Hub.
        revision: Its commit there; of a folder, a digest of its contents.
        category: Which errors.
        labels: The labels that it tells apart.
    """

    name: str
    revision: str
    category: str
    labels: list[int]
    _guess: Guess

    @property
    def tag(self) -> str:
        """What signs its labels: ``category=name@revision``."""
        name = re.sub(r"[^\w./-]", "-", self.name)
        return f"{self.category}={name}@{self.revision[:_REVISION]}"

    def predict(self, sources: Any, predictions: Any, *, batch_size: int = 64) -> list[int]:
        """The likeliest label of each simplification.

        Args:
            sources: The original texts.
            predictions: The simplifications, one per source.
            batch_size: How many a transformer reads at once.

        Raises:
            InputError: See `textsimp.core.columns.texts`.
        """
        old = columns.texts(sources, "sources")
        new = columns.texts(predictions, "predictions")
        columns.check_lengths(sources=old, predictions=new)
        if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
            raise InputError(f"batch_size: expected an integer of at least 1, got {batch_size!r}")
        found: list[int] = self._guess(old, new, batch_size).tolist()
        return found


def classifier(
    path_or_hub_id: str | os.PathLike[str], revision: str | None = None, *, device: str = "cpu"
) -> Classifier:
    """Load a classifier that `train` has saved.

    Args:
        path_or_hub_id: Its folder, or its name on the Hugging Face Hub, from where it is fetched
            unless ``HF_HUB_OFFLINE`` is set; then it must have been fetched before.
        revision: Its branch, tag or commit on the Hub. Of a folder, the digest of its contents that
            is expected, or the beginning of it.
        device: Where torch computes.

    Raises:
        InputError: There is no such folder or repository, it is no classifier of information
            errors, or another revision.
        ImportError: It is a transformer, and the extra ``models`` isn't installed.
    """
    folder, name, found = located(path_or_hub_id, revision, "path_or_hub_id")
    regression, settings = read_json(folder / REGRESSION), read_json(folder / "config.json")
    category = (regression or settings or {}).get("category" if regression else CATEGORY)
    if category not in CATEGORIES:
        raise InputError(
            f"path_or_hub_id: expected a classifier that textsimp.errors.train saved, "
            f"{os.fspath(path_or_hub_id)!r} is none"
        )
    try:
        if regression is None:
            labels, guess = _transformer(folder, device)
        else:
            labels, guess = _regression(regression)
    except InputError:
        raise
    except (OSError, TypeError, ValueError, KeyError) as error:
        raise InputError(f"path_or_hub_id: {name} can't be loaded: {error}") from error
    return Classifier(name, found, category, labels, guess)


def _regression(stored: Mapping[str, Any]) -> tuple[list[int], Guess]:
    fitted = baselines.Regression(**{k: v for k, v in stored.items() if k != "category"})
    fitted.predict(np.zeros((1, len(baselines.FEATURES))))  # its numbers fit together
    return fitted.labels, lambda old, new, _: fitted.predict(baselines.features(old, new))


def _transformer(folder: Path, device: str) -> tuple[list[int], Guess]:
    transformers = require("transformers", extra="models")
    torch = require("torch", extra="models")
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        folder, dtype=torch.float32
    )
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    labels = [int(label) for _, label in sorted(model.config.id2label.items())]
    loaded = Model(model, tokenizer, labels)
    return labels, lambda old, new, batch_size: loaded.labels_of(old, new, batch_size, device)


def read_json(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


@dataclass(frozen=True)
class Predicted:
    """Labels that classifiers predicted.

    Attributes:
        columns: Category → a label per output, as `textsimp.InformationErrors` takes them.
        by: Who predicted them, with their revisions: the metric's option ``labels``.
    """

    columns: dict[str, list[int]]
    by: str


def predict(
    classifiers: Sequence[Classifier], sources: Any, predictions: Any, *, batch_size: int = 64
) -> Predicted:
    """Labels of several categories, and who predicted them.

    Args:
        classifiers: One for each category that is asked for.
        sources: The original texts.
        predictions: The simplifications, one per source.
        batch_size: How many a transformer reads at once.

    Raises:
        InputError: No classifier, two of one category, or bad columns.
    """
    if not isinstance(classifiers, Sequence) or not all(
        isinstance(one, Classifier) for one in classifiers
    ):
        raise InputError(
            "classifiers: expected a list of what `textsimp.errors.classifier` loads, got "
            f"{shown(classifiers)}"
        )
    categories = [one.category for one in classifiers]
    if not categories or len(set(categories)) < len(categories):
        there = ", ".join(categories) or "none"
        raise InputError(f"classifiers: expected one for each category, got {there}")
    ordered = sorted(classifiers, key=lambda one: CATEGORIES.index(one.category))
    found = {
        one.category: one.predict(sources, predictions, batch_size=batch_size) for one in ordered
    }
    return Predicted(found, f"classifier:{','.join(one.tag for one in ordered)}")


def place(value: Any, argument: str) -> str:
    """A path or name as text."""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise InputError(f"{argument}: expected a path or name, got {value!r}")
    return str(os.fspath(value))


def located(
    model: str | os.PathLike[str], revision: str | None, argument: str
) -> tuple[Path, str, str]:
    """The folder that a model is in, its name, and its revision: of a folder, of its contents.

    Raises:
        InputError: It is neither a folder nor on the Hub, or another revision.
    """
    given = place(model, argument)
    path = Path(given)
    if not (revision is None or isinstance(revision, str)):
        raise InputError(f"revision: expected a string, got {revision!r}")
    if path.is_dir():
        found = _contents(path)
        if revision is not None and not found.startswith(revision):
            raise InputError(f"revision: expected {found[:_REVISION]} of {given}, got {revision!r}")
        return path, path.resolve().name, found
    fetched = pretrained.fetched(given, argument, revision)
    return fetched, given, fetched.name


def _contents(folder: Path) -> str:
    """What tells models apart: a digest of the files that make them."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in pretrained.OF_MODEL for path in folder.glob(pattern)):
        if path.name != REPORT:
            digest.update(path.name.encode() + b"\0")
            with open(path, "rb") as file:
                while part := file.read(2**20):
                    digest.update(part)
    return digest.hexdigest()
