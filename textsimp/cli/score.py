"""``textsimp score`` and ``textsimp compare``."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
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
from textsimp.core.declarations import parse_option, strip_quotes
from textsimp.core.examples import Examples, check_scripts
from textsimp.core.metric import SCORE_OPTIONS, Metric
from textsimp.core.statistics import Statistics
from textsimp.corpora.files import note
from textsimp.metrics import catalogue
from textsimp.metrics.description import FLAT_OPTIONS
from textsimp.scoring import comparison
from textsimp.support.errors import InputError, check_integer, nearest
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
    metavar="[METRIC.]OPTION=VALUE",
    help="Option of a metric, such as sari.variant=xu, as `textsimp metrics NAME` lists them. "
    "Without a metric's name it is for all metrics that have it.",
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
        metavar="NAME[:OPTION=VALUE…]...",
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
    scorers = catalogue.make_metrics(parse_options(metrics, options), "-m", language=language)
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


def parse_options(metrics: Sequence[str], options: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Read ``NAME[:OPTION=VALUE…][,NAME…]`` and ``[METRIC.]OPTION=VALUE`` as metric → options.

    An option without a metric is for all that have it; one with a metric comes after it.
    """
    metric_options: dict[str, dict[str, Any]] = {}
    for text in split_configurations(metrics):
        name, settings = parse_configuration(text)
        metric = catalogue.normalize_name(name)
        cls = catalogue.metric_class(metric)
        values = {key: parse_value(cls, key, value) for key, value in settings.items()}
        if "names" in values and "names" in metric_options.get(metric, {}):  # one for all columns
            values["names"] = f"{metric_options[metric]['names']},{values['names']}"
            metric_options[metric] = values
        if metric_options.get(metric, values) != values:
            raise InputError(f"-m: {metric} is given twice, with other options: {text!r}")
        metric_options[metric] = values
    if not metric_options:
        raise InputError(f"-m: expected one of {', '.join(catalogue.all_names())}, got none")
    context = click.get_current_context(silent=True)
    own = [parameter.name for parameter in context.command.params] if context else []
    # First the options of all metrics; the level decides which others a metric has.
    for option in sorted(options, key=lambda o: ("." in o.split("=")[0], o[:6] != "level=")):
        left, equals, value = option.partition("=")
        metric, dot, key = left.rpartition(".")
        if not equals or not key:
            raise InputError(f"-O: expected [METRIC.]OPTION=VALUE, got {option!r}")
        metric = catalogue.normalize_name(metric) if dot else next(iter(metric_options))
        if metric not in metric_options:
            raise InputError(
                f"-O: expected an option of {', '.join(metric_options)}, got one of {metric!r}"
                f"{nearest(metric, metric_options)}: {option}"
            )
        if key in SCORE_OPTIONS and key in own:
            raise InputError(f"-O: give {key} as --{key.replace('_', '-')}, for all metrics")
        if key in SCORE_OPTIONS or key in FLAT_OPTIONS:  # only for Python
            raise InputError(f"-O: expected an option of {metric}, got {key!r}")
        takers = [metric]
        if not dot and len(metric_options) > 1:
            takers = catalogue.metrics_with(metric_options, key, value)
        if not takers:
            raise InputError(
                f"-O: none of {', '.join(metric_options)} has this option or value: {option}"
            )
        for taker in takers:
            metric_options[taker][key] = parse_value(catalogue.metric_class(taker), key, value)
    return metric_options


def resolve_alias(name: str) -> dict[str, Any]:
    """Return the options that an alias sets, and say which metric and variant it means."""
    if name in catalogue.ALIASES:
        note(f"-m {name} is {':variant='.join(catalogue.ALIASES[name])}")
    return catalogue.alias_options(name)


def split_configurations(arguments: Iterable[str]) -> list[str]:
    """Split ``NAME[:OPTION=VALUE…],…`` at commas.

    A comma belongs to a value if no metric's name follows, as in a list of models.
    """
    configurations: list[str] = []
    for argument in arguments:
        open_value = False
        for part in filter(None, map(str.strip, argument.split(","))):
            name = catalogue.normalize_name(re.split("[:.]", part)[0])
            if open_value and name not in [*catalogue.all_names(), *catalogue.ALIASES]:
                configurations[-1] += f",{part}"
            else:
                configurations.append(part)
                open_value = "=" in part or part.lower().startswith("column:")
    return configurations


def parse_configuration(text: str) -> tuple[str, dict[str, str]]:
    """Return name and options of ``NAME[:OPTION=VALUE…]``, or of ``column:COLUMN[:…]``.

    Values may contain colons. An alias has the options that it sets.
    """
    name, *options = re.split(r":(?=\w*=)", text)
    settings: dict[str, str] = {}
    column = re.fullmatch(r"column:(.+)", name, re.IGNORECASE)
    if column is not None:
        name, settings["names"] = "column", column[1]
    for option in options:
        key, _, value = option.partition("=")
        if key in settings:
            raise InputError(f"-m: {key} is given twice in {text!r}")
        settings[key] = value
    if ":" in name or "" in settings:
        raise InputError(f"-m: expected NAME:OPTION=VALUE, got {text!r}")
    return name, resolve_alias(catalogue.normalize_name(name.partition(".")[0])) | settings


def parse_value(metric: type[Metric], option: str, value: str) -> Any:
    """Parse the value of a metric's option."""
    rules = {f.name: f.metadata for f in fields(metric)}.get(option)
    return parse_option(value, rules) if rules else strip_quotes(value)
