"""Pretrained models that papers use for each metric; textsimp's tests use tiny random models."""

from __future__ import annotations

from typing import NamedTuple


class PublishedModel(NamedTuple):
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


MODELS: tuple[PublishedModel, ...] = (
    PublishedModel(
        "bertscore",
        "FacebookAI/roberta-large",
        "MIT",
        "1.42 GB",
        "English; bert-score's default for it (Zhang et al. 2020)",
    ),
    PublishedModel(
        "bertscore",
        "microsoft/deberta-xlarge-mnli",
        "MIT",
        "3.04 GB",
        "English; the nearest to people by bert-score's authors (He et al. 2021)",
        "pickles=True",
    ),
    PublishedModel(
        "bertscore",
        "google-bert/bert-base-multilingual-cased",
        "Apache-2.0",
        "714 MB",
        "104 languages; bert-score's default for most (Devlin et al. 2019)",
    ),
    PublishedModel(
        "embedding_similarity",
        "sentence-transformers/all-MiniLM-L6-v2",
        "Apache-2.0",
        "91 MB",
        "English, small and fast (Reimers & Gurevych 2019)",
        "pooling=own",
    ),
    PublishedModel(
        "embedding_similarity",
        "sentence-transformers/all-mpnet-base-v2",
        "Apache-2.0",
        "438 MB",
        "English (Reimers & Gurevych 2019)",
        "pooling=own",
    ),
    PublishedModel(
        "embedding_similarity",
        "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        "Apache-2.0",
        "471 MB",
        "50 languages (Reimers & Gurevych 2020)",
        "pooling=own",
    ),
    PublishedModel(
        "level",
        "AbdullahBarayan/ModernBERT-base-doc_en-Cefr",
        "Apache-2.0",
        "0.6 GB",
        "English; CEFR levels of documents; one of TSAR 2025's three (Alva-Manchego et al. 2025)",
    ),
    PublishedModel(
        "level",
        "AbdullahBarayan/ModernBERT-base-doc_sent_en-Cefr",
        "Apache-2.0",
        "0.6 GB",
        "English; CEFR levels of documents and sentences; another of the three",
    ),
    PublishedModel(
        "level",
        "AbdullahBarayan/ModernBERT-base-reference_AllLang2-Cefr2",
        "Apache-2.0",
        "0.6 GB",
        "several languages; CEFR levels; the third: give all, separated by commas",
    ),
    PublishedModel(
        "regression",
        "liamcripwell/sle-base",
        "not stated",
        "0.5 GB",
        "English; SLE: simplicity of a sentence, about 0 to 4 (Cripwell et al. 2023)",
        "pickles=True",
    ),
    PublishedModel(
        "regression",
        "davebulaval/MeaningBERT",
        "not stated; its code: MIT",
        "438 MB",
        "English; meaning kept, about 0 to 100 (Beauchemin et al. 2023)",
        "paired_with=source",
    ),
    PublishedModel(
        "regression",
        "Elron/bleurt-base-512",
        "not stated",
        "0.4 GB",
        "English; BLEURT: likeness to a reference, about 0 to 1 (Sellam et al. 2020)",
        "paired_with=reference pickles=True",
    ),
    PublishedModel(
        "entailment",
        "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli",
        "MIT",
        "369 MB",
        "English; MultiNLI, FEVER, ANLI",
    ),
    PublishedModel(
        "entailment",
        "cross-encoder/nli-deberta-v3-base",
        "Apache-2.0",
        "738 MB",
        "English; SNLI, MultiNLI",
    ),
    PublishedModel(
        "entailment",
        "FacebookAI/roberta-large-mnli",
        "MIT",
        "1.43 GB",
        "English; MultiNLI (Liu et al., 2019)",
    ),
    PublishedModel(
        "entailment",
        "tals/albert-xlarge-vitaminc-mnli",
        "not stated",
        "235 MB",
        "English; VitaminC, MultiNLI (Schuster et al., 2021); SummaC's",
        "labels=entailment/contradiction/neutral",
    ),
    PublishedModel(
        "entailment",
        "MoritzLaurer/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7",
        "MIT",
        "558 MB",
        "27 languages; XNLI, MultiNLI, FEVER, ANLI, LingNLI, WANLI",
    ),
)
