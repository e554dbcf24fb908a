"""``textsimp score``, ``compare`` and ``merge``."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from textsimp.cli.data_arguments import NO_CHECK, DataCommand, Files, data_options
from textsimp.cli.options import (
    FILE,
    FORCE,
    Callback,
    add_options,
    documented_options,
    form_options,
    sampling_options,
)
from textsimp.metrics import catalogue, notation
from textsimp.metrics.notation import Choice
from textsimp.support.arguments import documented_arguments
from textsimp.support.errors import InputError, check_number, listed

if TYPE_CHECKING:
    from textsimp.core.metric import Metric

__all__ = ["LANGUAGE", "METRICS", "OPTION", "choose_metrics"]

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


def metrics_option(about: str, **more: Any) -> Callable[[Callback], Callback]:
    """``-m``, which names metrics."""
    return click.option(
        "-m",
        "--metric",
        "--metrics",
        "metrics",
        multiple=True,
        metavar="NAME[:VARIANT][:OPTION=VALUE…]...",
        help=about,
        **more,
    )


METRICS = metrics_option(
    f"Metrics: {', '.join([*catalogue.names(), *catalogue.OF_COLUMNS])}; also those of "
    "extensions, which `textsimp metrics` lists, too. Default: sari.",
    default=["sari"],
)


@dataclass(frozen=True)
class Request:
    """What ``score``, ``compare`` and ``merge`` are asked to compare, print and write.

    Attributes:
        baseline: The system that the others are compared with; copy and truncation are the sources,
            unchanged and truncated. With several baselines, up to four, †, ‡, § and ¶ mark the
            scores that differ significantly from each. Default: the best of each metric.
        no_intervals: Leave the intervals out of --markdown and --latex.
        everything: Print all scores and tests, not only the main scores and a p-value of each; of
            --published all systems, not only the five above and below each of yours.
        per_example: Also the scores of each example: written to FILE (.tsv, .csv or .jsonl), with
            the texts, a row per system and example; without FILE they are in what --json prints.
        save_statistics: Also the numbers that scores are computed from, a row per example, as
            .parquet: `textsimp merge` merges such files of pieces.
        first_row: The number of the first example in the whole corpus, where this is a piece of it,
            counted from 0.
    """

    metrics: Mapping[str, "Metric"]
    files: Files
    form: str  # of `form_options`, or "bare"
    sampling: Mapping[str, Any]  # confidence, resamples and seed
    baseline: Sequence[str] = ()
    no_intervals: bool = False
    everything: bool = False
    per_example: str | Path | None = None  # "" for JSON
    save_statistics: str | Path | None = None
    first_row: int = 0
    check: bool = True  # whether to check texts
    force: bool = False
    published: bool = False  # whether to show published systems
    least: int = 1  # systems
    gate: bool = False  # whether the first system is the default baseline


_ARGUMENTS = documented_arguments(Request)
_FLAGS = {"everything": "--all", "per_example": "--per-example [FILE]"}


def request_options(**flags: str) -> Callable[[Callback], Callback]:
    """Give a command the options that `score` and `compare` share; it gets a `Request`.

    Further arguments that it documents are options, too, with ``flags``.
    """

    def decorate(command: Callback) -> Callback:
        @functools.wraps(command)
        def run(
            metrics: Sequence[str],
            options: Sequence[str],
            language: str | None,
            no_check: bool,
            **values: Any,
        ) -> Any:
            names = [*_ARGUMENTS, "files", "form", "sampling", "force"]
            fields = {name: values.pop(name) for name in names}
            chosen = choose_metrics(metrics, options)
            made = catalogue.make_metrics(chosen, "-m", language=language)
            return command(Request(made, **fields, check=not no_check), **values)

        last = FORCE(NO_CHECK(form_options(run)))
        further = documented_options(**flags)(sampling_options(last))
        first = add_options(_ARGUMENTS.values(), _FLAGS, further)
        return METRICS(OPTION(LANGUAGE(data_options(first))))

    return decorate


@click.command(cls=DataCommand)
@request_options(bare="-b --score-only")
def score(
    request: Request,
    published: bool = False,
    bare: bool = False,
    eval_results: str | Path | None = None,
    model_index: str | Path | None = None,
) -> None:
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
    Columns of files that are larger than memory:
      textsimp score -d 'shards/*.parquet' -P ours -P theirs
    The bare number:
      textsimp score -b -s source.txt -p systems/splitter.txt -r references
    Another variant, as a pipe:
      simplify < source.txt | textsimp score -O variant=xu -s source.txt -p - -r references
    A table for a paper, and the scores of each example:
      textsimp score -m sari,bleu -s source.txt -p systems -r references --latex
      textsimp score -s source.txt -p systems -r references --per-example examples.tsv

    In text files only a line feed ends a line. Exit codes: 0 for a score, 2 for bad input.

    Args:
        published: Also published systems on ASSET, TurkCorpus or WikiSmall, as they score by the
            same metrics and options.
        bare: Print the bare number: the main score, a line per system and metric.
        eval_results: Also the main scores of the one system as a file for .eval_results in its
            repository on the Hugging Face Hub, with signatures.
        model_index: Also the same as the block model-index of its model card.
    """
    if bare and request.form != "text":
        raise InputError(f"expected -b or --{request.form}, got both")
    from textsimp.cli import score_report
    from textsimp.cli.score_files import HubFiles
    from textsimp.cli.score_run import run

    hub_files = None
    if eval_results is not None or model_index is not None:
        hub_files = HubFiles(eval_results, model_index, request.files, request.force)
    form = "bare" if bare else request.form
    report = run(replace(request, form=form, published=published))
    if hub_files is not None:
        report.files = [*report.files, *hub_files.write(report.comparisons)]
    if bare:
        score_report.print_bare(report)
    else:
        score_report.print_scores(report)


