"""Texts for hypothesis: short, so that n-grams repeat, and made of what code trips over."""

from hypothesis import settings
from hypothesis import strategies as st


def times(factor):
    """As many times the examples of the profile."""
    return settings(max_examples=factor * settings().max_examples)


# What the 13a and intl rules look at, white space that only some functions split at, letters whose
# lower case depends on their neighbours or is two characters.
_PIECES = [
    *"abBC019.,-–;:&<>/'\"()%$[]{}_~^ ",
    *" \n\t\r\x0b\x0c\x1c\x1f\x85\xa0\u1680\u2002\u2028\u2029\u3000\u200b\ufeff\x00\u00ad",
    *"ΣςσİıßẞÉé\u0301\u0307ǅﬀ²½٣𝟘—…“”«»¿€😀",
    *["-\n", " - ", ".,", ",.", "1.5", "1,000", "3-4", "a.b", "..", "--", "U.S."],
    *["<skipped>", "<SKIPPED>", "<skip", "ped>", "&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;"],
    *["the", "The", "cat", "ΑΣ", "ΑΣ,", "don't", "  ", " \x00 "],
]
messy_texts = st.lists(st.sampled_from(_PIECES), max_size=12).map("".join)

# A few words with repeats, so that all three operations happen in all orders.
_WORDS = ["a", "a", "b", "b", "c", "d", "A", "É", "É", "Σ.", "ΑΣ", "b,", "d-3", "x\u2028y", "\x00"]
_SPACES = [" ", " ", " ", " ", "  ", "\n", "\u3000"]
worded_texts = st.lists(
    st.tuples(st.sampled_from(_WORDS), st.sampled_from(_SPACES)).map("".join), max_size=9
).map("".join)

texts = st.one_of(worded_texts, worded_texts.map(str.strip), messy_texts)

# Sentences whose ends, words and odd tokens programs see differently.
_SENTENCE_WORDS = "The cat be simplified beautiful Mr. don't U.S. -lrb- $5.00 x_y 1,000 É"
_MARKS = [".", ".", "!", "?", ",", " ", " ", " ", " . ", "...", "\n", "-", "(", "’s", "word."]
_sentences = st.lists(st.sampled_from([*_SENTENCE_WORDS.split(), *_MARKS]), max_size=12)
sentence_texts = st.one_of(_sentences.map("".join), texts)


@st.composite
def moved(draw, words):
    """Words and nearly the same ones, of which some stand far from where they stood, or twice."""
    one = draw(st.lists(words, min_size=6, max_size=9, unique=True))
    other = [*one]
    for _ in range(draw(st.integers(1, 2))):
        word = other.pop(draw(st.integers(0, 2)))
        for _ in range(draw(st.integers(1, 2))):
            other.insert(draw(st.integers(len(other) - 3, len(other))), word)
    return draw(st.sampled_from([(one, other), (other, one)]))


@st.composite
def columns(draw, texts=texts, *, max_rows=4):
    """Sources, predictions and 1 to 5 references per row, often of the source's words."""
    n = draw(st.integers(1, max_rows))
    sources = draw(st.lists(texts, min_size=n, max_size=n))
    rows = [st.one_of(texts, st.just(source)) for source in sources]
    return {
        "sources": sources,
        "predictions": [draw(row) for row in rows],
        "references": [draw(st.lists(row, min_size=1, max_size=5)) for row in rows],
    }


TRICKY_PIECES = ["a", "b", "B", "c", ".", "a.b", "é", "-\n", "\x1c", "&quot;", "9,0"]
tokenizer_texts = st.lists(st.sampled_from(TRICKY_PIECES), max_size=8).map(" ".join)
"""Texts whose pieces tokenizers treat in their own ways."""
