"""What a reward costs per completion, beside sacrebleu's ``sentence_bleu``.

    python benchmarks/rewards.py

Batches as TRL's trainers hand them over: some prompts of the example corpus, with three references
and 8 completions each, which are beginnings of two systems' outputs.
"""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sacrebleu import sentence_bleu
from timing import Row, compared, medians, show

from textsimp.trainer import make_reward

EXAMPLES = Path(__file__).parents[1] / "examples" / "examples.jsonl"
METRICS = ("sari", "d_sari", "bleu", "split_f1", "word_transformations")
GENERATIONS = 8
ROUNDS = 5


def batch(prompts: int) -> dict[str, list[Any]]:
    """What a reward function is given."""
    lines = EXAMPLES.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines][:prompts]
    completions = [
        " ".join(row["splitter" if i % 2 else "substituter"].split()[: 8 + 4 * i])
        for row in rows
        for i in range(GENERATIONS)
    ]
    repeated = [row for row in rows for _ in range(GENERATIONS)]
    return {
        "prompts": [row["source"] for row in repeated],
        "completions": completions,
        "source": [row["source"] for row in repeated],
        "references": [row["references"] for row in repeated],
    }


def rows() -> Iterator[Row]:
    rewards: dict[str, Callable[..., Any]] = {name: make_reward(name) for name in METRICS}

    def peer(completions: list[str], references: list[list[str]], **columns: Any) -> list[float]:
        return [
            sentence_bleu(text, row).score
            for text, row in zip(completions, references, strict=True)
        ]

    for prompts in (1, 8, 32):
        given = batch(prompts)
        tasks = {
            name: functools.partial(reward, **given)
            for name, reward in {"`sentence_bleu`": peer, **rewards}.items()
        }
        for task in tasks.values():  # loads what is needed
            task()
        seconds = {
            name: took / ROUNDS
            for name, took in medians(
                {name: functools.partial(repeated, task) for name, task in tasks.items()}, 3
            ).items()
        }
        yield from compared(seconds, f"{GENERATIONS * prompts} completions, prompts: {prompts}")


def repeated(task: Callable[[], object]) -> None:
    for _ in range(ROUNDS):
        task()


def main() -> None:
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    show(rows())


if __name__ == "__main__":
    main()
