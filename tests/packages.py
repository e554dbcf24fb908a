"""Other people's packages, installed into a folder as pip does it."""

import sys
from pathlib import Path

import pytest

from textsimp.support import extensions


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder on the path, for packages whose names begin with ``loud``."""
    monkeypatch.syspath_prepend(tmp_path)
    extensions.installed.cache_clear()
    yield tmp_path
    extensions.installed.cache_clear()
    for name in [name for name in sys.modules if name.startswith("loud")]:
        del sys.modules[name]


def install(folder: Path, package: str, entry_points: str, **modules: str) -> None:
    """Write the modules of a package, and its metadata with these entry points."""
    metadata = folder / f"{package}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(entry_points)
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code)
    extensions.installed.cache_clear()
