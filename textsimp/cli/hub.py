"""``textsimp hub``: modules for `evaluate`; test sets, models and published outputs."""

from __future__ import annotations

import click

from textsimp import hub as modules
from textsimp.cli import printing
from textsimp.cli.models import models
from textsimp.corpora import testsets
from textsimp.scoring import published

NAMESPACE = click.option(
    "--namespace", default=modules.NAMESPACE, help="The part of a module's name before the slash."
)


@click.group()
def hub() -> None:
    """Install modules for evaluate.load; list test sets and outputs; fetch models."""


hub.add_command(models)


@hub.command()
@NAMESPACE
def install(namespace: str) -> None:
    """Make evaluate.load("NAME") find the modules.

    The command writes the modules to the Hugging Face modules cache, so that they are found in any
    folder and without network. Run it again after an upgrade.
    """
    for name in modules.install_modules(namespace):
        click.echo(f'evaluate.load("{name}")')
    for name in modules.UPSTREAM:
        ours = f"{namespace}/{name}"
        click.echo(f'evaluate.load("{name}") is the Hub\'s; ours is evaluate.load("{ours}")')


@hub.command()
@NAMESPACE
def remove(namespace: str) -> None:
    """Remove the modules that `textsimp hub install` wrote."""
    removed = modules.remove_modules(namespace)
    for name in removed:
        click.echo(f"removed {name}")
    if not removed:
        click.echo(f"Nothing to remove: no modules of {namespace} are installed.")


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
