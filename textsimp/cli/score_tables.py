"""Tables, JSON and CSV of ``textsimp score``, ``compare`` and ``merge``."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from textsimp.cli import example_scores, printing
from textsimp.cli.check import summarize_problems
from textsimp.cli.data_arguments import check_outputs, read_scored
from textsimp.cli.score import choose_metrics
from textsimp.core import provenance, statistics, system_names
from textsimp.core.comparisons import Comparison, Comparisons
from textsimp.core.examples import CorpusInfo, Examples, check_scripts
from textsimp.core.metric import Metric
from textsimp.core.scores import (
    Results,
    Scores,
    Value,
    describe_examples,
    format_values,
    rank,
    score_grid,
)
from textsimp.core.statistics import Statistics
from textsimp.core.tables import Grid, Tabular
from textsimp.corpora.checks import Finding
from textsimp.corpora.file_arguments import system_of
from textsimp.corpora.files import text_name
from textsimp.corpora.reading import systems_in
from textsimp.corpora.request import System
from textsimp.metrics import catalogue
from textsimp.scoring import comparison, headlines, published, runs, scale, verdict
from textsimp.scoring import every_eval_ever as every_eval_ever_records
from textsimp.scoring.baselines import (
    UNCHANGED,
    add_baselines,
    asked_baselines,
    check_baselines,
)
from textsimp.scoring.gate import Rule, check_rule, find_failures
from textsimp.scoring.soundness import check_ends, warn_of_ranking
from textsimp.support.errors import InputError, check_integer
from textsimp.support.files import Contents, check_new, write_files
from textsimp.support.progress import progress

_HEADS = {"sources": "source", "references": "references"}


@dataclass(frozen=True)
class ScoreReport:
    """Scores and tests for printing."""

    scores: Mapping[str, Mapping[str, Scores]]  # metric → system → scores
    tests: Mapping[str, Comparison]  # by metric; empty if there is nothing to compare
    facts: CorpusInfo
    sampling: Mapping[str, Any]  # options of intervals and tests
    files: Sequence[Path]  # that were written
    warnings: Sequence[str]
    baselines: Sequence[str]  # that `add_baselines` has added
    short_names: Mapping[str, str]  # of systems: name → short name, if that is another
    unranked: Mapping[str, str]  # systems that can't be ranked, with the reasons
    verdict: Sequence[str]  # sentences
    published: Sequence[str] = ()  # names of published systems among the scores
    remark: str = ""  # on them
    provenance: Mapping[str, Any] = field(default_factory=dict)  # of JSON

    def with_published(self, examples: Examples) -> ScoreReport:
        """Return the report with published scores of these texts, by the same signatures."""
        first = _firsts(self)
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


def run(
    form: str,
    min_systems: int,
    *,
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    sampling: dict[str, Any],
    per_example: str | None,
    force: bool,
    no_check: bool,
    scores: Sequence[str],
    baseline: Sequence[str] = (),
    save_statistics: str | Path | None = None,
    every_eval_ever: str | Path | None = None,
    first_row: int = 0,
    workers: str | None = None,
    published: bool = False,
    gate: bool = False,
    **files: Any,
) -> ScoreReport:
    """Check the options, read the files, score, and write the files that are asked for.

    Args:
        baseline: The system that the others are compared with; copy and truncation are the sources,
            unchanged and truncated. With several baselines, up to four, †, ‡, § and ¶ mark the
            scores that differ significantly from each. Default: the best of each metric.
        save_statistics: Also the numbers that scores are computed from, a row per example, as
            parquet: `textsimp merge` merges such files of pieces.
        every_eval_ever: Also the scores in Every Eval Ever's schema: .json of one system, .jsonl
            of several.
        first_row: The number of the first example in the whole corpus, where this is a piece of
            it, counted from 0.
        workers: Score with N processes of this machine, or on the cluster of Dask's scheduler at
            ADDRESS, such as tcp://host:8786 (extra scale). Files are read here.
        published: Also published systems on ASSET, TurkCorpus or WikiSmall, as they score by the
            same metrics and options.
        gate: Whether the first system is the default baseline, of a metric with a direction.
    """
    if per_example == "" and form != "json":
        raise InputError("--per-example needs a FILE, or --json")
    check_integer("--first-row", first_row, 0, statistics.MOST_ROWS)
    if workers is not None:
        scale.check_workers(workers, "--workers")
    asked_files = (per_example, save_statistics, every_eval_ever)
    path, saved, exchanged = (Path(file) if file else None for file in asked_files)
    outputs = [file for file in (path, saved, exchanged) if file is not None]
    if path is not None:
        example_scores.check_ending(path)
    check_new(outputs, overwrite=force)
    check_outputs(outputs, **files)
    scorers = catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language)
    if saved is not None:
        statistics.check(scorers, first_row)
    if gate:
        check_rule(_first(scorers), "--fail-if")
    readers = {n: metric.columns for n, metric in scorers.items()}
    given = {**files, "scores": scores}
    texts = [one for one in files["predictions"] if not statistics.is_file(_file(one))]
    stored = [load_stored(one, scorers) for one in files["predictions"] if one not in texts]
    for option, value in (("--per-example", path), ("--save-statistics", saved)):
        if stored and (value or (option == "--per-example" and per_example == "")):
            raise InputError(f"{option}: {stored[0].where} has statistics and no texts")
    is_first = bool(stored) and files["predictions"][0] not in texts
    predictions, runs_of = name_runs(texts)
    if per_example is not None and runs_of:
        raise InputError(f"--per-example: expected one run of {next(iter(runs_of))}")
    if stored and not (predictions or files["data"]):
        shared = [option for option in ("sources", "references", "test_set") if files[option]]
        if shared or published:
            option = "--published" if published else f"--{shared[0].replace('_', '-')}"
            raise InputError(f"{stored[0].where} has statistics and no texts: leave out {option}")
        return report_stored(
            stored, baseline, sampling, form=form, given=given, at_least=min_systems, gate=gate
        )
    named = {**files, "predictions": predictions if runs_of else texts}
    examples = read_scored(readers, scores=scores, **named)
    names = [*statistics.group(examples.systems, runs_of)]
    before = [name for part in stored for name in _first(part.measured).groups]
    names = [*before, *names] if is_first else [*names, *before]
    if exchanged is not None:
        every_eval_ever_records.check_file(exchanged, len(names))
    baseline = baseline or (names[:1] if gate else [])
    asked = asked_baselines(baseline, names)
    known = [name for name in baseline if name not in asked]
    check_baselines(known or None, names, "--baseline")
    if len(names) + len(asked) < min_systems:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    scored, added = examples, list[str]()
    usual = form in ("text", "json") and saved is None and workers is None  # not of large corpora
    if asked or usual:
        with contextlib.nullcontext() if asked else contextlib.suppress(InputError):
            scored, added = add_baselines(examples, asked)
    metric_statistics = {
        name: replace(one, runs=runs_of)
        for name, one in _measure(scorers, scored, first_row, workers).items()
    }
    if stored:
        digests = statistics.digests(examples.shared, first_row)
        measured = statistics.Part("the texts", metric_statistics, digests)
        parts = [*stored, measured] if is_first else [measured, *stored]
        metric_statistics = statistics.join(parts)
    contents: dict[Path, Contents] = {}
    if path is not None:
        contents[path] = example_scores.contents(path, metric_statistics, examples, first_row)
    if saved is not None:
        contents[saved] = statistics.contents(metric_statistics, examples.shared)
    write_files(contents, overwrite=force)
    findings = [] if no_check else check_ends(examples)
    report = make_report(
        metric_statistics,
        baseline,
        sampling,
        examples=scored if per_example == "" else None,  # for lists in JSON
        baselines=added,
        shorten=form == "text",
        files=outputs,
        findings=findings,
        realigned=verdict.score_realigned(findings, examples, _first(metric_statistics)),
        warnings=[
            check_scripts(scorers.values(), examples),
            summarize_problems(findings, examples, named),
            warn_of_ranking(findings, examples, _first(metric_statistics)),
        ],
    )
    if form == "json":
        report = replace(report, provenance=provenance.describe(examples, given, sampling))
    if exchanged is not None:
        data = str(next(filter(None, map(files.get, ("test_set", "data", "sources"))), "-"))
        full = {short: name for name, short in report.short_names.items()}
        own = {
            metric: {
                full.get(name, name): one for name, one in systems.items() if name not in added
            }
            for metric, systems in report.scores.items()
        }
        records = every_eval_ever_records.contents(exchanged, own, sampling, data)
        write_files({exchanged: records}, overwrite=force)
    return report.with_published(examples) if published and form != "bare" else report


def _file(argument: str) -> str:
    return system_of(argument).file or ""


def load_stored(argument: str, scorers: Mapping[str, Metric]) -> statistics.Part:
    """Read the statistics that an argument of -p names; a single system has the file's name."""
    name = system_of(argument).name or text_name(_file(argument))
    return statistics.load(_file(argument), name, scorers, catalogue.metric)


