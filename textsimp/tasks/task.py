"""What a shared task declares, and what its scorer returns."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from textsimp.core.metric import Floats, Metric
from textsimp.core.sample import Sample
from textsimp.support.arguments import Argument, arguments_of
from textsimp.support.errors import InputError, check_choice, nearest

_FILES = ("gold", "predictions")


@dataclass(frozen=True)
class Task:
    """A shared task: its files, and the function that scores a run.

    Attributes:
        name: The name; with years of a task that was held several times, see `years`.
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
    rank: Callable[..., Mapping[str, list[dict[str, Any]]]] | None = None

    @cached_property
    def options(self) -> dict[str, Argument]:
        """Name → option, an argument of ``measure`` beside the files."""
        return {n: a for n, a in arguments_of(self.measure).items() if n not in _FILES}

    def check(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Check options, and return them with the defaults of others."""
        legal = self.options
        for name, value in options.items():
            if name not in legal:
                expected = ", ".join(legal) or "none"
                raise InputError(
                    f"unknown option {name!r} of {self.name}{nearest(name, legal)}: "
                    f"expected {expected}"
                )
            if legal[name].choices and value is not None:
                check_choice(name, value, legal[name].choices)
        return {**{name: option.default for name, option in legal.items()}, **options}


@dataclass(frozen=True)
class Coverage:
    """Rows that the official numbers hide. Rows count from 1.

    Attributes:
        gold: Number of instances of gold.
        scored: Number of rows that the official numbers are of.
        missing: Rows of gold without a prediction.
        extra: Rows of the run that gold has no instance for.
        repeated: Rows of the run whose instance has an earlier row.
        unwinnable: Rows of gold for which no answer can get the best score.
        remarks: What else is wrong → rows of the run.
    """

    gold: int
    scored: int
    missing: Sequence[int] = ()
    extra: Sequence[int] = ()
    repeated: Sequence[int] = ()
    unwinnable: Sequence[int] = ()
    remarks: Mapping[str, Sequence[int]] = field(default_factory=dict)


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


def empty(texts: Sequence[str]) -> dict[str, list[int]]:
    """Return the remark on rows without text, if there are any.

    >>> empty(["It rained.", " "])
    {'empty output': [2]}
    """
    rows = [i for i, text in enumerate(texts, 1) if not text.strip()]
    return {"empty output": rows} if rows else {}


def check_once(keys: Sequence[tuple[str, ...]], where: str) -> None:
    """Check that no two rows have the same ids."""
    first: dict[tuple[str, ...], int] = {}
    for i, key in enumerate(keys, 1):
        if first.setdefault(key, i) != i:
            raise InputError(
                f"{where}: expected each id once, got {', '.join(key)} in rows {first[key]} and {i}"
            )


def join(
    keys: Sequence[Hashable], own_keys: Sequence[Hashable], *, repeated: bool = False
) -> list[tuple[int, int]]:
    """Return the places of rows of gold and of a run with equal keys, in the order of gold.

    Of a key that gold repeats, the last row counts; of one that the run repeats, too, or each if
    ``repeated``. Rows that the run lacks aren't scored.

    >>> join(["a", "b", "c"], ["c", "a", "c", "x"])
    [(0, 1), (2, 2)]
    """
    places = {key: i for i, key in enumerate(keys)}
    last = {key: i for i, key in enumerate(own_keys)}
    rows = [i for i, key in enumerate(own_keys) if repeated or last[key] == i]
    return sorted((places[own_keys[i]], i) for i in rows if own_keys[i] in places)


def cover(
    gold: Sequence[Hashable],
    predicted: Sequence[Hashable],
    *,
    scored: int,
    lines: tuple[Sequence[int], Sequence[int]] | None = None,
    unwinnable: Sequence[int] = (),
    remarks: Mapping[str, Sequence[int]] | None = None,
) -> Coverage:
    """Compare the keys of gold's rows with those of a run's rows.

    Keys that gold lacks, but would have in another Unicode form, case or spacing, are remarked.
    ``lines`` are the numbers of both files' rows in messages.
    """
    numbers = lines or (range(1, len(gold) + 1), range(1, len(predicted) + 1))
    expected, given = (
        [*zip(keys, own, strict=True)] for keys, own in zip((gold, predicted), numbers, strict=True)
    )
    last, first = dict(expected), dict(reversed(given))
    similar = {fold(key) for key in last if key not in first}
    extra = [(key, i) for key, i in given if key not in last]
    all_remarks = {
        "instance of gold but for case, spaces, quotes or Unicode form": [
            i for key, i in extra if fold(key) in similar
        ],
        "gold whose instance has a later row": [i for key, i in expected if last[key] != i],
        **(remarks or {}),
    }
    return Coverage(
        gold=len(last),
        scored=scored,
        missing=[i for key, i in expected if key not in first],
        extra=[i for _, i in extra],
        repeated=[i for key, i in given if first[key] != i],
        unwinnable=unwinnable,
        remarks={what: rows for what, rows in all_remarks.items() if rows},
    )


def fold(key: Any) -> Hashable:
    """Return a key as people read it: without case, spaces, marks and Unicode forms."""
    if isinstance(key, tuple):
        return tuple(map(fold, key))
    text = unicodedata.normalize("NFKC", str(key)).casefold()
    return "".join(c for c in text if c.isprintable() and c not in "\" \u201c\u201d\u2018\u2019'")
