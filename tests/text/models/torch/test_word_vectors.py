"""Vectors of words, the means of their tokens'."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.text.models import tiny
from textsimp.text.models.checkpoints import Pretrained
from textsimp.text.models.inference import encoder
from textsimp.text.models.word_vectors import word_vectors

pytest.importorskip("transformers")

TEXTS = [["the", "cats", "sat", "quickly"], [], ["it", "rained", "unfast", "."], ["dogs"]]


@pytest.mark.parametrize("layer", [None, 1])
def test_a_word_is_the_mean_of_its_tokens(bert: Path, layer: int | None) -> None:
    runner = encoder(Pretrained(str(bert)))
    found = [*word_vectors(runner, TEXTS, layer)]
    first, third = runner.encode(["the cats sat quickly", "it rained unfast ."], layer)
    assert first.ids.shape == (7,)  # [CLS] the cat ##s sat quickly [SEP]
    for encoded, vectors, text in ((first, found[0], TEXTS[0]), (third, found[2], TEXTS[2])):
        start = 0
        for word, vector in zip(text, vectors, strict=True):
            own = [
                encoded.vectors[i]
                for i, (a, b) in enumerate(encoded.spans)
                if start <= a < b <= start + len(word)
            ]
            assert np.allclose(vector, np.mean(own, axis=0), atol=1e-6)
            start += len(word) + 1
    assert found[1].shape == (0, 16)


def test_words_of_byte_pairs_have_the_space_before_them(tmp_path: Path) -> None:
    """The first word is read as it is in the middle of a text."""
    runner = encoder(Pretrained(str(tiny.encoder("roberta", tmp_path / "roberta"))))
    (found,) = word_vectors(runner, [["cat", "sat", "cat"]], layer=0)
    (encoded,) = runner.encode([" cat sat cat"], layer=0)
    assert len(encoded.ids) == 5
    assert np.allclose(found, encoded.vectors[1:4], atol=1e-6)


def test_tokens_that_have_the_space_in_their_span_are_of_the_next_word(bert: Path) -> None:
    runner = encoder(Pretrained(str(bert)))
    encode = runner.encode

    def widened(*args: Any) -> Any:
        found = encode(*args)
        return [
            one._replace(spans=np.maximum(one.spans - [[1, 0]], 0) * ~one.special[:, None])
            for one in found
        ]

    (before,) = word_vectors(runner, [["the", "cat", "sat"]])
    runner.encode = widened  # type: ignore[method-assign]
    (after,) = word_vectors(runner, [["the", "cat", "sat"]])
    assert np.allclose(before, after, atol=1e-6)


def test_empty_words_and_odd_ones(bert: Path) -> None:
    runner = encoder(Pretrained(str(bert)))
    (found,) = word_vectors(runner, [["", "cat", "\u200b", "the mat", "😀", ""]])
    assert found.shape == (6, 16)
    assert found.any(axis=1).tolist() == [False, True, False, True, True, False]
