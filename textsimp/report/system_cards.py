"""Cards of the first screen: each system's score, what it does, and an example of that."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.tables import Cell, Grid
from textsimp.report import marks, plots
from textsimp.report.report_rows import Measurements
from textsimp.scoring.score_columns import number

_FEW, _BEST = 6, 3  # systems that all have a card; of more, those that have one at first


@dataclass(frozen=True)
class Card:
    """What the first screen says of a system."""

    name: str
    look: plots.Look  # its colour and glyph in plots
    score: Cell | None  # its main score; None without a metric with a direction
    facts: str  # what it does to texts
    example: int  # the number of an example; 0 if it copies all sources
    marked: str  # that output, with its edits, as HTML


def cards(measurements: Measurements, overview: Grid) -> list[Card]:
    """Make a card for each system, in their order, with scores of the overview."""
    data, features = measurements.data, measurements.features
    looks = plots.looks([row.name for row in data.rows])
    scores = {name.text: cell for name, cell, *_ in overview.rows}
    stats = measurements.describing["simplification_stats"]
    made = []
    for row, look in zip(data.systems, looks, strict=False):  # systems are the first rows
        of_row = {key: values[row.name] for key, values in features.items()}
        compression = stats[row.name].predictions["compression_ratio"].value
        copies = stats[row.name].predictions["exact_copies"].value
        splits = float(np.mean(of_row["sentence_splits"] > 1))
        does = f"splits\u00a0{_percent(splits)}, copies\u00a0{_percent(copies)}"
        example = choose_example(
            of_row["compression_ratio"], of_row["change_percentage"], data.sources
        )
        marked = ""
        if example is not None:
            (marked,) = marks.mark_html([data.sources[example]], [row.outputs[example]])
        score = scores[row.name] if measurements.judging else None
        place = 0 if example is None else example + 1
        facts = f"{_length(compression)}, {does}"
        made.append(Card(row.name, look, score, facts, place, marked))
    return made


def divide(made: Sequence[Card], unranked: Collection[str]) -> tuple[list[Card], list[Card]]:
    """Divide many cards: of the best systems and of those that can't be ranked; of the others."""
    best = made if len(made) <= _FEW else made[:_BEST]
    first = {*unranked, *(card.name for card in best)}
    shown = [card for card in made if card.name in first]
    return shown, [card for card in made if card.name not in first]


def choose_example(compression: Floats, changed: Floats, sources: Sequence[str]) -> int | None:
    """Choose an example that shows what a system does; None if it changes no text.

    Of the changed outputs of the shorter half of sources it is the one that is nearest to the
    medians of all changed outputs, in length and in the percentage of words changed.
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


def _length(compression: float) -> str:
    if _percent(abs(compression - 1)) == "0\u00a0%":
        return "as long as the source"
    return f"{_percent(abs(compression - 1))} {'shorter' if compression < 1 else 'longer'}"


def _percent(share: float) -> str:
    return f"{number(100 * share, 0)}\u00a0%"
