"""Equations 2-5 of Sun, Jin & Wan (2021), slowly, for one document."""

import math
from collections import Counter

from tests.literal.sari import f1, grams, mean, ratio, sentence_parts, times


def components(source, output, references):
    """F_add, F_keep, P_delete, each the mean over n = 1..4."""
    adds, keeps, deletes = [], [], []
    for n in range(1, 5):
        s, c = (times(grams(words, n), len(references)) for words in (source, output))
        r = sum((grams(reference, n) for reference in references), Counter())
        precision, recall = sentence_parts(s, c, r, keep_recall="types")
        adds.append(f1(ratio(*precision["add"], 0), ratio(*recall["add"], 0)))
        keeps.append(f1(ratio(*precision["keep"], 0), ratio(*recall["keep"], 0)))
        deletes.append(ratio(*precision["delete"], 0))
    return mean(adds), mean(keeps), mean(deletes)


def d_sari(source, output, references, tokenize, sentences, corrected, lowercase=True):
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
