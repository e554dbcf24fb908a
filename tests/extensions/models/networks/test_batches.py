"""What a model reads at once: many short texts, or few long ones."""

from hypothesis import given
from hypothesis import strategies as st

from textsimp.extensions.models.networks.inference import batches, length

LONGEST = 512


def sizes(texts, batch_size):
    return [len(texts[batch]) for batch in batches(texts, batch_size, LONGEST)]


def test_a_batch_has_batch_size_texts_of_256_characters_or_as_many_as_fit_their_room():
    assert sizes(["a" * 256] * 130, 64) == [64, 64, 2]
    assert sizes([("a" * 100, "b" * 156)] * 130, 64) == [64, 64, 2]
    assert sizes(["a" * 1024] * 40, 64) == [16, 16, 8]
    assert sizes([("a" * 1000, "b" * 24)] * 40, 64) == [16, 16, 8]
    assert sizes(["a"] * 60 + ["a" * 1024] * 20, 64) == [60, 16, 4]
    assert sizes(["a" * 99_999] * 20, 64) == [8, 8, 4]  # it reads 512 tokens of 4 characters
    assert sizes(["a" * 99_999] * 3, 1) == [1, 1, 1]
    assert sizes([], 64) == []


@given(lengths=st.lists(st.integers(0, 3000), max_size=40), batch_size=st.integers(1, 70))
def test_each_text_is_in_one_batch_that_has_room_for_it(lengths, batch_size):
    texts = ["a" * n for n in sorted(lengths)]
    parts = [texts[batch] for batch in batches(texts, batch_size, LONGEST)]
    assert [text for part in parts for text in part] == texts
    for part in parts:
        assert 1 <= len(part) <= batch_size
        widest = min(max(map(length, part)), 4 * LONGEST)
        assert len(part) == 1 or len(part) * widest <= batch_size * 256
