"""``textsimp metrics``, ``cite`` and ``datasets``: what there is, and whom to cite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

import click
from click.shell_completion import CompletionItem

from textsimp.cli import show
from textsimp.cli.score import OPTION, metrics_option, parse_options
from textsimp.corpora import testsets
from textsimp.metrics import catalogue, citations
from textsimp.metrics import description as describe

_WIDTH = 100


def _complete_metric(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(name) for name in catalogue.all_names() if name.startswith(incomplete)]


@click.command()
@click.argument("name", required=False, shell_complete=_complete_metric)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def metrics(name: str | None, as_json: bool) -> None:
    """List the metrics, or the variants and options of one.

    \b
    Examples:
      textsimp metrics
      textsimp metrics sari
    """
    names = [catalogue.spelt(name)] if name else catalogue.all_names()
    described = [_describe(known) for known in names]
    if as_json:
        show.as_json(described[0] if name else described)
        return
    if name:
        _print_metric(described[0])
        return
    rows = [[metric["metric"], metric["about"]] for metric in described]
    show.table(["metric", "what it measures"], rows, left=2)
    click.echo("\n`textsimp metrics NAME` lists the variants and options of one.")
    click.echo(f"How well they agree with people: {describe.PEOPLE_PAGE}")


def _describe(name: str) -> dict[str, Any]:
    metric = catalogue.metric_class(name)
    usual = metric.usual()
    lines = metric.option_lines()
    return {
        "metric": name,
        "about": metric.about,
        "description": metric.description,
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
                "option": field.name,
                "about": lines[field.name],
                "default": usual[field.name],
                "values": list(field.metadata["choices"]),
            }
            for field in metric.declared()
        ],
        "papers": list(metric.papers),
    }


def _print_metric(metric: dict[str, Any]) -> None:
    """Values are written as errors write them: as in Python, which ``-O`` takes."""
    click.echo(f"{metric['metric']}: {metric['about']}\n")
    click.echo(click.wrap_text(metric["description"], _WIDTH, "  ", "  "))
    known = f"People: {metric['people']}; see {describe.PEOPLE_PAGE}."
    click.echo(f"\n{click.wrap_text(known, _WIDTH, '  ', '  ')}")
    click.echo(f"\nNeeds {', '.join(metric['needs'])}; reads {metric['reads']}.\n")
    scores = catalogue.metric_class(metric["metric"]).scores
    _print_list("scores", [(score.key, describe.score_line(score)) for score in scores])
    variants = []
    for name, variant in metric["variants"].items():
        sets = ", ".join(f"{key}={value!r}" for key, value in variant["options"].items())
        variants.append((repr(name), variant["about"] + (f" [{sets}]" if sets else "")))
    _print_list("variants, with what they set", variants)
    options = []
    for option in metric["options"]:
        values = ", ".join(map(repr, option["values"]))
        given = f"{option['option']}={option['default']!r}"
        options.append((given, option["about"] + (f" [{values}]" if values else "")))
    _print_list("options, with their defaults", options)
    click.echo(
        f"Set them by -O, such as: textsimp score -m {metric['metric']} "
        f"-O variant={next(reversed(metric['variants']))}"
    )


def _print_list(title: str, lines: Sequence[tuple[str, str]]) -> None:
    """Names with a line each, wrapped; Markdown's code marks are left out."""
    formatter = click.HelpFormatter(width=_WIDTH)
    with formatter.section(title):
        formatter.write_dl([(name, line.replace("`", "")) for name, line in lines], col_max=28)
    click.echo(formatter.getvalue())


@click.command()
@metrics_option("Metrics whose papers are printed.")
@OPTION
def cite(metrics: Sequence[str], options: Sequence[str]) -> None:
    """Print BibTeX of textsimp, and of the papers that metrics are from.

    Those of variants, tokenizers and sentence splitters are among them; options are given as to
    `textsimp score`.

    \b
    Examples:
      textsimp cite
      textsimp cite -m sari,fkgl_components
      textsimp cite -m sari -O variant=xu
    """
    chosen = parse_options(metrics, options) if metrics or options else {}
    papers = [
        key
        for name, of_metric in chosen.items()
        for key in citations.papers(catalogue.metric_class(name).preset(**of_metric))
    ]
    click.echo("\n\n".join([citations.TEXTSIMP, *citations.bibtex(papers)]))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def datasets(as_json: bool) -> None:
    """List the field's test sets, and where they are.

    None comes with textsimp: their licences differ. `-t NAME` loads one from the Hugging Face Hub
    (from its cache, once it was loaded, also without network), or from a folder that you have:

    \b
      corpora/asset_test/source.txt          one text per line
      corpora/asset_test/references/0.txt    as many lines, and so on
      textsimp score -t asset_test --data-dir corpora -p system.txt
      textsimp score -t corpora/asset_test -p system.txt
    """
    if as_json:
        show.as_json(testsets.listed())
        return
    for corpus in testsets.CORPORA:
        click.echo(click.style(corpus.title, bold=True) + f" ({corpus.paper})")
        many = f"{corpus.references} reference{'s' * (corpus.references > 1)} each"
        for part in corpus.parts:
            size = "size unknown" if part.sources is None else f"{part.sources:,} sources"
            click.echo(f"  -t {part.name:24}{size:>14}, {many}")
        if corpus.training:
            click.echo(f"  training set{corpus.training:>23,} pairs, {many}")
        hub = f"{corpus.hub}{f' ({corpus.config})' if corpus.config else ''}"
        click.echo(f"  on the Hub: {hub}; licence: {corpus.licence}")
        if corpus.note:
            click.echo(f"  {corpus.note}")
        click.echo()
    click.echo(
        "Without a known place on the Hub a set needs a local copy: see textsimp datasets --help."
    )
