"""How well scores agree with people: the tables of docs/trust*.md, their pictures, docs/trust.csv.

    python tools/trust.py --data FOLDER            measures, draws and writes
    python tools/trust.py --data FOLDER --check    says what isn't what is measured

FOLDER holds ``ratings/*.jsonl`` and the test sets ``asset_test`` and ``turkcorpus_test``. People's
ratings aren't redistributed here; docs/trust-details.md says from where to fetch them, and their
columns.

In a page a table stands between ``<!-- trust: NAME -->`` and ``<!-- /trust -->``. Sentences are
written by hand between ``<!-- cells: NAME, NAME -->`` and ``<!-- /cells -->``; a test checks that
each of their figures stands in one of these tables. ``all-SET`` are rows of docs/trust.csv.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import figures
import numpy as np
from figures import table
from trust_tables import (
    ALIGNED,
    ALIGNED_PRECISION,
    ALPHA,
    BEST,
    BLEU,
    CEILING,
    D_SARI,
    DELETE,
    DOCUMENTS,
    EASSE,
    ERRORS,
    FIRST,
    GAINS,
    LENGTH,
    LLMS,
    NEW,
    PAST,
    PRECISION,
    PUBLISHED,
    QUESTIONS,
    SIMPDA,
    SYSTEM,
    TURK,
    WIKIDA,
    WORD,
    Tables,
    number,
    ranks,
    write_scores,
)

from textsimp import judgements
from textsimp.core import draws
from textsimp.core.examples import Examples
from textsimp.core.metric import COLUMNS, Floats, Metric, extra_required_columns
from textsimp.corpora import testsets
from textsimp.judgements import coefficients, resampling
from textsimp.judgements import numbers as reading
from textsimp.metrics import catalogue
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.sari import Sari
from textsimp.text.memory import cache_scope

PAGES = [figures.PROJECT / "docs" / name for name in ("trust.md", "trust-details.md")]
SCORES = figures.PROJECT / "docs" / "trust.csv"
IMAGES = figures.PROJECT / "docs" / "images"
RESAMPLES, SEED = 1000, 0

CONTROLS = ("copy", "scramble_words")
HUMANS = (
    "asset.test.simp",
    "new_asset.test.simp.second",
    "new_turk_corpus_random",
    "new_simple_wiki",
)
WIKIDA_SCALES = ("simplicity", "meaning", "fluency")
DOCUMENT_SCALES = ("simplicity-overall", "simplicity-word", "simplicity-sent", "meaning", "grammar")

# Scores ------------------------------------------------------------------------------------------

COMPARED = dict(
    zip(
        PUBLISHED,
        (Sari(), Sari(delete="precision"), Sari("xu"), Sari("huggingface"), Bleu("sacrebleu")),
        strict=True,
    )
) | {BEST: Sari(multi_reference="best")}
SHOWN = (
    "`sari` easse",
    BEST,
    "`sari` easse, delete=precision",
    "`sari` easse_legacy",
    "`sari` xu",
    "`sari` huggingface",
    "`sari` joshua",
    "`sari`: add",
    "`sari`: keep",
    "`sari`: delete",
    "`edit_ops` paper",
    "`fkgl_components` default",
    "`readability`: flesch_reading_ease",
    "`simplification_stats`: words",
    "`simplification_stats`: levenshtein_similarity",
    "`word_difficulty`: mean_zipf",
)
"""Rows of the short tables, beside all variants of the other metrics that rank."""
MORE: tuple[tuple[type[Metric], str, dict[str, Any]], ...] = (
    (Sari, "easse", {"delete": "precision"}),
    (Sari, "easse_paper", {"delete": "precision"}),
    (Sari, "easse", {"lowercase": False}),
    (Sari, "easse", {"orders": "existing"}),
    (Sari, "xu", {"tokenizer": "13a"}),
    *((Sari, variant, {"multi_reference": "best"}) for variant in Sari.presets),
    (Sari, "easse", {"level": "aligned"}),
    (Sari, "easse", {"level": "aligned", "delete": "precision"}),
)
LATER = (
    *dict.fromkeys((*FIRST.values(), *PUBLISHED, ALIGNED_PRECISION, DELETE)),
    *("`d_sari` sun", "`d_sari` corrected", "`f1_token`"),
)
"""Scores on the sets that came later."""

ADDING = ("penalties", "lexical_complexity", "dale_chall", "cefr")
"""Options that add scores and change none."""


def scorers() -> dict[str, tuple[Metric, str]]:
    """Label → metric, and which of its scores: every variant, and every score of the first.

    Of slow metrics that is the first variant only. Variants that lack the first score are left out.
    """
    found: dict[str, tuple[Metric, str]] = {}
    for name in catalogue.names():
        cls = catalogue.metric_class(name)
        if extra_required_columns(cls):
            continue  # the ratings have no such column
        lines = cls.option_lines()
        more = {option: True for option in lines if option in ADDING}
        variants = [*cls.presets][: 1 if cls.slow else None]
        made = {variant: cls(variant, **more) for variant in variants}
        made = {v: one for v, one in made.items() if cls.scores[0].key in one.score_names()}
        several = len(cls.presets) > 1 and (cls.slow or len(made) > 1)
        compared = several or cls.scores[0].better != ""
        if compared:
            for variant, metric in made.items():
                label = f"`{name}` {variant}" if several else f"`{name}`"
                found[label] = (metric, cls.scores[0].key)
            for of, variant, options in MORE:
                if of is cls:
                    more_of = (f"{option}={value}" for option, value in options.items())
                    label = ", ".join([f"`{name}` {variant}", *more_of])
                    found[label] = (cls(variant, **options), cls.scores[0].key)
        first = next(iter(made.values()))
        for score in cls.scores[compared:]:
            if not score.many and score.key in first.score_names():
                found[f"`{name}`: {score.key}"] = (first, score.key)
    return found


def shown(labels: Iterable[str]) -> list[str]:
    """The labels of the short tables."""
    ranking = {name for name in catalogue.names() if catalogue.metric_class(name).scores[0].better}
    return [
        label
        for label in labels
        if label in SHOWN
        or (":" not in label and label.split("`")[1] in ranking and not label.startswith("`sari`"))
    ]


# Ratings -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Rated:
    """Outputs with ratings.

    Attributes:
        ratings: Scale → (n,) means of raters.
        items: (n,) names of the sources.
        systems: (n,) names of systems; empty where there are none.
        statistics: Metric → (n, k).
    """

    ratings: dict[str, Floats]
    items: Any
    systems: Any
    statistics: dict[Metric, Floats]

    def only(self, kept: Any) -> Rated:
        """Some of them, by a mask."""
        return Rated(
            {scale: values[kept] for scale, values in self.ratings.items()},
            self.items[kept],
            self.systems[kept],
            {metric: rows[kept] for metric, rows in self.statistics.items()},
        )


class Data:
    """The folder of ratings and test sets."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def rows(self, name: str) -> list[dict[str, Any]]:
        path = self.folder / "ratings" / f"{name}.jsonl"
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def referenced(self, name: str) -> list[dict[str, Any]]:
        """The older half of SimpEval, with the references of a test set."""
        sources, references = testsets.load(name, str(self.folder))
        known = dict(zip(sources, references, strict=True))
        rows = self.rows("simpeval_past")
        return [{**row, "references": known[row["source"]]} for row in rows]


