"""Statistics of examples in files, and the statistics of pieces that were scored apart, merged.

A file is parquet: a row per example, with its number and, for each metric and system, a column per
statistic. Its metadata has under ``textsimp``, as JSON, what `contents` puts there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core import tables
from textsimp.core.columns import texts as check_texts
from textsimp.core.draws import Floats, Ints
from textsimp.core.examples import UNNAMED_SYSTEM, Examples, warn
from textsimp.core.metric import Metric, Statistics, group
from textsimp.support.errors import InputError, check_integer, check_switch, listed, shown
from textsimp.support.files import Contents, check_new, write_files
from textsimp.support.parsing import parse_json
from textsimp.support.version import __version__

Make = Callable[[str], Metric]  # of the metric's notation
Shared = Mapping[str, Sequence[Any]]  # column → rows

MOST_ROWS = 10**18  # numbers of examples are int64

_KEY = b"textsimp"
_ROW = "row"
_DIGESTS = 2**64


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
    first_row = check_integer("first_row", first_row, 0, MOST_ROWS)
    check_switch("overwrite", overwrite)
    check_texts([system], "system")  # files can't have all that strings can
    metrics = {metric.name: metric}
    check(metrics, first_row)
    check_new([Path(path)], overwrite=overwrite)
    examples = metric.check(**columns)
    warn([metric], examples)
    examples = Examples(examples.shared, {system: examples.systems[UNNAMED_SYSTEM]})
    measured = {metric.name: metric.measure(examples, first_row)}
    write_files({Path(path): contents(measured, examples.shared)}, overwrite=overwrite)


def contents(measured: Mapping[str, Statistics], shared: Shared) -> Contents:
    """Return the contents of a file of statistics, see the module."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    first = next(iter(measured.values()))
    about = _describe(measured, digests(shared, int(first.numbers[0])))
    columns = [first.numbers]
    for rows in chain.from_iterable(each.systems.values() for each in measured.values()):
        columns += map(np.ascontiguousarray, rows.T)
    table = pa.table(columns, _titles(about), metadata={_KEY: json.dumps(about)})
    return lambda file: pq.write_table(table, file, compression="zstd")


def _describe(measured: Mapping[str, Statistics], digests: Mapping[str, int]) -> dict[str, Any]:
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
        for label, statistics in measured.items()
    }
    runs = next(iter(measured.values())).runs
    return {"version": __version__, "metrics": metrics, "runs": runs, "digests": digests}


def _titles(about: Mapping[str, Any]) -> list[str]:
    """Return the names of the columns of a file with this metadata."""
    return [_ROW] + [
        f"{label}/{system}/{name}"
        for label, metric in about["metrics"].items()
        for system in metric["systems"]
        for name in metric["statistics"]
    ]


def digests(shared: Shared, first: int) -> dict[str, int]:
    """Return column → its digest, where the first row has the number ``first``.

    Those of pieces add up, modulo 2**64, to that of the whole.
    """
    sums = dict.fromkeys(shared, 0)
    for name, rows in shared.items():
        for number, row in enumerate(rows, first):
            text = row if isinstance(row, str) else json.dumps(row)
            hashed = hashlib.blake2b(f"{number} {text}".encode(), digest_size=8).digest()
            sums[name] = (sums[name] + int.from_bytes(hashed, "big")) % _DIGESTS
    return sums


@dataclass(frozen=True)
class StatisticsFile:
    """The statistics of some examples of some systems, such as those of a file."""

    where: str  # in messages
    measured: Mapping[str, Statistics]  # metric → its statistics
    digests: Mapping[str, int]

    @property
    def numbers(self) -> Ints:
        """The examples' numbers."""
        return next(iter(self.measured.values())).numbers


