"""Studies: what each rater sees, and the files of plans."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from textsimp.core import tables
from textsimp.core.columns import bad_row, is_sequence
from textsimp.corpora.tables import Table, read_table
from textsimp.extensions.people.judgements import schemes
from textsimp.extensions.people.judgements.answer_files import parse_answers
from textsimp.extensions.people.judgements.schemes import Control, Scheme
from textsimp.support.errors import InputError, check_choice, check_integer, shown
from textsimp.support.names import same_name, trim

_MIN_TOKEN = 16  # characters
_NAME = re.compile(r"\w[\w .@+-]{0,59}")  # of a rater, and of a file


@dataclass(frozen=True)
class Screen:
    """What a rater sees at once.

    Attributes:
        rater: Who sees it.
        screen: Its number among those of the rater, from 1.
        item: The number of the source, from 1.
        source: The source.
        predictions: The outputs in the order shown.
        systems: All systems that wrote each; raters must not see them.
        references: References of the source, if there are any.
        control: The kind of control; "" for none.
    """

    rater: str
    screen: int
    item: str
    source: str
    predictions: tuple[str, ...]
    systems: tuple[tuple[str, ...], ...]
    references: tuple[str, ...] = ()
    control: str = ""

    def outputs(self, scheme: Scheme) -> list[tuple[Any, Any]]:
        """Return the systems and texts of each answer's outputs."""
        if scheme.compares:
            return [(self.systems, self.predictions)]
        pairs = zip(self.systems, self.predictions, strict=True)
        return [((systems,), (text,)) for systems, text in pairs]

    def row(self, scheme: Scheme) -> dict[str, Any]:
        """Return the row of a plan's file."""
        return {
            **scheme.stamp,
            "rater": self.rater,
            "screen": self.screen,
            "item": self.item,
            "source": self.source,
            "references": list(self.references),
            "prediction": list(self.predictions),
            "system": [list(names) for names in self.systems],
            "control": self.control,
        }

    def answers(self, scheme: Scheme, ratings: Any = None, **more: Any) -> list[dict[str, Any]]:
        """Return rows of a file of answers, as `read` takes them.

        Args:
            scheme: The scheme.
            ratings: Criterion → rating. Where several outputs are rated, a list with one of each.
                By default all are missing.
            more: Further columns, such as ``seconds``, ``comment`` and ``time``.
        """
        shared = self.row(scheme)
        if not self.references:
            del shared["references"]
        if ratings is None:
            ratings = [dict.fromkeys(scheme.criteria)] * len(self.outputs(scheme))
        several = ratings if isinstance(ratings, list) else [ratings]
        if scheme.compares:
            return [{**shared, **several[0], **more}]
        outputs = zip(shared["prediction"], shared["system"], several, strict=True)
        return [
            {**shared, "system": systems, "prediction": prediction, **answer, **more}
            for prediction, systems, answer in outputs
        ]


@dataclass(frozen=True)
class Plan:
    """A study.

    Attributes:
        scheme: What raters are asked.
        screens: What they see, rater by rater, in order.
        tokens: Rater → the secret of their link to the page, if there are any.
    """

    scheme: Scheme
    screens: tuple[Screen, ...]
    tokens: Mapping[str, str] = field(default_factory=dict)

    @property
    def raters(self) -> list[str]:
        """The names of the raters."""
        return list(dict.fromkeys(screen.rater for screen in self.screens))

    @property
    def ratings(self) -> int:
        """How many ratings or comparisons it has, without controls."""
        plain = (screen for screen in self.screens if not screen.control)
        return sum(len(screen.outputs(self.scheme)) for screen in plain)

    def describe(self) -> list[str]:
        """Return lines on size and time."""
        scheme, raters = self.scheme, len(self.raters)
        plain = [screen for screen in self.screens if not screen.control]
        systems = {name for screen in plain for names in screen.systems for name in names}
        times = Counter((screen.item, frozenset(screen.predictions)) for screen in plain)
        what = "comparisons" if scheme.compares else "ratings"
        if controls := len(self.screens) - len(plain):
            what += f" and {controls:,} controls"
        outputs = sum(len(screen.outputs(scheme)) for screen in self.screens)
        hours = scheme.seconds * outputs / 3600
        different = f"{len(times):,} different outputs, " if scheme.grouping == "output" else ""
        return [
            f"{scheme.name}: {self.ratings:,} {what} by {raters:,} raters",
            f"{len({screen.item for screen in plain}):,} sources, {len(systems):,} systems, "
            f"{different}{max(times.values()):,} of the raters for each output",
            f"time: about {tables.number(hours / raters, 1)} h a rater, "
            f"{tables.number(hours, 1)} h in all, at {scheme.seconds:g} s each",
        ]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows of a file, one per screen, with the columns of answers, and tokens."""
        rows = [screen.row(self.scheme) for screen in self.screens]
        if not self.tokens:
            return rows
        return [{**row, "token": self.tokens[row["rater"]]} for row in rows]

    def with_tokens(self) -> Plan:
        """Return the plan with a new token for each rater, which can't be guessed."""
        return replace(self, tokens={name: secrets.token_urlsafe(16) for name in self.raters})

    def links(self, address: str = "") -> list[str]:
        """Return a line for each rater: the name, and the link by which only they rate."""
        return [f"{name}: {address}?token={token}" for name, token in self.tokens.items()]


