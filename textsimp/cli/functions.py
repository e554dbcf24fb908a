"""Options of commands from the signatures and docstrings of functions.

The functions aren't imported, so that ``--help`` needs no NumPy: their files are parsed.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from textsimp.cli.data_arguments import FILE

_ROOT = Path(__file__).parents[2]
_TYPES: dict[str, tuple[Any, str | None]] = {  # name of a type → click's, and what stands for it
    "bool": (bool, None),
    "int": (int, "N"),
    "float": (float, "NUMBER"),
    "Path": (FILE, "FILE"),
    "str": (str, "NAME"),
}
REQUIRED = inspect.Parameter.empty


class Argument(NamedTuple):
    """An argument of a function: its type in click, default and description."""

    type: Any
    metavar: str | None
    several: bool
    default: Any
    about: str


def function_options(
    path: str, *names: str, into: str | None = "settings", **flags: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command options for arguments of a function; it gets their values as one dict.

    The option of ``per_rater`` is ``--per-rater N``. Types, defaults and help are those of the
    function. An argument with several values, such as ``shares``, has an option in the singular,
    which is repeated.

    Args:
        path: Where the function is, such as ``"textsimp.audits.gaming_audit:audit_gaming"``.
        *names: Names of its arguments.
        into: The command's argument for the dict; None to pass each value by its own name.
        **flags: Argument → another option, such as ``criteria="--rating COLUMN"``.
    """
    arguments = {name: read_argument(path, name) for name in (*names, *flags)}

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(**given: Any) -> Any:
            settings = {name: given.pop(name) for name in arguments}
            for name, argument in arguments.items():
                if argument.several:
                    settings[name] = list(settings[name]) or argument.default
            return command(**given, **({into: settings} if into else settings))

        result: Callable[..., Any] = run
        for name, argument in reversed(arguments.items()):
            result = _option(name, argument, flags.get(name, ""))(result)
        return result

    return decorate


def _option(name: str, argument: Argument, flag: str) -> Callable[[Any], Any]:
    *flags, last = flag.split() or [""]
    metavar = last if flags and not last.startswith("-") else argument.metavar
    flags = [*flags, *([last] if last.startswith("-") else [])]
    singular = name.removesuffix("s") if argument.several else name
    flags = flags or [f"--{singular.replace('_', '-')}"]
    repeated = " Repeat it for several." if argument.several else ""
    more: dict[str, Any] = {}
    if argument.default is REQUIRED:
        more = {"required": True}
    elif not (argument.several and argument.default in (None, ())):
        more = {"default": argument.default}
    if argument.type is bool:
        more["is_flag"] = True
    else:
        more |= {"type": argument.type, "metavar": metavar, "multiple": argument.several}
    return click.option(*flags, name, help=argument.about + repeated, **more)


@functools.cache
def read_argument(path: str, name: str) -> Argument:
    """Read an argument of a function of the package from its file."""
    module, function = _find(*path.split(":"))
    assert isinstance(function, ast.FunctionDef)
    own = function.args
    positional = dict(zip(reversed(own.args), reversed(own.defaults), strict=False))
    defaults = positional | dict(zip(own.kwonlyargs, own.kw_defaults, strict=True))
    (found,) = [one for one in (*own.args, *own.kwonlyargs) if one.arg == name]
    assert found.annotation is not None
    type_, metavar, several = next(_types(module, found.annotation))
    default = defaults.get(found)
    value = REQUIRED if default is None else _value(module, default)
    about = _descriptions(function)[name]
    see = re.match(r"See `(\w+)`\.", about)
    if see:
        about = read_argument(f"{module}:{see[1]}", name).about
    return Argument(type_, metavar, several, value, about)


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


def _types(module: str, node: ast.AST) -> Iterator[tuple[Any, str | None, bool]]:
    """Yield the types of an annotation that an option can have: type, placeholder, several."""
    if isinstance(node, ast.BinOp):
        yield from sorted(
            [*_types(module, node.left), *_types(module, node.right)],
            key=lambda found: (found[0] is not FILE, not found[2]),
        )
    elif isinstance(node, ast.Subscript) and getattr(node.value, "id", "") == "Literal":
        choices = ast.literal_eval(node.slice)
        yield click.Choice(choices if isinstance(choices, tuple) else (choices,)), None, False
    elif isinstance(node, ast.Subscript):
        yield from ((kind, metavar, True) for kind, metavar, _ in _types(module, node.slice))
    elif isinstance(node, ast.Name) and node.id in _TYPES:
        yield (*_TYPES[node.id], False)
    elif isinstance(node, ast.Name):
        try:
            yield from _types(*_find(module, node.id))
        except LookupError:
            return
