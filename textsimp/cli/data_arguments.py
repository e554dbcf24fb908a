"""Options for sources, predictions and references, and reading what they name."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from textsimp.support.errors import InputError, check_choice, listed

if TYPE_CHECKING:  # what reads files is imported when files are read, so --help answers at once
    from textsimp.core.declarations import Column
    from textsimp.core.examples import Examples
    from textsimp.corpora.reading import Readers, Request, System
    from textsimp.corpora.tables import Table

Command = TypeVar("Command", bound=Callable[..., Any])

_GIVE = {
    "sources": ": give -s FILE, -t TEST_SET, or -d DATA with --source-column",
    "predictions": ": give -p FILE, or -d DATA with --prediction-column",
    "references": ": give -r FILE, -t TEST_SET, or -d DATA with --reference-column",
}
_ADVICE = {
    "name systems": ": name them, as in -p NAME=FILE",
    "part systems": ", as in -p NAME=FILE",
    "keep order": "; --id '' takes rows in their order",
    "give ids": "; give gold by -d TABLE, and systems by -p TABLE",
    "missing rows": "; --missing empty and --missing skip go on without",
    "pool systems": "; --system-column '' takes all rows as one system's",
    "give tables": "; tables are given by -d",
    "give texts": " after -d; text files are given by -s, -p and -r",
    "config and split": "--config and --split",
    "data_dir": "--data-dir",
    "give data": ": give -d FILE",
}


def _complete_test_set(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    from textsimp.corpora import testsets

    names = [name for name in testsets.names() if name.startswith(incomplete)]
    return [CompletionItem(name) for name in names] or [CompletionItem(incomplete, type="dir")]


FILE = click.Path(readable=False)  # readers and writers check whether it exists
NO_CHECK = click.option("--no-check", is_flag=True, help="Don't check the texts for problems.")


class DataCommand(click.Command):
    """A command whose repeatable options take several values: ``-r 0.txt 1.txt -m sari bleu``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse with such an option repeated before each of its values; others are given once."""
        names = {
            o for param in self.params if getattr(param, "multiple", False) for o in param.opts
        }
        repeated: list[str] = []
        option, is_first = "", True
        for arg in args:
            if arg.startswith("-") and arg != "-":
                name = arg.partition("=")[0] if arg.startswith("--") else arg[:2]
                option, is_first = (name if name in names else ""), arg == name
            elif option and self.is_value(arg):
                repeated += [] if is_first else [option]
                is_first = False
            repeated.append(arg)
        _, _, given = self.make_parser(ctx).parse_args([*repeated])
        for param in given:
            single = isinstance(param, click.Option) and not (param.multiple or param.is_flag)
            if single and given.count(param) > 1:
                name = max(param.opts, key=len)
                raise InputError(f"{name}: expected one value, got {given.count(param)}")
        return super().parse_args(ctx, repeated)

    def is_value(self, argument: str) -> bool:
        """Whether what follows the values of an option is one more."""
        return True


def _expand_paths(
    context: click.Context, parameter: click.Parameter, arguments: Sequence[str]
) -> list[str]:
    """Expand globs, as a shell would, and comma lists of files, as EASSE takes them."""
    return list(chain.from_iterable(map(_expand_path, arguments)))


def _expand_path(argument: str) -> list[str]:
    from textsimp.corpora.files import natural_key, note

    if os.path.exists(argument) or os.path.exists(argument.partition("=")[2]):
        return [argument]
    parts = argument.split(",")
    if len(parts) > 1 and any(os.path.exists(part) or glob.has_magic(part) for part in parts):
        return list(chain.from_iterable(map(_expand_path, parts)))
    is_glob = glob.has_magic(argument)  # otherwise ref may stand for ref.0, ref.1
    pattern = argument if is_glob else f"{argument}.[0-9]*"
    paths = sorted(glob.glob(pattern), key=natural_key)
    if is_glob and not paths:
        raise InputError(f"{argument}: no file has such a name")
    if paths:
        note(f"{argument}: {', '.join(paths)}")
    return paths or [argument]


_TEXTS = (
    click.option("-s", "--sources", type=FILE, help="Text file: one source per line."),
    click.option(
        "-p",
        "--predictions",
        type=FILE,
        multiple=True,
        metavar="[NAME=]FILE...",
        callback=_expand_paths,
        help="A system's outputs: text file, or table with a column of predictions; or a folder of "
        "text files or tables, one per system. Several files are several systems.",
    ),
    click.option(
        "-r",
        "--references",
        type=FILE,
        multiple=True,
        metavar="FILE...",
        callback=_expand_paths,
        help="Text files: one reference per line; or a folder of such files.",
    ),
    click.option(
        "-t",
        "--test-set",
        metavar="NAME|FOLDER",
        shell_complete=_complete_test_set,
        help="Sources and references: a test set that `textsimp hub datasets` lists; or a folder "
        "with source.txt and references/*.txt, or with files named as those of ASSET, TurkCorpus, "
        "HSplit, WikiSmall, WikiLarge, Newsela or TSAR.",
    ),
    click.option(
        "--data-dir",
        type=FILE,
        envvar="TEXTSIMP_DATA_DIR",
        show_envvar=True,
        help="Folder of test sets, each a folder of its own, to use instead of the Hub.",
    ),
)
_DATA = (
    click.option(
        "-d",
        "--data",
        type=FILE,
        metavar="FILE|DATASET",
        help="Sources, references and predictions as columns of one JSONL, JSON, CSV, TSV, "
        "parquet or Excel file, or of a dataset: a folder, or a name on the Hugging Face Hub.",
    ),
    click.option("--config", help="Configuration of the dataset."),
    click.option("--split", help="Split of the dataset. Default: test."),
    click.option("-S", "--source-column", metavar="COLUMN", help="Default: source, or sources."),
)
_PREDICTION = click.option(
    "-P",
    "--prediction-column",
    multiple=True,
    metavar="[NAME=]COLUMN",
    help="Of -d; repeat it for several systems. With tables of -p the column of all, or of the "
    "system NAME. Default: prediction, or predictions.",
)
_SYSTEM = click.option(
    "--system-column",
    metavar="COLUMN",
    help="The column that names the system of each row, in a table with a row for each source and "
    "system. Default: system, if it has several names; '' for none.",
)
_IDS = (
    click.option(
        "--id",
        "ids",
        multiple=True,
        metavar="COLUMN",
        help="The column of ids by which the tables of -d and -p are joined; repeat it for ids of "
        "several columns. Default: id, if all files are tables that have it; '' for none.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["error", "empty", "skip"]),
        help="Ids that a system lacks are an error (the default), have an empty output, or are "
        "left out of all systems.",
    ),
)
_FURTHER = (
    click.option(
        "-R",
        "--reference-column",
        multiple=True,
        metavar="COLUMN",
        help="Of texts, or of lists of texts. Repeat it for several references. Default: "
        "references, or reference; or reference 1, reference 2, …",
    ),
    click.option(
        "-c",
        "--column",
        "columns",
        multiple=True,
        metavar="NAME=COLUMN",
        help="Of what else a metric reads, where COLUMN isn't called NAME: in the tables of -p if "
        "it is of a system, else in that of -d. Of passages COLUMN may be a folder of parses, or a "
        "file with a parse, or the path of one, per line.",
    ),
)
scores_option = click.option(
    "--scores",
    type=FILE,
    multiple=True,
    metavar="FILE...",
    help="Tables, or folders of JSONL files, with the columns of `-m column:COLUMN`: a row per "
    "output, or per rater's answer, with its source and prediction.",
)


def data_options(command: Command) -> Command:
    """Give a command the options that `read_data` takes."""
    for option in reversed((*_TEXTS, *_DATA, _PREDICTION, _SYSTEM, *_IDS, *_FURTHER)):
        command = option(command)
    return command


def column_options(command: Command) -> Command:
    """Give a command the options of one table that `read_columns` takes."""
    one = click.option(
        "-P", "--prediction-column", metavar="COLUMN", help="Default: prediction, or predictions."
    )
    for option in reversed((*_DATA, one, *_FURTHER)):
        command = option(command)
    return command


def read_columns(
    declared: Sequence[Column],
    *,
    source_column: str | None,
    prediction_column: str | None,
    reference_column: Sequence[str],
    columns: Sequence[str],
    **files: Any,
) -> tuple[Table, dict[str, list[Any]]]:
    """Read the table that the options of `column_options` name, and its declared columns."""
    from textsimp.corpora import reading

    named = _columns(
        columns,
        sources=[source_column] if source_column else [],
        predictions=[prediction_column] if prediction_column else [],
        references=reference_column,
    )
    request = reading.Request(**files, columns=named, advice=_advice({"": declared}))
    return reading.read_columns(request, declared)


def file_arguments(context: click.Context, files: Mapping[str, Any]) -> list[str]:
    """Return the options of `data_options` that name these files, for another command."""
    arguments = []
    for option in context.command.params:
        values = files.get(option.name or "") or ()
        for value in [values] if isinstance(values, str) else values:
            arguments += [option.opts[0], str(value)]
    return arguments


def read_data(
    readers: Readers,
    *,
    predictions: Sequence[str] = (),
    source_column: str | None = None,
    prediction_column: Sequence[str] = (),
    reference_column: Sequence[str] = (),
    columns: Sequence[str] = (),
    ids: Sequence[str] = (),
    **files: Any,
) -> Examples:
    """Read the files and columns that the options of `data_options` name."""
    from textsimp.corpora import reading

    named = _columns(
        columns, sources=[source_column] if source_column else [], references=reference_column
    )
    path_columns = {column.name for column in chain(*readers.values()) if column.read}
    paths = {
        name: names[0]
        for name, names in named.items()
        if name in path_columns
        and len(names) == 1
        and (os.path.exists(names[0]) or not files.get("data"))
    }
    request = reading.Request(
        **files,
        systems=_systems(predictions, prediction_column),
        ids=[name for name in ids if name] if ids else None,
        columns={name: names for name, names in named.items() if name not in paths},
        files=paths,
        advice=_advice(readers),
    )
    _check(request, readers)
    return reading.read(request, readers)


def read_scored(readers: Readers, *, scores: Sequence[str], **files: Any) -> Examples:
    """Read data as `read_data` does, and columns of numbers from the files of ``--scores``."""
    if not scores:
        return read_data(readers, **files)
    from textsimp.core.declarations import PREDICTIONS, SOURCES
    from textsimp.judgements import matching as outputs

    declared = chain.from_iterable(readers.values())
    numbers = {c.name: c for c in declared if c.own and c.required and c.kind == "ratings"}
    if not numbers:
        raise InputError("--scores: expected columns that it has, as in -m column:COLUMN, got none")
    others = {
        reader: [column for column in declared if column.name not in numbers]
        for reader, declared in readers.items()
    }
    examples = read_data({**others, "--scores": [SOURCES.optional, PREDICTIONS]}, **files)
    return outputs.add_columns(examples, tables_in(scores), [*numbers.values()])


def check_outputs(
    outputs: Sequence[Path],
    *,
    sources: str | None = None,
    predictions: Sequence[str] = (),
    references: Sequence[str] = (),
    test_set: str | None = None,
    data: str | None = None,
    **files: Any,
) -> None:
    """Check that no output is one of the files that the options of `data_options` name."""
    systems = [system_of(argument).file for argument in predictions]
    named = [sources, *systems, *references, test_set, data]
    read = [Path(name).resolve() for name in named if name and os.path.exists(name)]
    for output in outputs:
        written = output.resolve()
        folders = written.parents if written.suffix == ".txt" and written.exists() else ()
        if any(path == written or path in folders for path in read):
            raise InputError(f"{output} is read by this command: write to another file")


def one_system(data: Examples, command: str) -> str:
    """Return the name of the only system."""
    if len(data.systems) > 1:
        raise InputError(f"{command} takes one system, got {', '.join(data.systems)}")
    return next(iter(data.systems))


def tables_in(paths: Sequence[str | Path]) -> list[str]:
    """Return files, and for each folder its ``.jsonl`` files, as annotators' folders have them."""
    files: list[str] = []
    for path in paths:
        inside = [str(path)]
        if os.path.isdir(path):
            inside = sorted(str(file) for file in Path(path).glob("[!.]*.jsonl"))
        if not inside:
            raise InputError(f"{path}: a folder without .jsonl files")
        files += inside
    return files


