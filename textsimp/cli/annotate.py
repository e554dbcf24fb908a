"""``textsimp annotate`` and ``textsimp merge-annotations``."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from textsimp.cli import show
from textsimp.cli.data import FILE, DataCommand, data_options, read_data, tables_in
from textsimp.core import tables
from textsimp.core.declarations import PREDICTIONS, SOURCES
from textsimp.core.examples import Examples
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

if TYPE_CHECKING:
    from textsimp.errors.annotation import Pair

_READERS = {"annotate": [SOURCES, PREDICTIONS]}


@click.command(cls=DataCommand)
@click.argument("pairs", type=FILE, required=False)
@data_options
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="FOLDER",
    help="Where answers are kept, a file for each annotator. Given again, they go on.",
)
@click.option("--annotator", default="", metavar="NAME", help="Default: the page asks for it.")
@click.option(
    "--qualification",
    type=FILE,
    metavar="FILE",
    help="Pairs with known labels, which are asked first: the page tells the share that was right.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0: for the network.")
@click.option("--port", type=click.IntRange(1, 65535), default=7860, show_default=True)
def annotate(
    pairs: str | None,
    output: str,
    annotator: str,
    qualification: str | None,
    host: str,
    port: int,
    **files: Any,
) -> None:
    """Annotate information errors: serve a page, and keep every answer at once.

    PAIRS is a JSONL, JSON, CSV, TSV or parquet file with the columns source and prediction, and id
    and system if there are. Or sources and systems are given as to other commands: then a pair's id
    is the number of its line. Several people may annotate at the same time, by their names. Ctrl-C
    ends the page.

    \b
    Examples:
      textsimp annotate pairs.jsonl -o answers
      textsimp annotate pairs.jsonl -o answers --annotator Ann --qualification known.jsonl
      textsimp annotate -s source.txt -p systems -o answers
    """
    from textsimp.demo import build_annotate

    given = any(value for name, value in files.items() if name not in ("data_dir", "order"))
    if pairs is not None and given:
        raise InputError("expected PAIRS or sources and systems, got both: leave one out")
    if pairs is None and not given:
        raise InputError("expected pairs to annotate: give a file, or -s FILE and -p FILE")
    if Path(output).exists() and not Path(output).is_dir():
        raise InputError(f"{output} is a file: expected a folder")
    read = _crossed(read_data(_READERS, **files)) if pairs is None else pairs
    page = build_annotate(read, folder=output, qualification=qualification, annotator=annotator)
    try:
        _, address, _ = page.launch(
            server_name=host, server_port=port, prevent_thread_lock=True, quiet=True
        )
    except OSError as error:
        raise InputError(f"--port {port}: expected one that is free on {host}") from error
    show.line(f"{address} (Ctrl-C ends it; answers are in {output})")
    try:
        threading.Event().wait()
    finally:
        page.close(verbose=False)


def _crossed(data: Examples) -> list[Pair]:
    """Every system's output for each source, those for the same source one after the other."""
    from textsimp.errors.annotation import Pair

    return [
        Pair(i, system, source, data.predictions(system)[i - 1])
        for i, source in enumerate(data.sources or [], 1)
        for system in data.systems
    ]


@click.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@click.option(
    "-o", "--output", type=FILE, required=True, metavar="FILE", help="JSONL: a row for each pair."
)
@click.option(
    "--disagreements",
    type=FILE,
    metavar="FILE",
    help="JSONL: the rows in which annotators differ, with the categories to discuss.",
)
@click.option("--force", is_flag=True, help="Overwrite files that are there already.")
def merge_annotations(
    files: Sequence[str], output: str, disagreements: str | None, force: bool
) -> None:
    """Merge annotators' answers into one file, and show how far they agree.

    FILES are those that `textsimp annotate` keeps or its page gives, or folders of them. A row of
    the output has a list of labels for each category, which the metric information_errors reads,
    and their majority. Alpha is Krippendorff's, ordinal, with gibberish as 3.

    \b
    Examples:
      textsimp merge-annotations answers -o merged.jsonl --disagreements discuss.jsonl
    """
    from textsimp import errors
    from textsimp.errors import annotation

    written = [Path(name) for name in (output, disagreements) if name is not None]
    check_new(written, overwrite=force)
    rows = annotation.merge(tables_in(files))
    if not rows:
        raise InputError("expected answers with labels, got none")
    differ = annotation.disagreements(rows)
    contents = [tables.json_lines(part).encode() for part in (rows, differ)]
    write_files(dict(zip(written, contents, strict=False)), overwrite=force)
    show.line(f"{len(rows):,} examples, {', '.join(rows[0]['annotators'])}")
    click.echo()
    shown = []
    labels: dict[str, Any] = {name: [row[name] for row in rows] for name in CATEGORIES}
    for name, found in errors.agreement(**labels).categories.items():
        alpha = "–" if found.alpha is None else tables.cell(found.alpha, found.interval, 3)
        majority = "–" if found.majority is None else f"{found.majority:.1%}"
        shown.append(
            [
                name,
                f"{found.outputs:,}",
                majority,
                f"{sum(name in row['discuss'] for row in differ):,}",
                alpha,
                found.reason,
            ]
        )
    header = ["category", "labelled by several", "with a majority", "to discuss", "alpha", ""]
    show.table(header, shown)
    for path in written:
        show.line(f"written: {path}")
