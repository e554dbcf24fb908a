"""SARI, and its scores of added, kept and deleted n-grams."""

from typing import Any

from textsimp.easse.sentences import Refs, Sents, by_sentence
from textsimp.easse.substitutes import replace_missing
from textsimp.metrics.sari import Sari

__getattr__ = replace_missing(__name__, "textsimp.Sari")


def corpus_sari(
    orig_sents: Sents,
    sys_sents: Sents,
    refs_sents: Refs,
    lowercase: bool = True,
    tokenizer: str | None = "13a",
    legacy: bool = False,
    use_f1_for_deletion: bool = True,
    use_paper_version: bool = False,
) -> float:
    """Return SARI; see `get_corpus_sari_operation_scores`."""
    options = lowercase, tokenizer, legacy, use_f1_for_deletion, use_paper_version
    return sum(get_corpus_sari_operation_scores(orig_sents, sys_sents, refs_sents, *options)) / 3


def get_corpus_sari_operation_scores(
    orig_sents: Sents,
    sys_sents: Sents,
    refs_sents: Refs,
    lowercase: bool = True,
    tokenizer: str | None = "13a",
    legacy: bool = False,
    use_f1_for_deletion: bool = True,
    use_paper_version: bool = False,
) -> tuple[float, float, float]:
    """Return the scores of addition, keeping and deletion, whose mean is SARI.

    With ``legacy`` texts keep their case, whatever ``lowercase`` says.
    """
    metric = Sari(
        "easse_legacy" if legacy else "easse",
        lowercase=lowercase and not legacy,
        tokenizer=tokenizer or "none",
        delete="f1" if use_f1_for_deletion else "precision",
        average="precision_recall" if use_paper_version else "f1",
    )
    references = by_sentence(refs_sents, sys_sents)
    scores = metric.score(sources=orig_sents, predictions=sys_sents, references=references)
    return float(scores["add"]), float(scores["keep"]), float(scores["delete"])


def sentence_sari(
    orig_sent: str, sys_sent: str, ref_sents: Sents, *args: Any, **kwargs: Any
) -> float:
    """Return the SARI of a sentence. Further arguments are those of `corpus_sari`."""
    return corpus_sari([orig_sent], [sys_sent], [[ref] for ref in ref_sents], *args, **kwargs)
