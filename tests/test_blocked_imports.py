"""What runs without evaluate and datasets, whose upkeep isn't ours, and without extensions."""

import pytest

from tests.options import WITHOUT_LIBRARIES, run_commands, run_python

pytestmark = pytest.mark.usefixtures("examples")
CORPUS = "-s source.txt -p systems -r references"
COMMANDS = [
    f"score {CORPUS} -m sari,bleu",
    f"compare {CORPUS}",
    f"check {CORPUS}",
    f"explain 35 {CORPUS.replace('systems', 'systems/splitter.txt')}",
    "split divergence a=source.txt,references/0.txt b=source.txt,references/1.txt",
    "documents -s documents/source.txt -t documents/references/0.txt",
]
WITHOUT_EXTENSIONS = """
import sys
from importlib import metadata
sys.modules["textsimp.extensions"] = None
every = metadata.entry_points
metadata.entry_points = lambda **group: every(**group) if group else metadata.EntryPoints(())
"""


def test_commands_need_neither_evaluate_nor_datasets_nor_extensions(tmp_path):
    more = [
        "metrics",
        "hub datasets",
        f"power {CORPUS} --resamples 20",
        f"score {CORPUS} --save-statistics {tmp_path}/statistics.parquet",
        f"merge {tmp_path}/statistics.parquet",
        f"split random examples.jsonl --sizes 0.5,0.5 -o {tmp_path}/halves",
    ]
    printed = run_commands(["--help", *COMMANDS, *more], WITHOUT_LIBRARIES + WITHOUT_EXTENSIONS)
    assert "extensions" not in printed.lower()
    assert "bertscore" not in printed


def test_reports_need_no_extensions(tmp_path):
    pytest.importorskip("jinja2", reason="needs the extra report")
    page = tmp_path / "report.html"
    report = f"report {CORPUS} --resamples 20 -o {page}"
    printed = run_commands([report, f"statement {page}"], WITHOUT_EXTENSIONS)
    assert 'id="verdict"' in page.read_text(encoding="utf-8")
    assert "SARI" in printed


def test_modules_need_no_extensions():
    code = """
import textsimp
from textsimp import hub
texts = {"sources": ["A feline sat."], "references": [["A cat sat."]]}
print(textsimp.load("sari").compute(predictions=["A cat sat."], **texts)["sari"])
print(*textsimp.__all__, *hub.names())
"""
    score, names = run_python(WITHOUT_EXTENSIONS + code).splitlines()
    assert float(score) == pytest.approx(250 / 3)
    assert "Sari" in names.split()
    assert "BertScore" not in names.split()


def test_pages_need_no_extensions():
    pytest.importorskip("gradio", reason="needs the extra demo")
    code = """
from textsimp.demo import build_compare, build_demo, build_splits
print(build_compare().title, build_demo("d_sari").title, build_splits().title)
"""
    assert run_python(WITHOUT_EXTENSIONS + code)
