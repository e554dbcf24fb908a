"""What a report takes, and its size.

    python benchmarks/report.py [--sources 359]

A made-up corpus of ASSET's size: 359 sources of 20 words, ten references each, five systems.
Imports are included.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from timing import Row, cpu, show

from textsimp import report

REFERENCES, SYSTEMS = 10, 5


def corpus(
    rng: random.Random, sources: int, references: int = REFERENCES, systems: int = SYSTEMS
) -> tuple[list[str], list[list[str]], dict[str, list[str]]]:
    vocabulary = ["".join(rng.choices("etaoinshrdlu", k=1 + k % 9)) for k in range(20_000)]

    def draw(k: int) -> list[str]:
        return [vocabulary[int(rng.paretovariate(0.5)) % len(vocabulary)] for _ in range(k)]

    def simplify(words: list[str]) -> str:
        kept = [word for word in words if rng.random() < 0.85]
        return " ".join(word if rng.random() < 0.8 else draw(1)[0] for word in kept) + "."

    words = [draw(20) for _ in range(sources)]
    lists = [[simplify(of_source) for _ in range(references)] for of_source in words]
    outputs = {f"system {i}": [simplify(w) for w in words] for i in range(systems)}
    return [" ".join(w) + "." for w in words], lists, outputs


def rows(n: int) -> Iterator[Row]:
    sources, references, systems = corpus(random.Random(0), n)
    pages: list[str] = []
    made = cpu(lambda: pages.append(report.html(systems, sources=sources, references=references)))
    data = f"{n:,} × {REFERENCES}, {SYSTEMS} systems"
    yield Row(f"a report of {len(pages[0].encode()) / 1e6:.1f} MB", data, made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sources", type=int, default=359)
    show(rows(parser.parse_args().sources))


if __name__ == "__main__":
    main()
