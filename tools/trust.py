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

import json
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
SIMPDA, LLMS, QUESTIONS = "SimpDA 2022", "LLMs", "questions on documents"
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


def read(data: Data, name: str) -> list[dict[str, Any]]:
    text = (data.folder / "ratings" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def read_past(data: Data) -> list[dict[str, Any]]:
    """The older half of SimpEval, with ASSET's references."""
    texts = data.test_set("asset_test")
    known = dict(zip(texts.sources, texts.references, strict=True))
    return [{**row, "references": known[row["source"]]} for row in read(data, "simpeval_past")]


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

OVERALL = {"overall": "overall_z"}
BOTH = {"simplicity": "simplicity", "meaning": "meaning"}
WIKIDA_SCALES = {scale: f"{scale}_z" for scale in (*BOTH, "fluency")}
OF_DOCUMENTS = ("simplicity-overall", "simplicity-word", "simplicity-sent", "meaning", "grammar")
DOCUMENT_SCALES = dict(zip(OF_DOCUMENTS, OF_DOCUMENTS, strict=True))
FILES = {  # set → file, and a column of it
    PAST: ("simpeval_past", "overall_z"),
    NEW: ("simpeval_2022", "overall_z"),
    WIKIDA: ("wikida", "simplicity_z"),
    DOCUMENTS: ("d_wikipedia", "simplicity-overall"),
    SIMPDA: ("simpda_2022", "simplicity"),
    "QuestEval": ("questeval", "simplicity"),
    "structural": ("structural", "structural"),
    LLMS: ("wu_asset", "simplicity"),
}


def later(data: Data) -> dict[str, tuple[list[dict[str, Any]], dict[str, str]]]:
    """Sets that came later: name → rows, and scale → column."""
    models, texts = read(data, "wu_asset"), data.test_set("turkcorpus_test")
    of_turk = dict(zip(texts.sources, texts.references, strict=True))
    with_turk = [
        {**row, "references": of_turk[row["source"]]} for row in models if row["source"] in of_turk
    ]
    rated_texts = [row for row in read(data, "qa") if row["prediction"] != row["source"]]
    return {
        "questeval": (read(data, "questeval"), BOTH),
        "structural": (read(data, "structural"), {"structural": "structural", **BOTH}),
        "llms": (models, BOTH),
        "llms-turkcorpus": (with_turk, {"simplicity": "simplicity"}),
        "simpda-2022": ([{"references": [], **row} for row in read(data, "simpda_2022")], BOTH),
        "qa": (rated_texts, {"answered": "correct"}),
    }


def measure_all(data: Data) -> tuple[dict[str, str], list[list[str]]]:
    """Name → table; and the rows of docs/trust.csv."""
    scores = scorers()
    some = {label: scores[label] for label in LATER}
    every = read_past(data)
    without_controls = [row for row in every if row["system"] not in CONTROLS]
    rated = {
        PAST: rate(without_controls, OVERALL, scores),
        NEW: rate(read(data, "simpeval_2022"), OVERALL, scores),
        WIKIDA: rate(read(data, "wikida"), WIKIDA_SCALES, scores, "as_given"),
        DOCUMENTS: rate(read(data, "d_wikipedia"), DOCUMENT_SCALES, scores),
    }
    of_later = later(data)
    rated |= {slug: rate(rows, scales, some) for slug, (rows, scales) in of_later.items()}
    found = {name: measure(of) for name, of in rated.items()}
    past, new, wikida, documents = (found[name] for name in (PAST, NEW, WIKIDA, DOCUMENTS))
    by_output = {
        PAST: past["overall"][R],
        NEW: new["overall"][R],
        **{f"{WIKIDA}, {scale}": wikida[scale][R] for scale in BOTH},
        f"{DOCUMENTS}, simplicity": documents["simplicity-overall"][R],
        f"{DOCUMENTS}, meaning": documents["meaning"][R],
    }
    by_system = {
        "ρ": past["overall"][RHO],
        "ρ, systems resampled": over_systems(rated[PAST], SHOWN),
        "pairs": past["overall"][PAIRS],
        f"pairs, {NEW}": new["overall"][PAIRS],
        f"pairs, {WIKIDA}": wikida["simplicity"][PAIRS],
    }
    of_documents = {title: of for title, of in by_output.items() if title.startswith(DOCUMENTS)}
    of_documents[QUESTIONS] = found["qa"]["answered"][R]
    pairs = injected(data, scores)
    slugs = {SIMPDA: "simpda-2022", "QuestEval": "questeval", LLMS: "llms"}
    by_set = {title: rated[slugs.get(title, title)] for title in FILES}
    tables = {
        "first": first_table(data, by_output, found),
        "sets": sets(data, by_set),
        "reliability": reliability(data),
        "later-systems": later_systems(rated, found),
        "documents": documents_table(of_documents, pairs),
        "documents-minus": documents_minus(of_documents),
        "systems": grid(by_system, SHOWN),
        "outputs": grid(by_output, SHOWN),
        "differences": differences(without_controls),
        "copying": copying(rate(every, OVERALL, {label: scores[label] for label in RANKING})),
        "shorter": shorter(data, rated, some),
        "readability-levels": readability_levels(found),
    }
    lines = score_rows("simpeval-past", past["overall"], scores)
    lines += score_rows("simpeval-2022", new["overall"], scores)
    for scale in WIKIDA_SCALES:
        lines += score_rows(f"wikida-{scale}", wikida[scale], scores)
    columns: dict[str, Any] = {scale: documents[scale][R] for scale in DOCUMENT_SCALES}
    columns["simplicity-overall, within a source"] = documents["simplicity-overall"][TAU]
    lines += score_rows("d-wikipedia", columns, scores)
    lines += score_rows("injected", pairs, scores)
    for slug in of_later:
        for scale, own in found[slug].items():
            lines += score_rows(f"{slug}-{scale}", own, some)
    return tables, lines


def sets(data: Data, used: Mapping[str, Rated]) -> str:
    """How many there are, and how far raters agree."""
    lines = []
    for name, (file, column) in FILES.items():
        rows, judged = read(data, file), used[name].judged
        ratings = reading.matrix([row[column] for row in rows], column)
        raters = int(np.median((~np.isnan(ratings)).sum(axis=1)))  # a few outputs have more
        agreement = people.rater_agreement(ratings)
        alpha = interval(agreement.alpha, agreement.interval) if agreement.interval else "–"
        systems = judged.sizes["systems"] if "systems" in judged.by else "–"
        sizes = [len(rows), len(judged.ratings), judged.sizes["items"], systems]
        lines.append([name, *sizes, raters if raters > 1 else "their mean", alpha])
    heads = ["set", "rated", "used", "sources", "systems", "raters", "agreement of raters, α"]
    return table(heads, lines)


def mean_reliability(rows: Iterable[Mapping[str, Any]], column: str) -> float:
    """Of the mean of an output's raters, from α; NaN without several."""
    rows = [row for row in rows if row.get("system") not in CONTROLS]
    ratings = reading.matrix([row[column] for row in rows], column)
    raters = np.median((~np.isnan(ratings)).sum(axis=1))
    alpha = people.rater_agreement(ratings, confidence=None).alpha
    if alpha is None or alpha <= 0 or raters < 2:
        return float("nan")
    return float(raters * alpha / (1 + (raters - 1) * alpha))


def first_table(data: Data, by_output: Columns, found: Mapping[str, Measured]) -> str:
    """The first page's: r of outputs on all sets, and what raters' reliability lets it be."""
    lines = []

    def add(title: str, references: str, r: Mapping[str, Floats], *rated: str) -> None:
        values = [number(r[label][0]) for label in FIRST.values()]
        file, column = rated or ("", "")
        limit = mean_reliability(read(data, file), column) ** 0.5 if file else float("nan")
        lines.append([title, references, *values, number(limit)])

    add(PAST, "10", by_output[PAST], *FILES[PAST])
    add(NEW, "1", by_output[NEW], *FILES[NEW])
    for scale in BOTH:
        of = {slug: found[slug][scale][R] for slug in found if scale in found[slug]}
        add(f"{SIMPDA}, {scale}", "1", of["simpda-2022"], "simpda_2022", scale)
        add(f"{WIKIDA}, {scale}", "10", of[WIKIDA])
        add(f"QuestEval, {scale}", "10", of["questeval"], "questeval", scale)
        add(f"structural, {scale}", "8", of["structural"])
        add(f"{LLMS}, {scale}", "10", of["llms"], "wu_asset", scale)
        if scale == "simplicity":
            turk, own = of["llms-turkcorpus"], found["structural"]["structural"][R]
            add(f"{LLMS}, TurkCorpus, {scale}", "8", turk, "wu_asset", scale)
            add("structural, structure", "8", own, "structural", "structural")
        column = "simplicity-overall" if scale == "simplicity" else scale
        add(f"{DOCUMENTS}, {scale}", "1", found[DOCUMENTS][column][R], "d_wikipedia", column)
    add(QUESTIONS, "1", found["qa"]["answered"][R])
    return table(["rated", "references", *FIRST, "ceiling"], lines)


def reliability(data: Data) -> str:
    rows = [
        [title, *(number(mean_reliability(read(data, FILES[title][0]), s)) for s in WIKIDA_SCALES)]
        for title in ("QuestEval", SIMPDA, LLMS)
    ]
    return table(["reliability of mean ratings", *WIKIDA_SCALES], rows)


def later_systems(rated: Mapping[str, Rated], found: Mapping[str, Measured]) -> str:
    """ρ of systems and pairs in order, simplicity."""
    slugs = {"structural": "structural", "QuestEval": "questeval", SIMPDA: "simpda-2022"}
    slugs |= {LLMS: "llms", f"{LLMS}, TurkCorpus": "llms-turkcorpus"}
    lines = []
    for title, slug in slugs.items():
        rho, pairs = (found[slug]["simplicity"][name] for name in (RHO, PAIRS))
        cells = [f"{number(rho[label][0])}; {number(pairs[label][0])}" for label in FIRST.values()]
        lines.append([title, len(rated[slug].judged.names), *cells])
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
        rows = read(data, f"injected_{error}")
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


SIMPLICITY = {
    PAST: (PAST, "overall"),
    NEW: (NEW, "overall"),
    SIMPDA: ("simpda-2022", "simplicity"),
    WIKIDA: (WIKIDA, "simplicity"),
    "QuestEval": ("questeval", "simplicity"),
    "structural": ("structural", "simplicity"),
    "structural, structure": ("structural", "structural"),
    LLMS: ("llms", "simplicity"),
    f"{LLMS}, TurkCorpus": ("llms-turkcorpus", "simplicity"),
    DOCUMENTS: (DOCUMENTS, "simplicity-overall"),
}
"""Set → its name among those rated, and the scale."""


def shorter(data: Data, rated: Mapping[str, Rated], scores: Scorers) -> str:
    """Whether z(aligned) − z(length) agrees with people, and what half of each source has by it."""
    both = {label: scores[label] for label in (ALIGNED, LENGTH)}
    every = {slug: rows for slug, (rows, _) in later(data).items()}
    every |= {name: read(data, FILES[name][0]) for name in (NEW, WIKIDA)}
    every[PAST] = read_past(data)
    lines = []
    for title, (slug, scale) in SIMPLICITY.items():
        of = rated[slug]
        judged = of.scales[scale]
        own = judged.scores[[of.labels.index(label) for label in both]]
        mean, spread = (moment(own, axis=1, keepdims=True) for moment in (np.mean, np.std))
        aligned, length = (own - mean) / spread
        r = [np.corrcoef(one, judged.ratings)[0, 1] for one in (aligned, aligned - length)]
        behind = "–"
        if "systems" in judged.by:
            systems = [(aligned - length)[rows].mean() for rows in judged.groups("within_systems")]
            halves = rate(half_of_sources(every[slug]), {"rating": "rating"}, both).judged.scores
            half = float(np.subtract(*(halves - mean) / spread).mean())
            behind = f"{sum(half > one for one in systems)} of {len(systems)}"
        lines.append([title, *map(number, r), behind])
    return table(["simplicity, r", "aligned", "aligned − length", "systems behind half"], lines)


def readability_levels(found: Mapping[str, Measured]) -> str:
    """r of the readability level of outputs with simplicity."""
    rows = [
        [title, *(cell(found[slug][scale][R][label]) for label in LEVELS.values())]
        for title, (slug, scale) in SIMPLICITY.items()
    ]
    return table(["simplicity, r", *LEVELS], rows)


def half_of_sources(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The first half of each source's words, as a system's outputs."""
    sources = {row["item"]: row for row in rows}
    halves = {item: row["source"].split() for item, row in sources.items()}
    return [
        {**row, "prediction": " ".join(halves[item][: len(halves[item]) // 2]), "rating": 0.0}
        for item, row in sources.items()
    ]


MEANING = {
    SIMPDA: ("simpda_2022", "meaning"),
    WIKIDA: ("wikida", "meaning"),
    "QuestEval": ("questeval", "meaning"),
    "structural": ("structural", "meaning"),
    LLMS: ("wu_asset", "meaning"),
    DOCUMENTS: ("d_wikipedia", "meaning"),
    QUESTIONS: ("qa", "correct"),
}
"""Set → its file and the column of its ratings."""


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
    for name, (file, column) in MEANING.items():
        rows = [
            {key: row[key] for key in row if key != "references"}
            for row in read(data, file)
            if name != QUESTIONS or row["prediction"] != row["source"]
        ]
        found = measure(rate(rows, {column: column}, scores))[column][R]
        simplicity = first.get(f"{name}, simplicity", {})
        meaning = first.get(f"{name}, meaning") or first[name]
        cells = [simplicity.get(score, "–") for score in ("aligned", "length")]
        cells += [cell(found["recall"]), number(found["Levenshtein"][0]), meaning["length"]]
        shown.append([name, *cells])
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
