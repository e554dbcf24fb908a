"""A logistic regression on what can be counted in a pair of texts.

A classifier of information errors must beat it. ``docs/people.md`` says how good it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from textsimp.core import columns, significance
from textsimp.core.draws import RESAMPLES
from textsimp.core.metric import Floats, Metric
from textsimp.errors.assessment import Report, assess
from textsimp.errors.labels import Ints, LabelledRows, folds, read_rows, source_key
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.simplification_stats import SimplificationStats
from textsimp.support.errors import InputError
from textsimp.support.extras import require
from textsimp.text import facts

_STATISTICS = tuple(n for n in SimplificationStats().score_names() if "lexical" not in n)
_OPERATIONS = ("change_percentage", "insert", "delete", "replace", "keep", "move")
_OWN = (
    "new_numbers",
    "lost_numbers",
    "new_names",
    "lost_names",
    "new_negations",
    "lost_negations",
    "longest_new",
    "longest_lost",
    "lost_at_end",
)
FEATURES = (*_STATISTICS, *_OPERATIONS, *_OWN)


def features(sources: Any, predictions: Any) -> Floats:
    """Count changes in pairs of texts, without a model.

    The counts are:

    - the scores of `textsimp.SimplificationStats` and `textsimp.EditOps`;
    - how many different numbers, names (words with a capital, except the first) and English
      negations are new or lost;
    - the numbers of words in the longest stretch of new words, of lost words, and of words lost at
      the end.

    Args:
        sources: The original texts.
        predictions: The simplifications, one per source.

    Returns:
        (n, 39) finite numbers, in the order of ``FEATURES``.

    Example:
        >>> values = features(["In 1984 Ann left Bonn."], ["She left Bonn in 1985."])
        >>> dict(zip(FEATURES, values[0].tolist()))["lost_numbers"]
        1.0
    """
    old, new = columns.parallel_texts(sources=sources, predictions=predictions)
    own = [_count(*pair) for pair in zip(old, new, strict=True)]
    statistics = _scores(SimplificationStats(), _STATISTICS, old, new)
    operations = _scores(EditOps(), _OPERATIONS, old, new)
    return np.hstack([statistics, operations, np.array(own, np.float64)])


def _scores(metric: Metric, names: Sequence[str], old: list[str], new: list[str]) -> Floats:
    examples = metric.check(sources=old, predictions=new)
    (statistics,) = metric.compute_statistics(examples).values()
    scores = metric.reduce_examples(statistics)
    return np.column_stack([scores[name] for name in names]).astype(np.float64)


def _count(source: str, prediction: str) -> list[int]:
    old, new = facts.words(source), facts.words(prediction)
    old_words, new_words = [word.casefold() for word in old], [word.casefold() for word in new]
    old_set, new_set = {*old_words}, {*new_words}
    counts = []
    for kind in (facts.numbers, facts.names, facts.negations):
        counts += [len(kind(new) - old_set), len(kind(old) - new_set)]
    return [
        *counts,
        _longest(new_words, old_set),
        _longest(old_words, new_set),
        _last(old_words, new_set),
    ]


def _longest(words: list[str], others: set[str]) -> int:
    """The length of the longest run of words that aren't among others."""
    longest = run = 0
    for word in words:
        run = 0 if word in others else run + 1
        longest = max(longest, run)
    return longest


def _last(words: list[str], others: set[str]) -> int:
    """The number of words after the last one that is among others."""
    return next((i for i, word in enumerate(reversed(words)) if word in others), len(words))


def fit_regression(values: Floats, labels: Ints) -> Any:
    """Fit scikit-learn's logistic regression, rare classes weighted more (extra ``models``)."""
    linear = require("sklearn.linear_model", extra="models")
    scaler = require("sklearn.preprocessing", extra="models").StandardScaler()
    model = linear.LogisticRegression(class_weight="balanced", max_iter=10_000, tol=1e-8)
    pipeline = require("sklearn.pipeline", extra="models").make_pipeline(scaler, model)
    return pipeline.fit(values, labels)


def rows_apart(rows: LabelledRows, sources: Iterable[str]) -> Ints:
    """Return the numbers of the rows that have none of the sources."""
    keys = {source_key(source) for source in sources}
    return np.array([i for i, s in enumerate(rows.sources) if source_key(s) not in keys], np.int64)


def predict(training: LabelledRows, indices: Ints, rows: LabelledRows) -> dict[str, Ints]:
    """Predict labels of rows with the two baselines, fitted on some rows of others."""
    own = features(training.sources, training.predictions)
    return _predict(training, indices, own, features(rows.sources, rows.predictions))


def _predict(training: LabelledRows, indices: Ints, own: Floats, values: Floats) -> dict[str, Ints]:
    labels = training.labels[indices]
    frequent, counts = np.unique(labels, return_counts=True)
    if len(frequent) < 2:
        raise InputError(
            f"{training.category}: expected enough rows for four fifths of the sources to have "
            f"different labels, got {len(training):,} rows"
        )
    return {
        "features": fit_regression(own[indices], labels).predict(values),
        "majority": np.full(len(values), frequent[counts.argmax()]),
    }


def cross_validate(
    rows: Any,
    category: str,
    *,
    training: Any = None,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Report:
    """Evaluate the logistic regression on `features`, by five-fold cross-validation over sources.

    Each fifth of the sources is predicted by a regression trained on the others (extra ``models``).

    Args:
        rows: Labelled outputs, see `textsimp.errors.fit`.
        category: ``"insertion"``, ``"deletion"`` or ``"substitution"``.
        training: Other labelled outputs to train on instead, such as references. Outputs whose
            source is in the predicted fifth are left out of each fold.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples, of sources.
        seed: Seed of the folds and the resamples.
    """
    significance.check(confidence, resamples, seed)
    data = read_rows(rows, category)
    other = None if training is None else read_rows(training, category)
    values = features(data.sources, data.predictions)
    other_values = values if other is None else features(other.sources, other.predictions)
    own = other or data
    predicted = {name: np.zeros(len(data), np.int64) for name in ("features", "majority")}
    for test in folds(data, seed):
        rest = rows_apart(own, [data.sources[i] for i in test])
        for name, labels in _predict(own, rest, other_values, values[test]).items():
            predicted[name][test] = labels
    notes = [*data.notes, "each fifth of the sources predicted from the others"]
    return assess(
        data, predicted, confidence=confidence, resamples=resamples, seed=seed, notes=notes
    )
