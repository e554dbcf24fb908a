"""Texts and tables made from metrics' declarations: for ``evaluate``, cards and the README."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from textsimp.core.declarations import Score
from textsimp.core.metric import SCORE_OPTIONS, Metric, usual_score_options
from textsimp.metrics import catalogue, readability
from textsimp.text.languages import LANGUAGES

FLAT_OPTIONS = {
    "signature": "whether `signature`, what exactly was computed, is among the results",
    "lists": "whether results that are lists are; with neither all are numbers",
}
"""Options of modules, whose results are plain dicts, with a line on each."""

PEOPLE_PAGE = "docs/trust.md"
"""The page on how well all scores agree with people."""

_WIDTH = 100


def inputs_description(metric: type[Metric], examples: str) -> str:
    """Return arguments, results and examples of a module, as ``evaluate`` shows them."""
    columns = [
        (column.name, f"list of {column.about}{'' if column.required else '; optional'}")
        for column in metric.columns
    ]
    variants = " or ".join(f'"{variant}"' for variant in metric.presets)
    options = [(name, about.replace("`", "")) for name, about in _option_lines(metric)]
    arguments = [*columns, ("variant", f"{variants}; the first unless given"), *options]
    results = [(score.key, score_line(score)) for score in metric.scores]
    results += [("signature", "what exactly was computed")]
    return f"\nArgs:\n{_lines(arguments)}\nReturns:\n{_lines(results)}\nExamples:\n\n{examples}\n"


def score_line(score: Score) -> str:
    """Return a line on a score: its description, its range, and which way is better."""
    limits = "" if None in (score.least, score.most) else f"{score.least:g} to {score.most:g}"
    better = score.better and f"{score.better} is better"
    return ", ".join(filter(None, (score.about or score.title.lower(), limits, better)))


def option_table(metric: type[Metric]) -> str:
    """Return a metric's options as a table of Markdown."""
    presets = [preset.options for preset in metric.presets.values()]
    defaults: dict[str, Any] = {
        "variant": next(iter(metric.presets)),
        **usual_score_options(),
        **dict.fromkeys(FLAT_OPTIONS, True),
        **metric.usual(),
    }
    several = len(metric.presets) > 1
    variants = ", ".join(f"`{variant}`" for variant in metric.presets)
    lines = [("variant", f"a preset of the options below: {variants}")] if several else []
    rows = ["| option | default | |", "|---|---|---|"]
    of_module = {} if metric.name in catalogue.WITH_MODEL else FLAT_OPTIONS
    of_metric = [*metric.option_lines().items(), *SCORE_OPTIONS.items()]
    for name, about in [*lines, *of_metric, *of_module.items()]:
        default = f"`{defaults[name]!r}`".replace("'", '"')
        if any(name in options for options in presets):
            default += ", by variant"
        rows.append(f"| `{name}` | {default} | {about} |")
    return "\n".join(rows)


def variant_table(metric: type[Metric]) -> str:
    """Return a metric's variants as a table of Markdown."""
    rows = [f"| `{name}` | {preset.about} |" for name, preset in metric.presets.items()]
    return "\n".join(["| variant | what it is |", "|---|---|", *rows])


def language_table() -> str:
    """Return languages and the options for them, as a table of Markdown."""
    rows = [
        "| language | `tokenizer` | `splitter` | `syllables` | readability |",
        "|---|---|---|---|---|",
    ]
    for code, language in LANGUAGES.items():
        syllables = f"`{language.syllables}`" if language.syllables else "–"
        formulas = readability.FORMULAS.get(code, {})
        titles = ", ".join(readability.Readability.score_named(key).title for key in formulas)
        rows.append(
            f"| {language.name} (`{code}`) | `{language.tokenizer}` | `{language.splitter}` "
            f"| {syllables} | {titles or '–'} |"
        )
    return "\n".join(rows)


def metric_table(names: Iterable[str]) -> str:
    """Return metrics with a line each, as a table of Markdown with links to their cards."""
    rows = [
        f"| [`{name}`](metrics/{name}/README.md) | {catalogue.metric_class(name).about} |"
        for name in names
    ]
    return "\n".join(["| module | what it measures |", "|---|---|", *rows])


def _option_lines(metric: type[Metric]) -> list[tuple[str, str]]:
    return [*metric.option_lines().items(), *SCORE_OPTIONS.items(), *FLAT_OPTIONS.items()]


def _lines(lines: Iterable[tuple[str, str]]) -> str:
    return "\n".join(
        textwrap.fill(f"{name}: {line}", _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name, line in lines
    )