def rated(
    rows: Iterable[Mapping[str, Any]],
    scales: Mapping[str, str],
    metrics: Iterable[Metric],
    as_given: bool = False,
) -> Rated:
    """Rows with a reference that isn't the output; ``scales``: name → column."""
    kept = []
    for row in rows:
        left = [text for text in row.get("references", []) if as_given or text != row["prediction"]]
        if left:
            kept.append({**row, "references": left})
    return Rated(
        {
            scale: reading.means(reading.matrix([row[column] for row in kept], column))
            for scale, column in scales.items()
        },
        np.array([row["item"] for row in kept]),
        np.array([row["system"] for row in kept if "system" in row]),
        statistics(kept, metrics),
    )


def statistics(
    rows: Sequence[Mapping[str, Any]], metrics: Iterable[Metric]
) -> dict[Metric, Floats]:
    """Metric → (n, k); of each system's outputs on their own."""
    systems = np.array([row.get("system", "") for row in rows])
    found = {}
    for metric in dict.fromkeys(metrics):
        columns = {
            column.name: [row[column.usual_names[0]] for row in rows]
            for column in metric.columns
            if column.name in COLUMNS
        }
        groups = [np.arange(len(rows))]
        if not metric.independent_rows:
            groups = [np.flatnonzero(systems == system) for system in np.unique(systems)]
        for own in groups:
            some = {name: [column[i] for i in own] for name, column in columns.items()}
            (part,) = metric.compute_statistics(metric.check(**some)).values()
            found.setdefault(metric, np.zeros((len(rows), part.shape[1])))[own] = part
    return found


