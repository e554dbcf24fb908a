"""Statistics of examples in files, and the statistics of pieces that were scored apart, merged.

A file is parquet: a row per example, with its number and, for each metric and system, a column per
statistic. Its metadata has under ``textsimp``, as JSON, what `contents` puts there.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    for rows in chain.from_iterable(one.systems.values() for one in measured.values()):
        columns += map(np.ascontiguousarray, rows.T)
    table = pa.table(columns, _titles(about), metadata={_KEY: json.dumps(about)})
    return lambda file: pq.write_table(table, file, compression="zstd")


def _describe(measured: Mapping[str, Statistics], digests: Mapping[str, int]) -> dict[str, Any]:
    """Return the metadata of a file."""
    metrics = {
        label: {
            "metric": str(one.metric),
            "signature": one.metric.signature(one.references),
            "statistics": one.metric.statistic_names(next(iter(one.systems.values())).shape[1]),
            "systems": [*one.systems],
            "facts": {
                "examples": one.examples,
                "shared": one.shared,
                "references": one.references,
            },
        }
        for label, one in measured.items()
    }
    runs = next(iter(measured.values())).runs
    return {"version": __version__, "metrics": metrics, "runs": runs, "digests": digests}


def _titles(about: Mapping[str, Any]) -> list[str]:
    """Return the names of the columns of a file with this metadata."""
    return [_ROW] + [
        f"{label}/{system}/{name}"
        for label, one in about["metrics"].items()
        for system in one["systems"]
        for name in one["statistics"]
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
    for label, one in about["metrics"].items():
        try:
            metric = make(one["metric"])
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        counts = one["facts"]["references"]
        references = (min(counts), max(counts)) if counts else None
        signature = metric.signature(references)
        if one["signature"] != signature:
            raise InputError(
                f"{path}: expected {label} with the signature {signature}, as it is here, got "
                f"{one['signature']}: score all pieces and merge them with the same versions"
            )
        systems = {
            system: np.column_stack([next(columns).to_numpy() for _ in one["statistics"]])
            for system in one["systems"]
        }
        runs = {
            name: own
            for name, own in group(systems, about["runs"]).items()
            if len(own) > 1 and {*own} <= {*systems}
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
    part = read(path, make)
    found = {str(one.metric): one for one in part.measured.values()}
    measured: dict[str, Statistics] = {}
    for label, metric in metrics.items():
        if str(metric) not in found:
            expected = f"expected statistics of {metric}, got those of {', '.join(found)}"
            raise InputError(f"{path}: {expected}; -m names the metrics")
        one = found[str(metric)]
        several = len(one.groups) > 1
        if name and several:
            raise InputError(
                f"{path}: expected one system to call {name!r}, got {listed(one.groups)}"
            )
        names = {} if several else dict.fromkeys(one.groups, name or Path(path).stem)
        measured[label] = one.rename(names)
    return replace(part, measured=measured)


def merge(paths: Iterable[str | Path], make: Make) -> dict[str, Statistics]:
    """Merge files of statistics of the same options, versions, sources and references."""
    if isinstance(paths, (str, bytes, Path)) or not isinstance(paths, Iterable):
        raise InputError(f"expected a list of files of statistics, got {shown(paths)}")
    parts = [read(str(path), make) for path in paths]
    if not parts:
        raise InputError("expected files of statistics, got none")
    return join(parts)


def join(parts: Sequence[StatisticsFile]) -> dict[str, Statistics]:
    """Put the examples of each system below each other, and systems beside each other."""
    groups = [[part] for part in parts]
    joined = {}
    for label in dict.fromkeys(chain.from_iterable(part.measured for part in parts)):
        having = [part for part in parts if label in part.measured]
        _check_alike(label, having)
        systems: dict[str, Floats] = {}
        rows: dict[str, Ints] = {}
        runs: dict[str, Sequence[str]] = {}
        names = chain.from_iterable(part.measured[label].systems for part in having)
        for system in dict.fromkeys(names):
            own = [part for part in having if system in part.measured[label].systems]
            pieces = [part.measured[label] for part in own]
            rows[system], order = _order(f"{label}, {system}", own, pieces[0].metric)
            every = [one.systems[system] for one in pieces]
            systems[system] = np.concatenate(every)[order] if len(every) > 1 else every[0]
            counts = [n for one in pieces for n in one.references or ()]
            groups.append(own)
        for part in having:
            for name, own_runs in part.measured[label].runs.items():
                if name in systems or runs.setdefault(name, own_runs) != own_runs:
                    raise InputError(
                        f"{part.where}: {name!r} has {len(own_runs)} runs: expected the same runs "
                        "of it in all files, or another name"
                    )
        first = next(iter(rows))
        for system, numbers in rows.items():
            if not np.array_equal(rows[first], numbers):
                raise InputError(
                    f"expected the same rows of all systems, but {label} has "
                    f"{_list_rows(rows[first])} of {first} and {_list_rows(numbers)} of {system}"
                )
        references = (min(counts), max(counts)) if counts else None
        metric, shared = pieces[0].metric, pieces[0].shared
        joined[label] = Statistics(metric, systems, rows[first], shared, references, runs)
    _check_shared(groups)
    return joined


def _check_alike(label: str, parts: Sequence[StatisticsFile]) -> None:
    """Check that a metric has the same options and columns in all files."""
    found = {}
    for part in parts:
        one = part.measured[label]
        found[part.where] = f"{one.metric} of {', '.join(sorted(one.shared))}"
    (first, expected), *others = found.items()
    for where, what in others:
        if what != expected:
            raise InputError(f"{where}: expected {expected}, as in {first}, got {what}")


def _order(what: str, parts: Sequence[StatisticsFile], metric: Metric) -> tuple[Ints, Ints]:
    """Return the numbers of a system's examples in all files, and what sorts its rows."""
    where = ", ".join(part.where for part in parts)
    if len(parts) > 1 and not metric.independent_rows:
        raise InputError(
            f"{where}: {metric.name} takes all texts for one with these options: its pieces can't "
            "be put together"
        )
    numbers = np.concatenate([part.numbers for part in parts])
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
    for parts in groups:
        names = ", ".join(part.where for part in parts)
        numbers = np.sort(np.concatenate([part.numbers for part in parts]))
        for column in parts[0].digests:
            whole = sum(part.digests.get(column, 0) for part in parts) % _DIGESTS
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
