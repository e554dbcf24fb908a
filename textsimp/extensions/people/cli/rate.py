"""``textsimp rate``: studies in which people rate outputs, and the page where they do."""

import secrets
import threading
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, Files, data_options
from textsimp.cli.options import FILE, FORCE, documented_options
from textsimp.core import tables
from textsimp.core.cells import runs
from textsimp.support.errors import InputError, check_integer
from textsimp.support.files import check_new, write_files

if TYPE_CHECKING:
    from textsimp.extensions.people import Plan
    from textsimp.extensions.people.judgements.tool_projects import Tool


@click.group()
def rate() -> None:
    """Let people rate outputs: write a plan, then serve a page or write sheets for it."""


@rate.command(cls=DataCommand)
@data_options
@documented_options(
    "textsimp.extensions.people.judgements.assignment:design",
    scheme="--scheme NAME|FILE",
    names="--names NAME...",
    output="-o --output FILE",
    potato="--potato FOLDER",
    label_studio="--label-studio FOLDER",
)
@FORCE
def design(
    files: Files,
    force: bool,
    output: str | Path,
    scheme: str | Path = "likert",
    raters: int = 3,
    names: Sequence[str] = (),
    items: int | None = None,
    outputs: int | None = None,
    per_rater: int | None = None,
    per_output: int | None = None,
    controls: bool = False,
    seed: int = 0,
    potato: str | Path | None = None,
    label_studio: str | Path | None = None,
    drop_flagged: bool = False,
) -> None:
    """Plan which rater sees what, in which order.

    Raters don't see systems. Each source's outputs are spread over raters by a Latin square. Equal
    outputs are shown once. What is printed: the number of ratings, the time, and each rater's link,
    which follows the address of the page. Its token stands in the plan: keep it to yourself.

    \b
    Examples:
      textsimp rate design -s source.txt -p systems --per-rater 40 -o plan.jsonl
      textsimp rate design -s source.txt -p systems -r references --scheme pairwise -o plan.jsonl
      textsimp rate design -s source.txt -p systems --label-studio project -o plan.jsonl
      textsimp rate design -s source.txt -p systems --items 30 --drop-flagged -o plan.jsonl

    Args:
        output: The plan: JSONL, a screen a row.
        potato: Write a project of Potato, too.
        label_studio: Write a project of Label Studio, too.
        drop_flagged: Leave out sources with an output that `textsimp check` finds unsound: empty,
            a reply, in a wrong row.
    """
    from textsimp.cli.data_reading import read_data
    from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
    from textsimp.corpora import checks
    from textsimp.extensions import people
    from textsimp.scoring.soundness import ENDS, find_unsound, warn_of_ranking

    path = Path(output)
    check_new([path], overwrite=force)
    data = read_data({"rate design": [SOURCES, PREDICTIONS, REFERENCES.optional]}, files)
    systems = {name: data.predictions(name) for name in data.systems}
    rows = data.numbers or range(1, len(data) + 1)
    checked = drop_flagged or len(data) <= 2 * ENDS  # checks of more take longer than the design
    findings = checks.run(data.sources or [], data.references, systems) if checked else []
    flagged = _list_flagged(find_unsound(findings, data), rows)
    left_out = {*chain(*flagged.values())} if drop_flagged else set()
    if len(left_out) == len(data):
        raise InputError("--drop-flagged: every source has an unsound output: see textsimp check")
    plan = people.design(
        data.sources or [],
        systems,
        scheme,
        references=data.references,
        raters=raters,
        names=names,
        items=items,
        outputs=outputs,
        numbers=rows,
        leave_out=left_out,
        per_rater=per_rater,
        per_output=per_output,
        controls=controls,
        seed=seed,
    )
    plan = plan.with_tokens()
    projects = _export(plan, {"potato": potato, "label_studio": label_studio})
    write_files({path: tables.json_lines(plan.to_dicts()).encode(), **projects}, overwrite=force)
    printing.print_sentence(*plan.describe(), warn_of_ranking(findings, data))
    what = "left out" if drop_flagged else "flagged (--drop-flagged leaves them out)"
    for kind, numbers in flagged.items():
        printing.print_sentence(f"{what}: {checks.WHAT[kind]} in items {', '.join(runs(numbers))}")
    printing.print_line(f"written: {output}")
    for line in plan.links():
        printing.print_line(line)


