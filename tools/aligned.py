"""What was tried for level ``aligned``: the table of docs/documents.md.

    python tools/aligned.py FOLDER

FOLDER is that of tools/trust.py, with ``d_wikipedia_valid_60`` beside ``ratings``.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau, pearsonr

from textsimp.core.metric import Metric
from textsimp.metrics.aligned import bigrams, share_repeated
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.f1_token import F1Token
from textsimp.metrics.sari import Sari
from textsimp.text.sentence_alignment import Group, Links, connect, get_aligner
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import Encoder

Sentences = tuple[str, ...]
Triple = tuple[Sentences, Sentences, Sentences]  # source, output, reference
Floats = NDArray[np.float64]

ERRORS = ("deletion", "repetition", "coherence", "outdomain")
RESAMPLES = 1000


@dataclass(frozen=True)
class Choices:
    """The default, unless something is changed.

    Attributes:
        groups: ``reference``, the default; ``both``: output sentences make groups too, by links
            with the source, and directly where neither side has any; ``source``: links with the
            source only, as before, without what only the reference has.
        rest: Sentences without a counterpart in the reference join that of the source where the
            reference has dropped it (``dropped``), wherever it is (``any``), or never.
        weight: Of the words of a group that only the reference has.
    """

    groups: str = "reference"
    rest: str = "dropped"
    weight: float = 0.25
    threshold: float = 0.15
    monotone: bool = True
    normalised: bool = False
    metric: Metric = Sari()


@functools.cache
def sentences(text: str) -> Sentences:
    return tuple(get_splitter().sentences(text))


@functools.cache
def link(a: Sentences, b: Sentences, threshold: float, monotone: bool, links: str) -> Links:
    aligner = get_aligner(threshold=threshold, monotone=monotone, links=links)
    return next(iter(aligner.align([list(a)], [list(b)])))


def group(texts: Triple, choices: Choices) -> list[Group]:
    source, output, reference = texts
    of = functools.partial(link, threshold=choices.threshold, monotone=choices.monotone)
    with_reference = of(source, reference, links="best")
    with_output = of(source, output, links="best")
    if choices.groups != "reference":
        return group_both(texts, with_output, with_reference, choices)
    direct = of(reference, output, links="best")
    groups = [Group(i, [], k) for i, k in connect(with_reference)]
    for j in range(len(output)):
        own = Group([], [], [])
        if direct[:, j].max(initial=-np.inf) > -np.inf:
            k = int(direct[:, j].argmax())
            own = next(g for g in groups if k in g.references)
        elif choices.rest != "never" and with_output[:, j].max(initial=-np.inf) > -np.inf:
            i = int(with_output[:, j].argmax())
            candidate = next(g for g in groups if i in g.sources)
            if choices.rest == "any" or not candidate.references:
                own = candidate
        if not any(own):
            groups.append(own)
        own.outputs.append(j)
    return groups


def group_both(
    texts: Triple, with_output: Links, with_reference: Links, choices: Choices
) -> list[Group]:
    """Components of all links."""
    m, n, k = map(len, texts)
    links = np.full((m + n, n + k), -np.inf)  # source and output × output and reference
    links[:m, :n], links[:m, n:] = with_output, with_reference
    for j in range(n):
        links[m + j, j] = 1  # the same sentence
    if choices.groups == "both":
        outputs = [j for j in range(n) if with_output[:, j].max(initial=-np.inf) == -np.inf]
        references = [j for j in range(k) if with_reference[:, j].max(initial=-np.inf) == -np.inf]
        sides = tuple(texts[1][j] for j in outputs), tuple(texts[2][j] for j in references)
        direct = link(*sides, choices.threshold, choices.monotone, "best")
        for a, b in np.argwhere(direct > -np.inf):
            links[m + outputs[a], n + references[b]] = 1
    groups = [
        Group(
            [i for i in rows if i < m],
            [j for j in columns if j < n],
            [j - n for j in columns if j >= n],
        )
        for rows, columns in connect(links)
    ]
    if choices.groups == "source":
        groups = [g for g in groups if g.sources or g.outputs]
    return groups or [Group([], [], [])]


def score(documents: Sequence[Triple], choices: Choices) -> Floats:
    """(n,) scores of outputs with a reference each."""
    rows, sizes, weights = [], [], []
    for texts in documents:
        groups = group(texts, choices) or [Group([], [], [])]
        sizes.append(len(groups))
        for members in groups:
            s, o, r = (
                " ".join(side[i] for i in indices)
                for side, indices in zip(texts, members, strict=True)
            )
            rows.append((s, o, r))
            own = len(o.split())
            if choices.groups != "source" and r:
                own = choices.weight * len(r.split())
            weights.append(len(s.split()) or own)
    of_groups = score_groups(choices.metric, rows)
    document = np.repeat(np.arange(len(sizes)), sizes)
    total = np.bincount(document, weights)
    means = np.bincount(document, weights * of_groups) / np.where(total > 0, total, 1)
    return means * (1 - np.array([repetition(*texts) for texts in documents]))


_KNOWN: dict[tuple[Metric, tuple[str, str, str]], float] = {}


def score_groups(metric: Metric, rows: Sequence[tuple[str, str, str]]) -> Floats:
    new = [row for row in dict.fromkeys(rows) if (metric, row) not in _KNOWN]
    if new:
        sources, outputs, references = map(list, zip(*new, strict=True))
        prepared = metric.prepare(sources=sources, references=[[text] for text in references])
        statistics = metric.statistics(prepared, predictions=outputs)
        values = metric.reduce_examples(statistics)[metric.scores[0].key]
        _KNOWN.update(zip([(metric, row) for row in new], values.tolist(), strict=True))
    return np.array([_KNOWN[metric, row] for row in rows])


@functools.cache
def repetition(source: Sentences, output: Sentences, reference: Sentences) -> float:
    encoder = Encoder("13a", lowercase=True)
    lists = (bigrams(encoder, [list(side)]).lists()[0] for side in (output, source, reference))
    return share_repeated(*lists)


def score_outputs(rows: Iterable[dict[str, Any]], choices: Choices, key: str) -> Floats:
    """(n,) scores with the best reference."""
    documents, outputs = [], []
    for i, row in enumerate(rows):
        for reference in row["references"]:
            documents.append((sentences(row["source"]), sentences(row[key]), sentences(reference)))
            outputs.append(i)
    scores = score(documents, choices)
    if choices.normalised:
        scores = scores / np.maximum(score([(s, r, r) for s, _, r in documents], choices), 1e-9)
    best = np.full(max(outputs) + 1, -np.inf)
    np.maximum.at(best, outputs, scores)
    return best


class Measurements:
    def __init__(self, folder: Path) -> None:
        def read(name: str) -> list[dict[str, Any]]:
            with open(folder / "ratings" / f"{name}.jsonl", encoding="utf-8") as file:
                return [json.loads(line) for line in file]

        def others(row: dict[str, Any]) -> dict[str, Any]:
            left = [text for text in row["references"] if text != row["prediction"]]
            return {**row, "references": left}

        rated = [others(row) for row in read("d_wikipedia")]
        self.rated = [row for row in rated if row["references"]]
        answered = [others(row) for row in read("qa") if row["prediction"] != row["source"]]
        self.read = [row for row in answered if row["references"]]
        self.injected = {error: read(f"injected_{error}") for error in ERRORS}
        corpus = folder / "d_wikipedia_valid_60"
        texts = [
            (corpus / name).read_text(encoding="utf-8").splitlines()
            for name in ("source.txt", "references/0.txt")
        ]
        self.documents = [(sentences(s), sentences(r)) for s, r in zip(*texts, strict=True)]
        generator = np.random.default_rng(0)
        items = np.array([row["item"] for row in self.rated])
        members = {item: np.flatnonzero(items == item) for item in np.unique(items)}
        self.members = list(members.values())
        self.draws = [
            np.concatenate([members[item] for item in generator.choice([*members], len(members))])
            for _ in range(RESAMPLES)
        ]

    def rating(self, scale: str) -> Floats:
        return np.array([np.mean(row[scale]) for row in self.rated])

    def line(self, choices: Choices, former: Floats) -> list[str]:
        scores = score_outputs(self.rated, choices, "prediction")
        simplicity, meaning = self.rating("simplicity-overall"), self.rating("meaning")
        taus = [kendalltau(scores[m], simplicity[m])[0] for m in self.members if len(m) > 1]
        differences = [
            pearsonr(scores[draw], simplicity[draw])[0]
            - pearsonr(former[draw], simplicity[draw])[0]
            for draw in self.draws
        ]
        low, high = np.quantile(differences, [0.025, 0.975])
        answers = np.array([np.mean(row["correct"]) for row in self.read])
        of_read = score_outputs(self.read, choices, "prediction")
        cells = [
            f"{pearsonr(scores, simplicity)[0]:.2f}",
            f"{np.mean(differences):.2f} [{low:.2f}, {high:.2f}]",
            f"{np.nanmean(taus):.2f}",
            f"{pearsonr(scores, meaning)[0]:.2f}",
            f"{pearsonr(of_read, answers)[0]:.2f}",
        ]
        for rows in self.injected.values():
            better, worse = (score_outputs(rows, choices, key) for key in ("better", "worse"))
            share = np.mean((better > worse + 1e-9) * 1.0 - (better < worse - 1e-9))
            cells.append(f"{share:.2f}")
        return [*cells, self.gains(choices)]

    def gains(self, choices: Choices) -> str:
        """Of documents where one scores above the reference by leaving out, nothing, copying."""
        full = score([(s, r, r) for s, r in self.documents], choices)
        best = np.full(len(full), -np.inf)
        shortened = [
            (i, (s, r[:k] + r[k + 1 :], r))
            for i, (s, r) in enumerate(self.documents)
            for k in range(len(r))
        ]
        which, texts = zip(*shortened, strict=True)
        np.maximum.at(best, list(which), score(texts, choices))
        empty = score([(s, (), r) for s, r in self.documents], choices)
        copied = score([(s, s, r) for s, r in self.documents], choices)
        return ", ".join(str((one > full + 1e-9).sum()) for one in (best, empty, copied))


def main(folder: str) -> None:
    measurements = Measurements(Path(folder))
    default = Choices()
    former = replace(default, groups="source")
    rows: dict[str, Choices] = {
        "as before": former,
        "**default**": default,
        "components of all links": replace(default, groups="both"),
        "only the reference: no weight": replace(default, weight=1e-9),
        "only the reference: half": replace(default, weight=0.5),
        "only the reference: whole": replace(default, weight=1),
        "the rest joins any source": replace(default, rest="any"),
        "the rest joins none": replace(default, rest="never"),
        "share of the reference's score": replace(default, normalised=True),
        "links may cross": replace(default, monotone=False),
        "threshold .10": replace(default, threshold=0.1),
        "threshold .20": replace(default, threshold=0.2),
        "threshold .25": replace(default, threshold=0.25),
        "delete=precision": replace(default, metric=Sari(delete="precision")),
        "`sari` xu": replace(default, metric=Sari("xu")),
        "`bleu`": replace(default, metric=Bleu()),
        "`f1_token`": replace(default, metric=F1Token()),
    }
    scores = score_outputs(measurements.rated, former, "prediction")
    show: Callable[[Sequence[str]], None] = lambda cells: print("|", " | ".join(cells), "|")  # noqa: E731
    show(["", "r", "minus before", "τ", "meaning", "questions", *ERRORS, "gains"])
    show(["---"] * 11)
    for name, choices in rows.items():
        show([name, *measurements.line(choices, scores)])


if __name__ == "__main__":
    main(*sys.argv[1:])
