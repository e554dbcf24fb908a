"""Published weights, where ``textsimp hub models --fetch`` has put them, against other packages."""

from __future__ import annotations

import numpy as np
import pytest

from textsimp import BertScore, EmbeddingSimilarity
from textsimp.demo.example_corpus import examples

MODEL = "sentence-transformers/all-MiniLM-L6-v2"
LAYERS = 6
ROWS = examples("sentences")
SOURCES = [row["source"] for row in ROWS]
OUTPUTS = [row["substituter"] for row in ROWS]
REFERENCES = [row["references"] for row in ROWS]


@pytest.fixture(scope="module")
def folder() -> str:
    hub = pytest.importorskip("huggingface_hub")
    errors = pytest.importorskip("huggingface_hub.errors")
    try:
        return str(hub.snapshot_download(MODEL, local_files_only=True))
    except errors.LocalEntryNotFoundError:
        pytest.skip(f"{MODEL} hasn't been fetched")


def test_similarities_are_those_of_sentence_transformers(folder: str) -> None:
    library = pytest.importorskip("sentence_transformers", reason="needs the extra models")
    model = library.SentenceTransformer(folder, device="cpu")
    first, second = (model.encode(rows, normalize_embeddings=True) for rows in (SOURCES, OUTPUTS))
    metric = EmbeddingSimilarity(model=MODEL, device="cpu")
    found = metric.score(sources=SOURCES, predictions=OUTPUTS, per_example=True)
    expected = 100 * (first * second).sum(axis=1)
    assert np.allclose(found["similarity_to_source_per_example"], expected, atol=1e-3)


def test_bertscore_is_that_of_bert_score(folder: str) -> None:
    library = pytest.importorskip("bert_score", reason="needs the extra models")
    values = library.score(OUTPUTS, REFERENCES, model_type=folder, num_layers=LAYERS, device="cpu")
    metric = BertScore(model=MODEL, layer=LAYERS, device="cpu")
    found = metric.score(predictions=OUTPUTS, references=REFERENCES)
    for name, expected in zip(("precision", "recall", "bertscore"), values, strict=True):
        assert found[name] == pytest.approx(100 * expected.mean().item(), abs=1e-3)
