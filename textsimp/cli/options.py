"""Options that several commands share, declared once."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import click

from textsimp.cli.functions import function_options
from textsimp.core import significance
from textsimp.support.errors import InputError

__all__ = ["FORCE", "form_options", "sampling_options"]

Command = TypeVar("Command", bound=Callable[..., Any])

_SAMPLING = function_options("textsimp:compare", "confidence", "resamples", "seed", into="sampling")

_FORMS = {
    "json": "Print JSON instead of a table.",
    "csv": "Print CSV: values, ends of intervals and p-values in columns of their own.",
    "markdown": "Print a table in Markdown.",
    "latex": "Print a table for a paper in LaTeX; it needs \\usepackage{booktabs}.",
}

FORCE = click.option("--force", is_flag=True, help="Overwrite a file that is there already.")


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
