"""SummaC's zero-shot score as published, and support, contradiction and missing as defined here.

Of one example, with ``entails(premise, hypothesis)`` and ``contradicts(premise, hypothesis)``.
"""

from statistics import fmean


def summac_zs(source, output, entails, contradicts):
    """Mean over output sentences of ENT − CON, the largest of each over source sentences."""
    scores = []
    for hypothesis in output:
        ent = max(entails(premise, hypothesis) for premise in source)
        con = max(contradicts(premise, hypothesis) for premise in source)
        scores.append(ent - con)
    return fmean(scores)


def supported(premises, hypothesis, links, entails):
    """The largest probability by one premise, or by all that are linked."""
    tried = [*premises]
    if len(links) > 1:
        tried.append(" ".join(premises[i] for i in sorted(links)))
    return max((entails(premise, hypothesis) for premise in tried), default=0.0)


def entailment(source, output, links, entails, contradicts, *, published=False):
    """Supported, contradicted, missing, as shares."""
    support, contradiction, lacking = [], [], []
    for j, hypothesis in enumerate(output):
        linked = {i for i, k in links if k == j}
        yes = supported(source, hypothesis, linked, entails)
        no = supported(source, hypothesis, linked, contradicts)
        support.append(yes)
        contradiction.append(no if published else min(no, 1 - yes))
    for i, hypothesis in enumerate(source):
        linked = {j for k, j in links if k == i}
        lacking.append(1 - supported(output, hypothesis, linked, entails))
    means = [fmean(shares) if shares else 0.0 for shares in (support, contradiction, lacking)]
    return means[0], means[1], means[2]
