"""The notebook of the first hour runs, and shows what is stored in it."""

import shutil

import pytest

from tests.project import EXAMPLES

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


def test_it_shows_what_is_stored(tmp_path, monkeypatch):
    import nbclient
    import nbformat

    monkeypatch.setenv("TQDM_DISABLE", "1")
    notebook = nbformat.read(EXAMPLES / "first_hour.ipynb", as_version=4)
    stored = shown(notebook)
    assert len(stored) > 8
    shutil.copy(EXAMPLES / "examples.jsonl", tmp_path)
    nbclient.execute(notebook, cwd=str(tmp_path))
    assert shown(notebook) == stored, "run jupyter execute --inplace examples/first_hour.ipynb"