@click.command(cls=DataCommand)
@request_options()
def compare(
    request: Request, fail_if: Literal["worse", "not-better"] | None = None, by: float = 0.0
) -> None:
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
    A gate for a pipeline, against the first system: exit code 1 if the new one is worse:
      textsimp compare -s source.txt -p old.txt -p new.txt -r references --fail-if worse

    Args:
        fail_if: Exit with 1 if a system is significantly worse than the baseline, or isn't
            significantly better, by the first metric. The baseline is the first system, unless
            --baseline names another.
        by: With --fail-if, a difference that doesn't count yet, such as 0.5. A system fails if the
            whole interval of its difference lies beyond.
    """
    check_number("--by", by, 0)
    if by and fail_if is None:
        raise InputError("--by needs --fail-if")
    if fail_if is not None and len(request.baseline) > 1:
        raise InputError(f"--fail-if: expected one --baseline, got {listed(request.baseline)}")
    main = next(iter(request.metrics.values()))
    if fail_if is not None and not main.ranks():
        raise InputError(f"--fail-if: {main.name} doesn't say what is better")
    from textsimp.cli import score_report
    from textsimp.cli.score_run import run
    from textsimp.scoring.verdict import find_failures

    report = run(replace(request, least=2, gate=fail_if is not None))
    score_report.print_comparison(report)
    failures = find_failures(report.first, fail_if, by, report.unranked) if fail_if else []
    for sentence in failures:
        click.echo(sentence.replace("−", "-"), err=True)
    if failures:
        raise click.exceptions.Exit(1)


@click.command(cls=DataCommand)
@click.argument("files", nargs=-1, type=FILE)
@documented_options(Request, everything="--all")
@sampling_options
@form_options
def merge(
    files: Sequence[str],
    form: str,
    sampling: dict[str, Any],
    baseline: Sequence[str] = (),
    no_intervals: bool = False,
    everything: bool = False,
    rows: int | None = None,
) -> None:
    """Merge statistics of a corpus that was scored in pieces, and print its scores.

    `textsimp score --save-statistics` writes FILES, each of different examples, or of different
    systems or metrics of the same examples. Scores, intervals and tests are those of one run on
    everything, to the last bit.

    \b
    Two pieces of a corpus:
      textsimp score -s 0/source.txt -p ours=0/output.txt -r 0/reference.txt \\
          --save-statistics 0.parquet
      textsimp score -s 1/source.txt -p ours=1/output.txt -r 1/reference.txt \\
          --save-statistics 1.parquet --first-row 50000
      textsimp merge 0.parquet 1.parquet

    Args:
        baseline: The system of the files that the others are compared with; up to four, as in
            `textsimp score`. Default: the best of each metric.
        rows: Number of rows of the whole corpus. Without it, nothing tells if the last piece is
            missing.
    """
    from textsimp.cli import score_report, score_run

    request = Request({}, Files(), form, sampling, baseline, no_intervals, everything)
    score_report.print_scores(score_run.merge(request, files, rows))


def choose_metrics(metrics: Sequence[str], options: Sequence[str]) -> list[Choice]:
    """Read metrics in their notation, and ``OPTION=VALUE`` for all of them that have the option."""
    from textsimp.support.progress import note

    choices = catalogue.read([*metrics], "-m")
    for name in dict.fromkeys(choice.name for choice in choices):
        if name in catalogue.ALIASES:
            note("-m {} is {}({})".format(name, *catalogue.ALIASES[name]))
    values: dict[str, str] = {}
    for text in options:
        option, equals, value = text.partition("=")
        if not equals or not option:
            raise InputError(f"-O: expected OPTION=VALUE, got {text!r}")
        values[option] = notation.unquote(value)
    if values:
        catalogue.add_options(choices, values, "-O", written=True)
    return choices
