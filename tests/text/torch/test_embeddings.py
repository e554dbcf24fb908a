"""Sentences aligned by their embeddings, of tiny random models."""

from __future__ import annotations

import itertools
import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import textsimp
from textsimp.documents import align_sentences, sentence_operations
from textsimp.metrics.sari import Sari
from textsimp.support.errors import InputError
from textsimp.text import embeddings
from textsimp.text.sentence_alignment import LINKED, _linked, get_aligner

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("sentence_transformers", reason="needs the extra models")

DOCUMENTS = Path(__file__).parents[3] / "examples" / "documents"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
SENTENCES = ["a cat sat on the mat .", "it rained .", "the cat sat .", "dogs ran , and we left ."]
SOURCES = [" ".join(SENTENCES), "the dogs left . it rained on a mat ."]
OUTPUTS = ["the cat sat . it rained . we left .", "it rained ."]
WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()} | {"un", "##s"})


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """More only wait for one another in so small a model."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    embeddings._load.cache_clear()
    embeddings._fetched.cache_clear()


def write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: Any) -> Path:
    """A folder with a random BERT of WordPieces."""
    folder = tmp_path_factory.mktemp("models") / "plain"
    folder.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    write_json(
        folder / "tokenizer_config.json",
        {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": 32},
    )
    transformers.set_seed(0)
    transformers.BertModel(
        transformers.BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=32,
            max_position_embeddings=32,
            initializer_range=0.5,  # different texts make a difference
        )
    ).save_pretrained(folder)
    return folder


def with_modules(plain: Path, folder: Path, pooling: str = "mean_tokens", prompt: str = "") -> Path:
    """As models of sentence-transformers are on the Hub."""
    shutil.copytree(plain, folder)
    modules = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
    write_json(
        folder / "modules.json",
        [
            {"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{kind}"}
            for i, (path, kind) in enumerate(modules.items())
        ],
    )
    (folder / "2_Normalize").mkdir()
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 32, "do_lower_case": False})
    kinds = ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens")
    write_json(
        folder / "1_Pooling" / "config.json",
        {
            "word_embedding_dimension": 16,
            **{f"pooling_mode_{kind}": kind == pooling for kind in kinds},
        },
    )
    write_json(
        folder / "config_sentence_transformers.json",
        {"prompts": {"same": prompt}, "default_prompt_name": "same" if prompt else None},
    )
    return folder


@pytest.fixture(scope="module")
def tiny(plain: Path) -> Path:
    return with_modules(plain, plain.parent / "tiny")


@pytest.fixture
def encoded(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the model is asked to encode."""
    asked: list[list[str]] = []
    encode = embeddings.Embedder._encode

    def counting(self: Any, texts: list[str]) -> Any:
        asked.append(texts)
        return encode(self, texts)

    monkeypatch.setattr(embeddings.Embedder, "_encode", counting)
    return asked


