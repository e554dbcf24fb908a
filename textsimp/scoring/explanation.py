"""Find the configurations of metrics that give a printed score."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from textsimp.core import examples, tables
from textsimp.core.declarations import REFERENCES, Score
from textsimp.core.examples import ONE, Examples
from textsimp.core.metric import Metric
from textsimp.core.sums import total
from textsimp.core.tables import Grid, Tabular
from textsimp.metrics import aligned, catalogue
from textsimp.support.errors import InputError, nearest
from textsimp.text.languages import TOKENIZERS_FOR, sample
from textsimp.text.memory import remembering

MAX_MATCHES = 10  # matches in a table
MAX_NEAREST = 5  # where there is none
MAX_CHANGES = 2  # to a variant, beyond those that papers leave unsaid
_EQUAL = 1e-9  # up to which scores are one and the same
_NEAR = 100  # times the rounding: where scores are counted, to tell how many match by chance

MINUS = "\N{MINUS SIGN}"  # as papers print it
_PRINTED = re.compile(r"[+-]?(\d+\.?(\d*)|\.(\d+))", re.ASCII)


@dataclass(frozen=True)
class Form:
    """A configured metric, and the references that it uses.

    Attributes:
        metric: The metric.
        reference: The only one that is used of each example, counted from 0; None for all.
    """

    metric: Metric
    reference: int | None = None

    @cached_property
    def options(self) -> dict[str, Any]:
        """The variant, unless it is the default, and what differs from it: option → value."""
        variant, default = self.metric.variant, next(iter(self.metric.presets))
        return ({} if variant == default else {"variant": variant}) | self.metric.changed()

    @property
    def changes(self) -> int:
        """The number of differences from the default."""
        return len(self.options) + (self.reference is not None)

    @property
    def simplicity(self) -> tuple[int, int]:
        """Sorts forms, the simplest first: by changes, and a variant before an option."""
        return self.changes, self.changes - ("variant" in self.options)

    def __str__(self) -> str:
        parts = [f"{name}={value}" for name, value in self.options.items()]
        if self.reference is not None:
            parts.append(f"reference {self.reference + 1} only")
        return ", ".join(parts) or "the default"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; ``reference`` is counted from 1."""
        return {
            "metric": self.metric.name,
            "options": self.options,
            "reference": None if self.reference is None else self.reference + 1,
        }


@dataclass(frozen=True)
class Match:
    """A score, and the configurations of a metric that give it.

    Attributes:
        form: The simplest of them: it differs from the default in the fewest ways, and in its
            variant rather than in an option.
        value: What it scores.
        printed: The number that was given, in units of the score: 40.13 of a printed 0.4013, too.
        places: Its decimals, in the same units.
        signature: What exactly was computed.
        also: The other forms that score the same.
    """

    form: Form
    value: float
    printed: float
    places: int
    signature: str
    also: tuple[Form, ...]

    @property
    def off(self) -> float:
        """The difference from the printed score."""
        return self.value - self.printed

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            **self.form.to_dict(),
            "value": self.value,
            "off": self.off,
            "signature": self.signature,
            "also": [form.to_dict() for form in self.also],
        }


@dataclass(frozen=True, eq=False)
class Explanation(Tabular):
    """The configurations of metrics that give a printed score.

    Attributes:
        score: The score, as it was given.
        matches: Those that round to it, the simplest first, and the nearest of equally simple ones.
        nearest: If none does, the few that come nearest, nearest first.
        tried: How many forms were computed.
        notes: What was left out, and what to beware of.
    """

    score: str
    matches: Sequence[Match]
    nearest: Sequence[Match]
    tried: int
    notes: Sequence[str]

    def __str__(self) -> str:
        """The result in a line."""
        if not self.matches:
            return f"None of {self.tried:,} forms tried gives {self.score}; nearest first"
        number = sum(1 + len(match.also) for match in self.matches)
        verb = "give" if number > 1 else "gives"
        return f"{number:,} of {self.tried:,} forms tried {verb} {self.score}; simplest first"

    def shown(self) -> list[Match]:
        """The simplest matches, or the nearest scores."""
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
        """A row per score: the form, what it scores, and how far that is from what was printed."""
        rows = []
        for match in self.shown():
            places = match.places + 2  # or every match would look alike
            numbers = [
                tables.number(match.value, places),
                tables.number(match.off, places, sign=True),
            ]
            rows.append([f"{match.form.metric.name}: {match.form}", *numbers])
        signatures = [match.signature for match in self.shown()]
        return Grid(["what differs from the default", "score", "off by"], rows, signatures)


