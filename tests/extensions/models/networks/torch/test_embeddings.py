"""Sentences aligned by their embeddings, of tiny random models."""

import itertools
import shutil

import numpy as np
import pytest

from tests.extensions.models.networks import tiny
from textsimp.documents import align_sentences, sentence_operations
from textsimp.extensions.models.networks import checkpoints, inference
from textsimp.extensions.models.networks.checkpoints import Pretrained
from textsimp.metrics.sari import Sari
from textsimp.support.errors import InputError
from textsimp.text.sentence_alignment import LINKED, _linked, get_aligner

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("sentence_transformers", reason="needs the extra models")

SENTENCES = ["a cat sat on the mat .", "it rained .", "the cat sat .", "dogs ran , and we left ."]


@pytest.fixture
def encoded(monkeypatch):
    """What the model is asked to encode."""
    asked = []
    encode = inference.Embedder._encode

    def counting(self, texts):
        asked.append(texts)
        return encode(self, texts)

    monkeypatch.setattr(inference.Embedder, "_encode", counting)
    return asked


def by_hand(folder, sentences):
    """First tokens' vectors of length 1, sentence by sentence, by transformers alone."""
    rows = [tiny.states(folder, sentence)[0] for sentence in sentences]
    return np.array([row / np.linalg.norm(row) for row in rows])


@pytest.mark.parametrize("links", LINKED)
@pytest.mark.parametrize("monotone", [True, False])
def test_links_are_those_of_the_cosines(configured, links, monotone):
    sides = SENTENCES, [*SENTENCES[2:], "we ran .", "cats sat on it ."]
    vectors = [by_hand(configured, side) for side in sides]
    cosines = vectors[0] @ vectors[1].T
    threshold = float(np.median(cosines)) + 1e-4
    expected = _linked(cosines, threshold, links, monotone)
    pairs = align_sentences(
        *sides, threshold, aligner=f"embedding:{configured}", links=links, monotone=monotone
    )
    assert pairs == [(i, j) for i, j in np.argwhere(expected > -np.inf).tolist()]
    assert 0 < len(pairs) < cosines.size


def test_documents_and_sentences_may_be_empty(configured):
    aligner = f"embedding:{configured}"
    assert align_sentences(["", " "], ["", "a cat"], 0.01, aligner=aligner, links="all") == []
    counts = sentence_operations(["", "it rained .", ""], ["", "", "it rained ."], aligner=aligner)
    assert (counts["deleted"], counts["added"]) == (1, 1)
    assert sentence_operations([""], [""], aligner=aligner)["source_sentences"] == 0


def test_repeated_sentences_keep_their_order(configured):
    """Also those that only differ in case, which the model doesn't see."""
    source = ["It rained .", "the cat sat .", "it rained ."]
    target = ["it Rained .", "the cat sat .", "it rained ."]
    aligner = f"embedding:{configured}"
    pairs = align_sentences(source, target, 0.9999, aligner=aligner, links="mutual")
    assert pairs == [(0, 0), (1, 1), (2, 2)]


def test_links_of_a_document_do_not_depend_on_others(configured, monkeypatch):
    aligner = get_aligner(f"embedding:{configured}", links="all", threshold=1e-3)
    others = [[f"{'very ' * n}{sentence}"] for n in range(9) for sentence in SENTENCES]
    *_, together = aligner.align([*others, SENTENCES], [*others, SENTENCES[::-1]])
    checkpoints._load.cache_clear()
    (alone,) = aligner.align([SENTENCES], [SENTENCES[::-1]])
    assert np.allclose(together, alone, rtol=0, atol=1.01e-4)
    monkeypatch.setattr("textsimp.extensions.models.embedding_aligner._SENTENCES_AT_ONCE", 3)
    *_, in_blocks = aligner.align([*others, SENTENCES], [*others, SENTENCES[::-1]])
    assert np.allclose(in_blocks, alone, rtol=0, atol=1.01e-4)


def test_equal_sentences_are_embedded_once(configured, encoded):
    aligner = get_aligner(f"embedding:{configured}")
    [*aligner.align([SENTENCES, SENTENCES], [SENTENCES[:2] * 3, ["we left ."]])]
    assert sorted(itertools.chain(*encoded)) == sorted([*SENTENCES, "we left ."])
    [*aligner.align([SENTENCES], [["we ran ."]])]
    assert encoded[-1] == ["we ran ."]


def test_vectors_that_are_no_numbers_are_refused(configured, tmp_path):
    model = transformers.AutoModel.from_pretrained(configured)
    with torch.no_grad():
        model.embeddings.word_embeddings.weight.fill_(torch.nan)
    shutil.copytree(configured, tmp_path / "nan")
    model.save_pretrained(tmp_path / "nan")
    with pytest.raises(InputError):
        align_sentences(["a"], ["a"], aligner=f"embedding:{tmp_path / 'nan'}")


def test_a_model_that_cannot_be_loaded_is_refused(configured, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(configured, folder)
    (folder / "modules.json").write_text("no\nmore", encoding="utf-8")
    metric = Sari(level="aligned", aligner=f"embedding:{folder}")  # nothing is loaded yet
    with pytest.raises(InputError):
        metric.score(sources=SENTENCES, predictions=SENTENCES, references=SENTENCES)


def test_the_signature_names_the_model_and_its_digest(configured):
    metric = Sari(level="aligned", aligner=f"embedding:{configured}/")
    name = checkpoints.signed(Pretrained(str(configured)))
    assert f"|aligner:embedding-{name}|threshold:0.5|" in metric.signature()