def without_controls(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [row for row in rows if row["system"] not in CONTROLS]


# Measuring ---------------------------------------------------------------------------------------


class Estimate(NamedTuple):
    """A coefficient, NaN where undefined, with a 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if not np.isfinite(self.value):
            return "–"
        if not np.isfinite(self.low):
            return number(self.value)
        return f"{number(self.value)} [{number(self.low)}, {number(self.high)}]"


def estimate(values: Floats) -> Estimate:
    """Of the value itself and those of resamples after it."""
    defined = values[1:][np.isfinite(values[1:])]
    low, high = np.percentile(defined, [2.5, 97.5]) if len(defined) else (np.nan, np.nan)
    return Estimate(float(values[0]), float(low), float(high))


@dataclass(frozen=True, eq=False)
class Measured:
    """Scale → label → a coefficient and, after it, those of resamples: (1 + resamples,).

    ``outputs`` are Pearson's r of all outputs; ``within`` Kendall's τ-b of the outputs of a source,
    averaged; ``within_systems`` Pearson's r of those of a system, averaged; ``systems`` Spearman's
    ρ of systems; ``over_systems`` the same, systems resampled;
    ``pairs`` the share of pairs of systems in the same order. ``scores`` of a label, or of a scale
    for people, are (1 + resamples, systems), whose ``names`` these are.
    """

    outputs: dict[str, dict[str, Floats]]
    within: dict[str, dict[str, Floats]]
    within_systems: dict[str, dict[str, Floats]]
    systems: dict[str, dict[str, Floats]]
    over_systems: dict[str, dict[str, Floats]]
    pairs: dict[str, dict[str, Floats]]
    scores: dict[str, Floats]
    names: list[str]


def measure(
    data: Rated,
    scores: Mapping[str, tuple[Metric, str]],
    resamples: int = RESAMPLES,
) -> Measured:
    """How well scores agree with ratings; a system's score is the metric's own, of its outputs.

    Resamples are those of `textsimp.judgements.evaluate`, and so are the figures.
    """
    of = data.systems.tolist() or None
    judged = resampling.judge(np.empty((0, 0)), np.empty(len(data.items)), data.items.tolist(), of)
    names = list(judged.names)
    found = Measured({}, {}, {}, {}, {}, {}, {}, names)
    looked_at = shown(scores)
    items, systems = (drawn(size, resamples) for size in judged.sizes.values())
    every = np.ones((1 + resamples, len(names)))
    weights = items.take(judged.items, axis=1)
    outputs_of = [np.flatnonzero(data.systems == system) for system in names]
    weights_of = [weights[:, own] for own in outputs_of]

    x = by_example(data, scores)
    for metric, rows in data.statistics.items():
        totals = [w @ rows[own] for w, own in zip(weights_of, outputs_of, strict=True)]
        reduced = [metric.reduce(total) for total in totals]
        for label, (of, key) in scores.items():
            if of == metric and reduced:
                found.scores[label] = np.stack([one[key] for one in reduced], axis=1)

    for scale, y in data.ratings.items():
        found.outputs[scale] = dict(zip(scores, pearson(x, y, weights), strict=True))
        found.within[scale] = dict(zip(scores, within(x, y, judged.items, items), strict=True))
        if not names:
            continue
        found.systems[scale], found.pairs[scale], found.over_systems[scale] = {}, {}, {}
        of_each = [
            pearson(x[:, own], y[own], w) for w, own in zip(weights_of, outputs_of, strict=True)
        ]
        found.within_systems[scale] = dict(zip(scores, mean(np.array(of_each)), strict=True))
        means = [w @ y[own] / w.sum(axis=1) for w, own in zip(weights_of, outputs_of, strict=True)]
        people = found.scores[scale] = np.stack(means, axis=1)
        for label in scores:
            z = found.scores[label]
            rho, pairs = coefficients.spearman_of_systems, coefficients.pairwise_accuracy
            found.systems[scale][label] = rho(z, people, every)
            found.pairs[scale][label] = pairs(z, people, every)
            if label in looked_at:
                same = (np.broadcast_to(part[0], systems.shape) for part in (z, people))
                found.over_systems[scale][label] = rho(*same, systems)
    return found


def by_example(data: Rated, scores: Mapping[str, tuple[Metric, str]]) -> Floats:
    """(labels, n)."""
    found = {metric: metric.reduce_examples(rows) for metric, rows in data.statistics.items()}
    return np.array([found[metric][key] for metric, key in scores.values()])


def pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r of each row of scores: (labels, n), (n,), (m, n) → (labels, m)."""
    return np.stack([coefficients.pearson(scores, y, weights) for scores in x])


def mean(values: Floats) -> Floats:
    """Over the first axis, of those that are defined."""
    defined = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        averages: Floats = np.where(defined, values, 0).sum(axis=0) / defined.sum(axis=0)
    return averages


def drawn(size: int, resamples: int) -> Floats:
    """(1 + resamples, size) how often each unit counts, all once at first."""
    counts = [counts[""] for counts in draws.draw({"": size}, resamples, SEED)]
    return np.concatenate([np.ones((1, size)), *counts])


def within(x: Floats, y: Floats, items: Any, weights: Floats) -> Floats:
    """Kendall's τ-b within each item, averaged: (labels, n), (n,) → (labels, 1 + resamples)."""
    order = np.argsort(items, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(items[order])) + 1)
    tau = np.full((len(x), len(groups)), np.nan)
    for item, rows in enumerate(groups):
        if len(rows) > 1:
            first, second = (rows[side] for side in np.triu_indices(len(rows), 1))
            of_x, of_y = np.sign(x[:, first] - x[:, second]), np.sign(y[first] - y[second])
            untied = (of_x**2).sum(axis=1) * (of_y**2).sum()
            with np.errstate(invalid="ignore"):
                tau[:, item] = of_x @ of_y / np.sqrt(untied)
    defined = np.isfinite(tau)
    with np.errstate(invalid="ignore"):
        averages: Floats = (weights @ np.where(defined, tau, 0).T / (weights @ defined.T)).T
    return averages


# Tables ------------------------------------------------------------------------------------------

OVERALL = {"overall": "overall_z"}


