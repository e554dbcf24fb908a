"""Options of commands: from the arguments that a docstring describes, and some that many share."""

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.support.arguments import (
    REQUIRED,
    Argument,
    documented_arguments,
    read_docstring,
)
from textsimp.support.errors import InputError, check_sampling

__all__ = [
    "FILE",
    "FORCE",
    "Callback",
    "Decorator",
    "add_options",
    "combined_options",
    "documented_options",
    "form_options",
    "function_options",
    "sampling_options",
]

Callback = Callable[..., Any]
Decorator = Callable[[Callback], Callback]

FILE = click.Path(readable=False)  # readers and writers check whether it exists
FORCE = click.option("--force", is_flag=True, help="Overwrite a file that is there already.")

_METAVARS = {int: "N", float: "NUMBER", Path: "FILE", str: "NAME"}


def documented_options(*places: str | type, **flags: str) -> Decorator:
    """Give a command an option for each of its arguments that a docstring's ``Args:`` describe.

    The option of ``per_rater: int = 40`` is ``--per-rater N``. An argument with several values,
    such as ``shares: Sequence[float]``, has an option in the singular, ``--share``, which is
    repeated. The help of the command doesn't repeat ``Args:``.

    Args:
        *places: Functions of textsimp, ``MODULE:FUNCTION``, or classes, whose docstrings describe
            arguments that the command passes on: those with a default, or by keyword only.
        **flags: Argument → other names and a placeholder, such as ``output="-o --output FILE"``.
    """

    def decorate(command: Callback) -> Callback:
        texts = [
            inspect.getdoc(x) or "" if isinstance(x, type) else read_docstring(x) for x in places
        ]
        arguments = documented_arguments(command, *texts)
        command.__doc__ = re.sub(r"\s*Args:\n(?: {8}.*\n)+ *", "", command.__doc__ or "")
        return add_options(arguments.values(), flags, command)

    return decorate


def function_options(function: Callable[..., Any], *names: str, **flags: str) -> Decorator:
    """Give a command options for arguments of a function, to which it passes them on.

    Args:
        function: A function whose docstring describes them.
        *names: The arguments.
        **flags: Further arguments, see `documented_options`.
    """
    arguments = documented_arguments(function)
    chosen = [arguments[name] for name in (*names, *flags)]
    return functools.partial(add_options, chosen, flags)


def add_options(
    arguments: Iterable[Argument], flags: Mapping[str, str], command: Callback
) -> Callback:
    """Give a command options for arguments, see `documented_options`."""
    for argument in reversed([*arguments]):
        command = _option(argument, flags.get(argument.name, ""))(command)
    return command


def combined_options(
    name: str,
    arguments: Sequence[Argument],
    flags: Mapping[str, str],
    combine: Callable[..., Any],
) -> Decorator:
    """Give a command options whose values it gets as one argument.

    Args:
        name: The argument.
        arguments: Those that have options.
        flags: See `documented_options`.
        combine: Returns the argument, from the values by name.
    """

    def decorate(command: Callback) -> Callback:
        @functools.wraps(command)
        def run(**values: Any) -> Any:
            combined = combine(**{each.name: values.pop(each.name) for each in arguments})
            return command(**values, **{name: combined})

        return add_options(arguments, flags, run)

    return decorate


def _convert(argument: Argument, _: click.Context, option: click.Parameter, value: Any) -> Any:
    """Return what the function takes: click's choices are texts, and nothing is ()."""
    if argument.several:
        return [*value] or (None if argument.default is REQUIRED else argument.default)
    return {str(choice): choice for choice in argument.choices}.get(value, value)


def _option(argument: Argument, flag: str) -> Decorator:
    name, kind, several, default = argument.name, argument.kind, argument.several, argument.default
    flags = [part for part in flag.split() if part.startswith("-")]
    placeholders = [part for part in flag.split() if not part.startswith("-")]
    metavar = placeholders[0] if placeholders else _METAVARS.get(kind)
    singular = name.removesuffix("s") if several else name
    more: dict[str, Any] = {"callback": functools.partial(_convert, argument)}
    if default is REQUIRED:
        more["required"] = True
    if default is not REQUIRED and not (several and not default):
        more["default"] = str(default) if argument.choices and default is not None else default
    if kind is bool:
        more["is_flag"] = True
    elif argument.choices:
        more |= {"type": click.Choice([*map(str, argument.choices)]), "multiple": several}
    else:
        more |= {"type": FILE if kind is Path else kind, "metavar": metavar, "multiple": several}
        if metavar == "[FILE]":  # which may be left out
            more |= {"is_flag": False, "flag_value": ""}
    about = argument.about
    if several and not str(metavar).endswith("..."):
        about += " Repeat it for several."
    return click.option(*flags or [f"--{singular.replace('_', '-')}"], name, help=about, **more)


sampling_options = combined_options(
    "sampling",
    [
        Argument("confidence", float, default=0.95, about="Coverage of the intervals."),
        Argument(
            "resamples",
            int,
            default=1000,
            about="Number of bootstrap resamples and of random assignments.",
        ),
        Argument("seed", int, default=0, about="Seed of both."),
    ],
    {},
    functools.partial(check_sampling, optional=False),
)
"""Gives a command ``--confidence``, ``--resamples`` and ``--seed``; it gets ``sampling``."""

_FORMS = {
    "json": "Print JSON instead of a table.",
    "csv": "Print CSV: values, ends of intervals and p-values in columns of their own.",
    "markdown": "Print a table in Markdown.",
    "latex": "Print a table for a paper in LaTeX; it needs \\usepackage{booktabs}.",
}


def _choose_form(**flags: bool) -> str:
    forms = [form for form in _FORMS if flags[f"as_{form}"]]
    if len(forms) > 1:
        raise InputError(f"expected one of --{', --'.join(forms)}, got {len(forms)}")
    return forms[0] if forms else "text"


form_options = combined_options(
    "form",
    [Argument(f"as_{form}", bool, default=False, about=about) for form, about in _FORMS.items()],
    {f"as_{form}": f"--{form}" for form in _FORMS},
    _choose_form,
)
"""Gives a command ``--json``, …; it gets ``form``: one of `_FORMS`, or ``text``."""
