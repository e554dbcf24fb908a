"""``textsimp split``: other splits of a corpus, from files to files of the same format."""

from __future__ import annotations

import os
import re
import shlex
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import Parameter, signature
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

import click
import numpy as np

from textsimp import splits
from textsimp.cli import printing
from textsimp.cli.data_arguments import FILE
from textsimp.cli.subset_arguments import Subset, read_subsets
from textsimp.cli.subset_files import Output
from textsimp.core import tables
from textsimp.core.tables import Grid
from textsimp.corpora.dataset_columns import check_texts
from textsimp.splits.edits import CHANGE
from textsimp.splits.pair_values import column_values, concatenate, edit_counts
from textsimp.splits.random_splits import named_sizes
from textsimp.splits.strategies import STRATEGIES, Strategy
from textsimp.splits.subsets import (
    cut,
    equal_rows,
    number_column,
    shared_groups,
    sizes_of,
)
from textsimp.support.errors import InputError
from textsimp.support.parsing import parse_number
from textsimp.text.alignment import CHANGES, EditPath

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict
    from numpy.typing import NDArray

_ROW = "textsimp_row"  # a row's number over all subsets, in the order in which they were given
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
    """One command for each strategy, beside those defined here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = [name.replace("_", "-") for name in STRATEGIES]
        return sorted([*super().list_commands(ctx), *names])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        strategy = STRATEGIES.get(cmd_name.replace("-", "_"))
        if strategy:
            return _command(cmd_name, strategy)
        return super().get_command(ctx, cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, or say which command is meant where a subset stands in its place."""
        first = args[0] if args else "--help"
        is_subset = os.path.exists(first) or not re.fullmatch(r"[\w-]+", first)
        is_option = first.startswith("-") and first not in ("-h", "--help")
        is_command = first in self.list_commands(ctx) or not (is_subset or is_option)
        if ctx.resilient_parsing or is_command:
            return super().parse_args(ctx, args)
        options = {arg.partition("=")[0] for arg in args if arg.startswith("-")}
        fitting = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            assert command is not None
            if options <= {opt for parameter in command.params for opt in parameter.opts}:
                fitting.append(name)
        names = fitting or self.list_commands(ctx)
        one_of = "the command" if len(names) == 1 else "one of the commands"
        raise InputError(
            f"split: expected {one_of} {', '.join(names)}, as in textsimp split {names[-1]} "
            f"{shlex.join(args)}"
        )


