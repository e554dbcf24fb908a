"""Write the tables of pages and the exported classes from what metrics declare.

    python tools/tables.py            writes them, and names the files that it changed
    python tools/tables.py --check    names the files that differ

In a page a table stands between ``<!-- options: METRIC -->``, ``<!-- variants: METRIC -->``,
``<!-- use: METRIC -->``, ``<!-- scores: METRIC -->``, ``<!-- cite: METRIC -->``,
``<!-- modules -->``, ``<!-- languages -->``, ``<!-- tasks -->`` or
``<!-- programs: CORPUS -->`` and ``<!-- end -->``. What other programs print on an example corpus
is in ``tests/goldens/programs.jsonl``.
Options that many metrics have are those of ``common`` and ``models``. Classes of the core stand
between ``# metrics`` and ``# end`` in ``textsimp/__init__.py``, and between ``.. metrics`` and
``.. end`` in ``docs/reference/metrics.rst``; those of extensions in ``extensions/`` there.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable

import pages
from pages import table

from textsimp.core.declarations import Score
from textsimp.core.metric import SCORE_OPTIONS, Metric
from textsimp.extensions.models import extension as models
from textsimp.extensions.models.regression import Regression
from textsimp.extensions.tasks import TASKS, find
from textsimp.metrics import citations
from textsimp.metrics.catalogue import METRICS, all_names, metric_class
from textsimp.metrics.description import FLAT_OPTIONS
from textsimp.metrics.readability import Readability
from textsimp.metrics.readability_formulas import FORMULAS
from textsimp.text.languages import LANGUAGES

MARKED = re.compile(
    r"<!-- (options|variants|use|scores|cite|modules|languages|tasks|programs)"
    r"(?:: (\w+))? -->\n"
    r"(.*?)<!-- end -->",
    re.DOTALL,
)
CORE = [name for name in all_names() if ".extensions." not in metric_class(name).__module__]
PROGRAMS = pages.PROJECT / "tests" / "goldens" / "programs.jsonl"
EXPORTS = pages.PROJECT / "textsimp" / "__init__.py"
REFERENCE = pages.PROJECT / "docs" / "reference"
MARKED_EXPORTS = re.compile(r"(?<=^# metrics\n).*?(?=^# end$)", re.DOTALL | re.MULTILINE)
MARKED_CLASSES = re.compile(r"(?<=^\.\. metrics\n\n).*?(?=^\.\. end$)", re.DOTALL | re.MULTILINE)


def shared_lines(names: Collection[str]) -> list[tuple[str, str]]:
    """Return the options that three or more of some metrics have with the same line, and this."""
    lines = Counter(line for name in names for line in metric_class(name).option_lines().items())
    return [line for line, metrics in lines.items() if metrics >= 3]


def shown(default: object) -> str:
    """Return the default of an option as a cell."""
    return f"`{default!r}`".replace("'", '"')


def option_table(metric: type[Metric]) -> str:
    """Return columns and options of a metric as a table of Markdown, then the shared options.

    Metrics with models have the same columns, and one page explains the options that they share,
    so their tables have only options of their own.
    """
    presets = [preset.options for preset in metric.presets.values()]
    defaults = {"variant": next(iter(metric.presets)), **metric.default_options()}
    variants = ", ".join(f"`{variant}`" for variant in metric.presets)
    what = "a preset of the options below" if any(presets) else "what is computed"
    lines = [("variant", f"{what}: {variants}")] if len(presets) > 1 else []
    runs_model = metric.name in models.EXTENSION.metrics
    shared = shared_lines(models.EXTENSION.metrics if runs_model else CORE)
    rows, others = [], []
    for column in () if runs_model else metric.columns:
        rows.append([f"`{column.name}`", "required" if column.required else "`None`", column.about])
    for name, about in [*lines, *metric.option_lines().items()]:
        default = shown(defaults[name])
        if any(name in options for options in presets):
            default += ", by variant"
        explained = [line for option, line in shared if option == name and about.startswith(line)]
        if explained:
            others.append(f"`{name}` ({default}{about.removeprefix(explained[0])})")
        else:
            rows.append([f"`{name}`", default, about])
    table_of_rows = table(["option" if runs_model else "input", "default", ""], rows)
    if runs_model or not others:
        return table_of_rows
    further = f"Further options, explained in `docs/metrics.md`: {', '.join(others)}."
    return f"{table_of_rows}\n\n{further}"


def usage(metric: type[Metric]) -> str:
    """Return how to install and load a module. ``tools/push.py`` fills in what a Space needs."""
    extra = re.search(r"\(extra `(\w+)`\)", metric.about)
    command = f"pip install '.[{extra[1]}]'" if extra else "pip install ."
    required = [column.name for column in metric.columns if column.required]
    arguments = ", ".join(f"{name}={name}" for name in required)
    lines = [
        f"```sh\n{command}  # in a clone of textsimp\n```\n",
        "```py",
        "import evaluate\n",
        f'metric = evaluate.load("<namespace>/{metric.name}")',
        f'# or textsimp.load("{metric.name}")',
        f"result = metric.compute({arguments})",
        "```",
    ]
    return "\n".join(lines)


def score_table(metric: type[Metric]) -> str:
    """Return every score with its range and direction, as a table of Markdown.

    Scores with the same line share a row: those that differ by a number K, and sums.
    """
    groups: dict[tuple[str, str], list[Score]] = {}
    for score in metric.scores:
        limits = "" if None in (score.least, score.most) else f"{score.least:g}–{score.most:g}"
        arrow = {"higher": "↑", "lower": "↓"}.get(score.better or "", "")
        about = re.sub(r"(?<=first )\d+", "K", score.about or score.title.lower())
        groups.setdefault((about, f"{limits} {arrow}".strip()), []).append(score)
    rows = []
    for (about, limits), scores in groups.items():
        keys = [f"`{score.key}`" for score in scores]
        is_family = len(keys) > 3 and len({re.sub(r"\d+", "K", key) for key in keys}) == 1
        ordered = sorted(keys, key=lambda key: (len(key), key))  # by number
        names = f"{ordered[0]} … {ordered[-1]}" if is_family else ", ".join(keys)
        rows.append([names, about, limits])
    rows.append(["`signature`", "variant, options and version", ""])
    return table(["key", "", "range"], rows)


def shared_option_table(kind: str) -> str:
    """Return options of ``common`` metrics, or of those with ``models``, as a table of Markdown."""
    common = shared_lines(CORE)
    if kind == "common":
        lines = [*common, *SCORE_OPTIONS.items(), *FLAT_OPTIONS.items()]
        return table(["option", ""], [[f"`{name}`", about] for name, about in lines])
    defaults = Regression.default_options()
    rows = [
        [f"`{name}`", shown(defaults[name]), about]
        for name, about in shared_lines(models.EXTENSION.metrics)
        if (name, about) not in common
    ]
    return table(["option", "default", ""], rows)


def variant_table(metric: type[Metric]) -> str:
    """Return a metric's variants as a table of Markdown."""
    rows = [[f"`{name}`", preset.about] for name, preset in metric.presets.items()]
    return table(["variant", "what it is"], rows)


