"""``textsimp score`` and ``textsimp compare``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from textsimp import catalogue, comparison, significance, tables
from textsimp.cli import rows, show
from textsimp.cli.data import FILE, DataCommand, data_options, read_data
from textsimp.cli.options import FORCE, Command, form_options, sampling_options
from textsimp.columns import InputError, nearest
from textsimp.declarations import parsed, unquoted
from textsimp.describe import FLAT_OPTIONS
from textsimp.examples import Examples, doubt
from textsimp.metric import SCORE_OPTIONS, Metric
from textsimp.scores import Comparison, Results, Scores, Value, ranked
from textsimp.tables import Tabular

Scored = dict[str, Mapping[str, Scores]]  # metric → system → scores

_TESTED = (
    *("difference", "difference_low", "difference_high"),
    *("bootstrap_p", "bootstrap_p_holm", "permutation_p", "permutation_p_holm"),
)
_HEADS = {"sources": "source", "references": "references"}


def complete_metrics(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    before, comma, last = incomplete.rpartition(",")
    names = catalogue.all_names()
    return [CompletionItem(before + comma + name) for name in names if name.startswith(last)]


OPTION = click.option(
    "-O",
    "--option",
    "options",
    multiple=True,
    metavar="[METRIC.]OPTION=VALUE",
    help="Option of a metric, such as sari.variant=xu, as `textsimp metrics NAME` lists them. "
    "With one metric its name may be left out.",
)


def metrics_option(about: str, **more: Any) -> Callable[[Command], Command]:
    """``-m``, which names metrics."""
    return click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        metavar="NAME[:OPTION=VALUE…][,NAME…]",
        shell_complete=complete_metrics,
        help=about,
        **more,
    )


METRICS = metrics_option(
    f"Metrics: {', '.join(catalogue.all_names())}. Default: sari. `textsimp metrics` describes "
    "them.",
    default=["sari"],
)
_BASELINE = click.option(
    "--baseline",
    metavar="NAME",
    help="The system that the others are compared with. Default: the first.",
)
_OUTPUT = (
    click.option(
        "--no-intervals", is_flag=True, help="Leave the intervals out of --markdown and --latex."
    ),
    click.option(
        "--per-example",
        is_flag=False,
        flag_value="",
        type=FILE,
        metavar="[FILE]",
        help="Also the scores of each example: written to FILE (.tsv, .csv or .jsonl), with the "
        "texts, a row per system and example; without FILE they are in what --json prints.",
    ),
    FORCE,
)


def _score_options(command: Callable[..., Any]) -> Callable[..., Any]:
    command = form_options(command)
    for option in reversed(_OUTPUT):
        command = option(command)
    command = data_options(_BASELINE(sampling_options(command)))
    for option in (OPTION, METRICS):
        command = option(command)
    return command


@click.command(cls=DataCommand)
@_score_options
def score(form: str, no_intervals: bool, **given: Any) -> None:
    """Score simplifications, with intervals and signatures.

    With several systems they are ranked by the first metric's main score, and each is compared
    with the baseline by two paired tests, bootstrap and permutation. Tables for papers (--latex,
    --markdown) have the main scores, in bold those that a test doesn't tell from the best.

    \b
    One system, three references:
      textsimp score -m sari,bleu -s source.txt -p systems/splitter.txt \\
          -r references/0.txt -r references/1.txt -r references/2.txt
    The same files by their folders, all systems:
      textsimp score -s source.txt -p systems -r references
    On a standard test set (see `textsimp datasets`):
      textsimp score -m sari -t asset_test -p ours=output.txt
    Columns of one file:
      textsimp score -d examples.jsonl -P splitter -P substituter
    Another variant, as a pipe:
      simplify < source.txt | textsimp score -O variant=xu -s source.txt -p - -r references
    A table for a paper, and the scores of each example:
      textsimp score -m sari,bleu -s source.txt -p systems -r references --latex
      textsimp score -s source.txt -p systems -r references --per-example examples.tsv

    In text files only a line feed ends a line. Exit codes: 0 for a score, 2 for bad input.
    """
    found = _find(form, no_intervals, 1, **given)
    ranking = ranked(next(iter(found.scores.values())))
    if form in ("markdown", "latex"):
        systems = {
            system: {metric: of_metric[system] for metric, of_metric in found.scores.items()}
            for system in ranking
        }
        best = {metric: test.best for metric, test in found.tests.items()}
        _print_tables(form, [Results(systems, best, found.sampling["confidence"])], no_intervals)
    elif form != "text":
        _print_data(form, found, ranking)
    else:
        _print_heading(found)
        if found.tests:
            _print_ranking(next(iter(found.tests.values())), ranking)
        _print_scores(found.scores, ranking)
        _print_end(found)


@click.command(cls=DataCommand)
@_score_options
def compare(form: str, no_intervals: bool, **given: Any) -> None:
    """Compare systems with a baseline, score by score.

    Each difference comes with its paired bootstrap interval and two p-values: of the paired
    bootstrap test and of the paired permutation test. Of several systems both are also adjusted for
    their number, by Holm's method. Tables for papers (--latex, --markdown) have the main scores, in
    bold those that a test doesn't tell from the best.

    \b
    Examples:
      textsimp compare -s source.txt -p systems/splitter.txt -p systems/substituter.txt \\
          -r references
      textsimp compare -m sari,bleu -s source.txt -p copy=source.txt -p systems -r references \\
          --baseline copy
    """
    found = _find(form, no_intervals, 2, **given)
    if form in ("markdown", "latex"):
        _print_tables(form, found.tests.values(), no_intervals)
    elif form != "text":
        _print_data(form, found, list(found.examples.systems))
    else:
        _print_heading(found)
        labels = _labels(found.scores)
        for metric, test in found.tests.items():
            _print_differences(metric, test, labels[metric])
        _print_end(found)


@dataclass(frozen=True)
class _Found:
    """What is printed.

    Attributes:
        scores: Metric → system → scores.
        tests: Metric → comparison with the baseline; empty of one system.
        examples: What was scored.
        sampling: Options of intervals and tests.
        lists: Whether JSON has the scores of each example.
        written: The file that has them.
        cautions: What is to be said of options and tests, if anything.
    """

    scores: Scored
    tests: Mapping[str, Comparison]
    examples: Examples
    sampling: Mapping[str, Any]
    lists: bool
    written: Path | None
    cautions: Sequence[str]


def _find(
    form: str,
    no_intervals: bool,
    at_least: int,
    *,
    metrics: Sequence[str],
    options: Sequence[str],
    baseline: str | None,
    confidence: float,
    resamples: int,
    seed: int,
    per_example: str | None,
    force: bool,
    **files: Any,
) -> _Found:
    """Check all options, then read the files, then score; and write the file of examples."""
    if no_intervals and form not in ("markdown", "latex"):
        raise InputError("--no-intervals needs --markdown or --latex")
    if per_example == "" and form != "json":
        raise InputError("--per-example needs a FILE, or --json")
    path = Path(per_example) if per_example else None
    if path is not None:
        rows.check(path, force)
    sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
    scorers = catalogue.configured(parse_options(metrics, options), "-m")
    significance.check(confidence, resamples, seed, optional=False)
    data = read_data({name: metric.columns for name, metric in scorers.items()}, **files)
    comparison.check_baseline(baseline, data.systems, "--baseline")
    if len(data.systems) < at_least:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    scores, tests = _run(scorers, data, baseline, per_example is not None, sampling)
    few = significance.caution(len(data), resamples) if tests else ""
    cautions = [caution for caution in (doubt(scorers.values(), data), few) if caution]
    if path is not None:
        rows.write(path, scores, data, force)
    for caution in cautions:
        click.echo(f"Warning: {caution}", err=True)
    return _Found(scores, tests, data, sampling, per_example == "", path, cautions)


def parse_options(metrics: Sequence[str], options: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Metric → its options, from ``NAME[:OPTION=VALUE…][,NAME…]`` and ``[METRIC.]OPTION=VALUE``.

    Raises:
        InputError: Not of this form, or of a metric that isn't computed.
    """
    chosen: dict[str, dict[str, Any]] = {}
    for written in forms(metrics):
        name, given = parse_form(written)
        metric = catalogue.spelt(name)
        values = {
            key: read_value(catalogue.metric_class(metric), key, v) for key, v in given.items()
        }
        if chosen.get(metric, values) != values:
            raise InputError(f"-m: {metric} is given twice, with other options: {written!r}")
        chosen[metric] = values
    if not chosen:
        raise InputError(f"-m: expected one of {', '.join(catalogue.all_names())}, got none")
    context = click.get_current_context(silent=True)
    own = [parameter.name for parameter in context.command.params] if context else []
    for option in options:
        left, equals, value = option.partition("=")
        metric, dot, key = left.rpartition(".")
        if not equals or not key or (not dot and len(chosen) > 1):
            form = "METRIC.OPTION=VALUE" if len(chosen) > 1 else "OPTION=VALUE"
            raise InputError(f"-O: expected {form}, got {option!r}")
        metric = catalogue.spelt(metric) if dot else next(iter(chosen))
        if metric not in chosen:
            raise InputError(
                f"-O: expected an option of {', '.join(chosen)}, got one of {metric!r}"
                f"{nearest(metric, chosen)}: {option}"
            )
        if key in SCORE_OPTIONS and key in own:
            raise InputError(f"-O: give {key} as --{key.replace('_', '-')}, for all metrics")
        if key in SCORE_OPTIONS or key in FLAT_OPTIONS:  # for programs that call Python
            raise InputError(f"-O: expected an option of {metric}, got {key!r}")
        chosen[metric][key] = read_value(catalogue.metric_class(metric), key, value)
    return chosen