def report_stored(
    stored: Sequence[statistics.Part],
    baseline: Sequence[str],
    sampling: Mapping[str, Any],
    *,
    form: str,
    given: Mapping[str, Any],
    at_least: int = 1,
    gate: bool = False,
) -> ScoreReport:
    """Return the report on systems of which there are only statistics."""
    measured = statistics.join(stored)
    comparison.check_alike(measured)
    names = [*_first(measured).groups]
    check_baselines(baseline or None, names, "--baseline")
    if len(names) < at_least:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    baseline = baseline or (names[:1] if gate else [])
    warnings = [statistics.missing(measured)]
    report = make_report(measured, baseline, sampling, shorten=form == "text", warnings=warnings)
    return replace(report, provenance=provenance.describe(None, given, sampling))


def name_runs(predictions: Sequence[str]) -> tuple[list[str], runs.Runs]:
    """Return the arguments of -p with a name for each run, and system → the names of its runs.

    Several files of one NAME are its runs, as are the files of a folder.
    """
    systems: list[System] = []
    for one in map(system_of, predictions):
        folder = replace(one, name="") if one.name else one
        systems += [replace(file, name=one.name) for file in systems_in(folder)]
    names = [one.name for one in systems if one.name]
    runs_of = {n: statistics.run_names(n, names.count(n)) for n in names if names.count(n) > 1}
    left = {name: iter(own) for name, own in runs_of.items()}
    arguments = []
    for one in systems:
        name = next(left[one.name]) if one.name in left else one.name
        arguments.append(f"{name}={one.file}" if name else str(one.file))
    runs.check(chain(*runs_of.values()), names)
    return arguments, runs_of


