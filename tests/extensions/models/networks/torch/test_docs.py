"""The examples of docs/extensions/models.md run, with tiny models by the names that it uses."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.extensions.models.networks import tiny
from tests.project import EXAMPLES, PROJECT
from textsimp.cli import main

PAGE = (PROJECT / "docs" / "extensions" / "models.md").read_text(encoding="utf-8")
LEVELS = ["A1", "A2", "B1", "B2", "C1", "C2"]
NLI = ["entailment", "neutral", "contradiction"]
MODELS = {  # labels, and what else
    "FacebookAI/roberta-large": (None, {"num_hidden_layers": 24}),
    "AbdullahBarayan/ModernBERT-base-doc_en-Cefr": (LEVELS, {}),
    "AbdullahBarayan/ModernBERT-base-doc_sent_en-Cefr": (LEVELS, {"seed": 1}),
    "AbdullahBarayan/ModernBERT-base-reference_AllLang2-Cefr2": (LEVELS, {"seed": 2}),
    "liamcripwell/sle-base": (["score"], {}),
    "davebulaval/MeaningBERT": (["score"], {"seed": 1}),
    "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli": (NLI, {}),
}

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore:.* are longer than the 32 tokens")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """A cache of the Hub with the models that the page names."""
    cache, made = tmp_path_factory.mktemp("hub"), tmp_path_factory.mktemp("made")
    for name, (labels, options) in MODELS.items():
        tiny.keep(cache, name, tiny.bert(made / name, labels, **options))
    for name, golden in (("lens", "roberta"), ("lens-salsa", "salsa")):
        tiny.keep(cache, f"davidheineman/{name}", Path(__file__).parent / "lens" / golden)
    return cache


@pytest.fixture(autouse=True)
def among_the_examples(hub, tmp_path, monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(hub))
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    monkeypatch.chdir(tmp_path / "examples")


def test_commands_run():
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(commands) > 3
    for command in commands:
        if "--fetch" not in command:
            done = CliRunner().invoke(main, shlex.split(command)[1:])
            assert done.exit_code == 0, done.output


def test_blocks_run_one_after_the_other(hub):
    (some,) = hub.glob("*roberta-large/snapshots/*")
    names = {"tokenizer": transformers.AutoTokenizer.from_pretrained(some)}
    for block in blocks("py"):
        exec(block, names)
    assert {*names["scores"]} == {"supported", "additions"}