@contextlib.contextmanager
def _open(path: str) -> Iterator[tuple[Any, bytes | None]]:
    """Open a parquet file; yield it and the metadata of statistics, None if it has none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            yield file, (file.metadata.metadata or {}).get(_KEY)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (pa.ArrowException, OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InputError(f"{path}: not a parquet file: {str(error).splitlines()[0]}") from None


def is_file(path: str) -> bool:
    """Whether a file has statistics, not texts."""
    if Path(path).suffix.lower() != ".parquet" or not Path(path).is_file():
        return False
    with _open(path) as (_, about):
        return about is not None


def read(path: str, make: Make) -> StatisticsFile:
    """Read a file of statistics, which was written with the same versions of libraries."""
    with _open(path) as (file, metadata):
        table: Any = None if metadata is None else file.read()
    expected = f"{path}: expected a file of statistics, as --save-statistics writes it"
    if metadata is None:
        raise InputError(expected)
    try:
        about = parse_json(metadata)
        part = _part(path, about, table, make)
        written = json.dumps(_describe(part.measured, part.digests))
        if about != json.loads(written):
            raise ValueError("the metadata doesn't describe the columns")
    except InputError:
        raise
    except (AttributeError, LookupError, StopIteration, TypeError, ValueError) as error:
        raise InputError(f"{expected}; its contents were changed: {error}") from None
    return part


def _part(path: str, about: Any, table: Any, make: Make) -> StatisticsFile:
    """Return what the metadata and the table of a file are of."""
    if about["version"] != __version__:
        raise InputError(
            f"{path}: statistics of textsimp {about['version']}, which {__version__} can't read: "
            "score anew with one version"
        )
    numbers = _check_table(table, _titles(about))
    columns = iter(table.columns[1:])
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
        measured[label] = Statistics(metric, systems, numbers, shared, references, runs)
    return StatisticsFile(
        path, measured, {name: int(one) for name, one in about["digests"].items()}
    )


def _check_table(table: Any, titles: Sequence[str]) -> Ints:
    """Check the columns of a file; return the numbers of its examples."""
    columns = [(column.name, str(column.type)) for column in table.schema]
    written = [(title, "int64" if title == _ROW else "double") for title in titles]
    if columns != written:
        other = sorted(name for name, _ in {*columns} ^ {*written})
        raise ValueError(f"columns {listed(other[:3])}")
    numbers: Ints = table[_ROW].to_numpy()
    nulls = sum(column.null_count for column in table.columns)
    if nulls or not len(numbers) or numbers[0] < 0 or (np.diff(numbers) < 1).any():
        raise ValueError("nulls, or numbers of rows that don't ascend")
    return numbers


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


def merge(paths: Iterable[str | Path], make: Make) -> dict[str, Statistics]:
    """Merge files of statistics of the same options, versions, sources and references."""
    if isinstance(paths, (str, bytes, Path)) or not isinstance(paths, Iterable):
        raise InputError(f"expected a list of files of statistics, got {shown(paths)}")
    files = [read(str(path), make) for path in paths]
    if not files:
        raise InputError("expected files of statistics, got none")
    return join(files)


def join(files: Sequence[StatisticsFile]) -> dict[str, Statistics]:
    """Put the examples of each system below each other, and systems beside each other."""
    groups = [[file] for file in files]
    joined = {}
    for label in dict.fromkeys(chain.from_iterable(file.measured for file in files)):
        having = [file for file in files if label in file.measured]
        _check_alike(label, having)
        first = having[0].measured[label]
        systems: dict[str, Floats] = {}
        numbers: dict[str, Ints] = {}
        names = chain.from_iterable(file.measured[label].systems for file in having)
        for system in dict.fromkeys(names):
            group = [file for file in having if system in file.measured[label].systems]
            numbers[system], order = _order(f"{label}, {system}", group, first.metric)
            rows = [file.measured[label].systems[system] for file in group]
            systems[system] = np.concatenate(rows)[order] if len(rows) > 1 else rows[0]
            groups.append(group)
        runs = _join_runs(label, having, systems)
        (name, expected), *others = numbers.items()
        for system, rows_of_system in others:
            if not np.array_equal(expected, rows_of_system):
                raise InputError(
                    f"expected the same rows of all systems, but {label} has "
                    f"{_list_rows(expected)} of {name} and {_list_rows(rows_of_system)} of {system}"
                )
        counts = [n for file in group for n in file.measured[label].references or ()]
        references = (min(counts), max(counts)) if counts else None
        joined[label] = replace(
            first, systems=systems, numbers=expected, references=references, runs=runs
        )
    _check_shared(groups)
    return joined


def _join_runs(
    label: str, files: Sequence[StatisticsFile], systems: Collection[str]
) -> dict[str, Sequence[str]]:
    """Return the runs of systems in all files, which must be the same ones."""
    runs: dict[str, Sequence[str]] = {}
    for file in files:
        for name, names in file.measured[label].runs.items():
            if name in systems or runs.setdefault(name, names) != names:
                raise InputError(
                    f"{file.where}: {name!r} has {len(names)} runs: expected the same runs "
                    "of it in all files, or another name"
                )
    return runs


def _check_alike(label: str, files: Sequence[StatisticsFile]) -> None:
    """Check that a metric has the same options and columns in all files."""
    contents = {}
    for file in files:
        statistics = file.measured[label]
        contents[file.where] = f"{statistics.metric} of {', '.join(sorted(statistics.shared))}"
    (first, expected), *others = contents.items()
    for where, content in others:
        if content != expected:
            raise InputError(f"{where}: expected {expected}, as in {first}, got {content}")


def _order(what: str, files: Sequence[StatisticsFile], metric: Metric) -> tuple[Ints, Ints]:
    """Return the numbers of a system's examples in all files, and what sorts its rows."""
    where = ", ".join(file.where for file in files)
    if len(files) > 1 and not metric.independent_rows:
        raise InputError(
            f"{where}: {metric.name} takes all texts for one with these options: its pieces can't "
            "be put together"
        )
    numbers = np.concatenate([file.numbers for file in files])
    order = np.argsort(numbers, kind="stable")
    numbers = numbers[order]
    twice = np.unique(numbers[1:][numbers[1:] == numbers[:-1]])
    if len(twice):
        raise InputError(
            f"{where}: {_list_rows(twice)} (counted from 0) of {what} are there twice: give each "
            "piece of a corpus the number of its first row (--first-row), and each system a name"
        )
    return numbers, order


