"""How well scores agree with people: from scores, from texts, and from pairs of texts."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from textsimp.core import columns, significance
from textsimp.core.declarations import REFERENCES
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Floats, Metric
from textsimp.judgements import correlation_arguments as arguments
from textsimp.judgements import estimates, resampling
from textsimp.judgements import numbers as reading
from textsimp.judgements.agreement import Level, rater_agreement
from textsimp.judgements.correlation_results import Agreement, Preference, Preferences, count_noun
from textsimp.judgements.numbers import Labels
from textsimp.judgements.resampling import Corpus, Over
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, check_choice, take_either

References = Literal["without_output", "as_given"]
SystemScore = Literal["corpus", "mean"]
Chosen = Literal["main", "all"] | Sequence[str] | Mapping[str, str]


def correlate(
    scores: Any,
    ratings: Any,
    *,
    items: Any = None,
    systems: Any = None,
    labels: Labels | None = None,
    standardise: bool = False,
    baseline: str | None = None,
    over: Over = "items",
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Agreement:
    """Measure how well scores, from anywhere, agree with people's ratings of the same outputs.

    Scores are taken as they are: where lower is better, a good score's correlations are negative
    and its pairwise accuracies below one half. A system's score is the mean of its outputs'.

    Args:
        scores: A number per output; or name → a number per output.
        ratings: A number, or a list with a number of each rater, per output. None is no rating; an
            output without any is left out. An output's rating is the mean of its raters'.
        items: What each output simplifies, such as the number of the source. Outputs of an item
            are not independent, so items are resampled. By default each output is an item.
        systems: Who wrote each output.
        labels: For ratings that are labels: these from worst to best, which count as 0, 1, …; or
            label → number, where None says that a label, such as "gibberish", is no rating.
        standardise: Take from each rater's ratings their mean and divide by their standard
            deviation first. The first in each list is the first rater, and so on.
        baseline: The metric that the others are tested against; None for no tests.
        over: What the bootstrap resamples: ``"items"``, ``"systems"`` or ``"both"``. Over items,
            intervals tell of these systems; over systems, of others like them.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples, and of permutations.
        seed: Seed of both.

    Example:
        >>> from textsimp import judgements
        >>> agreement = judgements.correlate(
        ...     {"length": [4, 9, 7, 3, 8, 6]},
        ...     [[1, 2], [5, 5], [3, 4], [1, 1], [4, 5], [4, None]],
        ...     systems=["a", "b", "c", "a", "b", "c"],
        ...     confidence=None,
        ... )
        >>> round(agreement.metrics["length"]["outputs"]["spearman"].value, 2)
        0.94
        >>> agreement.metrics["length"]["systems"]["accuracy"].value
        1.0
    """
    options = arguments.check_options(over, standardise, confidence, resamples, seed)
    by_metric = arguments.read_scores(scores, "scores")
    rated = reading.matrix(ratings, "ratings", labels)
    items = None if items is None else arguments.read_ids(items, "items")
    systems = None if systems is None else arguments.read_ids(systems, "systems")
    score_columns = arguments.label_columns("scores", by_metric)
    columns.check_lengths(**score_columns, ratings=list(rated), items=items, systems=systems)
    names = [name or "scores" for name in by_metric]
    arguments.check_names(baseline, names, over, systems)
    kept = _rated_rows(rated, "ratings")
    return _agreement(
        names,
        np.array(list(by_metric.values()))[:, kept],
        rated,
        kept,
        _take(items, kept),
        _take(systems, kept),
        [None] * len(names),
        labels,
        standardise,
        baseline=baseline,
        **options,
        notes=_note_left_out(len(rated) - len(kept), "output", "a rating"),
    )


@take_either("metrics", "metric")
def evaluate(
    rows: Any,
    metrics: catalogue.Metrics | Mapping[str, Metric] = "sari",
    *,
    rating: str = "rating",
    item: str | None = None,
    system: str | None = None,
    references: References = "without_output",
    system_score: SystemScore = "corpus",
    labels: Labels | None = None,
    standardise: bool = False,
    baseline: str | None = None,
    over: Over = "items",
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    scores: Chosen = "main",
    score_columns: Sequence[str] = (),
) -> Agreement:
    """Measure how well metrics, computed here, agree with people's ratings. See also `correlate`.

    Args:
        rows: A list of dicts, a dataset, a table, or name → column: an output a row, with what the
            metrics read (``source``, ``prediction``, ``references``), and a rating.
        metrics: One or more metrics as `textsimp.score` takes them; or name → metric. None of them
            (``[]``) with ``score_columns``.
        rating: The column of ratings: a number, or a list with a number of each rater.
        item: The column of what an output is a simplification of. Default: ``item`` if there is
            such a column, or else each source is an item.
        system: The column of who wrote an output. Default: ``system``, if there is one.
        references: A reference that equals the output is left out; and so is an output without
            another one, from all metrics. ``"as_given"`` keeps them. An output without any
            reference is left out, if a metric reads references.
        system_score: A system's score: ``"corpus"``, the metric's own, of all outputs together; or
            the ``"mean"`` of the outputs' scores.
        labels: See `correlate`.
        standardise: See `correlate`.
        baseline: See `correlate`.
        over: See `correlate`.
        confidence: See `correlate`.
        resamples: See `correlate`.
        seed: See `correlate`.
        scores: The metrics' scores to evaluate: the ``"main"`` one of each, or ``"all"`` that are
            numbers. Or a list of names, such as ``["sari", "sari.keep"]``, or a dict of titles →
            names.
        score_columns: Columns of scores from elsewhere, such as a model's, judged beside the
            metrics. A system's is the mean of its outputs'.

    Warns:
        UserWarning: Most outputs of a system are among the references: it may be a human who wrote
            some of them, and is judged by others' only.
    """
    from tqdm import tqdm  # type: ignore[import-untyped]

    options = arguments.check_options(over, standardise, confidence, resamples, seed)
    check_choice("references", references, get_args(References))
    check_choice("system_score", system_score, get_args(SystemScore))
    table = arguments.read_table(rows)
    without = score_columns and metrics in ([], (), {})
    scorers, scores = ({}, scores) if without else arguments.read_metrics(metrics, scores)
    table, unreferenced = arguments.drop_unreferenced(scorers, table)
    others = arguments.find_scores(table, score_columns)
    examples = arguments.read_examples(scorers, table)
    chosen = arguments.choose_scores(scorers, examples.shared, scores)
    names = [*chosen, *others]
    if len({*names}) < len(names):
        raise InputError(
            f"score_columns: expected other names than the metrics', {', '.join(chosen)}"
        )
    rated = reading.matrix(arguments.find_column(table, rating, "rating"), rating, labels)
    systems = arguments.find_ids(table, system, "system")
    items = arguments.find_ids(table, item, "item") or examples.sources
    beside: dict[str, Any] = {rating: list(rated), "item": items, "system": systems, **others}
    columns.check_lengths(**{**examples.shared, **examples.systems[UNNAMED_SYSTEM], **beside})
    baseline = arguments.find_baseline(baseline, names)
    arguments.check_names(baseline, names, over, systems)
    kept = _rated_rows(rated, rating)
    notes = _note_left_out(unreferenced, "output", "a reference")
    notes += _note_left_out(len(rated) - len(kept), "output", "a rating")
    examples, kept, about = _drop_references(examples, kept, systems, references, "output")
    notes = [*about, *notes]
    if others and systems is not None and system_score == "corpus":
        notes.append(f"a system's score is the mean of its outputs': {', '.join(others)}")
    examples, systems = examples.take(kept), _take(systems, kept)
    steps = len(scorers) + (confidence is not None) + (len(names) - 1) * (baseline is not None)
    with tqdm(desc="Steps", total=steps, disable=None, leave=False) as bar:
        values, corpus = _score_examples(scorers, chosen, examples, systems, bar.update)
        if system_score == "mean":
            corpus = [None] * len(chosen)
        return _agreement(
            names,
            np.array([*values, *(column[kept] for column in others.values())]),
            rated,
            kept,
            _take(items, kept),
            systems,
            [*corpus, *[None] * len(others)],
            labels,
            standardise,
            baseline=baseline,
            **options,
            notes=notes,
            signatures={n: metric.signature(examples.references) for n, metric in scorers.items()},
            system_score=system_score,
            progress=bar.update,
        )


@take_either("metrics", "metric")
def evaluate_pairs(
    rows: Any,
    metrics: catalogue.Metrics | Mapping[str, Metric] = "sari",
    *,
    better: str = "better",
    worse: str = "worse",
    references: References = "without_output",
    confidence: float | None = 0.95,
    scores: Chosen = "main",
) -> Preferences:
    """Measure how often metrics, computed here, score the better text of a pair higher.

    See also `preferences`.

    Args:
        rows: A pair a row, as `evaluate` takes them.
        metrics: See `evaluate`.
        better: The column of the texts that people prefer.
        worse: The column of the others.
        references: A reference that equals one of the texts is left out for both; and so is a pair
            without another one, from all metrics. ``"as_given"`` keeps them.
        confidence: Coverage of the intervals; None for none.
        scores: See `evaluate`.

    Example:
        >>> from textsimp import judgements
        >>> rows = [
        ...     {"better": "The cat lay.", "worse": "The dog lay.", "references": ["The cat sat."]},
        ...     {"better": "It rained.", "worse": "It snowed.", "references": ["It rained a lot."]},
        ... ]
        >>> judgements.evaluate_pairs(rows, "bleu").metrics["bleu"].higher
        2
    """
    significance.check(confidence, 1, 0)
    check_choice("references", references, get_args(References))
    scorers, scores = arguments.read_metrics(metrics, scores)
    table, unreferenced = arguments.drop_unreferenced(scorers, arguments.read_table(rows))
    examples = arguments.read_examples(scorers, table, {"better": better, "worse": worse})
    chosen = arguments.choose_scores(scorers, examples.shared, scores)
    rows_of_pairs = range(len(examples))
    examples, kept, notes = _drop_references(examples, rows_of_pairs, None, references, "pair")
    notes += _note_left_out(unreferenced, "pair", "a reference")
    examples = examples.take(kept)
    by_metric = {
        name: [metric.reduce_examples(s) for s in metric.compute_statistics(examples).values()]
        for name, metric in scorers.items()
    }
    better_scores, worse_scores = (
        {label: by_metric[name][which][key] for label, (name, key) in chosen.items()}
        for which in (0, 1)
    )
    signatures = {name: metric.signature(examples.references) for name, metric in scorers.items()}
    result = preferences(better_scores, worse_scores, confidence=confidence)
    return replace(result, signatures=signatures, notes=tuple(notes))


def preferences(
    better_scores: Any, worse_scores: Any, *, confidence: float | None = 0.95
) -> Preferences:
    """Measure how often the better text of a pair scores higher, with a sign test.

    Args:
        better_scores: A number per pair, of the text that people prefer; or name → a number per
            pair.
        worse_scores: The same of the other text.
        confidence: Coverage of the intervals; None for none.

    Example:
        >>> from textsimp import judgements
        >>> preference = judgements.preferences([3, 5, 4, 2], [1, 2, 4, 3]).metrics["scores"]
        >>> preference.share, preference.tied
        (0.5, 1)
    """
    significance.check(confidence, 1, 0)
    from scipy import stats

    better = arguments.read_scores(better_scores, "better_scores")
    worse = arguments.read_scores(worse_scores, "worse_scores")
    if {*better} != {*worse}:
        expected = f"expected the metrics of better_scores, {', '.join(better)}"
        raise InputError(f"worse_scores: {expected}, got {', '.join(worse)}")
    columns.check_lengths(
        **arguments.label_columns("better_scores", better),
        **arguments.label_columns("worse_scores", worse),
    )
    metrics = {}
    for name, of_better in better.items():
        higher = int((of_better > worse[name]).sum())
        lower = int((of_better < worse[name]).sum())
        n = len(of_better)
        interval, p = None, None
        if confidence is not None:
            bounds = stats.binomtest(higher, n).proportion_ci(confidence, method="wilson")
            interval = [float(bounds.low), float(bounds.high)]
        if higher + lower:
            p = float(stats.binomtest(higher, higher + lower).pvalue)
        tied = n - higher - lower
        metrics[name or "scores"] = Preference(higher, tied, lower, higher / n, interval, p)
    return Preferences(metrics, n, confidence)


def _agreement(
    names: list[str],
    scores: Floats,
    rated: Floats,
    kept: Any,
    items: Sequence[Any] | None,
    systems: Sequence[Any] | None,
    corpus: Sequence[Corpus | None],
    labels: Labels | None,
    standardise: bool,
    **options: Any,
) -> Agreement:
    """Compare scores with the ratings of the kept rows."""
    ratings = reading.means(reading.standardise(rated) if standardise else rated)[kept]
    rated = rated[kept]
    raters = None
    if (np.count_nonzero(~np.isnan(rated), axis=1) > 1).any():
        level: Level = "interval" if labels is None else "ordinal"
        sampling = {name: options[name] for name in ("confidence", "resamples", "seed")}
        raters = rater_agreement(rated, level=level, **sampling)
    judged = resampling.judge(scores, ratings, items, systems, corpus)
    return estimates.agreement(judged, names, raters=raters, **options)


def _rated_rows(rated: Floats, name: str) -> Any:
    kept = np.flatnonzero(~np.isnan(rated).all(axis=1))
    if not len(kept):
        raise InputError(f"{name}: expected a rating, got none in any row")
    return kept


def _note_left_out(n: int, what: str, lack: str) -> list[str]:
    return [f"left out: {count_noun(n, what)} without {lack}"] if n else []


def _take(rows: Sequence[Any] | None, kept: Iterable[int]) -> list[Any] | None:
    return None if rows is None else [rows[i] for i in kept]


def _drop_references(
    examples: Examples,
    rows: Sequence[int],
    systems: Sequence[Any] | None,
    how: References,
    what: str,
) -> tuple[Examples, Sequence[int], list[str]]:
    """Leave out references that equal the output, then rows without; return notes, and warn."""
    if examples.references is None:
        return examples, rows, []
    others = arguments.other_references(examples)
    equal = [len(o) < len(r) for o, r in zip(others, examples.references, strict=True)]
    verb = "kept" if how == "as_given" else "left out"
    note = f"{count_noun(sum(equal), what)} equal to a reference, which was {verb}"
    notes = [note] if any(equal) else []
    by_system: dict[Any, list[bool]] = {}
    for system, one in zip(systems or (), equal, strict=bool(systems)):
        by_system.setdefault(system, []).append(one)
    for system, own in by_system.items():
        if 2 * sum(own) > len(own):
            notes.append(
                f"{sum(own):,} of {len(own):,} outputs of {system} are among the references: "
                "it may be who wrote them"
            )
            warnings.warn(notes[-1], stacklevel=3)
    if how == "as_given":
        return examples, rows, notes
    complete = [i for i in rows if others[i]]
    if not complete:
        raise InputError("references: expected one that isn't the output, got none in any row")
    notes += _note_left_out(len(rows) - len(complete), what, "another reference")
    shared = {**examples.shared, REFERENCES.name: others}
    return Examples(shared, examples.systems), complete, notes


def _score_examples(
    scorers: Mapping[str, Metric],
    chosen: Mapping[str, tuple[str, str]],
    examples: Examples,
    systems: list[Any] | None,
    progress: Callable[[], object],
) -> tuple[list[Floats], list[Corpus | None]]:
    """Return the chosen scores of the examples, and how a corpus gets its own."""
    statistics, values = {}, {}
    for name, metric in scorers.items():
        statistics[name] = _statistics(metric, examples, systems)
        values[name] = metric.reduce_examples(statistics[name])
        progress()
    return [values[name][key] for name, key in chosen.values()], [
        (functools.partial(_reduce, scorers[name], key), statistics[name])
        for name, key in chosen.values()
    ]


def _statistics(metric: Metric, examples: Examples, systems: list[Any] | None) -> Floats:
    """Return statistics (n, k); if rows depend on each other, each system's are its own."""
    if metric.independent_rows or systems is None:
        return metric.compute_statistics(examples)[UNNAMED_SYSTEM]
    parts = resampling.split_rows(resampling.encode(systems))
    statistics = [metric.compute_statistics(examples.take(rows))[UNNAMED_SYSTEM] for rows in parts]
    return np.concatenate(statistics)[np.argsort(np.concatenate(parts))]


def _reduce(metric: Metric, name: str, totals: Floats) -> Floats:
    return metric.reduce(totals)[name]
