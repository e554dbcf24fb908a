"""Tables 3 to 6, 11 and 12 of Devaraj et al. (2022), from labels of information errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core import tables
from textsimp.core.draws import RESAMPLES
from textsimp.core.tables import Cell, Grid, Tabular
from textsimp.corpora.files import note
from textsimp.judgements import distances, numbers
from textsimp.judgements.agreement import rater_agreement
from textsimp.judgements.distances import Per, Unit
from textsimp.judgements.error_labels import check, read_systems
from textsimp.metrics.information_errors import CATEGORIES, LABELS, InformationErrors, majority
from textsimp.support.errors import InputError

SHARES = ("0", "1", "2", "gibberish")
LEVELS = LABELS[:3]  # gibberish is none
NAMES = ("distribution", "agreement", "length_change", "edit_distance")  # of tables


def tabulate(
    files: Sequence[str | Path],
    *,
    by: str | None = None,
    unit: Unit = "characters",
    per: Per = "source",
    drop_noise: bool = False,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, tuple[str, Any]]:
    """Return all tables that files of labels have: key → title and table.

    They are the distribution of labels; the agreement, if an output has several labels; changes of
    length and edit distances by level, if all outputs have a source and a prediction.

    Args:
        files: Tables with labels, or answers by the scheme ``information_errors``.
        by: The column that names systems. Default: ``system``, if it is there.
        unit: Of edit distances: ``characters``, or Treebank ``tokens``.
        per: Whose length divides an edit distance: that of the ``source``, or of the ``longer``
            text.
        drop_noise: Leave out of edit distances what has too little in common with its source.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples.
        seed: Their seed.
    """
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    if len({*files}) < len(files):
        raise InputError("expected different files, got one twice")
    systems = read_systems(files, by)
    title = f"Labels in percent of the labelled, {100 * confidence:g} % intervals"
    found: dict[str, tuple[str, Any]] = {"distribution": (title, distribution(systems, **sampling))}
    pooled = {
        name: [row for columns in systems.values() for row in columns[name]]
        for name in (*CATEGORIES, "sources", "predictions")
    }
    labels: dict[str, Any] = {category: pooled[category] for category in CATEGORIES}
    if any(len(row) > 1 for rows in labels.values() for row in rows):
        title = "Agreement of annotators, all systems together"
        found["agreement"] = title, agreement(**labels, **sampling)
    pairs = [*zip(pooled["sources"], pooled["predictions"], strict=True)]
    whole = sum(None not in pair for pair in pairs)
    if 0 < whole < len(pairs):
        note(
            f"no tables by level: {whole:,} of {len(pairs):,} outputs have a source and a "
            "prediction, and all need them"
        )
    if whole < len(pairs):
        return found
    changes, edits = {}, {}
    for name, columns in systems.items():
        texts = columns["sources"], columns["predictions"]
        changes[name] = distances.length_change(*texts)
        edits[name] = distances.edit_distance(*texts, unit=unit, per=per)
        if drop_noise:
            edits[name][distances.noise(*texts)] = np.nan
    each = "by level: mean ± standard deviation (outputs)"
    title = f"Length change in percent of the source's Treebank tokens, {each}"
    found["length_change"] = title, by_level(changes, systems)
    of = "source" if per == "source" else "longer of source and output"
    title = f"Edit distance in {unit} per {unit[:-1]} of the {of}"
    title += f"{', without noise' if drop_noise else ''}, {each}"
    found["edit_distance"] = title, by_level(edits, systems)
    return found


@dataclass(frozen=True, eq=False)
class LabelTable(Tabular):
    """A table of labels.

    Attributes:
        numbers: Its numbers as plain data, which `to_dict` returns.
        table: The table.
    """

    numbers: Mapping[str, Any]
    table: Grid

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return dict(self.numbers)

    def grid(self) -> Grid:
        """Return the table."""
        return self.table


def distribution(
    systems: Mapping[str, Mapping[str, Any]],
    *,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> LabelTable:
    """Count how often systems have each label. Systems may have different sources.

    Args:
        systems: Name → ``insertion``, ``deletion`` and ``substitution``, each a label, or a list
            with one of each annotator, per output.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples.
        seed: Their seed.

    Returns:
        System → scores of `textsimp.InformationErrors`, and a row per system and category: percent
        of the labelled with each label.
    """
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    found, rows, signatures = {}, [], []
    for system, own in systems.items():
        labels: dict[str, Any] = {category: own.get(category) for category in CATEGORIES}
        scores = InformationErrors().score(**labels, **sampling)
        found[system] = scores.to_dict()
        signatures.append(scores.signature)
        for category in CATEGORIES:
            values = [scores.predictions[f"{category}_{share}"] for share in SHARES]
            cells = [Cell.of(value.value, value.interval, 1) for value in values]
            labelled = scores[f"{category}_labelled"]
            rows.append([system, category, *(cells if labelled else "––––"), f"{labelled:,}"])
    header = ["system", "category", *SHARES, "labelled"]
    return LabelTable(found, Grid(header, rows, [*dict.fromkeys(signatures)], named=2))


def agreement(
    *, confidence: float | None = 0.95, resamples: int = RESAMPLES, seed: int = 0, **labels: Any
) -> LabelTable:
    """Measure how far annotators agree on the labels of information errors.

    Args:
        confidence: Coverage of alpha's intervals; None for none.
        resamples: Number of bootstrap resamples, of outputs.
        seed: Their seed.
        **labels: ``insertion``, ``deletion``, ``substitution``, or some of these: a list of
            annotators' labels per output, 0, 1, 2 or -1; None where one gave none.

    Returns:
        Category → ``outputs``, those with labels of two annotators or more; ``majority``, the share
        of them with a label of more than half; ``nonzero``, how many have a majority for an error,
        whichever; ``nonzero_agreed``, the share of these with a majority for one label; ``alpha``,
        Krippendorff's, ordinal, gibberish above 2, its ``interval``, and the ``reason`` why there
        is none.

    Example:
        >>> found = agreement(deletion=[[0, 0, 0], [0, 1, 2], [2, 2, 1], [0, 0, 1]])
        >>> found.numbers["deletion"]["majority"]
        0.75
        >>> found.numbers["deletion"]["nonzero_agreed"]  # the third; the second has no label
        0.5
    """
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    found, rows, notes = {}, [], []
    for name, column in check(labels).items():
        ranks = [[LABELS.index(label) for label in row] for row in column]  # gibberish is 3
        raters = rater_agreement(ranks, level="ordinal", **sampling)
        wrong = [row for row in column if len(row) > 1 and 2 * np.count_nonzero(row) > len(row)]
        agreed = (len(wrong) - majority(wrong).count(None)) / len(wrong) if wrong else None
        found[name] = {
            "outputs": raters.outputs,
            "majority": raters.majority,
            "nonzero": len(wrong),
            "nonzero_agreed": agreed,
            "alpha": raters.alpha,
            "interval": raters.interval,
            "reason": raters.reason,
        }
        shares = [None if share is None else 100 * share for share in (raters.majority, agreed)]
        of_labels, of_errors = (Cell.of(share, None, 1) for share in shares)
        alpha = Cell.of(raters.alpha, raters.interval, 3)
        rows.append([name, of_labels, f"{len(wrong):,}", of_errors, alpha, f"{raters.outputs:,}"])
        if raters.reason:
            notes.append(f"{name}: no alpha, {raters.reason}")
    header = ["", "majority %", "an error", "label agreed %", "alpha", "outputs"]
    return LabelTable(found, Grid(header, rows, notes))


def by_level(values: Mapping[str, Any], systems: Mapping[str, Mapping[str, Any]]) -> LabelTable:
    """Summarise a measure of outputs by the level of their errors.

    Args:
        values: System → a number per output, such as `textsimp.judgements.distances` returns. None
            and NaN are left out.
        systems: System → labels, see `distribution`; some of the categories are enough.

    Returns:
        System → category → level → ``outputs``, and the ``mean`` and standard ``deviation`` (of the
        population) of their values; None without outputs.

    Example:
        >>> found = by_level({"a": [10, 20, 60, None]}, {"a": {"deletion": [0, 0, 2, 1]}})
        >>> found.numbers["a"]["deletion"][0]
        {'outputs': 2, 'mean': 15.0, 'deviation': 5.0}
    """
    found: dict[str, dict[str, dict[int, Any]]] = {}
    of_rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for system, measured in values.items():
        matrix = numbers.matrix(measured, "values")
        if matrix.shape[1] > 1:
            raise InputError("values: expected a number per output, got lists")
        labels = {name: systems[system].get(name) for name in CATEGORIES}
        found[system] = {}
        for name, rows in check(labels, values=matrix).items():
            label, of_levels = np.array(majority(rows)), []
            for level in LEVELS:
                own = matrix[(label == level) & ~np.isnan(matrix[:, 0])]
                mean, deviation = (
                    (float(own.mean()), float(own.std())) if len(own) else (None, None)
                )
                of_levels.append({"outputs": len(own), "mean": mean, "deviation": deviation})
            of_rows[system, name] = of_levels
            found[system][name] = dict(zip(LEVELS, of_levels, strict=True))
    decimals = tables.count_decimals(one["mean"] for row in of_rows.values() for one in row)
    cells = [
        [*names, *(_show_level(one, decimals) for one in row)] for names, row in of_rows.items()
    ]
    return LabelTable(found, Grid(["system", "category", *map(str, LEVELS)], cells, named=2))


def _show_level(level: Mapping[str, Any], decimals: int) -> str:
    """Return mean ± deviation (outputs)."""
    if level["mean"] is None:
        return "–"
    mean, deviation = (tables.number(level[name], decimals) for name in ("mean", "deviation"))
    return f"{mean} ± {deviation} ({level['outputs']:,})"
