"""What the page that compares systems shows of them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from itertools import groupby
from typing import Any, cast

from textsimp.core import significance, tables
from textsimp.core.declarations import SIDES, Score
from textsimp.core.examples import Examples, doubt
from textsimp.core.metric import Metric
from textsimp.core.scores import Comparison, Scores, Value, ranked
from textsimp.core.significance import Difference
from textsimp.demo import views
from textsimp.metrics import catalogue
from textsimp.report import marks, plots
from textsimp.report import score_tables as reported
from textsimp.report.report_rows import (
    DESCRIBING,
    TRUNCATED,
    UNCHANGED,
    Data,
    Kind,
    Row,
    Sampling,
    Values,
    truncate,
)
from textsimp.support.errors import InputError

_SHOWN = 10  # examples
_PLOTTED = 4  # scores
_WIDTH = 350  # of a plot, in pixels
_MOST = 20  # points of the scatter
LONGEST = 500  # characters of a name
_SIMILAR = "simplification_stats.levenshtein_similarity"  # what is kept of the source

_HOLM = "; Holm: adjusted for the number of systems"
_AGAINST = "others are tested against it"
_MEANINGS = {
    "★ best": "better than every other system by a paired permutation test, p < {:.2g}, adjusted "
    "for their number by Holm's method",
    "≈ tied": "the best score and those that the test doesn't tell from it",
    "▽ behind": "a baseline has a better score",
}


def results(found: Comparison, data: Examples, report: str = "") -> str:
    """A part of the page: scores and tests, files to save, plots, and examples that differ most.

    Args:
        found: With scores per example.
        data: What was compared.
        report: To be saved too, if it was asked for.
    """
    first = next(iter(found.systems.values()))
    metric, order = cast(Metric, first.metric), ranked(found.systems)
    label = metric.titled(metric.scores[0].key)
    sampling = Sampling(found.confidence, found.resamples, found.seed)
    every = _with_baselines(data)
    scores = {m.name: _measured(m, every, sampling) for m in _beside(metric, every)}
    shown = scores[metric.name] if metric.ranks() else found.systems
    marked = _marks(scores[metric.name], every, sampling)
    plotted = {
        f"{name} with intervals": plots.intervals(
            name, _points(found, order, name), [*found.systems]
        )
        for name in [n for n, value in first.predictions.items() if not value.many][:_PLOTTED]
    }
    few = significance.caution(len(data), found.resamples)
    return "".join(
        (
            views.title(f"{label}, {len(data):,} example{'s' * (len(data) > 1)}"),
            _ranking(found, shown, marked),
            *(
                views.note(f"{sign}: {meaning.format(1 - found.confidence)}.")
                for sign, meaning in _MEANINGS.items()
                if any(told.startswith(sign) or f", {sign}" in told for told in marked.values())
            ),
            views.note(
                f"Intervals: {100 * found.confidence:g} % bootstrap. p: two-sided paired tests "
                f"of the difference from {found.baseline}{_HOLM if found.several else ''}."
            ),
            *(views.note(f"Beware: {what}.") for what in (doubt([metric], data), few) if what),
            views.signature(found.signature),
            _saved(found, report),
            views.title("All scores"),
            _all_scores(found, order),
            views.figures(plotted, _WIDTH),
            _scatter(scores),
            views.title(f"Where the systems' {label} differs most"),
            views.legend(),
            _examples(found, data, order),
        )
    )


def baselines(data: Examples) -> list[str]:
    """Which of the systems are the report's baselines, by their names and their texts."""
    made = _made(data)
    return [name for name in made if name in data.systems and data.predictions(name) == made[name]]


def _with_baselines(data: Examples) -> Examples:
    """The systems, and those of the report's baselines that none of them has the name of."""
    own = {name: {"predictions": texts} for name, texts in _made(data).items()}
    return Examples(
        data.shared, {**data.systems, **{n: o for n, o in own.items() if n not in data.systems}}
    )


