"""Texts that visitors type, paste and upload, as examples."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core.declarations import Column
from textsimp.core.examples import UNNAMED_SYSTEM, Examples, read
from textsimp.core.metric import Metric
from textsimp.corpora import reading
from textsimp.corpora.files import Rows, check_lengths
from textsimp.corpora.reading import Request, System
from textsimp.corpora.tables import DELIMITED, JSONL
from textsimp.support.errors import InputError
from textsimp.support.parsing import parse_json
from textsimp.text.ucca import without_files

TABLES = (*JSONL, *DELIMITED)  # a small parquet file may hold any amount of text

_REFERENCES = 3  # columns of the table
_SOURCE_FILE = re.compile(r"(.*\.)?(sources?|src)", re.IGNORECASE)
_REFERENCE_FILE = re.compile(r"(.*\.)?ref(erence)?s?[\W_]*\d*|\d+", re.IGNORECASE)
_NONE = ", and there are none"


def read_typed(metric: type[Metric], *typed: str) -> Examples:
    """Return one example: a text for each of the metric's columns, references one per line."""
    cells = {}
    for column, text in zip(metric.columns, typed, strict=True):
        lines = (text or "").split("\n") if column.kind == "texts" else []
        cells[column] = [[line.strip() for line in lines] or [text or ""]]
    return _columns(metric, cells)


def table_columns(metric: type[Metric]) -> list[tuple[str, Column]]:
    """Return the names of a table's columns. References have several; items share a cell."""
    names = {
        column: [f"{column.one} {i + 1}" for i in range(_REFERENCES)]
        if column.kind == "texts" and not column.items
        else [column.usual_names[0]]
        for column in metric.columns
    }
    return [(name, column) for column, own in names.items() for name in own]


def read_table(metric: type[Metric], rows: Sequence[Sequence[Any]]) -> Examples:
    """Return the rows of a table that has `table_columns`, without empty ones at its end."""
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows]
    while texts and not any(cell.strip() for cell in texts[-1]):
        texts.pop()
    if not texts:
        raise InputError("the table is empty")
    places: dict[Column, list[int]] = {}
    for i, (_, column) in enumerate(table_columns(metric)):
        places.setdefault(column, []).append(i)
    cells = {
        column: [[row[i] for i in places[column] if i < len(row)] for row in texts]
        for column in metric.columns
    }
    for column, rows_of_parts in cells.items():
        empty = [i for i, parts in enumerate(rows_of_parts, 1) if not any(map(str.strip, parts))]
        is_shared_text = column.kind in ("text", "texts") and not (column.own or column.items)
        if is_shared_text and 0 < len(empty) < len(texts):
            raise InputError(f"row {empty[0]} of the table has no {column.one}, but others have")
    return _columns(metric, cells)


def _columns(metric: type[Metric], cells: Mapping[Column, list[list[str]]]) -> Examples:
    """Return what was typed in the cells of each row; columns without any text are left out."""
    own: dict[str, Any] = {}
    shared: dict[str, Any] = {}
    for column, rows in cells.items():
        filled = any(part.strip() for parts in rows for part in parts)
        if filled or (column.own and column.required):
            columns = own if column.own else shared
            columns[column.name] = [_value(column, parts) for parts in rows]
    return _check(metric, {UNNAMED_SYSTEM: own}, shared)


def _value(column: Column, parts: list[str]) -> Any:
    """Return the value of a column's row; labels of several annotators stand side by side."""
    if column.items:
        items = ";".join(parts).split(";")
        return [item.strip() for item in items if item.strip()]
    if column.kind == "texts":
        return [part for part in parts if part.strip()]
    if column.kind == "labels":
        return [label for label in re.split(r"[\s,;]+", parts[0]) if label]
    if column.kind == "structured":
        with contextlib.suppress(ValueError):
            return parse_json(parts[0])
    return parts[0]


def read_pasted(
    metric: type[Metric], sources: str, references: str, systems: Mapping[str, str]
) -> Examples:
    """Return texts that stand one per line, references of a source side by side between tabs."""
    boxes = {
        name: Rows(_lines(text), f"the box of {name}")
        for name, text in {"sources": sources, "references": references, **systems}.items()
        if text
    }
    predictions = {name: boxes[name].rows for name in systems if name in boxes}
    if not predictions:
        raise InputError("there is nothing to score")
    check_lengths(list(boxes.values()))
    shared: dict[str, Any] = {"sources": None, "references": None}
    if "sources" in boxes:
        shared["sources"] = boxes["sources"].rows
    if "references" in boxes:
        cells = (line.split("\t") for line in boxes["references"].rows)
        shared["references"] = [[cell for cell in row if cell.strip()] for row in cells]
        for i, row in enumerate(shared["references"], 1):
            if not row:
                raise InputError(f"line {i} of the references is empty")
    return _check(metric, predictions, shared)


@contextlib.contextmanager
def hide_folders(*paths: str) -> Iterator[None]:
    """Let messages give a file's name without the folder where the server keeps it."""
    try:
        yield
    except InputError as error:
        message = str(error)
        for path in paths:
            message = message.replace(path, Path(path).name)
        raise InputError(message) from None


def read_uploads(metric: type[Metric], paths: Sequence[str] | None) -> Examples:
    """Return the texts of one table, or of text files whose names say what they hold."""
    tables, sources, references, systems = [], [], [], []
    for path in sorted(paths or (), key=lambda path: (len(Path(path).name), Path(path).name)):
        stem, suffix = Path(path).stem, Path(path).suffix.lower()
        if suffix in TABLES:
            tables.append(path)
        elif _SOURCE_FILE.fullmatch(stem):
            sources.append(path)
        elif _REFERENCE_FILE.fullmatch(stem):
            references.append(path)
        else:
            systems.append(path)
    for several, what in ((tables, "table"), (sources, "file of sources")):
        if len(several) > 1:
            names = ", ".join(Path(path).name for path in several)
            raise InputError(f"expected one {what}, got {names}")
    table, source = (next(iter(found), None) for found in (tables, sources))
    return read_files(metric, source, references, systems, table, every=True)


def read_files(
    metric: type[Metric],
    sources: str | None,
    references: Sequence[str] | None,
    predictions: str | Sequence[str] | None,
    table: str | None,
    *,
    every: bool = False,
) -> Examples:
    """Return the texts of uploaded files or a table, with ``every`` other column as a system."""
    systems = [predictions] if isinstance(predictions, str) else [*(predictions or ())]
    texts = [*([sources] if sources else []), *(references or []), *systems]
    if texts and table:
        raise InputError("expected text files or a table, got both: remove one")
    if table and Path(table).suffix.lower() not in TABLES:
        raise InputError(f"{Path(table).name}: expected a table ({', '.join(TABLES)})")
    request = Request(
        sources=sources or None,
        references=references or (),
        systems=[System(file=file) for file in systems],
        data=table or None,
        system_column=None if every else "",
        every=every,
        advice={
            f"give {column.name}": _NONE
            if column.own or not every
            else f", and no file is called {column.one}.txt"
            for column in metric.columns
        },
    )
    with hide_folders(*texts, *([table] if table else [])), without_files():
        return reading.read(request, {metric.name: metric.columns})


def _check(metric: type[Metric], systems: Mapping[str, Any], shared: Mapping[str, Any]) -> Examples:
    for column in metric.columns:
        if column.required and not column.own and shared.get(column.name) is None:
            raise InputError(f"{metric.name} needs {column.name}{_NONE}")
    with without_files():  # visitors give parses, not the names of files on the server
        return read([metric], systems, shared)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")