def tables(data: Data) -> tuple[dict[str, str], Tables, dict[str, Any]]:
    """Name → table of the page; all scores; and what the pictures show."""
    scores = scorers()
    labels = shown(scores)
    metrics = [metric for metric, _ in scores.values()]
    both = {**OVERALL, "raw": "overall"}
    every = rated(data.referenced("asset_test"), both, metrics)
    kept = every.only(~np.isin(every.systems, CONTROLS))
    past = measure(kept, scores)
    newer = rated(data.rows("simpeval_2022"), OVERALL, metrics)
    new = measure(newer, scores)
    scales = {scale: f"{scale}_z" for scale in WIKIDA_SCALES}
    short = rated(data.rows("wikida"), scales, metrics, as_given=True)
    wikida = measure(short, scores)
    scales = {scale: scale for scale in DOCUMENT_SCALES}
    long = rated(data.rows("d_wikipedia"), scales, metrics)
    documents = measure(long, scores)
    by_output = {
        PAST: past.outputs["overall"],
        NEW: new.outputs["overall"],
        **{f"{WIKIDA}, {s}": wikida.outputs[s] for s in ("simplicity", "meaning")},
        f"{DOCUMENTS}, simplicity": documents.outputs["simplicity-overall"],
        f"{DOCUMENTS}, meaning": documents.outputs["meaning"],
    }
    by_system = {
        "ρ": past.systems["overall"],
        "ρ, systems resampled": past.over_systems["overall"],
        "pairs": past.pairs["overall"],
        f"pairs, {NEW}": new.pairs["overall"],
        f"pairs, {WIKIDA}": wikida.pairs["simplicity"],
    }
    of_documents = {
        **documents.outputs,
        "simplicity-overall, within a source": documents.within["simplicity-overall"],
    }
    some = {label: scores[label] for label in LATER}
    given = {
        slug: rated(rows, scales, [metric for metric, _ in some.values()])
        for slug, (_, rows, scales) in later(data).items()
    }
    judged = {slug: measure(of, some) for slug, of in given.items()}
    by_past = {PAST: (kept, "overall"), NEW: (newer, "overall"), WIKIDA: (short, "simplicity")}
    by_later = {SIMPDA: (given["simpda-2022"], "simplicity"), LLMS: (given["llms"], "simplicity")}
    long_ratings = {
        f"{DOCUMENTS}, simplicity": documents.outputs["simplicity-overall"],
        f"{DOCUMENTS}, meaning": documents.outputs["meaning"],
        QUESTIONS: judged["qa"].outputs["answered"],
    }
    pairs = injected(data, scores)
    all_24 = measure(every, {label: scores[label] for label in labels if ranks(label)})
    of_sets = {PAST: kept, NEW: newer, WIKIDA: short, DOCUMENTS: long}
    of_sets |= {title: given[slug] for slug, title in NAMED.items()}
    found = {
        "first": first_table(data, by_output, judged),
        "sets": sets(data, of_sets),
        "reliability": reliability(data),
        "later-systems": later_systems(judged),
        "shortening": shortening({NEW: by_past[NEW], **by_later}, some),
        "documents": documents_table(long_ratings, pairs),
        "documents-minus": documents_minus(long_ratings),
        "learned": learned(by_past, scores),
        "systems": grid(by_system, labels),
        "outputs": grid(by_output, labels),
        "differences": differences(without_controls(data.referenced("asset_test"))),
        "copying": copying(all_24),
        "choices": choices(data, kept, past, all_24),
        "best": best_reference(data),
        "levels": levels(data),
        "injected": grid(pairs, labels),
    }
    every_score = {
        "all-simpeval-past": complete(past, "overall", scores),
        "all-simpeval-2022": complete(new, "overall", scores),
        **{f"all-wikida-{scale}": complete(wikida, scale, scores) for scale in WIKIDA_SCALES},
        "all-d-wikipedia": cells_of(of_documents, scores),
        "all-injected": cells_of(pairs, scores),
        **{
            f"all-{slug}-{scale}": complete(of, scale, some)
            for slug, of in judged.items()
            for scale in of.outputs
        },
    }
    return found, every_score, {"trust-systems": all_24, "trust-outputs": by_output}


def sets(data: Data, used: Mapping[str, Rated]) -> str:
    """How many there are, and how far raters agree."""
    files = ["simpeval_past", "simpeval_2022", "wikida", "d_wikipedia"]
    columns = ["overall_z", "overall_z", "simplicity_z", "simplicity-overall"]
    files += ["simpda_2022", "questeval", "structural", "wu_asset"]
    columns += ["simplicity", "simplicity", "structural", "simplicity"]
    lines = []
    for (name, kept), file, column in zip(used.items(), files, columns, strict=True):
        rows = data.rows(file)
        ratings = reading.matrix([row[column] for row in rows], column)
        raters = int(np.median((~np.isnan(ratings)).sum(axis=1)))  # a few outputs have more
        agreement = judgements.rater_agreement(ratings)
        alpha = "–"
        if agreement.alpha is not None and agreement.interval is not None:
            alpha = str(Estimate(agreement.alpha, *agreement.interval))
        lines.append(
            [
                name,
                f"{len(rows):,}",
                f"{len(kept.items):,}",
                str(len(np.unique(kept.items))),
                str(len(np.unique(kept.systems)) or "–"),
                str(raters) if raters > 1 else "their mean",
                alpha,
            ]
        )
    heads = ["set", "rated", "used", "sources", "systems", "raters", ALPHA]
    return table(heads, lines)


def cells_of(
    columns: Mapping[str, Mapping[str, Any]], labels: Iterable[str]
) -> dict[str, dict[str, str]]:
    """Label → column → cell."""
    return {
        label: {head: cell(column[label]) for head, column in columns.items()} for label in labels
    }


def grid(columns: Mapping[str, Mapping[str, Any]], labels: Iterable[str]) -> str:
    rows = [[label, *cells.values()] for label, cells in cells_of(columns, labels).items()]
    return table(["score", *columns], rows)


def cell(found: Floats | str) -> str:
    return found if isinstance(found, str) else str(estimate(found))


def complete(found: Measured, scale: str, labels: Iterable[str]) -> dict[str, dict[str, str]]:
    """All coefficients of a set."""
    columns = {
        "outputs, r": found.outputs[scale],
        "within a source, τ": found.within[scale],
        SYSTEM: found.within_systems[scale],
        "systems, ρ": found.systems[scale],
        "pairs of systems": found.pairs[scale],
    }
    return cells_of(columns, labels)


def injected(data: Data, scores: Mapping[str, tuple[Metric, str]]) -> dict[str, dict[str, str]]:
    """Error → label → how often the text without errors scores higher."""
    forms, names = as_given(scores)
    columns = {}
    for error, title in ERRORS.items():
        found = judgements.evaluate_pairs(
            data.rows(f"injected_{error}"), forms, scores=names, references="as_given"
        )
        columns[title] = {label: preference(of) for label, of in found.metrics.items()}
    return columns


