"""What a command has to know of a corpus: read in pieces, of which as little as can be is kept."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.cli.spool import Spool
from textsimp.cli.subsets import DELIMITERS, Subset
from textsimp.core import columns
from textsimp.core.columns import Seen
from textsimp.corpora.tables import json_lists, note_lists
from textsimp.splits.pairs import Pairs, concatenate, count_operations
from textsimp.splits.subsets import digests, group_numbers, is_text
from textsimp.support.errors import InputError, nearest
from textsimp.text.alignment import EditPath

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict
    from numpy.typing import NDArray

ROW = "textsimp_row"  # a row's number over all subsets, in the order in which they were given
PAIR = "textsimp_pair"  # of equal pairs the same text


@dataclass(frozen=True)
class Needed:
    """What is to be known of the rows.

    Attributes:
        texts: Columns of texts, or of lists of texts.
        values: Columns of anything; in CSV they are numbers if all of their cells are.
        equal: Columns of which only is needed which rows are equal.
        pair: The columns of sources and targets.
        kept: What is kept of the edit operations (pairs, 4) of some pairs; None: not counted.
        edits: Which edits are counted.
        equal_pairs: Whether it is needed which pairs are equal.
    """

    texts: Sequence[str] = ()
    values: Sequence[str] = ()
    equal: Sequence[str] = ()
    pair: tuple[str, str] = ("source", "target")
    kept: Callable[[NDArray[np.int64]], NDArray[Any]] | None = None
    edits: EditPath = "paper"
    equal_pairs: bool = False

    @property
    def raw(self) -> list[str]:
        """Columns that are kept as they are."""
        return list(dict.fromkeys([*self.texts, *self.values]))

    @property
    def compared(self) -> tuple[str, ...]:
        """The pair, if it is needed."""
        return self.pair if self.kept or self.equal_pairs else ()


@dataclass(frozen=True)
class Known:
    """What is known of a corpus.

    Attributes:
        data: Columns as they are; of those of which only is needed which rows are equal, a text
            that stands for each; `PAIR`, the same of pairs; and `ROW`.
        counted: What was kept of the edit operations.
    """

    data: DatasetDict
    counted: dict[str, Pairs]

    def with_counts(self, names: Sequence[str]) -> Known:
        """With what was kept of the operations of each row as columns, a mean of one, else sums."""
        data = {}
        for name, part in self.data.items():
            rows = self.counted[name].sums()
            if rows.ndim == 1:
                rows = (rows / self.counted[name].sizes)[:, None]
            columns = map(np.ascontiguousarray, rows.T)
            data[name] = _beside(part, dict(zip(names, columns, strict=True)))
        return Known(type(self.data)(data), {})


def know(corpus: Mapping[str, Subset], needed: Needed, spool: Spool | None = None) -> Known:
    """Read a corpus.

    Args:
        corpus: Its subsets.
        needed: What is to be known.
        spool: Where its rows are put, in order.

    Raises:
        InputError: A column is missing, or isn't what is expected.
    """
    from datasets import DatasetDict
    from tqdm import tqdm  # type: ignore[import-untyped]

    for subset in corpus.values():
        _check_columns(subset, [*needed.raw, *needed.equal, *needed.compared])
    total = sum(subset.size for subset in corpus.values())
    parts: dict[str, _Part] = {}
    with tqdm(desc="Reading", total=total, unit_scale=True, disable=None, leave=False) as bar:
        before = 0

        def tell(done: int) -> None:
            bar.update(before + done - bar.n)

        for name, subset in corpus.items():
            start = len(spool) if spool else 0
            part = _Part(subset, needed)
            while not part.read(spool, tell):
                part = _Part(subset, needed, part.plain)
                if spool:
                    spool.forget(start)
            if not part.rows:
                raise InputError(f"{subset.where} has no rows")
            parts[name] = part
            before += subset.size
    for name in {**dict.fromkeys(needed.compared), **dict.fromkeys(needed.equal)}:
        _check_kinds([part.columns[name] for part in parts.values()])
    for key in {key for part in parts.values() for key in part.digests}:
        _number([part for part in parts.values() if key in part.digests], key)
    data = {}
    start = 0
    for name, part in parts.items():
        data[name] = part.dataset(start)
        start += part.rows
    counted = {name: concatenate(part.counted) for name, part in parts.items() if part.counted}
    return Known(DatasetDict(data), counted)


def _check_columns(subset: Subset, names: Sequence[str]) -> None:
    for name in names:
        if name not in subset.names:
            raise InputError(
                f"{subset.where} has no column {name!r}{nearest(name, subset.names)}; its "
                f"columns are {', '.join(map(repr, subset.names))}"
            )


def _check_kinds(given: Sequence[_Column]) -> None:
    """Check that texts are lists of texts in all subsets, or in none."""
    texts, lists = ([column.where for column in given if column.kind is k] for k in (str, list))
    if texts and lists:
        raise InputError(f"{lists[0]} has lists of texts, but {texts[0]} has texts")


def _beside(dataset: Dataset | None, more: Mapping[str, NDArray[Any]]) -> Dataset:
    """A dataset with further columns, which aren't hashed: that takes their memory twice."""
    import pyarrow as pa
    from datasets import Dataset, concatenate_datasets

    added = Dataset(pa.table(dict(more)), fingerprint=uuid.uuid4().hex[:16])
    return added if dataset is None else concatenate_datasets([dataset, added], axis=1)


