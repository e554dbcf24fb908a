"""``tools/tables.py`` writes what metrics and tasks declare into cards, pages and modules."""

import subprocess
import sys

from tests.project import PROJECT
from textsimp import hub


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
        assert f"<!-- options: {name} -->" in card
