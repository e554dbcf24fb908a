"""Metrics by name, which are imported when they are used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from textsimp.core.declarations import Declarations
from textsimp.metrics import notation
from textsimp.metrics.notation import Choice, score_label
from textsimp.support import extensions
from textsimp.support.errors import InputError, check_choice, nearest, shown
from textsimp.support.imports import import_place
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

WITHOUT_MODULE = {  # evaluate has modules for these
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
    """Return the names of the core's metrics, except for those of columns that the user names."""
    return [*METRICS, *WITHOUT_MODULE]


def all_names() -> list[str]:
    """Return the names of all metrics of textsimp, those of its extensions included."""
    return [*names(), *_metrics_of_extensions(), *OF_COLUMNS]


def _metrics_of_extensions() -> dict[str, str]:
    """Return name → place of the metrics of textsimp's extensions."""
    declared = extensions.declarations("metrics")
    return {name: place.value for name, place in declared.items() if place.package == "textsimp"}


def classes_of_extensions() -> dict[str, str]:
    """Return class → its module, of the metrics of textsimp's extensions."""
    places = [place.partition(":") for place in _metrics_of_extensions().values()]
    return {name: module for module, _, name in places}


def other_names() -> list[str]:
    """Return the names of users' metrics, see `mean_metric`, and of other packages' metrics."""
    names = dict.fromkeys([*_ADDED, *extensions.declarations("metrics")])
    return [name for name in names if name not in all_names()]


def add(metric: Metric) -> None:
    """Register a metric of the user, which its name then finds."""
    if metric.name in (*all_names(), *ALIASES):
        raise InputError(f"name: expected another name, {metric.name!r} is a metric of textsimp")
    _ADDED[metric.name] = type(metric)


def metric_class(name: str) -> type[Metric]:
    """Return the class of a metric; case and hyphens of the name don't matter.

    Metrics of the core come before those of users, of textsimp's extensions and of other packages.
    """
    key = notation.normalize_name(name) if isinstance(name, str) else ""
    key, _ = ALIASES.get(key, (key, ""))
    core = METRICS | WITHOUT_MODULE | OF_COLUMNS
    metric: Any
    if key in core:
        metric = import_place(core[key], "textsimp")
    else:
        metric = _ADDED.get(key) or extensions.load("metrics", key)
    if metric is None:
        legal = [*all_names(), *other_names()]
        reasons = "".join(f"; {reason}" for reason in extensions.broken())
        raise InputError(
            f"unknown metric {name!r}{nearest(name, legal)}: expected one of {', '.join(legal)}"
            f"{reasons}"
        )
    cls: type[Metric] = metric if isinstance(metric, type) else type(metric)
    return cls


def alias_options(name: str) -> dict[str, Any]:
    """Return the options that an alias sets: none for other names."""
    return {"variant": ALIASES[name][1]} if name in ALIASES else {}


def _set_language(choice: Choice, code: str, argument: str) -> None:
    """Add the options that fit a language, unless the metric has them already.

    The defaults are for English.
    """
    if choice.metric is not None:
        raise _no_name(choice, argument)
    if choice.name in ALIASES and code != "en":
        raise InputError(
            f"{argument}: {choice.name} is a formula for English, got the language {code!r}: take "
            "readability"
        )
    given = choice.defaults | choice.options
    fitting = ("tokenizer", "splitter", "syllables")
    names = [name for name in fitting if choice.cls.accepts(name, None, given)]
    values: dict[str, Any] = {}
    if choice.cls.accepts("language", code, given):
        values = {"language": code}
    elif names and code != "en":
        check_choice("language", code, [*LANGUAGES])
        values = {name: getattr(LANGUAGES[code], name) for name in names}
    own = {name: value for name, value in values.items() if value is not None}
    choice.options = own | choice.options


def _no_name(choice: Choice, argument: str) -> InputError:
    return InputError(
        f"{argument}: expected the name of a metric to set options of, got "
        f"{choice.metric}, whose options are set"
    )


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
    return choices[0].make()


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
        choices = notation.parse(metrics, argument, metric_class)
        for choice in choices:
            choice.defaults = alias_options(choice.name)
        return choices
    if not isinstance(metrics, (list, tuple)):
        raise InputError(
            f"{argument}: expected metrics, as in 'sari(xu), bleu', or a list, got {metrics!r}"
        )
    return [choice for metric in metrics for choice in read(metric, argument)]


def add_options(
    choices: Sequence[Choice], options: Mapping[str, Any], argument: str, *, written: bool = False
) -> None:
    """Add each option to the metrics that have it and don't set it themselves.

    A single metric gets all, so that its messages tell what is wrong. ``written`` values are text.
    """
    named = [choice for choice in choices if choice.metric is None]
    if choices and not named:
        raise _no_name(choices[0], argument)
    # The level decides which others a metric has.
    for option, value in sorted(options.items(), key=lambda item: item[0] != "level"):
        names = ", ".join(choice.name for choice in choices)
        reason = f"none of {names} has this option or value: {option}={value}"
        taken = False
        for choice in named:
            parsed = notation.read_value(choice.cls, option, value) if written else value
            if option in choice.options:
                reason = f"{choice.name} sets {option} itself: leave out one"
            elif len(choices) == 1 or choice.cls.accepts(option, parsed, choice.options):
                choice.options[option], taken = parsed, True
        if not taken:
            raise InputError(f"{argument}: {reason}")


def make_metrics(
    metrics: Any,
    argument: str,
    options: Mapping[str, Any] | None = None,
    language: str | None = None,
) -> dict[str, Metric]:
    """Return metrics by name; by their notation, if several have one name.

    Metrics that are named get ``options``, see `add_options`, and those of ``language``, unless
    they set them themselves.
    """
    choices = read(metrics, argument)
    if not choices:
        raise InputError(f"{argument}: expected one of {', '.join(all_names())}, got none")
    if options:
        add_options(choices, options, argument)
    result: dict[str, Metric] = {}
    names = Counter(choice.name for choice in choices)
    for choice in choices:
        if choice.score:
            raise InputError(
                f"{argument}: expected metrics, got a score of one: leave out .{choice.score}"
            )
        if language is not None:
            _set_language(choice, language, argument)
        metric = choice.make()
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