def _made(data: Examples) -> dict[str, list[str]]:
    """The report's baselines, if there are sources."""
    if data.sources is None:
        return {}
    return {UNCHANGED: data.sources, TRUNCATED: [*map(truncate, data.sources)]}


def _saved(found: Comparison, report: str) -> str:
    """The report, if there is one; everything as JSON; scores and differences as CSV."""
    scores = [
        {"system": system, **record}
        for system, of_system in found.systems.items()
        for record in of_system.records()
    ]
    differences = [
        {"system": system, "minus": found.baseline, "score": score, **difference.to_dict()}
        for system, of_system in found.differences.items()
        for score, difference in of_system.items()
    ]
    full = views.download("report.html", report.encode(), "text/html", "Save the full report")
    return views.downloads(
        full if report else "",
        views.json_link("comparison", found.to_dict(), "Save all as JSON"),
        views.csv_link("scores", scores, "Scores as CSV"),
        views.csv_link("differences", differences, "Differences as CSV"),
    )


def _points(found: Comparison, order: Sequence[str], name: str) -> list[dict[str, Any]]:
    """A score of all systems with its interval, to be drawn."""
    points = []
    for system in order:
        value = found.systems[system].predictions[name]
        low, high = value.interval or (None, None)
        points.append({"row": system, "score": value.value, "low": low, "high": high})
    return points


def _ranking(found: Comparison, scores: Mapping[str, Scores], marked: Mapping[str, str]) -> str:
    """The main score of systems and baselines, best first, with the tests."""
    order = ranked(scores)
    metric = scores[order[0]].metric
    main = metric.scores[0]
    places = tables.places((scores[system].main.value for system in order), main)
    rows: list[list[views.Cell]] = []
    for system in order:
        value, difference = scores[system].main, found.differences.get(system)
        told = [marked.get(system, ""), _AGAINST if system == found.baseline else ""]
        rows.append(
            [
                (system, "; ".join(filter(None, told))),
                (tables.number(value.value, places), tables.interval(value.interval, places)),
                *(_test(difference[main.key], places, found.several) if difference else [""] * 3),
            ]
        )
    header: list[views.Cell] = ["system", (metric.titled(main.key), views.scale(main))]
    header += [f"minus {found.baseline}", "p, bootstrap", "p, permutation"]
    return views.table(header, rows, stacked=True)


def _test(difference: Difference, places: int, several: bool) -> list[views.Cell]:
    """A difference with its interval, and p-values with Holm's below."""
    pairs = (
        (difference.bootstrap_p, difference.bootstrap_p_holm),
        (difference.permutation_p, difference.permutation_p_holm),
    )
    return [
        (
            tables.number(difference.value, places, sign=True),
            tables.interval(difference.interval, places, sign=True),
        ),
        *(
            (
                tables.p_value(p),
                f"Holm {tables.p_value(holm)}" if several and tables.p_value(holm) else "",
            )
            for p, holm in pairs
        ),
    ]


def _measured(metric: Metric, every: Examples, sampling: Sampling) -> dict[str, Scores]:
    """The scores of systems and baselines, with intervals."""
    return {
        name: metric.scored(statistics, every, name, **asdict(sampling))
        for name, statistics in metric.statistics_of(every).items()
    }


