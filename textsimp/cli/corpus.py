"""The subsets that a command is given, and the files that it writes of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textsimp.cli.spool import Spool
from textsimp.cli.subsets import (
    Subset,
    Windows,
    Writers,
    check_alike,
    list_writers,
    paths,
    read_subset,
    subset_of,
    writers,
)
from textsimp.corpora.datasets import load_splits, quiet_datasets
from textsimp.corpora.files import STDIN, note
from textsimp.corpora.tables import FILES
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

Corpus = dict[str, Subset]

_USUAL = ("train", "validation", "valid", "val", "dev", "test")  # names of subsets


def read(
    arguments: Sequence[str], data: str | None, config: str | None, named: bool = True
) -> Corpus:
    """Open the subsets, by name.

    Args:
        arguments: Subsets as the user gave them, or none.
        data: Instead of them, one of them or a dataset.
        config: Configuration of the dataset.
        named: Whether files must have the names of subsets.

    Raises:
        InputError: Both or none, two of a name, or files that can't be read.
    """
    quiet_datasets()
    if bool(arguments) == (data is not None):
        raise InputError("expected subsets, or one file or dataset after -d")
    if config is not None and data is None:
        raise InputError("--config is of a dataset: give -d DATASET")
    given = arguments if data is None else [data]
    if sum(_parse(argument)[1].count(STDIN) for argument in given) > 1:
        raise InputError("standard input can be read only once: give '-' once")
    corpus: Corpus = {}
    for argument in given:
        for name, subset in _subsets(argument, config, hub=data is not None).items():
            if named and (name == STDIN or not re.fullmatch(r"[\w-]+", name)):
                raise InputError(f"{argument}: expected a name for the subset, as in NAME=FILE")
            if name in corpus:
                raise InputError(f"two subsets are called {name!r}: name them, as in NAME=FILE")
            corpus[name] = subset
    return corpus


@dataclass(frozen=True)
class Output:
    """The files to be written.

    Attributes:
        corpus: Whose rows they have.
        folder: Where.
        names: Of the subsets.
        lists: Names of lists of rows with further columns.
        force: Whether to overwrite files.
    """

    corpus: Corpus
    folder: str
    names: Iterable[str]
    lists: Sequence[str]
    force: bool

    def check(self) -> None:
        """Check what can be checked before the work.

        Raises:
            InputError: Subsets of several formats, a file that is there already, or a subset that
                is called like a list.
        """
        for name in self.lists:
            if name in self.corpus:
                raise InputError(
                    f"{name!r} is the name of a list that is written: call this subset otherwise"
                )
        check_alike(self._subsets)
        check_new(chain.from_iterable(self._paths.values()), overwrite=self.force)

    def write(
        self,
        spool: Spool,
        subsets: Mapping[str, Rows],
        lists: Mapping[str, tuple[Rows, Mapping[str, Any]]],
    ) -> dict[str, list[str]]:
        """Write rows, all files or none.

        Args:
            spool: All rows.
            subsets: The rows of each subset, numbered over all that were given.
            lists: The rows of each list, and its further columns as Arrow arrays.

        Returns:
            The names of the files.
        """
        from tqdm import tqdm  # type: ignore[import-untyped]

        total = sum(map(len, subsets.values())) + sum(len(rows) for rows, _ in lists.values())
        with tqdm(desc="Writing", total=total, unit_scale=True, disable=None, leave=False) as bar:

            def windows(rows: Rows) -> Windows:
                def of(names: list[str]) -> Iterator[Any]:
                    for table in spool.windows(rows, names):
                        yield table
                        bar.update(len(table) * len(names) / len(spool.schema.names))

                return of

            files: Writers = {}
            for name, rows in subsets.items():
                files |= writers(Path(self.folder, name), self._subsets, windows(rows))
            for name in self.lists:
                rows, further = lists[name]
                stem = Path(self.folder, name)
                files |= list_writers(stem, self._subsets, windows(rows), further)
            write_files(files, overwrite=self.force)
        known = chain(*(paths(Path(self.folder, name), self._subsets) for name in _USUAL))
        old = [path.name for path in known if path not in files and path.exists()]
        if old:
            note(f"{self.folder}: left from before, not part of this split: {', '.join(old)}")
        return {name: list(map(str, found)) for name, found in self._paths.items()}

    @property
    def _subsets(self) -> list[Subset]:
        return list(self.corpus.values())

    @property
    def _paths(self) -> dict[str, list[Path]]:
        return {
            name: paths(Path(self.folder, name), self._subsets, listed=name in self.lists)
            for name in (*self.names, *self.lists)
        }


def _parse(argument: str) -> tuple[str, list[str]]:
    """NAME=FILE, NAME=SOURCE,TARGET, or these without a name."""
    name, equals, rest = argument.partition("=")
    # os.path: what is too long for one name may be two
    if not equals or not name or os.path.exists(argument):
        name, rest = "", argument
    return name, [rest] if rest == STDIN or os.path.exists(rest) else rest.split(",")


def _subsets(argument: str, config: str | None, hub: bool) -> dict[str, Subset]:
    """What an argument names: one subset, or all splits of a dataset.

    Args:
        argument: What the user gave.
        config: Configuration of the dataset.
        hub: Whether it is a dataset on the Hub, if there is no such file.
    """
    name, files = _parse(argument)
    path = Path(files[0])
    known = files[0] == STDIN or path.exists() or path.suffix.lower() in FILES
    if len(files) > 1 or not (path.is_dir() or (hub and not known)):
        if config is not None:
            raise InputError(f"{argument} is a file: --config is of a dataset")
        usual = re.sub(r"-\d+-of-\d+$", "", path.name.split(".")[0])
        return {name or usual: read_subset(files)}
    splits = load_splits(files[0], config)
    if not isinstance(splits, dict):
        return {name or path.name: subset_of(splits, files[0])}
    if name and len(splits) > 1:
        raise InputError(f"{argument}: leave out the name, it has {', '.join(splits)}")
    return {
        name or part: subset_of(dataset, f"{files[0]}, split {part}")
        for part, dataset in splits.items()
    }
