"""What BERTScore computes from vectors, worked by hand."""

import numpy as np
import pytest

from textsimp.extensions.models.bertscore import _match, _Text


def text(vectors, weights):
    vectors = np.array(vectors, np.float32)
    return _Text(vectors, np.linalg.norm(vectors, axis=1), np.array(weights) / np.sum(weights))


PREDICTION = text([[2, 0], [0, 1]], [1, 1])


def test_tokens_are_matched_with_the_most_similar_and_weighed():
    """Cosines to (1, 0) and (3, 4)/5: of the first token 1 and .6, of the second 0 and .8."""
    ((f1, precision, recall),) = _match(PREDICTION, [text([[1, 0], [3, 4]], [3, 1])])
    assert precision == pytest.approx((1 + 0.8) / 2)
    assert recall == pytest.approx((3 * 1 + 0.8) / 4)
    assert f1 == pytest.approx(2 * 0.9 * 0.95 / 1.85)


def test_each_text_is_matched_by_itself():
    texts = [text([[0, 1]], [1]), None, text([[1, 0], [0, 3]], [1, 1]), text([[-1, 0]], [1])]
    found = _match(PREDICTION, texts)
    assert found[0] == pytest.approx([2 / 3, 0.5, 1])
    assert found[1].tolist() == [0, 0, 0]
    assert found[2] == pytest.approx([1, 1, 1])
    assert found[3] == pytest.approx([0, -0.5, 0])


def test_a_text_without_tokens_has_nothing_in_common():
    assert _match(None, [PREDICTION, None]).tolist() == [[0, 0, 0]] * 2
    assert _match(PREDICTION, [None]).tolist() == [[0, 0, 0]]
