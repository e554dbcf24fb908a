"""Files of systems with several runs, as in ``-p ours=seed1.txt -p ours=seed2.txt``."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from textsimp.cli.data_arguments import Files, read_data

if TYPE_CHECKING:
    from textsimp.core.examples import Examples
    from textsimp.corpora.reading import Readers, System


def read_runs(readers: Readers, files: Files) -> Examples:
    """Read examples as `read_data` does, where systems may have several runs."""
    named, runs = name_runs(files)
    return replace(read_data(readers, named), runs=runs)


def name_runs(files: Files) -> tuple[Files, dict[str, list[str]]]:
    """Return the files with a name for each run, and system → the names of its runs.

    Several files of one NAME are its runs, as are the files of a folder.
    """
    from textsimp.core.run_sample import run_names
    from textsimp.corpora.reading import parse_system, systems_in
    from textsimp.scoring.systems import check_run_names

    systems: list[System] = []
    for place in map(parse_system, map(str, files.predictions)):
        inside = systems_in(place._replace(name="")) if place.name else [place]
        systems += [system._replace(name=place.name) for system in inside]
    names = [system.name for system in systems if system.name]
    runs = {n: run_names(n, names.count(n)) for n in names if names.count(n) > 1}
    check_run_names(chain(*runs.values()), names)
    left = {name: iter(several) for name, several in runs.items()}
    arguments = []
    for system in systems:
        name = next(left[system.name]) if system.name in left else system.name
        arguments.append(f"{name}={system.file}" if name else str(system.file))
    return replace(files, predictions=arguments), runs
