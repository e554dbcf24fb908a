"""The notebook of the first hour runs, and its stored outputs are what it shows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from textsimp.support.version import __version__

EXAMPLES = Path(__file__).parents[1] / "examples"
pytestmark = pytest.mark.slow
nbclient = pytest.importorskip("nbclient", reason="needs what notebooks run with")
pytest.importorskip("ipykernel", reason="needs what notebooks run with")
pytest.importorskip("jinja2", reason="needs the extra report")


def shown(notebook: Any) -> list[str]:
    """What cells print and display as text, without addresses and progress."""
    texts = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "stream" and output.name == "stdout":
                texts.append(output.text)
            elif "data" in output and " at 0x" not in output.data["text/plain"]:
                texts.append(output.data["text/plain"])
    return [text.replace(__version__, "VERSION") for text in texts]


def test_it_shows_what_is_stored(tmp_path: Path) -> None:
    """If not: ``jupyter execute --inplace examples/first_hour.ipynb``."""
    import nbformat

    stored = nbformat.read(EXAMPLES / "first_hour.ipynb", as_version=4)
    shutil.copy(EXAMPLES / "examples.jsonl", tmp_path)
    executed = nbformat.from_dict(stored)
    nbclient.NotebookClient(executed, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert shown(executed) == shown(nbformat.read(EXAMPLES / "first_hour.ipynb", as_version=4))
    assert len(shown(executed)) > 8
    assert (tmp_path / "first_hour.html").stat().st_size > 10_000
