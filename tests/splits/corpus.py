"""A small corpus made from a seed: pairs that differ by random edits."""

import random

from datasets import Dataset, DatasetDict

WORDS = ["the", "a", "cat", "dog", "house", "old", "small", "river", "went", "saw", "under", "of"]


def pairs(n, seed, edits=0.3):
    """``n`` sources and targets; ``edits`` is the chance that a word is changed."""
    rng = random.Random(seed)
    sources, targets = [], []
    for _ in range(n):
        source = rng.choices(WORDS, k=rng.randint(3, 12))
        target = []
        for word in source:
            if rng.random() > edits:
                target.append(word)
            else:
                target += rng.choice(([], [rng.choice(WORDS)], [word, rng.choice(WORDS)]))
        sources.append(" ".join(source))
        targets.append(" ".join(target))
    return {"source": sources, "target": targets}


def corpus(train=60, validation=20, test=10, seed=0):
    """Three subsets, with the columns ``id`` (numbered test, validation, train), and the pairs."""
    subsets, start = {}, 0
    for name, n in (("test", test), ("validation", validation), ("train", train)):
        columns = {"id": list(range(start, start + n)), **pairs(n, seed + start)}
        subsets[name] = Dataset.from_dict(columns)
        start += n
    return DatasetDict({name: subsets[name] for name in ("train", "validation", "test")})
