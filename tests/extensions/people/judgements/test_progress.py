"""Answers beside their plan: those that it doesn't plan are refused, missing ones are named."""

import functools
import json

import pytest

from tests.extensions.people.judgements.conftest import answers_to
from textsimp import InputError
from textsimp.extensions.people import Scheme, analyse, design, read
from textsimp.extensions.people.judgements.schemes import NAMES


@functools.cache
def plan_of(scheme="level"):
    texts = {f"s{k}": [f"{i} of {k}." for i in range(24)] for k in range(4)}
    return design([f"Source {i}." for i in range(24)], texts, scheme, per_output=1, controls=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_study_in_which_all_is_answered_misses_nothing(name, written):
    plan = plan_of(name)
    assert read(written(answers_to(plan)), plan=plan).missing == {}


def test_a_plan_may_be_a_file(written):
    plan = plan_of()
    path = written(plan.to_dicts(), "plan.jsonl")
    assert len(read(written(answers_to(plan)), plan=path)) == len(plan.screens)


def test_screens_without_a_whole_answer_are_missing(written):
    plan = plan_of("likert")
    rows = [row for row in answers_to(plan) if row["rater"] != "rater 3"]
    rows[1]["fluency"] = None
    del rows[4]
    ratings = read(written(rows), plan=plan)
    assert {name: own[:3] for name, own in ratings.missing.items()} == {
        "rater 1": [2, 5],
        "rater 3": [1, 2, 3],
    }
    lines = [note for note in analyse(ratings, resamples=20).notes if "screens" in note]
    assert lines[0] == "rater 1 has no whole answer to 2 screens: 2, 5"
    assert lines[1].endswith(" screens: 1, 2, 3, …")


def test_answers_from_a_spreadsheet_need_no_texts(written):
    plan = plan_of("pairwise")
    names = ["rater", "item", "system", "control", *plan.scheme.criteria]
    rows = [{name: row[name] for name in names} for row in answers_to(plan)]
    cells = [row | {"system": json.dumps(row["system"])} for row in rows]
    assert read(written(cells, "answers.csv"), plan=plan).missing == {}


@pytest.mark.parametrize(
    "change",
    [
        *({"rater": "Bob"}, {"item": "99"}, {"system": ["new"]}, {"hash": "0"}),
        *({"prediction": "Other."}, {"source": "Other."}, Scheme.load("likert").stamp),
    ],
)
def test_answers_that_are_not_planned_are_refused_with_file_and_row(change, written):
    plan = plan_of()
    rows = answers_to(plan)
    assert not rows[3]["control"]
    for row in rows:
        del row["time"]
    rows[3].update(change)
    with pytest.raises(InputError, match=r"row 3 of .*answers\.jsonl"):
        read(written(rows), plan=plan)
