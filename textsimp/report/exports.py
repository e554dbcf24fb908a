"""The report's tables as files to download: CSV, LaTeX and Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from textsimp.core import tables
from textsimp.core.scores import explain_bold
from textsimp.core.tables import Grid
from textsimp.report.score_tables import Cell, Table


@dataclass(frozen=True)
class File:
    """A table in one format."""

    form: str
    name: str
    text: str

    @property
    def address(self) -> str:
        """A link that holds the file, so that it needs neither a script nor a network."""
        return f"data:text/plain;charset=utf-8,{quote(self.text)}"


def files(
    table: Table,
    signatures: Sequence[str],
    confidence: float,
    full: Mapping[str, str] | None = None,
) -> list[File]:
    """Write a table in every format, with the ``full`` names of systems that have short ones."""
    names = [(full or {}).get(line.name, line.name) for line in table.lines]
    rows = [[name, *map(_text, line.cells)] for name, line in zip(names, table.lines, strict=True)]
    bold = {  # the first column has names
        (i, j)
        for i, line in enumerate(table.lines)
        for j, cell in enumerate(line.cells, 1)
        if cell.mark not in ("", "unranked")
    }
    header = ["", *(_plain(column.label) for column in table.columns)]
    grid = Grid(header, rows, [*signatures], bold, explain_bold(confidence))
    records = _numbers(table, names)
    for record in records:
        record["signatures"] = "; ".join(signatures)
    return [
        File("CSV", f"{table.id}.csv", tables.format_csv(records)),
        File("LaTeX", f"{table.id}.tex", grid.to_latex()),
        File("Markdown", f"{table.id}.md", grid.to_markdown()),
    ]


def _numbers(table: Table, names: Sequence[str]) -> list[dict[str, Any]]:
    """A row per line with unrounded numbers; interval ends and marks have own columns."""
    columns: dict[str, list[Any]] = {table.head.lower(): [*names]}
    for j, column in enumerate(table.columns):
        cells = [line.cells[j] for line in table.lines]
        label = _plain(column.label)
        head, number = label, 1
        while head in columns:  # two scores of one name
            number += 1
            head = f"{label} {number}"
        columns[head] = [cell.value for cell in cells]
        if any(cell.bounds for cell in cells):
            for i, end in enumerate(("low", "high")):
                columns[f"{head} {end}"] = [cell.bounds and cell.bounds[i] for cell in cells]
        if any(cell.mark for cell in cells):
            columns[f"{head} mark"] = [cell.mark for cell in cells]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _text(cell: Cell) -> str:
    """A cell with its interval, with the minus sign of programs."""
    return " ".join(filter(None, (cell.text, cell.interval))).replace("−", "-")


def _plain(label: str) -> str:
    return label.replace("\u00a0", " ")
