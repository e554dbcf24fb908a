"""Documents scored by groups of aligned sentences, as it is defined: slowly, a step at a time."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from statistics import fmean

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

Pairs = dict[tuple[int, int], float]  # linked sentences -> how similar they are
Nodes = set[tuple[str, int]]  # (side, number of a sentence)
Scores = dict[str, list[float]]


def words(text: str) -> list[str]:
    return Tokenizer13a()(text.lower()).split()


# Links


def cosine(a: list[str], b: list[str], sentences: list[list[str]]) -> float:
    """Of two sentences' distinct words, each weighted by how few sentences have it."""

    def weight(word: str) -> float:
        return math.log(1 + len(sentences) / sum(word in sentence for sentence in sentences))

    def norm(sentence: list[str]) -> float:
        return math.sqrt(sum(weight(word) ** 2 for word in set(sentence)))

    if not a or not b:
        return 0
    common = sum(weight(word) ** 2 for word in set(a) & set(b))
    return common / (norm(a) * norm(b))


def lexical(
    source: list[str], target: list[str], threshold: float = 0.15, links: str = "best"
) -> Pairs:
    a, b = [words(s) for s in source], [words(s) for s in target]
    pairs = [*itertools.product(range(len(a)), range(len(b)))]
    similar = {(i, j): round(cosine(a[i], b[j], a + b), 12) for i, j in pairs}
    # Of equally similar ones the nearest in relative position.
    for i, j in pairs:
        similar[i, j] -= 1e-9 * abs(i / len(a) - j / len(b))

    def best_target(i: int) -> int:
        return max(range(len(b)), key=lambda j: similar[i, j])

    def best_source(j: int) -> int:
        return max(range(len(a)), key=lambda i: similar[i, j])

    def chosen(i: int, j: int) -> bool:
        either = j == best_target(i), i == best_source(j)
        return {"all": True, "best": any(either), "mutual": all(either)}[links]

    return {
        (i, j): similar[i, j] for i, j in pairs if similar[i, j] > threshold - 2e-9 and chosen(i, j)
    }


def without_crossing(linked: Pairs) -> list[Pairs]:
    """The links of the greatest total similarity of which none cross; all such sets."""

    def cross(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return (one[0] - other[0]) * (one[1] - other[1]) < 0

    found: list[Pairs] = [{}]
    for link in linked:
        more = [
            {**kept, link: linked[link]} for kept in found if not any(cross(link, k) for k in kept)
        ]
        found += more
    most = max(sum(kept.values()) for kept in found)
    return [kept for kept in found if sum(kept.values()) > most - 1e-12]


# Groups


def groups(to_output: Pairs, to_reference: Pairs, sizes: tuple[int, int, int]) -> list[Nodes]:
    """Of sentences of source, output and reference."""
    sides = ("source", "output", "reference")
    found: list[Nodes] = [
        {(side, i)} for side, size in zip(sides, sizes, strict=True) for i in range(size)
    ]
    edges = [(("source", i), ("output", j)) for i, j in to_output]
    edges += [(("source", i), ("reference", j)) for i, j in to_reference]
    for a, b in edges:
        joined = [group for group in found if a in group or b in group]
        found = [group for group in found if group not in joined] + [set().union(*joined)]
    found = [group for group in found if {side for side, _ in group} != {"reference"}]
    # Neighbouring sentences without a link make a group together.
    for side in ("source", "output"):
        for i in range(sizes[sides.index(side)] - 1):
            # What stands at the end of one group of this side alone, and at the next's beginning.
            before = next(group for group in found if (side, i) in group)
            after = next(group for group in found if (side, i + 1) in group)
            if before is not after and {s for s, _ in before | after} == {side}:
                found = [group for group in found if group not in (before, after)]
                found.append(before | after)
    return found


def text(group: Nodes, side: str, sentences: list[str]) -> str:
    return " ".join(sentences[i] for s, i in sorted(group) if s == side)


# Repetition


def bigrams(sentences: list[str]) -> Counter[tuple[str, str]]:
    return sum((Counter(itertools.pairwise(words(s))) for s in sentences), Counter())


def repeated(output: list[str], source: list[str], reference: list[str]) -> float:
    o, s, r = bigrams(output), bigrams(source), bigrams(reference)
    if not o:
        return 0
    return sum(max(0, o[b] - max(1, s[b], r[b])) for b in o) / sum(o.values())


# Scores


def document(
    source: str,
    output: str,
    reference: str,
    *,
    score: Callable[[str, str, str], Scores],
    split: Callable[[str], list[str]],
    judging: Collection[str],
    align: Callable[[list[str], list[str]], Pairs] | None = None,
    threshold: float = 0.15,
    links: str = "best",
    monotone: bool = True,
    group_weights: str = "words",
    repetition: str = "penalised",
) -> list[Scores]:
    """The scores of a document with one of its references: several, where links are a tie.

    Args:
        source: The text.
        output: The text.
        reference: The text; empty where there is none.
        score: The scores of a group, from the texts of its source, output and reference.
        split: A text's sentences.
        judging: Scores that repetition lowers.
        align: What links sentences, unless it is the lexical aligner.
        threshold: Similarity from which these are linked.
        links: Each with the best, with the best both ways, or all.
        monotone: No crossing links.
        group_weights: By words, or equal.
        repetition: Penalised, or ignored.
    """
    sides = {"source": split(source), "output": split(output), "reference": split(reference)}
    sizes = len(sides["source"]), len(sides["output"]), len(sides["reference"])
    share = 0.0
    if repetition == "penalised":
        share = repeated(sides["output"], sides["source"], sides["reference"])

    def linked(side: str) -> list[Pairs]:
        if align is not None:
            pairs = align(sides["source"], sides[side])
        else:
            pairs = lexical(sides["source"], sides[side], threshold, links)
        return without_crossing(pairs) if monotone else [pairs]

    def scores(to_output: Pairs, to_reference: Pairs) -> Scores:
        rows: list[tuple[float, Scores]] = []
        for group in groups(to_output, to_reference, sizes):
            texts = {side: text(group, side, sentences) for side, sentences in sides.items()}
            weight = len((texts["source"] or texts["output"]).split())
            of_group = score(texts["source"], texts["output"], texts["reference"])
            rows.append((weight if group_weights == "words" else 1, of_group))
        if not rows:  # neither source nor output has a sentence
            rows = [(1, score("", "", " ".join(sides["reference"])))]
        total = sum(weight for weight, _ in rows)
        return {
            name: [
                (1 - share if name in judging else 1)
                * sum(weight * of_group[name][k] for weight, of_group in rows)
                / total
                for k in range(len(values))
            ]
            for name, values in rows[0][1].items()
        }

    return [scores(*links) for links in itertools.product(linked("output"), linked("reference"))]


def best(candidates: list[Scores], main: str) -> Scores:
    """The one with the best main score; of equal ones the mean."""
    most = max(scores[main][0] for scores in candidates)
    return mean(scores for scores in candidates if scores[main][0] > most - 1e-8)


def mean(candidates: Iterable[Scores]) -> Scores:
    rows = [*candidates]
    return {
        name: [fmean(values) for values in zip(*(row[name] for row in rows), strict=True)]
        for name in rows[0]
    }
