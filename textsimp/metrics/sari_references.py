"""Sources and references as SARI and BLEU count them: once for all systems."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core.metric import Floats
from textsimp.text import ngrams
from textsimp.text.tokenizers import Encoder, Tokens

Ints = NDArray[np.int64]
Counted = tuple[slice, list[ngrams.Counts], dict[Any, Floats]]  # examples; of each order; so far


@dataclass(frozen=True)
class SariReferences:
    """The n-grams of sources and references."""

    encoder: Encoder
    source_sizes: Ints  # (n,) tokens
    reference_sizes: Ints  # (references,) tokens
    references_per_example: Ints  # (n,)
    blocks: list[tuple[slice, list[ngrams.Table]]]  # examples; a table per order
    owners: Ints | None = None  # (references,) the examples of these, if each is one of its own
    sources: tuple[list[str], Tokens] | None = None  # if predictions are tokenised like them

    def count(self, tokens: Tokens) -> Iterator[Counted]:
        """Count the n-grams of predictions, a block of examples at a time."""
        copied = self.sources is not None and tokens is self.sources[1]
        if self.owners is not None:
            tokens = tokens.take(self.owners)
        for block, tables in self.blocks:
            part = tokens.slice(block.start, block.stop)
            yield block, [*ngrams.count(tables, part, copied)], {}
