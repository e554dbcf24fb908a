"""What changed since an earlier report: scores of the same examples, and outputs."""

import html
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.examples import Examples
from textsimp.core.metric import Statistics, extra_required_columns
from textsimp.core.tables import Cell, Grid
from textsimp.report import examples, marks, score_tables
from textsimp.report.measurements import Report
from textsimp.scoring import comparison
from textsimp.scoring.ranking import EQUAL, number
from textsimp.support.errors import InputError

_DATA = re.compile(r'<script type="text/plain" id="data">(.*?)</script>', re.DOTALL)
_MOST = 3  # examples that became better, and as many that became worse
_BEFORE, _NOW = "before", "now"

Key = tuple[str, int]
"""A source, and how often it stood before it."""
Earlier = Mapping[str, Mapping[Key, str]]
"""System → source → its output in an earlier report."""


Change = dict[str, Any]
"""An output that differs: ``number`` of the example, ``system``, ``gain`` of its main score,
``cited``, the gain as text, and ``marked``, the edits as HTML."""


def read(path: str | Path) -> Earlier:
    """Read the outputs of a report that textsimp wrote."""
    if not isinstance(path, (str, Path)):
        raise InputError(f"before: expected the name of a file, got {path!r}")
    try:
        match = _DATA.search(Path(path).read_text(encoding="utf-8"))
        data = examples.unpack(match[1] if match else "")
        texts = data["texts"]
        keys = _keys([texts[place] for place in data["sources"]])
        outputs = [[texts[place] for place in own] for own in data["outputs"]]
        if not data["linked"]:  # an output is what isn't deleted in its drawing
            outputs = [[*map(_undrawn, own)] for own in data["drawn"]]
        pairs = zip(data["fullNames"], outputs, strict=True)
        return {name: dict(zip(keys, own, strict=True)) for name, own in pairs}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"before: {path} can't be read: {error}") from None
    except (zlib.error, ValueError, KeyError, TypeError, IndexError):
        raise InputError(f"before: {path} is no report that textsimp wrote") from None


def _keys(sources: Sequence[str]) -> list[Key]:
    seen: Counter[str] = Counter()
    keys = []
    for source in sources:
        keys.append((source, seen[source]))
        seen[source] += 1
    return keys


def _undrawn(drawn: str) -> str:
    return html.unescape(re.sub(r"<del.*?</del>|<[^>]*>", "", drawn, flags=re.DOTALL))


def contents(report: Report, earlier: Earlier) -> dict[str, Any]:
    """Return a table of differences, and the outputs that became better or worse most."""
    names = [name for name in report.judging if not extra_required_columns(report.metrics[name])]
    keys = _keys(report.texts.shared["sources"])
    rows, changes = list[list[Cell]](), list[Change]()
    for system in report.systems:
        full_name = report.full_names.get(system, system)
        old = earlier.get(full_name, {})
        same = [i for i, key in enumerate(keys) if key in old]
        texts = report.texts.take(same)
        before = [old[keys[i]] for i in same]
        pair = {_BEFORE: {"predictions": before}, _NOW: {"predictions": texts.predictions(system)}}
        changed = sum(a != b for a, b in zip(before, texts.predictions(system), strict=True))
        cells = [Cell("–") for _ in names]
        if changed:
            measured = {
                name: report.metrics[name].measure(Examples(texts.shared, pair)) for name in names
            }
            cells = [_difference_cell(report, name, measured[name]) for name in names]
            if names[:1] == report.judging[:1]:
                changes += _list_changes(report, system, same, pair, measured[names[0]])
        about = full_name if full_name != system else ""
        share = Cell(f"{changed:,} of {len(same):,}", value=changed)
        rows.append([Cell(system, about=about), share, *cells])
    head = [Cell("Texts"), Cell("Changed"), *(report.columns[name][0].head for name in names)]
    notes = [report.signatures[name] for name in names]
    changes.sort(key=lambda change: -change["gain"])
    better = [change for change in changes[:_MOST] if change["gain"] > EQUAL]
    worse = [change for change in reversed(changes[-_MOST:]) if change["gain"] < -EQUAL]
    table = Grid(head, rows, notes, id="since", caption="Scores now minus scores before")
    return {"table": table, "changes": {"Became better most": better, "Became worse most": worse}}


def _difference_cell(report: Report, name: str, measured: Statistics) -> Cell:
    """Make the cell of a system's difference from its earlier outputs."""
    column = report.columns[name][0]
    compared = comparison.make_comparison(measured, [_BEFORE], **report.sampling)
    return score_tables.difference_cell(compared, column, compared.differences[_NOW][column.key])


def _list_changes(
    report: Report,
    system: str,
    examples: Sequence[int],
    outputs: Mapping[str, Mapping[str, Sequence[str]]],
    measured: Statistics,
) -> list[Change]:
    """Return the outputs of a system that gained or lost most by the main score."""
    column = report.columns[report.judging[0]][0]
    old, new = (
        measured.metric.reduce_examples(measured.systems[name])[column.key]
        for name in (_BEFORE, _NOW)
    )
    gains = np.nan_to_num(column.gain(column.scale) * (new - old))
    order = np.argsort(gains, kind="stable").tolist()
    chosen = dict.fromkeys([*order[:_MOST], *order[-_MOST:]])
    before, now = (outputs[name]["predictions"] for name in (_BEFORE, _NOW))
    drawn = marks.mark_html([before[k] for k in chosen], [now[k] for k in chosen])
    return [
        {
            "number": examples[k] + 1,
            "system": system,
            "gain": gains[k],
            "cited": number(gains[k], 1, sign=True),
            "marked": marked,
        }
        for k, marked in zip(chosen, drawn, strict=True)
    ]