def _number(parts: Sequence[_Part], key: str) -> None:
    """Put numbers in the place of digests, the same for equal ones."""
    import pyarrow as pa

    found = np.concatenate([digest for part in parts for digest in part.digests.pop(key)])
    numbers = group_numbers(found)
    start = 0
    for part in parts:
        some = pa.chunked_array([numbers[start : start + part.rows]])
        part.arrays[key] = some.cast(pa.string()).chunks
        start += part.rows


class _Other(Exception):
    """A column isn't what its first rows were, lists or numbers."""


@dataclass
class _Column:
    """A column that is read in pieces.

    Attributes:
        where: What messages call it.
        text: Whether it is of texts or of lists of texts, as a rule.
        number: Whether texts are numbers if all are.
        only: What its rows must be: `str`, or `list` of texts, or one of both.
        special: Whether texts are read as lists or as numbers; not known before the first rows.
        kind: What its first row is: `str`, `list` of texts, or `object`.
        seen: What was seen of it.
        sizes: The least and the most texts of its lists.
        missing: Its first row without a number.
    """

    where: str
    text: bool = False
    number: bool = False
    only: tuple[type, ...] = ()
    special: bool | None = None
    kind: type | None = None
    seen: Seen = field(default_factory=Seen)
    sizes: list[int] = field(default_factory=list)
    missing: int | None = None
    types: set[str] = field(default_factory=set)

    def read(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Some rows, checked.

        Raises:
            InputError: They can't be read.
            _Other: They aren't lists or numbers, as all rows before are.
        """
        if self.special is not False and (self.text or self.number):
            found = self._lists(rows) if self.text else self._numbers(rows)
            if found is None and self.special:
                raise _Other
            self.special = found is not None
            rows = rows if found is None else found
        if self.kind is None:
            first = rows[0]
            listed = isinstance(first, list)
            if self.only:
                self.kind = list if listed and list in self.only else str
            elif isinstance(first, str):
                self.kind = str
            else:
                self.kind = list if listed and first and isinstance(first[0], str) else object
        if self.kind is str:
            return columns.texts(rows, self.where, self.seen)
        if self.kind is list:
            return columns.references(rows, self.where, self.seen)
        self.seen.rows += len(rows)
        return rows

    def array(self, rows: Sequence[Any]) -> Any:
        """Rows as an Arrow array."""
        import pyarrow as pa

        self.types |= {type(value).__name__ for value in rows}
        try:
            return pa.array(rows)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            raise self.mixed() from None

    def mixed(self) -> InputError:
        kinds = ", ".join(sorted(self.types))
        return InputError(f"{self.where}: expected one kind of values, got {kinds}")

    def finish(self) -> None:
        """Check what can be known when all rows were read."""
        if self.special and self.missing is not None:
            raise InputError(
                f"row {self.missing} of {self.where} (counted from 0): expected a number, got none"
            )
        if self.sizes:
            note_lists(self.sizes, self.where)
        self.seen.check_not_lists(self.where)

    def _lists(self, rows: Sequence[Any]) -> list[list[str]] | None:
        lists = json_lists(rows)
        if lists:
            sizes = [*self.sizes, *map(len, lists)]
            self.sizes = [min(sizes), max(sizes)]
        return lists

    def _numbers(self, rows: Sequence[Any]) -> list[float | None] | None:
        try:
            numbers = [float(cell) if cell else None for cell in rows]
        except ValueError:
            return None
        if None in numbers and self.missing is None:
            self.missing = self.seen.rows + numbers.index(None)
        return numbers


class _Part:
    """What is known of a subset.

    Attributes:
        plain: Columns whose texts aren't lists or numbers.
        rows: How many there are.
        arrays: Columns as Arrow arrays.
        digests: Digests of a column's rows, or of pairs.
        counted: What was kept of the edit operations.
        columns: What is known of each column.
    """

    def __init__(self, subset: Subset, needed: Needed, plain: Sequence[str] = ()) -> None:
        self.plain = list(plain)
        self.rows = 0
        self.arrays: dict[str, list[Any]] = {}
        self.digests: dict[str, list[NDArray[np.uint64]]] = {}
        self.counted: list[Pairs] = []
        self._subset = subset
        self._needed = needed
        self.columns: dict[str, _Column] = {}
        for name in dict.fromkeys([*needed.compared, *needed.raw, *needed.equal]):
            number = name in needed.values and subset.format in DELIMITERS
            self.columns[name] = _Column(
                f"column {name!r} of {subset.where}",
                text=name not in needed.values,
                number=number,
                only={needed.pair[1]: (str, list), needed.pair[0]: (str,)}[name]
                if name in needed.compared
                else (),
                special=False if name in plain or subset.format == "parquet" else None,
            )

    def read(self, spool: Spool | None, tell: Callable[[int], object]) -> bool:
        """Read all pieces; False if they are to be read again, with more `plain` columns."""
        for piece in self._subset.pieces():
            if not len(piece.rows):  # of an empty file
                continue
            if spool is not None:
                spool.add(piece.rows)
            try:
                self._add({name: piece.column(name) for name in self.columns})
            except _Other as other:
                self.plain.append(str(other))
                return False
            self.rows += len(piece.rows)
            tell(piece.done)
        tell(self._subset.size)
        for column in self.columns.values():
            column.finish()
        return True

    def dataset(self, start: int) -> Dataset:
        """Columns, and the numbers of rows from `start`."""
        import pyarrow as pa
        from datasets import Dataset

        numbers = {ROW: np.arange(start, start + self.rows)}
        of_columns = {name: self._joined(name, arrays) for name, arrays in self.arrays.items()}
        if not of_columns:
            return _beside(None, numbers)
        table = pa.table(of_columns)
        if self._subset.format == "parquet":  # with the features of datasets
            table = table.replace_schema_metadata(self._subset.schema.metadata)
        return _beside(Dataset(table, fingerprint=uuid.uuid4().hex[:16]), numbers)

    def _add(self, given: Mapping[str, Any]) -> None:
        """What is needed of some rows."""
        needed = self._needed
        read = {}
        for name, column in self.columns.items():
            rows = given[name]
            arrow = self._subset.format == "parquet"
            if arrow and (name in needed.compared or (name in needed.equal and is_text(rows.type))):
                rows = rows.to_pylist()
            if not arrow or name in needed.compared:
                try:
                    rows = column.read(rows)
                except _Other:
                    raise _Other(name) from None
            if name in needed.equal and isinstance(rows, list) and column.kind in (None, str, list):
                self.digests.setdefault(name, []).append(digests(rows))
            elif name in needed.raw or name in needed.equal:
                chunks = given[name].chunks if arrow else [column.array(rows)]
                self.arrays.setdefault(name, []).extend(chunks)
            read[name] = rows
        if needed.compared:
            sources, targets = (read[name] for name in needed.pair)
            if needed.equal_pairs:
                self.digests.setdefault(PAIR, []).append(digests(sources, targets))
            if needed.kept:
                source, target = needed.pair
                pairs = count_operations(
                    {source: sources, target: targets}, source, target, needed.edits, checked=True
                )
                self.counted.append(Pairs(needed.kept(pairs.values), pairs.sizes))

    def _joined(self, name: str, arrays: Sequence[Any]) -> Any:
        import pyarrow as pa

        try:
            return pa.concat_tables(
                [pa.table({name: array}) for array in arrays], promote_options="permissive"
            )[name]
        except pa.ArrowException:
            raise self.columns[name].mixed() from None
