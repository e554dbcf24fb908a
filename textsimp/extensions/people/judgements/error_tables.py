"""Tables of Devaraj et al. (2022), from labels of information errors."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np

from textsimp.core import tables
from textsimp.core.draws import RESAMPLES
from textsimp.core.metric import Floats
from textsimp.core.tables import Cell, Grid
from textsimp.corpora.files import note
from textsimp.extensions.people.judgements import distances
from textsimp.extensions.people.judgements.agreement import rater_agreement
from textsimp.extensions.people.judgements.distances import Unit
from textsimp.extensions.people.judgements.error_labels import Rows, given, read_systems
from textsimp.metrics.information_errors import CATEGORIES, LABELS, InformationErrors
from textsimp.support.errors import InputError, check_choice

SHARES = ("0", "1", "2", "gibberish")
LEVELS = LABELS[:3]  # gibberish is none
NAMES = ("distribution", "agreement", "length_change", "edit_distance")  # of tables


Numbers = dict[str, Any]  # of a table, as plain data


def tabulate(
    files: Sequence[str | Path],
    *,
    unit: Unit = "characters",
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
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples.
        seed: Their seed.
    """
    check_choice("unit", unit, get_args(Unit))
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    if len({*files}) < len(files):
        raise InputError("expected different files, got one twice")
    systems = read_systems(files)
    title = f"Labels in percent of the labelled, {100 * confidence:g} % intervals"
    found = {"distribution": (title, *distribution(systems, **sampling))}
    rows = [row for own in systems.values() for row in own]
    if any(len(given(row, name)) > 1 for row in rows for name in CATEGORIES):
        title = "Agreement of annotators, all systems together"
        found["agreement"] = title, *agreement(rows, **sampling)
    texts = ("source", "prediction")
    whole = [row for row in rows if all(row.get(name) is not None for name in texts)]
    if len(whole) < len(rows):
        if whole:
            note(
                f"no tables by level: {len(whole):,} of {len(rows):,} outputs have a source and a "
                "prediction, and all need them"
            )
        return found
    changes, edits = {}, {}
    for system, own in systems.items():
        sources, predictions = ([row[name] for row in own] for name in texts)
        changes[system] = distances.length_change(sources, predictions)
        edits[system] = distances.edit_distance(sources, predictions, unit)
    each = "by level: mean ± standard deviation (outputs)"
    title = f"Length change in percent of the source's Treebank tokens, {each}"
    found["length_change"] = title, *by_level(changes, systems)
    title = f"Edit distance in {unit} per {unit[:-1]} of the source, without noise, {each}"
    found["edit_distance"] = title, *by_level(edits, systems)
    return found


def distribution(systems: Mapping[str, Rows], **sampling: Any) -> tuple[Numbers, Grid]:
    """Return system → scores of `textsimp.InformationErrors`, which may have different sources.

    The table has a row per system and category: percent of the labelled with each label.
    """
    found, rows, signatures = {}, [], []
    for system, own in systems.items():
        labels: Any = {name: [given(row, name) for row in own] for name in CATEGORIES}
        scores = InformationErrors().score(**labels, **sampling)
        found[system] = scores.to_dict()
        signatures.append(scores.signature)
        for category in CATEGORIES:
            values = [scores.predictions[f"{category}_{share}"] for share in SHARES]
            cells = [Cell.of(value.value, value.interval, 1) for value in values]
            labelled = scores[f"{category}_labelled"]
            rows.append([system, category, *(cells if labelled else "––––"), f"{labelled:,}"])
    header = ["system", "category", *SHARES, "labelled"]
    return found, Grid(header, rows, [*dict.fromkeys(signatures)], named=2)


def agreement(rows: Rows, **sampling: Any) -> tuple[Numbers, Grid]:
    """Return category → `people.RaterAgreement` of merged rows, as plain data.

    Krippendorff's alpha is ordinal, with gibberish above 2.
    """
    found, cells, notes = {}, [], []
    for name in CATEGORIES:
        ranks = [[LABELS.index(label) for label in given(row, name)] for row in rows]
        raters = rater_agreement(ranks, level="ordinal", **sampling)
        found[name] = raters.to_dict()
        majority = Cell.of(None if raters.majority is None else 100 * raters.majority, None, 1)
        alpha = Cell.of(raters.alpha, raters.interval, 3)
        cells.append([name, majority, alpha, f"{raters.outputs:,}"])
        if raters.reason:
            notes.append(f"{name}: no alpha, {raters.reason}")
    return found, Grid(["", "majority %", "alpha", "outputs"], cells, notes)


def by_level(values: Mapping[str, Floats], systems: Mapping[str, Rows]) -> tuple[Numbers, Grid]:
    """Summarise a number per output, NaN for none, by the level of the errors.

    The numbers are system → category → level → ``outputs``, ``mean`` and ``deviation``.
    """
    found: dict[str, dict[str, dict[int, Any]]] = {}
    for system, rows in systems.items():
        found[system] = {}
        for name in CATEGORIES:
            labels = np.array([row[f"{name}_majority"] for row in rows])
            of_levels = {}
            for level in LEVELS:
                own = values[system][(labels == level) & ~np.isnan(values[system])]
                mean, deviation = (
                    (float(own.mean()), float(own.std())) if len(own) else (None, None)
                )
                of_levels[level] = {"outputs": len(own), "mean": mean, "deviation": deviation}
            found[system][name] = of_levels
    named = [(system, name, of) for system, own in found.items() for name, of in own.items()]
    decimals = tables.count_decimals(one["mean"] for *_, of in named for one in of.values())
    cells = [[*names, *(_show_level(one, decimals) for one in of.values())] for *names, of in named]
    return found, Grid(["system", "category", *map(str, LEVELS)], cells, named=2)


def _show_level(level: Mapping[str, Any], decimals: int) -> str:
    """Return mean ± deviation (outputs)."""
    if level["mean"] is None:
        return "–"
    mean, deviation = (tables.number(level[name], decimals) for name in ("mean", "deviation"))
    return f"{mean} ± {deviation} ({level['outputs']:,})"
