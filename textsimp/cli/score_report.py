"""What ``textsimp score``, ``compare`` and ``merge`` compute and print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.check import summarize_problems
from textsimp.cli.data_arguments import Files, read_data
from textsimp.cli.score import choose_metrics
from textsimp.cli.score_outputs import Outputs
from textsimp.cli.score_systems import GivenSystems, find_systems, first_of
from textsimp.core import provenance, statistics, system_names
from textsimp.core.comparisons import Comparison, Comparisons
from textsimp.core.examples import Examples, check_scripts
from textsimp.core.metric import Statistics
from textsimp.core.scores import (
    Results,
    Scores,
    Value,
    describe_examples,
    format_values,
    rank,
    score_grid,
)
from textsimp.core.tables import Grid, Tabular
from textsimp.corpora.checks import Finding
from textsimp.metrics import catalogue
from textsimp.scoring import headlines, published, verdict
from textsimp.scoring.baselines import (
    UNCHANGED,
    add_baselines,
    asked_baselines,
    check_baselines,
    check_names,
    has_baselines,
    hide,
    recognise,
)
from textsimp.scoring.comparison import check_alike, make_comparison
from textsimp.scoring.gate import Rule, find_failures
from textsimp.scoring.ranking import Ranking, judge
from textsimp.scoring.soundness import check_ends, warn_of_ranking
from textsimp.support.errors import InputError
from textsimp.support.progress import progress

_HEADS = {"sources": "source", "references": "references"}
_UNTESTED = "Systems with a paper in brackets are published ones, which were not tested."


@dataclass(frozen=True)
class ScoreReport:
    """Scores and tests for printing."""

    compared: Mapping[str, Comparison]  # by metric
    sampling: Mapping[str, Any]  # options of intervals and tests
    files: Sequence[Path] = ()  # that were written
    notes: Sequence[str] = ()  # warnings, and "" for none
    baselines: Sequence[str] = ()  # that `add_baselines` has added
    short_names: Mapping[str, str] = field(default_factory=dict)  # of systems
    unranked: Mapping[str, str] = field(default_factory=dict)  # systems → the reasons
    findings: Sequence[Finding] = ()  # of the data checks
    realigned: Mapping[str, float] = field(default_factory=dict)  # shifted systems → scores
    published: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)  # system → metric
    remark: str = ""  # on them
    provenance: Mapping[str, Any] = field(default_factory=dict)  # of JSON

    @cached_property
    def scores(self) -> dict[str, dict[str, Scores]]:
        """Metric → system → scores, those of published systems last."""
        scores = {metric: dict(one.systems) for metric, one in self.compared.items()}
        for metric, one in self.firsts.items():
            for name, own in self.published.items():
                main = {next(iter(one.predictions)): own.get(metric, Value(None))}
                alone = {"predictions": main, "sources": {}, "references": {}, "details": {}}
                scores[metric][name] = Scores(**{**vars(one), **alone})
        return scores

    @property
    def own(self) -> list[str]:
        """The systems that are neither baselines nor published."""
        return [name for name in first_of(self.compared).systems if name not in self.baselines]

    @property
    def firsts(self) -> dict[str, Scores]:
        """Metric → scores of the first system."""
        return {metric: first_of(one.systems) for metric, one in self.compared.items()}

    @property
    def tests(self) -> Mapping[str, Comparison]:
        """Comparisons by metric; none of a single system."""
        return self.compared if len(first_of(self.compared).systems) > 1 else {}

    @cached_property
    def warnings(self) -> list[str]:
        """What to warn of."""
        several = len(first_of(self.compared).systems) - len(self.baselines) > 1
        cautions = [test.caution for test in self.compared.values()] if several else []
        return [*dict.fromkeys(filter(None, [*self.notes, *cautions]))]

    @cached_property
    def verdict(self) -> list[str]:
        """Sentences on who leads, or why nothing can be ranked."""
        given = (self.unranked, self.realigned, self.findings)
        return verdict.write(self.rankings.values(), *given, self.field)

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """Systems by each metric with a direction."""
        return judge(self.tests)

    @property
    def field(self) -> dict[str, float]:
        """Published system → score by the first metric with a direction."""
        first = next(iter(judge(self.compared)), "")  # if of a single system, too
        return {name: of[first].value for name, of in self.published.items() if first in of}

    def with_published(self, examples: Examples) -> ScoreReport:
        """Return the report with published scores of these texts, by the same signatures."""
        signatures = {metric: one.signature for metric, one in self.firsts.items()}
        own = {
            name: {metric: one.systems[name].main.value for metric, one in self.compared.items()}
            for name in self.own
        }
        found, remark = published.find_field(
            examples.sources,
            examples.references,
            signatures,
            self.sampling["confidence"],
            own,
        )
        named = {f"{name}, published" if name in own else name: of for name, of in found.items()}
        return replace(self, published=named, remark=remark)

    def warn(self) -> None:
        """Print warnings."""
        for warning in self.warnings:
            click.echo(f"Warning: {warning}", err=True)


def run(
    form: str,
    min_systems: int,
    files: Files,
    *,
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    sampling: dict[str, Any],
    force: bool,
    no_check: bool,
    baseline: Sequence[str] = (),
    per_example: str | Path | None = None,
    save_statistics: str | Path | None = None,
    every_eval_ever: str | Path | None = None,
    first_row: int = 0,
    published: bool = False,
    gate: bool = False,
) -> ScoreReport:
    """Check the options, read the files, score, and write the files that are asked for.

    With a ``gate`` the first system is the default baseline, of a metric with a direction.
    """
    if per_example == "" and form != "json":
        raise InputError("--per-example needs a FILE, or --json")
    outputs = Outputs(per_example, save_statistics, every_eval_ever, first_row, force)
    scorers = catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language)
    outputs.check(scorers)
    if gate and not first_of(scorers).ranks():
        raise InputError(f"--fail-if: {first_of(scorers).name} doesn't say what is better")
    without_texts = {
        "--per-example": per_example is not None,
        "--save-statistics": save_statistics,
        "--published": published,
    }
    given = find_systems(scorers, files, without_texts)
    examples = None
    if given.texts is not None:
        readers = {name: metric.columns for name, metric in scorers.items()}
        examples = read_data(readers, given.texts)
    names = given.names(examples)
    outputs.check_systems(names)
    check_names(names)
    baseline = baseline or (names[:1] if gate else [])
    asked = [] if examples is None else asked_baselines(baseline, names)
    check_baselines(baseline or None, dict.fromkeys([*names, *asked]), "--baseline")
    if len(names) + len(asked) < min_systems:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    scored, added, hidden = examples, list[str](), list[str]()
    usual = form != "bare" and not save_statistics and examples and has_baselines(examples)
    if examples and (asked or (usual and given.inside(first_row, len(examples)))):
        show = bool(asked) or form in ("text", "json")
        scored, added, hidden = add_baselines(examples, asked, show=show)
    measured: dict[str, Statistics] = {}
    if scored:
        total = len(scored) * len(scorers)
        with progress(total=total, unit=" examples", unit_scale=True) as bar:
            for name, metric in scorers.items():
                measured[name] = metric.measure(scored, first_row, bar.update)
    of_texts, measured = measured, given.join(measured, examples, first_row)
    measured = {
        name: hide(one, hidden) if examples else recognise(one) for name, one in measured.items()
    }
    check_alike(measured)
    short = {name: name for name in first_of(measured).groups}
    if form == "text" and not every_eval_ever:
        short = system_names.shorten([*short])
    problems = _find_problems(examples, scored, of_texts, measured, given, short, no_check=no_check)
    compared = {
        name: make_comparison(
            one.rename(short),
            [short[name] for name in baseline],
            scored if per_example == "" else None,  # for lists in JSON
            added,
            problems["unranked"],
            **sampling,
        )
        for name, one in measured.items()
    }
    report = ScoreReport(
        compared,
        sampling,
        files=outputs.paths,
        baselines=added,
        short_names=short,
        provenance=provenance.describe(examples, vars(files), sampling) if form == "json" else {},
        **problems,
    )
    report.warn()
    own = {
        metric: {name: systems[name] for name in report.own}
        for metric, systems in report.scores.items()
    }
    data = files.test_set or files.data or files.sources or "-"
    outputs.write(measured, examples, own, sampling, str(data))
    if examples is None or not published or form == "bare":
        return report
    return report.with_published(examples)


def _find_problems(
    examples: Examples | None,
    scored: Examples | None,
    of_texts: Mapping[str, Statistics],
    measured: Mapping[str, Statistics],
    given: GivenSystems,
    short_names: Mapping[str, str],
    *,
    no_check: bool,
) -> dict[str, Any]:
    """Return the fields of a report that say what is wrong with texts, and which rows lack.

    ``scored`` are the examples with the baselines.
    """
    notes = [statistics.missing(measured)] if given.stored else []
    if examples is None:
        return {"notes": notes, "unranked": {}}
    first = first_of(of_texts)
    findings = [] if no_check else check_ends(examples)
    notes += [
        check_scripts([one.metric for one in measured.values()], scored or examples),
        summarize_problems(findings, examples, given.texts or Files()),
        warn_of_ranking(findings, examples, first),
    ]
    names, realigned = given.names(examples), verdict.score_realigned(findings, examples, first)
    errors = verdict.find_unranked(findings, names, len(examples), given.runs)
    return {
        "notes": notes,
        "unranked": {short_names[name]: errors[name] for name in names if name in errors},
        "findings": findings,
        "realigned": {short_names.get(name, name): score for name, score in realigned.items()},
    }


def print_scores(
    form: str, report: ScoreReport, *, no_intervals: bool = False, everything: bool = False
) -> None:
    """Print scores of systems, ranked by the first metric's main score."""
    ranking = rank(first_of(report.scores))
    if not everything and form not in ("json", "csv"):
        ranking = published.neighbours(ranking, report.own, report.published)
    if form != "text":
        _print_whole(form, report, _results(report, ranking), ranking, not no_intervals)
        return
    ranking.sort(key=lambda system: system in report.unranked)
    shown = [name for name in ranking if name not in report.published]
    full = {
        metric: score_grid({name: systems[name] for name in shown})
        for metric, systems in report.scores.items()
        if everything
    }
    left = len(ranking) < len(first_of(report.scores))
    hint = f"All scores{' and published systems' if left else ''}: --all"
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
        _print_whole(form, report, Comparisons(report.tests), systems, not no_intervals)
        return
    grid = Comparisons(report.tests).grid()
    full = {metric: one.full_grid() for metric, one in report.tests.items() if everything}
    _print_text(report, grid, "All scores and p-values: --all", full)


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
    """Print a table for a paper, in LaTeX or Markdown; or everything as JSON or CSV."""
    if form == "json":
        printing.print_json(_to_dict(report, ranking))
    elif form == "csv":
        rows = Comparisons(report.tests).records() if report.tests else result.records()
        if report.tests and report.published:
            empty = dict.fromkeys(rows[0])
            rows += [empty | row for row in _results(report, [*report.published]).records()]
        rows.sort(key=lambda row: ranking.index(row["system"]))
        signatures = {metric: one.signature for metric, one in report.firsts.items()}
        printing.print_csv([row | {"signature": signatures[row["metric"]]} for row in rows])
    else:
        grid, judged = result.grid(), [*judge(report.compared).values()]
        notes = [_UNTESTED, *grid.notes] if report.published else grid.notes
        printing.print_result(form, replace(grid, notes=notes), intervals=intervals)
        behind = [headlines.headline(one) for one in report.rankings.values() if one.ahead]
        above = [verdict.name_published(one, report.field) for one in judged[:1]]
        for line in filter(None, [_methods(report), *above, *behind, report.remark]):
            click.echo(f"% {line}" if form == "latex" else f"\n{line}")


