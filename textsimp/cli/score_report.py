"""What ``textsimp score``, ``compare`` and ``merge`` print."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.score_run import ScoreReport
from textsimp.core import provenance
from textsimp.core.scores import Results, describe_examples, format_values, rank, score_grid
from textsimp.core.tables import Grid, Tabular
from textsimp.scoring import headlines
from textsimp.scoring.published import neighbours
from textsimp.scoring.systems import UNCHANGED

_HEADS = {"sources": "source", "references": "references"}
_UNTESTED = "Systems with a paper in brackets are published ones, which were not tested."


def print_scores(report: ScoreReport) -> None:
    """Print scores of systems, ranked by the first metric's main score."""
    form, everything = report.request.form, report.request.everything
    systems = next(iter(report.scores.values()))
    ranking = rank(systems)
    if report.published and not everything and form not in ("json", "csv"):
        ranking = neighbours(ranking, report.own_systems(), report.published)
    if form != "text":
        _print_whole(report, _main_table(report, ranking), ranking)
        return
    ranking.sort(key=lambda system: system in report.unranked)
    tested = [name for name in ranking if name not in report.published]
    full = {}
    if everything:
        for metric, systems in report.scores.items():
            full[metric] = score_grid({name: systems[name] for name in tested})
            if report.first.other_differences:  # p-values that marks stand for
                full[metric] = report.tests[metric].full_grid()
    left = len(ranking) < len(systems)
    hint = "All scores and published systems: --all" if left else "All scores: --all"
    _print_text(report, _overview(report, ranking), hint, full)


def print_bare(report: ScoreReport) -> None:
    """Print the main scores alone, a line per system and metric."""
    for system in report.first.systems:
        for x in report.comparisons.values():
            bare = replace(x.systems[system].main, interval=None, spread=None)
            click.echo(*format_values([bare], x.main))


def print_comparison(report: ScoreReport) -> None:
    """Print differences from the baseline; with ``everything`` those of all scores."""
    if report.request.form != "text":
        _print_whole(report, report.tests, [*report.first.systems])
        return
    full = {}
    if report.request.everything:
        full = {metric: test.full_grid() for metric, test in report.tests.items()}
    _print_text(report, report.tests.grid(), "All scores and p-values: --all", full)


def _print_whole(report: ScoreReport, result: Tabular, ranking: Sequence[str]) -> None:
    """Print everything as JSON or CSV, or a table for a paper in LaTeX or Markdown."""
    form, intervals = report.request.form, not report.request.no_intervals
    if form == "json":
        printing.print_json(_to_dict(report, ranking))
        return
    if form == "csv":
        _print_csv(report, result, ranking)
        return
    grid = result.grid()
    notes = [_UNTESTED, *grid.notes] if report.published else grid.notes
    printing.print_result(form, replace(grid, notes=notes), intervals=intervals)
    rankings = report.rankings.values()
    behind = [headlines.headline(x) for x in rankings if x.ahead or x.comparison.better]
    for line in filter(None, [_methods(report), report.ahead, *behind, report.remark]):
        click.echo(f"% {line}" if form == "latex" else f"\n{line}")


def _print_csv(report: ScoreReport, result: Tabular, ranking: Sequence[str]) -> None:
    rows = report.tests.records() if report.tests else result.records()
    if report.tests and report.published:
        empty = dict.fromkeys(rows[0])
        rows += [empty | row for row in _results(report, [*report.published]).records()]
    rows.sort(key=lambda row: ranking.index(row["system"]))
    signatures = {metric: x.signature for metric, x in report.comparisons.items()}
    printing.print_csv([row | {"signature": signatures[row["metric"]]} for row in rows])


def _print_text(report: ScoreReport, grid: Grid, hint: str, further: Mapping[str, Grid]) -> None:
    """Print a heading, the main table, a further one of each metric, and what to say of them."""
    confidence = f"{100 * report.request.sampling['confidence']:g}"
    printing.print_sentence(" ".join(report.verdict).replace("−", "-"))
    heading = describe_examples(report.first.first)
    printing.print_sentence(f"{heading}; {confidence} % bootstrap intervals")
    click.echo()
    printing.print_table(replace(grid, notes=[], legend=""))
    for metric, table in further.items():
        click.echo()
        printing.print_table(replace(table, header=[metric, *table.header[1:]], notes=[]))
    click.echo()
    printing.print_sentence(*grid.text_notes, report.remark, "" if further else hint)
    printing.print_line(*(f"written: {path}" for path in report.files))
    shortened = [f"{short}: {name}" for name, short in report.short_names.items() if short != name]
    if shortened:
        click.echo()
    printing.print_line(*shortened)
    others = [x for x in [*report.rankings.values()][1:] if x.others or not report.unranked]
    if others:
        click.echo()
    for ranking in others:
        printing.print_sentence(headlines.headline(ranking).replace("−", "-"))


