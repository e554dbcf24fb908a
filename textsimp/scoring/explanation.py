"""Find the configurations of metrics that give a printed score."""

from __future__ import annotations

import contextlib
import itertools
import math
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from textsimp.core import examples, tables
from textsimp.core.declarations import REFERENCES, Score
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import COLUMNS, Floats, Metric
from textsimp.core.sample import total
from textsimp.core.tables import Grid, Tabular
from textsimp.metrics import aligned, catalogue
from textsimp.support.errors import InputError, nearest, take_either
from textsimp.support.parsing import MINUS
from textsimp.text.languages import TOKENIZERS_FOR, detect
from textsimp.text.memory import cache_scope
from textsimp.text.sentences import are_documents
from textsimp.text.tokenizers import is_tokenised

MAX_MATCHES = 10  # in a table
MAX_NEAREST = 5  # in a table without matches
MAX_CHANGES = 2  # to a variant, beyond the options that papers often leave unreported
_EQUAL = 1e-9  # the difference up to which scores are equal
_NEAR = 100  # rounding units around the printed score in which matches by chance are estimated

_PREPARED = 3  # the stage of `PREPARATIONS`

_PRINTED = re.compile(r"[+-]?(\d+\.?(\d*)|\.(\d+))", re.ASCII)


@dataclass(frozen=True)
class Configuration:
    """A metric with its options, the references that it uses, and what is done to texts first."""

    metric: Metric
    reference: int | None = None  # the only reference, counted from 0; None for all
    prepared: str = ""  # a key of `PREPARATIONS`

    @cached_property
    def options(self) -> dict[str, Any]:
        """Option → value: the variant unless it is the default, and what differs from it."""
        variant, default = self.metric.variant, next(iter(self.metric.presets))
        return ({} if variant == default else {"variant": variant}) | self.metric.changed_options()

    @cached_property
    def stage(self) -> int:
        """The stage in which it is tried, likelier ones first.

        0: variants. 1: the default with one often unreported option. 2: variants with such options.
        3: texts prepared otherwise. 4: one reference of several. 5: other options.
        """
        changed = self.metric.changed_options()
        if self.prepared:
            return _PREPARED
        if not changed.keys() <= _often_unreported(type(self.metric)):
            return 5
        if self.reference is not None:
            return 4
        alone = len(changed) == 1 and "variant" not in self.options
        return 0 if not changed else 1 if alone else 2

    @property
    def plausibility(self) -> tuple[int, int, int]:
        """A sort key: an early stage first, then fewer differences, a variant before an option."""
        changes = len(self.options) + (self.reference is not None) + bool(self.prepared)
        return self.stage, changes, changes - ("variant" in self.options)

    def __str__(self) -> str:
        parts = [str(self.metric)]
        if self.reference is not None:
            parts.append(f"reference {self.reference + 1} only")
        parts += [self.prepared] if self.prepared else []
        return ", ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; ``reference`` is counted from 1."""
        return {
            "metric": self.metric.name,
            "options": self.options,
            "reference": None if self.reference is None else self.reference + 1,
            "prepared": self.prepared,
        }


