"""Metrics of users' functions: means of a number per example."""

import inspect
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, MeanMetric, Metric
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, check_choice, nearest

_COLUMNS = {column.name: column for column in (SOURCES, PREDICTIONS, REFERENCES)}


def mean_metric(
    name: str,
    *,
    better: Literal["higher", "lower", ""] = "higher",
    least: float | None = None,
    most: float | None = None,
) -> Callable[[Callable[..., Any]], Metric]:
    """Make a metric of a function that returns a number per example; the score is their mean.

    Intervals, tests, tables, report and the notation take it as any metric: by its name, too, in
    the process that defines it. ``textsimp score -m NAME`` finds it if a package declares it, see
    `textsimp.support.extensions`.

    Args:
        name: The metric's name, which is that of its score.
        better: Whether ``"higher"`` or ``"lower"`` numbers are better; ``""`` if it only describes.
        least: The smallest number possible.
        most: The largest.

    Returns:
        A decorator of a function of ``predictions`` and maybe ``sources`` and ``references``, which
        are lists. A column whose default is None may be missing. An example's number may depend on
        its own texts only.

    Example:
        >>> import textsimp
        >>> @textsimp.mean_metric("copied", better="lower", least=0, most=1)
        ... def copied(sources, predictions):
        ...     return [source == prediction for source, prediction in zip(sources, predictions)]
        >>> copied.score(sources=["A cat.", "A dog."], predictions=["A cat.", "Dogs."])["copied"]
        0.5
    """
    if not isinstance(name, str) or not name.isidentifier() or name != name.lower():
        raise InputError(f"name: expected a name in lower case, got {name!r}")
    check_choice("better", better, ("higher", "lower", ""))

    def make(function: Callable[..., Any]) -> Metric:
        parameters = inspect.signature(function).parameters
        for column in parameters:
            if column not in _COLUMNS:
                raise InputError(
                    f"{name}: expected a function of {', '.join(_COLUMNS)}, got one of {column!r}"
                    f"{nearest(column, _COLUMNS)}"
                )
        about, _, rest = (inspect.getdoc(function) or "a number per example").partition("\n")
        declared = {
            "name": name,
            "about": about,
            "__doc__": rest.strip() or about,
            "scores": (Score(name, name, about, least, most, better),),
            "columns": tuple(
                _COLUMNS[column] if one.default is one.empty else _COLUMNS[column].optional
                for column, one in parameters.items()
            ),
            "function": staticmethod(function),
            "__module__": function.__module__,
            "__qualname__": function.__qualname__,
        }
        metric: Metric = type(function.__name__, (FunctionMetric,), declared)()
        catalogue.add(metric)
        return metric

    return make


@dataclass(frozen=True)
class FunctionMetric(MeanMetric):
    """The mean of the numbers that a function returns. Made by `mean_metric`."""

    papers: ClassVar = ()
    presets: ClassVar = {"mean": Preset("over the examples")}
    function: ClassVar[Callable[..., Any]]

    def prepare(self, **shared: Any) -> dict[str, Any]:
        return shared

    def numbers(self, prepared: dict[str, Any], **own: Any) -> Floats:
        """(n, 1) the function's number of each example."""
        columns = {name: rows for name, rows in (prepared | own).items() if rows is not None}
        n = len(next(iter(columns.values())))
        numbers = np.asarray(self.function(**columns), dtype=float)
        if numbers.shape != (n,) or not np.isfinite(numbers).all():
            raise InputError(f"{self.name}: expected a finite number for each of {n} examples")
        return numbers[:, None]

    def __reduce__(self) -> Any:
        return pkgutil.resolve_name, (f"{type(self).__module__}:{type(self).__qualname__}",)