def as_given(
    scores: Mapping[str, tuple[Metric, str]],
) -> tuple[dict[str, Metric], dict[str, str]]:
    """As `textsimp.judgements` takes them: name → metric, each once; label → name of its score."""
    name_of = {metric: str(i) for i, (metric, _) in enumerate(scores.values())}
    return {name: metric for metric, name in name_of.items()}, {
        label: name_of[metric] if key == metric.name else f"{name_of[metric]}.{key}"
        for label, (metric, key) in scores.items()
    }


def preference(found: judgements.Preference) -> str:
    low, high = found.interval or (np.nan, np.nan)
    tied = f"; {found.tied} tied" if found.tied else ""
    p = "" if found.p is None else f"; p {p_value(found.p)}"
    return f"{Estimate(found.share, low, high)}{tied}{p}"


def p_value(p: float) -> str:
    return "< .001" if p < 0.0005 else f"{round(p, 9):.3f}".removeprefix("0")


def differences(rows: Any) -> str:
    """Of what papers report, minus `easse`: intervals over both, and p-values of permutations."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*are among the references")
        found = judgements.evaluate(rows, COMPARED, rating="overall_z", baseline=EASSE, over="both")
    shown = {"systems": "spearman", "outputs": "pearson", "within_systems": "pearson"}
    lines = []
    for label, gaps in found.gaps.items():
        cells = []
        for level, name in shown.items():
            gap = gaps[level][name]
            cells += [str(Estimate(gap.value, *gap.interval)), p_value(gap.permutation_p)]
        lines.append([label, *cells])
    heads = ["systems, ρ", "p of ρ", "outputs, r", "p of r", SYSTEM, "p within"]
    return table(["minus `easse`", *heads], lines)


def copying(found: Measured) -> str:
    """Where copying, scrambled words and human writers stand among all systems."""

    def places(scores: Floats, systems: Iterable[str]) -> str:
        own = scores[[found.names.index(system) for system in systems]]
        return ", ".join(str(1 + (scores > one + 1e-9).sum()) for one in sorted(own, reverse=True))

    heads = [*([name] for name in CONTROLS), HUMANS]
    scores = {"people": found.scores["overall"]}
    scores |= {label: found.scores[label] for label in found.outputs["overall"]}
    rows = [[label, *(places(of[0], systems) for systems in heads)] for label, of in scores.items()]
    return table(["place among 24, by", "copying", "scrambled words", "the four people"], rows)


def choices(data: Data, kept: Rated, past: Measured, all_24: Measured) -> str:
    """What changes with what is left out, and with other references and ratings."""
    scores = {label: (metric, metric.scores[0].key) for label, metric in COMPARED.items()}

    def both(found: Measured, scale: str = "overall") -> list[str]:
        rho, r = found.systems[scale], found.outputs[scale]
        return [f"{number(rho[label][0])}; {number(r[label][0])}" for label in COMPARED]

    def with_references(rows: Iterable[Mapping[str, Any]]) -> Measured:
        return measure(rated(rows, OVERALL, COMPARED.values()), scores, 0)

    rows = without_controls(data.referenced("asset_test"))
    one = [
        with_references({**row, "references": [row["references"][i]]} for row in rows)
        for i in range(len(rows[0]["references"]))
    ]
    rho, r = (
        {label: [getattr(of, level)["overall"][label][0] for of in one] for label in COMPARED}
        for level in ("systems", "outputs")
    )
    turk = with_references(without_controls(data.referenced("turkcorpus_test")))
    no_people = kept.only(~np.isin(kept.systems, HUMANS))
    lines = {
        "22 systems, ten references, as above": both(past),
        "with copying and scrambled words": both(all_24),
        "without the four people": both(measure(no_people, scores, 0)),
        "raw ratings": both(past, "raw"),
        "TurkCorpus's eight references": both(turk),
        "one reference, mean of the ten": [
            f"{number(np.mean(rho[label]))}; {number(np.mean(r[label]))}" for label in COMPARED
        ],
        "one reference, least and most ρ": [
            f"{number(min(rho[label]))} to {number(max(rho[label]))}" for label in COMPARED
        ],
        "one reference, how often ρ > .80": [
            f"{sum(one > 0.8 for one in rho[label])} of {len(one)}" for label in COMPARED
        ],
    }
    rows = [[what, *cells] for what, cells in lines.items()]
    return table(["ρ of systems; r of outputs", *COMPARED], rows)


class BestBleu(Bleu):
    """BLEU of each output with the reference that it is best by."""

    def compute_statistics(self, examples: Examples, progress: Any = None) -> dict[str, Floats]:
        """Return system → (n, k) statistics."""
        references = examples.references or []
        sizes = [*map(len, references)]
        found = {}
        for system, own in examples.systems.items():
            alone = self.check(
                predictions=np.repeat(np.array(own["predictions"], object), sizes).tolist(),
                references=[[text] for texts in references for text in texts],
            )
            (rows,) = super().compute_statistics(alone).values()
            scores = self.reduce_examples(rows)[self.name]
            ends = np.cumsum(sizes)
            best = [
                end - n + int(np.argmax(scores[end - n : end]))
                for end, n in zip(ends, sizes, strict=True)
            ]
            found[system] = rows[best]
        return found


def best_reference(data: Data) -> str:
    """What the best reference gains over all of them, by output, and by system for `easse`."""
    options: Any = ({}, {"delete": "precision"}, {"variant": "xu"}, {"variant": "huggingface"})
    scores = {
        f"`sari` {name} {way}": (Sari(**of, multi_reference=way), "sari")
        for name, of in zip(GAINS, options, strict=True)
        for way in ("pooled", "best")
    }
    scores |= {"`bleu` pooled": (Bleu("sacrebleu"), "bleu")}
    scores |= {"`bleu` best": (BestBleu("sacrebleu"), "bleu")}
    past, turk = (
        without_controls(data.referenced(name)) for name in ("asset_test", "turkcorpus_test")
    )
    z_scores = {scale: f"{scale}_z" for scale in BOTH}
    sets: tuple[tuple[str, Any, Any], ...] = (
        (PAST, past, OVERALL),
        (f"{PAST}, {TURK}", turk, OVERALL),
        (WIKIDA, data.rows("wikida"), z_scores),
        *(of for slug, of in later(data).items() if slug not in ("simpda-2022", "qa")),
    )
    lines = []
    for name, rows, scales in sets:
        given = rated(rows, scales, [of for of, _ in scores.values()], as_given=name == WIKIDA)
        found = measure(given, scores)
        for scale in scales:
            r, rho = found.outputs[scale], found.systems[scale]
            gains = []
            for label in (*(f"`sari` {way}" for way in GAINS), "`bleu`"):
                pooled, best = r[f"{label} pooled"], r[f"{label} best"]
                change = f"{number(pooled[0])} → {number(best[0])}"
                gains.append(f"{estimate(best - pooled)}; {change}")
            change = " → ".join(
                number(rho[f"`sari` `easse` {way}"][0]) for way in ("pooled", "best")
            )
            title = f"{name}, {scale}" if scale != "overall" else name
            lines.append([title, f"{len(given.items):,}", *gains, f"{change} ({len(found.names)})"])
    return table(["set", "outputs", *GAINS, "BLEU", "ρ of systems, `easse`"], lines)


def levels(data: Data) -> str:
    """How the level of `easse` grows with the number of references."""
    rows = without_controls(data.referenced("asset_test"))
    numbers = (1, 2, 5, 9)
    lines: dict[str, list[str]] = {}
    for number_of in numbers:
        kept = [
            {**row, "references": [t for t in row["references"] if t != row["prediction"]]}
            for row in rows
        ]
        few = [{**row, "references": row["references"][:number_of]} for row in kept]
        for way in ("pooled", "best"):
            metric = Sari(multi_reference=way)
            found = statistics(few, [metric])[metric]
            corpus = metric.reduce(found.sum(axis=0))["sari"]
            outputs = metric.reduce_examples(found)["sari"].mean()
            for what, value in (("mean of outputs", outputs), ("corpus", corpus)):
                lines.setdefault(f"`{way}`, {what}", []).append(f"{value:.0f}")
    return table(["references", *map(str, numbers)], [[k, *v] for k, v in lines.items()])


# Sets that came later ----------------------------------------------------------------------------

BOTH = {"simplicity": "simplicity", "meaning": "meaning"}
NAMED = {
    "simpda-2022": SIMPDA,
    "questeval": "QuestEval",
    "structural": "structural",
    "llms": LLMS,
}


def later(data: Data) -> dict[str, tuple[str, list[dict[str, Any]], dict[str, str]]]:
    """Name → title, rows, and scale → column."""
    models = data.rows("wu_asset")
    of_turk = dict(zip(*testsets.load("turkcorpus_test", str(data.folder)), strict=True))
    with_turk = [
        {**r, "references": of_turk[r["source"]]} for r in models if r["source"] in of_turk
    ]
    read = [row for row in data.rows("qa") if row["prediction"] != row["source"]]
    return {
        "questeval": ("QuestEval", data.rows("questeval"), BOTH),
        "structural": (
            f"structural, {TURK}",
            data.rows("structural"),
            {"structural": "structural", **BOTH},
        ),
        "llms": (LLMS, models, BOTH),
        "llms-turkcorpus": (f"{LLMS}, {TURK}", with_turk, {"simplicity": "simplicity"}),
        "simpda-2022": (SIMPDA, data.rows("simpda_2022"), BOTH),
        "qa": (QUESTIONS, read, {"answered": "correct"}),
    }


def mean_reliability(rows: Iterable[Mapping[str, Any]], column: str) -> float:
    """Of the mean of an output's raters, from α; NaN without several."""
    rows = [row for row in rows if row.get("system") not in CONTROLS]
    ratings = reading.matrix([row[column] for row in rows], column)
    raters = np.median((~np.isnan(ratings)).sum(axis=1))
    alpha = judgements.rater_agreement(ratings, confidence=None).alpha
    if alpha is None or alpha <= 0 or raters < 2:
        return float("nan")
    return float(raters * alpha / (1 + (raters - 1) * alpha))