def _measure(
    scorers: Mapping[str, Metric], examples: Examples, first_row: int, workers: str | None
) -> dict[str, Statistics]:
    """The statistics of all metrics, with a progress bar."""
    total = len(examples) * len(scorers)
    with progress(total=total, unit=" examples", unit_scale=True) as bar:
        if workers is None:
            return statistics.measure(scorers, examples, first_row, bar.update)
        with scale.connect(workers) as client:
            return scale.measure(scorers, examples, first_row, bar.update, client=client)


def make_report(
    statistics: Mapping[str, Statistics],
    baseline: Sequence[str],
    sampling: Mapping[str, Any],
    *,
    examples: Examples | None = None,
    baselines: Sequence[str] = (),
    shorten: bool = False,
    files: Sequence[Path] = (),
    findings: Sequence[Finding] = (),
    realigned: Mapping[str, float] = MappingProxyType({}),
    warnings: Sequence[str] = (),
) -> ScoreReport:
    """Compute scores, with ``examples`` also of each, and compare systems; print warnings.

    ``baselines`` are systems that `add_baselines` has added. ``shorten`` long names.
    Systems with errors among the ``findings`` of checks are not ranked; ``realigned`` are scores of
    those that are shifted.
    """
    groups = _first(statistics).groups
    systems = [*groups]
    short_names: dict[str, str] = {}
    if shorten:
        short = system_names.shorten(systems)
        short_names = {name: of_name for name, of_name in short.items() if name != of_name}
        statistics = {metric: one.rename(short) for metric, one in statistics.items()}
        baseline = [short[name] for name in baseline]
    own = [name for name in systems if name not in baselines]
    every_run = [run for name in own for run in groups[name]]
    errors = verdict.find_unranked(findings, every_run, _first(statistics).facts.examples)
    unranked = {
        short_names.get(name, name): next(errors[run] for run in groups[name] if run in errors)
        for name in own
        if errors.keys() & {*groups[name]}
    }
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
    sentences = verdict.write(
        headlines.judge(tests).values(),
        unranked,
        {short_names.get(name, name): score for name, score in realigned.items()},
        findings,
    )
    printed = (sampling, files, warnings, baselines, short_names, unranked, sentences)
    return ScoreReport(scores, tests, _first(statistics).facts, *printed)


