"""The tables of cards and README that say again what metrics say of themselves, written in place.

    python tools/tables.py            writes them
    python tools/tables.py --check    says which pages differ

In a page a table stands between ``<!-- options: METRIC -->``, ``<!-- variants: METRIC -->`` or
``<!-- modules -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from textsimp.catalogue import METRICS, metric_class
from textsimp.describe import metric_table, option_table, variant_table

PROJECT = Path(__file__).parents[1]
PAGES = [PROJECT / "README.md", *sorted(PROJECT.glob("metrics/*/README.md"))]
MARKED = re.compile(
    r"<!-- (options|variants|modules)(?:: (\w+))? -->\n(.*?)<!-- end -->", re.DOTALL
)


def written(page: str) -> str:
    """A page with its tables as they should be."""

    def table(found: re.Match[str]) -> str:
        kind, name, _ = found.groups()
        if kind == "modules":
            text = metric_table(METRICS)
        else:
            text = (option_table if kind == "options" else variant_table)(metric_class(name))
        return f"{found[0].splitlines()[0]}\n\n{text}\n\n<!-- end -->"

    return MARKED.sub(table, page)


def main() -> None:
    """Write or check all pages."""
    wrong = []
    for page in PAGES:
        before = page.read_text(encoding="utf-8")
        after = written(before)
        if after != before:
            wrong.append(str(page.relative_to(PROJECT)))
            if "--check" not in sys.argv:
                page.write_text(after, encoding="utf-8")
    if wrong and "--check" in sys.argv:
        sys.exit(f"not what the metrics say: {', '.join(wrong)}; run python tools/tables.py")


if __name__ == "__main__":
    main()
