"""What ratings say: how far raters agree, and which systems people prefer."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from textsimp.core import sample, significance
from textsimp.core.cells import quantity
from textsimp.core.draws import RESAMPLES
from textsimp.core.metric import Floats
from textsimp.core.sample import Ints, Sample, reduce_means
from textsimp.core.scores import Value
from textsimp.core.significance import Difference
from textsimp.extensions.people.judgements import strengths
from textsimp.extensions.people.judgements.analysis_results import Analysis
from textsimp.extensions.people.judgements.judgements import Judgements
from textsimp.extensions.people.judgements.rater_intervals import pair_up
from textsimp.extensions.people.judgements.raters import Rater, measure_raters
from textsimp.extensions.people.judgements.resampling import encode
from textsimp.support.errors import InputError, check_sampling, listed
from textsimp.support.version import __version__

MAX_SYSTEMS = 100

_FEW_RATERS = {
    0: "no test, as no rater rated both systems",
    1: "p and interval are of this one rater's judgements",
}


def analyse(
    judgements: Judgements, *, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Analysis:
    """Measure how far raters agree, and compare systems by their ratings.

    Intervals of systems and differences are over sources and raters, those of alpha over sources.
    Permutation tests swap two systems' ratings of whole sources that have ratings of both. They
    are about these raters. Their p-values are adjusted by Holm's method for all pairs of systems in
    a criterion. A difference is significant by both: its p-value, and an interval without 0 that
    is adjusted likewise.

    Args:
        judgements: What `read` returned.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples, and of permutations.
        seed: Seed of both.

    Example:
        >>> from textsimp.extensions import people
        >>> found = people.read("examples/ratings.jsonl", criteria=["rating"])
        >>> analysis = people.analyse(found)
        >>> round(analysis.agreement["rating"].raters.alpha, 2)
        0.86
        >>> print(analysis)
                                   rating
        copy         43.96 [36.25, 51.50]
        human        84.83 [78.42, 90.42]
        splitter     51.29 [44.46, 58.42]
        substituter  63.21 [54.50, 72.50]
        <BLANKLINE>
        Intervals are over sources and raters; ...
        ratings|resamples:1000|seed:0|v:...
    """
    check_sampling(confidence, resamples, seed, optional=False)
    shown = judgements.rated
    systems = _list_systems(shown)
    sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
    compare = strengths.compare if judgements.compares else compare_means
    values, differences, rater_notes = compare(shown, systems, sampling)
    agreement, raters = measure_raters(judgements, sampling)
    items = shown.frame["item"].nunique()
    notes = [*_list_notes(judgements, shown, raters)]
    notes += [f"{name}: {entry.caution}" for name, entry in agreement.items() if entry.caution]
    notes += [*_caution(differences, items, resamples), *rater_notes]
    options = f"resamples:{resamples}|seed:{seed}|v:{__version__}"
    judges = [f"judge({how})" for how in sorted({*judgements.frame["how"]} - {""})]
    return Analysis(
        systems=values,
        differences=differences,
        agreement=agreement,
        raters=raters,
        compares=judgements.compares,
        counts={
            "ratings": len(shown),
            "controls": int((judgements.answers["control"] != "").sum()),
            "items": items,
            "systems": len(systems),
            "raters": len(raters),
        },
        signature="|".join(filter(None, ["ratings", judgements.scheme, *judges, options])),
        confidence=confidence,
        notes=notes,
    )


def _list_systems(judgements: Judgements) -> list[str]:
    if not len(judgements):
        beside = "empty cells, controls and invalid answers"
        raise InputError(f"expected ratings, got none beside {beside}")
    names = sorted({name for writers in {*judgements.frame["system"]} for name in writers})
    if len(names) > MAX_SYSTEMS:
        raise InputError(f"expected at most {MAX_SYSTEMS} systems, got {len(names):,}")
    return names


def _caution(
    differences: Mapping[tuple[str, str], Mapping[str, Difference]], items: int, resamples: int
) -> list[str]:
    """Return a note if the items are too few for tests."""
    tests = [test for by_criterion in differences.values() for test in by_criterion.values()]
    few = [test for test in tests if test.units < significance.FEWEST]
    if items > 1 and any(test.permutation_p is None for test in few):
        both = f"fewer than {significance.FEWEST} items have ratings of both"
        return [f"no interval and p-value where {both}"]
    caution = significance.caution(items, resamples) if differences else None
    return [caution] if caution else []


def _list_notes(
    judgements: Judgements, shown: Judgements, raters: Mapping[str, Rater]
) -> Iterator[str]:
    """Yield what to know of raters and answers; ``shown`` are those that count for outputs."""
    for name, rater in raters.items():
        for reason in rater.warn():
            yield f"{name} {reason}"
    for name, screens in judgements.missing.items():
        count = quantity(len(screens), "screen")
        first = ", ".join(map(str, screens[:3]))
        if len(screens) > 3:
            first += ", …"
        yield f"{name} has no whole answer to {count}: {first}"
    for name, criterion in shown.criteria.items():
        if criterion.aside is not None:
            aside = int((shown.values(name) == criterion.codes[criterion.aside]).sum())
            if aside:
                part = f"{aside:,} of {len(shown):,} ratings"
                yield f"{name}: means leave out {criterion.aside!r}, {part}"
    answers = judgements.answers
    for name, rater in raters.items():
        if rater.invalid:
            part = f"{rater.invalid:,} of {(answers['rater'] == name).sum():,} answers"
            yield f"{name}: {part} are invalid, and count nowhere else"
    numbers: set[int] = set()  # of an output's raters
    for name in () if shown.compares else shown.criteria:
        rated = ~np.isnan(shown.on_scale(name))
        numbers |= {*np.bincount(shown.frame["output"][rated]).tolist()} - {0}
    if len(numbers) > 1:
        some = f"{min(numbers)} to {max(numbers)}"
        yield f"an output counts once, by the mean of its raters: outputs have {some} of them"


def compare_means(
    judgements: Judgements, systems: Sequence[str], sampling: Mapping[str, Any]
) -> tuple[dict[str, dict[str, Value]], dict[tuple[str, str], dict[str, Difference]], list[str]]:
    """Return the mean ratings of systems, the differences of all pairs, and notes on raters.

    An output counts once, by the mean of its raters: a rating has the weight 1 / number of raters.
    Intervals are over items and raters. p-values are for these raters, so that both decide. The
    notes say which pairs have too few raters.
    """
    measures = {name: judgements.on_scale(name) for name in judgements.criteria}
    rows, units = _add_up(judgements, [*measures.values()], systems)
    reduce = partial(reduce_means, [*measures])

    def reduce_all(totals: Floats) -> dict[str, Floats]:
        return reduce(totals.reshape(*totals.shape[:-1], len(systems), -1))

    together = Sample(rows.reshape(len(rows), -1), reduce_all, units)
    values, intervals = together.value(), together.interval(**sampling)
    means = {
        system: {
            name: Value(None if np.isnan(values[name][i]) else float(values[name][i]), ends[i])
            for name, ends in intervals.items()
        }
        for i, system in enumerate(systems)
    }
    samples = {system: Sample(rows[:, i], reduce, units) for i, system in enumerate(systems)}
    differences: dict[tuple[str, str], dict[str, Difference]] = {}
    few: dict[int, list[str]] = {0: [], 1: []}  # raters of a pair
    pairs = [*itertools.combinations(range(len(systems)), 2)]
    names = [(systems[j], systems[i]) for i, j in pairs]
    tests = sample.compare(samples, names, **sampling)
    for (i, j), (second, first) in zip(pairs, names, strict=True):
        for k, (name, test) in enumerate(tests[second, first].items()):
            if test.units:
                ratings = pair_up(rows[:, [j, i]][:, :, [k, len(measures) + k]], **units)
                difference = ratings.generalise(test, sampling["confidence"])
                differences.setdefault((first, second), {})[name] = difference
                few.setdefault(ratings.deciding, []).append(f"{name} of {first} - {second}")
    every = sum(map(len, few.values()))
    named = {n: listed(own) if len(own) < every else "all differences" for n, own in few.items()}
    notes = [f"{sentence}: {named[n]}" for n, sentence in _FEW_RATERS.items() if few[n]]
    return means, significance.adjust(differences), notes


def _add_up(
    judgements: Judgements, measures: Sequence[Floats], systems: Sequence[str]
) -> tuple[Floats, dict[str, Ints]]:
    """Return (cells, systems, 2m) sums and weights of a rater's ratings of an item; its units."""
    frame = judgements.frame
    items, raters = encode(frame["item"]), encode(frame["rater"])
    cell_codes, cells = np.unique(items * (raters.max() + 1) + raters, return_inverse=True)
    item_of, rater_of = np.divmod(cell_codes, raters.max() + 1)
    codes = {name: i for i, name in enumerate(systems)}
    writers = frame["system"].tolist()
    rows = np.repeat(np.arange(len(frame)), [*map(len, writers)])
    columns = np.array([codes[name] for names in writers for name in names])
    places, size = cells[rows] * len(systems) + columns, len(cell_codes) * len(systems)
    table = np.full((size, 2 * len(measures)), np.nan)
    outputs = frame["output"].to_numpy()
    for i, values in enumerate(measures):
        ratings = np.bincount(outputs, ~np.isnan(values))  # of each output
        weights = ratings.max() / np.maximum(1, ratings)[outputs]
        rated = ~np.isnan(values[rows])
        numbers = np.bincount(places[rated], weights[rows][rated], size)
        sums = np.bincount(places[rated], (weights * values)[rows][rated], size)
        present = numbers > 0
        table[present, i] = sums[present]
        table[present, len(measures) + i] = numbers[present]
    units = {"item": item_of, "rater": rater_of}
    return table.reshape(len(cell_codes), len(systems), -1), units
