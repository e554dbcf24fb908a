"""``--every-eval-ever`` against the published schema (every-eval-ever 0.3.0, MIT)."""

import json
from pathlib import Path

import pytest

jsonschema = pytest.importorskip("jsonschema")

SCHEMA = Path(__file__).parents[1] / "scoring" / "every_eval_ever" / "eval.schema.json"
TEXTS = "-s source.txt -r references --resamples 50"


@pytest.fixture(scope="module")
def check():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return jsonschema.Draft7Validator(schema).validate


def _results(record):
    return {one["evaluation_result_id"]: one for one in record["evaluation_results"]}


def test_a_record_is_valid_and_has_signature_and_interval(run, examples, check):
    metrics = "-m sari,bleu,fkgl,simplification_stats"
    scored = run(f"score {TEXTS} {metrics} -p systems/splitter.txt --json --every-eval-ever r.json")
    record = json.loads(Path("r.json").read_text(encoding="utf-8"))
    check(record)
    printed, sari = json.loads(scored.stdout), _results(record)["sari.sari"]
    own = printed["systems"]["splitter"]["sari"]
    assert sari["score_details"]["score"] == own["sari"]
    uncertainty = sari["score_details"]["uncertainty"]
    interval = uncertainty["confidence_interval"]
    assert [interval["lower"], interval["upper"]] == own["sari_interval"]
    assert (uncertainty["num_samples"], uncertainty["num_bootstrap_samples"]) == (48, 50)
    assert sari["metric_config"]["additional_details"] == {
        "signature": printed["signatures"]["sari"]
    }


def test_the_direction_is_that_of_the_score_and_scores_without_one_are_left_out(run, examples):
    run(f"score {TEXTS} -p systems/splitter.txt -m ter,edit_ops --every-eval-ever r.json")
    results = _results(json.loads(Path("r.json").read_text(encoding="utf-8")))
    assert results["ter.ter"]["metric_config"]["lower_is_better"] is True
    assert not any(name.startswith("edit_ops") for name in results)


def test_several_systems_are_lines_without_baselines(run, examples, check):
    assert run(f"score {TEXTS} -p systems --every-eval-ever r.jsonl").exit_code == 0
    lines = Path("r.jsonl").read_text(encoding="utf-8").splitlines()
    records = [*map(json.loads, lines)]
    for record in records:
        check(record)
    assert {one["model_info"]["name"] for one in records} == {"splitter", "substituter"}


def test_several_runs_are_details_of_their_mean(run, examples, check):
    files = "-p ours=systems/splitter.txt -p ours=systems/substituter.txt"
    assert run(f"score {TEXTS} {files} --every-eval-ever r.json").exit_code == 0
    record = json.loads(Path("r.json").read_text(encoding="utf-8"))
    check(record)
    found = _results(record)["sari.sari"]["score_details"]
    assert found["score"] == pytest.approx(sum(json.loads(found["details"]["runs"])) / 2)


def test_a_test_set_of_the_hub_is_named_by_its_repository(run, examples, check):
    folder = Path("corpora/asset_test")
    folder.mkdir(parents=True)
    Path("source.txt").rename(folder / "source.txt")
    Path("references").rename(folder / "references")
    given = "-t asset_test --data-dir corpora -p systems/splitter.txt"
    run(f"score {given} --resamples 20 --every-eval-ever r.json")
    record = json.loads(Path("r.json").read_text(encoding="utf-8"))
    check(record)
    source = _results(record)["sari.sari"]["source_data"]
    assert (source["hf_repo"], source["hf_split"]) == ("facebook/asset", "test")


def test_several_systems_are_refused_in_a_single_record_before_anything_is_scored(run, examples):
    result = run(f"score {TEXTS} -p systems --every-eval-ever r.json")
    assert result.exit_code == 2
    assert "expected a .jsonl file, or .json of one system, got r.json and 2 systems" in (
        result.stderr
    )
    assert not Path("r.json").exists()
