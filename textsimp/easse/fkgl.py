"""FKGL, a readability grade."""

from textsimp.easse.sentences import Sents
from textsimp.easse.substitutes import replace_missing
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.text.sentences import DEFAULT_SPLITTER

__getattr__ = replace_missing(__name__, "textsimp.FkglComponents")


def corpus_fkgl(
    sentences: Sents, tokenizer: str | None = "13a", *, splitter: str = DEFAULT_SPLITTER
) -> float:
    """Return FKGL. ``splitter="nltk-punkt-en"`` (extra ``languages``) is EASSE's."""
    metric = FkglComponents("easse", tokenizer=tokenizer or "none", splitter=splitter)
    return float(metric.score(predictions=sentences)["fkgl"])
