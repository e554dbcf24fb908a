"""Options of ``textsimp report`` for people's ratings."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.cli.data_arguments import tables_in
from textsimp.cli.options import documented_options
from textsimp.support.errors import InputError


@click.command
@documented_options(
    "textsimp.extensions.people.judgements.reading:read",
    answers="--ratings FILE...",
    scheme="--scheme NAME|FILE",
    criteria="--rating COLUMN",
)
def report_options(
    answers: Sequence[str | Path] = (),
    scheme: str | Path | None = None,
    criteria: Sequence[str] | None = None,
) -> Any:
    """Read people's ratings, which a report shows beside the scores.

    Args:
        answers: Files of people's ratings or comparisons, as `textsimp ratings` reads them; a
            folder stands for its .jsonl files. They are matched by source and text.
    """
    if answers:
        from textsimp.extensions.people import read

        return read(tables_in(answers), scheme, criteria=criteria)
    if scheme or criteria:
        raise InputError("--scheme and --rating are of files of ratings: give --ratings")
    return None
