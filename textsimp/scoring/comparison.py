"""Several systems on the same data: their scores, differences and paired tests."""

import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any

from textsimp.core import examples, joined_statistics, sample, significance
from textsimp.core.comparisons import Comparison, Comparisons, Tests, between
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric, Statistics, group
from textsimp.core.sample import Sample
from textsimp.core.scores import Results, Scores, Value, rank
from textsimp.core.significance import Difference
from textsimp.corpora.row_ids import Missing, join_columns
from textsimp.metrics import catalogue
from textsimp.metrics.catalogue import Metrics
from textsimp.scoring.systems import (
    ALL_BASELINES,
    Baseline,
    add_baselines,
    asked_baselines,
    check_alike,
    check_baselines,
    check_examples,
    check_systems,
    list_baselines,
    score_baselines,
    split_runs,
)
from textsimp.support.errors import (
    InputError,
    check_choice,
    check_sampling,
    check_switch,
    take_either,
)

__all__ = ["choose_metrics"]


@take_either("metrics", "metric")
def score(
    systems: Mapping[str, Any] | Sequence[str] | Examples,
    *,
    metrics: Metrics | None = None,
    sources: Any = None,
    references: Any = None,
    ids: Any = None,
    missing: Missing = "error",
    baselines: bool = False,
    per_example: bool = False,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Results:
    """Score systems by one or more metrics.

    Args:
        systems: Name → predictions, one per source; a list is the system ``predictions``. For
            metrics that read more columns of a system, name → column → rows. A list of these is
            several runs of one system, whose scores are means. Also all columns as `Examples`, or
            the statistics that `merge` returns.
        metrics: A metric's name, or a metric with its options such as ``Sari("xu")``, or a list of
            these. The default is SARI, or all metrics of statistics. Also ``metric``.
        sources: The original texts.
        references: One or more reference simplifications per source.
        ids: An id of each source. Systems that have a column ``ids``, too, are joined by it.
        missing: What becomes of ids that a system lacks: ``"error"``; ``"empty"``, an empty output;
            or ``"skip"``: they are left out of all systems.
        baselines: Whether to score what every system should beat, too: ``source unchanged`` and
            ``source truncated``, the first 80 % of its words. They are never among the best.
        per_example: Whether to score each example, too.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples.
        seed: Seed of the resamples.
        **options: ``variant`` and other options of the metrics given by name, each for all that
            have it; ``language``, such as ``"de"``, which sets tokenizer, splitter, syllables and
            formulas of all; and other columns that metrics read and all systems share.

    Returns:
        System → metric → `scores.Scores`. It prints as a table, and has `records`,
        `to_pandas`, `to_markdown` and `to_latex`.

    Example:
        >>> import textsimp
        >>> results = textsimp.score(
        ...     {"copy": ["A feline sat on it."], "ours": ["A cat sat on it."]},
        ...     metrics=["sari", "bleu"],
        ...     sources=["A feline sat on it."],
        ...     references=["A cat sat."],
        ...     confidence=None,
        ... )
        >>> print(results.to_markdown())  # doctest: +ELLIPSIS
        |  | SARI (easse) ↑ | BLEU (easse) ↑ |
        | --- | ---: | ---: |
        | copy | 5.56 | 10.68 |
        | ours | 46.57 | 32.47 |
        <BLANKLINE>
        `sari|variant:easse|...`
        `bleu|variant:easse|...`
        <BLANKLINE>
    """
    check_switch("per_example", per_example)
    sampling = check_sampling(confidence, resamples, seed)
    texts = {"sources": sources, "references": references}
    measured, examples, added = measure(
        *(systems, metrics, texts, options, ids, missing),
        per_example=per_example,
        baselines=baselines,
        tests=confidence is not None,
    )
    check_alike(measured)
    each = examples if per_example else None
    results: dict[str, dict[str, Scores]] = {}
    best: dict[str, Sequence[str]] = {}
    for name, statistics in measured.items():
        if confidence is None:
            scores: Mapping[str, Scores] = statistics.score(each, **sampling)
        else:
            compared = make_comparison(statistics, (), each, added, **sampling)
            scores, best[name] = compared.systems, compared.best
        for system, value in scores.items():
            results.setdefault(system, {})[name] = value
    return Results(results, best, sampling["confidence"], added)


@take_either("metric", "metrics")
def compare(
    systems: Mapping[str, Any] | Sequence[str] | Examples,
    *,
    sources: Any = None,
    references: Any = None,
    ids: Any = None,
    missing: Missing = "error",
    metric: Metrics | None = None,
    baseline: Baseline = None,
    baselines: bool = False,
    per_example: bool = False,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Comparisons:
    """Score systems and test whether they differ from a baseline.

    Args:
        systems: At least two systems, or one with ``baselines``, see `score`.
        sources: The original texts.
        references: One or more reference simplifications per source.
        ids: An id of each source, see `score`.
        missing: What becomes of ids that a system lacks, see `score`.
        metric: One or more metrics, see `score`. Also ``metrics``.
        baseline: The system that the others are tested against, or a list of up to four; by
            default the best by the metric's main score, or the first if it has no direction.
            ``"copy"`` and ``"truncation"`` are what every system should beat, see `score`.
        baselines: Whether to test what every system should beat, too, see `score`. Their p-values
            are adjusted apart from those of the systems.
        per_example: Whether to score each example, too.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both.
        **options: See `score`.

    Returns:
        Metric → `scores.Comparison`, for one metric too. Both print as tables, and have `records`
        and `to_pandas`. A comparison has fields; read as a mapping it has the keys

        ``systems``: name → what the metric's ``score`` returns, with intervals.
        ``differences``: name of every other system → for each score ``<score>``, the difference
        system − baseline; ``<score>_interval``, the paired bootstrap interval of the difference;
        ``<score>_bootstrap_p`` and ``<score>_permutation_p``, two-sided p-values, None for a single
        example; ``<score>_bootstrap_p_holm`` and ``<score>_permutation_p_holm``, the same adjusted
        for the number of tests, score by score: of baselines that you name, otherwise of all pairs.
        ``other_differences``: with several baselines, each further one → the same; else left out.
        ``best``: the system with the best main score, and all that do not differ
        significantly from it (paired permutation test at 1 − confidence, Holm's p-values).
        ``signature``, ``baseline``, ``confidence``, ``resamples``, ``seed``: the settings.

    Warns:
        UserWarning: Fewer than ten examples: the bootstrap cannot test so few.

    Example:
        >>> from textsimp import compare
        >>> columns = {
        ...     "sources": ["A feline sat.", "It rained."],
        ...     "references": ["A cat sat.", "Rain fell."],
        ... }
        >>> systems = {"copy": columns["sources"], "ours": ["A cat sat.", "It rained."]}
        >>> results = compare(systems, **columns, metric="bleu")
        >>> results["bleu"].baseline
        'ours'
        >>> results["bleu"].differences["copy"]["bleu"].value < 0
        True
    """
    check_switch("per_example", per_example)
    sampling = check_sampling(confidence, resamples, seed, optional=False)
    texts = {"sources": sources, "references": references}
    against = list_baselines(baseline)
    measured, examples, added = measure(
        *(systems, metric, texts, options, ids, missing, against),
        at_least=1 if baselines or asked_baselines(against, ()) else 2,
        per_example=per_example,
        baselines=baselines,
    )
    each = examples if per_example else None
    tests = {
        name: make_comparison(statistics, against, each, added, **sampling)
        for name, statistics in measured.items()
    }
    for caution in dict.fromkeys(test.caution for test in tests.values()):
        if caution:
            warnings.warn(caution, stacklevel=3)  # the caller's line, beyond `take_either`
    return Comparisons(tests)


def merge(files: Iterable[str | Path | bytes], rows: int | None = None) -> dict[str, Statistics]:
    """Merge the statistics of pieces that were scored apart.

    Their scores, intervals and tests, by `score` and `compare`, are those of one run on everything,
    to the last bit.

    Args:
        files: Files that `textsimp.save` or ``textsimp score --save-statistics`` wrote, each of
            different examples, or of different systems or metrics of the same examples. Also bytes
            that functions of `map_statistics` returned, and files that have these in a column
            ``statistics``. They are taken one by one, so memory doesn't grow with their number.
        rows: Number of rows of the whole corpus. Without it, nothing tells if the last piece is
            missing.

    Warns:
        UserWarning: No file has some of the examples.

    Example:
        >>> import tempfile
        >>> import textsimp
        >>> folder = tempfile.mkdtemp()
        >>> sari = textsimp.Sari()
        >>> texts = {"sources": ["A feline sat."], "references": ["A cat sat."]}
        >>> for i, text in enumerate(["A cat sat.", "A feline."]):
        ...     rows = {"predictions": [text], "first_row": i}
        ...     textsimp.save(sari, f"{folder}/{i}.parquet", **rows, **texts)
        >>> merged = textsimp.merge([f"{folder}/0.parquet", f"{folder}/1.parquet"])
        >>> print(textsimp.score(merged, confidence=None))  # doctest: +ELLIPSIS
                     SARI (easse) ↑
        predictions           58.83
        <BLANKLINE>
        sari|variant:easse|...
    """
    merged = joined_statistics.merge(files, catalogue.metric)
    if gaps := joined_statistics.missing(merged, rows):
        warnings.warn(gaps, stacklevel=2)
    return merged


def measure(
    systems: Any,
    metrics: Metrics | None,
    texts: Mapping[str, Any],
    options: Mapping[str, Any],
    ids: Any,
    missing: Missing,
    baseline: Sequence[str] = (),
    *,
    at_least: int = 1,
    per_example: bool = False,
    baselines: bool,
    required: bool = True,
    tests: bool = True,
) -> tuple[dict[str, Statistics], Examples | None, list[str]]:
    """Return the statistics of each metric, the checked texts, if any, and the added baselines.

    Baselines that can't be made are an error if they are ``required``.
    """
    check_switch("baselines", baselines)
    if isinstance(systems, Mapping) and {*map(type, systems.values())} == {Statistics}:
        others = {**texts, "ids": ids, **options}
        others |= {"per_example": per_example, "baselines": baselines}
        return _choose_statistics(systems, metrics, others, baseline, at_least), None, []
    single, runs = split_runs(systems)
    if per_example and runs:
        raise InputError("per_example: expected one run of each system")
    single, texts = join_columns(single, texts, ids, missing)
    scorers, others = choose_metrics("sari" if metrics is None else metrics, options)
    checked = check_examples(scorers.values(), single, {**texts, **others}, runs, at_least)
    added, hidden = list[str](), list[str]()
    asked = asked_baselines(baseline, [*checked.systems, *runs])
    show = baselines or bool(asked)
    if show or (tests and len(checked.systems) > 1):
        checked, added, hidden = add_baselines(
            checked, asked, show=show, required=show and required
        )
    shown = [name for name in checked.systems if name not in hidden]
    check_baselines(baseline, group(shown, runs))
    measured = {
        name: score_baselines(metric.measure(checked), hidden) for name, metric in scorers.items()
    }
    return measured, checked, added


def _choose_statistics(
    measured: Mapping[str, Statistics],
    metrics: Any,
    others: Mapping[str, Any],
    baseline: Sequence[str],
    at_least: int,
) -> dict[str, Statistics]:
    """Return the statistics of some metrics, which were made before; there is nothing else."""
    for name, value in others.items():
        if value is not None and value is not False:
            raise InputError(f"{name}: expected none beside statistics, which were made before")
    names = [*measured] if metrics is None else metrics
    names = list(names) if isinstance(names, (list, tuple)) else [names]
    for name in names or [metrics]:  # an empty list is refused
        check_choice("metrics", name, list(measured))
    chosen = {str(n): score_baselines(measured[n], ALL_BASELINES, keep=True) for n in names}
    for statistics in chosen.values():
        check_systems(statistics.groups, at_least)
        check_baselines(baseline, statistics.groups)
    return chosen


def choose_metrics(
    metrics: Metrics, options: Mapping[str, Any]
) -> tuple[dict[str, Metric], dict[str, Any]]:
    """Return metrics by name, and those of the options that are columns which they read."""
    choices = catalogue.read(metrics, "metrics")
    legal = examples.columns_of([choice.metric or choice.cls for choice in choices])
    shared = {name: options[name] for name in options if name in legal and not legal[name].own}
    rest = {name: value for name, value in options.items() if name not in shared}
    language = None
    if len(choices) > 1 or (choices and "language" not in choices[0].cls.option_names()):
        language = rest.pop("language", None)
    return catalogue.make_metrics(choices, "metrics", rest, language), shared


def make_comparison(
    measured: Statistics,
    against: Sequence[str] = (),
    examples: Examples | None = None,
    baselines: Sequence[str] = (),
    unranked: Collection[str] = (),
    *,
    references: Mapping[str, Value] = MappingProxyType({}),
    all_pairs: bool = False,
    **sampling: Any,
) -> Comparison:
    """Return what `compare` returns for a metric; with examples, also the scores of each.

    Systems are tested ``against`` these, by default the best one; with ``all_pairs`` each against
    every other. Those that are ``unranked`` aren't among the best. ``references`` are their scores.
    """
    scores = measured.score(examples, **sampling)
    order = [name for name in rank(scores) if name not in {*baselines, *unranked}]
    order += [name for name in scores if name in unranked and name not in baselines]
    order += [name for name in scores if name in baselines]
    if not against and not measured.metric.scores[0].better:
        against = order[:1]  # which isn't chosen by its score
    first, *others = against or order[:1]
    names = scores[first].predictions  # the other scores are the same for all systems
    tests, planned = _test(
        measured.samples(), names, order, against, baselines, all_pairs=all_pairs, **sampling
    )
    differences = {
        name: {system: between(planned, system, name) for system in scores if system != name}
        for name in (first, *others)
    }
    return Comparison(
        systems=scores,
        differences=differences[first],
        other_differences={name: differences[name] for name in others},
        signature=scores[first].signature,
        baseline=first,
        baselines=baselines,
        hidden_baselines=measured.hidden,
        tests=tests,
        unranked=unranked,
        references=dict(references),
        **sampling,
    )


def _test(
    samples: Mapping[str, Sample],
    names: Collection[str],
    order: Sequence[str],
    against: Sequence[str],
    baselines: Collection[str],
    *,
    all_pairs: bool,
    **sampling: Any,
) -> tuple[Tests, Tests]:
    """Test scores of these names: all tests, and those that differences are printed of.

    ``order`` has the best system first. Its tests are adjusted for all pairs, since scores choose
    it; those ``against`` chosen systems for these.
    """
    ends = {order[0], *against}
    pairs = [
        pair
        for pair in combinations(order, 2)
        if not ends.isdisjoint(pair) or (all_pairs and pair[0] not in baselines)
    ]
    systems = len(order) - len(baselines)
    factors = significance.all_pairs(systems)
    baseline_factors = range(systems * len(baselines), 0, -1)
    families = {
        pair: len(factors if {*baselines}.isdisjoint(pair) else baseline_factors) for pair in pairs
    }
    compared = sample.compare(samples, pairs, families=families, **sampling)
    tests = {
        (other, system): {name: test for name, test in scores.items() if name in names}
        for (system, other), scores in compared.items()
    }
    planned = {pair: test for pair, test in tests.items() if not {*against}.isdisjoint(pair)}
    planned = _adjust(planned, {*baselines} - {*against})
    for other in order:
        row = {pair: test for pair, test in tests.items() if pair[1] == other}
        tests |= _adjust(row, baselines, factors, baseline_factors)
    if order[0] in against:
        tests |= {pair: test for pair, test in planned.items() if order[0] in pair}
    return tests, planned if against else tests


def _adjust(
    tests: Tests,
    baselines: Collection[str],
    factors: Sequence[int] = (),
    baseline_factors: Sequence[int] = (),
) -> dict[tuple[str, str], dict[str, Difference]]:
    """Adjust the p-values of tests as one family, and those of baselines as another."""
    apart = {pair: test for pair, test in tests.items() if not {*baselines}.isdisjoint(pair)}
    others = {pair: test for pair, test in tests.items() if pair not in apart}
    return significance.adjust(others, factors) | significance.adjust(apart, baseline_factors)
