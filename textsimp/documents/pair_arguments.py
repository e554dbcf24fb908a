"""The forms in which documents and their simplifications are taken."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from textsimp.core.columns import parallel_texts, texts
from textsimp.corpora.dataset_columns import check_column
from textsimp.support.errors import InputError

Function = TypeVar("Function", bound=Callable[..., Any])


def each_split(function: Function) -> Function:
    """Let a function of one Dataset take a DatasetDict too."""

    @functools.wraps(function)
    def wrapped(data: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(data, dict):
            return function(data, *args, **kwargs)
        results = {}
        for name, part in data.items():
            try:
                results[name] = function(part, *args, **kwargs)
            except InputError as error:
                raise InputError(f"split {name}: {error}") from None
        if all(hasattr(result, "column_names") for result in results.values()):
            return type(data)(results)
        return results

    return cast(Function, wrapped)


def pair(data: Any, targets: Any, source: str, target: str) -> list[list[str]]:
    """The two columns of a Dataset, or those given."""
    if hasattr(data, "column_names") and hasattr(data, "select"):
        if targets is not None:
            raise InputError("targets: expected none beside a Dataset, which has its own column")
        for name in (source, target):
            check_column(data, name, "the dataset")
        return [texts(data[source], source), texts(data[target], target)]
    if targets is None:
        raise InputError(
            "targets: expected a column of strings beside the column of sources; without it, "
            f"expected a Dataset or DatasetDict, got {type(data).__name__}"
        )
    return parallel_texts(sources=data, targets=targets)
