"""Predicts labels of information errors from counts in a source and its simplification.

    python examples/error_features.py labels.jsonl substitution

labels.jsonl has a row per output: source, prediction and, under the name of the category, a label
(0, 1, 2, -1) or a list of annotators' labels, of which the majority counts. The script prints F1 of
a logistic regression that predicts each fifth of the sources from the others, and F1 of the most
frequent label. A classifier must beat both. Install the extra `models`.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from textsimp import EditOps, SimplificationStats
from textsimp.core import columns
from textsimp.core.metric import Floats, divide
from textsimp.core.sample import Ints, Sample
from textsimp.core.tables import Cell, Grid
from textsimp.metrics.information_errors import CATEGORIES, GIBBERISH, LABELS, majority
from textsimp.support.errors import InputError

FOLDS = 5
# Treebank brackets, such as -LRB-, are punctuation: some systems' sources have them, others ( ).
NO_LETTERS = re.compile(r"[\W_]*-[LR][RCS]B-|[\W_]+", re.IGNORECASE)
WORD = re.compile(r"\d[\d.,]*\d|\w+(?:['’]\w+)?")
NEGATION = re.compile(r"(no|not|never|none|nor|nothing|nobody|neither|without|cannot|.+n['’]t)")
STATISTICS = [name for name in SimplificationStats().score_names() if "lexical" not in name]
OPERATIONS = ["change_percentage", "insert", "delete", "replace", "keep", "move"]
WORDS = [f"{side}_{kind}" for kind in ("numbers", "names", "negations") for side in ("new", "lost")]
FEATURES = [*STATISTICS, *OPERATIONS, *WORDS, "longest_new", "longest_lost", "lost_at_end"]


class Outputs(NamedTuple):
    """Outputs with a label of one category."""

    texts: list[tuple[str, str]]  # sources and predictions
    features: Floats
    labels: Ints

    @property
    def groups(self) -> Ints:
        """Numbers of the sources; see `source_key`."""
        numbers: dict[str, int] = {}
        keys = [source_key(source) for source, _ in self.texts]
        return np.array([numbers.setdefault(key, len(numbers)) for key in keys], int)

    def take(self, rows: Iterable[int]) -> Outputs:
        """Return some rows."""
        kept = np.array([*rows], int)
        return Outputs([self.texts[i] for i in kept], self.features[kept], self.labels[kept])

    def without(self, others: Outputs) -> Outputs:
        """Return the rows whose sources the others don't have."""
        keys = {source_key(source) for source, _ in others.texts}
        apart = [source_key(source) not in keys for source, _ in self.texts]
        return self.take(np.flatnonzero(apart))


def read_outputs(rows: Sequence[Mapping[str, Any]], category: str) -> Outputs:
    """Read labelled rows. Those without a majority, and gibberish, are left out."""
    labels = majority(columns.labels([row.get(category) for row in rows], category, LABELS))
    labelled = [i for i, label in enumerate(labels) if label not in (None, GIBBERISH)]
    sources, predictions = (
        columns.texts([rows[i].get(name) for i in labelled], name)
        for name in ("source", "prediction")
    )
    codes = np.array([labels[i] for i in labelled], int)
    if len(set(codes.tolist())) < 2:
        raise InputError(f"{category}: expected rows with different labels, got none or one label")
    texts = list(zip(sources, predictions, strict=True))
    return Outputs(texts, features(sources, predictions), codes)


def source_key(source: str) -> str:
    """Return the letters and digits of a source, case-folded; the source if it has none.

    >>> source_key("The cat sat."), source_key("the cat sat .")
    ('thecatsat', 'thecatsat')
    """
    return NO_LETTERS.sub("", unicodedata.normalize("NFKD", source)).casefold() or source


def folds(outputs: Outputs, seed: int = 0) -> list[Ints]:
    """Split rows in five parts. No source is in two, and labels are spread evenly."""
    groups = outputs.groups
    if len(np.unique(groups)) < FOLDS:
        raise InputError(f"source: expected at least {FOLDS} different labelled ones")
    splitter = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    return [test for _, test in splitter.split(groups, outputs.labels, groups)]


def features(sources: list[str], predictions: list[str]) -> Floats:
    """Count changes: (n, 39) numbers in the order of ``FEATURES``.

    They are the scores of `SimplificationStats` and `EditOps`; how many numbers, names and English
    negations are new or lost; and how many words the longest stretches of new words, of lost words,
    and of words lost at the end have.
    """
    blocks = []
    for metric, names in ((SimplificationStats(), STATISTICS), (EditOps(), OPERATIONS)):
        examples = metric.check(sources=sources, predictions=predictions)
        (statistics,) = metric.compute_statistics(examples).values()
        scores = metric.reduce_examples(statistics)
        blocks += [scores[name] for name in names]
    own = [count_words(*pair) for pair in zip(sources, predictions, strict=True)]
    return np.column_stack([*blocks, *zip(*own, strict=True)]).astype(float)