@dataclass(frozen=True)
class Match:
    """A score, and the configurations of a metric that give it.

    Attributes:
        configuration: The likeliest of these configurations.
        value: The score.
        printed: The printed score in units of the score: 40.13 for a printed 0.4013, too.
        decimals: The decimals of the printed score, in the same units.
        signature: The signature of this configuration.
        also: The other configurations.
    """

    configuration: Configuration
    value: float
    printed: float
    decimals: int
    signature: str
    also: tuple[Configuration, ...]

    @property
    def off(self) -> float:
        """The difference from the printed score."""
        return self.value - self.printed

    @property
    def cut(self) -> bool:
        """Whether the printed score is this one cut, where it would round to another."""
        return abs(self.off) > 0.5 * 10.0**-self.decimals + _EQUAL

    def cells(self, found: bool) -> list[str]:
        """Return score, difference and configuration; what was ``found`` may have been cut."""
        decimals = self.decimals + 2  # or every match would look alike
        numbers = tables.number(self.value, decimals), tables.number(self.off, decimals, sign=True)
        cut = " (cut, not rounded)" if found and self.cut else ""
        return [*numbers, f"{self.configuration}{cut}"]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            **self.configuration.to_dict(),
            "value": self.value,
            "off": self.off,
            "signature": self.signature,
            "also": [configuration.to_dict() for configuration in self.also],
        }


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Tabular):
    """The configurations of metrics that give a printed score.

    Attributes:
        score: As it was printed.
        matches: Scores that round to it, or were cut, in the order in which they were found: those
            of the likeliest configurations first.
        nearest: The nearest scores if there is no match.
        tried: The number of configurations that were computed.
        notes: What was left out, and warnings.
    """

    score: str
    matches: Sequence[Match]
    nearest: Sequence[Match]
    tried: int
    notes: Sequence[str]

    def __str__(self) -> str:
        """The result in a line."""
        if not self.matches:
            return (
                f"None of {self.tried:,} configurations tried gives {self.score}. The likeliest "
                "reason is that the score is of other outputs or another test set. Nearest first"
            )
        number = sum(1 + len(match.also) for match in self.matches)
        verb = "give" if number > 1 else "gives"
        configurations = f"{number:,} of {self.tried:,} configurations tried"
        return f"{configurations} {verb} {self.score}; likeliest first"

    __repr__ = __str__

    def head(self) -> list[Match]:
        """The likeliest matches, or the nearest scores."""
        return [*self.matches[:MAX_MATCHES]] or [*self.nearest]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "score": self.score,
            "matches": [match.to_dict() for match in self.matches],
            "nearest": [match.to_dict() for match in self.nearest],
            "tried": self.tried,
            "notes": [*self.notes],
        }

    def grid(self) -> Grid:
        """A row per score: score, difference from the printed score, and configuration."""
        return match_grid(self.head(), found=bool(self.matches))


def match_grid(matches: Sequence[Match], *, found: bool = True) -> Grid:
    """Return a row per score, with the signatures below."""
    rows = [match.cells(found) for match in matches]
    return Grid(["score", "off by", "metric"], rows, [one.signature for one in matches], named=3)


@take_either("metrics", "metric")
def explain(
    score: str | float,
    *,
    sources: Any = None,
    predictions: Any = None,
    references: Any = None,
    metrics: str | Sequence[str] | None = None,
    component: str | None = None,
    every: bool = False,
    **columns: Any,
) -> Explanation:
    """Find the configurations of metrics that give a printed score.

    `explain` tries every variant with all values of the options that papers tend to leave out
    (tokenizer, case, deletions, …) and with any two changes of its options. It tries all references
    together, and each alone. If no variant gives the score by such options, it also tries texts
    that are prepared otherwise (`PREPARATIONS`). It doesn't try the level ``aligned``. Likelier
    configurations come first.

    Args:
        score: The score as it was printed. `"40.10"` has two decimals and matches any score that
            rounds to it, or that was cut to it. A score from 0 to 100 may be printed as a share
            (`"0.401"`), and a score from 0 to 1 in percent.
        sources: The original texts.
        predictions: The simplifications that were scored.
        references: One or more reference simplifications per source.
        metrics: Names of metrics. By default all metrics that rank systems, aren't slow, and need
            no other columns; metrics of documents only if the sources have several sentences.
        component: A score of the metrics other than the main one, such as `"keep"`.
        every: Whether options that only tell variants apart, such as SARI's `weight`, are varied.
        **columns: Other columns that metrics read.

    Returns:
        The configurations that match, or else the nearest ones.

    Example:
        >>> import textsimp
        >>> result = textsimp.explain(
        ...     "46.57",
        ...     sources=["A feline sat on it."],
        ...     predictions=["A cat sat on it."],
        ...     references=["A cat sat."],
        ... )
        >>> str(result.matches[0].configuration), round(result.matches[0].value, 4)
        ('sari', 46.5675)
    """
    texts = {"sources": sources, "predictions": predictions, "references": references}
    present = {name: rows for name, rows in {**texts, **columns}.items() if rows is not None}
    classes = choose_metrics(metrics, present, component)
    own = {column.name for cls in classes for column in cls.columns if column.own}
    checked = examples.read(
        classes,
        {UNNAMED_SYSTEM: {name: rows for name, rows in present.items() if name in own}},
        {name: rows for name, rows in present.items() if name not in own},
    )
    classes = classes if metrics else suitable(classes, checked)
    return explain_examples(score, classes, checked, component, every=every)


