"""How well scores agree with people: of scores from anywhere, and of metrics computed here."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from textsimp.core import columns, significance
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Floats, Metric
from textsimp.core.sample import Numbers, percentiles
from textsimp.judgements import coefficients, resampling
from textsimp.judgements import correlation_arguments as arguments
from textsimp.judgements import numbers as reading
from textsimp.judgements.agreement import MeasurementLevel, measure_agreement
from textsimp.judgements.correlation_arguments import ChosenScores, References
from textsimp.judgements.correlation_results import Agreement, CorrelationDifference, Estimate
from textsimp.judgements.numbers import Labels
from textsimp.judgements.resampling import MIN_SIZE, Corpus, Judged, Over
from textsimp.judgements.soft_accuracy import soft_accuracies
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, check_choice, take_either
from textsimp.support.progress import progress

SystemScore = Literal["corpus", "mean"]


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
    (first, *_) = by_metric.values()
    columns.check_lengths(scores=first, ratings=list(rated), items=items, systems=systems)
    names = [name or "scores" for name in by_metric]
    arguments.check_names(baseline, names, over, systems)
    kept, notes = _rated_rows(rated, "ratings")
    values = np.array(list(by_metric.values()))[:, kept]
    ratings = reading.means(rated, standardise)[kept]
    judged = resampling.judge(values, ratings, _take(items, kept), _take(systems, kept))
    return _estimate(judged, names, baseline, options, rated[kept], labels, notes)


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
    scores: ChosenScores = "main",
    score_columns: Sequence[str] = (),
) -> Agreement:
    """Measure how well metrics, computed here, agree with people's ratings. See also `correlate`.

    Args:
        rows: What `textsimp.judgements.read` returns. Or a list of dicts, a dataset, a table, or
            name → column: an output a row, with what the metrics read (``source``, ``prediction``,
            ``references``), and a rating.
        metrics: One or more metrics as `textsimp.score` takes them; or name → metric. None of them
            (``[]``) with ``score_columns``.
        rating: The column or criterion of ratings: a number, or a list with a number of each rater.
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

    options = arguments.check_options(over, standardise, confidence, resamples, seed)
    check_choice("references", references, get_args(References))
    check_choice("system_score", system_score, get_args(SystemScore))
    without = score_columns and metrics in ([], (), {})
    scorers, scores = ({}, scores) if without else arguments.read_metrics(metrics, scores)
    table, notes = arguments.drop_unreferenced(scorers, arguments.read_table(rows), "output")
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
    items = arguments.find_ids(table, item, "item") or arguments.find_sources(table)
    beside: dict[str, Any] = {rating: list(rated), "item": items, "system": systems, **others}
    columns.check_lengths(**{**examples.shared, **examples.systems[UNNAMED_SYSTEM], **beside})
    baseline = arguments.find_baseline(baseline, names)
    arguments.check_names(baseline, names, over, systems)
    kept, unrated = _rated_rows(rated, rating)
    examples, kept, equal = arguments.drop_outputs(examples, kept, systems, references, "output")
    notes = [*equal, *notes, *unrated]
    if others and systems is not None and system_score == "corpus":
        notes.append(f"a system's score is the mean of its outputs': {', '.join(others)}")
    steps = len(scorers) + (confidence is not None) + (len(names) - 1) * (baseline is not None)
    with progress(desc="Steps", total=steps) as bar:
        own = _take(systems, kept)
        values, corpus = _score_examples(scorers, chosen, examples.take(kept), own, bar.update)
        values += [column[kept] for column in others.values()]
        corpus = corpus if system_score == "corpus" else []
        ratings = reading.means(rated, standardise)[kept]
        judged = resampling.judge(np.array(values), ratings, _take(items, kept), own, corpus)
        return _estimate(
            judged,
            names,
            baseline,
            options | {"system_score": system_score},
            rated[kept],
            labels,
            notes,
            {name: metric.signature(examples.references) for name, metric in scorers.items()},
            bar.update,
        )


