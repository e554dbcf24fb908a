"""What templates of pages show: findings of data checks, ranges of scores, and files to save."""

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from textsimp.core import tables
from textsimp.core.declarations import Score
from textsimp.core.examples import Examples
from textsimp.corpora import checks
from textsimp.report import marks, templates

__all__ = ["render"]

File = dict[str, str]
"""A file of a link, with ``name``, ``kind``, ``data`` in base64 and ``label``."""


def render(name: str, **values: Any) -> str:
    """Fill in a template of this folder, which escapes every text."""
    return templates.render(f"{__package__}:{name}", marks=marks.LEGEND, **values)


def data_checks(data: Examples, notes: bool = True) -> dict[str, Any] | None:
    """Return the findings of data checks, with ``notes`` or without; None if there are none.

    Without sources only empty outputs are checked.
    """
    systems = {
        name or "the system": own["predictions"]
        for name, own in data.systems.items()
        if "predictions" in own
    }
    if not systems:
        return None
    findings = checks.run(data.sources or [""] * len(data), data.references, systems)
    if data.sources is None:
        findings = [finding for finding in findings if finding.kind == "empty" and finding.systems]
    findings = [finding for finding in findings if notes or finding.gravity != "note"]
    if not findings:
        return None
    return {
        "kind": "quiet" if findings[0].gravity == "note" else "problem",
        "summary": checks.summary(findings),
        "texts": [str(finding).removeprefix("problem: ") for finding in findings],
    }


def scale(score: Score) -> str:
    """Return a score's unit, range and direction, as far as the metric declares them.

    >>> from textsimp.metrics.sari import Sari
    >>> scale(Sari().find_score("sari"))
    '0–100, higher is better'
    """
    least, most = score.least, score.most
    unit, limits = "" if score.unit == "share" else score.unit, ""
    if least is not None and most is not None:
        limits = f"{least:g}–{most:g}".replace("-", "−")
    elif least is not None and not unit:
        limits = f"from {least:g}".replace("-", "−")
    return ", ".join(filter(None, (unit, limits, score.better and f"{score.better} is better")))


def file(name: str, content: bytes, kind: str, label: str) -> File:
    """Return a file that a page holds, so that the server keeps none."""
    data = base64.b64encode(content).decode()
    return {"name": name, "kind": kind, "data": data, "label": label}


def json_file(name: str, data: Any, label: str) -> File:
    """Return plain data as a file of JSON, in which NaN and infinity are null."""
    text = json.dumps(tables.finite(data), ensure_ascii=False)
    return file(f"{name}.json", text.encode(), "application/json", label)


def csv_file(name: str, records: Sequence[Mapping[str, Any]], label: str) -> File:
    """Return records as a file of CSV."""
    return file(f"{name}.csv", tables.format_csv(records).encode(), "text/csv", label)