def choose_metrics(
    metrics: str | Sequence[str] | None, columns: Collection[str], component: str | None = None
) -> list[type[Metric]]:
    """Return the named metrics; without names, all usual ones that need no other columns."""
    if metrics is not None:
        choices = catalogue.read(metrics, "metrics")
        if not choices or any(one.options or one.metric or one.score for one in choices):
            raise InputError(
                f"metrics: expected names without options, which are tried here, got {metrics!r}"
            )
        classes = [*dict.fromkeys(choice.cls for choice in choices)]
    else:
        every = map(catalogue.metric_class, catalogue.names())
        missing = {
            cls: [c.name for c in cls.columns if c.required and c.name not in columns]
            for cls in every
            if cls.scores[0].better and not cls.slow
        }
        classes = [cls for cls, names in missing.items() if not names]
        if not classes:
            raise InputError(
                f"{min(missing.values(), key=len)[0]}: no metric that ranks systems can do without "
                "this column: expected it, or metrics by their names"
            )
    suitable = [cls for cls in classes if component is None or component in _components(cls)]
    if suitable and (metrics is None or len(suitable) == len(classes)):
        return suitable
    legal = [*dict.fromkeys(name for cls in classes for name in _components(cls))]
    others = ", ".join(cls.name for cls in classes if cls not in suitable)
    raise InputError(
        f"component: expected a score of {others}, such as {', '.join(legal)}; "
        f"got {component!r}{nearest(component, legal)}"
    )


def _components(cls: type[Metric]) -> list[str]:
    """List the scores of predictions that are single numbers."""
    metric = cls.preset()
    reported = map(metric.split_score_name, metric.score_names())
    return [k for side, k in reported if side == "predictions" and not metric.find_score(k).many]


def suitable(classes: Sequence[type[Metric]], examples: Examples) -> list[type[Metric]]:
    """Leave out metrics of documents if the sources are sentences, unless no other is left."""
    documents = examples.sources and are_documents(examples.sources)
    return [cls for cls in classes if documents or cls.reads == "sentences"] or [*classes]