def short_number(value: float) -> str:
    return number(value) if np.isfinite(value) else "–"


def first_table(
    data: Data, by_output: Mapping[str, Mapping[str, Floats]], judged: Mapping[str, Measured]
) -> str:
    """The first page's: r of outputs on all sets, and what raters' reliability lets it be."""

    def line(
        title: str, references: str, found: Mapping[str, Floats], file: str, column: str
    ) -> list[str]:
        values = [short_number(found[label][0]) for label in FIRST.values()]
        limit = mean_reliability(data.rows(file), column) ** 0.5 if column else float("nan")
        return [title, references, *values, short_number(limit)]

    def of(slug: str, scale: str) -> Mapping[str, Floats]:
        return judged[slug].outputs[scale]

    lines = [
        line(PAST, "10", by_output[PAST], "simpeval_past", "overall_z"),
        line(NEW, "1", by_output[NEW], "simpeval_2022", "overall_z"),
    ]
    for scale in BOTH:
        column = "simplicity-overall" if scale == "simplicity" else scale
        lines += [
            line(f"{SIMPDA}, {scale}", "1", of("simpda-2022", scale), "simpda_2022", scale),
            line(f"{WIKIDA}, {scale}", "10", by_output[f"{WIKIDA}, {scale}"], "wikida", ""),
            line(f"QuestEval, {scale}", "10", of("questeval", scale), "questeval", scale),
            line(f"structural, {scale}", "8", of("structural", scale), "structural", ""),
            line(f"{LLMS}, {scale}", "10", of("llms", scale), "wu_asset", scale),
        ]
        if scale == "simplicity":
            turk = of("llms-turkcorpus", scale)
            lines.append(line(f"{LLMS}, TurkCorpus, {scale}", "8", turk, "wu_asset", scale))
            own = of("structural", "structural")
            lines.append(line("structural, structure", "8", own, "structural", "structural"))
        own = by_output[f"{DOCUMENTS}, {scale}"]
        lines.append(line(f"{DOCUMENTS}, {scale}", "1", own, "d_wikipedia", column))
    lines.append(line(QUESTIONS, "1", of("qa", "answered"), "qa", ""))
    return table(["rated", "references", *FIRST, CEILING], lines)


