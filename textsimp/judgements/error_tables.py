"""Tables 3 to 6, 11 and 12 of Devaraj et al. (2022), from labels of information errors."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core import tables
from textsimp.core.draws import RESAMPLES
from textsimp.core.scores import Scores
from textsimp.core.tables import Cell, Grid, Tabular
from textsimp.corpora.files import note
from textsimp.judgements import distances, numbers
from textsimp.judgements.agreement import rater_agreement
from textsimp.judgements.distances import Per, Unit
from textsimp.judgements.error_labels import check, read_systems
from textsimp.metrics.information_errors import CATEGORIES, LABELS, InformationErrors, majority
from textsimp.support.errors import InputError
from textsimp.support.extras import require

SHARES = ("0", "1", "2", "gibberish")
LEVELS = LABELS[:3]  # gibberish is none
NAMES = ("distribution", "agreement", "length_change", "edit_distance")  # of tables
_PARTS = {  # from the left: color and title
    "2": ("#b2182b", "main idea lost (2)"),
    "1": ("#f4a582", "nontrivial (1)"),
    "gibberish": ("0.75", "gibberish"),
}


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
class Distribution(Tabular):
    """Frequencies of labels by system: name → scores of `textsimp.InformationErrors`."""

    systems: Mapping[str, Scores]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return plain data: system → scores."""
        return {system: scores.to_dict() for system, scores in self.systems.items()}

    def grid(self) -> Grid:
        """Return a row per system and category: percent of the labelled with each label."""
        rows = []
        for system, scores in self.systems.items():
            for category in CATEGORIES:
                values = [scores.predictions[f"{category}_{share}"] for share in SHARES]
                cells = [Cell.of(value.value, value.interval, 1) for value in values]
                labelled = scores[f"{category}_labelled"]
                rows.append([system, category, *(cells if labelled else "––––"), f"{labelled:,}"])
        signatures = dict.fromkeys(scores.signature for scores in self.systems.values())
        return Grid(["system", "category", *SHARES, "labelled"], rows, [*signatures], named=2)


