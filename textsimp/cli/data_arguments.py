"""Options for sources, predictions and references, and for the subsets of a corpus.

`data_reading` reads the files; commands import it when they run, so ``--help`` answers at once.
"""

from __future__ import annotations

import glob
import os
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from textsimp.cli.options import Callback, add_options, combined_options
from textsimp.support.arguments import Argument, documented_arguments
from textsimp.support.errors import InputError, check_choice, listed
from textsimp.support.parsing import MINUS

if TYPE_CHECKING:
    from textsimp.core.examples import Examples

__all__ = [
    "DataCommand",
    "Files",
    "column_options",
    "data_options",
    "one_system",
    "run_columns",
]

File = str | Path

_NUMBER = re.compile(rf"[-{MINUS}]?[\d.]+", re.ASCII)
_PATTERNS = {"-s", "--sources", "-d", "--data"}  # options whose one value may be a pattern
NO_CHECK = click.option("--no-check", is_flag=True, help="Don't check the texts for problems.")


class DataCommand(click.Command):
    """A command whose repeatable options take several values: ``-r 0.txt 1.txt -m sari bleu``.

    If the command has an argument, a number after them is it, as in ``explain -r refs 41.2``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse with such an option repeated before each of its values; others are given once."""
        takes_number = any(isinstance(param, click.Argument) for param in self.params)
        names = {
            o for param in self.params if getattr(param, "multiple", False) for o in param.opts
        }
        names |= set() if takes_number else _PATTERNS  # which a shell expands unless quoted
        repeated: list[str] = []
        option, is_first = "", True
        for arg in args:
            if arg.startswith("-") and arg != "-":
                name = arg.partition("=")[0] if arg.startswith("--") else arg[:2]
                option, is_first = (name if name in names else ""), arg == name
            elif option and not (takes_number and _NUMBER.fullmatch(arg)):
                repeated += [] if is_first else [option]
                is_first = False
            repeated.append(arg)
        _, _, params = self.make_parser(ctx).parse_args([*repeated])
        for param in params:
            single = isinstance(param, click.Option) and not (param.multiple or param.is_flag)
            if single and params.count(param) > 1:
                name = max(param.opts, key=len)
                advice = ": put a pattern in quotes" if name in _PATTERNS else ""
                raise InputError(f"{name}: expected one value, got {params.count(param)}{advice}")
        return super().parse_args(ctx, repeated)


def _expand_paths(arguments: Iterable[str | Path]) -> list[str]:
    """Expand globs, as a shell would, and comma lists of files, as EASSE takes them."""
    paths: list[str] = []
    for argument in map(str, arguments):
        name, _, file = argument.partition("=")
        parts = argument.split(",")
        if os.path.exists(argument) or os.path.exists(file):
            paths.append(argument)
        elif glob.has_magic(file) and not glob.has_magic(name):  # the runs of a system
            paths += [f"{name}={path}" for path in _expand_paths([file])]
        elif parts[1:] and any(os.path.exists(part) or glob.has_magic(part) for part in parts):
            paths += _expand_paths(parts)
        elif glob.has_magic(argument):
            paths += _find_files(argument)
        else:
            paths.append(argument)
    return paths


def _find_files(pattern: str) -> list[str]:
    from textsimp.corpora.text_files import natural_key
    from textsimp.support.progress import note

    paths = sorted(glob.glob(pattern), key=natural_key)
    if not paths:
        raise InputError(f"{pattern}: no file has such a name")
    note(f"{pattern}: {', '.join(paths)}")
    return paths


@dataclass(frozen=True)
class Files:
    """Where sources, predictions and references are.

    Attributes:
        sources: Text file: one source per line. 'source.*' is a file that ``split -l`` cut; then a
            pattern after -p or -r is one system or reference.
        predictions: A system's outputs: text file, or table with a column of predictions; or a
            folder of text files or tables, one per system. Several files are several systems;
            those of one NAME are its runs.
        references: Text files: one reference per line; or a folder of such files.
        test_set: Sources and references: a test set that `textsimp hub datasets` lists; or a folder
            with source.txt and references/*.txt, or with files named as those of ASSET, TurkCorpus,
            HSplit, WikiSmall, WikiLarge, Newsela or TSAR.
        data_dir: Folder of test sets, each a folder of its own, to use instead of the Hub. Default:
            the environment variable TEXTSIMP_DATA_DIR.
        data: Sources, references and predictions as columns of a JSONL, JSON, CSV, TSV, parquet or
            Excel file, of a dataset (folder, or name on the Hugging Face Hub), or of 'shards/*'; or
            a log of lm-eval or inspect-ai, or a folder of logs, one per model.
        config: Configuration of the dataset.
        split: Split of the dataset. Default: test.
        source_column: Default: source, or sources.
        prediction_column: Of -d, for each system. With tables of -p the column of all, or of the
            system NAME. Default: prediction, or predictions.
        system_column: The column that names the system of each row, in a table with a row for each
            source and system. Default: system, if it has several names; '' for none.
        ids: The column of ids by which the tables of -d and -p are joined. Default: id, if all
            files are tables that have it; '' for none.
        missing: Ids that a system lacks are an error (the default), have an empty output, or are
            left out of all systems.
        reference_column: Of texts, or of lists of texts. Default: references, or reference; or
            reference 1, reference 2, …
        columns: Of what else a metric reads, where COLUMN isn't called NAME: in the tables of -p if
            it is of a system, else in that of -d. Of passages COLUMN may be a file with a parse per
            line.
    """

    sources: str | Path | None = None
    predictions: Sequence[str | Path] = ()
    references: Sequence[str | Path] = ()
    test_set: str | None = None
    data_dir: str | Path | None = None
    data: str | Path | None = None
    config: str | None = None
    split: str | None = None
    source_column: str | None = None
    prediction_column: Sequence[str] = ()
    system_column: str | None = None
    ids: Sequence[str] = ()
    missing: Literal["error", "empty", "skip"] | None = None
    reference_column: Sequence[str] = ()
    columns: Sequence[str] = ()

    @property
    def shards(self) -> str:
        """The name after -d or -s that stands for shards, if any."""
        from textsimp.corpora.shards import is_sharded
        from textsimp.corpora.text_files import is_pattern

        if self.data and is_sharded(self.data, self.config, self.split):
            return str(self.data)
        return str(self.sources) if self.sources and is_pattern(self.sources) else ""


