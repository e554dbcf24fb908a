"""How well scores agree with people: the tables of docs/trust*.md, and docs/trust.csv.

    python tools/trust.py --data FOLDER            measures and writes
    python tools/trust.py --data FOLDER --check    says what isn't what is measured
    python tools/trust.py --data FOLDER --model ENCODER    the table ``side`` alone

FOLDER holds ``ratings/*.jsonl`` and the test sets ``asset_test`` and ``turkcorpus_test``. People's
ratings aren't redistributed here; docs/trust-details.md says from where to fetch them, and their
columns. ENCODER is a folder with all-MiniLM-L6-v2; it needs the extra models.

In a page a table stands between ``<!-- trust: NAME -->`` and ``<!-- /trust -->``; docs/trust.csv
has all scores of a set. Tables of other names are of commit 85f947d0.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

import numpy as np
import pages
from pages import Data, table

from textsimp.core import draws
from textsimp.core.declarations import SOURCES
from textsimp.core.metric import Floats, Metric, extra_required_columns
from textsimp.extensions import people
from textsimp.extensions.models.bertscore import BertScore
from textsimp.extensions.people.judgements import coefficients, correlation, resampling
from textsimp.extensions.people.judgements import numbers as reading
from textsimp.extensions.people.judgements.resampling import Judged
from textsimp.metrics import catalogue
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.sari import Sari
from textsimp.metrics.simplification_stats import SimplificationStats
from textsimp.text.functions import cache_scope

SCORES = pages.PROJECT / "docs" / "trust.csv"
RESAMPLES, SEED = 1000, 0

# Names in the tables ------------------------------------------------------------------------------

PAST, NEW, WIKIDA, DOCUMENTS = "SimpEval past", "SimpEval 2022", "WikiDA", "D-Wikipedia"
SIMPDA, LLMS, TURK_LLMS, QUESTIONS = (
    *("SimpDA 2022", "LLMs", "LLMs, TurkCorpus", "questions on documents"),
)
CONTROLS = ("copy", "scramble_words")
HUMANS = (
    "asset.test.simp",
    "new_asset.test.simp.second",
    "new_turk_corpus_random",
    "new_simple_wiki",
)
ERRORS = {
    "deletion": "deletion",
    "repetition": "repetition",
    "coherence": "coherence",
    "outdomain": "hallucination",
}
R, TAU, SYSTEM = "outputs, r", "within a source, τ", "within a system, r"
RHO, PAIRS = "systems, ρ", "pairs of systems"

EASSE, PRECISION, HUB = "`sari` easse", "`sari` easse, delete=precision", "`sari` huggingface"
XU, BLEU, BEST = "`sari` xu", "`bleu` sacrebleu", "`sari` easse, multi_reference=best"
ALIGNED = "`sari` easse, level=aligned"
ALIGNED_PRECISION = f"{ALIGNED}, delete=precision"
DELETE, D_SARI, F1 = "`sari`: delete", "`d_sari` sun", "`f1_token`"
LENGTH = "`simplification_stats`: compression_ratio"
FIRST = {
    "`easse`": EASSE,
    "best reference": BEST,
    "aligned": ALIGNED,
    "BLEU": BLEU,
    "length": LENGTH,
}
"""Columns of the first page's table."""
COMPARED: dict[str, Metric] = {
    EASSE: Sari(),
    PRECISION: Sari(delete="precision"),
    XU: Sari("xu"),
    HUB: Sari("huggingface"),
    BLEU: Bleu("sacrebleu"),
    BEST: Sari(multi_reference="best"),
}
"""What papers report, and is looked at more closely."""
RANKING = (EASSE, XU, HUB, BEST, DELETE, D_SARI, F1, BLEU)
LEVENSHTEIN = "`simplification_stats`: levenshtein_similarity"
FKGL = "`fkgl_components` default"
LEVELS = {
    "level": "`readability`: level",
    "level gain": "`readability`: level_gain",
    "Flesch reading ease": "`readability`: flesch_reading_ease",
}
SHOWN = (*RANKING, FKGL, LEVENSHTEIN)
"""Rows of the pages' tables; docs/trust.csv has all."""
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
    *dict.fromkeys((*FIRST.values(), EASSE, PRECISION, XU, HUB, BLEU, ALIGNED_PRECISION, DELETE)),
    *(D_SARI, "`d_sari` corrected", F1, "`split_f1`", FKGL, LEVENSHTEIN, "`edit_ops` paper"),
    *(*LEVELS.values(), "`word_difficulty`: mean_zipf"),
)
"""Scores on the sets that came later."""
UNMEASURED = ("ter",)
"""It takes a third of a second for a document, ten times all others together."""
ADDING = ("penalties", "lexical_complexity", "dale_chall", "cefr")
"""Options that add scores and change none."""

