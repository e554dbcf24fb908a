"""The example that shows how the best system differs from the next one."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from textsimp.report import marks, permalinks
from textsimp.report.report_rows import Measurements
from textsimp.scoring import headlines
from textsimp.scoring.ranking import Ranking
from textsimp.scoring.score_columns import EQUAL


@dataclass(frozen=True)
class Deciding:
    """An example, and a link to those that speak for the same system."""

    number: int  # counted from 1
    source: str
    outputs: Mapping[str, tuple[str, str]]  # system → score, and its edits as HTML
    ahead: int  # examples in which the best system is ahead
    href: str


def choose(measurements: Measurements, name: str, ranking: Ranking) -> Deciding | None:
    """Choose the median of the examples in which the best system is ahead of the next one.

    Return None without such a system, or of documents, which are too long for the first screen.
    """
    others = [one for one in ranking.others if one not in ranking.equal]
    if not others or measurements.data.documents or measurements.is_people(name):
        return None
    pair, column = (ranking.top, others[0]), ranking.column
    scores = [column.scale * measurements.per_example(name, one)[column.key] for one in pair]
    gaps = column.gain(1) * (scores[0] - scores[1])
    ahead = np.flatnonzero(np.nan_to_num(gaps) > EQUAL)
    if not len(ahead):
        return None
    example = int(ahead[np.argsort(gaps[ahead], kind="stable")[len(ahead) // 2]])
    source = measurements.data.sources[example]
    texts = {row.name: row.outputs[example] for row in measurements.data.systems}
    drawn = marks.mark_html([source] * 2, [texts[one] for one in pair])
    a, b = reversed(pair) if column.lower else pair
    link = permalinks.examples(sort="-gap", a=a, b=b, by=0, score=f"{name}.{column.key}")
    shown = [headlines.cite(ranking, values[example]) for values in scores]
    outputs = dict(zip(pair, zip(shown, drawn, strict=True), strict=True))
    return Deciding(example + 1, source, outputs, len(ahead), link)
