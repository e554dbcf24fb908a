"""Run the notebook of the first hour, and store what it shows.

python tools/notebook.py
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import nbclient
import nbformat

EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOK = EXAMPLES / "first_hour.ipynb"


def execute() -> Any:
    """Return the notebook with its outputs, executed beside a copy of the example corpus."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(EXAMPLES / "examples.jsonl", folder)
        client = nbclient.NotebookClient(
            notebook, resources={"metadata": {"path": folder}}, record_timing=False
        )
        client.execute(env={**os.environ, "TQDM_DISABLE": "1"})
    del notebook.metadata["language_info"]["version"]  # Python's, whichever it is
    return notebook


if __name__ == "__main__":
    nbformat.write(execute(), NOTEBOOK)
