"""Arguments of functions, as their signatures and docstrings declare them."""

import ast
import contextlib
import inspect
import re
import sys
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

__all__ = ["Argument", "documented_arguments"]

_ROOT = Path(__file__).parents[2]
REQUIRED = inspect.Parameter.empty
"""The default of an argument that has none."""
_KINDS = (Path, bool, int, float, str)


@dataclass(frozen=True, eq=False)
class Argument:
    """An argument of a function, which is an option of a command or a task."""

    name: str
    kind: type  # of its values, or of each of several
    choices: Sequence[Any] = ()  # empty for any of its kind
    several: bool = False
    default: Any = REQUIRED
    about: str = ""


def documented_arguments(function: Callable[..., Any], *docstrings: str) -> dict[str, Argument]:
    """Return name → argument, of those that a docstring's ``Args`` or ``Attributes`` describe.

    Args:
        function: A function, or a dataclass.
        *docstrings: Docstrings of other functions, which also describe arguments that have a
            default or are passed by keyword only.
    """
    docstring = inspect.getdoc(getattr(function, "func", function)) or ""  # of functools.partial
    described = _descriptions(docstring)
    elsewhere: dict[str, str] = {}
    for text in reversed(docstrings):  # the first one counts
        elsewhere |= _descriptions(text)
    arguments = {}
    for name, parameter in inspect.signature(function).parameters.items():
        passed_on = parameter.default is not REQUIRED or parameter.kind is parameter.KEYWORD_ONLY
        about = described.get(name) or (passed_on and elsewhere.get(name))
        if about:
            annotation = parameter.annotation
            if isinstance(annotation, str):
                with contextlib.suppress(NameError):  # of a name that is imported for types only
                    annotation = eval(annotation, vars(sys.modules[function.__module__]))
            kind = _kind(annotation) or (str, (), False)
            arguments[name] = Argument(name, *kind, parameter.default, about)
    return arguments


def read_docstring(place: str) -> str:
    """Return the docstring of ``MODULE:FUNCTION`` of textsimp, whose module isn't imported.

    So ``--help`` needs no NumPy.
    """
    module, _, name = place.partition(":")
    code = _ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    functions = [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
    (function,) = [node for node in functions if node.name == name]
    return ast.get_docstring(function) or ""


def _descriptions(docstring: str) -> dict[str, str]:
    """Return argument → its description."""
    section = re.split(r"^(?:Args|Attributes):\n", docstring, maxsplit=1, flags=re.MULTILINE)[1:]
    body = re.split(r"\n(?=\S)", section[0])[0] if section else ""
    entries = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", body, re.MULTILINE)
    return {
        name: " ".join(text.replace("``", "").split())
        for name, text in entries
        if not text.startswith("See `")
    }


def _kind(annotation: Any) -> tuple[type, tuple[Any, ...], bool] | None:
    """Return type, choices and whether several: files before texts, several values before one."""
    parts = get_args(annotation)
    if get_origin(annotation) is Literal:
        return type(parts[0]), parts, False
    if get_origin(annotation) in (Union, types.UnionType):
        kinds = filter(None, map(_kind, parts))
        return min(kinds, key=lambda kind: (kind[0] is not Path, not kind[2]), default=None)
    item = _kind(parts[0]) if parts else None
    if item is not None:
        return item[0], item[1], True
    return (annotation, (), False) if annotation in _KINDS else None
