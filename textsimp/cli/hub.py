"""``textsimp hub``: modules for `evaluate`; test sets and published outputs."""

from typing import Any

import click

from textsimp.cli import ExtensibleGroup, printing
from textsimp.cli.options import form_options
from textsimp.core.tables import Grid
from textsimp.metrics import catalogue


@click.group(cls=ExtensibleGroup, path="hub")
def hub() -> None:
    """Install modules for evaluate.load; list test sets, outputs and models."""


@hub.command()
def install() -> None:
    """Make evaluate.load("NAME") find the modules.

    The command writes the modules to the Hugging Face modules cache, so that they are found in any
    folder and without network. Run it again after an upgrade.
    """
    from textsimp import hub as modules

    for name in modules.install_modules():
        click.echo(f'evaluate.load("{name}")')
    for name in modules.UPSTREAM:
        ours = f"{modules.NAMESPACE}/{name}"
        click.echo(f'evaluate.load("{name}") is the Hub\'s; ours is evaluate.load("{ours}")')
    others = [name for name in catalogue.all_names() if name not in modules.names()]
    printing.print_sentence(
        f"Not installed: {', '.join(others)}. Evaluate has its own, or they need a model or "
        "columns. `textsimp score -m` computes them.",
        "evaluate warns that it uses the latest cached version, which is the installed one.",
    )


@hub.command()
def remove() -> None:
    """Remove the modules that `textsimp hub install` wrote."""
    from textsimp import hub as modules

    removed = modules.remove_modules()
    for name in removed:
        click.echo(f"removed {name}")
    if not removed:
        click.echo("Nothing to remove: no modules are installed.")


@hub.command()
@form_options
def datasets(form: str) -> None:
    """List the field's test sets, and where they are.

    textsimp contains none of them, since their licences differ. `-t NAME` loads one from the
    Hugging Face Hub, later from its cache without network, or from your own folder:

    \b
      corpora/asset_test/source.txt          one text per line
      corpora/asset_test/references/0.txt    as many lines, and so on
      textsimp score -t asset_test --data-dir corpora -p system.txt
      textsimp score -t corpora/asset_test -p system.txt

    Files may have the names of the field instead, such as asset.test.orig and asset.test.simp.0.
    A set without a known place on the Hub needs a local copy.
    """
    from textsimp.corpora import testsets

    rows: list[list[Any]] = [
        [part.name, corpus.language, corpus.hub, str(part.sources or ""), str(corpus.references)]
        for corpus in testsets.CORPORA
        for part in corpus.test_sets
    ]
    notes = [
        f"{corpus.corpus} ({corpus.paper}): "
        + "; ".join(filter(None, [f"licence {corpus.licence}", corpus.files, corpus.note]))
        for corpus in testsets.CORPORA
    ]
    grid = Grid(["-t", "lang", "on the Hub", "sources", "refs"], rows, notes, named=3)
    printing.print_list(form, testsets.records(), grid)


@hub.command()
@form_options
def outputs(form: str) -> None:
    """List where published systems' outputs are, and their licences.

    textsimp contains none of them. Fetched, they are systems as yours for -p, with p-values.
    """
    from textsimp.scoring import published

    records = published.table("outputs")
    rows: list[list[Any]] = [[f"github.com/{row['repository']}", row["licence"]] for row in records]
    notes = [
        f"github.com/{row['repository']}, {row['path']}: {row['systems']}, on {row['test_sets']}"
        for row in records
    ]
    printing.print_list(form, records, Grid(["repository", "licence"], rows, notes, named=2))
