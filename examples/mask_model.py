"""Audits BLEU with errors that a masked language model makes (Devaraj et al. 2022, Appendix E.1).

    python examples/mask_model.py google-bert/bert-base-cased output.txt

Two random words of an output become the model's third guesses (level 1), or every fifth word
becomes its fifth guess (level 2). A guess that is the word itself is passed over. The script prints
how BLEU against the outputs themselves takes it. Install the extra `models`.
"""

from __future__ import annotations

import functools
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from textsimp.extensions.audits import audit_errors
from textsimp.extensions.audits.synthetic import Generator

Guesses = Callable[[str, Sequence[tuple[int, int]]], list[list[str]]]
"""A text and places in it → for each place words that a model would put there if it were masked,
the most probable first."""

LETTERS = re.compile(r"[^\W\d_]+")
RANKS = {1: 3, 2: 5}  # level → which guess
WINDOW = 500  # characters before and after a place that the model sees
TOP = 100  # tokens, of which at least six must be whole words
WORD_STARTS = "\u0120\u2581"  # how byte-level BPE and SentencePiece write a space


def fill_mask(model: str) -> Guesses:
    """Load a model, a folder or a name on the Hub, that ranks whole words for each place."""
    import transformers

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


def masked_words(model: Guesses, level: int) -> Generator:
    """Words of the target become what a model would write in their place."""
    change = functools.partial(replace_words, model=model, level=level)
    return Generator(f"masked_words_{level}", "substitution", "target", change)


def replace_words(
    text: str, other: str, chance: random.Random, *, model: Guesses, level: int
) -> tuple[str, int] | None:
    places = [match.span() for match in LETTERS.finditer(text)]
    if level == 1:
        places = sorted(chance.sample(places, 2)) if len(places) > 1 else []
    else:
        places = places[4::5]
    if not places:
        return None
    changed, rank = text, RANKS[level]
    for (start, end), ranked in reversed([*zip(places, model(text, places), strict=True)]):
        word = text[start:end].casefold()
        usable = [guess for guess in ranked if guess.casefold() != word]
        # The word itself has a rank too, if it is among the first.
        at = rank - 1 - sum(guess.casefold() == word for guess in ranked[: rank - 1])
        guess = usable[at].capitalize() if text[start].isupper() else usable[at]
        changed = changed[:start] + guess + changed[end:]
    return changed, level


def main() -> None:
    name, path = sys.argv[1:]
    outputs = Path(path).read_text(encoding="utf-8").splitlines()
    model = fill_mask(name)
    errors = [masked_words(model, level) for level in RANKS]
    print(audit_errors("bleu", outputs, references=outputs, errors=errors))


if __name__ == "__main__":
    main()
