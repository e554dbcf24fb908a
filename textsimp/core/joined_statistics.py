"""Statistics of pieces of a corpus, put together."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core import draws
from textsimp.core.block_sums import Blocks, Extent, add
from textsimp.core.draws import Floats, Ints
from textsimp.core.metric import Statistics
from textsimp.core.statistics_files import (
    DIGESTS,
    MOST_ROWS,
    Make,
    StatisticsFile,
    open_file,
    read,
)
from textsimp.support.errors import InputError, check_integer, shown

VALUES = "statistics"
"""The column of a table whose values are contents of files of statistics."""


def merge(pieces: Iterable[Any], make: Make) -> dict[str, Statistics]:
    """Merge pieces of the same options, versions, sources and references, see `textsimp.merge`."""
    is_table = isinstance(pieces, Mapping) or hasattr(pieces, "columns")
    if isinstance(pieces, (str, bytes, Path)) or not isinstance(pieces, Iterable) or is_table:
        raise InputError(f"expected a list of files of statistics, got {shown(pieces)}")
    batches = Batches()
    for piece in _read(pieces, make):
        batches.add(piece)
        del piece  # before the next one is read
    files = batches.files()
    if not files:
        raise InputError("expected files of statistics, got none")
    merged = join(files)
    check_corpus(merged)
    return merged


def check_corpus(merged: Mapping[str, Statistics]) -> None:
    """Check that no system lacks all numbers or labels."""
    for statistics in merged.values():
        for system, rows in statistics.systems.items():
            statistics.metric.check_rows(rows, system)


def _read(pieces: Iterable[Any], make: Make) -> Iterator[StatisticsFile]:
    """Read files of statistics, values of a column of `VALUES`, and files of such columns."""
    for i, value in enumerate(pieces):
        piece = value.as_py() if hasattr(value, "as_py") else value  # of Arrow
        if not isinstance(piece, (str, os.PathLike)):
            yield _read_contents(f"statistics {i}", make, piece)
            continue
        with open_file(str(piece)) as (file, about):
            if about is not None or VALUES not in file.schema_arrow.names:
                yield read(str(piece), make)
                continue
            for batch in file.iter_batches(batch_size=16, columns=[VALUES]):
                for contents in batch[VALUES].to_pylist():
                    yield _read_contents(f"a row of {piece}", make, contents)


def _read_contents(where: str, make: Make, contents: Any) -> StatisticsFile:
    if not isinstance(contents, (bytes, bytearray, memoryview)):
        raise InputError(f"{where}: expected the bytes of a file, got {shown(contents)}")
    return read(where, make, contents)


class Batches:
    """Statistics of batches of a corpus, added up as they come.

    Above `draws.MANY` examples they are summed in blocks, so that memory doesn't grow.
    """

    def __init__(self) -> None:
        self._files: dict[Any, list[StatisticsFile]] = {}  # of the same metrics and systems
        self._rows = Counter[Any]()  # of these that are not summed yet

    def add(self, batch: StatisticsFile) -> None:
        """Add the statistics of a batch."""
        layout = tuple(
            (label, str(x.metric), x.shared, *x.systems, *x.runs)
            for label, x in batch.measured.items()
        )
        files = self._files.setdefault(layout, [])
        files.append(batch)
        self._rows[layout] += len(batch.first.numbers)
        if batch.first.blocks is not None or self._rows[layout] > draws.MANY:
            self._files[layout] = _add_up(files)
            self._rows[layout] = 0

    def files(self) -> list[StatisticsFile]:
        """Return the sums, one of each set of metrics and systems, or few examples as they are."""
        return [*chain.from_iterable(map(_add_up, self._files.values()))]


def _add_up(files: list[StatisticsFile]) -> list[StatisticsFile]:
    """Return the sums in blocks of files of the same metrics and systems, unless rows are few."""
    first, *others = files
    many = sum(file.first.examples for file in files) > draws.MANY
    in_blocks = many or any(file.first.blocks is not None for file in files)
    if not in_blocks or not all(x.metric.independent_rows for x in first.measured.values()):
        return files
    rows, blocks = add(_with_blocks(file, [*_columns(file)]) for file in files)
    ends = np.cumsum([part.shape[1] for part in _columns(first)])
    parts = iter(np.split(rows, ends[:-1], axis=1))
    measured = {
        label: replace(
            x,
            systems={system: next(parts) for system in x.systems},
            numbers=np.empty(0, np.int64),
            references=_count_references(label, files),
            blocks=blocks,
        )
        for label, x in first.measured.items()
    }
    where = first.where if not others else first.where.removesuffix(", …") + ", …"
    return [StatisticsFile(where, measured, add_digests(files))]


def _with_blocks(file: StatisticsFile, columns: Sequence[Floats]) -> tuple[Floats, Blocks]:
    """Return some (n, k) statistics beside each other, and what their rows are sums of."""
    rows = columns[0] if len(columns) == 1 else np.hstack(columns)
    return rows, file.first.blocks or Blocks.of(file.first.numbers)


def _columns(file: StatisticsFile) -> Iterator[Floats]:
    """Iterate over the (n, k) statistics of each metric and system."""
    return chain.from_iterable(x.systems.values() for x in file.measured.values())


def add_digests(files: Sequence[StatisticsFile]) -> dict[str, int]:
    """Return column → its digest in all files."""
    columns = files[0].digests
    return {name: sum(file.digests.get(name, 0) for file in files) % DIGESTS for name in columns}


def _count_references(label: str, files: Iterable[StatisticsFile]) -> tuple[int, int] | None:
    """Return the fewest and the most references of all examples, if there are any."""
    counts = [n for file in files for n in file.measured[label].references or ()]
    return (min(counts), max(counts)) if counts else None


def join(files: Sequence[StatisticsFile]) -> dict[str, Statistics]:
    """Put the examples of each system below each other, and systems beside each other."""
    groups = [[file] for file in files]
    joined = {}
    for label in dict.fromkeys(chain.from_iterable(file.measured for file in files)):
        having = [file for file in files if label in file.measured]
        _check_alike(label, having)
        names = dict.fromkeys(chain.from_iterable(f.measured[label].systems for f in having))
        of_systems = {
            system: [file for file in having if system in file.measured[label].systems]
            for system in names
        }
        for system, group in of_systems.items():
            _check_pieces(label, system, group)
        _check_same_rows(label, of_systems)
        groups += of_systems.values()
        in_blocks = any(file.first.blocks is not None for file in having)
        put_together = _sum if in_blocks else _order
        systems, numbers, blocks = put_together(label, of_systems)
        joined[label] = replace(
            having[0].measured[label],
            systems=systems,
            numbers=numbers,
            blocks=blocks,
            references=_count_references(label, having),
            runs=_join_runs(label, having, systems),
        )
    _check_shared(groups)
    return joined


Groups = Mapping[str, Sequence[StatisticsFile]]  # system → the files that have it
Joined = tuple[dict[str, Floats], Ints, Blocks | None]


def _order(label: str, of_systems: Groups) -> Joined:
    """Return the rows of each system, and their numbers, which ascend."""
    systems = {}
    for system, files in of_systems.items():
        numbers = np.concatenate([file.first.numbers for file in files])
        order = np.argsort(numbers, kind="stable")
        rows = [file.measured[label].systems[system] for file in files]
        systems[system] = np.concatenate(rows)[order] if len(rows) > 1 else rows[0]
    return systems, numbers[order], None


def _sum(label: str, of_systems: Groups) -> Joined:
    """Return the sums of blocks of each system, and what they are sums of."""
    systems: dict[str, Floats] = {}
    alike = [(files, [*some]) for files, some in groupby(of_systems, of_systems.__getitem__)]
    for files, names in alike:
        sums, blocks = add(
            _with_blocks(file, [file.measured[label].systems[name] for name in names])
            for file in files
        )
        if len(alike) > 1 and np.isnan(sums).any():
            raise InputError(
                f"{files[0].where}: {label} lacks numbers in some rows: map all systems at once, "
                "since they are compared on the rows that both have"
            )
        systems |= zip(names, np.split(sums, len(names), axis=1), strict=True)
    return {system: systems[system] for system in of_systems}, np.empty(0, np.int64), blocks


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
    expected = ""
    for file in files:
        statistics = file.measured[label]
        content = f"{statistics.metric} of {', '.join(sorted(statistics.shared))}"
        expected = expected or content
        if content != expected:
            as_in = f"expected {expected}, as in {files[0].where}"
            raise InputError(f"{file.where}: {as_in}, got {content}")


def _check_pieces(label: str, system: str, files: Sequence[StatisticsFile]) -> None:
    """Check that a system's pieces can be put together, and that no row is there twice."""
    metric = files[0].measured[label].metric
    if len(files) > 1 and not metric.independent_rows:
        raise InputError(
            f"{_list_places(files)}: {metric.name} takes all texts for one with these options: "
            "its pieces can't be put together"
        )
    extent = _extent(files)
    exact = extent.exact()
    twice = exact.twice() if exact else []
    rows = _list_ranges(twice) if twice else ""
    if exact is None and extent.examples >= extent.span:
        least = max(1, extent.examples - extent.span)
        rows = f"{least:,} or more of {_list_ranges([(extent.first, extent.last)])}"
    if rows:
        having = [file for file in files if _has_some(file, twice)] or files
        raise InputError(
            f"{_list_places(having)}: {rows} (counted from 0) of {label}, {system} are there "
            "twice: number rows in the whole corpus (of files by --first-row), or give each "
            "system a name of its own (-p NAME=FILE)"
        )


