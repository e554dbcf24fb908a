"""The stories in examples/stories run, from the first command to the last."""

import csv
import shutil
import subprocess

import pytest

from tests.commands import environment
from tests.project import EXAMPLES

WRITTEN = {
    "paper": ("table.tex", "report.html", "plan.jsonl", "sari.bib"),
    "pipeline": ("merged.csv", "whole.csv"),
    "corpus": ("aligned.csv", "subsets/test.jsonl", "leaderboard.html"),
    "study": ("ratings.tex", "report.html", "statement.md", "paragraph.tex"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN)
def test_a_story_runs_to_its_end(name, tmp_path):
    for package, extra, stories in (
        ("jinja2", "report", ("paper", "study")),
        ("gradio", "demo", ("study",)),
        ("openpyxl", "test", ("study",)),
    ):
        if name in stories:
            pytest.importorskip(package, reason=f"needs the extra {extra}")
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder)
    subprocess.run(["sh", f"stories/{name}.sh"], cwd=folder, check=True, env=environment())
    assert all((folder / file).stat().st_size for file in WRITTEN[name])
    if name == "pipeline":
        merged, whole = (
            {
                (row["system"], row["score"]): row["value"]
                for row in csv.DictReader((folder / file).open(encoding="utf-8"))
            }
            for file in WRITTEN[name]
        )
        assert merged == whole


def test_every_story_is_tested():
    assert {path.stem for path in (EXAMPLES / "stories").glob("*.sh")} == {*WRITTEN}
