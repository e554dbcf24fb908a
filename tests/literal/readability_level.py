"""The readability level as defined, for one English text."""

import math

import wordfreq
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from tests.literal.word_difficulty import words as lettered_words
from textsimp.text.syllables import count


def sentence_level(sentence, weights):
    """None without words."""
    words = [token for token in Tokenizer13a()(sentence).split() if count(token) > 0]
    if not words:
        return None
    looked_up = [(lettered_words(word, "en") or [word])[0] for word in words]
    zipf = [wordfreq.zipf_frequency(word, "en") for word in looked_up]
    features = {
        "constant": 1,
        "log_words": math.log(len(words)),
        "words": len(words),
        "syllables": sum(count(word) for word in words) / len(words),
        "letters": sum(1 for word in words for c in word if c.isalpha()) / len(words),
        "zipf": sum(zipf) / len(words),
        "rare": sum(1 for number in zipf if number < 3) / len(words),
    }
    return sum(float(weights[name]) * value for name, value in features.items())


def level(text, split, weights):
    """The mean over sentences with words; None without any."""
    levels = [sentence_level(sentence, weights) for sentence in split(text.strip()) or [text]]
    levels = [number for number in levels if number is not None]
    return sum(levels) / len(levels) if levels else None
