"""The example corpus, with which pages fill their boxes."""

import functools
import json
from typing import Any

from textsimp.hub import shipped

__all__ = ["SYSTEMS", "examples"]

SYSTEMS = {"sentences": ("splitter", "substituter"), "documents": ("shortener", "rewriter")}

_TABLES = {"sentences": "examples", "labels": "labels", "substitutes": "substitutes"}
_PARSES = {
    "source": "parses/source.txt",
    "prediction": "parses/systems/splitter.txt",
    "passages": "parses/passages.mrp",
}


@functools.cache
def examples(kind: str) -> list[dict[str, Any]]:
    """Return examples.

    Sentences and documents have ``source``, ``references`` (a list), and a text for each of
    `SYSTEMS`. ``labels`` are outputs with labels of three annotators, ``substitutes`` words with
    gold substitutes and those of a system, ``parses`` outputs with a UCCA parse of the source.
    """
    if kind in _TABLES:
        return [json.loads(line) for line in _lines(f"{_TABLES[kind]}.jsonl")]
    if kind == "parses":
        columns: dict[str, list[Any]] = {name: _lines(file) for name, file in _PARSES.items()}
    else:
        columns = {
            "source": _lines("documents/source.txt"),
            "references": [[text] for text in _lines("documents/references/0.txt")],
            **{name: _lines(f"documents/systems/{name}.txt") for name in SYSTEMS[kind]},
        }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _lines(name: str) -> list[str]:
    text = (shipped("examples", "_examples") / name).read_text(encoding="utf-8")
    return text.removesuffix("\n").split("\n")