def explain(
    score: str | float,
    *,
    sources: Any = None,
    predictions: Any = None,
    references: Any = None,
    metrics: str | Sequence[str] | None = None,
    component: str | None = None,
    **columns: Any,
) -> Explanation:
    """Find the forms of metrics that give a printed score.

    Every variant is tried with all values of the options that papers tend to leave unsaid (those
    that are declared so: tokenizer, case, deletions, …), and with any two changes of its options;
    with all references, and with each alone. Level ``aligned`` isn't tried.

    Args:
        score: As it was printed: `"40.10"` has two decimals, and is matched by what rounds to it
            in whatever way. A number has those that it shows. Of scores from 0 to 100 also a share
            (`"0.401"`), of scores from 0 to 1 also percent.
        sources: The original texts.
        predictions: The simplifications that were scored.
        references: One or more reference simplifications per source.
        metrics: Names of metrics; unless given, all that may rank systems, aren't slow, and that
            the columns suffice for.
        component: Another score of the metrics than the main one, such as `"keep"`.
        **columns: Others that metrics read.

    Returns:
        The forms that match, or else the nearest ones; it turns into tables.

    Raises:
        InputError: No number, unknown metrics, or see `textsimp.core.examples.check`.

    Example:
        >>> import textsimp
        >>> found = textsimp.explain(
        ...     "46.57",
        ...     sources=["A feline sat on it."],
        ...     predictions=["A cat sat on it."],
        ...     references=["A cat sat."],
        ... )
        >>> str(found.matches[0].form), round(found.matches[0].value, 4)
        ('the default', 46.5675)
    """
    printed_in(score, Score("", "", ""))  # a bad one is told before bad columns
    given = {"sources": sources, "predictions": predictions, "references": references, **columns}
    given = {name: rows for name, rows in given.items() if rows is not None}
    classes = choose_metrics(metrics, given, component)
    own = {column.name for cls in classes for column in cls.columns if column.own}
    checked = examples.check(
        classes,
        {ONE: {name: rows for name, rows in given.items() if name in own}},
        {name: rows for name, rows in given.items() if name not in own},
    )
    return explain_examples(score, classes, checked, component)


def choose_metrics(
    metrics: str | Sequence[str] | None, given: Iterable[str], component: str | None = None
) -> list[type[Metric]]:
    """Choose the named metrics; without names, all usual ones that the columns suffice for.

    Raises:
        InputError: An unknown metric, none, or none that has the component.
    """
    given = set(given)
    if metrics is not None:
        names = [metrics] if isinstance(metrics, str) else metrics
        if not isinstance(names, (list, tuple)) or not names:
            raise InputError(f"metrics: expected names of metrics, got {metrics!r}")
        classes = [*dict.fromkeys(map(catalogue.metric_class, names))]
    else:
        usual = [cls for cls in map(catalogue.metric_class, catalogue.names()) if _is_usual(cls)]
        needs = {cls: [c.name for c in cls.columns if c.required] for cls in usual}
        classes = [cls for cls in usual if given.issuperset(needs[cls])]
        if not classes:
            missing = min(
                ([name for name in needs[cls] if name not in given] for cls in usual), key=len
            )
            raise InputError(
                f"{missing[0]}: no metric that ranks systems can do without; expected this "
                "column, or metrics by their names"
            )
    with_it = [cls for cls in classes if component is None or component in _components(cls)]
    if with_it and (metrics is None or len(with_it) == len(classes)):
        return with_it
    known = [*dict.fromkeys(name for cls in classes for name in _components(cls))]
    lacks = [cls.name for cls in classes if cls not in with_it]
    raise InputError(
        f"component: expected a score of {', '.join(lacks)}, such as {', '.join(known)}; "
        f"got {component!r}{nearest(component, known)}"
    )


