"""YAML in texts of users. All that is wrong is a `ValueError`."""

import re
from typing import Any, ClassVar

import yaml  # type: ignore[import-untyped, unused-ignore]
from yaml.constructor import ConstructorError  # type: ignore[import-untyped, unused-ignore]

from textsimp.support.errors import InputError
from textsimp.support.parsing import DEEP

__all__ = ["parse_yaml", "read_yaml"]


class _Loader(yaml.SafeLoader):  # type: ignore[misc, unused-ignore]
    """By YAML 1.1, which PyYAML reads, ``010`` is 8, ``1:30`` is 90, and ``no`` is false."""

    yaml_implicit_resolvers: ClassVar[dict[Any, Any]] = {}

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        mapping = super().construct_mapping(node, deep)
        if len(mapping) < len(node.value):
            keys = [self.construct_object(key, deep=True) for key, _ in node.value]
            i = next(i for i, key in enumerate(keys) if key in keys[:i])
            problem, mark = f"the key {keys[i]!r} stands twice", node.value[i][0].start_mark
            raise ConstructorError(problem=problem, problem_mark=mark)
        return mapping


for _type, _plain in {
    "null": "~|null|",
    "bool": "true|false",
    "int": "[-+]?(0|[1-9][0-9]*)",
    "float": r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=e))(e[-+]?[0-9]+)?",
}.items():
    _Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_type}", re.compile(rf"({_plain})\Z", re.IGNORECASE), None
    )


def parse_yaml(text: str | bytes) -> Any:
    """Return the value of a YAML or JSON text; a key twice is wrong, too.

    >>> parse_yaml("{a: 10, b: 010, c: 1:30, d: no}")
    {'a': 10, 'b': '010', 'c': '1:30', 'd': 'no'}
    """
    try:
        return yaml.load(text if isinstance(text, str) else text.decode("utf-8-sig"), _Loader)
    except RecursionError:
        raise ValueError(DEEP) from None
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None


def read_yaml(text: str | bytes, where: str) -> Any:
    """Return the value of YAML that ``where`` names in messages."""
    try:
        return parse_yaml(text)
    except ValueError as error:
        raise InputError(f"{where}: bad YAML: {error}") from None
