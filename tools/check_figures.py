"""Tables of what data checks report in published outputs, for tools/figures.py."""

from __future__ import annotations

import itertools
import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pages import Data, TestSet, table

from textsimp.corpora import artefacts, checks
from textsimp.corpora.text_files import read_lines
from textsimp.metrics.sari import Sari

INSTRUCTION = re.compile(r"\W*(?:please )?rewrite the (?:following )?complex sentence", re.I)
PEOPLE = re.compile(r"references? ?|Human|human|asset|turkcorpus|new_|Elementary|Original")
"""Names of outputs that people wrote."""

Columns = tuple[str, Sequence[str], Sequence[str]]
"""A system, its sources and its outputs."""


def checks_bless(data: Data) -> str:
    """Outputs of BLESS that are the instruction, and what the ranking is without them."""
    asset = replace(data.test_set("asset_test"), systems=data.outputs("bless/systems/*.txt"))
    rows = [
        ["ASSET", *_instructions(asset)],
        ["Med-EaSi", *_instructions(data.parallel("bless/med_easi"))],
    ]
    header = ["", "systems", "with instructions", "fewest", "most", "examples", "pairs that swap"]
    return table([*header, "pairs", "a rank before", "after"], rows)


def _instructions(texts: TestSet) -> list[int]:
    """Count outputs that are the instruction; rank the systems with and without these examples."""
    wrong = {
        system: {i for i, text in enumerate(outputs) if INSTRUCTION.match(text)}
        for system, outputs in texts.systems.items()
    }
    sizes = [len(rows) for rows in wrong.values() if rows]
    affected = set[int]().union(*wrong.values())
    everything = range(len(texts.sources))
    before = _rank(texts, everything)
    after = _rank(texts, [row for row in everything if row not in affected])
    pairs = [*itertools.combinations(texts.systems, 2)]
    swapped = sum((before[a] < before[b]) != (after[a] < after[b]) for a, b in pairs)
    riser = max(texts.systems, key=lambda system: before[system] - after[system])
    counts = [len(wrong), len(sizes), min(sizes), max(sizes), len(affected), swapped, len(pairs)]
    return [*counts, before[riser], after[riser]]


def _rank(texts: TestSet, rows: Iterable[int]) -> dict[str, int]:
    """Return system → rank by SARI on some rows."""
    chosen = [*rows]
    scores = {}
    for system, outputs in texts.systems.items():
        score = Sari().score(
            sources=[texts.sources[row] for row in chosen],
            references=[texts.references[row] for row in chosen],
            predictions=[outputs[row] for row in chosen],
        )
        scores[system] = score["sari"]
    order = sorted(scores, key=lambda system: -scores[system])
    return {system: rank for rank, system in enumerate(order, 1)}


def checks_real(data: Data) -> str:
    """What checks report in outputs of all systems of the folder, and in texts by people."""
    reports: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    sizes = {True: 0, False: 0}
    for system, sources, outputs in _all_outputs(data):
        by_people = PEOPLE.match(system) is not None
        sizes[by_people] += len(outputs)
        for finding in checks.find(sources, None, {"ours": [*outputs]}):
            if finding.systems:
                reports[by_people][finding.kind] += len(finding.examples)
    kinds = [*artefacts.ARTEFACTS, "phrases", "empty"]
    rows = [[checks.WHAT[kind], *(reports[p][kind] for p in (False, True))] for kind in kinds]
    total = ["all of these", *(sum(reports[p][kind] for kind in kinds) for p in (False, True))]
    header = ["", f"systems ({sizes[False]:,})", f"people ({sizes[True]:,})"]
    return table(header, [*rows, total])


def _all_outputs(data: Data) -> Iterator[Columns]:
    """Yield the outputs of every system, and the texts of people."""
    names = ("asset_test", "turkcorpus_test", "turkcorpus_test_legacy", "d_wikipedia_valid_60")
    for texts in (*map(data.test_set, names), data.parallel("bless/med_easi")):
        for system, outputs in texts.systems.items():
            yield system, texts.sources, outputs
        for column in zip(*texts.references, strict=True):
            yield "references", texts.sources, column
    asset = data.test_set("asset_test").sources
    for pattern in ("systems/*.txt", "runs/*/*.txt"):
        for path in sorted((data.folder / "bless").glob(pattern)):
            yield path.stem, asset, read_lines(path)
    for part in ("test", "validation"):
        sides = [
            read_lines(data.folder / "wikismall" / f"{part}.{side}.txt")
            for side in ("source", "reference")
        ]
        yield "references", sides[0], sides[1]
    for folder in ("information_errors", "ratings"):
        for path in sorted((data.folder / folder).glob("*.jsonl")):
            yield from _systems(path.stem, data.rows(f"{folder}/{path.stem}"))
    yield from _submissions(data.folder / "tasks" / "tsar2025" / "official_data.tar.gz")


def _submissions(path: Path) -> Iterator[Columns]:
    """Yield the runs of TSAR 2025."""
    with tarfile.open(path) as archive:
        files = {name: archive.extractfile(name) for name in sorted(archive.getnames())}
        tables = {name: _json_rows(file.read()) for name, file in files.items() if file}
    gold = {row["text_id"]: row for rows in tables.values() for row in rows if "original" in row}
    for name, rows in tables.items():
        pairs = [(gold.get(row["text_id"]), row.get("simplified")) for row in rows]
        yield from _systems(
            name, [{"source": g["original"], "prediction": text} for g, text in pairs if g and text]
        )


def _systems(name: str, rows: list[dict[str, Any]]) -> Iterator[Columns]:
    """Yield the systems of a table, by its columns of outputs."""
    for column in sorted({"prediction", "better", "worse"} & {*(rows or [{}])[0]}):
        for system in dict.fromkeys(row.get("system", name) for row in rows):
            pairs = [
                (row["source"], row[column]) for row in rows if row.get("system", name) == system
            ]
            yield system, [source for source, _ in pairs], [output for _, output in pairs]


def _json_rows(text: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.decode().split("\n") if line.strip()]
