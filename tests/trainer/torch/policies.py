"""TRL's trainers of a tiny random model."""

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
trl = pytest.importorskip("trl")
datasets = pytest.importorskip("datasets")

SOURCES = ["a cat sat on the very big mat", "it rained and we left the house"]
REFERENCES = [["a cat sat on the mat", "the cat sat"], ["it rained .", "we left ."]]
TRAINERS = {"GRPO": (trl.GRPOTrainer, trl.GRPOConfig), "RLOO": (trl.RLOOTrainer, trl.RLOOConfig)}
WORDS = "a cat sat on the mat . it rained dogs ran , and we left was big small red very house"
TEMPLATE = (
    "{% for m in messages %}{{ m['role'] + ' ' + m['content'] + ' ' }}{% endfor %}"
    "{% if add_generation_prompt %}assistant {% endif %}"
)


def write_policy(where):
    """Write a random GPT-2 of words, which chats; its folder."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = ["<pad>", "</s>", "<unk>", *WORDS.split(), "Simplify:", "user", "assistant"]
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


def make_trainer(policy, name, rewards, rows, **arguments):
    """A trainer that has two steps to make: four completions of both prompts in each."""
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
        model=transformers.AutoModelForCausalLM.from_pretrained(policy),
        reward_funcs=rewards,
        args=config(str(policy.parent / "out"), **{**usual, **arguments}),
        train_dataset=datasets.Dataset.from_dict(rows),
        processing_class=transformers.AutoTokenizer.from_pretrained(policy),
    )


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