def _has_some(file: StatisticsFile, ranges: Iterable[tuple[int, int]]) -> bool:
    """Whether a file may have examples in some ranges."""
    firsts, lasts = file.first.extent.ranges.T
    return any(((firsts <= last) & (first <= lasts)).any() for first, last in ranges)


def _list_places(files: Iterable[StatisticsFile]) -> str:
    """List files as messages do, three at most."""
    places = [*dict.fromkeys(file.where for file in files)]
    return ", ".join(places[:3]) + (", …" if places[3:] else "")


def _extent(files: Iterable[StatisticsFile]) -> Extent:
    return Extent.join(file.first.extent for file in files)


def _check_same_rows(label: str, of_systems: Groups) -> None:
    """Check that all systems have the same rows."""
    (name, expected), *others = ((name, _extent(files)) for name, files in of_systems.items())
    for system, extent in others:
        if extent.key != expected.key:
            raise InputError(
                f"expected the same rows of all systems, but {label} has "
                f"{_list_ranges(expected.ranges)} of {name} and {_list_ranges(extent.ranges)} "
                f"of {system}"
            )


def missing(merged: Mapping[str, Statistics], rows: int | None = None) -> str:
    """A line on the examples that no file has, of a corpus of ``rows``, or nothing."""
    for statistics in merged.values():
        extent = statistics.extent
        end = extent.last + 1
        if rows is not None:
            end = check_integer("rows", rows, end, MOST_ROWS)
        exact = extent.exact()
        if exact is None:
            return (
                f"no file has {end - extent.examples:,} of {_list_ranges([(0, end - 1)])} (counted "
                "from 0), or more if others are there twice"
            )
        if gaps := exact.missing(end):
            return f"no file has {_list_ranges(gaps)} (counted from 0)"
    return ""


def _check_shared(groups: Iterable[Sequence[StatisticsFile]]) -> None:
    """Check that files, and all files of each system, have the same sources and references."""
    seen: dict[tuple[Any, str], tuple[int, str]] = {}
    for files in groups:
        names, extent = _list_places(files), _extent(files)
        for column, whole in add_digests(files).items():
            expected, others = seen.setdefault((extent.key, column), (whole, names))
            if whole != expected:
                raise InputError(
                    f"{names}: expected the same {column} as in {others} in "
                    f"{_list_ranges(extent.ranges)} (counted from 0), got others"
                )


def _list_ranges(ranges: Iterable[Any]) -> str:
    """List ranges of rows as messages do, three at most."""
    runs = [f"{first}-{last}" if first < last else str(first) for first, last in ranges]
    rows = "row" if len(runs) == 1 and runs[0].isdigit() else "rows"
    return f"{rows} {', '.join(runs[:3])}" + (", …" if runs[3:] else "")