def reliability(data: Data) -> str:
    """Of mean ratings, by scale."""
    scales = ("simplicity", "meaning", "fluency")
    files = {"QuestEval": "questeval", SIMPDA: "simpda_2022", LLMS: "wu_asset"}
    rows = [
        [title, *(short_number(mean_reliability(data.rows(file), scale)) for scale in scales)]
        for title, file in files.items()
    ]
    return table(["reliability of mean ratings", *scales], rows)


def later_systems(judged: Mapping[str, Measured]) -> str:
    """ρ of systems and pairs in order, simplicity."""
    lines = []
    for slug in ("structural", "questeval", "simpda-2022", "llms", "llms-turkcorpus"):
        of = judged[slug]
        cells = [
            f"{number(of.systems['simplicity'][label][0])}; "
            f"{number(of.pairs['simplicity'][label][0])}"
            for label in FIRST.values()
        ]
        title = {**NAMED, "llms-turkcorpus": f"{LLMS}, TurkCorpus"}[slug]
        lines.append([title, str(len(of.names)), *cells])
    return table(["ρ; pairs, simplicity", "systems", *FIRST], lines)


def shortening(
    sets: Mapping[str, tuple[Rated, str]], scores: Mapping[str, tuple[Metric, str]]
) -> str:
    """How much of what deletions tell is length."""
    lines = []
    for title, (data, scale) in sets.items():
        x = dict(zip(scores, by_example(data, scores), strict=True))
        for label in (DELETE, D_SARI):
            a, b, c = np.corrcoef([x[label], data.ratings[scale], x[LENGTH]])[np.triu_indices(3, 1)]
            held = (a - b * c) / np.sqrt((1 - b**2) * (1 - c**2))
            lines.append([f"{title}, {label}", number(a), number(b), number(held)])
    heads = ["r by output", "with people", "with length", "with people, length held"]
    return table(heads, lines)


def documents_table(
    ratings: Mapping[str, Mapping[str, Floats]], pairs: Mapping[str, Mapping[str, str]]
) -> str:
    """What scores of documents agree with."""
    labels = [EASSE, PRECISION, ALIGNED, ALIGNED_PRECISION, D_SARI, "`d_sari` corrected"]
    shares = {
        title: {label: cell.partition(" ")[0] for label, cell in of.items()}
        for title, of in pairs.items()
    }
    return grid({**ratings, **shares}, [*labels, "`f1_token`", BLEU, LENGTH])


def documents_minus(ratings: Mapping[str, Mapping[str, Floats]]) -> str:
    """Differences of scores of documents."""
    asked = {
        "aligned − `easse`": (ALIGNED, EASSE),
        "both by precision": (ALIGNED_PRECISION, PRECISION),
        "aligned, precision − F1": (ALIGNED_PRECISION, ALIGNED),
        "aligned − `f1_token`": (ALIGNED, "`f1_token`"),
    }
    rows = [
        [title, *(str(estimate(of[one] - of[other])) for one, other in asked.values())]
        for title, of in ratings.items()
    ]
    return table(["minus", *asked], rows)


PENALTY = 100.0


def learned(sets: Mapping[str, tuple[Rated, str]], scores: Mapping[str, tuple[Metric, str]]) -> str:
    """Ridge regressions of ratings on all scores, each tried on the other sets."""
    x, y = {}, {}
    for title, (data, scale) in sets.items():
        found = by_example(data, scores).T
        with np.errstate(invalid="ignore", divide="ignore"):
            x[title] = np.nan_to_num((found - found.mean(axis=0)) / found.std(axis=0), posinf=0)
        y[title] = data.ratings[scale] - data.ratings[scale].mean()
    lines = []
    for title, own in x.items():
        weights = np.linalg.solve(own.T @ own + PENALTY * np.eye(own.shape[1]), own.T @ y[title])
        r = {of: np.corrcoef(rows @ weights, y[of])[0, 1] for of, rows in x.items()}
        cells = ["–" if of == title else number(value) for of, value in r.items()]
        lines.append([f"fitted on {title}", *cells])
    for label in (EASSE, BEST, ALIGNED):
        i = [*scores].index(label)
        lines.append([label, *(number(np.corrcoef(x[of][:, i], y[of])[0, 1]) for of in x)])
    return table([f"ridge regression of {len(scores)} scores", *x], lines)


