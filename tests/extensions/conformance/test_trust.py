"""docs/trust.md is what its script measures."""

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
    sets = trust.trust_sets
    scores, rows = sets.scorers(), sets.read_set(trust.Data(SHARED / "data"), sets.NEW)
    with cache_scope():
        found = sets.rate(rows, ["overall_z"], scores).measure()["overall_z"]
    columns = {name: trust.estimate(column) for name, column in found.items()}
    written = [row for row in trust.pages.read_csv(trust.SCORES) if row["set"] == "simpeval-2022"]
    ours = trust.score_rows("simpeval-2022", columns, scores)
    assert ours == [[*row.values()] for row in written]


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE, reason="five minutes: in `make test-all`")
def test_every_table_is_what_is_measured(trust, capsys):
    assert trust.main(["--data", str(SHARED / "data"), "--check"]) == 0, capsys.readouterr().out
