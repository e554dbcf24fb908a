"""What pages offer to programs and agents: endpoints with types, help and examples that run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.demo.page import gradio, told
from textsimp.support.errors import InputError, shown

_UNSAID = inspect.Parameter.empty


@dataclass(frozen=True)
class Argument:
    """An argument of an endpoint.

    Attributes:
        name: Its name.
        type: What it is, as a type hint.
        about: What it is, in a line.
        example: What snippets show, of one that has to be given.
        default: What it is unless given.
    """

    name: str
    type: Any
    about: str
    example: Any = None
    default: Any = _UNSAID


OPTIONS = "of the metric, and confidence, resamples and seed of the bootstrap, by their names"
"""What options are, in a line."""


def endpoint(
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
    gradio().api(told(served), api_name=name)
    *_, added = demo.fns.values()
    for block, argument in zip(added.inputs, arguments, strict=True):
        if argument.default is _UNSAID:
            block.example_payload = lambda example=argument.example: example


def mapping(value: Any, name: str, known: str) -> Mapping[str, Any]:
    """What was given as an object of JSON; an empty one of None.

    Raises:
        InputError: It is something else; the message says what was expected.
    """
    if value is not None and not isinstance(value, dict):
        raise InputError(f"{name}: expected an object with {known}, got {shown(value)}")
    return value or {}
