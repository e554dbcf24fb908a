"""docs/trust.md is what its script measures."""

import csv

import pytest

from tests.conformance.conftest import WHOLE
from tests.given import load_tool
from tests.project import SHARED
from textsimp.text.functions import cache_scope


@pytest.fixture
def trust(monkeypatch):
    for library, extra in (
        *(("pyphen", "languages"), ("wordfreq", "languages")),
        *(("cefrpy", "languages"), ("scipy", "meta")),
    ):
        pytest.importorskip(library, reason=f"needs the extra {extra}")
    return load_tool(monkeypatch, "trust")


@pytest.mark.slow
def test_the_scores_of_a_set_are_what_is_measured(trust):
    scores, rows = trust.scorers(), trust.read_set(trust.Data(SHARED / "data"), trust.NEW)
    with cache_scope():
        found = trust.measure(trust.rate(rows, trust.SETS[trust.NEW].scales, scores))["overall"]
    with open(trust.SCORES, encoding="utf-8", newline="") as lines:
        written = [row for row in csv.reader(lines) if row[0] == "simpeval-2022"]
    assert trust.score_rows("simpeval-2022", found, scores) == written


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE, reason="five minutes: in `make test-all`")
def test_every_table_is_what_is_measured(trust, capsys):
    assert trust.main(["--data", str(SHARED / "data"), "--check"]) == 0, capsys.readouterr().out
