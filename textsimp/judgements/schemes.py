"""Schemes of rating: what raters are asked, on which scale, about what they see.

A scheme is data: a YAML or JSON file. Those of the package are in ``schemes/``.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field
from dataclasses import fields as fields_of
from pathlib import Path
from typing import Any, Literal

from textsimp.core.columns import is_sequence
from textsimp.corpora.tables import Table
from textsimp.judgements.agreement import MeasurementLevel
from textsimp.support.errors import (
    InputError,
    check_number,
    listed,
    shown,
)

Grouping = Literal["output", "source", "pair", "four"]
Control = Literal["source", "reference", "other", "repeat", "reversed"]
Better = Literal["higher", "lower", ""]
NAMES = (
    *("likert", "direct_assessment", "rank_and_rate", "pairwise", "best_worst", "level"),
    "information_errors",
)
"""The schemes of the package."""
COMPARED = {"pair": 2, "four": 4}
"""Grouping of a comparison → how many outputs it compares."""
LETTERS = "ABCD"
EQUAL = "equal"
SHOWN = ("source", "prediction", "references", "changes")
COLUMNS = (
    *("scheme", "version", "hash", "rater", "raters", "screen", "item", "system", "source"),
    *("prediction", "references", "control", "comment", "seconds", "time", "invalid", "judge"),
)
"""The columns of answers beside the criteria."""
OLD_COLUMNS = {"rater": "annotator", "item": "id"}
"""Column → its name in the answers of the former `textsimp errors annotate`."""
_NAME = re.compile(r"[A-Za-z][\w-]{0,39}")


@dataclass(frozen=True)
class Criterion:
    """A question, and the scale of its answers.

    Attributes:
        question: What raters are asked.
        level: The level of measurement: how `textsimp.judgements.rater_agreement` compares ratings.
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
        if len(ends) != 2:
            raise InputError(f"{where}: expected a step or [lowest, highest], got {shown(ratings)}")
        low, high = (self.number(end, where) for end in ends)
        if low > high:
            raise InputError(f"{where}: expected [lowest, highest], got {shown(ratings)}")
        return low, high


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
        grouping: What is on a screen: one ``"output"``; all outputs of a ``"source"``; a
            ``"pair"``, of which raters choose the better one; or ``"four"``, of which they choose
            the best and the worst.
        shows: What raters see: ``source``, ``prediction``, ``references``; with ``changes`` the
            edits from source to prediction are marked.
        instructions: What raters read first.
        practice: Items that raters practise on, see `Practice`.
        qualified: The share of its ratings that a rater should get right; None if it's all the
            same.
        seconds: How long an output, pair or four takes, for the estimate of a study's time.

    Example:
        >>> from textsimp import judgements
        >>> scheme = judgements.Scheme.load("likert")
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
        from textsimp.judgements import scheme_files

        return scheme if isinstance(scheme, Scheme) else scheme_files.load(scheme)

    @classmethod
    def from_dict(cls, fields: Any, where: str = "scheme") -> Scheme:
        """Check the fields of a scheme; ``where`` begins the messages."""
        from textsimp.judgements import scheme_files

        return scheme_files.parse(fields, where)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain data, as a file has them; without those left as they are."""
        plain = _own_fields(self)
        plain["criteria"] = {name: _own_fields(one) for name, one in self.criteria.items()}
        if self.practice:
            plain["practice"] = [_own_fields(one) for one in self.practice]
        return plain

    def check(self, name: str, rating: Any, where: str) -> None:
        """Check an answer to a criterion as people give it: a step, or a choice of outputs."""
        if self.compares:
            choice(rating, self.grouping, where)
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
            {name: self._agrees(name, expected, own.get(name)) for name, expected in known.items()}
            for known, own in zip(practice.ratings, several, strict=True)
        ]

    def _agrees(self, name: str, expected: Any, rating: Any) -> bool:
        if rating is None or self.compares:
            return bool(rating == expected)
        low, high = self.criteria[name].bounds(expected)
        return low <= self.criteria[name].number(rating, name) <= high

    @property
    def compares(self) -> bool:
        """Whether raters compare outputs, in place of rating each."""
        return self.grouping in COMPARED

    @property
    def size(self) -> int | None:
        """How many outputs are on a screen; None if those of a source, however many."""
        return {"output": 1, **COMPARED}.get(self.grouping)

    @functools.cached_property
    def hash(self) -> str:
        """Twelve hexadecimal digits that change with every field."""
        plain = json.dumps(self.to_dict(), default=str)
        return hashlib.sha256(plain.encode()).hexdigest()[:12]

    @property
    def stamp(self) -> dict[str, Any]:
        """What every answer says of its scheme."""
        return {"scheme": self.name, "version": self.version, "hash": self.hash}

    def __str__(self) -> str:
        return f"{self.name}|version:{self.version}|hash:{self.hash}"


def find(
    tables: Sequence[Table], scheme: str | Path | Scheme | None, *, needed: bool = True
) -> Scheme | None:
    """Return the scheme given, or that of the package which tables name; None if they name none.

    All rows must be of its version and hash. A name that the package doesn't have is an error, or
    None if no scheme is ``needed``.
    """
    if scheme is None:
        named = next((table for table in tables if "scheme" in table.names), None)
        name = "" if named is None else named.column("scheme")[0]
        if named is not None and name not in NAMES and needed:
            raise InputError(f"{named.where}: answers of the scheme {name!r}: give its file")
        if name not in NAMES:
            return None
        scheme = str(name)
    found = Scheme.load(scheme)
    for table in tables:
        _check_stamp(table, found)
    return found


def _check_stamp(table: Table, scheme: Scheme) -> None:
    for name, expected in scheme.stamp.items():
        rows = table.column(name) if name in table.names else []
        for i, row in enumerate(rows):
            if str(row) != str(expected):
                raise InputError(
                    f"row {i} of column {name!r} of {table.where} (counted from 0): expected "
                    f"{str(expected)!r}, as of {scheme}, got {str(row)!r}: these are answers of "
                    "another scheme or version"
                )


def choice(cell: Any, grouping: str, where: str) -> tuple[float, float]:
    """Return the best and the worst output of a comparison by numbers; −1 and −1 if equal."""
    if grouping == "pair":
        codes = {"A": (0.0, 1.0), "B": (1.0, 0.0), EQUAL: (-1.0, -1.0)}
        if not isinstance(cell, Hashable) or cell not in codes:
            raise InputError(f"{where}: expected 'A', 'B' or 'equal', got {shown(cell)}")
        return codes[cell]
    letters = list(cell) if is_sequence(cell) else []
    if len(letters) != 2 or any(one not in [*LETTERS] for one in letters) or cell[0] == cell[1]:
        raise InputError(
            f"{where}: expected two letters, the best and the worst of A to D, got {shown(cell)}"
        )
    return float(LETTERS.index(cell[0])), float(LETTERS.index(cell[1]))


def _own_fields(one: Any) -> dict[str, Any]:
    """Return the fields that differ from their defaults, tuples as lists."""
    own = {}
    for declared in fields_of(one):
        factory = declared.default_factory
        default = declared.default if factory is MISSING else factory()
        value = getattr(one, declared.name)
        if value != default or type(value) is not type(default):
            own[declared.name] = list(value) if isinstance(value, tuple) else value
    return own
