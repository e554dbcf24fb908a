"""Options of commands are the arguments of functions."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import click
import pytest

import textsimp
from tests.options import commands, different_defaults, has_every_form, too_wide
from textsimp.cli import main
from textsimp.cli.options import function_options
from textsimp.report.figures import KINDS

# Options that are about something else in each command.
OWN = {
    *("--examples", "--level", "--metrics", "--output", "--rating", "--references", "--scheme"),
    *("--share", "--sizes", "--source-column", "--target-column", "--variant", "--year"),
}


PLAIN = {"--seed", "--source-column"}  # of commands that split corpora


def test_every_option_is_explained():
    options = [
        (command, option.opts)
        for command, declared in commands()
        for option in declared.params
        if isinstance(option, click.Option) and not option.help and option.opts[-1] not in PLAIN
    ]
    assert options == []


WITHOUT_FORMS = {  # they print no numbers, or a table of their own
    *("demo", "explain", "hub install", "hub remove", "metrics", "report", "statement"),
    *(f"figure {kind}" for kind in KINDS),
}


def test_numbers_are_printed_in_every_form():
    without = {name for name, command in commands(core=True) if not has_every_form(command)}
    assert without == WITHOUT_FORMS


FILES = "-s source.txt -p systems -r references --resamples 20"


@pytest.mark.parametrize(
    "command",
    [
        "check -s source.txt -p systems -r references --each",
        "hub datasets",
        "hub outputs",
        "documents -s source.txt -t references/0.txt",
        "metrics",
        "metrics sari",
        f"power {FILES}",
        f"compare -m sari,bleu {FILES} --all",
        f"compare -m fkgl_components:easse {FILES}",
        f"score -m bleu {FILES} --all",
    ],
)
def test_no_line_is_wider_than_the_terminal(command, examples, terminal):
    assert too_wide(command, terminal) == []


def test_an_option_has_one_default_in_all_commands():
    defaults = {}
    for command, declared in commands():
        context = declared.make_context(
            command, ["1"], resilient_parsing=True, **main.context_settings
        )
        for option in declared.params:
            if option.opts[-1] not in OWN and not isinstance(option, click.Argument):
                default = context.params[option.name] or None
                defaults.setdefault(option.opts[-1], {}).setdefault(default, []).append(command)
    assert {name: [*found] for name, found in defaults.items() if len(found) > 1} == {}


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


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("compare", textsimp.compare),
        ("merge", textsimp.merge),
        ("power", textsimp.power),
        ("report", textsimp.report.html),
        ("statement", textsimp.statement),
    ],
)
def test_defaults_are_those_of_the_function(name, function):
    assert different_defaults(name, function) == {}


def toy(
    text: str,
    *,
    names: str | Sequence[str] | None = None,
    level: Literal["nominal", "ordinal", "interval"] = "interval",
    count: int = 2,
    sure: bool = False,
    path: str | Path | None = None,
) -> None:
    """Do nothing.

    Args:
        text: What is read.
        names: Names, also in
            a second line.
        level: A ``Literal``.
        count: A number.
        sure: Whether it is sure.
        path: A file.
    """


def toy_command():
    flags = {"names": "--name TEXT", "level": "--sort"}
    options = function_options(toy, "count", "sure", "path", **flags)
    return click.command()(options(lambda **arguments: arguments))