def forms(arguments: Iterable[str]) -> list[str]:
    """What stands between the commas of ``NAME[:OPTION=VALUE…],…``.

    A comma ends no value where what follows isn't the name of a metric: several models are
    separated by commas, too.
    """
    found: list[str] = []
    for argument in arguments:
        open_value = False
        for part in filter(None, map(str.strip, argument.split(","))):
            name = catalogue.spelt(re.split("[:.]", part)[0])
            if open_value and name not in catalogue.all_names():
                found[-1] += f",{part}"
            else:
                found.append(part)
                open_value = "=" in part
    return found


def parse_form(written: str) -> tuple[str, dict[str, str]]:
    """What stands before the options of ``NAME[:OPTION=VALUE…]``, and they.

    Values may have colons, as ``embedding:MODEL`` has.

    Raises:
        InputError: Not of this form.
    """
    name, *options = re.split(r":(?=\w*=)", written)
    chosen: dict[str, str] = {}
    for option in options:
        key, _, value = option.partition("=")
        if key in chosen:
            raise InputError(f"-m: {key} is given twice in {written!r}")
        chosen[key] = value
    if ":" in name or "" in chosen:
        raise InputError(f"-m: expected NAME:OPTION=VALUE, got {written!r}")
    return name, chosen


def read_value(metric: type[Metric], option: str, value: str) -> Any:
    """The value of a metric's option, as it was written."""
    rules = {f.name: f.metadata for f in fields(metric)}.get(option)
    return parsed(value, rules) if rules else unquoted(value)


