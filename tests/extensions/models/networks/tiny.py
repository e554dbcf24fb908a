"""Tiny random models, as folders that look like those of the Hugging Face Hub."""

import json
import shutil

TEXT = "a cat sat on the mat . it rained dogs ran , and we left was big small red very house"
WORDS = [*TEXT.split(), "purchased", "bought", "quickly", "fast", "##s", "##ly", "un"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LONGEST = 32
SIZES = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2}
SIZES |= {"intermediate_size": 32}


def tokenizer(folder):
    """Write a tokenizer of WordPieces; how many there are."""
    from transformers import BertTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = [*SPECIAL, *WORDS]
    path = folder / "vocab.txt"
    path.write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    made = BertTokenizerFast(
        vocab={word: i for i, word in enumerate(vocabulary)},
        vocab_file=str(path),
        do_lower_case=True,
        model_max_length=LONGEST,
    )
    made.save_pretrained(folder)
    return len(vocabulary)


def bert(folder, labels=None, seed=0, **config):
    """Write a random BERT: for vectors of tokens, or with ``labels`` a classifier.

    With one label it is a regression.
    """
    import transformers

    options = {
        "vocab_size": tokenizer(folder),
        **SIZES,
        "max_position_embeddings": LONGEST,
        "initializer_range": 0.5,  # different texts make a difference
    }
    if labels is not None:
        options |= {
            "id2label": dict(enumerate(labels)),
            "label2id": {label: i for i, label in enumerate(labels)},
            "num_labels": len(labels),
        }
    transformers.set_seed(seed)
    made = transformers.BertConfig(**{**options, **config})
    cls = transformers.BertModel if labels is None else transformers.BertForSequenceClassification
    cls(made).save_pretrained(folder)
    return folder


def byte_pairs(folder):
    """Write RoBERTa's kind of tokenizer, whose words begin with their space; how many there are."""
    from tokenizers import ByteLevelBPETokenizer

    folder.mkdir(parents=True, exist_ok=True)
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    made = ByteLevelBPETokenizer()
    made.train_from_iterator([TEXT] * 9, vocab_size=320, special_tokens=special)
    made.save_model(str(folder))
    config = {"tokenizer_class": "RobertaTokenizer", "model_max_length": LONGEST}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    return made.get_vocab_size()


def encoder(kind, folder, seed=0):
    """Write a random encoder: a BERT, RoBERTa, DistilBERT, ALBERT, T5 or GPT-2, in lower case."""
    import transformers

    if kind == "bert":
        return bert(folder, seed=seed)
    size = byte_pairs(folder) if kind in ("roberta", "gpt2") else tokenizer(folder)
    config = {
        "vocab_size": size,
        **SIZES,
        "max_position_embeddings": LONGEST + 2,
        "initializer_range": 0.5,
    }
    transformers.set_seed(seed)
    if kind == "roberta":
        special = {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2}
        roberta = transformers.RobertaConfig(**config, **special)
        transformers.RobertaModel(roberta).save_pretrained(folder)
    elif kind == "distilbert":
        sizes = {"dim": 16, "n_layers": 3, "n_heads": 2, "hidden_dim": 32}
        distilbert = transformers.DistilBertConfig(
            vocab_size=size, max_position_embeddings=LONGEST, initializer_range=0.5, **sizes
        )
        transformers.DistilBertModel(distilbert).save_pretrained(folder)
    elif kind == "albert":  # its layers share their weights
        albert = transformers.AlbertConfig(**config, embedding_size=8)
        transformers.AlbertModel(albert).save_pretrained(folder)
    elif kind == "gpt2":  # no special tokens
        change(folder, "tokenizer_config.json", tokenizer_class="GPT2Tokenizer")
        gpt2 = transformers.GPT2Config(
            vocab_size=size, n_embd=16, n_layer=3, n_head=2, n_positions=LONGEST
        )
        transformers.GPT2Model(gpt2).save_pretrained(folder)
    else:
        sizes = {"d_model": 16, "d_kv": 8, "num_layers": 3, "num_heads": 2, "d_ff": 32}
        t5 = transformers.T5Config(vocab_size=size, decoder_start_token_id=0, **sizes)
        transformers.T5Model(t5).save_pretrained(folder)
    return folder


def change(folder, name, **content):
    """Change a JSON file of a model."""
    path = folder / name
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **content}), "utf-8")


def keep(cache, name, folder):
    """Copy a model to where the Hub's are kept; its commit."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    kept = cache / f"models--{name.replace('/', '--')}"
    shutil.copytree(folder, kept / "snapshots" / commit)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(commit)
    return commit


def states(folder, text, layer=-1):
    """A vector for each token of a text, by transformers alone."""
    import transformers

    found = _forward(transformers.AutoModel, folder, text, output_hidden_states=True)
    return found.hidden_states[layer][0].numpy()


def logits(folder, *texts):
    """What a classifier says of a text or a pair, by transformers alone."""
    import transformers

    return _forward(transformers.AutoModelForSequenceClassification, folder, *texts).logits[0]


def _forward(kind, folder, *texts, **options):
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokens = tokenizer(*([text] for text in texts), return_tensors="pt")
    with torch.no_grad():
        return kind.from_pretrained(folder).eval()(**tokens, **options)
