"""BERTScore, by the extension `models`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.easse.sentences import Refs, Sents, by_sentence
from textsimp.easse.substitutes import replace_missing
from textsimp.metrics import catalogue
from textsimp.text.tokenizers import Encoder

__getattr__ = replace_missing(__name__, "textsimp.BertScore")


def get_bertscore_sentence_scores(
    sys_sents: Sents,
    refs_sents: Refs,
    lowercase: bool = False,
    tokenizer: str | None = "13a",
    *,
    model: str = "FacebookAI/roberta-large",
    **options: Any,
) -> tuple[NDArray[np.float64], ...]:
    """Return precision, recall and F1 of each sentence, from 0 to 1.

    Texts are tokenised first. Other options are those of `textsimp.BertScore`. The default model is
    that of the package bert-score.
    """
    metric = catalogue.metric_class("bertscore").preset(model=model, **options)
    encoder = Encoder(tokenizer or "none", lowercase)
    columns = [
        [" ".join(tokens) for tokens in encoder.decode(encoder.encode([*sents]))]
        for sents in (sys_sents, *refs_sents)
    ]
    references = by_sentence(columns[1:], columns[0])
    scores = metric.score(predictions=columns[0], references=references, per_example=True)
    names = ("precision", "recall", "bertscore")
    return tuple(np.array(scores[f"{name}_per_example"]) / 100 for name in names)


def corpus_bertscore(
    sys_sents: Sents, refs_sents: Refs, *args: Any, **kwargs: Any
) -> tuple[float, ...]:
    """Return means over sentences. Other arguments are as in `get_bertscore_sentence_scores`."""
    scores = get_bertscore_sentence_scores(sys_sents, refs_sents, *args, **kwargs)
    return tuple(float(score.mean()) for score in scores)
