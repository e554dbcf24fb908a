"""Statistics and scores of examples that the workers of a cluster measure."""

from __future__ import annotations

import functools
import io
import os
import pickle
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.core import columns, examples
from textsimp.core import statistics as core_statistics
from textsimp.core.declarations import Column
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Metric, Progress
from textsimp.core.statistics import Piece, Statistics
from textsimp.metrics.catalogue import Metrics
from textsimp.scale.cluster import iterate_results
from textsimp.scoring import comparison
from textsimp.support.errors import InputError, no_column, shown, take_either
from textsimp.support.extras import require
from textsimp.support.version import __version__

if TYPE_CHECKING:
    from distributed import Client

Selection = Mapping[str, Mapping[str, Sequence[str]]]
"""System → column that metrics read → columns of the data; shared ones under `UNNAMED_SYSTEM`."""

_ROWS = 10_000  # of examples that are sent to a worker


@take_either("metrics", "metric")
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

    Each row group of a file, or partition of a DataFrame, is a task. Results are merged as
    `textsimp.merge` merges files. Columns are given by their names in the data.

    Args:
        data: Parquet files that all workers can read: a path, a folder, a pattern such as
            ``"s3://corpus/*.parquet"``, or a list of these; or a Dask DataFrame.
        systems: Name → the column of its predictions; or, for metrics that read more of a system
            than its predictions, name → what they call a column → the column.
        metrics: See `textsimp.score`.
        sources: The column of the original texts.
        references: The column of references, of texts or lists of texts; or several columns.
        client: The client of a cluster; the current client unless given.
        **options: ``variant`` and other options of the one metric that is given by its name; and
            names of other columns that metrics read and all systems share.
    """
    shared = {"sources": sources, "references": references}
    scorers, further = comparison.choose_metrics("sari" if metrics is None else metrics, options)
    comparison.check_systems(systems)
    present = {name: names for name, names in (shared | further).items() if names is not None}
    selection = select(examples.columns_of(scorers.values()), systems, present)
    own = {system: selection[system] for system in systems}
    examples.check_complete(scorers.values(), selection[UNNAMED_SYSTEM], own)
    for metric in scorers.values():
        if not metric.independent_rows:
            what = f"{metric.name}: takes all texts for one with these options"
            raise InputError(f"{what}, so that pieces can't be scored apart: see textsimp.score")
    job = _pack(scorers)
    client = client or require("distributed", extra="scale").Client.current()
    delayed = require("dask", extra="scale").delayed(_measure_partition, pure=False)
    parts = list_partitions(data, list_columns(selection))
    tasks = [delayed(job, selection, part, i) for i, part in enumerate(parts)]
    pieces: list[Piece] = []
    first = 0
    for file, warning in iterate_results(client.compute(tasks)):
        if file:
            if not pieces:
                examples.emit_warning(warning)
            pieces.append(Piece.of(file, f"partition {len(pieces)}").shift(first))
            first = int(pieces[-1].numbers[-1]) + 1
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
    """Compute what `textsimp.core.statistics.measure` does; workers get the examples in pieces."""
    job = _pack(metrics)
    client = client or require("distributed", extra="scale").Client.current()
    size = _ROWS if all(metric.independent_rows for metric in metrics.values()) else len(corpus)
    slices = corpus.slices(size)
    futures = [client.submit(_measure_examples, job, part, pure=False) for part in slices]
    parts = []
    for part in iterate_results(futures):
        parts.append(part)
        if progress is not None:
            progress(len(metrics) * len(part[next(iter(part))]))
    whole = {
        name: {system: np.concatenate([part[name, system] for part in parts]) for system in systems}
        for name, systems in dict.fromkeys(metrics, corpus.systems).items()
    }
    return core_statistics.from_rows(metrics, whole, corpus, first)


def _pack(metrics: Mapping[str, Metric]) -> bytes:
    """Serialise metrics for workers, with their functions as far as these can be sent."""
    dumps = require("distributed.protocol.pickle", extra="scale").dumps
    try:
        packed: bytes = dumps((__version__, dict(metrics)))
    except Exception as error:  # whatever a user's object raises
        raise InputError(f"{', '.join(metrics)}: can't be sent to workers: {error}") from error
    return packed


@functools.lru_cache(4)
def _unpack(job: bytes) -> dict[str, Metric]:
    """The same metrics for all tasks, so that what they remember serves all of them."""
    version, metrics = pickle.loads(job)
    if version != __version__:
        raise InputError(f"a worker has textsimp {__version__}: expected {version}, as it is here")
    return dict(metrics)


def _measure_examples(job: bytes, corpus: Examples) -> dict[tuple[str, str], Any]:
    """On a worker: the rows of statistics of each metric and system."""
    return {
        (name, system): rows
        for name, metric in _unpack(job).items()
        for system, rows in metric.compute_statistics(corpus).items()
    }


def _measure_partition(
    job: bytes, selection: Selection, partition: Any, number: int
) -> tuple[bytes, str]:
    """On a worker: a partition's file of statistics, empty without rows; and doubts about texts."""
    metrics = _unpack(job)
    corpus = read_partition(metrics, selection, partition, number)
    if corpus is None:
        return b"", ""
    file = io.BytesIO()
    core_statistics.write(file, core_statistics.measure(metrics, corpus))
    return file.getvalue(), examples.check_scripts(metrics.values(), corpus)