def numbers(words: list[str]) -> set[str]:
    return {word.casefold() for word in words if any(map(str.isdigit, word))}


def names(words: list[str]) -> set[str]:
    """Words with a capital, but for the first."""
    return {word.casefold() for word in words[1:] if word[:1].isupper()}


def negations(words: list[str]) -> set[str]:
    return {word for word in map(str.casefold, words) if NEGATION.fullmatch(word)}


def count_words(source: str, prediction: str) -> list[int]:
    old, new = WORD.findall(source), WORD.findall(prediction)
    old_words, new_words = [word.casefold() for word in old], [word.casefold() for word in new]
    old_set, new_set = {*old_words}, {*new_words}
    counts = []
    for kind in (numbers, names, negations):
        counts += [len(kind(new) - old_set), len(kind(old) - new_set)]
    new_runs, lost_runs = run_lengths(new_words, old_set), run_lengths(old_words, new_set)
    return [*counts, max(new_runs), max(lost_runs), lost_runs[-1]]


def run_lengths(words: list[str], others: set[str]) -> list[int]:
    """Return how long the stretch of words that aren't among others is, after each word."""
    lengths = [0]
    for word in words:
        lengths.append(0 if word in others else lengths[-1] + 1)
    return lengths


def fit(outputs: Outputs) -> Any:
    """Fit a logistic regression, rare labels weighted more."""
    model = LogisticRegression(class_weight="balanced", max_iter=10_000, tol=1e-8)
    return make_pipeline(StandardScaler(), model).fit(outputs.features, outputs.labels)


def predict(training: Outputs, test: Outputs) -> dict[str, Ints]:
    """Predict labels with the regression, and with the most frequent label."""
    labels, counts = np.unique(training.labels, return_counts=True)
    return {
        "features": fit(training).predict(test.features),
        "majority": np.full(len(test.labels), labels[counts.argmax()]),
    }


def cross_validate(outputs: Outputs, training: Outputs | None = None) -> dict[str, Sample]:
    """Predict each fifth of the sources from the others, or from ``training`` without them."""
    predicted = {name: np.zeros(len(outputs.labels), int) for name in ("features", "majority")}
    for rows in folds(outputs):
        test = outputs.take(rows)
        for name, labels in predict((training or outputs).without(test), test).items():
            predicted[name][rows] = labels
    return {name: count(outputs, labels) for name, labels in predicted.items()}


def count(outputs: Outputs, predicted: Ints) -> Sample:
    """Count how often each source has a label and is given another; reduce the counts to F1."""
    groups = outputs.groups
    cells = (groups * 3 + outputs.labels) * 3 + predicted
    rows = np.bincount(cells, minlength=9 * (groups.max() + 1)).reshape(-1, 9)
    return Sample(rows.astype(float), reduce_f1)


def reduce_f1(totals: Floats) -> dict[str, Floats]:
    """Return F1 of the labels 0, 1, 2, and the mean of those of 1 and 2, from (..., 9) counts."""
    matrix = totals.reshape(*totals.shape[:-1], 3, 3)
    right = np.diagonal(matrix, axis1=-2, axis2=-1)
    f1 = divide(2 * right, matrix.sum(axis=-1) + matrix.sum(axis=-2))
    return {"f1": f1, "mean": f1[..., 1:].mean(axis=-1)}


def tabulate(samples: Mapping[str, Sample], resamples: int = 1000) -> Grid:
    """Return a row per predictor: F1 in percent, with 95 % intervals over sources."""
    rows = []
    for name, sample in samples.items():
        value = sample.value()
        bounds = sample.interval(confidence=0.95, resamples=resamples, seed=0)
        numbers = [*value["f1"].tolist(), float(value["mean"])]
        intervals = 100 * np.array([*bounds["f1"], bounds["mean"]])
        cells = [Cell.of(100 * f1, [*both], 1) for f1, both in zip(numbers, intervals, strict=True)]
        rows.append([name, *cells])
    return Grid(["", "F1(0)", "F1(1)", "F1(2)", "mean of F1(1), F1(2)"], rows)


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("labels", type=Path, help="JSONL: source, prediction, labels")
    parser.add_argument("category", choices=CATEGORIES)
    options = parser.parse_args()
    outputs = read_outputs(read_jsonl(options.labels), options.category)
    print(tabulate(cross_validate(outputs)).to_markdown())


if __name__ == "__main__":
    main()