Scorers = Mapping[str, tuple[Metric, str]]  # label → metric, and which of its scores
Columns = Mapping[str, Mapping[str, Any]]  # title → label → resamples, or a cell
Measured = dict[str, dict[str, dict[str, Floats]]]  # scale → coefficient → label → (1 + resamples,)


def scorers() -> dict[str, tuple[Metric, str]]:
    """Every variant, and every score of the first.

    Of slow metrics that is the first variant only. Variants that lack the first score are left out.
    """
    found: dict[str, tuple[Metric, str]] = {}
    for name in catalogue.names():
        cls = catalogue.metric_class(name)
        if name in UNMEASURED or extra_required_columns(cls):
            continue  # the ratings have no such column
        made = {}
        for variant in [*cls.presets][: 1 if cls.slow else None]:
            of_variant = {"variant": variant}
            more = {name: True for name in ADDING if cls.accepts(name, True, of_variant)}
            made[variant] = cls(variant, **more)
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
            if not score.many and score.key in first.score_names([SOURCES.name]):
                found[f"`{name}`: {score.key}"] = (first, score.key)
    return found


# Ratings -----------------------------------------------------------------------------------------

Rows = Sequence[Mapping[str, Any]]
BOTH = {"simplicity": "simplicity", "meaning": "meaning"}
OF_TEXTS = ("simplicity-overall", "simplicity-word", "simplicity-sent", "meaning", "grammar")


@dataclass(frozen=True)
class Ratings:
    """A set of rated outputs: names in trust.csv and of its file, references each, columns."""

    name: str
    file: str
    references: int
    scales: Mapping[str, str]

    def in_file(self, scale: str) -> str:
        """The name of a scale in docs/trust.csv."""
        whole = scale == "overall" or self.name == "d-wikipedia"
        return self.name if whole else f"{self.name}-{scale}"


SETS = {
    PAST: Ratings("simpeval-past", "simpeval_past", 10, {"overall": "overall_z"}),
    NEW: Ratings("simpeval-2022", "simpeval_2022", 1, {"overall": "overall_z"}),
    WIKIDA: Ratings("wikida", "wikida", 10, {s: f"{s}_z" for s in (*BOTH, "fluency")}),
    DOCUMENTS: Ratings("d-wikipedia", "d_wikipedia", 1, {scale: scale for scale in OF_TEXTS}),
    "QuestEval": Ratings("questeval", "questeval", 10, BOTH),
    "structural": Ratings("structural", "structural", 8, {"structural": "structural", **BOTH}),
    LLMS: Ratings("llms", "wu_asset", 10, BOTH),
    TURK_LLMS: Ratings("llms-turkcorpus", "wu_asset", 8, {"simplicity": "simplicity"}),
    SIMPDA: Ratings("simpda-2022", "simpda_2022", 1, BOTH),
    QUESTIONS: Ratings("qa", "qa", 1, {"answered": "correct"}),
}
FIRST_SETS = (PAST, NEW, WIKIDA, DOCUMENTS)
"""Sets with all scores; the others have those of LATER."""
SIMPLICITY = (
    *((PAST, "overall"), (NEW, "overall"), (SIMPDA, "simplicity"), (WIKIDA, "simplicity")),
    *(("QuestEval", "simplicity"), ("structural", "simplicity"), ("structural", "structural")),
    *((LLMS, "simplicity"), (TURK_LLMS, "simplicity"), (DOCUMENTS, "simplicity-overall")),
)
MEANING = (
    *((title, "meaning") for title in (SIMPDA, WIKIDA, "QuestEval", "structural", LLMS, DOCUMENTS)),
    (QUESTIONS, "answered"),
)
"""Rows of tables: set and scale."""


