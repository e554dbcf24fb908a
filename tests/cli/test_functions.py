"""Options of commands are the arguments of functions."""

import importlib
import inspect
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

from textsimp.cli import main
from textsimp.cli.functions import REQUIRED, function_options, read_argument
from textsimp.judgements.agreement import Level

FUNCTIONS = (
    "textsimp.audits.gaming_audit:audit_gaming",
    "textsimp.audits.error_audit:audit_errors",
    "textsimp.scoring.power:power",
)
# Options that are about something else in each command.
OWN = {
    *(
        "--examples",
        "--level",
        "--metrics",
        "--output",
        "--references",
        "--scheme",
        "--share",
        "--sizes",
    ),
    *("--source-column", "--target-column", "--variant"),
}


def commands(group=main, path=""):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


def test_an_option_has_one_default_in_all_commands():
    defaults = {}
    for command, declared in commands():
        context = declared.make_context(command, ["1"], resilient_parsing=True)
        for option in declared.params:
            if option.opts[-1] not in OWN and not isinstance(option, click.Argument):
                default = context.params[option.name] or None
                defaults.setdefault(option.opts[-1], {}).setdefault(default, []).append(command)
    assert {name: [*found] for name, found in defaults.items() if len(found) > 1} == {}


@pytest.mark.parametrize("path", FUNCTIONS)
def test_defaults_are_read_as_python_has_them(path):
    module, function = path.split(":")
    signature = inspect.signature(getattr(importlib.import_module(module), function))
    for name in ("examples", "shares", "repeats", "confidence", "resamples", "seed", "baseline"):
        if name in signature.parameters:
            assert read_argument(path, name).default == signature.parameters[name].default


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ([], {"names": None, "level": "interval", "count": 2, "sure": False, "path": None}),
        (["--name", "a", "--name", "b"], {"names": ["a", "b"]}),
        (["--sort", "nominal", "--count", "3", "--sure"], {"level": "nominal", "count": 3}),
        (["--path", "x.txt"], {"path": "x.txt"}),
    ],
)
def test_a_command_gets_what_the_function_takes(arguments, given):
    found = toy_command().main(arguments, standalone_mode=False)
    assert given.items() <= found.items()


def test_help_is_that_of_the_docstring():
    with click.Context(toy_command()) as context:
        text = toy_command().get_help(context)
    assert "--name TEXT" in text
    assert "--sort [nominal|ordinal|interval]" in text
    assert " ".join(text.split()).count("Names, also in a second line. Repeat it for several.") == 1
    assert "Whether it is sure." in text


def test_an_argument_without_a_default_is_required():
    assert read_argument(f"{__name__}:toy", "text").default is REQUIRED


def toy(
    text: str,
    *,
    names: str | Sequence[str] | None = None,
    level: Level = "interval",
    count: int = 2,
    sure: bool = False,
    path: str | Path | None = None,
) -> None:
    """Do nothing.

    Args:
        text: What is read.
        names: Names, also in
            a second line.
        level: A ``Literal`` of another module.
        count: A number.
        sure: Whether it is sure.
        path: A file.
    """


def toy_command():
    names = ("count", "sure", "path")
    options = function_options(f"{__name__}:toy", *names, names="--name TEXT", level="--sort")
    return click.command()(options(lambda settings: settings))
