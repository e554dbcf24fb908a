"""Figures of people's ratings."""

import json

import pytest

from tests.given import columns, systems
from tests.project import EXAMPLES
from textsimp import InputError, figure, score
from textsimp.extensions import people
from textsimp.report import figures

pytest.importorskip("altair")
QUICK = {"confidence": 0.95, "resamples": 50, "seed": 0}
CORPUS = columns()


def rows(chart):
    return chart.data.to_dict()["values"]


def draw(**options):
    outputs = {**systems(), "copy": CORPUS["sources"]}
    return figure("people", outputs, **CORPUS, **QUICK, **options)


def test_scores_and_ratings_are_those_of_score_and_ratings():
    ratings = people.read(EXAMPLES / "ratings.jsonl", criteria=["rating"])
    drawn = {row["system"]: row for row in rows(draw(ratings=ratings))}
    outputs = {**systems(), "copy": CORPUS["sources"]}
    scores = score(outputs, **CORPUS, **QUICK)
    names = {name: name for name in outputs}
    rated = ratings.for_report(CORPUS["sources"], outputs, names, **QUICK)
    means = rated.compare("ratings.rating", {}).systems
    assert [*drawn] == ["copy", "substituter", "splitter"]
    for name, row in drawn.items():
        own = scores[name]["sari"].main
        assert [row["x"], row["x_low"], row["x_high"]] == [own.value, *own.interval]
        people_say = means[name].main
        assert [row["y"], row["y_low"], row["y_high"]] == [people_say.value, *people_say.interval]
    assert drawn["copy"]["kind"] == "baseline"


def test_who_wrote_the_references_is_no_system():
    ratings = people.read(EXAMPLES / "ratings.jsonl", criteria=["rating"])
    outputs = systems()
    references = [[text] for text in outputs["splitter"]]
    columns = {"sources": CORPUS["sources"], "references": references}
    drawn = rows(figure("people", outputs, **columns, **QUICK, ratings=ratings))
    assert {row["system"]: row["kind"] for row in drawn} == {
        "splitter": "references",
        "substituter": "system",
    }


def test_ratings_are_needed():
    with pytest.raises(InputError, match="ratings: expected what people"):
        draw()


@pytest.fixture(scope="module")
def agreement():
    table = [json.loads(line) for line in (EXAMPLES / "ratings.jsonl").open(encoding="utf-8")]
    return people.evaluate(table, ["sari", "bleu"], **QUICK)


def test_trust_draws_coefficients_of_each_set(agreement, tmp_path):
    (tmp_path / "b.json").write_text(json.dumps(agreement.to_dict()), encoding="utf-8")
    drawn = rows(figure("trust", {"a": agreement, "b": tmp_path / "b.json"}, metrics=["bleu"]))
    own = agreement.metrics["bleu"]["outputs"]["pearson"]
    assert [(row["metric"], row["label"], row["value"]) for row in drawn] == [
        ("a", "bleu", own.value),
        ("b", "bleu", own.value),
    ]
    assert [drawn[0]["low"], drawn[0]["high"]] == own.interval


def test_copy_and_empty_stand_below_the_metrics():
    records = [
        {"metric": name, "coefficient": "pearson", "value": 0.3, "low": 0.2, "high": 0.4}
        for name in ("copy", "sari", "Empty", "bleu")
    ]
    chart = figure("trust", records)
    assert [row["kind"] for row in rows(chart)] == ["baseline", "system", "baseline", "system"]
    names = chart.to_dict()["layer"][1]["encoding"]["y"]["scale"]["domain"]
    assert names == ["sari", "bleu", " ", "copy", "Empty"]


def test_trust_reads_results_of_meta_only(tmp_path):
    with pytest.raises(InputError, match=r"what textsimp meta prints .* without coefficient, high"):
        figure("trust", {"set": ["a text"]})
    (tmp_path / "scores.json").write_text('{"metrics": {}}', encoding="utf-8")
    with pytest.raises(InputError, match=r"scores\.json: .* without system_score"):
        figure("trust", {"set": tmp_path / "scores.json"})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"metrics": ["sarri"]}, "metrics: expected one of"),
        ({"coefficient": "r"}, "expected r of outputs with intervals, got none"),
    ],
)
def test_what_trust_does_not_know(agreement, options, said):
    with pytest.raises(InputError, match=said):
        figure("trust", agreement, **options)


def test_both_are_as_wide_as_a_column(agreement):
    ratings = people.read(EXAMPLES / "ratings.jsonl", criteria=["rating"])
    for chart in (draw(ratings=ratings), figure("trust", {"set": agreement})):
        assert b'width="218.18pt"' in figures.render(chart, ".svg")
