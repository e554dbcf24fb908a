"""The site that ``make docs`` builds: pages in docs/, cards of metrics, docstrings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.project import Project

import textsimp
from textsimp.core.metric import Metric
from textsimp.support import addresses

project = "textsimp"
version = release = textsimp.__version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]

# The source folder is the project's, so that a link means the same here and on GitHub.
root_doc = "index"
include_patterns = [
    "docs/**",
    "metrics/*/README.md",
    "benchmarks/*.md",
    "examples/README.md",
    "tools/*.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
]
exclude_patterns = [".*", "build", "textsimp"]

html_theme = "furo"
templates_path = ["_templates"]
pygments_dark_style = "a11y-dark"
highlight_options = {"python": {"stripnl": True}}  # doctests end with an empty line
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_static_path = [*html_css_files, *html_js_files]
html_title = f"textsimp {version}"
html_copy_source = False
html_show_copyright = html_show_sphinx = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

myst_heading_anchors = 4
suppress_warnings = ["myst.header"]

default_role = "py:obj"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}
napoleon_custom_sections = [("Attributes", "params_style")]

NAVIGATION = {
    "Guide": "start look cli notation trust published documents languages report figures checks "
    "splits",
    "Metrics": "metrics tests trust-details tools/figures",
    "Extensions": "extensions/ratings extensions/people extensions/judges extensions/tasks "
    "extensions/models extensions/audits",
    "Tools": "easse tools scale spaces reference",
    "Project": "examples benchmarks benchmarks/syllables tools/trust contributing changelog",
}
PARENTS = ("metrics", "reference")
OUTSIDE = [f"{name} <{url}>" for name, url in addresses.links().items() if name != "Documentation"]
ENTRY = re.compile(r"^(?:- |\| )\[`?([^\]`]+)`?\]\(([^)#]+)\)", re.MULTILINE)
NAMED = re.compile(r"`(docs/[\w/-]+\.(?:md|csv))`")  # by cards, whose links are for the Hub too


file_name = Project.path2doc


def page_name(self: Project, path: str | os.PathLike[str]) -> str | None:
    """Name a page in short: docs/start.md is start, metrics/sari/README.md is metrics/sari."""
    name = file_name(self, path)
    return name and name.removeprefix("docs/").removesuffix("/README").lower()


Project.path2doc = page_name


def add_navigation(app: Sphinx, page: str, content: list[str]) -> None:
    """Give the first page the navigation, and each page of PARENTS the pages that it lists."""
    if page == root_doc:
        for caption, pages in NAVIGATION.items():
            outside = OUTSIDE if caption == "Project" else []
            entries = [*(f"/{name}" for name in pages.split()), *outside]
            content[0] += toctree(entries, f":caption: {caption}")
    elif page in PARENTS:
        here = Path(app.env.doc2path(page)).parent
        content[0] += toctree(
            f"{title} </{app.project.path2doc((here / file).resolve())}>"
            for title, file in ENTRY.findall(content[0])
        )


def toctree(entries: Iterable[str], *options: str) -> str:
    """Return a hidden table of contents."""
    return "\n".join(["\n\n```{toctree}", ":hidden:", *options, "", *entries, "```"])


def link_pages(app: Sphinx, page: str, content: list[str]) -> None:
    """Make the pages that a card names links."""
    if page.startswith("metrics/"):
        content[0] = NAMED.sub(r"[\1](/\1)", content[0])


def add_options(
    app: Sphinx, kind: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Give the docstring of a metric's class the options that the metric declares."""
    if not (isinstance(thing, type) and issubclass(thing, Metric) and hasattr(thing, "presets")):
        return
    defaults = thing.default_options()
    arguments = ["Args:", f"    variant: One of {', '.join(f'``{v}``' for v in thing.presets)}."]
    for option, about in thing.option_lines().items():
        code = about.replace("`", "``")
        arguments.append(f"    {option}: {code}. By default ``{defaults[option]!r}``.")
    place = lines.index("Example:") if "Example:" in lines else len(lines)
    lines[place:place] = [*arguments, ""]


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-docstring", add_options, priority=400)  # before napoleon
    app.connect("source-read", add_navigation)
    app.connect("source-read", link_pages)
