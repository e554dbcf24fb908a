"""Functions of pages that programs call, by ``gradio_client`` or as tools of MCP."""

import functools
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any

from textsimp.core import tables
from textsimp.core.declarations import Column
from textsimp.core.examples import Examples, read
from textsimp.core.metric import Metric
from textsimp.core.scores import Scores
from textsimp.demo.gradio_page import QUEUE, gradio
from textsimp.support.errors import InputError, shown

Result = dict[str, Any]

_TYPES: dict[str, Any] = {"text": list[str], "texts": list[list[str]], "number": list[float]}


def serve(function: Callable[..., Result], name: str) -> None:
    """Offer a function as an endpoint of the page, with its types and docstring."""
    gr = gradio()

    @functools.wraps(function)
    def answer(*values: Any) -> Any:
        try:
            return tables.finite(function(*values))
        except (InputError, ImportError) as error:
            raise gr.Error(str(error), print_exception=False) from None

    answer.__name__ = name  # MCP calls the tool so
    gr.api(answer, api_name=name, concurrency_id=QUEUE)


def scoring_function(
    metric: type[Metric],
    defaults: Mapping[str, Any],
    score: Callable[[Examples, Mapping[str, Any]], Scores],
) -> Callable[..., Result]:
    """Return a function with a parameter for each column of a metric, and one for its options."""
    columns = sorted(metric.columns, key=lambda column: not column.required)
    names = [column.name for column in columns]

    def function(*values: Any) -> Result:
        *rows, options = values
        if not isinstance(options or {}, dict):
            raise InputError(
                f"options: expected a mapping of names to values, got {shown(options)}"
            )
        data = read([metric], None, dict(zip(names, rows, strict=True)))
        return score(data, {**defaults, **(options or {})}).to_dict()

    options = Parameter("options", Parameter.POSITIONAL_OR_KEYWORD, default=None)
    parameters = [*map(_parameter, columns), options.replace(annotation=dict[str, Any] | None)]
    lines = [f"{column.name}: {column.about[0].upper()}{column.about[1:]}." for column in columns]
    lines.append(f"options: By name, such as variant, which is {' or '.join(metric.presets)}.")
    vars(function)["__signature__"] = Signature(parameters, return_annotation=Result)
    function.__annotations__ = {one.name: one.annotation for one in parameters}
    function.__doc__ = (
        f"Score the outputs of one system: {metric.about}.\n\nArgs:\n" + "\n".join(lines) + "\n\n"
        "Returns:\nScores of the corpus and of each example, intervals, and the signature."
    )
    return function


def _parameter(column: Column) -> Parameter:
    kind = _TYPES.get(column.kind, list[Any])
    place = Parameter.POSITIONAL_OR_KEYWORD
    if column.required:
        return Parameter(column.name, place, annotation=kind)
    return Parameter(column.name, place, annotation=kind | None, default=None)
