"""Tables, JSON and CSV of ``textsimp score``, ``compare`` and ``merge``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import click

from textsimp.cli import printing
from textsimp.core import system_names, tables
from textsimp.core.examples import CorpusInfo, Examples
from textsimp.core.metric import Metric
from textsimp.core.scores import Comparison, Comparisons, Results, Scores, Value, rank
from textsimp.core.statistics import Statistics
from textsimp.core.tables import Grid, Tabular
from textsimp.corpora.checks import Finding
from textsimp.metrics import catalogue
from textsimp.scoring import comparison, headlines, published
from textsimp.support.version import __version__

_TESTED = (
    *("difference", "difference_low", "difference_high"),
    *("bootstrap_p", "bootstrap_p_holm", "permutation_p", "permutation_p_holm"),
)
_HEADS = {"sources": "source", "references": "references"}


@dataclass(frozen=True)
class ScoreReport:
    """Scores and tests for printing."""

    scores: Mapping[str, Mapping[str, Scores]]  # metric → system → scores
    tests: Mapping[str, Comparison]  # by metric; empty if there is nothing to compare
    statistics: Mapping[str, Statistics]  # by metric
    sampling: Mapping[str, Any]  # options of intervals and tests
    lists: bool  # whether JSON has the scores of each example
    files: Sequence[Path]  # that were written
    warnings: Sequence[str]
    baselines: Sequence[str]  # that `comparison.add_baselines` has added
    short_names: Mapping[str, str]  # of systems: name → short name, if that is another
    unranked: Mapping[str, str]  # systems with errors, with what these are
    published: Sequence[str] = ()  # names of published systems among the scores
    remark: str = ""  # on them

    def with_published(self, examples: Examples) -> ScoreReport:
        """Return the report with published scores of these texts, by the same signatures."""
        first = {metric: _first(systems) for metric, systems in self.scores.items()}
        signatures = {metric: one.signature for metric, one in first.items()}
        found, remark = published.find_field(
            examples.sources, examples.references, signatures, self.sampling["confidence"]
        )
        scores = {metric: dict(systems) for metric, systems in self.scores.items()}
        for metric, one in first.items():
            for name, own in found.items():
                main = {next(iter(one.predictions)): own.get(metric, Value(None))}
                alone = {"predictions": main, "sources": {}, "references": {}, "details": {}}
                scores[metric][name] = Scores(**{**vars(one), **alone})
        return replace(self, scores=scores, published=[*found], remark=remark)

    @property
    def facts(self) -> CorpusInfo:
        """CorpusInfo about the examples."""
        return next(iter(self.statistics.values())).facts


def make_report(
    statistics: Mapping[str, Statistics],
    baseline: str | None,
    sampling: Mapping[str, Any],
    *,
    examples: Examples | None = None,
    baselines: Sequence[str] = (),
    shorten: bool = False,
    files: Sequence[Path] = (),
    findings: Sequence[Finding] = (),
    warnings: Sequence[str] = (),
) -> ScoreReport:
    """Compute scores, with ``examples`` also of each, and compare systems; print warnings.

    ``baselines`` are systems that `comparison.add_baselines` has added. ``shorten`` long names.
    Systems with errors among the ``findings`` of checks are not ranked.
    """
    systems = [*next(iter(statistics.values())).systems]
    short_names: dict[str, str] = {}
    if shorten:
        short = system_names.shorten(systems)
        short_names = {name: of_name for name, of_name in short.items() if name != of_name}
        statistics = {metric: _rename(one, short) for metric, one in statistics.items()}
        baseline = short.get(baseline or "", baseline)
    own = [name for name in systems if name not in baselines]
    errors = headlines.find_unranked(findings, own)
    unranked = {short_names.get(name, name): text for name, text in errors.items()}
    compared = {
        metric: comparison.make_comparison(one, baseline, examples, baselines, unranked, **sampling)
        for metric, one in statistics.items()
    }
    scores = {metric: one.systems for metric, one in compared.items()}
    tests = compared if len(systems) > 1 else {}
    if len(own) > 1:
        warnings = [*warnings, *(test.caution for test in tests.values())]
    warnings = [*dict.fromkeys(filter(None, warnings))]
    for warning in warnings:
        click.echo(f"Warning: {warning}", err=True)
    lists = examples is not None
    printed = (sampling, lists, files, warnings, baselines, short_names, unranked)
    return ScoreReport(scores, tests, statistics, *printed)


def _rename(statistics: Statistics, names: Mapping[str, str]) -> Statistics:
    unlabelled = statistics.facts.unlabelled
    return replace(
        statistics,
        systems={names[system]: rows for system, rows in statistics.systems.items()},
        facts=replace(
            statistics.facts,
            unlabelled={names[system]: columns for system, columns in unlabelled.items()},
        ),
    )


def print_scores(form: str, report: ScoreReport, *, intervals: bool, everything: bool) -> None:
    """Print scores of systems, ranked by the first metric's main score."""
    ranking = rank(next(iter(report.scores.values())))
    if form != "text":
        _print_results(form, report, [_results(report, ranking)], ranking, intervals)
        return
    ranking.sort(key=lambda system: system in report.unranked)
    _print_heading(report)
    grid = _overview(report, ranking)
    printing.print_table(replace(grid, notes=[]))
    if everything:
        _print_all_scores(report.scores, [one for one in ranking if one not in report.published])
    _print_end(report, grid.notes, "" if everything else "All scores: --all")