def print_scores(
    form: str, report: ScoreReport, *, no_intervals: bool = False, everything: bool = False
) -> None:
    """Print scores of systems, ranked by the first metric's main score.

    Args:
        no_intervals: Leave the intervals out of --markdown and --latex.
        everything: Print all scores and tests, not only the main scores and a p-value of each.
    """
    ranking = rank(_first(report.scores))
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
    _print_text(report, _overview(report, ranking), "All scores: --all", full)


def print_bare(report: ScoreReport) -> None:
    """Print the main scores alone, a line per system and metric."""
    for system in _first(report.scores):
        for systems in report.scores.values():
            bare = replace(systems[system].main, interval=None, spread=None)
            click.echo(*format_values([bare], systems[system].metric.scores[0]))


def print_comparison(
    form: str, report: ScoreReport, *, no_intervals: bool, everything: bool
) -> None:
    """Print differences from the baseline; with ``everything`` those of all scores."""
    if form != "text":
        systems = list(_first(report.tests).systems)
        _print_whole(form, report, Comparisons(report.tests), systems, not no_intervals)
        return
    grid = Comparisons(report.tests).grid()
    field = _results(report, report.published).grid().rows if report.published else []
    empty = [""] * ((len(grid.header) - 1) // len(report.tests) - 1)
    for name, *cells in field:
        grid.rows.append([name, *chain.from_iterable([cell, *empty] for cell in cells)])
    full = {metric: one.full_grid() for metric, one in report.tests.items() if everything}
    _print_text(report, grid, "All scores and p-values: --all", full)


def fail(report: ScoreReport, rule: Rule, by: float) -> None:
    """Exit with 1 if a system fails against the baseline by the first metric, and say why."""
    failures = find_failures(_first(report.tests), rule, by, report.unranked)
    for sentence in failures:
        click.echo(sentence.replace("−", "-"), err=True)
    if failures:
        raise click.exceptions.Exit(1)


def _first(values: Mapping[str, Any]) -> Any:
    return next(iter(values.values()))


def _firsts(report: ScoreReport) -> dict[str, Scores]:
    """Return metric → scores of the first system."""
    return {metric: _first(systems) for metric, systems in report.scores.items()}


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
            rows += [empty | row for row in _results(report, report.published).records()]
        rows.sort(key=lambda row: ranking.index(row["system"]))
        signatures = {metric: one.signature for metric, one in _firsts(report).items()}
        printing.print_csv([row | {"signature": signatures[row["metric"]]} for row in rows])
    else:
        printing.print_result(form, result, intervals=intervals)
        comment = f"% {_methods(report)}" if form == "latex" else f"\n{_methods(report)}"
        click.echo(comment)


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
    if report.short_names:
        click.echo()
    printing.print_line(*(f"{short}: {name}" for name, short in report.short_names.items()))
    others = [*headlines.judge(report.tests).values()][1:]
    lines = [headlines.describe(judgement)[0].replace("−", "-") for judgement in others]
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
        "examples": report.facts.examples,
        **report.sampling,
        "signatures": {metric: one.signature for metric, one in _firsts(report).items()},
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
    heading = describe_examples(_first(_firsts(report)))
    return f"{heading}; {100 * report.sampling['confidence']:g} % bootstrap intervals"


def _methods(report: ScoreReport) -> str:
    firsts = _firsts(report)
    signatures = [one.signature for one in firsts.values()]
    these = describe_examples(_first(firsts))
    return headlines.describe_methods(
        signatures, these, tests=bool(report.tests), **report.sampling
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
    firsts = _firsts(report)
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
    notes = [_first(report.tests).explain_p()] if joined else []
    rows = [row for row in rows if any(map(str, row[1:]))]
    return replace(grid, header=header, rows=rows, notes=[*notes, *grid.notes], joined=joined)
