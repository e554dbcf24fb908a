"""Systems that others are compared with, and what every system should beat."""

from collections.abc import Collection, Sequence
from typing import Any

from textsimp.core.declarations import PREDICTIONS
from textsimp.core.examples import Examples
from textsimp.support.errors import InputError, check_choice

UNCHANGED, TRUNCATED = "source unchanged", "source truncated"
BASELINES = {"copy": UNCHANGED, "truncation": TRUNCATED}
"""Short names by which a baseline is asked for."""

KEPT_PERCENT = 80  # of a source's words, by the truncation baseline

MOST = 4  # baselines, each with a mark in tables

Baseline = str | Sequence[str] | None
"""One or more systems that the others are tested against; None is the best."""


def list_baselines(baseline: Any) -> list[Any]:
    """Return the names of baselines, the first one first; [] for the best system."""
    if baseline is None:
        return []
    return [*baseline] if isinstance(baseline, (list, tuple)) else [baseline]


def asked_baselines(baseline: Baseline, systems: Collection[str]) -> list[str]:
    """Return which baselines are asked for by a name of `BASELINES` that no system has."""
    names = [name for name in list_baselines(baseline) if isinstance(name, str)]
    return [name for name in names if name in BASELINES and name not in systems]


def check_baselines(baseline: Any, systems: Collection[str], argument: str = "baseline") -> None:
    """Check the names of baselines, which messages call ``argument``, if there are any."""
    names = list_baselines(baseline)
    for name in names if baseline is None or names else [baseline]:  # an empty list is refused
        check_choice(argument, name, list(systems))
        if names.count(name) > 1:
            raise InputError(f"{argument}: expected different systems, got {name!r} twice")
    if len(names) > MOST:
        raise InputError(f"{argument}: expected at most {MOST}, got {len(names)}")


def add_baselines(examples: Examples, asked: Collection[str] = ()) -> tuple[Examples, list[str]]:
    """Return examples with the sources, unchanged and truncated, as systems; and these names.

    Outputs that a system has already are left out. Those that are ``asked`` for
    by their short names have these names.
    """
    if examples.sources is None:
        raise InputError("baselines: expected sources, which they are made of, got none")
    for system, own in examples.systems.items():
        if {*own} != {PREDICTIONS.name}:
            raise InputError(f"baselines: expected only predictions of {system}")
    outputs = {"copy": examples.sources, "truncation": [*map(truncate, examples.sources)]}
    present = [examples.predictions(system) for system in examples.systems]
    added: dict[str, dict[str, list[Any]]] = {}
    for short, texts in outputs.items():
        name = short if short in asked else BASELINES[short]
        if name in asked or (name not in examples.systems and texts not in present):
            added[name] = {PREDICTIONS.name: texts}
    return Examples(examples.shared, {**examples.systems, **added}), [*added]


def truncate(text: str) -> str:
    """The first 80 % of a text's words, rounded up.

    >>> truncate("one two three four five six")
    'one two three four five'
    """
    words = text.split()
    return " ".join(words[: -(-KEPT_PERCENT * len(words) // 100)])
