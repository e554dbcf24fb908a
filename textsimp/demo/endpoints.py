"""What pages offer to programs and agents: endpoints with types, help and examples that run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.demo.gradio_page import QUEUE, gradio, raise_errors
from textsimp.support.errors import InputError, shown

_REQUIRED = inspect.Parameter.empty


@dataclass(frozen=True)
class Argument:
    """An argument of an endpoint.

    Attributes:
        name: Its name.
        type: Its type hint.
        about: Its meaning, in a line.
        example: The value in snippets, if the argument is required.
        default: Its default value.
    """

    name: str
    type: Any
    about: str
    example: Any = None
    default: Any = _REQUIRED


OPTIONS = "of the metric, and confidence, resamples and seed of the bootstrap, by their names"
"""The meaning of the argument ``options``."""


def add_endpoint(
    demo: Any,
    name: str,
    about: str,
    arguments: Sequence[Argument],
    function: Callable[..., dict[str, Any]],
) -> None:
    """Add a function to a page's API, where agents find it as a tool.

    Args:
        demo: The page, within its ``with`` statement.
        name: What programs call it.
        about: What it does, and what it returns.
        arguments: Those of the function, which takes them by name.
        function: It raises `InputError` for what is wrong with them.
    """
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [inspect.Parameter(a.name, kind, default=a.default) for a in arguments],
        return_annotation=dict[str, Any],
    )

    def served(*values: Any, **named: Any) -> dict[str, Any]:
        bound = signature.bind(*values, **named)
        bound.apply_defaults()
        return function(**bound.arguments)

    served.__name__ = name
    served.__doc__ = "\n".join([about, "", "Args:", *(f"{a.name}: {a.about}" for a in arguments)])
    served.__annotations__ = {a.name: a.type for a in arguments}
    served.__signature__ = signature  # type: ignore[attr-defined]
    gradio().api(raise_errors(served), api_name=name, concurrency_id=QUEUE)
    *_, added = demo.fns.values()
    for block, argument in zip(added.inputs, arguments, strict=True):
        if argument.default is _REQUIRED:
            block.example_payload = lambda example=argument.example: example


def check_object(value: Any, name: str, keys: str) -> Mapping[str, Any]:
    """Return an argument that is an object of JSON; of None an empty one."""
    if value is not None and not isinstance(value, dict):
        raise InputError(f"{name}: expected an object with {keys}, got {shown(value)}")
    return value or {}
