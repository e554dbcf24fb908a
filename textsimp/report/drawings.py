"""How outputs are drawn beside their sources: marked edits, or linked sentences of documents."""

from collections.abc import Iterable, Sequence

from textsimp.core.metric import Metric
from textsimp.metrics.sari import Sari
from textsimp.report import marks, sentence_links
from textsimp.scoring.ranking import aligns
from textsimp.text.sentence_alignment import LEXICAL

_LINKED = "Sentences that the aligner found alike stand side by side."
_WORDS_ONLY = (
    " It sees words, not meaning: a sentence said in other words counts as dropped and added."
)


def choose(metrics: Sequence[Metric], documents: bool = False) -> Metric | None:
    """Return the metric that links sentences; None if edits are marked instead.

    ``documents`` are linked as aligned SARI does, unless a metric says otherwise.
    """
    reading = [one for one in metrics if one.reads == "documents" or aligns(one)]
    if documents and not reading:
        return Sari.preset(level="aligned")
    return max(reading, key=aligns, default=None)


def draw(
    linking: Metric | None, sources: list[str], outputs: list[str], names: Iterable[str]
) -> Iterable[str]:
    """Draw outputs as HTML, as `choose` says; ``names`` say whose they are."""
    if linking is None:
        return marks.mark_html(sources, outputs)
    return map(sentence_links.html, sentence_links.align(linking, sources, outputs), names)


def explain(linking: Metric | None) -> str:
    """Say what stands side by side; nothing of marked edits."""
    if linking is None:
        return ""
    lexical = bool(sentence_links.options(linking)["aligner"] == LEXICAL)
    return _LINKED + _WORDS_ONLY * lexical
