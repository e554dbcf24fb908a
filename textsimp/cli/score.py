"""``textsimp score`` and ``textsimp compare``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from textsimp import catalogue, comparison, significance, tables
from textsimp.cli import show
from textsimp.cli.data import DataCommand, data_options, read_data
from textsimp.columns import InputError, nearest
from textsimp.declarations import parsed, unquoted
from textsimp.describe import FLAT_OPTIONS
from textsimp.examples import Examples
from textsimp.metric import SCORE_OPTIONS, Metric
from textsimp.scores import Comparison, Scores, Value, ranked
from textsimp.significance import Difference

Command = TypeVar("Command", bound=Callable[..., Any])
Found = dict[str, Mapping[str, Scores]]  # metric → system → scores

_HEADS = {"sources": "source", "references": "references"}


def complete_metrics(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    before, comma, last = incomplete.rpartition(",")
    names = catalogue.names()
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
METRICS = click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    default=["sari"],
    metavar="NAME[,NAME…]",
    shell_complete=complete_metrics,
    help=f"Metrics: {', '.join(catalogue.names())}. Default: sari. `textsimp metrics` "
    "describes them.",
)
_SAMPLING = (
    click.option(
        "--baseline",
        metavar="NAME",
        help="The system that the others are compared with. Default: the first.",
    ),
    click.option(
        "--confidence",
        type=float,
        default=0.95,
        show_default=True,
        help="Coverage of the bootstrap intervals.",
    ),
    click.option(
        "--resamples",
        type=int,
        default=1000,
        show_default=True,
        help="Resamples of the intervals and of the tests.",
    ),
    click.option("--seed", type=int, default=0, show_default=True, help="Their seed."),
    click.option(
        "--per-example", is_flag=True, help="Also the scores of each example; needs --json."
    ),
    click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table."),
)


def _score_options(command: Command) -> Command:
    for option in reversed(_SAMPLING):
        command = option(command)
    command = data_options(command)
    for option in (OPTION, METRICS):
        command = option(command)
    return command


@click.command(cls=DataCommand)
@_score_options
def score(
    metrics: Sequence[str],
    options: Sequence[str],
    baseline: str | None,
    confidence: float,
    resamples: int,
    seed: int,
    per_example: bool,
    as_json: bool,
    **files: Any,
) -> None:
    """Score simplifications, with intervals and signatures.

    With several systems they are ranked by the first metric's main score, and each is compared
    with the baseline by two paired tests, bootstrap and permutation.

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

    In text files only a line feed ends a line. Exit codes: 0 for a score, 2 for bad input.
    """
    sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
    scorers, data = _prepare(metrics, options, files, baseline, sampling, per_example, as_json)
    results, tests = _run(scorers, data, baseline, per_example, sampling)
    ranking = ranked(next(iter(results.values())))
    if as_json:
        show.as_json(_report(results, tests, data, sampling, ranking))
        return
    _print_heading(data, sampling)
    if tests:
        _print_ranking(next(iter(tests.values())), ranking)
    _print_scores(results, ranking)
    _print_signatures(results)


@click.command(cls=DataCommand)
@_score_options
def compare(
    metrics: Sequence[str],
    options: Sequence[str],
    baseline: str | None,
    confidence: float,
    resamples: int,
    seed: int,
    per_example: bool,
    as_json: bool,
    **files: Any,
) -> None:
    """Compare systems with a baseline, score by score.

    Each difference comes with its paired bootstrap interval and two p-values: of the paired
    bootstrap test and of the paired permutation test.

    \b
    Examples:
      textsimp compare -s source.txt -p systems/splitter.txt -p systems/substituter.txt \\
          -r references
      textsimp compare -m sari,bleu -s source.txt -p copy=source.txt -p systems -r references \\
          --baseline copy
    """
    sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
    scorers, data = _prepare(metrics, options, files, baseline, sampling, per_example, as_json)
    if len(data.systems) < 2:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    results, tests = _run(scorers, data, baseline, per_example, sampling)
    if as_json:
        show.as_json(_report(results, tests, data, sampling, list(data.systems)))
        return
    _print_heading(data, sampling)
    labels = _labels(results)
    for metric, test in tests.items():
        _print_differences(metric, test, labels[metric])
    _print_signatures(results)


def _prepare(
    metrics: Sequence[str],
    options: Sequence[str],
    files: Mapping[str, Any],
    baseline: str | None,
    sampling: Mapping[str, Any],
    per_example: bool,
    as_json: bool,
) -> tuple[dict[str, Metric], Examples]:
    """Check all options, then read the files."""
    if per_example and not as_json:
        raise InputError("--per-example needs --json")
    scorers = catalogue.configured(parse_options(metrics, options), "-m")
    significance.check(**sampling, optional=False)
    data = read_data({name: metric.columns for name, metric in scorers.items()}, **files)
    comparison.check_baseline(baseline, data.systems, "--baseline")
    return scorers, data


def parse_options(metrics: Sequence[str], options: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Metric → its options, from ``NAME[,NAME…]`` and ``[METRIC.]OPTION=VALUE``.

    Raises:
        InputError: Not of this form, or of a metric that isn't computed.
    """
    names = [name.strip() for group in metrics for name in group.split(",")]
    chosen: dict[str, dict[str, Any]] = {catalogue.spelt(name): {} for name in names if name}
    if not chosen:
        raise InputError(f"-m: expected one of {', '.join(catalogue.names())}, got none")
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
        if key in FLAT_OPTIONS:  # for programs that call Python
            raise InputError(f"-O: expected an option of {metric}, got {key!r}")
        if key in SCORE_OPTIONS:
            raise InputError(f"-O: give {key} as --{key.replace('_', '-')}, for all metrics")
        rules = {f.name: f.metadata for f in fields(catalogue.metric_class(metric))}
        chosen[metric][key] = parsed(value, rules[key]) if rules.get(key) else unquoted(value)
    return chosen


