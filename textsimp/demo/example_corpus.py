"""The example corpus that pages fill in."""

from __future__ import annotations

import functools
import json
from typing import Any

from textsimp.hub import shipped

SYSTEMS = {"sentences": ("splitter", "substituter"), "documents": ("shortener", "rewriter")}


@functools.cache
def examples(kind: str) -> list[dict[str, Any]]:
    """Return examples: ``source``, ``references`` (a list), and a text for each of `SYSTEMS`."""
    if kind == "sentences":
        return [json.loads(line) for line in _lines("examples.jsonl")]
    columns = {
        "source": _lines("documents/source.txt"),
        "references": [[text] for text in _lines("documents/references/0.txt")],
        **{name: _lines(f"documents/systems/{name}.txt") for name in SYSTEMS[kind]},
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@functools.cache
def labelled_examples() -> list[dict[str, Any]]:
    """Return outputs of the sentences with labels of three annotators."""
    return [json.loads(line) for line in _lines("labels.jsonl")]


@functools.cache
def substitute_examples() -> list[dict[str, Any]]:
    """Return words of the sentences with gold substitutes and those of a system."""
    return [json.loads(line) for line in _lines("substitutes.jsonl")]


@functools.cache
def parsed_examples() -> list[dict[str, Any]]:
    """Return sentences with an output and a UCCA parse of the source."""
    columns = [
        _lines(f"parses/{name}") for name in ("source.txt", "systems/splitter.txt", "passages.mrp")
    ]
    names = ("source", "prediction", "passages")
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _lines(name: str) -> list[str]:
    text = (shipped("examples", "_examples") / name).read_text(encoding="utf-8")
    return text.removesuffix("\n").split("\n")
