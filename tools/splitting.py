"""What was tried before `split_f1` got its form, and what it is worth: docs/splitting.md.

    python tools/splitting.py --data FOLDER            measures and writes
    python tools/splitting.py --data FOLDER --check    says what isn't what is measured

FOLDER holds ``asset_test`` and ``ratings/*.jsonl``, as tools/trust.py reads them; docs/trust.md
says from where to fetch them. In a page a table stands between ``<!-- splitting: NAME -->`` and
``<!-- /splitting -->``.

What was tried and rejected is here, in small functions, and not in the package.
"""

from __future__ import annotations

import argparse
import functools
import random
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import figures
import numpy as np
import trust
from figures import prose, table
from trust import Data, Estimate, estimate
from trust_claims import NEW, PAST, WIKIDA

from textsimp.core.metric import Floats, Metric
from textsimp.corpora import testsets
from textsimp.corpora.files import read_lines
from textsimp.meta import correlations, levels
from textsimp.meta import ratings as reading
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.sari import Sari
from textsimp.metrics.split_f1 import Place, SplitF1, Text, ends_of
from textsimp.text.alignment import KEEP, Operation, operations
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import tokenize_13a

WORD = "splitting"  # of the marks in pages
RESAMPLES, FOLDS, SEED = 1000, 10, 0
CHANGED = 3  # of a source's ten references, so that it is quick
FEWEST = 2  # words on either side of a split at random, and how far it is moved at least
DEFAULT = SplitF1()
ENGLISH = "punkt-en"  # by which every source here is one sentence


# Texts -------------------------------------------------------------------------------------------


class Row(NamedTuple):
    """An output with its source and references."""

    item: str
    source: str
    output: str
    references: tuple[str, ...]


@functools.cache
def tokens(text: str) -> list[str]:
    return tokenize_13a(text.lower()).split()


@functools.cache
def sentences(text: str) -> list[str]:
    return get_splitter(ENGLISH).sentences(text)


@functools.cache
def words(text: str) -> Text:
    """Of each sentence, as `split_f1` has them."""
    found = [[t for t in tokens(one) if any(map(str.isalnum, t))] for one in sentences(text)]
    return [one for one in found if one]


def flat(text: str) -> list[Any]:
    return [word for sentence in words(text) for word in sentence]


ALIGNED: dict[tuple[str, str], list[Operation]] = {}


def align(pairs: Iterable[tuple[str, str]]) -> None:
    """Align pairs of texts all at once, which takes a tenth of the time."""
    new = [pair for pair in dict.fromkeys(pairs) if pair not in ALIGNED]
    sides = (map(flat, side) for side in zip(*new, strict=True))
    if new:
        ALIGNED.update(zip(new, operations(*sides, path="shortest"), strict=True))


def kept(source: str, text: str) -> list[tuple[int, int]]:
    """Words in common (of source, of text)."""
    align([(source, text)])
    found = ALIGNED[source, text]
    return [(i, j) for code, i, j in found if code == KEEP and i is not None and j is not None]


@functools.cache
def places(source: str, text: str) -> tuple[int, list[Place]]:
    """How often a text splits its source, and where in the source."""
    ends = ends_of(words(text))
    pairs = kept(source, text) if ends else []
    found = []
    for end in ends:
        before = [i for i, j in pairs if j < end]
        after = [i for i, j in pairs if j >= end]
        if before and after:
            found.append((before[-1] + 1, after[0]))
    return len(ends), found


def common(one: Sequence[Place], other: Sequence[Place]) -> int:
    """How many of each can be paired with one that has a gap in common."""
    i = j = found = 0
    while i < len(one) and j < len(other):
        before, after = one[i][1] < other[j][0], other[j][1] < one[i][0]
        found += not before and not after
        i, j = i + (not after), j + (not before)
    return found


def log_sentences(text: str) -> float:
    return float(np.log(max(1, len(words(text)))))


CONNECTIVES = frozenset(
    re.findall(
        r"\w+",
        "and but or so because although though while when where which who whom whose that if since "
        "after before until as whereas with by",
    )
)
"""What clauses begin with in English, by a list."""


@functools.cache
def clause_gaps(source: str) -> list[Place]:
    """Gaps of the source after a punctuation mark, and on both sides of a connective."""
    gaps, n = set(), 0
    for token in tokens(source):
        word = any(map(str.isalnum, token))
        gaps |= {n, n + 1} if token in CONNECTIVES else set() if word else {n}
        n += word
    return [(gap, gap) for gap in sorted(gaps & {*range(1, n)})]


