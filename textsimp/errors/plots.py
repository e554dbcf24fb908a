"""How often systems make information errors, as a picture."""

from __future__ import annotations

from typing import Any

from textsimp.errors.distribution import Distribution
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.support.extras import require

_PARTS = {"2": "#b2182b", "1": "#f4a582", "gibberish": "0.75"}  # from the left
_TITLES = {"2": "main idea lost (2)", "1": "nontrivial (1)", "gibberish": "gibberish"}
_WIDTH, _BAR = 3.6, 0.45  # of a panel and of a system, in inches


def plot(found: Distribution) -> Any:
    """Stacked bars of each system, a panel per category, in percent of the labelled.

    The lines are intervals: of the share with 2, and of that with 1 or 2.

    Args:
        found: What `textsimp.errors.distribution` returned.

    Returns:
        A ``matplotlib.figure.Figure``; save it with its ``savefig``.

    Raises:
        ImportError: matplotlib is not installed; the message names the extra.
    """
    figures = require("matplotlib.figure", extra="report")
    names = list(found.systems)
    size = (_WIDTH * len(CATEGORIES), _BAR * len(names) + 1.4)
    figure = figures.Figure(figsize=size, layout="constrained")
    panels = figure.subplots(1, len(CATEGORIES), sharex=True, sharey=True)
    places = range(len(names))
    for panel, category in zip(panels, CATEGORIES, strict=True):
        values = [found.systems[name].predictions for name in names]
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