def explain_examples(
    score: str | float,
    classes: Sequence[type[Metric]],
    examples: Examples,
    component: str | None = None,
    *,
    every: bool = False,
    found: Callable[[Match], object] = lambda match: None,
) -> Explanation:
    """Do what `explain` does, for checked examples of one system.

    ``found`` gets each match at once, before other configurations with its score are known.
    """
    from tqdm import tqdm  # type: ignore[import-untyped]

    missing: dict[str, None] = {}
    declared = {
        cls: cls.scores[0] if component is None else cls.preset().find_score(component)
        for cls in sorted(classes, key=lambda cls: cls.reads == "documents")
    }
    readings = {cls: parse_score(score, declared[cls]) for cls in declared}
    configurations = [
        one for cls in declared for one in make_configurations(cls, examples, missing, every)
    ]
    scores: dict[tuple[type[Metric], str], list[tuple[float, Configuration]]] = {}
    matches: list[Match] = []
    # Elsewhere than on a terminal: nothing in the first second, then a line every five.
    terminal = sys.stderr.isatty()
    pace = {} if terminal else {"delay": 1, "mininterval": 5}

    def measure(members: Iterable[Configuration], texts: Examples) -> None:
        for of_stage in _group_by(members, lambda one: (one.stage, type(one.metric))):
            cls = type(of_stage[0].metric)
            new = []
            for value, member in compute_scores(of_stage, texts, declared[cls].key, missing):
                progress.update()
                new += [(value, member)] if math.isfinite(value) else []
            before = scores.setdefault((cls, of_stage[0].prepared), [])
            own = [
                _make_match(value, equal, readings[cls], examples)
                for value, equal in _group_by_score(new)
                if min(ratios(value, readings[cls])) <= 1
                and all(abs(value - score) > _EQUAL for score, _ in before)
            ]
            before += new
            own.sort(key=lambda one: (one.configuration.plausibility, one.cut, abs(one.off)))
            matches.extend(own)
            with tqdm.external_write_mode() if terminal else contextlib.nullcontext():
                for match in own:
                    found(match)

    with (
        cache_scope(),
        tqdm(desc="Configurations", total=len(configurations), leave=False, **pace) as progress,
    ):
        configurations.sort(key=lambda one: one.stage)
        usual = [one for one in configurations if one.stage < _PREPARED]
        measure(usual, examples)
        # with variants, and variants with one option that papers leave out
        simple = [one for one in usual if len(one.metric.changed_options()) < 2]
        for name, change in () if matches else PREPARATIONS.items():
            texts = _prepare(examples, change)
            if (texts.shared, texts.systems) != (examples.shared, examples.systems):
                measure([replace(one, prepared=name) for one in simple], texts)
        measure(configurations[len(usual) :], examples)
    candidates = [
        (min(ratios(value, readings[cls])), value, equal)
        for (cls, _), pairs in scores.items()
        for value, equal in _group_by_score(pairs)
    ]
    candidates.sort(key=lambda candidate: (candidate[0], candidate[2][0].plausibility))
    notes = [f"Some configurations are left out. {reason}" for reason in missing]
    if matches:
        width = max(1, min(_NEAR, candidates[-1][0]))
        by_chance = 1.5 * sum(ratio <= width for ratio, *_ in candidates) / width  # or cut
        if by_chance >= 0.1:
            notes.append(
                f"Scores lie so close together here that about {by_chance:.1f} match by chance. "
                "A simpler explanation is likelier."
            )
    else:
        notes.append("Metrics without a direction and slow metrics are tried only if named.")
    nearest = [
        _make_match(value, equal, readings[type(equal[0].metric)], examples)
        for _, value, equal in candidates[: 0 if matches else MAX_NEAREST]
    ]
    tried = sum(map(len, scores.values()))
    for i, match in enumerate(matches):  # with the others that give the score
        first = match.configuration
        pairs = scores[type(first.metric), first.prepared]
        alike = [one for value, one in pairs if abs(value - match.value) <= _EQUAL and one != first]
        others = sorted(dict.fromkeys(alike), key=lambda one: one.plausibility)
        matches[i] = replace(match, also=tuple(others))
    return Explanation(str(score), matches, nearest, tried, [*notes, *_hints(examples)])


def parse_score(score: Any, declared: Score) -> list[tuple[float, float, int]]:
    """Read a printed score: list (number, half a unit of its last digit, decimals).

    >>> parse_score("40.1", Score("", "", ""))
    [(40.1, 0.05, 1)]
    """
    number = isinstance(score, (int, float)) and not isinstance(score, bool)
    text = str(score).strip() if number or isinstance(score, str) else ""
    text = text.replace(MINUS, "-")
    digits = _PRINTED.fullmatch(text)
    if digits is None or not math.isfinite(float(text)):
        raise InputError(
            f"score: expected a number as it was printed, such as 40.13; got {score!r}"
        )
    value, decimals = float(text), len(digits[2] or digits[3] or "")
    readings = [(value, decimals)]
    if declared.most == 100 and 0 <= value <= 1 and decimals:  # a share of it
        readings.append((100 * value, decimals - 2))
    if declared.most == 1 and value > 1:  # percent of it
        readings.append((value / 100, decimals + 2))
    return [
        (number, max(0.5 * 10.0**-decimals, _EQUAL), max(decimals, 0))
        for number, decimals in readings
    ]


# Configurations -----------------------------------------------------------------------------------


def make_configurations(
    cls: type[Metric], examples: Examples, missing: dict[str, None], every: bool = False
) -> list[Configuration]:
    """List every configuration once, under its likeliest variant; ``missing`` gets messages."""
    references: list[int] = []
    several = False
    if REFERENCES in cls.columns and examples.references is not None:
        sizes = [len(row) for row in examples.references]
        several = max(sizes) > 1
        references = [*range(min(sizes))] if several else []
    likeliest: dict[tuple[Any, ...], Configuration] = {}
    predictions = next(iter(examples.systems.values())).get("predictions", [])
    values_of = _option_values(cls, detect(predictions).script, every)
    for metric, with_one in _make_metrics(cls, missing, values_of):
        values = tuple(getattr(metric, name) for name in cls.option_names())
        best = getattr(metric, "multi_reference", "pooled") == "best"
        if best and not several:
            continue  # one reference is the best
        for reference in [None, *(references if with_one and not best else [])]:
            candidate = Configuration(metric, reference)
            known = likeliest.setdefault((values, reference), candidate)
            if candidate.plausibility < known.plausibility:
                likeliest[values, reference] = candidate
    return [*likeliest.values()]


