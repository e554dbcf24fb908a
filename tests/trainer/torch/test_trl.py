"""Steps of TRL's trainers on a tiny random model, with rewards of `make_reward`."""

import math

import pytest

from tests.project import PROJECT
from tests.trainer.torch.policies import (
    REFERENCES,
    SOURCES,
    TRAINERS,
    Watched,
    chat,
    datasets,
    logged,
    make_trainer,
    plain,
    torch,
    write_policy,
)
from textsimp import Sari
from textsimp.trainer import make_reward

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")  # of TRL's calls


@pytest.fixture(scope="module")
def policy(tmp_path_factory):
    return write_policy(tmp_path_factory.mktemp("policy"))


@pytest.mark.parametrize("prompts", [plain, chat])
@pytest.mark.parametrize("name", TRAINERS)
def test_a_trainer_learns_from_the_scores_of_what_it_writes(name, prompts, policy):
    reward = Watched(make_reward("sari"))
    trainer = make_trainer(
        policy, name, reward, prompts({"source": SOURCES, "references": REFERENCES})
    )
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
def test_rows_of_another_task_are_left_to_another_function(name, policy):
    reward = Watched(make_reward("sari"))

    def short(completions, **columns):
        return [-float(len(text.split())) for text in completions]

    rows = plain({"source": SOURCES, "references": [REFERENCES[0], None]})
    trainer = make_trainer(policy, name, [reward, short], rows, reward_weights=[1.0, 0.1])
    trainer.train()
    for given, rewards in reward.calls:
        assert [value is None for value in rewards] == [row is None for row in given["references"]]
        assert sum(value is None for value in rewards) == 4
    assert all(map(math.isfinite, logged(trainer, "rewards/sari/mean")))


def test_a_column_that_is_missing_stops_the_first_step(policy):
    trainer = make_trainer(policy, "GRPO", make_reward(), plain({"complex": SOURCES}))
    with pytest.raises(ValueError, match="source: "):
        trainer.train()


def test_the_snippet_to_copy_runs(policy, tmp_path, monkeypatch):
    page = (PROJECT / "docs" / "tools.md").read_text(encoding="utf-8")
    section = page.partition("## Scores as rewards")[2]
    snippet = section.partition("```py\n")[2].partition("```")[0]
    small = "use_cpu=True, bf16=False, max_steps=1, logging_steps=1, max_completion_length=8"
    assert 'GRPOConfig("out", ' in snippet
    snippet = snippet.replace('GRPOConfig("out", ', f'GRPOConfig("out", {small}, ')
    rows = plain({"source": SOURCES, "references": REFERENCES})
    names = {"model": str(policy), "dataset": datasets.Dataset.from_dict(rows)}
    monkeypatch.chdir(tmp_path)
    exec(snippet, names)
    assert logged(names["trainer"], "rewards/sari/mean")
