"""Pretrained models, loaded and asked."""

import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tests.extensions.models.networks import tiny
from textsimp.extensions.models.networks import checkpoints, inference
from textsimp.extensions.models.networks.checkpoints import Pretrained, load_once
from textsimp.extensions.models.networks.inference import Classifier, Embedder, TokenEncoder
from textsimp.support.errors import InputError

transformers = pytest.importorskip("transformers")
torch = pytest.importorskip("torch")


def encoder(pretrained, layer=None):
    return load_once(pretrained, TokenEncoder, layer)


def classifier(pretrained):
    return load_once(pretrained, Classifier)


def embedder(pretrained):
    return load_once(pretrained, Embedder)


every_runner = pytest.mark.parametrize(
    ("make", "ask", "step"),
    [
        (classifier, "logits", "_tokenize"),
        (encoder, "encode", "_tokenize"),
        (embedder, "vectors", "_encode"),
    ],
)
TEXTS = ["the cat sat .", "", "dogs ran , and we left .", "it rained", "the cat sat ."]


@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_vectors_are_those_of_the_model_for_any_batch_size(bert, batch_size):
    found = encoder(Pretrained(str(bert), batch_size=batch_size)).encode(TEXTS)
    for text, encoded in zip(TEXTS, found, strict=True):
        assert np.allclose(encoded.vectors, tiny.states(bert, text), atol=1e-5)


def test_tokens_know_whether_they_are_special(bert):
    (found,) = encoder(Pretrained(str(bert))).encode(["Cats sat."])
    assert found.special.tolist() == [True, False, False, False, False, True]


def test_logits_of_texts_and_of_pairs(three):
    runner = classifier(Pretrained(str(three), batch_size=2))
    for rows in (TEXTS, [("the cat sat .", text) for text in TEXTS]):
        for row, found in zip(rows, runner.logits(rows), strict=True):
            expected = tiny.logits(three, *([row] if isinstance(row, str) else row))
            assert np.allclose(found, expected.numpy(), atol=1e-5)


def test_a_text_is_read_once(three, monkeypatch):
    runner = classifier(Pretrained(str(three)))
    first = runner.logits(TEXTS)
    monkeypatch.setattr(runner, "_tokenize", None)  # it would fail
    assert (runner.logits(TEXTS[::-1]) == first[::-1]).all()


@every_runner
def test_threads_take_turns(three, make, ask, step):
    """A tokenizer keeps the padding and truncation of its last call."""
    model, busy = make(Pretrained(str(three))), threading.Lock()
    run = getattr(model, step)

    def run_slowly(texts):
        assert busy.acquire(blocking=False)
        time.sleep(0.05)
        busy.release()
        return run(texts)

    setattr(model, step, run_slowly)
    with ThreadPoolExecutor(4) as pool:
        answers = pool.map(lambda text: getattr(model, ask)([text]), TEXTS[:4])
        assert len([*answers]) == 4


@every_runner
def test_batches_of_long_texts_are_smaller(three, monkeypatch, make, ask, step):
    if make is embedder:
        pytest.importorskip("sentence_transformers", reason="needs the extra models")
    monkeypatch.setattr(inference, "_CHARACTERS", 16)
    model = make(Pretrained(str(three), batch_size=4))
    run, read = getattr(model, step), []
    monkeypatch.setattr(model, step, lambda texts: read.append([*texts]) or run(texts))
    short, long = [f"cat {i}" for i in range(4)], [f"the cat sat on the mat . {i}" for i in "abc"]
    answers = getattr(model, ask)([*long, *short])
    assert read == [short, long[:2], long[2:]]
    again = getattr(make(Pretrained(str(three), batch_size=1)), ask)([*long, *short])
    for one, other in zip(answers, again, strict=True):
        one, other = (getattr(row, "vectors", row) for row in (one, other))
        assert np.allclose(one, other, atol=1e-5)