def clauses(text: str) -> float:
    """Per sentence: connectives within it, and 1."""
    counts = [1 + sum(word in CONNECTIVES for word in one[1:]) for one in words(text)]
    return float(np.mean(counts)) if counts else 0.0


def align_all(rows: Sequence[Row]) -> None:
    """What the forms below look at."""
    align((row.source, text) for row in rows for text in (row.output, *row.references))


# What was tried ----------------------------------------------------------------------------------


def f1(both: float, own: float, wanted: float) -> float:
    return 2 * both / (own + wanted) if own + wanted else 0.0


@functools.cache
def of_metric(metric: Metric, rows: tuple[Row, ...]) -> dict[str, Floats]:
    _, sources, outputs, references = zip(*rows, strict=True)
    columns = {"sources": sources, "predictions": outputs, "references": references}
    (found,) = metric.statistics_of(metric.check(**columns)).values()
    return {"statistics": found, **metric.reduce_examples(found)}


def by_metric(metric: Metric, key: str = "") -> Callable[[Sequence[Row]], Floats]:
    return lambda rows: of_metric(metric, tuple(rows))[key or metric.name]


def each(score: Callable[[Row], float]) -> Callable[[Sequence[Row]], Floats]:
    return lambda rows: np.array([score(row) for row in rows], np.float64)


def in_source(row: Row) -> tuple[int, list[tuple[int, int]]]:
    """Splits of an output; of each reference, and of both, by their places in the source."""
    own, found = places(row.source, row.output)
    wanted = [places(row.source, reference) for reference in row.references]
    return own, [(n, common(found, of_reference)) for n, of_reference in wanted]


def by_source(row: Row) -> float:
    own, wanted = in_source(row)
    return f1(sum(both for _, both in wanted), own * len(wanted), sum(n for n, _ in wanted))


def best_reference(row: Row) -> float:
    own, wanted = in_source(row)
    return max(f1(both, own, n) for n, both in wanted)


def agreeing(row: Row) -> float:
    """F1 with each reference, 1 where neither splits; mean."""
    own, wanted = in_source(row)
    return float(np.mean([f1(both, own, n) if own + n else 1 for n, both in wanted]))


def apart(source: str, text: str) -> tuple[Any, Any]:
    """Which words of the source a text has, and in which sentence."""
    sentence = np.repeat(np.arange(len(words(text))), [len(one) for one in words(text)])
    pairs = np.array(kept(source, text), np.int64).reshape(-1, 2)
    found = np.full(len(flat(source)), -1)
    found[pairs[:, 0]] = sentence[pairs[:, 1]]
    return found >= 0, found


def pairs_of_words(row: Row) -> float:
    """F1 of pairs of words of the source that stand in different sentences."""
    has, own = apart(row.source, row.output)
    counts = np.zeros(3)
    for reference in row.references:
        also, wanted = apart(row.source, reference)
        a, b = (side[has & also] for side in (own, wanted))
        of_a, of_b = a[:, None] != a, b[:, None] != b
        counts += (of_a & of_b).sum(), of_a.sum(), of_b.sum()
    return f1(*counts)


def at_clause(row: Row) -> float:
    """Share of splits where a clause of the source may begin; NaN without a split."""
    own, found = places(row.source, row.output)
    return common(found, clause_gaps(row.source)) / own if own else np.nan


def far(of: Callable[[str], float]) -> Callable[[Row], float]:
    """How far an output is from the references in something, less than nothing."""
    return lambda row: -abs(of(row.output) - float(np.mean([*map(of, row.references)])))


def log_length(text: str) -> float:
    """Words per sentence."""
    return float(np.log(max(1, len(flat(text))))) - log_sentences(text)


def evenness(row: Row) -> float:
    """Words of the shortest sentence over those of the longest; NaN without a split."""
    sizes = [*map(len, words(row.output))]
    return min(sizes) / max(sizes) if len(sizes) > 1 else np.nan


def longest(row: Row) -> float:
    return -float(max(map(len, words(row.output)), default=0))


def moved(text: str, rng: random.Random) -> str:
    """With as many splits at random places."""
    pieces = sentences(text)
    if len(pieces) < 2:
        return text
    splits = len(pieces) - 1
    for _ in range(splits):
        pieces = joined(pieces, 0)
    whole = pieces[0].split()
    gaps = rng.sample(range(1, len(whole)), min(splits, len(whole) - 1))
    return " ".join(cut(whole, sorted(gaps)))


