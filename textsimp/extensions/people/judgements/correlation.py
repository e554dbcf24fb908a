"""How well scores agree with people: of scores from anywhere, and of metrics computed here."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from textsimp.core import columns
from textsimp.core.cells import quantity
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Floats, Metric
from textsimp.core.sample import Numbers, percentiles
from textsimp.extensions.people.judgements import correlation_arguments as arguments
from textsimp.extensions.people.judgements import correlation_tests as tests
from textsimp.extensions.people.judgements import numbers as reading
from textsimp.extensions.people.judgements import resampling
from textsimp.extensions.people.judgements.agreement import measure_agreement
from textsimp.extensions.people.judgements.correlation_arguments import Chosen, References
from textsimp.extensions.people.judgements.correlation_results import Agreement, Estimate
from textsimp.extensions.people.judgements.resampling import (
    MAX_SYSTEMS,
    MIN_SIZE,
    Judged,
    Level,
    Measure,
    Over,
)
from textsimp.metrics import catalogue
from textsimp.support.errors import (
    InputError,
    check_choice,
    check_sampling,
    check_switch,
    take_either,
)
from textsimp.support.names import note_alike

SystemScore = Literal["corpus", "mean"]


def correlate(
    scores: Any,
    ratings: Any,
    *,
    items: Any = None,
    systems: Any = None,
    standardise: bool = False,
    baseline: str | None = None,
    over: Over = "items",
    levels: Level | Sequence[Level] = (),
    clusters: bool = False,
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
        standardise: Take from each rater's ratings their mean and divide by their standard
            deviation first. The first in each list is the first rater, and so on.
        baseline: The metric that the others are tested against. Without one there are no tests.
        over: What the bootstrap resamples: ``"items"``, ``"systems"`` or ``"both"``. Over items,
            intervals tell of these systems; over systems, of others like them. By system,
            ``"items"`` means both, as intervals over items alone miss the true value too often.
        levels: What is measured: some of ``"outputs"``, ``"within_items"``, ``"within_systems"``
            and ``"systems"``; all if empty.
        clusters: Test all metrics against each other and rank them by each coefficient: those of a
            rank don't differ significantly. It takes long with many metrics and levels.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples, and of permutations.
        seed: Seed of both.

    Example:
        >>> from textsimp.extensions import people
        >>> agreement = people.correlate(
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
    named = arguments.read_scores(scores)
    rated = reading.matrix(ratings, "ratings")
    items = None if items is None else arguments.read_ids(items, "items")
    systems = None if systems is None else arguments.read_ids(systems, "systems")
    (first, *_) = named.values()
    columns.check_lengths(scores=first, ratings=list(rated), items=items, systems=systems)
    options = _check_options([*named], systems, standardise, baseline, over, clusters)
    options |= {**check_sampling(confidence, resamples, seed), "system_score": "mean"}
    kept, notes = _rated_rows(rated, "ratings")
    notes += note_alike("systems", map(str, systems or ()))
    values = np.array([*named.values()])[:, kept]
    means = reading.means(rated, standardise)[kept]
    judged = resampling.judge(values, means, _take(items, kept), _take(systems, kept))
    return _estimate(judged, [*named], rated[kept], levels, notes, {}, **options)


@take_either("metrics", "metric")
def evaluate(
    rows: Any,
    metrics: catalogue.Metrics | Mapping[str, Metric | tuple[Metric, str]] = "sari",
    *,
    rating: str = "rating",
    item: str | None = None,
    system: str | None = None,
    references: References = "without_output",
    system_score: SystemScore = "corpus",
    standardise: bool = False,
    baseline: str | None = None,
    over: Over = "items",
    levels: Level | Sequence[Level] = (),
    clusters: bool = False,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    score_columns: Sequence[str] = (),
) -> Agreement:
    """Measure how well metrics, computed here, agree with people's ratings. See also `correlate`.

    Args:
        rows: What `people.read` returns. Or a list of dicts, a dataset, a table, or
            name → column: an output a row, with what the metrics read (``source``, ``prediction``,
            ``references``), and a rating.
        metrics: One or more metrics as `textsimp.score` takes them, also with another score than
            the main one: ``"sari, sari(xu).keep"``. Or name → metric, or (metric, score). None of
            them (``[]``) with ``score_columns``.
        rating: The column or criterion of ratings: a number, or a list with a number of each rater.
        item: The column of what an output is a simplification of. Default: ``item`` if there is
            such a column, or else each source is an item.
        system: The column of who wrote an output. Default: ``system``, if there is one.
        references: A reference that equals the output is left out; and so is an output without
            another one, from all metrics. ``"as_given"`` keeps them. An output without any
            reference is left out, if a metric reads references.
        system_score: A system's score: ``"corpus"``, the metric's own, of all outputs together; or
            the ``"mean"`` of the outputs' scores.
        standardise: See `correlate`.
        baseline: See `correlate`.
        over: See `correlate`.
        levels: See `correlate`.
        clusters: See `correlate`.
        confidence: See `correlate`.
        resamples: See `correlate`.
        seed: See `correlate`.
        score_columns: Columns of scores from elsewhere, such as a model's, judged beside the
            metrics. A system's is the mean of its outputs'.
    """
    check_choice("references", references, get_args(References))
    check_choice("system_score", system_score, get_args(SystemScore))
    table = arguments.read_table(rows)
    without = score_columns and metrics in ([], (), {})
    chosen = {} if without else arguments.read_metrics(metrics)
    examples, chosen = arguments.read_examples(chosen, table)
    others = arguments.find_scores(table, score_columns)
    names = [*chosen, *others]
    if len({*names}) < len(names):
        raise InputError(f"score_columns: expected other names than {', '.join(chosen)}")
    rated = reading.matrix(arguments.find_column(table, rating, "rating"), rating)
    systems = arguments.find_ids(table, system, "system")
    items = arguments.find_ids(table, item, "item") or arguments.find_sources(table)
    beside: dict[str, Any] = {rating: list(rated), "item": items, "system": systems, **others}
    columns.check_lengths(**{**examples.shared, **examples.systems[UNNAMED_SYSTEM], **beside})
    baseline = arguments.find_baseline(baseline, names, chosen)
    options = _check_options(names, systems, standardise, baseline, over, clusters)
    options |= {**check_sampling(confidence, resamples, seed), "system_score": system_score}
    kept, unrated = _rated_rows(rated, rating)
    examples, kept, notes = arguments.drop_outputs(examples, kept, systems, references, "output")
    notes += note_alike("systems", map(str, systems or ()))
    if others and systems is not None and system_score == "corpus":
        notes.append(f"a system's score is the mean of its outputs': {', '.join(others)}")
    items, systems = _take(items, kept), _take(systems, kept)
    examples = examples.take(kept)
    values, measures = _score_examples(chosen, examples, systems)
    values += [column[kept] for column in others.values()]
    means = reading.means(rated, standardise)[kept]
    measures = measures if system_score == "corpus" else []
    judged = resampling.judge(np.array(values), means, items, systems, measures)
    signatures = arguments.sign(chosen, examples)
    return _estimate(judged, names, rated[kept], levels, notes + unrated, signatures, **options)


def _check_options(
    names: Sequence[str],
    systems: Sequence[Any] | None,
    standardise: bool,
    baseline: str | None,
    over: Over,
    clusters: bool,
) -> dict[str, Any]:
    """Check options that `correlate` and `evaluate` share; return those that are left to use."""
    check_switch("standardise", standardise)
    check_switch("clusters", clusters)
    check_choice("over", over, get_args(Over))
    if baseline is not None:
        check_choice("baseline", baseline, names)
    if systems is not None and len({*systems}) > MAX_SYSTEMS:
        expected = f"expected at most {MAX_SYSTEMS:,}, as pairs of them are compared"
        raise InputError(f"systems: {expected}, got {len({*systems}):,}")
    if over != "items" and systems is None:
        raise InputError(f"over: expected systems, to resample {over}, got none")
    return {"baseline": baseline, "over": over, "clusters": clusters}


def _estimate(
    judged: Judged,
    names: Sequence[str],
    rated: Floats,
    levels: Level | Sequence[Level],
    notes: list[str],
    signatures: Mapping[str, str],
    *,
    clusters: bool,
    **options: Any,
) -> Agreement:
    """Measure how well the metrics of these names agree with people's (n, raters) ratings."""
    chosen: Sequence[str] = [levels] if isinstance(levels, str) else levels or judged.by
    for level in chosen:
        check_choice("levels", level, [*judged.by])
    judged = replace(judged, by=[level for level in judged.by if level in chosen])
    over, confidence, baseline = (options[name] for name in ("over", "confidence", "baseline"))
    drawing = {name: options[name] for name in ("resamples", "seed")}
    alpha = 0.05 if confidence is None else round(1 - confidence, 9)
    few = [kind for kind in judged.kinds("both") if judged.sizes[kind] < MIN_SIZE]
    notes = [*notes]
    if confidence is not None and {*few} & {*judged.kinds(over)}:
        notes.append(f"no intervals: fewer than {MIN_SIZE} {few[0]} to resample")
    notes += judged.note_pairs()
    if clusters:
        notes += tests.note_resamples(len(names), options["resamples"], alpha)
    tested = clusters or baseline is not None
    wanted = confidence is not None
    drawn, drawn_for_tests = resampling.resample(judged, over, wanted, tested, **drawing)
    numbers = {**resampling.make_sample(judged).value()}
    if "systems" in judged.by:
        numbers[resampling.SOFT_ACCURACY] = resampling.soft_accuracies(judged, **drawing)

    def bound(label: str, values: Floats) -> Any:
        kinds = judged.kinds(over, label.partition(".")[0])
        return percentiles(values, confidence, min(judged.sizes[kind] for kind in kinds))

    intervals = {label: bound(label, values) for label, values in drawn.items()}
    metrics = {name: _estimates(judged, i, numbers, intervals) for i, name in enumerate(names)}
    p_values = tests.compare_pairs(judged, names, baseline, clusters, drawn_for_tests, drawing)
    gaps: Mapping[str, Mapping[str, Any]] = {}
    if baseline is not None:
        gaps = tests.subtract_baseline(metrics, baseline, p_values, drawn, bound)
    raters = measure_agreement(rated, judged.items, "interval", confidence, **drawing)
    return Agreement(
        {name: _by_level(judged, own) for name, own in metrics.items()},
        {name: _by_level(judged, own) for name, own in gaps.items()},
        len(judged.ratings),
        judged.sizes["items"],
        judged.sizes["systems"] if judged.names else None,
        signatures=signatures,
        notes=tuple(notes),
        raters=raters if raters.outputs else None,
        clusters=_by_level(judged, tests.rank(metrics, p_values, alpha)) if clusters else {},
        judged=judged,
        **options,
    )


