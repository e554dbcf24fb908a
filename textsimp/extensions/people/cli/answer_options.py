"""Options of all commands that read people's answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.cli.options import combined_options, documented_options
from textsimp.support.arguments import documented_arguments, read_docstring
from textsimp.support.errors import InputError

READING = "textsimp.extensions.people.judgements.reading:read"


def _combine(
    scheme: str | Path | None = None,
    criteria: Sequence[str] | None = None,
    plan: str | Path | None = None,
) -> dict[str, Any]:
    return {"scheme": scheme, "criteria": criteria, "plan": plan}


answer_options = combined_options(
    "reading",
    [*documented_arguments(_combine, read_docstring(READING)).values()],
    {"scheme": "--scheme NAME|FILE", "criteria": "--rating COLUMN"},
    _combine,
)
"""Gives a command ``--scheme``, ``--rating`` and ``--plan``; it gets ``reading``, for `read`."""


@click.command
@documented_options(answers="--ratings FILE...")
@answer_options
def report_options(reading: dict[str, Any], answers: Sequence[str | Path] = ()) -> Any:
    """Read people's ratings, which a report shows beside the scores.

    Args:
        answers: Files of people's ratings or comparisons, as `textsimp ratings` reads them, or
            folders of them. They are matched by source and text.
    """
    if answers:
        from textsimp.extensions.people import read

        return read(answers, **reading)
    if any(reading.values()):
        raise InputError("--scheme, --rating and --plan are of ratings: give --ratings")
    return None
