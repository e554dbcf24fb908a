"""Systems as they are scored: their names and runs, what every system should beat, references."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from textsimp.core import examples as columns
from textsimp.core.columns import as_stream, is_sequence
from textsimp.core.declarations import PREDICTIONS, REFERENCES
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric, Statistics, group
from textsimp.core.run_sample import run_names
from textsimp.core.sample import Sample
from textsimp.core.scores import Value
from textsimp.support.errors import InputError, check_choice

__all__ = ["BASELINES", "truncate"]

UNCHANGED, TRUNCATED = "source unchanged", "source truncated"
BASELINES = {"copy": UNCHANGED, "truncation": TRUNCATED}
"""Short names by which a baseline is asked for."""

ALL_BASELINES = (*BASELINES, *BASELINES.values())
"""All names of baselines, by which statistics of texts that aren't there have them."""

KEPT_PERCENT = 80  # of a source's words, by the truncation baseline

MOST = 4  # baselines, each with a mark in tables

Baseline = str | Sequence[str] | None
"""One or more systems that the others are tested against; None is the best."""

Runs = Mapping[str, Sequence[str]]
"""System → the names of its runs, which are scored like systems; of one run none."""


def check_examples(
    metrics: Collection[Metric],
    systems: Any,
    shared: Mapping[str, Any],
    runs: Runs = MappingProxyType({}),
    at_least: int = 1,
) -> Examples:
    """Check systems, and the columns that they share; of `Examples` only that none is missing.

    ``runs`` is what `split_runs` returned.
    """
    if isinstance(systems, Examples):
        check_systems(group(systems.systems, runs), at_least)
        for name, rows in shared.items():
            if rows is not None:
                raise InputError(f"{name}: expected none beside examples, which have all columns")
        columns.check_complete(metrics, systems.shared, systems.systems)
        columns.warn(metrics, systems)
        return systems
    if isinstance(systems, (list, tuple)) and all(isinstance(text, str) for text in systems):
        systems = {PREDICTIONS.name: systems}
    check_systems(group(systems, runs) if runs else systems, at_least)
    return replace(columns.check(metrics, systems, shared), runs=runs)


def check_systems(systems: Any, at_least: int = 1) -> None:
    """Check the names of systems."""
    if not isinstance(systems, Mapping):
        kind = as_stream(systems) or type(systems).__name__
        raise InputError(f"systems: expected a mapping from names to predictions, got {kind}")
    for name in systems:
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"systems: expected names, got {name!r}")
    if len(systems) < at_least:
        expected, got = ("one", "two")[at_least - 1], len(systems) or "none"
        raise InputError(f"systems: expected at least {expected}, got {got}")


def check_alike(measured: Mapping[str, Statistics]) -> None:
    """Check that all metrics have the same systems and rows, so that one table can show them."""
    rows = {
        name: ({*statistics.groups}, statistics.extent.key) for name, statistics in measured.items()
    }
    first = next(iter(rows))
    for other in rows:
        if rows[other] != rows[first]:
            names = f"{first} and {other}"
            raise InputError(f"expected the same systems and rows of all metrics: {names} differ")


def split_runs(systems: Any) -> tuple[Any, Runs]:
    """Return systems with each run as one of them, and the names of runs.

    A system has several runs if it is a list of what a system with one run is.
    """
    if isinstance(systems, Examples):
        return systems, systems.runs
    if not isinstance(systems, Mapping):
        return systems, {}
    single: dict[str, Any] = {}
    runs: dict[str, list[str]] = {}
    for name, system in systems.items():
        several = [*system] if isinstance(system, (list, tuple)) else []
        if several and all(isinstance(run, Mapping) or is_sequence(run) for run in several):
            names = run_names(name, len(several))
            check_run_names(names, systems)
            single |= zip(names, several, strict=True)
            runs[name] = names
        else:
            single[name] = system
    return single, runs


def check_run_names(names: Iterable[str], systems: Sequence[str] | Mapping[str, Any]) -> None:
    """Check that no system has the name of a run."""
    for name in names:
        if name in systems:
            raise InputError(f"systems: {name!r} is the name of a run: expected another name")


# Baselines ---------------------------------------------------------------------------------------


