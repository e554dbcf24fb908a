"""Sentences as vectors, by a model of sentence-transformers in a folder or on the Hugging Face Hub.

``sentence_transformers`` knows how a model pools its tokens, which prompt and layers come with it,
and where it cuts long texts. It is imported when a model is asked for.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.support.errors import InputError
from textsimp.support.extras import require
from textsimp.text.models import pretrained

Vectors = NDArray[np.float32]

_ARGUMENT = "aligner"  # what the user calls it
_BATCH = 64  # sentences that a model reads at once
_MAX_VALUES = 2**26  # of the vectors that an embedder keeps: 256 MB


def title(model: str) -> str:
    """What signatures call a model: its name on the Hub, or that of its folder."""
    name = model
    if os.path.isdir(model) or not pretrained.is_hub_id(model):
        name = Path(model).name or Path(model).resolve().name
    return re.sub(r"[^\w./-]", "-", name)


def check(model: str) -> None:
    """See that there is a model, without loading it; fetch it, if it is one of the Hub.

    Raises:
        InputError: There is no such folder or repository, or it is no model.
        ImportError: The extra ``models`` isn't installed.
    """
    require("sentence_transformers", extra="models")
    _folder(model)


def embedder(model: str) -> Embedder:
    """The embedder of a model, a folder or a name on the Hub.

    A process loads it once.

    Raises:
        InputError: As `check`, or it can't be loaded.
        ImportError: The extra ``models`` isn't installed.
    """
    return _load(model, _folder(model))


@functools.lru_cache(maxsize=2)
def _load(model: str, folder: Path) -> Embedder:
    return Embedder(model, folder)


class Embedder:
    """A model of sentence-transformers, loaded, and up to 256 MB of the vectors that it made."""

    def __init__(
        self,
        model: str,
        folder: Path,
        *,
        argument: str = _ARGUMENT,
        device: str | None = None,
        batch_size: int = _BATCH,
        remote_code: bool = False,
        mean: bool = False,
        **weights: Any,
    ) -> None:
        library = require("sentence_transformers", extra="models")
        torch = require("torch", extra="models")
        options: dict[str, Any] = {
            "local_files_only": True,
            "trust_remote_code": remote_code,
            "model_kwargs": {"dtype": torch.float32, **weights},
        }
        try:
            self._model = library.SentenceTransformer(str(folder), device=device, **options)
            if mean:
                tokens = self._model[0]
                modules = require("sentence_transformers.models", extra="models")
                pooling = modules.Pooling(tokens.auto_model.config.hidden_size, "mean")
                self._model = library.SentenceTransformer(modules=[tokens, pooling], device=device)
        except Exception as error:  # of any kind, as a folder can hold anything
            raise InputError(f"{argument}: {model} can't be loaded: {error}") from error
        self._name, self._argument, self._batch = model, argument, batch_size
        self._made: dict[str, Vectors] = {}

    def vectors(self, sentences: Sequence[str]) -> Vectors:
        """(n, d) vectors of length 1, or 0 for a sentence without anything but white space."""
        new = [text for text in dict.fromkeys(sentences) if text not in self._made]
        made = {text: self._made[text] for text in set(sentences).difference(new)}
        if new:
            made |= zip(new, self._encode(new), strict=True)
        if sum(row.size for row in self._made.values()) > _MAX_VALUES:
            self._made.clear()
        self._made |= made
        return np.stack([made[text] for text in sentences])

    def _encode(self, texts: list[str]) -> Vectors:
        rows: Vectors = self._model.encode(
            texts,
            batch_size=self._batch,
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
        )
        if not np.isfinite(rows).all():
            raise InputError(
                f"{self._argument}: {self._name} makes vectors that aren't finite numbers"
            )
        rows[[not text.strip() for text in texts]] = 0
        return rows


def _folder(model: str) -> Path:
    if not os.path.isdir(model):
        return _fetched(model)
    path = Path(model)
    if not any((path / name).is_file() for name in ("modules.json", "config.json")):
        raise InputError(f"{_ARGUMENT}: expected a model's folder, {model!r} holds none")
    return path.resolve()


@functools.lru_cache(maxsize=32)
def _fetched(model: str) -> Path:
    return pretrained.fetched(model, _ARGUMENT)
