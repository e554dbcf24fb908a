"""``textsimp hub``: test sets, models and published outputs."""

from __future__ import annotations

import click

from textsimp.cli import printing
from textsimp.cli.models import models
from textsimp.corpora import testsets
from textsimp.scoring import published


@click.group()
def hub() -> None:
    """List test sets and outputs; fetch models."""


hub.add_command(models)


@hub.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def datasets(as_json: bool) -> None:
    """List the field's test sets, and where they are.

    textsimp contains none of them, since their licences differ. `-t NAME` loads one from the
    Hugging Face Hub, later from its cache without network, or from your own folder:

    \b
      corpora/asset_test/source.txt          one text per line
      corpora/asset_test/references/0.txt    as many lines, and so on
      textsimp score -t asset_test --data-dir corpora -p system.txt
      textsimp score -t corpora/asset_test -p system.txt

    Files may have the names of the field instead, such as asset.test.orig and asset.test.simp.0.
    """
    if as_json:
        printing.print_json(testsets.records())
        return
    for corpus in testsets.CORPORA:
        click.echo(click.style(corpus.title, bold=True) + f" ({corpus.paper})")
        references = f"{corpus.references} reference{'s' * (corpus.references > 1)} each"
        for part in corpus.parts:
            size = "size unknown" if part.sources is None else f"{part.sources:,} sources"
            click.echo(f"  -t {part.name:24}{size:>14}, {references}")
        if corpus.training:
            click.echo(f"  training set{corpus.training:>23,} pairs, {references}")
        place = f"{corpus.hub}{f' ({corpus.config})' if corpus.config else ''}"
        click.echo(f"  on the Hub: {place}; licence: {corpus.licence}")
        if corpus.files:
            click.echo(f"  files: {corpus.files}")
        if corpus.note:
            click.echo(f"  {corpus.note}")
        click.echo()
    click.echo("A set without a known place on the Hub needs a local copy: see --help.")


@hub.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def outputs(as_json: bool) -> None:
    """List where published systems' outputs are, and their licences.

    textsimp contains none of them. Fetched, they are systems as yours for -p, with p-values.
    """
    if as_json:
        printing.print_json(published.table("outputs"))
        return
    for row in published.table("outputs"):
        click.echo(click.style(f"github.com/{row['repository']}", bold=True) + f": {row['path']}")
        click.echo(f"  {row['systems']}, on {row['test_sets']}; licence: {row['licence']}")
