"""``textsimp score`` and ``textsimp compare``."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from textsimp import scale
from textsimp.cli import example_scores, score_tables
from textsimp.cli.check import NO_CHECK, check_texts, summarize_problems, warn_of_ranking
from textsimp.cli.data_arguments import (
    FILE,
    DataCommand,
    check_outputs,
    data_options,
    read_scored,
    scores_option,
)
from textsimp.cli.options import FORCE, Command, form_options, sampling_options
from textsimp.cli.score_tables import ScoreReport
from textsimp.core import statistics
from textsimp.core.examples import Examples, check_scripts
from textsimp.core.metric import SCORE_OPTIONS, Metric
from textsimp.core.statistics import Statistics
from textsimp.corpora.files import note
from textsimp.metrics import catalogue, notation
from textsimp.metrics.catalogue import Choice
from textsimp.scoring import comparison
from textsimp.support.errors import InputError, check_integer
from textsimp.support.extras import require
from textsimp.support.files import Contents, check_new, write_files


def complete_metrics(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    before, comma, last = incomplete.rpartition(",")
    names = [*catalogue.all_names(), *catalogue.ALIASES]
    return [CompletionItem(before + comma + name) for name in names if name.startswith(last)]


OPTION = click.option(
    "-O",
    "--option",
    "options",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Option of all metrics that have it, such as tokenizer=intl, as `textsimp metrics NAME` "
    "lists them. An option of one metric is written after its name: -m sari:tokenizer=intl.",
)
LANGUAGE = click.option(
    "--language",
    metavar="CODE",
    help="Language of the texts, such as de: sets tokenizer, splitter, syllables and formulas of "
    "all metrics, unless -O does.",
)


def metrics_option(about: str, **more: Any) -> Callable[[Command], Command]:
    """``-m``, which names metrics."""
    return click.option(
        "-m",
        "--metric",
        "--metrics",
        "metrics",
        multiple=True,
        metavar="NAME[:VARIANT][:OPTION=VALUE…]...",
        shell_complete=complete_metrics,
        help=about,
        **more,
    )


METRICS = metrics_option(
    f"Metrics: {', '.join(catalogue.all_names())}. Default: sari. `textsimp metrics` describes "
    "them.",
    default=["sari"],
)
BASELINE = click.option(
    "--baseline",
    metavar="NAME",
    help="The system that the others are compared with. Default: the best of each metric. Only "
    "one: compare with another in a run of its own.",
)
NO_INTERVALS = click.option(
    "--no-intervals", is_flag=True, help="Leave the intervals out of --markdown and --latex."
)
ALL = click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Print all scores and tests, not only the main scores and a p-value of each.",
)
PUBLISHED = click.option(
    "--published",
    is_flag=True,
    help="Also published systems on ASSET, TurkCorpus or WikiSmall, as they score by the same "
    "metrics and options.",
)
_OUTPUT = (
    ALL,
    NO_INTERVALS,
    click.option(
        "--per-example",
        is_flag=False,
        flag_value="",
        type=FILE,
        metavar="[FILE]",
        help="Also the scores of each example: written to FILE (.tsv, .csv or .jsonl), with the "
        "texts, a row per system and example; without FILE they are in what --json prints.",
    ),
    click.option(
        "--save-statistics",
        type=FILE,
        metavar="FILE",
        help="Also the numbers that scores are computed from, a row per example, as parquet: "
        "`textsimp merge` merges such files of pieces.",
    ),
    click.option(
        "--first-row",
        type=int,
        default=0,
        metavar="N",
        help="The number of the first example in the whole corpus, where this is a piece of it, "
        "counted from 0.",
    ),
    click.option(
        "--workers",
        metavar="N|ADDRESS",
        help="Score with N processes of this machine, or on the cluster of Dask's scheduler at "
        "ADDRESS, such as tcp://host:8786 (extra scale). Files are read here.",
    ),
    FORCE,
    NO_CHECK,
    PUBLISHED,
)


def _score_options(command: Callable[..., Any]) -> Callable[..., Any]:
    command = form_options(command)
    for option in reversed(_OUTPUT):
        command = option(command)
    command = data_options(scores_option(BASELINE(sampling_options(command))))
    for option in (LANGUAGE, OPTION, METRICS):
        command = option(command)
    return command


@click.command(cls=DataCommand)
@_score_options
@click.option(
    "-b",
    "--score-only",
    "bare",
    is_flag=True,
    help="Print the bare number: the main score, a line per system and metric.",
)
def score(form: str, no_intervals: bool, everything: bool, bare: bool, **arguments: Any) -> None:
    """Score simplifications, with intervals and signatures.

    Systems are ranked by the first metric's main score. Each is compared with the best one by a
    paired permutation test. Beside them stand the sources, unchanged and truncated, which every
    system should beat. Tables for papers (--latex, --markdown) have the main scores; those that
    don't differ significantly from the best are bold.

    \b
    One system, three references:
      textsimp score -m sari,bleu -s source.txt -p systems/splitter.txt \\
          -r references/0.txt -r references/1.txt -r references/2.txt
    The same files by their folders, all systems:
      textsimp score -s source.txt -p systems -r references
    On a standard test set (see `textsimp hub datasets`):
      textsimp score -m sari -t asset_test -p ours=output.txt
    Columns of one file:
      textsimp score -d examples.jsonl -P splitter -P substituter
    The bare number:
      textsimp score -b -s source.txt -p systems/splitter.txt -r references
    Another variant, as a pipe:
      simplify < source.txt | textsimp score -O variant=xu -s source.txt -p - -r references
    A table for a paper, and the scores of each example:
      textsimp score -m sari,bleu -s source.txt -p systems -r references --latex
      textsimp score -s source.txt -p systems -r references --per-example examples.tsv

    In text files only a line feed ends a line. Exit codes: 0 for a score, 2 for bad input.
    """
    if bare and form != "text":
        raise InputError(f"expected -b or --{form}, got both")
    report = _report("bare" if bare else form, no_intervals, 1, **arguments)
    if bare:
        score_tables.print_bare(report)
    else:
        intervals = not no_intervals
        score_tables.print_scores(form, report, intervals=intervals, everything=everything)


@click.command(cls=DataCommand)
@_score_options
def compare(form: str, no_intervals: bool, everything: bool, **arguments: Any) -> None:
    """Compare systems with a baseline, score by score.

    Each difference comes with its paired bootstrap interval and the p-value of the paired
    permutation test, adjusted by Holm's method for the number of tests. --all has the differences
    of all scores, and the paired bootstrap test, too. Tables for papers (--latex, --markdown) have
    the main scores; those that don't differ significantly from the best are bold.

    \b
    Examples:
      textsimp compare -s source.txt -p systems/splitter.txt -p systems/substituter.txt \\
          -r references
      textsimp compare -m sari,bleu -s source.txt -p copy=source.txt -p systems -r references \\
          --baseline copy
    """
    report = _report(form, no_intervals, 2, **arguments)
    intervals = not no_intervals
    score_tables.print_comparison(form, report, intervals=intervals, everything=everything)


def check_form(form: str, no_intervals: bool) -> None:
    """Check that --no-intervals goes with a table."""
    if no_intervals and form not in ("markdown", "latex"):
        raise InputError("--no-intervals needs --markdown or --latex")


def _report(
    form: str,
    no_intervals: bool,
    min_systems: int,
    *,
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    baseline: str | None,
    sampling: dict[str, Any],
    per_example: str | None,
    save_statistics: str | None,
    first_row: int,
    workers: str | None,
    force: bool,
    no_check: bool,
    published: bool,
    scores: Sequence[str],
    **files: Any,
) -> ScoreReport:
    """Check the options, read the files, score, and write the files that are asked for."""
    check_form(form, no_intervals)
    if per_example == "" and form != "json":
        raise InputError("--per-example needs a FILE, or --json")
    check_integer("--first-row", first_row, 0, statistics.MOST_ROWS)
    if workers is not None:
        _check_workers(workers)
    path = Path(per_example) if per_example else None
    saved = Path(save_statistics) if save_statistics else None
    if path is not None:
        example_scores.check(path, force)
    if saved is not None:
        check_new([saved, *([path] if path else [])], overwrite=force)
    check_outputs([file for file in (path, saved) if file is not None], **files)
    scorers = catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language)
    if saved is not None:
        statistics.check(scorers, first_row)
    readers = {n: metric.columns for n, metric in scorers.items()}
    examples = read_scored(readers, scores=scores, **files)
    comparison.check_baseline(baseline, examples.systems, "--baseline")
    if len(examples.systems) < min_systems:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    scored, baselines = examples, list[str]()
    if form in ("text", "json") and saved is None and workers is None:  # which large corpora have
        with contextlib.suppress(InputError):  # without sources there are none
            scored, baselines = comparison.add_baselines(examples)
    metric_statistics = _measure(scorers, scored, first_row, workers)
    contents: dict[Path, Contents] = {}
    if path is not None:
        contents[path] = example_scores.contents(path, metric_statistics, examples, first_row)
    if saved is not None:
        contents[saved] = statistics.contents(metric_statistics, examples.shared)
    write_files(contents, overwrite=force)
    findings = [] if no_check else check_texts(examples)
    main = next(iter(metric_statistics.values()))
    report = score_tables.make_report(
        metric_statistics,
        baseline,
        sampling,
        examples=scored if per_example == "" else None,  # for lists in JSON
        baselines=baselines,
        shorten=form == "text",
        files=[*contents],
        findings=findings,
        warnings=[
            check_scripts(scorers.values(), examples),
            summarize_problems(findings, examples, files),
            warn_of_ranking(findings, examples, main),
        ],
    )
    return report.with_published(examples) if published and form != "bare" else report


def _check_workers(workers: str) -> None:
    require("distributed", extra="scale")
    number = workers.isdecimal() and int(workers) > 0
    if not number and "://" not in workers:
        raise InputError(
            "--workers: expected a number of processes, or a scheduler's address such as "
            f"tcp://host:8786, got {workers!r}"
        )


def _measure(
    scorers: Mapping[str, Metric], examples: Examples, first_row: int, workers: str | None
) -> dict[str, Statistics]:
    """The statistics of all metrics, with a progress bar."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    total = len(examples) * len(scorers)
    with tqdm(total=total, unit=" examples", unit_scale=True, disable=None, leave=False) as bar:
        if workers is None:
            return statistics.measure(scorers, examples, first_row, bar.update)
        with scale.connect(workers) as client:
            return scale.measure(scorers, examples, first_row, bar.update, client=client)


def choose_metrics(metrics: Sequence[str], options: Sequence[str]) -> list[Choice]:
    """Read metrics in their notation, and ``OPTION=VALUE`` for all of them that have the option."""
    choices = catalogue.read([*metrics], "-m")
    for name in dict.fromkeys(choice.name for choice in choices):
        if name in catalogue.ALIASES:
            note("-m {} is {}({})".format(name, *catalogue.ALIASES[name]))
    values: dict[str, str] = {}
    for text in options:
        option, equals, value = text.partition("=")
        metric, dot, key = option.rpartition(".")
        if not equals or not key:
            raise InputError(f"-O: expected OPTION=VALUE, got {text!r}")
        if dot:
            raise InputError(
                f"-O: expected OPTION=VALUE, for all metrics that have the option; write {text!r} "
                f"as -m {metric}:{key}={value}"
            )
        if option in SCORE_OPTIONS:
            raise InputError(f"-O: give {option} as --{option.replace('_', '-')}, for all metrics")
        values[option] = notation.unquote(value)
    catalogue.add_options(choices, values, "-O", written=True)
    return choices
