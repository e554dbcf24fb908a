"""Names that the package has are those that type checkers know, and are imported when used."""

import ast
import subprocess
import sys

import pytest

import textsimp
from tests.project import PROJECT
from textsimp.support import extensions


def typed_names():
    """Public name → its module, as type checkers read it."""
    names = []
    code = ast.parse((PROJECT / "textsimp" / "__init__.py").read_text(encoding="utf-8"))
    for block in code.body:
        if isinstance(block, ast.If):
            for node in block.body:
                if isinstance(node, ast.ImportFrom):
                    names += [(alias.name, node.module) for alias in node.names]
    return names


def test_names_are_those_that_type_checkers_know():
    names = {"__version__"} | {name for name, _ in typed_names()}
    metrics = {
        place.value.partition(":")[2] for place in extensions.declarations("metrics").values()
    }
    assert {*textsimp.__all__} | {*textsimp._MODULES} == names | metrics
    assert names <= {*dir(textsimp)}


@pytest.mark.parametrize(("name", "module"), typed_names())
def test_a_name_is_what_type_checkers_think(name, module):
    assert getattr(textsimp, name) is getattr(__import__(module, fromlist=[name]), name)


def test_an_unknown_name_is_told():
    with pytest.raises(AttributeError, match="module 'textsimp' has no attribute 'Saari'"):
        textsimp.Saari  # noqa: B018


@pytest.mark.parametrize(
    "code",
    [
        "from textsimp import Sari, score",
        "import textsimp; textsimp.splits; hasattr(textsimp, 'spilts')",
    ],
)
def test_names_of_the_core_read_no_entry_points(code):
    check = (
        "from textsimp.support.extensions import installed as i; assert not i.cache_info().misses"
    )
    subprocess.run([sys.executable, "-c", f"{code}; {check}"], check=True)
