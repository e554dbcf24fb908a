import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from textsimp.text.tokenizers import blocks


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 20))
def test_blocks_are_as_few_as_fit_in_order(sizes, most):
    found = blocks(np.array(sizes, np.int64), most)
    assert [i for block in found for i in range(len(sizes))[block]] == list(range(len(sizes)))
    for block in found:
        assert block.start < block.stop
        assert sum(sizes[block]) <= most or block.stop - block.start == 1
    for block, following in itertools.pairwise(found):
        assert sum(sizes[block]) + sizes[following.start] > most
