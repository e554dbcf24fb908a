"""Documents scored by groups of aligned sentences, as it is defined: slowly, a step at a time."""

import itertools
import math
import operator
from collections import Counter
from statistics import fmean

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a


def words(text):
    return Tokenizer13a()(text.lower()).split()


# Links


def cosine(a, b, sentences):
    """Of two sentences' distinct words, each weighted by how few sentences have it."""

    def weight(word):
        return math.log(1 + len(sentences) / sum(word in sentence for sentence in sentences))

    def norm(sentence):
        return math.sqrt(sum(weight(word) ** 2 for word in set(sentence)))

    if not a or not b:
        return 0
    common = sum(weight(word) ** 2 for word in set(a) & set(b))
    return common / (norm(a) * norm(b))


def lexical(source, target, threshold=0.15):
    a, b = [words(s) for s in source], [words(s) for s in target]
    similar = {
        # Of equally similar ones the nearest in relative position.
        (i, j): round(cosine(a[i], b[j], a + b), 12) - 1e-9 * abs(i / len(a) - j / len(b))
        for i, j in itertools.product(range(len(a)), range(len(b)))
    }

    def is_best(i, j):
        best_target = max(range(len(b)), key=lambda k: similar[i, k])
        return j == best_target or i == max(range(len(a)), key=lambda k: similar[k, j])

    likely = {pair: value for pair, value in similar.items() if value > threshold - 2e-9}
    return {pair: value for pair, value in likely.items() if is_best(*pair)}


def without_crossing(linked):
    """The links of the greatest total similarity of which none cross; all such sets."""

    def cross(one, other):
        return (one[0] - other[0]) * (one[1] - other[1]) < 0

    found = [{}]
    for link, value in linked.items():
        found += [kept | {link: value} for kept in found if not any(cross(link, k) for k in kept)]
    most = max(sum(kept.values()) for kept in found)
    return [kept for kept in found if sum(kept.values()) > most - 1e-12]


# Groups


def groups(source_reference, source_output, reference_output, sizes):
    """Of sentences of source, output and reference."""
    source, output, reference = ([*range(size)] for size in sizes)
    found = [{("source", i)} for i in source] + [{("reference", k)} for k in reference]

    def group_of(side, i):
        return next(group for group in found if (side, i) in group)

    for i, k in source_reference:
        a, b = group_of("source", i), group_of("reference", k)
        if a is not b:
            found = [group for group in found if group is not a and group is not b] + [a | b]

    def counterpart(linked, j):
        """The first of those that are most similar."""
        similar = {i: value for (i, to), value in linked.items() if to == j}
        return max(sorted(similar), key=similar.__getitem__, default=-1)

    for j in output:
        k, i = counterpart(reference_output, j), counterpart(source_output, j)
        if k >= 0:
            group_of("reference", k).add(("output", j))
        elif i >= 0 and not any(side == "reference" for side, _ in group_of("source", i)):
            group_of("source", i).add(("output", j))
        else:
            found.append({("output", j)})
    return found


def text(group, side, sentences):
    return " ".join(sentences[i] for s, i in sorted(group) if s == side)


# Repetition


def bigrams(sentences):
    return sum((Counter(itertools.pairwise(words(s))) for s in sentences), Counter())


def repeated(output, source, reference):
    o, s, r = bigrams(output), bigrams(source), bigrams(reference)
    if not o:
        return 0
    return sum(max(0, o[b] - max(1, s[b], r[b])) for b in o) / sum(o.values())


# Scores


def document(
    source, output, reference, *, score, split, judging, align=None, threshold=0.15, monotone=True
):
    """The scores of a document with one of its references: several, where links are a tie.

    ``score`` returns a group's scores from its texts, and ``split`` a text's sentences. Repetition
    lowers scores that are ``judging``. ``align`` links sentences, unless the lexical aligner does.
    """
    sides = {"source": split(source), "output": split(output), "reference": split(reference)}
    sizes = len(sides["source"]), len(sides["output"]), len(sides["reference"])
    share = repeated(sides["output"], sides["source"], sides["reference"])

    def linked(first, second):
        if align is not None:
            pairs = align(sides[first], sides[second])
        else:
            pairs = lexical(sides[first], sides[second], threshold)
        return without_crossing(pairs) if monotone else [pairs]

    def weigh(source, output, reference):
        if source.split():
            return len(source.split())
        return len(reference.split()) / 4 or len(output.split())

    def scores(to_reference, to_output, direct):
        found = groups(to_reference, to_output, direct, sizes) or [set()]
        texts = [[text(group, side, of) for side, of in sides.items()] for group in found]
        weights = [weigh(*of_group) for of_group in texts]
        if not sum(weights):
            weights = [1] * len(texts)
        rows, means = [score(*of_group) for of_group in texts], {}
        for name in rows[0]:
            factor = (1 - share if name in judging else 1) / sum(weights)
            values = zip(*(row[name] for row in rows), strict=True)
            means[name] = [
                factor * sum(map(operator.mul, weights, of_score)) for of_score in values
            ]
        return means

    pairs = (("source", "reference"), ("source", "output"), ("reference", "output"))
    return [scores(*links) for links in itertools.product(*itertools.starmap(linked, pairs))]


def best(candidates, main):
    """The one with the best main score; of equal ones the mean."""
    most = max(scores[main][0] for scores in candidates)
    rows = [scores for scores in candidates if scores[main][0] > most - 1e-8]
    return {
        name: [fmean(values) for values in zip(*(row[name] for row in rows), strict=True)]
        for name in rows[0]
    }