def _run(
    scorers: Mapping[str, Metric],
    data: Examples,
    baseline: str | None,
    per_example: bool,
    sampling: Mapping[str, Any],
) -> tuple[Scored, dict[str, Comparison]]:
    """Scores; and, of several systems, comparisons with the baseline by metric."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    results: Scored = {}
    tests: dict[str, Comparison] = {}
    progress = tqdm(scorers.items(), unit=" metrics", disable=None, leave=False)
    for name, metric in progress:
        progress.set_description(name)
        if len(data.systems) > 1:
            tests[name] = comparison.compared(
                metric, data, baseline, per_example=per_example, **sampling
            )
            results[name] = tests[name].systems
        else:
            of_one = comparison.scored({name: metric}, data, per_example=per_example, **sampling)
            results[name] = {system: found[name] for system, found in of_one.items()}
    return results, tests


def _first(systems: Mapping[str, Scores]) -> Scores:
    return next(iter(systems.values()))


def _print_tables(form: str, results: Iterable[Tabular], no_intervals: bool) -> None:
    """Tables for a paper, in LaTeX or Markdown."""
    written = [show.for_paper(form, result, intervals=not no_intervals) for result in results]
    click.echo("\n".join(written), nl=False)


def _print_data(form: str, found: _Found, ranking: Sequence[str]) -> None:
    """All as JSON or CSV."""
    if form == "json":
        show.as_json(_report(found, ranking))
    else:
        show.as_csv(list(_records(found, ranking)))


def _report(found: _Found, ranked: Sequence[str]) -> dict[str, Any]:
    report: dict[str, Any] = {
        "examples": len(found.examples),
        **found.sampling,
        "signatures": {
            metric: _first(systems).signature for metric, systems in found.scores.items()
        },
        "systems": {
            system: {
                metric: {
                    key: value
                    for key, value in systems[system].to_dict(signature=False).items()
                    if found.lists or not key.endswith("_per_example")
                }
                for metric, systems in found.scores.items()
            }
            for system in ranked
        },
    }
    if found.tests:
        report["baseline"] = next(iter(found.tests.values())).baseline
        report["differences"] = {
            system: {metric: test["differences"][system] for metric, test in found.tests.items()}
            for system in ranked
            if system != report["baseline"]
        }
        report["best"] = {metric: list(test.best) for metric, test in found.tests.items()}
    if found.tests or found.cautions:
        report["warnings"] = [*found.cautions]
    return report


def _records(found: _Found, ranked: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A row per system, metric and number; with several systems also its tests."""
    for system in ranked:
        for metric, systems in found.scores.items():
            test, main = found.tests.get(metric), next(iter(systems[system].predictions))
            for record in systems[system].records():
                name, own = record["score"], record["of"] == "predictions"
                row = {"system": system, "metric": metric, **record}
                if test is not None:
                    tested = test.differences.get(system, {}).get(name) if own else None
                    row |= {"baseline": test.baseline, **dict.fromkeys(_TESTED)}
                    if tested is not None:
                        row |= zip(_TESTED, tested.to_dict().values(), strict=True)
                    judged = own and name == main and test.best
                    row["best"] = system in test.best if judged else None
                yield row | {"signature": systems[system].signature}


