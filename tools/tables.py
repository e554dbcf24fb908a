"""What says again what metrics say of themselves, written in place: tables of pages, and types.

    python tools/tables.py            writes it
    python tools/tables.py --check    says which files differ

In a page a table stands between ``<!-- options: METRIC -->``, ``<!-- variants: METRIC -->``,
``<!-- modules -->`` or ``<!-- languages -->`` and ``<!-- end -->``; in ``textsimp/hub/typed.py``
the types of the modules stand between ``# modules`` and ``# end``, and in
``textsimp/__init__.py`` the classes of metrics between ``# metrics`` and ``# end``.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import Field
from pathlib import Path
from typing import Any

from textsimp.core.metric import Metric
from textsimp.metrics.catalogue import METRICS, all_names, metric_class
from textsimp.metrics.description import language_table, metric_table, option_table, variant_table

PROJECT = Path(__file__).parents[1]
PAGES = [
    PROJECT / "README.md",
    *sorted(PROJECT.glob("docs/*.md")),
    *sorted(PROJECT.glob("metrics/*/README.md")),
]
TYPES = PROJECT / "textsimp" / "hub" / "typed.py"
MARKED = re.compile(
    r"<!-- (options|variants|modules|languages)(?:: (\w+))? -->\n(.*?)<!-- end -->", re.DOTALL
)
EXPORTS = PROJECT / "textsimp" / "__init__.py"
MARKED_TYPES = re.compile(r"(?<=^# modules\n).*?(?=^# end$)", re.DOTALL | re.MULTILINE)
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


def written_types(code: str, metrics: Iterable[type[Metric]]) -> str:
    """The code of ``typed.py`` with the types of these metrics' modules, formatted as ruff does."""
    metrics = list(metrics)
    text = "\n\n\n".join(map(module_types, metrics)) + "\n\n\n" + "".join(map(overload, metrics))
    return MARKED_TYPES.sub(lambda _: f"\n\n{text}", code)


def module_types(metric: type[Metric]) -> str:
    """What ``load`` takes for a metric, and the module that it returns."""
    name, cls = metric.name, metric.__name__
    options = [option_type(option) for option in metric.declared()]
    defaults = ["" if column.required else " = None" for column in metric.columns]
    columns = list(zip(metric.columns, defaults, strict=True))
    many = [f"{column.name}: Any{default}" for column, default in columns]
    one = [f"{column.one or column.name}: Any{default}" for column, default in columns]
    any_of_them = [f"{column.name}: Any = None" for column in metric.columns]
    rest = f"**options: Unpack[{cls}Options]"
    lines = [
        f"class {cls}Options(ScoreOptions, total=False):",
        f'    """Options of ``{name}``."""',
        "",
        wrapped("    variant: Literal[", [json.dumps(preset) for preset in metric.presets], "]"),
        *options,
        "",
        "",
        f"class Load{cls}(LoadOptions, {cls}Options, total=False):",
        f'    """For ``load("{name}")``."""',
        "",
        "",
        f"class {cls}Module(LoadedModule, Protocol):",
        f'    """What ``load("{name}")`` returns. A column is any sequence."""',
        "",
        wrapped("    def compute(", ["self", "*", *any_of_them, rest], ") -> dict[str, Any]:"),
        '        """Score the examples given here and those added before."""',
        "        ...",
        "",
        wrapped("    def add(", ["self", "*", *one], ") -> None:"),
        '        """Add one example, to be scored by ``compute()``."""',
        "",
        wrapped("    def add_batch(", ["self", "*", *many], ") -> None:"),
        '        """Add examples, to be scored by ``compute()``."""',
    ]
    return "\n".join(lines)


def overload(metric: type[Metric]) -> str:
    """The signature of ``load`` for a metric."""
    name, cls = metric.name, metric.__name__
    arguments = [f'name: Literal["{name}"]', "config_name: str | None = None"]
    arguments.append(f"**kwargs: Unpack[Load{cls}]")
    return "@overload\n" + wrapped("def load(", arguments, f") -> {cls}Module: ...") + "\n"


def option_type(option: Field[Any]) -> str:
    """An option and its type: its choices, or what its field is annotated as.

    That is a built-in type, or one in `textsimp.metrics.options`, which ``typed.py`` imports, as
    it does `Function`.
    """
    start, choices = f"    {option.name}: ", option.metadata["choices"]
    if not choices or option.metadata["kind"] is bool:
        return f"{start}{option.type}"
    end = "] | None" if None in choices else "]"
    named = [json.dumps(choice) for choice in choices if choice is not None]
    if not option.metadata["functions"]:
        return wrapped(f"{start}Literal[", named, end)
    line = f"{start}Literal[{', '.join(named)}] | Function"
    if len(line) <= WIDTH:
        return line
    items = "".join(f"            {choice},\n" for choice in named)
    return f"{start}(\n        Literal[\n{items}        ]\n        | Function\n    )"


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
    before = {path: path.read_text(encoding="utf-8") for path in (*PAGES, TYPES, EXPORTS)}
    after = {path: written(before[path]) for path in PAGES}
    after[TYPES] = written_types(before[TYPES], map(metric_class, METRICS))
    after[EXPORTS] = written_exports(before[EXPORTS], map(metric_class, all_names()))
    wrong = [path for path in before if after[path] != before[path]]
    if wrong and "--check" in sys.argv:
        files = ", ".join(str(path.relative_to(PROJECT)) for path in wrong)
        sys.exit(f"not what the metrics say: {files}; run python tools/tables.py")
    for path in wrong:
        path.write_text(after[path], encoding="utf-8")


if __name__ == "__main__":
    main()
