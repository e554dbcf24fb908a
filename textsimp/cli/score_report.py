"""What ``textsimp score``, ``compare`` and ``merge`` print: systems read, scored and tested."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from textsimp.cli import example_scores
from textsimp.cli.check import summarize_problems
from textsimp.cli.score import choose_metrics
from textsimp.core import provenance, statistics, system_names, tables
from textsimp.core.comparisons import Comparison
from textsimp.core.examples import Examples, check_scripts
from textsimp.core.metric import Metric
from textsimp.core.scores import Scores, Value
from textsimp.core.statistics import Statistics
from textsimp.corpora.checks import Finding
from textsimp.corpora.file_arguments import read_data, system_of
from textsimp.corpora.reading import systems_in
from textsimp.corpora.request import System
from textsimp.metrics import catalogue
from textsimp.scoring import comparison, headlines, published, runs, verdict
from textsimp.scoring import every_eval_ever as every_eval_ever_records
from textsimp.scoring.baselines import add_baselines, asked_baselines, check_baselines
from textsimp.scoring.soundness import check_ends, warn_of_ranking
from textsimp.support.errors import InputError, check_integer
from textsimp.support.files import Contents, check_new, write_files
from textsimp.support.progress import progress


@dataclass(frozen=True)
class ScoreReport:
    """Scores and tests for printing."""

    scores: Mapping[str, Mapping[str, Scores]]  # metric → system → scores
    tests: Mapping[str, Comparison]  # by metric; empty if there is nothing to compare
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
        first = firsts_of(self)
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
    force: bool,
    no_check: bool,
    baseline: Sequence[str] = (),
    per_example: str | Path | None = None,
    save_statistics: str | Path | None = None,
    every_eval_ever: str | Path | None = None,
    first_row: int = 0,
    published: bool = False,
    gate: bool = False,
    **files: Any,
) -> ScoreReport:
    """Check the options, read the files, score, and write the files that are asked for.

    Args:
        baseline: The system that the others are compared with; copy and truncation are the sources,
            unchanged and truncated. With several baselines, up to four, †, ‡, § and ¶ mark the
            scores that differ significantly from each. Default: the best of each metric.
        per_example: Also the scores of each example: written to FILE (.tsv, .csv or .jsonl), with
            the texts, a row per system and example; without FILE they are in what --json prints.
        save_statistics: Also the numbers that scores are computed from, a row per example, as
            parquet: `textsimp merge` merges such files of pieces.
        every_eval_ever: Also the scores in Every Eval Ever's schema: .json of one system, .jsonl
            of several.
        first_row: The number of the first example in the whole corpus, where this is a piece of
            it, counted from 0.
        published: Also published systems on ASSET, TurkCorpus or WikiSmall, as they score by the
            same metrics and options.
        gate: Whether the first system is the default baseline, of a metric with a direction.
    """
    if per_example == "" and form != "json":
        raise InputError("--per-example needs a FILE, or --json")
    check_integer("--first-row", first_row, 0, statistics.MOST_ROWS)
    asked_files = (per_example, save_statistics, every_eval_ever)
    path, saved, exchanged = (Path(file) if file else None for file in asked_files)
    outputs = [file for file in (path, saved, exchanged) if file is not None]
    if path is not None:
        tables.check_ending("--per-example", path)
    check_new(outputs, overwrite=force)
    scorers = catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language)
    if saved is not None:
        statistics.check(scorers, first_row)
    if gate and not first_of(scorers).ranks():
        raise InputError(f"--fail-if: {first_of(scorers).name} doesn't say what is better")
    without_texts = {"--per-example": per_example is not None, "--save-statistics": saved}
    given = _read(scorers, {**files, "published": published}, without_texts)
    names = given.names()
    if exchanged is not None:
        every_eval_ever_records.check_file(exchanged, len(names))
    baseline = baseline or (names[:1] if gate else [])
    asked = [] if given.examples is None else asked_baselines(baseline, names)
    check_baselines([name for name in baseline if name not in asked] or None, names, "--baseline")
    if len(names) + len(asked) < min_systems:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    if asked or (form in ("text", "json") and saved is None):  # not of large corpora
        given = given.with_baselines(asked)
    measured = given.measure(scorers, first_row)
    comparison.check_alike(measured)
    findings = [] if no_check or given.examples is None else check_ends(given.examples)
    warnings = [statistics.missing(measured)] if given.stored else []
    realigned: Mapping[str, float] = {}
    if given.examples is not None:
        first = first_of(measured)
        contents: dict[Path, Contents] = {}
        if path is not None:
            contents[path] = example_scores.contents(path, measured, given.examples, first_row)
        if saved is not None:
            contents[saved] = statistics.contents(measured, given.examples.shared)
        write_files(contents, overwrite=force)
        warnings += [
            check_scripts(scorers.values(), given.examples),
            summarize_problems(findings, given.examples, given.files),
            warn_of_ranking(findings, given.examples, first),
        ]
        realigned = verdict.score_realigned(findings, given.examples, first)
    report = make_report(
        measured,
        baseline,
        sampling,
        examples=given.scored if per_example == "" else None,  # for lists in JSON
        baselines=given.baselines,
        shorten=form == "text" and exchanged is None,
        files=outputs,
        findings=findings,
        realigned=realigned,
        warnings=warnings,
    )
    if form == "json":
        report = replace(report, provenance=provenance.describe(given.examples, files, sampling))
    if exchanged is not None:
        data = str(next(filter(None, map(files.get, ("test_set", "data", "sources"))), "-"))
        own = {
            metric: {name: one for name, one in systems.items() if name not in given.baselines}
            for metric, systems in report.scores.items()
        }
        records = every_eval_ever_records.contents(exchanged, own, sampling, data)
        write_files({exchanged: records}, overwrite=force)
    if given.examples is None or not published or form == "bare":
        return report
    return report.with_published(given.examples)


@dataclass(frozen=True)
class _Given:
    """Systems as they are given: texts, statistics in files, or both."""

    examples: Examples | None
    stored: Sequence[statistics.Part]
    stored_first: bool  # whether the first system has statistics
    runs: runs.Runs
    files: Mapping[str, Any]  # with a name for each run
    baselines: Sequence[str] = ()  # that are added
    scored: Examples | None = None  # the examples with these

    def names(self) -> list[str]:
        """Return the names of systems, as they are ordered."""
        texts = [] if self.examples is None else statistics.group(self.examples.systems, self.runs)
        stored = [name for part in self.stored for name in first_of(part.measured).groups]
        return [*stored, *texts] if self.stored_first else [*texts, *stored]

    def with_baselines(self, asked: Sequence[str]) -> _Given:
        """Return the same with baselines added: those asked for, or else if it can be done."""
        if self.examples is None:
            return self
        with contextlib.nullcontext() if asked else contextlib.suppress(InputError):
            scored, baselines = add_baselines(self.examples, asked)
            return replace(self, scored=scored, baselines=baselines)
        return self

    def measure(self, scorers: Mapping[str, Metric], first_row: int) -> dict[str, Statistics]:
        """Return metric → statistics of all systems, of texts and from files."""
        if self.examples is None:
            return statistics.join(self.stored)
        total = len(self.examples) * len(scorers)
        texts = self.scored or self.examples
        with progress(total=total, unit=" examples", unit_scale=True) as bar:
            found = statistics.measure(scorers, texts, first_row, bar.update)
        measured = {name: replace(one, runs=self.runs) for name, one in found.items()}
        digests = statistics.digests(self.examples.shared, first_row) if self.stored else {}
        part = statistics.Part("the texts", measured, digests)
        return statistics.join([*self.stored, part] if self.stored_first else [part, *self.stored])


def _read(
    scorers: Mapping[str, Metric], files: Mapping[str, Any], without_texts: Mapping[str, object]
) -> _Given:
    """Read the files; ``without_texts`` are options that files of statistics can't serve."""

    def file(argument: str) -> str:
        return system_of(argument).file or ""

    arguments = files["predictions"]
    texts = [one for one in arguments if not statistics.is_file(file(one))]
    stored = [
        statistics.load(file(one), system_of(one).name, scorers, catalogue.metric)
        for one in arguments
        if one not in texts
    ]
    for option, value in without_texts.items():
        if stored and value:
            raise InputError(f"{option}: {stored[0].where} has statistics and no texts")
    predictions, runs_of = name_runs(texts)
    if without_texts["--per-example"] and runs_of:
        raise InputError(f"--per-example: expected one run of {next(iter(runs_of))}")
    named = {**files, "predictions": predictions if runs_of else texts}
    published = named.pop("published")
    examples = None
    if not stored or predictions or files["data"]:
        readers = {name: metric.columns for name, metric in scorers.items()}
        examples = read_data(readers, **named)
    for name in ("sources", "references", "test_set", "published") if examples is None else ():
        if {**named, "published": published}[name]:
            but = f"has statistics and no texts: leave out --{name.replace('_', '-')}"
            raise InputError(f"{stored[0].where} {but}")
    return _Given(examples, stored, bool(stored) and arguments[0] not in texts, runs_of, named)


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
    groups = first_of(statistics).groups
    systems = [*groups]
    short_names: dict[str, str] = {}
    if shorten:
        short = system_names.shorten(systems)
        short_names = {name: of_name for name, of_name in short.items() if name != of_name}
        statistics = {metric: one.rename(short) for metric, one in statistics.items()}
        baseline = [short[name] for name in baseline]
    own = [name for name in systems if name not in baselines]
    every_run = [run for name in own for run in groups[name]]
    errors = verdict.find_unranked(findings, every_run, first_of(statistics).facts.examples)
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
    return ScoreReport(scores, tests, *printed)


def first_of(values: Mapping[str, Any]) -> Any:
    return next(iter(values.values()))


def firsts_of(report: ScoreReport) -> dict[str, Scores]:
    """Return metric → scores of the first system."""
    return {metric: first_of(systems) for metric, systems in report.scores.items()}
