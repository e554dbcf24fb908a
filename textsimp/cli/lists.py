"""``textsimp metrics`` and ``textsimp datasets``: what there is."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import click
from click.shell_completion import CompletionItem

from textsimp import catalogue, testsets
from textsimp.cli import show


def _complete_metric(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(name) for name in catalogue.names() if name.startswith(incomplete)]


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
    names = [catalogue.spelt(name)] if name else catalogue.names()
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


def _describe(name: str) -> dict[str, Any]:
    metric = catalogue.metric_class(name)
    default = metric.preset()
    options = [
        {
            "option": field.name,
            "default": getattr(default, field.name),
            "values": list(field.metadata.get("choices", ())),
        }
        for field in fields(metric)
        if field.name != "variant"
    ]
    return {
        "metric": name,
        "about": (metric.__doc__ or "").strip().split("\n")[0].replace("`", ""),
        "needs": list(metric.required),
        "variants": {variant: dict(options) for variant, options in metric.presets.items()},
        "options": options,
    }


def _print_metric(metric: dict[str, Any]) -> None:
    """Values are written as errors write them: as in Python, which ``-o`` takes."""
    click.echo(f"{metric['metric']}: {metric['about']}")
    click.echo(f"Needs {', '.join(metric['needs'])}.\n")
    variants = [
        [repr(name), ", ".join(f"{key}={value!r}" for key, value in options.items())]
        for name, options in metric["variants"].items()
    ]
    show.table(["variant", "what it sets"], variants, left=2)
    click.echo()
    options = [
        [option["option"], repr(option["default"]), ", ".join(map(repr, option["values"]))]
        for option in metric["options"]
    ]
    show.table(["option", "default", "values"], options, left=3)
    click.echo(
        f"\nSet them by -o, such as: textsimp score -m {metric['metric']} "
        f"-o variant={next(reversed(metric['variants']))}"
    )


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
