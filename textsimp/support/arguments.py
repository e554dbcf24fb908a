"""Options of functions, as their signatures and docstrings declare them.

Functions aren't imported but their files are parsed, so that ``--help`` needs no NumPy.
"""

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Argument", "arguments_of"]

_ROOT = Path(__file__).parents[2]
KINDS = {"bool": bool, "int": int, "float": float, "Path": Path, "str": str}
"""Name of a type in an annotation → the type."""
REQUIRED = object()
"""The default of an argument that has none."""


@dataclass(frozen=True, eq=False)
class Argument:
    """An argument of a function, which is an option of a command or a task.

    Attributes:
        name: Its name.
        kind: The type of its values, or of each of several.
        choices: The legal values; empty for any of its kind.
        several: Whether it takes several values.
        default: Its default, or `REQUIRED`.
        about: What it does.
    """

    name: str
    kind: type
    choices: Sequence[Any] = ()
    several: bool = False
    default: Any = REQUIRED
    about: str = ""


def arguments_of(function: Callable[..., Any]) -> dict[str, Argument]:
    """Return name → argument, of a function of the package."""
    path = f"{function.__module__}:{function.__name__}"
    return {name: read_argument(path, name) for name in inspect.signature(function).parameters}


def documented_arguments(path: str) -> list[str]:
    """Return the arguments in the docstring of a function, ``MODULE:FUNCTION``."""
    _, function = _find(*path.split(":"))
    assert isinstance(function, ast.FunctionDef)
    return [*_descriptions(function)]


@functools.cache
def read_argument(path: str, name: str) -> Argument:
    """Read an argument from the file of a function, ``MODULE:FUNCTION``.

    >>> read_argument("textsimp.extensions.audits.gaming_audit:audit_gaming", "repeats").default
    100
    """
    module, function = _find(*path.split(":"))
    assert isinstance(function, ast.FunctionDef)
    own = function.args
    positional = dict(zip(reversed(own.args), reversed(own.defaults), strict=False))
    defaults = positional | dict(zip(own.kwonlyargs, own.kw_defaults, strict=True))
    (found,) = [one for one in (*own.args, *own.kwonlyargs) if one.arg == name]
    assert found.annotation is not None
    # Files before texts, and several values before one.
    kinds = sorted(_kinds(module, found.annotation), key=lambda k: (k[0] is not Path, not k[2]))
    default = defaults.get(found)
    value = REQUIRED if default is None else _value(module, default)
    about = _descriptions(function).get(name, "")
    see = re.match(r"See `(\w+)`\.", about)
    if see:
        about = read_argument(f"{module}:{see[1]}", name).about
    return Argument(name, *kinds[0], value, about)


def _descriptions(function: ast.FunctionDef) -> dict[str, str]:
    """Return argument → its description, from the section ``Args`` of a docstring."""
    section = (ast.get_docstring(function) or "").partition("\nArgs:\n")[2]
    section = re.split(r"\n(?=\S)", section)[0]
    entries = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.replace("``", "").split()) for name, text in entries}


@functools.cache
def _parse(module: str) -> ast.Module:
    path = _ROOT.joinpath(*module.split("."))
    file = path.with_suffix(".py")
    return ast.parse((file if file.exists() else path / "__init__.py").read_text(encoding="utf-8"))


def _find(module: str, name: str) -> tuple[str, ast.AST]:
    """Return what a name stands for in a module of the package, and where that is written."""
    body = _parse(module).body
    body = [*body, *(inner for node in body if isinstance(node, ast.If) for inner in node.body)]
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return module, node
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return module, node.value
        if not isinstance(node, ast.ImportFrom) or not str(node.module).startswith("textsimp"):
            continue
        if any((alias.asname or alias.name) == name for alias in node.names):
            return _find(str(node.module), name)
    raise LookupError(f"{module} has no {name}")


def _value(module: str, node: ast.AST) -> Any:
    if isinstance(node, ast.Name):
        return _value(*_find(module, node.id))
    return ast.literal_eval(node)


def _kinds(module: str, node: ast.AST) -> Iterator[tuple[type, tuple[Any, ...], bool]]:
    """Yield what an annotation allows: type, choices, whether several."""
    if isinstance(node, ast.BinOp):
        yield from (*_kinds(module, node.left), *_kinds(module, node.right))
    elif isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "Literal":
        choices = ast.literal_eval(node.slice)
        choices = choices if isinstance(choices, tuple) else (choices,)
        yield type(choices[0]), choices, False
    elif isinstance(node, ast.Subscript):
        yield from ((kind, choices, True) for kind, choices, _ in _kinds(module, node.slice))
    elif isinstance(node, ast.Name) and node.id in KINDS:
        yield KINDS[node.id], (), False
    elif isinstance(node, ast.Name):
        try:
            yield from _kinds(*_find(module, node.id))
        except LookupError:
            return