# Pictures ----------------------------------------------------------------------------------------

PANELS = (*PUBLISHED, "`sari`: add", "`sari`: keep")
INK, FAINT, PEOPLE, CONTROL = "#1f2933", "#d5dbe1", "#c2410c", "#7c3aed"
OTHERS = "#1d4ed8"


def systems_shown(found: Measured) -> dict[str, dict[str, list[float]]]:
    """What the first picture shows: panel → system → score and interval."""
    panels = {"people's mean rating": found.scores["overall"]}
    panels |= {label: found.scores[label] for label in PANELS}
    return {
        panel: {
            name: [round(number, 4) for number in estimate(of)]
            for name, of in zip(found.names, scores.T, strict=True)
        }
        for panel, scores in panels.items()
    }


def outputs_shown(found: Mapping[str, Mapping[str, Floats]]) -> dict[str, dict[str, list[float]]]:
    """What the second shows: set → score → correlation and interval."""
    return {
        panel: {label: [round(number, 4) for number in estimate(of[label])] for label in shown(of)}
        for panel, of in found.items()
    }


def draw(panels: Mapping[str, Mapping[str, Sequence[float]]], columns: int, systems: bool) -> Any:
    """Dots with intervals, the same rows in each panel."""
    from matplotlib.figure import Figure

    first = next(iter(panels.values()))
    rows = sorted(first, key=lambda row: first[row][0]) if systems else list(first)[::-1]
    lines = -(-len(panels) // columns)
    figure = Figure(figsize=(2.55 * columns + 2.6, lines * (0.205 * len(rows) + 0.75)))
    figure.set_layout_engine("constrained")
    axes = figure.subplots(lines, columns, sharey=True, squeeze=False).ravel()
    for axis, (title, found) in zip(axes, panels.items(), strict=False):
        for y, row in enumerate(rows):
            value, low, high = found[row]
            color = of_system(row, OTHERS) if systems else OTHERS
            axis.plot([low, high], [y, y], color=color, linewidth=1.6, alpha=0.45)
            filled = "white" if row in CONTROLS else color
            axis.plot(value, y, "o", color=color, markersize=4.5, markerfacecolor=filled)
        axis.set_title(title.replace("`", ""), fontsize=10, color=INK, loc="left")
        axis.set_yticks(range(len(rows)), [row.replace("`", "") for row in rows])
        axis.tick_params(labelsize=8.5, colors=INK, length=0)
        axis.grid(axis="y", color=FAINT, linewidth=0.6)
        axis.set_axisbelow(True)
        axis.set_ylim(-0.7, len(rows) - 0.3)
        for side in axis.spines.values():
            side.set_visible(False)
        if systems:
            for label in axis.get_yticklabels():
                label.set_color(of_system(label.get_text(), INK))
        else:
            axis.axvline(0, color=INK, linewidth=0.8)
            axis.set_xlim(-0.85, 0.85)
            axis.set_xticks([-0.5, 0, 0.5], ["−.5", "0", ".5"])
    for axis in axes[len(panels) :]:
        axis.remove()
    return figure


def of_system(name: str, other: str) -> str:
    """The colour of people, and of what is no system; or another."""
    return PEOPLE if name in HUMANS else CONTROL if name in CONTROLS else other


def pictures(drawn: Mapping[str, Any], check: bool) -> int:
    """Draw them, or say which show other numbers; each holds a digest of what it shows."""
    from PIL import Image, PngImagePlugin

    found = {
        "trust-systems": (systems_shown(drawn["trust-systems"]), 4, True),
        "trust-outputs": (outputs_shown(drawn["trust-outputs"]), 3, False),
    }
    different = 0
    for name, (panels, columns, systems) in found.items():
        path = IMAGES / f"{name}.png"
        digest = hashlib.sha256(json.dumps(panels).encode()).hexdigest()
        if path.exists() and Image.open(path).info.get("digest") == digest:
            continue
        different += 1
        print(f"{path.relative_to(figures.PROJECT)}: {'differs' if check else 'drawn'}")
        if not check:
            png = io.BytesIO()
            draw(panels, columns, systems).savefig(png, format="png", dpi=110)
            info = PngImagePlugin.PngInfo()
            info.add_text("digest", digest)
            image = Image.open(png).convert("RGB").quantize(64)
            image.save(path, optimize=True, pnginfo=info)
    return different


# Pages -------------------------------------------------------------------------------------------


def pages() -> str:
    """Both pages."""
    return "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write tables and pictures, or with ``--check`` compare them: 1 if some differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--data", type=Path, metavar="FOLDER", required=True, help="ratings and test sets"
    )
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args(arguments)
    if not (options.data / "ratings").is_dir():
        parser.error(f"expected ratings/*.jsonl in {options.data}, see docs/trust-details.md")
    with cache_scope():  # every variant sees the same texts
        found, every_score, drawn = tables(Data(options.data))
    different = figures.write_pages(found, options.check, WORD)
    text = write_scores(every_score)
    if not SCORES.exists() or text != SCORES.read_text(encoding="utf-8"):
        different += 1
        print(f"docs/trust.csv: {'differs' if options.check else 'written'}")
        if not options.check:
            SCORES.write_text(text, encoding="utf-8")
    different += pictures(drawn, options.check)
    return int(options.check and different > 0)


if __name__ == "__main__":
    sys.exit(main())
