"""Extensions: commands, metrics and more that packages beside the core declare by entry points.

A declaration is made of strings, so reading it imports nothing heavy. The core reads no entry
point until it needs a list or meets an unknown name: importing `importlib.metadata` takes 25 ms.
"""

import functools
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from textsimp.support.errors import InputError
from textsimp.support.imports import import_place

__all__ = ["Command", "Extension"]

GROUP = "textsimp.extensions"
"""The entry point group of `Extension` objects."""
METRICS_GROUP = "textsimp.metrics"
"""The entry point group of single metrics."""
BUNDLED = ("people", "judges", "tasks", "models", "audits")
"""The extensions that textsimp contains, in the order of their commands and metrics."""
_PACKAGE = "textsimp"


class ExtensionWarning(UserWarning):
    """Something of an extension can't be imported, and is left out."""


@dataclass(frozen=True)
class Command:
    """A command of an extension.

    Attributes:
        place: Where its `click.Command` is: ``MODULE:ATTRIBUTE``.
        about: Its line in ``textsimp --help``.
        section: The heading above that line.
    """

    place: str
    about: str
    section: str = "Extensions"


@dataclass(frozen=True)
class Extension:
    """What a package adds. Places are strings, ``MODULE:ATTRIBUTE``, imported when used.

    A package names such an object in the entry point group ``textsimp.extensions``.

    Attributes:
        commands: Name → command; ``"hub models"`` is a subcommand of ``hub``.
        metrics: Name → place of a metric's class.
        aligners: Name → place of a function that returns a
            `textsimp.text.sentence_alignment.Similarity` for the model in ``NAME:MODEL``.
        figures: Kind → place of a function that `textsimp.figure` calls with its arguments. It
            returns a `textsimp.report.charts.Chart`.
        report: Place of a `click.Command` whose options ``textsimp report`` has, too, or "". It
            returns ratings for `textsimp.report.html`, or None.
        statements: Places of functions of files, a scheme and a plan, which yield questions and
            sentences for `textsimp.statement`.

    Example:
        >>> from textsimp.support.extensions import Command, Extension
        >>> EXTENSION = Extension(
        ...     commands={"shout": Command("shouting:shout", "Print texts in capitals.")},
        ...     metrics={"capitals": "shouting:Capitals"},
        ... )
    """

    commands: Mapping[str, Command] = field(default_factory=dict)
    metrics: Mapping[str, str] = field(default_factory=dict)
    aligners: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    report: str = ""
    statements: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name, command in self.commands.items():
            if not isinstance(command, Command):
                raise InputError(f"commands: {name}: expected a Command, got {command!r}")


@dataclass(frozen=True)
class Installed:
    """An installed extension; an empty one with the ``error`` if it can't be imported."""

    name: str
    package: str
    extension: Extension
    error: str = ""


@dataclass(frozen=True)
class Declaration:
    """What a package declares by a name."""

    value: Any  # a place or a `Command`
    package: str
    rival: str = ""  # another package that declares the same name


@functools.cache
def installed() -> tuple[Installed, ...]:
    """Return the installed extensions: those of textsimp first, then others by package."""
    from importlib.metadata import entry_points

    every = entry_points()
    entries = [*every.select(group=GROUP), *every.select(group=METRICS_GROUP)]
    return tuple(sorted(map(_read, entries), key=_order))


def _read(entry: Any) -> Installed:
    """Import the declaration of an entry point."""
    package = entry.dist.name if entry.dist else entry.value
    if entry.group == METRICS_GROUP:
        return Installed(entry.name, package, Extension(metrics={entry.name: entry.value}))
    try:
        extension = import_place(entry.value, package)
    except ImportError as reason:
        return Installed(entry.name, package, Extension(), str(reason))
    if not isinstance(extension, Extension):
        error = f"{entry.value} of the package {package}: expected an Extension, got {extension!r}"
        return Installed(entry.name, package, Extension(), error)
    return Installed(entry.name, package, extension)


def _order(extension: Installed) -> tuple[int, str, str]:
    bundled = extension.package == _PACKAGE and extension.name in BUNDLED
    place = BUNDLED.index(extension.name) if bundled else len(BUNDLED)
    return place, extension.package, extension.name


def declarations(kind: str) -> dict[str, Declaration]:
    """Return name → declaration, of commands, metrics, aligners or figures.

    Of equal names textsimp's own is taken. `load` raises an error if other packages share a name.
    """
    result: dict[str, Declaration] = {}
    for extension in installed():
        for name, value in getattr(extension.extension, kind).items():
            first = result.setdefault(name, Declaration(value, extension.package))
            if first.package not in (_PACKAGE, extension.package):
                result[name] = replace(first, rival=extension.package)
    return result


def load(kind: str, name: str) -> Any:
    """Import what an extension declares by a name; None if no extension declares it."""
    declaration = declarations(kind).get(name)
    if declaration is None:
        return None
    if declaration.rival:
        raise InputError(
            f"{name!r} is in the {kind} of two packages, {declaration.package} and "
            f"{declaration.rival}: uninstall one of them"
        )
    value = declaration.value
    return import_place(getattr(value, "place", value), declaration.package)


def load_each(kind: str) -> Iterator[Any]:
    """Import what extensions add to the report or to statements; warn of what can't be."""
    for extension in installed():
        places = getattr(extension.extension, kind)
        for place in [places] if isinstance(places, str) else places:
            if not place:
                continue
            try:
                yield import_place(place, extension.package)
            except ImportError as error:
                warnings.warn(str(error), ExtensionWarning, stacklevel=2)


def broken() -> list[str]:
    """Return why extensions can't be used, a sentence for each that can't be imported."""
    return [extension.error for extension in installed() if extension.error]
