"""How well scores agree with people: from scores, from texts, and from pairs of texts."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np

from textsimp import catalogue, columns, comparison, examples, significance
from textsimp.columns import InputError, nearest
from textsimp.declarations import REFERENCES, SOURCES, Column, check_choice
from textsimp.examples import ONE, Examples
from textsimp.extras import require
from textsimp.meta import correlations, levels
from textsimp.meta import ratings as reading
from textsimp.meta.levels import LEAST, Judged, Over, Table
from textsimp.meta.ratings import Labels
from textsimp.meta.results import Agreement, Estimate, Gap, Preference, Preferences
from textsimp.metric import COLUMNS, Floats, Metric

Corpus = tuple[Callable[[Floats], Floats], Floats]


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
    resamples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """How well scores, from anywhere, agree with people's ratings of the same outputs.

    Scores are taken as they are: where lower is better, a good score's correlations are negative
    and its pairwise accuracies below one half. A system's score is the mean of its outputs'.

    Args:
        scores: A number per output; or name → a number per output.
        ratings: A number, or a list with a number of each rater, per output. None is no rating; an
            output without any is left out. An output's rating is the mean of its raters'.
        items: What each output is a simplification of, such as the number of the source. Outputs of
            an item are not independent, so items are resampled. Unless given, each output is its
            own.
        systems: Who wrote each output.
        labels: What the ratings are if not numbers: the labels from worst to best, which count as
            0, 1, …; or label → number, which also says where a label such as "gibberish" stands;
            None says that it is no rating.
        standardise: Take from each rater's ratings their mean and divide by their standard
            deviation first. The first in each list is the first rater, and so on.
        baseline: The metric that the others are tested against; None for no tests. Of thousands of
            outputs each takes some seconds.
        over: What the bootstrap resamples: ``"items"``, ``"systems"`` or ``"both"``. Over items,
            intervals tell of these systems; over systems, of others like them.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples, and of permutations.
        seed: Seed of both.

    Raises:
        InputError: Columns of unequal lengths, a row that isn't what it should be, an unknown
            baseline, or bad options.

    Example:
        >>> from textsimp import meta
        >>> found = meta.correlate(
        ...     {"length": [4, 9, 7, 3, 8, 6]},
        ...     [[1, 2], [5, 5], [3, 4], [1, 1], [4, 5], [4, None]],
        ...     systems=["a", "b", "c", "a", "b", "c"],
        ...     confidence=None,
        ... )
        >>> round(found.metrics["length"]["outputs"]["spearman"].value, 2)
        0.94
        >>> found.metrics["length"]["systems"]["accuracy"].value
        1.0
    """
    _check_options(over, standardise, confidence, resamples, seed)
    found = _scores(scores, "scores")
    rated = reading.matrix(ratings, "ratings", labels)
    given = {
        "items": None if items is None else _ids(items, "items"),
        "systems": None if systems is None else _ids(systems, "systems"),
    }
    _check_lengths(scores=found, ratings=rated, **given)
    _check_names(baseline, found, over, given["systems"])
    kept = _rated(rated, "ratings")
    judged = _judged(
        np.array(list(found.values()))[:, kept],
        _values(rated, standardise)[kept],
        _some(given["items"], kept),
        _some(given["systems"], kept),
        [None] * len(found),
    )
    notes = [] if len(kept) == len(rated) else [_unrated(len(rated) - len(kept))]
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    return _agreement(judged, list(found), baseline, over, sampling, notes, {}, "mean")


def evaluate(
    rows: Any,
    metrics: catalogue.Metrics | Mapping[str, Metric] = "sari",
    *,
    rating: str = "rating",
    item: str | None = None,
    system: str | None = None,
    references: Literal["without_output", "as_given"] = "without_output",
    system_score: Literal["corpus", "mean"] = "corpus",
    labels: Labels | None = None,
    standardise: bool = False,
    baseline: str | None = None,
    over: Over = "items",
    confidence: float | None = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """How well metrics, computed here, agree with people's ratings. See also `correlate`.

    Args:
        rows: A list of dicts, a dataset, a table, or name → column: an output a row, with what the
            metrics read (``source``, ``prediction``, ``references``), and a rating.
        metrics: One or more metrics as `textsimp.score` takes them; or name → metric.
        rating: The column of ratings.
        item: The column of what an output is a simplification of; ``item`` if there is one, or else
            each source is an item.
        system: The column of who wrote an output; ``system`` if there is one.
        references: A reference that equals the output it judges is left out; and so is an output
            without another one, from all metrics. ``"as_given"`` keeps them.
        system_score: What a system's score is: ``"corpus"``, the metric's own, of all outputs
            together; or the ``"mean"`` of the outputs' scores.
        labels: See `correlate`.
        standardise: See `correlate`.
        baseline: See `correlate`.
        over: See `correlate`.
        confidence: See `correlate`.
        resamples: See `correlate`.
        seed: See `correlate`.

    Raises:
        InputError: See `textsimp.examples.check` and `correlate`.

    Warns:
        UserWarning: Most outputs of a system are among the references: it may be a human who wrote
            some of them, and is judged by others' only.
    """
    _check_options(over, standardise, confidence, resamples, seed)
    check_choice("references", references, ("without_output", "as_given"))
    check_choice("system_score", system_score, ("corpus", "mean"))
    scorers = _scorers(metrics)
    table = _table(rows)
    checked = _checked(scorers, table)
    rated = reading.matrix(_column(table, rating, "rating"), rating, labels)
    systems = _ids_of(table, system, "system")
    items = _ids_of(table, item, "item") or checked.sources
    columns.check_lengths(
        predictions=checked.predictions(), **{rating: list(rated)}, item=items, system=systems
    )
    _check_names(baseline, scorers, over, systems)
    left, notes = _references(checked, systems, references)
    kept = _rated(rated, rating)
    if len(kept) < len(rated):
        notes.append(_unrated(len(rated) - len(kept)))
    if left is not None:
        without = int(np.count_nonzero([not left[i] for i in kept]))
        kept = np.array([i for i in kept if left[i]], dtype=int)
        if without:
            notes.append(f"left out: {_outputs(without)} without another reference")
        if not len(kept):
            raise InputError("references: expected one that isn't the output, got none in any row")
    if left is not None:
        checked = Examples({**checked.shared, REFERENCES.name: left}, checked.systems)
    taken = _subset(checked, kept)
    scores, corpus, signatures = [], [], {}
    for name, metric in scorers.items():
        statistics = _statistics(metric, taken, _some(systems, kept))
        main = metric.reported([column for column in COLUMNS if column in taken.shared])[0]
        scores.append(metric.reduce_examples(statistics)[main])
        corpus.append((functools.partial(_main, metric, main), statistics))
        signatures[name] = metric.signature(taken.references)
    judged = _judged(
        np.array(scores),
        _values(rated, standardise)[kept],
        _some(items, kept),
        _some(systems, kept),
        corpus if system_score == "corpus" else [None] * len(corpus),
    )
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    return _agreement(
        judged, list(scorers), baseline, over, sampling, notes, signatures, system_score
    )


def preferences(
    better_scores: Any, worse_scores: Any, *, confidence: float | None = 0.95
) -> Preferences:
    """How often the better text of a pair scores higher, with a sign test.

    Args:
        better_scores: A number per pair, of the text that people prefer; or name → a number per
            pair.
        worse_scores: The same of the other text.
        confidence: Coverage of the intervals; None for none.

    Raises:
        InputError: Columns of unequal lengths, a row that isn't a number, different metrics, or a
            bad confidence.

    Example:
        >>> from textsimp import meta
        >>> found = meta.preferences([3, 5, 4, 2], [1, 2, 4, 3])
        >>> found.metrics["scores"].share, found.metrics["scores"].tied
        (0.5, 1)
    """
    significance.check(confidence, 1, 0)
    stats = require("scipy.stats", extra="meta")
    better = _scores(better_scores, "better_scores")
    worse = _scores(worse_scores, "worse_scores")
    for name in [*better, *worse]:
        for lacks, has, there in (("better", "worse", better), ("worse", "better", worse)):
            if name not in there:
                raise InputError(f"{lacks}_scores: expected {name!r}, which {has}_scores have")
    _check_lengths(better_scores=better, worse_scores=worse)
    found = {}
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
        found[name] = Preference(higher, n - higher - lower, lower, higher / n, interval, p)
    return Preferences(found, len(next(iter(better.values()))), confidence)


def _agreement(
    judged: Judged,
    names: list[str],
    baseline: str | None,
    over: Over,
    sampling: Mapping[str, Any],
    notes: list[str],
    signatures: Mapping[str, str],
    system_score: str,
) -> Agreement:
    """All numbers, of columns that were checked."""
    with_systems = "systems" in judged.by
    sizes = dict(zip(("items", "systems"), judged.sizes, strict=True))
    confidence, resamples, seed = (sampling[key] for key in ("confidence", "resamples", "seed"))
    thresholds = levels.epsilons(judged)
    every_item, every_system = (np.ones((1, size)) for size in judged.sizes)
    values, counts = levels.coefficients(judged, every_item, every_system, thresholds)
    resampled: Table = {}
    few = [what for what in sizes if (over == "both" or over == what) and sizes[what] < LEAST]
    if confidence is not None and few:
        notes.append(f"no intervals: fewer than {LEAST} {few[0]} to resample")
    elif confidence is not None:
        resampled = levels.resampled(judged, over, resamples, seed, thresholds)
    metrics: dict[str, dict[str, dict[str, Estimate]]] = {name: {} for name in names}
    for level, of_level in values.items():
        for metric, name in enumerate(names):
            found = {}
            for key, points in of_level.items():
                value = float(points[metric, 0])
                reason = _reason(judged, level, metric, key, value)
                interval = None
                if resampled and not reason:
                    interval = _interval(resampled[level][key][metric], confidence)
                by_output = key == "accuracy" and level != "systems" and not reason
                found[key] = Estimate(
                    None if reason else value,
                    interval,
                    int(counts[level][key][metric, 0]),
                    thresholds[level][metric] if by_output else None,
                    reason,
                )
            metrics[name][level] = found
    gaps: dict[str, dict[str, dict[str, Gap]]] = {}
    if baseline is not None:
        first = names.index(baseline)
        for metric, name in enumerate(names):
            if metric != first:
                gaps[name] = _gaps(
                    judged, first, metric, metrics[baseline], metrics[name], resampled, sampling
                )
    return Agreement(
        metrics,
        gaps,
        len(judged.ratings),
        sizes["items"],
        sizes["systems"] if with_systems else None,
        system_score,
        over,
        baseline,
        None if confidence is None else float(confidence),
        int(resamples),
        int(seed),
        dict(signatures),
        tuple(notes),
    )


def _gaps(
    judged: Judged,
    baseline: int,
    metric: int,
    of_baseline: Mapping[str, Mapping[str, Estimate]],
    of_metric: Mapping[str, Mapping[str, Estimate]],
    resampled: Table,
    sampling: Mapping[str, Any],
) -> dict[str, dict[str, Gap]]:
    p_values = levels.permutation(judged, baseline, metric, sampling["resamples"], sampling["seed"])
    every = np.ones((1, judged.sizes[0]))
    gaps: dict[str, dict[str, Gap]] = {}
    for level, estimates in of_metric.items():
        gaps[level] = {}
        for key, estimate in estimates.items():
            other = of_baseline[level][key]
            if estimate.value is None or other.value is None:
                continue
            interval, williams_p = None, None
            if resampled:
                of_level = resampled[level][key]
                interval = _interval(of_level[metric] - of_level[baseline], sampling["confidence"])
            if key == "pearson" and level in ("outputs", "systems") and estimate.over > LEAST:
                x, z = judged.scores[metric], judged.scores[baseline]
                if level == "systems":
                    x, z = (
                        levels.system_scores(judged, m, every)[0][0] for m in (metric, baseline)
                    )
                between = float(correlations.pearson(x[None], z, np.ones((1, len(x))))[0, 0])
                _, p = correlations.williams(estimate.value, other.value, between, len(x))
                williams_p = None if math.isnan(p) else p
            p_value = p_values[level].get(key)
            gaps[level][key] = Gap(estimate.value - other.value, interval, p_value, williams_p)
    return gaps


def _judged(
    scores: Floats,
    ratings: Floats,
    items: Sequence[Any] | None,
    systems: Sequence[Any] | None,
    corpus: Sequence[Corpus | None],
) -> Judged:
    n = len(ratings)
    by = {"outputs": True, "within_items": items is not None}
    by |= {"within_systems": systems is not None, "systems": systems is not None}
    return Judged(
        scores,
        ratings,
        np.arange(n) if items is None else _codes(items),
        np.zeros(n, np.int64) if systems is None else _codes(systems),
        [level for level, there in by.items() if there],
        corpus,
    )


def _reason(judged: Judged, level: str, metric: int, key: str, value: float) -> str:
    """Why there is no coefficient; nothing if there is."""
    items, systems = judged.sizes
    size = {"outputs": len(judged.ratings), "within_items": items}.get(level, systems)
    what = {"outputs": "outputs", "within_items": "items"}.get(level, "systems")
    if size < LEAST:
        return f"fewer than {LEAST} {what}"
    scores, ratings = judged.scores[metric], judged.ratings
    if level == "systems":
        every = np.ones((1, items))
        scores, ratings = (part[0] for part in levels.system_scores(judged, metric, every))
    for name, found in (("ratings", ratings), ("scores", scores)):
        if np.ptp(found) <= 1e-13 * np.abs(found).max():
            return f"constant {name}"
    if math.isnan(value):
        enough = f"{LEAST} outputs with different scores and ratings"
        if key == "accuracy":
            enough = "2 outputs"
        return f"none of the {what} has {enough}"
    return ""


def _interval(values: Floats, confidence: float) -> list[float] | None:
    defined = values[np.isfinite(values)]
    if not len(defined):
        return None
    return significance.intervals({"": defined}, confidence)[""]


def _scores(given: Any, argument: str) -> dict[str, Floats]:
    """Name → checked scores."""
    named = _table(given) if _is_table(given) else {argument: given}
    if not named:
        raise InputError(f"{argument}: expected a list of numbers or a mapping to these, got none")
    _check_texts(argument, named)
    several = _is_table(given)
    found = {
        name: reading.scores(rows, f"{argument} of {name}" if several else argument)
        for name, rows in named.items()
    }
    return found if several else {"scores": found[argument]}


def _check_texts(argument: str, names: Collection[Any]) -> None:
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{argument}: expected texts as names, got {columns.shown(name)}")


def _check_lengths(**given: Any) -> None:
    """`textsimp.columns.check_lengths` of columns, or of names with columns."""
    parts: dict[str, Any] = {}
    for name, column in given.items():
        if isinstance(column, dict):
            parts |= {f"{name} of {key}": rows for key, rows in column.items()}
        else:
            parts[name] = column
    columns.check_lengths(**parts)


def _check_options(
    over: Any, standardise: Any, confidence: float | None, resamples: int, seed: int
) -> None:
    check_choice("over", over, get_args(Over))
    check_choice("standardise", standardise, (True, False))
    significance.check(confidence, resamples, seed)


def _check_names(baseline: str | None, names: Collection[str], over: Over, systems: Any) -> None:
    if baseline is not None:
        comparison.check_baseline(baseline, names)
        require("scipy.stats", extra="meta")
    if systems is not None and len({*systems}) > levels.MOST_SYSTEMS:
        raise InputError(
            f"systems: expected at most {levels.MOST_SYSTEMS:,}, as pairs of them are compared, "
            f"got {len({*systems}):,}"
        )
    if over != "items" and systems is None:
        raise InputError(f"over: expected systems, to resample {over}, got none")


def _values(rated: Floats, standardise: bool) -> Floats:
    return reading.means(reading.standardised(rated) if standardise else rated)


def _rated(rated: Floats, name: str) -> Any:
    """The rows with a rating."""
    kept = np.flatnonzero(~np.isnan(rated).all(axis=1))
    if not len(kept):
        raise InputError(f"{name}: expected a rating, got none in any row")
    return kept


def _unrated(n: int) -> str:
    return f"left out: {_outputs(n)} without a rating"


def _outputs(n: int) -> str:
    return f"{n:,} output{'' if n == 1 else 's'}"


def _some(rows: Sequence[Any] | None, kept: Any) -> list[Any] | None:
    return None if rows is None else [rows[i] for i in kept]


def _ids(column: Any, name: str) -> list[Any]:
    """Check a column of names or numbers of items or systems."""
    rows = columns.plain_rows(column, name, "a list with a name or number per row")
    for i, row in enumerate(rows):
        legal = isinstance(row, (str, int, float, np.number)) and not isinstance(row, bool)
        if not legal or columns.is_missing(row):
            raise InputError(
                f"row {i} of {name} (counted from 0): expected a name or number, "
                f"got {columns.shown(row)}"
            )
    return rows


def _codes(ids: Sequence[Any]) -> Any:
    """(n,) ints from 0, in the order in which they first come."""
    codes: dict[Any, int] = {}
    return np.array([codes.setdefault(name, len(codes)) for name in ids])


def _scorers(metrics: Any) -> dict[str, Metric]:
    if isinstance(metrics, Mapping) and any(isinstance(m, Metric) for m in metrics.values()):
        for name, metric in metrics.items():
            if not isinstance(metric, Metric):
                raise InputError(f"metrics: expected a metric for {name!r}, got {metric!r}")
        _check_texts("metrics", metrics)
        return dict(metrics)
    return comparison.chosen(metrics, {})[0]


def _statistics(metric: Metric, taken: Examples, systems: list[Any] | None) -> Floats:
    """(n, k) statistics; where rows depend on each other, those of a system on its own only."""
    if metric.independent_rows or systems is None:
        (statistics,) = metric.statistics_of(taken).values()
        return statistics
    codes = _codes(systems)
    order = np.argsort(codes, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
    found = [metric.statistics_of(_subset(taken, rows))[ONE] for rows in parts]
    return np.concatenate(found)[np.argsort(order)]


def _main(metric: Metric, name: str, totals: Floats) -> Floats:
    return metric.reduce(totals)[name]


def _table(rows: Any) -> dict[str, Any]:
    """Name → column."""
    if isinstance(rows, Mapping):
        return dict(rows)
    if _is_table(rows):
        return {name: rows[name] for name in getattr(rows, "column_names", None) or rows.columns}
    given = columns.plain_rows(rows, "rows", "a list of dicts, a table, or columns by name")
    for i, row in enumerate(given):
        if not isinstance(row, Mapping):
            raise InputError(
                f"row {i} of rows (counted from 0): expected a dict, got {columns.shown(row)}"
            )
        for here, there in ((i, 0), (0, i)):
            for name in given[there]:
                if name not in given[here]:
                    raise InputError(
                        f"row {here} of rows (counted from 0): expected {name!r}, "
                        f"as row {there} has it"
                    )
    return {name: [row[name] for row in given] for name in given[0]}


def _is_table(value: Any) -> bool:
    """Whether columns have names: a mapping, or a table of datasets, Arrow or pandas."""
    return isinstance(value, Mapping) or any(
        hasattr(value, names) for names in ("column_names", "columns")
    )


def _column(table: Mapping[str, Any], name: str, argument: str) -> Any:
    if not isinstance(name, str) or name not in table:
        there = ", ".join(map(str, table))
        raise InputError(
            f"{argument}: expected one of the columns {there}, got {name!r}{nearest(name, table)}"
        )
    return table[name]


def _ids_of(table: Mapping[str, Any], name: str | None, argument: str) -> list[Any] | None:
    if name is None:
        return _ids(table[argument], argument) if argument in table else None
    return _ids(_column(table, name, argument), name)


def _checked(scorers: Mapping[str, Metric], table: Mapping[str, Any]) -> Examples:
    """All that metrics read, and sources if there are some, by which items are told apart."""
    own: dict[str, Any] = {}
    shared: dict[str, Any] = {}
    declared: dict[str, Column] = examples.columns_of(scorers.values())
    for column in declared.values():
        for name in column.usual:
            if name in table:
                (own if column.own else shared).setdefault(column.name, table[name])
    checked = examples.check(scorers.values(), {ONE: own}, shared)
    if SOURCES.name not in declared:
        for name in SOURCES.usual:
            if name in table:
                sources = columns.texts(table[name], name)
                return Examples({**checked.shared, SOURCES.name: sources}, checked.systems)
    return checked


def _references(
    checked: Examples, systems: list[Any] | None, how: str
) -> tuple[list[list[str]] | None, list[str]]:
    """The references to score with, and notes on those that equal the output.

    A row's may be none.
    """
    given = checked.references
    if given is None:
        return None, []
    predictions = checked.predictions()
    among = [text in row for text, row in zip(predictions, given, strict=True)]
    notes = []
    if any(among) and how == "as_given":
        notes.append(f"{_outputs(sum(among))} equal to a reference, which was kept")
    elif any(among):
        notes.append(f"{_outputs(sum(among))} equal to a reference, which was left out")
    for system in dict.fromkeys(systems or []):
        own = [one for one, name in zip(among, systems or [], strict=True) if name == system]
        if 2 * sum(own) > len(own):
            note = (
                f"{sum(own):,} of {len(own):,} outputs of {system} are among the references: "
                "it may be who wrote them"
            )
            warnings.warn(note, stacklevel=3)
            notes.append(note)
    if how == "as_given":
        return given, notes
    left = [
        [text for text in row if text != output]
        for output, row in zip(predictions, given, strict=True)
    ]
    return left, notes


def _subset(checked: Examples, rows: Any) -> Examples:
    shared = {name: [column[i] for i in rows] for name, column in checked.shared.items()}
    own = {name: [column[i] for i in rows] for name, column in checked.systems[ONE].items()}
    return Examples(shared, {ONE: own})
