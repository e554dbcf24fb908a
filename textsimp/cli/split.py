"""``textsimp split``: other splits of a corpus, from files to files of the same format."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import SUBSET_PARAMETERS, choose_subsets
from textsimp.cli.options import form_options, function_options
from textsimp.core import tables
from textsimp.core.tables import Grid
from textsimp.splits.balanced import balanced_split
from textsimp.splits.corpus_files import split_files
from textsimp.splits.divergences import divergence as measure_divergence
from textsimp.splits.divergences import divergence_of_files, pairs_grid
from textsimp.splits.poor_alignments import drop_poor_alignments
from textsimp.splits.random_splits import random_split
from textsimp.support.errors import advise
from textsimp.support.progress import note


@click.group()
def split() -> None:
    """Split a corpus, or measure how alike its subsets are.

    \b
    A subset is
      NAME=FILE             a JSONL, JSON, CSV, TSV, parquet or Excel file
      NAME=FILE,FILE,…      several such files, or a pattern such as part-*.csv
      NAME=SOURCE,TARGET    two text files, one text per line
      FILE                  named by what comes before the first dot: train.jsonl, test.en,test.si
      FOLDER                a dataset, each of its splits a subset
    All subsets have the same format, and so has what is written: every row whole. Datasets are
    written as parquet files.

    \b
    Examples:
      textsimp split divergence train.jsonl validation.jsonl test.jsonl
      textsimp split random train.jsonl validation.jsonl test.jsonl -o random-1 --seed 1
      textsimp split balanced corpus.csv --sizes 0.8,0.1,0.1 -o cut
    """


_SIZES = click.Option(
    ["--sizes"],
    metavar="[NAME=]SIZE,…",
    help="Cut all rows into new subsets: shares such as 0.9,0.05,0.05 or numbers of rows, one of "
    "which may be `rest`. Two are train and test, three train, validation and test.",
)
_SOURCE = {"source": "-S --source-column COLUMN"}
_PAIR = {**_SOURCE, "target": "-T --target-column COLUMN"}
_TOGETHER = {"together": "--together COLUMN"}
_OUTPUT = {"output": "-o --output FOLDER", "overwrite": "--force"}


@split.command(params=[*SUBSET_PARAMETERS, _SIZES])
@function_options(split_files, "seed", **_OUTPUT, **_SOURCE)
@function_options(random_split, "variant", **_TOGETHER)
@form_options
def random(form: str, **arguments: Any) -> None:
    """Merge all subsets, shuffle the rows and cut them at the original or at other sizes.

    \b
    Examples:
      textsimp split random train.jsonl validation.jsonl test.jsonl -o random-1 --seed 1
      textsimp split random train=train.en,train.simple test=test.en,test.simple -o random
      textsimp split random -d corpus.jsonl --sizes 0.9,0.05,0.05 --together source -o cut
      textsimp split random -d corpus.csv --sizes train=rest,dev=1000,test=1000 -o cut
    """
    _split("random", form, **arguments)


@split.command(params=[*SUBSET_PARAMETERS])
@function_options(split_files, "seed", **_OUTPUT, **_PAIR)
@function_options(drop_poor_alignments, "fraction", "mode", "variant", by="--by COLUMN")
@form_options
def poor_alignments(form: str, **arguments: Any) -> None:
    """Remove the pairs that differ most from their source: many of them are misaligned.

    What was removed is written too, worst first, with its subset, row and change percentage (or the
    column of --by): to a file `removed`.

    \b
    Examples:
      textsimp split poor-alignments --fraction 0.05 train.jsonl test.jsonl -o cleaner
      textsimp split poor-alignments --fraction 0.1 -S normal -T simple all.parquet -o cleaner
    """
    _split("poor_alignments", form, **arguments)


@split.command(params=[*SUBSET_PARAMETERS, _SIZES])
@function_options(split_files, "seed", **_OUTPUT, **_PAIR)
@function_options(
    balanced_split, "method", "variant", "iterations", columns="--columns COLUMN", **_TOGETHER
)
@form_options
def balanced(form: str, **arguments: Any) -> None:
    """Give every subset similar edit operations per row, at the original or at other sizes.

    \b
    Examples:
      textsimp split balanced train.jsonl validation.jsonl test.jsonl -o balanced
      textsimp split balanced train.parquet test.parquet --columns words -o balanced
      textsimp split balanced corpus.csv --sizes 0.8,0.1,0.1 --together article -o cut
    """
    _split("balanced", form, **arguments)


@split.command(params=[*SUBSET_PARAMETERS])
@click.option("--bins", type=int, default=10, help="Bins of the same width.")
@function_options(split_files, "seed", **_PAIR)
@function_options(
    measure_divergence,
    *("variant", "smoothing", "permutations"),
    column="--column COLUMN",
    **_TOGETHER,
)
@form_options
def divergence(form: str, **arguments: Any) -> None:
    """Compare how a column, such as the change percentage, is distributed in the subsets.

    The p-value is the share of random splits with subsets that differ as much. Nothing is written.

    \b
    Examples:
      textsimp split divergence train.jsonl validation.jsonl test.jsonl
      textsimp split divergence --column words train.parquet test.parquet
    """
    result = _call(divergence_of_files, **arguments)
    title = f"Divergences of {result['column'].replace('_', ' ')}"
    shared = _shared(result["shared_sources"], arguments["source"])
    _print(form, result, {title: pairs_grid(result["pairs"])}, [shared])


def _split(strategy: str, form: str, **arguments: Any) -> None:
    """Split files, and report what was written."""
    report = _call(partial(split_files, strategy), **arguments)
    cells: dict[str, dict[str, str]] = {}
    for name, figures in report["subsets"].items():
        cells[name] = {key: f"{n:,}" for key, n in figures.items() if isinstance(n, int)}
        for column, before in figures.get("before", {}).items():
            after = figures["after"][column]
            cells[name][f"{column} per row"] = f"{before:.3f} → {after:.3f}"
    header = ["subset", *next(iter(cells.values()))]
    grids = {"Subsets": Grid(header, [[name, *row.values()] for name, row in cells.items()])}
    if "divergences" in report:
        title = "Divergence (JS, bits) of the two subsets that differ most"
        grids[title] = _divergences(report["divergences"])
    remarks = [_shared(report["shared_sources"], arguments["source"])]
    remarks += [f"written: {', '.join(part['files'])}" for part in report["subsets"].values()]
    if report.get("least_removed") is not None:
        what = report["ranked_by"].replace("change_percentage", "change percentage")
        least, file = report["least_removed"], report["removed"][0]
        remarks.append(f"Removed from {what} {least:.1f} up; worst first in {file}")
    _print(form, report, grids, remarks)


def _call(
    function: Callable[..., Any],
    *,
    subsets: Sequence[str],
    data: str | None,
    source: str,
    **arguments: Any,
) -> dict[str, Any]:
    """Call a function of subsets; errors say which options choose a column."""
    # pyarrow's other pools keep memory that is free again
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    advice = {f"no column {arguments.get('target')}": ": choose with -T"}
    pairs = "give text files as NAME=SOURCE,TARGET, or " if any(map(os.path.isdir, subsets)) else ""
    advice[f"no column {source}"] = f": {pairs}choose with -S"
    chosen = choose_subsets(subsets, data)
    with advise(advice):
        result: dict[str, Any] = function(chosen, source=source, **arguments)
    return result


def _print(
    form: str, report: Mapping[str, Any], grids: Mapping[str, Grid], remarks: Sequence[str]
) -> None:
    """Print a report as JSON, or tables; remarks stand below them, or on standard error."""
    if form == "json":
        printing.print_json(report)
        return
    printing.print_tables(form, grids)
    if form == "text":
        click.echo()
    for remark in remarks:
        (printing.print_line if form == "text" else note)(remark)


def _divergences(divergences: Sequence[Mapping[str, Any]]) -> Grid:
    """Return the largest divergence of two subsets in each column."""
    stages = ("before", "after", "random_split")
    rows = []
    for column in dict.fromkeys(pair["column"] for pair in divergences):
        pairs = [pair for pair in divergences if pair["column"] == column]
        cells = []
        for stage in stages:
            numbers = [pair[stage] for pair in pairs if pair[stage] is not None]
            cells.append(tables.number(max(numbers), 4) if numbers else "")
        title = column.replace("_", " ")
        rows.append([title, "yes" if pairs[0]["balanced"] else "no", *cells])
    return Grid(["column", "balanced", "before", "after", "random split"], rows, named=2)


def _shared(shared: Mapping[str, Mapping[str, int]] | None, column: str) -> str:
    """Return a remark on the sources that occur in several subsets."""
    if shared is None:
        return f"Shared sources: unknown without a column {column!r}: give -S COLUMN"
    parts = [
        f"{of['shared']:,} of {of['sources']:,} sources of {name} ({of['rows']:,} rows)"
        for name, of in shared.items()
        if of["shared"]
    ]
    advice = f". `split random` and `balanced` keep equal ones together: --together {column}"
    return f"In another subset, too: {'; '.join(parts) + advice if parts else 'none'}"
