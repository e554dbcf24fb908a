"""What pages offer to programs and agents: endpoints with types, help and examples that run."""

import html
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.demo.gradio_page import QUEUE, gradio
from textsimp.support.errors import InputError, shown

_REQUIRED = inspect.Parameter.empty


@dataclass(frozen=True)
class Argument:
    name: str
    type: Any
    about: str  # its meaning, in a line
    example: Any = None  # the value in snippets, if the argument is required
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
    """Add a function, which takes its arguments by name, to a page's API and agents' tools."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [inspect.Parameter(a.name, kind, default=a.default) for a in arguments],
        return_annotation=dict[str, Any],
    )

    def served(*values: Any, **named: Any) -> dict[str, Any]:
        bound = signature.bind(*values, **named)
        bound.apply_defaults()
        try:
            return function(**bound.arguments)
        except (InputError, ImportError) as error:
            # A client may show the message as HTML, and it may quote what was typed.
            message = html.escape(str(error), quote=False)
            raise gradio().Error(message, print_exception=False) from None

    served.__name__ = name
    served.__doc__ = "\n".join([about, "", "Args:", *(f"{a.name}: {a.about}" for a in arguments)])
    served.__annotations__ = {a.name: a.type for a in arguments}
    served.__signature__ = signature  # type: ignore[attr-defined]
    gradio().api(served, api_name=name, concurrency_id=QUEUE)
    *_, added = demo.fns.values()
    for block, argument in zip(added.inputs, arguments, strict=True):
        if argument.default is _REQUIRED:
            block.example_payload = lambda example=argument.example: example


def check_object(value: Any, name: str, keys: str) -> Mapping[str, Any]:
    """Return an argument that is an object of JSON; of None an empty one."""
    if value is not None and not isinstance(value, dict):
        raise InputError(f"{name}: expected an object with {keys}, got {shown(value)}")
    return value or {}
