"""Options of metrics: how they are declared, checked, and written in notation and signatures."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, replace
from typing import Any

from textsimp.support.errors import InputError, check_choice, check_integer, check_number, shown
from textsimp.support.parsing import parse_number
from textsimp.text.functions import check_function, custom_name

__all__ = ["Option", "option"]


class _Unset:
    """Stands for what the constructor of a metric was not given; the preset fills it."""

    def __repr__(self) -> str:
        return "<as the variant says>"


UNSET = _Unset()


@dataclass(frozen=True, eq=False)
class Option:
    """An option of a metric.

    Attributes:
        name: Its name.
        kind: The type of its values.
        choices: The legal values; empty for any of its kind. A switch needs none.
        default: Its value unless a preset or the user says otherwise, by default the first of
            ``choices``. None is legal if it is the default.
        about: What it does, in a line.
        functions: Whether a callable is accepted.
        suggestions: Values to choose from on a page, where others are legal too.
        least: The smallest legal number.
        most: The largest legal number.
        tag: Its name in the signature, by default its name; empty for options that don't change a
            score.
        labels: Value → its label in signatures, if that isn't the value as text.
        label: How signatures write a value, by default as `labels` say.
        parse_label: How another label is read back, without versions.
        always: Write it in the signature even if the variant says the same.
        often_unreported: Whether papers often leave it unsaid, so that `textsimp.explain` tries
            its values together with all others of this kind.
        of_variants: Whether only presets set it, so that `textsimp.explain` skips it.
        own: Value whose definition no paper or program has → its name in headings.
        for_tokens: Value that is meant for tokenised text → the one for other text.
        reads: Whether a value is meant for texts in a script; other values raise a warning.
        only_with: Another option → its values with which this one has an effect. With others it
            must have its default.
    """

    name: str = ""
    kind: type = object
    choices: Sequence[Any] = ()
    default: Any = None
    about: str = ""
    functions: bool = False
    suggestions: Sequence[Any] = ()
    least: float | None = None
    most: float | None = None
    tag: str | None = None
    labels: Mapping[Any, str] = field(default_factory=dict)
    label: Callable[[Any], Any] = str
    parse_label: Callable[[str], Any] | None = None
    always: bool = False
    often_unreported: bool = False
    of_variants: bool = False
    own: Mapping[Any, str] = field(default_factory=dict)
    for_tokens: Mapping[Any, Any] = field(default_factory=dict)
    reads: Callable[[Any, Any], bool] = lambda value, looked: True
    only_with: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def read(self, label: str) -> Any:
        """Return the value that signatures write as this label."""
        for value, text in self.labels.items():
            if text == label:
                return value
        return self.parse_label(label) if self.parse_label else self.parse(label)

    def parse(self, text: str) -> Any:
        """Return the value that a text names; a text that names none as it is."""
        if self.default is None and text == "None":
            return None  # `none` is the name of a tokenizer
        for choice in self.choices:
            if str(choice) in (text, text.capitalize()):  # true and false, too, as in JSON
                return choice
        if self.kind is int and re.fullmatch(r"[+-]?\d+", text, re.ASCII):
            return int(text)
        if self.kind is float:
            with contextlib.suppress(ValueError):
                return parse_number(text)
        if text.startswith("custom-"):
            raise InputError(
                f"{self.name}: {text} is a function of the user's own, which a text can't give: "
                f"pass it in Python, as {self.name}=function"
            )
        return str(text)


def option(default: Any = UNSET, *, choices: Sequence[Any] = (), **rules: Any) -> Any:
    """Return a field for an option of a metric; the arguments are attributes of `Option`."""
    if "labels" in rules:
        rules.setdefault("label", rules["labels"].__getitem__)
    made = Option(
        default=choices[0] if default is UNSET else default,
        choices=(True, False) if isinstance(default, bool) else tuple(choices),
        **rules,
    )
    return field(default=UNSET, kw_only=True, metadata={"option": made})


_KINDS = {"bool": bool, "int": int, "float": float, "str": str}  # by annotation


def complete(field: Field[Any]) -> Option:
    """Return a field's option with what the field says: its name, the kind of values, the tag."""
    declared: Option = field.metadata["option"]
    written = field.type.__name__ if isinstance(field.type, type) else str(field.type)
    kind = _KINDS.get(written.removesuffix(" | None"), object)
    tag = field.name if declared.tag is None else declared.tag
    return replace(declared, name=field.name, kind=kind, tag=tag)


def check_option(option: Option, value: Any) -> Any:
    """Return the value of an option if it is legal."""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = value.item()  # plain, as results and signatures are
    if option.choices:
        check = check_function if option.functions else check_choice
        check(option.name, value, option.choices)
    elif value is None and option.default is None:
        pass
    elif option.kind is int:
        check_integer(option.name, value, int(option.least or 0), option.most)
    elif option.kind is float:
        least = -math.inf if option.least is None else option.least
        return check_number(option.name, value, least, option.most)
    elif option.kind is object:
        option.label(value)  # fails for an unknown value
    elif not isinstance(value, option.kind):
        raise InputError(f"{option.name}: expected a {option.kind.__name__}, got {shown(value)}")
    return value


BARE = re.compile(r"[^\s\"'()\[\],=]+")
"""A value that needs no quotation marks in the notation of metrics."""


def write_value(value: Any) -> str:
    """Write an option's value in the notation of metrics (`textsimp.metrics.notation`)."""
    if callable(value):
        value = custom_name(value)
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if not isinstance(value, str):
        return str(value)
    parts = value.split(",")
    if value == "None" or not all(map(BARE.fullmatch, parts)):
        return '"' + value.replace('"', '""') + '"'
    return value if len(parts) == 1 else f"[{', '.join(parts)}]"
