"""Statistics of examples in files, and the statistics of pieces that were scored apart, merged.

A file is parquet: a row per example, with its number and, for each metric and system, a column per
statistic. Of more examples than `draws.MANY` in pieces that an engine mapped, a row is a sum of a
block. Its metadata has under ``textsimp``, as JSON, what `pack` puts there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from textsimp.core import draws
from textsimp.core.block_sums import Blocks, Extent
from textsimp.core.columns import texts as check_texts
from textsimp.core.draws import Ints
from textsimp.core.examples import UNNAMED_SYSTEM, Examples, warn
from textsimp.core.metric import Metric, Statistics, group
from textsimp.support.errors import InputError, check_integer, check_switch, listed, shown
from textsimp.support.files import check_new, write_files
from textsimp.support.parsing import parse_json
from textsimp.support.version import __version__

Make = Callable[[str], Metric]  # of the metric's notation
Shared = Mapping[str, Sequence[Any]]  # column → rows

MOST_ROWS = 10**18  # numbers of examples are int64

_KEY = b"textsimp"
_ROW = "row"
_BLOCKS = ["block", "examples"]
DIGESTS = 2**64  # the modulus of digests
_OF_CHANGES = (AttributeError, LookupError, OverflowError, StopIteration, TypeError, ValueError)
"""Errors of contents that were changed."""


def check(metrics: Mapping[str, Metric], first: int = 0) -> None:
    """Check that a file can describe metrics, and that pieces of a corpus can be scored apart."""
    for metric in metrics.values():
        for option, value in metric.changed_options().items():
            if callable(value):
                raise InputError(
                    f"{option}: {metric.name} has a {type(value).__name__} here, which can't be "
                    "written to a file of statistics"
                )
        if first and not metric.independent_rows:
            raise InputError(
                f"{metric.name} takes all texts for one with these options: pieces of a corpus "
                "can't be scored apart"
            )


def save(
    metric: Metric,
    path: str | Path,
    *,
    system: str = "predictions",
    first_row: int = 0,
    overwrite: bool = False,
    **columns: Any,
) -> None:
    """Write the statistics of one system's examples to a file, for `textsimp.merge`.

    Args:
        metric: The metric.
        path: A parquet file.
        system: The system's name.
        first_row: The number of the first example in the whole corpus, counted from 0.
        overwrite: Replace an existing file.
        **columns: ``sources``, ``predictions``, ``references`` and others that the metric reads.

    Example:
        >>> import tempfile
        >>> import textsimp
        >>> path = f"{tempfile.mkdtemp()}/0.parquet"
        >>> textsimp.save(textsimp.Bleu(), path, predictions=["A cat."], references=["A cat."])
        >>> textsimp.merge([path])["bleu"].examples
        1
    """
    if not isinstance(metric, Metric):
        raise InputError(f"metric: expected one such as textsimp.Sari(), got {shown(metric)}")
    first_row = check_integer("first_row", first_row, 0, MOST_ROWS)
    check_switch("overwrite", overwrite)
    check_texts([system], "system")  # files can't have all that strings can
    metrics = {metric.name: metric}
    check(metrics, first_row)
    check_new([Path(path)], overwrite=overwrite)
    examples = metric.check(**columns)
    warn([metric], examples)
    examples = Examples(examples.shared, {system: examples.systems[UNNAMED_SYSTEM]})
    measured = {metric.name: metric.measure(examples, first_row, piece=True)}
    whole = StatisticsFile("", measured, digests(examples.shared, first_row))
    write_files({Path(path): pack(whole)}, overwrite=overwrite)


def pack(part: StatisticsFile) -> Callable[[BinaryIO], object]:
    """Return what writes a file of such statistics, see the module."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    about = _describe(part)
    columns: list[Any] = [part.first.numbers]
    if part.first.blocks is not None:
        columns = [part.first.blocks.blocks, part.first.blocks.counts]
    for rows in chain.from_iterable(each.systems.values() for each in part.measured.values()):
        columns += map(np.ascontiguousarray, rows.T)
    table = pa.table(columns, _titles(about), metadata={_KEY: json.dumps(about)})
    return lambda file: pq.write_table(table, file, compression="zstd", write_statistics=False)


