"""What visitors type, paste and upload, as examples."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core.declarations import Column
from textsimp.core.examples import ONE, Examples, check
from textsimp.core.metric import Metric
from textsimp.corpora import reading
from textsimp.corpora.files import Rows, check_lengths
from textsimp.corpora.reading import Request, System
from textsimp.corpora.tables import DELIMITED, JSONL
from textsimp.support.errors import InputError
from textsimp.text.ucca import without_files

TABLES = (*JSONL, *DELIMITED)  # a small parquet file may hold any amount of text

_REFERENCES = 3  # columns of the table
_NONE = ", and there are none"


def one(metric: type[Metric], *typed: str) -> Examples:
    """One example: what was typed for each of the metric's columns, references one per line.

    Raises:
        InputError: See `textsimp.core.examples.check`.
    """
    given = {}
    for column, text in zip(metric.columns, typed, strict=True):
        lines = (text or "").split("\n") if column.kind == "texts" else []
        given[column] = [[line.strip() for line in lines] or [text or ""]]
    return _columns(metric, given)


def heads(metric: type[Metric]) -> list[tuple[str, Column]]:
    """The columns of a table to fill in: the name and column of each, several of references."""
    several = {
        column: [f"{column.one} {i + 1}" for i in range(_REFERENCES)]
        if column.kind == "texts"
        else [column.usual[0]]
        for column in metric.columns
    }
    return [(name, column) for column, names in several.items() for name in names]


def cells(metric: type[Metric], rows: Sequence[Sequence[Any]]) -> Examples:
    """A table's rows, as `heads` names their cells. Empty rows at its end don't count.

    Raises:
        InputError: A row without a source or reference, where others have one; or see `one`.
    """
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows]
    while texts and not any(cell.strip() for cell in texts[-1]):
        texts.pop()
    if not texts:
        raise InputError("the table is empty")
    of_columns = [column for _, column in heads(metric)]
    given = {
        column: [
            [cell for cell, of in zip(row, of_columns, strict=False) if of == column]
            for row in texts
        ]
        for column in metric.columns
    }
    for column, parts in given.items():
        empty = [i for i, row in enumerate(parts, 1) if not _is_filled(column, row)]
        texts_of_all = column.kind in ("text", "texts") and not column.own
        if texts_of_all and 0 < len(empty) < len(parts):
            raise InputError(f"row {empty[0]} of the table has no {column.one}, but others have")
    return _columns(metric, given)


def _is_filled(column: Column, parts: Sequence[str]) -> bool:
    return any(parts) if column.kind == "text" else any(part.strip() for part in parts)


def _columns(metric: type[Metric], given: Mapping[Column, list[list[str]]]) -> Examples:
    """What was typed for each row of each column, as examples; empty columns weren't given."""
    own: dict[str, Any] = {}
    shared: dict[str, Any] = {}
    for column, rows in given.items():
        filled = any(part.strip() for parts in rows for part in parts)
        if filled or (column.own and column.required):
            of = own if column.own else shared
            of[column.name] = [_row(column, parts) for parts in rows]
    return _typed(metric, {ONE: own}, shared)


def _row(column: Column, parts: list[str]) -> Any:
    """A row of a column from what was typed: labels of several annotators side by side."""
    if column.kind == "texts":
        return [part for part in parts if part.strip()]
    if column.kind == "labels":
        return [label for label in re.split(r"[\s,;]+", parts[0]) if label]
    if column.kind == "structured":
        with contextlib.suppress(ValueError, RecursionError):
            return json.loads(parts[0])
    return parts[0]


def pasted(
    metric: type[Metric], sources: str, references: str, systems: Mapping[str, str]
) -> Examples:
    """One text per line; references of a source side by side, between tabs.

    Raises:
        InputError: Different numbers of lines, or a line without a reference; or see `one`.
    """
    parts = {"sources": sources, "references": references, **systems}
    found = {name: Rows(_lines(text), f"the box of {name}") for name, text in parts.items() if text}
    given = {name: found[name].rows for name in systems if name in found}
    if not given:
        raise InputError("there is nothing to score")
    check_lengths(list(found.values()))
    rows: list[list[str]] | None = None
    if "references" in found:
        split = (line.split("\t") for line in found["references"].rows)
        rows = [[cell for cell in row if cell.strip()] for row in split]
        for i, row in enumerate(rows, 1):
            if not row:
                raise InputError(f"line {i} of the references is empty")
    sources_found = found["sources"].rows if "sources" in found else None
    return _typed(metric, given, {"sources": sources_found, "references": rows})


def files(
    metric: type[Metric],
    sources: str | None,
    references: Sequence[str] | None,
    predictions: str | Sequence[str] | None,
    table: str | None,
) -> Examples:
    """Text files, one of them or several of predictions; or a table with one system.

    Raises:
        InputError: Both, another kind of table, or see `textsimp.corpora.reading.read`.
    """
    return _uploaded(metric, sources, references, predictions, table, every=False)


def files_of_systems(
    metric: type[Metric],
    sources: str | None,
    references: Sequence[str] | None,
    systems: Sequence[str] | None,
    table: str | None,
) -> Examples:
    """Text files; or a table all of whose columns of texts are systems that are nothing else.

    Raises:
        InputError: See `files`.
    """
    return _uploaded(metric, sources, references, systems, table, every=True)


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


def _uploaded(
    metric: type[Metric],
    sources: str | None,
    references: Sequence[str] | None,
    systems: str | Sequence[str] | None,
    table: str | None,
    *,
    every: bool,
) -> Examples:
    listed = [systems] if isinstance(systems, str) else systems or []
    texts = [*([sources] if sources else []), *(references or []), *listed]
    if texts and table:
        raise InputError("expected text files or a table, got both: remove one")
    if table and Path(table).suffix.lower() not in TABLES:
        raise InputError(f"{Path(table).name}: expected a table ({', '.join(TABLES)})")
    asked = Request(
        sources=sources or None,
        references=references or (),
        systems=[System(file=file) for file in listed],
        data=table or None,
        every=every,
        advice={f"give {column.name}": _NONE for column in metric.columns},
    )
    with named(*texts, *([table] if table else [])), without_files():
        return reading.read(asked, {metric.name: metric.columns})


def _typed(metric: type[Metric], systems: Mapping[str, Any], shared: Mapping[str, Any]) -> Examples:
    for column in metric.columns:
        if column.required and not column.own and shared.get(column.name) is None:
            raise InputError(f"{metric.name} needs {column.name}{_NONE}")
    with without_files():  # of the server: a visitor gives what they hold
        return check([metric], systems, shared)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")
