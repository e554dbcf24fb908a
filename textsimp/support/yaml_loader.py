"""A loader of YAML 1.2 for PyYAML, which by itself reads YAML 1.1."""

from __future__ import annotations

import math
import re
from typing import Any, ClassVar

import yaml  # type: ignore[import-untyped, unused-ignore]
from yaml.constructor import ConstructorError  # type: ignore[import-untyped, unused-ignore]

_PLAIN = {  # the core schema of YAML 1.2.2
    "null": r"~|null|Null|NULL|",
    "bool": "true|True|TRUE|false|False|FALSE",
    "int": "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"
    r"|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
}


def _error(problem: str, node: Any) -> Exception:
    error: Exception = ConstructorError(problem=problem, problem_mark=node.start_mark)
    return error


class Loader(yaml.SafeLoader):  # type: ignore[misc, unused-ignore]
    """Plain values are read by YAML's core schema; keys are distinct, and numbers finite."""

    yaml_implicit_resolvers: ClassVar[dict[Any, Any]] = {}

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        mapping = super().construct_mapping(node, deep)
        keys = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in keys:
                raise _error(f"the key {key!r} stands twice", key_node)
            keys.add(key)
        return mapping

    def construct_yaml_int(self, node: Any) -> int:
        text = self.construct_scalar(node)
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))

    def construct_yaml_float(self, node: Any) -> float:
        number: float = super().construct_yaml_float(node)
        if not math.isfinite(number):
            raise _error(f"expected a finite number, got {node.value}", node)
        return number


for _tag, _pattern in _PLAIN.items():
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"({_pattern})\Z"), None)
Loader.add_constructor("tag:yaml.org,2002:int", Loader.construct_yaml_int)
Loader.add_constructor("tag:yaml.org,2002:float", Loader.construct_yaml_float)
