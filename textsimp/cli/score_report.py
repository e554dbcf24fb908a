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
from textsimp.cli.data_arguments import read_data
from textsimp.cli.score import choose_metrics
from textsimp.core import provenance, statistics, system_names, tables
from textsimp.core.comparisons import Comparison
from textsimp.core.examples import Examples, check_scripts
from textsimp.core.scores import Scores, Value
from textsimp.core.statistics import Statistics
from textsimp.corpora.checks import Finding
from textsimp.corpora.file_arguments import system_of
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
    readers = {n: metric.columns for n, metric in scorers.items()}
    texts = [one for one in files["predictions"] if not statistics.is_file(_file(one))]
    stored = [
        statistics.load(_file(one), system_of(one).name, scorers, catalogue.metric)
        for one in files["predictions"]
        if one not in texts
    ]
    for option, value in (("--per-example", per_example), ("--save-statistics", saved)):
        if stored and value is not None:
            raise InputError(f"{option}: {stored[0].where} has statistics and no texts")
    is_first = bool(stored) and files["predictions"][0] not in texts
    predictions, runs_of = name_runs(texts)
    if per_example is not None and runs_of:
        raise InputError(f"--per-example: expected one run of {next(iter(runs_of))}")
    named = {**files, "predictions": predictions if runs_of else texts}
    examples = None
    if not stored or predictions or files["data"]:
        examples = read_data(readers, **named)
    else:
        beside = {**files, "published": published}
        for name in ("sources", "references", "test_set", "published"):
            if beside[name]:
                but = f"has statistics and no texts: leave out --{name.replace('_', '-')}"
                raise InputError(f"{stored[0].where} {but}")
    names = [] if examples is None else [*statistics.group(examples.systems, runs_of)]
    before = [name for part in stored for name in first_of(part.measured).groups]
    names = [*before, *names] if is_first else [*names, *before]
    if exchanged is not None:
        every_eval_ever_records.check_file(exchanged, len(names))
    baseline = baseline or (names[:1] if gate else [])
    asked = [] if examples is None else asked_baselines(baseline, names)
    known = [name for name in baseline if name not in asked]
    check_baselines(known or None, names, "--baseline")
    if len(names) + len(asked) < min_systems:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    parts, added, findings, scored = stored, list[str](), list[Finding](), examples
    if examples is not None:
        usual = form in ("text", "json") and saved is None  # not of large corpora
        if asked or usual:
            with contextlib.nullcontext() if asked else contextlib.suppress(InputError):
                scored, added = add_baselines(examples, asked)
        total = len(examples) * len(scorers)
        with progress(total=total, unit=" examples", unit_scale=True) as bar:
            measured = statistics.measure(scorers, scored or examples, first_row, bar.update)
        measured = {name: replace(one, runs=runs_of) for name, one in measured.items()}
        digests = statistics.digests(examples.shared, first_row) if stored else {}
        part = statistics.Part("the texts", measured, digests)
        parts = [*stored, part] if is_first else [part, *stored]
        findings = [] if no_check else check_ends(examples)
    joined = statistics.join(parts)
    comparison.check_alike(joined)
    first = first_of(joined)
    warnings = [statistics.missing(joined)] if stored else []
    if examples is not None:
        contents: dict[Path, Contents] = {}
        if path is not None:
            contents[path] = example_scores.contents(path, joined, examples, first_row)
        if saved is not None:
            contents[saved] = statistics.contents(joined, examples.shared)
        write_files(contents, overwrite=force)
        warnings += [
            check_scripts(scorers.values(), examples),
            summarize_problems(findings, examples, named),
            warn_of_ranking(findings, examples, first),
        ]
    report = make_report(
        joined,
        baseline,
        sampling,
        examples=scored if per_example == "" else None,  # for lists in JSON
        baselines=added,
        shorten=form == "text" and exchanged is None,
        files=outputs,
        findings=findings,
        realigned={} if examples is None else verdict.score_realigned(findings, examples, first),
        warnings=warnings,
    )
    if form == "json":
        report = replace(report, provenance=provenance.describe(examples, files, sampling))
    if exchanged is not None:
        data = str(next(filter(None, map(files.get, ("test_set", "data", "sources"))), "-"))
        own = {
            metric: {name: one for name, one in systems.items() if name not in added}
            for metric, systems in report.scores.items()
        }
        records = every_eval_ever_records.contents(exchanged, own, sampling, data)
        write_files({exchanged: records}, overwrite=force)
    if examples is None or not published or form == "bare":
        return report
    return report.with_published(examples)


def _file(argument: str) -> str:
    return system_of(argument).file or ""


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