def joined(pieces: Sequence[str], i: int) -> list[str]:
    """Sentences of which one goes on with the next."""
    first, second = pieces[i : i + 2]
    one = f"{first.rstrip(' .!?')}, {second[:1].lower()}{second[1:]}"
    return [*pieces[:i], one, *pieces[i + 2 :]]


def cut(whole: Sequence[str], gaps: Sequence[int]) -> list[str]:
    """Words as sentences that end at gaps."""
    found = []
    for start, end in zip([0, *gaps], [*gaps, len(whole)], strict=True):
        one = " ".join(whole[start:end])
        one = one[:1].upper() + one[1:]
        found.append(one if end == len(whole) else f"{one.rstrip(' ,;:.')}.")
    return found


def at_random(rows: Sequence[Row]) -> Floats:
    rng = random.Random(SEED)
    return by_metric(DEFAULT)([row._replace(output=moved(row.output, rng)) for row in rows])


TRIED: dict[str, Callable[[Sequence[Row]], Floats]] = {
    "**`split_f1`**": by_metric(DEFAULT),
    "its precision": by_metric(DEFAULT, "split_precision"),
    "its recall": by_metric(DEFAULT, "split_recall"),
    "as many splits, at random places": at_random,
    f"with `splitter={ENGLISH}`": by_metric(SplitF1(splitter=ENGLISH)),
    "places in the source": each(by_source),
    "places in the source, the best reference": each(best_reference),
    "places in the source, 1 where neither splits": each(agreeing),
    "pairs of words in different sentences": each(pairs_of_words),
    "number of sentences": each(lambda row: float(len(words(row.output)))),
    "number of sentences, like the references'": each(far(log_sentences)),
    "splits at commas and connectives": each(at_clause),
    "connectives per sentence, like the references'": each(far(clauses)),
    "words per sentence, like the references'": each(far(log_length)),
    "longest sentence is short": each(longest),
    "sentences of equal length": each(evenness),
    "`sari`": by_metric(Sari()),
    "`bleu`": by_metric(Bleu("sacrebleu")),
}
OURS, RANDOM, SARI = "**`split_f1`**", "as many splits, at random places", "`sari`"


# Measuring ---------------------------------------------------------------------------------------


class Set:
    """Rated outputs and what each form scores them.

    Attributes:
        rows: With a reference that isn't the output.
        ratings: (n,)
        weights: (1 + resamples, n) how often each output counts, all once at first.
        split: (n,) whether the output splits the source.
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]], scale: str, as_given: bool = False):
        found = []
        for row in rows:
            others = [r for r in row["references"] if as_given or r != row["prediction"]]
            if others:
                found.append({**row, "references": tuple(others)})
        self.rows = [Row(r["item"], r["source"], r["prediction"], r["references"]) for r in found]
        self.ratings = reading.means(reading.matrix([row[scale] for row in found], scale))
        self.weights = resampled([row.item for row in self.rows])
        align_all(self.rows)
        self.split = np.array([places(row.source, row.output)[0] > 0 for row in self.rows])
        self.scores = {label: score(self.rows) for label, score in TRIED.items()}

    def correlation(self, scores: Floats, kept: Any = True) -> Floats:
        """With ratings, of outputs of a mask that have a score: (1 + resamples,)."""
        some = np.isfinite(scores) & kept
        (found,) = correlations.pearson(
            scores[some][None], self.ratings[some], self.weights[:, some]
        )
        return found

    def predicted(self, labels: Sequence[str]) -> Floats:
        """Ratings as least squares of scores say them, of items that weren't fitted."""
        _, of_item = np.unique([row.item for row in self.rows], return_inverse=True)
        fold = np.random.default_rng(SEED).permutation(of_item.max() + 1)[of_item] % FOLDS
        scores = np.column_stack([np.ones(len(fold)), *(self.scores[label] for label in labels)])
        found = np.zeros(len(fold))
        for i in range(FOLDS):
            fitted, *_ = np.linalg.lstsq(scores[fold != i], self.ratings[fold != i], rcond=None)
            found[fold == i] = scores[fold == i] @ fitted
        return found


def resampled(items: Sequence[str]) -> Floats:
    """(1 + resamples, rows) how often each row counts where items are drawn, as trust.py does."""
    none = np.empty(len(items))
    judged = levels.judged(np.empty((0, 0)), none, np.array(items), None, [])
    of_items, _ = trust.drawn(judged, "items", RESAMPLES)
    return of_items.take(judged.items, axis=1)


