"""The options that say where sources, predictions and references are, and reading them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from textsimp import columns, testsets
from textsimp.columns import InputError
from textsimp.inputs import (
    STDIN,
    TABLES,
    Column,
    Table,
    check_lengths,
    is_table,
    load_dataset,
    read_lines,
    read_table,
    shown,
    text_files,
)

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


@dataclass(frozen=True)
class Data:
    """Columns of equal length.

    Attributes:
        sources: The original texts, if they were given.
        references: A list of references per source, if they were given.
        systems: Name → predictions.
    """

    sources: list[str] | None
    references: list[list[str]] | None
    systems: dict[str, list[str]]

    def __len__(self) -> int:
        return len(next(iter(self.systems.values())))


def _complete_test_set(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    names = [name for name in testsets.names() if name.startswith(incomplete)]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="dir")]


_FILE = click.Path()  # whether it is there is checked when it is read

_OPTIONS = (
    click.option("-s", "--sources", type=_FILE, help="Text file: one source per line."),
    click.option(
        "-p",
        "--predictions",
        type=_FILE,
        multiple=True,
        metavar="[NAME=]FILE",
        help="A system's outputs: text file, table with a column of predictions, or folder of text "
        "files, one per system. Repeat it for several systems.",
    ),
    click.option(
        "-r",
        "--references",
        type=_FILE,
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
        type=click.Path(),
        envvar="TEXTSIMP_DATA_DIR",
        show_envvar=True,
        help="Folder of test sets, each a folder of its own, to use instead of the Hub.",
    ),
    click.option(
        "-d",
        "--data",
        type=_FILE,
        metavar="FILE|DATASET",
        help="Sources, references and predictions as columns of one JSONL, CSV, TSV or parquet "
        "file, or of a dataset: a folder, or a name on the Hugging Face Hub.",
    ),
    click.option("--config", help="Configuration of the dataset."),
    click.option("--split", default="test", show_default=True, help="Split of the dataset."),
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


def data_options(command: Command) -> Command:
    """Give a command the options that `read_data` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def read_data(
    required: Collection[str],
    *,
    sources: str | None = None,
    predictions: Sequence[str] = (),
    references: Sequence[str] = (),
    test_set: str | None = None,
    data_dir: str | None = None,
    data: str | None = None,
    config: str | None = None,
    split: str = "test",
    source_column: str | None = None,
    prediction_column: Sequence[str] = (),
    reference_column: Sequence[str] = (),
) -> Data:
    """Read what the options of `data_options` name; they are the arguments after the first.

    The first, ``required``, are those of "sources" and "references" that can't be done without.

    Raises:
        InputError: Nothing that gives a required column, two that give the same one, or files that
            can't be read or don't fit together.
    """
    _check_options(
        sources, predictions, references, test_set, data, source_column, reference_column
    )
    table = _table(data, config, split) if data is not None else None
    read: dict[str, Column | None] = {"sources": None, "references": None}
    if test_set is not None:
        texts, lists = testsets.load(test_set, data_dir)
        read = {
            "sources": Column(texts, f"the sources of {test_set}"),
            "references": Column(lists, f"the references of {test_set}"),
        }
    elif table is not None:
        names = (source_column,) if source_column else ()
        read["sources"] = None if sources else _optional(table, "sources", names, required)
        read["references"] = (
            None if references else _optional(table, "references", reference_column, required)
        )
    if sources is not None:
        read["sources"] = _lines(sources)
    parts = [_lines(file) for file in _expand(references)]
    for role in required:
        if read.get(role) is None and not (role == "references" and parts):
            raise InputError(f"{role} are needed: give {HOW[role]}")

    systems = _systems(predictions, table, prediction_column)
    known = [column for column in (read["sources"], read["references"]) if column is not None]
    check_lengths([*known, *parts, *systems.values()])
    if parts:
        rows = [list(row) for row in zip(*(part.rows for part in parts), strict=True)]
        read["references"] = Column(rows, "references")
    return Data(
        read["sources"].rows if read["sources"] else None,
        read["references"].rows if read["references"] else None,
        {name: column.rows for name, column in systems.items()},
    )


