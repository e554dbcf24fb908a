"""SARI as its definitions are written down: slowly, with one Counter per text and order."""

import itertools
from collections import Counter
from types import SimpleNamespace

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

OPERATIONS = ("add", "keep", "delete")

TOKENIZERS = {
    "13a": Tokenizer13a(),
    "intl": TokenizerV14International(),
    "none": str,
}


def tokens(text, tokenizer, lowercase, split):
    text = TOKENIZERS[tokenizer](text.lower() if lowercase else text)
    return text.split(" ") if split == "space" else text.split()


def grams(words, order):
    return Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))


def times(counts, factor):
    return Counter({gram: factor * count for gram, count in counts.items()})


def ratio(numerator, denominator, zero):
    return numerator / denominator if denominator else zero


def f1(precision, recall):
    return ratio(2 * precision * recall, precision + recall, 0)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def corpus_parts(s, c, r):
    """What precision and recall are the quotients of, in counts that a corpus adds up."""
    added, to_add = set(c) - set(s), set(r) - set(s)
    counts = {
        "add": (len(added & set(r)), len(added), len(to_add)),
        "keep": ((s & c & r).total(), (s & c).total(), (s & r).total()),
        "delete": (((s - c) & (s - r)).total(), (s - c).total(), (s - r).total()),
    }
    precision = {name: (correct, given) for name, (correct, given, _) in counts.items()}
    return precision, {name: (correct, wanted) for name, (correct, _, wanted) in counts.items()}


def sentence_parts(s, c, r, keep_recall):
    """What precision and recall of one example and order are the quotients of."""
    added, to_add = set(c) - set(s), set(r) - set(s)
    kept, to_keep, well_kept = s & c, s & r, s & c & r
    deleted, to_delete, well_deleted = s - c, s - r, s - c - r
    precision = {
        "add": (len(added & set(r)), len(added)),
        "keep": (sum(well_kept[g] / kept[g] for g in kept), len(kept)),
        "delete": (sum(well_deleted[g] / deleted[g] for g in deleted), len(deleted)),
    }
    recall = {
        "add": (len(added & set(r)), len(to_add)),
        "keep": (sum(well_kept[g] / to_keep[g] for g in to_keep), len(to_keep)),
        "delete": (sum(well_deleted[g] / to_delete[g] for g in to_delete), len(to_delete)),
    }
    if keep_recall == "counts":
        recall["keep"] = (well_kept.total(), to_keep.total())
    return precision, recall


def parts_of(source, prediction, references, o):
    """Per order, what one example's precisions and recalls are the quotients of."""
    of_source = o.tokenizer if o.source_tokenizer == "same" else o.source_tokenizer
    source = tokens(source, of_source, o.lowercase, o.split)
    prediction = tokens(prediction, o.tokenizer, o.lowercase, o.split)
    texts = [tokens(text, o.tokenizer, o.lowercase, o.split) for text in references]
    factor = len(texts) if o.weight is None else o.weight
    parts = []
    for order in (1, 2, 3, 4):
        s, c = times(grams(source, order), factor), times(grams(prediction, order), factor)
        r = sum((grams(text, order) for text in texts), Counter())
        of_sentence = o.level == "sentence"
        parts.append(
            sentence_parts(s, c, r, o.keep_recall) if of_sentence else corpus_parts(s, c, r)
        )
    return parts


def add_up(parts):
    return {
        name: (sum(part[name][0] for part in parts), sum(part[name][1] for part in parts))
        for name in OPERATIONS
    }


def scores_of(parts, o):
    """The scores of an example or corpus from the parts of each order: lists, 0-1."""
    scores = {}
    for name in OPERATIONS:
        precisions = [ratio(*precision[name], o.zero_division) for precision, _ in parts]
        recalls = [ratio(*recall[name], o.zero_division) for _, recall in parts]
        f1s = [*map(f1, precisions, recalls)]
        there = [precision[name][1] + recall[name][1] > 0 for precision, recall in parts]

        def over_orders(values, there=there):
            existing = [*itertools.compress(values, there)]
            if o.orders == "all":
                return mean(values)
            return mean(existing) if existing else 1

        score = over_orders(f1s)
        if o.average == "precision_recall":
            score = f1(over_orders(precisions), over_orders(recalls))
        if name == "delete" and o.delete == "precision":
            score = over_orders(precisions)
        scores |= {f"{name}_precision": precisions, f"{name}_recall": recalls}
        scores |= {f"{name}_f1": f1s, name: [score]}
    return scores


DEFAULTS = {"tokenizer": "13a", "source_tokenizer": "same", "lowercase": True, "orders": "all"}
DEFAULTS |= {"level": "corpus", "delete": "f1", "average": "f1", "keep_recall": "counts"}
DEFAULTS |= {"split": "whitespace", "zero_division": 0, "weight": None, "multi_reference": "pooled"}


def sari(sources, predictions, references, **options):
    """All scores, 0-100, those per order as lists."""
    o = SimpleNamespace(**DEFAULTS | options)
    if o.multi_reference == "best":
        options["multi_reference"] = "pooled"

        def best(source, prediction, texts):
            alone = [sari([source], [prediction], [[text]], **options)["sari"] for text in texts]
            rounded = [round(score, 9) for score in alone]
            return [texts[rounded.index(max(rounded))]]

        return sari(sources, predictions, [*map(best, sources, predictions, references)], **options)
    rows = zip(sources, predictions, references, strict=True)
    examples = [parts_of(*row, o) for row in rows]
    if o.level == "sentence":
        rows = [scores_of(parts, o) for parts in examples]
        scores = {
            name: [mean(values) for values in zip(*(row[name] for row in rows), strict=True)]
            for name in rows[0]
        }
    else:
        orders = zip(*examples, strict=True)
        scores = scores_of([[*map(add_up, zip(*parts, strict=True))] for parts in orders], o)
    scores["sari"] = [mean(scores[name][0] for name in OPERATIONS)]
    return {
        name: 100 * values[0] if len(values) == 1 else [100 * value for value in values]
        for name, values in scores.items()
    }
