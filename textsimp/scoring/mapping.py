"""Statistics by a function that any engine can map over batches of rows."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from textsimp.core import examples, statistics_files
from textsimp.core.columns import check_lengths, is_sequence, plain_list, plain_rows
from textsimp.core.draws import Ints
from textsimp.core.examples import Examples
from textsimp.core.joined_statistics import VALUES, Batches
from textsimp.core.metric import Metric
from textsimp.core.statistics_files import MOST_ROWS, StatisticsFile
from textsimp.metrics import catalogue
from textsimp.metrics.catalogue import Metrics
from textsimp.support.errors import InputError, RowError, shown

Place = str | Sequence[str]
"""A column of a batch, or one for each reference."""


def map_statistics(
    metrics: Metrics,
    *,
    predictions: str | Mapping[str, str | Mapping[str, str]],
    sources: str | None = None,
    references: Place | None = None,
    row: str = "row",
    **columns: str,
) -> StatisticsMap:
    """Return a function that an engine maps over batches, whose results `merge` puts together.

    Scores, intervals and tests of what `merge` returns are those of one run, to the last bit, in
    whatever order batches come. docs/scale.md has lines for ``datasets``, Spark, Dask and Ray.

    Args:
        metrics: One or more metrics, see `score`.
        predictions: The batches' column of predictions. Of several systems, name → their column, or
            name → column → that of the batch, as `score` takes rows.
        sources: The column of sources.
        references: The column of references, of texts or lists, or several columns of texts.
        row: The column of the rows' numbers in the whole corpus, from 0.
        **columns: Columns of others that metrics read, by the metrics' names for them.

    Returns:
        A callable that can be pickled. It takes a batch, a dict of lists, an Arrow table or record
        batch, or a pandas frame. It returns the same with one row, and a column ``statistics`` of
        bytes. An iterator of batches, such as a partition in Spark, becomes one of a single batch.
        A second argument has the rows' numbers, if no column does.

    Example:
        >>> import textsimp
        >>> function = textsimp.map_statistics("bleu", predictions="output", references="simple")
        >>> batches = [
        ...     {"row": [2, 0], "output": ["A cat.", "Cats sat."], "simple": ["A cat.", "A cat."]},
        ...     {"row": [1], "output": ["It rained."], "simple": ["It rained."]},
        ... ]
        >>> merged = textsimp.merge(function(batch)["statistics"][0] for batch in batches)
        >>> merged["bleu"].examples
        3
    """
    _check_place("row", row)
    chosen = catalogue.make_metrics(metrics, "metrics")
    statistics_files.check(chosen, first=1)
    texts = {"sources": sources, "references": references, **columns}
    shared, own = _arrange(chosen, predictions, texts)
    return StatisticsMap(chosen, own, shared, row)


@dataclass(frozen=True)
class StatisticsMap:
    """A function from batches of rows to their statistics, see `map_statistics`."""

    metrics: Mapping[str, Metric]
    systems: Mapping[str, Mapping[str, str]]  # system → column → that of the batch
    columns: Mapping[str, Place]  # column → those of the batch
    row: str

    def __call__(self, batch: Any, numbers: Any = None) -> Any:
        """Return the statistics of a batch, or an iterator over those of an iterator's batches."""
        if isinstance(batch, Iterator):
            return self._map_all(batch)
        statistics = Batches()
        self._add(batch, numbers, statistics)
        return _like(batch, statistics)

    def _map_all(self, batches: Iterator[Any]) -> Iterator[Any]:
        statistics, batch = Batches(), None
        for each in batches:
            batch = each
            self._add(batch, None, statistics)
        if batch is not None:
            yield _like(batch, statistics)

    def _add(self, batch: Any, numbers: Any, statistics: Batches) -> None:
        """Add the statistics of a batch; nothing of an empty one."""
        if not isinstance(batch, Mapping) and not hasattr(batch, "columns"):
            raise InputError(f"expected a batch of columns, such as a dict, got {shown(batch)}")
        if numbers is None:
            advice = ", nor numbers of its rows: pass with_indices=True to the map of datasets"
            numbers = _read(batch, self.row, advice)
        rows = _check_numbers(self.row, numbers)
        if not len(rows):
            return
        with _numbered(rows):
            texts = self._check(batch, len(rows))
        if (rows[1:] < rows[:-1]).any():
            texts, rows = texts.take(np.argsort(rows).tolist()), np.sort(rows)
        with _numbered(rows):
            measured = {
                label: replace(metric.measure(texts, piece=True), numbers=rows)
                for label, metric in self.metrics.items()
            }
        digests = statistics_files.digests(texts.shared, numbers=rows.tolist())
        statistics.add(StatisticsFile("a batch", measured, digests))

    def _check(self, batch: Any, rows: int) -> Examples:
        """Return the columns of a batch as examples."""
        columns = {name: _read(batch, place) for name, place in self.columns.items()}
        systems = {
            name: {column: _read(batch, place) for column, place in own.items()}
            for name, own in self.systems.items()
        }
        checked = examples.read(self.metrics.values(), systems, columns)
        if len(checked) != rows:
            raise InputError(f"{self.row}: expected {len(checked)} numbers, got {rows}")
        named = {name or "predictions": own for name, own in checked.systems.items()}
        return Examples(checked.shared, named)