def language_table() -> str:
    """Return languages and the options for them, as a table of Markdown."""
    rows = []
    for code, of in LANGUAGES.items():
        options = [
            f"`{name}`" if name else "–" for name in (of.tokenizer, of.splitter, of.syllables)
        ]
        titles = [Readability().find_score(key).title for key in FORMULAS.get(code, ())]
        rows.append([f"{of.name} (`{code}`)", *options, ", ".join(titles) or "–"])
    return table(["language", "`tokenizer`", "`splitter`", "`syllables`", "readability"], rows)


def module_table(root: str) -> str:
    """Return modules with a line each, as a table of Markdown with links to their cards."""
    rows = [
        [f"[`{name}`]({root}metrics/{name}/README.md)", metric_class(name).about]
        for name in METRICS
    ]
    return table(["module", "what it measures"], rows)


def task_table() -> str:
    """Return shared tasks, the newest first, as a table of Markdown."""
    rows = []
    for task in map(find, TASKS):
        years = ", ".join(map(str, task.years))
        rows.append([f"`{task.name}`", f"[{task.title}]({task.url})", years, task.scores])
    return table(["task", "title", "years", "scores"], rows)


def program_table(corpus: str) -> str:
    """Return what other programs print of a corpus's systems, as a table of Markdown."""
    lines = [*map(json.loads, PROGRAMS.read_text(encoding="utf-8").splitlines())]
    systems: dict[str, None] = {}
    rows: dict[str, list[str | float]] = {}
    for line in lines:
        if line["corpus"] != corpus:
            continue
        program = f"{line['program']} {line['version']}".strip()
        options = ", ".join(f"{name}={value!r}" for name, value in line["options"].items())
        call = f"{program}: `{line['function']}" + (f"({options})`" if options else "`")
        systems[line["system"]] = None
        score = next(iter(line["scores"].values()))
        rows.setdefault(call, [call, f"`{line['metric']}`"]).append(score)
    return table(["program", "textsimp", *systems], rows.values(), decimals=4)