def read_plan(path: str | Path, scheme: str | Path | Scheme | None = None) -> Plan:
    """Read a plan that `textsimp rate design` wrote.

    Args:
        path: The file.
        scheme: The file of the scheme, if it isn't one of the package.
    """
    table = read_table(path)
    rows = table.rows(_COLUMNS)
    asked = schemes.find([table], scheme)
    if asked is None:
        raise InputError(f"{table.where}: expected a row per screen, got none")
    where = f"of {table.where} (counted from 0)"
    screens = [_read_screen(row, asked, f"row {i} {where}") for i, row in enumerate(rows)]
    return Plan(asked, tuple(screens), _read_tokens(table, screens))


def is_plan(path: str | Path) -> bool:
    """Whether a JSONL file has a plan's columns alone: answers have ratings beside them."""
    names = {*next(parse_answers(path), ())} - {"token", "scheme", "version", "hash"}
    return names == {*_COLUMNS}


def _read_tokens(table: Table, screens: Sequence[Screen]) -> dict[str, str]:
    """Return rater → token, which no other rater has; older plans have none."""
    if "token" not in table.names:
        return {}
    tokens: dict[str, str] = {}
    for i, (token, screen) in enumerate(zip(table.column("token"), screens, strict=True)):
        legal = isinstance(token, str) and len(token) >= _MIN_TOKEN
        if not legal or tokens.setdefault(screen.rater, token) != token:
            expected = f"the token of rater {screen.rater!r}, of {_MIN_TOKEN} characters or more"
            raise bad_row(i, f"column 'token' of {table.where}", expected, token)
    if len({*tokens.values()}) < len(tokens):
        raise InputError(f"column 'token' of {table.where}: expected another one for each rater")
    return tokens


def check_name(name: Any) -> str:
    """Return a rater's name trimmed, with single spaces."""
    trimmed = trim(name) if isinstance(name, str) else ""
    if not _NAME.fullmatch(trimmed) or not _NAME.fullmatch(same_name(trimmed)):
        raise InputError(
            "name of the rater: expected at most 60 letters, digits, spaces and '.-_@+', the first "
            f"a letter or digit, got {shown(name).removeprefix('str ')}"
        )
    return trimmed


_COLUMNS = ("rater", "screen", "item", "source", "references", "prediction", "system", "control")


def _read_screen(row: Mapping[str, Any], scheme: Scheme, where: str) -> Screen:
    for name in ("rater", "item", "source", "control"):
        if not isinstance(row[name], str):
            raise InputError(f"{where}: {name}: expected a text, got {shown(row[name])}")
    if row["control"]:
        check_choice(f"{where}: control", row["control"], get_args(Control))
    predictions = _read_texts(row["prediction"], f"{where}: prediction")
    size = scheme.size or len(predictions)
    systems = row["system"]
    if not is_sequence(systems) or not size == len(predictions) == len(systems):
        raise InputError(
            f"{where}: expected {size} outputs and lists of the systems of each, got "
            f"{len(predictions)} and {shown(systems)}"
        )
    return Screen(
        trim(row["rater"]),
        check_integer(f"{where}: screen", row["screen"], 1),
        row["item"],
        row["source"],
        predictions,
        tuple(tuple(map(trim, _read_texts(names, f"{where}: system"))) for names in systems),
        _read_texts(row["references"], f"{where}: references"),
        row["control"],
    )


def _read_texts(cell: Any, where: str) -> tuple[str, ...]:
    if not is_sequence(cell) or not all(isinstance(text, str) for text in cell):
        raise InputError(f"{where}: expected a list of texts, got {shown(cell)}")
    return tuple(cell)