def _export(plan: "Plan", folders: Mapping["Tool", str | Path | None]) -> dict[Path, bytes]:
    """Return the files of projects of tools, by the folders of those that are asked for."""
    from textsimp.extensions.people import export_project

    return {
        Path(folder, name): text.encode()
        for tool, folder in folders.items()
        if folder is not None
        for name, text in export_project(plan, tool).items()
    }


def _list_flagged(
    unsound: Mapping[str, Mapping[str, Collection[int]]], numbers: Sequence[int]
) -> dict[str, set[int]]:
    """Return kind → the numbers of the sources of which a system's output is unsound."""
    flagged: dict[str, set[int]] = {}
    for kinds in unsound.values():
        for kind, examples in kinds.items():
            flagged.setdefault(kind, set()).update(numbers[i - 1] for i in examples)
    return flagged


@rate.command()
@click.argument("plan", type=FILE)
@documented_options(output="-o --output FOLDER")
@FORCE
def sheet(plan: str, output: str | Path, force: bool, scheme: str | Path | None = None) -> None:
    """Write a spreadsheet for each rater, in place of a page.

    The first sheet has the instructions, the second the texts without systems, with lists of
    choices. When raters have sent them back, `textsimp ratings sheets/*.xlsx --plan PLAN` reads
    them.

    \b
    Example:
      textsimp rate design -s source.txt -p systems --names anna ben -o plan.jsonl
      textsimp rate sheet plan.jsonl -o sheets

    Args:
        output: The folder, with a file for each rater.
        scheme: The scheme, if it is your own.
    """
    from textsimp.extensions import people

    books = people.export_sheets(people.read_plan(plan, scheme))
    files = {Path(output, name): book for name, book in books.items()}
    check_new([*files], overwrite=force)
    write_files(files, overwrite=force)
    for path in files:
        printing.print_line(f"written: {path}")


@rate.command()
@click.argument("plan", type=FILE)
@documented_options(answers="--answers FOLDER", hosts="--allow-host NAME", by_name="--open")
def serve(
    plan: str,
    answers: str | Path = "answers",
    scheme: str | Path | None = None,
    host: str = "127.0.0.1",
    port: int = 7860,
    hosts: Sequence[str] = (),
    by_name: bool = False,
) -> None:
    """Serve the page on which people rate what a plan has for them.

    PLAN is a file of `textsimp rate design`. Raters open their link, which is printed, read the
    instructions, practise if the scheme has practice, and rate. Every answer is kept at once.
    Several raters may rate at the same time. Another link, for you alone, shows how far they are.
    Ctrl-C ends the page.

    \b
    Examples:
      textsimp rate serve plan.jsonl
      textsimp rate serve plan.jsonl --answers pilot --host 0.0.0.0

    Args:
        answers: Where answers are kept, a file for each rater. Given again, they go on.
        scheme: The scheme, if it is your own.
        host: 0.0.0.0: for the network.
        port: Of the address.
        hosts: Another name by which raters open the page, such as rate.example.org.
        by_name: Raters choose their name, in place of a link. Anybody can rate by any of them.
    """
    from textsimp.extensions.people import read_plan
    from textsimp.extensions.people.page import build_rate

    check_integer("--port", port, 1, 65535)
    if Path(answers).exists() and not Path(answers).is_dir():
        raise InputError(f"{answers} is a file: expected a folder")
    study = read_plan(plan, scheme)
    if not study.tokens and not by_name:
        printing.print_line(f"{plan} has no tokens: these links are new with every start")
        study = study.with_tokens()
    owner = secrets.token_urlsafe(16)
    page = build_rate(study, answers=answers, hosts=[host, *hosts], by_name=by_name, owner=owner)
    try:
        _, address, _ = page.launch(
            server_name=host, server_port=port, prevent_thread_lock=True, quiet=True
        )
    except OSError as error:
        raise InputError(f"--port {port}: expected one that is free on {host}") from error
    printing.print_line(f"{address} (Ctrl-C ends it; answers are in {answers})")
    printing.print_line(f"your page, to see how far raters are: {address}owner?token={owner}")
    for line in [] if by_name else study.links(address):
        printing.print_line(line)
    try:
        threading.Event().wait()
    finally:
        page.close(verbose=False)
