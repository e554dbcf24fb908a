"""The configurations of metrics that may have given a printed score, and their scores."""

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from textsimp.core.declarations import REFERENCES
from textsimp.core.draws import Floats, Ints
from textsimp.core.examples import Examples
from textsimp.core.metric import COLUMNS, Metric
from textsimp.core.sample import total
from textsimp.metrics.aligned import LEVEL
from textsimp.scoring.published import EQUAL
from textsimp.support.errors import InputError
from textsimp.text.languages import TOKENIZERS_FOR, detect

MAX_CHANGES = 2  # to a variant, beyond the options that papers often leave unreported
PREPARED = 3  # the stage of `PREPARATIONS`


@dataclass(frozen=True)
class Configuration:
    """A metric with its options, the references and runs used, and what is done to texts first."""

    metric: Metric
    reference: int | None = None  # the only reference, counted from 0; None for all
    run: int | None = None  # the only run, counted from 0; None for their mean
    prepared: str = ""  # a key of `PREPARATIONS`

    @cached_property
    def options(self) -> dict[str, Any]:
        """Option → value: the variant unless it is the default, and what differs from it."""
        return self.metric.given_options()

    @property
    def best(self) -> bool:
        """Whether it compares each output with the best of the references alone."""
        return getattr(self.metric, "multi_reference", "pooled") == "best"

    @cached_property
    def stage(self) -> int:
        """The stage in which it is tried, likelier ones first.

        0: variants. 1: the default with one often unreported option, or of one run. 2: variants
        with such options. 3: texts prepared otherwise. 4: one reference or run of several, or the
        best reference. 5: other options.
        """
        changed = self.metric.changed_options()
        if self.prepared:
            return PREPARED
        if not changed.keys() - {"multi_reference"} <= _often_unreported(type(self.metric)):
            return 5
        if self.run is not None and self.reference is None and not self.options:
            return 1
        if self.best or self.alone:
            return 4
        alone = len(changed) == 1 and "variant" not in self.options
        return 0 if not changed else 1 if alone else 2

    @cached_property
    def plausibility(self) -> tuple[int, int, int]:
        """A sort key: an early stage first, then fewer differences, a variant before an option."""
        changes = len(self.options) + bool(self.alone) + bool(self.prepared)
        return self.stage, changes, changes - ("variant" in self.options)

    @property
    def alone(self) -> str:
        """Which one of several references or runs is used; or ""."""
        parts = {"reference": self.reference, "run": self.run}
        return ", ".join(f"{what} {i + 1} only" for what, i in parts.items() if i is not None)

    def __str__(self) -> str:
        return ", ".join(filter(None, [str(self.metric), self.alone, self.prepared]))

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; ``reference`` and ``run`` are counted from 1."""
        return {
            "metric": self.metric.name,
            "options": self.options,
            "reference": None if self.reference is None else self.reference + 1,
            "run": None if self.run is None else self.run + 1,
            "prepared": self.prepared,
        }


def make_configurations(
    cls: type[Metric], examples: Examples, every: bool = False
) -> tuple[list[Configuration], list[str]]:
    """List every configuration once, under its likeliest variant; and say what others lack."""
    rows = (REFERENCES in cls.columns and examples.references) or [[""]]
    sizes = {*map(len, rows)}
    references = range(min(sizes)) if max(sizes) > 1 else range(0)
    runs = range(len(examples.systems)) if len(examples.systems) > 1 else range(0)
    predictions = next(iter(examples.systems.values())).get("predictions", [])
    values_of = _option_values(cls, detect(predictions).script, every)
    likeliest: dict[tuple[Any, ...], Configuration] = {}
    missing: list[str] = []
    for variant, options in _list_options(cls, values_of):
        try:
            metric = cls.preset(variant, **options)
        except InputError:  # options that exclude each other
            continue
        except ImportError as error:
            missing.append(str(error))
            continue
        whole = Configuration(metric)
        if whole.best and not references:
            continue  # one reference is the best
        candidates = [whole]
        if options.keys() <= _often_unreported(cls) or len(options) < MAX_CHANGES:
            if not whole.best:
                candidates += [Configuration(metric, reference=i) for i in references]
            candidates += [Configuration(metric, run=i) for i in runs]
        # Another variant without options of its own computes in another way.
        other = variant != next(iter(cls.presets)) and not cls.presets[variant].options
        values = (other and variant, *(getattr(metric, name) for name in cls.option_names()))
        for candidate in candidates:
            key = (values, candidate.reference, candidate.run)
            if candidate.plausibility < likeliest.setdefault(key, candidate).plausibility:
                likeliest[key] = candidate
    return [*likeliest.values()], missing


@cache
def _often_unreported(cls: type[Metric]) -> set[str]:
    """Return the options that papers often leave unreported."""
    return {option.name for option in cls.declared_options() if option.often_unreported}


def _list_options(
    cls: type[Metric], values_of: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield variants with options to change.

    These are any combination of often unreported options, and any two options.
    """
    for variant in cls.presets:
        usual = cls.default_options(variant)
        others = {
            name: [value for value in values if value != usual[name]]
            for name, values in values_of.items()
        }
        for number in range(len(others) + 1):
            for names in itertools.combinations(others, number):
                if number <= MAX_CHANGES or _often_unreported(cls).issuperset(names):
                    for values in itertools.product(*(others[name] for name in names)):
                        yield variant, dict(zip(names, values, strict=True))


