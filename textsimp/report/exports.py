"""The report's tables as text for a paper: LaTeX, Markdown and the methods sentence."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from textsimp.core.tables import Grid
from textsimp.scoring.headlines import describe_methods


def texts(
    table: Grid, examples: int, references: str, sampling: Mapping[str, Any]
) -> dict[str, str]:
    """Return what can be copied, by its name, with the full names of systems."""
    rows = [[name.about or name.text, *cells] for name, *cells in table.rows]
    whole = replace(table, header=["", *table.header[1:]], rows=rows)
    signatures = [note for note in table.notes if "|" in note]
    these = f"{examples:,} examples" + f", {references}" * bool(references)
    methods = describe_methods(signatures, these, **sampling)
    return {"LaTeX": whole.to_latex(), "Markdown": whole.to_markdown(), "methods": methods}
