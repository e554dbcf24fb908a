"""BLEU of a corpus and of sentences."""

from typing import Any

from textsimp.easse.sentences import Refs, Sents, by_sentence
from textsimp.easse.substitutes import replace_missing
from textsimp.metrics.bleu import Bleu

__getattr__ = replace_missing(__name__, "textsimp.Bleu")


def corpus_bleu(
    sys_sents: Sents,
    refs_sents: Refs,
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = True,
    lowercase: bool = False,
    tokenizer: str | None = "13a",
    effective_order: bool = False,
) -> float:
    """Return sacrebleu's BLEU, with its tokenizers."""
    from sacrebleu.metrics.bleu import BLEU

    references = by_sentence(refs_sents, sys_sents)
    own = Bleu(lowercase=lowercase, tokenizer=tokenizer or "none")
    own.check(predictions=sys_sents, references=references)
    smoothing = {"smooth_method": smooth_method, "smooth_value": smooth_value}
    options: dict[str, Any] = {"force": force, "effective_order": effective_order, **smoothing}
    bleu = BLEU(lowercase=own.lowercase, tokenize=own.tokenizer, **options)
    return float(bleu.corpus_score([*sys_sents], [[*sents] for sents in refs_sents]).score)


def sentence_bleu(
    sys_sent: str, ref_sents: Sents, lowercase: bool = False, tokenizer: str | None = "13a"
) -> float:
    """Return the BLEU of a sentence, smoothed by ``floor``."""
    refs_sents = [[ref] for ref in ref_sents]
    return corpus_averaged_sentence_bleu([sys_sent], refs_sents, lowercase, tokenizer)


def corpus_averaged_sentence_bleu(
    sys_sents: Sents, refs_sents: Refs, lowercase: bool = False, tokenizer: str | None = "13a"
) -> float:
    """Return the mean of the sentences' BLEU."""
    metric = Bleu("easse_sentence", lowercase=lowercase, tokenizer=tokenizer or "none")
    references = by_sentence(refs_sents, sys_sents)
    return float(metric.score(predictions=sys_sents, references=references)["bleu"])
