"""Vectors of whole texts, by a model that `sentence_transformers` runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from textsimp.support.extras import require
from textsimp.text.models import checkpoints, inference
from textsimp.text.models.checkpoints import EXTRA, Pretrained

Vectors = NDArray[np.float32]


def check(pretrained: Pretrained) -> None:
    """Check that a model and what runs it are there, without loading it."""
    require("sentence_transformers", EXTRA)
    pretrained.check()


def embedder(pretrained: Pretrained) -> Embedder:
    """Return the embedder of a model."""
    return checkpoints.load_once(pretrained, Embedder)


class Embedder:
    """A loaded model, and up to 256 MB of the vectors that it made. Threads take turns."""

    def __init__(self, pretrained: Pretrained, path: Path) -> None:
        library, torch = require("sentence_transformers", EXTRA), require("torch", EXTRA)
        try:
            model = library.SentenceTransformer(
                str(path),
                device=pretrained.device,
                local_files_only=True,
                trust_remote_code=pretrained.remote_code,
                model_kwargs={"dtype": getattr(torch, pretrained.dtype)},
            )
        except Exception as error:  # of any kind, as a folder can hold anything
            raise checkpoints.not_loadable(pretrained, error) from error
        self._model, self._pretrained = model, pretrained
        self._longest = model.max_seq_length or math.inf
        self._reader = inference.Reader(pretrained, self._longest)

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return (n, d) vectors of length 1, or 0 for a text of white space alone."""
        return np.stack(self._reader.read(texts, self._encode))

    def _encode(self, texts: list[str]) -> Vectors:
        rows: Vectors = self._model.encode(
            texts,
            batch_size=len(texts),
            show_progress_bar=False,
            convert_to_numpy=True,
            normalize_embeddings=True,
        )
        if not np.isfinite(rows).all():
            raise self._pretrained.error(
                f"{self._pretrained.model} makes vectors that aren't finite numbers"
            )
        rows[[not text.strip() for text in texts]] = 0
        if self._longest < math.inf:
            ids = self._model.tokenizer(texts, truncation=False, verbose=False).input_ids
            cut = sum(len(row) > self._longest for row in ids)
            inference.warn_of_cut(self._pretrained, cut, len(texts), self._longest)
        return rows
