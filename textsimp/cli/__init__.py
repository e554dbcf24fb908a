"""The command line: one module per command.

Functions import slow modules themselves, so that ``--help`` and completion answer at once.
"""

from __future__ import annotations

import contextlib
import errno
import signal
import warnings
from collections.abc import Iterator
from typing import Any, TextIO

import click

from textsimp.cli.audit import audit
from textsimp.cli.check import check
from textsimp.cli.demo import demo
from textsimp.cli.documents import documents
from textsimp.cli.errors import errors
from textsimp.cli.explain import explain
from textsimp.cli.hub import hub
from textsimp.cli.merge import merge
from textsimp.cli.meta import meta
from textsimp.cli.metrics import metrics
from textsimp.cli.options import add_output
from textsimp.cli.power import power
from textsimp.cli.report import report
from textsimp.cli.score import compare, score
from textsimp.cli.split import split
from textsimp.core.examples import ScriptWarning
from textsimp.support.errors import InputError, one_line
from textsimp.support.files import AlreadyThere
from textsimp.support.version import __version__


class BadInput(click.ClickException):
    """One sentence on standard error, and exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


SECTIONS: dict[str, tuple[click.Command, ...]] = {
    "Scores": (score, compare, power, merge, explain, demo),
    "Outputs": (check, report, audit, errors),
    "Metrics": (metrics, meta, hub),
    "Corpora": (split, documents),
}
"""Heading of ``--help`` → its commands."""


class Commands(click.Group):
    """The commands. Bad input, files that can't be read and Ctrl-C end in one sentence."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, section in SECTIONS.items():
            with formatter.section(heading):
                lines = [(one.name or "", one.get_short_help_str(limit=200)) for one in section]
                formatter.write_dl(lines)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _one_sentence():  # this prints --help
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _one_sentence(), warnings.catch_warnings():
            warnings.showwarning = _show
            return super().invoke(ctx)


_show_as_python_does = warnings.showwarning


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a `ScriptWarning` as one line, and other warnings as Python does."""
    if issubclass(category, ScriptWarning):
        click.echo(f"Warning: {message}", err=True)
    else:
        _show_as_python_does(message, category, filename, lineno, file, line)


@contextlib.contextmanager
def _one_sentence() -> Iterator[None]:
    try:
        yield
    except AlreadyThere as error:
        raise BadInput(str(error).replace("overwrite=True", "--force")) from error
    except InputError as error:
        raise BadInput(str(error)) from error
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise  # the reader closed the pipe: click ends silently
        where = "reading or writing failed" if error.filename is None else error.filename
        raise BadInput(f"{where}: {error.strerror or error}") from error
    except KeyboardInterrupt:
        click.echo("\nInterrupted", err=True)
        raise click.exceptions.Exit(128 + signal.SIGINT) from None
    except ImportError as error:
        if error.__cause__ is None:
            raise
        raise BadInput(str(error)) from error  # an extra that isn't installed
    except click.UsageError as error:
        if "unexpected extra argument" in error.message:
            options = {p.name for p in error.ctx.command.params} if error.ctx else ()
            hint = ". Only -p and -r take several files." if "predictions" in options else ""
            message = one_line(error.message) + hint
            raise click.UsageError(message, error.ctx) from error
        raise


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="textsimp")
def main() -> None:
    """Measure text simplification, in numbers that can be compared.

    \b
    Begin with:
      textsimp score -s source.txt -p system.txt -r reference.txt
      textsimp COMMAND --help
    """


for section in SECTIONS.values():
    for command in section:
        add_output(command)
        main.add_command(command)
