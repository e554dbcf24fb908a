"""What was tried for aligned documents differs from the package by what is said, and by no more."""

from __future__ import annotations

import importlib
import random
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from textsimp import Bleu, Sari
from textsimp.metrics.aligned import bigrams, share_repeated
from textsimp.text.sentence_alignment import ALIGNERS, groups
from textsimp.text.tokenizers import Encoder

PROJECT = Path(__file__).parents[1]
WORDS = ("the", "a", "cat", "dog", "sat", "lay", "ran", "on", "by", "mat", "hat", "very", "old")


@pytest.fixture
def aligned(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script, loaded anew."""
    monkeypatch.syspath_prepend(PROJECT / "tools")
    for name in ("figures", "trust_claims", "trust", "aligned"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("aligned")


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    """Random documents, outputs and references, some of which are alike, some empty."""
    rng = random.Random(3)

    def text() -> str:
        sentences = (" ".join(rng.choices(WORDS, k=rng.randint(3, 7))) for _ in range(4))
        return " ".join(f"{sentence.capitalize()}." for sentence in sentences)

    found = []
    for item in range(12):
        output = text()
        row = {"item": item // 4, "source": text(), "prediction": output}
        found.append({**row, "references": [text(), rng.choice([output, text()])]})
    return [*found, {"item": 2, "source": text(), "prediction": "", "references": [text(), ""]}]


def columns(rows: list[dict[str, Any]]) -> dict[str, Any]:
    names = {"sources": "source", "predictions": "prediction", "references": "references"}
    return {column: [row[name] for row in rows] for column, name in names.items()}


@pytest.mark.parametrize(
    ("changed", "options"),
    [
        ({}, {}),
        ({"order": "free"}, {"monotone": False}),
        ({"pairs": "all", "threshold": 0.4}, {"links": "all", "threshold": 0.4}),
        ({"weights": "equal"}, {"group_weights": "equal"}),
        ({"repeats": ()}, {"repetition": "ignored"}),
        ({"metric": Bleu()}, {}),
    ],
)
def test_a_way_that_the_package_knows_scores_as_the_package(
    aligned: Any, rows: list[dict[str, Any]], changed: Any, options: Any
) -> None:
    metric = changed.get("metric", Sari())
    metric = replace(metric, level="aligned", **options)
    texts = aligned.Texts(rows)
    scores = texts.best(texts.scores(replace(aligned.DEFAULT, **changed)))
    expected = metric.score(**columns(rows), per_example=True)
    np.testing.assert_allclose(scores, expected[f"{metric.name}_per_example"], atol=1e-9)


def test_the_whole_document_as_one_group_scores_as_the_document(aligned: Any, rows: Any) -> None:
    single = [{**row, "references": row["references"][:1]} for row in rows]
    way = replace(aligned.WHOLE, repeats=())
    expected = Sari().score(**columns(single), per_example=True)
    np.testing.assert_allclose(aligned.Texts(single).scores(way), expected["sari_per_example"])


def test_what_is_known_of_a_pair_is_not_computed_anew_nor_changed(aligned: Any, rows: Any) -> None:
    texts = aligned.Texts(rows)
    expected = texts.scores(aligned.DEFAULT)
    with mock.patch.dict(ALIGNERS, aligned.aligners()):
        for _ in range(2):
            np.testing.assert_array_equal(texts.scores(aligned.DEFAULT), expected)


def test_every_similarity_that_was_tried_is_one(aligned: Any) -> None:
    texts = ("The old cat sat on a mat.", "A dog ran.", "", "The old cat sat on a mat.")
    for name, (compare, _) in aligned.aligners().items():
        (found,) = compare("13a", [texts], [texts])
        assert found.shape == (4, 4)
        assert found.min() >= 0
        assert found.max() <= 1 + 1e-9
        np.testing.assert_allclose(found, found.T, err_msg=name)
        assert found[0, 3] == pytest.approx(1), name
        assert found[0, 1] < 1, name
        assert not found[2].any(), name


def test_a_sentence_within_another_is_contained(aligned: Any) -> None:
    compare, _ = aligned.aligners()["containment"]
    (found,) = compare("13a", [("The old cat sat on the mat by the dog .",)], [("the cat sat .",)])
    assert found.tolist() == [[1]]


def test_the_repetition_of_bigrams_is_the_package_s(aligned: Any) -> None:
    rng = random.Random(1)
    for _ in range(50):
        source, output, reference = (
            tuple(" ".join(rng.choices("abc", k=rng.randint(0, 6))) for _ in range(3))
            for _ in range(3)
        )
        encoder = Encoder("13a", lowercase=True)
        expected = share_repeated(
            *(bigrams(encoder, [[*text]]).ids.tolist() for text in (output, source, reference))
        )
        assert aligned.repetition(source, output, reference, 2) == pytest.approx(expected)


def test_repetition_by_hand(aligned: Any) -> None:
    output = ("a cat sat", "A cat sat", "a cat")  # a cat ×3, cat sat ×2
    assert aligned.repetition((), output, (), 2) == 3 / 5
    assert aligned.repetition(("a cat", "a cat"), output, ("cat sat cat sat",), 2) == 1 / 5
    assert aligned.repetition((), output, (), 3) == 1 / 2
    assert aligned.repetition((), ("a",), (), 2) == 0


def test_groups_apart_merge_to_the_package_s(aligned: Any) -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        m, n, k = rng.integers(1, 6, 3)
        outputs, references, beside = (
            np.where(rng.random(shape) < 0.2, 1.0, -np.inf) for shape in ((m, n), (m, k), (n, k))
        )
        merged, found = groups(outputs, references), aligned.apart(outputs, references)
        for side in range(2):
            assert sorted(i for group in found for i in group[side]) == [*range((m, n)[side])]
        # Each of them is in one group of the package's.
        assert all(
            any({*g[0]} <= {*w[0]} and {*g[1]} <= {*w[1]} and {*g[2]} <= {*w[2]} for w in merged)
            for g in found
        )
        linked = [g for g in found if sum(map(bool, g)) > 1]
        assert Counter(map(str, linked)) == Counter(str(w) for w in merged if sum(map(bool, w)) > 1)
        more = aligned.apart(outputs, references, beside)
        for i, j in np.argwhere(beside > -np.inf).tolist():
            assert any(i in g.outputs and j in g.references for g in more)


def test_weights_by_hand(aligned: Any) -> None:
    words = np.array([[3.0, 2, 4], [0, 5, 1], [2, 0, 0]])
    found = {name: weigh(words).tolist() for name, weigh in aligned.WEIGHTS.items()}
    assert found == {
        "equal": [1, 1, 1],
        "source": [3, 5, 2],
        "source only": [3, 0, 2],
        "all": [9, 6, 2],
    }


def test_what_output_and_reference_dropped_counts_as_told(aligned: Any) -> None:
    row = {"source": "A cat sat here. Dogs ran off.", "prediction": "A cat sat here."}
    texts = aligned.Texts([{**row, "references": ["A cat sat here."]}])

    def score(dropped: float | None) -> float:
        (found,) = texts.scores(replace(aligned.DEFAULT, dropped=dropped))
        return float(found)

    kept = score(np.nan)  # four words, and three were dropped
    assert score(0.0) == pytest.approx(4 * kept / 7)
    assert score(100.0) == pytest.approx((4 * kept + 300) / 7)
    assert score(None) == pytest.approx((4 * kept + 100) / 7)  # as SARI has it: 33.3


def test_cross_validation_of_noise_finds_nothing(aligned: Any) -> None:
    rng = np.random.default_rng(0)
    items = np.repeat(np.arange(40), 4)
    scores, ratings = rng.normal(size=(300, 160)), rng.normal(size=160)
    best = aligned.pearson(scores, ratings).max()
    value, chosen = aligned.cross_validated(scores, ratings, items)
    assert best > 0.2
    assert abs(value) < 0.1
    assert chosen.total() == aligned.FOLDS * aligned.REPEATS


def test_cross_validation_of_one_cell_is_about_its_correlation(aligned: Any) -> None:
    rng = np.random.default_rng(0)
    items = np.repeat(np.arange(40), 4)
    ratings = rng.normal(size=160)
    scores = (ratings + rng.normal(size=160))[None]
    value, chosen = aligned.cross_validated(scores, ratings, items)
    assert value == pytest.approx(np.corrcoef(scores[0], ratings)[0, 1], abs=0.02)
    assert [*chosen] == [0]


def test_the_fold_of_an_item_is_not_looked_at(aligned: Any) -> None:
    """A cell that is right about one item only isn't chosen for it."""
    items = np.repeat(np.arange(10), 3)
    rng = np.random.default_rng(2)
    ratings = rng.normal(size=30)
    useful = ratings + rng.normal(scale=0.3, size=30)
    outlier = np.where(items == 4, 1000 * ratings, rng.normal(size=30))
    ratings = np.where(items == 4, 1000 * ratings, ratings)
    _, chosen = aligned.cross_validated(np.array([outlier, useful]), ratings, items)
    assert chosen[1] == aligned.REPEATS  # the one fold with that item, each time


def test_every_mark_has_a_table_and_every_table_a_mark(aligned: Any) -> None:
    used = aligned.figures.used(aligned.WORD)
    assert {*used} == {*aligned.TABLES}
    assert all(len(pages) == 1 for pages in used.values())


def test_a_folder_without_ratings_is_told(aligned: Any, tmp_path: Path, capsys: Any) -> None:
    with pytest.raises(SystemExit):
        aligned.main(["--data", str(tmp_path), "--check"])
    assert "expected ratings/*.jsonl in" in capsys.readouterr().err


def test_a_table_that_is_none_is_told(aligned: Any, tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "ratings").mkdir()
    with pytest.raises(SystemExit):
        aligned.main(["--data", str(tmp_path), "tryed"])
    assert "no such table: tryed" in capsys.readouterr().err
