"""What extensions declare, that reading it is cheap, and rules that their commands keep."""

import subprocess
import sys

import click
import pytest

from tests.options import HEAVY, commands, has_every_form, modules_of, too_wide
from textsimp.extensions.tasks import TASKS
from textsimp.support import extensions
from textsimp.support.extensions import BUNDLED, load

COMMANDS = extensions.declarations("commands")


def test_every_extension_declares_itself():
    names = {one.name for one in extensions.installed() if one.package == "textsimp"}
    assert names <= {*BUNDLED}
    assert names >= {"people", "judges", "tasks", "audits"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_a_command_is_the_first_sentence_of_its_help(name):
    command = load("commands", name)
    assert isinstance(command, click.Command)
    assert command.get_short_help_str(limit=200) == COMMANDS[name].value.about


def test_help_of_a_task_imports_nothing_heavy():
    assert HEAVY & modules_of([["task", name, "--help"] for name in TASKS]) == set()


def test_help_shows_an_example(run):
    assert "\n  textsimp " in run("audit gaming --help").output.replace("    ", "  ")


WITHOUT_FORMS = {"errors merge", "rate design", "rate serve", "rate sheet"}
"""They print no numbers."""


def test_numbers_are_printed_in_every_form():
    core = dict(commands(core=True))
    own = {name: command for name, command in commands() if name not in core}
    assert {name for name, command in own.items() if not has_every_form(command)} == WITHOUT_FORMS


@pytest.mark.parametrize(
    "command",
    [
        "audit gaming -m fkgl_components -p systems/splitter.txt --repeats 2 --share 1",
        "hub models",
        "ratings ratings.jsonl --rating rating --resamples 20",
        "task",
    ],
)
def test_no_line_is_wider_than_the_terminal(command, examples, terminal):
    assert too_wide(command, terminal) == []


@pytest.mark.parametrize("name", ["people", "judges", "tasks", "audits"])
def test_declarations_import_nothing_heavy(name):
    code = f"import sys, textsimp.extensions.{name}.extension; print('numpy' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "False\n"