def missing(merged: Mapping[str, Statistics], rows: int | None = None) -> str:
    """A line on the examples that no file has, of a corpus of ``rows``, or nothing."""
    for statistics in merged.values():
        end = int(statistics.numbers[-1]) + 1
        if rows is not None:
            end = check_integer("rows", rows, end, MOST_ROWS)
        numbers = np.concatenate([[-1], statistics.numbers, [end]])
        before = np.flatnonzero(np.diff(numbers) > 1)
        gaps = zip((numbers[before] + 1).tolist(), (numbers[before + 1] - 1).tolist(), strict=True)
        if runs := [f"{start}-{end}" if start < end else str(end) for start, end in gaps]:
            return f"{_list_runs(runs)} (counted from 0) are in no file"
    return ""


def _check_shared(groups: Iterable[Sequence[StatisticsFile]]) -> None:
    """Check that files, and all files of each system, have the same sources and references."""
    seen: dict[tuple[bytes, str], tuple[int, str]] = {}
    for files in groups:
        names = ", ".join(file.where for file in files)
        numbers = np.sort(np.concatenate([file.numbers for file in files]))
        for column in files[0].digests:
            whole = sum(file.digests.get(column, 0) for file in files) % _DIGESTS
            expected, others = seen.setdefault((numbers.tobytes(), column), (whole, names))
            if whole != expected:
                raise InputError(
                    f"{names}: expected the same {column} as in {others} in "
                    f"{_list_rows(numbers)} (counted from 0), got others"
                )


def _list_rows(numbers: Ints) -> str:
    """List rows as messages do."""
    return _list_runs(tables.runs(numbers.tolist()))


def _list_runs(runs: Sequence[str]) -> str:
    """List runs of rows, three at most."""
    rows = "row" if len(runs) == 1 and runs[0].isdigit() else "rows"
    return f"{rows} {', '.join(runs[:3])}" + (", …" if runs[3:] else "")
