"""The sentence aligner ``embedding:MODEL``: cosines of a model's vectors of sentences."""

import functools
import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from textsimp.extensions.models.networks import checkpoints, inference
from textsimp.extensions.models.networks.checkpoints import Pretrained
from textsimp.text.sentence_alignment import Documents, Similarity, products
from textsimp.text.tokenizers import blocks

NAME = "embedding"
"""Followed by a colon and a model: a folder, or a name on the Hugging Face Hub."""
THRESHOLD = 0.5
_DECIMALS = 4  # vectors differ by some 1e-7 with what else is in a batch
_SENTENCES_AT_ONCE = 2**14


def embedding_aligner(model: str) -> Similarity:
    """Make the similarity of sentences by a model of sentence-transformers."""
    pretrained = Pretrained(model, argument="aligner")
    inference.check_embedder(pretrained)
    compute = functools.partial(_cosines, pretrained)
    return Similarity(f"{NAME}-{checkpoints.signed(pretrained)}", THRESHOLD, compute)


def _cosines(
    pretrained: Pretrained, sources: Documents, targets: Documents
) -> Iterator[NDArray[np.float64]]:
    """Yield (m, n) cosines of the sentences of two documents, rounded to four decimals."""
    embedder = checkpoints.load_once(pretrained, inference.Embedder)
    pairs = [*zip(sources, targets, strict=True)]
    for rows in blocks(np.array([len(a) + len(b) for a, b in pairs]), _SENTENCES_AT_ONCE):
        sentences = [*itertools.chain.from_iterable(itertools.chain.from_iterable(pairs[rows]))]
        vectors = embedder.vectors(sentences) if sentences else np.empty((0, 1), np.float32)
        start = 0
        for source, target in pairs[rows]:
            end = start + len(source) + len(target)
            both = vectors[start:end].astype(np.float64)
            yield products(both[: len(source)], both[len(source) :]).round(_DECIMALS)
            start = end
