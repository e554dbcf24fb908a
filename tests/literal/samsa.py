"""SAMSA as its paper defines it, step by step, over a tree of units.

``best`` looks at every way to give sentences to scenes.
"""

from fractions import Fraction
from itertools import permutations, product

from tests.passages import own


def with_label(unit, *labels):
    found = []
    for label, part, _ in unit.parts:
        if label in labels and part not in found:
            found.append(part)
    return found


def leaves(unit):
    found = set(unit.words)
    for label, part, remote in unit.parts:
        if label != "U" and not remote:
            found |= leaves(part)
    return found


def minimal_centres(unit):
    for labels in (("P", "S"), ("C",), ("H",)):
        parts = with_label(unit, *labels)
        if parts:
            return sorted({centre for part in parts for centre in minimal_centres(part)})
    words = tuple(sorted(leaves(unit)))
    return [words] if words else []


def scenes(root):
    found = [unit for unit in own(root) if with_label(unit, "P", "S")]
    last = 10**6

    def first_word(scene):
        return min(leaves(scene), default=last), -len(leaves(scene))

    return sorted(found, key=first_word)


def preserved(unit, kept):
    centres = minimal_centres(unit)
    if not centres:
        return Fraction(1, 2)
    return Fraction(sum(any(word in kept for word in centre) for centre in centres), len(centres))


def mean(values):
    return sum(values, Fraction()) / len(values)


def score(scene, kept):
    relation = mean([preserved(unit, kept) for unit in with_label(scene, "P", "S")])
    participants = [preserved(unit, kept) for unit in with_label(scene, "A")]
    return (relation + mean(participants)) / 2 if participants else relation


def samsa(words, root, sentences, align, variant):
    """SAMSA and SAMSAabl, 0–100; None for a source without scenes."""
    kept = [{i for i, _ in align(words, sentence)} for sentence in sentences]
    found = scenes(root)
    n_inp, n_out = len(found), len(sentences)
    if variant == "sulem" and (n_inp == 0 or n_inp < n_out):
        return Fraction(), Fraction()
    if n_inp == 0:
        return None
    if n_out == 0:
        return Fraction(), Fraction()
    common = [[len(leaves(scene) & words) for words in kept] for scene in found]
    scores = [[score(scene, words) for words in kept] for scene in found]
    every = range(n_out)

    def add_up(rows, way):
        return sum((rows[i][j] for i, j in enumerate(way)), Fraction())

    if variant == "sulem":
        free, way = [*every], []
        for row in common:
            most = max(row[j] for j in free)
            way.append(next(j for j in free if row[j] == most))
            if n_inp == n_out:
                free.remove(way[-1])
        total = add_up(scores, way)
    else:
        ways = permutations(every, n_inp) if n_out >= n_inp else product(every, repeat=n_inp)
        _, total = max((add_up(common, way), add_up(scores, way)) for way in ways)
    abl = 100 * total / n_inp
    return abl * min(Fraction(1), Fraction(n_out, n_inp)), abl
