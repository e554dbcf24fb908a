"""What CONTRIBUTING says is true: the map of the rooms, the files it names, its worked example."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "textsimp"
TEXT = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")

# The map --------------------------------------------------------------------------------------


def rooms_of_map() -> dict[str, int]:
    """Room → how far down the map it stands."""
    table = TEXT.partition("| room |")[2].partition("\n\n")[0]
    lines = [line.split("|")[1] for line in table.splitlines()[2:]]
    named = [
        (name, i) for i, line in enumerate(lines) for name in re.findall(r"`([\w.]+)/?`", line)
    ]
    assert len(dict(named)) == len(named), "a room stands on the map twice"
    return dict(named)


def room(module: str) -> str:
    """The room of a module, as the map calls it; empty for the package itself."""
    name = module.split(".")[1] if "." in module else ""
    return f"{name}.py" if name and (PACKAGE / f"{name}.py").exists() else name


def imports(code: str, package: str) -> Iterator[str]:
    """The modules of textsimp that code imports at any time, but not for types alone."""

    def walk(node: ast.AST) -> Iterator[ast.AST]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
                yield from (found for other in child.orelse for found in [other, *walk(other)])
            else:
                yield child
                yield from walk(child)

    for node in walk(ast.parse(code)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = ".".join(parts[: len(parts) - node.level + 1]) if node.level else ""
            source = ".".join(filter(None, [base, node.module]))
            names = [f"{source}.{alias.name}" for alias in node.names]
        yield from (name for name in names if name.split(".")[0] == "textsimp")


def arrows() -> set[tuple[str, str]]:
    """Pairs of rooms of which the first imports from the second."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(path.relative_to(PROJECT).with_suffix("").parts)
        package = module.removesuffix(".__init__") if path.stem == "__init__" else module
        package = package if path.stem == "__init__" else package.rpartition(".")[0]
        start = room(module.removesuffix(".__init__"))
        ends = {room(name) for name in imports(path.read_text(encoding="utf-8"), package)}
        found |= {(start, end) for end in ends if start and end and end != start}
    return found


def test_every_room_is_on_the_map() -> None:
    there = {f"{path.name}" for path in PACKAGE.glob("*.py")} - {"__init__.py"}
    there |= {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert set(rooms_of_map()) == there


def test_imports_point_down_the_map() -> None:
    depth = rooms_of_map()
    sides = {"__main__.py", "cli"}  # one room in two places, so that Ctrl-C is heard from the start
    up = {
        f"{start} imports {end}"
        for start, end in arrows()
        if depth[start] >= depth[end] and {start, end} != sides
    }
    assert not up


def test_imports_are_read_as_they_are_written() -> None:
    code = """
from typing import TYPE_CHECKING
import textsimp.cli.score
from textsimp import hub, text
from . import pairs
from ..text import ngrams
if TYPE_CHECKING:
    import textsimp.demo
else:
    import textsimp.report
def f():
    from textsimp.metrics.sari import Sari
"""
    assert {room(name) for name in imports(code, "textsimp.splits")} == {
        *("cli", "hub", "text", "splits", "report", "metrics")
    }


def test_files_that_it_names_are_there() -> None:
    named = [name for name in re.findall(r"`(\w+/[\w./]*)`", TEXT) if "NAME" not in name]
    assert len(named) > 20
    rooms = rooms_of_map()
    lost = [n for n in named if not (PROJECT / n).exists() and n.removesuffix("/") not in rooms]
    assert not lost


# The worked example ---------------------------------------------------------------------------

OWN = (
    "textsimp/metrics/f1_token.py",
    "tests/literal/f1_token.py",
    "tests/metrics/test_f1_token.py",
    "metrics/f1_token",
)
LINE = '    "f1_token": "textsimp.metrics.f1_token:F1Token",\n'
WRITTEN = ("README.md", "textsimp/__init__.py", "textsimp/hub/typed.py")
ABOUT_IT = (
    *("CONTRIBUTING.md", "CHANGELOG.md", "tests/test_contributing.py", "tests/pinned.json"),
    # Documents are scored by it, and by others.
    *("tests/metrics/test_aligned.py", "benchmarks/aligned.py", "benchmarks/README.md"),
    "docs/easse.md",  # which has it too
    # Reports on many metrics.
    *("tests/report/test_example_data.py", "tests/browser/test_report_access.py"),
)
FIGURES = re.compile(  # which tools write
    r"<!-- (figures|trust|aligned): .*?<!-- /(figures|trust|aligned) -->", re.DOTALL
)
NAMES = re.compile(r"f1[_-]token|F1Token|token F1", re.IGNORECASE)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project without what is made of it."""
    made = shutil.ignore_patterns(
        *(".*", "__pycache__", "*.egg-info", "build", "dist", "results", "images")
    )
    return Path(shutil.copytree(PROJECT, tmp_path / "project", ignore=made))


def write_tables(project: Path, *arguments: str) -> int:
    environment = {**os.environ, "PYTHONPATH": str(project)}
    command = [sys.executable, "tools/tables.py", *arguments]
    return subprocess.run(command, cwd=project, env=environment, check=False).returncode


def contents(project: Path) -> dict[str, bytes]:
    return {
        path.relative_to(project).as_posix(): path.read_bytes()
        for path in sorted(project.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_worked_example_touches_nothing_but_what_is_said(copy: Path, tmp_path: Path) -> None:
    before = contents(copy)
    for name in OWN:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(copy / name, tmp_path / name)
    catalogue = copy / "textsimp" / "catalogue.py"
    whole = catalogue.read_text(encoding="utf-8")
    assert whole.count(LINE) == 1
    catalogue.write_text(whole.replace(LINE, ""), encoding="utf-8")
    assert write_tables(copy) == 0

    without = contents(copy)
    mentions = {
        name
        for name, text in without.items()
        if NAMES.search(FIGURES.sub("", text.decode("utf-8", "ignore")))
    }
    assert mentions <= {*ABOUT_IT}
    changed = {name for name, text in before.items() if without.get(name, b"") != text}
    own = {name for name in before if name.startswith(OWN)}
    assert changed == {*own, *WRITTEN, "textsimp/metrics/catalogue.py"}

    for name in OWN:
        shutil.move(tmp_path / name, copy / name)
    catalogue.write_text(whole, encoding="utf-8")
    assert write_tables(copy, "--check") != 0
    card = copy / "metrics" / "f1_token" / "README.md"
    options = re.compile(r"(<!-- options: f1_token -->\n).*(<!-- end -->)", re.DOTALL)
    card.write_text(options.sub(r"\1\2", card.read_text(encoding="utf-8")), encoding="utf-8")
    assert write_tables(copy) == 0
    assert contents(copy) == before
