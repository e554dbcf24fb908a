"""Data of the examples, which the page's scripts search, sort and draw."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import numpy as np

from textsimp.core.metric import Floats, Metric
from textsimp.metrics.information_errors import CATEGORIES, GIBBERISH, majority
from textsimp.report import (
    drawings,
    example_groups,
    lengths,
    marks,
    plots,
    score_tables,
)
from textsimp.report.report_ratings import MEAN, PREFIX, People
from textsimp.report.report_rows import DESCRIBING, Data, Measurements
from textsimp.scoring.score_columns import Column

MEGABYTES = 20  # that examples take of the page
_NUMBER = 9  # bytes, about what a number of an output takes
_FAR = 30  # percentile ranks between people's and a metric's
_BLOCK = 250  # examples that are drawn or marked

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


@dataclass(frozen=True)
class Measure:
    """A number that every output has."""

    key: str  # ``METRIC.SCORE``, as in links
    label: str  # what people call it
    decimals: int  # decimals that are shown
    better: str  # "higher", "lower" or ""
    values: list[Floats]  # of each system (n,); NaN where there is none


def contents(measurements: Measurements, count: int) -> dict[str, Any]:
    """Return what the template needs: the data of examples and the choices of its controls."""
    data = measurements.data
    linking = drawings.choose([*measurements.metrics.values()], data.documents)
    labels = {
        row.name: {category: majority(votes) for category, votes in categories.items()}
        for row in data.systems
        for categories in [data.labels.get(row.name, {})]
    }
    numbers = measures(measurements)
    people = measurements.people
    groups = _groups(measurements, labels, count)
    order = example_groups.order(groups, len(data.sources))
    kept, drawn = _fit(data, linking, order, len(numbers))
    embedded = _texts(data, kept, drawn, linking is not None) | {
        "linked": linking is not None,
        "total": len(data.sources),
        "looks": [one._asdict() for one in plots.looks([row.name for row in data.rows])],
        "main": len(measurements.judging) > 0,
        "measures": [
            vars(measure) | {"values": [_numbers(values[kept]) for values in measure.values]}
            for measure in numbers
        ],
        "groups": _locate(groups, kept, [row.name for row in data.systems]),
        "groupNames": example_groups.GROUPS,
        "groupNotes": example_groups.NOTES,
        "lengthGroups": [label for label, _ in lengths.group(data.sources)],
        "ratingChoices": _rating_choices(numbers),
        "single": {
            f"{PREFIX}{name}.{MEAN}": [[lists[e] for e in kept] for lists in own]
            for name, own in _ratings_of(measurements).items()
        },
        "labels": {
            category: [[labels[row.name][category][e] for e in kept] for row in data.systems]
            for category in (CATEGORIES if data.labels else ())
        },
    }
    return {
        "data": as_json(embedded),
        "total": len(data.sources),
        "kept": len(kept),
        "megabytes": MEGABYTES,
        "length_groups": embedded["lengthGroups"],
        "rated": people is not None,
        "labelled": bool(data.labels),
        "marks": marks.LEGEND,
        "links": drawings.explain(linking),
    }


def measures(measurements: Measurements) -> list[Measure]:
    """List the numbers that examples can be sorted and filtered by, the main score first."""
    people = measurements.people
    others = [name for name in measurements.describing if name not in DESCRIBING]
    numbers: list[Measure] = []
    unjudged = (
        [] if people is None else [n for n in people.metrics if n not in measurements.judging]
    )
    for name in (*measurements.judging, *unjudged, *others):
        for column in score_tables.columns_of(measurements.statistics[name].metric):
            numbers += _measure(measurements, name, column)
    if people is not None:
        numbers += _disagreement(measurements, people, numbers)
    for name, column in _DESCRIBING:
        numbers += _measure(measurements, name, column)
    return numbers


def _ratings_of(measurements: Measurements) -> dict[str, list[list[list[float]]]]:
    """Return criterion → people's ratings of each output of each system."""
    people, names = measurements.people, [row.name for row in measurements.data.systems]
    criteria = people.ratings.criteria if people else ()
    return {name: [*people.values(name, names).values()] for name in criteria if people}


def _measure(measurements: Measurements, name: str, column: Column) -> list[Measure]:
    """Return the numbers of a column in a list, which is empty if a system has none."""
    scores = [measurements.per_example(name, row.name) for row in measurements.data.systems]
    if any(column.key not in of_system for of_system in scores):
        return []
    values = [column.scale * of_system[column.key] for of_system in scores]
    decimals = 1 if column.decimals is None else column.decimals
    better = measurements.statistics[name].metric.find_score(column.key).better
    return [Measure(f"{name}.{column.key}", column.label, decimals, better, values)]


def _disagreement(
    measurements: Measurements, people: People, numbers: Sequence[Measure]
) -> list[Measure]:
    """List how far raters are apart, and people's ranks of outputs above the main metric's."""
    main, found = numbers[0], []
    for name, metric in people.metrics.items():
        criterion = name.removeprefix(PREFIX)
        rows = _ratings_of(measurements)[criterion]
        if not people.ratings.compares and any(len(one) > 1 for row in rows for one in row):
            apart = [[np.ptp(one) if len(one) > 1 else np.nan for one in row] for row in rows]
            label = f"{criterion}: spread of raters"
            found.append(Measure(f"{name}.spread", label, 1, "", [*np.array(apart)]))
        better = metric.scores[0].better
        if better and not measurements.is_people(measurements.first):
            (means,) = (np.array(one.values) for one in numbers if one.key == f"{name}.{MEAN}")
            scores = np.array(main.values)
            missing = np.where(np.isfinite(means + scores), 0, np.nan)
            gaps = _rank(means + missing, better) - _rank(scores + missing, main.better)
            label = f"{criterion}: rank above {main.label}"
            found.append(Measure(f"{name}.above", label, 0, "", [*gaps]))
    return found


