"""Prompts: what a judge reads, and the answers that are valid."""

from __future__ import annotations

import hashlib
import json
import math
import re
import string
from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import accumulate
from pathlib import Path
from typing import Any

from textsimp.core.columns import is_sequence
from textsimp.corpora.text_files import decode, read_bytes
from textsimp.extensions.people import Criterion, Scheme, Screen
from textsimp.extensions.people.judgements.schemes import CHOICES
from textsimp.support.errors import InputError, check_choice, listed
from textsimp.support.parsing import parse_json

FIELDS = ("instructions", "key", "criteria", "examples", "texts", "form")
NEEDED = ("criteria", "texts", "form")
Schema = Mapping[str, Any]
"""A JSON schema: of an object, of numbers in a range, or of some values."""
_THOUGHT = re.compile(r"\A.*</think>", re.DOTALL)
_EXAMPLES = re.compile(r"\$(examples|\{examples\})\n*")
_CODE = re.compile(r"\A```(?:json)?\n(.*)\n```\Z", re.DOTALL)
_DIGIT = re.compile(r'[\s":]*([0-9])[\s,}]*')
"""A token with a rating, and what may stand around it in an answer."""


class InvalidAnswer(Exception):
    """An answer that isn't as it was asked for. The message is the reason."""


@dataclass(frozen=True)
class Prompt:
    """What judges read: a text with ``$texts`` and other fields.

    Attributes:
        text: The text. The fields are `FIELDS`; `NEEDED` can't be left out.
    """

    text: str

    @classmethod
    def load(cls, path: str | Path | None = None) -> Prompt:
        """Read a prompt from a file; without one, return that of the package."""
        if path is None:
            file = resources.files("textsimp.extensions.judges").joinpath("prompt.txt")
            return cls(file.read_text(encoding="utf-8"))
        text = decode(read_bytes(path), path)
        template = string.Template(text)
        fields = {m["named"] or m["braced"] for m in template.pattern.finditer(text)} - {None}
        for name in fields:
            check_choice(f"{path}: field", name, FIELDS)
        if not fields.issuperset(NEEDED):
            raise InputError(f"{path}: expected the fields {listed(NEEDED)}, got {listed(fields)}")
        return cls(text)

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits that change with the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:12]

    def render(self, scheme: Scheme, screen: Screen) -> str:
        """Return what a judge reads about a screen."""
        texts = _list_texts(scheme, screen.source, screen.predictions, screen.references)
        items = [  # of practice, with all ratings
            item
            for item in scheme.practice
            if all(set(ratings) == set(scheme.criteria) for ratings in item.ratings)
        ]
        examples = [_list_texts(scheme, item.source, item.prediction, ()) for item in items]
        key = _draw_key([text for part in [texts, *examples] for _, text in part])
        shown = [
            f"An example:\n\n{_fence(example, key)}\n\n"
            f"Its answer: {json.dumps(_answer_example(scheme, item.ratings))}\n{item.why}".rstrip()
            for example, item in zip(examples, items, strict=True)
        ]
        text = self.text if shown else _EXAMPLES.sub("", self.text)
        return string.Template(text).safe_substitute(
            instructions=scheme.instructions,
            key=key,
            criteria="\n\n".join(map(_describe, scheme.criteria, scheme.criteria.values())),
            examples="\n\n".join(shown),
            texts=_fence(texts, key),
            form=describe_form(answer_schema(scheme, len(screen.predictions))),
        )


def _list_texts(
    scheme: Scheme, source: str, predictions: Sequence[str], references: Sequence[str]
) -> list[tuple[str, str]]:
    """Return (name, text) of what the scheme shows."""
    texts = [("source", source)] if "source" in scheme.shows else []
    labels = _labels(scheme, len(predictions)) or [""]
    names = [f"simpler version {label}".strip() for label in labels]
    texts += zip(names, predictions, strict=True)
    if "references" in scheme.shows:
        texts += [(f"reference {i}", text) for i, text in enumerate(references, 1)]
    return texts


def _labels(scheme: Scheme, outputs: int) -> list[str]:
    """Return what outputs are called in answers; nothing if there is only one on a screen."""
    if scheme.grouping == "output":
        return []
    return ["A", "B"] if scheme.compares else [str(i + 1) for i in range(outputs)]


def _draw_key(texts: Sequence[str]) -> str:
    """Return eight digits that are in none of the texts, so that no text can close its fence."""
    key = hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:8]
    while any(key in text for text in texts):
        key = hashlib.sha256(key.encode()).hexdigest()[:8]
    return key


def _fence(texts: Sequence[tuple[str, str]], key: str) -> str:
    return "\n\n".join(f"[begin {name} {key}]\n{text}\n[end {name} {key}]" for name, text in texts)


def _describe(name: str, criterion: Criterion) -> str:
    lines = [f"{name}: {criterion.question}"]
    if criterion.slider:
        lines.append(f"  any number from {min(criterion.steps)} to {max(criterion.steps)}, such as")
    lines += [f"  {step}: {text}" for step, text in criterion.steps.items()]
    return "\n".join(lines)


