"""``textsimp split``: other splits of a corpus, from files to files of the same format."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, get_args

import click
import numpy as np

from textsimp import splits, tables
from textsimp.cli import show
from textsimp.cli.corpus import Corpus, Output, numbered, read
from textsimp.cli.data import FILE
from textsimp.columns import InputError
from textsimp.splits.annotate import CHANGE
from textsimp.splits.divergence import Variant
from textsimp.splits.random import named_sizes
from textsimp.splits.strategies import STRATEGIES, Option, Strategy
from textsimp.text.alignment import CHANGES, EditPath

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

_MORE = {
    "poor-alignments": "What was removed is written too, worst first, with its subset, row and "
    "change percentage (or the column of --by): to a file `removed`, and repeated pairs to "
    "`duplicates`.",
}
_EXAMPLES = {
    "random": (
        "train.jsonl validation.jsonl test.jsonl -o random-1 --seed 1",
        "train=train.en,train.simple test=test.en,test.simple -o random",
        "-d corpus.jsonl --sizes 0.9,0.05,0.05 --together source -o cut",
        "-d corpus.csv --sizes train=rest,dev=1000,test=1000 -o cut",
    ),
    "poor-alignments": (
        "--fraction 0.05 train.jsonl test.jsonl -o cleaner",
        "--fraction 0.1 -S normal -T simple all.parquet -o cleaner",
    ),
    "balanced": (
        "train.jsonl validation.jsonl test.jsonl -o balanced",
        "train.parquet test.parquet --columns words -o balanced",
    ),
}


class _Commands(click.Group):
    """A command for every strategy, beside those written here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        made = [name.replace("_", "-") for name, strategy in STRATEGIES.items() if strategy.new]
        return sorted([*super().list_commands(ctx), *made])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        strategy = STRATEGIES.get(cmd_name.replace("-", "_"))
        if strategy and strategy.new:
            return _command(cmd_name, strategy)
        return super().get_command(ctx, cmd_name)


@click.group(cls=_Commands)
def split() -> None:
    """Split a corpus anew, or measure its split.

    \b
    A subset is
      NAME=FILE             a JSONL, JSON, CSV, TSV or parquet file
      NAME=SOURCE,TARGET    two text files, one text per line
      FILE                  named by what comes before the first dot: train.jsonl, test.en,test.si
      FOLDER                a dataset, each of its splits a subset
    All subsets have the same format, and so has what is written: every row as it was. Datasets are
    written as parquet files.

    \b
    Examples:
      textsimp split divergence train.jsonl validation.jsonl test.jsonl
      textsimp split random train.jsonl validation.jsonl test.jsonl -o random-1 --seed 1
      textsimp split random -d corpus.jsonl --sizes 0.9,0.05,0.05 -o cut
    """


_SUBSETS: list[click.Parameter] = [
    click.Argument(["subsets"], nargs=-1, metavar="SUBSET..."),
    click.Option(
        ["-d", "--data"],
        metavar="FILE|DATASET",
        help="Instead of subsets: one of them, or a dataset, also by its name on the Hugging Face "
        "Hub.",
    ),
    click.Option(["--config"], help="Configuration of the dataset."),
]
_PAIR: list[click.Parameter] = [
    click.Option(["-S", "--source-column"], metavar="COLUMN", default="source", show_default=True),
    click.Option(
        ["-T", "--target-column"],
        metavar="COLUMN",
        default="target",
        show_default=True,
        help="Of texts, or of lists of texts.",
    ),
    click.Option(
        ["--edits"],
        type=click.Choice(get_args(EditPath)),
        default="paper",
        show_default=True,
        help="Which edits are counted where several are as few: as published, or those with the "
        "fewest insertions.",
    ),
]
_SEED = click.Option(["--seed"], type=int, default=0, show_default=True)
_JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON instead of a table.")
_OUTPUT: list[click.Parameter] = [
    click.Option(
        ["-o", "--output"],
        type=FILE,
        required=True,
        metavar="FOLDER",
        help="Where the files are written: all of them whole, or none.",
    ),
    click.Option(["--force"], is_flag=True, help="Overwrite files that are there already."),
]


def _command(name: str, strategy: Strategy) -> click.Command:
    """The command of a strategy."""

    def run(**given: Any) -> None:
        _split(strategy, {name: given.pop(name) for name in strategy.options}, given)

    own = _options(strategy.function, strategy.options)
    pair = _PAIR if "source" in signature(strategy.function).parameters else []
    examples = _EXAMPLES.get(name, (f"train.jsonl test.jsonl -o {name}",))
    lines = [f"textsimp split {name} {example}" for example in examples]
    return click.Command(
        name,
        params=[*_SUBSETS, *_OUTPUT, *pair, *own, _SEED, _JSON],
        callback=run,
        help="\n\n".join(
            filter(None, (strategy.about, _MORE.get(name), "\n  ".join(["\b\nExamples:", *lines])))
        ),
    )


