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
    assert {*floors_of_map().values()} == {*range(1, 10)}


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
    assert not [name for name in names if not (PROJECT / name).exists()]


# The worked example ---------------------------------------------------------------------------

WRITTEN = {
    "metrics/odd_words/README.md",
    "metrics/odd_words/app.py",
    "metrics/odd_words/odd_words.py",
    "metrics/odd_words/requirements.txt",
    "tests/literal/odd_words.py",
    "tests/metrics/test_odd_words.py",
    "textsimp/metrics/odd_words.py",
}
CHANGED = {"docs/metrics.md", "textsimp/__init__.py", "textsimp/metrics/catalogue.py"}
USE = """
import textsimp
assert "OddWords" in textsimp.__all__
columns = {"predictions": ["a b", "c"], "references": ["a b", "d"]}
print(textsimp.OddWords().score(**columns)["odd_words"])
print(textsimp.load("odd_words").compute(**columns)["signature"])
"""


@pytest.fixture
def copy(tmp_path):
    ignored = shutil.ignore_patterns(
        *(".*", "__pycache__", "*.egg-info", "build", "dist", "results", "images")
    )
    return Path(shutil.copytree(PROJECT, tmp_path / "project", ignore=ignored))


def run(project, *arguments):
    home = str(project / ".home")
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project), "HF_HOME": home, "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def contents(project):
    return {
        path.relative_to(project).as_posix(): path.read_bytes()
        for path in sorted(project.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.slow
def test_a_new_metric_is_written_by_the_tool_and_works(copy):
    before = contents(copy)
    done = run(copy, "tools/new_metric.py", "odd_words")
    assert done.returncode == 0, done.stderr
    after = contents(copy)
    assert {name for name in after if name not in before} == WRITTEN
    assert {name for name, text in before.items() if after[name] != text} == CHANGED
    assert {*re.findall("^wrote (.*)$", done.stdout, re.MULTILINE)} == WRITTEN | CHANGED
    assert run(copy, "tools/tables.py", "--check").returncode == 0
    used = run(copy, "-c", USE)
    score, signature = used.stdout.split()
    assert score == "50.0"
    assert signature.startswith("odd_words|variant:default|case:lc|refs:1|v:")
    tested = run(copy, "-m", "pytest", "-q", "tests/metrics/test_odd_words.py")
    assert tested.returncode == 0, tested.stdout
    left = run(copy, "-m", "pytest", "-q", "tests/metrics/test_description.py", "-k", "odd_words")
    assert re.search(r"say REPLACE: metrics/odd_words/README.md:\d+, ", left.stdout)
    if shutil.which("ruff") or run(copy, "-m", "ruff", "--version").returncode == 0:
        linted = run(copy, "-m", "ruff", "check", "textsimp", "metrics", "tests")
        assert linted.returncode == 0, linted.stdout
        formatted = run(copy, "-m", "ruff", "format", "--check", "textsimp", "metrics", "tests")
        assert formatted.returncode == 0, formatted.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_a_metric_passes_its_tests_once_nothing_is_left_to_replace(copy):
    name = "aaa_words"  # the first of the alphabet
    written = run(copy, "tools/new_metric.py", name).stdout
    for path in re.findall("^wrote (.*)$", written, re.MULTILINE):
        text = (copy / path).read_text(encoding="utf-8")
        text = text.replace("papers: ClassVar = ()", 'papers: ClassVar = ("post-2018-call",)')
        (copy / path).write_text(text.replace("REPLACE", "Replaced"), encoding="utf-8")
    assert run(copy, "tools/tables.py").returncode == 0
    assert run(copy, "tests/pinned.py", name).returncode == 0
    installed = ["-o", ".venv/test.stamp", f"BIN={Path(sys.executable).parent}"]
    tested = subprocess.run(
        ["make", *installed, "test-metric", f"NAME={name} or dry_run or (hub and refused)"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert tested.returncode == 0, tested.stdout
    (passed,) = re.findall(r"(\d+) passed", tested.stdout)
    assert int(passed) > 70


@pytest.mark.slow
def test_a_metric_may_do_without_a_module(copy):
    assert run(copy, "tools/new_metric.py", "odd_words", "--without-module").returncode == 0
    assert not (copy / "metrics" / "odd_words").exists()
    code = "import textsimp; print(textsimp.OddWords().score(predictions=['a'], references=['a']))"
    assert run(copy, "-c", code).stdout.startswith("Odd words 100.00 (odd_words|")


@pytest.mark.parametrize(
    ("name", "message"),
    [("sari", "a metric or a file 'sari' already"), ("Odd-Words", "expected lowercase words")],
)
def test_a_name_that_cannot_be_a_new_metric_is_refused(name, message):
    done = run(PROJECT, "tools/new_metric.py", name)
    assert done.returncode == 2
    assert message in done.stderr
