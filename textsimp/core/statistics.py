"""Statistics of examples in files, and the statistics of pieces that were scored apart, merged.

A file is parquet: a row per example, with its number and, for each metric and system, a column per
statistic. Its metadata has under ``textsimp``, as JSON, what `contents` puts there.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from textsimp.core import tables
from textsimp.core.columns import texts as check_texts
from textsimp.core.draws import Floats, Ints
from textsimp.core.examples import UNNAMED_SYSTEM, CorpusInfo, Examples, warn
from textsimp.core.metric import Metric, Progress
from textsimp.core.pieces import KEY, ROW, Piece, open_parquet
from textsimp.core.sample import Sample
from textsimp.support.errors import InputError, check_integer, check_switch, shown
from textsimp.support.files import Contents, check_new, write_files
from textsimp.support.version import __version__

Make = Callable[[str], Metric]  # of the metric's notation
Shared = Mapping[str, Sequence[Any]]  # column → rows

MOST_ROWS = 10**18  # numbers of examples are int64

_BYTES_AT_ONCE = 2**25
_DIGESTS = 2**64


@dataclass(frozen=True, eq=False)
class Statistics:
    """The statistics of one metric, from which scores, intervals and tests are computed."""

    metric: Metric
    systems: Mapping[str, Floats]  # system → (n, k) rows, one per example
    facts: CorpusInfo
    numbers: Ints  # (n,) the examples' numbers in the corpus, ascending
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)  # name → its runs in systems

    def __post_init__(self) -> None:
        object.__setattr__(self, "metric", self.metric.with_main(self.facts.shared))

    @property
    def groups(self) -> dict[str, Sequence[str]]:
        """System → its runs, mostly itself alone."""
        return group(self.systems, self.runs)

    @property
    def rows(self) -> dict[str, list[Floats]]:
        """System → the statistics of each of its runs."""
        return {name: [self.systems[run] for run in runs] for name, runs in self.groups.items()}

    def rename(self, names: Mapping[str, str]) -> Statistics:
        """Return the statistics with other names of systems; their runs follow."""
        runs: dict[str, Sequence[str]] = {}
        new: dict[str, str] = {}  # names of rows
        for name, own in self.groups.items():
            target = names.get(name, name)
            if name in self.runs:
                runs[target] = run_names(target, len(own))
            new |= zip(own, runs.get(target, [target]), strict=True)
        systems = {new[name]: rows for name, rows in self.systems.items()}
        unlabelled = {new[name]: columns for name, columns in self.facts.unlabelled.items()}
        facts = replace(self.facts, unlabelled=unlabelled)
        return replace(self, systems=systems, facts=facts, runs=runs)

    @property
    def samples(self) -> dict[str, Sample]:
        """System → its sample."""
        return {system: self.metric.sample(*runs) for system, runs in self.rows.items()}


def group(systems: Iterable[str], runs: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Return system → its runs, where ``runs`` has those of systems with several."""
    of_run = {run: name for name, own in runs.items() for run in own}
    names = dict.fromkeys(of_run.get(system, system) for system in systems)
    return {name: runs.get(name, [name]) for name in names}


def run_names(name: str, number: int) -> list[str]:
    """Return the names of the runs of a system.

    >>> run_names("ours", 2)
    ['ours (run 1)', 'ours (run 2)']
    """
    return [f"{name} (run {i})" for i in range(1, number + 1)]