def name_of(title: str, scale: str) -> str:
    """The name of a set and a scale in tables."""
    scale = {"structural": "structure", "simplicity-overall": "simplicity"}.get(scale, scale)
    return title if scale in ("overall", "answered") else f"{title}, {scale}"


def read_set(data: Data, title: str) -> list[dict[str, Any]]:
    """The rows of a set, with references."""
    rows = data.rows(f"ratings/{SETS[title].file}")
    if title in (PAST, TURK_LLMS):
        texts = data.test_set("asset_test" if title == PAST else "turkcorpus_test")
        known = dict(zip(texts.sources, texts.references, strict=True))
        sources = [row for row in rows if row["source"] in known]
        return [{**row, "references": known[row["source"]]} for row in sources]
    if title == QUESTIONS:
        return [row for row in rows if row["prediction"] != row["source"]]
    return [{"references": [], **row} for row in rows]


def without_controls(rows: Rows) -> Rows:
    return [row for row in rows if row.get("system") not in CONTROLS]


@dataclass(frozen=True, eq=False)
class Rated:
    """Outputs with their scores, by label, and with their ratings, by scale."""

    labels: list[str]
    scales: dict[str, Judged]

    @property
    def judged(self) -> Judged:
        return next(iter(self.scales.values()))


def rate(
    rows: Sequence[Mapping[str, Any]],
    scales: Mapping[str, str],
    scores: Scorers,
    references: Any = "without_output",
) -> Rated:
    """Score rows as `textsimp.meta` does; ``scales``: name → column."""
    columns = {
        scale: reading.means(reading.matrix([row[column] for row in rows], column))
        for scale, column in scales.items()
    }
    given = [
        {**row, **{scale: float(columns[scale][i]) for scale in scales}}
        for i, row in enumerate(rows)
    ]
    first, *others = scales
    # Coefficients, of which `measure` needs few, take three times as long as the scores.
    with mock.patch.object(correlation, "_estimate", lambda judged, *_, **__: judged):
        judged = people.evaluate(
            given,
            scores,
            rating=first,
            score_columns=others,
            references=references,
            confidence=None,
        )
    own, more = np.split(judged.scores, [len(scores)])
    ratings = dict(zip(scales, [judged.ratings, *more], strict=True))
    judged = replace(judged, scores=own)
    return Rated([*scores], {scale: replace(judged, ratings=of) for scale, of in ratings.items()})


# Measuring ---------------------------------------------------------------------------------------


def measure(of: Rated) -> Measured:
    """How well scores agree with ratings: a coefficient and, after it, those of resamples.

    A system's score is the metric's own, of its outputs. Resamples are those of `textsimp.meta`,
    and so are the figures.
    """
    judged, found = of.judged, Measured()
    items = drawn(judged.sizes["items"])
    weights, groups = items.take(judged.items, axis=1), judged.groups("within_systems")
    systems = of_systems(of, items) if "systems" in judged.by else {}
    every = np.ones((1 + RESAMPLES, len(groups)))
    for scale, judged in of.scales.items():
        x, y = judged.scores, judged.ratings
        columns = {R: pearson(x, y, weights), TAU: within(x, y, judged.items, items)}
        if systems:
            of_each = [pearson(x[:, own], y[own], weights[:, own]) for own in groups]
            columns[SYSTEM] = mean(np.array(of_each))
            people = mean_ratings(judged, items)
            rho, pairs = coefficients.spearman_of_systems, coefficients.pairwise_accuracy
            columns[RHO] = [rho(systems[label], people, every) for label in of.labels]
            columns[PAIRS] = [pairs(systems[label], people, every) for label in of.labels]
        found[scale] = {
            name: dict(zip(of.labels, values, strict=True)) for name, values in columns.items()
        }
    return found


