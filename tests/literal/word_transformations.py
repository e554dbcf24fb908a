"""Labels of words and their F1 as defined, word by word, from pairs of aligned words."""

from statistics import fmean

from tests.literal.f1_token import f1_of_counts

SOURCE_LABELS = ["delete", "move", "replace", "copy"]


def phrase(i, pairs):
    """The words of both sides that belong together with a source word."""
    here, there = {i}, set()
    for _ in pairs:
        there |= {j for k, j in pairs if k in here}
        here |= {k for k, j in pairs if j in there}
    return here, there


def labels(source, target, pairs):
    aligned, aligned_back = {i for i, _ in pairs}, {j for _, j in pairs}
    inside, inside_back = set(), set()
    for i in aligned:
        here, there = phrase(i, pairs)
        inside |= here - {min(here)}
        inside_back |= there - {min(there)}

    def label(i, j):
        here, there = phrase(i, pairs)
        if len(here) > 1 or len(there) > 1 or source[i] != target[j]:
            return "replace"
        deleted_before = sum(k not in aligned or k in inside for k in range(i))
        added_before = sum(k not in aligned_back or k in inside_back for k in range(j))
        return "copy" if i - deleted_before + added_before == j else "move"

    of_pairs = {pair: label(*pair) for pair in pairs}
    of_source = [
        next((of_pairs[p] for p in pairs if p[0] == i), "delete") for i in range(len(source))
    ]
    of_target = [next((of_pairs[p] for p in pairs if p[1] == j), "add") for j in range(len(target))]
    return of_source, of_target


def labelled(source, target, pairs):
    """The labels of the source's words, and the words added."""
    of_source, of_target = labels(source, target, pairs)
    return of_source, [w for w, label in zip(target, of_target, strict=True) if label == "add"]


def counts(label, output, reference):
    """Words with a label by both, by the output, by the reference."""
    if label == "add":
        left = [*reference[1]]
        for word in output[1]:
            if word in left:
                left.remove(word)
        return len(reference[1]) - len(left), len(output[1]), len(reference[1])
    both = sum(a == b == label for a, b in zip(output[0], reference[0], strict=True))
    return both, output[0].count(label), reference[0].count(label)


def f1(both, of_output, of_reference):
    """From precision and recall; None without the label on either side."""
    if not of_output and not of_reference:
        return None
    return 100 * f1_of_counts(both, of_output, of_reference)


def agreement(output, reference):
    """F1 of all labels at once."""
    found = [counts(label, output, reference) for label in [*SOURCE_LABELS, "add"]]
    return f1(*map(sum, zip(*found, strict=True))) or 0.0


def mean_f1(label, rows, *, left_out):
    """As published: best over references, mean over sentences."""
    best = []
    for output, references in rows:
        found = [f1(*counts(label, output, reference)) for reference in references]
        defined = [score for score in found if score is not None]
        if defined or not left_out:
            best.append(max(defined, default=0.0))
    return fmean(best) if best else 0.0


def corpus_f1(label, rows):
    """Of summed counts, each sentence with the references that agree best, averaged over them."""
    sums = [0.0, 0.0, 0.0]
    for output, references in rows:
        most = max(agreement(output, reference) for reference in references)
        best = [r for r in references if agreement(output, r) > most - 1e-9]
        for k, numbers in enumerate(zip(*(counts(label, output, r) for r in best), strict=True)):
            sums[k] += fmean(numbers)
    return f1(*sums) or 0.0
