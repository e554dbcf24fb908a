"""Options that several commands share, declared once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from textsimp.cli.data_arguments import FILE
from textsimp.core.significance import RESAMPLES
from textsimp.support.errors import InputError
from textsimp.support.extras import require
from textsimp.support.files import check_new, write_files

_PICTURES = (".png", ".pdf", ".svg")

Command = TypeVar("Command", bound=Callable[..., Any])

_SAMPLING = (
    click.option(
        "--confidence",
        type=float,
        default=0.95,
        show_default=True,
        help="Coverage of the bootstrap intervals.",
    ),
    click.option(
        "--resamples",
        type=int,
        default=RESAMPLES,
        show_default=True,
        help="Resamples of the intervals and of the tests.",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Their seed."),
)

_FORMS = {
    "json": "Print JSON instead of a table.",
    "csv": "Print CSV: values, ends of intervals and p-values in columns of their own.",
    "markdown": "Print a table in Markdown.",
    "latex": "Print a table for a paper in LaTeX; it needs \\usepackage{booktabs}.",
}

FORCE = click.option("--force", is_flag=True, help="Overwrite a file that is there already.")


def sampling_options(command: Command) -> Command:
    """Give a command ``--confidence``, ``--resamples`` and ``--seed``."""
    for option in reversed(_SAMPLING):
        command = option(command)
    return command


def form_options(
    command: Callable[..., Any], forms: Sequence[str] = tuple(_FORMS)
) -> Callable[..., Any]:
    """Give a command ``--json``, ``--csv``, ``--markdown`` and ``--latex``, or some of them.

    The command gets ``form``: one of these, or ``text``.
    """

    @functools.wraps(command)
    def run(**arguments: Any) -> Any:
        flags = [form for form in forms if arguments.pop(f"as_{form}")]
        if len(flags) > 1:
            raise InputError(f"expected one of --{', --'.join(flags)}, got {len(flags)}")
        return command(form=flags[0] if flags else "text", **arguments)

    result: Callable[..., Any] = run
    for form in reversed(forms):
        option = click.option(f"--{form}", f"as_{form}", is_flag=True, help=_FORMS[form])
        result = option(result)
    return result


def plot_option(what: str) -> Callable[[Command], Command]:
    """Give a command ``--plot``."""
    about = f"Draw {what} (.png, .pdf or .svg)."
    return click.option("--plot", type=FILE, metavar="FILE", help=about)


def check_plot(plot: str | None, force: bool) -> None:
    """Check the file of a picture before anything is computed."""
    if plot is None:
        return
    check_new([Path(plot)], overwrite=force)
    if Path(plot).suffix.lower() not in _PICTURES:
        raise InputError(f"--plot: expected a file that ends with .png, .pdf or .svg, got {plot}")
    require("matplotlib.figure", extra="report")


def write_plot(plot: str, figure: Any, force: bool) -> None:
    """Write a picture."""
    picture = {"format": Path(plot).suffix[1:].lower(), "dpi": 200}
    write_files({Path(plot): lambda file: figure.savefig(file, **picture)}, overwrite=force)
