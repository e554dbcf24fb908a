"""The report's table of unsound outputs: their share in each system, by kind."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

from textsimp.core.examples import Examples
from textsimp.core.metric import extra_required_columns
from textsimp.core.tables import Cell, Grid
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
    if metric and not extra_required_columns(metric):
        measured = measurements.statistics[measurements.first]
        ranking = soundness.rank_sound(findings, examples, measured)
    kinds = Counter(kind for own in unsound.values() for kind in own)
    if not kinds:
        return {"unsound": None}
    columns = [kind for kind, _ in kinds.most_common()]
    scored = [f"{ranking.title}", f"{ranking.title} of sound outputs"] if ranking else []
    full = {row.name: row.full for row in data.systems if row.full != row.name}
    rows = []
    for name in sorted(totals, key=lambda name: -totals[name]):
        cells = [Cell(name, about=full.get(name, "")), _share(totals[name], len(examples))]
        if ranking:
            every, sound = ranking.scores[name]
            known = Cell.of(sound, None, 2) if totals[name] < len(examples) else Cell("–")
            cells += [Cell.of(every, None, 2), known]
        cells += [_share(len(unsound[name].get(kind, ())), len(examples)) for kind in columns]
        rows.append(cells)
    caption = "Shares of unsound outputs of each system, by kind"
    header = ["system", "unsound", *scored, *(WHAT[kind] for kind in columns)]
    table = Grid(header, rows, id="unsound-outputs", caption=caption)
    return {"unsound": {"table": table, "ranking": ranking}}


def _share(count: int, examples: int) -> Cell:
    if not count:
        return Cell("–", value=0)
    about = f"{count} of {examples} outputs"
    return Cell(f"{100 * count / examples:.1f} %", value=count, about=about, bar=count / examples)
