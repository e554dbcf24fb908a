"""Options that several commands share, declared once."""

import contextlib
import functools
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from textsimp.cli.data_arguments import DataCommand, check_outputs
from textsimp.cli.functions import FILE, function_options
from textsimp.core import significance
from textsimp.corpora.files import note
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

Command = TypeVar("Command", bound=Callable[..., Any])

_SAMPLING = function_options("textsimp:compare", "confidence", "resamples", "seed", into="sampling")

_FORMS = {
    "json": "Print JSON instead of a table.",
    "csv": "Print CSV: values, ends of intervals and p-values in columns of their own.",
    "markdown": "Print a table in Markdown.",
    "latex": "Print a table for a paper in LaTeX; it needs \\usepackage{booktabs}.",
}

OVERWRITE = "Overwrite a file that is there already."
FORCE = click.option("--force", is_flag=True, help=OVERWRITE)


def sampling_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``--confidence``, ``--resamples`` and ``--seed``; it gets ``sampling``."""

    @functools.wraps(command)
    def run(sampling: dict[str, Any], **arguments: Any) -> Any:
        significance.check(**sampling, optional=False)
        return command(sampling=sampling, **arguments)

    return _SAMPLING(run)


def form_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command ``--json``, …; it gets ``form``: one of `_FORMS`, or ``text``."""

    @functools.wraps(command)
    def run(**arguments: Any) -> Any:
        flags = [form for form in _FORMS if arguments.pop(f"as_{form}")]
        if len(flags) > 1:
            raise InputError(f"expected one of --{', --'.join(flags)}, got {len(flags)}")
        return command(form=flags[0] if flags else "text", **arguments)

    result: Callable[..., Any] = run
    for form in reversed(_FORMS):
        option = click.option(f"--{form}", f"as_{form}", is_flag=True, help=_FORMS[form])
        result = option(result)
    return result


def add_output(command: click.Command) -> None:
    """Give a command, or each of a group, ``--output FILE`` unless it has its own."""
    if isinstance(command, click.Group):
        for one in command.commands.values():
            add_output(one)
        return
    names = [parameter.name for parameter in command.params]
    if "output" in names or command.name == "serve":  # a page, whose address must be seen
        return
    callback, owns_force = command.callback, "force" in names
    assert callback is not None

    def run(output: str | None, force: bool, **arguments: Any) -> None:
        arguments |= {"force": force} if owns_force else {}
        if output is None:
            callback(**arguments)
            return
        check_new([Path(output)], overwrite=force)
        if isinstance(command, DataCommand):
            check_outputs([Path(output)], **arguments)
        printed = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="\n")
        left = None
        with contextlib.redirect_stdout(printed):
            try:
                callback(**arguments)
            except click.exceptions.Exit as error:  # an exit code, such as that of `check`
                left = error
        printed.seek(0)
        write_files({Path(output): printed.buffer.read()}, overwrite=force)
        note(f"written: {output}")
        if left is not None:
            raise left

    command.callback = run
    about = "Write what is printed to FILE, in UTF-8."
    option = click.Option(["-o", "--output"], type=FILE, metavar="FILE", help=about)
    force = click.Option(["--force"], is_flag=True, help=OVERWRITE)
    command.params += [option] if owns_force else [option, force]
