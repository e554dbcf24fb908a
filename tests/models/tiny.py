"""Tiny random models, as folders that look like those of the Hugging Face Hub."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEXT = "a cat sat on the mat . it rained dogs ran , and we left was big small red very house"
WORDS = [*TEXT.split(), "purchased", "bought", "quickly", "fast", "##s", "##ly", "un"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LONGEST = 32


def tokenizer(folder: Path) -> int:
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


def bert(folder: Path, labels: list[str] | None = None, seed: int = 0, **config: Any) -> Path:
    """Write a random BERT: for vectors of tokens, or with ``labels`` a classifier.

    With one label it is a regression.
    """
    import transformers

    options: dict[str, Any] = {
        "vocab_size": tokenizer(folder),
        "hidden_size": 16,
        "num_hidden_layers": 3,
        "num_attention_heads": 2,
        "intermediate_size": 32,
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


def change(folder: Path, name: str, **content: Any) -> None:
    """Change a JSON file of a model."""
    path = folder / name
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **content}), "utf-8")
