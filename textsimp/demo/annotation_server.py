"""The messages between the page to annotate and its server, without Gradio."""

from __future__ import annotations

import functools
import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from textsimp.core import tables
from textsimp.demo import views
from textsimp.errors import annotation
from textsimp.errors.annotation import Answers, Labels, Pair
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.report import marks
from textsimp.support.errors import InputError, check_choice, check_integer, shown

_MAX_NAMES = 2000  # on a page that keeps no folder, where anybody may type names
_PARTS = ("qualification", "pairs")  # in the order in which they are answered


class AnnotationServer:
    """Replies to the page's messages. Without a folder, answers last as long as the server."""

    def __init__(
        self,
        pairs: Sequence[Pair],
        folder: Path | None,
        qualifying: Sequence[Pair] = (),
        solutions: Sequence[Labels] = (),
    ) -> None:
        self._solutions = solutions
        self._most = _MAX_NAMES if folder is None else None
        if folder is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="textsimp-")
            folder = Path(self._scratch.name)

        def open_answers(part: str, name: str) -> Answers:
            if part == "qualification":
                return Answers(folder / part, name, qualifying)
            return Answers(folder, name, pairs)

        self._open = functools.lru_cache(maxsize=100)(open_answers)

    def start(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Begin, or go on: ``{"name"}``; ``{"skip": true}`` goes on after qualification."""
        name = annotation.annotator_name(message.get("name"))
        part = _PARTS[0] if self._solutions and not message.get("skip") else _PARTS[1]
        answers = self._open(part, name)
        answers.refresh()
        reply = {
            "name": answers.annotator,
            "part": part,
            "n": len(answers.pairs),
            "longest": max(len(t) for p in answers.pairs for t in (p.source, p.prediction)),
            "next": answers.next,
            "labels": {str(row): [of[c] for c in CATEGORIES] for row, of in answers.labels.items()},
        }
        if part == "qualification" and answers.next is None:
            if self._open("pairs", name).labels:  # the annotator has seen the result
                return self.start({**message, "skip": True})
            right, of = annotation.qualification(answers.labels, self._solutions)
            reply["result"] = {
                "right": right,
                "of": of,
                "asked": annotation.QUALIFIED,
                "enough": right >= annotation.QUALIFIED * of,
            }
        return reply

    def pair(self, message: Mapping[str, Any]) -> dict[str, str]:
        """A pair as HTML: ``{"name", "part", "row"}``; ``seen`` is a digest that answers bring."""
        answers = self._answers(message)
        pair = answers.pairs[_row(message, answers)]
        source, prediction = marks.sides(marks.mark([pair.source], [pair.prediction])[0])
        return {"source": source, "prediction": prediction, "seen": _digest(pair)}

    def answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Keep ``{"name", "part", "row", "labels", "seen"}``, unless the pair is another by now."""
        answers, labels = self._answers(message), message.get("labels")
        if not isinstance(labels, list) or len(labels) != len(CATEGORIES):
            raise InputError(f"labels: expected one of each category, got {shown(labels)}")
        row = _row(message, answers)
        # A page may stay open while the server is started again over a file that was changed.
        if message.get("seen") != _digest(answers.pairs[row]):
            return {"kept": False}
        files = answers.path.parent.glob("*.jsonl")
        if self._most and not answers.path.exists() and len([*files]) >= self._most:
            raise InputError(f"this page keeps the answers of at most {self._most} names")
        answers.give(row, dict(zip(CATEGORIES, labels, strict=True)))
        return {"kept": True}

    def download(self, message: Mapping[str, Any]) -> dict[str, str]:
        """The answers as a file: ``{"name"}``, with ``{"csv": true}`` for a spreadsheet."""
        answers = self._answers({**message, "part": "pairs"})
        answers.refresh()
        file, rows = answers.path, answers.rows()
        if message.get("csv"):
            text = views.spreadsheet(rows) if rows else ""
            return {"file": file.with_suffix(".csv").name, "kind": "text/csv", "text": text}
        return {"file": file.name, "kind": "application/jsonl", "text": tables.json_lines(rows)}

    def _answers(self, message: Mapping[str, Any]) -> Answers:
        check_choice("part", message.get("part"), _PARTS)
        return self._open(message["part"], annotation.annotator_name(message.get("name")))


def _row(message: Mapping[str, Any], answers: Answers) -> int:
    return check_integer("row", message.get("row"), 0, len(answers.pairs) - 1)


def _digest(pair: Pair) -> str:
    return hashlib.sha256(tables.json_lines([asdict(pair)]).encode()).hexdigest()[:16]
