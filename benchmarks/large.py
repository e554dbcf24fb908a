"""A corpus of many lines scored by the command line, by format and in pieces.

    python benchmarks/large.py [--lines 1000000] [--formats txt,jsonl,csv,parquet] [--pieces N ...]

The lines are those of 100,000 generated pairs (about 20 words, as in sari.py, one reference) again
and again. Each format is written to a temporary folder, scored by ``textsimp score`` in a process
of its own, and removed. Memory is the process's resident peak, Python and libraries included.
With ``--pieces`` as many pairs are scored from parquet files of 100,000 each.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from texts import Zipfian
from timing import Row, show

DISTINCT = 100_000
Texts = tuple[str, str, str]


def pairs(lines: int) -> Iterator[Texts]:
    """Source, prediction and reference."""
    zipfian = Zipfian()
    texts = zipfian.texts(min(DISTINCT, lines), 20)
    rows = list(
        zip(map(" ".join, texts), zipfian.rewrite(texts), zipfian.rewrite(texts), strict=True)
    )
    for i in range(lines):
        yield rows[i % len(rows)]


def write_texts(folder: Path, rows: Iterator[Texts]) -> list[str]:
    """Three text files."""
    names = [folder / f"{name}.txt" for name in ("source", "ours", "reference")]
    files = [name.open("w") for name in names]
    for row in rows:
        for file, text in zip(files, row, strict=True):
            file.write(text + "\n")
    for file in files:
        file.close()
    return ["-s", str(names[0]), "-p", str(names[1]), "-r", str(names[2])]


def write_jsonl(folder: Path, rows: Iterator[Texts]) -> list[str]:
    """An object per line."""
    with (path := folder / "all.jsonl").open("w") as file:
        for source, prediction, reference in rows:
            row = {"source": source, "prediction": prediction, "references": [reference]}
            file.write(json.dumps(row) + "\n")
    return ["-d", str(path)]


def write_csv(folder: Path, rows: Iterator[Texts]) -> list[str]:
    """Three columns."""
    with (path := folder / "all.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("source", "prediction", "reference"))
        writer.writerows(rows)
    return ["-d", str(path)]


def write_parquet(folder: Path, rows: Iterator[Texts]) -> list[str]:
    """Three columns, in row groups of 100,000."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ("source", "prediction", "reference")
    schema = pa.schema([(name, pa.string()) for name in names])
    with pq.ParquetWriter(path := folder / "all.parquet", schema) as writer:
        while some := list(itertools.islice(rows, DISTINCT)):
            columns = dict(zip(names, map(list, zip(*some, strict=True)), strict=True))
            writer.write_table(pa.table(columns, schema))
    return ["-d", str(path)]


FORMATS: dict[str, Callable[[Path, Iterator[Texts]], list[str]]] = {
    "txt": write_texts,
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}


CHILD = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""
MAP = """
import sys, numpy as np, pyarrow.parquet as pq, textsimp
columns = {"predictions": "prediction", "sources": "source", "references": "reference"}
statistics_of = textsimp.map_statistics("sari", **columns)
def pieces(first=0):
    for path in sys.argv[1:]:
        table = pq.read_table(path)
        rows = np.arange(first, first + len(table))
        first += len(table)
        yield statistics_of(table, rows)["statistics"][0].as_py()
textsimp.merge(pieces())
"""
"""Maps file by file in one process, as a worker of an engine does, and merges."""
DATASETS = """
import sys, datasets, textsimp
columns = {"predictions": "prediction", "sources": "source", "references": "reference"}
statistics_of = textsimp.map_statistics("sari", **columns)
pairs = datasets.Dataset.from_parquet(sys.argv[2:], cache_dir=sys.argv[1])
options = {"batched": True, "batch_size": 20_000, "num_proc": 2, "with_indices": True}
mapped = pairs.map(statistics_of, remove_columns=pairs.column_names, **options)
textsimp.merge(mapped["statistics"], rows=len(pairs))
"""
"""Maps by two processes, as examples/engines/datasets_map.py does."""


def measured(*arguments: str) -> tuple[float, float]:
    """CPU seconds and the resident peak in MB of a command of textsimp.

    ``check`` ends with 1 if it finds something, ``explain`` if nothing matches.
    """
    legal = int(arguments[0] in ("check", "explain"))
    return measured_python("-m", "textsimp", *arguments, legal=legal)


def measured_python(*arguments: str, legal: int = 0) -> tuple[float, float]:
    """The same of Python, which ends with at most the ``legal`` status.

    A process in between starts it: on Linux a process's peak is at least that of its parent.
    """
    between = [sys.executable, "-c", CHILD, sys.executable, *arguments]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    run = subprocess.run(between, check=True, capture_output=True, env=environment)
    status, seconds, peak = run.stdout.split()
    if int(status) not in (0, legal):
        raise SystemExit(f"python {' '.join(arguments)} failed: {run.stderr.decode()}")
    return float(seconds), int(peak) * (1 if sys.platform == "darwin" else 1024) / 1e6


def write_pieces(folder: Path, lines: int) -> list[str]:
    """Files of `DISTINCT` rows each; all are the same one, so that disks need not be large."""
    _, first = write_parquet(folder, pairs(DISTINCT))
    parts = [folder / f"part-{i:04}.parquet" for i in range(lines // DISTINCT)]
    for part in parts:
        part.symlink_to(first)
    return [*map(str, parts)]


def in_pieces(lines: int) -> Iterator[Row]:
    """Files read one after the other, in memory that doesn't grow with their number."""
    with tempfile.TemporaryDirectory() as folder:
        parts = write_pieces(Path(folder), lines)
        data = f"{lines:,} × 1 reference, {len(parts)} files"
        for what, (seconds, memory) in (
            ("map_statistics` and `merge", measured_python("-c", MAP, *parts)),
            ("textsimp score", measured("score", "-d", f"{folder}/part-*.parquet", "--json")),
        ):
            yield Row(f"`{what}`, in all", data, seconds, memory=memory, goal_memory=700)
        if lines <= 10 * DISTINCT:  # of more, most memory is pages of mapped files
            seconds, memory = measured_python("-c", DATASETS, f"{folder}/cache", *parts)
            what = "`datasets.map(num_proc=2)` and `merge`, in all"
            yield Row(what, data, seconds, memory=memory, goal_memory=700)


def rows(lines: int, formats: str, pieces: list[int], options: list[str]) -> Iterator[Row]:
    for number in pieces:
        yield from in_pieces(number)
    for name in filter(None, formats.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            arguments = FORMATS[name](Path(folder), pairs(lines))
            seconds, memory = measured("score", *arguments, *options, "--json")
        what = " ".join(["textsimp score", *options])
        yield Row(f"`{what}`, in all", f"{lines:,} × 1 reference, {name}", seconds, memory=memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--formats", default=",".join(FORMATS))
    parser.add_argument("--pieces", type=int, nargs="*", default=[], help="numbers of pairs")
    parser.add_argument("options", nargs="*", help="further options of textsimp score, after --")
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
