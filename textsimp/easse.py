"""Five of EASSE's functions, with its arguments, defaults and keys.

EASSE is described by Alva-Manchego et al. 2019. References are lists of all sentences, a list per
reference, as EASSE takes them.

>>> from textsimp.easse import corpus_sari
>>> orig_sents = ["About 95 species are currently accepted."]
>>> sys_sents = ["About 95 you now get in."]
>>> refs_sents = [["About 95 species are currently known."], ["About 95 species are now accepted."]]
>>> round(corpus_sari(orig_sents, sys_sents, refs_sents), 2)
31.73
"""

from collections.abc import Sequence
from typing import Any

from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari
from textsimp.metrics.simplification_stats import EASSE_NAMES, SimplificationStats
from textsimp.support.errors import InputError
from textsimp.text.sentences import DEFAULT_SPLITTER

__all__ = [
    "corpus_bleu",
    "corpus_fkgl",
    "corpus_quality_estimation",
    "corpus_sari",
    "sentence_sari",
]


def corpus_sari(
    orig_sents: Sequence[str],
    sys_sents: Sequence[str],
    refs_sents: Sequence[Sequence[str]],
    lowercase: bool = True,
    tokenizer: str | None = "13a",
    legacy: bool = False,
    use_f1_for_deletion: bool = True,
    use_paper_version: bool = False,
) -> float:
    """Return SARI. With ``legacy`` texts keep their case, whatever ``lowercase`` says."""
    metric = Sari(
        "easse_legacy" if legacy else "easse",
        lowercase=lowercase and not legacy,
        tokenizer=tokenizer or "none",
        delete="f1" if use_f1_for_deletion else "precision",
        average="precision_recall" if use_paper_version else "f1",
    )
    references = _by_sentence(refs_sents)
    scores = metric.score(sources=orig_sents, predictions=sys_sents, references=references)
    return float(scores["sari"])


def sentence_sari(
    orig_sent: str, sys_sent: str, ref_sents: Sequence[str], *args: Any, **kwargs: Any
) -> float:
    """Return the SARI of a sentence. Further arguments are those of `corpus_sari`."""
    return corpus_sari([orig_sent], [sys_sent], [[ref] for ref in ref_sents], *args, **kwargs)


def corpus_bleu(
    sys_sents: Sequence[str],
    refs_sents: Sequence[Sequence[str]],
    smooth_method: str = "exp",
    smooth_value: float | None = None,
    force: bool = True,
    lowercase: bool = False,
    tokenizer: str | None = "13a",
    effective_order: bool = False,
) -> float:
    """Return sacrebleu's BLEU, with its tokenizers."""
    from sacrebleu.metrics.bleu import BLEU

    references = _by_sentence(refs_sents)
    own = Bleu(lowercase=lowercase, tokenizer=tokenizer or "none")
    own.check(predictions=sys_sents, references=references)
    smoothing = {"smooth_method": smooth_method, "smooth_value": smooth_value}
    options: dict[str, Any] = {"force": force, "effective_order": effective_order, **smoothing}
    bleu = BLEU(lowercase=own.lowercase, tokenize=own.tokenizer, **options)
    return float(bleu.corpus_score([*sys_sents], [[*sents] for sents in refs_sents]).score)


def corpus_fkgl(
    sentences: Sequence[str], tokenizer: str | None = "13a", *, splitter: str = DEFAULT_SPLITTER
) -> float:
    """Return FKGL. ``splitter="nltk-punkt-en"`` (extra ``languages``) is EASSE's."""
    metric = FkglComponents("easse", tokenizer=tokenizer or "none", splitter=splitter)
    return float(metric.score(predictions=sentences)["fkgl"])


def corpus_quality_estimation(
    orig_sents: Sequence[str],
    sys_sents: Sequence[str],
    lowercase: bool = False,
    tokenizer: str | None = "13a",
) -> dict[str, float]:
    """Return the features by EASSE's names; the lexical complexity score isn't among them."""
    metric = SimplificationStats(lowercase=lowercase, tokenizer=tokenizer or "none")
    scores = metric.score(sources=orig_sents, predictions=sys_sents)
    return {name: float(scores[key]) for name, key in EASSE_NAMES.items()}


def _by_sentence(refs_sents: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the references of each sentence."""
    if any(isinstance(sents, str) for sents in refs_sents) or len({*map(len, refs_sents)}) != 1:
        raise InputError("refs_sents: expected lists of all sentences, a list per reference")
    return [list(row) for row in zip(*refs_sents, strict=True)]
