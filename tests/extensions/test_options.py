"""Options of extensions' commands: the defaults of the functions that they call."""

import pytest

from tests.options import different_defaults
from textsimp.extensions import audits, judges, people, tasks
from textsimp.extensions.people.judgements import error_tables
from textsimp.support.arguments import documented_arguments


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