def _options(
    function: Callable[..., Any], options: Mapping[str, Option]
) -> Iterator[click.Parameter]:
    """Options of the command line for those of a function, with its defaults."""
    kinds: dict[str, dict[str, Any]] = {
        "name": {},
        "number": {"type": float},
        "integer": {"type": int},
        "sizes": {"metavar": "[NAME=]SIZE,…", "callback": _sizes},
        "texts": {"metavar": "COLUMN"},
        "numbers": {"metavar": "COLUMN"},
        "several numbers": {"metavar": "COLUMN", "multiple": True, "callback": _several},
    }
    for name, option in options.items():
        default = signature(function).parameters[name].default
        required = default is Parameter.empty
        given = {} if required else {"default": default, "show_default": default is not None}
        repeated = " Repeat it for several." if option.kind == "several numbers" else ""
        yield click.Option(
            [f"--{name.replace('_', '-')}", name],
            required=required,
            help=option.about + repeated,
            **given,
            **({"type": click.Choice(option.choices)} if option.choices else kinds[option.kind]),
        )


def _several(context: click.Context, parameter: click.Parameter, values: Any) -> list[str] | None:
    return list(values) or None


def _split(strategy: Strategy, options: dict[str, Any], given: Mapping[str, Any]) -> None:
    """Read, split, write, and say what was written."""
    sizes = options.get("sizes")
    corpus = read(given["subsets"], given["data"], given["config"], named=not sizes)
    if len(corpus) == 1 and "sizes" in options and not sizes:
        raise InputError(
            "expected two or more subsets, or --sizes such as 0.9,0.05,0.05, to cut one"
        )
    lists = strategy.lists(options)
    output = Output(corpus, given["output"], sizes or corpus, lists, given["force"])
    output.check()  # now, not after the work
    data, pair = _data(strategy, options, corpus, given)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", splits.SearchInterrupted)
        made = strategy.split(data, given["seed"], options, **pair)
    interrupted = [w.message for w in caught if isinstance(w.message, splits.SearchInterrupted)]
    left_out = {name: made.lists[name] for name in lists}
    files = output.write(made.splits, left_out)
    for message in interrupted:
        click.echo(f"{message}, and it was written", err=True)
    figures = {
        name: _figures(name, data, part, left_out, options) for name, part in made.splits.items()
    }
    if given["as_json"]:
        whole = {name: {**figures[name], "files": files[name]} for name in figures}
        further = {**options, "seed": given["seed"], "interrupted": bool(interrupted)}
        if lists:
            further = {name: files[name] for name in lists}
            further |= _least_removed(left_out["removed"], options)
        show.as_json({"subsets": whole, **further})
        return
    cells = {name: dict(_cells(row)) for name, row in figures.items()}
    header = ["subset", *next(iter(cells.values()))]
    show.table(header, [[name, *row.values()] for name, row in cells.items()])
    click.echo()
    for name in figures:
        show.line(f"written: {', '.join(files[name])}")
    for line in _list_lines(left_out, options, files):
        show.line(line)


def _data(
    strategy: Strategy, options: dict[str, Any], corpus: Corpus, given: Mapping[str, Any]
) -> tuple[DatasetDict, dict[str, Any]]:
    """The columns that a strategy needs, and which of them it is to compare."""
    pair: dict[str, Any] = {
        "source": given.get("source_column"),
        "target": given.get("target_column"),
        "edits": given.get("edits"),
    }
    texts = [pair["source"], pair["target"]] if strategy.compares(options) else []
    values: list[str] = []
    for name, option in strategy.options.items():
        if options[name] is not None and option.kind == "texts":
            texts.append(options[name])
        elif options[name] is not None and option.kind in ("numbers", "several numbers"):
            values += [options[name]] if option.kind == "numbers" else options[name]
    data = numbered(corpus, texts, values)
    if options.get("columns", ()) is None:  # counted once, for the split and what is shown of it
        data, options["columns"] = splits.annotate_edits(data, **pair), list(CHANGES)
    return data, pair