def by_hand(plain: Path, sentences: list[str], pooling: str = "mean_tokens") -> Any:
    """Vectors of length 1, sentence by sentence, by transformers alone."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(plain)
    model = transformers.AutoModel.from_pretrained(plain).eval()
    rows = []
    for sentence in sentences:
        with torch.no_grad():
            tokens = tokenizer(sentence, return_tensors="pt", truncation=True, max_length=32)
            states = model(**tokens).last_hidden_state[0]
        rows.append((states[0] if pooling == "cls_token" else states.mean(dim=0)).numpy())
    return np.array([row / np.linalg.norm(row) for row in rows])


# What the similarities are --------------------------------------------------------------------


@pytest.mark.parametrize("pooling", ["mean_tokens", "cls_token"])
def test_tokens_are_pooled_as_the_model_says(plain: Path, tmp_path: Path, pooling: str) -> None:
    model = with_modules(plain, tmp_path / "model", pooling)
    found = embeddings.embedder(str(model)).vectors(SENTENCES)
    assert np.allclose(found, by_hand(plain, SENTENCES, pooling), rtol=0, atol=1e-6)


def test_a_model_without_a_word_on_pooling_gets_the_mean(plain: Path) -> None:
    found = embeddings.embedder(str(plain)).vectors(SENTENCES)
    assert np.allclose(found, by_hand(plain, SENTENCES), rtol=0, atol=1e-6)


def test_a_prompt_of_the_models_is_put_first(plain: Path, tmp_path: Path) -> None:
    model = with_modules(plain, tmp_path / "model", prompt="dogs left ")
    found = embeddings.embedder(str(model)).vectors(SENTENCES)
    prompted = [f"dogs left {sentence}" for sentence in SENTENCES]
    assert np.allclose(found, by_hand(plain, prompted), rtol=0, atol=1e-6)


def test_a_sentence_longer_than_the_model_reads_is_cut(plain: Path, tiny: Path) -> None:
    long = " ".join(SENTENCES * 10)
    for model in (plain, tiny):
        found = embeddings.embedder(str(model)).vectors([long])
        assert np.allclose(found, by_hand(plain, [long]), rtol=0, atol=1e-6)


@pytest.mark.parametrize("links", LINKED)
@pytest.mark.parametrize("monotone", [True, False])
def test_links_are_those_of_the_cosines(
    plain: Path, tiny: Path, links: str, monotone: bool
) -> None:
    sides = SENTENCES, [*SENTENCES[2:], "we ran .", "cats sat on it ."]
    vectors = [by_hand(plain, side) for side in sides]
    cosines = vectors[0] @ vectors[1].T
    threshold = float(np.median(cosines)) + 1e-4
    expected = _linked(cosines, threshold, links, monotone)
    found = align_sentences(
        *sides, threshold, aligner=f"embedding:{tiny}", links=links, monotone=monotone
    )
    assert found == [(i, j) for i, j in np.argwhere(expected > -np.inf).tolist()]
    assert 0 < len(found) < cosines.size


def test_the_usual_threshold_is_a_half(plain: Path, tiny: Path) -> None:
    aligner = get_aligner(f"embedding:{tiny}", links="all")
    assert aligner.threshold == 0.5
    (found,) = aligner.align([SENTENCES], [SENTENCES])
    vectors = by_hand(plain, SENTENCES)
    assert ((found > -np.inf) == (vectors @ vectors.T >= 0.5)).all()


def test_a_sentence_without_text_is_like_none(tiny: Path) -> None:
    aligner = f"embedding:{tiny}"
    assert align_sentences(["", " "], ["", "a cat"], 0.01, aligner=aligner, links="all") == []


def test_documents_may_be_empty(tiny: Path) -> None:
    aligner = f"embedding:{tiny}"
    found = sentence_operations(["", "it rained .", ""], ["", "", "it rained ."], aligner=aligner)
    assert (found["deleted"], found["added"]) == (1, 1)
    assert sentence_operations([""], [""], aligner=aligner)["source_sentences"] == 0


def test_repeated_sentences_keep_their_order(tiny: Path) -> None:
    """Also those that only the model can't tell apart."""
    source = ["It rained .", "the cat sat .", "it rained ."]
    target = ["it Rained .", "the cat sat .", "it rained ."]
    found = align_sentences(source, target, 0.9999, aligner=f"embedding:{tiny}", links="mutual")
    assert found == [(0, 0), (1, 1), (2, 2)]


