"""Train a tiny policy on SARI with TRL's GRPOTrainer: about a minute on a CPU.

Needs torch, transformers, accelerate and trl. Nothing is downloaded: a small GPT-2 first learns by
heart to answer sentences of the example corpus in several ways, by copying them, by either system's
output and by a reference. Then SARI rewards what it writes. The run shows how a reward works and
what it pays for, not how to simplify.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
    PrinterCallback,
    set_seed,
)
from trl import GRPOConfig, GRPOTrainer

import textsimp
from textsimp.extensions.audits import audit_gaming
from textsimp.trainer import Reward, make_reward

HERE = Path(__file__).parent
SENTENCES, SAMPLES, LONGEST = 16, 8, 45


def lines(name: str) -> list[str]:
    """Some lines of a file; only a line feed ends a line."""
    text = (HERE / name).read_text(encoding="utf-8").removesuffix("\n")
    return text.split("\n")[:SENTENCES]


SOURCES = lines("source.txt")
REFERENCES = [
    list(row) for row in zip(*(lines(f"references/{i}.txt") for i in range(3)), strict=True)
]
SYSTEMS = [lines(f"systems/{name}.txt") for name in ("splitter", "substituter")]
ANSWERS = [SOURCES, *SYSTEMS, lines("references/0.txt")]


def make_tokenizer() -> PreTrainedTokenizerFast:
    """A word is a token."""
    texts = [*SOURCES, *(text for answers in ANSWERS for text in answers)]
    words = dict.fromkeys(word for text in texts for word in text.split())
    vocabulary = {word: i for i, word in enumerate(["<pad>", "</s>", "=>", *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<pad>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>")


def learn_by_heart(model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerFast, steps: int) -> None:
    """Teach the model all answers of every sentence."""
    pairs = [pair for answers in ANSWERS for pair in zip(SOURCES, answers, strict=True)]
    texts = [f"{source} => {answer} </s>" for source, answer in pairs]
    batch = tokenizer(texts, return_tensors="pt", padding=True, padding_side="right")
    starts = torch.tensor([len(source.split()) + 1 for source, _ in pairs])
    answered = torch.arange(batch.input_ids.shape[1]) >= starts[:, None]
    labels = batch.input_ids.where(batch.attention_mask.bool() & answered, -100)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    model.train()
    for _ in range(steps):
        chosen = torch.randint(len(texts), (16,))
        loss = model(batch.input_ids[chosen], labels=labels[chosen]).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def samples(model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerFast) -> list[list[str]]:
    """Some answers to every sentence, drawn at random."""
    model.eval()
    batch = tokenizer(
        [f"{source} =>" for source in SOURCES],
        return_tensors="pt",
        padding=True,
        padding_side="left",
        return_token_type_ids=False,
    )
    with torch.no_grad():
        found = model.generate(
            **batch,
            do_sample=True,
            max_new_tokens=LONGEST,
            num_return_sequences=SAMPLES,
            pad_token_id=tokenizer.pad_token_id,
        )
    texts = tokenizer.batch_decode(found[:, batch.input_ids.shape[1] :], skip_special_tokens=True)
    return [texts[i::SAMPLES] for i in range(SAMPLES)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60, help="of GRPO")
    parser.add_argument("--before", type=int, default=400, help="steps of learning by heart")
    given = parser.parse_args()

    set_seed(0)
    torch.set_num_threads(1)  # more only wait for one another in so small a model
    tokenizer = make_tokenizer()
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=128,
            n_embd=64,
            n_layer=2,
            n_head=4,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            bos_token_id=tokenizer.eos_token_id,
            eos_token_id=tokenizer.eos_token_id,
        )
    )
    print(f"learning {len(ANSWERS)} answers to each of {len(SOURCES)} sentences by heart ...")
    learn_by_heart(model, tokenizer, given.before)

    reward = make_reward("sari")
    pay(reward)
    tell("before", reward, samples(model, tokenizer))
    print(f"training {given.steps} steps of GRPO ...")
    with tempfile.TemporaryDirectory() as folder:
        trainer = GRPOTrainer(
            model=model,
            reward_funcs=reward,
            args=GRPOConfig(
                folder,
                max_steps=given.steps,
                num_generations=SAMPLES,
                per_device_train_batch_size=8 * SAMPLES,
                max_completion_length=LONGEST,
                learning_rate=1e-3,
                logging_steps=max(1, given.steps // 6),
                save_strategy="no",
                report_to="none",
                disable_tqdm=True,
                use_cpu=True,
                bf16=False,
            ),
            train_dataset=Dataset.from_dict(
                {
                    "prompt": [f"{source} =>" for source in SOURCES],
                    "source": SOURCES,
                    "references": REFERENCES,
                }
            ),
            processing_class=tokenizer,
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()
    for log in trainer.state.log_history:
        if "rewards/sari/mean" in log:
            print(f"  step {log['step']:3}: mean reward {log['rewards/sari/mean']:.3f}")
    after = samples(model, tokenizer)
    tell("after", reward, after)
    audit(after)


def pay(reward: Reward) -> None:
    """Print what a policy earns that doesn't simplify: where training may lead."""
    tricks = {
        "copies the source": lambda source: source,
        "says nothing": lambda source: "",
        "leaves out the second half": lambda s: " ".join(s.split()[: len(s.split()) // 2]),
        "says the first half twice": lambda s: " ".join(s.split()[: len(s.split()) // 2] * 2),
    }
    for name, trick in tricks.items():
        rewards = reward(SOURCES, [*map(trick, SOURCES)], source=SOURCES, references=REFERENCES)
        print(f"  a policy that {name} would earn {sum(rewards) / len(rewards):.3f}")


def tell(when: str, reward: Reward, found: list[list[str]]) -> None:
    """Print what the policy earns, and what it does."""
    rewards = [
        value
        for texts in found
        for value in reward(SOURCES, texts, source=SOURCES, references=REFERENCES)
    ]
    stats = textsimp.SimplificationStats().score(
        sources=SOURCES * SAMPLES, predictions=[text for texts in found for text in texts]
    )
    print(
        f"{when}: mean reward {sum(rewards) / len(rewards):.3f}; "
        f"{stats['exact_copies']:.0%} copies, {stats['compression_ratio']:.2f} × as long"
    )


def audit(found: list[list[str]]) -> None:
    """Print whether scores take damage to what the policy writes for improvement."""
    result = audit_gaming(
        ["fkgl_components", "bleu", "sari"],
        [text for texts in found for text in texts],
        sources=SOURCES * SAMPLES,
        references=REFERENCES * SAMPLES,
        shares=[1.0],
        repeats=20,
    )
    print(result)


if __name__ == "__main__":
    main()