def _labels(results: Scored) -> dict[str, dict[str, str]]:
    """Metric → name of a score → what tables call it; the main ones with their variants."""
    labels = catalogue.labels(
        {metric: list(_first(systems).predictions) for metric, systems in results.items()}
    )
    for metric, systems in results.items():
        main = next(iter(_first(systems).predictions))
        labels[metric][main] = _first(systems).metric.titled(labels[metric][main])
    return labels


def _print_heading(found: _Found) -> None:
    data, sampling = found.examples, found.sampling
    heading = f"{len(data):,} example{'s' * (len(data) > 1)}"
    if data.references is not None:
        sizes = sorted({len(row) for row in data.references})
        many = "-".join(str(n) for n in dict.fromkeys((sizes[0], sizes[-1])))
        heading += f", {many} reference{'s' * (sizes[-1] > 1)} each"
    click.echo(f"{heading}; {100 * sampling['confidence']:g} % bootstrap intervals\n")


def _print_ranking(test: Comparison, ranked: Sequence[str]) -> None:
    """The first metric's main score, and how far each system is from the baseline."""
    first = _first(test.systems)
    name, ranks = next(iter(first.predictions)), first.metric.ranks()
    scores, places = _cells(name, [test.systems[system].main for system in ranked], first.metric)
    rows = []
    for i, (system, cell) in enumerate(zip(ranked, scores, strict=True), 1):
        differing = test.difference_cells(test.differences.get(system, {}).get(name), places)
        rows.append([*([str(i)] if ranks else []), system, cell, *differing])
    label = first.metric.titled(name)
    names = ["", "system"] if ranks else ["system"]
    header = [*names, label, *test.difference_heads("p boot.", "p perm.")]
    show.table(header, rows, left=len(names))
    click.echo()


