"""The first screen: a card of each system, and the example that shows how the best one leads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.tables import Cell, Grid
from textsimp.report import examples, marks, plots
from textsimp.report.measurements import EDITS, STATS, Report
from textsimp.scoring import headlines
from textsimp.scoring.score_columns import EQUAL, number

_MAX_CARDS, _BEST = 6, 3  # systems that all have a card; of more, those that have one at first


@dataclass(frozen=True)
class Card:
    """What the first screen says of a system."""

    name: str
    look: plots.Look  # its colour and glyph in plots
    score: Cell | None  # its main score; None without a metric with a direction
    facts: str  # what it does to texts
    example: int  # the number of an example; 0 if it copies all sources
    marked: str  # that output, with its edits, as HTML


def make_cards(report: Report, overview: Grid) -> tuple[list[Card], list[Card]]:
    """Make a card for each system, with scores of the overview.

    Of many systems the first list has the best ones and those that can't be ranked, the second the
    others.
    """
    looks = plots.looks(report.rows)
    scores = {name.text: score for name, score, *_ in overview.rows}
    sources, first, rest = report.texts.shared["sources"], list[Card](), list[Card]()
    for place, name in enumerate(report.systems):
        stats = report.example_scores[STATS][name]
        changed = report.example_scores[EDITS][name]["change_percentage"]
        example, marked = typical_example(stats["compression_ratio"], changed, sources), ""
        if example is not None:
            outputs = report.texts.predictions(name)
            (marked,) = marks.mark_html([sources[example]], [outputs[example]])
        card = Card(
            name,
            looks[name],
            None if report.main is None else scores[name],
            _describe(report.values[STATS][name], stats["sentence_splits"]),
            0 if example is None else example + 1,
            marked,
        )
        shown = len(report.systems) <= _MAX_CARDS or place < _BEST or name in report.unranked
        (first if shown else rest).append(card)
    return first, rest


def _describe(values: Mapping[str, Any], splits: Floats) -> str:
    """Say how long a system's outputs are, and how often it splits and copies sentences."""
    compression = values["compression_ratio"].value
    change, length = _percent(abs(compression - 1)), "as long as the source"
    if change != _percent(0):
        length = f"{change} {'shorter' if compression < 1 else 'longer'}"
    splits_share, copies = float(np.mean(splits > 1)), values["exact_copies"].value
    return f"{length}, splits\u00a0{_percent(splits_share)}, copies\u00a0{_percent(copies)}"


def _percent(share: float) -> str:
    return f"{number(100 * share, 0)}\u00a0%"


def typical_example(compression: Floats, changed: Floats, sources: Sequence[str]) -> int | None:
    """Choose an example that shows what a system does; None if it changes no text.

    Among the changed outputs of the shorter half of sources, it is nearest to the median length and
    the median change percentage of all changed outputs.
    """
    changes = changed > 0
    if not changes.any():
        return None
    lengths = np.array([len(text.split()) for text in sources])
    short = changes & (lengths <= np.median(lengths[changes]))
    distance = sum(
        np.abs(values - np.median(values[changes])) for values in (100 * compression, changed)
    )
    return int(np.argmin(np.where(short, distance, np.inf)))


def deciding_example(report: Report) -> dict[str, Any] | None:
    """Choose the median example of those in which the best system is ahead of the next one.

    Return None without such a system, and for documents, which are too long for the first screen.
    ``outputs`` are system → score and marked edits, ``href`` leads to all of these examples.
    """
    name, ranking = next(iter(report.rankings.items()), ("", None))
    if ranking is None or ranking.comparison.by_people or report.documents:
        return None
    others = [other for other in ranking.others if other not in ranking.equal]
    if not others:
        return None
    pair, column = (ranking.top, others[0]), ranking.column
    own = report.example_scores[name]
    scores = [column.scale * own[system][column.key] for system in pair]
    gaps = column.gain(1) * (scores[0] - scores[1])
    ahead = np.flatnonzero(np.nan_to_num(gaps) > EQUAL)
    if not len(ahead):
        return None
    example = int(ahead[np.argsort(gaps[ahead], kind="stable")[len(ahead) // 2]])
    source = report.texts.shared["sources"][example]
    texts = [report.texts.predictions(system)[example] for system in pair]
    cited = [headlines.cite(ranking, values[example]) for values in scores]
    drawn = zip(cited, marks.mark_html([source] * 2, texts), strict=True)
    a, b = reversed(pair) if column.lower else pair
    return {
        "number": example + 1,
        "source": source,
        "outputs": dict(zip(pair, drawn, strict=True)),
        "ahead": len(ahead),
        "href": examples.link(sort="-gap", a=a, b=b, by=0, score=f"{name}.{column.key}"),
    }
