"""The places of columns: text files, tables, datasets, and the names of columns there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from textsimp.corpora.row_ids import Missing


@dataclass(frozen=True)
class System:
    """The place of a system's predictions; a table may have its other columns, too."""

    file: str | None = None  # or a folder of systems; None for the table of the request
    column: str | None = None  # of predictions; in the table of the request it may be NAME=COLUMN
    name: str = ""  # of the system; by default that of its file or column


@dataclass(frozen=True)
class Request:
    """The places of the columns of examples. ``"-"`` is standard input.

    Systems in files come first. Without any, the data's usual column of predictions is one.
    """

    sources: str | None = None
    references: Sequence[str] = ()  # text files, or folders of them
    test_set: str | None = None  # instead of both
    data_dir: str | None = None  # of the test set
    data: str | None = None  # a table or dataset with all other columns
    config: str | None = None
    split: str | None = None
    systems: Sequence[System] = ()
    system_column: str | None = None  # of a long table, see `_part_systems`; "": none is one
    ids: Sequence[str] | None = None  # columns that join tables; None: "id", if all have it
    missing: Missing | None = None  # what becomes of ids that a system lacks; None: an error
    every: bool = False  # without systems, all further columns of texts of the data are systems
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)  # unusual names in tables
    files: Mapping[str, str] = field(default_factory=dict)  # column → its place for `read_rows`
    advice: Mapping[str, str] = field(default_factory=dict)  # topic → the end of messages

    def advised(self, topic: str) -> str:
        """Return the end of a message."""
        return self.advice.get(topic, "")