def bibtex_block(metric: type[Metric]) -> str:
    """Return BibTeX of a metric's papers."""
    return "\n\n".join(["```bibtex", *citations.bibtex(metric.papers)]) + "\n```"


WITHOUT_NAME = {"languages": language_table, "tasks": task_table}
OF_METRIC = {
    "options": option_table,
    "variants": variant_table,
    "use": usage,
    "scores": score_table,
    "cite": bibtex_block,
}


def written(page: str, root: str = "") -> str:
    """A page with its tables as they should be; ``root`` is the path from it to the project."""

    def fill(match: re.Match[str]) -> str:
        kind, name, _ = match.groups()
        if kind == "modules":
            text = module_table(root)
        elif kind in WITHOUT_NAME:
            text = WITHOUT_NAME[kind]()
        elif kind == "programs":
            text = program_table(name)
        elif name in ("common", "models"):
            text = shared_option_table(name)
        else:
            text = OF_METRIC[kind](metric_class(name))
        return f"{match[0].splitlines()[0]}\n\n{text}\n\n<!-- end -->"

    return MARKED.sub(fill, page)


def written_exports(code: str, metrics: Iterable[type[Metric]]) -> str:
    """The code of ``textsimp/__init__.py`` with these metrics' classes among its names."""
    homes = sorted((cls.__name__, cls.__module__) for cls in metrics)
    imports = "".join(f"    from {module} import {cls} as {cls}\n" for cls, module in homes)
    table = "".join(f'    "{cls}": "{module}",\n' for cls, module in homes)
    text = f"if TYPE_CHECKING:\n{imports}_METRICS = {{\n{table}}}\n"
    return MARKED_EXPORTS.sub(lambda _: text, code)


def written_reference(page: str, metrics: Iterable[type[Metric]]) -> str:
    """A page of the reference with these metrics' classes."""
    names = sorted(cls.__name__ for cls in metrics)
    lines = "".join(f".. autoclass:: {name}\n   :no-members:\n" for name in names)
    return MARKED_CLASSES.sub(lambda _: lines + "\n", page)


def main() -> int:
    """Write or check all files."""
    texts = {
        page: written(
            page.read_text(encoding="utf-8"),
            "../" * (len(page.relative_to(pages.PROJECT).parts) - 1),
        )
        for page in pages.PAGES
    }
    classes = [*map(metric_class, all_names())]
    core = [*map(metric_class, CORE)]
    texts[EXPORTS] = written_exports(EXPORTS.read_text(encoding="utf-8"), core)
    listed = {"metrics.rst": core}
    for name in ("models", "judges"):
        own = [cls for cls in classes if f".extensions.{name}." in cls.__module__]
        listed[f"extensions/{name}.rst"] = own
    for name, own in listed.items():
        page = REFERENCE / name
        texts[page] = written_reference(page.read_text(encoding="utf-8"), own)
    return pages.write_files(texts, check="--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
