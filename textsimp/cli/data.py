"""The options that say where sources, predictions and references are, and reading them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from textsimp import columns
from textsimp.columns import InputError
from textsimp.corpora import testsets
from textsimp.corpora.files import (
    FILES,
    STDIN,
    TABLES,
    Column,
    Table,
    check_lengths,
    is_table,
    load_dataset,
    parsed_lists,
    read_lines,
    read_table,
    shown,
    text_files,
)
from textsimp.declarations import Column as DeclaredColumn
from textsimp.examples import Examples

Command = TypeVar("Command", bound=Callable[..., Any])

USUAL = {
    "sources": ("source", "sources"),
    "predictions": ("prediction", "predictions"),
    "references": ("references", "reference"),
}
HOW = {
    "sources": "-s FILE, -t TEST_SET, or -d DATA with --source-column",
    "predictions": "-p FILE, or -d DATA with --prediction-column",
    "references": "-r FILE, -t TEST_SET, or -d DATA with --reference-column",
}


def _complete_test_set(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    names = [name for name in testsets.names() if name.startswith(incomplete)]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="dir")]


FILE = click.Path(readable=False)  # whether it is there, and may be read, is checked later

_OPTIONS = (
    click.option("-s", "--sources", type=FILE, help="Text file: one source per line."),
    click.option(
        "-p",
        "--predictions",
        type=FILE,
        multiple=True,
        metavar="[NAME=]FILE",
        help="A system's outputs: text file, table with a column of predictions, or folder of text "
        "files, one per system. Repeat it for several systems.",
    ),
    click.option(
        "-r",
        "--references",
        type=FILE,
        multiple=True,
        help="Text file: one reference per line; or a folder of such files. Repeat it for several "
        "references.",
    ),
    click.option(
        "-t",
        "--test-set",
        metavar="NAME|FOLDER",
        shell_complete=_complete_test_set,
        help="Sources and references: a test set that `textsimp datasets` lists, or a folder with "
        "source.txt and references/*.txt.",
    ),
    click.option(
        "--data-dir",
        type=FILE,
        envvar="TEXTSIMP_DATA_DIR",
        show_envvar=True,
        help="Folder of test sets, each a folder of its own, to use instead of the Hub.",
    ),
    click.option(
        "-d",
        "--data",
        type=FILE,
        metavar="FILE|DATASET",
        help="Sources, references and predictions as columns of one JSONL, JSON, CSV, TSV or "
        "parquet file, or of a dataset: a folder, or a name on the Hugging Face Hub.",
    ),
    click.option("--config", help="Configuration of the dataset."),
    click.option("--split", help="Split of the dataset. Default: test."),
    click.option("-S", "--source-column", metavar="COLUMN", help="Default: source, or sources."),
    click.option(
        "-P",
        "--prediction-column",
        multiple=True,
        metavar="[NAME=]COLUMN",
        help="Repeat it for several systems. Default: prediction, or predictions.",
    ),
    click.option(
        "-R",
        "--reference-column",
        multiple=True,
        metavar="COLUMN",
        help="Of texts, or of lists of texts. Repeat it for several references. Default: "
        "references, or reference.",
    ),
)


class DataCommand(click.Command):
    """A command with `data_options` that is told the ``order`` in which -p and -P were given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse once more than click does, which keeps the values of each option by themselves."""
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        rest = super().parse_args(ctx, args)
        options = ("predictions", "prediction_column")
        ctx.params["order"] = [option.name for option in given if option.name in options]
        return rest


def data_options(command: Command) -> Command:
    """Give a command the options that `read_data` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_data(
    readers: Mapping[str, Sequence[DeclaredColumn]],
    *,
    sources: str | None = None,
    predictions: Sequence[str] = (),
    references: Sequence[str] = (),
    test_set: str | None = None,
    data_dir: str | None = None,
    data: str | None = None,
    config: str | None = None,
    split: str | None = None,
    source_column: str | None = None,
    prediction_column: Sequence[str] = (),
    reference_column: Sequence[str] = (),
    order: Sequence[str] = (),
) -> Examples:
    """Read what the options of `data_options` name; they are the arguments after the first.

    The first says who reads which columns, such as a metric. Files are read before anything is
    loaded from the Hub. Systems come in the ``order`` of `DataCommand`, or else those of files
    first.

    Raises:
        InputError: Nothing that gives a required column, two that give the same one, or files that
            can't be read or don't fit together.
    """
    _check_options(
        sources,
        predictions,
        references,
        test_set,
        data,
        split if config is None else config,
        source_column,
        prediction_column,
        reference_column,
    )
    given = {
        "sources": sources or test_set or data,
        "references": references or test_set or data,
        "predictions": predictions or data,
    }
    required = set()
    for reader, needed in readers.items():
        for name in (column.name for column in needed if column.required):
            if not given[name]:
                raise InputError(f"{reader} needs {name}: give {HOW[name]}")
            required.add(name)

    read: dict[str, Column | None] = {
        "sources": _lines(sources) if sources else None,
        "references": None,
    }
    if references:
        read["references"] = _references(references, read["sources"])
    of_files = [_from_file(argument, prediction_column) for argument in predictions]
    of_columns: list[list[tuple[str, Column]]] = []
    if test_set is not None:
        texts, lists = testsets.load(test_set, data_dir)
        read["sources"] = Column(texts, f"test set {test_set}", "sources")
        read["references"] = Column(lists, f"test set {test_set}", "sources")
    if data is not None:
        table = _table(data, config, split)
        names = {
            "sources": [source_column] if source_column else [],
            "references": reference_column,
        }
        for role, column in read.items():
            if column is None:
                read[role] = _from_table(table, role, names[role], role in required)
        if not any(is_table(named(argument)[1]) for argument in predictions):
            of_columns = _from_columns(table, prediction_column, needed=not of_files)

    found = {"predictions": iter(of_files), "prediction_column": iter(of_columns)}
    systems = [*(next(found[option], []) for option in order), *chain(*found.values())]
    chosen: dict[str, Column] = {}
    for name, column in chain(*systems):
        if name in chosen:
            raise InputError(f"two systems are called {name!r}: name them, as in -p NAME=FILE")
        chosen[name] = column
    check_lengths([column for column in (*read.values(), *chosen.values()) if column is not None])
    return Examples(
        {name: column.rows for name, column in read.items() if column is not None},
        {name: {"predictions": column.rows} for name, column in chosen.items()},
    )


