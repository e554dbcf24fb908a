"""People's ratings as columns: a row per rater and output, or per rater and comparison."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from textsimp.core.columns import is_sequence
from textsimp.core.metric import Floats
from textsimp.judgements.schemes import Criterion, Grouping
from textsimp.support.errors import InputError, check_choice

Outputs = tuple[tuple[str, ...], ...]
"""The outputs on a screen, each with all systems that wrote it."""

ALL = "all"
"""The system of a table without a column of systems."""
LISTS = ("raters", "items", "outputs", "controls", "invalid", "asked")
"""The fields of `Ratings` that are lists."""


def plain(text: Any) -> str:
    """Return a text with single spaces, as white space doesn't matter where texts are matched."""
    return " ".join(str(text).split())


@dataclass(frozen=True, eq=False)
class Ratings:
    """People's ratings: a row per rater and output, or per rater and comparison.

    Attributes:
        scheme: Name, version and hash of the scheme; "" without one.
        grouping: What raters see on a screen, see `Scheme`.
        criteria: Name → `Criterion`.
        raters: Who rated each row.
        items: What each row's outputs simplify.
        outputs: The outputs of each row, each as the systems that wrote it: one output, or those
            that are compared.
        controls: The kind of control that a row is; "" for none.
        values: Criterion → (n,) ratings, NaN for none. Of comparisons: (n, 2), the best and the
            worst output by their numbers from 0; −1 and −1 if they are equal.
        seconds: How long each took; NaN where unknown.
        texts: ``source``, ``prediction`` and ``references`` of each row, if there are any.
        missing: Rater → the screens of a plan without a whole answer, if there is a plan.
        invalid: Why a judge's answer isn't valid, see `textsimp.judges`; "" for others.
        asked: How a judge was asked; "" for people.
    """

    scheme: str
    grouping: Grouping
    criteria: Mapping[str, Criterion]
    raters: list[str]
    items: list[Any]
    outputs: list[Outputs]
    controls: list[str]
    values: Mapping[str, Floats]
    seconds: Floats
    texts: Mapping[str, list[Any]]
    missing: Mapping[str, list[int]] = field(default_factory=dict)
    invalid: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.raters)

    @property
    def compares(self) -> bool:
        """Whether raters compared outputs."""
        return self.grouping in ("pair", "four")

    def subjects(self) -> list[tuple[Any, ...]]:
        """Return what each row is about: item, outputs, control and text; equal ones are one."""
        predictions = self.texts.get("prediction", [None] * len(self))
        texts = [tuple(text) if isinstance(text, list) else text for text in predictions]
        return list(zip(self.items, self.outputs, self.controls, texts, strict=True))

    def take(self, rows: Iterable[int]) -> Ratings:
        """Return some rows."""
        kept = [*rows]
        lists: dict[str, Any] = {name: [getattr(self, name)[i] for i in kept] for name in LISTS}
        return replace(
            self,
            values={name: values[kept] for name, values in self.values.items()},
            seconds=self.seconds[kept],
            texts={name: [column[i] for i in kept] for name, column in self.texts.items()},
            **lists,
        )

    def without(self, raters: Collection[str]) -> Ratings:
        """Return the rows of all other raters."""
        names = list(dict.fromkeys(self.raters))
        for name in raters:
            check_choice("without", name, names)
        if set(names) <= set(raters):
            raise InputError("without: expected some of the raters, got all of them")
        missing = {name: own for name, own in self.missing.items() if name not in raters}
        others = self.take(i for i, name in enumerate(self.raters) if name not in raters)
        return replace(others, missing=missing)

    def find_by(self, row: int) -> tuple[str, list[str]]:
        """Return a row's source and outputs as `plain` texts, by which other files have them."""
        outputs = self.texts["prediction"][row]
        texts = outputs if is_sequence(outputs) else [outputs]
        return plain(self.texts["source"][row]), [*map(plain, texts)]

    def records(self) -> list[dict[str, Any]]:
        """Return a row per rater, output and system, without controls: a long table.

        An output that several systems wrote has a row for each.
        """
        if self.compares:
            raise InputError("expected ratings of outputs, got comparisons")
        rows = []
        for i, control in enumerate(self.controls):
            if control:
                continue
            own: dict[str, Any] = {name: column[i] for name, column in self.texts.items()}
            own |= {name: float(values[i]) for name, values in self.values.items()}
            for system in self.outputs[i][0]:
                row = {"rater": self.raters[i], "item": self.items[i], "system": system}
                rows.append({**row, **own})
        return rows

    def by_output(self) -> dict[str, list[Any]]:
        """Return columns with a row per output, as `textsimp.judgements.evaluate` takes them.

        Controls are left out. A criterion has a list with a rating of each rater, or None. An
        output that several systems wrote has a row for each.
        """
        places = {name: i for i, name in enumerate(dict.fromkeys(self.raters))}
        rows: dict[Any, dict[str, Any]] = {}
        for record in self.records():
            place = places[record.pop("rater")]
            key = (record["item"], record["system"], record.get("prediction"))
            if key not in rows:
                rows[key] = record | {name: [None] * len(places) for name in self.criteria}
            for name in self.criteria:
                rows[key][name][place] = record[name]
        names = ["item", "system", *self.texts, *self.criteria]
        columns = {name: [row[name] for row in rows.values()] for name in names}
        if set(columns["system"]) == {ALL}:
            del columns["system"]
        return columns
