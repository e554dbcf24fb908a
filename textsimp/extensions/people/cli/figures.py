"""``textsimp figure people`` and ``textsimp figure trust``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.cli import figure
from textsimp.cli.data_arguments import DataCommand
from textsimp.extensions.people.cli.answer_options import report_options
from textsimp.report import figures


@click.command(cls=DataCommand)
@figure.figure_options
def people(**arguments: Any) -> None:
    """Scores of systems against people's ratings.

    There is a panel for each score and criterion. Triangles are systems whose outputs are the
    sources or empty, crosses those whose outputs are mostly among the references. The numbers have
    Pearson's and Spearman's correlations of the other systems.

    \b
    Example:
      textsimp figure people -s source.txt -p systems -r references --ratings ratings.jsonl \\
          -o people.pdf
    """
    ratings = report_options.callback or str
    names = [str(option.name) for option in report_options.params]
    answers = ratings(**{name: arguments.pop(name) for name in names})
    figure.draw("people", ratings=answers, **arguments)


people.params += report_options.params


@click.command(cls=DataCommand)
@click.argument("files", nargs=-1, required=True, metavar="[SET=]FILE...")
@click.option(
    "-m", "--metric", "--metrics", "metrics", multiple=True, help="Metrics to draw. Default: all."
)
@click.option("--level", default="outputs", help="Level, as `textsimp meta` names it.")
@click.option("--coefficient", default="pearson", help="Coefficient, as `textsimp meta` names it.")
@figure.output_options
def trust(
    files: Sequence[str],
    metrics: Sequence[str],
    output: str | Path,
    force: bool,
    **arguments: Any,
) -> None:
    """How well metrics agree with people, by test set.

    FILE is what `textsimp meta` printed by --csv or --json. There is a panel for each. Scores
    called copy or empty stand apart.

    \b
    Example:
      textsimp meta -d ratings.jsonl -m sari,bleu --csv > simpeval.csv
      textsimp figure trust SimpEval=simpeval.csv -o trust.pdf
    """
    figures.check_paths(output, overwrite=force)
    pairs = [file.rpartition("=") for file in files]
    sets = {name or Path(file).stem: file for name, _, file in pairs}
    chart = figures.figure("trust", sets, metrics=[*metrics] or None, **arguments)
    figure.save(chart, output, force=force)
