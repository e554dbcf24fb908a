"""Groups of commands that are imported when they run, and to which extensions add theirs."""

import importlib
from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from textsimp.support import extensions
from textsimp.support.errors import nearest
from textsimp.support.extensions import Command

__all__ = ["ExtensibleGroup"]


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
