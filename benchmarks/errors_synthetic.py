"""Synthetic errors: pairs read by each generator, and changed if they can be; and an audit.

    python benchmarks/errors_synthetic.py [--pairs 20000]

Texts are those of the example corpus, with another number in each, so that none is met twice. The
peer is NLTK's tokenizer, ``TreebankWordTokenizer``, on the same pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from nltk.tokenize import TreebankWordTokenizer
from timing import Row, cpu, show

from textsimp.audits import errors as auditing
from textsimp.errors.synthetic import GENERATORS

EXAMPLES = Path(__file__).parents[1] / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def rows(n: int) -> Iterator[Row]:
    texts = list(zip(lines("source.txt"), lines("references/0.txt"), strict=True))
    pairs = [
        (f"{source} Item {i}.", f"{target} Item {i}.")
        for i in range(n)
        for source, target in [texts[i % len(texts)]]
    ]
    data = f"{n:,} pairs of {sum(len(s.split()) for s, _ in texts) // len(texts)} words"
    tokenize = TreebankWordTokenizer().tokenize
    tokenized = cpu(lambda: [(tokenize(source), tokenize(target)) for source, target in pairs])
    peer = Row("`TreebankWordTokenizer`", data, tokenized)
    yield peer
    for name, generator in GENERATORS.items():
        took = cpu(lambda generator=generator: list(generator(pairs)))
        yield Row(f"`{name}`", data, took, peer)

    outputs = [target for _, target in pairs[:1000]]
    sources = [source for source, _ in pairs[:1000]]
    audit = cpu(lambda: auditing.audit("sari", outputs, sources=sources, references=sources))
    yield Row("audit by SARI, 4 shares, 1,000 resamples", f"{len(outputs):,} outputs", audit)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=20_000)
    show(rows(parser.parse_args().pairs))


if __name__ == "__main__":
    main()
