"""Checks for a metric of your own, in this package or in another one; they don't need pytest.

- `check_metric` tests the laws that every metric obeys, on random columns.
- It says which law is broken, and shows the smallest example of it.
"""

from __future__ import annotations

import contextlib
import copy
import pickle
import random
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from textsimp.core.declarations import Column
from textsimp.core.draws import Floats
from textsimp.core.examples import ScriptWarning
from textsimp.core.metric import MeanMetric, Metric
from textsimp.metrics import notation
from textsimp.support.errors import InputError

__all__ = ["check_metric"]

Columns = Mapping[str, Any]

_ROUNDS = 12
_WORDS = (  # few, so that texts share some, and what code trips over
    *("a", "a", "b", "b", "c", "A", "É", "don't", "The", "cat", "sat", "U.S.", "1,000.5", "d-3"),
    *(".", ". B", ",", "&lt;", "<skipped>", "“", "x\u2028y", "\x00", "\u3000", "\n", "İ", "Σ", "€"),
    *("ΑΣ", "ΑΣ,", "e\u0301", "😀", "1.5", "--", "&amp;lt;", "\u200b", "\x85", ""),
)


def check_metric(metric: Metric, columns: Columns | None = None, *, seed: int = 0) -> None:
    """Test the laws that every metric obeys; `LAWS` has them.

    Args:
        metric: The metric, with its options.
        columns: Column → rows to draw from, the same rows of all these columns. Other columns are
            made up. Structured columns can't be made up.
        seed: Seed of the random columns.

    Raises:
        AssertionError: A law is broken. The message has the law and the smallest example.

    Example:
        >>> from textsimp import Sari
        >>> from textsimp.testing import check_metric
        >>> check_metric(Sari("xu"))
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScriptWarning)
        for law in OPTION_LAWS:
            _test(law, metric)
        source = random.Random(seed)
        for size in range(_ROUNDS):
            drawn = _draw(metric, columns or {}, source, 1 + size % 4, 2 + size)
            for column_law in COLUMN_LAWS:
                _test(column_law, metric, drawn)


def _test(law: Callable[..., None], metric: Metric, *columns: Columns) -> None:
    """Raise an error with the smallest columns that break a law."""
    broken: Exception | None = None
    untried = [columns]
    while untried:
        given = untried.pop(0)
        try:
            law(metric, *given)
        except Exception as error:  # whatever a metric raises
            if given and isinstance(error, InputError):
                if broken is None:
                    raise
                continue  # smaller columns may be illegal
            broken, columns = error, given
            untried = [(smaller,) for one in given for smaller in _smaller(metric, one)]
    if broken is not None:
        what = broken if isinstance(broken, AssertionError) else repr(broken)
        lines = [f"{metric}: {law.__doc__} {what}"]
        for one in columns:
            lines += ["example:", *(f"  {name}: {rows!r}" for name, rows in one.items())]
        raise AssertionError("\n".join(lines)) from broken


def _smaller(metric: Metric, columns: Columns) -> list[Columns]:
    """Return the columns without one of their rows, and without a word or an item of a row."""
    size = len(next(iter(columns.values())))
    found: list[Columns] = [
        {name: [*column[:at], *column[at + 1 :]] for name, column in columns.items()}
        for at in range(size)
        if size > 1
    ]
    for name in (column.name for column in metric.columns if column.kind in ("text", "texts")):
        for at, row in enumerate(columns.get(name, ())):
            for shorter in _shorter(row):
                rows = [*columns[name]]
                rows[at] = shorter
                found.append({**columns, name: rows})
    return found


def _shorter(row: Any) -> list[Any]:
    """Return a text without one of its words, a list without one of its texts."""
    if isinstance(row, str):
        words = row.split(" ")
        return [" ".join(words[:i] + words[i + 1 :]) for i in range(len(words)) if row]
    if len(row) == 1:
        return [[text] for text in _shorter(row[0])]
    return [row[:i] + row[i + 1 :] for i in range(len(row))]


def _draw(
    metric: Metric, given: Columns, source: random.Random, rows: int, words: int
) -> dict[str, list[Any]]:
    """Return random columns that the metric reads."""
    places = [source.randrange(min(map(len, given.values()))) for _ in range(rows * bool(given))]
    drawn: dict[str, list[Any]] = {}
    for column in metric.columns:
        if column.name in given:
            drawn[column.name] = [given[column.name][place] for place in places]
        elif column.kind != "structured":
            drawn[column.name] = [_row(column, source, words, i, drawn) for i in range(rows)]
        elif column.required:
            raise InputError(f"columns: expected rows of {column.name} to draw from, got none")
    return drawn


def _row(column: Column, source: random.Random, words: int, place: int, drawn: Columns) -> Any:
    """Return a random row; many texts are copies of the source."""

    def text(most: int) -> str:
        if "sources" in drawn and not column.items and source.random() < 0.2:
            return str(drawn["sources"][place])
        chosen = source.choices(_WORDS, k=source.randint(0, most))
        return source.choice([" ", " ", " ", "  "]).join(chosen)

    if column.kind == "text":
        return text(words)
    if column.kind == "texts":
        return [text(2 if column.items else words) for _ in range(source.randint(1, 4))]
    if column.kind == "number":
        return source.choice([0.5, 1.0, 2.0])
    if place and source.random() < 0.2:  # the first row has one, since a column can't be empty
        return None
    legal = column.labels if column.kind == "labels" else (1, 2, 2.5, 5)
    return [source.choice(legal) for _ in range(source.randint(1, 3))]


# Laws of options -------------------------------------------------------------------------------


def _copies(metric: Metric) -> None:
    """A copy and a pickle equal the metric."""
    assert copy.deepcopy(metric) == metric, "A copy differs."
    assert pickle.loads(pickle.dumps(metric)) == metric, "A pickle differs."


def _notation(metric: Metric) -> None:
    """The metric is read from its notation, and from its signature."""
    if "custom-" in str(metric):
        return  # a function can't be read from text
    (written,) = notation.parse(str(metric), "metric")
    options, _ = notation.read_options(type(metric), written)
    read = type(metric).preset(**options)
    assert read == metric, f"{metric} is read as {read}."
    read = notation.read_signature(type(metric), metric.signature())
    assert read.signature() == metric.signature(), f"{metric.signature()} is read as {read}."


def _refusals(metric: Metric) -> None:
    """Unknown options and values of another kind are an `InputError`."""
    for name in ("no_such_option", "variant", *metric.option_names()):
        with contextlib.suppress(InputError):
            type(metric)(**dict[str, Any]({name: object()}))
            raise AssertionError(f"{name}=object() is accepted.")


def _choices(metric: Metric) -> None:
    """A choice is kept as it is, and the signature says it."""
    for option in metric.declared_options():
        for choice in option.choices:
            with contextlib.suppress(InputError, ImportError):  # other options, or an extra
                made = type(metric)(metric.variant, **{option.name: choice})
                usual = type(metric)(metric.variant)
                said = made.signature() != usual.signature() or not option.tag or made == usual
                assert getattr(made, option.name) is choice, f"{option.name} isn't {choice!r}."
                assert said, f"{option.name}={choice!r} isn't in the signature."


# Laws of columns -------------------------------------------------------------------------------


def _statistics(metric: Metric, columns: Columns) -> Floats:
    (rows,) = metric.compute_statistics(metric.check(**columns)).values()
    return rows


def _same(found: Any, expected: Any, what: str) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9, err_msg=what)


def _independence(metric: Metric, columns: Columns) -> None:
    """A row has the same statistics alone, in any order and in blocks."""
    if not metric.independent_rows:
        return
    whole = _statistics(metric, columns)
    turned = {name: [*reversed(column)] for name, column in columns.items()}
    _same(_statistics(metric, turned)[::-1], whole, "rows in reversed order")
    for part in (*(slice(at, at + 1) for at in range(len(whole))), slice(1, len(whole))):
        rows = {name: column[part] for name, column in columns.items()}
        with contextlib.suppress(InputError):  # a column may need a number, which these rows lack
            found = _statistics(metric, rows)
            _same(found, whole[part], f"rows {part.start + 1} to {part.stop} alone")


def _reference_order(metric: Metric, columns: Columns) -> None:
    """The order of references doesn't count, unless `ordered_references` says so."""
    if "references" not in columns or metric.ordered_references or not metric.independent_rows:
        return
    turned = {**columns, "references": [[*reversed(row)] for row in columns["references"]]}
    _same(_statistics(metric, turned), _statistics(metric, columns), "references reversed")


