"""The report's tables as files to take away: CSV, LaTeX and Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from textsimp.core import tables
from textsimp.core.scores import in_bold
from textsimp.core.tables import Grid, Tabular
from textsimp.report.tables import Cell, Column, Matrix, Table


@dataclass(frozen=True)
class File:
    """A table in one format.

    Attributes:
        form: The format, as people call it.
        name: Of the file.
        text: What is in it.
    """

    form: str
    name: str
    text: str

    @property
    def address(self) -> str:
        """A link that holds the file, so that it needs neither a script nor a network."""
        return f"data:text/plain;charset=utf-8,{quote(self.text)}"


def files(table: Table | Matrix, signatures: Sequence[str], confidence: float) -> list[File]:
    """A table in every format; of tests CSV has a row each.

    Args:
        table: The table.
        signatures: What exactly was computed.
        confidence: 1 − the level of the tests that decide what is in bold.
    """
    exported = (
        _Tests(table, signatures, confidence)
        if isinstance(table, Matrix)
        else _Exported(table, signatures, confidence)
    )
    return [
        File("CSV", f"{table.id}.csv", tables.delimited(exported.records())),
        File("LaTeX", f"{table.id}.tex", exported.to_latex()),
        File("Markdown", f"{table.id}.md", exported.to_markdown()),
    ]


@dataclass(frozen=True)
class _Exported(Tabular):
    table: Table
    signatures: Sequence[str]
    confidence: float

    def grid(self) -> Grid:
        """The cells as they are shown."""
        rows = [[line.name, *map(_shown, line.cells)] for line in self.table.lines]
        bold = {
            (i, j)
            for i, line in enumerate(self.table.lines)
            for j, cell in enumerate(line.cells, 1)
            if cell.mark
        }
        header = [self.table.first, *(_plain(column.label) for column in self.table.columns)]
        named = 1
        for column in self.table.columns:  # of names that come first
            if not column.text:
                break
            named += 1
        meaning = in_bold(self.confidence)
        return Grid(header, rows, [*self.signatures], bold, meaning, named)

    def records(self) -> list[dict[str, Any]]:
        """Numbers in full, with ends of intervals and marks in columns of their own."""
        columns = [
            part
            for j, column in enumerate(self.table.columns)
            for part in _parts(column, [line.cells[j] for line in self.table.lines])
        ]
        first = (self.table.first or "texts", [line.name for line in self.table.lines])
        of_all = ("signatures", ["; ".join(self.signatures)] * len(self.table.lines))
        heads = _unlike([head for head, _ in (first, *columns, of_all)])
        cells = [values for _, values in (first, *columns, of_all)]
        return [dict(zip(heads, row, strict=True)) for row in zip(*cells, strict=True)]


@dataclass(frozen=True)
class _Tests(Tabular):
    table: Matrix
    signatures: Sequence[str]
    confidence: float

    def grid(self) -> Grid:
        """The differences, each row minus each column."""
        label = _plain(self.table.column.label)
        header = [label, *(f"minus {name}" for name, _ in self.table.heads)]
        rows, bold = [], set()
        for i, (name, _, cells) in enumerate(self.table.lines):
            shown = [f"{cell.text} {cell.interval}" if cell else "" for cell in cells]
            rows.append([name, *(text.replace("−", "-") for text in shown)])
            better = [j for j, cell in enumerate(cells, 1) if cell and cell.verdict == "better"]
            bold |= {(i, j) for j in better}
        level = f"p < {1 - self.confidence:.2g}, Holm-adjusted"
        meaning = f"Bold: better by the paired permutation test ({level})."
        return Grid(header, rows, [*self.signatures], bold, meaning)

    def records(self) -> list[dict[str, Any]]:
        """A row for each test."""
        scale = self.table.column.scale
        return [
            {
                "system": name,
                "minus": other,
                "score": _plain(self.table.column.label),
                "difference": scale * cell.test.value,
                "low": scale * cell.test.interval[0],
                "high": scale * cell.test.interval[1],
                "bootstrap p": cell.test.bootstrap_p,
                "permutation p": cell.test.permutation_p,
                "permutation p, Holm": cell.test.permutation_p_holm,
                "signatures": "; ".join(self.signatures),
            }
            for name, _, cells in self.table.lines
            for (other, _), cell in zip(self.table.heads, cells, strict=True)
            if cell is not None
        ]


def _parts(column: Column, cells: Sequence[Cell]) -> list[tuple[str, list[Any]]]:
    """What a column is in CSV: its numbers or texts, then ends of intervals and marks, if any."""
    head = _plain(column.label)
    found: list[tuple[str, list[Any]]] = [
        (head, [cell.text if column.text else cell.value for cell in cells])
    ]
    if any(cell.bounds for cell in cells):
        for i, end in enumerate(("low", "high")):
            found.append((f"{head} {end}", [cell.bounds and cell.bounds[i] for cell in cells]))
    if any(cell.mark for cell in cells):
        found.append((f"{head} mark", [cell.mark for cell in cells]))
    return found


def _shown(cell: Cell) -> str:
    """A cell with its interval, with the minus sign of programs."""
    if cell.value is None:
        return cell.text
    return " ".join(filter(None, (cell.text, cell.interval))).replace("−", "-")


def _plain(label: str) -> str:
    return label.replace("\u00a0", " ")


def _unlike(heads: Sequence[str]) -> list[str]:
    """Names of columns, numbered where two are the same."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for head in heads:
        name = head
        while name in found:
            seen[head] += 1
            name = f"{head} {seen[head] + 1}"
        found.append(name)
    return found
