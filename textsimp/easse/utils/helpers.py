"""Reading of files."""

from pathlib import Path

from textsimp.corpora import text_files


def read_lines(filepath: str | Path) -> list[str]:
    """Read a text per line; ``"-"`` is standard input."""
    return text_files.read_texts(filepath).rows
