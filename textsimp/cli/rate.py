"""``textsimp rate``: studies in which people rate outputs, and the page where they do."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import FILE, DataCommand, data_options, read_data
from textsimp.cli.functions import function_options
from textsimp.cli.options import FORCE
from textsimp.core import tables
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

if TYPE_CHECKING:
    from textsimp.judgements.tool_projects import Tool


@click.group()
def rate() -> None:
    """Let people rate outputs: design a study, serve its page."""


@rate.command(cls=DataCommand)
@data_options
@function_options(
    "textsimp.judgements:design",
    *("raters", "per_rater", "per_output", "controls", "seed"),
    into="study",
    scheme="--scheme NAME|FILE",
)
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="FILE",
    help="The plan: JSONL, a screen a row.",
)
@click.option("--potato", type=FILE, metavar="FOLDER", help="Write a project of Potato, too.")
@click.option(
    "--label-studio", type=FILE, metavar="FOLDER", help="Write a project of Label Studio, too."
)
@FORCE
def design(
    study: dict[str, Any],
    output: str,
    potato: str | None,
    label_studio: str | None,
    force: bool,
    **files: Any,
) -> None:
    """Plan which rater sees what, in which order.

    Raters don't see systems. Each source's outputs are spread over raters by a Latin square. Equal
    outputs are shown once. What is printed: the number of ratings, the time, and the smallest
    difference that the study can detect.

    \b
    Examples:
      textsimp rate design -s source.txt -p systems --per-rater 40 -o plan.jsonl
      textsimp rate design -s source.txt -p systems -r references --scheme pairwise -o plan.jsonl
      textsimp rate design -s source.txt -p systems --label-studio project -o plan.jsonl
    """
    from textsimp import judgements
    from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
    from textsimp.scoring.soundness import check_ends, warn_of_ranking

    path = Path(output)
    check_new([path], overwrite=force)
    data = read_data({"rate design": [SOURCES, PREDICTIONS, REFERENCES.optional]}, **files)
    systems = {name: data.predictions(name) for name in data.systems}
    plan = judgements.design(data.sources or [], systems, references=data.references, **study)
    written = {path: tables.json_lines(plan.to_dicts()).encode()}
    projects: list[tuple[str | None, Tool]] = [(potato, "potato"), (label_studio, "label_studio")]
    for folder, tool in projects:
        if folder is not None:
            project = judgements.export_project(plan, tool)
            written |= {Path(folder, name): text.encode() for name, text in project.items()}
    write_files(written, overwrite=force)
    for line in filter(None, [*plan.describe(), warn_of_ranking(check_ends(data), data)]):
        printing.print_sentence(line)
    printing.print_line(f"written: {output}")


@rate.command()
@click.argument("plan", type=FILE)
@click.option(
    "--answers",
    type=FILE,
    default="answers",
    metavar="FOLDER",
    help="Where answers are kept, a file for each rater. Given again, they go on.",
)
@click.option("--scheme", type=FILE, metavar="FILE", help="The scheme, if it is your own.")
@click.option("--host", default="127.0.0.1", help="0.0.0.0: for the network.")
@click.option("--port", type=click.IntRange(1, 65535), default=7860, help="Of the address.")
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="Another name by which raters open the page, such as rate.example.org; repeat it for "
    "several.",
)
def serve(
    plan: str, answers: str, scheme: str | None, host: str, port: int, hosts: Sequence[str]
) -> None:
    """Serve the page on which people rate what a plan has for them.

    PLAN is a file of `textsimp rate design`. Raters choose their name, read the instructions,
    practise if the scheme has practice, and rate. Every answer is kept at once. Several raters may
    rate at the same time. Ctrl-C ends the page.

    \b
    Examples:
      textsimp rate serve plan.jsonl
      textsimp rate serve plan.jsonl --answers pilot --host 0.0.0.0
    """
    from textsimp.demo import build_rate

    if Path(answers).exists() and not Path(answers).is_dir():
        raise InputError(f"{answers} is a file: expected a folder")
    page = build_rate(plan, answers=answers, scheme=scheme, hosts=[host, *hosts])
    try:
        _, address, _ = page.launch(
            server_name=host, server_port=port, prevent_thread_lock=True, quiet=True
        )
    except OSError as error:
        raise InputError(f"--port {port}: expected one that is free on {host}") from error
    printing.print_line(f"{address} (Ctrl-C ends it; answers are in {answers})")
    try:
        threading.Event().wait()
    finally:
        page.close(verbose=False)
