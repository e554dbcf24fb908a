"""What reading files of any size takes: CPU time, and memory.

    python benchmarks/reading.py [--rows 1000000 3000000] [--formats text jsonl csv parquet dataset]

Each row has a source, a prediction and a reference of some 25 words; texts are drawn with a seed.
The first pass checks and counts all, the second gives the examples in pieces. Each format and size
runs in a process of its own. Its memory is the most that it had resident beyond Python and its
libraries; of a dataset that includes pages of the file, which the system takes back when it needs
them.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path

from timing import Row, show

from textsimp.corpora.reading import Request, System, stream
from textsimp.metrics.sari import Sari

NAMES = ("source", "prediction", "reference")
FORMATS = ("text", "jsonl", "csv", "parquet", "dataset")


def rows() -> Iterator[dict[str, str]]:
    """Rows without end: a thousand that are drawn, with a number in each text."""
    rng = random.Random(0)
    words = ["".join(rng.choices("etaoinshrdlu", k=1 + k % 9)) for k in range(19_900)]
    words += [f"{word}é" for word in words[:100]]
    drawn = [" ".join(rng.choices(words, k=rng.randint(15, 35))) for _ in range(1000)]
    for i in count():
        source = drawn[i % 1000]
        yield {
            "source": f"{source} {i}",
            "prediction": f"{i} {source[: 20 + i % 100]}",
            "reference": f"{source[i % 50 :]} {i}.",
        }


def write(format: str, number: int, folder: Path) -> None:
    """Files of so many rows."""
    if format == "text":
        files = [open(folder / f"{name}.txt", "w", encoding="utf-8") for name in NAMES]  # noqa: SIM115
        for row in islice(rows(), number):
            for file, name in zip(files, NAMES, strict=True):
                file.write(row[name] + "\n")
        for file in files:
            file.close()
    elif format in ("jsonl", "csv"):
        with open(folder / f"data.{format}", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, NAMES)
            if format == "csv":
                writer.writeheader()
                writer.writerows(islice(rows(), number))
            else:
                file.writelines(
                    json.dumps(row, ensure_ascii=False) + "\n" for row in islice(rows(), number)
                )
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = pa.schema({name: pa.string() for name in NAMES})
        drawn = islice(rows(), number)
        with pq.ParquetWriter(folder / "data.parquet", schema) as writer:
            while some := list(islice(drawn, 2**20)):  # as pandas writes them
                writer.write_table(pa.Table.from_pylist(some, schema))
        if format == "dataset":
            from datasets import load_dataset

            loaded = load_dataset(
                "parquet",
                data_files=str(folder / "data.parquet"),
                cache_dir=str(folder / "cache"),
                split="train",
            )
            loaded.save_to_disk(folder / "data")


def request(format: str, folder: Path) -> Request:
    """Where the columns are."""
    if format == "text":
        source, prediction, reference = (str(folder / f"{name}.txt") for name in NAMES)
        return Request(source, [reference], systems=[System(prediction)])
    name = "data" if format == "dataset" else f"data.{format}"
    return Request(data=str(folder / name))


def measure(format: str, folder: Path) -> dict[str, float]:
    """CPU seconds of both passes, and the most memory before and after them."""
    if format == "dataset":
        import datasets  # noqa: F401
    if format == "parquet":
        import pyarrow.parquet  # noqa: F401
    before = peak()
    start = time.process_time()
    found = stream(request(format, folder), {"sari": Sari.columns})
    checked = time.process_time()
    assert sum(map(len, found.pieces())) == len(found)
    return {
        "rows": len(found),
        "first": checked - start,
        "second": time.process_time() - checked,
        "libraries": before,
        "memory": peak(),
    }


def peak() -> float:
    """MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 3_000_000])
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    parser.add_argument("--write", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.write:
        write(given.write[0], int(given.write[1]), Path(given.write[2]))
        return
    if given.measure:
        print(json.dumps(measure(given.measure[0], Path(given.measure[1]))))
        return
    show(measured_rows(given.rows, given.formats))


def measured_rows(numbers: Sequence[int], formats: Sequence[str]) -> Iterator[Row]:
    """Both passes of each format."""
    for format in formats:
        for number in numbers:
            with tempfile.TemporaryDirectory() as folder:
                # In a process of its own: this one's memory would count for those it starts.
                again = [sys.executable, __file__]
                made = [*again, "--write", format, str(number), folder]
                subprocess.run(made, check=True, capture_output=True)
                command = [*again, "--measure", format, folder]
                ran = subprocess.run(command, check=True, capture_output=True, text=True)
            found = json.loads(ran.stdout)
            data = f"{number:,} rows of three texts, {format}"
            yield Row("reading: checked and counted", data, found["first"])
            more = found["memory"] - found["libraries"]
            yield Row("reading: given out", data, found["second"], memory=more)


if __name__ == "__main__":
    main()
