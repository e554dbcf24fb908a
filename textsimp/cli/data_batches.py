"""Read the data of commands in batches, of which one is in memory at a time."""

from collections.abc import Iterator
from itertools import chain

from textsimp.cli.data_arguments import Files, advise, check_options, parse_names, parse_systems
from textsimp.corpora import shards
from textsimp.corpora.reading import Readers
from textsimp.corpora.shards import Batch
from textsimp.support.errors import InputError

_OF_WHOLE_TABLES = ("test_set", "system_column", "ids", "missing")


def read_batches(readers: Readers, files: Files) -> Iterator[Batch]:
    """Read the examples that the options of `data_options` name, with ``-d`` for shards."""
    for name in _OF_WHOLE_TABLES:
        if getattr(files, name):
            option = {"ids": "id"}.get(name, name).replace("_", "-")
            raise InputError(
                f"--{option}: shards ({files.data}) are read in the order of their rows, and not "
                f"joined: leave it out, or put the rows into one file"
            )
    names = parse_names(
        files.columns, sources=files.source_column, references=files.reference_column
    )
    systems = parse_systems([*map(str, files.predictions)], files.prediction_column)
    check_options(files, names, systems)
    try:
        yield from shards.read_batches(
            readers,
            data=files.data,
            sources=files.sources,
            references=files.references,
            systems=systems,
            names=names,
            size=shards.BATCH,
        )
    except InputError as error:
        raise advise(error, [*chain.from_iterable(readers.values())]) from None
