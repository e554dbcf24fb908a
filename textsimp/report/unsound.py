"""The report's table of unsound outputs: their share in each system, by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

from textsimp.core import statistics
from textsimp.core.examples import Examples
from textsimp.core.metric import beyond
from textsimp.corpora.checks import WHAT, Finding
from textsimp.report.report_rows import Measurements
from textsimp.scoring import soundness


def contents(findings: Sequence[Finding], measurements: Measurements) -> dict[str, Any]:
    """Return the table, the system with most unsound outputs first; None if all are sound."""
    data, metric = measurements.data, measurements.judging.get(measurements.first)
    outputs = {row.name: {"predictions": row.outputs} for row in data.systems}
    examples = Examples(data.examples.shared, outputs)
    unsound = soundness.find_unsound(findings, examples)
    totals = {name: len({*chain(*own.values())}) for name, own in unsound.items()}
    ranking = None
    if metric and not beyond(metric):
        matrices = measurements.statistics[measurements.first].matrices
        rows = {data.rows[i].name: matrices[i][0] for i in data.rows_of("system")}
        measured = statistics.from_rows({"": metric}, {"": rows}, examples)[""]
        ranking = soundness.rank_sound(findings, examples, measured)
    kinds = Counter(kind for own in unsound.values() for kind in own)
    table = {
        "systems": {name: unsound[name] for name in sorted(totals, key=lambda n: -totals[n])},
        "totals": totals,
        "examples": len(examples),
        "kinds": {kind: WHAT[kind] for kind, _ in kinds.most_common()},
        "ranking": ranking,
    }
    return {"unsound": table if kinds else None}
