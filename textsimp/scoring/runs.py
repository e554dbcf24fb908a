"""Several runs of one system, such as of several seeds."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from textsimp.core.metric import run_names
from textsimp.support.errors import InputError

Runs = dict[str, list[str]]
"""System → the names of its runs, which are scored like systems; of one run none."""


def split(systems: Any) -> tuple[Any, Runs]:
    """Return systems with each run as one of them, and the names of runs.

    A system has several runs if it is a list of what a system with one run is.
    """
    if not isinstance(systems, Mapping):
        return systems, {}
    single: dict[str, Any] = {}
    runs: Runs = {}
    for name, system in systems.items():
        several = [*system] if isinstance(system, (list, tuple)) else []
        if several and all(isinstance(run, (list, tuple, Mapping)) for run in several):
            names = run_names(name, len(several))
            check(names, systems)
            single |= zip(names, several, strict=True)
            runs[name] = names
        else:
            single[name] = system
    return single, runs


def check(names: Iterable[str], systems: Sequence[str] | Mapping[str, Any]) -> None:
    """Check that no system has the name of a run."""
    for name in names:
        if name in systems:
            raise InputError(f"systems: {name!r} is the name of a run: expected another name")
