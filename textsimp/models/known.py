"""Pretrained models that the literature uses for each metric. None of them was tried here."""

from __future__ import annotations

from typing import NamedTuple


class Known(NamedTuple):
    """A model on the Hugging Face Hub."""

    metric: str
    """The metric that it is for."""
    name: str
    licence: str
    size: str
    """Of its weights."""
    about: str
    """What it is, and the paper that it is from, in a line."""
    options: str = ""
    """Of the metric, that go with it."""


KNOWN: tuple[Known, ...] = (
    Known(
        "entailment",
        "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli",
        "MIT",
        "369 MB",
        "English; MultiNLI, FEVER, ANLI",
    ),
    Known(
        "entailment",
        "cross-encoder/nli-deberta-v3-base",
        "Apache-2.0",
        "738 MB",
        "English; SNLI, MultiNLI",
    ),
    Known(
        "entailment",
        "FacebookAI/roberta-large-mnli",
        "MIT",
        "1.43 GB",
        "English; MultiNLI (Liu et al., 2019)",
    ),
    Known(
        "entailment",
        "tals/albert-xlarge-vitaminc-mnli",
        "not stated",
        "235 MB",
        "English; VitaminC, MultiNLI (Schuster et al., 2021); SummaC's",
        "labels=entailment/contradiction/neutral",
    ),
    Known(
        "entailment",
        "MoritzLaurer/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7",
        "MIT",
        "558 MB",
        "27 languages; XNLI, MultiNLI, FEVER, ANLI, LingNLI, WANLI",
    ),
)