def _rank(values: Floats, better: str) -> Floats:
    """Return percentile ranks, that of the best value 100."""
    from scipy import stats

    known = np.isfinite(values)
    ranks = np.full(values.shape, np.nan)
    upwards = -values[known] if better == "lower" else values[known]
    ranks[known] = 100 * (stats.rankdata(upwards) - 1) / max(1, len(upwards) - 1)
    return ranks


def _rating_choices(numbers: Sequence[Measure]) -> list[tuple[str, str]]:
    """List the choices of the filter by rating: the range of a measure, and its words."""
    choices = []
    for measure in numbers:
        if measure.key.startswith(PREFIX):
            criterion, kind = measure.key.removeprefix(PREFIX).rsplit(".", 1)
            ends = np.nanquantile(np.concatenate(measure.values), [0.25, 0.75]).round(4).tolist()
            low, high = (f"{end:g}" for end in (ends if kind != "above" else (-_FAR, _FAR)))
            under, over = f"{measure.key}::{low}", f"{measure.key}:{high}:"
            of_kind = {
                MEAN: [(under, f"less than {low}"), (over, f"{high} or more")],
                "spread": [(over, f"raters {high} or more apart")],
                "above": [(under, "far worse than by score"), (over, "far better than by score")],
            }
            choices += [(range_, f"{criterion}: {words}") for range_, words in of_kind[kind]]
    return choices


def _groups(
    measurements: Measurements,
    labels: Mapping[str, Labels],
    count: int,
) -> example_groups.Groups:
    judging = measurements.judging
    names = [row.name for row in measurements.data.systems]
    scores = {name: _main_scores(measurements, name) for name in names if judging}
    values = {}
    if len(scores) > 1:
        values["disagree", ""] = np.ptp([*scores.values()], axis=0)
    for name in names:
        features = {key: of_rows[name] for key, of_rows in measurements.features.items()}
        copies = features["exact_copies"]
        if name in scores:
            values["highest", name] = scores[name]
            values["lowest", name] = np.where(copies, -np.inf, -scores[name])
        values["unchanged", name] = copies
        values["compressed", name] = -features["compression_ratio"]
        values["paraphrased", name] = features["novel_1grams"]
        values["split", name] = features["sentence_splits"]
        if labels[name]:
            values["errors", name] = _worst(labels[name])
    return example_groups.choose(
        values, len(measurements.data.sources), count, measurements.sampling.seed
    )


def _main_scores(measurements: Measurements, system: str) -> Floats:
    """(n,) the main score of each example, the higher, the better."""
    main = score_tables.columns_of(measurements.judging[measurements.first])[0]
    scores = measurements.per_example(measurements.first, system)[main.key]
    return -scores if main.lower else scores


def _fit(
    data: Data, linking: Metric | None, order: Sequence[int], measured: int
) -> tuple[list[int], dict[int, list[str]]]:
    """Choose the examples that fit into the page, and draw each with every system's output."""
    budget = MEGABYTES * 1_000_000
    drawings: dict[int, list[str]] = {}
    there: set[str] = set()
    for start in range(0, len(order), _BLOCK):
        some = order[start : start + _BLOCK]
        fit = True
        for example, drawn in zip(some, _draw(linking, data, some), strict=True):
            references = data.references[example] if data.references else []
            outputs = [row.outputs[example] for row in data.systems]
            new = {data.sources[example], *references, *(outputs if linking else ())} - there
            size = sum(len(as_json(text).encode()) for text in [*new, *drawn])
            size += _NUMBER * (measured * len(outputs) + len(references))
            if size > budget:
                fit = False
                continue
            budget -= size
            there |= new
            drawings[example] = drawn
        if not fit:  # to look at all the others for one that is short enough would take too long
            break
    return sorted(drawings), drawings


def _texts(
    data: Data, kept: Sequence[int], drawn: Mapping[int, list[str]], outputs: bool
) -> dict[str, Any]:
    """Return each text once, and the drawings of the outputs, which may have their texts."""
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
        "drawn": [[drawn[e][i] for e in kept] for i in range(len(systems))],
        "words": [len(data.sources[e].split()) for e in kept],
        "empty": [[k for k, e in enumerate(kept) if not row.outputs[e].strip()] for row in systems],
    }


def _draw(linking: Metric | None, data: Data, chosen: Sequence[int]) -> list[list[str]]:
    """Draw the outputs of all systems beside these sources."""
    systems = data.systems
    sources = [data.sources[example] for example in chosen for _ in systems]
    outputs = [row.outputs[example] for example in chosen for row in systems]
    names = cycle(row.name for row in systems)
    each = iter(drawings.draw(linking, sources, outputs, names))
    return [[*islice(each, len(systems))] for _ in chosen]


def _locate(
    groups: example_groups.Groups, kept: Sequence[int], systems: Sequence[str]
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


Labels = Mapping[str, Sequence[int | None]]
"""Category → the label that most annotators gave to each output."""


def _worst(labels: Labels) -> Floats:
    """(n,) the worst label of each output over all categories; gibberish is 3, no label 0."""
    levels = {0: 0, None: 0, 1: 1, 2: 2, GIBBERISH: 3}
    worst = [max(map(levels.__getitem__, row)) for row in zip(*labels.values(), strict=True)]
    return np.array(worst, dtype=np.float64)


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
