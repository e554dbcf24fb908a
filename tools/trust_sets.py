"""Outputs that people rated, and their scores, for tools/trust.py.

``trust_sets.csv`` has a row for each scale on which a set's outputs are rated: the set, its file,
how many references a source has, the column of the ratings, the scale's name in docs/trust.csv and
in tables, and whether it is about simplicity or meaning in these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unittest import mock

import numpy as np
import pages
from pages import Data

import textsimp
from textsimp.core.declarations import SOURCES
from textsimp.core.metric import Floats, Metric, extra_required_columns
from textsimp.extensions import people
from textsimp.extensions.people.judgements import coefficients, resampling
from textsimp.extensions.people.judgements import numbers as reading
from textsimp.extensions.people.judgements.resampling import Judged
from textsimp.metrics import catalogue
from textsimp.metrics.sari import Sari

RESAMPLES, SEED = 1000, 0

Scorers = Mapping[str, tuple[Metric, str]]  # label → metric, and which of its scores
Drawn = Mapping[str, Floats]  # label → (1 + resamples,) a coefficient, and after it its resamples
Rows = Sequence[Mapping[str, Any]]

# Scores ------------------------------------------------------------------------------------------

MORE = (
    "easse, delete=precision",
    "easse_paper, delete=precision",
    "easse, lowercase=False",
    "easse, orders=existing",
    "xu, tokenizer=13a",
    *(f"{variant}, multi_reference=best" for variant in Sari.presets),
    "easse, level=aligned",
    "easse, level=aligned, delete=precision",
)
"""Further configurations of SARI."""
UNMEASURED = ("ter",)
"""It takes a third of a second for a document, ten times all others together."""
ADDING = ("penalties", "lexical_complexity", "dale_chall", "cefr")
"""Options that add scores and change none."""


def scorers() -> dict[str, tuple[Metric, str]]:
    """Every variant, and every score of the first.

    Of slow metrics that is the first variant only. Variants that lack the first score are left out.
    """
    found: dict[str, tuple[Metric, str]] = {}
    for name in catalogue.names():
        cls = catalogue.metric_class(name)
        if name in UNMEASURED or extra_required_columns(cls):
            continue  # the ratings have no such column
        key = cls.scores[0].key
        variants = {v: m for v, m in make_variants(cls).items() if key in m.score_names()}
        several = len(cls.presets) > 1 and (cls.slow or len(variants) > 1)
        compared = several or cls.scores[0].better != ""
        for variant, metric in variants.items() if compared else ():
            found[f"`{name}` {variant}" if several else f"`{name}`"] = (metric, key)
        for options in MORE if cls is Sari else ():
            found[f"`{name}` {options}"] = (textsimp.metric(f"{name}({options})"), key)
        first = next(iter(variants.values()))
        for score in cls.scores[1:] if compared else cls.scores:
            if not score.many and score.key in first.score_names([SOURCES.name]):
                found[f"`{name}`: {score.key}"] = (first, score.key)
    return found


def make_variants(cls: type[Metric]) -> dict[str, Metric]:
    """The variants of a metric, with options that add scores."""
    variants = {}
    for variant in [*cls.presets][: 1 if cls.slow else None]:
        more = {name: True for name in ADDING if cls.accepts(name, True, {"variant": variant})}
        variants[variant] = cls(variant, **more)
    return variants


# Ratings -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scale:
    """What a set's outputs are rated for: a row of ``trust_sets.csv``."""

    set: str
    file: str
    references: str
    column: str
    name: str
    title: str
    about: str


PAST, NEW, WIKIDA, DOCUMENTS = "SimpEval past", "SimpEval 2022", "WikiDA", "D-Wikipedia"
TURK_LLMS, QUESTIONS = "LLMs, TurkCorpus", "questions on documents"
SCALES = [Scale(**row) for row in pages.read_csv(pages.PROJECT / "tools" / "trust_sets.csv")]
SETS = {
    title: [scale for scale in SCALES if scale.set == title] for title in (s.set for s in SCALES)
}
SIMPLICITY = [scale for scale in SCALES if scale.about == "simplicity"]
MEANING = [scale for scale in SCALES if scale.about == "meaning"]