def test_another_model_in_the_same_folder_is_loaded(bert, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(bert, folder)
    (before,) = encoder(Pretrained(str(folder))).encode(["we left ."])
    named = checkpoints.signed(Pretrained(str(folder)))
    shutil.rmtree(folder)
    tiny.bert(folder, seed=1)
    (after,) = encoder(Pretrained(str(folder))).encode(["we left ."])
    assert not np.allclose(before.vectors, after.vectors)
    assert named != checkpoints.signed(Pretrained(str(folder)))


def test_long_texts_are_cut_with_a_warning(three):
    runner = classifier(Pretrained(str(three)))
    with pytest.warns(UserWarning, match="32 tokens"):
        long, cut = runner.logits(["cat " * 99, "cat " * 30])
    assert np.allclose(long, cut, atol=1e-5)


def test_a_model_without_a_head_is_no_classifier(bert):
    with pytest.raises(InputError):
        classifier(Pretrained(str(bert)))


def test_weights_of_older_models_are_loaded(bert, tmp_path):
    folder = tmp_path / "pickled"
    shutil.copytree(bert, folder)
    (folder / "model.safetensors").unlink()
    with pytest.raises(InputError):
        encoder(Pretrained(str(folder)))
    weights = transformers.AutoModel.from_pretrained(bert).state_dict()
    torch.save(weights, folder / "pytorch_model.bin")
    (found,) = encoder(Pretrained(str(folder))).encode(["we left ."])
    assert np.allclose(found.vectors, tiny.states(bert, "we left ."), atol=1e-5)


def test_a_model_that_is_not_here_is_refused_with_the_command_that_fetches_it(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    for options, command in (
        ({}, "textsimp hub models --fetch owner/model"),
        ({"revision": "v1"}, "textsimp hub models --fetch owner/model --revision v1"),
    ):
        with pytest.raises(InputError) as caught:
            Pretrained("owner/model", **options).check()  # type: ignore[arg-type]
        assert str(caught.value) == (
            f"model: 'owner/model' isn't on this machine; fetch it with: {command}"
        )
    with pytest.raises(InputError):
        Pretrained("../x").check()


def test_a_model_of_the_hub_is_signed_by_its_commit(bert, tmp_path, monkeypatch):
    tiny.keep(tmp_path, "owner/model", bert)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    assert checkpoints.signed(Pretrained("owner/model")) == "owner/model@0123456789ab"
    (found,) = encoder(Pretrained("owner/model")).encode(["we left ."])
    assert np.allclose(found.vectors, tiny.states(bert, "we left ."), atol=1e-5)


def test_a_folder_is_held_to_the_digest_that_is_expected(bert):
    name, _, digest = checkpoints.signed(Pretrained(str(bert))).partition("@")
    assert name == "encoder"
    assert checkpoints.signed(Pretrained(str(bert), digest[:6])).endswith(digest)
    with pytest.raises(InputError, match=f"^revision: .*{digest}"):
        Pretrained(str(bert), "fff").check()


def test_bfloat16_is_near(bert):
    (half,) = encoder(Pretrained(str(bert), dtype="bfloat16")).encode(["we left ."])
    assert np.allclose(half.vectors, tiny.states(bert, "we left ."), atol=0.1)


def test_a_tokenizer_that_is_not_fast_is_refused(tmp_path):
    folder = tiny.encoder("t5", tmp_path / "bytes")
    for file in folder.glob("*token*"):
        file.unlink()
    transformers.ByT5Tokenizer().save_pretrained(folder)
    with pytest.raises(InputError):
        encoder(Pretrained(str(folder)))


def test_of_a_tokenizer_that_is_not_there_no_score_is_made(bert, tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("config.json", "model.safetensors"):
        shutil.copy(bert / name, folder)
    with pytest.raises(InputError):
        encoder(Pretrained(str(folder)))


def test_what_a_model_cannot_read_is_refused(tmp_path):
    folder = tiny.bert(tmp_path / "few", vocab_size=10)
    with pytest.raises(InputError):
        encoder(Pretrained(str(folder))).encode(["the cat sat ."])
