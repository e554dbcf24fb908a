"""Sentences as vectors, by a model of sentence-transformers in a folder or on the Hugging Face Hub.

``sentence_transformers`` knows how a model pools its tokens, which prompt and layers come with it,
and where it cuts long texts. It is imported when a model is asked for.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import threading
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
_MODELS = 2  # that are kept
_BATCH = 64  # sentences that a model reads at once
_STEP = 16 * _BATCH  # sentences between two looks at the progress
_BYTES = 2**28  # of the vectors that a model's embedder keeps

_PROCESS = os.getpid()  # that imported this; forks of it have another
_LOCK = threading.Lock()
_kept: dict[tuple[int, Path], Embedder] = {}


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

    A process loads it once: the two that were used last are kept.

    Raises:
        InputError: As `check`, or it can't be loaded.
        ImportError: The extra ``models`` isn't installed.
    """
    key = os.getpid(), _folder(model)
    with _LOCK:
        found = _kept.pop(key, None) or Embedder(model, key[1])
        _kept[key] = found  # as the last
        for other in [*_kept][:-_MODELS]:
            del _kept[other]
    return found


class Embedder:
    """A model, loaded, and the vectors that it made last: up to 256 MB of them.

    Threads may share it: they take turns.
    """

    def __init__(
        self,
        model: str,
        folder: Path,
        *,
        argument: str = _ARGUMENT,
        device: str | None = None,
        batch_size: int = _BATCH,
        remote_code: bool = False,
        **weights: Any,
    ) -> None:
        library = require("sentence_transformers", extra="models")
        torch = require("torch", extra="models")
        forked = os.getpid() != _PROCESS
        if forked:  # with neither the threads nor the GPU of the process that it was forked from
            torch.set_num_threads(1)
        try:
            self._model = library.SentenceTransformer(
                str(folder),
                device="cpu" if forked else device,
                local_files_only=True,
                trust_remote_code=remote_code,
                model_kwargs={"dtype": torch.float32, **weights},
            )
        except Exception as error:  # of any kind, as a folder can hold anything
            raise InputError(f"{argument}: {model} can't be loaded: {error}") from error
        self._name, self._argument, self._batch = model, argument, batch_size
        self._made: dict[str, Vectors] = {}
        self._lock = threading.Lock()

    def vectors(self, sentences: Sequence[str]) -> Vectors:
        """(n, d) vectors of length 1, or 0 for a sentence without anything but white space.

        Those that aren't known are made in batches, equal sentences once.
        """
        distinct = dict.fromkeys(sentences)
        with self._lock:
            found = {text: self._made[text] for text in distinct if text in self._made}
            found |= self._make([text for text in distinct if text not in found])
        return np.stack([found[text] for text in sentences])

    def _make(self, texts: list[str]) -> dict[str, Vectors]:
        from tqdm import tqdm  # type: ignore[import-untyped]

        texts.sort(key=len)  # those of like lengths together: less to pad
        made: dict[str, Vectors] = {}
        with tqdm(desc="Embeddings", total=len(texts), disable=None, leave=False) as progress:
            for start in range(0, len(texts), _STEP):
                part = texts[start : start + _STEP]
                rows = self._encode(part)
                made.update(zip(part, rows, strict=True))
                progress.update(len(part))
        self._made |= made
        if made:
            too_many = max(0, len(self._made) - _BYTES // rows[0].nbytes)
            for text in [*itertools.islice(self._made, too_many)]:
                del self._made[text]
        return made

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