def _to_dict(report: ScoreReport, ranking: Sequence[str]) -> dict[str, Any]:
    tests, remark, sampling = report.tests, report.remark, report.request.sampling
    differences: dict[str, dict[str, Any]] = {system: {} for system in ranking}
    others: dict[str, dict[str, dict[str, Any]]] = {}
    for metric, test in tests.items():
        for system, values in test["differences"].items():
            differences[system][metric] = values
        for name, minus in test.get("other_differences", {}).items():
            for system, values in minus.items():
                others.setdefault(name, {}).setdefault(system, {})[metric] = values
    return {
        "verdict": [*report.verdict],
        "examples": report.first.examples,
        **sampling,
        "signatures": {metric: x.signature for metric, x in report.comparisons.items()},
        "systems": {
            system: {
                metric: systems[system].to_dict(signature=False)
                for metric, systems in report.scores.items()
            }
            for system in ranking
        },
        "baselines": [*report.first.baselines],
        "baseline": next((test.baseline for test in tests.values()), None),
        "baseline_by_metric": {metric: test.baseline for metric, test in tests.items()},
        "differences": {system: x for system, x in differences.items() if x},
        "other_differences": others,
        "best": {metric: list(test.best) for metric, test in tests.items()},
        "warnings": [*report.warnings],
        "provenance": provenance.describe(report.texts, report.places, sampling),
        "published": {"systems": [*report.published], "remark": remark} if remark else None,
    }


def _methods(report: ScoreReport) -> str:
    signatures = [x.signature for x in report.comparisons.values()]
    these = describe_examples(report.first.first)
    runs = any(x.main.runs for systems in report.scores.values() for x in systems.values())
    return headlines.describe_methods(
        signatures, these, tests=bool(report.tests), runs=runs, **report.request.sampling
    )


def _results(report: ScoreReport, ranking: Sequence[str]) -> Results:
    systems = {
        system: {metric: scores[system] for metric, scores in report.scores.items()}
        for system in ranking
    }
    best = {metric: test.best for metric, test in report.tests.items()}
    return Results(systems, best, report.request.sampling["confidence"], report.first.baselines)


def _main_table(report: ScoreReport, ranking: Sequence[str]) -> Tabular:
    """A row per system with its main scores, which several baselines mark."""
    results = _results(report, ranking)
    if not report.first.other_differences:
        return results
    marked = report.tests.grid()
    rows = {row[0]: row for row in marked.rows}
    return replace(marked, rows=[rows.get(row[0], row) for row in results.grid().rows])


def _overview(report: ScoreReport, ranking: Sequence[str]) -> Grid:
    """A row per system, and for sources and references; main scores, and p of those that judge."""
    grid = _main_table(report, ranking).grid()
    firsts = {metric: x.first for metric, x in report.comparisons.items()}
    sides = [side for side in _HEADS if any(getattr(x, side) for x in firsts.values())]
    if {UNCHANGED, "copy"} & {*report.first.baselines} and "sources" in sides:
        sides.remove("sources")  # which are among the systems
    names, *scores = map(list, zip(grid.header, *grid.rows, strict=True))
    columns, joined = [[*names, *(_HEADS[side] for side in sides)]], []
    for column, (metric, first) in zip(scores, firsts.items(), strict=True):
        main, test = first.metric.scores[0], report.tests.get(metric)
        values = [getattr(first, side).get(main.key) for side in sides]
        columns.append([*column, *format_values(values, main)])
        if test is not None and main.better and not test.other_differences:
            joined.append(len(columns))
            head = "p vs best" if test.baseline_is_best else f"p vs {test.baseline}"
            columns.append([head, *map(test.p_cell, ranking), *("" for _ in sides)])
    header, *rows = map(list, zip(*columns, strict=True))
    notes = [report.first.explain_p()] if joined else []
    notes += filter(None, (x.gaps for x in report.tests.values()))
    rows = [row for row in rows if any(map(str, row[1:]))]
    return replace(grid, header=header, rows=rows, notes=[*notes, *grid.notes], joined=joined)
