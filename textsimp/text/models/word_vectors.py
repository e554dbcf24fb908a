"""Vectors of the words of texts that were split into words before, such as to align them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from textsimp.text.models.inference import Encoder, Floats32, parts

_AT_ONCE = 256  # texts


def word_vectors(
    runner: Encoder, texts: Sequence[Sequence[str]], layer: int | None = None
) -> Iterator[Floats32]:
    """Yield (words, d) vectors of each text's words: the means of their tokens'.

    The model reads a text as its words with a space between them. A word without a token, such as
    one behind what the model reads, is 0. ``layer`` None is the last one, 0 the embeddings.
    """
    for rows in parts(texts, _AT_ONCE):
        written = [runner.prefix + " ".join(words) for words in texts[rows]]
        for words, encoded in zip(texts[rows], runner.encode(written, layer), strict=True):
            sizes = np.array([len(word) for word in words], np.int64)
            starts = len(runner.prefix) + np.cumsum(sizes + 1) - sizes - 1
            lasts = encoded.spans[:, 1] - 1  # its first character may be the space before a word
            of = np.searchsorted(starts, lasts, side="right") - 1
            inside = (encoded.spans[:, 0] <= lasts) & ~encoded.special & (of >= 0)
            inside[inside] = lasts[inside] < (starts + sizes)[of[inside]]
            sums = np.zeros((len(words), encoded.vectors.shape[1]), np.float32)
            np.add.at(sums, of[inside], encoded.vectors[inside])
            counts = np.bincount(of[inside], minlength=len(words))
            yield (sums / np.maximum(counts, 1)[:, None]).astype(np.float32)