def print_bare(report: ScoreReport) -> None:
    """Print the main scores alone, a line per system and metric."""
    for system in _first(report.scores):
        for systems in report.scores.values():
            main, score = systems[system].main.value, systems[system].metric.scores[0]
            numbers = main if isinstance(main, list) else [main]
            decimals = tables.count_decimals(numbers, score)
            click.echo(" ".join(tables.number(value, decimals) for value in numbers))


def print_comparison(form: str, report: ScoreReport, *, intervals: bool, everything: bool) -> None:
    """Print differences from the baseline; with ``everything`` those of all scores."""
    if form != "text":
        systems = list(_first(report.tests).systems)
        _print_results(form, report, report.tests.values(), systems, intervals)
        return
    _print_heading(report)
    grid = Comparisons(report.tests).overview()
    field = _results(report, report.published).grid().rows if report.published else []
    for name, *cells in field:
        grid.rows.append([name, *chain.from_iterable([cell, "", ""] for cell in cells)])
    printing.print_table(replace(grid, notes=[]))
    if everything:
        labels = _labels(report.scores)
        for metric, test in report.tests.items():
            _print_differences(metric, test, labels[metric])
    _print_end(report, grid.notes, "" if everything else "All scores and p-values: --all")


def _first(values: Mapping[str, Any]) -> Any:
    return next(iter(values.values()))


def _print_results(
    form: str,
    report: ScoreReport,
    results: Iterable[Tabular],
    ranking: Sequence[str],
    intervals: bool,
) -> None:
    """Print tables for a paper, in LaTeX or Markdown; or everything as JSON or CSV."""
    if form == "json":
        printing.print_json(_to_dict(report, ranking))
    elif form == "csv":
        printing.print_csv(list(_records(report, ranking)))
    else:
        for i, result in enumerate(results):
            click.echo("\n" * (i > 0), nl=False)
            printing.print_result(form, result, intervals=intervals)


def _to_dict(report: ScoreReport, ranking: Sequence[str]) -> dict[str, Any]:
    baseline = next((test.baseline for test in report.tests.values()), None)
    remark = report.remark
    return {
        "format": 1,
        "version": __version__,
        "examples": report.facts.examples,
        **report.sampling,
        "signatures": {
            metric: _first(systems).signature for metric, systems in report.scores.items()
        },
        "systems": {
            system: {
                metric: {
                    key: value
                    for key, value in systems[system].to_dict(signature=False).items()
                    if report.lists or not key.endswith("_per_example")
                }
                for metric, systems in report.scores.items()
            }
            for system in ranking
        },
        "baselines": [*report.baselines],
        "baseline": baseline,
        "baseline_by_metric": {metric: test.baseline for metric, test in report.tests.items()},
        "differences": {
            system: {
                metric: test["differences"][system]
                for metric, test in report.tests.items()
                if system in test.differences
            }
            for system in ranking
            if any(system in test.differences for test in report.tests.values())
        },
        "best": {metric: list(test.best) for metric, test in report.tests.items()},
        "warnings": [*report.warnings],
        **({"published": {"systems": [*report.published], "remark": remark}} if remark else {}),
    }