def drawn(size: int) -> Floats:
    """(1 + resamples, size) how often each unit counts, all once at first."""
    counts = [counts[""] for counts in draws.draw({"": size}, RESAMPLES, SEED)]
    return np.concatenate([np.ones((1, size)), *counts])


def of_systems(of: Rated, items: Floats) -> dict[str, Floats]:
    """Label → (1 + resamples, systems)."""
    return {
        label: resampling.sample_systems(of.judged, i).reduce({"items": items})["scores"]
        for i, label in enumerate(of.labels)
    }


def mean_ratings(judged: Judged, items: Floats) -> Floats:
    """(1 + resamples, systems)."""
    return resampling.sample_systems(judged, 0).reduce({"items": items})["ratings"]


def over_systems(of: Rated, labels: Iterable[str]) -> dict[str, Floats]:
    """ρ of systems if these are resampled."""
    every, systems = np.ones((1, of.judged.sizes["items"])), drawn(len(of.judged.names))
    people = np.broadcast_to(mean_ratings(of.judged, every), systems.shape)
    return {
        label: coefficients.spearman_of_systems(np.broadcast_to(z, systems.shape), people, systems)
        for label, z in of_systems(of, every).items()
        if label in labels
    }


def pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r of each row of scores: (labels, n), (n,), (m, n) → (labels, m)."""
    return np.stack([coefficients.pearson(scores, y, weights) for scores in x])


def mean(values: Floats) -> Floats:
    """Over the first axis, of those that are defined."""
    defined = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(defined, values, 0).sum(axis=0) / defined.sum(axis=0))


def within(x: Floats, y: Floats, items: Any, weights: Floats) -> Floats:
    """Kendall's τ-b within each item, averaged: (labels, n), (n,) → (labels, 1 + resamples)."""
    groups = resampling.split_rows(items)
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
        return np.asarray((weights @ np.where(defined, tau, 0).T / (weights @ defined.T)).T)


# Cells -------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """Two decimals, as correlations are written."""
    if not np.isfinite(value):
        return "–"
    text = f"{abs(round(value, 9)):.2f}".removeprefix("0")
    return f"−{text}" if value < 0 and text != ".00" else text


def interval(value: float, bounds: Iterable[float] | None) -> str:
    return number(value) + (f" [{', '.join(map(number, bounds))}]" if bounds else "")


def percentiles(values: Floats) -> list[float] | None:
    """95 % of the resamples that follow a value."""
    defined = values[1:][np.isfinite(values[1:])]
    return np.percentile(defined, [2.5, 97.5]).tolist() if len(defined) else None


def cell(found: Floats | str) -> str:
    return found if isinstance(found, str) else interval(found[0], percentiles(found))


def p_value(p: float) -> str:
    return "< .001" if p < 0.0005 else f"{round(p, 9):.3f}".removeprefix("0")


def grid(columns: Columns, labels: Iterable[str]) -> str:
    rows = [[label, *(cell(column[label]) for column in columns.values())] for label in labels]
    return table(["score", *columns], rows)


def score_rows(name: str, columns: Columns, labels: Iterable[str]) -> list[list[str]]:
    """The lines of docs/trust.csv: set, score, coefficient, value, low, high, note."""
    rows = []
    for label in labels:
        for title, column in columns.items():
            value, _, note = cell(column[label]).partition("; ")
            found = re.findall(r"−?\d?\.\d\d", value)
            numbers = [f"{float(one.replace('−', '-')):.2f}" for one in found]
            rows.append([name, label, title, *numbers, *[""] * (3 - len(numbers)), note])
    return rows


# Tables ------------------------------------------------------------------------------------------


