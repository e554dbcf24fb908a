"""What readability formulas are made of, counted slowly."""

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
