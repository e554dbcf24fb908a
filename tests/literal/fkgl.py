"""The programs that publish FKGL, slowly, each on a whole corpus at once."""

import math
import re

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from tests.literal.readability import counts
from textsimp.text.syllables import published_rule


def grade(sentences, words, syllables):
    if words and not sentences:
        sentences = 1
    length = words / sentences if sentences else 0
    per_word = syllables / words if words else 0
    return {
        "sentences": sentences,
        "words": words,
        "syllables": syllables,
        "words_per_sentence": length,
        "syllables_per_word": per_word,
        "fkgl": 0.39 * length + 11.8 * per_word - 15.59 if words else 0,
    }


def default(lines, split):
    found = counts(lines, split)
    return grade(found["sentences"], found["words"], found["syllables"])


def easse(lines, split):
    sentences = words = syllables = 0
    for line in lines:
        tokenized = Tokenizer13a()(line.lower())
        sentences += sum(1 for sentence in split(tokenized) if sentence.strip())
        for token in tokenized.split():
            words += 1
            syllables += published_rule(token, "easse")
    found = grade(sentences, words, syllables)
    return {**found, "fkgl": max(0, found["fkgl"])}


def paper(lines, sentences=None):
    text = "".join(line + "\n" for line in lines)
    words = re.findall(r"\W+|\$[\d\.]+|\S+", text, re.UNICODE)
    words = [re.sub("[.,!?]", "", word) for word in words if word not in (".", ",", "!", "?", " ")]
    syllables = sum(
        max(1, published_rule(word, "readability_scripts"))
        for word in words
        if word.strip().isalnum()
    )
    if sentences is None:
        sentences = sum(1 for token in text.split() if token in (".", "?", "!"))
    found = grade(sentences, len(words), syllables)
    length = len(words) // (sentences or 1)  # in Python 2
    fkgl = 0.39 * length + 11.8 * found["syllables_per_word"] - 15.59 if words else 0
    return {**found, "fkgl": fkgl}  # what is printed as words per sentence isn't cut


def textstat(lines, positions):
    """Version 0.7.4 on the lines as one text; it prints -15.6 for a text without words."""

    def rounded(number):
        return math.floor(number * 10 + math.copysign(0.5, number)) / 10

    def lexicon(text):
        return re.sub(r"[^\w\s]", "", text).split()

    text = "\n".join(lines)
    words = len(lexicon(text))
    syllables = sum(len(positions(word)) + 1 for word in lexicon(text.lower()))
    sentences = re.findall(r"\b[^.!?]+[.!?]*", text)
    n = max(1, sum(1 for sentence in sentences if len(lexicon(sentence)) > 2))
    length = rounded(words / n)
    per_word = rounded(syllables / words) if words else 0
    return {
        "sentences": n if words else 0,
        "words": words,
        "syllables": syllables,
        "words_per_sentence": length,
        "syllables_per_word": per_word,
        "fkgl": rounded(0.39 * length + 11.8 * per_word - 15.59) if words else 0,
    }
