"""Token F1, with which sentence compression is evaluated."""

from textsimp.easse.sentences import Refs, Sents, by_sentence
from textsimp.easse.substitutes import replace_missing
from textsimp.metrics.f1_token import F1Token

__getattr__ = replace_missing(__name__, "textsimp.F1Token")


def corpus_f1_token(
    sys_sents: Sents, refs_sents: Refs, lowercase: bool = True, tokenizer: str | None = "13a"
) -> float:
    """Return the mean of token F1 with the most similar reference."""
    metric = F1Token(lowercase=lowercase, tokenizer=tokenizer or "none")
    scores = metric.score(predictions=sys_sents, references=by_sentence(refs_sents, sys_sents))
    return float(scores["f1_token"])
