"""TSAR 2025: alignment, scores and ranking; the models are made up."""

import pytest

from tests.extensions.models.networks import fake
from tests.given import write
from textsimp import InputError
from textsimp.extensions import tasks
from textsimp.extensions.models.level import CEFR
from textsimp.extensions.tasks import models as runners
from textsimp.extensions.tasks.tsar2025 import CLASSIFIERS


def instance(name, target="A2"):
    return {"text_id": name, "original": "o", "target_cefr": target, "reference": "r"}


def output(name, text="x"):
    return {"text_id": name, "simplified": text}


@pytest.fixture(autouse=True)
def _models(monkeypatch):
    """Classifiers that say what the text says, and a similarity of letters in common."""

    classifier = fake.FakeLevels(lambda text: (text[:2] if text[:2] in CEFR else "A1", 0.5))

    def compare(name, outputs, others):
        return [len({*a} & {*b}) / 10 for a, b in zip(outputs, others, strict=True)]

    monkeypatch.setattr(runners, "compare", compare)
    with fake.models(**dict.fromkeys(CLASSIFIERS, classifier)):
        yield


def score(folder, gold, run):
    files = write(folder / "gold.jsonl", gold), write(folder / "run.jsonl", run)
    return tasks.score("tsar2025", gold=files[0], predictions=files[1])


def test_rows_are_those_of_gold_in_its_order(tmp_path):
    gold = [instance("a"), instance("b"), instance("c")]
    run = [output("c", "A2"), output("b", ""), output("A"), output("c", "B1")]
    result = score(tmp_path, gold, run)
    assert result.run.instances == ["b", "c", "c"]
    assert [result["num_instances"], result["coverage_n"], result["coverage_pct"]] == [4, 3, 100]
    coverage = result.coverage
    assert (coverage.missing, coverage.extra, coverage.repeated) == ([1], [3], [4])
    assert [*coverage.remarks.values()] == [[3], [2]]


def test_a_run_of_other_texts_has_no_scores(tmp_path):
    result = score(tmp_path, [instance("a")], [output("A")])
    assert result["rmse"] == result["meaningbert-ref"] == "n/a"
    assert result["coverage_pct"] == 0


def test_without_models_columns_say_what_they_need(tmp_path, monkeypatch):
    def absent(*arguments):
        raise InputError("it isn't on this machine; fetch it with: textsimp hub models --fetch X")

    monkeypatch.setattr(runners, "compare_levels", absent)
    monkeypatch.setattr(runners, "compare", lambda name, outputs, others: [0.25] * len(outputs))
    result = score(tmp_path, [instance("a")], [output("a")])
    assert result["rmse"] is None
    assert result["meaningbert-orig"] == 0.25
    assert [*result.missing] == ["weighted_f1", "adj_accuracy", "rmse"]
    assert "doc_sent_en" in result.missing["rmse"]
    assert "textsimp hub models --fetch X" in result.missing["rmse"]


@pytest.mark.parametrize(
    ("target", "line", "place"),
    [
        *(("A1", line, r"run\.jsonl, line 2") for line in ("", "{", "[]", '{"text_id": "a"}')),
        ("A1", '{"text_id": "a", "simplified": null}', "row 2 of column 'simplified'"),
        ("D1", '{"text_id": "b", "simplified": "x"}', r"gold\.jsonl, line 2: target_cefr: "),
    ],
)
def test_lines_that_the_script_refuses_are_named(tmp_path, target, line, place):
    gold = write(tmp_path / "gold.jsonl", [instance("a"), instance("b", target)])
    run = write(tmp_path / "run.jsonl", [output("a"), line])
    with pytest.raises(InputError, match=place):
        tasks.score("tsar2025", gold=gold, predictions=run)


def test_a_run_is_ranked_among_others(tmp_path):
    gold = write(tmp_path / "gold.jsonl", [instance("a"), instance("b")])
    run = write(tmp_path / "run.jsonl", [output("a", "A2"), output("b", "A1 or")])
    columns = "team,run,num_instances,rmse,meaningbert-orig,meaningbert-ref"
    rows = ["Theirs,1,2,0.2,0.8,0.8", "Theirs,2,2,0.9,0.7,0.7", "Partial,1,1,0.1,0.9,0.9"]
    others = write(tmp_path / "others.csv", [columns, *rows])
    results = tasks.compare("tsar2025", gold=gold, predictions={"Ours/run": run}, others=others)
    (ranking,) = results.rankings().values()
    assert (ranking[0]["team"], ranking[0]["run"]) == ("Theirs", "1")
    assert {row["team"] for row in ranking} == {"Ours", "Theirs"}
    assert [row["best of team"] for row in ranking if row["team"] == "Theirs"] == ["best", ""]


@pytest.mark.parametrize("number", ["nan", "0_2", "low", ""])
def test_others_have_finite_numbers(tmp_path, number):
    gold = write(tmp_path / "gold.jsonl", [instance("a")])
    run = write(tmp_path / "run.jsonl", [output("a")])
    columns = "team,run,num_instances,rmse,meaningbert-orig,meaningbert-ref"
    others = write(tmp_path / "others.csv", [columns, f"Theirs,1,2,{number},0.8,0.8"])
    results = tasks.compare("tsar2025", gold=gold, predictions=[run], others=others)
    with pytest.raises(InputError):
        results.rankings()


def test_runs_are_tested_on_the_instances_that_both_have(tmp_path):
    names = [f"t{i}" for i in range(20)]
    gold = write(tmp_path / "gold.jsonl", [instance(name) for name in names])
    good = write(tmp_path / "good.jsonl", [output(name, "A2 or") for name in names])
    bad = write(tmp_path / "bad.jsonl", [output(name, "C2") for name in names[:15]])
    results = tasks.compare("tsar2025", gold=gold, predictions=[good, bad], resamples=200)
    test = results.differences["bad"]["rmse"]
    assert test.value == 4
    assert test.permutation_p is not None
    assert test.permutation_p < 0.01
    assert results.intervals["good"]["rmse"] == [0, 0]
