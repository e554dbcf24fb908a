"""``textsimp check``."""

from __future__ import annotations

from typing import Any

import click

from textsimp.cli import show
from textsimp.cli.data import DataCommand, data_options, read_data
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.corpora import checks


@click.command(cls=DataCommand)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all examples concerned.")
@click.pass_context
def check(context: click.Context, /, as_json: bool, **files: Any) -> None:
    """Find data problems: lost lines, mixed tokenisation, leaked references.

    Problems make scores wrong or can't be meant, such as empty outputs, a file that has lost a
    line, or outputs that are tokenised where references aren't. Notes are to be known.

    \b
    Examples:
      textsimp check -s source.txt -p systems -r references
      textsimp check -t asset_test -p output.txt --json

    Exit codes: 0 if there are no problems, 1 if there are, 2 for bad input.
    """
    data = read_data({"check": [SOURCES, PREDICTIONS, REFERENCES.optional]}, **files)
    systems = {name: data.predictions(name) for name in data.systems}
    found = checks.found(data.sources or [], data.references, systems)
    problems = sum(finding.gravity == "problem" for finding in found)
    if as_json:
        show.as_json({"problems": problems, "findings": [finding.to_dict() for finding in found]})
    else:
        for finding in found:
            show.line(str(finding))
        show.line(f"{checks.summary(found)} in {len(data):,} example{'s' * (len(data) != 1)}")
    context.exit(1 if problems else 0)
