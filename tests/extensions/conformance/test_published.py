"""Published numbers are what the published outputs give; the page is what its script writes."""

import csv
from importlib.metadata import version

import pytest

from tests.conformance.conftest import WHOLE
from tests.given import load_tool
from tests.project import SHARED

DEFAULTS = {"SARI": "sari", "BLEU": "bleu", "FKGL": "fkgl_components"}
pytestmark = pytest.mark.filterwarnings(r"ignore:sari \(\w+\) with weight")


@pytest.fixture(scope="module")
def script():
    with pytest.MonkeyPatch.context() as patch:
        yield load_tool(patch, "published")


@pytest.fixture(scope="module")
def data(script):
    return script.Data(SHARED / "data")


def test_every_row_whose_outputs_are_here_is_recomputed(script, data):
    compared = 0
    for row in script.printed():
        metric, found = script.metric_of(row.formula), script.runs(data, row)
        if metric is None or found is None:
            continue
        default = script.metric_of(DEFAULTS[row.metric])
        assert _agrees(script.score(metric, *found), row.value), row
        assert _agrees(script.score(default, *found), row.default), row
        compared += 1
    assert compared == 36


def _agrees(value, written):
    return abs(value - float(written)) <= 0.5 * 10.0 ** -len(written.partition(".")[2]) + 1e-9


def test_the_rows_are_those_that_were_found_out(script):
    """Same numbers, in the same order; without those that are quoted from memory."""
    with open(SHARED / "goldens" / "published.csv", encoding="utf-8", newline="") as file:
        goldens = [row for row in csv.DictReader(file) if row["printed"] != "45 values"]
    kept = [row for row in goldens if row["printed_seen"] == "seen" or _was_found(row)]
    assert len(goldens) - len(kept) == script.LEFT_OUT
    for row, golden in zip(script.printed(), kept, strict=True):
        assert row.metric == golden["metric"]
        assert float(row.printed) == float(golden["printed"])
        assert float(row.value) == pytest.approx(float(golden["value"]), abs=5e-4)
        assert row.default == "" or float(row.default) == float(golden["default"])
        expected = {"exact": "yes", "exact, truncated": "cut"}.get(golden["status"], "no")
        assert row.equal == expected, row


def _was_found(row):
    """Whether a number quoted from memory was found in a table: MUSS' FKGL on TurkCorpus."""
    return row["test_set"] == "TurkCorpus truecased" and row["printed"] == "7.6"


def test_tables_are_those_of_the_list(script, tmp_path, capsys):
    assert script.main(["--data", str(tmp_path / "none"), "--check"]) == 0, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(not WHOLE, reason="two minutes: in `make test-all`")
def test_pages_and_scores_of_the_field_are_what_the_script_writes(script, capsys):
    if f"untrained-{version('nltk')}|" not in script.FIELD.read_text(encoding="utf-8"):
        pytest.skip("needs the version of NLTK that FKGL of the file is by")
    assert script.main(["--data", str(SHARED / "data"), "--check"]) == 0, capsys.readouterr().out
