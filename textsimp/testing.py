"""Checks for a metric of your own, in this package or in another one; they don't need pytest.

- `check_metric` tests the laws that every metric obeys, on random columns.
- It says which law is broken, and shows the smallest example of it.
"""

import contextlib
import copy
import dataclasses
import functools
import operator
import pickle
import random
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from textsimp.core.declarations import Column
from textsimp.core.draws import Floats
from textsimp.core.examples import ScriptWarning
from textsimp.core.metric import Metric
from textsimp.metrics import notation
from textsimp.support.errors import InputError
from textsimp.support.imports import require

__all__ = ["check_metric"]

Columns = Mapping[str, list[Any]]
Law = Callable[[Metric, Columns], None]

_same = functools.partial(np.testing.assert_allclose, rtol=1e-12, atol=1e-9)

_EXAMPLES = 100  # of each law
_WORDS = (  # few, so that texts share some, and what code trips over
    *("a", "b", "c", "A", "É", "don't", "The", "cat", "sat", "U.S.", "1,000.5", "d-3", "-", ""),
    *(".", ". B", ",", "&lt;", "<skipped>", "“", "x\u2028y", "\x00", "\u3000", "\n", "İ", "Σ", "€"),
    *("ΑΣ", "ΑΣ,", "e\u0301", "😀", "1.5", "--", "&amp;lt;", "\u200b", "\x85", "12", "0", "²"),
)
_ODD = (*_WORDS, "2024", "cat " * 300)  # texts that are tried alone
_ONCE = "The same columns break it only once: something is kept between calls."


