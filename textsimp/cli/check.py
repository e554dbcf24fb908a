"""``textsimp check``."""

from __future__ import annotations

from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, data_options, read_data
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.corpora import checks


@click.command(cls=DataCommand)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all examples concerned.")
@click.pass_context
def check(context: click.Context, /, as_json: bool, **files: Any) -> None:
    """Find data problems: lost lines, mixed tokenisation, leaked references.

    A problem makes scores wrong: empty outputs, a file that has lost a line, outputs that are
    tokenised where references aren't. A note is worth knowing, such as many copies of the source.

    \b
    Examples:
      textsimp check -s source.txt -p systems -r references
      textsimp check -t asset_test -p output.txt --json

    Exit codes: 0 if there are no problems, 1 if there are, 2 for bad input.
    """
    data = read_data({"check": [SOURCES, PREDICTIONS, REFERENCES.optional]}, **files)
    systems = {name: data.predictions(name) for name in data.systems}
    findings = checks.run(data.sources or [], data.references, systems)
    problems = sum(finding.gravity == "problem" for finding in findings)
    if as_json:
        plain = [finding.to_dict() for finding in findings]
        printing.print_json({"problems": problems, "findings": plain})
    else:
        for finding in findings:
            printing.print_line(str(finding))
        many = "s" * (len(data) != 1)
        printing.print_line(f"{checks.summary(findings)} in {len(data):,} example{many}")
    context.exit(1 if problems else 0)
