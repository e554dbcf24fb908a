"""What a metric says of itself: its columns, options, presets and scores, with a line on each."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from textsimp.support.errors import InputError, check_choice
from textsimp.text.functions import check_function
from textsimp.text.languages import Sample


class _Unset:
    """Stands for what the constructor of a metric was not given; the preset fills it."""

    def __repr__(self) -> str:
        return "<as the variant says>"


UNSET = _Unset()


Kind = Literal["text", "texts", "labels", "number", "structured"]


@dataclass(frozen=True)
class Column:
    """A column that a metric reads.

    Attributes:
        name: What results, files and messages call it.
        kind: What a row holds: a ``"text"``; one or more ``"texts"``; one or more ``"labels"``, or
            None; a ``"number"``; or anything that JSON can hold, ``"structured"``.
        about: What it is, in a line.
        one: What a row of it is called, where that is another word, as ``source`` of ``sources``.
        required: Whether the metric needs it.
        own: Whether each system has its own, as predictions are, or all share it.
        labels: The legal labels.
        read: Of what is structured: from a row, which may be the path of a file, and what the
            user calls it to what metrics are given. What it returns it takes too.
    """

    name: str
    kind: Kind
    about: str
    one: str = ""
    required: bool = True
    own: bool = False
    labels: tuple[int | str, ...] = ()
    read: Callable[[Any, str], Any] | None = None

    @property
    def optional(self) -> Column:
        """The same for a metric that can do without it."""
        return replace(self, required=False)

    @property
    def usual(self) -> tuple[str, str]:
        """What it is called in files, the likelier name first."""
        one = self.one or self.name
        return (self.name, one) if self.kind == "texts" else (one, self.name)


SOURCES = Column("sources", "text", "the original texts", "source")
PREDICTIONS = Column(
    "predictions", "text", "the simplifications to score, one per source", "prediction", own=True
)
REFERENCES = Column(
    "references",
    "texts",
    "the reference simplifications: a string or a list of strings per source",
    "reference",
)


@dataclass(frozen=True)
class Preset:
    """A variant of a metric.

    Attributes:
        about: What it is, in a line.
        options: Those that differ from the metric's defaults.
    """

    about: str
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Score:
    """A score that a metric reports.

    Attributes:
        key: Its name in results.
        title: What people call it.
        about: What it is, in a line.
        least: The smallest value that it can have; None without a bound.
        most: The largest.
        better: Whether ``"higher"`` or ``"lower"`` values are better; empty if it only describes.
        unit: What its numbers count, or ``"share"`` for 0 to 1, which may be shown in percent.
        places: Decimals that it, or its percentage, is shown with; None for what its size asks for.
        many: Whether it is a list of numbers.
        bins: Where the bins begin that it counts something in, if it is a distribution.
    """

    key: str
    title: str
    about: str
    least: float | None = 0
    most: float | None = 100
    better: Literal["higher", "lower", ""] = ""
    unit: str = ""
    places: int | None = None
    many: bool = False
    bins: tuple[float, ...] = ()


def option(
    default: Any,
    *,
    about: str = "",
    choices: Sequence[Any] = (),
    functions: bool = False,
    suggestions: Sequence[Any] = (),
    kind: type | None = None,
    least: float | None = None,
    most: float | None = None,
    tag: str = "",
    label: Callable[[Any], Any] = str,
    always: bool = False,
    unsaid: bool = False,
    reads: Callable[[Any, Sample], bool] = lambda value, looked: True,
) -> Any:
    """A field of a metric's options.

    Args:
        default: Its value unless a preset or the user says otherwise. None is legal if it is None.
        about: What it does, in a line of Markdown.
        choices: The legal values; empty for any value of its kind.
        functions: Whether a function that signatures can name is legal too.
        suggestions: Values to choose from on a page, where others are legal too.
        kind: The type of its values, unless that of the default.
        least: The smallest legal number.
        most: The largest legal number.
        tag: Its name in the signature; empty for options that don't change a score.
        label: How a value is written in the signature.
        always: Write it in the signature even when it is what the variant says anyway.
        unsaid: Whether papers often differ in it without a word, so that `textsimp.explain` tries
            its values together with all others of this kind.
        reads: Whether a value is for texts in such a script; who uses another is warned.
    """
    metadata = {
        "default": default,
        "about": about,
        "choices": tuple(choices),
        "functions": functions,
        "suggestions": tuple(suggestions),
        "kind": type(default) if kind is None else kind,
        "bounds": (least, most),
        "tag": tag,
        "label": label,
        "always": always,
        "unsaid": unsaid,
        "reads": reads,
    }
    return field(default=UNSET, kw_only=True, metadata=metadata)


def checked(name: str, value: Any, rules: Mapping[str, Any]) -> Any:
    """The value of an option, if it is legal.

    Raises:
        InputError: It isn't; the message lists the legal values or says of which kind they are.
    """
    choices, kind, (least, most) = rules["choices"], rules["kind"], rules["bounds"]
    if isinstance(value, np.generic):
        value = value.item()  # plain, as results and signatures are
    if choices:
        (check_function if rules["functions"] else check_choice)(name, value, choices)
        return value
    optional = rules["default"] is None
    if optional and value is None:
        return value
    number = kind in (int, float)
    legal = isinstance(value, (int, float) if kind is float else kind)
    legal = legal and not (number and isinstance(value, bool))
    if legal and least is not None:
        legal = least <= value and (most is None or value <= most)
    if not legal:
        what = {str: "a string", int: "an integer", float: "a number"}.get(kind, kind.__name__)
        limits = ""
        if least is not None:
            limits = f" of at least {least:,}" if most is None else f" from {least:,} to {most:,}"
        raise InputError(
            f"{name}: expected {'None or ' if optional else ''}{what}{limits}, got {value!r}"
        )
    return value


def parsed(text: str, rules: Mapping[str, Any]) -> Any:
    """The value of an option that was written as text, by what the option takes.

    It may be written as in Python or, where a shell took its quotes, without. What is no value of
    the option is returned as it is, for `checked` to tell.
    """
    if rules["default"] is None and text == "None":  # `none` is the name of a tokenizer
        return None
    bare = unquoted(text)
    for choice in rules["choices"]:
        if str(choice) in (bare, bare.capitalize()):  # true and false, too, as in JSON
            return choice
    if rules["kind"] is int and re.fullmatch(r"[+-]?\d+", bare, re.ASCII):
        return int(bare)
    if rules["kind"] is float:
        with contextlib.suppress(ValueError):
            return float(bare)
    return bare


def unquoted(text: str) -> str:
    """A text without the quotes that it may stand in."""
    quoted = re.fullmatch(r"(['\"])(.*)\1", text, re.DOTALL)
    return quoted[2] if quoted else text
