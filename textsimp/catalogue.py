"""The metrics by name, imported when they are asked for."""

from __future__ import annotations

import importlib

from textsimp.columns import InputError
from textsimp.metric import Metric

METRICS = {
    "sari": "textsimp.sari:Sari",
    "d_sari": "textsimp.d_sari:DSari",
    "fkgl_components": "textsimp.readability:FkglComponents",
    "edit_ops": "textsimp.edits:EditOps",
    "simplification_stats": "textsimp.stats:SimplificationStats",
}


def metric_class(name: str) -> type[Metric]:
    """The class of a metric.

    Raises:
        InputError: No such metric; the message lists those there are.
    """
    if name not in METRICS:
        raise InputError(f"unknown metric {name!r}: expected one of {', '.join(METRICS)}")
    module, _, attribute = METRICS[name].partition(":")
    found: type[Metric] = getattr(importlib.import_module(module), attribute)
    return found