def named(argument: str) -> tuple[str, str]:
    """NAME=FILE → name and file; a file alone → its name without suffix, and itself."""
    name, equals, rest = argument.partition("=")
    if equals and name and rest and not os.path.exists(argument):
        return name, rest
    return ("standard input" if argument == STDIN else Path(argument).stem), argument


def _check_options(
    sources: str | None,
    predictions: Sequence[str],
    references: Sequence[str],
    test_set: str | None,
    data: str | None,
    part: str | None,
    source_column: str | None,
    prediction_column: Sequence[str],
    reference_column: Sequence[str],
) -> None:
    if part is not None and not data:
        raise InputError("--config and --split are of a dataset: give -d DATASET")
    if test_set and (sources or references):
        raise InputError("-t gives sources and references: leave out -s and -r")
    if source_column and (sources or test_set):
        raise InputError("--source-column and -s or -t both give the sources: leave one out")
    if reference_column and (references or test_set):
        raise InputError("--reference-column and -r or -t both give references: leave one out")
    if (source_column or reference_column) and not data:
        raise InputError("--source-column and --reference-column need a table: give -d DATA")
    if data and (test_set or (sources and references)) and predictions and not prediction_column:
        raise InputError("-d gives nothing that -s, -r, -t and -p don't: leave it out")
    if prediction_column and not data and not any(is_table(named(p)[1]) for p in predictions):
        raise InputError("--prediction-column needs a table: give -d DATA")
    files = [sources, data, *references, *(named(argument)[1] for argument in predictions)]
    if files.count(STDIN) > 1:
        raise InputError("standard input can be read only once: give '-' once")


def _lines(file: str) -> Column:
    if is_table(file):
        raise InputError(f"{file}: expected a text file, one text per line; tables are given by -d")
    return Column(read_lines(file), shown(file))


def _expand(files: Sequence[str]) -> list[str]:
    """Folders become their text files."""
    found: list[str] = []
    for file in files:
        found += map(str, text_files(file)) if Path(file).is_dir() else [file]
    return found


def _references(references: Sequence[str], sources: Column | None) -> Column:
    """Files of references, side by side."""
    parts = [_lines(file) for file in _expand(references)]
    check_lengths(parts if sources is None else [sources, *parts])
    rows = [list(row) for row in zip(*(part.rows for part in parts), strict=True)]
    return Column(rows, parts[0].where)


def _from_file(argument: str, prediction_column: Sequence[str]) -> list[tuple[str, Column]]:
    """The system, or the folder of systems, that a ``-p`` names."""
    if os.path.isdir(argument):
        return [(path.stem, _lines(str(path))) for path in text_files(argument)]
    name, file = named(argument)
    if not is_table(file):
        return [(name, _lines(file))]
    if len(prediction_column) > 1:
        raise InputError(f"{file}: expected one --prediction-column, got several")
    column = _from_table(read_table(file), "predictions", prediction_column, True)
    assert column is not None
    return [(name, column)]


def _table(data: str, config: str | None, split: str | None) -> Table:
    if data == STDIN or is_table(data):
        if config is not None or split is not None:
            raise InputError(f"{shown(data)} is a file: --config and --split are of a dataset")
        return read_table(data)
    if Path(data).is_file() or Path(data).suffix.lower() in FILES:
        raise InputError(
            f"{data}: expected a table after -d ({', '.join(TABLES)}) or a dataset; text files are "
            "given by -s, -p and -r"
        )
    return load_dataset(data, config, split)


def _from_columns(
    table: Table, prediction_column: Sequence[str], needed: bool
) -> list[list[tuple[str, Column]]]:
    """For each ``-P`` the system that it names; or that of the usual column."""
    found = []
    for argument in prediction_column:
        name, equals, column = argument.partition("=")
        if not equals or argument in table.names:
            name = column = argument
        found.append([(name, _column(table, "predictions", column))])
    if not found and needed:
        column_found = _from_table(table, "predictions", (), True)
        assert column_found is not None
        found.append([(Path(table.where).stem, column_found)])
    return found


def _from_table(table: Table, role: str, names: Sequence[str], needed: bool) -> Column | None:
    """The column of these names, or of the usual one, or, if it isn't needed, none."""
    if not names:
        names = [name for name in USUAL[role] if name in table.names][:1]
    if not names and not needed:
        return None
    if not names:
        raise InputError(
            f"{table.where} has no column {USUAL[role][0]!r}; its columns are "
            f"{', '.join(map(repr, table.names))}: choose with --{role.removesuffix('s')}-column"
        )
    parts = [_column(table, role, name) for name in names]
    if role != "references":
        return parts[0]
    rows = [
        [text for texts in row for text in texts]
        for row in zip(*(part.rows for part in parts), strict=True)
    ]
    return Column(rows, parts[0].where, "rows")


def _column(table: Table, role: str, name: str) -> Column:
    where = f"column {name!r} of {table.where}"
    rows = table.column(name)
    if role != "references":
        return Column(columns.texts(rows, where), where, "rows")
    return Column(columns.references(parsed_lists(rows, where), where), where, "rows")
