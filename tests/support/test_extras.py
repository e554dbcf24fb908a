"""What messages and documentation say about installing is true, before a release and after it."""

import importlib.metadata
import importlib.util
import re
import subprocess
import sys

import pytest

from tests.project import PROJECT
from textsimp.support.imports import require

PAGES = [
    page
    for pattern in ("*.md", "docs/*.md", "metrics/*/*.md", "spaces/*/*.md", "examples/*.md")
    for page in PROJECT.glob(pattern)
]
# MeCab isn't named: extras of sacrebleu bring it.
IMPORT = re.compile(r'^ *(?:import|from) (\w+)[\w.]* ?|\brequire\("(\w+)', re.MULTILINE)
ONLY_TYPES = {"textsimp", "typing_extensions"}
EXTRA = re.compile(r"extra=\"(\w+)\"")
INSTALL = re.compile(r"pip install '(\.|textsimp)\[([\w,]+)\]'")


def declared():
    return importlib.metadata.metadata("textsimp").get_all("Provides-Extra") or []


def test_extras_that_messages_name_are_declared():
    code = "".join(path.read_text("utf-8") for path in PROJECT.glob("textsimp/**/*.py"))
    named = set(EXTRA.findall(code))
    assert "report" in named
    assert named <= {*declared()}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(PROJECT).as_posix())
def test_extras_that_pages_name_are_declared(page):
    for _, extras in INSTALL.findall(page.read_text("utf-8")):
        assert {*extras.split(",")} <= {*declared()}


def test_what_is_imported_is_declared():
    """And isn't there by chance, since something else needs it too."""
    requirements = importlib.metadata.requires("textsimp") or []
    names = {normal(re.match(r"[\w.-]+", line)[0]) for line in requirements}  # type: ignore[index]
    distributions = importlib.metadata.packages_distributions()
    code = "".join(path.read_text("utf-8") for path in PROJECT.glob("textsimp/**/*.py"))
    imported = {name for match in IMPORT.findall(code) for name in match if name}
    assert {"numpy", "pyarrow", "pyphen"} <= imported
    for module in imported & distributions.keys() - sys.stdlib_module_names - ONLY_TYPES:
        assert names & {*map(normal, distributions[module])}, module


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.slow
def test_what_a_message_says_needs_no_release(monkeypatch):
    """pip takes an extra of a package that is installed from what is installed."""
    if importlib.util.find_spec("pip") is None:
        pytest.skip("needs pip")
    pytest.importorskip("pyphen", reason="needs the extra languages")
    monkeypatch.setitem(sys.modules, "pyphen", None)
    with pytest.raises(ImportError) as error:
        require("pyphen", extra="languages")
    (extra,) = re.findall(r"pip install '(.*)'", str(error.value))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", extra],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Requirement already satisfied: pyphen" in done.stdout
