"""``textsimp score`` and ``textsimp compare``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from textsimp import catalogue, comparison, significance
from textsimp.cli import show
from textsimp.cli.data import Data, DataCommand, data_options, read_data
from textsimp.columns import InputError, nearest
from textsimp.metric import SCORE_OPTIONS

Command = TypeVar("Command", bound=Callable[..., Any])
Results = dict[str, Any]

_SIDES = {"source_": "source", "reference_": "references"}


def _complete_metrics(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    before, comma, last = incomplete.rpartition(",")
    names = catalogue.names()
    return [CompletionItem(before + comma + name) for name in names if name.startswith(last)]


_OPTIONS = (
    click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        default=["sari"],
        metavar="NAME[,NAME…]",
        shell_complete=_complete_metrics,
        help=f"Metrics: {', '.join(catalogue.names())}. Default: sari. `textsimp metrics` "
        "describes them.",
    ),
    click.option(
        "-o",
        "--option",
        "options",
        multiple=True,
        metavar="[METRIC.]OPTION=VALUE",
        help="Option of a metric, such as sari.variant=xu, as `textsimp metrics NAME` lists them. "
        "With one metric its name may be left out.",
    ),
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
    for option in reversed(_OPTIONS):
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
      simplify < source.txt | textsimp score -o variant=xu -s source.txt -p - -r references

    In text files only a line feed ends a line. Exit codes: 0 for a score, 2 for bad input.
    """
    sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
    chosen, data = _prepare(metrics, options, files, baseline, sampling, per_example, as_json)
    results, tests = _run(chosen, data, baseline, sampling, per_example)
    ranked = _ranked(next(iter(results)), results)
    if as_json:
        show.as_json(_report(results, tests, data, sampling, ranked))
        return
    _print_heading(data, sampling)
    labels = _labels(chosen, results)
    if tests:
        _print_ranking(results, tests, ranked, labels)
    _print_scores(results, ranked, labels)
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
    chosen, data = _prepare(metrics, options, files, baseline, sampling, per_example, as_json)
    if len(data.systems) < 2:
        raise InputError("compare needs at least two systems, got one: repeat -p FILE")
    results, tests = _run(chosen, data, baseline, sampling, per_example)
    if as_json:
        show.as_json(_report(results, tests, data, sampling, list(data.systems)))
        return
    _print_heading(data, sampling)
    labels = _labels(chosen, results)
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
) -> tuple[dict[str, dict[str, Any]], Data]:
    """Check all options, then read the files."""
    if per_example and not as_json:
        raise InputError("--per-example needs --json")
    chosen = parse_options(metrics, options)
    significance.check(**sampling, optional=False)
    required: dict[str, str] = {}
    for name, metric in catalogue.configured(chosen, "-m").items():
        required = {**dict.fromkeys(metric.required, name), **required}
    data = read_data(required, **files)
    if baseline is not None and baseline not in data.systems:
        meant = nearest(baseline, data.systems)
        raise InputError(
            f"--baseline: expected one of {', '.join(data.systems)}, got {baseline!r}{meant}"
        )
    return chosen, data


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
            raise InputError(f"-o: expected {form}, got {option!r}")
        metric = catalogue.spelt(metric) if dot else next(iter(chosen))
        if metric not in chosen:
            raise InputError(
                f"-o: expected an option of {', '.join(chosen)}, got one of {metric!r}"
                f"{nearest(metric, chosen)}: {option}"
            )
        if key in ("signature", "lists"):  # for programs that call Python
            raise InputError(f"-o: expected an option of {metric}, got {key!r}")
        if key in SCORE_OPTIONS:
            raise InputError(f"-o: give {key} as --{key.replace('_', '-')}, for all metrics")
        chosen[metric][key] = _value(value)
    return chosen


