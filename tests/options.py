"""Options of commands, compared with the functions that they call."""

import inspect

import click

from textsimp.cli import main


def different_defaults(path, function):
    """Option → its default and that of the function's argument of the same name, if they differ."""
    command = main
    for name in path.split():
        command = command.get_command(click.Context(main), name)
    context = command.make_context(command.name, ["1"], resilient_parsing=True)
    expected = {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if isinstance(parameter.default, (bool, int, float, str, tuple))
    }
    return {
        name: (value, expected[name])
        for name, value in context.params.items()
        if name in expected and type(value) is type(expected[name]) and value != expected[name]
    }
