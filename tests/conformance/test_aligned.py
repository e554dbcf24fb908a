"""Level aligned on documents of D-Wikipedia: nobody gains by leaving out, emptying or copying."""

from dataclasses import replace

import numpy as np
import pytest

from textsimp import Bleu, F1Token, Sari
from textsimp.metrics.aligned import LEVEL
from textsimp.text.sentences import get_splitter

METRICS = {
    "easse": Sari(level=LEVEL),
    "precision": Sari(level=LEVEL, delete="precision"),
    "xu": Sari("xu", level=LEVEL),
    "bleu": Bleu(level=LEVEL),
    "f1_token": F1Token(level=LEVEL),
}


@pytest.mark.parametrize(
    ("name", "splitter"),
    [*((name, "simple-token") for name in METRICS), ("easse", "nltk-punkt-untrained")],
)
def test_the_reference_is_the_best_output(name, splitter, corpus):
    metric = METRICS[name]
    sources, references = corpus("d_wikipedia_valid_60")
    split = get_splitter(splitter).sentences
    numbers, outputs = [], []
    for i, (source, (reference,)) in enumerate(zip(sources, references, strict=True)):
        sentences = split(reference)
        without_one = [" ".join(sentences[:k] + sentences[k + 1 :]) for k in range(len(sentences))]
        first_half = " ".join(sentences[: len(sentences) // 2])
        for output in (reference, "", source, f"{reference} {source}", first_half, *without_one):
            numbers.append(i)
            outputs.append(output)
    scores = replace(metric, splitter=splitter).score(
        sources=[sources[i] for i in numbers],
        predictions=outputs,
        references=[references[i] for i in numbers],
        per_example=True,
    )
    of_output = np.array(scores[f"{metric.scores[0].key}_per_example"])
    of_reference = of_output[np.searchsorted(numbers, np.arange(len(sources)))][numbers]
    assert (of_output <= of_reference + 1e-9).all()
    # What lowers it nearly always: a sentence that adds nothing to what is left may not.
    assert (of_output < of_reference - 1e-9).sum() > 0.95 * (len(outputs) - len(sources))
