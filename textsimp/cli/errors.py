"""``textsimp errors merge`` and ``textsimp errors table``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from textsimp.cli import printing
from textsimp.cli.data_arguments import FILE, tables_in
from textsimp.cli.options import (
    FORCE,
    form_options,
    plot_option,
    sampling_options,
)
from textsimp.core import tables
from textsimp.corpora.files import note
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

if TYPE_CHECKING:
    from textsimp.judgements.error_tables import Levels


@click.group()
def errors() -> None:
    """Information errors: merge answers, print tables."""


@errors.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option(
    "-o", "--output", type=FILE, required=True, metavar="FILE", help="JSONL: a row for each pair."
)
@click.option(
    "--disagreements",
    type=FILE,
    metavar="FILE",
    help="JSONL: the rows in which raters differ, with the categories to discuss.",
)
@FORCE
def merge(files: Sequence[str], output: str, disagreements: str | None, force: bool) -> None:
    """Merge raters' answers, and show how far they agree.

    FILES are answers by the scheme information_errors, or folders of them. A row of the output has
    a list of labels for each category, which the metric information_errors reads, and their
    majority. Alpha is Krippendorff's, ordinal, with gibberish as 3.

    \b
    Examples:
      textsimp errors merge answers -o merged.jsonl --disagreements discuss.jsonl
    """
    from textsimp.judgements import error_labels, error_tables

    paths = [Path(name) for name in (output, disagreements) if name is not None]
    check_new(paths, overwrite=force)
    rows = error_labels.merge(tables_in(files))
    if not rows:
        raise InputError("expected answers with labels, got none")
    differ = error_labels.disagreements(rows)
    contents = [tables.json_lines(part).encode() for part in (rows, differ)]
    write_files(dict(zip(paths, contents, strict=False)), overwrite=force)
    printing.print_line(f"{len(rows):,} examples, {', '.join(rows[0]['raters'])}")
    click.echo()
    labels: dict[str, Any] = {name: [row[name] for row in rows] for name in CATEGORIES}
    printing.print_table(error_tables.agreement(**labels).grid())
    counts = {name: sum(name in row["discuss"] for row in differ) for name in CATEGORIES}
    to_discuss = ", ".join(f"{count:,} of {name}" for name, count in counts.items())
    printing.print_line(f"to discuss: {to_discuss}")
    for path in paths:
        printing.print_line(f"written: {path}")


@errors.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option(
    "--by", metavar="COLUMN", help="The column that names systems. Default: system, if it is there."
)
@click.option(
    "--unit",
    type=click.Choice(["characters", "tokens"]),
    default="characters",
    help="Of edit distances: characters, or Treebank tokens.",
)
@click.option(
    "--per",
    type=click.Choice(["source", "longer"]),
    default="source",
    help="Whose length divides an edit distance: the source's, or that of the longer text.",
)
@click.option(
    "--drop-noise",
    is_flag=True,
    help="Leave out of edit distances what has too little in common with its source.",
)
@sampling_options
@form_options
@plot_option("the labels of systems")
def table(
    files: Sequence[str],
    by: str | None,
    unit: Any,
    per: Any,
    drop_noise: bool,
    sampling: dict[str, Any],
    form: str,
) -> Callable[[], Any]:
    """Print tables of information errors, from labels.

    FILES are JSONL, JSON, CSV, TSV or parquet tables with the columns insertion, deletion and
    substitution, whose labels are 0, 1, 2, -1 (gibberish) or empty, or lists of annotators' labels.
    Answers by the scheme information_errors, or folders of them, are merged.

    How often each system has each label, with intervals. Where there are several annotators, how
    far they agree. Where all files have the columns source and prediction, how outputs of each
    level differ from their sources.

    \b
    Examples:
      textsimp errors table labels.jsonl
      textsimp errors table annotations --plot labels.png
      textsimp errors table labels.csv --unit tokens --drop-noise --latex
    """
    files = tables_in(files)
    if len(set(files)) < len(files):
        raise InputError("expected different files, got one twice")

    from textsimp.judgements import error_labels, error_tables

    systems = error_labels.read_systems(files, by)
    distribution = error_tables.distribution(systems, **sampling)
    parts: dict[str, Any] = {"distribution": distribution}
    pooled: dict[str, Any] = {
        name: [row for columns in systems.values() for row in columns[name]]
        for name in (*CATEGORIES, "sources", "predictions")
    }
    labels = {category: pooled[category] for category in CATEGORIES}
    if any(len(row) > 1 for rows in labels.values() for row in rows):
        parts["agreement"] = error_tables.agreement(**labels, **sampling)
    pairs = list(zip(pooled["sources"], pooled["predictions"], strict=True))
    whole = sum(None not in pair for pair in pairs)
    if whole == len(pairs):
        parts |= _by_level(systems, unit, per, drop_noise)
    elif whole:
        note(
            f"no tables by level: {whole:,} of {len(pairs):,} outputs have a source and a "
            "prediction, and all need them"
        )
    if form == "json":
        printing.print_json({**sampling, **{name: part.to_dict() for name, part in parts.items()}})
    else:
        titles = _titles(unit, per, drop_noise, sampling["confidence"])
        printing.print_tables(form, {titles[name]: part for name, part in parts.items()})
    return lambda: error_tables.plot(distribution)


def _by_level(
    systems: Mapping[str, Mapping[str, Any]], unit: Any, per: Any, drop_noise: bool
) -> dict[str, Levels]:
    from textsimp.judgements import distances, error_tables

    length_changes, edit_distances = {}, {}
    for name, columns in systems.items():
        texts = columns["sources"], columns["predictions"]
        length_changes[name] = distances.length_change(*texts)
        edit_distances[name] = distances.edit_distance(*texts, unit=unit, per=per)
        if drop_noise:
            edit_distances[name][distances.noise(*texts)] = np.nan
    return {
        "length_change": error_tables.by_level(length_changes, systems),
        "edit_distance": error_tables.by_level(edit_distances, systems),
    }


def _titles(unit: str, per: str, drop_noise: bool, confidence: float) -> dict[str, str]:
    divisor = "source" if per == "source" else "longer of source and output"
    without = ", without noise" if drop_noise else ""
    by_level = "by level: mean ± standard deviation (outputs)"
    return {
        "distribution": f"Labels in percent of the labelled, {100 * confidence:g} % intervals",
        "agreement": "Agreement of annotators, all systems together",
        "length_change": f"Length change in percent of the source's Treebank tokens, {by_level}",
        "edit_distance": f"Edit distance in {unit} per {unit[:-1]} of the {divisor}{without}, "
        f"{by_level}",
    }
