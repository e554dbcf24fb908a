"""Split F1 as defined, for one source, its output and references, given as sentences of words."""

import itertools
from statistics import fmean

from tests.literal.f1_token import f1_of_counts
from textsimp.text.alignment import KEEP, operations


def ends(text):
    """How many words there are up to the end of each sentence but the last."""
    return [sum(map(len, text[:i])) for i in range(1, len(text))]


def same_place(text, end, other, other_end):
    """Whether the kept words next to one end are on the same sides of the other."""
    (edits,) = operations([[*itertools.chain(*text)]], [[*itertools.chain(*other)]], "shortest")
    kept = [(i, j) for code, i, j in edits if code == KEEP]
    before = [j for i, j in kept if i < end]
    after = [j for i, j in kept if i >= end]
    return bool(before and after) and max(before) < other_end <= min(after)


def most(pairs):
    """How many pairs there can be that share no member: by trying all."""
    return max(
        (1 + most({q for q in pairs if q[0] != i and q[1] != j}) for i, j in pairs), default=0
    )


def common(text, some, other, others):
    return {(i, j) for i in some for j in others if same_place(text, i, other, j)}


def splits(source, text):
    """Ends that the source doesn't have; each of its own stands for one, the first there is."""
    left, found = ends(source), []
    for end in ends(text):
        old = [other for other in left if same_place(text, end, source, other)]
        if old:
            left.remove(old[0])
        else:
            found.append(end)
    return found


def counts(source, output, references):
    """Splits of the output, of the references, and of both."""
    own = splits(source, output)
    wanted = [splits(source, reference) for reference in references]
    both = [
        most(common(output, own, reference, of_reference))
        for reference, of_reference in zip(references, wanted, strict=True)
    ]
    return len(own), fmean(map(len, wanted)), fmean(both)


def split_f1(rows):
    own, wanted, both = (
        sum(column) for column in zip(*(counts(*row) for row in rows), strict=True)
    )
    return 100 * f1_of_counts(both, own, wanted)
