"""The messages between the page on which people rate and its server, without Gradio."""

import functools
import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from textsimp.core import tables
from textsimp.extensions.people.judgements.schemes import Scheme
from textsimp.extensions.people.judgements.studies import Plan, Screen, check_name
from textsimp.extensions.people.page.rater_answers import RaterAnswers
from textsimp.report import marks
from textsimp.support.errors import (
    InputError,
    check_choice,
    check_integer,
    check_number,
    listed,
    shown,
)
from textsimp.support.names import same_name

_MAX_NAMES = 2000  # on a page that keeps no folder, where anybody may type names
_MAX_COMMENT = 2000  # characters
_PARTS = ("practice", "study")  # in the order in which they are answered
_QUALIFIED = 0.5  # share of the ratings of practice that are to be right, if the scheme has none
_HIDDEN = ("system", "control", "references")  # from raters, in the answers that they save


class RatingServer:
    """Replies to the page's messages.

    Each message has the token of a rater's link; ``by_name`` the name alone, as raters trust each
    other. Without a folder, answers last as long as the server, and anybody rates what the plan has
    for its first rater, by any name: visitors with other tokens are others.
    """

    def __init__(self, plan: Plan, folder: Path | None, *, by_name: bool = False) -> None:
        self.plan, self.public, self.by_name = plan, folder is None, by_name
        if not self.public and not by_name and not plan.tokens:
            raise InputError("expected a plan with tokens: plan.with_tokens(), or by_name=True")
        self._raters = {token: name for name, token in plan.tokens.items()}
        self._screens: dict[str, list[Screen]] = {}
        for screen in plan.screens:
            self._screens.setdefault(screen.rater, []).append(screen)
        self._names = {same_name(check_name(name)): name for name in self._screens}
        if len(self._names) < len(self._screens):
            raise InputError("raters: expected names that differ in more than case")
        if folder is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="textsimp-")
            folder = Path(self._scratch.name)
        self._folder = folder
        self._open = functools.lru_cache(maxsize=100)(self._open_answers)
        for name in () if self.public else self._screens:
            for part in _PARTS:
                self._open(part, name, "")  # reports what is wrong with the file

    def start(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Begin, or go on: ``{"token"}``.

        After practice, ``{"skip": true}`` begins the study, if enough ratings are right, and
        ``{"again": true}`` begins practice anew.
        """
        scheme = self.plan.scheme
        practice, study = (self._answers({**message, "part": part}) for part in _PARTS)
        study.refresh()
        practice.refresh()
        if message.get("again") and len(practice.given) == len(practice.screens):
            practice.set_aside()
        feedback = {str(row): self._feedback(row, practice) for row in practice.given}
        grades = [grade for item in feedback.values() for grade in item["right"]]
        right = sum(is_right for grade in grades for is_right in grade.values())
        of = sum(len(ratings) for item in scheme.practice for ratings in item.ratings)
        asked = _QUALIFIED if scheme.qualified is None else scheme.qualified
        part = "study" if study.given or not scheme.practice else "practice"
        if message.get("skip") and part == "practice":
            if len(practice.given) < len(practice.screens) or right < asked * of - 1e-9:
                raise InputError(
                    f"practice: expected {asked:.0%} of {of} ratings right, got {right}"
                )
            part = "study"
        answers = study if part == "study" else practice
        reply: dict[str, Any] = {
            "name": self._rater(message),
            "part": part,
            "n": len(answers.screens),
            "scheme": _public(scheme),
            "longest": max(len(text) for s in answers.screens for text in _texts(s, scheme)),
            "given": {str(row): answer for row, answer in answers.given.items()},
            "last": answers.last,
        }
        if part == "practice":
            reply["feedback"] = feedback
            reply["result"] = {"right": right, "of": of, "asked": asked}
        return reply

    def screen(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """What a rater sees, as HTML: ``{"token", "part", "row"}``; answers bring ``seen`` back."""
        answers = self._answers(message)
        row = check_integer("row", message.get("row"), 0, len(answers.screens) - 1)
        screen, scheme = answers.screens[row], self.plan.scheme
        source, outputs = escape(screen.source), [escape(text) for text in screen.predictions]
        if "changes" in scheme.shows:
            pairs = marks.mark([screen.source] * len(outputs), screen.predictions)
            both = [marks.sides(spans) for spans in pairs]
            source = both[0][0] if len(both) == 1 else source
            outputs = [output for _, output in both]
        reply: dict[str, Any] = {"outputs": outputs, "seen": answers.seen[row]}
        if "source" in scheme.shows:
            reply["source"] = source
        if "references" in scheme.shows:
            reply["references"] = [escape(text) for text in screen.references]
        return {**reply, "given": answers.given.get(row)}

    def answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Keep ``{"token", "part", "seen", "ratings", "comment", "seconds"}``.

        ``ratings`` has a mapping of criteria to ratings for each output, or one for a comparison.
        Nothing is kept if the plan doesn't have the screen any more. The reply to an answer in
        practice says what is right.
        """
        answers = self._answers(message)
        # A page may stay open while the server is started again with a plan that was changed.
        if message.get("seen") not in answers.seen:
            return {"kept": False}
        row = answers.seen.index(message["seen"])
        has_file = answers.file.path.exists() or not self.public
        if not has_file and len([*self._folder.glob("**/*.jsonl")]) >= _MAX_NAMES:
            raise InputError(f"this page keeps the answers of at most {_MAX_NAMES} raters")
        practice = message["part"] == "practice"
        if not practice or row not in answers.given:  # the first answer counts in practice
            answers.give(row, **_read(message, self.plan.scheme, answers.screens[row]))
        return {"kept": True, **({"feedback": self._feedback(row, answers)} if practice else {})}

    def download(self, message: Mapping[str, Any]) -> dict[str, str]:
        """The answers as a file: ``{"token"}``, with ``{"csv": true}`` for a spreadsheet."""
        answers = self._answers({**message, "part": "study"})
        answers.refresh()
        file = answers.file.path
        rows = [{k: v for k, v in row.items() if k not in _HIDDEN} for row in answers.rows()]
        if message.get("csv"):
            text = tables.format_csv(rows) if rows else ""
            return {"file": file.with_suffix(".csv").name, "kind": "text/csv", "text": text}
        return {"file": file.name, "kind": "application/jsonl", "text": tables.json_lines(rows)}

    def results(self) -> str:
        """Return the lines of all files, in the order in which `textsimp ratings` reads them."""
        answers = [self._open("study", name, "") for name in self._screens]
        answers.sort(key=lambda one: one.file.path)
        return tables.json_lines(row for one in answers for row in one.history())

    def _feedback(self, row: int, answers: RaterAnswers) -> dict[str, Any]:
        item, ratings = self.plan.scheme.practice[row], answers.given[row]["ratings"]
        right = self.plan.scheme.grade(item, ratings)
        return {"right": right, "expected": list(item.ratings), "why": item.why}

    def _rater(self, message: Mapping[str, Any]) -> str:
        if self.public or self.by_name:
            name = check_name(message.get("name"))
            spelled = self._names.get(same_name(name), name)
            if not self.public and spelled not in self._screens:
                raise InputError(f"name: expected one of {listed(self._screens)}, got {name!r}")
            return spelled
        rater = self._raters.get(str(message.get("token")))
        if rater is None:
            raise InputError("this link is nobody's: open the one that you were given")
        return rater

    def _answers(self, message: Mapping[str, Any]) -> RaterAnswers:
        check_choice("part", message.get("part"), _PARTS)
        token = str(message.get("token")).encode(errors="replace")
        visitor = hashlib.sha256(token).hexdigest() if self.public else ""
        return self._open(message["part"], self._rater(message), visitor)

    def _open_answers(self, part: str, name: str, visitor: str) -> RaterAnswers:
        folder = self._folder / visitor
        if part == "practice":
            screens = []
            for i, item in enumerate(self.plan.scheme.practice, 1):
                systems = ((),) * len(item.prediction)
                screens.append(
                    Screen(name, i, f"practice {i}", item.source, item.prediction, systems)
                )
            folder /= "practice"
        else:
            planned = self._screens.get(name) or next(iter(self._screens.values()))
            screens = [replace(screen, rater=name) for screen in planned]
        return RaterAnswers(self.plan.scheme, screens, folder / f"{same_name(name)}.jsonl")


def _public(scheme: Scheme) -> dict[str, Any]:
    """What the page may know of a scheme: not how raters pass controls and practice."""
    criteria = [
        {
            "name": name,
            "question": criterion.question,
            "steps": list(criterion.steps.items()),
            "slider": criterion.slider,
            "aside": criterion.aside,
        }
        for name, criterion in scheme.criteria.items()
    ]
    return {
        "grouping": scheme.grouping,
        "shows": list(scheme.shows),
        "instructions": scheme.instructions,
        "criteria": criteria,
    }


def _read(message: Mapping[str, Any], scheme: Scheme, screen: Screen) -> dict[str, Any]:
    size = len(screen.outputs(scheme))
    ratings: Any = message.get("ratings")
    legal = isinstance(ratings, list) and all(isinstance(mapping, dict) for mapping in ratings)
    if (
        not legal
        or len(ratings) != size
        or any(set(mapping) - set(scheme.criteria) for mapping in ratings)
    ):
        raise InputError(f"ratings: expected {size} mappings of criteria, got {shown(ratings)}")
    for name, rating in (pair for mapping in ratings for pair in mapping.items()):
        if rating is not None:
            scheme.check(name, rating, name)
    comment = message.get("comment", "")
    if not isinstance(comment, str) or len(comment) > _MAX_COMMENT:
        raise InputError(f"comment: expected a text of at most {_MAX_COMMENT} characters")
    return {
        "ratings": [{name: mapping.get(name) for name in scheme.criteria} for mapping in ratings],
        "seconds": round(check_number("seconds", message.get("seconds"), 0), 1),
        "comment": comment.encode(errors="replace").decode(),
    }


def _texts(screen: Screen, scheme: Scheme) -> Sequence[str]:
    source = (screen.source,) if "source" in scheme.shows else ()
    return (*source, *screen.predictions)