def measure_all(data: Data) -> tuple[dict[str, str], list[list[str]]]:
    """Name → table; and the rows of docs/trust.csv."""
    scores = scorers()
    some = {label: scores[label] for label in LATER}
    rows = {title: read_set(data, title) for title in SETS}
    every, rows[PAST] = rows[PAST], without_controls(rows[PAST])
    rated = {
        title: rate(
            rows[title],
            of.scales,
            scores if title in FIRST_SETS else some,
            "as_given" if title == WIKIDA else "without_output",
        )
        for title, of in SETS.items()
    }
    found = {title: measure(of) for title, of in rated.items()}
    pairs = injected(data, scores)
    of_documents = {name_of(*one): outputs(found, *one) for one in (SIMPLICITY[-1], *MEANING[-2:])}
    by_output = {
        name_of(title, scale): outputs(found, title, scale)
        for title, scale in (*SIMPLICITY, *MEANING)
        if title in FIRST_SETS
    }
    past = found[PAST]["overall"]
    by_system = {
        "ρ": past[RHO],
        "ρ, systems resampled": over_systems(rated[PAST], SHOWN),
        "pairs": past[PAIRS],
    }
    tables = {
        "first": first_table(rows, found),
        "sets": sets(data, rows, rated),
        "reliability": reliability(rows),
        "later-systems": later_systems(rated, found),
        "documents": documents_table(of_documents, pairs),
        "documents-minus": documents_minus(of_documents),
        "systems": grid(by_system, SHOWN),
        "outputs": grid(by_output, SHOWN),
        "differences": differences(rows[PAST]),
        "copying": copying(
            rate(every, SETS[PAST].scales, {label: scores[label] for label in RANKING})
        ),
        "shorter": shorter(rows, rated, some),
        "readability-levels": readability_levels(found),
    }
    lines = []
    for title, own in found.items():
        for scale, columns in own.items():
            if title == DOCUMENTS:
                columns = {scale: columns[R]}
                if scale == "simplicity-overall":
                    columns[f"{scale}, within a source"] = own[scale][TAU]
            lines += score_rows(SETS[title].in_file(scale), columns, rated[title].labels)
    return tables, [*lines, *score_rows("injected", pairs, scores)]


def outputs(found: Mapping[str, Measured], title: str, scale: str) -> Mapping[str, Floats]:
    """r of outputs of a set, by label."""
    return found[title][scale][R]


def sets(data: Data, rows: Mapping[str, Rows], rated: Mapping[str, Rated]) -> str:
    """How many there are, and how far raters agree."""
    lines = []
    for title, of in SETS.items():
        if title in (TURK_LLMS, QUESTIONS):
            continue
        judged, column = rated[title].judged, next(iter(of.scales.values()))
        ratings = reading.matrix([row[column] for row in data.rows(f"ratings/{of.file}")], column)
        raters = int(np.median((~np.isnan(ratings)).sum(axis=1)))  # a few outputs have more
        agreement = people.rater_agreement(ratings)
        alpha = interval(agreement.alpha, agreement.interval) if agreement.interval else "–"
        systems = judged.sizes["systems"] if "systems" in judged.by else "–"
        sizes = [len(ratings), len(judged.ratings), judged.sizes["items"], systems]
        lines.append([title, *sizes, raters if raters > 1 else "their mean", alpha])
    heads = ["set", "rated", "used", "sources", "systems", "raters", "agreement of raters, α"]
    return table(heads, lines)


def mean_reliability(rows: Rows, column: str) -> float:
    """Of the mean of an output's raters, from α; NaN without several."""
    ratings = reading.matrix([row[column] for row in rows], column)
    raters = np.median((~np.isnan(ratings)).sum(axis=1))
    alpha = people.rater_agreement(ratings, confidence=None).alpha
    if alpha is None or alpha <= 0 or raters < 2:
        return float("nan")
    return float(raters * alpha / (1 + (raters - 1) * alpha))


def first_table(rows: Mapping[str, Rows], found: Mapping[str, Measured]) -> str:
    """The first page's: r of outputs on all sets, and what raters' reliability lets it be."""
    lines = []
    for title, scale in (*SIMPLICITY, *MEANING):
        of, r = SETS[title], outputs(found, title, scale)
        values = [number(r[label][0]) for label in FIRST.values()]
        reliability = mean_reliability(rows[title], of.scales[scale])
        limit = "–" if title == QUESTIONS else number(reliability**0.5)
        lines.append([name_of(title, scale), str(of.references), *values, limit])
    return table(["rated", "references", *FIRST, "ceiling"], lines)


