"""``tools/tables.py`` writes what metrics and tasks declare into cards, pages and modules."""

import re
import subprocess
import sys

from tests.project import PROJECT
from textsimp import hub

TEMPLATE = [  # as evaluate has it
    *("Metric description", "How to use", "Inputs", "Output values", "Examples"),
    *("Limitations and bias", "Citation", "Further references"),
]


def test_tables_of_cards_and_readme_and_types_of_modules_are_what_metrics_say():
    done = subprocess.run(
        [sys.executable, PROJECT / "tools" / "tables.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in hub.names():
        card = (PROJECT / "metrics" / name / "README.md").read_text(encoding="utf-8")
        marks = [f"<!-- {kind}: {name} -->" for kind in ("use", "options", "scores")]
        assert [mark for mark in marks if mark not in card] == []
        headings = re.findall(r"^##+ (.*)", card, re.MULTILINE)
        assert [heading for heading in headings if heading in TEMPLATE] == TEMPLATE
