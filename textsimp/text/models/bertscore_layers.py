"""The layer of a model that BERTScore compares: ``model2layers`` of bert-score 0.3.13 (MIT)."""

from __future__ import annotations

from pathlib import Path

_LINES = Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()

LAYERS = {name: int(layer) for layer, *names in map(str.split, _LINES) for name in names}
"""Name on the Hub, without its owner → layer."""
