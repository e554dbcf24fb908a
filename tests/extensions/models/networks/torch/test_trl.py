"""TRL's trainers with rewards by a metric of a model, and with an audit of what they write."""

import os
import re
import subprocess
import sys

import pytest

from tests.extensions.models.networks import tiny
from tests.project import EXAMPLES, PROJECT
from tests.trainer.torch.policies import REFERENCES, Watched, make_trainer, plain, write_policy
from textsimp import BertScore
from textsimp.trainer import make_reward

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")  # of TRL's calls


def test_a_metric_of_a_model_rewards_too(tmp_path):
    pytest.importorskip("bert_score")
    judge = BertScore(model=str(tiny.bert(tmp_path / "bert")), layer=2)
    reward = Watched(make_reward(judge))
    policy = write_policy(tmp_path / "policy")
    rows = plain({"references": REFERENCES})
    make_trainer(policy, "GRPO", reward, rows, max_steps=1).train()
    ((given, rewards),) = reward.calls
    texts = [text.strip() for text in given["completions"]]
    scores = judge.score(predictions=texts, references=given["references"], per_example=True)
    assert rewards == pytest.approx([s / 100 for s in scores["bertscore_per_example"]], abs=1e-5)


def test_the_example_trains_and_audits(tmp_path):
    done = subprocess.run(
        [sys.executable, EXAMPLES / "train_reward.py", "--steps=1", "--before=20"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = re.findall(r"^(\w+): mean reward 0\.\d{3}; \d+% copies", done.stdout, re.MULTILINE)
    assert found == ["before", "after"]
    assert "a policy that says nothing would earn 0.24" in done.stdout
    audits = re.findall(
        r"^On these texts (\w+) \([^)]+\) (?:gets|doesn't notice)", done.stdout, re.MULTILINE
    )
    assert audits == ["FKGL", "BLEU", "SARI"]
