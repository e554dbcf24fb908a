"""The command line: one module per command, imported when the command runs.

- In: arguments of the shell, which a command turns into arguments of one public function.
- Out: what the function returns, as a table, JSON, CSV, LaTeX or Markdown, and an exit code.
- Read ``score.py`` first, then ``score_run.py``, and ``options.py``, which makes options of
  documented arguments.

So ``textsimp --help`` and completion answer at once.
"""

import contextlib
import errno
import importlib
import signal
import warnings
from collections.abc import Iterator, Mapping
from typing import Any, TextIO

import click
from click.shell_completion import CompletionItem

from textsimp.support import extensions
from textsimp.support.errors import InputError, nearest, one_line
from textsimp.support.extensions import Command
from textsimp.support.files import AlreadyThere
from textsimp.support.version import __version__


class BadInput(click.ClickException):
    """One sentence on standard error, and exit code 2."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


_SECTIONS = {
    "Scores": {
        "score": "Score simplifications, with intervals and signatures.",
        "compare": "Compare systems with a baseline, score by score.",
        "power": "Say which difference between systems a test set can detect.",
        "merge": "Merge statistics of a corpus that was scored in pieces, and print its scores.",
        "explain": "Find the variant and options that give a printed SCORE.",
        "statement": "Answer the checklist of ACL Rolling Review from saved results.",
        "demo": "Score the example corpus of the package, and write a report.",
    },
    "Outputs": {
        "check": "Find data problems: lost lines, mixed tokenisation, what language models leave "
        "in outputs.",
        "figure": "Draw figures for papers, with their numbers.",
        "report": "Write a report on systems: one HTML file for the browser.",
    },
    "Metrics": {
        "metrics": "List the metrics; show variants, options and papers of some.",
        "hub": "Install modules for evaluate.load; list test sets, outputs and models.",
    },
    "Corpora": {
        "split": "Split a corpus, or measure how alike its subsets are.",
        "documents": "Measure documents: sizes, and sentences split, joined, added or moved.",
    },
}
_OF_SCORE = ("compare", "merge")  # whose file is that of ``score``
COMMANDS = {
    name: Command(f"textsimp.cli.{'score' if name in _OF_SCORE else name}:{name}", about, section)
    for section, lines in _SECTIONS.items()
    for name, about in lines.items()
}
"""Name → command, in the order of ``--help``; extensions declare others in the same way."""


class ExtensibleGroup(click.Group):
    """A group with commands of its own, declared ones, and those that extensions declare.

    A declaration has the command's line of ``--help``. So a command that can't be imported doesn't
    break the help of the group. Of equal names the first of these three is taken.

    Args:
        *args: Arguments of `click.Group`.
        path: Its name in the declarations of extensions: ``"hub"`` if they declare
            ``"hub models"``.
        declared: Name → command of the core.
        **kwargs: Arguments of `click.Group`.
    """

    def __init__(
        self,
        *args: Any,
        path: str = "",
        declared: Mapping[str, Command] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.path = path
        self.declared = declared or {}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; for an unknown one say which it may be, and what can't be imported."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        command: click.Command | None
        if cmd_name in self.declared:
            module, _, attribute = self.declared[cmd_name].place.partition(":")
            command = getattr(importlib.import_module(module), attribute)
        else:
            command = extensions.load("commands", f"{self.path} {cmd_name}".lstrip())
        if command is None and not ctx.resilient_parsing:  # as for the Tab key
            reasons = "".join(f" {reason}." for reason in extensions.broken())
            hint = nearest(cmd_name, self.list_commands(ctx))
            ctx.fail(f"No such command {cmd_name!r}{hint}.{reasons}")
        return command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self._declarations()]

    def _declarations(self) -> dict[str, Command]:
        """Return name → command, of all commands."""
        commands = {
            name: Command("", command.get_short_help_str(limit=200), "Commands")
            for name, command in self.commands.items()
        }
        commands |= self.declared
        for name, declaration in extensions.declarations("commands").items():
            path, _, last = name.rpartition(" ")
            if path == self.path:
                commands.setdefault(last, declaration.value)
        return commands

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the name of a command without importing any, or an option."""
        names = [
            CompletionItem(name, help=command.about)
            for name, command in self._declarations().items()
            if name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in their sections, and why extensions can't be imported."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name, command in self._declarations().items():
            sections.setdefault(command.section, []).append((name, command.about))
        for heading, lines in sections.items():
            with formatter.section(heading):
                formatter.write_dl(lines)
        if reasons := extensions.broken():
            with formatter.section("Not available"):
                for reason in reasons:
                    formatter.write_text(reason)


class Commands(ExtensibleGroup):
    """The commands. Bad input, files that can't be read and Ctrl-C end in one sentence."""

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
    """Print warnings for users as one line, and others as Python does."""
    if issubclass(category, UserWarning):
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
    cls=Commands,
    declared=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(__version__, prog_name="textsimp")
def main() -> None:
    """Measure text simplification, in numbers that can be compared.

    \b
    Begin with:
      textsimp score -s source.txt -p system.txt -r reference.txt
      textsimp COMMAND --help
    """
