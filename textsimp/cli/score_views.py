"""Print what ``textsimp score``, ``compare`` and ``merge`` report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.score_files import first_of
from textsimp.cli.score_report import ScoreReport
from textsimp.core.scores import Results, describe_examples, format_values, rank, score_grid
from textsimp.core.tables import Grid, Tabular
from textsimp.scoring import headlines, published
from textsimp.scoring.baselines import UNCHANGED
from textsimp.scoring.gate import Rule, find_failures

_HEADS = {"sources": "source", "references": "references"}
_UNTESTED = "Systems with a paper in brackets are published ones, which were not tested."


def print_scores(form: str, report: ScoreReport, *, no_intervals: bool, everything: bool) -> None:
    """Print scores of systems, ranked by the first metric's main score."""
    ranking = rank(first_of(report.scores))
    if report.published and not everything and form not in ("json", "csv"):
        ranking = published.neighbours(ranking, report.own, report.published)
    if form != "text":
        _print_whole(form, report, _results(report, ranking), ranking, not no_intervals)
        return
    ranking.sort(key=lambda system: system in report.unranked)
    tested = [name for name in ranking if name not in report.published]
    full = {}
    if everything:
        for metric, systems in report.scores.items():
            full[metric] = score_grid({name: systems[name] for name in tested})
    left = len(ranking) < len(first_of(report.scores))
    hint = "All scores and published systems: --all" if left else "All scores: --all"
    _print_text(report, _overview(report, ranking), hint, full)


def print_bare(report: ScoreReport) -> None:
    """Print the main scores alone, a line per system and metric."""
    for system in first_of(report.scores):
        for systems in report.scores.values():
            bare = replace(systems[system].main, interval=None, spread=None)
            click.echo(*format_values([bare], systems[system].metric.scores[0]))


def print_comparison(
    form: str, report: ScoreReport, *, no_intervals: bool, everything: bool
) -> None:
    """Print differences from the baseline; with ``everything`` those of all scores."""
    if form != "text":
        systems = list(first_of(report.tests).systems)
        _print_whole(form, report, report.tests, systems, not no_intervals)
        return
    full = {metric: test.full_grid() for metric, test in report.tests.items() if everything}
    _print_text(report, report.tests.grid(), "All scores and p-values: --all", full)


def fail(report: ScoreReport, rule: Rule, by: float) -> None:
    """Exit with 1 if a system fails against the baseline by the first metric, and say why."""
    failures = find_failures(first_of(report.tests), rule, by, report.unranked)
    for sentence in failures:
        click.echo(sentence.replace("−", "-"), err=True)
    if failures:
        raise click.exceptions.Exit(1)


def _print_whole(
    form: str, report: ScoreReport, result: Tabular, ranking: Sequence[str], intervals: bool
) -> None:
    """Print everything as JSON or CSV, or a table for a paper in LaTeX or Markdown."""
    if form == "json":
        printing.print_json(_to_dict(report, ranking))
        return
    if form == "csv":
        _print_csv(report, result, ranking)
        return
    grid = result.grid()
    notes = [_UNTESTED, *grid.notes] if report.published else grid.notes
    printing.print_result(form, replace(grid, notes=notes), intervals=intervals)
    behind = [headlines.headline(x) for x in report.rankings.values() if x.ahead]
    for line in filter(None, [_methods(report), report.ahead, *behind, report.remark]):
        click.echo(f"% {line}" if form == "latex" else f"\n{line}")


def _print_csv(report: ScoreReport, result: Tabular, ranking: Sequence[str]) -> None:
    rows = report.tests.records() if report.tests else result.records()
    if report.tests and report.published:
        empty = dict.fromkeys(rows[0])
        rows += [empty | row for row in _results(report, [*report.published]).records()]
    rows.sort(key=lambda row: ranking.index(row["system"]))
    signatures = {metric: scores.signature for metric, scores in report.firsts.items()}
    printing.print_csv([row | {"signature": signatures[row["metric"]]} for row in rows])


def _print_text(report: ScoreReport, grid: Grid, hint: str, further: Mapping[str, Grid]) -> None:
    """Print a heading, the main table, a further one of each metric, and what to say of them."""
    confidence = f"{100 * report.sampling['confidence']:g}"
    printing.print_sentence(" ".join(report.verdict).replace("−", "-"))
    heading = describe_examples(first_of(report.firsts))
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
    tests, remark = report.tests, report.remark
    differences = {
        system: {
            metric: test["differences"][system]
            for metric, test in tests.items()
            if system in test.differences
        }
        for system in ranking
    }
    others: dict[str, dict[str, dict[str, Any]]] = {}
    for metric, test in tests.items():
        for name, systems in test.get("other_differences", {}).items():
            for system, values in systems.items():
                others.setdefault(name, {}).setdefault(system, {})[metric] = values
    return {
        "verdict": [*report.verdict],
        "examples": first_of(report.firsts).examples,
        **report.sampling,
        "signatures": {metric: scores.signature for metric, scores in report.firsts.items()},
        "systems": {
            system: {
                metric: systems[system].to_dict(signature=False)
                for metric, systems in report.scores.items()
            }
            for system in ranking
        },
        "baselines": [*report.baselines],
        "baseline": next((test.baseline for test in tests.values()), None),
        "baseline_by_metric": {metric: test.baseline for metric, test in tests.items()},
        "differences": {system: tests for system, tests in differences.items() if tests},
        "other_differences": others,
        "best": {metric: list(test.best) for metric, test in tests.items()},
        "warnings": [*report.warnings],
        "provenance": report.provenance,
        "published": {"systems": [*report.published], "remark": remark} if remark else None,
    }


def _methods(report: ScoreReport) -> str:
    signatures = [scores.signature for scores in report.firsts.values()]
    these = describe_examples(first_of(report.firsts))
    runs = any(x.main.runs for systems in report.scores.values() for x in systems.values())
    return headlines.describe_methods(
        signatures, these, tests=bool(report.tests), runs=runs, **report.sampling
    )


def _results(report: ScoreReport, ranking: Sequence[str]) -> Results:
    systems = {
        system: {metric: scores[system] for metric, scores in report.scores.items()}
        for system in ranking
    }
    best = {metric: test.best for metric, test in report.tests.items()}
    return Results(systems, best, report.sampling["confidence"])


def _overview(report: ScoreReport, ranking: Sequence[str]) -> Grid:
    """A row per system, and for sources and references; main scores, and p of those that judge."""
    grid = _results(report, ranking).grid()
    firsts = report.firsts
    sides = [side for side in _HEADS if any(getattr(x, side) for x in firsts.values())]
    if {UNCHANGED, "copy"} & {*report.baselines} and "sources" in sides:
        sides.remove("sources")  # which are among the systems
    names, *scores = map(list, zip(grid.header, *grid.rows, strict=True))
    columns, joined = [[*names, *(_HEADS[side] for side in sides)]], []
    for column, (metric, first) in zip(scores, firsts.items(), strict=True):
        main, test = first.metric.scores[0], report.tests.get(metric)
        values = [getattr(first, side).get(main.key) for side in sides]
        columns.append([*column, *format_values(values, main)])
        if test is not None and main.better:
            joined.append(len(columns))
            head = "p vs best" if test.baseline_is_best else f"p vs {test.baseline}"
            columns.append([head, *map(test.p_cell, ranking), *("" for _ in sides)])
    header, *rows = map(list, zip(*columns, strict=True))
    notes = [first_of(report.tests).explain_p()] if joined else []
    rows = [row for row in rows if any(map(str, row[1:]))]
    return replace(grid, header=header, rows=rows, notes=[*notes, *grid.notes], joined=joined)