def _marks(scores: Mapping[str, Scores], every: Examples, sampling: Sampling) -> dict[str, str]:
    """System → what the report's mark of its main score says; baselines are called so."""
    known, names = baselines(every), [*scores]
    told = dict.fromkeys(known, "baseline")
    metric = cast(Metric, scores[names[0]].metric)
    if not metric.ranks() or len(every) < 2:
        return told
    kinds: list[Kind] = ["baseline" if name in known else "system" for name in names]
    rows = [
        Row(name, kind, [[text] for text in every.predictions(name)])
        for name, kind in zip(names, kinds, strict=True)
    ]
    data = Data(every.sources or [], every.references, rows)
    column = reported.column_of(metric, metric.scores[0].key)
    values: list[Values] = [{column.key: (scores[name].main.value, [])} for name in names]
    systems = [i for i, kind in enumerate(kinds) if kind == "system"]
    # Tests of the best system are all that marks need.
    tests = {}
    for top in reported.rank_rows(column, values, systems)[:1]:
        statistics = [*metric.statistics_of(every).values()]
        for i in range(len(rows)):
            if i != top:
                pair = min(i, top), max(i, top)
                tests[pair] = significance.paired(
                    metric.reduce,
                    *(statistics[j] for j in pair),
                    of_resamples=metric.reduce_resamples,
                    **asdict(sampling),
                )
    for i, mark in reported.best(column, values, tests, data, sampling).items():
        ahead = [names[j] for j in reported.baselines_ahead(column, values, data, i)]
        signs = reported.signs_of(mark, column, ahead)
        told[names[i]] = ", ".join(f"{sign} {words}" for _, sign, words in signs)
    return told


def _all_scores(found: Comparison, order: Sequence[str]) -> str:
    """A row per score, with what its numbers mean; below them lists of scores and distributions."""
    scores = found.systems
    first = scores[order[0]]
    rows: list[list[views.Cell]] = []
    lists: list[tuple[views.Cell, Value]] = []
    drawn = ""
    for side, named in first.sides().items():
        for name, value in named.items():
            label, declared = SIDES[side] + name, first.metric.score_named(name)
            of_systems = {system: getattr(scores[system], side)[name] for system in order}
            if value.many and side != "predictions":  # the same beside every system
                of_systems = {side: value}
            if declared.bins:
                drawn += views.title(label) + views.note(declared.about)
                drawn += views.bars(declared, [*of_systems.items()])
            elif value.many:
                about = views.scale(declared)
                lists += [((f"{label}, {of}", about), own) for of, own in of_systems.items()]
            else:
                numbers = tables.numbers([own.value for own in of_systems.values()], declared)
                rows.append([(label, views.scale(declared)), *numbers])
    return (
        views.table(["score", *order], rows, main=1, stacked=True)
        + (views.lists(lists) if lists else "")
        + drawn
    )


def _examples(found: Comparison, data: Examples, order: Sequence[str]) -> str:
    """The examples whose main scores differ most, with all outputs and, folded, references."""
    columns = [found.systems[system].main.per_example or [] for system in order]
    spread = [max(row) - min(row) for row in zip(*columns, strict=True)]
    first = found.systems[order[0]]
    declared = first.metric.score_named(next(iter(first.predictions)))
    decimals = tables.places((value for column in columns for value in column), declared)
    numbers = sorted(range(len(data)), key=lambda i: -spread[i])[:_SHOWN]
    shown = []
    for i in numbers:
        outputs = [data.predictions(system)[i] for system in order]
        references = data.references[i] if data.references else []
        texts = [*outputs, *references]
        marked = marks.mark_html([data.sources[i]] * len(texts) if data.sources else texts, texts)
        labelled = [
            views.labelled([system, tables.number(column[i], decimals)], text)
            for system, column, text in zip(order, columns, marked, strict=False)
        ]
        below = views.folded(_counted(len(references)), marked[len(outputs) :])
        shown.append(views.example([f"Example {i + 1}", ""], *labelled, below=below))
    return "".join(shown)


def _counted(references: int) -> str:
    return f"{references} reference{'s' * (references > 1)}"


