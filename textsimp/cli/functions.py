"""Options of commands from the arguments of functions."""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.support.arguments import REQUIRED, Argument, documented_arguments, read_argument

__all__ = ["FILE", "argument_options", "function_options", "own_options"]

Command = Callable[..., Any]

FILE = click.Path(readable=False)  # readers and writers check whether it exists

_METAVARS = {int: "N", float: "NUMBER", Path: "FILE", str: "NAME"}


def function_options(
    path: str,
    *names: str,
    into: str | None = "settings",
    more: Any = None,
    **flags: str,
) -> Callable[[Command], Command]:
    """Give a command options for arguments of a function; it gets their values as one dict.

    The option of ``per_rater`` is ``--per-rater N``. Types, defaults and help are those of the
    function. An argument with several values, such as ``shares``, has an option in the singular,
    which is repeated.

    Args:
        path: Where the function is, such as ``"textsimp.extensions.audits:audit_gaming"``.
        *names: Names of its arguments.
        into: The command's argument for the dict; None to pass each value by its own name.
        more: Argument → what else ``click.option`` takes, such as a ``callback``.
        **flags: Argument → another option, such as ``criteria="--rating COLUMN"``.
    """
    arguments = [read_argument(path, name) for name in (*names, *flags)]
    return argument_options(arguments, into, flags, more or {})


def argument_options(
    arguments: Sequence[Argument],
    into: str | None,
    flags: Mapping[str, str],
    more: Mapping[str, Mapping[str, Any]],
) -> Callable[[Command], Command]:
    """Give a command options for arguments, see `function_options`."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def run(**given: Any) -> Any:
            settings = {one.name: _convert(one, given.pop(one.name)) for one in arguments}
            return command(**given, **({into: settings} if into else settings))

        result: Command = run
        for one in reversed(arguments):
            result = _option(one, flags.get(one.name, ""), more.get(one.name, {}))(result)
        return result

    return decorate


def own_options(**flags: str) -> Callable[[Command], Command]:
    """Give a command options for those of its own arguments that its ``Args:`` describe.

    They aren't repeated in its help. ``flags`` are as those of `function_options`.
    """

    def decorate(command: Command) -> Command:
        path = f"{command.__module__}:{command.__name__}"
        declared = [read_argument(path, name) for name in documented_arguments(path)]
        run = argument_options(declared, None, flags, {})(command)
        run.__doc__ = re.sub(r"\s*Args:\n(?: {8}.*\n)+ *", "", command.__doc__ or "")
        return run

    return decorate


def _convert(argument: Argument, value: Any) -> Any:
    """Return what the function takes: click's choices are texts, and nothing is ()."""
    if argument.several:
        return [*value] or (None if argument.default is REQUIRED else argument.default)
    return {str(choice): choice for choice in argument.choices}.get(value, value)


def _option(argument: Argument, flag: str, further: Mapping[str, Any]) -> Callable[[Any], Any]:
    name, kind, several, default = argument.name, argument.kind, argument.several, argument.default
    *flags, last = flag.split() or [""]
    metavar = last if flags and not last.startswith("-") else _METAVARS.get(kind)
    flags = [*flags, *([last] if last.startswith("-") else [])]
    flags = flags or [f"--{(name.removesuffix('s') if several else name).replace('_', '-')}"]
    more: dict[str, Any] = {"required": True} if default is REQUIRED else {}
    if default is not REQUIRED and not (several and not default):
        more["default"] = str(default) if argument.choices and default is not None else default
    if kind is bool:
        more["is_flag"] = True
    else:
        more |= {"type": FILE if kind is Path else kind, "metavar": metavar, "multiple": several}
    if argument.choices:
        more |= {"type": click.Choice([*map(str, argument.choices)]), "metavar": None}
    repeated = " Repeat it for several." * (several and not str(metavar).endswith("..."))
    return click.option(*flags, name, help=argument.about + repeated, **more, **further)
