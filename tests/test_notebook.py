"""The notebook of the first hour runs, and shows what is stored in it."""

import runpy
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow
pytest.importorskip("nbclient", reason="needs what notebooks run with")
pytest.importorskip("ipykernel", reason="needs what notebooks run with")
pytest.importorskip("jinja2", reason="needs the extra report")


def shown(notebook):
    """What cells print and display as text; an object's address isn't compared."""
    texts = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            text = output.text if "text" in output else output.data["text/plain"]
            texts += [] if " at 0x" in text else [text]
    return texts


def test_it_shows_what_is_stored():
    import nbformat

    tool = runpy.run_path(str(PROJECT / "tools" / "notebook.py"))
    stored = shown(nbformat.read(tool["NOTEBOOK"], as_version=4))
    assert len(stored) > 8
    assert shown(tool["execute"]()) == stored, "run python tools/notebook.py"
