"""Schemes of rating: what raters are asked, on which scale, about what they see.

A scheme is data: a YAML or JSON file. Those of the package are in ``schemes/``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_args

from textsimp.core.columns import is_sequence
from textsimp.corpora.files import read_bytes
from textsimp.meta.raters import Level
from textsimp.support.errors import (
    InputError,
    check_choice,
    check_integer,
    check_number,
    check_switch,
    listed,
    nearest,
    shown,
)

Grouping = Literal["output", "source", "pair", "four"]
Control = Literal["source", "reference", "other", "repeat"]
NAMES = ("likert", "direct_assessment", "rank_and_rate", "pairwise", "best_worst", "level")
"""The schemes of the package."""
LETTERS = "ABCD"
EQUAL = "equal"
SHOWN = ("source", "prediction", "references")
COLUMNS = (
    *("scheme", "version", "hash", "rater", "raters", "screen", "item", "system", "source"),
    *("prediction", "references", "control", "comment", "seconds", "time"),
)
"""The columns of answers beside the criteria."""
OLD_COLUMNS = {"rater": "annotator", "item": "id"}
"""Column → its name in the answers of `textsimp errors annotate`."""
_NAME = re.compile(r"[A-Za-z][\w-]{0,39}")
_DEFAULTS: tuple[Any, ...] = ({}, False, "ordinal")  # of a criterion's fields


@dataclass(frozen=True)
class Criterion:
    """A question, and the scale of its answers.

    Attributes:
        question: What raters are asked.
        level: The level of measurement: how `textsimp.meta.rater_agreement` compares ratings.
        steps: Step of the scale → what it means, from lowest to highest. Numbers or texts. None
            in comparisons.
        slider: Whether all numbers between the first step and the last are ratings, too.
        controls: Kind of control → [lowest, highest] rating with which a rater passes it.
    """

    question: str
    level: Level = "ordinal"
    steps: Mapping[Any, str] = field(default_factory=dict)
    slider: bool = False
    controls: Mapping[str, list[Any]] = field(default_factory=dict)

    @property
    def codes(self) -> dict[Any, float]:
        """Step → its number; steps that are texts count as 0, 1, …"""
        return {
            step: float(i if isinstance(step, str) else step) for i, step in enumerate(self.steps)
        }

    def allows(self, number: float) -> bool:
        """Whether a number of `codes` is a rating."""
        codes = [*self.codes.values()]
        return codes[0] <= number <= codes[-1] if self.slider else number in codes


@dataclass(frozen=True)
class Scheme:
    """What raters are asked, and what they see.

    Attributes:
        name: Its name.
        version: Its version. Change it whenever the wording changes.
        criteria: Name → `Criterion`. The names are columns of the answers.
        grouping: What is on a screen: one ``"output"``; all outputs of a ``"source"``; a
            ``"pair"``, of which raters choose the better one; or ``"four"``, of which they choose
            the best and the worst.
        shows: What raters see: ``source``, ``prediction``, ``references``.
        instructions: What raters read first.
        seconds: How long an output, pair or four takes, for the estimate of a study's time.

    Example:
        >>> from textsimp import ratings
        >>> scheme = ratings.Scheme.load("likert")
        >>> list(scheme.criteria)
        ['fluency', 'meaning', 'simplicity', 'simpler']
        >>> scheme.criteria["simpler"].steps[0]
        'It is as hard as the source, or has no change.'
        >>> print(scheme)  # its name, version and hash
        likert|version:1|hash:...
    """

    name: str
    version: int
    criteria: Mapping[str, Criterion]
    grouping: Grouping = "output"
    shows: tuple[str, ...] = ("source", "prediction")
    instructions: str = ""
    seconds: float = 45

    @classmethod
    def load(cls, scheme: str | Path | Scheme) -> Scheme:
        """Return a scheme of the package by its name, or read one from a YAML or JSON file."""
        if isinstance(scheme, Scheme):
            return scheme
        if scheme in NAMES:
            file = resources.files("textsimp.ratings").joinpath(f"schemes/{scheme}.yaml")
            return cls.from_dict(_parse(file.read_bytes(), str(scheme)), str(scheme))
        if Path(scheme).suffix.lower() not in (".yaml", ".yml", ".json"):
            expected = f"one of {listed(NAMES)}, or a .yaml or .json file"
            hint = nearest(str(scheme), NAMES)
            raise InputError(f"scheme: expected {expected}, got {str(scheme)!r}{hint}")
        return cls.from_dict(_parse(read_bytes(scheme), str(scheme)), str(scheme))

    @classmethod
    def from_dict(cls, fields: Any, where: str = "scheme") -> Scheme:
        """Check the fields of a scheme; ``where`` begins the messages."""
        _check_fields(fields, cls, where, ("name", "version", "criteria"))
        grouping = fields.get("grouping", "output")
        check_choice(f"{where}: grouping", grouping, get_args(Grouping))
        shows: Any = fields.get("shows", ["source", "prediction"])
        if not is_sequence(shows) or "prediction" not in shows:
            raise InputError(f"{where}: shows: expected a list with prediction, got {shown(shows)}")
        for column in shows:
            check_choice(f"{where}: shows", column, SHOWN)
        if not isinstance(fields["criteria"], Mapping) or not fields["criteria"]:
            raise InputError(f"{where}: criteria: expected a mapping of names to criteria")
        return cls(
            name=_name(fields["name"], f"{where}: name"),
            version=check_integer(f"{where}: version", fields["version"], 1),
            criteria={
                _name(name, f"{where}: criteria"): _criterion(one, f"{where}: {name}", grouping)
                for name, one in fields["criteria"].items()
            },
            grouping=grouping,
            shows=tuple(shows),
            instructions=_text(fields.get("instructions", ""), f"{where}: instructions", 0),
            seconds=check_number(f"{where}: seconds", fields.get("seconds", 45), 1),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data, as a file has them."""
        criteria = {
            name: {key: value for key, value in asdict(one).items() if value not in _DEFAULTS}
            for name, one in self.criteria.items()
        }
        return {**asdict(self), "criteria": criteria, "shows": list(self.shows)}

    @property
    def compares(self) -> bool:
        """Whether raters compare outputs, in place of rating each."""
        return self.grouping in ("pair", "four")

    @property
    def hash(self) -> str:
        """Twelve hexadecimal digits that change with every field."""
        plain = json.dumps(self.to_dict(), sort_keys=True, ensure_ascii=True, default=str)
        return hashlib.sha256(plain.encode()).hexdigest()[:12]

    @property
    def stamp(self) -> dict[str, Any]:
        """What every answer says of its scheme."""
        return {"scheme": self.name, "version": self.version, "hash": self.hash}

    def __str__(self) -> str:
        return f"{self.name}|version:{self.version}|hash:{self.hash}"


