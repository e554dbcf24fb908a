"""Commands and metrics of other packages: the example of the documentation, and what goes wrong."""

import os
import re
import subprocess
import sys

import click
import pytest

from tests.packages import install
from tests.project import EXAMPLES, PROJECT
from textsimp.cli import main

PAGE = (PROJECT / "docs" / "cli.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## An extension of your own")[2]
FILES = re.findall(r"^```\w+\n# (\S+)\n(.*?)^```", SECTION, re.DOTALL | re.MULTILINE)
COMMANDS = re.findall(r"^\$ (.*)\n(.*)$", SECTION, re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder into which pip has installed the package of the page."""
    project, folder = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("site")
    for name, code in FILES:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(code, encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--no-index", "--target", folder, project], check=True)
    return folder


def script(command, site):
    return subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=EXAMPLES,
        env={**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{PROJECT}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_page_shows_a_package_of_three_files_and_two_commands():
    assert len(FILES) == 3
    assert len(COMMANDS) == 2


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_what_the_page_shows_is_printed(command, shown, site):
    done = script(command, site)
    assert (done.stderr, done.stdout) == ("", f"{shown}\n")


def test_help_lists_the_command(site):
    listed = script("textsimp --help", site).stdout
    assert "Extensions:\n  commas  Count the commas of a file.\n" in listed
    assert "Count the commas" in script("textsimp commas --help", site).stdout


def declare(folder, module, commands, *, module_of_command=None, code=""):
    """Install a package that declares commands: name → its line of help."""
    place = f"{module_of_command or module}:command"
    declared = {name: f"Command({place!r}, {line!r})" for name, line in commands.items()}
    pairs = ", ".join(f"{name!r}: {command}" for name, command in declared.items())
    lines = [
        "import click",
        "from textsimp.support.extensions import Command, Extension",
        f"EXTENSION = Extension(commands={{{pairs}}})",
        f"@click.command()\ndef command():\n    click.echo({module!r})",
        code,
    ]
    entry = f"[textsimp.extensions]\n{module} = {module}:EXTENSION\n"
    install(folder, module, entry, **{module: "\n".join(lines)})


def test_a_subcommand_of_hub_may_be_that_of_a_package(packages, run):
    declare(packages, "loud", {"hub loud": "Be loud."})
    assert run("hub loud").stdout == "loud\n"
    assert re.search(r"\n  loud +Be loud\.", run("hub --help").stdout)
    assert "loud" not in run("--help").stdout


def test_a_command_that_cannot_be_imported_leaves_the_help_whole(packages, run):
    declare(packages, "loud", {"loud": "Be loud."}, module_of_command="loud_nowhere")
    listed = run("--help")
    assert listed.exit_code == 0
    assert "\n  loud  Be loud." in listed.stdout
    result = run("loud")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: loud_nowhere:command of the package loud can't be ")


def test_the_tab_key_imports_no_command(packages):
    declare(packages, "loud", {"demonstrate": "Be loud."}, module_of_command="loud_nowhere")
    items = main.shell_complete(click.Context(main), "dem")
    assert [item.value for item in items] == ["demo", "demonstrate"]
    assert items[1].help == "Be loud."


def test_help_says_which_extensions_cannot_be_imported(packages, run):
    declare(packages, "loud", {"loud": "Be loud."}, code="import a_missing_module")
    listed = run("--help")
    assert listed.exit_code == 0
    reason = "loud:EXTENSION of the package loud can't be imported: ModuleNotFoundError: No module"
    assert reason in " ".join(listed.stdout.partition("Not available:")[2].split())
    assert reason in run("loud").stderr
    assert reason in run("metrics").stderr
    assert reason in run("score -m loudness -p x").stderr
    assert run("metrics sari").exit_code == 0


def test_metrics_are_listed_but_for_those_that_cannot_be_imported(packages, run):
    install(packages, "loud", "[textsimp.metrics]\nloudness = loud:Loudness\n", loud="1 / 0")
    listed = run("metrics")
    assert listed.exit_code == 0
    assert "\ncolumn " in listed.stdout
    assert "loud:Loudness of the package loud can't be imported" in listed.stderr


def test_a_name_of_the_core_is_the_core_s(packages, run):
    declare(packages, "loud", {"check": "Be loud."})
    assert "Find data problems" in run("check --help").stdout
    assert "Be loud." not in run("--help").stdout


def test_a_name_of_two_packages_is_an_error_that_names_both(packages, run):
    declare(packages, "loud", {"shout": "Be loud."})
    declare(packages, "louder", {"shout": "Be louder."})
    assert run("--help").exit_code == 0
    result = run("shout")
    assert result.exit_code == 2
    assert "'shout' is in the commands of two packages, loud and louder: uninstall" in result.stderr