def _print_text(report: ScoreReport, grid: Grid, hint: str, further: Mapping[str, Grid]) -> None:
    """Print a heading, the main table, a further one of each metric, and what to say of them."""
    printing.print_sentence(" ".join(report.verdict).replace("−", "-"))
    printing.print_sentence(_heading(report))
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
    others = [*report.rankings.values()][1:]
    told = [one for one in others if one.others or not report.unranked]
    lines = [headlines.headline(judgement).replace("−", "-") for judgement in told]
    if lines:
        click.echo()
    printing.print_sentence(*lines)


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
        for name, own in test.get("other_differences", {}).items():
            for system, values in own.items():
                others.setdefault(name, {}).setdefault(system, {})[metric] = values
    return {
        "verdict": [*report.verdict],
        "examples": first_of(report.firsts).examples,
        **report.sampling,
        "signatures": {metric: one.signature for metric, one in report.firsts.items()},
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
        "differences": {system: own for system, own in differences.items() if own},
        "other_differences": others,
        "best": {metric: list(test.best) for metric, test in tests.items()},
        "warnings": [*report.warnings],
        "provenance": report.provenance,
        "published": {"systems": [*report.published], "remark": remark} if remark else None,
    }


def _heading(report: ScoreReport) -> str:
    heading = describe_examples(first_of(report.firsts))
    return f"{heading}; {100 * report.sampling['confidence']:g} % bootstrap intervals"


def _methods(report: ScoreReport) -> str:
    firsts = report.firsts
    signatures = [one.signature for one in firsts.values()]
    these = describe_examples(first_of(firsts))
    runs = any(own.main.runs for one in report.scores.values() for own in one.values())
    return headlines.describe_methods(
        signatures, these, tests=bool(report.tests), runs=runs, **report.sampling
    )


def _results(report: ScoreReport, ranking: Sequence[str]) -> Results:
    systems = {
        system: {metric: of_metric[system] for metric, of_metric in report.scores.items()}
        for system in ranking
    }
    best = {metric: test.best for metric, test in report.tests.items()}
    return Results(systems, best, report.sampling["confidence"])


def _overview(report: ScoreReport, ranking: Sequence[str]) -> Grid:
    """A row per system, and for sources and references; main scores, and p of those that judge."""
    grid = _results(report, ranking).grid()
    firsts = report.firsts
    sides = [side for side in _HEADS if any(getattr(one, side) for one in firsts.values())]
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
