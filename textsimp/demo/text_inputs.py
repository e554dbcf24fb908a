"""Texts that visitors type, paste and upload, as examples."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core.declarations import Column
from textsimp.core.examples import UNNAMED_SYSTEM, Examples, read
from textsimp.core.metric import Metric
from textsimp.corpora import reading
from textsimp.corpora.text_files import DELIMITED, JSONL, Rows, check_lengths
from textsimp.support.errors import InputError, advise
from textsimp.support.parsing import parse_json

TABLES = (*JSONL, *DELIMITED)  # a small parquet file may hold any amount of text

_SOURCE_FILE = re.compile(r"(.*\.)?(sources?|src)", re.IGNORECASE)
_REFERENCE_FILE = re.compile(r"(.*\.)?ref(erence)?s?[\W_]*\d*|\d+", re.IGNORECASE)
_NONE = ", and there are none"


def read_typed(metric: type[Metric], *typed: str) -> Examples:
    """Return one example from a text for each column of a metric, with a reference per line.

    Columns without text are left out.
    """
    own: dict[str, Any] = {}
    shared: dict[str, Any] = {}
    for column, text in zip(metric.columns, typed, strict=True):
        if text.strip() or (column.own and column.required):
            (own if column.own else shared)[column.name] = [_value(column, text)]
    return _check(metric, {UNNAMED_SYSTEM: own}, shared)


def _value(column: Column, text: str) -> Any:
    """Return a typed value; labels of several annotators are separated by spaces."""
    if column.kind == "texts":
        parts = re.split("[;\n]" if column.items else "\n", text)
        return [part.strip() for part in parts if part.strip()]
    if column.kind == "labels":
        return [label for label in re.split(r"[\s,;]+", text) if label]
    if column.kind == "structured":
        with contextlib.suppress(ValueError):
            return parse_json(text)
    return text


def read_pasted(
    metric: type[Metric], sources: str, references: str, systems: Mapping[str, str]
) -> Examples:
    """Return texts from lines; references of a source are separated by tabs."""
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
    """Remove the server's folders from messages."""
    try:
        yield
    except InputError as error:
        message = str(error)
        for path in paths:
            message = message.replace(path, Path(path).name)
        raise InputError(message) from None


def read_uploads(
    metric: type[Metric], paths: Sequence[str] | None, *, several: bool = True
) -> Examples:
    """Return the texts of one table, or of text files by their names.

    If ``several``, each other file or column of texts is a system; otherwise there is one system.
    """
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
    single = {"table": tables, "file of sources": sources}
    single |= {} if several else {"file of predictions": systems}
    for what, files in single.items():
        if len(files) > 1:
            names = ", ".join(Path(path).name for path in files)
            raise InputError(f"expected one {what}, got {names}")
    texts = [*sources, *references, *systems]
    if texts and tables:
        raise InputError("expected text files or a table, got both: remove one")
    advice = {
        f"give {column.name}": _NONE
        if column.own or tables
        else f", and no file is called {column.one}.txt"
        for column in metric.columns
    }
    with hide_folders(*texts, *tables), advise(advice):
        return reading.read(
            {metric.name: metric.columns},
            sources=next(iter(sources), None),
            references=references,
            systems=[reading.System(file) for file in systems],
            data=next(iter(tables), None),
            system_column=None if several else "",
            every=several,
        )


def _check(metric: type[Metric], systems: Mapping[str, Any], shared: Mapping[str, Any]) -> Examples:
    for column in metric.columns:
        if column.required and not column.own and shared.get(column.name) is None:
            raise InputError(f"{metric.name} needs {column.name}{_NONE}")
    return read([metric], systems, shared)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n")
