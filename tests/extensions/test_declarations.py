"""What extensions declare, that reading it is cheap, and rules that their commands keep."""

import click
import pytest

from tests.documentation import check_keys
from tests.options import (
    HEAVY,
    WITHOUT_LIBRARIES,
    check_force,
    commands,
    different_defaults,
    has_every_form,
    modules_of,
    run_commands,
    run_python,
    too_wide,
)
from textsimp.extensions import audits, judges, people, tasks
from textsimp.extensions.people.judgements import error_tables
from textsimp.support import extensions
from textsimp.support.arguments import documented_arguments
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
    assert HEAVY & modules_of([["task", name, "--help"] for name in tasks.TASKS]) == set()


def test_help_shows_an_example(run):
    assert "\n  textsimp " in run("audit gaming --help").output.replace("    ", "  ")


WITHOUT_FORMS = {
    *("errors merge", "figure people", "figure trust"),
    *("rate design", "rate serve", "rate sheet"),
}
"""They print no numbers."""


def test_numbers_are_printed_in_every_form():
    core = dict(commands(core=True))
    own = {name: command for name, command in commands() if name not in core}
    assert {name for name, command in own.items() if not has_every_form(command)} == WITHOUT_FORMS


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


@pytest.mark.parametrize("name", BUNDLED)
def test_declarations_import_nothing_heavy(name):
    code = f"import sys, textsimp.extensions.{name}.extension; print(*sys.modules)"
    assert not {"numpy", "importlib.metadata"} & {*run_python(code).split()}


@pytest.mark.parametrize("files", ["-p a=systems", "-p a=source.txt -p a=examples.jsonl"])
def test_audits_take_no_runs_and_say_which_commands_do(files, examples, fails):
    message = fails(f"audit errors -s source.txt -r references {files}")
    assert message.startswith("a has several files, as its runs, which only score, compare, ")
    assert message.endswith("Give each file a name of its own")


@pytest.mark.parametrize(
    "command",
    [
        "errors merge annotations -o out.jsonl",
        "rate design -s source.txt -p systems -o out.jsonl",
    ],
)
def test_a_file_that_is_there_is_overwritten_only_by_force(command, examples, run, fails):
    check_force(command, run, fails)


def test_a_name_longer_than_the_system_takes(examples, fails):
    assert "name too long" in fails(f"errors merge annotations -o {'x' * 300}")


FILES = "-s source.txt -r references"
FAST = "--resamples 20"
JSON_OF = {  # command in docs/cli.md → commands that print it
    "task NAME": [
        "task mertrans2026 --gold tasks/mertrans2026/gold.csv --predictions tasks/mertrans2026/runs"
    ],
    "meta": [f"meta -d ratings.jsonl -m bleu {FAST}"],
    "ratings": [f"ratings ratings.jsonl --rating rating {FAST}"],
    "errors table": [f"errors table labels.jsonl {FAST}", f"errors table annotations {FAST}"],
    "audit errors": [f"audit errors -m sari {FILES} -p systems/splitter.txt"],
    "task": ["task"],
    "hub models": ["hub models"],
}


@pytest.mark.parametrize("command", JSON_OF)
def test_json_has_the_keys_that_the_documentation_lists(command, examples, run):
    check_keys("Keys of extensions' commands", command, run, JSON_OF)


def test_commands_need_neither_evaluate_nor_datasets(examples):
    commands = ["ratings ratings.jsonl --rating rating", "meta -d ratings.jsonl -m sari"]
    assert run_commands(commands, WITHOUT_LIBRARIES)