def _reduction(metric: Metric, columns: Columns) -> None:
    """`reduce` takes any leading axes, and sums of nothing."""
    rows = np.nan_to_num(_statistics(metric, columns))
    total = rows.sum(axis=0)
    at_once = metric.reduce(np.stack([[rows[0], total], [total, 0 * total]]))
    for name, of_total in metric.reduce(total).items():
        assert at_once[name].shape[:2] == (2, 2), f"{name} loses leading axes."
        _same(at_once[name][1, 0], of_total, f"{name} of several sums at once")
        if not np.isnan(metric.undefined):  # a mean of nothing isn't
            assert np.isfinite(metric.fill(at_once[name][1, 1])).all(), f"{name} of sums of nothing"
    names = metric.statistic_names(len(total))
    assert len(names) == len(total), f"{len(total)} statistics have {len(names)} names."


def _missing(metric: Metric, columns: Columns) -> None:
    """A row without numbers leaves the scores of the others as they are."""
    rows = _statistics(metric, columns)
    if len(rows) < 2:
        return
    gap = np.where(np.arange(len(rows))[:, None] == 1, np.nan, rows)
    expected = metric.sample(np.delete(rows, 1, axis=0)).value()
    for name, value in metric.sample(gap).value().items():
        _same(value, expected[name], f"{name} without row 2")


def _ranges(metric: Metric, columns: Columns) -> None:
    """Scores are in their ranges, with and without optional columns."""
    required = {c.name for c in metric.columns if c.required}
    maybe_nan = np.isnan(metric.undefined) and (
        not isinstance(metric, MeanMetric) or metric.incomplete
    )
    for given in (columns, {n: c for n, c in columns.items() if n in required}):
        try:
            found = metric.score(**given, per_example=True, confidence=0.9, resamples=5)
        except InputError:  # with these options it may need an optional column
            if given is columns:
                raise
            return
        for name in metric.score_names([*given]):
            score = metric.find_score(name)
            assert isinstance(found[name], list) == score.many, f"{name} is no list, or is one."
            low = -np.inf if score.least is None else score.least - 1e-9
            high = np.inf if score.most is None else score.most + 1e-9
            for part in ("", "_per_example", "_interval"):
                values = np.array(found[name + part], np.float64)
                legal = np.isfinite(values) & (low <= values) & (values <= high)
                legal |= maybe_nan & np.isnan(values)
                assert legal.all(), f"{name}{part}: {found[name + part]} with {', '.join(given)}"


OPTION_LAWS = (_copies, _notation, _refusals, _choices)
COLUMN_LAWS = (_independence, _reference_order, _reduction, _missing, _ranges)
LAWS = tuple(str(law.__doc__) for law in (*OPTION_LAWS, *COLUMN_LAWS))
"""The laws, a sentence each."""