_FLAGS = {
    "sources": "-s --sources FILE",
    "predictions": "-p --predictions [NAME=]FILE...",
    "references": "-r --references FILE...",
    "test_set": "-t --test-set NAME|FOLDER",
    "data_dir": "--data-dir FOLDER",
    "data": "-d --data FILE|DATASET",
    "source_column": "-S --source-column COLUMN",
    "prediction_column": "-P --prediction-column [NAME=]COLUMN",
    "system_column": "--system-column COLUMN",
    "ids": "--id COLUMN",
    "reference_column": "-R --reference-column COLUMN",
    "columns": "-c --column NAME=COLUMN",
}


_ARGUMENTS = documented_arguments(Files)


def _name_files(**options: Any) -> Files:
    """Return the files that the options of `data_options` name."""
    options["data_dir"] = options["data_dir"] or os.environ.get("TEXTSIMP_DATA_DIR")
    files = Files(**options)
    return files if files.shards else expand(files)


def expand(files: Files) -> Files:
    """Return the same with the files of patterns, each a system or reference of its own."""
    predictions, references = _expand_paths(files.predictions), _expand_paths(files.references)
    return replace(files, predictions=predictions, references=references)


data_options = combined_options("files", [*_ARGUMENTS.values()], _FLAGS, _name_files)
"""Gives a command the options that `Files` describes; it gets them as ``files``."""


def column_options(command: Callback) -> Callback:
    """Give a command the options of one table that `read_columns` takes."""
    about = "Default: prediction, or predictions."
    prediction = Argument("prediction_column", str, default=None, about=about)
    arguments = _ARGUMENTS | {"prediction_column": prediction}
    names = ("data", "config", "split", "source_column", "prediction_column", "reference_column")
    flags = _FLAGS | {"prediction_column": "-P --prediction-column COLUMN"}
    return add_options([arguments[name] for name in (*names, "columns")], flags, command)


def file_arguments(context: click.Context, files: Files) -> list[str]:
    """Return the options of `data_options` that name these files, for another command."""
    arguments = []
    for option in context.command.params:
        values = getattr(files, option.name or "", None) or ()
        for value in [values] if isinstance(values, str) else values:
            arguments += [option.opts[0], str(value)]
    return arguments


def check_command(files: Files) -> str:
    """Return the line for a shell that checks these files."""
    arguments = file_arguments(click.get_current_context(), files)
    return shlex.join(["textsimp", "check", *arguments])


def run_columns(arguments: Sequence[str], runs: Sequence[str]) -> dict[str, str]:
    """Return run → its column of outputs, from COLUMN for all runs and RUN=COLUMN for one."""
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


def one_system(data: Examples, command: str) -> str:
    """Return the name of the only system."""
    if len(data.systems) > 1:
        raise InputError(f"{command} takes one system, got {', '.join(data.systems)}")
    return next(iter(data.systems))


# Subsets of a corpus, such as train.jsonl and test.jsonl -----------------------------------------

SUBSET_PARAMETERS: list[click.Parameter] = [
    click.Argument(["subsets"], nargs=-1, metavar="[SUBSET]..."),
    click.Option(
        ["-d", "--data"],
        metavar="FILE|DATASET",
        help="Instead of subsets: one of them, or a dataset, also by its name on the Hugging Face "
        "Hub.",
    ),
    click.Option(["--config"], metavar="NAME", help="Configuration of the dataset."),
]


def choose_subsets(subsets: Sequence[str], data: str | None) -> Sequence[str] | str:
    """Return the subsets, or what -d names."""
    if bool(subsets) == (data is not None):
        raise InputError("expected subsets, or one file or dataset after -d")
    return subsets if data is None else data
