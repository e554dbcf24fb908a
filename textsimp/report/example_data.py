"""Data of the examples, which the page's scripts search, sort and draw."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np

from textsimp.core.metric import Floats
from textsimp.extensions.people.report.report_ratings import MEAN, PREFIX
from textsimp.report import drawings, marks, plots, score_tables
from textsimp.report.report_rows import DESCRIBING, Data, Measurements
from textsimp.scoring.score_columns import Column

GROUPS = {
    "sampled": "Sampled at random",
    "disagree": "Systems disagree most",
    "highest": "Highest score",
    "lowest": "Lowest score, of changed outputs",
}
"""Groups of examples that readers may want to see first."""

Groups = dict[tuple[str, str], list[int]]
"""Group and system (empty for groups about all) → examples by rank."""

MEGABYTES = 20  # that examples take of the page
_NUMBER = 9  # bytes, about what a number of an output takes

_STATS = "simplification_stats"
_DESCRIBING = (  # metric and score
    (_STATS, Column("compression_ratio", "compression", decimals=2)),
    ("edit_ops", Column("change_percentage", "change percentage", decimals=0)),
    (_STATS, Column("levenshtein_similarity", "similarity", decimals=2)),
    (_STATS, Column("sentence_splits", "splits", decimals=2)),
    (_STATS, Column("exact_copies", "copy", decimals=0)),
    ("edit_ops", Column("move", "moved words", decimals=0)),
    (_STATS, Column("words", "words", decimals=0)),
)


def contents(measurements: Measurements, count: int) -> dict[str, Any]:
    """Return what the template needs: the data of examples and the choices of its controls."""
    data, numbers = measurements.data, measures(measurements)
    systems = [row.name for row in data.systems]
    linking = drawings.choose([*measurements.metrics.values()], data.documents)
    groups = _groups(measurements, count)
    kept = _fit(data, order(groups, len(data.sources)), len(numbers))
    sources = [data.sources[example] for example in kept]
    drawn = [
        drawings.draw(linking, sources, [row.outputs[e] for e in kept], repeat(row.name))
        for row in data.systems
    ]
    embedded = _texts(data, kept, outputs=linking is not None) | {
        "drawn": [[*of_system] for of_system in drawn],
        "linked": linking is not None,
        "total": len(data.sources),
        "looks": [one._asdict() for one in plots.looks([row.name for row in data.rows])],
        "main": len(measurements.judging) > 0,
        "measures": [
            measure | {"values": [_numbers(values[kept]) for values in measure["values"]]}
            for measure in numbers
        ],
        "groups": _locate(groups, kept, systems),
        "groupNames": GROUPS,
        "single": {
            f"{PREFIX}{name}.{MEAN}": [[lists[e] for e in kept] for lists in own]
            for name, own in _ratings_of(measurements).items()
        },
    }
    return {
        "data": as_json(embedded),
        "total": len(data.sources),
        "kept": len(kept),
        "megabytes": MEGABYTES,
        "marks": marks.LEGEND,
        "links": drawings.explain(linking),
    }


def measures(measurements: Measurements) -> list[dict[str, Any]]:
    """List the numbers that examples can be sorted and filtered by, the main score first."""
    people = measurements.people.metrics if measurements.people else ()
    others = [name for name in measurements.describing if name not in DESCRIBING]
    pairs = [
        (name, column)
        for name in dict.fromkeys((*measurements.judging, *people, *others))
        for column in score_tables.columns_of(measurements.statistics[name].metric)
    ]
    found = [_measure(measurements, name, column) for name, column in (*pairs, *_DESCRIBING)]
    return [*filter(None, found)]


def _ratings_of(measurements: Measurements) -> dict[str, list[list[list[float]]]]:
    """Return criterion → people's ratings of each output of each system."""
    people, names = measurements.people, [row.name for row in measurements.data.systems]
    criteria = people.ratings.criteria if people else ()
    return {name: [*people.values(name, names).values()] for name in criteria if people}


def _measure(measurements: Measurements, name: str, column: Column) -> dict[str, Any] | None:
    """Return a column of each system, (n,) with NaN; None if a system has none."""
    scores = [measurements.per_example(name, row.name) for row in measurements.data.systems]
    if any(column.key not in of_system for of_system in scores):
        return None
    values = [column.scale * of_system[column.key] for of_system in scores]
    return {
        "key": f"{name}.{column.key}",
        "label": column.label,
        "decimals": 1 if column.decimals is None else column.decimals,
        "better": measurements.statistics[name].metric.find_score(column.key).better,
        "values": values,
    }


