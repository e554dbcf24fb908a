"""A masked language model for two of the errors of `audits.audit_errors`, masked_words_1 and _2.

    python examples/mask_model.py google-bert/bert-base-cased output.txt

prints by how much BLEU against the outputs themselves falls. Install the extra `models`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import transformers

from textsimp.audits import audit_errors
from textsimp.audits.synthetic import Guesses

WINDOW = 500  # characters before and after a place that the model sees
TOP = 100  # tokens, of which at least six must be whole words
WORD_STARTS = "\u0120\u2581"  # how byte-level BPE and SentencePiece write a space


def fill_mask(model: str) -> Guesses:
    """Load a model, a folder or a name on the Hub, that ranks whole words for each place."""
    pipeline = transformers.pipeline("fill-mask", model)
    tokenizer = pipeline.tokenizer
    mask, top_k = tokenizer.mask_token, min(TOP, len(tokenizer))
    spaced = any(token[0] in WORD_STARTS for token in tokenizer.get_vocab())

    def rank(masked: str) -> list[str]:
        ids = [result["token"] for result in pipeline(masked, top_k=top_k)]
        tokens = [token or "" for token in tokenizer.convert_ids_to_tokens(ids)]
        whole = [token for token in tokens if not spaced or token[:1] in WORD_STARTS]
        words = [token.lstrip(WORD_STARTS) for token in whole]
        return [word for word in words if word.isalpha()]

    def guess(text: str, places: Sequence[tuple[int, int]]) -> list[list[str]]:
        contexts = [(text[max(0, a - WINDOW) : a], text[b : b + WINDOW]) for a, b in places]
        return [rank(f"{before}{mask}{after}") for before, after in contexts]

    return guess


def main() -> None:
    model, path = sys.argv[1:]
    outputs = Path(path).read_text(encoding="utf-8").splitlines()
    names = ["masked_words_1", "masked_words_2"]
    print(audit_errors("bleu", outputs, references=outputs, errors=names, model=fill_mask(model)))


if __name__ == "__main__":
    main()
