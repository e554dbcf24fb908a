"""``textsimp metrics``: metrics, their variants and options, and the papers to cite."""

import textwrap
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.options import documented_options
from textsimp.cli.score import OPTION, choose_metrics
from textsimp.metrics import catalogue, citations
from textsimp.metrics.notation import Choice
from textsimp.support import extensions
from textsimp.support.errors import InputError
from textsimp.support.progress import note


@click.command()
@click.argument("names", nargs=-1)
@documented_options(as_json="--json")
@OPTION
def metrics(
    names: Sequence[str], options: Sequence[str], cite: bool = False, as_json: bool = False
) -> None:
    """List the metrics; show variants, options and papers of some.

    With --cite the papers of variants, tokenizers and sentence splitters are among those printed;
    -O gives options as to `textsimp score`.

    \b
    Examples:
      textsimp metrics
      textsimp metrics sari
      textsimp metrics --cite sari fkgl_components
      textsimp metrics --cite sari -O variant=xu

    Args:
        cite: Print BibTeX of textsimp and of the metrics' papers.
        as_json: Print JSON.
    """
    from textsimp.core.tables import Grid
    from textsimp.metrics.description import PEOPLE_PAGE

    if options and not (cite and names):
        raise InputError("-O: expected --cite and the names of metrics beside it")
    choices = choose_metrics(names, options) if names or cite else _choose_all()
    if cite:
        papers = (key for choice in choices for key in citations.papers(choice.make()))
        click.echo("\n\n".join([citations.TEXTSIMP, *citations.bibtex(papers)]))
        return
    details = [_describe(choice) for choice in choices]
    if as_json:
        printing.print_json(details)
        return
    for metric in details if names else []:
        _print_metric(metric)
    if names:
        return
    rows = [[metric["metric"], _line(metric)] for metric in details]
    printing.print_table(Grid(["metric", "what it measures"], rows, named=2))
    click.echo()
    printing.print_sentence("`textsimp metrics NAME` lists the variants and options of one.")
    printing.print_sentence(f"How well they agree with people: {PEOPLE_PAGE}")


def _choose_all() -> list[Choice]:
    """Choose all metrics; say on standard error why others can't be used."""
    choices: list[Choice] = []
    for name in [*catalogue.all_names(), *catalogue.other_names()]:
        try:
            choices += catalogue.read(name, "NAME")
        except (ImportError, InputError) as error:  # of another package, or of two with one name
            note(str(error))
    for reason in extensions.broken():
        note(reason)
    return choices


def _describe(choice: Choice) -> dict[str, Any]:
    metric = choice.cls
    variant = (choice.defaults | choice.options).get("variant")
    usual = metric.default_options(variant)
    lines = metric.option_lines()
    return {
        "metric": metric.name,
        "about": metric.about,
        "description": metric.describe(),
        "people": metric.people,
        "needs": [column.name for column in metric.columns if column.required],
        "columns": [asdict(replace(column, read=None)) for column in metric.columns],
        "reads": metric.reads,
        "scores": [asdict(score) for score in metric.scores],
        "variants": {
            variant: {"about": preset.about, "options": dict(preset.options)}
            for variant, preset in metric.presets.items()
        },
        "options": [
            {
                "option": option.name,
                "about": lines[option.name],
                "default": usual[option.name],
                "values": list(option.choices),
            }
            for option in metric.declared_options()
        ],
        "papers": list(metric.papers),
        "own": metric.own_definitions(),
    }


def _line(metric: dict[str, Any]) -> str:
    """What a metric is, and which of its definitions are textsimp's."""
    if not metric["own"]:
        return str(metric["about"])
    which = "" if metric["own"] == [*metric["variants"]] else f": {', '.join(metric['own'])}"
    return f"{metric['about']}; textsimp's own{which}"


def _print_metric(metric: dict[str, Any]) -> None:
    """Print a metric with values as in Python, which ``-O`` reads."""
    from textsimp.core.tables import Grid
    from textsimp.metrics.description import PEOPLE_PAGE, score_line

    scores = catalogue.metric_class(metric["metric"]).scores
    variants = []
    for name, variant in metric["variants"].items():
        sets = ", ".join(f"{key}={value!r}" for key, value in variant["options"].items())
        variants.append([repr(name), variant["about"] + (f" [{sets}]" if sets else "")])
    options = []
    for option in metric["options"]:
        values = ", ".join(map(repr, option["values"]))
        default = f"{option['option']}={option['default']!r}"
        options.append([default, option["about"] + (f" [{values}]" if values else "")])
    lists: dict[str, list[list[Any]]] = {
        "scores": [[score.key, score_line(score)] for score in scores],
        "variants, with what they set": variants,
        "options, with their defaults": options,
    }
    printing.print_sentence(f"{metric['metric']}: {_line(metric)}")
    wrap = textwrap.TextWrapper(printing.terminal_width(), "  ", "  ")
    click.echo("\n".join(["", *map(wrap.fill, metric["description"].splitlines()), ""]))
    printing.print_sentence(f"People: {metric['people']}; see {PEOPLE_PAGE}.")
    printing.print_sentence(f"Needs {', '.join(metric['needs'])}; reads {metric['reads']}.")
    for title, rows in lists.items():
        if not rows:
            continue
        plain = [[name, about.replace("`", "")] for name, about in rows]
        click.echo()
        printing.print_table(Grid([title, ""], plain, named=2))
    if options:
        variant = next(reversed(metric["variants"]))
        command = f"textsimp score -m {metric['metric']} -O variant={variant}"
        click.echo()
        printing.print_sentence(f"Set them by -O, such as: {command}")
