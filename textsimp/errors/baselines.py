"""What can be counted in a pair of texts, and a logistic regression that guesses errors from it.

It is the baseline that a classifier of information errors must beat, and, where it is good enough,
the one that needs no model: `docs/errors.md` says how good it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core import columns, significance
from textsimp.core.metric import Floats, Metric
from textsimp.errors.assessment import Report, assess
from textsimp.errors.labelled import Gibberish, Ints, Labelled, folds, key, read
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.simplification_stats import SimplificationStats
from textsimp.support.errors import InputError
from textsimp.support.extras import require

_STATISTICS = tuple(n for n in SimplificationStats().reported() if "lexical" not in n)
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

_WORD = re.compile(r"\d[\d.,]*\d|\w+(?:['’]\w+)?")
_NEGATION = re.compile(r"(no|not|never|none|nor|nothing|nobody|neither|without|cannot|.+n['’]t)")


def features(sources: Any, predictions: Any) -> Floats:
    """What can be counted in pairs of texts, without a model.

    The scores of `textsimp.SimplificationStats` and `textsimp.EditOps`; how many different numbers,
    names (words with a capital, but for the first) and English negations are new or lost; and how
    many words there are in the longest stretch of new ones, of lost ones, and lost at the end.

    Args:
        sources: The original texts.
        predictions: The simplifications, one per source.

    Returns:
        (n, 39) finite numbers, in the order of ``FEATURES``.

    Raises:
        InputError: See `textsimp.core.columns.texts`.

    Example:
        >>> found = features(["In 1984 Ann left Bonn."], ["She left Bonn in 1985."])
        >>> dict(zip(FEATURES, found[0].tolist()))["lost_numbers"]
        1.0
    """
    given = {"sources": sources, "predictions": predictions}
    checked = {name: columns.texts(column, name) for name, column in given.items()}
    columns.check_lengths(**checked)
    return np.hstack(
        [
            _scores(SimplificationStats(), _STATISTICS, **checked),
            _scores(EditOps(), _OPERATIONS, **checked),
            np.array([_own(*pair) for pair in zip(*checked.values(), strict=True)], np.float64),
        ]
    )


def _scores(metric: Metric, names: Sequence[str], **given: list[str]) -> Floats:
    (statistics,) = metric.statistics_of(metric.check(**given)).values()
    found = metric.reduce_examples(statistics)
    return np.column_stack([found[name] for name in names]).astype(np.float64)


def _own(source: str, prediction: str) -> list[int]:
    old, new = _WORD.findall(source), _WORD.findall(prediction)
    old_words, new_words = [word.casefold() for word in old], [word.casefold() for word in new]
    old_set, new_set = {*old_words}, {*new_words}
    counts = []
    for kind in (_numbers, _names, _negations):
        counts += [len(kind(new) - old_set), len(kind(old) - new_set)]
    return [
        *counts,
        _longest(new_words, old_set),
        _longest(old_words, new_set),
        _last(old_words, new_set),
    ]


def _numbers(words: list[str]) -> set[str]:
    return {word.casefold() for word in words if any(map(str.isdigit, word))}


def _negations(words: list[str]) -> set[str]:
    return {word for word in map(str.casefold, words) if _NEGATION.fullmatch(word)}


def _names(words: list[str]) -> set[str]:
    return {word.casefold() for word in words[1:] if word[:1].isupper()}


def _longest(words: list[str], known: set[str]) -> int:
    """How many words in a row aren't known, at most."""
    longest = run = 0
    for word in words:
        run = 0 if word in known else run + 1
        longest = max(longest, run)
    return longest


def _last(words: list[str], known: set[str]) -> int:
    """How many words after the last known one."""
    return next((i for i, word in enumerate(reversed(words)) if word in known), len(words))