def system_of(argument: str) -> System:
    """Read NAME=FILE, or a file alone."""
    from textsimp.corpora.reading import System

    name, equals, file = argument.partition("=")
    if equals and name and file and not os.path.exists(argument):
        return System(file, name=name)
    return System(argument)


def _systems(predictions: Sequence[str], columns: Sequence[str]) -> list[System]:
    """Return the systems of ``-p`` and ``-P``, which with tables of ``-p`` has their columns."""
    from textsimp.corpora.files import text_name
    from textsimp.corpora.reading import System, systems_in
    from textsimp.corpora.tables import is_table

    systems = [one for argument in predictions for one in systems_in(system_of(argument))]
    names = [system.name or text_name(system.file or "") for system in systems]
    tables = [name for name, one in zip(names, systems, strict=True) if is_table(one.file or "")]
    if not tables:
        return systems + [System(column=column) for column in columns]
    chosen = run_columns(columns, tables)
    return [
        replace(system, column=chosen.get(name))
        for name, system in zip(names, systems, strict=True)
    ]


def run_columns(arguments: Sequence[str], runs: Sequence[str]) -> dict[str, str]:
    """Return run → its column of outputs, from COLUMN for all of them and RUN=COLUMN."""
    usual = [argument for argument in arguments if "=" not in argument]
    if len(usual) > 1:
        raise InputError(f"--prediction-column: expected one for all runs, got {listed(usual)}")
    chosen = dict.fromkeys(runs, *usual) if usual else {}
    for argument in arguments:
        run, equals, column = argument.partition("=")
        if equals:
            check_choice("--prediction-column: run", run, runs)
            chosen[run] = column
    return chosen


