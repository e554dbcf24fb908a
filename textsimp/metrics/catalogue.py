"""Metrics by name, which are imported when they are used."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from textsimp.core.metric import Metric
from textsimp.support.errors import InputError, check_choice, nearest
from textsimp.text.languages import LANGUAGES

Metrics = str | Metric | Sequence[str | Metric] | Mapping[str, Mapping[str, Any]]
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

WITHOUT_MODULE = {"bleu": "textsimp.metrics.bleu:Bleu"}  # evaluate has sacrebleu's own

WITH_MODEL = {
    "bertscore": "textsimp.metrics.bertscore:BertScore",
    "embedding_similarity": "textsimp.metrics.embedding_similarity:EmbeddingSimilarity",
    "level": "textsimp.metrics.level:Level",
    "regression": "textsimp.metrics.regression:Regression",
    "lens": "textsimp.metrics.lens:Lens",
    "entailment": "textsimp.metrics.entailment:Entailment",
}
"""Metrics that need a pretrained model, which the user names."""

OF_COLUMNS = {"column": "textsimp.metrics.column:ColumnMeans"}
"""Metrics of columns, which the user names."""


ALIASES = {"fkgl": ("fkgl_components", "easse")}
"""EASSE's name → the metric and the variant that it means."""


def names() -> list[str]:
    """Return the names of all metrics that can do without a name of a model or a column."""
    return [*METRICS, *WITHOUT_MODULE]


def all_names() -> list[str]:
    """Return the names of all metrics."""
    return [*names(), *WITH_MODEL, *OF_COLUMNS]


def normalize_name(name: str) -> str:
    """Return a metric's name in the catalogue's spelling, from ``SARI`` or ``D-SARI``."""
    return name.lower().replace("-", "_")


def metric_class(name: str) -> type[Metric]:
    """Return the class of a metric."""
    places = METRICS | WITHOUT_MODULE | WITH_MODEL | OF_COLUMNS
    if not isinstance(name, str) or name not in (*places, *ALIASES):
        raise InputError(
            f"unknown metric {name!r}{nearest(name, places)}: expected one of {', '.join(places)}"
        )
    name, _ = ALIASES.get(name, (name, ""))
    module, _, attribute = places[name].partition(":")
    metric: type[Metric] = getattr(importlib.import_module(module), attribute)
    return metric


def alias_options(name: str) -> dict[str, Any]:
    """Return the options that an alias sets: none for other names."""
    return {"variant": ALIASES[name][1]} if name in ALIASES else {}


def make_metric(name: str, variant: str, options: Mapping[str, Any]) -> Metric:
    """Return a metric with its options."""
    return metric_class(name)(variant, **options)


def metrics_with(chosen: Mapping[Any, Mapping[str, Any]], option: str, value: Any) -> list[str]:
    """Return those of the metrics given by name, with their options, that have an option, too."""
    return [
        name
        for name, options in chosen.items()
        if isinstance(name, str) and metric_class(name).takes(option, value, options)
    ]


def language_options(metric: type[Metric], code: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that fit a metric to a language; the defaults are for English."""
    if metric.takes("language", code, options):
        return {"language": code}
    fitting = ("tokenizer", "splitter", "syllables")
    names = [name for name in fitting if metric.takes(name, None, options)]
    if not names or code == "en":
        return {}
    check_choice("language", code, [*LANGUAGES])
    values = {name: getattr(LANGUAGES[code], name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def _check_language(name: str, code: str, argument: str) -> None:
    """Refuse EASSE's FKGL, a formula for English, in another language."""
    if name in ALIASES and code != "en":
        from textsimp.metrics.readability import FORMULAS

        formulas = ", ".join(FORMULAS.get(code, ())) or "no formula"
        raise InputError(
            f"{argument}: {name} is a formula for English, got the language {code!r}, for which "
            f"readability has {formulas}"
        )


def make_metrics(
    metrics: Metrics,
    argument: str,
    common: Mapping[str, Any] | None = None,
    language: str | None = None,
) -> dict[str, Metric]:
    """Return metrics with their options, by name.

    Metrics given by name have the options ``common`` and those of ``language``, unless their own.
    """
    if isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    if not isinstance(metrics, (list, tuple, Mapping)) or not metrics:
        raise InputError(
            f"{argument}: expected a list of names, or a mapping from names to options, "
            f"got {metrics!r}"
        )
    result: dict[str, Metric] = {}
    for name in metrics:
        if isinstance(name, Metric):
            if common or language or isinstance(metrics, Mapping):
                raise InputError(
                    f"{argument}: expected the name of a metric that options are given for, "
                    f"got {name!r}, which has its own"
                )
            metric = name
        else:
            cls = metric_class(name)
            options = metrics[name] if isinstance(metrics, Mapping) else {}
            if not isinstance(options, Mapping) or not all(isinstance(key, str) for key in options):
                raise InputError(
                    f"{argument}: expected a mapping of {name}'s options, got {options!r}"
                )
            options = {**alias_options(name), **(common or {}), **options}
            if language is not None:
                _check_language(name, language, argument)
                options = {**language_options(cls, language, options), **options}
            metric = cls.preset(**options)
        if metric in result.values():
            raise InputError(f"{argument}: expected different metrics, got {metric.name} twice")
        # Configurations of a metric differ in their table headings, or else in their options.
        alias = [name] if isinstance(name, str) and name in ALIASES else []
        keys = (*alias, metric.name, metric.heading(metric.name), metric.signature(), repr(metric))
        result[next(key for key in keys if key not in result)] = metric
    return result


def labels(scores: Mapping[str, Iterable[str]]) -> dict[str, dict[str, str]]:
    """Return metric → score → its name, prefixed by the metric's if several metrics have it."""
    scores = {metric: list(names) for metric, names in scores.items()}
    times = Counter(name for names in scores.values() for name in names)
    return {
        metric: {
            name: name if times[name] == 1 or name == metric else f"{metric}_{name}"
            for name in names
        }
        for metric, names in scores.items()
    }
