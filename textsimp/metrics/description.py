"""Texts and tables made from metrics' declarations: for ``evaluate``, cards and the README."""

import textwrap
from collections.abc import Mapping

from textsimp.core.declarations import Score
from textsimp.core.metric import SCORE_OPTIONS, Metric

FLAT_OPTIONS = {
    "signature": "whether to return `signature`, which names variant, options and version",
    "lists": "whether to return lists; without `signature` and lists all results are numbers",
}
"""Options of modules, whose results are plain dicts, with a line on each."""

PEOPLE_PAGE = "docs/trust.md"
"""The page on how well all scores agree with people."""

_WIDTH = 100


def inputs_description(metric: type[Metric], examples: str) -> str:
    """Return arguments, results and examples of a module, as ``evaluate`` shows them."""
    arguments = {}
    for column in metric.columns:
        arguments[column.name] = f"list of {column.about}{'' if column.required else '; optional'}"
    variants = " or ".join(f'"{variant}"' for variant in metric.presets)
    arguments["variant"] = f"{variants}; by default the first"
    for name, about in (metric.option_lines() | SCORE_OPTIONS | FLAT_OPTIONS).items():
        arguments[name] = about.replace("`", "")
    results = {score.key: score_line(score) for score in metric.scores}
    results["signature"] = "names variant, options and version"
    return f"\nArgs:\n{_lines(arguments)}\nReturns:\n{_lines(results)}\nExamples:\n\n{examples}\n"


def score_line(score: Score) -> str:
    """Return a line on a score: its description, its range, and which way is better."""
    limits = "" if None in (score.least, score.most) else f"{score.least:g} to {score.most:g}"
    better = score.better and f"{score.better} is better"
    return ", ".join(filter(None, (score.about or score.title.lower(), limits, better)))


def _lines(lines: Mapping[str, str]) -> str:
    return "\n".join(
        textwrap.fill(f"{name}: {line}", _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8)
        for name, line in lines.items()
    )