def measure(
    metrics: Mapping[str, Metric],
    examples: Examples,
    first: int = 0,
    progress: Progress | None = None,
) -> dict[str, Statistics]:
    """Compute statistics of examples, of which the first has the number ``first``."""
    numbers = np.arange(first, first + len(examples))
    measured = {}
    for name, metric in metrics.items():
        rows = metric.compute_statistics(examples, progress)
        facts = CorpusInfo.of(metric.columns, examples)
        measured[name] = Statistics(metric, rows, facts, numbers)
    return measured


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
        >>> textsimp.merge([path])["bleu"].facts.examples
        1
    """
    first_row = check_integer("first_row", first_row, 0, MOST_ROWS)
    check_switch("overwrite", overwrite)
    if not isinstance(system, str) or not system.strip():
        raise InputError(f"system: expected a name, got {system!r}")
    check_texts([system], "system")  # files can't have all that strings can
    metrics = {metric.name: metric}
    check(metrics, first_row)
    check_new([Path(path)], overwrite=overwrite)
    examples = metric.check(**columns)
    warn([metric], examples)
    examples = Examples(examples.shared, {system: examples.systems[UNNAMED_SYSTEM]})
    measured = measure(metrics, examples, first_row)
    write_files({Path(path): contents(measured, examples.shared)}, overwrite=overwrite)


def contents(measured: Mapping[str, Statistics], shared: Shared) -> Contents:
    """Return the contents of a file of statistics, see the module."""
    return lambda file: _write(file, measured, shared)


def _write(file: BinaryIO, measured: Mapping[str, Statistics], shared: Shared) -> None:
    """Write 32 MB at once: an index of many small groups would be long."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    titles, columns = [], []
    runs = next(iter(measured.values())).runs
    about: dict[str, Any] = {"version": __version__, "metrics": {}, "runs": runs}
    for label, one in measured.items():
        width = next(iter(one.systems.values())).shape[1]
        names = one.metric.statistic_names(width)
        about["metrics"][label] = {
            "metric": str(one.metric),
            "signature": one.metric.signature(one.facts.references),
            "statistics": names,
            "systems": [*one.systems],
            "facts": asdict(one.facts),
        }
        for system in one.systems:
            titles += [f"{label}/{system}/{name}" for name in names]
            columns += [*one.systems[system].T]
    numbers = next(iter(measured.values())).numbers
    first = int(numbers[0])
    about["digests"] = digests(shared, first)
    fields = [(ROW, pa.int64()), *((title, pa.float64()) for title in titles)]
    schema = pa.schema(fields, {KEY: json.dumps(about)})
    step = max(1, _BYTES_AT_ONCE // (8 * len(fields)))
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for start in range(0, len(numbers), step):
            part = slice(start, start + step)
            some = [np.ascontiguousarray(column[part]) for column in (numbers, *columns)]
            writer.write_table(pa.Table.from_arrays(some, schema=schema))


def digests(shared: Shared, first: int) -> dict[str, int]:
    """Return column → its digest, where the first row has the number ``first``."""
    return {name: digest(rows, first) for name, rows in shared.items()}


def digest(rows: Sequence[Any], first: int) -> int:
    """A digest of a column. Those of pieces add up, modulo 2**64, to that of the whole."""
    whole = 0
    for number, row in enumerate(rows, first):
        text = row if isinstance(row, str) else json.dumps(row)
        hashed = hashlib.blake2b(f"{number} {text}".encode(), digest_size=8).digest()
        whole += int.from_bytes(hashed, "big")
    return whole % _DIGESTS


def merge(paths: Iterable[str | Path], make: Make) -> dict[str, Statistics]:
    """Merge files of statistics of the same options, versions, sources and references."""
    if isinstance(paths, (str, bytes, Path)) or not isinstance(paths, Iterable):
        raise InputError(f"expected a list of files of statistics, got {shown(paths)}")
    pieces = [Piece.of(path) for path in paths]
    if not pieces:
        raise InputError("expected files of statistics, got none")
    for name, times in Counter(str(Path(piece.name).resolve()) for piece in pieces).items():
        if times > 1:
            raise InputError(f"{name}: expected each file once, got it twice")
    metrics = _make_metrics(pieces, make)
    pieces_of: dict[tuple[str, str], list[Piece]] = {}  # by metric and system
    for piece in pieces:
        for label, one in piece.metrics.items():
            for system in one["systems"]:
                pieces_of.setdefault((label, system), []).append(piece)
    _check_distinct(pieces_of)
    _check_shared([*([piece] for piece in pieces), *pieces_of.values()])
    return {
        label: _merge(
            label, metric, {system: own for (of, system), own in pieces_of.items() if of == label}
        )
        for label, metric in metrics.items()
    }


def _merge(label: str, metric: Metric, pieces_of: Mapping[str, Sequence[Piece]]) -> Statistics:
    """Merge a metric's rows of each system."""
    systems: dict[str, Floats] = {}
    numbers: dict[str, Ints] = {}
    facts: dict[str, CorpusInfo] = {}
    for system, pieces in pieces_of.items():
        if len(pieces) > 1 and not metric.independent_rows:
            raise InputError(
                f"{pieces[1].name}: {label} takes all texts for one with these options: its pieces "
                "can't be put together"
            )
        titles = [f"{label}/{system}/{name}" for name in pieces[0].metrics[label]["statistics"]]
        together = np.concatenate([piece.numbers for piece in pieces])
        order = np.argsort(together, kind="stable")
        numbers[system] = together[order]
        systems[system] = np.concatenate([piece.read(titles) for piece in pieces])[order]
        facts[system] = functools.reduce(CorpusInfo.join, (one.facts(label) for one in pieces))
    first = next(iter(systems))
    for system, own in numbers.items():
        if not np.array_equal(numbers[first], own):
            raise InputError(
                f"expected the same rows of all systems, but {label} has "
                f"{_list_rows(numbers[first])} of {first} and {_list_rows(own)} of {system}"
            )
    unlabelled = {s: f.unlabelled[s] for s, f in facts.items() if s in f.unlabelled}
    runs: dict[str, Sequence[str]] = {}
    for piece in chain.from_iterable(pieces_of.values()):
        runs |= piece.runs
    return Statistics(
        metric, systems, replace(facts[first], unlabelled=unlabelled), numbers[first], runs
    )


@dataclass(frozen=True)
class Part:
    """The statistics of some systems, to be joined with those of others of the same examples."""

    where: str  # in messages
    measured: Mapping[str, Statistics]  # metric → its statistics
    digests: Mapping[str, int]


def is_file(path: str) -> bool:
    """Whether a file has statistics, not texts."""
    if Path(path).suffix != ".parquet" or not Path(path).is_file():
        return False
    with open_parquet(path) as file:
        return KEY in (file.metadata.metadata or {})


def load(path: str, name: str, metrics: Mapping[str, Metric], make: Make) -> Part:
    """Read the statistics of some metrics from a file; its only system gets a name."""
    found = {str(one.metric): one for one in merge([path], make).values()}
    measured: dict[str, Statistics] = {}
    for label, metric in metrics.items():
        if str(metric) not in found:
            expected = f"expected statistics of {metric}, got those of {', '.join(found)}"
            raise InputError(f"{path}: {expected}; -m names the metrics")
        one = found[str(metric)]
        names = dict.fromkeys(one.groups, name) if len(one.groups) == 1 else {}
        measured[label] = one.rename(names)
    return Part(path, measured, Piece.of(path).digests)


def join(parts: Sequence[Part]) -> dict[str, Statistics]:
    """Put systems beside each other, which have the same sources, references and rows."""
    joined, first = dict(parts[0].measured), parts[0]
    for part in parts[1:]:
        for column in first.digests.keys() & part.digests.keys():
            if first.digests[column] != part.digests[column]:
                raise InputError(f"{part.where}: expected the same {column} as in {first.where}")
        for label, one in part.measured.items():
            known = joined[label]
            if not np.array_equal(known.numbers, one.numbers):
                raise InputError(
                    f"{part.where}: expected {_list_rows(known.numbers)}, as in {first.where}, "
                    f"got {_list_rows(one.numbers)}"
                )
            for name in one.groups:
                if name in known.groups:
                    raise InputError(
                        f"two systems are called {name!r}: name them, as in -p NAME=FILE"
                    )
            unlabelled = {**known.facts.unlabelled, **one.facts.unlabelled}
            joined[label] = replace(
                known,
                systems={**known.systems, **one.systems},
                facts=replace(known.facts, unlabelled=unlabelled),
                runs={**known.runs, **one.runs},
            )
    return joined


def missing(merged: Mapping[str, Statistics]) -> str:
    """A line on the examples that no file has, or nothing."""
    for statistics in merged.values():
        numbers = statistics.numbers
        gaps = np.setdiff1d(np.arange(numbers[-1]), numbers)
        if len(gaps):
            return f"{_list_rows(gaps)} (counted from 0) are in no file"
    return ""


def _make_metrics(pieces: Sequence[Piece], make: Make) -> dict[str, Metric]:
    """The metrics of files, which mean the same by a name."""
    firsts: dict[str, Piece] = {}
    metrics: dict[str, Metric] = {}
    for piece in pieces:
        for label, one in piece.metrics.items():
            first = firsts.setdefault(label, piece)
            other = first.metrics[label]
            columns = [", ".join(sorted(of["facts"]["shared"])) or "none" for of in (one, other)]
            for what, value, expected in (
                ("with metric", one["metric"], other["metric"]),
                ("with statistics", one["statistics"], other["statistics"]),
                ("of the columns", *columns),
            ):
                if value != expected:
                    raise InputError(
                        f"{piece.name}: expected {label} {what} {expected}, as in {first.name}, "
                        f"got {value}"
                    )
            if first is piece:
                try:
                    metrics[label] = make(one["metric"])
                except InputError as error:
                    raise InputError(f"{piece.name}: {error}") from None
            _check_metric(piece, label, metrics[label])
    return metrics


def _check_metric(piece: Piece, label: str, metric: Metric) -> None:
    """Check that a piece is of a metric as it is here, with the same versions of libraries."""
    one, facts = piece.metrics[label], piece.facts(label)
    signature = metric.signature(facts.references)
    if one["signature"] != signature:
        raise InputError(
            f"{piece.name}: expected {label} with the signature {signature}, as it is here, got "
            f"{one['signature']}: score all pieces and merge them with the same versions"
        )
    names = metric.statistic_names(len(one["statistics"]))
    if one["statistics"] != names:
        raise InputError(f"{piece.name}: expected the statistics of {label}, {', '.join(names)}")


def _check_distinct(pieces_of: Mapping[tuple[str, str], Sequence[Piece]]) -> None:
    """Check that no two files have the same example of a system."""
    for (label, system), pieces in pieces_of.items():
        for one, other in combinations(pieces, 2):
            both = np.intersect1d(one.numbers, other.numbers)
            if len(both):
                raise InputError(
                    f"{one.name} and {other.name} both have {_list_rows(both)} (counted from 0) of "
                    f"{label}, {system}: each piece of a corpus needs the number of its first "
                    "row, --first-row on the command line"
                )


def _check_shared(groups: Iterable[Sequence[Piece]]) -> None:
    """Check that files, and all files of each system, have the same sources and references."""
    seen: dict[tuple[bytes, str], tuple[int, str]] = {}
    for group in groups:
        names = ", ".join(piece.name for piece in group)
        numbers = np.sort(np.concatenate([piece.numbers for piece in group]))
        for column in group[0].digests:
            whole = sum(piece.digests.get(column, 0) for piece in group) % _DIGESTS
            expected, others = seen.setdefault((numbers.tobytes(), column), (whole, names))
            if whole != expected:
                raise InputError(
                    f"{names}: expected the same {column} as in {others} in "
                    f"{_list_rows(numbers)} (counted from 0), got others"
                )


def _list_rows(numbers: Ints) -> str:
    """List rows as messages do, three runs at most."""
    runs = tables.runs(numbers.tolist())
    rows = "row" if len(numbers) == 1 else "rows"
    return f"{rows} {', '.join(runs[:3])}" + (", …" if runs[3:] else "")