def _often_unreported(cls: type[Metric]) -> set[str]:
    """Return the options that papers often leave unreported."""
    return {f.name for f in fields(cls) if f.metadata.get("often_unreported")}


def _make_metrics(
    cls: type[Metric], missing: dict[str, None], values_of: Mapping[str, Sequence[Any]]
) -> Iterator[tuple[Metric, bool]]:
    """Yield metrics with options, and whether each is also tried with single references."""
    often_unreported = _often_unreported(cls)
    for variant in cls.presets:
        usual = cls.default_options(variant)
        others = {
            name: [value for value in values if value != usual[name]]
            for name, values in values_of.items()
        }
        for options in _changes(others, often_unreported):
            try:
                metric = cls.preset(variant, **options)
            except InputError:  # options that exclude each other
                continue
            except ImportError as error:
                missing[str(error)] = None
                continue
            yield metric, options.keys() <= often_unreported or len(options) < MAX_CHANGES


def _changes(
    others: Mapping[str, Sequence[Any]], often_unreported: set[str]
) -> Iterator[dict[str, Any]]:
    """Yield options to change: any combination of often unreported options, and any two options."""
    for number in range(len(others) + 1):
        for names in itertools.combinations(others, number):
            if number <= MAX_CHANGES or often_unreported.issuperset(names):
                for values in itertools.product(*(others[name] for name in names)):
                    yield dict(zip(names, values, strict=True))


def _option_values(cls: type[Metric], script: str | None, every: bool) -> dict[str, list[Any]]:
    """Return option → values to try, without those of other scripts and `aligned`."""
    usual = cls.preset()
    values_of = {}
    for f in cls.option_fields():
        if aligned.only(cls, f) or (f.metadata["of_variants"] and not every):
            continue
        presets = [cls.default_options(variant)[f.name] for variant in cls.presets]
        declared = f.metadata["choices"] or f.metadata["suggestions"]
        suitable = [v for v in declared if v not in TOKENIZERS_FOR or script in TOKENIZERS_FOR[v]]
        values = [v for v in dict.fromkeys([*suitable, *presets]) if v != aligned.LEVEL]
        if any(_changes_signature(usual, f.name, value) for value in values):
            values_of[f.name] = values
    return values_of


def _changes_signature(usual: Metric, name: str, value: Any) -> bool:
    """Whether a value of an option changes the signature."""
    try:
        return type(usual).preset(**{name: value}).signature() != usual.signature()
    except (InputError, ImportError):
        return True  # only with other options, or not installed


# Scores -------------------------------------------------------------------------------------------


def compute_scores(
    configurations: Sequence[Configuration],
    examples: Examples,
    name: str,
    missing: dict[str, None],
) -> Iterator[tuple[float, Configuration]]:
    """Yield scores by configurations of one metric, NaN if there is none; likelier ones first.

    What several configurations share is computed once. ``missing`` gets messages.
    """

    def together(one: Configuration) -> Any:
        each = one.reference is not None and one.metric.independent_rows
        return "each" if each else one.reference

    for with_references in _group_by(configurations, together):
        references = [*dict.fromkeys(one.reference for one in with_references)]
        texts = _references_alone(examples, references)
        for with_sides in _group_by(with_references, lambda one: one.metric.cache_keys()[0]):
            prepared: list[tuple[slice, Any]] = []
            for members in _group_by(with_sides, lambda one: one.metric.cache_keys()):
                try:
                    rows = _compute_rows(members[0].metric, texts, prepared)
                except ImportError as error:
                    missing[str(error)] = None
                    yield from ((math.nan, member) for member in members)
                    continue
                parts = np.split(rows, len(references))
                totals = dict(zip(references, map(total, parts), strict=True))
                for member in members:
                    values = member.metric.reduce(totals[member.reference])
                    yield float(values.get(name, math.nan)), member  # not in all variants


