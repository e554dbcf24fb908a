"""Options for sources, predictions and references, and reading what they name."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from textsimp.cli.functions import function_options
from textsimp.support.errors import InputError
from textsimp.support.parsing import MINUS

if TYPE_CHECKING:  # what reads files is imported when files are read, so --help answers at once
    from textsimp.core.examples import Examples
    from textsimp.corpora.reading import Readers

__all__ = ["DataCommand", "column_options", "data_options", "one_system", "read_data", "tables_in"]


_NUMBER = re.compile(rf"[-{MINUS}]?[\d.]+", re.ASCII)
NO_CHECK = click.option("--no-check", is_flag=True, help="Don't check the texts for problems.")


class DataCommand(click.Command):
    """A command whose repeatable options take several values: ``-r 0.txt 1.txt -m sari bleu``.

    If the command has an argument, a number after them is it, as in ``explain -r refs 41.2``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse with such an option repeated before each of its values; others are given once."""
        names = {
            o for param in self.params if getattr(param, "multiple", False) for o in param.opts
        }
        repeated: list[str] = []
        takes_number = any(isinstance(param, click.Argument) for param in self.params)
        option, is_first = "", True
        for arg in args:
            if arg.startswith("-") and arg != "-":
                name = arg.partition("=")[0] if arg.startswith("--") else arg[:2]
                option, is_first = (name if name in names else ""), arg == name
            elif option and not (takes_number and _NUMBER.fullmatch(arg)):
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


def _expand_paths(
    context: click.Context, parameter: click.Parameter, arguments: Sequence[str]
) -> list[str]:
    """Expand globs, as a shell would, and comma lists of files, as EASSE takes them."""
    return list(chain.from_iterable(map(_expand_path, arguments)))


def _expand_path(argument: str) -> list[str]:
    from textsimp.corpora.files import natural_key, note

    name, _, file = argument.partition("=")
    if os.path.exists(argument) or os.path.exists(file):
        return [argument]
    if glob.has_magic(file) and not glob.has_magic(name):  # the runs of a system
        return [f"{name}={path}" for path in _expand_path(file)]
    parts = argument.split(",")
    if len(parts) > 1 and any(os.path.exists(part) or glob.has_magic(part) for part in parts):
        return list(chain.from_iterable(map(_expand_path, parts)))
    if not glob.has_magic(argument):
        return [argument]
    paths = sorted(glob.glob(argument), key=natural_key)
    if not paths:
        raise InputError(f"{argument}: no file has such a name")
    note(f"{argument}: {', '.join(paths)}")
    return paths


_DATA = {
    "data": "-d --data FILE|DATASET",
    "config": "",
    "split": "",
    "source_column": "-S --source-column COLUMN",
}
_FURTHER = {
    "reference_column": "-R --reference-column COLUMN",
    "columns": "-c --column NAME=COLUMN",
}
data_options = function_options(
    "textsimp.corpora.file_arguments:make_request",
    into=None,
    more={
        "predictions": {"callback": _expand_paths},
        "references": {"callback": _expand_paths},
        "data_dir": {"envvar": "TEXTSIMP_DATA_DIR", "show_envvar": True},
    },
    sources="-s --sources FILE",
    predictions="-p --predictions [NAME=]FILE...",
    references="-r --references FILE...",
    test_set="-t --test-set NAME|FOLDER",
    data_dir="--data-dir FOLDER",
    **_DATA,
    prediction_column="-P --prediction-column [NAME=]COLUMN",
    system_column="--system-column COLUMN",
    ids="--id COLUMN",
    missing="",
    **_FURTHER,
)
"""Give a command the options that `read_data` takes."""
column_options = function_options(
    "textsimp.corpora.file_arguments:read_columns",
    into=None,
    **_DATA,
    prediction_column="-P --prediction-column COLUMN",
    **_FURTHER,
)
"""Give a command the options of one table that `read_columns` takes."""


def file_arguments(context: click.Context, files: Mapping[str, Any]) -> list[str]:
    """Return the options of `data_options` that name these files, for another command."""
    arguments = []
    for option in context.command.params:
        values = files.get(option.name or "") or ()
        for value in [values] if isinstance(values, str) else values:
            arguments += [option.opts[0], str(value)]
    return arguments


def read_data(readers: Readers, **files: Any) -> Examples:
    """Read what the options of `data_options` name."""
    from textsimp.cli.score_systems import name_runs
    from textsimp.corpora import file_arguments, reading

    _, runs_of = name_runs(files["predictions"])
    for name in runs_of:
        raise InputError(
            f"{name} has several files, as its runs: only score, compare and explain take runs. "
            "Give each file a name of its own"
        )
    return reading.read(file_arguments.make_request(readers, **files), readers)


def one_system(data: Examples, command: str) -> str:
    """Return the name of the only system."""
    if len(data.systems) > 1:
        raise InputError(f"{command} takes one system, got {', '.join(data.systems)}")
    return next(iter(data.systems))


_IN_FOLDERS = (
    "user_state.json",  # of Potato, as the next two
    "*/user_state.json",
    "*/annotated_instances.jsonl",
    "[!.]*.jsonl",
)


def tables_in(paths: Sequence[str | Path]) -> list[str]:
    """Return files, and for each folder its ``.jsonl`` files, or those of Potato's raters in it."""
    files: list[str] = []
    for path in paths:
        inside = [str(path)]
        if os.path.isdir(path):
            found = (sorted(Path(path).glob(pattern)) for pattern in _IN_FOLDERS)
            inside = [str(file) for file in next(filter(None, found), [])]
        if not inside:
            raise InputError(f"{path}: a folder without .jsonl files")
        files += inside
    return files
