"""Schemes of rating: what raters are asked, on which scale, about what they see.

A scheme is data: a YAML or JSON file. Those of the package are in ``schemes/``.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, field, is_dataclass, replace
from dataclasses import fields as fields_of
from importlib import resources
from pathlib import Path
from typing import Any, Literal, get_args

from textsimp.core.columns import bad_row, is_sequence
from textsimp.corpora.tables import Table
from textsimp.corpora.text_files import read_bytes
from textsimp.extensions.people.judgements.agreement import MeasurementLevel
from textsimp.support.errors import (
    InputError,
    check_choice,
    check_fields,
    check_integer,
    check_number,
    check_switch,
    listed,
    nearest,
    read_text,
    shown,
)
from textsimp.support.yaml_parsing import read_yaml

Grouping = Literal["output", "source", "pair"]
Control = Literal["source", "other", "repeat", "reversed"]
Better = Literal["higher", "lower", ""]
CHOICES = {"A": (1.0, 0.0), "B": (0.0, 1.0), "equal": (0.5, 0.5)}
"""Answer to a comparison → the value of each output: 1 for the better, 0 for the worse."""
NAMES = (
    *("likert", "direct_assessment", "rank_and_rate", "pairwise", "level"),
    "information_errors",
)
"""The schemes of the package."""
SHOWN = ("source", "prediction", "references", "changes")
COLUMNS = (
    *("scheme", "version", "hash", "rater", "raters", "screen", "item", "system", "source"),
    *("prediction", "references", "control", "comment", "seconds", "time", "invalid", "judge"),
)
"""The columns of answers beside the criteria."""
_NAME = re.compile(r"[A-Za-z][\w-]{0,39}")


@dataclass(frozen=True)
class Criterion:
    """A question, and the scale of its answers.

    Attributes:
        question: What raters are asked.
        level: The level of measurement: how `people.rater_agreement` compares ratings.
        steps: Step of the scale → what it means, from lowest to highest. Numbers or texts. None
            in comparisons.
        slider: Whether all numbers between the first step and the last are ratings, too.
        aside: The first or last step, if it says that an output can't be judged. It stands for
            all criteria that have it. Means leave it out; agreement ranks it where it is.
        controls: Kind of control → rating, or [lowest, highest], with which a rater passes it.
        better: Whether ``"higher"`` or ``"lower"`` ratings are better; "" if neither is.
    """

    question: str
    level: MeasurementLevel = "ordinal"
    steps: Mapping[Any, str] = field(default_factory=dict)
    slider: bool = False
    aside: Any = None
    controls: Mapping[str, Any] = field(default_factory=dict)
    better: Better = "higher"

    @property
    def codes(self) -> dict[Any, float]:
        """Step → its number; texts count as 0, 1, …, and the aside as one less or more than all."""
        scale = [step for step in self.steps if step != self.aside]
        codes = {step: float(i if isinstance(step, str) else step) for i, step in enumerate(scale)}
        if self.aside is not None:
            last = self.aside == [*self.steps][-1]
            codes[self.aside] = codes[scale[-1]] + 1 if last else codes[scale[0]] - 1
        return codes

    def number(self, rating: Any, where: str) -> float:
        """Return the number of a rating; ``where`` begins the message if it is none."""
        codes = self.codes
        legal = isinstance(rating, (str, int, float)) and not isinstance(rating, bool)
        if legal and rating in codes:
            return codes[rating]
        if self.slider:
            return check_number(where, rating, min(codes), max(codes))
        raise InputError(f"{where}: expected one of {listed(codes)}, got {shown(rating)}")

    def bounds(self, ratings: Any, where: str = "") -> tuple[float, float]:
        """Return the numbers of [lowest, highest] ratings, or twice that of one."""
        ends = list(ratings) if is_sequence(ratings) else [ratings, ratings]
        _expect(len(ends) == 2, where, "a step or [lowest, highest]", ratings)
        low, high = (self.number(end, where) for end in ends)
        _expect(low <= high, where, "[lowest, highest]", ratings)
        return low, high


def read_criterion(fields: Any, where: str, grouping: str) -> Criterion:
    """Check the fields of a criterion; ``where`` begins the messages."""
    check_fields(fields, Criterion.__dataclass_fields__, where, ("question",))
    question = read_text(fields["question"], f"{where}: question")
    if grouping == "pair":
        if set(fields) != {"question"}:
            raise InputError(f"{where}: expected a question alone, as pairs have no scale")
        return Criterion(question)
    level, slider = fields.get("level", "ordinal"), fields.get("slider", False)
    check_choice(f"{where}: level", level, get_args(MeasurementLevel))
    check_switch(f"{where}: slider", slider)
    better: Any = fields.get("better", "higher")
    check_choice(f"{where}: better", better, get_args(Better))
    steps: Any = fields.get("steps")
    several = isinstance(steps, Mapping) and len(steps) > 1
    _expect(several, f"{where}: steps", "a mapping of at least two steps to texts", steps)
    keys = [_step(key) for key in steps]
    aside = _step(fields.get("aside"))
    if aside is not None and (slider or aside not in (keys[0], keys[-1])):
        raise InputError(f"{where}: aside: expected the first or last of the steps, without slider")
    scale = [key for key in keys if key != aside]
    numbers = [key for key in scale if type(key) in (int, float)]
    texts = [key for key in scale if isinstance(key, str) and key]
    if len(scale) not in (len(numbers), len(texts)) or numbers != sorted(set(numbers)):
        raise InputError(f"{where}: steps: expected rising numbers, or texts, got {listed(keys)}")
    if slider and texts:
        raise InputError(f"{where}: slider: expected steps that are numbers, got {listed(keys)}")
    wording = [read_text(text, f"{where}: step {key!r}") for key, text in steps.items()]
    criterion = Criterion(question, level, dict(zip(keys, wording, strict=True)), slider, aside)
    controls: Any = fields.get("controls", {})
    _expect(isinstance(controls, Mapping), f"{where}: controls", "a mapping", controls)
    for kind, passes in controls.items():
        check_choice(f"{where}: controls", kind, get_args(Control)[:2])
        criterion.bounds(passes, f"{where}: controls: {kind}")
    return replace(criterion, controls=controls, better=better)


def choice(cell: Any, where: str) -> tuple[float, float]:
    """Return the values of two outputs that were compared; ``where`` begins the message."""
    check_choice(where, cell, list(CHOICES))
    return CHOICES[cell]


def _expect(legal: bool, where: str, expected: str, got: Any) -> None:
    if not legal:
        raise InputError(f"{where}: expected {expected}, got {shown(got)}")


def _step(key: Any) -> Any:
    """Return a step as a number if it looks like one, as JSON has texts as keys only."""
    if not isinstance(key, str) or not re.fullmatch(r"-?\d+(\.\d+)?", key):
        return key
    return float(key) if "." in key else int(key)


@dataclass(frozen=True)
class Practice:
    """An item to practise on, with the ratings that are right.

    Attributes:
        source: The source; "" if the scheme doesn't show it.
        prediction: The outputs on the screen.
        ratings: Criterion → rating, or [lowest, highest]: a mapping for each output, or one for a
            comparison. Criteria on which raters may differ can be left out.
        why: What raters read after their answer.
    """

    source: str
    prediction: tuple[str, ...]
    ratings: tuple[Mapping[str, Any], ...]
    why: str = ""


@dataclass(frozen=True)
class Scheme:
    """What raters are asked, and what they see.

    Attributes:
        name: Its name.
        version: Its version. Change it whenever the wording changes.
        criteria: Name → `Criterion`. The names are columns of the answers.
        grouping: What is on a screen: one ``"output"``; all outputs of a ``"source"``;
            or a ``"pair"``, of which raters choose the better one.
        shows: What raters see: ``source``, ``prediction``, ``references``; with ``changes`` the
            edits from source to prediction are marked.
        instructions: What raters read first.
        practice: Items that raters practise on, see `Practice`.
        qualified: The share of the ratings of practice that a rater has to get right before the
            study begins; None for half of them.
        seconds: How long an output or pair takes, for the estimate of a study's time.

    Example:
        >>> from textsimp.extensions import people
        >>> scheme = people.Scheme.load("likert")
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
    practice: tuple[Practice, ...] = ()
    qualified: float | None = None
    seconds: float = 45

    @classmethod
    def load(cls, scheme: str | Path | Scheme) -> Scheme:
        """Return a scheme of the package by its name, or read one from a YAML or JSON file."""
        if isinstance(scheme, Scheme):
            return scheme
        where = str(scheme)
        if where in NAMES:
            return _load_own(where)
        if Path(scheme).suffix.lower() not in (".yaml", ".yml", ".json"):
            expected = f"one of {listed(NAMES)}, or a .yaml or .json file"
            raise InputError(f"scheme: expected {expected}, got {where!r}{nearest(where, NAMES)}")
        return cls.from_dict(read_yaml(read_bytes(scheme), where), where)

    @classmethod
    def from_dict(cls, fields: Any, where: str = "scheme") -> Scheme:
        """Check the fields of a scheme; ``where`` begins the messages."""
        check_fields(fields, cls.__dataclass_fields__, where, ("name", "version", "criteria"))
        grouping = fields.get("grouping", "output")
        check_choice(f"{where}: grouping", grouping, get_args(Grouping))
        shows: Any = fields.get("shows", ["source", "prediction"])
        legal = is_sequence(shows) and "prediction" in shows
        _expect(legal, f"{where}: shows", "a list with prediction", shows)
        for column in shows:
            check_choice(f"{where}: shows", column, SHOWN)
        criteria: Any = fields["criteria"]
        named = isinstance(criteria, Mapping) and bool(criteria)
        _expect(named, f"{where}: criteria", "a mapping of names to criteria", criteria)
        scheme = cls(
            name=_name(fields["name"], f"{where}: name"),
            version=check_integer(f"{where}: version", fields["version"], 1),
            criteria={
                _name(name, f"{where}: criteria"): read_criterion(raw, f"{where}: {name}", grouping)
                for name, raw in criteria.items()
            },
            grouping=grouping,
            shows=tuple(shows),
            instructions=read_text(fields.get("instructions", ""), f"{where}: instructions", 0),
            seconds=check_number(f"{where}: seconds", fields.get("seconds", 45), 1),
        )
        items: Any = fields.get("practice", [])
        _expect(is_sequence(items), f"{where}: practice", "a list of items", items)
        practice = [_practice(raw, f"{where}: practice {i}", scheme) for i, raw in enumerate(items)]
        qualified = fields.get("qualified")
        if qualified is not None:
            check_number(f"{where}: qualified", qualified, 0, 1)
            if not practice:
                raise InputError(f"{where}: qualified: expected items of practice, got none")
        return replace(scheme, practice=tuple(practice), qualified=qualified)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data, as a file has them; without those left as they are."""
        return dict(_plain(self))

    def check(self, name: str, rating: Any, where: str) -> None:
        """Check an answer to a criterion as people give it: a step, or a choice of outputs."""
        if self.compares:
            choice(rating, where)
        else:
            self.criteria[name].number(rating, where)

    def grade(self, practice: Practice, ratings: Any) -> list[dict[str, bool]]:
        """Return which of the known ratings a rater gave: a dict per output, or one.

        Args:
            practice: An item of the scheme.
            ratings: Criterion → rating; where several outputs are rated, a list of these.

        Example:
            >>> scheme = Scheme.load("information_errors")
            >>> scheme.grade(scheme.practice[0], {"insertion": 0, "deletion": 0, "substitution": 1})
            [{'insertion': True, 'deletion': True, 'substitution': False}]
        """
        several = ratings if isinstance(ratings, list) else [ratings]
        return [
            {name: self._agrees(name, right[name], answer.get(name)) for name in right}
            for right, answer in zip(practice.ratings, several, strict=True)
        ]

    def _agrees(self, name: str, expected: Any, rating: Any) -> bool:
        if rating is None or self.compares:
            return bool(rating == expected)
        low, high = self.criteria[name].bounds(expected)
        return low <= self.criteria[name].number(rating, name) <= high

    @property
    def compares(self) -> bool:
        """Whether raters compare outputs, in place of rating each."""
        return self.grouping == "pair"

    @property
    def size(self) -> int | None:
        """How many outputs are on a screen; None if those of a source, however many."""
        return {"output": 1, "pair": 2}.get(self.grouping)

    @functools.cached_property
    def hash(self) -> str:
        """Twelve hexadecimal digits that change with every field."""
        plain = json.dumps(self.to_dict(), default=str)
        return hashlib.sha256(plain.encode()).hexdigest()[:12]

    @property
    def stamp(self) -> dict[str, Any]:
        """The columns of answers that name the scheme."""
        return {"scheme": self.name, "version": self.version, "hash": self.hash}

    def __str__(self) -> str:
        return f"{self.name}|version:{self.version}|hash:{self.hash}"


@functools.cache
def _load_own(name: str) -> Scheme:
    data = resources.files(__package__).joinpath(f"schemes/{name}.yaml").read_bytes()
    return Scheme.from_dict(read_yaml(data, name), name)


def find(
    tables: Sequence[Table], scheme: str | Path | Scheme | None, *, needed: bool = True
) -> Scheme | None:
    """Return a scheme, by default the package's that tables name; None if they name none.

    All rows must have its version and hash. If a scheme is ``needed``, another name is an error.
    """
    if scheme is None:
        named = next((table for table in tables if "scheme" in table.names), None)
        name = "" if named is None else named.column("scheme")[0]
        if named is not None and name not in NAMES and needed:
            raise InputError(f"{named.where}: answers of the scheme {name!r}: give its file")
        if name not in NAMES:
            return None
        scheme = str(name)
    chosen = Scheme.load(scheme)
    stamps = [(table, *part) for table in tables for part in chosen.stamp.items()]
    for table, name, expected in stamps:
        for i, row in enumerate(table.column(name) if name in table.names else ()):
            if str(row) != str(expected):
                where = f"column {name!r} of {table.where}"
                raise bad_row(i, where, f"{expected!r}, as all answers by {chosen} have", row)
    return chosen


def _practice(fields: Any, where: str, scheme: Scheme) -> Practice:
    required = ("source",) if "source" in scheme.shows else ()
    check_fields(fields, Practice.__dataclass_fields__, where, (*required, "prediction", "ratings"))
    texts: Any = fields["prediction"]
    texts = texts if is_sequence(texts) else [texts]
    size = scheme.size or len(texts)
    if len(texts) != size:
        raise InputError(f"{where}: prediction: expected {size} outputs, got {len(texts)}")
    ratings: Any = fields["ratings"]
    several = ratings if is_sequence(ratings) else [ratings]
    rated = 1 if scheme.compares else size
    mappings = [answer for answer in several if isinstance(answer, Mapping) and answer]
    complete = len(mappings) == len(several) == rated
    _expect(complete, f"{where}: ratings", f"{rated} mappings", ratings)
    for name, rating in (pair for mapping in several for pair in mapping.items()):
        check_choice(f"{where}: ratings", name, list(scheme.criteria))
        place = f"{where}: ratings: {name}"
        if scheme.compares:
            choice(rating, place)
        else:
            scheme.criteria[name].bounds(rating, place)
    return Practice(
        read_text(fields.get("source", ""), f"{where}: source", len(required)),
        tuple(read_text(text, f"{where}: prediction", 0) for text in texts),
        tuple(map(dict, several)),
        read_text(fields.get("why", ""), f"{where}: why", 0),
    )


def _name(name: Any, where: str) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(
            f"{where}: expected at most 40 letters, digits, '-' and '_', the first a letter, got "
            f"{shown(name)}"
        )
    if name in COLUMNS:
        raise InputError(f"{where}: expected another name: answers have a column {name!r}")
    return name


def _plain(value: Any) -> Any:
    """Return plain data: of a dataclass the fields that differ from their defaults."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if not is_dataclass(value):
        return value
    fields = {}
    for declared in fields_of(value):
        item, factory = getattr(value, declared.name), declared.default_factory
        default = declared.default if factory is MISSING else factory()
        if item != default or type(item) is not type(default):
            fields[declared.name] = _plain(item)
    return fields