def _estimate(
    judged: Judged,
    names: list[str],
    baseline: str | None,
    options: Mapping[str, Any],
    rated: Floats,
    labels: Labels | None,
    notes: Sequence[str],
    signatures: Mapping[str, str] | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Agreement:
    """Measure how well the metrics of these names agree with people.

    ``rated`` are (n, raters) ratings, which were ``labels`` or numbers.
    ``options`` are ``system_score``, ``over``, ``confidence``, ``resamples`` and ``seed``.
    """
    over, confidence, sizes = options["over"], options["confidence"], judged.sizes
    drawing = {name: options[name] for name in ("resamples", "seed")}
    kinds = [*sizes] if over == "both" else [over]
    few = [what for what in kinds if sizes[what] < MIN_SIZE]
    sample = resampling.make_sample(judged)
    resampled: Numbers = {}
    if confidence is not None and few:
        notes = [*notes, f"no intervals: fewer than {MIN_SIZE} {few[0]} to resample"]
    elif confidence is not None:
        resampled = sample.resample(kinds, **drawing)
        progress()

    def interval(label: str, metric: int, minus: int | None = None) -> Any:
        if label not in resampled:
            return None
        drawn = resampled[label]
        values = drawn[:, metric] if minus is None else drawn[:, metric] - drawn[:, minus]
        return percentiles(values, confidence)

    numbers = {**sample.value()}
    if "systems" in judged.by:
        numbers["systems.soft_accuracy"] = soft_accuracies(judged, **drawing)
    names_of = [label.split(".") for label in numbers if not label.endswith(".groups")]
    metrics: dict[str, dict[str, dict[str, Estimate]]] = {}
    for metric, name in enumerate(names):
        metrics[name] = {level: {} for level in judged.by}
        for level, key in names_of:
            label = f"{level}.{key}"
            size = sizes.get(level, len(judged.ratings))
            if level.startswith("within"):
                size = int(numbers[f"{label}.groups"][metric])
            value = float(numbers[label][metric])
            reason = _reason(judged, level, metric, value)
            found = Estimate(value, interval(label, metric), size)
            metrics[name][level][key] = Estimate(None, None, size, reason) if reason else found
    gaps: dict[str, dict[str, dict[str, CorrelationDifference]]] = {}
    for metric, name in enumerate(names):
        if baseline is None or name == baseline:
            continue
        first = names.index(baseline)
        p_values = resampling.permute(judged, first, metric, **drawing)
        gaps[name] = {level: {} for level in judged.by}
        for level, key in names_of:
            one, other = metrics[name][level][key], metrics[baseline][level][key]
            if one.value is None or other.value is None or key == "soft_accuracy":
                continue
            ends, detectable, p = interval(f"{level}.{key}", metric, minus=first), None, None
            # Over items, the interval by system tells of these systems only.
            if ends and (level, over) != ("systems", "items"):
                detectable = significance.detectable(ends, confidence)
            if key == "pearson" and not level.startswith("within") and one.over > MIN_SIZE:
                x, z = (resampling.columns_of(judged, level, m)[0] for m in (metric, first))
                between = float(coefficients.pearson(x, z, np.ones((1, len(x))))[0])
                p = coefficients.williams(one.value, other.value, between, len(x))
            gaps[name][level][key] = CorrelationDifference(
                one.value - other.value, ends, p_values[level].get(key), p, detectable
            )
        progress()
    scale: MeasurementLevel = "interval" if labels is None else "ordinal"
    raters = measure_agreement(rated, scale, confidence, **drawing)
    return Agreement(
        metrics,
        gaps,
        len(judged.ratings),
        sizes["items"],
        sizes["systems"] if "systems" in judged.by else None,
        baseline=baseline,
        signatures=signatures or {},
        notes=tuple(notes),
        raters=raters if raters.outputs else None,
        judged=judged,
        **options,
    )


def _reason(judged: Judged, level: str, metric: int, value: float) -> str:
    """Why there is no coefficient; nothing if there is."""
    what = level.removeprefix("within_")
    if judged.sizes.get(what, len(judged.ratings)) < MIN_SIZE:
        return f"fewer than {MIN_SIZE} {what}"
    scores, ratings = resampling.columns_of(judged, level, metric)
    for name, column in (("ratings", ratings), ("scores", scores)):
        if np.ptp(column) <= 1e-13 * np.abs(column).max():
            return f"constant {name}"
    if math.isnan(value) and level == "systems":
        return "no two systems have two items in common"  # for soft accuracy
    if math.isnan(value):
        return f"none of the {what} has 2 outputs with different scores and ratings"
    return ""


def _rated_rows(rated: Floats, name: str) -> tuple[Any, list[str]]:
    """Return the rows with a rating, and a note on the others."""
    kept = np.flatnonzero(~np.isnan(rated).all(axis=1))
    if not len(kept):
        raise InputError(f"{name}: expected a rating, got none in any row")
    return kept, arguments.note_left_out(len(rated) - len(kept), "output", "a rating")


def _take(rows: Sequence[Any] | None, kept: Sequence[int]) -> list[Any] | None:
    return None if rows is None else [rows[i] for i in kept]


def _score_examples(
    scorers: Mapping[str, Metric],
    chosen: Mapping[str, tuple[str, str]],
    examples: Examples,
    systems: list[Any] | None,
    progress: Callable[[], object],
) -> tuple[list[Floats], list[Corpus]]:
    """Return the chosen scores of the examples, and how a corpus gets its own."""
    statistics, values = {}, {}
    parts = resampling.split_rows(resampling.encode(systems or [None] * len(examples)))
    for name, metric in scorers.items():
        # If rows depend on each other, each system's are its own.
        groups = [np.arange(len(examples))] if metric.independent_rows else parts
        own = [metric.compute_statistics(examples.take(rows))[UNNAMED_SYSTEM] for rows in groups]
        statistics[name] = np.concatenate(own)[np.argsort(np.concatenate(groups))]
        values[name] = metric.reduce_examples(statistics[name])
        progress()
    corpus = [(scorers[name], key, statistics[name]) for name, key in chosen.values()]
    return [values[name][key] for name, key in chosen.values()], corpus
