"""Commands as whole processes, imports included, beside sacrebleu's BLEU in the same run.

    python benchmarks/commands.py [--data FOLDER] [--repeats 5]

FOLDER is a corpus as for sari.py; without it one of ASSET's size is made up. Ratios are to one
call of BLEU on one system with all references, without its import. The large corpora are made up.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from large import measured, pairs, write_csv, write_texts
from sari import bleu
from texts import Corpus, Zipfian, read
from timing import Row, show

SCORE = 40.13  # which `explain` looks for
SYSTEMS = 4


def write(folder: Path, corpus: Corpus) -> tuple[list[str], list[str]]:
    """Write text files; return the options that stand for one system and for all."""

    def save(name: str, lines: list[str]) -> str:
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return str(file)

    shared = ["-s", save("source.txt", corpus.sources)]
    for number, column in enumerate(zip(*corpus.references, strict=True)):
        shared += ["-r", save(f"references/{number}.txt", list(column))]
    systems = [save(f"systems/{i}.txt", next(corpus.systems)) for i in range(SYSTEMS)]
    return [*shared, "-p", systems[0]], [*shared, "-p", str(folder / "systems")]


def rows(data: Path | None, repeats: int) -> Iterator[Row]:
    corpus = read(data) if data else Zipfian().corpus(359, 10)
    outputs = next(corpus.systems)
    name = f"{data.name + ', ' if data else ''}{len(corpus.sources)} × {len(corpus.references[0])}"
    seconds = statistics.median(bleu(outputs, corpus.references) for _ in range(max(5, repeats)))
    yield (peer := Row("`corpus_bleu`", name, seconds))
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        one, several = write(folder, corpus)
        report = ["report", *several, "-o", str(folder / "report.html"), "--force"]
        (folder / "large").mkdir()
        large = write_texts(folder / "large", pairs(100_000))
        split = ["split", "balanced", "-T", "reference", "-o", str(folder / "new"), "--force"]
        for subset, size in (("train", 298_000), ("validation", 1_000), ("test", 1_000)):
            (folder / subset).mkdir()
            split.append(f"{subset}={write_csv(folder / subset, pairs(size))[1]}")
        aligned = ["score", "-m", "sari:level=aligned"]
        for what, where, goal, goal_memory, command in (
            ("--help", "", 1.1, None, ["--help"]),
            ("score --help", "", 0.57, None, ["score", "--help"]),
            ("score", name, 2, None, ["score", *one]),
            ("score -m rouge", name, 5, None, ["score", "-m", "rouge", *one]),
            ("score -m sari:level=aligned", name, 7, None, [*aligned, *one]),
            ("report", f"{name}, {SYSTEMS} systems", 14, None, report),
            ("explain", f"{name}, all metrics", 22, None, ["explain", str(SCORE), *one]),
            ("score", "100,000 × 1 reference", 15, None, ["score", *large]),
            ("check", "100,000 × 1 reference", 20, 300, ["check", *large]),
            ("split balanced", "300,000 pairs", 17, None, split),
        ):
            runs = [measured(*command) for _ in range(repeats)]
            seconds = statistics.median(run[0] for run in runs)
            memory = max(run[1] for run in runs)
            title = f"`textsimp {what}`"
            yield Row(title, where, seconds, peer, memory, goal=goal, goal_memory=goal_memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