def _parse(data: bytes, where: str) -> Any:
    import yaml  # type: ignore[import-untyped]

    try:
        return yaml.safe_load(data.decode())  # JSON is YAML, too
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise InputError(f"{where}: bad YAML: {' '.join(str(error).split())}") from None


def _criterion(fields: Any, where: str, grouping: str) -> Criterion:
    _check_fields(fields, Criterion, where, ("question",))
    question = _text(fields["question"], f"{where}: question")
    if grouping in ("pair", "four"):
        if set(fields) != {"question"}:
            raise InputError(f"{where}: expected a question alone, as {grouping!r} has no scale")
        return Criterion(question)
    level, slider = fields.get("level", "ordinal"), fields.get("slider", False)
    check_choice(f"{where}: level", level, get_args(Level))
    check_switch(f"{where}: slider", slider)
    steps: Any = fields.get("steps")
    if not isinstance(steps, Mapping) or len(steps) < 2:
        raise InputError(f"{where}: steps: expected a mapping of at least two steps to texts")
    keys = [_step(key) for key in steps]
    numbers = [key for key in keys if type(key) in (int, float)]
    texts = [key for key in keys if isinstance(key, str) and key]
    if len(keys) not in (len(numbers), len(texts)) or numbers != sorted(set(numbers)):
        raise InputError(f"{where}: steps: expected rising numbers, or texts, got {listed(keys)}")
    if slider and texts:
        raise InputError(f"{where}: slider: expected steps that are numbers, got {listed(keys)}")
    wording = [_text(text, f"{where}: step {key!r}") for key, text in steps.items()]
    criterion = Criterion(question, level, dict(zip(keys, wording, strict=True)), slider)
    controls: Any = fields.get("controls", {})
    if not isinstance(controls, Mapping):
        raise InputError(f"{where}: controls: expected a mapping, got {shown(controls)}")
    for kind, passes in controls.items():
        check_choice(f"{where}: controls", kind, get_args(Control)[:-1])
        codes = [criterion.codes.get(step, step) for step in passes] if is_sequence(passes) else []
        numeric = all(isinstance(code, (int, float)) for code in codes)
        if len(codes) != 2 or not numeric or not all(map(criterion.allows, codes)):
            raise InputError(
                f"{where}: controls: {kind}: expected [lowest, highest] step, got {shown(passes)}"
            )
    return Criterion(question, level, criterion.steps, slider, controls)


def _step(key: Any) -> Any:
    """Return a step as a number if it looks like one, as JSON has texts as keys only."""
    if not isinstance(key, str) or not re.fullmatch(r"-?\d+(\.\d+)?", key):
        return key
    return float(key) if "." in key else int(key)


def _check_fields(fields: Any, cls: Any, where: str, required: tuple[str, ...]) -> None:
    if not isinstance(fields, Mapping):
        raise InputError(f"{where}: expected a mapping of fields, got {shown(fields)}")
    for name in fields:
        check_choice(f"{where}: field", name, list(cls.__dataclass_fields__))
    for name in required:
        if name not in fields:
            raise InputError(f"{where}: expected the field {name!r}; it has {listed(fields)}")


def _name(name: Any, where: str) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(
            f"{where}: expected at most 40 letters, digits, '-' and '_', the first a letter, got "
            f"{shown(name)}"
        )
    if name in (*COLUMNS, *OLD_COLUMNS.values()):
        raise InputError(f"{where}: expected another name: answers have a column {name!r}")
    return name


def _text(text: Any, where: str, least: int = 1) -> str:
    if not isinstance(text, str) or len(text.strip()) < least:
        raise InputError(f"{where}: expected a text, got {shown(text)}")
    return text.strip()
