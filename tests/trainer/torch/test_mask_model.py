"""Guesses of a masked language model: tiny random ones, saved to disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.given import EXAMPLES, load_file

pytest.importorskip("torch", reason="needs the extra models")
transformers = pytest.importorskip("transformers", reason="needs the extra models")
tokenizers = pytest.importorskip("tokenizers", reason="needs the extra models")

WORDS = ["the", "old", "cat", "sat", "on", "mat", "and", "slept", "while", "it", "rained", "all"]
WORDS += ["night", "dog", "hat", "red", "a"]
example = load_file(EXAMPLES / "mask_model.py")
example.WINDOW = 50  # the models read 30 tokens
TEXT = "The old cat sat on the mat, and slept while it rained all night."


@pytest.fixture(scope="module")
def wordpieces(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BERT whose vocabulary has special tokens, words, a piece of a word and punctuation."""
    folder = tmp_path_factory.mktemp("bert")
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS, "##ing", ".", ","]
    pieces = tokenizers.models.WordPiece({t: i for i, t in enumerate(tokens)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(pieces)
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]"
    ).save_pretrained(folder)
    save(transformers.BertConfig, transformers.BertForMaskedLM, len(tokens), folder)
    return str(folder)


@pytest.fixture(scope="module")
def bytepieces(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A RoBERTa, whose words begin with a mark for the space before them."""
    folder = tmp_path_factory.mktemp("roberta")
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    vocabulary = [*special, *(f"\u0120{word}" for word in WORDS), "ing", "The", ".", ","]
    model = tokenizers.models.WordLevel({t: i for i, t in enumerate(vocabulary)}, unk_token="<unk>")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=True)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", unk_token="<unk>", mask_token="<mask>"
    ).save_pretrained(folder)
    save(transformers.RobertaConfig, transformers.RobertaForMaskedLM, len(vocabulary), folder)
    return str(folder)


def save(config: Any, model: Any, size: int, folder: Path) -> None:
    transformers.set_seed(0)
    small = config(
        vocab_size=size + 3,  # models may have more rows than their tokenizer has tokens
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
        pad_token_id=1,
    )
    model(small).save_pretrained(folder)


@pytest.fixture(scope="module", params=["wordpieces", "bytepieces"])
def model(request: pytest.FixtureRequest) -> Any:
    return example.fill_mask(request.getfixturevalue(request.param))


def test_whole_words_are_ranked_for_each_place_by_itself(model: Any) -> None:
    places = [(4, 7), (8, 11), (12, 15)]
    found = model(TEXT, places)
    for words in found:
        assert len(set(words)) >= 8
        assert set(words) <= {*WORDS, "The"}
    assert found == [model(TEXT, [place])[0] for place in places]


@pytest.mark.parametrize(("level", "count"), [(1, 2), (2, 2)])
def test_rows_have_the_third_or_fifth_guess(model: Any, level: int, count: int) -> None:
    row = example.masked_words(model, level).row(TEXT, TEXT)
    assert row is not None
    before, after = (text.replace(",", "").strip(".").split() for text in (TEXT, row["target"]))
    different = [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    assert len(different) == count
    if level == 2:
        assert different == [4, 9]
    assert row == example.masked_words(model, level).row(TEXT, TEXT)


def test_of_a_text_longer_than_the_model_reads_it_sees_what_stands_around_the_place(
    model: Any,
) -> None:
    long = " ".join([TEXT] * 20)
    row = example.masked_words(model, 2).row(long, long)
    assert row is not None
    assert row["target"].count(",") == 20
