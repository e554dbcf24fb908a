"""What visitors type, paste and upload, as columns of texts."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textsimp import columns
from textsimp.columns import InputError
from textsimp.corpora.files import DELIMITED, JSONL, Column, check_lengths, read_lines, read_table
from textsimp.declarations import Column as Declared
from textsimp.demo.limits import REFERENCES, Limits

TABLES = (*JSONL, *DELIMITED)  # a small parquet file may hold any amount of text

_REFERENCE = re.compile(r"references?[ _]?\d*")
_USUAL = {"sources": ("source", "sources"), "predictions": ("prediction", "predictions")}


@dataclass(frozen=True)
class Data:
    """Columns of equal length: sources and references where they were given, and systems."""

    sources: list[str] | None
    references: list[list[str]] | None
    systems: dict[str, list[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.systems.values())))

    def check(self, limits: Limits, declared: Iterable[Declared], metric: str) -> Data:
        """The same, if it can be scored.

        Raises:
            InputError: A system or a required column is missing, or there is too much.
        """
        given = {"sources": self.sources, "references": self.references}
        for name in (column.name for column in declared if column.required):
            if name in given and given[name] is None:
                raise InputError(f"{metric} needs {name}, and there are none")
        if not self.systems:
            raise InputError("there is nothing to score")
        if max(map(len, self.references or [[]])) > REFERENCES:
            raise InputError(f"expected at most {REFERENCES} references of a source")
        limits.check(self._rows())
        return self

    def _rows(self) -> Iterator[tuple[str, list[str]]]:
        n = len(self)
        sources = self.sources or [""] * n
        references = self.references or [[]] * n
        for i, outputs in enumerate(zip(*self.systems.values(), strict=True)):
            yield sources[i], [*references[i], *outputs]


def one(source: str, prediction: str, references: str) -> Data:
    """One example: texts, and references one per line."""
    lines = [line.strip() for line in (references or "").split("\n") if line.strip()]
    return Data(
        [source] if (source or "").strip() else None,
        [lines] if lines else None,
        {"system": [prediction or ""]},
    )


def cells(rows: Sequence[Sequence[Any]]) -> Data:
    """A table's rows: source, prediction and references. Empty rows at its end don't count.

    Raises:
        InputError: A row without a source or reference, where others have one.
    """
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows]
    while texts and not any(cell.strip() for cell in texts[-1]):
        texts.pop()
    if not texts:
        raise InputError("the table is empty")
    sources = [row[0] for row in texts]
    references = [[cell for cell in row[2:] if cell.strip()] for row in texts]
    for name, column in (("source", sources), ("reference", references)):
        empty = [i for i, cell in enumerate(column, 1) if not cell]
        if 0 < len(empty) < len(column):
            raise InputError(f"row {empty[0]} of the table has no {name}, but others have")
    return Data(
        sources if sources[0] else None,
        references if references[0] else None,
        {"system": [row[1] for row in texts]},
    )


def pasted(sources: str, references: str, systems: Mapping[str, str]) -> Data:
    """One text per line; references of a source side by side, between tabs.

    Raises:
        InputError: Different numbers of lines, or a line without a reference.
    """
    parts = {"sources": sources, "references": references, **systems}
    found = {
        name: Column(_lines(text), f"the box of {name}") for name, text in parts.items() if text
    }
    if found:
        check_lengths(list(found.values()))
    rows: list[list[str]] | None = None
    if "references" in found:
        split = (line.split("\t") for line in found["references"].rows)
        rows = [[cell for cell in row if cell.strip()] for row in split]
        for i, row in enumerate(rows, 1):
            if not row:
                raise InputError(f"line {i} of the references is empty")
    return Data(
        found["sources"].rows if "sources" in found else None,
        rows,
        {name: found[name].rows for name in systems if name in found},
    )


def uploaded(
    sources: str | None, references: Sequence[str] | None, systems: Sequence[str] | None
) -> Data:
    """Text files, one text per line; a system is named after its file.

    Raises:
        InputError: Files that can't be read, that differ in length, or two of the same name.
    """
    references, systems = references or [], systems or []
    with named(*references, *systems, *([sources] if sources else [])):
        found = {path: Column(read_lines(path), path) for path in (*references, *systems)}
        source = Column(read_lines(sources), sources) if sources else None
        both = [*([source] if source else []), *found.values()]
        if both:
            check_lengths(both)
    return Data(
        source.rows if source else None,
        [list(row) for row in zip(*(found[path].rows for path in references), strict=True)] or None,
        _distinct((Path(path).stem, found[path].rows) for path in systems),
    )


def files(
    sources: str | None,
    references: Sequence[str] | None,
    predictions: str | None,
    of_all: str | None,
) -> Data:
    """One system, in text files or a table.

    Raises:
        InputError: Both, or see `uploaded` and `table`.
    """
    return _either(sources, references, [predictions] if predictions else None, of_all, False)


def files_of_systems(
    sources: str | None,
    references: Sequence[str] | None,
    systems: Sequence[str] | None,
    of_all: str | None,
) -> Data:
    """Several systems, in text files or a table.

    Raises:
        InputError: Both, or see `uploaded` and `table`.
    """
    return _either(sources, references, systems, of_all, True)


def table(path: str, *, several: bool) -> Data:
    """A file with named columns: source, references, and one or several systems.

    Args:
        path: A .jsonl, .csv or .tsv file.
        several: Whether all other columns of texts are systems, or ``prediction`` is the only one.

    Raises:
        InputError: It can't be read, or lacks a column.
    """
    with named(path):
        found = read_table(path)
        source = next((name for name in _USUAL["sources"] if name in found.names), None)
        of_references = [name for name in found.names if _REFERENCE.fullmatch(name)]
        rest = [name for name in found.names if name not in (source, *of_references)]
        if not several:
            rest = [name for name in _USUAL["predictions"] if name in rest][:1]
            if not rest:
                found.column("prediction")
        texts = {name: found.column(name) for name in (*filter(None, [source]), *rest)}
        where = {name: f"column {name!r} of {path}" for name in found.names}
        rows = [columns.references(found.column(name), where[name]) for name in of_references]
        if several:
            rest = [name for name in rest if isinstance(texts[name][0], str)]
        return Data(
            columns.texts(texts[source], where[source]) if source else None,
            [_present(row) for row in zip(*rows, strict=True)] or None,
            {name: columns.texts(texts[name], where[name]) for name in rest},
        )


def _present(row: Sequence[list[str]]) -> list[str]:
    """The references of an example; of several columns, empty cells are none."""
    texts = [text for texts in row for text in texts]
    return texts if len(row) == 1 else [text for text in texts if text] or [""]


def _either(
    sources: str | None,
    references: Sequence[str] | None,
    systems: Sequence[str] | None,
    of_all: str | None,
    several: bool,
) -> Data:
    if not of_all:
        return uploaded(sources, references, systems)
    if sources or references or systems:
        raise InputError("expected text files or a table, got both: remove one")
    return table(of_all, several=several)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")


def _distinct(systems: Iterable[tuple[str, list[str]]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, rows in systems:
        if name in found:
            raise InputError(f"two systems are called {name!r}")
        found[name] = rows
    return found


@contextlib.contextmanager
def named(*paths: str) -> Iterator[None]:
    """Messages give a file's name, not the place where the server keeps it."""
    try:
        yield
    except InputError as error:
        message = str(error)
        for path in paths:
            message = message.replace(path, Path(path).name)
        raise InputError(message) from None