def _answer_example(scheme: Scheme, ratings: Sequence[Mapping[str, Any]]) -> Any:
    if scheme.grouping == "pair":
        return ratings[0]
    answers = [
        {name: _middle(scheme.criteria[name], rating) for name, rating in output.items()}
        for output in ratings
    ]
    labels = _labels(scheme, len(answers))
    return dict(zip(labels, answers, strict=True)) if labels else answers[0]


def _middle(criterion: Criterion, rating: Any) -> Any:
    """Return a rating, or what is in the middle of [lowest, highest]."""
    if not is_sequence(rating):
        return rating
    if criterion.slider:
        return sum(rating) / 2
    steps = list(criterion.steps)
    return steps[sum(map(steps.index, rating)) // 2]


# Answers -----------------------------------------------------------------------------------------


def answer_schema(scheme: Scheme, outputs: int) -> Schema:
    """Return the JSON schema of valid answers about a screen."""
    labels = _labels(scheme, outputs)
    if scheme.grouping == "pair":
        return _object(dict.fromkeys(scheme.criteria, _one_of(list(CHOICES))))
    ratings = {name: _rating_schema(criterion) for name, criterion in scheme.criteria.items()}
    return _object(dict.fromkeys(labels, _object(ratings))) if labels else _object(ratings)


def _rating_schema(criterion: Criterion) -> Schema:
    steps = list(criterion.steps)
    if criterion.slider:
        return {"type": "number", "minimum": min(steps), "maximum": max(steps)}
    return _one_of(steps)


def _object(properties: Mapping[str, Any]) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _one_of(values: Sequence[Any]) -> Schema:
    names = {int: "integer", float: "number", str: "string"}
    kinds = list(dict.fromkeys(names[type(value)] for value in values))
    return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": values}


def describe_form(schema: Schema) -> str:
    """Return a schema as people would write it.

    >>> describe_form({"type": "object", "properties": {"meaning": {"enum": [1, 2, 3]}}})
    '{"meaning": 1 or 2 or 3}'
    """
    if "properties" in schema:
        parts = [f'"{name}": {describe_form(part)}' for name, part in schema["properties"].items()]
        return f"{{{', '.join(parts)}}}"
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    return f"a number from {schema['minimum']} to {schema['maximum']}"


def read_answer(scheme: Scheme, outputs: int, reply: str) -> Any:
    """Return the ratings in a reply, as `textsimp.extensions.people.Screen.answers` takes them.

    A reply is JSON alone. What a model thought before, up to ``</think>``, and a code block around
    the JSON are left out.

    Raises:
        InvalidAnswer: It isn't as it was asked for.
    """
    text = _THOUGHT.sub("", reply).strip()
    block = _CODE.match(text)
    try:
        answer = parse_json(block[1] if block else text)
    except ValueError:
        raise InvalidAnswer("expected JSON alone") from None
    _check(answer, answer_schema(scheme, outputs), "the answer")
    if scheme.grouping == "source":
        return [answer[label] for label in _labels(scheme, outputs)]
    return answer


def digits(scheme: Scheme) -> dict[str, dict[str, float]]:
    """Return digit → its number, of the criteria of single outputs whose ratings are digits.

    A token is a whole rating only there.
    """
    if scheme.grouping != "output":
        return {}
    scales = {
        name: {str(step): number for step, number in one.codes.items() if step != one.aside}
        for name, one in scheme.criteria.items()
        if not one.slider
    }
    return {name: scale for name, scale in scales.items() if all(map(_DIGIT.fullmatch, scale))}


def read_probabilities(
    scheme: Scheme, ratings: Mapping[str, Any], tokens: Any
) -> dict[str, dict[str, float]] | None:
    """Return criterion → rating → probability, of `digits`; None unless all are known.

    Tokens have the likeliest in their places, as servers write them. Those of the same rating, such
    as ``4`` and `` 4``, are added up. Criteria whose rating is aside of the scale have none.
    """
    scales, found = digits(scheme), {}
    if not scales:
        return None
    try:
        text = "".join(token["token"] for token in tokens)
        ends = [*accumulate(len(token["token"]) for token in tokens)]
        for name, scale in scales.items():
            if ratings[name] == scheme.criteria[name].aside:
                continue
            *_, place = re.finditer(rf'"{name}"\s*:\s*([0-9])', text)
            token = tokens[bisect(ends, place.start(1))]
            sums: dict[str, float] = {}
            for other in {one["token"]: one for one in [token, *token["top_logprobs"]]}.values():
                digit = _DIGIT.fullmatch(other["token"])
                if digit and digit[1] in scale:
                    sums[digit[1]] = sums.get(digit[1], 0) + math.exp(min(other["logprob"], 0))
            if not sum(sums.values()) > 0:
                return None
            found[name] = sums
    except (LookupError, TypeError, ValueError):  # of a server that returns none, or others
        return None
    return found


def _check(value: Any, schema: Schema, where: str) -> None:
    if "properties" in schema:
        names = schema["properties"]
        if not isinstance(value, dict) or set(value) != set(names):
            raise InvalidAnswer(f"{where}: expected an object with {', '.join(names)}")
        for name, part in names.items():
            _check(value[name], part, name)
        return
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if "enum" in schema:
        valid = (number or isinstance(value, str)) and value in schema["enum"]
    else:
        valid = number and schema["minimum"] <= value <= schema["maximum"]
    if not valid:
        raise InvalidAnswer(f"{where}: expected {describe_form(schema)}")
