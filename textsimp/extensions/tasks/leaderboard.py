"""The page of a shared task: HTML without scripts."""

import datetime
import html
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from string import Template

from textsimp.core.tables import Grid
from textsimp.extensions.tasks.task import Task
from textsimp.support.version import __version__

_GENERATOR = "textsimp leaderboard"


def write_page(task: Task, sizes: str, verdict: Sequence[str], tables: Mapping[str, Grid]) -> str:
    """Return a page with the verdict, and title → table, each with its notes."""
    parts = []
    for title, grid in tables.items():
        notes = "".join(f"<p>{html.escape(note)}</p>\n" for note in grid.text_notes)
        table = replace(grid, header=[grid.header[0] or "run", *grid.header[1:]]).to_html()
        parts.append(f"<h2>{html.escape(title)}</h2>\n{table}\n{notes}")
    today = datetime.date.today().isoformat()
    about = f"{sizes}. {today}, textsimp {__version__}."
    link = ""
    if task.url:
        url = html.escape(task.url)
        link = f'<a href="{url}">{url}</a>'
    page = resources.files("textsimp.extensions.tasks").joinpath("leaderboard.html")
    return Template(page.read_text("utf-8")).substitute(
        generator=f"{_GENERATOR} {__version__}",
        title=html.escape(task.title),
        about=f"{html.escape(about)} {link}",
        verdict="".join(f"<li>{html.escape(sentence)}</li>" for sentence in verdict),
        tables="\n".join(parts),
    )


def is_page(path: Path) -> bool:
    """Whether a file is such a page, which another may replace."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return f'name="generator" content="{_GENERATOR} '.encode() in file.read(2000)
