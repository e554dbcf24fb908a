"""A masked language model of transformers as what `textsimp.errors.synthetic.masked_words` asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textsimp.errors.spans import Span
from textsimp.support.errors import InputError
from textsimp.support.extras import require

_AT_ONCE = 32
_NO_LIMIT = 10**9
_WORD_STARTS = ("\u0120", "\u2581")  # how byte-level BPE and SentencePiece write a space


def fill_mask(model: str, *, revision: str | None = None, guesses: int = 8) -> FillMask:
    """Load a masked language model.

    Args:
        model: A folder, or a name on the Hub, which is fetched unless it is in the cache.
        revision: A commit, tag or branch of the Hub's.
        guesses: How many words to rank for a place; `masked_words` needs six.

    Raises:
        ImportError: transformers or torch are not installed.
        InputError: There is no such model, or it has no mask or too few words.
    """
    return FillMask(model, revision, guesses)


class FillMask:
    """A text and places in it → words for each place, the most probable first.

    Each place is masked by itself. Only whole words of letters are ranked: no pieces of words, no
    punctuation. Of a text longer than the model reads it sees what stands around the place.
    """

    def __init__(self, model: str, revision: str | None, guesses: int) -> None:
        self._torch = require("torch", extra="models")
        auto = require("transformers", extra="models")
        try:
            self._tokenizer = auto.AutoTokenizer.from_pretrained(model, revision=revision)
            loaded = auto.AutoModelForMaskedLM.from_pretrained(model, revision=revision)
        except (OSError, ValueError) as error:
            raise InputError(f"model: transformers can't load {model!r}: {error}") from error
        if self._tokenizer.mask_token is None:
            raise InputError(f"model: expected one with a mask, {model!r} has none")
        self._model = loaded.eval()
        self._words = _words(self._tokenizer, loaded.config.vocab_size)
        if sum(word is not None for word in self._words) < guesses:
            raise InputError(f"model: {model!r} has fewer than {guesses} whole words")
        # RoBERTa's positions begin at 2.
        positions = getattr(loaded.config, "max_position_embeddings", _NO_LIMIT) - 2
        self._most = min(self._tokenizer.model_max_length, positions)
        self._guesses = guesses

    def __call__(self, text: str, places: Sequence[Span]) -> list[list[str]]:
        """The words for each place."""
        torch = self._torch
        masked = [self._masked(text, start, end) for start, end in places]
        excluded = torch.tensor([word is None for word in self._words])
        guesses: list[list[str]] = []
        for first in range(0, len(masked), _AT_ONCE):
            batch = self._tokenizer(
                masked[first : first + _AT_ONCE], return_tensors="pt", padding=True
            )
            with torch.no_grad():
                logits = self._model(**batch).logits
            where = (batch["input_ids"] == self._tokenizer.mask_token_id).int().argmax(dim=1)
            scores = logits[torch.arange(len(logits)), where].masked_fill(excluded, -torch.inf)
            best = scores.topk(self._guesses).indices
            guesses += [[self._words[i] or "" for i in row] for row in best.tolist()]
        return guesses

    def _masked(self, text: str, start: int, end: int) -> str:
        """The text with a mask; as much of it around that as the model reads."""
        width = len(text)
        while True:
            before, after = text[max(0, start - width) : start], text[end : end + width]
            masked: str = before + self._tokenizer.mask_token + after
            if width == 0 or len(self._tokenizer(masked)["input_ids"]) <= self._most:
                return masked
            width //= 2


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
