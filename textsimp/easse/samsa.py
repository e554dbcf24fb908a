"""SAMSA, from UCCA parses of the sources that you have. EASSE parses them itself, by TUPA."""

from statistics import fmean
from typing import Any

from textsimp.easse.sentences import Sents
from textsimp.easse.substitutes import replace_missing
from textsimp.metrics.samsa import Samsa
from textsimp.support.errors import InputError

__getattr__ = replace_missing(__name__, "textsimp.Samsa")


def get_samsa_sentence_scores(
    orig_sents: Sents,
    sys_sents: Sents,
    lowercase: bool = False,
    tokenizer: str | None = "13a",
    *,
    passages: Any = None,
) -> list[float]:
    """Return the SAMSA of each sentence.

    ``passages`` are UCCA parses of the sources, in MRP's JSON.
    """
    if passages is None:
        raise InputError(
            "passages: expected UCCA parses of the sources, since textsimp has no parser; "
            "docs/easse.md has an example"
        )
    metric = Samsa("easse", lowercase=lowercase, tokenizer=tokenizer or "none")
    columns = {"sources": orig_sents, "predictions": sys_sents, "passages": passages}
    return [*metric.score(per_example=True, **columns)["samsa_per_example"]]


def corpus_samsa(*args: Any, **kwargs: Any) -> float:
    """Return the mean SAMSA. Arguments are those of `get_samsa_sentence_scores`."""
    return fmean(get_samsa_sentence_scores(*args, **kwargs))
