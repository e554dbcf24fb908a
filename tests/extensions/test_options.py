"""Commands of extensions: their line of help, and the defaults of the functions that they call."""

import click
import pytest

from tests.options import different_defaults
from textsimp.extensions import audits, judges, people, tasks
from textsimp.extensions.people.judgements import error_tables
from textsimp.support import extensions
from textsimp.support.arguments import documented_arguments


@pytest.mark.parametrize("name", extensions.declarations("commands"))
def test_the_line_of_a_command_is_the_first_sentence_of_its_help(name):
    command = extensions.load("commands", name)
    assert isinstance(command, click.Command)
    declared = extensions.declarations("commands")[name].value
    assert command.get_short_help_str(limit=200) == declared.about


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("audit errors", audits.audit_errors),
        ("audit gaming", audits.audit_gaming),
        ("errors table", error_tables.tabulate),
        ("judge", judges.judge),
        ("meta", people.evaluate),
        ("rate design", people.design),
        ("ratings", people.read),
    ],
)
def test_defaults_are_those_of_the_function(name, function):
    assert different_defaults(name, function) == {}


def test_a_task_has_the_arguments_of_its_function():
    arguments = documented_arguments(tasks.find("simpletext").measure)
    assert [*arguments] == ["gold", "predictions", "year", "level", "sources"]
    assert arguments["level"].choices == ("sentence", "document")
