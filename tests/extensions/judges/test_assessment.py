"""How far to believe judges: invalid answers, agreement, biases."""

import random

import numpy as np
import pytest

from tests import given
from textsimp.extensions import judges, people
from textsimp.support.errors import InputError


def write(path, scheme, answers):
    """Write answers, those of raters whose names begin with J as judges'."""
    stamp = people.Scheme.load(scheme).stamp
    rows = []
    for i, answer in enumerate(answers):
        judge = {"model": answer["rater"]} if answer["rater"].startswith("J") else None
        same = {**stamp, "control": "", "invalid": "", "judge": judge, "time": f"{i:05}"}
        rows.append({**same, **answer})
    return people.read(given.write(path, rows))


def rated(tmp_path, raters, n=12):
    """Judgements of two systems; a rater is a function of quality, length, system and chance."""
    rng = random.Random(0)
    answers = []
    for item in range(n):
        for system in ("a", "b"):
            quality, length = rng.uniform(20, 80), rng.randint(5, 60)
            for name, rate in raters.items():
                said = {"overall": rate(quality, length, system, rng), "prediction": "x" * length}
                answers.append({"rater": name, "item": str(item), "system": [system], **said})
    return write(tmp_path / "answers.jsonl", "rank_and_rate", answers)


def careful(quality, length, system, rng):
    return quality + rng.uniform(-5, 5)


def likes_long(quality, length, system, rng):
    return length


def rows_of(assessment, criterion="overall"):
    return {row["judge"]: row for row in assessment.judges if row["criterion"] == criterion}


def test_judges_are_compared_with_each_other_and_with_people(tmp_path):
    raters = {"J1": careful, "J2": careful, "J3": likes_long, "Ann": careful, "Bob": careful}
    found = rated(tmp_path, raters)
    rows = rows_of(judges.assess(found))
    assert list(rows) == ["J1", "J2", "J3", "people"]
    assert rows["J1"]["people"] > 0.9
    assert abs(rows["J3"]["people"]) < 0.4
    names = found.answers["rater"].to_numpy()
    values = {name: found.values("overall")[names == name] for name in raters}
    expected = np.mean([np.corrcoef(values["J1"], values[name])[0, 1] for name in ("J2", "J3")])
    assert rows["J1"]["judges"] == pytest.approx(expected)


def test_alpha_says_whether_a_judge_fits_in(tmp_path):
    raters = {"J1": careful, "J2": likes_long, "Ann": careful, "Bob": careful}
    found = rated(tmp_path, raters)
    rows = rows_of(judges.assess(found))
    persons = found.take(found.answers["rater"].isin(["Ann", "Bob"]).to_numpy())
    agreement = people.analyse(persons, resamples=10).agreement["overall"]
    assert rows["people"]["alpha"] == agreement.raters.alpha
    assert rows["J2"]["alpha"] < rows["J1"]["alpha"]


@pytest.mark.parametrize("scheme", ["level", "pairwise"])
def test_people_elsewhere_are_found_by_source_and_text(tmp_path, scheme):
    def answer(rater, item, names, choice):
        outputs = {"system": names, "prediction": [f"{item[-1]} a", f"{item[-1]} b"]}
        if scheme == "level":
            outputs = {"system": names[0], "prediction": outputs["prediction"][0]}
        criteria = dict.fromkeys(people.Scheme.load(scheme).criteria, choice)
        return {"rater": rater, "item": item, "source": item[-1], **outputs, **criteria}

    own = ["A1", "B1", "C1", "A1"] if scheme == "level" else ["A", "B", "equal", "A"]
    here = [answer("J", str(i), [["s"], ["t"]], choice) for i, choice in enumerate(own)]
    there = [answer("Ann", f"id {i}", [["x"], ["y"]], choice) for i, choice in enumerate(own)]
    for row in there:  # white space doesn't matter
        row["source"] += " "
    there.append(answer("Ann", "id 9", [["x"], ["y"]], own[0]))  # no judge saw it
    judged = write(tmp_path / "judges.jsonl", scheme, here)
    rows = judges.assess(judged, write(tmp_path / "people.jsonl", scheme, there)).judges
    assert [row["answers"] for row in rows[:2]] == [4, 4]
    assert rows[0]["alpha"] == 1