def _scatter(scores: Mapping[str, Mapping[str, Scores]]) -> str:
    """Two scores against each other, to be chosen among all; scores: metric → system → scores."""
    points: dict[str, dict[str, list[float]]] = {}
    for metric, of_systems in scores.items():
        for system, found in of_systems.items():
            numbers = {f"{metric}.{name}": value for name, value in found.predictions.items()}
            points.setdefault(system, {}).update(
                (key, [value.value, *(value.interval or [])])
                for key, value in numbers.items()
                if not value.many and math.isfinite(value.value)
            )
    keys = [key for key in next(iter(points.values())) if all(key in of for of in points.values())]
    if len(keys) < 2:
        return ""
    chosen = {"y": keys[0], "x": _SIMILAR if _SIMILAR in keys[1:] else keys[1]}
    first = [[name, of[chosen["x"]], of[chosen["y"]]] for name, of in points.items()]
    # Pairs: the names of an object that are numbers would be put into another order.
    shown = [[name, {key: of[key] for key in keys}] for name, of in points.items()]
    across, up = (_choice(axis, chosen[axis], keys) for axis in "xy")
    return (
        views.title("Two scores of every system")
        + f'<div class="scatter sized" data-scores="{escape(json.dumps(shown))}">'
        f"<p>{up} by {across}</p>"
        f'<div class="drawn">{scatter({**chosen, "points": first})}</div></div>'
    )


def _choice(axis: str, chosen: str, keys: Sequence[str]) -> str:
    """A list of scores, by metric."""
    groups = []
    for name, of_metric in groupby(keys, key=lambda key: key.partition(".")[0]):
        options = "".join(
            f'<option value="{escape(key)}"{" selected" * (key == chosen)}>'
            f"{escape(_declared(key).title)}</option>"
            for key in of_metric
        )
        groups.append(f'<optgroup label="{escape(name)}">{options}</optgroup>')
    label = {"x": "Score from left to right", "y": "Score from below to above"}[axis]
    return f'<select name="{axis}" aria-label="{label}">{"".join(groups)}</select>'


def _declared(key: str) -> Score:
    name, _, score = key.partition(".")
    return catalogue.metric_class(name).score_named(score)


def _axis(key: str) -> str:
    """The title of a score's axis, with its range and direction."""
    score = _declared(key)
    about = views.scale(score)
    return f"{score.title} ({about})" if about else score.title


def _beside(metric: Metric, every: Examples) -> list[Metric]:
    """The metric, and those that say what the texts are like as far as they can be computed."""
    others = [catalogue.metric_class(name).preset() for name in DESCRIBING if name != metric.name]
    return [metric, *(other for other in others if _readable(other, every))]


def _readable(metric: Metric, every: Examples) -> bool:
    return all(c.own or not c.required or c.name in every.shared for c in metric.columns)


def scatter(asked: Any) -> str:
    """The plot that is asked for: ``{"x": key, "y": key, "points": [[name, x, y], …]}``.

    Keys are ``METRIC.SCORE``; ``x`` and ``y`` of a point lists of a number and, if there are any,
    the bounds of its interval.

    Raises:
        InputError: Another message: it comes from the visitor's page, so it may be anything.
    """
    points = asked.get("points") if isinstance(asked, dict) else None
    if (
        not isinstance(points, list)
        or not 0 < len(points) <= _MOST
        or not all(map(_is_point, points))
        or not all(_is_key(asked.get(axis)) for axis in "xy")
    ):
        raise InputError("expected two scores and points of systems")
    across, up = (_axis(asked[axis]) for axis in "xy")
    shown = [plots.Point(name, x[0], y[0], x[1:], y[1:]) for name, x, y in points]
    return plots.draw(
        lambda width: plots.scatter(shown, across, up, width), f"{up} by {across}", full=True
    )


def _is_key(key: Any) -> bool:
    name, _, score = key.partition(".") if isinstance(key, str) else ("", "", "")
    return name in catalogue.names() and score in {
        score.key for score in catalogue.metric_class(name).scores
    }


def _is_point(point: Any) -> bool:
    if not isinstance(point, list) or len(point) != 3 or not isinstance(point[0], str):
        return False
    name, *scores = point
    return len(name) <= LONGEST and all(
        isinstance(of, list)
        and len(of) in (1, 3)
        and all(type(n) in (int, float) and math.isfinite(n) for n in of)
        for of in scores
    )
