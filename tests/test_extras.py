"""What messages and documentation say about installing is true, before a release and after it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from textsimp.extras import require

PROJECT = Path(__file__).parents[1]
PAGES = [
    page
    for pattern in ("*.md", "docs/*.md", "metrics/*/*.md", "spaces/*/*.md", "examples/*.md")
    for page in PROJECT.glob(pattern)
]
EXTRA = re.compile(r"extra=\"(\w+)\"")
INSTALL = re.compile(r"pip install '(\.|textsimp)\[([\w,]+)\]'")


def declared() -> list[str]:
    return importlib.metadata.metadata("textsimp").get_all("Provides-Extra") or []


def test_extras_that_messages_name_are_declared() -> None:
    code = "".join(path.read_text("utf-8") for path in PROJECT.glob("textsimp/**/*.py"))
    named = set(EXTRA.findall(code))
    assert "plots" in named
    assert named <= {*declared()}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(PROJECT).as_posix())
def test_extras_that_pages_name_are_declared(page: Path) -> None:
    for _, extras in INSTALL.findall(page.read_text("utf-8")):
        assert {*extras.split(",")} <= {*declared()}


def test_what_a_message_says_needs_no_release(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip takes an extra of a package that is installed from what is installed."""
    if importlib.util.find_spec("pip") is None:
        pytest.skip("needs pip")
    pytest.importorskip("scipy", reason="needs the extra documents")
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(ImportError, match="scipy, which is not installed: pip install") as error:
        require("scipy", extra="documents")
    (extra,) = re.findall(r"pip install '(.*)'", str(error.value))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", extra],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Requirement already satisfied: scipy" in done.stdout