def test_people_who_rated_other_outputs_are_refused(tmp_path):
    answers = [
        {"rater": rater, "item": "1", "source": rater, "prediction": "x", "level": "A1"}
        for rater in ("J", "Ann")
    ]
    files = [write(tmp_path / f"{i}.jsonl", "level", [one]) for i, one in enumerate(answers)]
    with pytest.raises(InputError):
        judges.assess(*files)


def test_length_bias_stands_beside_that_of_people(tmp_path):
    found = rated(tmp_path, {"J1": likes_long, "J2": careful, "Ann": careful})
    rows = rows_of(judges.assess(found))
    assert rows["J1"]["length"] == pytest.approx(1)
    assert abs(rows["people"]["length"]) < 0.4


def test_invalid_answers_are_counted(tmp_path):
    answers = [
        {"rater": "J", "item": str(i), "system": ["a"], "prediction": "x" * i, "level": "A1"}
        for i in range(5)
    ]
    answers[0] |= {"level": None, "invalid": "no text"}
    row = rows_of(judges.assess(write(tmp_path / "a.jsonl", "level", answers)), "level")["J"]
    assert (row["answers"], row["invalid"]) == (4, 1)


def test_self_agreement_is_of_repeated_answers(tmp_path):
    answers = [
        {"rater": "J", "item": str(i), "system": ["a"], "level": level, "control": control}
        for i in range(6)
        for control in ("", "repeat")
        for level in [["A1", "C1"][i % 2]]
    ]
    row = rows_of(judges.assess(write(tmp_path / "a.jsonl", "level", answers)), "level")["J"]
    assert row["repeated"] == 1


def test_the_share_of_preferences_that_follow_the_order(tmp_path):
    def compare(item, choice, control=""):
        systems, texts = [["a"], ["b"]], ["long text", "text"]
        flip = slice(None, None, -1 if control else 1)
        return {
            "rater": "J",
            "item": str(item),
            "system": systems[flip],
            "prediction": texts[flip],
            "control": control,
            **dict.fromkeys(("fluency", "meaning", "simplicity"), choice),
        }

    answers = [compare(i, "A") for i in range(4)]  # prefers a
    answers += [compare(0, "B", "reversed"), compare(1, "A", "reversed")]
    answers += [compare(2, "equal", "reversed")]
    row = rows_of(judges.assess(write(tmp_path / "a.jsonl", "pairwise", answers)), "fluency")["J"]
    assert row["changed"] == 2 / 3
    assert row["length"] == 1  # the share of preferences for the longer one


def test_the_share_of_pairs_whose_ratings_follow_the_order(tmp_path):
    values = {"": {"a": 10, "b": 20, "c": 30}, "reversed": {"a": 15, "b": 10, "c": 30}}
    answers = [
        {"rater": "J", "item": "1", "system": [name], "overall": value, "control": control}
        for control, own in values.items()
        for name, value in own.items()
    ]
    found = write(tmp_path / "a.jsonl", "rank_and_rate", answers)
    assert rows_of(judges.assess(found))["J"]["changed"] == 1 / 3


def test_the_table_has_no_empty_columns(tmp_path):
    table = judges.assess(rated(tmp_path, {"J1": careful, "J2": careful})).grid()
    assert table.header == [*("", "", "answers", "invalid", "mean", "r judges", "length")]
    assert table.notes[0].startswith("alpha among judges: overall 0.9")
    assert table.notes[1].endswith("|model:J1|model:J2")


def test_people_alone_are_no_panel(tmp_path):
    with pytest.raises(InputError):
        judges.assess(rated(tmp_path, {"Ann": careful}))