def _describe(part: StatisticsFile) -> dict[str, Any]:
    """Return the metadata of a file."""
    metrics = {
        label: {
            "metric": str(statistics.metric),
            "signature": statistics.metric.signature(statistics.references),
            "statistics": statistics.names(),
            "systems": [*statistics.systems],
            "facts": {
                "examples": statistics.examples,
                "shared": statistics.shared,
                "references": statistics.references,
            },
        }
        for label, statistics in part.measured.items()
    }
    about: dict[str, Any] = {"version": __version__, "metrics": metrics, "runs": part.first.runs}
    about["digests"] = part.digests
    if part.first.blocks is not None:
        extent = part.first.extent
        about["blocks"] = [extent.examples, extent.ranges.tolist(), extent.digest]
    return about


def _titles(about: Mapping[str, Any]) -> list[str]:
    """Return the names of the columns of a file with this metadata."""
    return (_BLOCKS if "blocks" in about else [_ROW]) + [
        f"{label}/{system}/{name}"
        for label, metric in about["metrics"].items()
        for system in metric["systems"]
        for name in metric["statistics"]
    ]


def digests(shared: Shared, first: int = 0, numbers: Sequence[int] = ()) -> dict[str, int]:
    """Return column → its digest, where rows are numbered from ``first``, or have ``numbers``.

    Those of pieces add up, modulo 2**64, to that of the whole.
    """
    sums = dict.fromkeys(shared, 0)
    for name, rows in shared.items():
        for number, row in zip(numbers or count(first), rows, strict=False):
            text = row if isinstance(row, str) else json.dumps(row)
            hashed = hashlib.blake2b(f"{number} {text}".encode(), digest_size=8).digest()
            sums[name] = (sums[name] + int.from_bytes(hashed, "big")) % DIGESTS
    return sums


@dataclass(frozen=True)
class StatisticsFile:
    """The statistics of some examples of some systems, such as those of a file."""

    where: str  # in messages
    measured: Mapping[str, Statistics]  # metric → its statistics
    digests: Mapping[str, int]

    @property
    def first(self) -> Statistics:
        """Those of one metric: all metrics' are of the same examples."""
        return next(iter(self.measured.values()))