def list_baselines(baseline: Any) -> list[Any]:
    """Return the names of baselines, the first one first; [] for the best system.

    >>> list_baselines(None), list_baselines("copy"), list_baselines(["a", "b"])
    ([], ['copy'], ['a', 'b'])
    """
    if baseline is None:
        return []
    names = [*baseline] if isinstance(baseline, (list, tuple)) else [baseline]
    return names or [baseline]  # an empty list is refused, since no system is called so


def asked_baselines(names: Iterable[Any], systems: Collection[str]) -> list[str]:
    """Return which baselines are asked for by a name of `BASELINES` that no system has."""
    texts = [name for name in names if isinstance(name, str)]
    return [name for name in texts if name in BASELINES and name not in systems]


def check_baselines(
    names: Sequence[Any], systems: Collection[str], argument: str = "baseline"
) -> None:
    """Check the names of baselines, which messages call ``argument``."""
    for name in names:
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


def add_baselines(
    examples: Examples, asked: Collection[str] = (), *, show: bool = True, required: bool = True
) -> tuple[Examples, list[str], list[str]]:
    """Return examples with the sources, unchanged and truncated, as systems; and these names.

    Those that are ``asked`` for by their short names have these names. The last list has the names
    of those whose rows `score_baselines` drops: if a system has the same outputs, or all of them.
    Without sources, or if systems have other columns than predictions, there are no baselines,
    which is an error if they are ``required``.
    """
    reason = ""
    if examples.sources is None:
        reason = "baselines: expected sources, which they are made of, got none"
    elif any({*columns} != {PREDICTIONS.name} for columns in examples.systems.values()):
        reason = "baselines: expected no columns of systems but predictions"
    if reason and required:
        raise InputError(reason)
    if examples.sources is None or reason:
        return examples, [], []
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
    return replace(examples, systems={**examples.systems, **added}), shown, hidden


def score_baselines(
    measured: Statistics, baselines: Collection[str], *, keep: bool = False
) -> Statistics:
    """Return statistics with the main scores of baselines; ``keep`` their rows, too.

    Names that no system has are ignored.
    """
    main = measured.metric.scores[0]
    hidden: dict[str, float] = {}
    for name in () if main.many else baselines:
        if name in measured.systems:
            alone = replace(measured, systems={name: measured.systems[name]}, runs={})
            hidden[name] = float(alone.samples()[name].value()[main.key])
    systems = {
        name: rows for name, rows in measured.systems.items() if keep or name not in baselines
    }
    return replace(measured, systems=systems, hidden=hidden)


def truncate(text: str) -> str:
    """The first 80 % of a text's words, rounded up.

    >>> truncate("one two three four five six")
    'one two three four five'
    """
    words = text.split()
    return " ".join(words[: -(-KEPT_PERCENT * len(words) // 100)])


# References --------------------------------------------------------------------------------------


def leave_out(metric: Metric, examples: Examples) -> Sample | None:
    """Return the sample of references: the mean score of each against the others.

    Each example must have as many as two.
    """
    lists = examples.references or [[]]
    rounds, parts = min(map(len, lists)), list[Floats]()
    if rounds < 2:
        return None
    for i in range(rounds):
        others = {"references": [row[:i] + row[i + 1 :] for row in lists]}
        texts = {"references": {PREDICTIONS.name: [row[i] for row in lists]}}
        one = Examples({**examples.shared, **others}, texts)
        parts += metric.compute_statistics(one).values()

    def reduce(totals: Floats) -> dict[str, Floats]:
        each = [metric.reduce(own) for own in np.split(totals, rounds, axis=-1)]
        return {name: np.mean([one[name] for one in each], axis=0) for name in each[0]}

    return Sample(np.hstack(parts), reduce)


def score_references(metric: Metric, examples: Examples, **sampling: Any) -> dict[str, Value]:
    """Return score → mean of the references, with its interval; nothing of single references."""
    sample = leave_out(metric, examples)
    if sample is None:
        return {}
    bounds = sample.interval(**sampling)
    values = {n: float(metric.fill(x)) for n, x in sample.value().items() if not x.ndim}
    return {name: Value(value, bounds[name] or [value] * 2) for name, value in values.items()}
