"""Guesses of a masked language model: tiny random ones, saved to disk."""

import pytest

from tests.given import load_file
from tests.project import EXAMPLES

pytest.importorskip("torch", reason="needs the extra models")
transformers = pytest.importorskip("transformers", reason="needs the extra models")
tokenizers = pytest.importorskip("tokenizers", reason="needs the extra models")

WORDS = ["the", "old", "cat", "sat", "on", "mat", "and", "slept", "while", "it", "rained", "all"]
WORDS += ["night", "dog", "hat", "red", "a"]
example = load_file(EXAMPLES / "mask_model.py")
example.WINDOW = 50  # the models read 30 tokens
TEXT = "The old cat sat on the mat, and slept while it rained all night."


SPECIAL = ["<pad>", "<unk>", "<s>", "</s>", "<mask>"]


def make_tokenizer(kind):
    """Word pieces as BERT's, or words that begin with a mark for the space before, as RoBERTa's."""
    marks = {"bert": "", "roberta": "\u0120"}
    piece = {"bert": "##ing", "roberta": "ing"}[kind]
    vocabulary = [*SPECIAL, *(marks[kind] + word for word in WORDS), piece, "The", ".", ","]
    ids = {token: i for i, token in enumerate(vocabulary)}
    if kind == "bert":
        tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(ids, unk_token="<unk>"))
        tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    else:
        tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(ids, unk_token="<unk>"))
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokens = {"pad_token": "<pad>", "unk_token": "<unk>", "mask_token": "<mask>"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **tokens)


@pytest.fixture(scope="module", params=["bert", "roberta"])
def model(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    tokenizer = make_tokenizer(request.param)
    tokenizer.save_pretrained(folder)
    names = {"bert": "BertForMaskedLM", "roberta": "RobertaForMaskedLM"}
    kind = getattr(transformers, names[request.param])
    transformers.set_seed(0)
    small = kind.config_class(
        vocab_size=len(tokenizer) + 3,  # models may have more rows than their tokenizer has tokens
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
        pad_token_id=0,
    )
    kind(small).save_pretrained(folder)
    return example.fill_mask(str(folder))


def test_whole_words_are_ranked_for_each_place_by_itself(model):
    places = [(4, 7), (8, 11), (12, 15)]
    found = model(TEXT, places)
    for words in found:
        assert len(set(words)) >= 8
        assert set(words) <= {*WORDS, "The"}
    assert found == [model(TEXT, [place])[0] for place in places]


def test_of_a_text_longer_than_the_model_reads_it_sees_what_stands_around_the_place(model):
    long = " ".join([TEXT] * 20)
    row = example.masked_words(model, 2).row(long, long)
    assert row is not None
    assert row["target"].count(",") == 20