def _records(report: ScoreReport, ranking: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Iterate over rows per system, metric and number; with several systems with tests."""
    for system in ranking:
        for metric, systems in report.scores.items():
            test, main = report.tests.get(metric), next(iter(systems[system].predictions))
            for record in systems[system].records():
                name, own = record["score"], record["of"] == "predictions"
                row = {"system": system, "metric": metric, **record}
                if test is not None:
                    tested = test.differences.get(system, {}).get(name) if own else None
                    row |= {"baseline": test.baseline, **dict.fromkeys(_TESTED)}
                    if tested is not None:
                        row |= zip(_TESTED, tested.to_dict().values(), strict=True)
                    judged = own and name == main and test.best
                    row["best"] = system in test.best if judged else None
                yield row | {"signature": systems[system].signature}


def _labels(results: Mapping[str, Mapping[str, Scores]]) -> dict[str, dict[str, str]]:
    """Return metric → name of a score → label; main scores have the variant in it."""
    labels = catalogue.labels(
        {metric: list(_first(systems).predictions) for metric, systems in results.items()}
    )
    for metric, systems in results.items():
        main = next(iter(_first(systems).predictions))
        labels[metric][main] = _first(systems).metric.heading(labels[metric][main])
    return labels


def _print_heading(report: ScoreReport) -> None:
    facts, sampling = report.facts, report.sampling
    heading = f"{facts.examples:,} example{'s' * (facts.examples > 1)}"
    if facts.references is not None:
        many = "-".join(str(n) for n in dict.fromkeys(facts.references))
        heading += f", {many} reference{'s' * (facts.references[1] > 1)} each"
    click.echo(f"{heading}; {100 * sampling['confidence']:g} % bootstrap intervals\n")


def _results(report: ScoreReport, ranking: Sequence[str]) -> Results:
    systems = {
        system: {metric: of_metric[system] for metric, of_metric in report.scores.items()}
        for system in ranking
    }
    best = {metric: test.best for metric, test in report.tests.items()}
    return Results(systems, best, report.sampling["confidence"])


def _overview(report: ScoreReport, ranking: Sequence[str]) -> Grid:
    """A row per system, and for sources and references; main scores, and p of those that judge."""
    grid = _results(report, ranking).overview()
    sides = _sides(report.scores, ranking)
    names, *scores = map(list, zip(grid.header, *grid.rows, strict=True))
    columns, joined = [[*names, *(_HEADS[side] for side in sides)]], []
    for column, (metric, systems) in zip(scores, report.scores.items(), strict=True):
        first, test = _first(systems), report.tests.get(metric)
        name = next(iter(first.predictions))
        cells = _cells(name, [getattr(first, side).get(name) for side in sides], first.metric)
        columns.append([*column, *cells])
        if test is not None and first.metric.scores[0].better:
            joined.append(len(columns))
            head = "p vs best" if test.baseline_is_best else f"p vs {test.baseline}"
            columns.append([head, *map(test.p_cell, ranking), *("" for _ in sides)])
    header, *rows = map(list, zip(*columns, strict=True))
    notes = grid.notes
    if joined:
        notes.insert(len(notes) - len(scores), _first(report.tests).explain_p())
    return Grid(header, [row for row in rows if any(row[1:])], notes, joined=joined)


def _sides(results: Mapping[str, Mapping[str, Scores]], ranking: Sequence[str]) -> list[str]:
    """Return what has a row below the systems; unchanged sources may be among these."""
    sides = []
    for side in _HEADS:
        scored = any(getattr(_first(systems), side) for systems in results.values())
        if scored and not (side == "sources" and comparison.UNCHANGED in ranking):
            sides.append(side)
    return sides


def _cells(name: str, values: Sequence[Value | None], metric: Metric) -> list[str]:
    """Format scores with their intervals."""
    numbers = [None if value is None else value.value for value in values]
    decimals = tables.count_decimals(numbers, metric.find_score(name))
    return [
        "" if value is None else tables.cell(value.value, value.interval, decimals)
        for value in values
    ]


def _print_all_scores(results: Mapping[str, Mapping[str, Scores]], ranking: Sequence[str]) -> None:
    """Print a table for each metric: a row per system, a column per score."""
    labels = _labels(results)
    for metric, systems in results.items():
        first = _first(systems)
        sides = _sides({metric: systems}, ranking)
        columns = [["", *ranking, *(_HEADS[side] for side in sides)]]
        for name, value in first.predictions.items():
            if not value.many:
                values = [systems[system].predictions[name] for system in ranking]
                others = [getattr(first, side).get(name) for side in sides]
                cells = _cells(name, [*values, *others], first.metric)
                columns.append([labels[metric][name], *cells])
        header, *rows = map(list, zip(*columns, strict=True))
        click.echo()
        printing.print_table(Grid(header, rows))
        _print_lists(systems, ranking, labels[metric])


def _print_lists(
    systems: Mapping[str, Scores], ranking: Sequence[str], labels: Mapping[str, str]
) -> None:
    """Print scores that are lists, such as one value per n-gram order, by length."""
    first = _first(systems)
    lists = {name: value.value for name, value in first.predictions.items() if value.many}
    for length in dict.fromkeys(map(len, lists.values())):
        rows = []
        for name in (name for name, values in lists.items() if len(values) == length):
            columns = [(system, systems[system].predictions[name].value) for system in ranking]
            for side in ("sources", "references"):
                if name in getattr(first, side):
                    columns.append((_HEADS[side], getattr(first, side)[name].value))
            together = [value for _, values in columns for value in values]
            whole = all(value == int(value) for value in together)
            decimals = (
                0 if whole else tables.count_decimals(together, first.metric.find_score(name))
            )
            rows += [
                [labels[name], title, *(tables.number(value, decimals) for value in values)]
                for title, values in columns
            ]
        click.echo()
        printing.print_table(Grid(["", "", *map(str, range(1, length + 1))], rows, named=2))


def _print_differences(metric: str, test: Comparison, labels: Mapping[str, str]) -> None:
    rows = []
    for name in _first(test.systems).predictions:
        if _first(test.systems).predictions[name].many:
            continue
        values = {s: scores.predictions[name].value for s, scores in test.systems.items()}
        decimals = tables.count_decimals(
            values.values(), _first(test.systems).metric.find_score(name)
        )
        of_baseline = tables.number(values[test.baseline], decimals)
        for i, (system, differences) in enumerate(test.differences.items()):
            value = tables.number(values[system], decimals)
            label = "" if i else labels[name]
            differing = test.difference_cells(differences[name], decimals)
            rows.append([label, system, value, of_baseline, *differing])
    _, *heads = test.difference_heads("p boot.", "p perm.")
    header = ["score", "system", "its score", test.baseline, "difference", *heads]
    click.echo()
    printing.print_line(f"{metric}, compared with {test.baseline}")
    printing.print_table(Grid(header, rows, named=2))


def _print_end(report: ScoreReport, notes: Sequence[str], hint: str) -> None:
    click.echo()
    for note in filter(None, [*notes, report.remark, hint]):
        printing.print_sentence(note)
    for path in report.files:
        printing.print_line(f"written: {path}")
    if report.short_names:
        click.echo()
    for name, short in report.short_names.items():
        printing.print_line(f"{short}: {name}")
    judgements = headlines.judge(report.tests).values()
    lines = headlines.describe_unranked(report.unranked)
    lines += [headlines.describe(judgement)[0] for judgement in judgements]
    if lines:
        click.echo()
    confidence = report.sampling["confidence"]
    lines.append(headlines.describe_detection(judgements, report.facts.examples, confidence))
    for line in filter(None, lines):
        printing.print_sentence(line.replace("−", "-"))
