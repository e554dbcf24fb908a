"""Metrics by name, which are imported when they are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from textsimp.core.declarations import Declarations
from textsimp.metrics import notation
from textsimp.support import extensions
from textsimp.support.errors import InputError, check_choice, nearest, shown
from textsimp.text.languages import LANGUAGES

if TYPE_CHECKING:
    from textsimp.core.metric import Metric

__all__ = ["Metrics", "make_metrics", "metric_class", "names", "read"]

Metrics = str | Declarations | Sequence[Any]
"""One or more metrics, as `textsimp.score` takes them."""

METRICS = {
    "sari": "textsimp.metrics.sari:Sari",
    "d_sari": "textsimp.metrics.d_sari:DSari",
    "fkgl_components": "textsimp.metrics.fkgl_components:FkglComponents",
    "readability": "textsimp.metrics.readability:Readability",
    "edit_ops": "textsimp.metrics.edit_ops:EditOps",
    "simplification_stats": "textsimp.metrics.simplification_stats:SimplificationStats",
    "word_difficulty": "textsimp.metrics.word_difficulty:WordDifficulty",
    "f1_token": "textsimp.metrics.f1_token:F1Token",
    "word_transformations": "textsimp.metrics.word_transformations:WordTransformations",
    "split_f1": "textsimp.metrics.split_f1:SplitF1",
    "samsa": "textsimp.metrics.samsa:Samsa",
    "information_errors": "textsimp.metrics.information_errors:InformationErrors",
    "lexical_substitution": "textsimp.metrics.lexical_substitution:LexicalSubstitution",
}

WITHOUT_MODULE = {  # which evaluate has of its own
    "bleu": "textsimp.metrics.bleu:Bleu",
    "chrf": "textsimp.metrics.chrf:Chrf",
    "rouge": "textsimp.metrics.rouge:Rouge",
    "ter": "textsimp.metrics.ter:Ter",
}

OF_COLUMNS = {"column": "textsimp.metrics.column:ColumnMeans"}
"""Metrics of columns, which the user names."""

ALIASES = {"fkgl": ("fkgl_components", "easse")}
"""EASSE's name → the metric and the variant that it means."""

_ADDED: dict[str, type[Metric]] = {}  # by `mean_metric`


def names() -> list[str]:
    """Return the names of the core's metrics that need no name of a column."""
    return [*METRICS, *WITHOUT_MODULE]


def all_names() -> list[str]:
    """Return the names of all metrics of textsimp, those of its extensions included."""
    declared = extensions.declarations("metrics")
    extra = [name for name, metric in declared.items() if metric.package == "textsimp"]
    return [*names(), *extra, *OF_COLUMNS]


def classes(name: str = "") -> dict[str, str]:
    """Return class → its module, of metrics; without extensions' if the core has this class."""
    places = [*METRICS.values(), *WITHOUT_MODULE.values(), *OF_COLUMNS.values()]
    if not any(place.endswith(f":{name}") for place in places):
        declared = extensions.declarations("metrics").values()
        places += [metric.value for metric in declared if metric.package == "textsimp"]
    return {place.partition(":")[2]: place.partition(":")[0] for place in places}


def other_names() -> list[str]:
    """Return the names of users' metrics, see `mean_metric`, and of other packages' metrics."""
    names = dict.fromkeys([*_ADDED, *extensions.declarations("metrics")])
    return [name for name in names if name not in all_names()]


def add(metric: Metric) -> None:
    """Let a metric of the user's own be found by its name."""
    if metric.name in (*all_names(), *ALIASES):
        raise InputError(f"name: expected another one, {metric.name!r} is a metric of textsimp")
    _ADDED[metric.name] = type(metric)


