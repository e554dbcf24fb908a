"""Likeness of whole texts, by vectors of tiny random models."""

import warnings

import numpy as np
import pytest

import textsimp
from textsimp import EmbeddingSimilarity, InputError

pytest.importorskip("transformers")

SOURCES = ["a small cat sat on the mat .", "dogs ran , and we left .", "it rained"]
PREDICTIONS = ["the cat sat .", "dogs ran quickly and we left .", "it rained"]
REFERENCES = [["a cat sat on the mat .", "the dogs"], ["we left"], ["it rained", "red"]]
COLUMNS = {"sources": SOURCES, "predictions": PREDICTIONS}


def cosines(folder, first, second):
    """In percent, by sentence-transformers, which pools as it usually does."""
    library = pytest.importorskip("sentence_transformers", reason="needs the extra models")
    model = library.SentenceTransformer(str(folder), device="cpu")
    a, b = (model.encode(texts, normalize_embeddings=True) for texts in (first, second))
    return 100 * (a * b).sum(axis=1)


@pytest.mark.parametrize("pooling", ["bert", "configured"])  # the mean, the first token's
def test_similarities_are_those_of_sentence_transformers(pooling, request):
    folder = request.getfixturevalue(pooling)
    found = EmbeddingSimilarity(model=str(folder)).score(**COLUMNS, per_example=True)
    expected = cosines(folder, SOURCES, PREDICTIONS)
    assert np.allclose(found["similarity_to_source_per_example"], expected, atol=1e-3)
    assert found["similarity_to_source"] == pytest.approx(expected.mean(), abs=1e-3)
    assert "similarity_to_references" not in found


def test_the_most_similar_reference_counts(configured):
    metric = EmbeddingSimilarity(model=str(configured))
    found = metric.score(**COLUMNS, references=REFERENCES, per_example=True)
    for i, row in enumerate(REFERENCES):
        alone = [
            metric.score(sources=[text], predictions=[PREDICTIONS[i]])["similarity_to_source"]
            for text in row
        ]
        own = found["similarity_to_references_per_example"][i]
        assert own == pytest.approx(max(alone), abs=1e-4)
    assert found["similarity_to_source"] == metric.score(**COLUMNS)["similarity_to_source"]
    assert found.main.value == found["similarity_to_references"]


def test_with_references_likeness_to_these_ranks_and_without_nothing_does(bert):
    systems = {"one": PREDICTIONS, "other": SOURCES}
    metric = EmbeddingSimilarity(model=str(bert))
    for references, main, better in (
        (REFERENCES, "similarity_to_references", "higher"),
        (None, "similarity_to_source", ""),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of so few examples
            (found,) = textsimp.compare(
                systems, metric=metric, sources=SOURCES, references=references, resamples=10
            ).values()
        (scores, *_) = found.systems.values()
        assert scores.main is scores.predictions[main]
        assert scores.metric.scores[0].key == main
        assert scores.metric.scores[0].better == better
        assert str(scores).startswith(main.replace("_", " "))
        assert bool(found.best) == bool(better)
    rated = [
        {"source": s, "prediction": p, "references": r, "rating": i}
        for i, (s, p, r) in enumerate(zip(SOURCES, ["a", "the cat", "it"], REFERENCES, strict=True))
    ]
    told = textsimp.extensions.people.evaluate(rated, {"m": metric}, resamples=10)
    named = textsimp.extensions.people.evaluate(
        rated, {"m": (metric, "similarity_to_references")}, resamples=10
    )
    (of_main,), (of_named,) = told.metrics.values(), named.metrics.values()
    assert of_main["outputs"]["pearson"] == of_named["outputs"]["pearson"]


def test_empty_texts_have_nothing_in_common_and_copies_all(configured):
    metric = EmbeddingSimilarity(model=str(configured))
    found = metric.score(
        sources=["", "", "a cat", "a cat"],
        predictions=["", "a cat", " \n", "a cat"],
        references=["", "", "a cat", "a cat"],
        per_example=True,
    )
    for name in ("similarity_to_source", "similarity_to_references"):
        assert found[f"{name}_per_example"] == pytest.approx([0, 0, 0, 100], abs=1e-4)
        assert max(found[f"{name}_per_example"]) <= 100


def test_options_of_the_model_are_kept(configured):
    half = EmbeddingSimilarity(model=str(configured), dtype="bfloat16")
    whole = EmbeddingSimilarity(model=str(configured))
    name = "similarity_to_source"
    assert half.score(**COLUMNS)[name] == pytest.approx(whole.score(**COLUMNS)[name], abs=3)
    assert half.score(**COLUMNS)[name] != whole.score(**COLUMNS)[name]
    gone = EmbeddingSimilarity(model=str(configured), device="cuda:7")
    with pytest.raises(InputError):
        gone.score(**COLUMNS)


def test_it_needs_sources(bert):
    with pytest.raises(InputError):
        EmbeddingSimilarity(model=str(bert)).score(predictions=PREDICTIONS)