def _columns(arguments: Sequence[str], **usual: Sequence[str]) -> dict[str, list[str]]:
    """Column → its names in tables, of each NAME=COLUMN and of options of their own."""
    names = {name: list(given) for name, given in usual.items() if given}
    for argument in arguments:
        name, equals, column = argument.partition("=")
        if not (name and equals and column):
            raise InputError(f"-c: expected NAME=COLUMN, got {argument!r}")
        if name in _GIVE:
            raise InputError(f"-c {name}: give --{name.removesuffix('s')}-column")
        names.setdefault(name, []).append(column)
    return names


def _advice(readers: Readers) -> dict[str, str]:
    """The ends of messages on the command line."""
    advice = dict(_ADVICE)
    for column in chain.from_iterable(readers.values()):
        name = column.name
        option = f"--{name.removesuffix('s')}-column" if name in _GIVE else f"-c {name}=COLUMN"
        option += ", FILE or FOLDER" if column.read else ""
        advice[f"choose {name}"] = f": choose with {option}"
        advice[f"give {name}"] = _GIVE.get(name, f": give -d DATA, which has it, or {option}")
    return advice


def _check(request: Request, readers: Readers) -> None:
    """Check that the options go together."""
    from textsimp.corpora.tables import is_table

    data, sources, references = request.data, request.sources, [*request.references]
    files = [system.file for system in request.systems if system.file]
    of_columns = any(system.column for system in request.systems)
    named = {"sources", "references"} & {*request.columns}
    all_shared = request.test_set or (sources and references)
    elsewhere = (*_GIVE, *request.files)
    needs_data = any(not c.own and c.name not in elsewhere for c in chain(*readers.values()))
    no_table = not data and not any(map(is_table, files))
    wrong = {
        "--config and --split are of a dataset: give -d DATASET": not data
        and (request.config or request.split),
        "-t gives sources and references: leave out -s and -r": request.test_set
        and (sources or references),
        "--source-column and -s or -t both give the sources: leave one out": "sources" in named
        and (sources or request.test_set),
        "--reference-column and -r or -t both give references: leave one out": "references" in named
        and (references or request.test_set),
        "--source-column and --reference-column need a table: give -d DATA": named and not data,
        "--column needs a table: give -d DATA": no_table and {*request.columns} - named,
        "-d gives nothing that -s, -r, -t and -p don't: leave it out": data
        and (all_shared and files and not of_columns and not needs_data),
        "--prediction-column needs a table: give -d DATA": of_columns and no_table,
        "--system-column needs a table: give -d DATA or -p TABLE": request.system_column
        and no_table,
    }
    for message, bad in wrong.items():
        if bad:
            raise InputError(message)