def _compute_rows(metric: Metric, examples: Examples, prepared: list[tuple[slice, Any]]) -> Floats:
    """Compute statistics; ``prepared`` is for all metrics that prepare alike, at first empty."""
    own = next(iter(examples.systems.values()))
    prepared += [] if prepared else metric.prepare_slices(examples)
    return np.concatenate([metric.compute_slice(rows, side, own) for rows, side in prepared])


def _group_by(
    configurations: Iterable[Configuration], key: Callable[[Configuration], Any]
) -> list[list[Configuration]]:
    groups: dict[Any, list[Configuration]] = {}
    for configuration in configurations:
        groups.setdefault(key(configuration), []).append(configuration)
    return [*groups.values()]


def _references_alone(examples: Examples, numbers: Sequence[int | None]) -> Examples:
    """Return the examples with one of their references, below them with another, …; None is all."""
    alone = [number for number in numbers if number is not None]
    if not alone:
        return examples
    shared, *systems = (
        {name: rows * len(alone) for name, rows in columns.items()}
        for columns in (examples.shared, *examples.systems.values())
    )
    shared[REFERENCES.name] = [[row[i]] for i in alone for row in examples.references or []]
    return Examples(shared, dict(zip(examples.systems, systems, strict=True)))


def _group_by_score(
    scores: Iterable[tuple[float, Configuration]],
) -> list[tuple[float, list[Configuration]]]:
    """List (score, configurations that give it, the likeliest first)."""
    groups: list[tuple[float, list[Configuration]]] = []
    last = -math.inf
    for value, configuration in sorted(scores, key=lambda pair: pair[0]):
        if value - last > _EQUAL:
            groups.append((value, []))
        groups[-1][1].append(configuration)
        last = value
    for _, members in groups:
        members.sort(key=lambda member: member.plausibility)
    return groups


def _make_match(
    value: float,
    configurations: Sequence[Configuration],
    readings: Sequence[tuple[float, float, int]],
    examples: Examples,
) -> Match:
    """Compare a score with the printed one."""
    off = ratios(value, readings)
    printed, _, decimals = readings[off.index(min(off))]
    first, *others = configurations
    references = examples.references
    if first.reference is not None:
        references = [[row[first.reference]] for row in references or []]
    signature = first.metric.signature(references)
    return Match(first, value, printed, decimals, signature, tuple(others))


def ratios(value: float, readings: Sequence[tuple[float, float, int]]) -> list[float]:
    """Return the differences from readings of a printed score, in rounding units.

    It is 1 for a score that was cut instead of rounded.
    """
    found = []
    for number, half, _ in readings:
        ratio = max(abs(value - number) - _EQUAL, 0) / half
        cut = abs(value) >= abs(number) and abs(value - number) + _EQUAL < 2 * half
        found.append(min(ratio, 1) if cut else ratio)
    return found


# Texts --------------------------------------------------------------------------------------------

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


def _prepare(examples: Examples, change: Callable[[str], str]) -> Examples:
    """Change all texts."""

    def changed(value: Any) -> Any:
        return change(value) if isinstance(value, str) else [*map(changed, value)]

    shared, *systems = (
        {name: changed(rows) if name in COLUMNS else rows for name, rows in columns.items()}
        for columns in (examples.shared, *examples.systems.values())
    )
    return Examples(shared, dict(zip(examples.systems, systems, strict=True)))


def _hints(examples: Examples) -> list[str]:
    """List signs that the texts were processed before."""
    columns = {
        "sources": examples.sources,
        "predictions": next(iter(examples.systems.values())).get("predictions"),
        "references": [*itertools.chain.from_iterable(examples.references or [])],
    }
    hints = []
    lower = [name for name, texts in columns.items() if texts and "".join(texts).islower()]
    apart = [name for name, texts in columns.items() if texts and is_tokenised(texts)]
    for state, names in (("in lower case", lower), ("tokenised", apart)):
        if names:
            hints.append(f"The texts are {state} already: {', '.join(names)}.")
    return hints