class Pairs(NamedTuple):
    """Rows of which the first of each pair is as a person wrote it."""

    better: list[Row]
    worse: list[Row]

    def preference(self, score: Callable[[Sequence[Row]], Floats]) -> Estimate:
        """Share of pairs in which the better one scores higher, less that of the others."""
        difference = np.nan_to_num(score(self.better)) - np.nan_to_num(score(self.worse))
        weights = resampled([row.item for row in self.better])
        sign = np.sign(difference.round(9))
        return estimate(weights @ sign / weights.sum(axis=1))


def injected(sources: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, Pairs]:
    """References with a split moved, added or taken away, beside the others of their sources.

    A split is moved where another reference splits too, added where fewer than half of the others
    do, and taken away where at least half do.
    """
    rng = random.Random(SEED)
    found = {kind: Pairs([], []) for kind in ("moved", "added", "taken away")}

    def add(kind: str, row: Row, worse: str) -> None:
        found[kind].better.append(row)
        found[kind].worse.append(row._replace(output=worse))

    for i, (source, texts) in enumerate(zip(sources, references, strict=True)):
        for text in texts[:CHANGED]:
            others = tuple(other for other in texts if other != text)
            pieces = sentences(text)
            share = float(np.mean([len(sentences(other)) > 1 for other in others]))
            row = Row(str(i), source, text, others)
            if len(pieces) == 1:
                gaps = range(FEWEST, len(text.split()) - FEWEST + 1)
                if gaps and share < 0.5:
                    add("added", row, " ".join(cut(text.split(), [rng.choice(gaps)])))
                continue
            at = rng.randrange(len(pieces) - 1)
            one = joined(pieces, at)
            if share >= 0.5:
                add("taken away", row, " ".join(one))
            whole, place = one[at].split(), len(pieces[at].split())
            gaps = range(FEWEST, len(whole) - FEWEST + 1)
            elsewhere = [gap for gap in gaps if abs(gap - place) > FEWEST]
            if elsewhere and share:
                one[at : at + 1] = cut(whole, [rng.choice(elsewhere)])
                add("moved", row, " ".join(one))
    return found


class Measuring:
    """All that the tables show, measured once."""

    def __init__(self, data: Data) -> None:
        self.sources, self.references = testsets.load("asset_test", str(data.folder))
        self.data = data
        self.pairs = injected(self.sources, self.references)
        for pairs in self.pairs.values():
            align_all([*pairs.better, *pairs.worse])
        self.sets = {
            PAST: Set(trust.without_controls(data.referenced("asset_test")), "overall_z"),
            NEW: Set(data.rows("simpeval_2022"), "overall_z"),
            WIKIDA: Set(data.rows("wikida"), "simplicity_z", as_given=True),
        }
        self.preferences = {
            label: [pairs.preference(score) for pairs in self.pairs.values()]
            for label, score in TRIED.items()
        }

    def minus_sari(self, name: str, label: str, split_only: bool = False) -> tuple[Estimate, ...]:
        """r of ratings predicted by SARI, by SARI and another score, and the difference."""
        of = self.sets[name]
        kept = of.split if split_only else True
        alone, both = (
            of.correlation(of.predicted(labels), kept) for labels in ([SARI], [SARI, label])
        )
        return estimate(alone), estimate(both), estimate(both - alone)

    def by_people(self) -> dict[str, list[Row]]:
        """What a person wrote, judged by the other nine, as it is and changed; and systems."""
        rng = random.Random(SEED)
        rows = []
        for i, (source, texts) in enumerate(zip(self.sources, self.references, strict=True)):
            for k in range(CHANGED):
                others = tuple(texts[:k] + texts[k + 1 :])
                rows.append(Row(str(i), source, texts[k], others))
        one_more = [row._replace(output=with_one_more(row.output, rng)) for row in rows]
        found = {
            "as written": rows,
            "as many splits, at random places": [
                row._replace(output=moved(row.output, rng)) for row in rows
            ],
            "with one more, at a random place": one_more,
        }
        for path in sorted((self.data.folder / "asset_test" / "systems").glob("*.txt")):
            outputs = read_lines(path)
            columns = zip(self.sources, outputs, self.references, strict=True)
            found[path.stem] = [
                Row(str(i), source, output, tuple(texts))
                for i, (source, output, texts) in enumerate(columns)
            ]
        return found


def with_one_more(text: str, rng: random.Random) -> str:
    whole = text.split()
    gap = rng.randrange(1, len(whole)) if len(whole) > 1 else 0
    return " ".join(cut(whole, [gap])) if gap else text