def test_links_of_a_document_do_not_depend_on_others(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aligner = get_aligner(f"embedding:{tiny}", links="all", threshold=1e-3)
    others = [[f"{' '.join(WORDS[:n])} {sentence}"] for n in range(9) for sentence in SENTENCES]
    *_, together = aligner.align([*others, SENTENCES], [*others, SENTENCES[::-1]])
    embeddings._load.cache_clear()
    (alone,) = aligner.align([SENTENCES], [SENTENCES[::-1]])
    assert np.allclose(together, alone, rtol=0, atol=1.01e-4)
    monkeypatch.setattr("textsimp.text.sentence_alignment._SENTENCES_AT_ONCE", 3)
    *_, in_blocks = aligner.align([*others, SENTENCES], [*others, SENTENCES[::-1]])
    assert np.allclose(in_blocks, alone, rtol=0, atol=1.01e-4)


# What is computed and kept --------------------------------------------------------------------


def test_equal_sentences_are_embedded_once(tiny: Path, encoded: list[list[str]]) -> None:
    aligner = get_aligner(f"embedding:{tiny}")
    [*aligner.align([SENTENCES, SENTENCES], [SENTENCES[:2] * 3, ["we left ."]])]
    assert sorted(itertools.chain(*encoded)) == sorted([*SENTENCES, "we left ."])
    [*aligner.align([SENTENCES], [["we ran ."]])]
    assert encoded[-1] == ["we ran ."]


def test_sources_are_embedded_once_for_all_systems(tiny: Path, encoded: list[list[str]]) -> None:
    textsimp.score(
        {"a": OUTPUTS, "b": OUTPUTS[::-1]},
        metrics=[Sari(level="aligned", aligner=f"embedding:{tiny}", splitter="simple-token")],
        sources=SOURCES,
        references=[[text] for text in OUTPUTS],
    )
    asked = [*itertools.chain(*encoded)]
    assert len(asked) == len(set(asked))


def test_nothing_is_loaded_before_sentences_are_aligned(tiny: Path) -> None:
    aligner = get_aligner(f"embedding:{tiny}")
    Sari(level="aligned", aligner=f"embedding:{tiny}")
    assert not embeddings._load.cache_info().currsize
    [*aligner.align([["a"]], [["a"]])]
    assert embeddings._load.cache_info().currsize == 1


# What cannot be had ---------------------------------------------------------------------------


def test_without_the_extra_the_error_names_it(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ImportError, match=r"pip install 'textsimp\[models\]'"):
        Sari(level="aligned", aligner=f"embedding:{tiny}")


@pytest.mark.parametrize("name", ["./nowhere", "/no/such/folder", "a/b/c", " ", "a|b"])
def test_a_folder_that_is_not_there_is_told_at_once(name: str) -> None:
    with pytest.raises(InputError, match="aligner: expected a folder or a name on the Hub, got"):
        Sari(level="aligned", aligner=f"embedding:{name}")


def test_a_folder_without_a_model_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"aligner: expected a model's folder, '.*' holds none"):
        Sari(level="aligned", aligner=f"embedding:{tmp_path}")


@pytest.mark.parametrize("spoilt", ["model.safetensors", "config.json", "modules.json"])
def test_a_model_that_cannot_be_loaded_is_told(plain: Path, tmp_path: Path, spoilt: str) -> None:
    model = with_modules(plain, tmp_path / "model")
    (model / spoilt).write_text("no\nmore", encoding="utf-8")
    metric = Sari(level="aligned", aligner=f"embedding:{model}")
    with pytest.raises(InputError, match=r"aligner: .*model can't be loaded: [^\n]*$"):
        metric.score(sources=SOURCES, predictions=OUTPUTS, references=OUTPUTS)


def test_a_model_without_its_weights_is_told(plain: Path, tmp_path: Path) -> None:
    model = with_modules(plain, tmp_path / "model")
    (model / "model.safetensors").unlink()
    with pytest.raises(InputError, match="can't be loaded"):
        embeddings.embedder(str(model))


def test_vectors_that_are_no_numbers_are_told(plain: Path, tmp_path: Path) -> None:
    model = transformers.AutoModel.from_pretrained(plain)
    with torch.no_grad():
        model.embeddings.word_embeddings.weight.fill_(torch.nan)
    shutil.copytree(plain, tmp_path / "nan")
    model.save_pretrained(tmp_path / "nan")
    with pytest.raises(InputError, match="nan makes vectors that aren't finite numbers"):
        align_sentences(["a"], ["a"], aligner=f"embedding:{tmp_path / 'nan'}")


