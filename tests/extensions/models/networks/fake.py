"""Models that say what a test tells them to, in place of those of transformers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from textsimp.extensions.models.level import CEFR
from textsimp.extensions.models.networks import checkpoints, inference
from textsimp.extensions.models.networks.checkpoints import Pretrained

Logits = Mapping[Any, Sequence[float]]


@dataclass
class Fake:
    """A classifier: the names of its labels, and text or pair → logits."""

    labels: list[str]
    said: Logits
    asked: list[Any] = field(default_factory=list)

    def logits(self, texts):
        self.asked += texts
        found = [self.said[text] for text in texts]
        rows = np.array(found, np.float32).reshape(len(texts), len(self.labels))
        return rows.astype(np.float64)

    probabilities = inference.Classifier.probabilities


@dataclass
class FakeLevels:
    """A classifier of CEFR levels: text → its level, and how probable it is."""

    say: Callable[[str], tuple[str, float]]
    labels: Sequence[str] = CEFR

    def probabilities(self, texts, labels):
        shares = np.zeros((len(texts), len(CEFR)))
        for row, text in zip(shares, texts, strict=True):
            level, share = self.say(text)
            row[CEFR.index(level.strip().upper())] = share
        return shares


@contextmanager
def models(**of):
    """All models that there are, by name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pretrained, "check", lambda given: of[given.model])
        patch.setattr(checkpoints, "signed", lambda given: f"{given.model}@0123456789ab")
        patch.setattr(checkpoints, "label_names", lambda given: of[given.model].labels)
        patch.setattr(checkpoints, "load_once", lambda given, make: of[given.model])
        yield