def _option_values(cls: type[Metric], script: str | None, every: bool) -> dict[str, list[Any]]:
    """Return option → values to try, without those of other scripts and `aligned`.

    Options without a tag don't change the score.
    """
    values_of = {}
    for option in cls.declared_options():
        if not option.tag or (option.of_variants and not every):
            continue
        if option.only_with.get("level") == (LEVEL,):
            continue
        presets = [cls.default_options(variant)[option.name] for variant in cls.presets]
        declared = option.choices or option.suggestions
        suitable = [v for v in declared if v not in TOKENIZERS_FOR or script in TOKENIZERS_FOR[v]]
        values = dict.fromkeys([*suitable, *presets])
        values_of[option.name] = [value for value in values if value != LEVEL]
    return values_of


class ComputedScore(NamedTuple):
    """A score by a configuration; NaN if there is none."""

    value: float
    configuration: Configuration
    drawn_error: float = 0.0  # see `Metric.drawn_error`
    missing: str = ""  # what it lacks


def compute_scores(
    configurations: Sequence[Configuration], examples: Examples, name: str
) -> Iterator[ComputedScore]:
    """Yield scores by configurations of one metric.

    The systems are runs of one, whose score is their mean. Configurations are sorted so that what
    several share is computed once: what `prepare` returns, then statistics.
    """
    texts_of = cache(functools.partial(_references_alone, examples))
    last: tuple[Any, ...] = ()  # what is prepared
    for key, group in itertools.groupby(_sort(configurations), lambda pair: pair[0]):
        members = [configuration for _, configuration in group]
        metric: Any = members[0].metric
        try:
            if key[1] == "each" and hasattr(metric, "statistics_by_reference"):
                runs = metric.statistics_by_reference(examples)
            else:
                texts = texts_of(key[1])
                if key[:2] != last:
                    prepared = [*metric.prepare_slices(texts)]
                    last = key[:2]
                runs = [*metric.compute_statistics(texts, prepared=prepared).values()]
        except ImportError as error:
            last = ()
            yield from (ComputedScore(math.nan, x, missing=str(error)) for x in members)
            continue
        yield from _reduce(members, examples, runs, name)


def _reduce(
    configurations: Sequence[Configuration], examples: Examples, runs: Sequence[Floats], name: str
) -> Iterator[ComputedScore]:
    """Yield scores by configurations that have the statistics of the ``runs`` in common."""
    drawn = max(configurations[0].metric.drawn_error(rows, name) for rows in runs)
    sizes = np.array([len(row) for row in examples.references or []], np.int64)
    totals: list[dict[int | None, Any]] = [{} for _ in runs]
    for metric, group in itertools.groupby(configurations, lambda x: x.metric):
        members = [*group]
        chosen = [_sum_rows(configuration, runs, sizes, totals) for configuration in members]
        scores = metric.reduce(np.concatenate(chosen))  # of all at once
        values = iter(scores[name].tolist() if name in scores else itertools.repeat(math.nan))
        for configuration, own_totals in zip(members, chosen, strict=True):
            value = sum(itertools.islice(values, len(own_totals))) / len(own_totals)
            yield ComputedScore(value, configuration, drawn)


