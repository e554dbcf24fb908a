"""``textsimp split``: other splits of a corpus, from files to files of the same format."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from inspect import Parameter, signature
from itertools import chain
from typing import TYPE_CHECKING, Any, get_args

import click
import numpy as np

from textsimp import splits
from textsimp.cli import show
from textsimp.cli.corpus import Corpus, Output, read
from textsimp.cli.data import FILE
from textsimp.cli.known import PAIR, ROW, Known, Needed, know
from textsimp.cli.spool import Spool
from textsimp.core import tables
from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.annotate import CHANGE
from textsimp.splits.divergence import Variant, check_options, compare
from textsimp.splits.random import named_sizes
from textsimp.splits.strategies import STRATEGIES, Option, Strategy
from textsimp.splits.subsets import check_seed, check_subsets, number_column
from textsimp.support.errors import InputError
from textsimp.text.alignment import CHANGES, EditPath

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict
    from numpy.typing import NDArray

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
        "equal": {"metavar": "COLUMN"},
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
    spool = Spool(next(iter(corpus.values())).schema)
    known, used, pair = _known(strategy, options, corpus, given, spool)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", splits.SearchInterrupted)
        made = strategy.split(known.data, given["seed"], used, **pair)
    interrupted = [w.message for w in caught if isinstance(w.message, splits.SearchInterrupted)]
    rows = {name: number_column(part, ROW) for name, part in made.splits.items()}
    left_out = {name: made.lists[name] for name in lists}
    files = output.write(
        spool,
        rows,
        {
            name: (number_column(part, ROW), _added(part, known.data, options["by"]))
            for name, part in left_out.items()
        },
    )
    for message in interrupted:
        click.echo(f"{message}, and it was written", err=True)
    if options.get("columns", ()) is None:
        options["columns"] = used["columns"]
    figures = _figures(known.data, rows, left_out, options.get("columns", ()))
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


def _known(
    strategy: Strategy,
    options: Mapping[str, Any],
    corpus: Corpus,
    given: Mapping[str, Any],
    spool: Spool,
) -> tuple[Known, dict[str, Any], dict[str, Any]]:
    """What a strategy needs to know, the options that say so, and the columns that it compares."""
    pair: dict[str, Any] = {
        "source": given.get("source_column"),
        "target": given.get("target_column"),
        "edits": given.get("edits"),
    }
    of_pair = (pair["source"], pair["target"])
    values: list[str] = []
    equal: list[str] = []
    for name, option in strategy.options.items():
        if options[name] is not None and option.kind == "equal":
            equal.append(options[name])
        elif options[name] is not None and option.kind in ("numbers", "several numbers"):
            values += [options[name]] if option.kind == "numbers" else options[name]
    compares = strategy.compares(options)
    counts = strategy.counts if compares else None
    needed = Needed(
        texts=of_pair if compares and strategy.counts is None else (),
        values=values,
        equal=equal,
        pair=of_pair,
        edits=pair["edits"],
        equal_pairs=compares and strategy.equal_pairs(options),
    )
    if counts is None or options[counts] is not None:
        known, used = know(corpus, needed, spool), dict(options)
    elif strategy.options[counts].kind == "numbers":
        known = know(corpus, replace(needed, kept=change_percentages), spool)
        known, used = known.with_counts([CHANGE]), {**options, counts: CHANGE}
    else:
        known = know(corpus, replace(needed, kept=_changes), spool)
        known, used = known.with_counts(CHANGES), {**options, counts: list(CHANGES)}
    if needed.equal_pairs:
        pair |= {"source": PAIR, "target": PAIR}
    return known, used, pair


def _changes(counts: NDArray[np.int64]) -> NDArray[np.int32]:
    return counts[:, : len(CHANGES)].astype(np.int32)


def _added(part: Dataset, data: DatasetDict, by: str | None) -> dict[str, Any]:
    """The columns of a list that the corpus doesn't have."""
    known = next(iter(data.values())).column_names
    names = [name for name in part.column_names if name not in known]
    return {name: part.data[name] for name in [*names, *([CHANGE] if by is None else [])]}


def _figures(
    data: DatasetDict,
    rows: Mapping[str, NDArray[np.int64]],
    lists: Mapping[str, Dataset],
    columns: Sequence[str],
) -> dict[str, dict[str, Any]]:
    """What is said of each subset: of its rows, what was left out, and means of columns."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ends = np.cumsum([0, *map(len, data.values())])
    before = dict(zip(data, map(np.arange, ends, ends[1:]), strict=False))
    values = {
        name: pa.chunked_array([c for part in data.values() for c in part.data[name].chunks])
        for name in columns
    }
    figures: dict[str, dict[str, Any]] = {}
    for name, part in rows.items():
        if lists:
            gone = {
                key: pc.sum(pc.equal(left.data["removed_from"], name)).as_py() or 0
                for key, left in lists.items()
            }
            figures[name] = {"rows": len(data[name]), **gone, "kept": len(part)}
            continue
        figures[name] = {"rows": len(part)}
        if columns:
            for key, of_rows in (("before", before[name]), ("after", part)):
                figures[name][key] = {c: _mean(v, of_rows) for c, v in values.items()}
    return figures


def _mean(values: Any, rows: NDArray[np.int64]) -> float:
    """The mean over rows; lists are summed."""
    parts = (values.take(rows[i : i + 10_000]).to_pylist() for i in range(0, len(rows), 10_000))
    every = chain.from_iterable(parts)
    total: float = sum(sum(v) if isinstance(v, list) else v for v in every)
    return total / len(rows)


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
    check_options(options["bins"], options["smoothing"], options["permutations"])
    check_seed(options["seed"])
    corpus = read(subsets, data, config)
    if column is None:
        edits = options.pop("edits")
        needed = Needed(pair=(source_column, target_column), kept=change_percentages, edits=edits)
        known = know(corpus, needed)
        result = compare({n: known.counted[n] for n in check_subsets(known.data)}, None, **options)
    else:
        result = splits.divergence(know(corpus, Needed(values=[column])).data, column, **options)
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
