"""``textsimp split``: other splits of a corpus, from files to files of the same format."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from textsimp.cli import show
from textsimp.cli.data import FILE
from textsimp.cli.subsets import (
    Subset,
    Writers,
    list_paths,
    list_writers,
    merge,
    paths,
    read_subset,
    subset_of,
    writers,
)
from textsimp.columns import InputError
from textsimp.corpora.files import FILES, STDIN, load_splits, note, quiet_datasets
from textsimp.files import check_new, write_files

if TYPE_CHECKING:
    from datasets import DatasetDict

Command = TypeVar("Command", bound=Callable[..., Any])

_USUAL = ("train", "validation", "valid", "val", "dev", "test")  # names of subsets

ROW = "textsimp_row"  # a row's number over all subsets, in the order in which they were given


@click.group()
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


_SUBSETS = (
    click.argument("subsets", nargs=-1, metavar="SUBSET..."),
    click.option(
        "-d",
        "--data",
        metavar="FILE|DATASET",
        help="Instead of subsets: one of them, or a dataset, also by its name on the Hugging Face "
        "Hub.",
    ),
    click.option("--config", help="Configuration of the dataset."),
)
_COLUMNS = (
    click.option("-S", "--source-column", metavar="COLUMN", default="source", show_default=True),
    click.option(
        "-T",
        "--target-column",
        metavar="COLUMN",
        default="target",
        show_default=True,
        help="Of texts, or of lists of texts.",
    ),
    click.option(
        "--path",
        type=click.Choice(["paper", "shortest"]),
        default="paper",
        show_default=True,
        help="Which of the shortest paths of edits counts.",
    ),
)
_SEED = click.option("--seed", type=int, default=0, show_default=True)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
_OUTPUT = (
    click.option(
        "-o",
        "--output",
        type=FILE,
        required=True,
        metavar="FOLDER",
        help="Where the files are written: all of them whole, or none.",
    ),
    click.option("--force", is_flag=True, help="Overwrite files that are there already."),
)


def _with(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@split.command()
@_with(*_SUBSETS, *_OUTPUT, _SEED)
@click.option(
    "--generator",
    type=click.Choice(["numpy", "python"]),
    default="numpy",
    show_default=True,
    help="python gives the splits of Vásquez-Rodríguez et al. 2021 (their seeds: 155, 324, 393, "
    "728, 989).",
)
@click.option(
    "--sizes",
    metavar="[NAME=]SIZE,…",
    help="Cut all rows into new subsets: shares such as 0.9,0.05,0.05 or numbers of rows, one of "
    "which may be `rest`. Two are train and test, three train, validation and test.",
)
@click.option(
    "--together",
    metavar="COLUMN",
    help="Rows that are equal in this column, such as the source, come into the same subset.",
)
@_JSON
def random(
    subsets: Sequence[str],
    data: str | None,
    config: str | None,
    output: str,
    force: bool,
    seed: int,
    generator: Any,
    sizes: str | None,
    together: str | None,
    as_json: bool,
) -> None:
    """Merge all subsets, shuffle the rows, and cut them at the original or at other sizes.

    \b
    Examples:
      textsimp split random train.jsonl validation.jsonl test.jsonl -o random-1 --seed 1
      textsimp split random train=train.en,train.simple test=test.en,test.simple -o random
      textsimp split random -d corpus.jsonl --sizes 0.9,0.05,0.05 --together source -o cut
      textsimp split random -d corpus.csv --sizes train=rest,dev=1000,test=1000 -o cut
    """
    from textsimp.splits.random import named_sizes, random_split

    new_sizes = None if sizes is None else named_sizes(_sizes(sizes))
    corpus = _read(subsets, data, config, output, force, names=new_sizes)
    if new_sizes is None and len(corpus) == 1:
        raise InputError(
            "expected two or more subsets, or --sizes such as 0.9,0.05,0.05, to cut one"
        )
    columns = [] if together is None else [together]
    found = random_split(
        _dataset(corpus, *columns),
        seed,
        generator=generator,
        sizes=new_sizes,
        together=together,
    )
    files = _write(corpus, {name: found[name][ROW] for name in found}, output, force)
    result = {name: {"rows": len(found[name]), "files": files[name]} for name in found}
    if as_json:
        options = {"seed": seed, "generator": generator, "together": together}
        show.as_json({"subsets": result, **options})
        return
    rows = [[name, f"{len(found[name]):,}", ", ".join(files[name])] for name in found]
    _print_files(["subset", "rows"], rows)


@split.command()
@_with(*_SUBSETS, *_OUTPUT, *_COLUMNS)
@click.option(
    "--fraction",
    type=float,
    required=True,
    help="Share of the rows to remove, such as 0.02 to 0.2.",
)
@click.option(
    "--mode",
    type=click.Choice(["distinct", "merged"]),
    default="distinct",
    show_default=True,
    help="Remove the worst rows of each subset; or of all, and shuffle and cut the rest.",
)
@click.option("--ties", type=click.Choice(["first", "last", "random"]), help="Of equals, remove …")
@click.option(
    "--duplicates",
    type=click.Choice(["keep", "drop"]),
    default="keep",
    show_default=True,
    help="Whether repeated pairs are removed before.",
)
@click.option(
    "--recipe",
    type=click.Choice(["exact", "paper"]),
    default="exact",
    show_default=True,
    help="Exact counts, or those of Vásquez-Rodríguez et al. 2021.",
)
@click.option("--by", metavar="COLUMN", help="Rank by these numbers, larger is worse.")
@_with(_SEED, _JSON)
def poor_alignments(
    subsets: Sequence[str],
    data: str | None,
    config: str | None,
    output: str,
    force: bool,
    source_column: str,
    target_column: str,
    path: Any,
    fraction: float,
    mode: Any,
    ties: Any,
    duplicates: Any,
    recipe: Any,
    by: str | None,
    seed: int,
    as_json: bool,
) -> None:
    """Remove the pairs that differ most from their source: many of them are misaligned.

    What was removed is written too, worst first, with its subset, row and change percentage (or
    the column of --by): to a file `removed`, and repeated pairs to `duplicates`.

    \b
    Examples:
      textsimp split poor-alignments --fraction 0.05 train.jsonl test.jsonl -o cleaner
      textsimp split poor-alignments --fraction 0.1 -S normal -T simple all.parquet -o cleaner
    """
    lists = ["removed", *(["duplicates"] if duplicates == "drop" else [])]
    corpus = _read(subsets, data, config, output, force, lists)
    import numpy as np

    from textsimp.splits import drop_poor_alignments

    texts = [source_column, target_column] if by is None or duplicates == "drop" else []
    result = drop_poor_alignments(
        _dataset(corpus, *texts, values=[] if by is None else [by]),
        fraction,
        mode=mode,
        ties=ties,
        duplicates=duplicates,
        recipe=recipe,
        by=by,
        seed=seed,
        source=source_column,
        target=target_column,
        path=path,
    )
    added = ("removed_from", "removed_row", *(["change_percentage"] if by is None else []))
    further = {
        name: {
            "numbers": part[ROW][:],
            "columns": {key: part[key][:] for key in added},
        }
        for name, part in zip(lists, (result.removed, result.duplicates), strict=False)
    }
    kept = {name: result.kept[name][ROW] for name in corpus}
    files = _write(corpus, kept, output, force, further)
    gone = {name: further[name]["columns"]["removed_from"] for name in lists}
    counts = {
        name: {
            "rows": len(corpus[name]),
            **{key: gone[key].count(name) for key in lists},
            "kept": len(kept[name]),
        }
        for name in corpus
    }
    ranked_by = by or "change_percentage"
    least = float(np.mean(result.removed[ranked_by][-1])) if len(result.removed) else None
    if as_json:
        whole = {name: {**counts[name], "files": files[name]} for name in corpus}
        lists_written = {name: files[name] for name in lists}
        least_removed = {"ranked_by": ranked_by, "least_removed": least}
        show.as_json({"subsets": whole, **lists_written, **least_removed})
        return
    header = ["subset", *next(iter(counts.values()))]
    rows = [
        [name, *(f"{n:,}" for n in counts[name].values()), ", ".join(files[name])]
        for name in corpus
    ]
    _print_files(header, rows)
    if least is not None:
        what = "change percentage" if by is None else by
        click.echo()
        show.line(f"Removed from {what} {least:.1f} up; worst first in {files['removed'][0]}")
    if "duplicates" in files:
        show.line(f"Repeated pairs in {files['duplicates'][0]}")


@split.command()
@_with(*_SUBSETS, *_OUTPUT, *_COLUMNS)
@click.option(
    "--method",
    type=click.Choice(["local_search", "monte_carlo"]),
    default="local_search",
    show_default=True,
    help="Improve a random split, or draw many and keep the best, as published.",
)
@click.option(
    "--objective",
    type=click.Choice(["rates", "paper"]),
    default="rates",
    show_default=True,
    help="Operations per row alike, or that of Vásquez-Rodríguez et al. 2021.",
)
@click.option(
    "--iterations",
    type=int,
    default=500_000,
    show_default=True,
    help="Swaps to try, or splits to draw. Ctrl-C keeps the best so far.",
)
@click.option(
    "--balance",
    "balanced",
    multiple=True,
    metavar="COLUMN",
    help="Numbers to balance instead of insertions, deletions and replacements. Repeat it for "
    "several.",
)
@_with(_SEED, _JSON)
def balanced(
    subsets: Sequence[str],
    data: str | None,
    config: str | None,
    output: str,
    force: bool,
    source_column: str,
    target_column: str,
    path: Any,
    method: Any,
    objective: Any,
    iterations: int,
    balanced: Sequence[str],
    seed: int,
    as_json: bool,
) -> None:
    """Give every subset similar edit operations per row, at the original sizes.

    \b
    Examples:
      textsimp split balanced train.jsonl validation.jsonl test.jsonl -o balanced
      textsimp split balanced train.parquet test.parquet --balance words -o balanced
    """
    corpus = _read(subsets, data, config, output, force)
    from textsimp.splits import SearchInterrupted, annotate_edits, balanced_split

    if balanced:
        columns, counted = list(balanced), _dataset(corpus, values=balanced)
    else:
        columns = ["insert", "delete", "replace"]
        counted = annotate_edits(
            _dataset(corpus, source_column, target_column),
            source=source_column,
            target=target_column,
            path=path,
        )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SearchInterrupted)
        found = balanced_split(
            counted,
            method=method,
            objective=objective,
            iterations=iterations,
            columns=columns,
            seed=seed,
        )
    interrupted = [w.message for w in caught if isinstance(w.message, SearchInterrupted)]
    files = _write(corpus, {name: found[name][ROW] for name in corpus}, output, force)
    for message in interrupted:
        click.echo(f"{message}, and it was written", err=True)
    before, after = _means(counted, columns), _means(found, columns)
    if as_json:
        whole = {
            name: {
                "rows": len(found[name]),
                "before": before[name],
                "after": after[name],
                "files": files[name],
            }
            for name in corpus
        }
        show.as_json(
            {
                "subsets": whole,
                "method": method,
                "objective": objective,
                "seed": seed,
                "interrupted": bool(interrupted),
            }
        )
        return
    rows = [
        [
            name,
            f"{len(found[name]):,}",
            *(f"{before[name][c]:.3f} → {after[name][c]:.3f}" for c in columns),
            ", ".join(files[name]),
        ]
        for name in corpus
    ]
    _print_files(["subset", "rows", *(f"{column} per row" for column in columns)], rows)


@split.command()
@_with(*_SUBSETS, *_COLUMNS)
@click.option(
    "--column", metavar="COLUMN", help="Whose distribution. Default: the change percentage."
)
@click.option(
    "--recipe",
    type=click.Choice(["shared", "paper"]),
    default="shared",
    show_default=True,
    help="The same bins for all subsets, with a permutation test; or as published.",
)
@click.option("--bins", type=int, default=10, show_default=True)
@click.option(
    "--smoothing",
    type=float,
    default=0.5,
    show_default=True,
    help="Added to each bin before a KL divergence is taken.",
)
@click.option(
    "--permutations",
    type=int,
    default=1000,
    show_default=True,
    help="Random splits behind the p-value; 0 for none.",
)
@_with(_SEED, _JSON)
def divergence(
    subsets: Sequence[str],
    data: str | None,
    config: str | None,
    source_column: str,
    target_column: str,
    path: Any,
    column: str | None,
    recipe: Any,
    bins: int,
    smoothing: float,
    permutations: int,
    seed: int,
    as_json: bool,
) -> None:
    """Compare how a column, such as the change percentage, is distributed in the subsets.

    The p-value is the share of random splits with subsets that differ as much. Nothing is written.

    \b
    Examples:
      textsimp split divergence train.jsonl validation.jsonl test.jsonl
      textsimp split divergence --column words train.parquet test.parquet
    """
    corpus = _read(subsets, data, config)
    from textsimp.splits import divergence

    result = divergence(
        _dataset(corpus, source_column, target_column)
        if column is None
        else _dataset(corpus, values=[column]),
        column,
        recipe=recipe,
        bins=bins,
        smoothing=smoothing,
        permutations=permutations,
        seed=seed,
        source=source_column,
        target=target_column,
        path=path,
    )
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
        [f"{pair['first']} – {pair['second']}", *(f"{pair[name]:.4f}" for name in names)]
        for pair in result["pairs"]
    ]
    show.table(["subsets", *(titles[name] for name in names)], rows)


def _read(
    arguments: Sequence[str],
    data: str | None,
    config: str | None,
    output: str | None = None,
    force: bool = False,
    lists: Sequence[str] = (),
    names: Iterable[str] | None = None,
) -> dict[str, Subset]:
    """The subsets by name, after a look at what would be overwritten.

    ``names`` are those that are written, if they aren't those that are read.
    """
    quiet_datasets()
    if bool(arguments) == (data is not None):
        raise InputError("expected subsets, or one file or dataset after -d")
    if config is not None and data is None:
        raise InputError("--config is of a dataset: give -d DATASET")
    given = arguments if data is None else [data]
    if sum(_parse(argument)[1].count(STDIN) for argument in given) > 1:
        raise InputError("standard input can be read only once: give '-' once")
    corpus: dict[str, Subset] = {}
    for argument in given:
        for name, subset in _subsets(argument, config, hub=data is not None).items():
            bad = not re.fullmatch(r"[\w-]+", name) or name == STDIN
            if bad and names is None:
                raise InputError(f"{argument}: expected a name for the subset, as in NAME=FILE")
            if name in corpus:
                raise InputError(f"two subsets are called {name!r}: name them, as in NAME=FILE")
            if name in lists:
                raise InputError(f"{name!r} is written too: name this subset otherwise")
            corpus[name] = subset
    if output is not None:
        merge(list(corpus.values()))  # told now, not after the work
        outputs = _outputs(corpus, corpus if names is None else names, output, lists)
        check_new(chain.from_iterable(outputs.values()), overwrite=force)
    return corpus


def _parse(argument: str) -> tuple[str, list[str]]:
    """NAME=FILE, NAME=SOURCE,TARGET, or these without a name."""
    name, equals, rest = argument.partition("=")
    # os.path: what is too long for one name may be two
    if not equals or not name or os.path.exists(argument):
        name, rest = "", argument
    return name, [rest] if rest == STDIN or os.path.exists(rest) else rest.split(",")


def _subsets(argument: str, config: str | None, hub: bool) -> dict[str, Subset]:
    """What an argument names: one subset, or all splits of a dataset.

    Args:
        argument: What the user gave.
        config: Configuration of the dataset.
        hub: Whether it is a dataset on the Hub, if there is no such file.
    """
    name, files = _parse(argument)
    path = Path(files[0])
    known = files[0] == STDIN or path.exists() or path.suffix.lower() in FILES
    if len(files) > 1 or not (path.is_dir() or (hub and not known)):
        if config is not None:
            raise InputError(f"{argument} is a file: --config is of a dataset")
        usual = re.sub(r"-\d+-of-\d+$", "", path.name.split(".")[0])
        return {name or usual: read_subset(files)}
    splits = load_splits(files[0], config)
    if not isinstance(splits, dict):
        return {name or path.name: subset_of(splits, files[0])}
    if name and len(splits) > 1:
        raise InputError(f"{argument}: leave out the name, it has {', '.join(splits)}")
    return {
        name or part: subset_of(dataset, f"{files[0]}, split {part}")
        for part, dataset in splits.items()
    }


def _sizes(argument: str) -> list[int | float | None] | dict[str, int | float | None]:
    """[NAME=]SIZE,… as sizes, by name if they have names."""
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
        return sizes
    if len(names) < len(sizes) or not all(re.fullmatch(r"[\w-]+", name) for name in names):
        raise InputError(f"--sizes: expected a name for each, as in NAME=0.9, got {argument!r}")
    if len(set(names)) < len(names):
        raise InputError(f"--sizes: expected different names, got {argument!r}")
    return dict(zip(names, sizes, strict=True))


def _dataset(corpus: Mapping[str, Subset], *texts: str, values: Sequence[str] = ()) -> DatasetDict:
    """The columns that are needed, of texts and of other values, and the rows' numbers."""
    import numpy as np
    from datasets import Dataset, DatasetDict, concatenate_datasets

    parts = {}
    start = 0
    others = [name for name in dict.fromkeys(values) if name not in texts]
    for name, subset in corpus.items():
        numbers = Dataset.from_dict({ROW: np.arange(start, start + len(subset))})
        if texts or others:
            needed = subset.dataset(dict.fromkeys(texts), others)
            numbers = concatenate_datasets([needed, numbers], axis=1)
        parts[name] = numbers
        start += len(subset)
    return DatasetDict(parts)


