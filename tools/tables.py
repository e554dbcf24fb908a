"""Write the tables of pages and the exported classes from what metrics declare.

    python tools/tables.py            writes them, and names the files that it changed
    python tools/tables.py --check    names the files that differ

In a page a table stands between ``<!-- options: METRIC -->``, ``<!-- variants: METRIC -->``,
``<!-- modules -->`` or ``<!-- languages -->`` and ``<!-- end -->``. In ``textsimp/__init__.py``
the classes of metrics stand between ``# metrics`` and ``# end``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from textsimp.core.metric import Metric
from textsimp.metrics.catalogue import METRICS, all_names, metric_class
from textsimp.metrics.description import language_table, metric_table, option_table, variant_table

PROJECT = Path(__file__).parents[1]
PAGES = [
    PROJECT / "README.md",
    *sorted(PROJECT.glob("docs/*.md")),
    *sorted(PROJECT.glob("metrics/*/README.md")),
]
MARKED = re.compile(
    r"<!-- (options|variants|modules|languages)(?:: (\w+))? -->\n(.*?)<!-- end -->", re.DOTALL
)
EXPORTS = PROJECT / "textsimp" / "__init__.py"
MARKED_EXPORTS = re.compile(r"(?<=^# metrics\n).*?(?=^# end$)", re.DOTALL | re.MULTILINE)
WIDTH = 100  # of a line of code


def written(page: str) -> str:
    """A page with its tables as they should be."""

    def table(found: re.Match[str]) -> str:
        kind, name, _ = found.groups()
        if kind == "modules":
            text = metric_table(METRICS)
        elif kind == "languages":
            text = language_table()
        else:
            text = (option_table if kind == "options" else variant_table)(metric_class(name))
        return f"{found[0].splitlines()[0]}\n\n{text}\n\n<!-- end -->"

    return MARKED.sub(table, page)


def wrapped(start: str, items: Sequence[str], end: str) -> str:
    """A line of code, or a line for each item where it would be too long."""
    line = f"{start}{', '.join(items)}{end}"
    if len(line) <= WIDTH:
        return line
    indent = " " * (len(start) - len(start.lstrip()))
    return "\n".join([start, *(f"{indent}    {item}," for item in items), f"{indent}{end}"])


def written_exports(code: str, metrics: Iterable[type[Metric]]) -> str:
    """The code of ``textsimp/__init__.py`` with these metrics' classes among its names."""
    homes = {cls.__name__: cls.__module__ for cls in metrics}
    entries = [f'    "{cls}": "{homes[cls].removeprefix("textsimp.")}",' for cls in sorted(homes)]
    imports = [f"    from {homes[cls]} import {cls}" for cls in sorted(homes)]
    names = wrapped("__all__ += [", [f'"{cls}"' for cls in sorted(homes)], "]")
    lines = ["_HOMES |= {", *entries, "}", names, "if TYPE_CHECKING:", *imports]
    return MARKED_EXPORTS.sub(lambda _: "\n".join([*lines, ""]), code)


def main() -> None:
    """Write or check all files."""
    before = {path: path.read_text(encoding="utf-8") for path in (*PAGES, EXPORTS)}
    after = {path: written(before[path]) for path in PAGES}
    after[EXPORTS] = written_exports(before[EXPORTS], map(metric_class, all_names()))
    wrong = [path for path in before if after[path] != before[path]]
    if wrong and "--check" in sys.argv:
        files = ", ".join(str(path.relative_to(PROJECT)) for path in wrong)
        sys.exit(f"not what the metrics say: {files}; run python tools/tables.py")
    for path in wrong:
        path.write_text(after[path], encoding="utf-8")
        print(f"wrote {path.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
