"""The commands of corpora on many rows: CPU seconds and most memory, by format and command.

    python benchmarks/corpora.py [--rows 300000] [--formats txt,jsonl,tsv,parquet]

The rows are those of 100,000 generated pairs (about 20 words, as in sari.py) again and again, so
that some are equal where there are more; 1 % are the validation and 0.5 % the test set. Each format
is written to a temporary folder, where the commands write too, and removed. Memory is the process's
resident peak, Python and libraries included.
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from large import measured
from sari import Zipfian
from timing import Row, show

DISTINCT = 100_000
Pair = tuple[str, str]
COMMANDS = {
    "random": "random",
    "random, together": "random --together source",
    "poor-alignments": "poor-alignments --fraction 0.1",
    "poor-alignments, duplicates": "poor-alignments --fraction 0.1 --duplicates drop",
    "balanced": "balanced --iterations 20000",
    "divergence": "divergence",
}


def write_texts(stem: Path, rows: Iterable[Pair]) -> str:
    files = [stem.with_suffix(suffix) for suffix in (".en", ".simple")]
    with files[0].open("w") as source, files[1].open("w") as target:
        for pair in rows:
            source.write(pair[0] + "\n")
            target.write(pair[1] + "\n")
    return ",".join(map(str, files))


def write_jsonl(stem: Path, rows: Iterable[Pair]) -> str:
    with (path := stem.with_suffix(".jsonl")).open("w") as file:
        file.writelines(json.dumps({"source": s, "target": t}) + "\n" for s, t in rows)
    return str(path)


def write_tsv(stem: Path, rows: Iterable[Pair]) -> str:
    with (path := stem.with_suffix(".tsv")).open("w") as file:
        file.writelines(f"{s}\t{t}\n" for s, t in itertools.chain([("source", "target")], rows))
    return str(path)


def write_parquet(stem: Path, rows: Iterable[Pair]) -> str:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("source", pa.string()), ("target", pa.string())])
    rest = iter(rows)
    with pq.ParquetWriter(path := stem.with_suffix(".parquet"), schema) as writer:
        while some := list(itertools.islice(rest, DISTINCT)):
            writer.write_table(pa.table(list(map(list, zip(*some, strict=True))), schema))
    return str(path)


FORMATS: dict[str, Callable[[Path, Iterable[Pair]], str]] = {
    "txt": write_texts,
    "jsonl": write_jsonl,
    "tsv": write_tsv,
    "parquet": write_parquet,
}


def rows(rows: int, formats: str) -> Iterator[Row]:
    zipfian = Zipfian()
    texts = zipfian.texts(min(DISTINCT, rows), 20)
    pairs = list(zip(map(" ".join, texts), zipfian.rewrite(texts), strict=True))
    rest = itertools.cycle(pairs)
    sizes = {"validation": rows // 100, "test": rows // 200}
    sizes["train"] = rows - sum(sizes.values())
    for name in formats.split(","):
        with tempfile.TemporaryDirectory() as folder:
            subsets = [
                FORMATS[name](Path(folder, part), itertools.islice(rest, size))
                for part, size in sizes.items()
            ]
            for label, command in COMMANDS.items():
                output = [] if command == "divergence" else ["--force", "-o", f"{folder}/new"]
                seconds, memory = measured("split", *command.split(), *subsets, *output)
                yield Row(
                    f"`textsimp split {label}`", f"{rows:,} pairs, {name}", seconds, memory=memory
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--formats", default=",".join(FORMATS))
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
