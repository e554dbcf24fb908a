"""Features of outputs beside their sources, without references."""

from textsimp.easse.sentences import Sents
from textsimp.easse.substitutes import replace_missing
from textsimp.metrics.simplification_stats import EASSE_NAMES, SimplificationStats

__getattr__ = replace_missing(__name__, "textsimp.SimplificationStats")


def corpus_quality_estimation(
    orig_sentences: Sents,
    sys_sentences: Sents,
    lowercase: bool = False,
    tokenizer: str | None = "13a",
) -> dict[str, float]:
    """Return the features by EASSE's names; the lexical complexity score isn't among them."""
    metric = SimplificationStats(lowercase=lowercase, tokenizer=tokenizer or "none")
    scores = metric.score(sources=orig_sentences, predictions=sys_sentences)
    return {name: float(scores[key]) for name, key in EASSE_NAMES.items()}
