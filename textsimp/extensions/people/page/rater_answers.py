"""A rater's answers to the screens of a plan, in a file."""

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from operator import itemgetter
from pathlib import Path
from typing import Any

from textsimp.extensions.people.judgements.answer_files import AnswerFile, answered_at
from textsimp.extensions.people.judgements.schemes import Scheme
from textsimp.extensions.people.judgements.studies import Screen
from textsimp.support.errors import InputError, check_number, shown
from textsimp.support.names import same_name

_ABOUT = ("item", "control", "source", "system", "prediction")


class RaterAnswers:
    """The answers in a file to a rater's screens.

    Attributes:
        seen: What a page brings back with an answer, for each screen.
        last: The screen of the last answer.
    """

    def __init__(self, scheme: Scheme, screens: Sequence[Screen], path: Path) -> None:
        self.scheme, self.screens, self.file = scheme, screens, AnswerFile(path)
        self._questions = [[_question(row) for row in screen.answers(scheme)] for screen in screens]
        self._screen_of: dict[str, int] = {}
        for i, question in ((i, one) for i, own in enumerate(self._questions) for one in own):
            if question in self._screen_of:
                raise InputError(
                    f"screen {screens[i].screen} of rater {screens[i].rater!r} shows an output "
                    "again: expected each once, and once as a repeated item"
                )
            self._screen_of[question] = i
        self.seen = _name_screens(screens)
        self.last: int | None = None
        self._kept: dict[str, dict[str, Any]] = {}  # by question
        self._lock = threading.Lock()
        self.refresh()

    def refresh(self) -> None:
        """Read the file, to which others may have written."""
        with self._lock:
            timed = []
            for line, row in enumerate(self.file.rows(), 1):
                where = f"{self.file.path}, line {line}"
                self._check(row, where)
                timed.append((answered_at(row.get("time"), f"{where}: time"), row))
            rows = [row for _, row in sorted(timed, key=itemgetter(0))]
            # The plan may have been changed, and lack some.
            self._kept = {key: row for row in rows if (key := _question(row)) in self._screen_of}
            last = [self._screen_of.get(_question(row)) for row in rows]
            self.last = next((screen for screen in reversed(last) if screen is not None), None)

    def set_aside(self) -> None:
        """Begin anew; the file stays in a folder."""
        self.file.set_aside()
        self.refresh()

    def give(self, row: int, ratings: list[dict[str, Any]], **more: Any) -> None:
        """Write an answer to a screen to the disk."""
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        rows = self.screens[row].answers(self.scheme, ratings, **more, time=now)
        with self._lock:
            self.file.append(rows)
            self._kept |= {_question(answer): answer for answer in rows}
            self.last = row

    @property
    def given(self) -> dict[int, dict[str, Any]]:
        """Screen → what was answered: ratings, comment and seconds."""
        names, given = self.scheme.criteria, {}
        with self._lock:
            for i in sorted({self._screen_of[question] for question in self._kept}):
                rows = [self._kept.get(question) for question in self._questions[i]]
                last = next(row for row in rows if row is not None)
                given[i] = {
                    "ratings": [{name: (row or {}).get(name) for name in names} for row in rows],
                    "comment": last.get("comment") or "",
                    "seconds": last.get("seconds") or 0,
                }
        return given

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows that count, in the order of the screens."""
        return [self._kept[question] for question in self._screen_of if question in self._kept]

    def history(self) -> list[dict[str, Any]]:
        """Return all rows that the plan has, those that were changed later among them."""
        self.refresh()  # checks them
        return [row for row in self.file.rows() if _question(row) in self._screen_of]

    def _check(self, row: Mapping[str, Any], where: str) -> None:
        if row.get("seconds") is not None:
            check_number(f"{where}: seconds", row["seconds"], 0)
        stamp = self.scheme.stamp
        if {name: row.get(name) for name in stamp} != stamp:
            stamped = "|".join(str(row.get(name)) for name in stamp)
            raise InputError(f"{where}: an answer of the scheme {stamped}, not of {self.scheme}")
        rater = self.screens[0].rater
        if same_name(str(row.get("rater"))) != same_name(rater):
            raise InputError(f"{where}: an answer of {shown(row.get('rater'))}, not of {rater!r}")
        for name in self.scheme.criteria:
            if row.get(name) is not None:
                self.scheme.check(name, row[name], f"{where}: {name}")


def _name_screens(screens: Sequence[Screen]) -> list[str]:
    """Return digits for each screen, wherever it stands in a plan, from what its rater may know."""
    names, times = [], Counter[str]()
    for screen in screens:
        shown = json.dumps([screen.item, screen.source, screen.predictions])
        times[shown] += 1  # twice for a repeated item
        names.append(hashlib.sha256(f"{times[shown]} {shown}".encode()).hexdigest()[:16])
    return names


def _question(row: Mapping[str, Any]) -> str:
    """Return what an answer is to, wherever it stands in a plan."""
    return json.dumps([row.get(name) for name in _ABOUT])
