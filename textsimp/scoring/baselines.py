"""Systems that others are compared with, and what every system should beat."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from textsimp.core.declarations import PREDICTIONS, REFERENCES
from textsimp.core.examples import Examples
from textsimp.core.metric import Statistics
from textsimp.support.errors import InputError, check_choice

__all__ = ["BASELINES", "truncate"]

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


def check_names(systems: Collection[str], rows: Iterable[str] = (REFERENCES.name,)) -> None:
    """Check that no system has the name of another row of tables."""
    for name in rows:
        if name in systems:
            raise InputError(f"systems: {name!r} names another row of tables: choose another name")


def has_baselines(examples: Examples) -> bool:
    """Whether examples have sources, and systems no other columns than predictions."""
    alone = all({*columns} == {PREDICTIONS.name} for columns in examples.systems.values())
    return examples.sources is not None and alone


def add_baselines(
    examples: Examples, asked: Collection[str] = (), *, show: bool = True
) -> tuple[Examples, list[str], list[str]]:
    """Return examples with the sources, unchanged and truncated, as systems; and these names.

    Those that are ``asked`` for by their short names have these names. The last list has the names
    of those that `hide` takes out of statistics: if a system has the same outputs, or all of them.
    """
    if examples.sources is None:
        raise InputError("baselines: expected sources, which they are made of, got none")
    if not has_baselines(examples):
        raise InputError("baselines: expected no columns of systems but predictions")
    outputs = {"copy": examples.sources, "truncation": [*map(truncate, examples.sources)]}
    present = [examples.predictions(system) for system in examples.systems]
    added: dict[str, dict[str, list[Any]]] = {}
    shown, hidden = list[str](), list[str]()
    for short, texts in outputs.items():
        name = short if short in asked else BASELINES[short]
        check_names(examples.systems, [name])
        added[name] = {PREDICTIONS.name: texts}
        names = shown if name in asked or (show and texts not in present) else hidden
        names.append(name)
    return Examples(examples.shared, {**examples.systems, **added}), shown, hidden


def hide(measured: Statistics, baselines: Collection[str]) -> Statistics:
    """Return statistics without some baselines, of which only the main scores are kept."""
    shown = {name: rows for name, rows in measured.systems.items() if name not in baselines}
    return replace(measured, systems=shown, hidden=_score(measured, baselines))


def recognise(measured: Statistics) -> Statistics:
    """Return statistics without texts, which know a baseline by its name."""
    names = [name for name in (*BASELINES, *BASELINES.values()) if name in measured.systems]
    return replace(measured, hidden=_score(measured, names))


def _score(measured: Statistics, systems: Collection[str]) -> dict[str, float]:
    main, metric = measured.metric.scores[0], measured.metric
    values = {name: metric.sample(measured.systems[name]).value()[main.key] for name in systems}
    return {name: float(value) for name, value in values.items() if not main.many}


def truncate(text: str) -> str:
    """The first 80 % of a text's words, rounded up.

    >>> truncate("one two three four five six")
    'one two three four five'
    """
    words = text.split()
    return " ".join(words[: -(-KEPT_PERCENT * len(words) // 100)])