def metric_class(name: str) -> type[Metric]:
    """Return the class of a metric; case and hyphens of the name don't matter.

    Metrics of the core come before those of users, of textsimp's extensions and of other packages.
    """
    key = notation.normalize_name(name) if isinstance(name, str) else ""
    key, _ = ALIASES.get(key, (key, ""))
    core = METRICS | WITHOUT_MODULE | OF_COLUMNS
    metric: Any = _ADDED.get(key)
    if key in core:
        metric = extensions.import_place(core[key], "textsimp")
    elif metric is None:
        metric = extensions.load("metrics", key)
    if metric is None:
        legal = [*all_names(), *other_names()]
        raise InputError(
            f"unknown metric {name!r}{nearest(name, legal)}: expected one of {', '.join(legal)}"
        )
    cls: type[Metric] = metric if isinstance(metric, type) else type(metric)
    return cls


def alias_options(name: str) -> dict[str, Any]:
    """Return the options that an alias sets: none for other names."""
    return {"variant": ALIASES[name][1]} if name in ALIASES else {}


def language_options(metric: type[Metric], code: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that fit a metric to a language; the defaults are for English."""
    if metric.accepts("language", code, options):
        return {"language": code}
    fitting = ("tokenizer", "splitter", "syllables")
    names = [name for name in fitting if metric.accepts(name, None, options)]
    if not names or code == "en":
        return {}
    check_choice("language", code, [*LANGUAGES])
    values = {name: getattr(LANGUAGES[code], name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def _check_language(name: str, code: str, argument: str) -> None:
    """Refuse EASSE's FKGL, a formula for English, in another language."""
    if name in ALIASES and code != "en":
        raise InputError(
            f"{argument}: {name} is a formula for English, got the language {code!r}: take "
            "readability"
        )


@dataclass
class Choice:
    """A metric that was chosen, before options of several metrics are added to its own.

    Attributes:
        name: Its name or alias.
        cls: Its class.
        options: Its own options.
        score: The score that was named, or "".
        metric: The metric, if it was given with all its options, as an object or a signature.
    """

    name: str
    cls: type[Metric]
    options: dict[str, Any] = field(default_factory=dict)
    score: str = ""
    metric: Metric | None = None

    def make(self, argument: str, language: str | None = None) -> Metric:
        """Return the metric; options that a language sets are those that it doesn't have."""
        if self.metric is not None:
            if language is not None:
                raise _no_name(argument, f"{self.metric}, which has its own")
            return self.metric
        options = alias_options(self.name) | self.options
        if language is not None:
            _check_language(self.name, language, argument)
            options = language_options(self.cls, language, options) | options
        return self.cls.preset(**options)

    def label(self, argument: str) -> str:
        """Return the notation of the metric, with the score that was named."""
        name = str(self.make(argument))
        return score_label(name, self.score) if self.score else name


def _no_name(argument: str, got: str) -> InputError:
    expected = "expected the name of a metric that options are given for"
    return InputError(f"{argument}: {expected}, got {got}")


def metric(text: str) -> Metric:
    """Return the metric that a text names, in the notation that ``str(metric)`` writes.

    Args:
        text: A name with options, such as ``"sari(xu, tokenizer=intl)"`` or, in the form for
            shells, ``"sari:xu:tokenizer=intl"``; or a signature, such as
            ``"sari|variant:xu|tok:none|case:lc|refs:8|v:0.1.0"``. The first value may lack its
            option: it is a variant, a model of ``lens(…)`` and others, a column of ``column(…)``.

    Warns:
        ScriptWarning: A signature has other versions. If it has another number of references than
            the examples, scores warn.

    Example:
        >>> import textsimp
        >>> textsimp.metric("SARI:xu:tokenizer=intl")
        textsimp.metric('sari(xu, tokenizer=intl)')
        >>> textsimp.metric("sari(xu)") == textsimp.Sari("xu")
        True
    """
    if not isinstance(text, str):
        raise InputError(f"metric: expected a text, got {shown(text)}")
    choices = read(text, "metric")
    if len(choices) != 1 or choices[0].score:
        raise InputError(f"metric: expected one metric, without .SCORE, got {text!r}")
    return choices[0].make("metric")


def read(metrics: Any, argument: str) -> list[Choice]:
    """Return the metrics that texts, `Metric` objects or lists of these name.

    Messages begin with ``argument``.
    """
    if isinstance(metrics, Choice):
        return [metrics]
    if isinstance(metrics, Declarations):
        metric = cast("Metric", metrics)
        return [Choice(metric.name, type(metric), metric=metric)]
    if isinstance(metrics, str):
        return [_choose(written, argument) for written in notation.parse(metrics, argument)]
    if not isinstance(metrics, (list, tuple)):
        raise InputError(
            f"{argument}: expected metrics, as in 'sari(xu), bleu', or a list, got {metrics!r}"
        )
    return [choice for one in metrics for choice in read(one, argument)]


def _choose(written: notation.Written, argument: str) -> Choice:
    cls = metric_class(written.name)
    if written.arguments is None:
        return Choice(written.name, cls, metric=notation.read_signature(cls, written.text))
    options, score = notation.read_options(cls, written)
    keys = [score.key for score in cls.scores]
    if score and score not in keys:
        raise InputError(
            f"{argument}: {cls.name} has no score {score!r}{nearest(score, keys)}: expected one of "
            f"{', '.join(keys)}"
        )
    return Choice(written.name, cls, options, score)


def add_options(
    choices: Sequence[Choice], options: Mapping[str, Any], argument: str, *, written: bool = False
) -> None:
    """Add each option to the metrics that have it and don't set it themselves.

    A single metric gets all, so that its messages tell what is wrong. ``written`` values are text.
    """
    open_ = [choice for choice in choices if choice.metric is None]
    if options and choices and not open_:
        raise _no_name(argument, f"{choices[0].metric}, which has its own")
    # The level decides which others a metric has.
    for option, value in sorted(options.items(), key=lambda item: item[0] != "level"):
        taken, names = False, ", ".join(choice.name for choice in choices)
        reason = f"none of {names} has this option or value: {option}={value}"
        for choice in open_:
            own = notation.read_value(choice.cls, option, value) if written else value
            if option in choice.options:
                reason = f"{choice.name} sets {option} itself: leave out one"
            elif len(choices) == 1 or choice.cls.accepts(option, own, choice.options):
                choice.options[option], taken = own, True
        if not taken:
            raise InputError(f"{argument}: {reason}")


def make_metrics(
    metrics: Any,
    argument: str,
    options: Mapping[str, Any] | None = None,
    language: str | None = None,
) -> dict[str, Metric]:
    """Return metrics by name; by their notation, if several have one name.

    Metrics given by name have ``options``, see `add_options`, and those of ``language``, unless
    their own.
    """
    choices = read(metrics, argument)
    if not choices:
        raise InputError(f"{argument}: expected one of {', '.join(all_names())}, got none")
    add_options(choices, options or {}, argument)
    result: dict[str, Metric] = {}
    names = Counter(choice.name for choice in choices)
    for choice in choices:
        if choice.score:
            raise InputError(
                f"{argument}: expected metrics, got a score of one: leave out .{choice.score}"
            )
        metric = choice.make(argument, language)
        if metric in result.values():
            raise InputError(f"{argument}: expected different metrics, got {metric} twice")
        result[choice.name if names[choice.name] == 1 else str(metric)] = metric
    return result


def labels(scores: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]]:
    """Return metric → score → its name, in the metric's notation if several metrics have it."""
    scores = {metric: list(names) for metric, names in scores.items()}
    times = Counter(name for names in scores.values() for name in names)
    return {
        metric: {name: score_label(metric, name) if times[name] > 1 else name for name in names}
        for metric, names in scores.items()
    }


def score_label(metric: str, score: str) -> str:
    """Return a score in the notation: ``sari(xu).keep``, and ``sari(xu)`` for ``sari``."""
    return metric if metric.partition("(")[0] == score else f"{metric}.{score}"
