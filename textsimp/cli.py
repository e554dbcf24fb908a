"""The command line."""

from __future__ import annotations

import click

from textsimp import hub
from textsimp.version import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="textsimp")
def main() -> None:
    """Measure text simplification, in numbers that can be compared."""


_namespace = click.option(
    "--namespace", default=hub.NAMESPACE, show_default=True, help="What stands before the slash."
)


@main.command()
@_namespace
def install_modules(namespace: str) -> None:
    """Make evaluate.load("NAME") find the modules, from any directory, with and without network.

    They are written to the Hugging Face modules cache. Run it again after an upgrade.
    """
    for name in hub.install_modules(namespace):
        click.echo(f'evaluate.load("{name}")')


@main.command()
@_namespace
def remove_modules(namespace: str) -> None:
    """Remove what install-modules wrote."""
    for name in hub.remove_modules(namespace):
        click.echo(f"removed {name}")
