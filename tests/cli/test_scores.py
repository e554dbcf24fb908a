"""``-m column:NAME``: scores that others computed, in the table of outputs."""

import csv
from pathlib import Path

import pytest

from tests.given import systems, write

OUTPUTS = systems()


@pytest.fixture
def scored(examples, run):
    """A table of outputs with scores."""
    run("score -s source.txt -r references -p systems --per-example scores.csv")


def test_scores_in_a_table_are_tested_like_any_others(scored, as_json):
    with open("scores.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    shares = {name: [float(r["sari"]) for r in rows if r["system"] == name] for name in OUTPUTS}
    found = as_json("compare -d scores.csv -m column:sari")
    for system, values in shares.items():
        mean = found["systems"][system]["column"]["sari"]
        assert mean == pytest.approx(sum(values) / len(values))
    assert found["differences"]["splitter"]["column"]["sari_permutation_p"] < 0.05


def test_a_column_of_the_data_needs_no_other_file(scored, run):
    write("one.jsonl", [{"prediction": "A.", "comet": 0.25}, {"prediction": "B.", "comet": 0.5}])
    assert run("score -d one.jsonl -m column:comet -b").stdout == "0.375\n"


def test_columns_of_a_list_are_one_metric_and_named_one_by_one_several(scored, as_json):
    options = "score -d scores.csv --json"
    together = as_json(f"{options} -m column:[sari,add]")["systems"]["splitter"]
    assert together["column"].keys() >= {"sari", "add"}
    apart = as_json(f"{options} -m column:sari,column:add")["systems"]["splitter"]
    assert apart["column(sari)"]["sari"] == together["column"]["sari"]
    assert apart["column(add)"]["add"] == together["column"]["add"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-m column", "names: expected different columns of numbers, as in column"),
        ("-m column:other", "no column 'other'"),
    ],
)
def test_errors_say_what_to_type(options, message, scored, fails):
    assert message in fails(f"score -d scores.csv {options}")


def test_a_report_has_scores_of_others_beside_ours(scored, run):
    assert run("report -d scores.csv -m column:add --no-check").exit_code == 0
    page = Path("report.html").read_text(encoding="utf-8")
    assert "leads significantly by add" in page or "No system leads by add" in page
