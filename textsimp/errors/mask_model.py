"""A masked language model of transformers, for `textsimp.errors.synthetic.masked_words`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from textsimp.errors.spans import Span
from textsimp.support.errors import InputError
from textsimp.support.extras import require

_BATCH_SIZE = 32
_GUESSES = 8  # `masked_words` needs six
_NO_LIMIT = 10**9
_WORD_STARTS = ("\u0120", "\u2581")  # how byte-level BPE and SentencePiece write a space


def fill_mask(model: str) -> Callable[[str, Sequence[Span]], list[list[str]]]:
    """Load a masked language model as `Guesses`, which ranks whole words for each place."""
    torch = require("torch", extra="models")
    auto = require("transformers", extra="models")
    try:
        tokenizer = auto.AutoTokenizer.from_pretrained(model)
        network = auto.AutoModelForMaskedLM.from_pretrained(model).eval()
    except (OSError, ValueError) as error:
        raise InputError(f"model: transformers can't load {model!r}: {error}") from error
    if tokenizer.mask_token is None:
        raise InputError(f"model: expected one with a mask, {model!r} has none")
    words = _words(tokenizer, network.config.vocab_size)
    excluded = torch.tensor([word is None for word in words])
    if len(words) - int(excluded.sum()) < _GUESSES:
        raise InputError(f"model: {model!r} has fewer than {_GUESSES} whole words")
    # RoBERTa's positions begin at 2.
    positions = getattr(network.config, "max_position_embeddings", _NO_LIMIT) - 2
    longest = min(tokenizer.model_max_length, positions)

    def mask(text: str, start: int, end: int) -> str:
        width = len(text)
        while True:
            before, after = text[max(0, start - width) : start], text[end : end + width]
            masked = f"{before}{tokenizer.mask_token}{after}"
            if width == 0 or len(tokenizer(masked)["input_ids"]) <= longest:
                return masked
            width //= 2

    def guess(text: str, places: Sequence[Span]) -> list[list[str]]:
        masked = [mask(text, start, end) for start, end in places]
        guesses: list[list[str]] = []
        for first in range(0, len(masked), _BATCH_SIZE):
            rows = masked[first : first + _BATCH_SIZE]
            batch = tokenizer(rows, return_tensors="pt", padding=True)
            with torch.no_grad():
                logits = network(**batch).logits
            at = (batch["input_ids"] == tokenizer.mask_token_id).int().argmax(dim=1)
            scores = logits[torch.arange(len(logits)), at].masked_fill(excluded, -torch.inf)
            best = scores.topk(_GUESSES).indices
            guesses += [[words[i] or "" for i in row] for row in best.tolist()]
        return guesses

    return guess


def _words(tokenizer: Any, size: int) -> list[str | None]:
    """The word of each token, None for pieces of words and what has other characters."""
    tokens = tokenizer.convert_ids_to_tokens(range(min(size, len(tokenizer))))
    starts = [token.startswith(_WORD_STARTS) for token in tokens]
    spaced = any(starts)
    words: list[str | None] = []
    for token, start in zip(tokens, starts, strict=True):
        word = token[1:] if start else token
        whole = word.isalpha() and (start or not spaced)
        words.append(word if whole and token not in tokenizer.all_special_tokens else None)
    return words + [None] * (size - len(words))
