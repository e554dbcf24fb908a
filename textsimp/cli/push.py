"""``textsimp push``: every module and page to the Hugging Face Hub."""

from __future__ import annotations

import click

from textsimp.cli import show


@click.command()
@click.argument("namespace")
@click.option(
    "--dry-run", is_flag=True, help="Check everything and say what would be uploaded, and what not."
)
def push(namespace: str, dry_run: bool) -> None:
    """Upload every metric and page to NAMESPACE on the Hugging Face Hub, as Spaces.

    NAMESPACE is your user name or an organisation of yours; log in with `hf auth login` before.
    After that everybody can write evaluate.load("NAMESPACE/sari").

    \b
    Examples:
      textsimp push my-name --dry-run
      textsimp push my-name
    """
    from textsimp.hub.push import push

    push(namespace, dry_run=dry_run, say=show.line)
