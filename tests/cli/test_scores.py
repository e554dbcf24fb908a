"""``-m column:NAME`` and ``--scores``: scores that others computed, in other files than outputs."""

import csv
import json
from pathlib import Path

import pytest

from tests.given import lines, systems

SYSTEMS = "-s source.txt -p systems"
SOURCES = lines("source.txt")
OUTPUTS = systems()


def write(path, rows):
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def answers(rater, system, simplicity):
    """A rater who gives all outputs of a system the same."""
    texts = zip(SOURCES, OUTPUTS[system], strict=True)
    return [
        {"rater": rater, "item": i, "system": system, "source": source, "prediction": output}
        | {"simplicity": simplicity, "control": ""}
        for i, (source, output) in enumerate(texts)
    ]


@pytest.fixture
def scored(examples, run):
    """A table of scores in another order than the outputs."""
    run("score -s source.txt -r references -p systems --per-example scores.csv")
    with open("scores.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    write("scores.jsonl", [{**row, "sari": float(row["sari"])} for row in rows[::-1]])


def test_scores_in_a_table_are_found_by_texts_and_tested_like_any_others(scored, run):
    with open("scores.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    shares = {name: [float(r["sari"]) for r in rows if r["system"] == name] for name in OUTPUTS}
    found = json.loads(run(f"compare {SYSTEMS} -m column:sari --scores scores.jsonl --json").stdout)
    for system, values in shares.items():
        mean = found["systems"][system]["column"]["sari"]
        assert mean == pytest.approx(sum(values) / len(values))
    assert found["differences"]["splitter"]["column"]["sari_permutation_p"] < 0.05


def test_a_column_of_the_data_needs_no_other_file(scored, run):
    write("one.jsonl", [{"prediction": "A.", "comet": 0.25}, {"prediction": "B.", "comet": 0.5}])
    assert run("score -d one.jsonl -m column:comet -b").stdout == "0.375\n"


def test_raters_in_a_folder_are_averaged_and_their_controls_left_out(examples, run):
    control = {**answers("b", "splitter", 1)[0], "control": "repeat"}
    write("answers/a.jsonl", answers("a", "splitter", 2) + answers("a", "substituter", 4))
    write(
        "answers/b.jsonl", [*answers("b", "splitter", 3), *answers("b", "substituter", 5), control]
    )
    result = run(f"score {SYSTEMS} -m column:simplicity --scores answers -b")
    assert result.stdout == "2.50\n4.50\n"
    assert result.stderr == ""


def test_answers_to_a_scheme_count_by_its_steps_but_for_the_one_aside(examples, run):
    rows = [
        {**row, "scheme": "information_errors", "insertion": [0, 1, -1][row["item"] % 3]}
        for system in OUTPUTS
        for row in answers("a", system, 0)
    ]
    write("answers.jsonl", rows)
    result = run(f"score {SYSTEMS} -m column:insertion:variant=lower --scores answers.jsonl -b")
    assert result.stdout == "0.500\n0.500\n", result.stderr
    assert "no insertion for 16 of 48 outputs of splitter, the first in row 2" in result.stderr


def test_columns_of_a_list_are_one_metric_and_named_one_by_one_several(scored, run):
    options = f"score {SYSTEMS} --scores scores.jsonl --json"
    together = json.loads(run(f"{options} -m column:[sari,add]").stdout)["systems"]["splitter"]
    assert together["column"].keys() >= {"sari", "add"}
    apart = json.loads(run(f"{options} -m column:sari,column:add").stdout)["systems"]["splitter"]
    assert apart["column(sari)"]["sari"] == together["column"]["sari"]
    assert apart["column(add)"]["add"] == together["column"]["add"]


def test_outputs_without_a_score_and_rows_without_an_output_are_noted(examples, run):
    rows = [*answers("a", "splitter", 2)[:3], *answers("a", "substituter", 4)]
    write("some.jsonl", [*rows, {**rows[0], "item": 99, "prediction": "Other."}])
    result = run(f"score {SYSTEMS} -m column:simplicity --scores some.jsonl -b")
    assert result.stdout == "2.00\n4.00\n"
    assert result.stderr.splitlines() == [
        "some.jsonl: no simplicity for 45 of 48 outputs of splitter, the first in row 3 "
        "(counted from 0)",
        "some.jsonl: 1 outputs are not here, such as 'Other.'",
        "Warning: simplicity: fewer than 10 examples have a number of both substituter and "
        "splitter, so there is no p-value",
    ]


@pytest.mark.parametrize("rater", [{}, {"rater": "a"}])
def test_equal_outputs_have_the_numbers_of_their_own_system(examples, run, rater):
    """Unless the file has no rows of a system of this name."""
    texts = [
        {"source": source, "prediction": output, **rater, "item": i}
        for i, (source, output) in enumerate(zip(SOURCES, OUTPUTS["splitter"], strict=True))
    ]
    rows = [{**text, "system": name, "x": x} for text in texts for name, x in (("a", 1), ("b", 4))]
    write("some.jsonl", rows)
    outputs = "-p a=systems/splitter.txt -p b=systems/splitter.txt -p c=systems/splitter.txt"
    result = run(f"score -s source.txt {outputs} -m column:x --scores some.jsonl -b")
    assert result.stdout == "1.000\n4.00\n2.50\n", result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("-m column", "names: expected different columns of numbers, as in column"),
        ("-m column:other", "no column 'other'; its columns are"),
        ("-m sari -r references", "--scores: expected columns that it has, as in -m column:COLUMN"),
    ],
)
def test_errors_say_what_to_type(options, message, scored, fails):
    assert message in fails(f"score {SYSTEMS} {options} --scores scores.jsonl")


def test_a_report_has_scores_of_others_beside_ours(scored, run):
    options = "-r references -m column:add sari --scores scores.jsonl --no-check"
    assert run(f"report {SYSTEMS} {options}").exit_code == 0
    page = Path("report.html").read_text(encoding="utf-8")
    assert "leads significantly by add" in page or "No system leads by add" in page


def test_meta_reads_columns_of_answers(examples, succeed):
    rows = [
        {**row, "meaning": row["item"] % 5, "simplicity": row["item"] % 3}
        for row in answers("a", "splitter", 1)
    ]
    write("answers.jsonl", rows)
    succeed("meta -d answers.jsonl --rating simplicity -m column:meaning --json")