def read_set(data: Data, title: str) -> list[dict[str, Any]]:
    """The rows of a set, with references."""
    rows = data.rows(f"ratings/{SETS[title][0].file}")
    if title in (PAST, TURK_LLMS):
        texts = data.test_set("asset_test" if title == PAST else "turkcorpus_test")
        known = dict(zip(texts.sources, texts.references, strict=True))
        sources = [row for row in rows if row["source"] in known]
        return [{**row, "references": known[row["source"]]} for row in sources]
    if title == QUESTIONS:
        return [row for row in rows if row["prediction"] != row["source"]]
    return [{"references": [], **row} for row in rows]


def read_ratings(rows: Rows, column: str) -> tuple[Floats, int]:
    """(n, raters) ratings, and how many of them an output usually has."""
    ratings = reading.matrix([row[column] for row in rows], column)
    return ratings, int(np.median((~np.isnan(ratings)).sum(axis=1)))  # a few outputs have more


def mean_reliability(rows: Rows, column: str) -> float:
    """Of the mean of an output's raters, from α; NaN without several."""
    ratings, raters = read_ratings(rows, column)
    alpha = people.rater_agreement(ratings, confidence=None).alpha
    if alpha is None or alpha <= 0 or raters < 2:
        return float("nan")
    return float(raters * alpha / (1 + (raters - 1) * alpha))


# Measuring ---------------------------------------------------------------------------------------

R, TAU, SYSTEM = "outputs, r", "within a source, τ", "within a system, r"
RHO, PAIRS = "systems, ρ", "pairs of systems"
COEFFICIENTS = {
    "outputs": {"pearson": R},
    "within_items": {"kendall": TAU},
    "within_systems": {"pearson": SYSTEM},
    "systems": {"spearman": RHO, "accuracy": PAIRS},
}
"""Level → coefficient of `textsimp.meta` → its name here."""


@dataclass(frozen=True, eq=False)
class Rated:
    """Outputs with their scores, by label, and with their ratings, by column."""

    labels: list[str]
    columns: dict[str, Judged]

    @property
    def judged(self) -> Judged:
        """The outputs with the ratings of the first column."""
        return next(iter(self.columns.values()))

    def resample(self, column: str, level: str, kind: str = "items") -> dict[str, Drawn]:
        """The coefficients of a level as `textsimp.meta` has them."""
        judged, names = replace(self.columns[column], by=[level]), COEFFICIENTS[level]
        shown = {name: coefficients.OF_OUTPUTS[name] for name in names if level != "systems"}
        with (  # the other coefficients take many times as long
            mock.patch.dict(coefficients.OF_OUTPUTS, shown, clear=True),
            mock.patch.object(coefficients, "MAX_PAIRS", 0),
        ):
            sample = resampling.make_sample(judged)
            values = sample.value()
            drawn = sample.resample([kind], resamples=RESAMPLES, seed=SEED)
        found = {}
        for name, title in names.items():
            key = f"{level}.{name}"
            rows = np.concatenate([values[key][None], drawn[key]])
            found[title] = dict(zip(self.labels, rows.T, strict=True))
        return found

    def measure(self) -> dict[str, dict[str, Drawn]]:
        """How well scores agree with ratings: column → coefficient."""
        levels = [level for level in COEFFICIENTS if self.judged.names or "systems" not in level]
        found: dict[str, dict[str, Drawn]] = {column: {} for column in self.columns}
        for column, own in found.items():
            for level in levels:
                own |= self.resample(column, level)
        return found


def rate(
    rows: Rows, columns: Iterable[str], scores: Scorers, references: Any = "without_output"
) -> Rated:
    """Score rows as `textsimp.meta` does; ``columns`` are of ratings."""
    first, *others = columns
    means = {name: reading.means(read_ratings(rows, name)[0]).tolist() for name in (first, *others)}
    found = people.evaluate(
        [{**row, **{name: own[i] for name, own in means.items()}} for i, row in enumerate(rows)],
        scores,
        rating=first,
        score_columns=others,
        references=references,
        levels="outputs",
        confidence=None,
    ).judged
    own, more = np.split(found.scores, [len(scores)])
    judged = replace(found, scores=own)
    ratings = dict(zip(means, [judged.ratings, *more], strict=True))
    return Rated([*scores], {name: replace(judged, ratings=of) for name, of in ratings.items()})
