"""Templates of the page and of its plots, in Jinja."""

import functools
from importlib import resources
from typing import Any

from textsimp.core.cells import breakable, clean_name
from textsimp.core.tables import Grid
from textsimp.report.label_places import clip
from textsimp.support import addresses
from textsimp.support.imports import require

__all__ = ["read", "render"]


def render(name: str, **values: Any) -> str:
    """Fill in the template of a file."""
    text: str = _environment(require("jinja2", extra="report")).get_template(name).render(values)
    return text


def read(name: str) -> str:
    """Return the text of a file in this folder, or of ``PACKAGE:FILE``."""
    package, _, file = name.rpartition(":")
    return resources.files(package or __package__).joinpath(file).read_text(encoding="utf-8")


@functools.cache
def _environment(jinja2: Any) -> Any:
    """Return the templates, which are compiled once."""
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(read),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["page_address"] = addresses.page
    filters = {"breakable": breakable, "clean": clean_name, "clip": clip, "drawn": draw_table}
    environment.filters |= filters
    return environment


def draw_table(table: Grid, kind: str = "sortable", dense: int = 9, crowded: int = 13) -> str:
    """Draw a table, more densely from so many columns on."""
    columns = len(table.header) - 1
    if columns >= dense:
        kind += " dense"
    if columns >= crowded:
        kind += " crowded"
    return table.to_html(kind)
