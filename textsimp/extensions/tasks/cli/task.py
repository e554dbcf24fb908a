"""``textsimp task``: a command per shared task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, run_columns
from textsimp.cli.options import (
    FILE,
    FORCE,
    add_options,
    form_options,
    sampling_options,
)
from textsimp.core.tables import Grid
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files
from textsimp.support.progress import note

if TYPE_CHECKING:
    from textsimp.extensions.tasks import Results, Task


class _Tasks(click.Group):
    """A command for each task."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from textsimp.extensions.tasks import TASKS

        return [*TASKS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from textsimp.extensions.tasks import find

        return _command(cmd_name, find(cmd_name))


@click.group(cls=_Tasks, invoke_without_command=True)
@form_options
@click.pass_context
def task(ctx: click.Context, /, form: str) -> None:
    """Score runs of a shared task as its organisers do.

    Without NAME the command lists the tasks. A task's own --help shows its files. A YAML file
    declares a task of your own, see docs/extensions/tasks.md.

    \b
    Examples:
      textsimp task
      textsimp task mertrans2026 --help
      textsimp task mertrans2026 --gold es_gold_data.csv --predictions run1.csv run2.csv
      textsimp task ours.yaml --predictions runs --page leaderboard.html
    """
    if ctx.invoked_subcommand is not None:
        return
    from textsimp.extensions.tasks import TASKS, find

    tasks = [find(name) for name in TASKS]
    fields = ("name", "years", "title", "scores", "gold", "predictions", "needs", "url")
    records = [{name: getattr(entry, name) for name in fields} for entry in tasks]
    rows = [[entry.name, ", ".join(map(str, entry.years)), entry.title] for entry in tasks]
    notes = [f"{entry.name}: {entry.scores} ({entry.url})" for entry in tasks]
    printing.print_list(form, records, Grid(["task", "years", "title"], rows, notes, named=3))


def _command(name: str, declared: Task) -> click.Command:
    """Return the command of a task, with its options."""
    about = f"{declared.title}: {declared.scores}.\n\n{declared.url}"
    if declared.needs:
        about += f"\n\nIt needs {declared.needs}."
    arguments = {**declared.options}
    if "prediction_column" in arguments:
        arguments["prediction_column"] = replace(arguments["prediction_column"], several=True)
    flags = {"prediction_column": "-P --prediction-column [RUN=]COLUMN"}

    @click.command(name, cls=DataCommand, help=about)
    @click.option(
        "--gold", type=FILE, required=not declared.gold_file, metavar="FILE", help=declared.gold
    )
    @click.option(
        "--predictions",
        type=FILE,
        multiple=True,
        required=True,
        metavar="[NAME=]FILE...",
        help=f"{declared.predictions}. Several files are several runs; a folder stands for all of "
        "its files.",
    )
    @partial(add_options, arguments.values(), flags)
    @click.option(
        "--page",
        type=FILE,
        metavar="FILE",
        help="Write a verdict and the tables as a page for the web; it replaces such a page.",
    )
    @FORCE
    @form_options
    @sampling_options
    def command(form: str, page: str | None, force: bool, **options: Any) -> None:
        from textsimp.extensions.tasks.leaderboard import is_page

        if page is not None:
            force = force or is_page(Path(page))
            check_new([Path(page)], overwrite=force)
        results = _compare(name, declared, **options)
        if page is not None:
            write_files({Path(page): results.to_page().encode()}, overwrite=force)
            note(f"written: {page}")
        if form == "json":
            printing.print_json(results.to_dict())
        else:
            printing.print_tables(form, results.tables())

    return command


def _compare(
    name: str,
    declared: Task,
    *,
    gold: str | None,
    predictions: Sequence[str],
    sampling: dict[str, Any],
    prediction_column: Sequence[str] = (),
    **options: Any,
) -> Results:
    from textsimp.extensions import tasks

    runs = _runs(predictions, declared.endings)
    if prediction_column:
        options["prediction_column"] = run_columns(prediction_column, [*runs])
    return tasks.compare(name, gold=gold, predictions=runs, **sampling, **options)


def _runs(arguments: Sequence[str], endings: Sequence[str]) -> dict[str, str]:
    """Return run → file."""
    from textsimp.corpora.reading import parse_system
    from textsimp.extensions.tasks.catalogue import name_runs

    named: list[tuple[str, str]] = []  # name, which may be missing, and file
    for argument in arguments:
        system = parse_system(argument)
        path = str(system.file)
        if not system.name and endings and Path(path).is_dir():
            inside = sorted(p for p in Path(path).rglob("*") if p.suffix in endings)
            if not inside:
                raise InputError(f"{path}: a folder without {', '.join(endings)} files")
            named += [("", str(file)) for file in inside]
        else:
            named.append((system.name or "", path))
    others = iter(name_runs([path for name, path in named if not name]))
    runs: dict[str, str] = {}
    for given, path in named:
        name = given or next(others)
        if name in runs:
            raise InputError(
                f"--predictions: two runs are called {name!r}: name them, as in NAME=FILE"
            )
        runs[name] = path
    return runs
