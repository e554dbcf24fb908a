"""SARI as its definitions are written down: slowly, with one Counter per text and order."""

from collections import Counter

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


def corpus_counts(s, c, r):
    """Operation -> correct, predicted and reference counts of one example and order."""
    added, to_add = set(c) - set(s), set(r) - set(s)
    return {
        "add": (len(added & set(r)), len(added), len(to_add)),
        "keep": ((s & c & r).total(), (s & c).total(), (s & r).total()),
        "delete": (((s - c) & (s - r)).total(), (s - c).total(), (s - r).total()),
    }


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


def add_up(parts):
    return {
        name: (sum(part[name][0] for part in parts), sum(part[name][1] for part in parts))
        for name in OPERATIONS
    }


def sari(
    sources,
    predictions,
    references,
    *,
    tokenizer="13a",
    source_tokenizer="same",
    lowercase=True,
    split="whitespace",
    level="corpus",
    delete="f1",
    average="f1",
    keep_recall="counts",
    zero_division=0,
    orders="all",
    weight=None,
    multi_reference="pooled",
):
    """All scores, 0-100, those per order as lists."""
    if multi_reference == "best":
        names = ("tokenizer", "source_tokenizer", "lowercase", "split", "level", "delete")
        names += ("average", "keep_recall", "zero_division", "orders", "weight")
        given = locals()
        options = {name: given[name] for name in names}
        chosen = []
        for source, prediction, texts in zip(sources, predictions, references, strict=True):
            alone = [sari([source], [prediction], [[text]], **options)["sari"] for text in texts]
            rounded = [round(score, 9) for score in alone]
            chosen.append([texts[rounded.index(max(rounded))]])
        return sari(sources, predictions, chosen, **options)
    if source_tokenizer == "same":
        source_tokenizer = tokenizer

    def parts_of(row):
        """Per order, what one example's precisions and recalls are the quotients of."""
        source = tokens(sources[row], source_tokenizer, lowercase, split)
        prediction = tokens(predictions[row], tokenizer, lowercase, split)
        texts = [tokens(text, tokenizer, lowercase, split) for text in references[row]]
        factor = len(texts) if weight is None else weight
        parts = []
        for order in (1, 2, 3, 4):
            s, c = times(grams(source, order), factor), times(grams(prediction, order), factor)
            r = sum((grams(text, order) for text in texts), Counter())
            if level == "sentence":
                parts.append(sentence_parts(s, c, r, keep_recall))
            else:
                counts = corpus_counts(s, c, r)
                parts.append(
                    (
                        {name: (correct, given) for name, (correct, given, _) in counts.items()},
                        {name: (correct, wanted) for name, (correct, _, wanted) in counts.items()},
                    )
                )
        return parts

    def scores_of(parts):
        scores = {}
        for name in OPERATIONS:
            precisions = [ratio(*precision[name], zero_division) for precision, _ in parts]
            recalls = [ratio(*recall[name], zero_division) for _, recall in parts]
            f1s = [f1(p, r) for p, r in zip(precisions, recalls, strict=True)]
            there = [precision[name][1] + recall[name][1] > 0 for precision, recall in parts]

            def over_orders(values, there=there):
                if orders == "all":
                    return mean(values)
                existing = [
                    value for value, is_there in zip(values, there, strict=True) if is_there
                ]
                return mean(existing) if existing else 1

            score = over_orders(f1s)
            if average == "precision_recall":
                score = f1(over_orders(precisions), over_orders(recalls))
            if name == "delete" and delete == "precision":
                score = over_orders(precisions)
            scores |= {f"{name}_precision": precisions, f"{name}_recall": recalls}
            scores |= {f"{name}_f1": f1s, name: [score]}
        return scores

    examples = [parts_of(row) for row in range(len(sources))]
    if level == "sentence":
        rows = [scores_of(parts) for parts in examples]
        scores = {
            name: [mean(values) for values in zip(*(row[name] for row in rows), strict=True)]
            for name in rows[0]
        }
    else:
        scores = scores_of(
            [
                (add_up([precision for precision, _ in row]), add_up([recall for _, recall in row]))
                for row in zip(*examples, strict=True)
            ]
        )
    scores["sari"] = [mean(scores[name][0] for name in OPERATIONS)]
    return {
        name: 100 * values[0] if len(values) == 1 else [100 * value for value in values]
        for name, values in scores.items()
    }