def reliability(rows: Mapping[str, Rows]) -> str:
    scales = (*BOTH, "fluency")
    lines = [
        [title, *(number(mean_reliability(rows[title], scale)) for scale in scales)]
        for title in ("QuestEval", LLMS, SIMPDA)
    ]
    return table(["reliability of mean ratings", *scales], lines)


def later_systems(rated: Mapping[str, Rated], found: Mapping[str, Measured]) -> str:
    """ρ of systems and pairs in order, simplicity."""
    lines = []
    for title in SETS:
        if title not in (*FIRST_SETS, QUESTIONS):
            rho, pairs = (found[title]["simplicity"][name] for name in (RHO, PAIRS))
            cells = [f"{number(rho[x][0])}; {number(pairs[x][0])}" for x in FIRST.values()]
            lines.append([title, len(rated[title].judged.names), *cells])
    return table(["ρ; pairs, simplicity", "systems", *FIRST], lines)


def documents_table(ratings: Columns, pairs: Columns) -> str:
    """What scores of documents agree with."""
    labels = [EASSE, PRECISION, ALIGNED, ALIGNED_PRECISION, D_SARI, "`d_sari` corrected"]
    shares = {
        title: {label: of.partition(" ")[0] for label, of in column.items()}
        for title, column in pairs.items()
    }
    return grid({**ratings, **shares}, [*labels, F1, BLEU, LENGTH])


def documents_minus(ratings: Columns) -> str:
    asked = {
        "aligned − `easse`": (ALIGNED, EASSE),
        "both by precision": (ALIGNED_PRECISION, PRECISION),
        "aligned, precision − F1": (ALIGNED_PRECISION, ALIGNED),
        "aligned − `f1_token`": (ALIGNED, F1),
    }
    rows = [
        [title, *(cell(of[one] - of[other]) for one, other in asked.values())]
        for title, of in ratings.items()
    ]
    return table(["minus", *asked], rows)


def injected(data: Data, scores: Scorers) -> dict[str, dict[str, str]]:
    """Error → label → how often the text without errors scores higher."""
    columns = {}
    for error, title in ERRORS.items():
        rows = data.rows(f"ratings/injected_{error}")
        found = people.evaluate_pairs(rows, scores, references="as_given")
        columns[title] = {label: preference(of) for label, of in found.metrics.items()}
    return columns


def preference(found: people.Preference) -> str:
    tied = f"; {found.tied} tied" if found.tied else ""
    p = "" if found.p is None else f"; p {p_value(found.p)}"
    return f"{interval(found.share, found.interval)}{tied}{p}"


def differences(rows: Sequence[Mapping[str, Any]]) -> str:
    """Of what papers report, minus `easse`: intervals over both, and p-values of permutations."""
    found = people.evaluate(rows, COMPARED, rating="overall_z", baseline=EASSE, over="both")
    shown = {"systems": "spearman", "outputs": "pearson", "within_systems": "pearson"}
    lines = []
    for label, gaps in found.gaps.items():
        cells = []
        for level, name in shown.items():
            gap = gaps[level][name]
            cells += [interval(gap.value, gap.interval), p_value(gap.permutation_p_holm)]
        lines.append([label, *cells])
    heads = [RHO, "p of ρ", R, "p of r", SYSTEM, "p within"]
    return table(["minus `easse`", *heads], lines)


def copying(of: Rated) -> str:
    """Where copying, scrambled words and human writers stand among all systems."""
    every = np.ones((1, of.judged.sizes["items"]))
    scores = {"people": mean_ratings(of.judged, every)} | of_systems(of, every)

    def places(scores: Floats, systems: Iterable[str]) -> str:
        own = scores[[of.judged.names.index(system) for system in systems]]
        return ", ".join(str(1 + (scores > one + 1e-9).sum()) for one in sorted(own, reverse=True))

    heads = [*([name] for name in CONTROLS), HUMANS]
    rows = [[label, *(places(scores[label][0], systems) for systems in heads)] for label in scores]
    return table(["place among 24, by", "copying", "scrambled words", "the four people"], rows)