def _value(text: str) -> Any:
    """What a value means, written as in Python or, where the shell took its quotes, without."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text == "None":  # `none` is the name of a tokenizer
        return None
    for pattern, kind in ((r"[+-]?\d+", int), (r"[+-]?\d*\.\d+", float)):
        if re.fullmatch(pattern, text, re.ASCII):
            return kind(text)
    quoted = re.fullmatch(r"(['\"])(.*)\1", text)
    return quoted[2] if quoted else text


def _run(
    chosen: Mapping[str, Mapping[str, Any]],
    data: Data,
    baseline: str | None,
    sampling: Mapping[str, Any],
    per_example: bool,
) -> tuple[dict[str, Results], dict[str, Results]]:
    """Metric → system → its results; and, of several systems, metric → `comparison.compare`."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    results: dict[str, Results] = {}
    tests: dict[str, Results] = {}
    progress = tqdm(chosen.items(), unit=" metrics", disable=None, leave=False)
    for metric, options in progress:
        progress.set_description(metric)
        arguments: dict[str, Any] = {
            "sources": data.sources,
            "references": data.references,
            "per_example": per_example,
            **sampling,
        }
        if len(data.systems) == 1:
            ((system, predictions),) = data.systems.items()
            scorer = catalogue.metric_class(metric).preset(**options)
            scores = scorer.score(predictions=predictions, **arguments)
            results[metric] = {system: scores}
        else:
            tests[metric] = comparison.compare(
                data.systems, metric=metric, baseline=baseline, **arguments, **options
            )
            results[metric] = tests[metric]["systems"]
    return results, tests


def _ranked(metric: str, results: Mapping[str, Results]) -> list[str]:
    """The systems, best first where more is better, else as they were given."""
    systems = list(results[metric])
    if not catalogue.metric_class(metric).ranks():
        return systems
    return sorted(
        systems, key=lambda system: -results[metric][system][_main_score(results[metric])]
    )


def _score_names(systems: Results) -> list[str]:
    """Names of a metric's scores, main score first."""
    scores = next(iter(systems.values()))
    return [
        name
        for name in scores
        if name != "signature" and not name.endswith(("_interval", "_per_example"))
    ]


def _main_score(systems: Results) -> str:
    return _score_names(systems)[0]


def _report(
    results: Mapping[str, Results],
    tests: Mapping[str, Results],
    data: Data,
    sampling: Mapping[str, Any],
    ranked: Sequence[str],
) -> Results:
    report: Results = {
        "examples": len(data),
        **sampling,
        "signatures": {metric: _signature(systems) for metric, systems in results.items()},
        "systems": {
            system: {
                metric: {k: v for k, v in systems[system].items() if k != "signature"}
                for metric, systems in results.items()
            }
            for system in ranked
        },
    }
    if tests:
        report["baseline"] = next(iter(tests.values()))["baseline"]
        report["differences"] = {
            system: {metric: test["differences"][system] for metric, test in tests.items()}
            for system in ranked
            if system != report["baseline"]
        }
    return report


def _labels(
    chosen: Mapping[str, Mapping[str, Any]], results: Mapping[str, Results]
) -> dict[str, dict[str, str]]:
    """Metric → name of a score → what tables call it; the main ones with their variants."""
    labels = catalogue.labels({metric: _score_names(found) for metric, found in results.items()})
    for metric, options in chosen.items():
        main = _main_score(results[metric])
        scorer = catalogue.metric_class(metric).preset(**options)
        labels[metric][main] = scorer.titled(labels[metric][main])
    return labels


def _signature(systems: Results) -> str:
    return str(next(iter(systems.values()))["signature"])


def _print_heading(data: Data, sampling: Mapping[str, Any]) -> None:
    heading = f"{len(data):,} example{'s' * (len(data) > 1)}"
    if data.references is not None:
        sizes = sorted({len(row) for row in data.references})
        many = "-".join(str(n) for n in dict.fromkeys((sizes[0], sizes[-1])))
        heading += f", {many} reference{'s' * (sizes[-1] > 1)} each"
    click.echo(f"{heading}; {100 * sampling['confidence']:g} % bootstrap intervals\n")


def _print_ranking(
    results: Mapping[str, Results],
    tests: Mapping[str, Results],
    ranked: Sequence[str],
    labels: Mapping[str, Mapping[str, str]],
) -> None:
    metric, test = next(iter(tests.items()))
    name = _main_score(results[metric])
    scores, places = _cells([(results[metric][system], name) for system in ranked])
    others = [system for system in ranked if system != test["baseline"]]
    found = dict(zip(others, _differences(test, name, others, places), strict=True))
    rows = []
    for i, (system, cell) in enumerate(zip(ranked, scores, strict=True), 1):
        rank = [str(i)] if catalogue.metric_class(metric).ranks() else []
        rows.append([*rank, system, cell, *found.get(system, ["", "", ""])])
    header = ["system", labels[metric][name], f"minus {test['baseline']}", "p boot.", "p perm."]
    if catalogue.metric_class(metric).ranks():
        header.insert(0, "")
    show.table(header, rows, left=len(header) - 4)
    click.echo()