def _groups(measurements: Measurements, count: int) -> Groups:
    """Choose up to ``count`` examples of each group; ties go to the first."""

    def highest(values: Floats, above: float = -np.inf) -> list[int]:
        best = np.argsort(-values, kind="stable")[:count]
        examples: list[int] = best[values[best] > above].tolist()
        return examples

    total, names = len(measurements.data.sources), [row.name for row in measurements.data.systems]
    drawn = np.random.default_rng(measurements.sampling.seed).permutation(total)[:count]
    groups: Groups = {("sampled", ""): np.sort(drawn).tolist()}
    scores = {name: _main_scores(measurements, name) for name in names if measurements.judging}
    if len(scores) > 1:
        groups["disagree", ""] = highest(np.ptp([*scores.values()], axis=0), above=0)
    for name, values in scores.items():
        copies = measurements.features["exact_copies"][name]
        groups["highest", name] = highest(values)
        groups["lowest", name] = highest(np.where(copies, -np.inf, -values))
    return groups


def order(groups: Groups, total: int) -> list[int]:
    """Order all examples: those of groups by their best rank, then the others."""
    ranks: dict[int, int] = {}
    for examples in groups.values():
        for rank, example in enumerate(examples):
            ranks[example] = min(rank, ranks.get(example, rank))
    chosen = sorted(ranks, key=lambda example: (ranks[example], example))
    return [*chosen, *(example for example in range(total) if example not in ranks)]


def _main_scores(measurements: Measurements, system: str) -> Floats:
    """(n,) the main score of each example, the higher, the better."""
    main = score_tables.columns_of(measurements.judging[measurements.first])[0]
    scores = measurements.per_example(measurements.first, system)[main.key]
    return -scores if main.lower else scores


def _fit(data: Data, order: Sequence[int], measured: int) -> list[int]:
    """Choose the examples that fit into the page, about: an output is drawn with its source."""
    room, kept = MEGABYTES * 1_000_000, []
    for example in order:
        references = data.references[example] if data.references else []
        source = len(data.sources[example].encode())
        outputs = [len(row.outputs[example].encode()) for row in data.systems]
        size = source + sum(len(text.encode()) + _NUMBER for text in references)
        size += sum(2 * (source + output) + _NUMBER * measured for output in outputs)
        if size <= room:
            room -= size
            kept.append(example)
    return sorted(kept)


def _texts(data: Data, kept: Sequence[int], outputs: bool) -> dict[str, Any]:
    """Return each text once; ``outputs``, too, unless they are what their drawings don't delete."""
    places: dict[str, int] = {}

    def place(texts: Sequence[str]) -> list[int]:
        return [places.setdefault(text, len(places)) for text in texts]

    systems, references = data.systems, data.references
    return {
        "systems": [row.name for row in systems],
        "fullNames": [row.full for row in systems],
        "numbers": [example + 1 for example in kept],
        "sources": place([data.sources[e] for e in kept]),
        "outputs": [place([row.outputs[e] for e in kept]) for row in systems if outputs],
        "references": [place(references[e]) if references else [] for e in kept],
        "texts": [*places],
        "words": [len(data.sources[e].split()) for e in kept],
        "empty": [[k for k, e in enumerate(kept) if not row.outputs[e].strip()] for row in systems],
    }


def _locate(
    groups: Groups, kept: Sequence[int], systems: Sequence[str]
) -> list[tuple[str, int, list[int]]]:
    """List (group, system or −1, examples by rank as positions in the data)."""
    at = {example: k for k, example in enumerate(kept)}
    located = [
        (
            group,
            systems.index(system) if system else -1,
            [at[example] for example in examples if example in at],
        )
        for (group, system), examples in sorted(groups.items())
    ]
    return [group for group in located if group[2]]


def _numbers(values: Floats) -> list[float | int | None]:
    """Round values for JSON, with enough digits that different ones stay different."""
    finite = np.isfinite(values)
    known = values[finite]
    if (known == np.round(known)).all():
        return [int(value) if there else None for value, there in zip(values, finite, strict=True)]
    rounded = np.round(values, 6 if (np.abs(known) < 10).all() else 4).tolist()
    return [value if there else None for value, there in zip(rounded, finite, strict=True)]


def as_json(data: object) -> str:
    """Write JSON that can stand in a script element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return re.sub("<(?=/script|!--)", "\\\\u003c", text, flags=re.IGNORECASE)
