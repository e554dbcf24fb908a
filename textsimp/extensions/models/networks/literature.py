"""Pretrained models that papers use for each metric, and their layers for BERTScore."""

import csv
from pathlib import Path
from typing import NamedTuple

RUN = "sentence-transformers/all-MiniLM-L6-v2"
"""The model whose published weights textsimp's tests run; others are tiny random ones."""


class PublishedModel(NamedTuple):
    """A model on the Hugging Face Hub, a line of ``literature.csv``."""

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


with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as _file:
    MODELS = tuple(PublishedModel(**row) for row in csv.DictReader(_file))

_LINES = Path(__file__).with_name("bertscore_layers.txt").read_text("utf-8").splitlines()

LAYERS = {name: int(layer) for layer, *names in map(str.split, _LINES) for name in names}
"""Name on the Hub, without its owner → the layer that BERTScore compares.

``model2layers`` of bert-score 0.3.13 (MIT).
"""
