"""Seconds that a report takes, and its size.

    python benchmarks/report.py

A made-up corpus of ASSET's size: 359 sources of 20 words, ten references each, five systems. CPU
time of one process, imports included; what the plot library's bundle alone takes stands beside it.
"""

from __future__ import annotations

import random
import sys
import time

from textsimp import report
from textsimp.report import plots

SOURCES, REFERENCES, SYSTEMS = 359, 10, 5


def corpus(rng: random.Random) -> tuple[list[str], list[list[str]], dict[str, list[str]]]:
    vocabulary = ["".join(rng.choices("etaoinshrdlu", k=1 + k % 9)) for k in range(20_000)]

    def draw(k: int) -> list[str]:
        return [vocabulary[int(rng.paretovariate(0.5)) % len(vocabulary)] for _ in range(k)]

    def simplify(words: list[str]) -> str:
        kept = [word for word in words if rng.random() < 0.85]
        return " ".join(word if rng.random() < 0.8 else draw(1)[0] for word in kept) + "."

    words = [draw(20) for _ in range(SOURCES)]
    references = [[simplify(of_source) for _ in range(REFERENCES)] for of_source in words]
    systems = {f"system {i}": [simplify(w) for w in words] for i in range(SYSTEMS)}
    return [" ".join(w) + "." for w in words], references, systems


def main() -> None:
    print(f"Python {sys.version.split()[0]}; {SOURCES} × {REFERENCES} × {SYSTEMS}")
    sources, references, systems = corpus(random.Random(0))
    start = time.process_time()
    plots.bundle()
    bundled = time.process_time() - start
    page = report.html(systems, sources=sources, references=references)
    whole = time.process_time() - start
    print(f"  report         {whole:6.2f} s  {len(page.encode()) / 1e6:.2f} MB")
    print(f"  its library    {bundled:6.2f} s  {len(plots.bundle().encode()) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
