"""Answers of judges in files of ratings: invalid ones are counted, and count nowhere else."""

from textsimp import judgements
from textsimp.core import tables

JUDGE = {"model": "m", "reported": "m-2", "prompt": "abc", "temperature": 0.0, "left_out": []}


def write(path, answers):
    scheme = judgements.Scheme.load("level")
    rows = [
        {
            **scheme.stamp,
            "rater": "m",
            "item": "1",
            "system": ["a"],
            "control": "",
            "screen": i,
            "judge": JUDGE,
            "invalid": "",
            "time": f"{i:03}",
            **answer,
        }
        for i, answer in enumerate(answers)
    ]
    path.write_text(tables.json_lines(rows), encoding="utf-8")
    return path


def answers_of_ten(tmp_path):
    answers = [{"item": str(i), "level": "B1" if i % 2 else "A2"} for i in range(9)]
    invalid = {"item": "9", "level": None, "invalid": "expected JSON alone"}
    return judgements.read(write(tmp_path / "m.jsonl", [*answers, invalid]))


def test_an_invalid_answer_is_no_rating(tmp_path):
    analysis = judgements.analyse(answers_of_ten(tmp_path), resamples=10)
    assert analysis.counts["ratings"] == 9
    assert analysis.systems["a"]["level"].value == 1 + 4 / 9
    assert (analysis.raters["m"].ratings, analysis.raters["m"].invalid) == (9, 1)


def test_invalid_answers_are_counted_below_the_tables(tmp_path):
    analysis = judgements.analyse(answers_of_ten(tmp_path), resamples=10)
    note = "m: 1 of 10 answers are invalid, and count nowhere else"
    assert note in str(analysis)
    assert note in analysis.tables()["Raters"].notes
    assert analysis.tables()["Raters"].rows[0][-1] == "1"


def test_the_signature_says_how_judges_were_asked(tmp_path):
    analysis = judgements.analyse(answers_of_ten(tmp_path), resamples=10)
    assert "|judge(model:m,reported:m-2,prompt:abc,temperature:0.0)|" in analysis.signature


def test_judges_among_people_are_named_as_such(tmp_path):
    answers = [
        {"item": str(i), "rater": rater, "judge": judge, "level": "B1"}
        for i in range(3)
        for rater, judge in (("m", JUDGE), ("Ann", None))
    ]
    analysis = judgements.analyse(
        judgements.read(write(tmp_path / "m.jsonl", answers)), resamples=10
    )
    assert "1 of 2 raters are judges: models, not people" in analysis.notes


def test_an_invalid_answer_fails_no_control(tmp_path):
    scheme = judgements.Scheme.load("likert")
    criteria = dict.fromkeys(scheme.criteria, 1)
    rows = [{"item": str(i), **criteria, **scheme.stamp} for i in range(3)]
    control = {**rows[0], **dict.fromkeys(criteria), "control": "source", "invalid": "no text"}
    found = judgements.read(write(tmp_path / "m.jsonl", [*rows, control]), scheme)
    assert judgements.analyse(found, resamples=10).raters["m"].controls == 0


def test_an_item_may_be_repeated_on_several_screens(tmp_path):
    answers = [{"level": "B1", "control": control} for control in ("", "repeat", "repeat")]
    assert len(judgements.read(write(tmp_path / "m.jsonl", answers))) == 3


def test_the_last_answer_to_a_repeated_screen_counts(tmp_path):
    answers = [{"level": level, "control": "repeat", "screen": 7} for level in ("B1", "C1")]
    found = judgements.read(write(tmp_path / "m.jsonl", answers))
    assert found.values("level").tolist() == [4]
