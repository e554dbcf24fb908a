"""Steps of TRL's trainers on a tiny random model, with rewards of `make_reward`."""

import math
import os
import re
import subprocess
import sys

import pytest

from textsimp import BertScore, Sari
from textsimp.trainer import make_reward

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
trl = pytest.importorskip("trl")
datasets = pytest.importorskip("datasets")

from tests.extensions.models.networks import tiny  # noqa: E402
from tests.project import EXAMPLES, PROJECT  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")  # of TRL's calls

SOURCES = ["a cat sat on the very big mat", "it rained and we left the house"]
REFERENCES = [["a cat sat on the mat", "the cat sat"], ["it rained .", "we left ."]]
TRAINERS = {"GRPO": (trl.GRPOTrainer, trl.GRPOConfig), "RLOO": (trl.RLOOTrainer, trl.RLOOConfig)}
TEMPLATE = (
    "{% for m in messages %}{{ m['role'] + ' ' + m['content'] + ' ' }}{% endfor %}"
    "{% if add_generation_prompt %}assistant {% endif %}"
)


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """More only wait for one another in so small a model."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A random GPT-2 of words, which chats."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    where = tmp_path_factory.mktemp("policy")
    words = ["<pad>", "</s>", "<unk>", *tiny.WORDS, "Simplify:", "user", "assistant"]
    made = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(where)
    transformers.set_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(words), n_embd=16, n_layer=1, n_head=2, n_positions=64, eos_token_id=1
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(where)
    return where


@pytest.fixture
def make_trainer(folder, tmp_path):
    """A trainer that has two steps to make: four completions of both prompts in each."""

    def make(name, rewards, rows, **arguments):
        trainer, config = TRAINERS[name]
        usual = {
            "num_generations": 4,
            "per_device_train_batch_size": 8,
            "max_completion_length": 8,
            "max_steps": 2,
            "learning_rate": 0.01,
            "logging_steps": 1,
            "report_to": "none",
            "save_strategy": "no",
            "disable_tqdm": True,
            "use_cpu": True,
            "bf16": False,
        }
        return trainer(
            model=transformers.AutoModelForCausalLM.from_pretrained(folder),
            reward_funcs=rewards,
            args=config(str(tmp_path), **{**usual, **arguments}),
            train_dataset=datasets.Dataset.from_dict(rows),
            processing_class=transformers.AutoTokenizer.from_pretrained(folder),
        )

    return make


class Watched:
    """A reward function that keeps what it was given and gave."""

    def __init__(self, reward):
        self.reward, self.__name__ = reward, reward.__name__
        self.calls = []

    def __call__(self, **given):
        self.calls.append((given, self.reward(**given)))
        return self.calls[-1][1]


def logged(trainer, name):
    return [log[name] for log in trainer.state.log_history if name in log]


def plain(rows):
    return {"prompt": [f"Simplify: {source}" for source in SOURCES], **rows}


def chat(rows):
    prompts = [[{"role": "user", "content": f"Simplify: {source}"}] for source in SOURCES]
    return {"prompt": prompts, **rows}


@pytest.mark.parametrize("prompts", [plain, chat])
@pytest.mark.parametrize("name", TRAINERS)
def test_a_trainer_learns_from_the_scores_of_what_it_writes(name, prompts, make_trainer):
    reward = Watched(make_reward("sari"))
    trainer = make_trainer(name, reward, prompts({"source": SOURCES, "references": REFERENCES}))
    before = {k: v.clone() for k, v in trainer.model.state_dict().items()}
    trainer.train()
    assert len(reward.calls) == 2
    means = []
    for given, rewards in reward.calls:
        assert len(rewards) == 8
        texts = [c if isinstance(c, str) else c[-1]["content"] for c in given["completions"]]
        for source, row, text, value in zip(
            given["source"], given["references"], texts, rewards, strict=True
        ):
            score = Sari().score(sources=[source], references=[row], predictions=[text.strip()])
            assert value == pytest.approx(score["sari"] / 100)
        means.append(sum(rewards) / 8)
    assert logged(trainer, "rewards/sari/mean") == pytest.approx(means, rel=1e-5)
    after = trainer.model.state_dict()
    assert any(not torch.equal(before[k], after[k]) for k in before)


@pytest.mark.parametrize("name", TRAINERS)
def test_rows_of_another_task_are_left_to_another_function(name, make_trainer):
    reward = Watched(make_reward("sari"))

    def short(completions, **columns):
        return [-float(len(text.split())) for text in completions]

    rows = plain({"source": SOURCES, "references": [REFERENCES[0], None]})
    trainer = make_trainer(name, [reward, short], rows, reward_weights=[1.0, 0.1])
    trainer.train()
    for given, rewards in reward.calls:
        assert [value is None for value in rewards] == [row is None for row in given["references"]]
        assert sum(value is None for value in rewards) == 4
    assert all(map(math.isfinite, logged(trainer, "rewards/sari/mean")))


def test_a_column_that_is_missing_stops_the_first_step(make_trainer):
    trainer = make_trainer("GRPO", make_reward(), plain({"complex": SOURCES}))
    with pytest.raises(ValueError, match="source: "):
        trainer.train()


def test_a_metric_of_a_model_rewards_too(make_trainer, tmp_path):
    pytest.importorskip("bert_score")
    judge = BertScore(model=str(tiny.bert(tmp_path / "bert")), layer=2)
    reward = Watched(make_reward(judge))
    make_trainer("GRPO", reward, plain({"references": REFERENCES}), max_steps=1).train()
    ((given, rewards),) = reward.calls
    texts = [text.strip() for text in given["completions"]]
    scores = judge.score(predictions=texts, references=given["references"], per_example=True)
    assert rewards == pytest.approx([s / 100 for s in scores["bertscore_per_example"]], abs=1e-5)


def test_the_snippet_to_copy_runs(folder, tmp_path, monkeypatch):
    page = (PROJECT / "docs" / "tools.md").read_text(encoding="utf-8")
    section = page.partition("## Scores as rewards")[2]
    snippet = section.partition("```py\n")[2].partition("```")[0]
    small = "use_cpu=True, bf16=False, max_steps=1, logging_steps=1, max_completion_length=8"
    assert 'GRPOConfig("out", ' in snippet
    snippet = snippet.replace('GRPOConfig("out", ', f'GRPOConfig("out", {small}, ')
    rows = plain({"source": SOURCES, "references": REFERENCES})
    names = {"model": str(folder), "dataset": datasets.Dataset.from_dict(rows)}
    monkeypatch.chdir(tmp_path)
    exec(snippet, names)
    assert logged(names["trainer"], "rewards/sari/mean")


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
