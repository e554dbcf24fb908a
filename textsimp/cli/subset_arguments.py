"""Arguments of commands that read the subsets of a corpus."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import click

from textsimp.support.errors import InputError, NoColumn

PARAMETERS: list[click.Parameter] = [
    click.Argument(["subsets"], nargs=-1, metavar="[SUBSET]..."),
    click.Option(
        ["-d", "--data"],
        metavar="FILE|DATASET",
        help="Instead of subsets: one of them, or a dataset, also by its name on the Hugging Face "
        "Hub.",
    ),
    click.Option(["--config"], metavar="NAME", help="Configuration of the dataset."),
]


def chosen(subsets: Sequence[str], data: str | None) -> Sequence[str] | str:
    """Return the subsets that are given, or what -d names."""
    if bool(subsets) == (data is not None):
        raise InputError("expected subsets, or one file or dataset after -d")
    return subsets if data is None else data


@contextlib.contextmanager
def hints(source: str, *targets: str) -> Iterator[None]:
    """Add the option that chooses a column to the error if it is missing."""
    try:
        yield
    except NoColumn as error:
        option = "-S" if error.name == source else "-T" if error.name in targets else ""
        raise InputError(f"{error}: choose with {option}" if option else str(error)) from None
