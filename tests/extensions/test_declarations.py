"""What textsimp's extensions declare, and that reading it is cheap."""

import subprocess
import sys

import click
import pytest

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


@pytest.mark.parametrize("name", ["people", "judges", "tasks", "audits"])
def test_declarations_import_nothing_heavy(name):
    code = f"import sys, textsimp.extensions.{name}.extension; print('numpy' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "False\n"
