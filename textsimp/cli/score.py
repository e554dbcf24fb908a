"""``textsimp score`` and ``textsimp compare``."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import click

from textsimp.cli.data_arguments import NO_CHECK, DataCommand, Files, data_options
from textsimp.cli.options import (
    FORCE,
    Callback,
    documented_options,
    form_options,
    sampling_options,
)
from textsimp.metrics import catalogue, notation
from textsimp.metrics.notation import Choice
from textsimp.support.errors import InputError, check_number, listed

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


def score_options(**flags: str) -> Callable[[Callback], Callback]:
    """Give a command the options of `score`; arguments that it documents have ``flags``."""
    flags |= {"everything": "--all", "per_example": "--per-example [FILE]"}

    def decorate(command: Callback) -> Callback:
        command = FORCE(NO_CHECK(form_options(command)))
        command = documented_options("textsimp.cli.score:score", **flags)(sampling_options(command))
        return METRICS(OPTION(LANGUAGE(data_options(command))))

    return decorate


@click.command(cls=DataCommand)
@score_options(bare="-b --score-only")
def score(
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    files: Files,
    sampling: dict[str, Any],
    force: bool,
    no_check: bool,
    form: str,
    baseline: Sequence[str] = (),
    no_intervals: bool = False,
    everything: bool = False,
    per_example: str | Path | None = None,
    save_statistics: str | Path | None = None,
    first_row: int = 0,
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
        published: Also published systems on ASSET, TurkCorpus or WikiSmall, as they score by the
            same metrics and options.
        bare: Print the bare number: the main score, a line per system and metric.
        eval_results: Also the main scores of the one system as a file for .eval_results in its
            repository on the Hugging Face Hub, with signatures.
        model_index: Also the same as the block model-index of its model card.
    """
    if bare and form != "text":
        raise InputError(f"expected -b or --{form}, got both")
    from textsimp.cli import score_report
    from textsimp.cli.score_files import HubFiles, SavedFiles

    hub_files = HubFiles(eval_results, model_index, force)
    hub_files.check(files)
    report = score_report.run(
        catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language),
        files,
        SavedFiles(per_example, save_statistics, first_row, force),
        score_report.ScoreOptions(
            "bare" if bare else form,
            sampling,
            baseline,
            check=not no_check,
            published=published,
        ),
    )
    report.files = [*report.files, *hub_files.write(report.comparisons, files)]
    if bare:
        score_report.print_bare(report)
    else:
        score_report.print_scores(form, report, no_intervals=no_intervals, everything=everything)


@click.command(cls=DataCommand)
@score_options()
def compare(
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    files: Files,
    sampling: dict[str, Any],
    force: bool,
    no_check: bool,
    form: str,
    baseline: Sequence[str] = (),
    no_intervals: bool = False,
    everything: bool = False,
    per_example: str | Path | None = None,
    save_statistics: str | Path | None = None,
    first_row: int = 0,
    fail_if: Literal["worse", "not-better"] | None = None,
    by: float = 0.0,
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
    if fail_if is not None and len(baseline) > 1:
        raise InputError(f"--fail-if: expected one --baseline, got {listed(baseline)}")
    from textsimp.cli import score_report
    from textsimp.cli.score_files import SavedFiles
    from textsimp.scoring.verdict import find_failures

    scorers = catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language)
    main = next(iter(scorers.values()))
    if fail_if is not None and not main.ranks():
        raise InputError(f"--fail-if: {main.name} doesn't say what is better")
    report = score_report.run(
        scorers,
        files,
        SavedFiles(per_example, save_statistics, first_row, force),
        score_report.ScoreOptions(
            *(form, sampling, baseline), check=not no_check, least=2, gate=fail_if is not None
        ),
    )
    score_report.print_comparison(form, report, no_intervals=no_intervals, everything=everything)
    if fail_if is not None:
        failures = find_failures(report.first, fail_if, by, report.unranked)
        for sentence in failures:
            click.echo(sentence.replace("−", "-"), err=True)
        if failures:
            raise click.exceptions.Exit(1)


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
