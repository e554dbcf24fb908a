"""TSAR 2025: alignment, scores and ranking; the models are made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extensions.literal import tsar2025 as literal
from tests.given import write
from textsimp import InputError
from textsimp.extensions import tasks
from textsimp.extensions.tasks import models as runners
from textsimp.extensions.tasks import tsar2025

LEVELS = literal.LEVELS
labels = st.sampled_from([*LEVELS, "a2", " B1 "])
votes = st.lists(st.tuples(labels, st.sampled_from([0.25, 0.5, 0.75])), min_size=3, max_size=3)
numbers = st.sampled_from([0.1, 0.2, 0.25, 0.4, 0.7, 0.95])


def instance(name, target="A2"):
    return {"text_id": name, "original": "o", "target_cefr": target, "reference": "r"}


def output(name, text="x"):
    return {"text_id": name, "simplified": text}


@pytest.fixture
def models(monkeypatch):
    """A classifier that says what the text says, and a similarity of letters in common."""

    def classify(model, texts):
        return [(text[:2] if text[:2] in LEVELS else "A1", 0.5) for text in texts]

    def compare(name, outputs, others):
        return [len({*a} & {*b}) / 10 for a, b in zip(outputs, others, strict=True)]

    monkeypatch.setattr(runners, "classify", classify)
    monkeypatch.setattr(runners, "compare", compare)


def score(folder, gold, run):
    files = write(folder / "gold.jsonl", gold), write(folder / "run.jsonl", run)
    return tasks.score("tsar2025", gold=files[0], predictions=files[1])


@given(st.lists(st.tuples(st.sampled_from(LEVELS), votes), min_size=1, max_size=12))
def test_level_scores_equal_plain_loops(tmp_path_factory, rows):
    said = {f"text {i}": votes for i, (_, votes) in enumerate(rows)}
    folder = tmp_path_factory.mktemp("tsar")
    with pytest.MonkeyPatch.context() as patch:
        order = {model: i for i, model in enumerate(tsar2025.CLASSIFIERS)}
        patch.setattr(runners, "classify", lambda m, texts: [said[t][order[m]] for t in texts])
        patch.setattr(runners, "compare", lambda name, outputs, others: [0.5] * len(outputs))
        gold = [instance(f"text {i}", target.lower()) for i, (target, _) in enumerate(rows)]
        result = score(folder, gold, [output(text, text) for text in said])
    expected = literal.level_scores([t for t, _ in rows], [literal.surest(v) for _, v in rows])
    for name, value in expected.items():
        assert result["exact"][name] == pytest.approx(value, abs=1e-12)
        assert result[name] == round(result["exact"][name], 4)


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=8))
def test_ranks_equal_plain_loops(rows):
    found = tsar2025.autorank([("team", str(i), 200, *row) for i, row in enumerate(rows)])
    by_run = {row["run"]: row for row in found}
    average = [by_run[str(i)]["AvgScore"] for i in range(len(rows))]
    assert average == pytest.approx(literal.average_scores(rows), abs=1e-12)
    ranks = literal.ranks(average)
    assert [by_run[str(i)]["AUTORANK"] for i in range(len(rows))] == pytest.approx(ranks)
    assert [row["AUTORANK"] for row in found] == sorted(ranks)


@pytest.mark.usefixtures("models")
def test_rows_are_those_of_gold_in_its_order(tmp_path):
    gold = [instance("a"), instance("b"), instance("c")]
    run = [output("c", "A2"), output("b", ""), output("A"), output("c", "B1")]
    result = score(tmp_path, gold, run)
    assert result.run.instances == ["b", "c", "c"]
    assert [result["num_instances"], result["coverage_n"], result["coverage_pct"]] == [4, 3, 100]
    coverage = result.coverage
    assert (coverage.missing, coverage.extra, coverage.repeated) == ([1], [3], [4])
    assert [*coverage.remarks.values()] == [[3], [2]]


@pytest.mark.usefixtures("models")
def test_a_run_of_other_texts_has_no_scores(tmp_path):
    result = score(tmp_path, [instance("a")], [output("A")])
    assert result["rmse"] == result["meaningbert-ref"] == "n/a"
    assert result["coverage_pct"] == 0


def test_without_models_columns_say_what_they_need(tmp_path, monkeypatch):
    def absent(*arguments):
        raise InputError("it isn't on this machine; fetch it with: textsimp hub models --fetch X")

    monkeypatch.setattr(runners, "classify", absent)
    monkeypatch.setattr(runners, "compare", lambda name, outputs, others: [0.25] * len(outputs))
    result = score(tmp_path, [instance("a")], [output("a")])
    assert result["rmse"] is None
    assert result["meaningbert-orig"] == 0.25
    assert [*result.missing] == ["weighted_f1", "adj_accuracy", "rmse"]
    assert "doc_sent_en" in result.missing["rmse"]
    assert "textsimp hub models --fetch X" in result.missing["rmse"]


@pytest.mark.usefixtures("models")
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


@pytest.mark.usefixtures("models")
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


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("number", ["nan", "0_2", "low", ""])
def test_others_have_finite_numbers(tmp_path, number):
    gold = write(tmp_path / "gold.jsonl", [instance("a")])
    run = write(tmp_path / "run.jsonl", [output("a")])
    columns = "team,run,num_instances,rmse,meaningbert-orig,meaningbert-ref"
    others = write(tmp_path / "others.csv", [columns, f"Theirs,1,2,{number},0.8,0.8"])
    results = tasks.compare("tsar2025", gold=gold, predictions=[run], others=others)
    with pytest.raises(InputError):
        results.rankings()


@pytest.mark.usefixtures("models")
def test_gold_that_does_not_count_is_remarked(tmp_path):
    gold = [instance("a"), instance("b"), instance("a")]
    coverage = score(tmp_path, gold, [output("a")]).coverage
    assert (coverage.gold, coverage.missing) == (2, [2])
    assert coverage.remarks == {"gold whose instance has a later row": [1]}


@pytest.mark.usefixtures("models")
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