def check_metric(metric: Metric, columns: Columns | None = None, *, seed: int = 0) -> None:
    """Test the laws that every metric obeys; `LAWS` has them.

    Hypothesis (extra ``testing``) makes up the columns.

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
    __tracebackhide__ = True  # by pytest
    hypothesis = require("hypothesis", "testing")
    settings = hypothesis.settings(max_examples=_EXAMPLES, database=None, deadline=None)
    some, source = _draw_columns(metric, columns or {}), random.Random(seed)
    odd = _odd_columns(metric, columns or {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScriptWarning)
        for law in (*_OPTION_LAWS, *_COLUMN_LAWS):
            find_fault = functools.partial(_find_fault, law, metric)
            drawn = some if law in _COLUMN_LAWS else hypothesis.strategies.just({})
            found: Columns = {}
            try:
                if law in _COLUMN_LAWS and find_fault(odd):
                    found = _shrink(odd, find_fault)
                else:
                    found = hypothesis.find(drawn, find_fault, settings=settings, random=source)
                what = find_fault(found) or _ONCE
            except hypothesis.errors.NoSuchExample:
                continue
            except hypothesis.errors.Flaky:
                what = _ONCE
            lines = [f"{metric}: {law.__doc__} {what}", "example:"]
            lines += [f"  {name}: {rows!r}" for name, rows in found.items()]
            raise AssertionError("\n".join(lines if found else lines[:1]))


def _shrink(columns: Columns, find_fault: Callable[[Columns], str]) -> Columns:
    """Leave out each row without which the fault is still there, the last first."""
    for i in reversed(range(len(next(iter(columns.values()))))):
        fewer = {name: [*rows[:i], *rows[i + 1 :]] for name, rows in columns.items()}
        if all(fewer.values()) and find_fault(fewer):
            columns = fewer
    return columns


def _odd_columns(metric: Metric, given: Columns) -> Columns:
    """Return columns of texts that are odd words, numbers, or long."""
    places = range(len(_ODD))
    columns = {name: [rows[i % len(rows)] for i in places] for name, rows in given.items()}
    for column in metric.columns:
        label = (column.labels or (1,))[0]
        cells: dict[str, list[Any]] = {
            "text": [*_ODD],
            "texts": [[text, "cat"] for text in _ODD],
            "number": [label] * len(_ODD),
        }
        if column.name not in given and column.kind != "structured":
            columns[column.name] = cells.get(column.kind, [[label]] * len(_ODD))
    return columns


def _find_fault(law: Law, metric: Metric, columns: Columns) -> str:
    """Return how columns break a law, or nothing."""
    try:
        law(metric, columns)
    except Exception as error:  # whatever a metric raises
        return str(error) if isinstance(error, AssertionError) else repr(error)
    return ""


def _draw_columns(metric: Metric, given: Columns) -> Any:
    """Return the strategy of columns that the metric reads."""
    from hypothesis import strategies as st

    made = [column for column in metric.columns if column.name not in given]
    for column in made:
        if column.kind == "structured" and column.required:
            raise InputError(f"columns: expected rows of {column.name} to draw from, got none")
    words = st.lists(st.sampled_from(_WORDS), max_size=12).map(" ".join)
    texts = st.shared(st.lists(words, min_size=1, max_size=6))  # of which columns have the same
    text = st.builds(lambda texts, i: texts[i % len(texts)], texts, st.integers(0, 5))

    def draw_cell(column: Column, *, first: bool) -> Any:
        number = st.sampled_from(column.labels or (0.5, 1, 2, 5))
        cell = text if column.kind in ("text", "texts") else number
        some = first or (column.kind == "texts" and not column.items)  # others may be missing
        lists = st.lists(cell, min_size=int(some), max_size=4)
        return cell if column.kind in ("text", "number") else lists

    def draw_row(*, first: bool) -> Any:
        cells = {c.name: draw_cell(c, first=first) for c in made if c.kind != "structured"}
        place = st.integers(0, min(map(len, given.values()), default=1) - 1)
        own = place.map(lambda i: {name: column[i] for name, column in given.items()})
        return st.builds(operator.or_, own, st.fixed_dictionaries(cells))

    def turn(first: dict[str, Any], others: list[dict[str, Any]]) -> Columns:
        return {name: [row[name] for row in (first, *others)] for name in first}

    return st.builds(turn, draw_row(first=True), st.lists(draw_row(first=False), max_size=3))


def _copies(metric: Metric, _: Columns) -> None:
    """A copy, a pickle, and what is read from notation and signature equal the metric."""
    try:
        copies = [copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))]
    except Exception as error:  # of several kinds, by the version of Python
        raise AssertionError(
            f"It can't be copied or pickled ({error}): instead of a lambda or a function inside "
            "another one write a function of a module, with def."
        ) from error
    if "custom-" not in str(metric):  # a function can't be read from text
        (choice,) = notation.parse(str(metric), "metric", lambda name: type(metric))
        copies.append(choice.make())
        read = notation.read_signature(type(metric), metric.signature())
        assert read.signature() == metric.signature(), f"{metric.signature()} is read as {read}."
    for one in copies:
        assert one == metric, f"{one} differs."


def _options(metric: Metric, _: Columns) -> None:
    """A choice is in the signature; other options and values are an `InputError`."""
    for name in ("no_such_option", "variant", *metric.option_names()):
        with contextlib.suppress(InputError):
            type(metric)(**dict[str, Any]({name: object()}))
            raise AssertionError(f"{name}=object() is accepted.")
    for option in metric.declared_options():
        for limit, step in ((option.least, -1), (option.most, 1)):
            with contextlib.suppress(InputError):
                if limit is not None:
                    dataclasses.replace(metric, **dict[str, Any]({option.name: limit + step}))
                    raise AssertionError(f"{option.name}={limit + step} is accepted.")
        for choice in option.choices if option.tag else ():
            with contextlib.suppress(InputError, ImportError):  # other options, or an extra
                made = dataclasses.replace(metric, **{option.name: choice})
                said = made == metric or made.signature() != metric.signature()
                assert said, f"{option.name}={choice!r} isn't in the signature."


def _statistics(metric: Metric, columns: Columns) -> Floats:
    checked = metric.check(**columns)
    before = copy.deepcopy((checked.shared, checked.systems))
    (rows,) = metric.compute_statistics(checked).values()
    assert (checked.shared, checked.systems) == before, "The columns are changed."
    return rows


def _independence(metric: Metric, columns: Columns) -> None:
    """A row has the same statistics alone, in any order, in blocks, with references reversed."""
    if not metric.independent_rows:
        return
    whole = _statistics(metric, columns)
    rows = range(len(whole))
    for order in (rows[::-1], rows[1:], rows[:10], [*rows, *rows], *([i] for i in rows)):
        some = {name: [column[i] for i in order] for name, column in columns.items()}
        with contextlib.suppress(InputError):  # these rows may lack a number that is needed
            found = _statistics(metric, some)
            _same(found, whole[order], err_msg=f"rows {[*order]} (counted from 0)")
    if "references" in columns and not metric.ordered_references:
        turned = {**columns, "references": [row[::-1] for row in columns["references"]]}
        _same(_statistics(metric, turned), whole, err_msg="references reversed")


def _reduction(metric: Metric, columns: Columns) -> None:
    """`reduce` takes any leading axes and sums of nothing; a row without numbers counts nothing."""
    rows = _statistics(metric, columns)
    known = np.nan_to_num(rows)
    total = known.sum(axis=0)
    at_once = metric.reduce(np.stack([[known[0], total], [total, 0 * total]]))
    for name, of_total in metric.reduce(total).items():
        assert at_once[name].shape[:2] == (2, 2), f"{name} loses leading axes."
        _same(at_once[name][1, 0], of_total, err_msg=f"{name} of several sums at once")
        if not np.isnan(metric.undefined):  # a mean of nothing isn't
            assert np.isfinite(metric.fill(at_once[name][1, 1])).all(), f"{name} of sums of nothing"
    names = metric.statistic_names(len(total))
    assert len(names) == len(total), f"{len(total)} statistics have {len(names)} names."
    if len(rows) > 1:
        without = metric.sample(np.vstack([rows[:1] * np.nan, rows[1:]])).value()
        for name, value in metric.sample(rows[1:]).value().items():
            _same(without[name], value, err_msg=f"{name} without row 0")


def _ranges(metric: Metric, columns: Columns) -> None:
    """Scores are in their ranges, with and without optional columns."""
    maybe_nan = np.isnan(metric.undefined) and getattr(metric, "incomplete", True)
    required: dict[str, Any] = {c.name: columns[c.name] for c in metric.columns if c.required}
    for given in (dict[str, Any](columns), required):
        with contextlib.suppress(InputError):  # with these options it may need an optional column
            found = metric.score(per_example=True, confidence=0.9, resamples=5, **given)
            for name in metric.score_names([*given]):
                score = metric.find_score(name)
                assert isinstance(found[name], list) == score.many, f"{name} is no list, or is one."
                low = -np.inf if score.least is None else score.least - 1e-9
                high = np.inf if score.most is None else score.most + 1e-9
                for part in ("", "_per_example", "_interval"):
                    values = np.array(found[name + part], np.float64)
                    legal = (low < values) & (values < high) | maybe_nan & np.isnan(values)
                    assert legal.all(), f"{name}{part}: {found[name + part]}"


_OPTION_LAWS = (_copies, _options)
_COLUMN_LAWS = (_independence, _reduction, _ranges)
LAWS = tuple(str(law.__doc__) for law in (*_OPTION_LAWS, *_COLUMN_LAWS))
"""The laws, a sentence each."""
