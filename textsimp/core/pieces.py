"""Files of statistics as they are read, each a piece of a corpus that was scored apart."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.draws import Ints
from textsimp.core.examples import CorpusInfo
from textsimp.support.errors import InputError, shown
from textsimp.support.version import __version__

KEY = b"textsimp"
ROW = "row"


@dataclass(frozen=True)
class Piece:
    """A file of statistics."""

    name: str  # its path
    metrics: Mapping[str, Any]  # metadata
    digests: Mapping[str, int]
    runs: Mapping[str, Sequence[str]]  # system → its runs, if it has several
    numbers: Ints  # (n,) the examples' numbers, ascending

    @classmethod
    def of(cls, path: str | Path) -> Piece:
        """Read the metadata of a file, which must be of this version, and its examples' numbers."""
        if not isinstance(path, (str, Path)):
            raise InputError(f"expected the path of a file of statistics, got {shown(path)}")
        name = str(path)
        with open_parquet(name) as file:
            metadata = (file.metadata.metadata or {}).get(KEY)
        if metadata is None:
            expected = "expected a file of statistics, as --save-statistics writes it"
            raise InputError(f"{name}: {expected}")
        about = json.loads(metadata)
        if about["version"] != __version__:
            raise InputError(
                f"{name}: statistics of textsimp {about['version']}, which {__version__} can't "
                "read: score anew with one version"
            )
        runs = about.get("runs", {})
        piece = cls(name, about["metrics"], about["digests"], runs, np.empty(0, np.int64))
        return replace(piece, numbers=piece.read([ROW])[:, 0])

    def read(self, titles: Sequence[str]) -> Any:
        """Return (n, k) numbers of k columns."""
        with open_parquet(self.name) as file:
            table = file.read([*titles])
        return np.column_stack([table[title].to_numpy() for title in titles])

    def facts(self, label: str) -> CorpusInfo:
        """The facts of a metric's examples; JSON has no tuples."""
        facts = self.metrics[label]["facts"]
        counts = facts["references"] and tuple(facts["references"])
        return CorpusInfo(**facts | {"shared": tuple(facts["shared"]), "references": counts})


@contextlib.contextmanager
def open_parquet(path: str) -> Iterator[Any]:
    """Open a parquet file, whose errors are turned into `InputError`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            yield file
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (pa.ArrowException, OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise InputError(f"{path}: not a parquet file: {str(error).splitlines()[0]}") from None