@click.group(cls=_Commands)
def split() -> None:
    """Split a corpus, or measure how alike its subsets are.

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

    def run(**arguments: Any) -> None:
        _split(strategy, {name: arguments.pop(name) for name in strategy.options}, arguments)

    own = _options(strategy.function, strategy.options)
    pair = _PAIR if "source" in signature(strategy.function).parameters else _PAIR[:1]
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


def _options(function: Callable[..., Any], options: Mapping[str, str]) -> Iterator[click.Parameter]:
    """Options of the command line for those of a function, with its types and defaults."""
    from_datasets = ("Dataset", "DatasetDict", "IterableDatasetDict")  # whose import takes long
    types = get_type_hints(function, localns=dict.fromkeys(from_datasets, Any))
    for name, about in options.items():
        default = signature(function).parameters[name].default
        required = default is Parameter.empty
        defaults = {} if required else {"default": default, "show_default": default is not None}
        repeated = " Repeat it for several." if name == "columns" else ""
        yield click.Option(
            [f"--{name.replace('_', '-')}", name],
            required=required,
            help=about + repeated,
            **defaults,
            **_option_type(name, types[name]),
        )


def _option_type(name: str, annotation: Any) -> dict[str, Any]:
    """Return what click needs for an option of this type, or the first of several."""
    if name == "sizes":
        return {"metavar": "[NAME=]SIZE,…", "callback": _sizes}
    if name == "columns":
        several = {"multiple": True, "callback": lambda *a: list(a[-1]) or None}
        return {"metavar": "COLUMN", **several}
    if get_origin(annotation) in (Union, UnionType):
        annotation = get_args(annotation)[0]
    if get_origin(annotation) is Literal:
        return {"type": click.Choice(get_args(annotation))}
    return {"metavar": "COLUMN"} if annotation is str else {"type": annotation}


def _split(strategy: Strategy, options: dict[str, Any], arguments: Mapping[str, Any]) -> None:
    """Read, split, write, and report what was written."""
    import pyarrow as pa

    pa.set_memory_pool(pa.system_memory_pool())  # others keep memory that is free again
    sizes = options.get("sizes")
    corpus = read_subsets(
        arguments["subsets"], arguments["data"], arguments["config"], named=not sizes
    )
    if len(corpus) == 1 and "sizes" in options and not sizes:
        raise InputError(
            "expected two or more subsets, or --sizes such as 0.9,0.05,0.05, to cut one"
        )
    list_names = strategy.lists(options)
    output = Output(corpus, arguments["output"], sizes or corpus, list_names, arguments["force"])
    output.check()  # now, not after the work
    pair: dict[str, Any] = {
        "source": arguments.get("source_column"),
        "target": arguments.get("target_column"),
        "edits": arguments.get("edits"),
    }
    texts = [pair["source"], pair["target"]] if strategy.compares(options) else []
    ranking = options.get("by")
    numbers = [ranking] if ranking else options.get("columns") or []
    equal = [options["together"]] if options.get("together") else []
    data = _columns(corpus, texts, numbers, equal)
    if options.get("columns", ()) is None:
        options["columns"] = list(CHANGES)
        data = _with_changes(data, pair, equal)
    result = strategy.split(data, arguments["seed"], options, **pair)
    rows = {name: number_column(part, _ROW) for name, part in result.splits.items()}
    lists = {name: result.lists[name] for name in list_names}
    added = ["removed_from", "removed_row", *([] if ranking else [CHANGE])]
    files = output.write(
        rows,
        {
            name: (number_column(part, _ROW), {column: part.data[column] for column in added})
            for name, part in lists.items()
        },
    )
    figures = _figures(data, rows, lists, options.get("columns", ()))
    shared = _shared_sources(corpus, arguments["source_column"], rows)
    least = None
    if lists and len(lists["removed"]):
        least = float(np.mean(lists["removed"][ranking or CHANGE][-1]))
    if arguments["as_json"]:
        subsets = {name: {**figures[name], "files": files[name]} for name in figures}
        further = {**options, "seed": arguments["seed"]}
        if lists:
            further = {name: files[name] for name in list_names}
            further |= {"ranked_by": ranking or CHANGE, "least_removed": least}
        printing.print_json({"subsets": subsets, "shared_sources": shared, **further})
        return
    cells = {name: dict(_cells(row)) for name, row in figures.items()}
    header = ["subset", *next(iter(cells.values()))]
    printing.print_table(Grid(header, [[name, *row.values()] for name, row in cells.items()]))
    _print_shared(shared, arguments["source_column"])
    click.echo()
    for name in figures:
        printing.print_line(f"written: {', '.join(files[name])}")
    if least is not None:
        what = ranking or "change percentage"
        click.echo()
        printing.print_line(
            f"Removed from {what} {least:.1f} up; worst first in {files['removed'][0]}"
        )
    if "duplicates" in lists:
        printing.print_line(f"Repeated pairs in {files['duplicates'][0]}")


def _with_changes(data: DatasetDict, pair: Mapping[str, Any], others: Sequence[str]) -> DatasetDict:
    """Return the edit operations of each row in place of its texts, beside other columns."""
    import pyarrow as pa
    from datasets import DatasetDict

    parts = {}
    for name, pairs in edit_counts(data, **pair).items():
        table = data[name].data.table.select([_ROW, *others])
        for change, counts in zip(CHANGES, pairs.sums().T, strict=False):
            table = table.append_column(change, pa.array(counts))
        parts[name] = _dataset(table)
    return DatasetDict(parts)


def _dataset(table: Any) -> Dataset:
    from datasets import Dataset

    # Without a fingerprint, datasets would hash the whole table.
    return Dataset(table, fingerprint=uuid.uuid4().hex[:16])


def _columns(
    corpus: Mapping[str, Subset],
    pair: Sequence[str] = (),
    numbers: Sequence[str] = (),
    equal: Sequence[str] = (),
) -> DatasetDict:
    """Return columns of a corpus, and the number of each row over all subsets."""
    import pyarrow as pa
    from datasets import DatasetDict

    data: dict[str, Dataset] = {}
    start = 0
    for name, subset in corpus.items():
        columns = {_ROW: pa.array(np.arange(start, start + len(subset.rows)))}
        columns |= {column: subset.column(column) for column in (*pair, *equal)}
        columns |= {column: subset.column(column, numbers=True) for column in numbers}
        table = pa.table(columns)
        if subset.format == "parquet":  # with the features of datasets
            table = table.replace_schema_metadata(subset.rows.schema.metadata)
        data[name] = _dataset(table)
        start += len(subset.rows)
        if pair:
            check_texts(data[name], pair[0], subset.where)
            check_texts(data[name], pair[1], subset.where, lists=True)
    for column in (*pair[1:], *equal):
        _check_kinds(corpus, data, column)
    return DatasetDict(data)


def _check_kinds(corpus: Mapping[str, Subset], data: Mapping[str, Dataset], column: str) -> None:
    """Check that a column has lists of texts in all subsets, or in none."""
    import pyarrow as pa

    places: dict[bool, str] = {}
    for name, part in data.items():
        kind = part.features.arrow_schema.field(column).type
        if getattr(kind, "value_type", kind) in (pa.string(), pa.large_string()):
            is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind)
            places.setdefault(is_list, f"column {column!r} of {corpus[name].where}")
    if len(places) > 1:
        raise InputError(f"{places[True]} has lists of texts, but {places[False]} has texts")


def _figures(
    data: DatasetDict,
    rows: Mapping[str, NDArray[np.int64]],
    lists: Mapping[str, Dataset],
    columns: Sequence[str],
) -> dict[str, dict[str, Any]]:
    """Return each subset's rows, how many were left out, and means of columns."""
    before = cut(np.arange(sum(map(len, data.values()))), sizes_of(data))
    values = {name: concatenate([*column_values(data, name).values()]).sums() for name in columns}
    figures: dict[str, dict[str, Any]] = {}
    for name, part in rows.items():
        if lists:
            gone = {key: left["removed_from"][:].count(name) for key, left in lists.items()}
            figures[name] = {"rows": len(data[name]), **gone, "kept": len(part)}
            continue
        figures[name] = {"rows": len(part)}
        if columns:
            for key, chosen in (("before", before[name]), ("after", part)):
                figures[name][key] = {
                    column: sum(numbers[chosen].tolist()) / len(chosen)
                    for column, numbers in values.items()
                }
    return figures


