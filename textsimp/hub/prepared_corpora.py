"""Sources and references that were prepared for one evaluation, kept for the next ones."""

from __future__ import annotations

import hashlib
import marshal
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Metric, Statistics

_CORPORA = 2  # such as a validation and a test set


@dataclass
class _Corpus:
    metric: Metric
    digest: bytes
    size: int  # bytes of its texts
    slices: list[tuple[slice, Any]]  # rows and the result of `Metric.prepare`
    scored: int = 0  # bytes of predictions, whose words are in `slices`, too


class PreparedCorpora:
    """What `Metric.prepare` returned for the last sources and references.

    These are found again by a digest of their texts: those that were changed are prepared anew. It
    keeps the last two corpora, if their texts have at most `Metric.bytes_remembered` together. It
    drops a corpus after as many bytes of predictions.

    Threads can share it: each uses a corpus alone, others prepare their own. Copies are empty.
    """

    def __init__(self) -> None:
        self._kept: list[_Corpus] = []  # the last one at the end
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()

    def measure(self, metric: Metric, examples: Examples) -> Statistics:
        """Return what `Metric.measure` returns."""
        texts = _pack(metric, examples.shared)
        predictions = _pack(metric, examples.systems[UNNAMED_SYSTEM])
        if not texts or max(len(texts), len(predictions)) > metric.bytes_remembered:
            return metric.measure(examples)
        digest = hashlib.sha256(texts).digest()
        corpus = self._take(metric, digest)
        if corpus is None:
            corpus = _Corpus(metric, digest, len(texts), [*metric.prepare_slices(examples)])
        statistics = metric.measure(examples, prepared=corpus.slices)
        corpus.scored += len(predictions)
        self._keep(corpus)  # an error may have left it half changed
        return statistics

    def _take(self, metric: Metric, digest: bytes) -> _Corpus | None:
        """Remove a corpus and return it."""
        with self._lock:
            for i, corpus in enumerate(self._kept):
                if corpus.digest == digest and corpus.metric == metric:
                    return self._kept.pop(i)
        return None

    def _keep(self, corpus: _Corpus) -> None:
        """Add a corpus, and drop what is too much."""
        most = corpus.metric.bytes_remembered
        if corpus.scored > most:
            return
        with self._lock:
            self._kept = [*self._kept[1 - _CORPORA :], corpus]
            if sum(kept.size for kept in self._kept) > most:
                self._kept = [corpus]


def _pack(metric: Metric, columns: Mapping[str, list[Any]]) -> bytes:
    """Return the columns that a metric reads as bytes; none for objects that aren't plain data."""
    names = [column.name for column in metric.columns if column.name in columns]
    try:
        return marshal.dumps([(name, columns[name]) for name in names], 2) if names else b""
    except ValueError:
        return b""
