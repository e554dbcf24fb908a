"""What CONTRIBUTING says is true: the map of the rooms, the files it names, its worked example."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "textsimp"
TEXT = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")


# The map --------------------------------------------------------------------------------------


def floors_of_map():
    """Room → its floor."""
    table = TEXT.partition("| floor | rooms |")[2].partition("\n\n")[0]
    lines = [line.split("|")[1:3] for line in table.splitlines()[2:]]
    rooms = [(room, int(floor)) for floor, text in lines for room in re.findall(r"`(\w+)`", text)]
    assert len(dict(rooms)) == len(rooms), "a room stands on the map twice"
    return dict(rooms)


def imports(code):
    """The modules of textsimp that code imports, for types too."""
    for node in ast.walk(ast.parse(code)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (name for name in names if name.startswith("textsimp."))


def arrows():
    """Pairs of rooms of which the first imports from the second."""
    pairs = set()
    for path in PACKAGE.glob("*/**/*.py"):
        start = path.relative_to(PACKAGE).parts[0]
        ends = {name.split(".")[1] for name in imports(path.read_text(encoding="utf-8"))}
        pairs |= {(start, end) for end in ends if (PACKAGE / end).is_dir() and end != start}
    return pairs


def test_every_room_is_on_the_map_and_the_package_holds_nothing_else():
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {*floors_of_map()} == rooms
    assert {path.name for path in PACKAGE.glob("*.py")} == {
        "__init__.py",
        "__main__.py",
        "easse.py",
        "testing.py",
        "trainer.py",
    }
    assert len(rooms) <= 16
    assert {*floors_of_map().values()} == {*range(1, 9)}


def test_imports_point_down_the_map():
    floors = floors_of_map()
    assert not {f"{start} imports {end}" for start, end in arrows() if floors[start] <= floors[end]}


def test_files_that_it_names_are_there():
    names = [name for name in re.findall(r"`(\w+/[\w./]*)`", TEXT) if "NAME" not in name]
    assert len(names) > 20
    lost = [n for n in names if not (PROJECT / n).exists() and not (PACKAGE / n).exists()]
    assert not lost


def test_tests_that_the_makefile_names_are_there():
    names = re.findall(r"tests/[\w./]+", (PROJECT / "Makefile").read_text(encoding="utf-8"))
    assert len(names) > 10
    assert not [n for n in names if not n.endswith("test_") and not (PROJECT / n).exists()]


# The transcript of a new metric ---------------------------------------------------------------

PATH = TEXT.partition("## A metric in ten minutes")[2].partition("\n## ")[0]
TRANSCRIPTS = re.findall(r"```\n\$ make (.*)\n([\s\S]*?)```", PATH)
SCORING = "import textsimp as t; print(t.OddWords().score(predictions=['a'], references=['a']))"


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    ignored = (".*", "__pycache__", "*.egg-info", "build", "dist", "results", "images")
    path = tmp_path_factory.mktemp("copy") / "project"
    return shutil.copytree(PROJECT, path, ignore=shutil.ignore_patterns(*ignored))


def run(project, *command):
    return subprocess.run(
        command,
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def python(project, *arguments):
    return run(project, sys.executable, *arguments)


def make(project, command):
    installed = ["-o", ".venv/test.stamp", f"BIN={Path(sys.executable).parent}"]
    return run(project, "make", "--silent", *installed, *command.split())


def shows(printed, expected):
    """Whether a transcript, in which ``...`` stands for anything, is what was printed."""
    pattern = re.escape(expected).replace(r"\.\.\.", r"[\s\S]*")
    return re.match(pattern, printed)


def replace_by_hand(project, printed):
    for path in {*re.findall(r"^(\S+):\d+: ", printed, re.MULTILINE)}:
        text = (project / path).read_text(encoding="utf-8")
        text = text.replace("papers: ClassVar = ()", 'papers: ClassVar = ("post-2018-call",)')
        text = re.sub("REPLACE(?!: )", "Replaced", text)  # those with a colon are written
        (project / path).write_text(text, encoding="utf-8")


def test_the_path_to_a_metric_is_short():
    assert len(PATH.strip().splitlines()) <= 40
    assert len(TRANSCRIPTS) == 2


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_the_transcript_is_what_the_command_prints(copy):
    (first, shown_first), (second, shown_second) = TRANSCRIPTS
    begun = make(copy, first)
    assert shows(begun.stdout, shown_first), begun.stdout
    assert begun.returncode != 0
    replace_by_hand(copy, begun.stdout)
    green = make(copy, second)
    assert green.returncode == 0, green.stdout + green.stderr
    assert shows(green.stdout, shown_second), green.stdout
    (passed,) = re.findall(r"^(\d+) passed, ", green.stdout, re.MULTILINE)
    assert int(passed) > 45
    for command in (["check"], ["format", "--check"]):
        if python(copy, "-m", "ruff", "--version").returncode == 0:
            done = python(copy, "-m", "ruff", *command, "textsimp", "metrics", "tests")
            assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_metric_may_do_without_a_module(copy):
    python(copy, "tools/new_metric.py", "odd_words", "--without-module")
    assert not (copy / "metrics" / "odd_words").exists()
    assert python(copy, "-c", SCORING).stdout.startswith("Odd words 100.00 (odd_words|")


@pytest.mark.parametrize("name", ["Odd-Words", "options"])  # options.py is no metric
def test_a_name_that_cannot_be_a_new_metric_is_refused(name):
    done = python(PROJECT, "tools/new_metric.py", name)
    assert done.returncode == 2
    assert "NAME: " in done.stderr
