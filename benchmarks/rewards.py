"""What a reward costs per completion, beside sacrebleu's ``sentence_bleu``.

    python benchmarks/rewards.py

Batches as TRL's trainers hand them over: some prompts of the example corpus, with three references
and 8 completions each, which are beginnings of two systems' outputs. CPU time, the best of 5 runs.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sacrebleu import sentence_bleu

from textsimp.trainer import make_reward

EXAMPLES = Path(__file__).parents[1] / "examples" / "examples.jsonl"
METRICS = ("sari", "d_sari", "bleu", "split_f1", "word_transformations")
GENERATIONS = 8


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


def seconds(work: Callable[[], Any]) -> float:
    """CPU time of the best of 5 runs, after one that loads what is needed."""
    times = []
    for _ in range(6):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times[1:])


def main() -> None:
    print("ms per completion" + "".join(f"{n:>4} prompts" for n in (1, 8, 32)))
    rewards: dict[str, Callable[..., Any]] = {name: make_reward(name) for name in METRICS}

    def peer(completions: list[str], references: list[list[str]], **columns: Any) -> list[float]:
        return [
            sentence_bleu(text, row).score
            for text, row in zip(completions, references, strict=True)
        ]

    for name, reward in {**rewards, "sentence_bleu": peer}.items():
        times = []
        for prompts in (1, 8, 32):
            given = batch(prompts)
            best = seconds(lambda given=given, reward=reward: reward(**given))
            times.append(1000 * best / len(given["completions"]))
        print(f"{name:22}" + "".join(f"{value:12.2f}" for value in times))


if __name__ == "__main__":
    main()