def test_a_model_that_was_not_fetched_is_one_clear_error_offline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="'me/other' is no folder, and can't be had from the Hub"):
        Sari(level="aligned", aligner="embedding:me/other")


# Documents, from one end to the other ---------------------------------------------------------


def test_the_signature_names_the_model_and_no_place(tiny: Path) -> None:
    for aligner in (
        f"embedding:{tiny}",
        f"embedding:{tiny}/",
        f"embedding:{os.path.relpath(tiny)}",
    ):
        metric = Sari(level="aligned", aligner=aligner)
        assert "|aligner:embedding-tiny|threshold:0.5|" in metric.signature()


def test_a_folder_named_by_a_dot_is_named_by_its_name(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny)
    assert get_aligner("embedding:.").name == "embedding-tiny"


def test_names_of_folders_do_not_break_signatures(plain: Path, tmp_path: Path) -> None:
    model = with_modules(plain, tmp_path / "my|model: 1")
    assert get_aligner(f"embedding:{model}").name == "embedding-my-model--1"


def test_a_metric_can_be_pickled_and_mapped_over_a_dataset(tiny: Path) -> None:
    datasets = pytest.importorskip("datasets")
    metric = Sari(level="aligned", aligner=f"embedding:{tiny}")
    assert pickle.loads(pickle.dumps(metric)) == metric

    def score(row: Any) -> dict[str, float]:
        texts = {name: [row[name]] for name in ("sources", "predictions", "references")}
        return {"sari": metric.score(**texts)["sari"]}

    data = datasets.Dataset.from_dict(
        {"sources": SOURCES, "predictions": OUTPUTS, "references": OUTPUTS[::-1]}
    )
    rows = [score(row)["sari"] for row in data]
    assert data.map(score, num_proc=2)["sari"][:] == rows
    assert rows != [0, 0]


def test_prepared_sides_give_the_same(tiny: Path) -> None:
    """As a Trainer's evaluations score, one after the other."""
    sari = textsimp.load("sari")
    options = {"level": "aligned", "aligner": f"embedding:{tiny}"}
    columns = {"sources": SOURCES, "references": [[text] for text in OUTPUTS]}
    given = [SOURCES, OUTPUTS, SOURCES]
    prepared = [sari.compute(predictions=one, **columns, **options)["sari"] for one in given]
    anew = [Sari(**options).score(predictions=one, **columns)["sari"] for one in given]
    assert prepared == anew
    assert prepared[0] != prepared[1]


def test_the_command_line_scores_with_a_model_of_the_hub_offline(
    tiny: Path, tmp_path: Path
) -> None:
    """In a process of its own it gives what Python gives with the folder."""
    kept = tmp_path / "cache" / "models--me--tiny"
    shutil.copytree(tiny, kept / "snapshots" / COMMIT)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(COMMIT)
    paths = [DOCUMENTS / "source.txt", DOCUMENTS / "references" / "0.txt"]
    source, reference = (path.read_text(encoding="utf-8").splitlines() for path in paths)
    output = tmp_path / "output.txt"
    output.write_text("".join(f"{text[: len(text) // 2]}\n" for text in reference), "utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "textsimp", "score", "--json", "-m", "sari"),
            *("-s", paths[0], "-r", paths[1], "-p", output),
            *("-O", "sari.level=aligned", "-O", "sari.aligner=embedding:me/tiny"),
        ],
        env={**os.environ, "HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(tmp_path / "cache")}
        | {"OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "aligner:embedding-me/tiny|threshold:0.5|" in done.stdout
    expected = Sari(level="aligned", aligner=f"embedding:{tiny}").score(
        sources=source,
        predictions=output.read_text("utf-8").splitlines(),
        references=[[text] for text in reference],
    )
    assert f"{expected['sari']:.6f}"[:-1] in done.stdout