def distribution(
    systems: Mapping[str, Mapping[str, Any]],
    *,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Distribution:
    """Count how often systems have each label. Systems may have different sources.

    Args:
        systems: Name → ``insertion``, ``deletion`` and ``substitution``, each a label, or a list
            with one of each annotator, per output.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples.
        seed: Their seed.
    """
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    scores = {}
    for name, columns in systems.items():
        labels: dict[str, Any] = {category: columns.get(category) for category in CATEGORIES}
        scores[name] = InformationErrors().score(**labels, **sampling)
    return Distribution(scores)


def plot(labels: Distribution) -> Any:
    """Draw stacked bars of each system, a panel per category, in percent of the labelled.

    The lines are intervals of the share with 2, and of the share with 1 or 2. Return a
    ``matplotlib.figure.Figure``.
    """
    figures = require("matplotlib.figure", extra="report")
    names = list(labels.systems)
    size = (3.6 * len(CATEGORIES), 0.45 * len(names) + 1.4)
    figure = figures.Figure(figsize=size, layout="constrained")
    panels = figure.subplots(1, len(CATEGORIES), sharex=True, sharey=True)
    places = np.arange(len(names))
    for panel, category in zip(panels, CATEGORIES, strict=True):
        values = [scores.predictions for scores in labels.systems.values()]
        left = np.zeros(len(names))
        for part, (color, title) in _PARTS.items():
            widths = [of_system[f"{category}_{part}"].value for of_system in values]
            panel.barh(places, widths, 0.7, left, color=color, label=title)
            left += widths
        for key, scale, shift in ((f"{category}_2", 1, -0.14), (f"{category}_rate", 100, 0.14)):
            for place, of_system in zip(places, values, strict=True):
                interval = of_system[key].interval
                if interval is not None:
                    bounds = [scale * bound for bound in interval]
                    panel.plot(bounds, [place + shift] * 2, color="0.15", linewidth=1)
        panel.set_title(category, fontsize=10)
        panel.set_xlabel("% of the labelled", fontsize=9)
        panel.tick_params(labelsize=9)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks(places, names, parse_math=False)
    panels[0].invert_yaxis()
    panels[0].set_xlim(left=0)  # of all, once all is drawn
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


@dataclass(frozen=True)
class CategoryAgreement:
    """Agreement of annotators on a category.

    Attributes:
        outputs: How many have labels of two annotators or more; the others are left out of all.
        majority: Share of them with a label that more than half of their annotators gave.
        nonzero: How many have a majority for an error, whichever: a label other than 0.
        nonzero_agreed: Share of these with a majority for one label; None if there are none.
        alpha: Krippendorff's, ordinal, gibberish above 2; None where undefined.
        interval: [low, high] of alpha's bootstrap over outputs, or None.
        reason: Why there is no alpha.
    """

    outputs: int
    majority: float | None
    nonzero: int
    nonzero_agreed: float | None
    alpha: float | None
    interval: list[float] | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class LabelAgreement(Tabular):
    """Agreement of annotators: category → `CategoryAgreement`."""

    categories: Mapping[str, CategoryAgreement]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return plain data: category → the fields of `CategoryAgreement`."""
        return dict(asdict(self)["categories"])

    def grid(self) -> Grid:
        """Return a row per category; shares in percent."""
        header = ["", "majority %", "an error", "label agreed %", "alpha", "outputs"]
        rows, notes = [], []
        for category, one in self.categories.items():
            majority, agreed = (
                Cell.of(None if share is None else 100 * share, None, 1)
                for share in (one.majority, one.nonzero_agreed)
            )
            alpha = Cell.of(one.alpha, one.interval, 3)
            cells = [majority, f"{one.nonzero:,}", agreed, alpha, f"{one.outputs:,}"]
            rows.append([category, *cells])
            if one.reason:
                notes.append(f"{category}: no alpha, {one.reason}")
        return Grid(header, rows, notes)


def agreement(
    *, confidence: float | None = 0.95, resamples: int = RESAMPLES, seed: int = 0, **labels: Any
) -> LabelAgreement:
    """Measure how far annotators agree on the labels of information errors.

    Args:
        confidence: Coverage of alpha's intervals; None for none.
        resamples: Number of bootstrap resamples, of outputs.
        seed: Their seed.
        **labels: ``insertion``, ``deletion``, ``substitution``, or some of these: a list of
            annotators' labels per output, 0, 1, 2 or -1; None where one gave none.

    Example:
        >>> found = agreement(deletion=[[0, 0, 0], [0, 1, 2], [2, 2, 1], [0, 0, 1]])
        >>> found.categories["deletion"].majority
        0.75
        >>> found.categories["deletion"].nonzero_agreed  # the third; the second has no label
        0.5
    """
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    found = {}
    for name, rows in check(labels).items():
        raters = rater_agreement(rows, level="ordinal", labels=LABELS, **sampling)
        wrong = [row for row in rows if len(row) > 1 and 2 * np.count_nonzero(row) > len(row)]
        agreed = len(wrong) - majority(wrong).count(None)
        errors = (
            raters.outputs,
            raters.majority,
            len(wrong),
            agreed / len(wrong) if wrong else None,
        )
        found[name] = CategoryAgreement(*errors, raters.alpha, raters.interval, raters.reason)
    return LabelAgreement(found)


@dataclass(frozen=True)
class LevelMean:
    """A measure of the outputs of a level.

    Attributes:
        outputs: How many there are.
        mean: Of their values; None if there is none.
        deviation: The standard deviation of the population, which of one output is 0.
    """

    outputs: int
    mean: float | None
    deviation: float | None

    def text(self, decimals: int) -> str:
        """Return mean ± deviation (outputs)."""
        if self.mean is None or self.deviation is None:
            return "–"
        mean, deviation = (tables.number(x, decimals) for x in (self.mean, self.deviation))
        return f"{mean} ± {deviation} ({self.outputs:,})"


@dataclass(frozen=True, eq=False)
class Levels(Tabular):
    """A measure by the level of errors: system → category → level → `LevelMean` of outputs."""

    systems: Mapping[str, Mapping[str, Mapping[int, LevelMean]]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: system → category → level → the fields of `LevelMean`."""
        return dict(asdict(self)["systems"])

    def grid(self) -> Grid:
        """Return a row per system and category: of each level mean ± deviation (outputs)."""
        levels_of = {
            (system, category): [*levels.values()]
            for system, categories in self.systems.items()
            for category, levels in categories.items()
        }
        means = [one.mean for levels in levels_of.values() for one in levels]
        decimals = tables.count_decimals(means)
        rows = [[*names, *(one.text(decimals) for one in own)] for names, own in levels_of.items()]
        return Grid(["system", "category", *map(str, LEVELS)], rows, named=2)


def by_level(values: Mapping[str, Any], systems: Mapping[str, Mapping[str, Any]]) -> Levels:
    """Summarise a measure of outputs by the level of their errors.

    Args:
        values: System → a number per output, such as `textsimp.judgements.distances` returns. None
            and NaN are left out.
        systems: System → labels, see `distribution`; some of the categories are enough.

    Example:
        >>> found = by_level({"a": [10, 20, 60, None]}, {"a": {"deletion": [0, 0, 2, 1]}})
        >>> found.systems["a"]["deletion"][0]
        LevelMean(outputs=2, mean=15.0, deviation=5.0)
    """
    found: dict[str, dict[str, dict[int, LevelMean]]] = {}
    for system, measured in values.items():
        matrix = numbers.matrix(measured, "values")
        if matrix.shape[1] > 1:
            raise InputError("values: expected a number per output, got lists")
        labels = {name: systems[system].get(name) for name in CATEGORIES}
        found[system] = {}
        for name, rows in check(labels, values=matrix).items():
            of_rows, found[system][name] = np.array(majority(rows)), {}
            for level in LEVELS:
                own = matrix[(of_rows == level) & ~np.isnan(matrix[:, 0])]
                mean = (float(own.mean()), float(own.std())) if len(own) else (None, None)
                found[system][name][level] = LevelMean(len(own), *mean)
    return Levels(found)
