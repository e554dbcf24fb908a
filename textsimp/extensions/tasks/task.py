"""What a shared task declares, and what its scorer returns.

A task's function ``measure(gold, predictions, **options)`` reads two files and returns a `Run`:

- Rows are joined by their ids, or by their order: `row_ids.join`, or a dict where the official
  sums have another order. Of a repeated id the last row counts, unless the official script counts
  each, or isn't public: then it is an error.
- Rows that the run lacks aren't scored, unless the official script counts them as 0 or fails.
  `row_ids.cover` names them, and those that are extra, repeated, or differ only in case, spaces
  or Unicode form. `row_ids.align` and `row_ids.take` make them empty outputs. Texts and labels
  are compared as in the official script.
- Official numbers are rounded or cut as there, and exact ones are floats. A number that can't be
  computed here is None, and ``Run.missing`` has the reason.
- ``Run.sample`` has a row for each instance, for intervals and tests: `sample_of` a metric,
  `sample.means_of` numbers, or several by `sample.join`. `Run.of_sample` makes the run from it.
  A number of some rows, such as of a level, has NaN in the others; ``Sample.strata`` then has the
  level of each row, so that each resample has rows of all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from textsimp.core.metric import Floats, Metric
from textsimp.core.sample import Sample
from textsimp.corpora.row_ids import Coverage
from textsimp.support.arguments import Argument, documented_arguments
from textsimp.support.errors import check_choice

_FILES = ("gold", "predictions")


@dataclass(frozen=True)
class Task:
    """A shared task: its files, and the function that scores a run.

    Attributes:
        name: The name.
        years: The years in which this scorer was used, the latest last.
        title: The name that papers use.
        url: Its paper or site.
        scores: What is scored.
        gold: The format of the file of gold.
        predictions: The format of a run's file.
        measure: Reads and scores a run, from the paths of gold and run. Its other arguments are the
            task's options.
        needs: What is needed beyond the package.
        endings: Endings of the runs' files in a folder; without them a folder is a run.
        gold_file: Path of the file of gold, if the task has its own.
        baselines: Returns name → run of what every system should beat, from the file of gold.
        ranked_by: Official name → whether higher is better, of the numbers that rank runs: the
            first one, and among equal runs the next.
        titles: Official name → what readers know the number as, if that is another name.
        better: Official name → whether higher is better, of all numbers that have a direction.
        rank: Returns an official ranking from run → `Run`, and the options: title → rows, each
            official name → number.
    """

    name: str
    years: tuple[int, ...]
    title: str
    url: str
    scores: str
    gold: str
    predictions: str
    measure: Callable[..., Run]
    needs: str = ""
    endings: tuple[str, ...] = (".jsonl", ".json", ".csv", ".tsv", ".txt")
    gold_file: str = ""
    baselines: Callable[[str], Mapping[str, Run]] | None = None
    ranked_by: Mapping[str, bool] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    better: Mapping[str, bool] = field(default_factory=dict)
    rank: Callable[..., Mapping[str, list[dict[str, Any]]]] | None = None

    @cached_property
    def options(self) -> dict[str, Argument]:
        """Name → option, an argument of ``measure`` beside the files."""
        arguments = documented_arguments(self.measure)
        return {name: arguments[name] for name in arguments if name not in _FILES}

    def check(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Check options, and return them with the defaults of others."""
        legal = self.options
        for name, value in options.items():
            check_choice(f"option of {self.name}", name, [*legal])
            if legal[name].choices and value is not None:
                check_choice(name, value, legal[name].choices)
        return {**{name: option.default for name, option in legal.items()}, **options}


@dataclass(frozen=True, eq=False)
class Run:
    """A scored run.

    Attributes:
        official: Official name → number as the official script prints it, in its order; None for
            a number that can't be computed here.
        exact: The same numbers as full floats.
        coverage: How the run's rows meet gold's.
        instances: (n) what each row of statistics is of: equal ones are paired in tests.
        sample: The scored rows, or all instances of gold, with those numbers that have intervals
            and tests; None without any.
        decimals: Official name → decimals in print; 4 for others.
        missing: Official name → why it is None, and what to do.
        printed: Official names of the printed tables, if not all.
        notes: What else to know of the official numbers.
    """

    official: Mapping[str, Any]
    exact: Mapping[str, Any]
    coverage: Coverage
    instances: Sequence[Hashable] = ()
    sample: Sample | None = None
    decimals: Mapping[str, int] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    printed: Sequence[str] = ()
    notes: Sequence[str] = ()

    @classmethod
    def of_sample(
        cls,
        names: Sequence[str],
        sample: Sample | None,
        coverage: Coverage,
        instances: Sequence[Hashable],
        *,
        counts: Mapping[str, Any] | None = None,
        decimals: int | None = None,
        shown: int = 12,
        **more: Any,
    ) -> Run:
        """Return the run of these official ``names``: the sample's numbers, and ``counts``.

        Official numbers are rounded to ``decimals``, or are full floats, printed with ``shown``
        decimals. ``more`` are other fields.
        """
        values = {} if sample is None else sample.value()
        numbers = {name: float(value) for name, value in values.items()} | {**(counts or {})}
        exact = {name: numbers.get(name) for name in names}
        official = exact if decimals is None else round_all(exact, decimals)
        shown_with = dict.fromkeys(names, shown if decimals is None else decimals)
        return cls(official, exact, coverage, instances, sample, shown_with, **more)


def sample_of(metric: Metric, names: Mapping[str, str], **columns: Any) -> Sample:
    """Return a metric's sample; ``names`` are official name → the metric's score."""
    (rows,) = metric.compute_statistics(metric.check(**columns)).values()

    def reduce(totals: Floats) -> dict[str, Floats]:
        scores = metric.reduce(totals)
        return {name: scores[score] for name, score in names.items()}

    return Sample(rows, reduce)


def round_all(exact: Mapping[str, Any], decimals: int) -> dict[str, Any]:
    """Round floats as Python does; integers, texts and None stay.

    >>> round_all({"rmse": 1.23456, "num_instances": 7, "bert": None}, 4)
    {'rmse': 1.2346, 'num_instances': 7, 'bert': None}
    """
    return {n: round(v, decimals) if isinstance(v, float) else v for n, v in exact.items()}