# Tables ------------------------------------------------------------------------------------------

TABLES: dict[str, Callable[[Measuring], str]] = {}


def named(function: Callable[[Measuring], str]) -> Callable[[Measuring], str]:
    """Give a table its name in the page."""
    TABLES[function.__name__.replace("_", "-")] = function
    return function


@named
def in_short(measuring: Measuring) -> str:
    past, new, wikida = (
        [
            estimate(of.correlation(of.scores[label], kept))
            for label, kept in ((OURS, True), (OURS, of.split), (RANDOM, of.split), (SARI, True))
        ]
        for of in measuring.sets.values()
    )
    moved_one, _, taken = measuring.preferences[OURS]
    assert moved_one.low > 0.5
    assert past[1].low > 0
    assert past[1].low > past[2].high, "where it splits is what counts"
    assert new[0].low > 0 > new[1].low
    assert wikida[0].low < 0 < wikida[0].high
    more = measuring.minus_sari(PAST, OURS)[2]
    assert more.low > 0
    assert more.high < 0.05
    assert all(measuring.minus_sari(name, OURS)[2].low < 0 for name in (NEW, WIKIDA))
    return prose(
        f"""`split_f1` tells references from the same texts with one split moved: it prefers the
        former more often than the latter by {moved_one} of all pairs, and by {taken} where a split
        was taken away. Over outputs that split its correlation with people's ratings is {past[1]}
        on {PAST}, and {past[2]} with as many splits at random places; on {NEW}, with one reference,
        it can't be told from 0 ({new[1]}). Over all outputs, most of which don't split, it is
        {past[0]}, {new[0]} and {wikida[0]} ({WIKIDA}); SARI's is {past[3]}, {new[3]} and
        {wikida[3]}. To SARI it adds {more} on {PAST} and nothing that can be told from 0 on the
        others. **So it says where a system splits well, and isn't a score of simplification.**"""
    )


@named
def tried(measuring: Measuring) -> str:
    rows = []
    for label in TRIED:
        cells = [label, *(str(found) for found in measuring.preferences[label])]
        for of in measuring.sets.values():
            scores = of.scores[label]
            cells += [str(estimate(of.correlation(scores, kept))) for kept in (True, of.split)]
        rows.append(cells)
    heads = [f"{name}{which}" for name in measuring.sets for which in ("", ", of those that split")]
    return table(["", *measuring.pairs, *heads], rows)


@named
def numbers(measuring: Measuring) -> str:
    pairs = [f"{len(pairs.better)} {kind}" for kind, pairs in measuring.pairs.items()]
    sets = [f"{of.split.sum()} of {len(of.rows):,} ({name})" for name, of in measuring.sets.items()]
    return prose(
        f"""There are {", ".join(pairs)}. Of rated outputs, those that split are {", ".join(sets)}.
        """
    )


@named
def by_people(measuring: Measuring) -> str:
    rows = []
    for label, of in measuring.by_people().items():
        found = of_metric(DEFAULT, tuple(of))["statistics"]
        totals = resampled([row.item for row in of]) @ found
        scores = DEFAULT.reduce(totals)
        cells = [percent(scores[key]) for key in ("split_f1", "split_precision", "split_recall")]
        rows.append([label, *cells, f"{scores['splits'][0]:.2f}"])
    return table(["", "F1", "precision", "recall", "splits per source"], rows)


def percent(values: Floats) -> str:
    found = estimate(values)
    return f"{found.value:.1f} [{found.low:.1f}, {found.high:.1f}]"


@named
def added(measuring: Measuring) -> str:
    rows = [
        [
            f"{name}{', of those that split' * split}",
            *map(str, measuring.minus_sari(name, OURS, split)),
        ]
        for name in measuring.sets
        for split in (False, True)
    ]
    return table(["", "SARI", f"SARI and {OURS.strip('*')}", "difference"], rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables, or with ``--check`` compare them: 1 if some differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="ratings")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args(arguments)
    if not (options.data / "ratings").is_dir():
        parser.error(f"expected ratings/*.jsonl in {options.data}, see docs/trust.md")
    if unknown := {*figures.used(WORD)} - {*TABLES}:
        parser.error(f"no such table: {', '.join(sorted(unknown))}")
    measuring = Measuring(Data(options.data))
    computed = {name: make(measuring) for name, make in TABLES.items()}
    return int(figures.write_pages(computed, options.check, WORD) > 0 and options.check)


if __name__ == "__main__":
    sys.exit(main())
