"""Arguments of commands that read the subsets of a dataset, such as ``train.jsonl test.jsonl``."""

from collections.abc import Sequence

import click

from textsimp.support.errors import InputError

SUBSET_PARAMETERS: list[click.Parameter] = [
    click.Argument(["subsets"], nargs=-1, metavar="[SUBSET]..."),
    click.Option(
        ["-d", "--data"],
        metavar="FILE|DATASET",
        help="Instead of subsets: one of them, or a dataset, also by its name on the Hugging Face "
        "Hub.",
    ),
    click.Option(["--config"], metavar="NAME", help="Configuration of the dataset."),
]


def choose_subsets(subsets: Sequence[str], data: str | None) -> Sequence[str] | str:
    """Return the subsets, or what -d names."""
    if bool(subsets) == (data is not None):
        raise InputError("expected subsets, or one file or dataset after -d")
    return subsets if data is None else data
