"""The metrics by name, imported when they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

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
    if not isinstance(name, str) or name not in known:
        raise InputError(f"unknown metric {name!r}: expected one of {', '.join(known)}")
    module, _, attribute = known[name].partition(":")
    found: type[Metric] = getattr(importlib.import_module(module), attribute)
    return found


def configured(
    metrics: Sequence[str] | Mapping[str, Mapping[str, Any]], argument: str
) -> dict[str, Metric]:
    """Metrics with their options, by name.

    Args:
        metrics: A list of names, or name → options, such as ``{"sari": {"variant": "xu"}}``.
        argument: What the caller's user calls it, for messages.

    Raises:
        InputError: Neither of them, no metric, or an unknown metric or option.
    """
    if not isinstance(metrics, (list, tuple, Mapping)) or not metrics:
        raise InputError(
            f"{argument}: expected a list of names, or a mapping from names to options, "
            f"got {metrics!r}"
        )
    found = {}
    for name in metrics:
        options = metrics[name] if isinstance(metrics, Mapping) else {}
        cls = metric_class(name)
        if not isinstance(options, Mapping):
            raise InputError(f"{argument}: expected a mapping of {name}'s options, got {options!r}")
        found[name], of_all = cls.configure(options)
        if of_all:
            raise InputError(
                f"{argument}: {next(iter(of_all))} holds for all metrics: give it as an argument "
                f"of its own, not as an option of {name}"
            )
    return found