def shorter(rows: Mapping[str, Rows], rated: Mapping[str, Rated], scores: Scorers) -> str:
    """Whether z(aligned) − z(length) agrees with people, and what half of each source has by it."""
    both = {label: scores[label] for label in (ALIGNED, LENGTH)}
    lines = []
    for title, scale in SIMPLICITY:
        of = rated[title]
        judged = of.scales[scale]
        own = judged.scores[[of.labels.index(label) for label in both]]
        mean, spread = (moment(own, axis=1, keepdims=True) for moment in (np.mean, np.std))
        aligned, length = (own - mean) / spread
        r = [np.corrcoef(one, judged.ratings)[0, 1] for one in (aligned, aligned - length)]
        behind = "–"
        if "systems" in judged.by:
            systems = [(aligned - length)[rows].mean() for rows in judged.groups("within_systems")]
            halves = rate(half_of_sources(rows[title]), {"rating": "rating"}, both).judged.scores
            half = float(np.subtract(*(halves - mean) / spread).mean())
            behind = f"{sum(half > one for one in systems)} of {len(systems)}"
        lines.append([name_of(title, scale), *map(number, r), behind])
    return table(["simplicity, r", "aligned", "aligned − length", "systems behind half"], lines)


def readability_levels(found: Mapping[str, Measured]) -> str:
    """r of the readability level of outputs with simplicity."""
    columns = {name_of(*one): outputs(found, *one) for one in SIMPLICITY}
    rows = [[name, *(cell(r[label]) for label in LEVELS.values())] for name, r in columns.items()]
    return table(["simplicity, r", *LEVELS], rows)


def half_of_sources(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The first half of each source's words, as a system's outputs."""
    sources = {row["item"]: row for row in rows}
    halves = {item: row["source"].split() for item, row in sources.items()}
    return [
        {**row, "prediction": " ".join(halves[item][: len(halves[item]) // 2]), "rating": 0.0}
        for item, row in sources.items()
    ]


def side(data: Data, encoder: Metric) -> str:
    """Simplicity and meaning side by side: r of outputs."""
    scores: Scorers = {
        "recall": (encoder, "recall_to_source"),
        "Levenshtein": (SimplificationStats(), "levenshtein_similarity"),
    }
    heads, _, *lines = (
        [cell.strip("| ") for cell in row.split(" | ")]
        for row in pages.read("trust")["first"].splitlines()
    )
    first = {row[0]: dict(zip(heads, row, strict=True)) for row in lines}
    shown = []
    for title, scale in MEANING:
        rows = [
            {key: row[key] for key in row if key != "references"} for row in read_set(data, title)
        ]
        found = measure(rate(rows, {scale: SETS[title].scales[scale]}, scores))[scale][R]
        simplicity = first.get(f"{title}, simplicity", {})
        cells = [simplicity.get(score, "–") for score in ("aligned", "length")]
        cells += [cell(found["recall"]), number(found["Levenshtein"][0])]
        shown.append([title, *cells, first[name_of(title, scale)]["length"]])
    return table(["rated", "aligned", "length", *scores, "length, meaning"], shown)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write tables, or with ``--check`` compare them: 1 if some differ."""
    parser = pages.parser(__doc__)
    parser.add_argument("--model", metavar="ENCODER", help="the table side alone, by an encoder")
    options = parser.parse_args(arguments)
    if not (options.data / "ratings").is_dir():
        parser.error(f"expected ratings/*.jsonl in {options.data}, see docs/trust-details.md")
    if options.model:
        encoder = BertScore(model=options.model, layer=6, device="cpu")
        tables = {"side": side(Data(options.data), encoder)}
        return pages.write("trust", tables, {}, check=options.check)
    with cache_scope():  # every variant sees the same texts
        tables, lines = measure_all(Data(options.data))
    header = ["set", "score", "coefficient", "value", "low", "high", "note"]
    files = {SCORES: pages.as_csv(header, lines)}
    return pages.write("trust", tables, files, check=options.check)


if __name__ == "__main__":
    sys.exit(main())
