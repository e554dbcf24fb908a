"""Words aligned by their vectors in context, of tiny random models."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.text.models import tiny
from textsimp import InputError
from textsimp.metrics.word_transformations import WordTransformations
from textsimp.text.models import checkpoints, inference
from textsimp.text.models.checkpoints import Pretrained
from textsimp.text.word_alignment import get_word_aligner

pytest.importorskip("torch")
pytest.importorskip("transformers")

SOURCE = ["a", "very", "small", "house", "was", "purchased", "quickly", "."]
TARGET = ["the", "house", "was", "bought", "fast", "."]


def align(bert: Path, source: list[str], target: list[str], **options: Any) -> Any:
    return next(get_word_aligner(f"embedding:{bert}", **options).align([source], [target]))


def cosines(bert: Path, source: list[str], target: list[str]) -> Any:
    """Of the mean vectors of the tokens of each word, one word after the other."""
    encoder = inference.encoder(Pretrained(str(bert)))
    sides = []
    for words in (source, target):
        (encoded,) = encoder.encode([" ".join(words)])
        place, means = 0, []
        for word in words:
            end = place + len(word)
            inside = [k for k, (a, b) in enumerate(encoded.spans.tolist()) if place <= a < b <= end]
            mean = encoded.vectors[inside].mean(axis=0, dtype=float)
            means.append(mean / np.linalg.norm(mean))
            place = end + 1
        sides.append(np.array(means))
    return sides[0] @ sides[1].T


def test_equal_texts_are_aligned_word_by_word(bert: Path) -> None:
    assert align(bert, SOURCE, SOURCE) == [(i, i) for i in range(len(SOURCE))]


def test_words_are_aligned_that_are_each_others_most_similar(bert: Path) -> None:
    similar = cosines(bert, SOURCE, TARGET)
    rows, columns = similar.argmax(axis=1), similar.argmax(axis=0)
    mutual = [(i, int(j)) for i, j in enumerate(rows) if columns[j] == i and similar[i, j] > 0]
    assert align(bert, SOURCE, TARGET, threshold=0) == mutual
    limit = float(np.median([similar[pair] for pair in mutual]))
    kept = [pair for pair in mutual if similar[pair] >= limit]
    assert align(bert, SOURCE, TARGET, threshold=limit - 1e-4) == kept


def test_words_that_the_model_does_not_read_have_no_partner(bert: Path) -> None:
    long = ["cat"] * (2 * tiny.LONGEST)
    with pytest.warns(UserWarning, match="longer than the"):
        pairs = align(bert, long, long)
    assert pairs
    assert max(i for i, _ in pairs) < tiny.LONGEST


def test_pairs_of_texts_do_not_depend_on_the_others(
    bert: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("textsimp.text.models.word_vectors._AT_ONCE", 2)
    texts = [SOURCE, [], TARGET, SOURCE[:3], TARGET[2:]]
    aligner = get_word_aligner(f"embedding:{bert}")
    together = [*aligner.align(texts, texts[::-1])]
    assert together == [align(bert, a, b) for a, b in zip(texts, texts[::-1], strict=True)]
    assert together[1] == []


def test_signatures_name_the_model_and_what_it_is(bert: Path) -> None:
    metric = WordTransformations(aligner=f"embedding:{bert}", threshold=0.25)
    expected = f"|aligner:embedding-{checkpoints.signed(Pretrained(str(bert)))}|"
    assert expected in metric.signature()
    assert "|threshold:0.25|" in metric.signature()
    columns = {"sources": ["a small house"], "references": ["a small house"]}
    assert metric.score(**columns, predictions=["a small house"])["copy"] == 100


def test_no_such_model_is_refused_when_the_metric_is_made(bert: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="aligner: 'nobody/nothing' isn't on this machine; fetch"):
        WordTransformations(aligner="embedding:nobody/nothing")
    shutil.copytree(bert, tmp_path / "broken")
    (tmp_path / "broken" / "config.json").unlink()
    with pytest.raises(InputError, match="aligner: expected a model's folder"):
        get_word_aligner(f"embedding:{tmp_path / 'broken'}")