def _others(
    classes: Sequence[type[Metric]], examples: Examples, component: str | None
) -> list[str]:
    """List metrics that are only tried if named; none if the user named others."""
    given = {*examples.shared, *next(iter(examples.systems.values()))}
    others = [
        cls
        for cls in map(catalogue.metric_class, catalogue.names())
        if cls not in classes
        and given.issuperset(column.name for column in cls.columns if column.required)
        and (component is None or component in _components(cls))
    ]
    return [] if any(map(_is_usual, others)) else [cls.name for cls in others]


def _is_usual(cls: type[Metric]) -> bool:
    """Whether a metric is tried unless others are named."""
    return cls.ranks() and not cls.slow


def _components(cls: type[Metric]) -> list[str]:
    """The scores of predictions that are one number."""
    reported = [cls.side_of(name) for name in cls.preset().reported()]
    return [key for side, key in reported if side == "predictions" and not _score(cls, key).many]


def _score(cls: type[Metric], component: str | None) -> Score:
    return cls.scores[0] if component is None else cls.score_named(component)


def explain_examples(
    score: str | float,
    classes: Sequence[type[Metric]],
    examples: Examples,
    component: str | None = None,
) -> Explanation:
    """Do what `explain` does, for checked examples with one system."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    lacking: dict[str, None] = {}
    forms = {cls: list(_forms(cls, examples, lacking)) for cls in classes}
    total, tried = sum(map(len, forms.values())), 0
    candidates: list[tuple[float, Match]] = []
    with remembering(), tqdm(desc="Forms", total=total, disable=None, leave=False) as progress:
        for cls, of_metric in forms.items():
            declared = _score(cls, component)
            values = _values(of_metric, examples, declared.key, lacking, progress.update)
            tried += len(values)
            readings = printed_in(score, declared)
            for value, equal in _group_by_score(values):
                candidates.append(_make_match(value, equal, readings, examples))
    matches = [it for ratio, it in candidates if ratio <= 1]
    matches.sort(key=lambda it: (it.form.simplicity, abs(it.off)))
    candidates.sort(key=lambda it: (it[0], it[1].form.simplicity))
    within = max(
        1, min(_NEAR, max((ratio for ratio, _ in candidates), default=1))
    )  # beyond is none
    near = sum(ratio <= within for ratio, _ in candidates) / within
    notes = [f"Some forms are left out. {why}" for why in lacking]
    if matches and near >= 0.1:
        notes.append(
            f"So close lie the scores hereabouts that about {near:.1f} match by chance: the "
            "simpler an explanation is, the likelier."
        )
    nearest = [] if matches else [it for _, it in candidates[:MAX_NEAREST]]
    others = [] if matches else _others(classes, examples, component)
    if others:
        listed = ", ".join(others)
        notes.append(f"Tried only if named, as they rank no systems or are slow: {listed}.")
    return Explanation(str(score), matches, nearest, tried, [*notes, *_hints(examples)])


def printed_in(score: Any, declared: Score) -> list[tuple[float, float, int]]:
    """Read a printed score: list (number, half a unit of its last digit, decimals).

    >>> printed_in("40.1", Score("", "", ""))
    [(40.1, 0.05, 1)]

    Raises:
        InputError: It isn't a number.
    """
    number = isinstance(score, (int, float)) and not isinstance(score, bool)
    text = str(score).strip() if number or isinstance(score, str) else ""
    text = text.replace(MINUS, "-")
    digits = _PRINTED.fullmatch(text)
    if digits is None or not math.isfinite(float(text)):
        raise InputError(
            f"score: expected a number as it was printed, such as 40.13; got {score!r}"
        )
    value, places = float(text), len(digits[2] or digits[3] or "")
    readings = [(value, places)]
    if declared.most == 100 and 0 <= value <= 1 and places:  # a share of it
        readings.append((100 * value, places - 2))
    if declared.most == 1 and value > 1:  # percent of it
        readings.append((value / 100, places + 2))
    return [
        (number, max(0.5 * 10.0**-decimals, _EQUAL), max(decimals, 0))
        for number, decimals in readings
    ]


# Forms --------------------------------------------------------------------------------------------


def _forms(cls: type[Metric], examples: Examples, lacking: dict[str, None]) -> Iterator[Form]:
    """Yield every configuration once, in the terms of the variant that makes it simplest.

    What isn't installed, though a form needs it, is added to ``lacking``.
    """
    alone: list[int] = []
    if REFERENCES in cls.columns and examples.references is not None:  # without it, no such score
        sizes = [len(row) for row in examples.references]
        alone = [*range(min(sizes))] if max(sizes) > 1 else []
    simplest: dict[tuple[Any, ...], Form] = {}
    for metric, with_one in _metrics(cls, lacking, _script(examples)):
        values = tuple(getattr(metric, name) for name in cls.option_names())
        for reference in [None, *(alone if with_one else [])]:
            form = Form(metric, reference)
            known = simplest.setdefault((values, reference), form)
            if form.simplicity < known.simplicity:
                simplest[values, reference] = form
    yield from simplest.values()


def _metrics(
    cls: type[Metric], lacking: dict[str, None], script: str | None = None
) -> Iterator[tuple[Metric, bool]]:
    """Yield configured metrics, and whether each is also tried with single references."""
    tried = _option_values(cls, script)
    unsaid = {f.name for f in fields(cls) if f.metadata.get("unsaid")}
    for variant in cls.presets:
        others = {
            name: [value for value in values if value != cls.usual(variant)[name]]
            for name, values in tried.items()
        }
        for options in _changes(others, unsaid):
            try:
                metric = cls.preset(variant, **options)
            except InputError:  # not together
                continue
            except ImportError as error:
                lacking[str(error)] = None
                continue
            yield metric, options.keys() <= unsaid or len(options) < MAX_CHANGES


def _script(examples: Examples) -> str | None:
    """The script of the predictions, if there are any."""
    return sample(next(iter(examples.systems.values())).get("predictions", [])).script


def _changes(others: Mapping[str, Sequence[Any]], unsaid: set[str]) -> Iterator[dict[str, Any]]:
    """Yield options to change: any combination of unsaid ones, and any two."""
    for number in range(len(others) + 1):
        for names in itertools.combinations(others, number):
            if number <= MAX_CHANGES or unsaid.issuperset(names):
                for values in itertools.product(*(others[name] for name in names)):
                    yield dict(zip(names, values, strict=True))


def _option_values(cls: type[Metric], script: str | None = None) -> dict[str, list[Any]]:
    """Return option → declared values, for options that appear in signatures.

    Tokenizers for other scripts are left out.
    """
    usual = cls.preset()
    values_of = {}
    for f in cls.declared():
        if aligned.only(cls, f):  # takes long, and a score of textsimp's has its signature
            continue
        presets = [cls.usual(variant)[f.name] for variant in cls.presets]
        declared = f.metadata["choices"] or f.metadata["suggestions"]
        fitting = [v for v in declared if v not in TOKENIZERS_FOR or script in TOKENIZERS_FOR[v]]
        values = [v for v in dict.fromkeys([*fitting, *presets]) if v != aligned.LEVEL]
        if any(_changes_signature(usual, f.name, value) for value in values):
            values_of[f.name] = values
    return values_of


def _changes_signature(usual: Metric, name: str, value: Any) -> bool:
    """Whether a value of an option changes the signature."""
    try:
        return type(usual).preset(**{name: value}).signature() != usual.signature()
    except (InputError, ImportError):
        return True  # not by itself, or not here


# Their scores -------------------------------------------------------------------------------------


def _values(
    forms: Sequence[Form],
    examples: Examples,
    name: str,
    lacking: dict[str, None],
    done: Callable[[int], object],
) -> list[tuple[float, Form]]:
    """Compute the scores of configurations, with shared steps done once.

    Args:
        forms: Of one metric.
        examples: With one system.
        name: The score.
        lacking: What isn't installed, though a form needs it, is added to it.
        done: Is told how many forms more are done.
    """
    own = next(iter(examples.systems.values()))
    values = []
    for reference, alike in _group_by(forms, lambda form: form.reference):
        given = examples if reference is None else _with_reference(examples, reference)
        for _, prepared_alike in _group_by(alike, lambda form: form.metric.shares()[0]):
            prepared: list[tuple[slice, Any]] = []
            for _, counted_alike in _group_by(prepared_alike, lambda form: form.metric.shares()):
                metric = counted_alike[0].metric
                try:
                    prepared = prepared or list(metric.prepared(given))
                    rows = [metric.statistics_in(rows, made, own) for rows, made in prepared]
                except ImportError as error:
                    lacking[str(error)] = None
                    done(len(counted_alike))
                    continue
                totals = total(np.concatenate(rows))
                for form in counted_alike:
                    value = float(form.metric.reduce(totals)[name])
                    if math.isfinite(value):
                        values.append((value, form))
                done(len(counted_alike))
    return values


def _group_by(forms: Iterable[Form], key: Callable[[Form], Any]) -> list[tuple[Any, list[Form]]]:
    groups: dict[Any, list[Form]] = {}
    for form in forms:
        groups.setdefault(key(form), []).append(form)
    return [*groups.items()]


def _with_reference(examples: Examples, reference: int) -> Examples:
    """The examples with one of their references."""
    rows = [[row[reference]] for row in examples.references or []]
    return Examples({**examples.shared, REFERENCES.name: rows}, examples.systems)


def _group_by_score(values: Iterable[tuple[float, Form]]) -> Iterator[tuple[float, list[Form]]]:
    """Yield (score, configurations that give it, the simplest first)."""
    groups: list[tuple[float, list[Form]]] = []
    last = -math.inf
    for value, form in sorted(values, key=lambda pair: pair[0]):
        if value - last > _EQUAL:
            groups.append((value, []))
        groups[-1][1].append(form)
        last = value
    for value, forms in groups:
        yield value, sorted(forms, key=lambda form: form.simplicity)


def _make_match(
    value: float,
    forms: Sequence[Form],
    readings: Sequence[tuple[float, float, int]],
    examples: Examples,
) -> tuple[float, Match]:
    """Compare a score with the printed one; also return the difference in rounding units."""
    ratios = [max(abs(value - number) - _EQUAL, 0) / half for number, half, _ in readings]
    best = min(range(len(readings)), key=ratios.__getitem__)
    printed, _, places = readings[best]
    form, *also = forms
    given = examples if form.reference is None else _with_reference(examples, form.reference)
    signature = form.metric.signature(given.references)
    return ratios[best], Match(form, value, printed, places, signature, tuple(also))


# Texts --------------------------------------------------------------------------------------------


def _hints(examples: Examples) -> list[str]:
    """List visible signs of earlier processing of the texts."""
    columns = {
        "sources": examples.sources,
        "predictions": next(iter(examples.systems.values())).get("predictions"),
        "references": [*itertools.chain.from_iterable(examples.references or [])],
    }
    given = {name: texts for name, texts in columns.items() if texts}
    hints = []
    for seen, check in (("in lower case", _is_lowercase), ("tokenised", _is_tokenised)):
        names = [name for name, texts in given.items() if check(texts)]
        if names:
            hints.append(f"The texts are {seen} already: {', '.join(names)}.")
    return hints


def _is_lowercase(texts: Sequence[str]) -> bool:
    return any(map(str.strip, texts)) and all(text == text.lower() for text in texts)


def _is_tokenised(texts: Sequence[str]) -> bool:
    """Whether at least 95 % of the final stops have a space before them."""
    ends = [text.rstrip()[-2:] for text in texts if text.rstrip().endswith((".", "!", "?"))]
    apart = sum(end[:1].isspace() for end in ends)
    return bool(ends) and 20 * apart >= 19 * len(ends)