@dataclass(frozen=True)
class Regression:
    """A logistic regression on `features`, as plain numbers.

    Attributes:
        labels: (k) those that it tells apart.
        features: The names of what it reads.
        mean: Of each feature.
        scale: Each one's standard deviation, or 1 for a constant.
        weights: (k, features)
        biases: (k)
    """

    labels: list[int]
    features: list[str]
    mean: list[float]
    scale: list[float]
    weights: list[list[float]]
    biases: list[float]

    def __post_init__(self) -> None:
        if tuple(self.features) != FEATURES:
            raise InputError(
                "features: expected those of this version of textsimp, got others: train it anew"
            )

    def predict(self, found: Floats) -> Ints:
        """(n, features) → (n,) the likeliest labels."""
        labels: Ints = np.array(self.labels, np.int64)
        likeliest: Ints = labels[self.odds(found).argmax(axis=1)]
        return likeliest

    def odds(self, found: Floats) -> Floats:
        """(n, features) → (n, k) logarithms of how probable each label is, but for a constant."""
        scaled = (found - self.mean) / self.scale
        odds: Floats = scaled @ np.transpose(self.weights) + self.biases
        return odds


def regression(found: Floats, labels: Ints) -> Regression:
    """A logistic regression, classes weighted by how rare they are (extra ``models``).

    Args:
        found: (n, features) as `features` returns them.
        labels: (n,) at least two different ones.
    """
    linear = require("sklearn.linear_model", extra="models")
    mean, scale = found.mean(axis=0), found.std(axis=0)
    scale[scale == 0] = 1
    fitted = linear.LogisticRegression(class_weight="balanced", max_iter=10_000, tol=1e-8)
    fitted.fit((found - mean) / scale, labels)
    weights, biases = fitted.coef_, fitted.intercept_
    if len(weights) == 1:  # of the second of two labels only
        weights, biases = np.vstack([-weights, weights]) / 2, np.array([-biases[0], biases[0]]) / 2
    return Regression(
        fitted.classes_.tolist(),
        list(FEATURES),
        mean.tolist(),
        scale.tolist(),
        weights.tolist(),
        biases.tolist(),
    )


def predicted(training: Labelled, given: Labelled) -> dict[str, Ints]:
    """Labels that the baselines predict, trained on some outputs, for others."""
    fitted = regression(features(training.sources, training.predictions), training.labels)
    return {
        "features": fitted.predict(features(given.sources, given.predictions)),
        "majority": majority_labels(training.labels, len(given)),
    }


def majority_labels(labels: Ints, n: int) -> Ints:
    """(n,) the most frequent label."""
    values, counts = np.unique(labels, return_counts=True)
    return np.full(n, values[counts.argmax()])


def cross_validate(
    rows: Any,
    category: str,
    *,
    training: Any = None,
    gibberish: Gibberish = "drop",
    confidence: float | None = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Report:
    """How good the logistic regression on `features` is: five-fold, over sources.

    Each fifth of the sources is predicted by a regression trained on the others (extra ``models``).

    Args:
        rows: Labelled outputs, see `textsimp.errors.train`.
        category: ``"insertion"``, ``"deletion"`` or ``"substitution"``.
        training: Other labelled outputs to train on instead, such as references. Of each fold those
            are left out whose source is in the predicted fifth.
        gibberish: ``"drop"`` leaves rows with the label -1 out, ``"class"`` makes it one more.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples, of sources.
        seed: Of the folds and the resamples.

    Raises:
        InputError: See `textsimp.errors.train`.
    """
    significance.check(confidence, resamples, seed)
    return crossed(
        read(rows, category, gibberish),
        None if training is None else read(training, category, gibberish),
        confidence,
        resamples,
        seed,
    )


def crossed(
    given: Labelled,
    other: Labelled | None,
    confidence: float | None,
    resamples: int,
    seed: int,
) -> Report:
    """See `cross_validate`."""
    own = other or given
    found = features(given.sources, given.predictions)
    known = found if other is None else features(own.sources, own.predictions)
    keys = np.array([key(source) for source in own.sources])
    predicted = {name: np.zeros(len(given), np.int64) for name in ("features", "majority")}
    for test in folds(given, seed):
        rest = np.flatnonzero(~np.isin(keys, [key(given.sources[i]) for i in test]))
        labels = own.labels[rest]
        if len(np.unique(labels)) < 2:
            raise InputError(
                f"{given.category}: expected enough rows for four fifths of the sources to have "
                f"different labels, got {len(own):,} rows"
            )
        predicted["features"][test] = regression(known[rest], labels).predict(found[test])
        predicted["majority"][test] = majority_labels(labels, len(test))
    notes = [*given.notes, "each fifth of the sources predicted from the others"]
    return assess(
        given, predicted, confidence=confidence, resamples=resamples, seed=seed, notes=notes
    )
