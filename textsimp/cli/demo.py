"""``textsimp demo``."""

import shlex
from pathlib import Path

import click

from textsimp.cli.options import FORCE, documented_options
from textsimp.cli.printing import print_line
from textsimp.cli.report import report
from textsimp.cli.score import score
from textsimp.hub import shipped
from textsimp.support.files import check_new
from textsimp.support.progress import note

SYSTEMS = ("splitter", "substituter")


@click.command()
@documented_options(output="-o --output FILE")
@FORCE
@click.pass_context
def demo(context: click.Context, /, force: bool, output: str | Path = "textsimp-demo.html") -> None:
    """Score the example corpus of the package, and write a report.

    It prints the two commands that do so. Without the extra `report` it scores only.

    Args:
        output: The report to write.
    """
    check_new([Path(output)], overwrite=force)
    corpus = str(shipped("examples", "_examples") / "examples.jsonl")
    data = ["-d", corpus, *(part for name in SYSTEMS for part in ("-P", name))]
    _run(context, score, ["-m", "sari,bleu", *data])
    arguments = [*data, "-o", str(output)]
    if force:
        arguments.append("--force")
    try:
        _run(context, report, arguments)
    except ImportError as error:
        note(f"no report: {error}")


def _run(context: click.Context, command: click.Command, arguments: list[str]) -> None:
    print_line(f"$ {shlex.join(['textsimp', str(command.name), *arguments])}")
    with command.make_context(command.name, list(arguments), parent=context) as inner:
        command.invoke(inner)
    click.echo()
