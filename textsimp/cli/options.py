"""Options of commands: from the arguments that a docstring describes, and some that many share."""

import functools
import re
from collections.abc import Callable, Iterable, Mapping
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
    "argument_options",
    "documented_options",
    "form_options",
    "passed_options",
    "sampling_options",
]

Callback = Callable[..., Any]

FILE = click.Path(readable=False)  # readers and writers check whether it exists
FORCE = click.option("--force", is_flag=True, help="Overwrite a file that is there already.")

_METAVARS = {int: "N", float: "NUMBER", Path: "FILE", str: "NAME"}
_FORMS = {
    "json": "Print JSON instead of a table.",
    "csv": "Print CSV: values, ends of intervals and p-values in columns of their own.",
    "markdown": "Print a table in Markdown.",
    "latex": "Print a table for a paper in LaTeX; it needs \\usepackage{booktabs}.",
}


def documented_options(*places: str, **flags: str) -> Callable[[Callback], Callback]:
    """Give a command an option for each of its arguments that a docstring's ``Args:`` describe.

    The option of ``per_rater: int = 40`` is ``--per-rater N``. An argument with several values,
    such as ``shares: Sequence[float]``, has an option in the singular, ``--share``, which is
    repeated. The help of the command doesn't repeat ``Args:``.

    Args:
        *places: Functions of textsimp, ``MODULE:FUNCTION``, whose docstrings describe arguments
            that the command passes on.
        **flags: Argument → other names and a placeholder, such as ``output="-o --output FILE"``.
    """

    def decorate(command: Callback) -> Callback:
        arguments = documented_arguments(command, *map(read_docstring, places))
        run = argument_options(arguments.values(), flags)(command)
        run.__doc__ = re.sub(r"\s*Args:\n(?: {8}.*\n)+ *", "", command.__doc__ or "")
        return run

    return decorate


def passed_options(
    function: Callable[..., Any], *names: str, into: str, **flags: str
) -> Callable[[Callback], Callback]:
    """Give a command options for arguments of a function; it gets them as one dict, to pass on."""

    def decorate(command: Callback) -> Callback:
        arguments = documented_arguments(function)

        @functools.wraps(command)
        def run(**values: Any) -> Any:
            passed = {name: values.pop(name) for name in (*names, *flags)}
            return command(**values, **{into: passed})

        return argument_options([arguments[name] for name in (*names, *flags)], flags)(run)

    return decorate


def argument_options(
    arguments: Iterable[Argument], flags: Mapping[str, str]
) -> Callable[[Callback], Callback]:
    """Give a command options for these arguments, see `documented_options`."""
    arguments = [*arguments]

    def decorate(command: Callback) -> Callback:
        @functools.wraps(command)
        def run(**values: Any) -> Any:
            return command(**values | {a.name: _convert(a, values[a.name]) for a in arguments})

        result: Callback = run
        for argument in reversed(arguments):
            result = _option(argument, flags.get(argument.name, ""))(result)
        return result

    return decorate


def _convert(argument: Argument, value: Any) -> Any:
    """Return what the function takes: click's choices are texts, and nothing is ()."""
    if argument.several:
        return [*value] or (None if argument.default is REQUIRED else argument.default)
    return {str(choice): choice for choice in argument.choices}.get(value, value)


def _option(argument: Argument, flag: str) -> Callable[[Callback], Callback]:
    name, kind, several, default = argument.name, argument.kind, argument.several, argument.default
    flags = [part for part in flag.split() if part.startswith("-")]
    placeholders = [part for part in flag.split() if not part.startswith("-")]
    metavar = placeholders[0] if placeholders else _METAVARS.get(kind)
    singular = name.removesuffix("s") if several else name
    more: dict[str, Any] = {"required": True} if default is REQUIRED else {}
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


def sampling_options(command: Callback) -> Callback:
    """Give a command ``--confidence``, ``--resamples`` and ``--seed``; it gets ``sampling``."""

    @click.option(
        "--confidence",
        type=float,
        default=0.95,
        metavar="NUMBER",
        help="Coverage of the intervals.",
    )
    @click.option(
        "--resamples",
        type=int,
        default=1000,
        metavar="N",
        help="Number of bootstrap resamples and of random assignments.",
    )
    @click.option("--seed", type=int, default=0, metavar="N", help="Seed of both.")
    @functools.wraps(command)
    def run(confidence: float, resamples: int, seed: int, **arguments: Any) -> Any:
        check_sampling(confidence, resamples, seed, optional=False)
        sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
        return command(sampling=sampling, **arguments)

    return run


def form_options(command: Callback) -> Callback:
    """Give a command ``--json``, …; it gets ``form``: one of `_FORMS`, or ``text``."""

    @functools.wraps(command)
    def run(**arguments: Any) -> Any:
        flags = [form for form in _FORMS if arguments.pop(f"as_{form}")]
        if len(flags) > 1:
            raise InputError(f"expected one of --{', --'.join(flags)}, got {len(flags)}")
        return command(form=flags[0] if flags else "text", **arguments)

    result: Callback = run
    for form in reversed(_FORMS):
        option = click.option(f"--{form}", f"as_{form}", is_flag=True, help=_FORMS[form])
        result = option(result)
    return result
