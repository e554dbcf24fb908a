"""Read the data of commands in batches, of which one is in memory at a time."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from textsimp.cli.data_arguments import Files, advise, check_options, parse_names, parse_systems
from textsimp.corpora import shards, text_files
from textsimp.corpora.reading import Readers, references_in
from textsimp.corpora.shards import Batch
from textsimp.support.errors import InputError
from textsimp.support.progress import note

_OF_WHOLE_TABLES = ("test_set", "system_column", "ids", "missing")


def read_batches(readers: Readers, files: Files) -> Iterator[Batch]:
    """Read the examples that the options of `data_options` name, which stand for shards."""
    for name in _OF_WHOLE_TABLES:
        if getattr(files, name):
            option = {"ids": "id"}.get(name, name).replace("_", "-")
            raise InputError(
                f"--{option}: shards ({files.shards}) are read in the order of their rows, and not "
                f"joined: leave it out, or put the rows into one file"
            )
    names = parse_names(
        files.columns, sources=files.source_column, references=files.reference_column
    )
    systems = parse_systems([*map(str, files.predictions)], files.prediction_column)
    check_options(files, names, systems)
    _note_files([files.sources, *files.references, *(system.file for system in systems)])
    try:
        yield from shards.read_batches(
            readers,
            data=files.data,
            sources=files.sources,
            references=references_in(files.references),
            systems=systems,
            names=names,
            size=shards.BATCH,
        )
    except InputError as error:
        raise advise(error, [*chain.from_iterable(readers.values())]) from None


def _note_files(places: Iterable[str | Path | None]) -> None:
    """Say which files patterns stand for, since one may match more than was meant."""
    names = map(str, filter(None, places))
    for pattern in dict.fromkeys(filter(text_files.is_pattern, names)):
        paths = text_files.shards(pattern)
        files = f"{len(paths):,} files, {paths[0]} to {paths[-1]}" if paths[1:] else paths[0]
        note(f"{pattern}: {files}")
