"""What the page to annotate asks its server for, without Gradio."""

from __future__ import annotations

import base64
import functools
import hashlib
import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from textsimp.core import tables
from textsimp.demo import forms, views
from textsimp.demo.limits import Limits
from textsimp.errors import annotation
from textsimp.errors.annotation import Answers, Labels, Pair
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.report import marks
from textsimp.support.errors import InputError, shown
from textsimp.support.files import write_files

_SETS = 200  # that visitors may upload
_KEY = re.compile(r"[0-9a-f]{16}")
_PARTS = ("qualification", "pairs")  # in the order in which they are answered


@dataclass(frozen=True)
class Task:
    """What is to be annotated, and where answers are kept.

    Attributes:
        pairs: All of them.
        folder: Of the answers, a file for each annotator; those to qualify are in a folder in it.
        qualifying: Pairs to qualify with; may be empty.
        known: Their known labels.
    """

    pairs: Sequence[Pair]
    folder: Path
    qualifying: Sequence[Pair] = ()
    known: Sequence[Labels] = ()

    @functools.cached_property
    def opened(self) -> Callable[[str, str], Answers]:
        """The answers of an annotator (as `annotation.annotator_name` has it) to a part."""
        of = {
            "pairs": (self.folder, self.pairs),
            "qualification": (self.folder / "qualification", self.qualifying),
        }

        def answers(part: str, name: str) -> Answers:
            folder, pairs = of[part]
            return Answers(folder, name, pairs)

        return functools.lru_cache(maxsize=100)(answers)


