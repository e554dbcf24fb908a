"""``textsimp push``: every module and page to the Hugging Face Hub."""

from __future__ import annotations

import click

from textsimp.cli import show
from textsimp.support.errors import InputError


@click.command()
@click.argument("namespace")
@click.option(
    "--wheel/--no-wheel",
    default=None,
    help="Whether Spaces bring the wheel of this version, which is built of your clone, or take "
    "it from PyPI.  [default: a wheel if it isn't on PyPI]",
)
@click.option(
    "--wheel-file",
    type=click.Path(exists=True, dir_okay=False),
    help="The wheel that they bring, built before.",
)
@click.option(
    "--dry-run", is_flag=True, help="Check everything and say what would be uploaded, and what not."
)
def push(namespace: str, wheel: bool | None, wheel_file: str | None, dry_run: bool) -> None:
    """Upload every metric and page to NAMESPACE on the Hugging Face Hub, as Spaces.

    NAMESPACE is your user name or an organisation of yours; log in with `hf auth login` before.
    After that everybody who has textsimp can write evaluate.load("NAMESPACE/sari").

    \b
    Examples:
      textsimp push my-name --dry-run
      textsimp push my-name
      textsimp push my-name --wheel-file dist/textsimp-0.1.0-py3-none-any.whl
    """
    from textsimp.hub.push import push

    if wheel_file and wheel is False:
        raise InputError("--wheel-file: expected none beside --no-wheel")
    push(namespace, wheel=wheel_file or wheel, dry_run=dry_run, say=show.line)
