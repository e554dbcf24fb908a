"""The report's tables as files to download: CSV, LaTeX and Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from textsimp.core import tables
from textsimp.core.scores import explain_bold
from textsimp.core.tables import Grid
from textsimp.report.score_tables import Cell, Matrix, Table


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
    table: Table | Matrix,
    signatures: Sequence[str],
    confidence: float,
    full: Mapping[str, str] | None = None,
) -> list[File]:
    """Write a table in every format, with the ``full`` names of systems that have short ones.

    The CSV of a matrix has a row for each test.
    """
    table = _rename(table, full or {})
    if isinstance(table, Matrix):
        grid, records = _matrix_grid(table, signatures, confidence), _tests(table)
    else:
        rows = [[line.name, *map(_text, line.cells)] for line in table.lines]
        marked = [[bool(cell.mark) for cell in line.cells] for line in table.lines]
        header = [table.first, *(_plain(column.label) for column in table.columns)]
        meaning = explain_bold(confidence)
        grid, records = Grid(header, rows, [*signatures], _bold(marked), meaning), _numbers(table)
    for record in records:
        record["signatures"] = "; ".join(signatures)
    return [
        File("CSV", f"{table.id}.csv", tables.format_csv(records)),
        File("LaTeX", f"{table.id}.tex", grid.to_latex()),
        File("Markdown", f"{table.id}.md", grid.to_markdown()),
    ]


def _rename(table: Table | Matrix, full: Mapping[str, str]) -> Table | Matrix:
    if isinstance(table, Table):
        lines = [replace(line, name=full.get(line.name, line.name)) for line in table.lines]
        return replace(table, lines=lines)
    heads = [(full.get(name, name), kind) for name, kind in table.heads]
    rows = [(full.get(name, name), score, cells) for name, score, cells in table.lines]
    return replace(table, heads=heads, lines=rows)


def _numbers(table: Table) -> list[dict[str, Any]]:
    """A row per line with unrounded numbers; interval ends and marks have own columns."""
    columns: dict[str, list[Any]] = {table.first or "texts": [line.name for line in table.lines]}
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


def _matrix_grid(table: Matrix, signatures: Sequence[str], confidence: float) -> Grid:
    """The differences, each row minus each column."""
    header = [_plain(table.column.label), *(f"minus {name}" for name, _ in table.heads)]
    rows, better = [], []
    for name, _, cells in table.lines:
        shown = [f"{cell.text} {cell.interval}" if cell else "" for cell in cells]
        rows.append([name, *(text.replace("−", "-") for text in shown)])
        better.append([cell is not None and cell.verdict == "better" for cell in cells])
    level = f"p < {1 - confidence:.2g}, Holm-adjusted"
    meaning = f"Bold: better by the paired permutation test ({level})."
    return Grid(header, rows, [*signatures], _bold(better), meaning)


def _tests(table: Matrix) -> list[dict[str, Any]]:
    scale = table.column.scale
    return [
        {
            "system": name,
            "minus": other,
            "score": _plain(table.column.label),
            "difference": scale * cell.test.value,
            "low": scale * cell.test.interval[0],
            "high": scale * cell.test.interval[1],
            "bootstrap p": cell.test.bootstrap_p,
            "permutation p": cell.test.permutation_p,
            "permutation p, Holm": cell.test.permutation_p_holm,
        }
        for name, _, cells in table.lines
        for (other, _), cell in zip(table.heads, cells, strict=True)
        if cell is not None
    ]


def _bold(chosen: Sequence[Sequence[bool]]) -> set[tuple[int, int]]:
    """Places of the chosen cells in a grid, whose first column has names."""
    return {(i, j) for i, row in enumerate(chosen) for j, is_bold in enumerate(row, 1) if is_bold}


def _text(cell: Cell) -> str:
    """A cell with its interval, with the minus sign of programs."""
    return " ".join(filter(None, (cell.text, cell.interval))).replace("−", "-")


def _plain(label: str) -> str:
    return label.replace("\u00a0", " ")
