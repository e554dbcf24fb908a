"""NumPy's numbers are options like Python's."""

import json

import numpy as np
import pytest

from tests.splits.corpus import corpus
from textsimp.splits import divergence, drop_poor_alignments, random_split
from textsimp.splits.balanced import balance

COUNTS = np.arange(12).reshape(6, 2)


@pytest.mark.parametrize(
    "call",
    [
        lambda n: divergence(corpus(), bins=n(5), permutations=n(9), smoothing=n(1), seed=n(3)),
        lambda n: balance(COUNTS, [n(2), n(4)], iterations=n(9), seed=n(3)).objective,
        lambda n: drop_poor_alignments(corpus(), 0.1, seed=n(3)).kept["test"]["id"][:],
        lambda n: random_split(corpus(), n(3), variant="paper", sizes=[n(60), n(30)])["test"][:],
    ],
)
def test_numpy_integers_are_made_plain(call):
    result = call(np.int64)
    assert json.dumps(result) == json.dumps(call(int))
