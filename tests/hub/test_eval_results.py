"""Files for the Hub: what huggingface_hub reads from them is what was scored."""

import shutil
import sys
import types
from pathlib import Path

import huggingface_hub
import pytest
import yaml
from huggingface_hub import ModelCardData
from huggingface_hub.repocard_data import model_index_to_eval_results

import textsimp

FAST = "--resamples 2 --no-check"
ASSET = f"score -t asset_test --data-dir corpora {FAST}"
OURS = f"{ASSET} -p ours=systems/splitter.txt"


@pytest.fixture(autouse=True)
def corpora(examples):
    """The example corpus as ASSET, and as WikiSmall, which the Hub lacks."""
    for name in ("asset_test", "wikismall_test"):
        shutil.copytree("references", f"corpora/{name}/references")
        shutil.copy("source.txt", f"corpora/{name}/source.txt")


@pytest.mark.skipif(not hasattr(huggingface_hub, "EvalResultEntry"), reason="before 1.4")
def test_eval_results_are_read_back(succeed):
    done = succeed(f"{OURS} -m sari:xu,bleu --eval-results out.yaml")
    assert "written: out.yaml" in done.stdout
    entries = huggingface_hub.parse_eval_result_entries(
        yaml.safe_load(Path("out.yaml").read_text())
    )
    assert {(entry.dataset_id, entry.task_id) for entry in entries} == {
        ("facebook/asset", "sari"),
        ("facebook/asset", "bleu"),
    }
    bare = succeed(f"{OURS} -m sari:xu,bleu -b").stdout.split()
    assert [f"{entry.value:.2f}" for entry in entries] == bare
    assert textsimp.metric(entries[0].notes) == textsimp.metric("sari(xu)")


def test_a_model_index_is_read_back(succeed):
    succeed(f"{OURS} --model-index out.yaml")
    block = yaml.safe_load(Path("out.yaml").read_text())
    name, (result,) = model_index_to_eval_results(block["model-index"])
    assert (name, result.dataset_type, result.dataset_config) == (
        *("ours", "facebook/asset", "simplification"),
    )
    assert (result.metric_type, result.metric_name) == ("sari", "SARI (easse)")
    assert result.metric_args["signature"].startswith("sari|variant:easse|")
    assert ModelCardData(model_name=name, eval_results=[result]).to_dict() == block


def test_a_model_index_names_a_test_set_that_the_hub_lacks(succeed):
    succeed(f"{OURS.replace('asset', 'wikismall')} --model-index out.yaml")
    assert "name: PWKP / WikiSmall\n      type: wikismall_test" in Path("out.yaml").read_text()
    succeed(f"score -d examples.jsonl -P splitter {FAST} --model-index table.yaml")
    assert "type: examples" in Path("table.yaml").read_text()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (f"{ASSET} -p systems --eval-results out.yaml", "are of one model, got splitter, substit"),
        (f"score {FAST} -s source.txt -r references -p systems --model-index out.yaml", "give -t "),
        (f"{OURS} --eval-results out.json", "--eval-results: expected a file"),
        (
            f"{OURS.replace('asset', 'wikismall')} --eval-results out.yaml",
            "wikismall_test is no dataset on the Hugging Face Hub, to which results belong",
        ),
        (
            f"score -d examples.jsonl -p a.jsonl --missing skip {FAST} --model-index x.yaml",
            "results on the Hub are of all examples, without --missing skip",
        ),
    ],
)
def test_what_the_hub_has_no_place_for_is_an_error(command, message, fails):
    assert message in fails(command)
    assert not Path("out.yaml").exists()


def test_an_older_huggingface_hub_is_named(fails, monkeypatch):
    older = types.SimpleNamespace(__version__="0.24.0")
    monkeypatch.setitem(sys.modules, "huggingface_hub", older)
    assert "need huggingface_hub 1.4 or newer, got 0.24.0" in fails(
        f"{OURS} --eval-results out.yaml"
    )