def _by_level(judged: Judged, values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return level → coefficient → value, from "level.coefficient" → value."""
    levels: dict[str, dict[str, Any]] = {level: {} for level in judged.by}
    for label, value in values.items():
        level, _, key = label.partition(".")
        levels[level][key] = value
    return levels


def _estimates(
    judged: Judged, metric: int, numbers: Numbers, intervals: Mapping[str, Any]
) -> dict[str, Estimate]:
    """Return "level.coefficient" → `Estimate` of a metric."""
    reasons = {level: _reason(judged, level, metric) for level in judged.by}
    estimates = {}
    for label, values in numbers.items():
        level, _, key = label.partition(".")
        if key.endswith(".groups"):
            continue
        size = judged.sizes.get(level, len(judged.ratings))
        if level.startswith("within"):
            size = int(numbers[f"{label}.groups"][metric])
        value, interval = float(values[metric]), intervals.get(label)
        reason = reasons[level] or (_undefined(level) if math.isnan(value) else "")
        if reason:
            estimates[label] = Estimate(None, None, size, reason)
        else:
            estimates[label] = Estimate(value, interval and interval[metric], size)
    return estimates


def _reason(judged: Judged, level: str, metric: int) -> str:
    """Return why a metric has no coefficient of a level, or ""."""
    what = level.removeprefix("within_")
    if judged.sizes.get(what, len(judged.ratings)) < MIN_SIZE:
        return f"fewer than {MIN_SIZE} {what}"
    scores, ratings = resampling.columns_of(judged, level, metric)
    if missing := int(np.isnan(scores).sum()):
        return f"no score of {quantity(missing, 'system')}"
    for name, column in (("ratings", ratings), ("scores", scores)):
        if np.ptp(column) <= 1e-13 * np.abs(column).max():
            return f"constant {name}"
    return ""


def _undefined(level: str) -> str:
    """Return why one coefficient of a level is undefined though others may be."""
    if level == "systems":
        return "no two systems have two items in common"  # for soft accuracy
    what = level.removeprefix("within_")
    return f"none of the {what} has 2 outputs with different scores and ratings"


def _rated_rows(rated: Floats, name: str) -> tuple[Any, list[str]]:
    """Return the rows with a rating, and a note on the others."""
    kept = np.flatnonzero(~np.isnan(rated).all(axis=1))
    if not len(kept):
        raise InputError(f"{name}: expected a rating, got none in any row")
    return kept, arguments.note_left_out(len(rated) - len(kept), "output", "a rating")


def _take(rows: Sequence[Any] | None, kept: Sequence[int]) -> list[Any] | None:
    return None if rows is None else [rows[i] for i in kept]


def _score_examples(
    chosen: Chosen, examples: Examples, systems: list[Any] | None
) -> tuple[list[Floats], list[Measure]]:
    """Return the chosen scores of the examples, and how a corpus gets its own."""
    statistics: dict[Metric, Floats] = {}
    values, measures = [], list[Measure]()
    parts = resampling.split_rows(resampling.encode(systems or [None] * len(examples)))
    for metric, key in chosen.values():
        if metric not in statistics:
            # If rows depend on each other, each system's are its own.
            groups = [np.arange(len(examples))] if metric.independent_rows else parts
            rows = [metric.compute_statistics(examples.take(i))[UNNAMED_SYSTEM] for i in groups]
            statistics[metric] = np.concatenate(rows)[np.argsort(np.concatenate(groups))]
        values.append(metric.reduce_examples(statistics[metric])[key])
        measures.append((statistics[metric], partial(_reduce, metric, key)))
    return values, measures


def _reduce(metric: Metric, name: str, sums: Floats) -> Floats:
    return metric.reduce(sums)[name]
