"""Small documents: three sentences that nobody would align, and random ones."""

from hypothesis import strategies as st

HEN = "the hen laid a white egg on straw ."
BOY = "a boy found it before breakfast ."
SUN = "rain and sun followed each other ."

words = st.sampled_from(["the", "The", "cat", "sat", "mat", "on", "a", "old", "and"])
sentences = st.lists(words, min_size=1, max_size=5).map(lambda tokens: " ".join([*tokens, "."]))
documents = st.lists(sentences, max_size=6).map(" ".join)
corpora = st.lists(st.tuples(documents, documents), min_size=1, max_size=4)


def columns(corpus):
    return [source for source, _ in corpus], [target for _, target in corpus]