def _run(
    scorers: Mapping[str, Metric],
    data: Examples,
    baseline: str | None,
    per_example: bool,
    sampling: Mapping[str, Any],
) -> tuple[Found, dict[str, Comparison]]:
    """Scores; and, of several systems, comparisons with the baseline by metric."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    results: Found = {}
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


def _report(
    results: Found,
    tests: Mapping[str, Comparison],
    data: Examples,
    sampling: Mapping[str, Any],
    ranked: Sequence[str],
) -> dict[str, Any]:
    report: dict[str, Any] = {
        "examples": len(data),
        **sampling,
        "signatures": {metric: _first(systems).signature for metric, systems in results.items()},
        "systems": {
            system: {
                metric: systems[system].to_dict(signature=False)
                for metric, systems in results.items()
            }
            for system in ranked
        },
    }
    if tests:
        report["baseline"] = next(iter(tests.values())).baseline
        report["differences"] = {
            system: {metric: test["differences"][system] for metric, test in tests.items()}
            for system in ranked
            if system != report["baseline"]
        }
    return report


def _labels(results: Found) -> dict[str, dict[str, str]]:
    """Metric → name of a score → what tables call it; the main ones with their variants."""
    labels = catalogue.labels(
        {metric: list(_first(systems).predictions) for metric, systems in results.items()}
    )
    for metric, systems in results.items():
        main = next(iter(_first(systems).predictions))
        labels[metric][main] = _first(systems).metric.titled(labels[metric][main])
    return labels


def _print_heading(data: Examples, sampling: Mapping[str, Any]) -> None:
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
        tested = test.differences.get(system)
        differing = ["", "", ""] if tested is None else _difference(tested[name], places)
        rows.append([*([str(i)] if ranks else []), system, cell, *differing])
    label = first.metric.titled(name)
    header = ["system", label, f"minus {test.baseline}", "p boot.", "p perm."]
    if ranks:
        header.insert(0, "")
    show.table(header, rows, left=len(header) - 4)
    click.echo()


def _cells(name: str, values: Sequence[Value | None], metric: Metric) -> tuple[list[str], int]:
    """Scores with their intervals, or nothing where there is none; and their decimals."""
    numbers = [None if value is None else value.value for value in values]
    places = tables.places(numbers, metric.score_named(name))
    return [
        "" if value is None else tables.cell(value.value, value.interval, places)
        for value in values
    ], places


def _difference(found: Difference, places: int) -> list[str]:
    return [
        tables.cell(found.value, found.interval, places, sign=True),
        tables.p_value(found.bootstrap_p),
        tables.p_value(found.permutation_p),
    ]


def _print_scores(results: Found, ranked: Sequence[str]) -> None:
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
            rows.append([label, system, value, of_baseline, *_difference(found[name], places)])
    header = ["score", "system", "its score", test.baseline, "difference", "p boot."]
    show.line(f"{metric}, compared with {test.baseline}")
    show.table([*header, "p perm."], rows, left=2)
    click.echo()


def _print_signatures(results: Found) -> None:
    for systems in results.values():
        click.echo(_first(systems).signature)
