"""How outputs are drawn beside their sources: marked edits, labelled words, linked sentences."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from textsimp.core.metric import Metric
from textsimp.documents.words import of_metric
from textsimp.metrics.sari import Sari
from textsimp.metrics.word_transformations import WordTransformations
from textsimp.report import marks, sentence_links, word_links
from textsimp.scoring.headlines import aligns
from textsimp.text.sentence_alignment import LEXICAL

LINKED = "Lines link sentences that the aligner found alike."
WORDS_ONLY = (
    " It sees words, not meaning: a sentence said in other words counts as dropped and added."
)


class Drawing(NamedTuple):
    """How outputs are drawn."""

    draw: Callable[[list[str], list[str], Iterable[str]], Iterable[str]]
    """Takes sources, outputs and whose these are; returns HTML of each."""
    legend: str = marks.LEGEND  # HTML
    explained: str = ""
    whole: bool = True  # whether the source is drawn, too


def choose(metrics: Sequence[Metric], documents: bool = False) -> Drawing:
    """Choose a drawing: as a metric links sentences or else labels words, or marked edits.

    ``documents`` are linked as aligned SARI does, unless a metric says otherwise.
    """
    reading = [one for one in metrics if one.reads == "documents" or aligns(one)]
    aligning = max(reading, key=aligns, default=None)
    labelling = next((one for one in metrics if isinstance(one, WordTransformations)), None)
    if aligning is None and labelling is None and documents:
        aligning = Sari.preset(level="aligned")
    if aligning:
        return _link(aligning)
    return _label(labelling) if labelling else Drawing(_mark, whole=False)


def _mark(sources: list[str], outputs: list[str], names: Iterable[str]) -> Iterable[str]:
    return marks.mark_html(sources, outputs)


def _link(metric: Metric) -> Drawing:
    def draw(sources: list[str], outputs: list[str], names: Iterable[str]) -> Iterable[str]:
        return map(sentence_links.html, sentence_links.align(metric, sources, outputs), names)

    lexical = sentence_links.options(metric)["aligner"] == LEXICAL
    return Drawing(draw, explained=LINKED + WORDS_ONLY * lexical)


def _label(metric: WordTransformations) -> Drawing:
    def draw(sources: list[str], outputs: list[str], names: Iterable[str]) -> Iterable[str]:
        return map(word_links.html, of_metric(metric, sources, outputs), names)

    return Drawing(draw, word_links.LEGEND, word_links.NUMBERS)
