"""Scores of examples that many processes measure."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.core import examples, sums
from textsimp.core.columns import Seen
from textsimp.core.declarations import Column
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric, check_score_options
from textsimp.core.scores import Results
from textsimp.core.statistics import Each, Part, Statistics, joined, measured
from textsimp.core.sums import Sums
from textsimp.metrics.catalogue import Metrics
from textsimp.scale.cluster import computed, connected, in_order
from textsimp.scale.partitions import (
    Columns,
    FilePart,
    Names,
    Partition,
    Reader,
    check_names,
    file_parts,
    is_bag,
    is_frame,
    join_seen,
)
from textsimp.scoring import comparison
from textsimp.support.errors import InputError, shown
from textsimp.support.extras import require
from textsimp.support.version import __version__

if TYPE_CHECKING:
    from distributed import Client

_ROWS = 10_000  # of a piece that is sent to a worker
_LARGE = {"distributed.admin.large-graph-warning-threshold": "1GiB"}  # it would warn of texts


def score(
    data: Any,
    systems: Mapping[str, Any],
    *,
    metrics: Metrics | None = None,
    sources: str | None = None,
    references: str | Iterable[str] | None = None,
    client: Client | str | int | None = None,
    confidence: float | None = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    **options: Any,
) -> Results:
    """Score systems whose outputs are in parquet files or a collection of Dask's.

    Columns are given by their names in the data, everything else as for `textsimp.score`.

    Args:
        data: Parquet files that all workers can read: a path, a folder, a pattern such as
            ``"s3://corpus/*.parquet"``, or a list of these; a Dask DataFrame; or a Bag of mappings.
        systems: Name → the column of its predictions; or, for metrics that read more of a system
            than its predictions, name → what they call a column → the column.
        metrics: See `textsimp.score`.
        sources: The column of the original texts.
        references: The column of references, of texts or lists of texts; or several columns.
        client: Where to compute: a ``distributed.Client``, a scheduler's address, or how many
            processes to start here. The current client unless given, or else a process per core.
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
        >>> path = os.path.join(tempfile.mkdtemp(), "0.parquet")
        >>> pd.DataFrame(
        ...     {"original": ["A feline sat."], "ours": ["A cat sat."], "human": ["A cat sat."]}
        ... ).to_parquet(path)
        >>> results = textsimp.scale.score(
        ...     path,
        ...     {"ours": "ours", "copy": "original"},
        ...     sources="original",
        ...     references="human",
        ...     client=1,
        ... )
        >>> round(results["ours"]["sari"].predictions["sari"].value, 2)
        83.33
    """
    check_score_options(False, confidence, resamples, seed)
    found = statistics(
        data,
        systems,
        metrics=metrics,
        sources=sources,
        references=references,
        client=client,
        **options,
    )
    return comparison.score(found, confidence=confidence, resamples=resamples, seed=seed)


def statistics(
    data: Any,
    systems: Mapping[str, Any],
    *,
    metrics: Metrics | None = None,
    sources: str | None = None,
    references: str | Iterable[str] | None = None,
    client: Client | str | int | None = None,
    **options: Any,
) -> dict[str, Statistics]:
    """Statistics that `textsimp.score` and `textsimp.compare` take in place of systems.

    Files are read twice: all rows are checked before the first is scored. Collections are computed
    once, and checked meanwhile.

    Args:
        data: See `score`, as all others.
        systems: Name → the column of its predictions, or columns.
        metrics: One or more.
        sources: The column of the original texts.
        references: The column of references, or several.
        client: Where to compute.
        **options: Of a metric, and further columns.

    Raises:
        InputError: Files or columns that aren't there; a bad row, with its file or partition;
            metrics that take all texts for one, or that can't be sent to workers; or workers that
            die of a part again and again.
        ImportError: Dask isn't installed.
    """
    shared = {"sources": sources, "references": references}
    scorers, further = comparison.chosen("sari" if metrics is None else metrics, options)
    columns = _columns(scorers, systems, shared | further)
    for metric in scorers.values():
        if not metric.independent_rows:
            raise InputError(
                f"{metric.name}: takes all texts for one with these options, so that pieces of "
                "them can't be scored apart: see textsimp.score"
            )
    job = _Job.sent(scorers, columns)
    with connected(client) as found:
        return _on_cluster(found, data, scorers, columns, job)


def gather(
    metrics: Mapping[str, Metric],
    corpus: Examples,
    first: int = 0,
    each: Each | None = None,
    *,
    client: Client | str | int | None = None,
) -> dict[str, Statistics]:
    """What `statistics.gather` returns: pieces are read here, and measured by workers.

    No more than a few pieces for each worker are held at once.

    Args:
        metrics: By names. If one of them takes all texts for one, a single worker has all.
        corpus: The examples.
        first: The number of the first of them.
        each: Called with every piece in order, the number of its first example, and its statistics.
        client: See `score`.

    Raises:
        InputError: A metric that can't be sent to workers; the corpus can't be read; or workers
            die of a piece again and again.
        ImportError: Dask isn't installed.
    """
    job = _Job.sent(metrics, None)
    independent = all(metric.independent_rows for metric in metrics.values())
    pieces = corpus.slices(_ROWS) if independent else [corpus]
    with connected(client) as found:
        tasks = (
            (piece, found.submit(_measured, __version__, job, piece, pure=False))
            for piece in pieces
        )
        with require("dask", extra="scale").config.set(_LARGE):
            return joined(metrics, corpus.systems, in_order(found, tasks), first, each)


def _columns(
    metrics: Mapping[str, Metric], systems: Mapping[str, Any], shared: Mapping[str, Any]
) -> Columns:
    """Where examples are, as the user says it.

    Raises:
        InputError: Names that aren't any, no systems, or columns that a metric needs or doesn't
            know.
    """
    declared = examples.columns_of(metrics.values())
    comparison.check_systems(systems)
    given = {
        name: own if isinstance(own, Mapping) else {"predictions": own}
        for name, own in systems.items()
    }
    present = {name: names for name, names in shared.items() if names is not None}
    for part in (present, *given.values()):
        known = [name for name, c in declared.items() if c.own is (part is not present)]
        examples.check_known(part, known)
    examples.check_complete(metrics.values(), present, given)
    return Columns(
        _names(declared, present, ""),
        {system: _names(declared, own, system) for system, own in given.items()},
    )


def _names(declared: Mapping[str, Column], given: Mapping[str, Any], system: str) -> Names:
    """In the order in which metrics declare them."""
    found = {}
    for name, column in ((n, c) for n, c in declared.items() if n in given):
        several = column.kind in ("texts", "labels") and isinstance(given[name], (list, tuple))
        names = list(given[name]) if several else [given[name]]
        if not names or not all(isinstance(one, str) for one in names):
            raise InputError(
                f"{examples.called(name, system)}: expected the name of a column, "
                f"got {shown(given[name])}"
            )
        found[name] = column, names
    return found


@dataclass(frozen=True)
class _Job:
    """What is done with every part.

    Attributes:
        metrics: By names.
        columns: Where examples are; None where these are sent.
    """

    metrics: Mapping[str, Metric]
    columns: Columns | None

    @classmethod
    def sent(cls, metrics: Mapping[str, Metric], columns: Columns | None) -> bytes:
        """As it is sent to workers.

        Raises:
            InputError: A metric, or a function among its options, can't be.
        """
        pickle = require("distributed.protocol.pickle", extra="scale")
        for name, metric in metrics.items():
            try:
                pickle.dumps(metric)
            except Exception as error:  # whatever a user's object raises
                raise InputError(f"{name}: can't be sent to workers: {error}") from error
        found: bytes = pickle.dumps(cls(metrics, columns))
        return found


@functools.lru_cache(4)
def _received(job: bytes) -> _Job:
    """The same object for all parts, so that what it remembers serves all of them."""
    import pickle

    found: _Job = pickle.loads(job)
    return found


def _measured(version: str, job: bytes, piece: Examples) -> Part:
    """On a worker: statistics of examples that were read elsewhere."""
    _check_version(version)
    return measured(_received(job).metrics, piece)


@dataclass(frozen=True)
class _Read:
    """What a worker says of a part that it reads.

    Attributes:
        rows: How many there are.
        seen: What was seen of its columns.
        doubt: What is to be said of its first texts.
        part: Statistics, if there are any rows and they were asked for.
    """

    rows: int
    seen: Mapping[str, Seen]
    doubt: str
    part: Part | None


def _read(version: str, job: bytes, part: Any, measure: bool, first: int | None = None) -> _Read:
    """On a worker: read and check a part, and measure it.

    If the number of its first example is given, there are so many that sums of blocks will do:
    they are added up here, and not where all parts come together.
    """
    _check_version(version)
    found = _received(job)
    assert found.columns is not None
    reader = Reader(found.columns, again=measure and isinstance(part, FilePart))
    rows, doubt = 0, ""
    parts: list[Part] = []
    for piece in reader.examples(part):
        doubt = doubt if rows else examples.doubt(found.metrics.values(), piece)
        rows += len(piece)
        if measure:
            parts.append(measured(found.metrics, piece))
    return _Read(rows, reader.seen, doubt, _concatenated(parts, first) if parts else None)


def _read_partition(version: str, job: bytes, rows: Any, number: int) -> _Read:
    return _read(version, job, Partition(rows, number), True)


def _concatenated(parts: list[Part], start: int | None) -> Part:
    first, *others = parts
    facts = first.facts
    for part in others:
        facts = {name: one.joined(part.facts[name]) for name, one in facts.items()}
    found: dict[str, dict[str, Any]] = {}
    for name, systems in first.found.items():
        found[name] = {}
        for system in systems:
            rows = np.concatenate([part.found[name][system] for part in parts])
            found[name][system] = rows if start is None else Sums.of(rows, start).folded()
    return Part(found, facts)


def _check_version(version: str) -> None:
    if version != __version__:
        raise InputError(
            f"a worker has textsimp {__version__}, which may score otherwise than {version} here"
        )


def _on_cluster(
    client: Client, data: Any, metrics: Mapping[str, Metric], columns: Columns, job: bytes
) -> dict[str, Statistics]:
    """Statistics of what workers read."""
    if is_frame(data) or is_bag(data):
        if is_frame(data):
            check_names("data", [*data.columns], columns.names)
            data = data[columns.names]
        results = _checked(_of_collection(client, data, job))
    else:
        parts = file_parts(data, columns.names)
        for _ in _checked(_of_files(client, parts, job, measure=False)):
            pass
        results = _of_files(client, parts, job, measure=True)
    found = ((None, read.part) for read in results if read.part is not None)
    return joined(metrics, columns.systems, found)


def _of_files(
    client: Client, parts: Sequence[FilePart], job: bytes, measure: bool
) -> Iterator[_Read]:
    ends = [*itertools.accumulate(part.rows for part in parts)]
    many = bool(ends) and ends[-1] > sums.MANY
    firsts = [end - part.rows if many else None for end, part in zip(ends, parts, strict=True)]
    tasks = (
        (None, client.submit(_read, __version__, job, part, measure, first, pure=False))
        for part, first in zip(parts, firsts, strict=True)
    )
    return (found for _, found in in_order(client, tasks))


def _of_collection(client: Client, data: Any, job: bytes) -> Iterator[_Read]:
    import dask

    read = dask.delayed(_read_partition, pure=False)
    tasks = [read(__version__, job, part, i) for i, part in enumerate(data.to_delayed())]
    return computed(client, tasks)


def _checked(results: Iterable[_Read]) -> Iterator[_Read]:
    """The same; then what only all of them tell is checked.

    Raises:
        InputError: No rows; most texts are lists written as text, or some references are lists.

    Warns:
        ScriptWarning: See `textsimp.core.examples.doubt`.
    """
    seen: dict[str, Seen] = {}
    rows = 0
    for read in results:
        if read.rows and not rows:
            examples.tell(read.doubt)
        join_seen(seen, read.seen)
        rows += read.rows
        yield read
    if not rows:
        raise InputError("data: expected at least one row, got none")
    for name, one in seen.items():
        one.check_not_lists(name)