def _cells(name: str, values: Sequence[Value | None], metric: Metric) -> tuple[list[str], int]:
    """Scores with their intervals, or nothing where there is none; and their decimals."""
    numbers = [None if value is None else value.value for value in values]
    places = tables.places(numbers, metric.score_named(name))
    return [
        "" if value is None else tables.cell(value.value, value.interval, places)
        for value in values
    ], places


def _print_scores(results: Scored, ranked: Sequence[str]) -> None:
    """A table: a score per row; a column per system, and for source and references."""
    labels = _labels(results)
    beside = [
        side
        for side in ("sources", "references")
        if any(getattr(_first(systems), side) for systems in results.values())
    ]
    of_metrics = []
    for metric, systems in results.items():
        first = _first(systems)
        rows = []
        if next(iter(first.predictions)) != metric:
            rows.append([metric, *[""] * (len(ranked) + len(beside))])
        for name, value in first.predictions.items():
            if value.many:
                continue
            values = [systems[system].predictions[name] for system in ranked]
            others = [getattr(first, side).get(name) for side in beside]
            indent = "" if name == metric else "  "
            cells, _ = _cells(name, [*values, *others], first.metric)
            rows.append([indent + labels[metric][name], *cells])
        of_metrics.append(rows)
    show.table(["", *ranked, *(_HEADS[side] for side in beside)], *of_metrics)
    click.echo()
    for metric, systems in results.items():
        _print_lists(systems, ranked, labels[metric])


def _print_lists(
    systems: Mapping[str, Scores], ranked: Sequence[str], labels: Mapping[str, str]
) -> None:
    """Scores that are lists, such as one value per n-gram order; those of one length together."""
    first = _first(systems)
    lists = {name: value.value for name, value in first.predictions.items() if value.many}
    for length in dict.fromkeys(map(len, lists.values())):
        rows = []
        for name in (name for name, values in lists.items() if len(values) == length):
            named = [(system, systems[system].predictions[name].value) for system in ranked]
            for side in ("sources", "references"):
                if name in getattr(first, side):
                    named.append((_HEADS[side], getattr(first, side)[name].value))
            together = [value for _, values in named for value in values]
            whole = all(value == int(value) for value in together)
            places = 0 if whole else tables.places(together, first.metric.score_named(name))
            rows += [
                [labels[name], title, *(tables.number(value, places) for value in values)]
                for title, values in named
            ]
        show.table(["", "", *map(str, range(1, length + 1))], rows, left=2)
        click.echo()


def _print_differences(metric: str, test: Comparison, labels: Mapping[str, str]) -> None:
    rows = []
    for name in _first(test.systems).predictions:
        if _first(test.systems).predictions[name].many:
            continue
        values = {s: scores.predictions[name].value for s, scores in test.systems.items()}
        places = tables.places(values.values(), _first(test.systems).metric.score_named(name))
        of_baseline = tables.number(values[test.baseline], places)
        for i, (system, found) in enumerate(test.differences.items()):
            value = tables.number(values[system], places)
            label = "" if i else labels[name]
            differing = test.difference_cells(found[name], places)
            rows.append([label, system, value, of_baseline, *differing])
    _, *heads = test.difference_heads("p boot.", "p perm.")
    header = ["score", "system", "its score", test.baseline, "difference", *heads]
    show.line(f"{metric}, compared with {test.baseline}")
    show.table(header, rows, left=2)
    click.echo()


def _print_end(found: _Found) -> None:
    for systems in found.scores.values():
        click.echo(_first(systems).signature)
    if found.written is not None:
        show.line(f"written: {found.written}")
