"""``textsimp statement``."""

from collections.abc import Sequence
from pathlib import Path

import click

from textsimp.cli.options import FILE, documented_options


@click.command
@click.argument("files", type=FILE, nargs=-1, required=True)
@documented_options(
    "textsimp.report.statement:statement", scheme="--scheme NAME|FILE", as_json="--json"
)
def statement(
    files: Sequence[str],
    scheme: str | Path | None = None,
    plan: str | Path | None = None,
    latex: bool = False,
    as_json: bool = False,
) -> None:
    """Answer the checklist of ACL Rolling Review from saved results.

    FILES are what `textsimp score --json` or `textsimp compare --json` printed, reports (.html),
    and people's or language models' answers. Brackets mark what results don't tell: fill it in.

    \b
    Examples:
      textsimp score -m sari,bleu -s source.txt -p systems -r references --json > scores.json
      textsimp statement scores.json
      textsimp statement scores.json answers --latex

    Args:
        latex: Print LaTeX instead of Markdown.
        as_json: Print JSON: question → sentences.
    """
    from textsimp.cli import printing
    from textsimp.report.statement import statement as write

    text = write(files, scheme, plan)
    if as_json:
        printing.print_json(text.to_dict())
    else:
        click.echo(text.to_latex() if latex else text.to_markdown(), nl=False)
