"""Synthetic errors: pairs read a second by each generator, and the time of an audit.

    python benchmarks/errors_synthetic.py

Texts are those of the example corpus, with another number in each, so that none is met twice. The
peer is NLTK's tokenizer, ``TreebankWordTokenizer``, on the same pairs. Seconds are CPU time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from pathlib import Path

from nltk.tokenize import TreebankWordTokenizer

from textsimp import errors
from textsimp.errors.synthetic import GENERATORS

EXAMPLES = Path(__file__).parents[1] / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def cpu_seconds(rows: Iterable[object]) -> tuple[float, int]:
    start = time.process_time()
    made = sum(1 for _ in rows)
    return time.process_time() - start, made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=20_000)
    args = parser.parse_args()
    texts = list(zip(lines("source.txt"), lines("references/0.txt"), strict=True))
    pairs = [
        (f"{source} Item {i}.", f"{target} Item {i}.")
        for i in range(args.pairs)
        for source, target in [texts[i % len(texts)]]
    ]
    tokenize = TreebankWordTokenizer().tokenize
    peer, _ = cpu_seconds((tokenize(source), tokenize(target)) for source, target in pairs)
    print(f"{len(pairs)} pairs; pairs a second, rows made, pairs a second over the tokenizer's")
    print(f"  TreebankWordTokenizer {len(pairs) / peer:10,.0f}")
    for name, generator in GENERATORS.items():
        seconds, made = cpu_seconds(generator(pairs))
        print(f"  {name:21} {len(pairs) / seconds:10,.0f} {made:7} {peer / seconds:6.2f} x")

    sources, outputs = map(list, zip(*pairs[:1000], strict=True))
    start = time.process_time()
    errors.audit("sari", outputs, sources=sources, references=sources)
    print(f"audit of {len(outputs)} outputs, SARI: {time.process_time() - start:.1f} s")


if __name__ == "__main__":
    main()
