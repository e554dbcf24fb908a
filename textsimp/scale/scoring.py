"""Statistics and scores of examples that the workers of a cluster measure."""

from __future__ import annotations

import functools
import io
import pickle
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.core import examples, significance
from textsimp.core import statistics as core_statistics
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric
from textsimp.core.scores import Results
from textsimp.core.significance import RESAMPLES
from textsimp.core.statistics import Piece, Progress, Statistics
from textsimp.metrics.catalogue import Metrics
from textsimp.scale.cluster import check_client, iterate_results
from textsimp.scale.partitions import Selection, list_partitions, select
from textsimp.scoring import comparison
from textsimp.support.errors import InputError
from textsimp.support.extras import require
from textsimp.support.version import __version__

if TYPE_CHECKING:
    from distributed import Client

_ROWS = 10_000  # of examples that are sent to a worker


def score(
    data: Any,
    systems: Mapping[str, Any],
    *,
    metrics: Metrics | None = None,
    sources: str | None = None,
    references: str | Iterable[str] | None = None,
    client: Client | None = None,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Results:
    """Score systems whose outputs are in parquet files or a Dask DataFrame.

    Columns are given by their names in the data, everything else as for `textsimp.score`.

    Args:
        data: Parquet files that all workers can read: a path, a folder, a pattern such as
            ``"s3://corpus/*.parquet"``, or a list of these; or a Dask DataFrame.
        systems: Name → the column of its predictions; or, for metrics that read more of a system
            than its predictions, name → what they call a column → the column.
        metrics: See `textsimp.score`.
        sources: The column of the original texts.
        references: The column of references, of texts or lists of texts; or several columns.
        client: The client of a cluster; the current client unless given.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples.
        seed: Their seed.
        **options: ``variant`` and other options of the one metric that is given by its name; and
            names of other columns that metrics read and all systems share.

    Returns:
        What `textsimp.score` returns, equal to the last bit.

    Raises:
        InputError: See `statistics`; or bad options.
        ImportError: Dask isn't installed.

    Example:
        >>> import os, tempfile
        >>> import pandas as pd
        >>> import textsimp
        >>> from distributed import Client
        >>> path = os.path.join(tempfile.mkdtemp(), "0.parquet")
        >>> pd.DataFrame(
        ...     {"original": ["A feline sat."], "ours": ["A cat sat."], "human": ["A cat sat."]}
        ... ).to_parquet(path)
        >>> with Client(processes=False, dashboard_address="127.0.0.1:0"):
        ...     results = textsimp.scale.score(
        ...         path, {"ours": "ours"}, sources="original", references="human"
        ...     )
        >>> round(results["ours"]["sari"].predictions["sari"].value, 2)
        83.33
    """
    significance.check(confidence, resamples, seed)
    given: Any = {"sources": sources, "references": references, "client": client, **options}
    measured = statistics(data, systems, metrics=metrics, **given)
    return comparison.score(measured, confidence=confidence, resamples=resamples, seed=seed)


def statistics(
    data: Any,
    systems: Mapping[str, Any],
    *,
    metrics: Metrics | None = None,
    sources: str | None = None,
    references: str | Iterable[str] | None = None,
    client: Client | None = None,
    **options: Any,
) -> dict[str, Statistics]:
    """Compute statistics, which `textsimp.score` and `textsimp.compare` take in place of systems.

    Each row group of a file, or partition of a DataFrame, is a task. The results are merged as
    `textsimp.merge` merges files. See `score` for the arguments.

    Raises:
        InputError: Files or columns that don't exist; a bad row, with its file or partition;
            metrics that take all texts as one, or that can't be sent to workers; no client; or
            workers that die of a task again and again.
        ImportError: Dask isn't installed.
    """
    shared = {"sources": sources, "references": references}
    scorers, further = comparison.chosen("sari" if metrics is None else metrics, options)
    comparison.check_systems(systems)
    present = {name: names for name, names in (shared | further).items() if names is not None}
    selection = select(examples.columns_of(scorers.values()), systems, present)
    examples.check_complete(scorers.values(), selection.shared, selection.systems)
    for metric in scorers.values():
        if not metric.independent_rows:
            raise InputError(
                f"{metric.name}: takes all texts for one with these options, so that pieces of "
                "them can't be scored apart: see textsimp.score"
            )
    job, client = _pack(scorers), check_client(client)
    delayed = require("dask", extra="scale").delayed(_measure_partition, pure=False)
    partitions = list_partitions(data, selection.columns)
    tasks = [delayed(job, selection, part, i) for i, part in enumerate(partitions)]
    pieces: list[Piece] = []
    first = 0
    for file, doubt in iterate_results(client, client.compute(tasks)):
        if file:
            if not pieces:
                examples.tell(doubt)
            pieces.append(Piece.of(file, f"partition {len(pieces)}").shift(first))
            first = int(pieces[-1].ranges[-1, 1])
    if not pieces:
        raise InputError("data: expected at least one row, got none")
    return core_statistics.join(pieces, scorers)


def measure(
    metrics: Mapping[str, Metric],
    corpus: Examples,
    first: int = 0,
    progress: Progress | None = None,
    *,
    client: Client | None = None,
) -> dict[str, Statistics]:
    """Compute statistics of examples of this process, which are sent to workers in pieces.

    If a metric takes all texts as one, a single worker gets all. See `statistics.measure` for the
    arguments, and `statistics` for errors.
    """
    job, client = _pack(metrics), check_client(client)
    size = _ROWS if all(metric.independent_rows for metric in metrics.values()) else len(corpus)
    slices = [range(i, min(i + size, len(corpus))) for i in range(0, len(corpus), size)]
    futures = (
        client.submit(_measure_examples, job, corpus.take(numbers), pure=False)
        for numbers in slices
    )
    parts = []
    for numbers, part in zip(slices, iterate_results(client, futures), strict=True):
        parts.append(part)
        if progress is not None:
            progress(len(numbers) * len(metrics))
    rows = {
        name: {system: np.concatenate([part[name][system] for part in parts]) for system in own}
        for name, own in parts[0].items()
    }
    return core_statistics.of_rows(metrics, rows, corpus, first)


def _pack(metrics: Mapping[str, Metric]) -> bytes:
    """Serialise metrics for workers, with their functions as far as these can be sent."""
    dask_pickle = require("distributed.protocol.pickle", extra="scale")
    for name, metric in metrics.items():
        try:
            dask_pickle.dumps(metric)
        except Exception as error:  # whatever a user's object raises
            raise InputError(f"{name}: can't be sent to workers: {error}") from error
    packed: bytes = dask_pickle.dumps((__version__, dict(metrics)))
    return packed


@functools.lru_cache(4)
def _unpack(job: bytes) -> dict[str, Metric]:
    """The same metrics for all tasks, so that what they remember serves all of them."""
    version, metrics = pickle.loads(job)
    if version != __version__:
        raise InputError(
            f"a worker has textsimp {__version__}, which may score otherwise than {version} here"
        )
    unpacked: dict[str, Metric] = metrics
    return unpacked


def _measure_examples(job: bytes, corpus: Examples) -> dict[str, dict[str, Any]]:
    """On a worker: the rows of statistics of examples that were read elsewhere."""
    return {name: metric.statistics_of(corpus) for name, metric in _unpack(job).items()}


def _measure_partition(
    job: bytes, selection: Selection, partition: Any, number: int
) -> tuple[bytes, str]:
    """On a worker: a partition's file of statistics, empty without rows; and doubts about texts."""
    metrics = _unpack(job)
    corpus = selection.read(metrics, partition, number)
    if corpus is None:
        return b"", ""
    file = io.BytesIO()
    core_statistics.write(file, core_statistics.measure(metrics, corpus))
    return file.getvalue(), examples.doubt(metrics.values(), corpus)