def _cells(columns: Sequence[tuple[Results, str]]) -> tuple[list[str], int]:
    """Scores with their intervals, or nothing where there is none; and their decimals."""
    values = [scores.get(name) for scores, name in columns]
    places = show.decimals([value for value in values if value is not None])
    intervals = [scores.get(f"{name}_interval") for scores, name in columns]
    cells = [
        "" if value is None else show.cell(value, bounds, places)
        for value, bounds in zip(values, intervals, strict=True)
    ]
    return cells, places


def _differences(test: Results, name: str, systems: Sequence[str], places: int) -> list[list[str]]:
    """Cells of difference and p-values."""
    found = [test["differences"][system] for system in systems]
    return [
        [
            show.cell(difference[name], difference[f"{name}_interval"], places, sign=True),
            show.p_value(difference[f"{name}_bootstrap_p"]),
            show.p_value(difference[f"{name}_permutation_p"]),
        ]
        for difference in found
    ]


def _print_scores(
    results: Mapping[str, Results],
    ranked: Sequence[str],
    labels: Mapping[str, Mapping[str, str]],
) -> None:
    """A table: a score per row; a column per system, and for source and references."""
    names = {metric: _score_names(systems) for metric, systems in results.items()}
    shown = [
        prefix
        for prefix in _SIDES
        if any(prefix + name in known for known in names.values() for name in known)
    ]
    of_metrics = []
    for metric, systems in results.items():
        rows = []
        if names[metric][0] != metric:
            rows.append([metric, *[""] * (len(ranked) + len(shown))])
        first = systems[ranked[0]]
        for name in _of_systems(names[metric]):
            if isinstance(first[name], list):
                continue
            columns = [(systems[system], name) for system in ranked]
            columns += [(first, prefix + name) for prefix in shown]
            indent = "" if name == metric else "  "
            rows.append([indent + labels[metric][name], *_cells(columns)[0]])
        of_metrics.append(rows)
    show.table(["", *ranked, *(_SIDES[prefix] for prefix in shown)], *of_metrics)
    click.echo()
    for metric, systems in results.items():
        _print_lists(systems, ranked, labels[metric])


def _of_systems(names: Sequence[str]) -> list[str]:
    """Without those of source and references, which are the same for all systems."""
    same = {prefix + name for prefix in _SIDES for name in names}
    return [name for name in names if name not in same]


def _print_lists(systems: Results, ranked: Sequence[str], labels: Mapping[str, str]) -> None:
    """Scores that are lists, such as one value per n-gram order; those of one length together."""
    first = systems[ranked[0]]
    names = [name for name in _of_systems(_score_names(systems)) if isinstance(first[name], list)]
    for length in dict.fromkeys(len(first[name]) for name in names):
        rows = []
        for name in names:
            if len(first[name]) != length:
                continue
            named = [(system, systems[system][name]) for system in ranked]
            named += [(_SIDES[p], first[p + name]) for p in _SIDES if p + name in first]
            together = [value for _, values in named for value in values]
            places = 0 if all(v == int(v) for v in together) else show.decimals(together)
            rows += [
                [labels[name], title, *(show.number(value, places) for value in values)]
                for title, values in named
            ]
        show.table(["", "", *map(str, range(1, length + 1))], rows, left=2)
        click.echo()


def _print_differences(metric: str, test: Results, labels: Mapping[str, str]) -> None:
    baseline, others = test["baseline"], list(test["differences"])
    rows = []
    for name in _of_systems(_score_names(test["systems"])):
        if f"{name}_bootstrap_p" not in test["differences"][others[0]]:
            continue  # a list of scores
        places = show.decimals([scores[name] for scores in test["systems"].values()])
        of_baseline = show.number(test["systems"][baseline][name], places)
        tested = _differences(test, name, others, places)
        for i, (system, cells) in enumerate(zip(others, tested, strict=True)):
            value = show.number(test["systems"][system][name], places)
            rows.append(["" if i else labels[name], system, value, of_baseline, *cells])
    header = ["score", "system", "its score", baseline, "difference", "p boot."]
    show.line(f"{metric}, compared with {baseline}")
    show.table([*header, "p perm."], rows, left=2)
    click.echo()


def _print_signatures(results: Mapping[str, Results]) -> None:
    for systems in results.values():
        click.echo(_signature(systems))
