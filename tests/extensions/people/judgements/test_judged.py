"""Answers of judges in files of ratings: invalid ones are counted, and count nowhere else."""

import pytest

from textsimp.extensions import people

JUDGE = {"model": "m", "reported": "m-2", "prompt": "abc", "temperature": 0.0, "left_out": []}


@pytest.fixture
def judged(written):
    """``judged([answer, …])`` → a judge's answers, as read from a file."""

    def write(answers):
        stamp = people.Scheme.load("level").stamp
        same = {"rater": "m", "item": "1", "system": ["a"], "control": "", "judge": JUDGE}
        rows = [
            {**stamp, **same, "screen": i, "invalid": "", "time": f"{i:03}", **answer}
            for i, answer in enumerate(answers)
        ]
        return people.read(written(rows))

    return write


@pytest.fixture
def ten(judged):
    answers = [{"item": str(i), "level": "B1" if i % 2 else "A2"} for i in range(9)]
    invalid = {"item": "9", "level": None, "invalid": "expected JSON alone"}
    return people.analyse(judged([*answers, invalid]), resamples=10)


def test_an_invalid_answer_is_no_rating(ten):
    assert ten.counts["ratings"] == 9
    assert ten.systems["a"]["level"].value == 1 + 4 / 9
    assert (ten.raters["m"].ratings, ten.raters["m"].invalid) == (9, 1)


def test_invalid_answers_are_counted_below_the_tables(ten):
    note = "m: 1 of 10 answers are invalid, and count nowhere else"
    assert note in str(ten)
    assert note in ten.tables()["Raters"].notes


def test_the_signature_says_how_judges_were_asked(ten):
    assert "|judge(model:m,reported:m-2,prompt:abc,temperature:0.0)|" in ten.signature


def test_an_invalid_answer_fails_no_control(judged):
    scheme = people.Scheme.load("likert")
    criteria = dict.fromkeys(scheme.criteria, 1)
    rows = [{"item": str(i), **criteria, **scheme.stamp} for i in range(3)]
    control = {**rows[0], **dict.fromkeys(criteria), "control": "source", "invalid": "no text"}
    found = judged([*rows, control])
    assert people.analyse(found, resamples=10).raters["m"].controls == 0


def test_an_item_may_be_repeated_on_several_screens(judged):
    answers = [{"level": "B1", "control": control} for control in ("", "repeat", "repeat")]
    assert len(judged(answers)) == 3
