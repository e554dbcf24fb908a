"""What CONTRIBUTING says is true: the map of the rooms, the files it names, its worked example."""

import ast
import functools
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import EXTENSIONS, PROJECT, is_there

PACKAGE = PROJECT / "textsimp"
TEXT = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")


# The map --------------------------------------------------------------------------------------

MAP = TEXT.partition("## A map of the house")[2].partition("\n## ")[0]


def rows_of(heading):
    """The cells of a table of the map, by the heading of its first column."""
    table = MAP.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]


def floors_of_map():
    """Room → its floor."""
    rooms = [
        (room, int(floor))
        for floor, text in rows_of("floor")
        for room in re.findall(r"`(\w+)`", text)
    ]
    assert len(dict(rooms)) == len(rooms), "a room stands on the map twice"
    return dict(rooms)


def extensions_of_map():
    """Extension → the extensions that it may import."""
    return {
        name.strip("`"): {*re.findall(r"`(\w+)`", others)}
        for name, _, others in rows_of("extension")
    }


def core_files():
    return [path for path in sorted(PACKAGE.rglob("*.py")) if EXTENSIONS not in path.parents]


def imports(path):
    """Yield modules and names that a file imports from textsimp, for types too.

    ``tables.number`` is a name of `tables`, if ``tables`` was imported as a module.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative import"
            for alias in node.names:
                module = f"{node.module}.{alias.name}"
                if file_of(module):
                    modules[alias.asname or alias.name] = module
                    yield module, ""
                else:
                    yield node.module, alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id)
            if module and hasattr(importlib.import_module(module), node.attr):
                yield module, node.attr


def file_of(module):
    """The file of a module of textsimp; None for other names."""
    path = PROJECT.joinpath(*module.split("."))
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if file.exists() and module.startswith("textsimp")), None)


def room_of(module):
    """The room of a module, ``""`` at the top of the package and outside."""
    parts = module.split(".")
    return parts[1] if parts[0] == "textsimp" and len(parts) > 1 else ""


def test_every_room_is_on_the_map_and_the_package_holds_nothing_else():
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - {"extensions"}
    assert {*floors_of_map()} == rooms
    assert {path.name for path in PACKAGE.glob("*.py")} == {
        "__init__.py",
        "__main__.py",
        "testing.py",
        "trainer.py",
    }
    assert {*floors_of_map().values()} == {*range(1, 9)}
    extensions = {path.parent.name for path in EXTENSIONS.glob("*/__init__.py")}
    assert extensions in ({*extensions_of_map()}, set())


def test_imports_of_the_core_point_down_the_map():
    floors = floors_of_map()
    up = [
        f"{path.relative_to(PACKAGE)} imports {module}"
        for path in core_files()
        for module, _ in imports(path)
        for start, end in [(path.parent.name, room_of(module))]
        if start in floors and end in floors and start != end and floors[start] <= floors[end]
    ]
    assert not up


def test_the_core_names_no_extension():
    declared = {"support/extensions.py"}  # the group of entry points has the same name
    paths = [path for path in core_files() if "textsimp.extensions" in path.read_text("utf-8")]
    assert {str(path.relative_to(PACKAGE)) for path in paths} == declared


def test_extensions_import_public_names_of_the_core():
    private = [
        f"{path.relative_to(PACKAGE)} imports {module}.{name}, which is not in __all__"
        for path in sorted(EXTENSIONS.rglob("*.py"))
        for module, name in imports(path)
        if room_of(module) in floors_of_map() and name not in {"", *public_names(module)}
    ]
    assert not private


@functools.cache
def public_names(module):
    return getattr(importlib.import_module(module), "__all__", ())


def test_extensions_import_one_another_only_as_the_map_says():
    allowed = extensions_of_map()
    others = [
        f"{path.relative_to(PACKAGE)} imports {module}"
        for path in sorted(EXTENSIONS.rglob("*.py"))
        for start in [path.relative_to(EXTENSIONS).parts[0]]
        for module, _ in imports(path)
        if module.startswith("textsimp.extensions.")
        and module.split(".")[2] not in {start, *allowed.get(start, ())}
    ]
    assert not others


def test_files_that_it_names_are_there():
    names = [name for name in re.findall(r"`(\w+/[\w./]*)`", TEXT) if "NAME" not in name]
    assert len(names) > 20
    lost = [n for n in names if not is_there(PROJECT / n) and not is_there(PACKAGE / n)]
    assert not lost


def test_tests_that_the_makefile_names_are_there():
    names = re.findall(r"tests/[\w./]+", (PROJECT / "Makefile").read_text(encoding="utf-8"))
    assert len(names) > 10
    assert not [n for n in names if not n.endswith("test_") and not is_there(PROJECT / n)]


# The way of a text ------------------------------------------------------------------------------

STEPS = re.findall(r"^\d+\. \[`(.*?)`\]\((.*?)\), (.*?): ", MAP, re.MULTILINE)


def test_the_way_of_a_text_is_what_is_called(examples, succeed):
    calls = []

    def note(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)):
            cls = type(frame.f_locals["self"]).__mro__ if "self" in frame.f_locals else ()
            names = [code.co_name, *(f"{part.__name__}.{code.co_name}" for part in cls)]
            calls.append((Path(code.co_filename), names))

    sys.setprofile(note)
    try:
        succeed("score -s source.txt -p systems -r references --resamples 20")
    finally:
        sys.setprofile(None)
    assert len(STEPS) > 6
    rest = iter(calls)
    for path, link, functions in STEPS:
        assert PROJECT / link == PACKAGE / path
        for name in re.findall(r"`(.*?)`", functions):
            assert any(file == PROJECT / link and name in names for file, names in rest), name


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
    assert int(passed) > 40
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
