"""How often systems make information errors: Tables 4 and 6 of Devaraj et al. (2022)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textsimp.core import tables
from textsimp.core.draws import RESAMPLES
from textsimp.core.scores import Scores
from textsimp.core.tables import Grid, Tabular
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors
from textsimp.support.errors import InputError
from textsimp.support.extras import require

SHARES = ("0", "1", "2", "gibberish")
_PARTS = {"2": "#b2182b", "1": "#f4a582", "gibberish": "0.75"}  # from the left
_TITLES = {"2": "main idea lost (2)", "1": "nontrivial (1)", "gibberish": "gibberish"}
_WIDTH, _BAR = 3.6, 0.45  # of a panel and of a system, in inches


@dataclass(frozen=True, eq=False)
class Distribution(Tabular):
    """Frequencies of labels by system: name → scores of `textsimp.InformationErrors`."""

    systems: Mapping[str, Scores]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """All as plain data: system → scores."""
        return {system: scores.to_dict() for system, scores in self.systems.items()}

    def grid(self) -> Grid:
        """A row per system and category: percent of the labelled with each label."""
        rows = []
        for system, scores in self.systems.items():
            for category in CATEGORIES:
                values = [scores.predictions[f"{category}_{share}"] for share in SHARES]
                cells = [tables.cell(value.value, value.interval, 1) for value in values]
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
    mapping = isinstance(systems, Mapping) and len(systems) > 0
    if not mapping or not all(isinstance(labels, Mapping) for labels in systems.values()):
        raise InputError("systems: expected a mapping from names to columns of labels")
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    return Distribution(
        {name: InformationErrors().score(**labels, **sampling) for name, labels in systems.items()}
    )


def plot(labels: Distribution) -> Any:
    """Draw stacked bars of each system, a panel per category, in percent of the labelled.

    The lines are intervals of the share with 2, and of the share with 1 or 2. Return a
    ``matplotlib.figure.Figure``.
    """
    figures = require("matplotlib.figure", extra="report")
    names = list(labels.systems)
    size = (_WIDTH * len(CATEGORIES), _BAR * len(names) + 1.4)
    figure = figures.Figure(figsize=size, layout="constrained")
    panels = figure.subplots(1, len(CATEGORIES), sharex=True, sharey=True)
    places = range(len(names))
    for panel, category in zip(panels, CATEGORIES, strict=True):
        values = [labels.systems[name].predictions for name in names]
        left = [0.0] * len(names)
        for part, color in _PARTS.items():
            widths = [of_system[f"{category}_{part}"].value for of_system in values]
            panel.barh(places, widths, 0.7, left, color=color, label=_TITLES[part])
            left = [a + b for a, b in zip(left, widths, strict=True)]
        for key, scale, shift in ((f"{category}_2", 1, -0.14), (f"{category}_rate", 100, 0.14)):
            for place, of_system in zip(places, values, strict=True):
                if of_system[key].interval is not None:
                    low, high = (scale * bound for bound in of_system[key].interval or ())
                    panel.plot([low, high], [place + shift] * 2, color="0.15", linewidth=1)
        panel.set_title(category, fontsize=10)
        panel.set_xlabel("% of the labelled", fontsize=9)
        panel.tick_params(labelsize=9)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_yticks(list(places), names, parse_math=False)
    panels[0].invert_yaxis()
    panels[0].set_xlim(left=0)  # of all, once all is drawn
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
