"""Readability formulas as their papers print them, on samples of 100 words, slowly."""

import math

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from textsimp.text.syllables import count


def counts(lines, split):
    """What there is in English texts."""
    words = []
    sentences = 0
    for line in lines:
        sentences += sum(1 for sentence in split(line.strip()) if sentence.strip())
        words += [token for token in Tokenizer13a()(line).split() if count(token) > 0]
    if words and not sentences:
        sentences = 1
    letters = [sum(1 for c in word if c.isalpha()) for word in words]
    return {
        "sentences": sentences,
        "words": len(words),
        "syllables": sum(count(word) for word in words),
        "letters": sum(letters),
        "characters": sum(1 for word in words for c in word if c.isalnum()),
        "polysyllables": sum(1 for word in words if count(word) >= 3),
        "long_words": sum(1 for length in letters if length >= 7),
    }


def ratio(of, to):
    return of / to if to else 0


def formulas(n):
    """Those of English, without a list of words."""
    if n["words"] == 0:
        names = ("lix", "rix", "flesch_reading_ease", "ari", "coleman_liau", "smog", "gunning_fog")
        return dict.fromkeys(names, 0)
    sl = n["words"] / n["sentences"]
    wl = 100 * n["syllables"] / n["words"]
    of_letters, of_sentences = (100 * n[name] / n["words"] for name in ("letters", "sentences"))
    return {
        "lix": sl + 100 * n["long_words"] / n["words"],
        "rix": n["long_words"] / n["sentences"],
        "flesch_reading_ease": 206.835 - 0.846 * wl - 1.015 * sl,
        "ari": 0.5 * sl + 4.71 * (n["characters"] / n["words"]) - 21.43,
        "coleman_liau": 0.0588 * of_letters - 0.296 * of_sentences - 15.8,
        "smog": 3.1291 + 1.0430 * math.sqrt(30 * n["polysyllables"] / n["sentences"]),
        "gunning_fog": 0.4 * (sl + 100 * n["polysyllables"] / n["words"]),
    }
