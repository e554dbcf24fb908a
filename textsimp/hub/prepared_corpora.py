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
_ROWS = 10_000  # that are bytes at once


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
        most = metric.bytes_remembered
        digest, size = _identify(metric, examples.shared, most)
        _, scored = _identify(metric, examples.systems[UNNAMED_SYSTEM], most)
        if not size or max(size, scored) > most:
            return metric.measure(examples)
        corpus = self._take(metric, digest)
        if corpus is None:
            corpus = _Corpus(metric, digest, size, [*metric.prepare_slices(examples)])
        statistics = metric.measure(examples, prepared=corpus.slices)
        corpus.scored += scored
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


def _identify(metric: Metric, columns: Mapping[str, list[Any]], most: int) -> tuple[bytes, int]:
    """Return a digest of the columns that a metric reads, and their bytes.

    Beyond the ``most`` bytes nothing is read. Objects that aren't plain data have no bytes.
    """
    digest, size = hashlib.sha256(), 0
    for name in (column.name for column in metric.columns if column.name in columns):
        rows = columns[name]
        digest.update(f"{name}:{len(rows)}".encode())
        for start in range(0, len(rows), _ROWS):
            try:
                part = marshal.dumps(rows[start : start + _ROWS], 2)
            except ValueError:
                return b"", 0
            digest.update(part)
            size += len(part)
            if size > most:
                return b"", size
    return digest.digest(), size