def _figures(
    name: str,
    data: DatasetDict,
    part: Dataset,
    left_out: Mapping[str, Dataset],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """What is said of a subset."""
    if left_out:
        gone = {key: rows["removed_from"][:].count(name) for key, rows in left_out.items()}
        return {"rows": len(data[name]), **gone, "kept": len(part)}
    if options.get("columns"):
        columns = options["columns"]
        before, after = _means(data[name], columns), _means(part, columns)
        return {"rows": len(part), "before": before, "after": after}
    return {"rows": len(part)}


def _means(part: Dataset, columns: Sequence[str]) -> dict[str, float]:
    """Column → mean over rows; lists are summed."""
    return {
        column: sum(sum(v) if isinstance(v, list) else v for v in part[column][:]) / len(part)
        for column in columns
    }


def _cells(figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Titles and cells of a row of the table."""
    for name, value in figures.items():
        if isinstance(value, int):
            yield name, f"{value:,}"
    for column, before in figures.get("before", {}).items():
        yield f"{column} per row", f"{before:.3f} → {figures['after'][column]:.3f}"


def _least_removed(removed: Dataset, options: Mapping[str, Any]) -> dict[str, Any]:
    """What rows were ranked by, and that of the best of those removed."""
    ranked_by = options["by"] or CHANGE
    least = float(np.mean(removed[ranked_by][-1])) if len(removed) else None
    return {"ranked_by": ranked_by, "least_removed": least}


def _list_lines(
    left_out: Mapping[str, Dataset], options: Mapping[str, Any], files: Mapping[str, list[str]]
) -> Iterator[str]:
    if "removed" in left_out and len(left_out["removed"]):
        least = _least_removed(left_out["removed"], options)["least_removed"]
        what = options["by"] or "change percentage"
        yield ""
        yield f"Removed from {what} {least:.1f} up; worst first in {files['removed'][0]}"
    if "duplicates" in left_out:
        yield f"Repeated pairs in {files['duplicates'][0]}"


def _sizes(
    context: click.Context, parameter: click.Parameter, argument: str | None
) -> dict[str, int | float | None] | None:
    """[NAME=]SIZE,… as sizes by name."""
    if argument is None:
        return None
    sizes: list[int | float | None] = []
    names = []
    for part in argument.split(","):
        name, equals, size = (text.strip() for text in part.rpartition("="))
        names += [name] if equals else []
        try:
            sizes.append(None if size == "rest" else int(size) if size.isdigit() else float(size))
        except ValueError:
            raise InputError(
                f"--sizes: expected shares or numbers of rows, such as 0.9,0.05,0.05, got {part!r}"
            ) from None
    if not names:
        return named_sizes(sizes)
    if len(names) < len(sizes) or not all(re.fullmatch(r"[\w-]+", name) for name in names):
        raise InputError(f"--sizes: expected a name for each, as in NAME=0.9, got {argument!r}")
    if len(set(names)) < len(names):
        raise InputError(f"--sizes: expected different names, got {argument!r}")
    return named_sizes(dict(zip(names, sizes, strict=True)))


_DIVERGENCE = {
    "column": Option("Whose distribution. Default: the change percentage.", "numbers"),
    "variant": Option(
        "The same bins for all subsets, with a permutation test; or as published.",
        choices=get_args(Variant),
    ),
    "bins": Option("Bins of the same width.", "integer"),
    "smoothing": Option("Added to each bin before a KL divergence is taken.", "number"),
    "permutations": Option("Random splits behind the p-value; 0 for none.", "integer"),
}


@split.command(params=[*_SUBSETS, *_PAIR, *_options(splits.divergence, _DIVERGENCE), _SEED, _JSON])
def divergence(
    subsets: Sequence[str],
    data: str | None,
    config: str | None,
    source_column: str,
    target_column: str,
    column: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Compare how a column, such as the change percentage, is distributed in the subsets.

    The p-value is the share of random splits with subsets that differ as much. Nothing is written.

    \b
    Examples:
      textsimp split divergence train.jsonl validation.jsonl test.jsonl
      textsimp split divergence --column words train.parquet test.parquet
    """
    corpus = read(subsets, data, config)
    texts, values = ([source_column, target_column], []) if column is None else ([], [column])
    columns: dict[str, Any] = {"source": source_column, "target": target_column}
    result = splits.divergence(numbered(corpus, texts, values), column, **columns | options)
    if as_json:
        show.as_json(result)
        return
    show.line(f"Divergences of {result['column'].replace('_', ' ')}")
    click.echo()
    titles = {
        "kl_bits": "KL (bits)",
        "kl_reverse_bits": "KL reversed",
        "kl_nats": "KL (nats)",
        "kl_reverse_nats": "KL reversed",
        "js_divergence_bits": "JS (bits)",
        "js_distance_base2": "JS distance",
        "random_split_js_divergence_bits": "JS of a random split",
        "p_value": "p",
    }
    names = [name for name in titles if name in result["pairs"][0]]
    rows = [
        [
            f"{pair['first']} – {pair['second']}",
            *(tables.number(pair[name], 4) for name in names if name != "p_value"),
            *(tables.p_value(pair[name]) for name in names if name == "p_value"),
        ]
        for pair in result["pairs"]
    ]
    show.table(["subsets", *(titles[name] for name in names)], rows)