class Desk:
    """What the page asks for: messages and replies, plain data.

    Args:
        task: What is to be annotated; None if visitors upload it.
        folder: Where what they upload is kept, with the answers; None for as long as this lives.
    """

    def __init__(self, task: Task | None = None, folder: Path | None = None) -> None:
        if folder is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="textsimp-")
            folder = Path(self._scratch.name)
        self._folder = folder
        self._task = task
        self._tasks: dict[str, Task] = {}
        self._lock = threading.Lock()
        self.limits = Limits(request=6 * 2**20)

    def load(self, asked: Any) -> dict[str, Any]:
        """Take uploaded files: ``{"pairs": {"name", "data"}, "qualification": …}``.

        Returns:
            ``key`` of the set of pairs: the same for the same pairs.
        """
        if self._task is not None:
            raise InputError("this page has its pairs already")
        pairs, qualifying, known = self._read(asked)
        self.limits.check((p.source, [p.prediction]) for p in (*pairs, *qualifying))
        files = {"pairs.jsonl": _json_lines(map(asdict, pairs))}
        if qualifying:
            rows = [asdict(p) | row for p, row in zip(qualifying, known, strict=True)]
            files["qualification.jsonl"] = _json_lines(rows)
        key = hashlib.sha256(b"\0".join(files.values())).hexdigest()[:16]
        folder = self._folder / key
        with self._lock:
            there = len(list(self._folder.glob("*/pairs.jsonl")))
            if not folder.exists() and there >= _SETS:
                raise InputError(
                    "this page has no room for more files: run textsimp errors annotate on your "
                    "machine"
                )
            write_files({folder / n: data for n, data in files.items()}, overwrite=True)
        return {"key": key}

    def start(self, asked: Any) -> dict[str, Any]:
        """Begin, or go on: ``{"name", "key"}``; ``{"skip": true}`` goes on after qualification.

        Returns:
            ``part``, ``n``, ``longest`` (characters of a text), ``next`` (a row, or None if all are
            answered) and ``labels`` (row → label of each category); of qualification also
            ``result`` if all are answered.
        """
        task, name = self._asked(asked)
        part = _PARTS[0] if task.qualifying and not asked.get("skip") else _PARTS[1]
        answers = task.opened(part, name)
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
            if task.opened("pairs", name).labels:  # the result was seen before
                return self.start({**asked, "skip": True})
            right, of = annotation.qualification(answers.labels, task.known)
            reply["result"] = {
                "right": right,
                "of": of,
                "asked": annotation.QUALIFIED,
                "enough": right >= annotation.QUALIFIED * of,
            }
        return reply

    def pair(self, asked: Any) -> dict[str, str]:
        """A pair: ``{"name", "key", "part", "row"}`` → ``source`` and ``prediction`` as HTML.

        Also ``seen``, which an answer to it has to bring.
        """
        answers = self._answers(asked)
        pair = answers.pairs[_row(asked, answers)]
        source, prediction = marks.sides(marks.mark([pair.source], [pair.prediction])[0])
        return {"source": source, "prediction": prediction, "seen": _mark_of(pair)}

    def answer(self, asked: Any) -> dict[str, Any]:
        """Keep an answer: ``{"name", "key", "part", "row", "labels", "seen"}``.

        Labels are a list, one of each category. It isn't ``kept`` if the pair is another by now.
        """
        answers, labels = self._answers(asked), asked.get("labels")
        if not isinstance(labels, list) or len(labels) != len(CATEGORIES):
            raise InputError(f"labels: expected one of each category, got {shown(labels)}")
        row = _row(asked, answers)
        # A page may stay open while the server is started again over a file that was changed.
        if asked.get("seen") != _mark_of(answers.pairs[row]):
            return {"kept": False}
        answers.give(row, dict(zip(CATEGORIES, labels, strict=True)))
        return {"kept": True}

    def download(self, asked: Any) -> dict[str, str]:
        """The answers as a file: ``{"name", "key"}`` → its ``file`` name, ``kind`` and ``text``.

        With ``{"csv": true}`` a table for a spreadsheet; else what is merged.
        """
        answers = self._answers({**asked, "part": "pairs"})
        answers.refresh()
        file, rows = answers.path, answers.rows()
        if asked.get("csv"):
            text = views.spreadsheet(rows) if rows else ""
            return {"file": file.with_suffix(".csv").name, "kind": "text/csv", "text": text}
        return {"file": file.name, "kind": "application/jsonl", "text": tables.json_lines(rows)}

    def _asked(self, asked: Any) -> tuple[Task, str]:
        name = annotation.annotator_name(asked.get("name"))
        if self._task is not None:
            return self._task, name
        key = asked.get("key")
        if not isinstance(key, str) or not _KEY.fullmatch(key):
            raise InputError("choose a file first")
        with self._lock:
            if key not in self._tasks:
                self._tasks[key] = self._reopened(key)
                if len(self._tasks) > 20:
                    del self._tasks[next(iter(self._tasks))]
            return self._tasks[key], name

    def _answers(self, asked: Any) -> Answers:
        task, name = self._asked(asked)
        if asked.get("part") not in _PARTS:
            raise InputError(f"part: expected one of {', '.join(_PARTS)}")
        return task.opened(asked["part"], name)

    def _reopened(self, key: str) -> Task:
        folder = self._folder / key
        if not (folder / "pairs.jsonl").exists():
            raise InputError("the pairs aren't on this server any more: choose the file again")
        known = folder / "qualification.jsonl"
        qualifying = annotation.read_known(known) if known.exists() else ((), ())
        pairs = annotation.read_pairs(folder / "pairs.jsonl")
        return Task(pairs, folder / "answers", *qualifying)

    def _read(self, asked: Any) -> tuple[list[Pair], list[Pair], list[Labels]]:
        with tempfile.TemporaryDirectory(prefix="textsimp-") as folder:
            paths = {part: _saved(Path(folder), part, asked.get(part)) for part in _PARTS}
            if paths["pairs"] is None:
                raise InputError("choose a file first")
            with forms.named(*(str(path) for path in paths.values() if path)):
                pairs = annotation.read_pairs(paths["pairs"])
                if paths["qualification"] is None:
                    return pairs, [], []
                return pairs, *annotation.read_known(paths["qualification"])


def _row(asked: Any, answers: Answers) -> int:
    row = asked.get("row")
    if type(row) is not int or not 0 <= row < len(answers.pairs):
        raise InputError(f"row: expected one of {len(answers.pairs)}, got {shown(row)}")
    return row


def _saved(folder: Path, part: str, file: Any) -> Path | None:
    """An uploaded file, which came as a data URL, on the disk."""
    if file is None:
        return None
    if not isinstance(file, dict) or not all(
        isinstance(file.get(k), str) for k in ("name", "data")
    ):
        raise InputError(f"{part}: expected a file, got {shown(file)}")
    name = Path(file["name"].replace("\\", "/")).name
    if Path(name).suffix.lower() not in forms.TABLES:
        raise InputError(f"{name}: expected a table ({', '.join(forms.TABLES)})")
    try:
        data = base64.b64decode(file["data"].partition(",")[2], validate=True)
    except ValueError:
        raise InputError(f"{name}: expected a data URL") from None
    path = folder / part / name
    path.parent.mkdir()
    try:
        path.write_bytes(data)
    except (OSError, ValueError):
        raise InputError(f"{part}: expected a file with another name") from None
    return path


def _mark_of(pair: Pair) -> str:
    """What tells that a pair is the one that was shown."""
    return hashlib.sha256(_json_lines([asdict(pair)])).hexdigest()[:16]


def _json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    return tables.json_lines(rows).encode()
