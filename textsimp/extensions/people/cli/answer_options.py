"""Options of all commands that read people's answers."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from textsimp.cli.options import documented_options
from textsimp.support.errors import InputError

READING = "textsimp.extensions.people.judgements.reading:read"


answer_options = partial(
    documented_options, READING, scheme="--scheme NAME|FILE", criteria="--rating COLUMN"
)
"""Gives a command ``--scheme``, ``--rating`` and ``--plan``, for `people.read`, and others."""


@click.command
@answer_options(answers="--ratings FILE...")
def report_options(
    answers: Sequence[str | Path] = (),
    scheme: str | Path | None = None,
    criteria: Sequence[str] | None = None,
    plan: str | Path | None = None,
) -> Any:
    """Read people's ratings, which a report shows beside the scores.

    Args:
        answers: Files of people's ratings or comparisons, as `textsimp ratings` reads them, or
            folders of them. They are matched by source and text.
    """
    if answers:
        from textsimp.extensions.people import read

        return read(answers, scheme, criteria=criteria, plan=plan)
    if scheme or criteria or plan:
        raise InputError("--scheme, --rating and --plan are of ratings: give --ratings")
    return None
