"""Work in blocks, so that memory stays bounded."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["blocks"]


def blocks(sizes: NDArray[np.int64], most: int) -> list[slice]:
    """Consecutive slices whose sizes sum to at most ``most``, or of one item that is larger."""
    ends = np.cumsum(sizes)
    slices, start, done = [], 0, 0
    while start < len(sizes):
        fitting = int(np.searchsorted(ends, done + most, side="right"))
        stop = max(fitting, start + 1)
        slices.append(slice(start, stop))
        start, done = stop, int(ends[stop - 1])
    return slices
