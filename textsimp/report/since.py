"""What changed since an earlier report: scores of the same examples, and outputs."""

import html
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, extra_required_columns
from textsimp.core.tables import Cell, Grid
from textsimp.report import marks, score_tables
from textsimp.report.report_rows import Measurements
from textsimp.scoring import comparison
from textsimp.scoring.score_columns import EQUAL, number
from textsimp.support.errors import InputError
from textsimp.support.parsing import parse_json

_DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)
_MOST = 3  # examples that became better, and as many that became worse
_BEFORE, _NOW = "before", "now"

Key = tuple[str, int]
"""A source, and how often it stood before it."""
Earlier = Mapping[str, Mapping[Key, str]]
"""System → source → its output in an earlier report."""


@dataclass(frozen=True)
class Change:
    """An output that is another one now."""

    number: int  # of the example, counted from 1
    system: str
    gain: str  # of its main score
    marked: str  # from the earlier output to the present one, as HTML


def read(path: str | Path) -> Earlier:
    """Read the outputs of a report that textsimp wrote."""
    if not isinstance(path, (str, Path)):
        raise InputError(f"before: expected the name of a file, got {path!r}")
    try:
        found = _DATA.search(Path(path).read_text(encoding="utf-8"))
        data = parse_json(found[1] if found else "")
        texts = data["texts"]
        keys = _keys([texts[place] for place in data["sources"]])
        outputs = [[texts[place] for place in of_system] for of_system in data["outputs"]]
        if not data["linked"]:  # an output is what isn't deleted in its drawing
            outputs = [[*map(_undrawn, of_system)] for of_system in data["drawn"]]
        pairs = zip(data["fullNames"], outputs, strict=True)
        return {name: dict(zip(keys, own, strict=True)) for name, own in pairs}
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"before: {path} can't be read: {error}") from None
    except (ValueError, KeyError, TypeError, IndexError):
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


def contents(measurements: Measurements, earlier: Earlier) -> dict[str, Any]:
    """Return a table of differences, and the outputs that became better or worse most."""
    data, keys = measurements.data, _keys(measurements.data.sources)
    names = [
        name
        for name, metric in measurements.judging.items()
        if not measurements.is_people(name) and not extra_required_columns(metric)
    ]
    columns = {name: score_tables.columns_of(measurements.judging[name])[0] for name in names}
    rows, changes = list[list[Cell]](), list[tuple[float, Change]]()
    for row in data.systems:
        old = earlier.get(row.full, {})
        same = [i for i, key in enumerate(keys) if key in old]
        outputs = {
            _BEFORE: {"predictions": [old[keys[i]] for i in same]},
            _NOW: {"predictions": [row.outputs[i] for i in same]},
        }
        pairs = zip(*(own["predictions"] for own in outputs.values()), strict=True)
        changed = [k for k, (a, b) in enumerate(pairs) if a != b]
        cells = [Cell(f"{len(changed):,} of {len(same):,}", value=len(changed))]
        shared = {
            column: [texts[i] for i in same] for column, texts in data.given.shared.items() if texts
        }
        for name, column in columns.items():
            metric = measurements.judging[name]
            if not changed:
                cells.append(Cell("–"))
                continue
            measured = metric.measure(Examples(shared, outputs))
            compared = comparison.make_comparison(measured, _BEFORE, **vars(measurements.sampling))
            test = compared.differences[_NOW][column.key]
            cells.append(score_tables.difference_cell(compared, column, test))
            if name == measurements.first:
                before, now = map(metric.reduce_examples, measured.systems.values())
                gains = column.gain(column.scale) * (now[column.key] - before[column.key])
                changes += _list_changes(row.name, same, outputs, np.nan_to_num(gains))
        rows.append([Cell(row.name, about=row.full * (row.full != row.name)), *cells])
    head = [Cell("Texts"), Cell("Changed"), *(column.head for column in columns.values())]
    notes = [measurements.signature(name) for name in names]
    changes.sort(key=lambda pair: -pair[0])
    better = [change for gain, change in changes[:_MOST] if gain > EQUAL]
    worse = [change for gain, change in reversed(changes[-_MOST:]) if gain < -EQUAL]
    table = Grid(head, rows, notes, id="since", caption="Scores now minus scores before")
    return {"table": table, "changes": {"Became better most": better, "Became worse most": worse}}


def _list_changes(
    system: str,
    examples: Sequence[int],
    outputs: Mapping[str, Mapping[str, Sequence[str]]],
    gains: Floats,
) -> list[tuple[float, Change]]:
    """Return the outputs of a system that gained or lost most."""
    order = np.argsort(gains, kind="stable").tolist()
    chosen = dict.fromkeys([*order[:_MOST], *order[-_MOST:]])
    before, now = (outputs[name]["predictions"] for name in (_BEFORE, _NOW))
    drawn = marks.mark_html([before[k] for k in chosen], [now[k] for k in chosen])
    return [
        (gains[k], Change(examples[k] + 1, system, number(gains[k], 1, sign=True), text))
        for k, text in zip(chosen, drawn, strict=True)
    ]
