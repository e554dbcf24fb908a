"""``textsimp ratings``: tables of people's ratings, in all forms."""

import json
from pathlib import Path

import pytest

from tests.commands import own_keys
from tests.given import write
from textsimp.extensions.people import analyse, read, read_plan

OPTIONS = "ratings.jsonl --rating rating --resamples 200"


@pytest.fixture
def expected(examples):
    return analyse(read("ratings.jsonl", criteria=["rating"]), resamples=200)


def test_it_prints_systems_differences_agreement_and_raters(expected, run):
    printed = run(f"ratings {OPTIONS}").stdout
    assert printed.startswith("96 ratings, 12 items, 4 systems, 2 raters\n")
    for title, grid in expected.tables().items():
        assert f"{title}\n{grid.to_text()}" in printed
    assert printed.endswith(f"{expected.signature}\n")


def test_json_is_the_whole_analysis(expected, run):
    assert own_keys(run(f"ratings {OPTIONS} --json")) == json.loads(json.dumps(expected))


def test_answers_stand_beside_their_plan(examples, run, fails):
    design = "rate design -s source.txt -p systems --scheme level"
    assert run(f"{design} -o plan.jsonl").exit_code == 0
    plan = read_plan("plan.jsonl")
    rows = [answer for one in plan.screens for answer in one.answers(plan.scheme, {"level": "B1"})]
    write("answers.jsonl", rows[1:])
    printed = run("ratings answers.jsonl --plan plan.jsonl --resamples 20").stdout
    assert "\nrater 1 has no whole answer to 1 screen: 1\n" in printed
    assert run(f"{design} --raters 2 -o other.jsonl").exit_code == 0
    message = fails("ratings answers.jsonl --plan other.jsonl --resamples 20")
    assert "of answers.jsonl (counted from 0): the plan has no such screen of rater" in message


def test_a_plan_before_the_answers_tells_how_far_each_rater_is(examples, run):
    assert run("rate design -s source.txt -p systems --scheme level -o plan.jsonl").exit_code == 0
    plan, told = read_plan("plan.jsonl"), {"time": "2026-05-01T10:00:00Z"}
    own = [one for one in plan.screens if one.rater == "rater 2"][:30]
    rows = [row for one in own for row in one.answers(plan.scheme, {"level": "B1"}, **told)]
    write("answers/rater 2.jsonl", rows)
    printed = run("ratings plan.jsonl answers --resamples 20").stdout
    assert printed == run("ratings answers --plan plan.jsonl --resamples 20").stdout
    assert "\nrater 1   0 of 96                 –                 –" in printed
    assert "\nrater 2  30 of 96  2026-05-01 10:00  2026-05-01 10:00" in printed
    assert "\nrater 2 gave the same answer 30 times of 30\n" in printed


def test_files_may_follow_options(examples, run):
    first, last = (run(f"ratings {a}") for a in (OPTIONS, "--rating rating ratings.jsonl"))
    assert (first.exit_code, last.exit_code) == (0, 0)


def test_folders_of_answers_are_read_without_hidden_files(examples, run):
    for name in ("._ann.jsonl", ".jsonl"):  # as archives of another system have them
        Path("annotations", name).write_bytes(b"\x00\x05\x16\x07")
    result = run("ratings annotations --rating deletion --level ordinal --json")
    assert list(json.loads(result.stdout)["raters"]) == ["Ann", "Bob"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("source.jsonl", "source.jsonl: expected a column 'rating' or 'scheme', a plan, or col"),
        ("ratings.jsonl --scheme likerd", "scheme: expected one of 'likert'"),
        ("ratings.jsonl --rating ratin", "ratings.jsonl has no column 'ratin' (did you mean"),
        ("nothing.jsonl --rating rating", "nothing.jsonl: no such file"),
        ("ratings.jsonl --rating rating --resamples 0", "resamples: expected an integer from 1"),
    ],
)
def test_bad_input_is_one_sentence(arguments, message, examples, fails):
    write("source.jsonl", [{"rater": "A", "source": "A cat."}])
    assert fails(f"ratings {arguments}").startswith(message)