def _sort(
    configurations: Sequence[Configuration],
) -> list[tuple[tuple[Any, ...], Configuration]]:
    """Return configurations with keys of what they share, those that share most together."""
    keyed = []
    for configuration in configurations:
        prepared, counted = configuration.metric.cache_keys()
        keyed.append(((prepared, _comparison(configuration), counted), configuration))
    first: dict[tuple[Any, ...], int] = {}

    def order(pair: tuple[tuple[Any, ...], Configuration]) -> list[int]:
        prepared, compared, counted = pair[0]
        parts = *prepared, compared, counted
        numbers = [first.setdefault(parts[: n + 1], len(first)) for n in range(len(parts))]
        # References alone come first: what they are counted by serves all together, too.
        return [*numbers[:-2], compared is None, *numbers[-2:]]

    return sorted(keyed, key=order)


def _sum_rows(
    configuration: Configuration,
    runs: Sequence[Floats],
    sizes: Ints,
    totals: Sequence[dict[int | None, Floats]],
) -> list[Floats]:
    """Return the totals of the runs that are used; ``totals`` has each run's, by the reference."""
    reference, run = configuration.reference, configuration.run
    used = range(len(runs)) if run is None else [run]
    for i in used:
        if configuration.best or reference not in totals[i]:
            totals[i][reference] = total(_choose_rows(configuration, runs[i], sizes))
    return [totals[i][reference] for i in used]


def _choose_rows(configuration: Configuration, statistics: Floats, sizes: Ints) -> Floats:
    """Return the statistics of the reference that is used, of the best, or of all."""
    if configuration.best:
        metric: Any = configuration.metric
        best: Floats = metric.best_rows(statistics, sizes)
        return best
    reference = configuration.reference
    if reference is None or _comparison(configuration) != "each":
        return statistics
    rows: Floats = statistics[np.cumsum(sizes) - sizes + reference]
    return rows


def _comparison(configuration: Configuration) -> int | str | None:
    """The number of the only reference that is used, "each" if each makes a row, None for all."""
    reference = configuration.reference
    alone = configuration.best or reference is not None
    return "each" if alone and configuration.metric.independent_rows else reference


def _references_alone(examples: Examples, compared: int | str | None) -> Examples:
    """Return the examples with one reference; with "each" once for each of their references."""
    if compared is None:
        return examples
    alone = [
        (i, [text])
        for i, row in enumerate(examples.references or [])
        for text in (row if compared == "each" else [row[int(compared)]])
    ]
    repeated = examples.take(i for i, _ in alone)
    shared = {**repeated.shared, REFERENCES.name: [reference for _, reference in alone]}
    return Examples(shared, repeated.systems)


def group_by_score(
    scores: Iterable[tuple[float, Configuration]],
) -> list[tuple[float, list[Configuration]]]:
    """List (score, configurations that give it, the likeliest first)."""
    groups: list[tuple[float, list[Configuration]]] = []
    last = -math.inf
    for value, configuration in sorted(scores, key=lambda pair: pair[0]):
        if value - last > EQUAL:
            groups.append((value, []))
        groups[-1][1].append(configuration)
        last = value
    for _, members in groups:
        members.sort(key=lambda member: member.plausibility)
    return groups


_BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
_NAMES = {name: bracket for bracket, name in _BRACKETS.items()}
PREPARATIONS: Mapping[str, Callable[[str], str]] = {
    "texts lowercased": str.lower,
    "texts with ( as -lrb-": lambda text: re.sub(r"[()\[\]{}]", lambda b: _BRACKETS[b[0]], text),
    "texts with -lrb- as (": lambda text: re.sub(
        "-[lr][rsc]b-", lambda b: _NAMES[b[0].lower()], text, flags=re.IGNORECASE
    ),
    "texts with tokenised quotes": lambda text: re.sub('"([^"]*)"', r"``\1''", text),
    "texts with detokenised quotes": lambda text: re.sub("``|''", '"', text),
}
"""What may have been done to all texts before they were scored."""


def prepare(examples: Examples, change: Callable[[str], str]) -> Examples:
    """Change all texts."""

    def changed(value: Any) -> Any:
        return change(value) if isinstance(value, str) else [*map(changed, value)]

    return examples.change(lambda name, rows: changed(rows) if name in COLUMNS else rows)
