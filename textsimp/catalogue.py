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

WITHOUT_MODULE = {"bleu": "textsimp.bleu:Bleu"}  # evaluate has sacrebleu's own

RANKING = ("sari", "d_sari", "bleu")  # more is better; the others describe


def names() -> list[str]:
    """The names of all metrics."""
    return [*METRICS, *WITHOUT_MODULE]


def metric_class(name: str) -> type[Metric]:
    """The class of a metric.

    Raises:
        InputError: No such metric; the message lists those there are.
    """
    known = METRICS | WITHOUT_MODULE
    if name not in known:
        raise InputError(f"unknown metric {name!r}: expected one of {', '.join(known)}")
    module, _, attribute = known[name].partition(":")
    found: type[Metric] = getattr(importlib.import_module(module), attribute)
    return found