def select(
    declared: Mapping[str, Column], systems: Mapping[str, Any], shared: Mapping[str, Any]
) -> Selection:
    """Make a selection from a user's names of columns."""
    selection: dict[str, dict[str, list[str]]] = {UNNAMED_SYSTEM: {}}
    for system, part in {UNNAMED_SYSTEM: shared, **systems}.items():
        selection[system] = {}
        own = part if isinstance(part, Mapping) else {"predictions": part}
        for name, written in own.items():
            several = name in declared and declared[name].kind in ("texts", "labels")
            names = written if several and isinstance(written, (list, tuple)) else [written]
            if not names or not all(isinstance(one, str) for one in names):
                label, got = examples.column_label(name, system), shown(written)
                raise InputError(f"{label}: expected the name of a column, got {got}")
            selection[system][name] = [*names]
    return selection


def list_columns(selection: Selection) -> list[str]:
    """All columns of a selection, once each."""
    names = (names for own in selection.values() for part in own.values() for names in part)
    return list(dict.fromkeys(names))


def read_partition(
    metrics: Mapping[str, Metric], selection: Selection, partition: Any, number: int
) -> Examples | None:
    """Read and check examples, if there are any."""
    where, names = f"partition {number}", list_columns(selection)
    if hasattr(partition, "row_groups"):
        where = f"{partition.path}, row group {partition.row_groups[0].id}"
        partition = partition.to_table(partition.physical_schema, columns=names)
    if not len(partition):
        return None
    rows = {name: columns.plain_list(partition[name]) for name in names}
    systems = {
        system: {name: _merge([rows[part] for part in parts]) for name, parts in own.items()}
        for system, own in selection.items()
    }
    shared = systems.pop(UNNAMED_SYSTEM)
    try:
        return examples.read(metrics.values(), systems, shared)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _merge(parts: Sequence[list[Any]]) -> list[Any]:
    """One column, or lists of the values of several columns that aren't missing."""
    if len(parts) == 1:
        return parts[0]
    merged: list[list[Any]] = [[] for _ in parts[0]]
    for part in parts:
        for values, cell in zip(merged, part, strict=True):
            cells = columns.plain_list(cell) if columns.is_sequence(cell) else [cell]
            values += [value for value in cells if not columns.is_missing(value)]
    return merged


def list_partitions(data: Any, names: Sequence[str]) -> list[Any]:
    """The partitions of a Dask DataFrame, or the row groups of parquet files."""
    if hasattr(data, "to_delayed") and hasattr(data, "columns"):
        _check_columns("data", [*data.columns], names)
        return list(data[names].to_delayed())
    groups: list[Any] = []
    for path in data if isinstance(data, (list, tuple)) else [data]:
        try:
            for file in _list_files(os.fspath(path)):
                _check_columns(file.path, file.physical_schema.names, names)
                groups += file.split_by_row_group()
        except InputError:
            raise
        except (OSError, TypeError, ValueError) as error:  # Arrow's are among them
            got = str(error).splitlines()[0]
            raise InputError(f"data: expected parquet files or a Dask DataFrame: {got}") from None
    return groups


def _list_files(path: str) -> list[Any]:
    """Files of a path, folder or pattern, in the order of their names, 2 before 10."""
    from pyarrow import dataset

    system, inside = require("fsspec", extra="scale").core.url_to_fs(path)
    paths = [inside]
    if not system.exists(inside):
        paths = [file for file in system.glob(inside) if os.path.basename(file)[0] not in "._"]
    datasets = [dataset.dataset(one, format="parquet", filesystem=system) for one in paths]
    files = [file for one in datasets for file in one.get_fragments()]
    if not files:
        raise InputError(f"{path}: no parquet files")
    natural_sort_key = require("dask.utils", extra="scale").natural_sort_key
    return sorted(files, key=lambda file: natural_sort_key(file.path))


def _check_columns(where: str, there: Sequence[str], names: Sequence[str]) -> None:
    for name in names:
        if name not in there:
            raise no_column(where, name, there)
