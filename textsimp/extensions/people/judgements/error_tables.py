"""Tables of Devaraj et al. (2022), from labels of information errors."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np

from textsimp.core import tables
from textsimp.core.draws import RESAMPLES
from textsimp.core.metric import Floats
from textsimp.core.tables import Cell, Grid
from textsimp.extensions.people.judgements.distances import Unit, edit_distance, length_change
from textsimp.extensions.people.judgements.error_labels import Rows, list_labels, read_systems
from textsimp.extensions.people.judgements.judgements import Judgements
from textsimp.extensions.people.judgements.raters import agree
from textsimp.metrics.information_errors import CATEGORIES, LABELS, InformationErrors
from textsimp.support.errors import InputError, check_choice
from textsimp.support.progress import note

SHARES = ("0", "1", "2", "gibberish")
LEVELS = LABELS[:3]  # gibberish is none
NAMES = ("distribution", "agreement", "length_change", "edit_distance")  # of tables


Numbers = dict[str, Any]  # of a table, as plain data


def tabulate(
    files: Sequence[str | Path],
    *,
    unit: Unit = "characters",
    plan: str | Path | None = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, tuple[str, Numbers, Grid]]:
    """Return all tables that files of labels have: key → title, numbers and table.

    They are the distribution of labels; the agreement, if an output has several labels; changes of
    length and edit distances by level, if all outputs have a source and a prediction. The numbers
    of the last two are system → category → level → ``outputs``, and the ``mean`` and standard
    ``deviation`` (of the population) of their values.

    Args:
        files: Tables with labels, or answers by the scheme ``information_errors``.
        unit: Of edit distances: ``characters`` (Table 5 of the paper), or Treebank ``tokens``
            (Table 12).
        plan: The plan of the answers, such as of spreadsheets, which have no systems.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples.
        seed: Their seed.
    """
    check_choice("unit", unit, get_args(Unit))
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    if len({*files}) < len(files):
        raise InputError("expected different files, got one twice")
    systems, labels = read_systems(files, plan)
    title = f"Labels in percent of the labelled, {100 * confidence:g} % intervals"
    tabulated = {"distribution": (title, *distribution(systems, **sampling))}
    rows = [row for system_rows in systems.values() for row in system_rows]
    if any(len(list_labels(row, name)) > 1 for row in rows for name in CATEGORIES):
        title = "Agreement of annotators, all systems together"
        tabulated["agreement"] = title, *agreement(labels, **sampling)
    texts = ("source", "prediction")
    whole = [row for row in rows if all(row.get(name) is not None for name in texts)]
    if len(whole) < len(rows):
        if whole:
            note(
                f"no tables by level: {len(whole):,} of {len(rows):,} outputs have a source and a "
                "prediction, and all need them"
            )
        return tabulated
    changes, edits = {}, {}
    for system, system_rows in systems.items():
        sources, predictions = ([row[name] for row in system_rows] for name in texts)
        changes[system] = length_change(sources, predictions)
        edits[system] = edit_distance(sources, predictions, unit)
    each = "by level: mean ± standard deviation (outputs)"
    title = f"Length change in percent of the source's Treebank tokens, {each}"
    tabulated["length_change"] = title, *by_level(changes, systems)
    title = f"Edit distance in {unit} per {unit[:-1]} of the source, without noise, {each}"
    tabulated["edit_distance"] = title, *by_level(edits, systems)
    return tabulated


def distribution(systems: Mapping[str, Rows], **sampling: Any) -> tuple[Numbers, Grid]:
    """Return system → scores of `textsimp.InformationErrors`, which may have different sources.

    The table has a row per system and category: percent of the labelled with each label.
    """
    numbers, rows, signatures = {}, [], []
    for system, system_rows in systems.items():
        labels: Any = {name: [list_labels(row, name) for row in system_rows] for name in CATEGORIES}
        scores = InformationErrors().score(**labels, **sampling)
        numbers[system] = scores.to_dict()
        signatures.append(scores.signature)
        for category in CATEGORIES:
            values = [scores.predictions[f"{category}_{share}"] for share in SHARES]
            cells = [Cell.of(value.value, value.interval, 1) for value in values]
            labelled = scores[f"{category}_labelled"]
            rows.append([system, category, *(cells if labelled else "––––"), f"{labelled:,}"])
    header = ["system", "category", *SHARES, "labelled"]
    return numbers, Grid(header, rows, [*dict.fromkeys(signatures)], named=2)


def agreement(labels: Judgements, **sampling: Any) -> tuple[Numbers, Grid]:
    """Return category → `people.RaterAgreement`, as plain data; it is that of `people.analyse`.

    Krippendorff's alpha is ordinal, with gibberish above 2.
    """
    numbers, cells, notes = {}, [], []
    for name in CATEGORIES:
        raters = agree(labels, name, sampling)[0].raters
        numbers[name] = raters.to_dict()
        majority = Cell.of(None if raters.majority is None else 100 * raters.majority, None, 1)
        alpha = Cell.of(raters.alpha, raters.interval, 3)
        cells.append([name, majority, alpha, f"{raters.outputs:,}"])
        if raters.reason:
            notes.append(f"{name}: no alpha, {raters.reason}")
    return numbers, Grid(["", "majority %", "alpha", "outputs"], cells, notes)


def by_level(values: Mapping[str, Floats], systems: Mapping[str, Rows]) -> tuple[Numbers, Grid]:
    """Summarise a number per output, NaN for none, by the level of the errors.

    The numbers are system → category → level → ``outputs``, ``mean`` and ``deviation``.
    """
    numbers: dict[str, dict[str, dict[int, Any]]] = {system: {} for system in systems}
    for system, rows in systems.items():
        for name in CATEGORIES:
            labels = np.array([row[f"{name}_majority"] for row in rows])
            of_levels = {level: _summarise(values[system][labels == level]) for level in LEVELS}
            numbers[system][name] = of_levels
    named = [(system, name, own[name]) for system, own in numbers.items() for name in own]
    decimals = tables.count_decimals(s["mean"] for *_, own in named for s in own.values())
    cells = [
        [system, name, *(_show_level(level, decimals) for level in own.values())]
        for system, name, own in named
    ]
    return numbers, Grid(["system", "category", *map(str, LEVELS)], cells, named=2)


def _summarise(values: Floats) -> dict[str, Any]:
    present = values[~np.isnan(values)]
    if not len(present):
        return {"outputs": 0, "mean": None, "deviation": None}
    mean, deviation = float(present.mean()), float(present.std())
    return {"outputs": len(present), "mean": mean, "deviation": deviation}


def _show_level(level: Mapping[str, Any], decimals: int) -> str:
    """Return mean ± deviation (outputs)."""
    if level["mean"] is None:
        return "–"
    mean, deviation = (tables.number(level[name], decimals) for name in ("mean", "deviation"))
    return f"{mean} ± {deviation} ({level['outputs']:,})"