def _arrange(
    metrics: Mapping[str, Metric], predictions: Any, texts: Mapping[str, Any]
) -> tuple[dict[str, Place], dict[str, dict[str, str]]]:
    """Return the batches' columns of texts, and of each system, after a check."""
    if not isinstance(predictions, (str, Mapping)) or not predictions:
        raise InputError(
            f"predictions: expected a column, or system → column, got {shown(predictions)}"
        )
    systems = None if isinstance(predictions, str) else predictions
    places = {**texts, "predictions": predictions} if systems is None else texts
    shared, own = examples.arrange(metrics.values(), systems, places)
    for name, place in shared.items():
        _check_place(name, place, several=name != "sources")
    for system, part in own.items():
        for name, place in part.items():
            _check_place(examples.column_label(name, system), place)
    return shared, own


def _check_place(name: str, place: Any, *, several: bool = False) -> None:
    """Check the name of a batch's column, or of several."""
    places = plain_list(place) if several and is_sequence(place) else [place]
    if not places or not all(isinstance(each, str) for each in places):
        raise InputError(f"{name}: expected the name of a column, got {shown(place)}")


@contextlib.contextmanager
def _numbered(rows: Ints) -> Iterator[None]:
    """Say which rows a batch has, and call the row of an error by its number in the corpus."""
    try:
        yield
    except InputError as error:
        if isinstance(error, RowError) and error.row < len(rows):
            error = error.renumber(rows[error.row])
        raise InputError(f"in a batch of rows {rows.min()}-{rows.max()}: {error}") from None


def _read(batch: Any, place: Place, advice: str = "") -> Any:
    """Return a column of a batch, or the lists that several columns make, row by row."""
    if not isinstance(place, str):
        columns = {name: plain_rows(_read(batch, name), name, "a list of texts") for name in place}
        check_lengths(**columns)
        return [*map(list, zip(*columns.values(), strict=True))]
    try:
        return batch[place]
    except KeyError:
        raise InputError(f"a batch has no column {place!r}{advice}") from None


def _check_numbers(name: str, values: Any) -> Ints:
    """Check the numbers of a batch's rows."""
    try:
        numbers = np.array(plain_list(values))
    except (TypeError, ValueError):  # of what isn't a list, or lists of lists
        numbers = np.array(None)
    if numbers.shape == (0,):
        return numbers.astype(np.int64)
    if (
        numbers.ndim != 1
        or numbers.dtype.kind not in "iu"
        or numbers.min() < 0
        or numbers.max() > MOST_ROWS
    ):
        advice = ": pass batched=True to the map of datasets" if isinstance(values, int) else ""
        raise InputError(f"{name}: expected numbers of rows from 0, got {shown(values)}{advice}")
    if len(np.unique(numbers)) < len(numbers):
        raise InputError(f"{name}: expected different numbers, got {shown(values)}")
    return numbers.astype(np.int64)


def _like(batch: Any, statistics: Batches) -> Any:
    """Return statistics as a column of the same kind of table as a batch."""
    values = []
    for file in statistics.files():
        contents = io.BytesIO()
        statistics_files.pack(file)(contents)
        values.append(contents.getvalue())
    if isinstance(batch, Mapping):
        return {VALUES: values}
    if hasattr(batch, "from_pydict"):  # Arrow's
        import pyarrow as pa

        return type(batch).from_pydict({VALUES: values}, pa.schema([(VALUES, pa.binary())]))
    return type(batch)({VALUES: values})