@contextlib.contextmanager
def open_file(path: str, contents: Any = None) -> Iterator[tuple[Any, bytes | None]]:
    """Open a parquet file, or its contents; yield it, and its metadata of statistics or None."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path if contents is None else pa.BufferReader(contents)) as file:
            yield file, (file.metadata.metadata or {}).get(_KEY)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (pa.ArrowException, OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InputError(f"{path}: not a parquet file: {str(error).splitlines()[0]}") from None


def is_file(path: str) -> bool:
    """Whether a file has statistics, not texts."""
    if Path(path).suffix.lower() != ".parquet" or not Path(path).is_file():
        return False
    with open_file(path) as (_, about):
        return about is not None


def read(path: str, make: Make, contents: Any = None) -> StatisticsFile:
    """Read a file of statistics, or its contents, written with the same versions of libraries."""
    with open_file(path, contents) as (file, metadata):
        table: Any = None if metadata is None else file.read()
    expected = f"{path}: expected a file of statistics, as --save-statistics writes it"
    if metadata is None:
        raise InputError(expected)
    try:
        about = parse_json(metadata)
        part = _part(path, about, table, make)
        written = json.dumps(_describe(part))
        if about != json.loads(written):
            raise ValueError("the metadata doesn't describe the columns")
    except InputError:
        raise
    except _OF_CHANGES as error:
        raise InputError(f"{expected}; its contents were changed: {error}") from None
    return part


def _part(path: str, about: Any, table: Any, make: Make) -> StatisticsFile:
    """Return what the metadata and the table of a file are of."""
    if about["version"] != __version__:
        raise InputError(
            f"{path}: statistics of textsimp {about['version']}, which {__version__} can't read: "
            "score anew with one version"
        )
    numbers, blocks = _check_table(table, about)
    columns = iter(table.columns[1 if blocks is None else len(_BLOCKS) :])
    measured = {}
    for label, described in about["metrics"].items():
        try:
            metric = make(described["metric"])
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        counts = described["facts"]["references"]
        references = (min(counts), max(counts)) if counts else None
        signature = metric.signature(references)
        if described["signature"] != signature:
            raise InputError(
                f"{path}: expected {label} with the signature {signature}, as it is here, got "
                f"{described['signature']}: score all pieces and merge them with the same versions"
            )
        systems = {
            system: np.column_stack([next(columns).to_numpy() for _ in described["statistics"]])
            for system in described["systems"]
        }
        runs = {
            name: names
            for name, names in group(systems, about["runs"]).items()
            if len(names) > 1 and {*names} <= {*systems}
        }
        shared = tuple(about["digests"])
        metric = metric.with_main(shared)
        measured[label] = Statistics(
            *(metric, systems, numbers, shared, references, runs), blocks=blocks
        )
    return StatisticsFile(
        path, measured, {name: int(one) for name, one in about["digests"].items()}
    )


def _check_table(table: Any, about: Any) -> tuple[Ints, Blocks | None]:
    """Check the columns of a file; return the numbers of its examples, or what rows are sums of."""
    columns = [(column.name, str(column.type)) for column in table.schema]
    types = {_ROW: "int64", _BLOCKS[0]: "int64"}
    written = [(title, types.get(title, "double")) for title in _titles(about)]
    if columns != written:
        other = sorted(name for name, _ in {*columns} ^ {*written})
        raise ValueError(f"columns {listed(other[:3])}")
    nulls = sum(column.null_count for column in table.columns)
    if "blocks" in about:
        blocks, counts = (table[name].to_numpy() for name in _BLOCKS)
        examples, ranges, digest = about["blocks"]
        extent = Extent(int(examples), np.array(ranges, np.int64).reshape(-1, 2), int(digest))
        inside = ((blocks >= 0) & (blocks < draws.BLOCKS)).all() and extent.first >= 0
        ordered = (extent.ranges[:, 0] <= extent.ranges[:, 1]).all()
        if nulls or not inside or not ordered or counts.sum() != examples:
            raise ValueError("nulls, or blocks of other examples")
        return np.empty(0, np.int64), Blocks(blocks, counts, extent)
    numbers: Ints = table[_ROW].to_numpy()
    if nulls or not len(numbers) or numbers[0] < 0 or (np.diff(numbers) < 1).any():
        raise ValueError("nulls, or numbers of rows that don't ascend")
    return numbers, None


def load(path: str, name: str, metrics: Mapping[str, Metric], make: Make) -> StatisticsFile:
    """Read the statistics of some metrics from a file; its only system gets a name."""
    file = read(path, make)
    by_notation = {str(statistics.metric): statistics for statistics in file.measured.values()}
    measured: dict[str, Statistics] = {}
    for label, metric in metrics.items():
        if str(metric) not in by_notation:
            expected = f"expected statistics of {metric}, got those of {', '.join(by_notation)}"
            raise InputError(f"{path}: {expected}; -m names the metrics")
        statistics = by_notation[str(metric)]
        systems = statistics.groups
        several = len(systems) > 1
        if name and several:
            raise InputError(f"{path}: expected one system to call {name!r}, got {listed(systems)}")
        names = {} if several else dict.fromkeys(systems, name or Path(path).stem)
        measured[label] = statistics.rename(names)
    return replace(file, measured=measured)
