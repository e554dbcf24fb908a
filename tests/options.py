"""Commands, their options, and how these differ from the functions that they call."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import click

from textsimp.cli import main

HEAVY = {"evaluate", "datasets", "pyarrow", "pandas", "sacrebleu", "scipy", "matplotlib", "nltk"}
HEAVY |= {"torch"}


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


def commands(group=main, path="", *, core=False):
    """Yield the name and the command of all that are installed, or of those of the core."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ", core=core)
        elif not core or not command.callback.__module__.startswith("textsimp.extensions."):
            yield f"{path}{name}", command


def has_every_form(command):
    """Whether a command prints numbers as JSON, CSV, Markdown and LaTeX, too."""
    flags = {flag for option in command.params for flag in option.opts}
    return {"--json", "--csv", "--markdown", "--latex"} <= flags


def too_wide(command, terminal):
    """Lines that are wider than a terminal of 70 or 100 columns, without signatures."""
    return [
        line
        for width in (70, 100)
        for line in terminal(width, *command.split()).splitlines()
        if len(line) > width and " " in line
    ]


def check_force(command, run, fails):
    """The file ``out.…`` that a command writes is overwritten only with ``--force``."""
    path = Path(re.search(r"out\.\w+", command)[0])
    path.write_text("mine")
    assert fails(command) == f"{path} is there already: --force overwrites it"
    assert path.read_text() == "mine"
    assert run(f"{command} --force").exit_code == 0
    assert path.read_bytes() != b"mine"


def run_python(code):
    """What a process prints that runs code."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


WITHOUT_LIBRARIES = """
import sys
sys.modules["evaluate"] = sys.modules["datasets"] = None
"""


def run_commands(commands, before="", after=""):
    """What a process prints that runs commands, and code before and after them."""
    return run_python(f"""{before}
from textsimp.cli import main
for command in {commands}:
    main(command.split() if isinstance(command, str) else command, standalone_mode=False)
{after}""")


def modules_of(commands):
    """The modules that a process has imported after some commands."""
    printed = run_commands(commands, after="import sys; print('', 'MODULES', *sys.modules)")
    return {*printed.partition(" MODULES ")[2].split()}