def _shared_sources(
    corpus: Mapping[str, Subset],
    column: str,
    rows: Mapping[str, NDArray[np.int64]] | None = None,
) -> dict[str, dict[str, int]] | None:
    """Count the sources of each subset that another has, too; None without such a column."""
    try:
        data = _columns(corpus, equal=[column])
    except InputError:
        return None
    groups = equal_rows(data, column)
    return shared_groups(rows or cut(np.arange(len(groups)), sizes_of(data)), groups)


def _print_shared(shared: Mapping[str, Mapping[str, int]] | None, column: str) -> None:
    """Print a line on the sources that stand in several subsets."""
    if shared is None:
        printing.print_line(f"Shared sources: unknown without a column {column!r}: give -S COLUMN")
        return
    parts = [
        f"{of['shared']:,} of {of['sources']:,} sources of {name} ({of['rows']:,} rows)"
        for name, of in shared.items()
        if of["shared"]
    ]
    advice = f". `split random` and `balanced` keep equal ones together: --together {column}"
    printing.print_line(f"In another subset, too: {'; '.join(parts) + advice if parts else 'none'}")


def _cells(figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Titles and cells of a row of the table."""
    for name, value in figures.items():
        if isinstance(value, int):
            yield name, f"{value:,}"
    for column, before in figures.get("before", {}).items():
        yield f"{column} per row", f"{before:.3f} → {figures['after'][column]:.3f}"


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
            number = None if size == "rest" else parse_number(size)
            sizes.append(int(size) if size.isdigit() else number)
        except ValueError:
            raise InputError(
                f"--sizes: expected shares or numbers of rows, such as 0.9,0.05,0.05, got {part!r}"
            ) from None
    if sum(size or 0 for size in sizes) == 100 and all(isinstance(size, int) for size in sizes):
        sizes = [size / 100 for size in sizes if size]  # percent: of 100 rows the same
    if not names:
        return named_sizes(sizes)
    if len(names) < len(sizes) or not all(re.fullmatch(r"[\w-]+", name) for name in names):
        raise InputError(f"--sizes: expected a name for each, as in NAME=0.9, got {argument!r}")
    if len(set(names)) < len(names):
        raise InputError(f"--sizes: expected different names, got {argument!r}")
    return named_sizes(dict(zip(names, sizes, strict=True)))


_DIVERGENCE = {
    "column": "Whose distribution. Default: the change percentage.",
    "variant": "The same bins for all subsets, with a permutation test; or as published.",
    "bins": "Bins of the same width.",
    "smoothing": "Added to each bin before a KL divergence is taken.",
    "permutations": "Random splits behind the p-value; 0 for none.",
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
    corpus = read_subsets(subsets, data, config)
    shared = _shared_sources(corpus, source_column)
    if column is None:
        columns = _columns(corpus, [source_column, target_column])
        options |= {"source": source_column, "target": target_column}
    else:
        del options["edits"]
        columns = _columns(corpus, numbers=[column])
    result = splits.divergence(columns, column, **options)
    if as_json:
        printing.print_json({**result, "shared_sources": shared})
        return
    printing.print_line(f"Divergences of {result['column'].replace('_', ' ')}")
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
    printing.print_table(Grid(["subsets", *(titles[name] for name in names)], rows))
    _print_shared(shared, source_column)
