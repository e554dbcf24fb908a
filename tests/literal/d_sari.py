"""Equations 2-5 of Sun, Jin & Wan (2021), slowly, for one document."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable


def ngrams(tokens: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def components(
    source: list[str], output: list[str], references: list[list[str]]
) -> tuple[float, float, float]:
    """F_add, F_keep, P_delete, each the mean over n = 1..4."""
    adds, keeps, deletes = [], [], []
    for n in range(1, 5):
        s = Counter({g: k * len(references) for g, k in ngrams(source, n).items()})
        c = Counter({g: k * len(references) for g, k in ngrams(output, n).items()})
        r = sum((ngrams(reference, n) for reference in references), Counter())

        kept, to_keep = s & c, s & r
        well_kept = kept & r
        keeps.append(
            f1(
                mean([well_kept[g] / kept[g] for g in kept]),
                mean([well_kept[g] / to_keep[g] for g in to_keep]),
            )
        )
        deleted = s - c
        deletes.append(mean([(deleted - r)[g] / deleted[g] for g in deleted]))
        added, to_add = set(c) - set(s), set(r) - set(s)
        right = added & set(r)
        adds.append(
            f1(
                len(right) / len(added) if added else 0.0,
                len(right) / len(to_add) if to_add else 0.0,
            )
        )
    return mean(adds), mean(keeps), mean(deletes)


def d_sari(
    source: str,
    output: str,
    references: list[str],
    tokenize: Callable[[str], list[str]],
    sentences: Callable[[str], int],
    corrected: bool,
    lowercase: bool = True,
) -> dict[str, float]:
    i, o = len(tokenize(source)), len(tokenize(output))
    r = mean([float(len(tokenize(reference))) for reference in references])
    r_s = mean([float(sentences(reference)) for reference in references])
    o_s = sentences(output)
    if not corrected:
        r, r_s = int(r), int(r_s)
    lp1 = 1.0 if o >= r else math.exp((o - r) / o) if o else 0.0
    lp2 = 1.0 if o <= r else math.exp((r - o) / max(i - r, 1, r if corrected else 1))
    slp = math.exp(-abs(r_s - o_s) / max(r_s, o_s)) if max(r_s, o_s) else 1.0
    source, output, *references = (
        text.lower() if lowercase else text for text in (source, output, *references)
    )
    f_add, f_keep, p_delete = components(
        tokenize(source), tokenize(output), [tokenize(reference) for reference in references]
    )
    plain = {"add": f_add, "keep": f_keep, "delete": p_delete}
    parts = {"d_add": f_add * lp1, "d_keep": f_keep * lp2 * slp, "d_delete": p_delete * lp2}
    scores = {"d_sari": mean(list(parts.values())), **parts}
    scores |= {"sari": mean(list(plain.values())), **plain}
    return {name: 100 * value for name, value in scores.items()} | {
        "lp1": lp1,
        "lp2": lp2,
        "slp": slp,
    }