def named(argument: str) -> tuple[str, str]:
    """NAME=FILE → name and file; a file alone → its name without suffix, and itself."""
    name, equals, rest = argument.partition("=")
    if equals and name and rest and not Path(argument).exists():
        return name, rest
    return ("standard input" if argument == STDIN else Path(argument).stem), argument


def _check_options(
    sources: str | None,
    predictions: Sequence[str],
    references: Sequence[str],
    test_set: str | None,
    data: str | None,
    source_column: str | None,
    reference_column: Sequence[str],
) -> None:
    if test_set and (sources or references):
        raise InputError("-t gives sources and references: leave out -s and -r")
    if source_column and (sources or test_set):
        raise InputError("--source-column and -s or -t both give the sources: leave one out")
    if reference_column and (references or test_set):
        raise InputError("--reference-column and -r or -t both give references: leave one out")
    if (source_column or reference_column) and not data:
        raise InputError("--source-column and --reference-column need a table: give -d DATA")
    files = [sources, data, *references, *(named(argument)[1] for argument in predictions)]
    if files.count(STDIN) > 1:
        raise InputError("standard input can be read only once: give '-' once")


def _table(data: str, config: str | None, split: str) -> Table:
    if data == STDIN or Path(data).is_file() or is_table(data):
        if data != STDIN and not is_table(data):
            raise InputError(
                f"{data}: expected a table ({', '.join(TABLES)}) after -d; text files are given by "
                "-s, -p and -r"
            )
        return read_table(data)
    return load_dataset(data, config, split)


def _optional(
    table: Table, role: str, names: Sequence[str], required: Collection[str]
) -> Column | None:
    """A column that was named, or has its usual name, or isn't there."""
    if not names:
        names = [name for name in USUAL[role] if name in table.names][:1]
    if not names and role not in required:
        return None
    if not names:
        option = f"--{role.removesuffix('s')}-column"
        raise InputError(
            f"{table.where} has no column {USUAL[role][0]!r}; its columns are "
            f"{', '.join(map(repr, table.names))}: choose with {option}"
        )
    read = [_column(table, role, name) for name in names]
    if role == "sources":
        return read[0]
    rows = [
        [text for texts in row for text in texts]
        for row in zip(*(column.rows for column in read), strict=True)
    ]
    return Column(rows, read[0].where, "rows")


def _column(table: Table, role: str, name: str) -> Column:
    where = f"column {name!r} of {table.where}"
    check = columns.references if role == "references" else columns.texts
    return Column(list(check(table.column(name), where)), where, "rows")


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


def _systems(
    predictions: Sequence[str], table: Table | None, prediction_column: Sequence[str]
) -> dict[str, Column]:
    files: list[tuple[str, str]] = []
    for argument in predictions:
        if Path(argument).is_dir():
            files += [(path.stem, str(path)) for path in text_files(argument)]
        else:
            files.append(named(argument))
    tables = [file for _, file in files if is_table(file)]
    if tables and len(prediction_column) > 1:
        raise InputError(f"{tables[0]}: expected one --prediction-column, got several")

    found: list[tuple[str, Column]] = []
    for name, file in files:
        if is_table(file):
            found.append((name, _prediction(read_table(file), prediction_column)))
        else:
            found.append((name, _lines(file)))
    if table is not None and not tables and (prediction_column or not files):
        pairs = [named_column(argument, table) for argument in prediction_column]
        if pairs:
            found += [(name, _column(table, "predictions", column)) for name, column in pairs]
        else:
            found.append((Path(table.where).stem, _prediction(table, ())))
    elif prediction_column and not tables:
        raise InputError("--prediction-column needs a table: give -d DATA")
    if not found:
        raise InputError(f"a system's outputs are needed: give {HOW['predictions']}")
    systems: dict[str, Column] = {}
    for name, column in found:
        if name in systems:
            raise InputError(f"two systems are called {name!r}: name them, as in -p NAME=FILE")
        systems[name] = column
    return systems


def _prediction(table: Table, names: Sequence[str]) -> Column:
    found = _optional(table, "predictions", names, {"predictions"})
    assert found is not None
    return found


def named_column(argument: str, table: Table) -> tuple[str, str]:
    """NAME=COLUMN → name and column; a column alone → its name, twice."""
    name, equals, rest = argument.partition("=")
    return (name, rest) if equals and argument not in table.names else (argument, argument)
