"""Statistics of examples in files, and put together from pieces that were scored anywhere.

A file is parquet: a row per example, with its number and, for each metric and system, a column per
statistic. What they are is in its metadata, under ``textsimp``, as JSON: version, metrics with
options, signatures and names of statistics, systems, and what was read.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.core import significance
from textsimp.core.examples import Examples, Facts
from textsimp.core.significance import RESAMPLES
from textsimp.core.sums import Joining, Sums
from textsimp.support.errors import InputError
from textsimp.support.files import Contents, as_input_error, check_new, unnamed, write_files
from textsimp.support.version import __version__

if TYPE_CHECKING:
    from textsimp.core.metric import Metric
    from textsimp.core.scores import Scores

Floats = NDArray[np.float64]
Found = dict[str, dict[str, Floats]]  # metric → system → (n, k) statistics
Each = Callable[[Examples, int, Found], None]  # told the number of the first example
Gather = Callable[["Mapping[str, Metric]", Examples, int, "Each | None"], dict[str, "Statistics"]]
Make = Callable[[str, str, Mapping[str, Any]], "Metric | None"]  # name, variant and options

KEY = b"textsimp"
MOST_ROWS = 10**18  # numbers of examples are int64
ROW = "row"

_ROWS_AT_ONCE = 2**14
_BYTES_AT_ONCE = 2**25


@dataclass(frozen=True, eq=False)
class Statistics:
    """What scores, intervals and tests of one metric are made of.

    Attributes:
        metric: The metric.
        systems: System → sums of its examples' statistics.
        facts: What scores say of the examples.
    """

    metric: Metric
    systems: Mapping[str, Sums]
    facts: Facts

    def score(
        self,
        system: str | None = None,
        *,
        confidence: float | None = None,
        resamples: int = RESAMPLES,
        seed: int = 0,
    ) -> Scores:
        """Scores as `Metric.score` gives them, of a system, or of the only one.

        Raises:
            InputError: No such system, or none named where there are several; or see
                `textsimp.core.significance.check`.
        """
        significance.check(confidence, resamples, seed)
        if system is None and len(self.systems) == 1:
            (system,) = self.systems
        if not isinstance(system, str) or system not in self.systems:
            raise InputError(
                f"system: expected one of {', '.join(map(repr, self.systems))}, got {system!r}"
            )
        return self.metric.scored(
            *(self.systems[system], self.facts, system),
            confidence=confidence,
            resamples=resamples,
            seed=seed,
        )


def gather(
    metrics: Mapping[str, Metric], examples: Examples, first: int = 0, each: Each | None = None
) -> dict[str, Statistics]:
    """Statistics of examples.

    Args:
        metrics: By names.
        examples: The examples.
        first: The number of the first of them.
        each: Called with every slice of the examples, the number of its first example, and its
            statistics. If a metric takes all texts for one, there is one slice.
    """
    independent = all(metric.independent_rows for metric in metrics.values())
    slices = examples.slices() if each is not None and independent else [examples]
    parts = ((part, measured(metrics, part)) for part in slices)
    return joined(metrics, examples.systems, parts, first, each)


class Part(NamedTuple):
    """What is gathered of a piece.

    Attributes:
        found: Metric → system → statistics.
        facts: Metric → what its scores say of the examples.
    """

    found: Found
    facts: dict[str, Facts]


def measured(metrics: Mapping[str, Metric], piece: Examples) -> Part:
    """The part that a piece contributes, in whatever process."""
    return Part(
        {name: metric.statistics_of(piece) for name, metric in metrics.items()},
        {name: Facts.of(metric.columns, piece) for name, metric in metrics.items()},
    )


def joined(
    metrics: Mapping[str, Metric],
    systems: Collection[str],
    parts: Iterable[tuple[Examples | None, Part]],
    first: int = 0,
    each: Each | None = None,
) -> dict[str, Statistics]:
    """What `gather` returns, of the parts of consecutive pieces, which ``each`` needs too."""
    joining = {name: {system: Joining() for system in systems} for name in metrics}
    facts: dict[str, Facts] = {}
    for piece, part in parts:
        for name, of_systems in part.found.items():
            for system, rows in of_systems.items():
                joining[name][system].add(Sums.of(rows, first))
            of_part = part.facts[name]
            facts[name] = facts[name].joined(of_part) if name in facts else of_part
        if each is not None and piece is not None:
            each(piece, first, part.found)
        first += next(iter(part.facts.values())).examples
    return {
        name: Statistics(metric, {s: j.sums() for s, j in joining[name].items()}, facts[name])
        for name, metric in metrics.items()
    }


def gather_to(
    path: Path,
    metrics: Mapping[str, Metric],
    examples: Examples,
    first: int = 0,
    each: Each | None = None,
    *,
    beside: Mapping[Path, Contents] = MappingProxyType({}),
    overwrite: bool = False,
    gather: Gather = gather,
) -> dict[str, Statistics]:
    """What `gather` returns; the statistics of all examples are written to a file meanwhile.

    Other files may be written ``beside`` it, after it: all or none.

    Raises:
        InputError: The file is there already or can't be written, or see `check`.
    """
    check(metrics, first)
    check_new([path, *beside], overwrite=overwrite)
    with unnamed(path) as file:
        writer = _Writer(path, file)

        def write(piece: Examples, start: int, rows: Found) -> None:
            writer.add(_table(metrics, start, len(piece), rows))
            if each is not None:
                each(piece, start, rows)

        with writer:
            found = gather(metrics, examples, first, write)
            writer.close({KEY: json.dumps(_about(found))})
        file.seek(0)
        copy = functools.partial(shutil.copyfileobj, file)
        write_files({path: copy, **beside}, overwrite=overwrite)
    return found


def check(metrics: Mapping[str, Metric], first: int = 0) -> None:
    """Check that a file can say what metrics are, and which examples it has.

    Args:
        metrics: By names.
        first: The number of the first example.

    Raises:
        InputError: An option is a function, or something else that isn't plain; or these are a
            piece of a corpus, of which a metric takes all texts for one.
    """
    for metric in metrics.values():
        for option, value in metric.changed().items():
            try:
                plain = json.loads(json.dumps(value)) == value
            except (TypeError, ValueError):
                plain = False
            if not plain:
                raise InputError(
                    f"{option}: {metric.name} has a {type(value).__name__} here, which can't be "
                    "written to a file of statistics"
                )
        if first and not metric.independent_rows:
            raise InputError(
                f"{metric.name} takes all texts for one with these options: pieces of a corpus "
                "can't be scored apart"
            )


class _Writer:
    """Writes tables to a parquet file, some 32 MB of them at once: of many groups of rows its index
    would be long.
    """

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file  # where it will be, for messages; and where it is
        self._writer: Any = None
        self._waiting: list[Any] = []

    def __enter__(self) -> None: ...

    def __exit__(self, *_: object) -> None:
        """Let Arrow go before the file: it would close it later, and complain on a terminal."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.close()

    def add(self, table: Any) -> None:
        """Add rows."""
        self._waiting.append(table)
        if sum(waiting.nbytes for waiting in self._waiting) > _BYTES_AT_ONCE:
            self._write()

    def close(self, metadata: Mapping[bytes, str]) -> None:
        """Write what is left."""
        self._write()
        with as_input_error(self._path):
            self._writer.add_key_value_metadata(metadata)
            self._writer.close()

    def _write(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with as_input_error(self._path):
            for table in [pa.concat_tables(self._waiting)] if self._waiting else []:
                if self._writer is None:
                    self._writer = pq.ParquetWriter(self._file, table.schema, compression="zstd")
                rows = max(1, _BYTES_AT_ONCE // (8 * table.num_columns))
                self._writer.write_table(table, row_group_size=rows)
        self._waiting = []


def merge(paths: Sequence[str | Path], make: Make) -> dict[str, Statistics]:
    """Statistics of files, put together; it makes no difference which examples were in which.

    Files may have different examples, or different systems or metrics of the same ones.

    Args:
        paths: The files.
        make: Makes a metric of its name, variant and options; None leaves it out.

    Returns:
        Metric → its statistics.

    Raises:
        InputError: A file that can't be read or is something else; files of different options or
            versions, or with the same example twice; pieces of a metric that takes all texts for
            one; systems of one metric whose examples differ.
            The message names the files.
    """
    if isinstance(paths, (str, Path)):
        raise InputError(f"expected a list of files of statistics, got {str(paths)!r}")
    pieces = [_read(path) for path in paths]
    if not pieces:
        raise InputError("expected files of statistics, got none")
    metrics = _agreed(pieces, make)
    _check_distinct(pieces)
    joining: dict[tuple[str, str], Joining] = {}
    facts: dict[tuple[str, str], Facts] = {}
    for piece in pieces:
        for label in (label for label in metrics if label in piece.about["metrics"]):
            about = piece.about["metrics"][label]
            of_piece = _facts(**about["facts"])
            for system in about["systems"]:
                key = label, system
                if key in joining and not metrics[label].independent_rows:
                    raise InputError(
                        f"{piece.path}: {label} takes all texts for one with these options: its "
                        "pieces can't be put together"
                    )
                joining.setdefault(key, Joining())
                facts[key] = facts[key].joined(of_piece) if key in facts else of_piece
        for numbers, batch in piece.batches():
            for label, system in piece.places:
                if label in metrics:
                    rows = np.stack([batch[i] for i in piece.places[label, system]], axis=1)
                    joining[label, system].add(Sums.numbered(rows, numbers))
    found = {}
    for label, metric in metrics.items():
        sums = {system: j.sums() for (of, system), j in joining.items() if of == label}
        _check_alike(label, sums)
        of_systems = {system: facts[label, system] for system in sums}
        unlabelled = {s: f.unlabelled[s] for s, f in of_systems.items() if s in f.unlabelled}
        first = next(iter(of_systems.values()))
        found[label] = Statistics(metric, sums, replace(first, unlabelled=unlabelled))
    return found


def missing(found: Mapping[str, Statistics]) -> str:
    """What is to be said of examples that no file has, in a line; or nothing."""
    for statistics in found.values():
        ranges = next(iter(statistics.systems.values())).ranges.tolist()
        starts = [0, *(end for _, end in ranges)]
        gaps = [(a, b) for a, (b, _) in zip(starts, ranges, strict=False) if a < b]
        if gaps:
            named = ", ".join(_named(a, b) for a, b in gaps[:3]) + (", …" if gaps[3:] else "")
            return f"{named} (counted from 0) are in no file"
    return ""


@dataclass(frozen=True)
class _Piece:
    """A file of statistics.

    Attributes:
        path: Where it is.
        about: Its metadata.
        places: Metric, system → the places of its columns.
    """

    path: Path
    about: Mapping[str, Any]
    places: Mapping[tuple[str, str], Sequence[int]]

    def batches(self, only_numbers: bool = False) -> Iterator[tuple[NDArray[np.int64], Any]]:
        """Some rows after the other: their numbers, and all columns by their places."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = [ROW] if only_numbers else None
        try:
            with pq.ParquetFile(self.path) as file:
                for batch in file.iter_batches(_ROWS_AT_ONCE, columns=columns):
                    yield batch.column(0).to_numpy(), [c.to_numpy() for c in batch.columns]
        except (pa.ArrowException, OSError) as error:
            raise InputError(
                f"{self.path}: not a whole parquet file: {str(error).splitlines()[0]}"
            ) from None

    def ranges(self) -> NDArray[np.int64]:
        """The examples' numbers, as first and end of each run."""
        found = Joining()
        for numbers, _ in self.batches(only_numbers=True):
            found.add(Sums.numbered(np.empty((len(numbers), 0)), numbers))
        return found.sums().ranges


def _read(path: str | Path) -> _Piece:
    """What a file says of itself."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: no such file")
    try:
        with pq.ParquetFile(path) as file:
            written, names = (file.metadata.metadata or {}).get(KEY), file.schema_arrow.names
            rows = file.metadata.num_rows
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a parquet file: {str(error).splitlines()[0]}") from None
    try:
        about = json.loads(written or "")
        version, metrics = about["version"], about["metrics"].items()
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError(
            f"{path}: expected a file of statistics, as --save-statistics writes it"
        ) from None
    if version != __version__:
        raise InputError(
            f"{path}: statistics of textsimp {version}, which {__version__} can't read: score anew "
            "with one version"
        )
    places, expected = {}, [ROW]
    for label, of_metric in metrics:
        for system in of_metric["systems"]:
            places[label, system] = range(
                len(expected), len(expected) + len(of_metric["statistics"])
            )
            expected += [f"{label}/{system}/{name}" for name in of_metric["statistics"]]
    if names != expected or not rows:
        raise InputError(f"{path}: expected all columns that were written, and rows")
    return _Piece(path, about, places)


def _facts(shared: Sequence[str], references: Sequence[int] | None, **others: Any) -> Facts:
    """From JSON, which has no tuples."""
    counts = None if references is None else (references[0], references[1])
    return Facts(shared=tuple(shared), references=counts, **others)


def _agreed(pieces: Sequence[_Piece], make: Make) -> dict[str, Metric]:
    """The metrics of files, which all mean the same by a name."""
    first: dict[str, _Piece] = {}
    found: dict[str, Metric] = {}
    for piece in pieces:
        for label, about in piece.about["metrics"].items():
            if label not in first:
                first[label] = piece
                metric = make(about["metric"], about["variant"], about["options"])
                if metric is not None:
                    found[label] = metric
                continue
            other = first[label].about["metrics"][label]
            for what in ("variant", "options"):
                if about[what] != other[what]:
                    raise InputError(
                        f"{piece.path}: expected {label} with {what} {other[what]}, as in "
                        f"{first[label].path}, got {about[what]}"
                    )
            if sorted(about["facts"]["shared"]) != sorted(other["facts"]["shared"]):
                raise InputError(
                    f"{piece.path}: expected {label} of {', '.join(other['facts']['shared'])}, as "
                    f"in {first[label].path}, got {', '.join(about['facts']['shared']) or 'none'}"
                )
    return found


def _check_distinct(pieces: Sequence[_Piece]) -> None:
    """Check that no two files have the same example of a system."""
    seen: set[Path] = set()
    for piece in pieces:
        if piece.path.resolve() in seen:
            raise InputError(f"{piece.path}: expected each file once, got it twice")
        seen.add(piece.path.resolve())
    ends: dict[tuple[str, str], list[tuple[int, int, Path]]] = {}
    for piece in pieces:
        try:
            ranges = piece.ranges().tolist()
        except InputError as error:
            raise InputError(f"{piece.path}: {error}") from None
        for key in piece.places:
            ends.setdefault(key, []).extend((a, b, piece.path) for a, b in ranges)
    for (label, system), runs in ends.items():
        runs.sort(key=lambda run: run[:2])
        for (_, end, path), (start, other_end, other) in itertools.pairwise(runs):
            if start < end:
                raise InputError(
                    f"{path} and {other} both have {_named(start, min(end, other_end))} (counted "
                    f"from 0) of {label}, {system}: each piece of a corpus needs the number of its "
                    "first row, --first-row on the command line"
                )


def _check_alike(label: str, systems: Mapping[str, Sums]) -> None:
    """Check that all systems have the same examples."""
    (first, sums), *others = systems.items()
    for system, of_other in others:
        if not np.array_equal(sums.ranges, of_other.ranges):
            raise InputError(
                f"expected the same rows of all systems, but {label} has {_runs(sums)} of {first} "
                f"and {_runs(of_other)} of {system}"
            )


def _runs(sums: Sums) -> str:
    named = [_named(a, b) for a, b in sums.ranges.tolist()]
    return ", ".join(named[:3]) + (", …" if named[3:] else "")


def _named(first: int, end: int) -> str:
    return f"row {first:,}" if end == first + 1 else f"rows {first:,} to {end - 1:,}"


def _table(metrics: Mapping[str, Metric], first: int, n: int, found: Found) -> Any:
    """A piece as the file has it."""
    import pyarrow as pa

    names, columns = [ROW], [np.arange(first, first + n)]
    for label, systems in found.items():
        for system, rows in systems.items():
            titles = metrics[label].statistic_names(rows.shape[1])
            names += [f"{label}/{system}/{title}" for title in titles]
            columns += list(np.ascontiguousarray(rows.T))
    return pa.Table.from_arrays([pa.array(column) for column in columns], names=names)


def _about(found: Mapping[str, Statistics]) -> dict[str, Any]:
    """What the file says of itself."""
    return {
        "version": __version__,
        "metrics": {
            label: {
                "metric": of_metric.metric.name,
                "variant": of_metric.metric.variant,
                "options": of_metric.metric.changed(),
                "signature": of_metric.metric.signature(of_metric.facts.references),
                "statistics": of_metric.metric.statistic_names(
                    len(next(iter(of_metric.systems.values())).total)
                ),
                "systems": list(of_metric.systems),
                "facts": asdict(of_metric.facts),
            }
            for label, of_metric in found.items()
        },
    }
