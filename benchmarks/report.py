"""What a report takes, and its size.

    python benchmarks/report.py [--sources 359]

A made-up corpus of ASSET's size: 359 sources of 20 words, ten references each, five systems.
Imports are included.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from texts import Zipfian
from timing import Row, cpu, show

from textsimp import report

REFERENCES, SYSTEMS = 10, 5


def corpus(
    sources: int, references: int = REFERENCES, systems: int = SYSTEMS
) -> tuple[list[str], list[list[str]], dict[str, list[str]]]:
    made_up = Zipfian().corpus(sources, references, 20)
    outputs = {f"system {i}": next(made_up.systems) for i in range(systems)}
    return made_up.sources, made_up.references, outputs


def rows(n: int) -> Iterator[Row]:
    sources, references, systems = corpus(n)
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
