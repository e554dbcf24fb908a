"""The report's tables as files to download: CSV, LaTeX and Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from textsimp.core import tables
from textsimp.core.tables import Grid


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


def files(table: Grid) -> list[File]:
    """Write a table in every format, with the full names of systems that have short ones."""
    names = [name.about or name.text for name, *_ in table.rows]
    rows = [[name, *cells] for name, (_, *cells) in zip(names, table.rows, strict=True)]
    whole = replace(table, header=["", *table.header[1:]], rows=rows)
    records = _numbers(table, names)
    for record in records:
        record["signatures"] = "; ".join(table.notes)
    return [
        File("CSV", f"{table.id}.csv", tables.format_csv(records)),
        File("LaTeX", f"{table.id}.tex", whole.to_latex()),
        File("Markdown", f"{table.id}.md", whole.to_markdown()),
    ]


def _numbers(table: Grid, names: Sequence[str]) -> list[dict[str, Any]]:
    """A row per line with unrounded numbers; interval ends and marks have own columns."""
    first, *heads = (str(cell).replace("\u00a0", " ") for cell in table.header)
    columns: dict[str, list[Any]] = {first.lower(): [*names]}
    for label, cells in zip(heads, list(zip(*table.rows, strict=True))[1:], strict=True):
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