def _outputs(
    corpus: Mapping[str, Subset], names: Iterable[str], output: str, lists: Iterable[str]
) -> dict[str, list[Path]]:
    subsets = list(corpus.values())
    files = {name: paths(Path(output, name), subsets) for name in names}
    return files | {name: list_paths(Path(output, name), subsets) for name in lists}


def _write(
    corpus: Mapping[str, Subset],
    rows: Mapping[str, Any],
    output: str,
    force: bool,
    lists: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, list[str]]:
    """Write rows by subset, and lists of rows with further columns; the names of the files."""
    import pyarrow as pa

    subsets = list(corpus.values())
    merged = merge(subsets)
    files: Writers = {}
    for name, numbers in rows.items():
        table = merged.take(pa.array(numbers[:], pa.int64()))
        files |= writers(Path(output, name), subsets, table)
    for name, listed in (lists or {}).items():
        table = merged.take(pa.array(listed["numbers"], pa.int64()))
        files |= list_writers(Path(output, name), subsets, table, listed["columns"])
    write_files(files, overwrite=force)
    known = chain(*(paths(Path(output, name), subsets) for name in _USUAL))
    old = [path.name for path in known if path not in files and path.exists()]
    if old:
        note(f"{output}: {', '.join(old)} lay there before, and is no part of this split")
    outputs = _outputs(corpus, rows, output, lists or ())
    return {name: list(map(str, found)) for name, found in outputs.items()}


def _means(data: DatasetDict, columns: Sequence[str]) -> dict[str, dict[str, float]]:
    """Subset → column → mean over rows; lists are summed."""
    return {
        name: {
            column: sum(sum(v) if isinstance(v, list) else v for v in part[column][:]) / len(part)
            for column in columns
        }
        for name, part in data.items()
    }


def _print_files(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table whose last column is the files."""
    *others, files = zip(*rows, strict=True)
    turned = [list(row) for row in zip(*others, strict=True)]
    show.table(header, turned)
    click.echo()
    for found in files:
        show.line(f"written: {found}")
