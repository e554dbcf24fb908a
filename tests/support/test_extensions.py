"""Extensions are found by their entry points, in a declared order, and only when needed."""

import subprocess
import sys

import pytest

from tests.packages import install
from textsimp.support import extensions

DECLARATION = """
from textsimp.support.extensions import Command, Extension

EXTENSION = Extension(
    commands={{"{command}": Command("{module}:shout", "Print texts in capitals.")}},
    metrics={{"{metric}": "{module}_metrics:Capitals"}},
    report="{module}_report:Report",
)
shout = "{module}"
"""


def write(folder, module, command="shout", metric="capitals"):
    code = DECLARATION.format(module=module, command=command, metric=metric)
    entry = f"[textsimp.extensions]\n{module} = {module}:EXTENSION\n"
    install(folder, module, entry, **{module: code})


def test_what_a_package_declares_is_loaded_by_name(packages):
    write(packages, "loud")
    assert extensions.load("commands", "shout") == "loud"
    assert extensions.declarations("commands")["shout"].package == "loud"
    assert extensions.load("commands", "whisper") is None


def test_single_metrics_have_entry_points_of_their_own(packages):
    install(packages, "loud", "[textsimp.metrics]\ncapitals = loud:Capitals\n", loud="Capitals = 7")
    assert extensions.load("metrics", "capitals") == 7


def test_a_package_that_cannot_be_imported_leaves_others_alone(packages):
    install(packages, "loudest", "[textsimp.extensions]\na = loudest:EXTENSION\n", loudest="1 / 0")
    write(packages, "loud")
    assert extensions.load("commands", "shout") == "loud"
    message = "loudest:EXTENSION of the package loudest can't be imported: ZeroDivisionError: "
    assert [error.partition("division")[0] for error in extensions.broken()] == [message]


def test_an_error_names_the_package_of_what_cannot_be_imported(packages):
    write(packages, "loud")
    with pytest.raises(ImportError, match="loud_metrics:Capitals of the package loud can't be"):
        extensions.load("metrics", "capitals")
    with pytest.warns(UserWarning, match="loud_report:Report of the package loud can't be"):
        assert "loud" not in map(str, extensions.load_each("report"))


def test_an_entry_point_of_something_else_is_an_error_of_its_package(packages):
    install(packages, "loud", "[textsimp.extensions]\na = loud:X\n", loud="X = 7")
    assert extensions.broken() == ["loud:X of the package loud: expected an Extension, got 7"]


def test_of_equal_names_those_of_textsimp_are_taken(packages, monkeypatch):
    write(packages, "loud")
    write(packages, "louder")
    monkeypatch.setattr(extensions, "_PACKAGE", "louder")
    monkeypatch.setattr(extensions, "BUNDLED", ("louder",))
    assert extensions.load("commands", "shout") == "louder"


@pytest.mark.parametrize(
    "code",
    [
        "import textsimp; textsimp.score",
        "from textsimp import cli",
        "from textsimp.cli.score import score",
    ],
)
def test_the_core_reads_no_entry_points(code):
    check = "import sys; assert 'importlib.metadata' not in sys.modules"
    subprocess.run([sys.executable, "-c", f"{code}; {check}"], check=True)
