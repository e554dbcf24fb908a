"""The command line: one module per command, imported when the command runs.

- In: arguments of the shell, which a command turns into arguments of one public function.
- Out: what the function returns, as a table, JSON, CSV, LaTeX or Markdown, and an exit code.
- Read ``score.py`` first, then ``options.py``, which makes options of documented arguments.

So ``textsimp --help`` and completion answer at once.
"""

import contextlib
import errno
import importlib
import re
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import click

from textsimp.support.errors import InputError, nearest, one_line
from textsimp.support.files import AlreadyThere
from textsimp.support.version import __version__


class BadInput(click.ClickException):
    """One sentence on standard error, and exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


SECTIONS = {
    "Scores": ("score", "compare", "power", "merge", "explain", "task", "statement", "demo"),
    "Outputs": ("check", "report", "audit", "errors", "rate", "ratings", "judge"),
    "Metrics": ("metrics", "meta", "hub"),
    "Corpora": ("split", "documents"),
}
"""Heading of ``--help`` → its commands."""


EXTENSIONS = {
    "task": "tasks",
    "audit": "audits",
    "errors": "people",
    "rate": "people",
    "ratings": "people",
    "judge": "judges",
    "meta": "people",
}
"""Command → the extension that has it."""


def _module(command: str) -> str:
    if command in EXTENSIONS:
        return f"textsimp.extensions.{EXTENSIONS[command]}.cli.{command}"
    return "textsimp.cli.score" if command == "compare" else f"textsimp.cli.{command}"


def first_line(command: str) -> str:
    """Return the first line of a command's help, from its file, which isn't imported."""
    file = Path(__file__).parents[2].joinpath(*_module(command).split(".")).with_suffix(".py")
    code = file.read_text(encoding="utf-8")
    return re.split(rf'\ndef {command}\((?s:.*?)"""', code)[1].partition("\n")[0].strip('"')


class Commands(click.Group):
    """The commands. Bad input, files that can't be read and Ctrl-C end in one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in SECTIONS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command when it is first asked for."""
        if cmd_name in self.list_commands(ctx) and cmd_name not in self.commands:
            module = importlib.import_module(_module(cmd_name))
            self.add_command(getattr(module, cmd_name))
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Say which command a mistyped one may be."""
        if args[0] not in (names := self.list_commands(ctx)):
            ctx.fail(f"No such command {args[0]!r}{nearest(args[0], names)}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, section in SECTIONS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, first_line(name)) for name in section])

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
    from textsimp.core.examples import ScriptWarning

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


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
)
@click.version_option(__version__, prog_name="textsimp")
def main() -> None:
    """Measure text simplification, in numbers that can be compared.

    \b
    Begin with:
      textsimp score -s source.txt -p system.txt -r reference.txt
      textsimp COMMAND --help
    """
