"""SummaC's zero-shot score as published, and support, contradiction and missing as defined here.

Of one example, with ``entails(premise, hypothesis)`` and ``contradicts(premise, hypothesis)``.
"""

from collections.abc import Callable
from statistics import fmean

Says = Callable[[str, str], float]


def summac_zs(source, output, entails, contradicts):
    """Mean over output sentences of ENT − CON, the largest of each over source sentences."""
    scores = []
    for hypothesis in output:
        ent = max(entails(premise, hypothesis) for premise in source)
        con = max(contradicts(premise, hypothesis) for premise in source)
        scores.append(ent - con)
    return fmean(scores)


def supported(premises, hypothesis, links, entails):
    """The largest probability, and whose it is: one premise, or all that are linked."""
    best, of = 0.0, [] if not premises else [0]
    tried = [([i], premise) for i, premise in enumerate(premises)]
    if len(links) > 1:
        tried.append((sorted(links), " ".join(premises[i] for i in sorted(links))))
    for which, premise in tried:
        if entails(premise, hypothesis) > best:
            best, of = entails(premise, hypothesis), which
    return best, of


def entailment(source, output, links, entails, contradicts, *, capped):
    """Supported, contradicted, missing, as shares."""
    support, contradiction, lacking = [], [], []
    for j, hypothesis in enumerate(output):
        linked = {i for i, k in links if k == j}
        yes, _ = supported(source, hypothesis, linked, entails)
        no, _ = supported(source, hypothesis, linked, contradicts)
        support.append(yes)
        contradiction.append(min(no, 1 - yes) if capped else no)
    for i, hypothesis in enumerate(source):
        linked = {j for k, j in links if k == i}
        lacking.append(1 - supported(output, hypothesis, linked, entails)[0])
    means = [fmean(shares) if shares else 0.0 for shares in (support, contradiction, lacking)]
    return means[0], means[1], means[2]
