"""How well scores agree with people: the tables of docs/trust*.md, and docs/trust.csv.

    python tools/trust.py --data FOLDER            measures and writes
    python tools/trust.py --data FOLDER --check    says what isn't what is measured
    python tools/trust.py --data FOLDER --model ENCODER    the table ``side`` alone

FOLDER holds ``ratings/*.jsonl`` and the test sets ``asset_test`` and ``turkcorpus_test``. People's
ratings aren't redistributed here; docs/trust-details.md says from where to fetch them, and their
columns. ENCODER is a folder with all-MiniLM-L6-v2; it needs the extra models.

``trust_sets.csv`` lists the sets and their scales. In a page a table stands between ``<!-- trust:
NAME -->`` and ``<!-- /trust -->``; docs/trust.csv has all scores of a set. Tables of other names
are of commit 85f947d0.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pages
import trust_sets
from pages import Data, table
from trust_sets import MEANING, PAIRS, PAST, RHO, SETS, SIMPLICITY, SYSTEM, TAU, Drawn, R, Scale

from textsimp.core.intervals import percentiles
from textsimp.core.metric import Floats, Metric
from textsimp.extensions import people
from textsimp.extensions.models.bertscore import BertScore
from textsimp.extensions.people.judgements import resampling
from textsimp.metrics.simplification_stats import SimplificationStats
from textsimp.text.functions import cache_scope

SCORES = pages.PROJECT / "docs" / "trust.csv"
TABLES = pages.Tables()

# Names in the tables ------------------------------------------------------------------------------

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
EASSE, PRECISION, HUB = "`sari` easse", "`sari` easse, delete=precision", "`sari` huggingface"
XU, BLEU, BEST = "`sari` xu", "`bleu` sacrebleu", "`sari` easse, multi_reference=best"
ALIGNED = "`sari` easse, level=aligned"
ALIGNED_PRECISION = f"{ALIGNED}, delete=precision"
DELETE, D_SARI, F1 = "`sari`: delete", "`d_sari` sun", "`f1_token`"
D_SARI_CORRECTED = "`d_sari` corrected"
LENGTH = "`simplification_stats`: compression_ratio"
LEVENSHTEIN = "`simplification_stats`: levenshtein_similarity"
FKGL = "`fkgl_components` default"
FIRST = {
    "`easse`": EASSE,
    "best reference": BEST,
    "aligned": ALIGNED,
    "BLEU": BLEU,
    "length": LENGTH,
}
"""Columns of the first page's table."""
LEVELS = {
    "level": "`readability`: level",
    "level gain": "`readability`: level_gain",
    "Flesch reading ease": "`readability`: flesch_reading_ease",
}
COMPARED = (EASSE, PRECISION, XU, HUB, BLEU, BEST)
"""What papers report, and is looked at more closely."""
RANKING = (EASSE, XU, HUB, BEST, DELETE, D_SARI, F1, BLEU)
SHOWN = (*RANKING, FKGL, LEVENSHTEIN)
"""Rows of the pages' tables; docs/trust.csv has all."""
FIRST_SETS = (PAST, trust_sets.NEW, trust_sets.WIKIDA, trust_sets.DOCUMENTS)
"""Sets with all scores."""
LATER = (
    *dict.fromkeys((*FIRST.values(), EASSE, PRECISION, XU, HUB, BLEU, ALIGNED_PRECISION, DELETE)),
    *(D_SARI, D_SARI_CORRECTED, F1, "`split_f1`", FKGL, LEVENSHTEIN, "`edit_ops` paper"),
    *(*LEVELS.values(), "`word_difficulty`: mean_zipf"),
)
"""Scores on the other sets."""

# Cells -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Estimate:
    """A number with the ends of its interval, as tables show it."""

    value: float
    interval: Sequence[float] | None = None
    note: str = ""

    @classmethod
    def of(cls, drawn: Floats) -> Estimate:
        """A value, with 95 % of the resamples that follow it."""
        return cls(drawn[0], percentiles(drawn[1:], 0.95))

    def __str__(self) -> str:
        ends = f" [{', '.join(map(number, self.interval))}]" if self.interval else ""
        return number(self.value) + ends


Columns = Mapping[str, Mapping[str, Estimate]]  # title → label


def estimate(column: Drawn) -> dict[str, Estimate]:
    return {label: Estimate.of(drawn) for label, drawn in column.items()}


def decimals(value: float) -> str:
    """Two decimals; nothing of what is undefined."""
    return f"{round(value, 9):.2f}".replace("-0.00", "0.00") if np.isfinite(value) else ""


def number(value: float) -> str:
    """Two decimals, as correlations are written."""
    return decimals(value).replace("-", "−").replace("0.", ".") or "–"


def p_value(p: float) -> str:
    return "< .001" if p < 0.0005 else f"{round(p, 9):.3f}".removeprefix("0")


def grid(columns: Columns, labels: Iterable[str]) -> str:
    rows = [[label, *(str(column[label]) for column in columns.values())] for label in labels]
    return table(["score", *columns], rows)


def score_rows(name: str, columns: Columns, labels: Iterable[str]) -> list[list[str]]:
    """The lines of docs/trust.csv: set, score, coefficient, value, low, high, note."""
    rows = []
    for label in labels:
        for title, column in columns.items():
            found = column[label]
            ends = [decimals(end) for end in found.interval] if found.interval else ["", ""]
            rows.append([name, label, title, decimals(found.value), *ends, found.note])
    return rows


# What is measured --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Study:
    """All that tables show, by set."""

    data: Data
    scores: trust_sets.Scorers
    rows: Mapping[str, trust_sets.Rows]
    rated: Mapping[str, trust_sets.Rated]
    measured: Mapping[str, Mapping[str, Mapping[str, Drawn]]]  # set → column → coefficient
    injected: Columns  # error → label → how often the text without errors scores higher

    def r(self, scale: Scale) -> Drawn:
        """r of outputs."""
        return self.measured[scale.set][scale.column][R]


def conduct(data: Data) -> Study:
    """Score all sets, and measure how well scores agree with people."""
    scores = trust_sets.scorers()
    later = {label: scores[label] for label in LATER}
    rows: dict[str, trust_sets.Rows] = {title: trust_sets.read_set(data, title) for title in SETS}
    rows[PAST] = [row for row in rows[PAST] if row["system"] not in CONTROLS]
    rated = {}
    for title, scales in SETS.items():
        rated[title] = trust_sets.rate(
            rows[title],
            [scale.column for scale in scales],
            scores if title in FIRST_SETS else later,
            "as_given" if title == trust_sets.WIKIDA else "without_output",
        )
    measured = {title: of.measure() for title, of in rated.items()}
    return Study(data, scores, rows, rated, measured, inject(data, scores))


def inject(data: Data, scores: trust_sets.Scorers) -> dict[str, dict[str, Estimate]]:
    columns: dict[str, dict[str, Estimate]] = {}
    for error, title in ERRORS.items():
        rows = data.rows(f"ratings/injected_{error}")
        found = people.evaluate_pairs(rows, scores, references="as_given").metrics
        columns[title] = {}
        for label, of in found.items():
            notes = [f"{of.tied} tied"] if of.tied else []
            notes += [] if of.p is None else [f"p {p_value(of.p)}"]
            columns[title][label] = Estimate(of.share, of.interval, "; ".join(notes))
    return columns


def csv_rows(study: Study) -> list[list[str]]:
    """The rows of docs/trust.csv."""
    lines = []
    for scale in trust_sets.SCALES:
        measured = study.measured[scale.set][scale.column]
        columns = {name: estimate(column) for name, column in measured.items()}
        if scale.set == trust_sets.DOCUMENTS:
            within = {f"{scale.column}, within a source": columns[TAU]}
            columns = {scale.column: columns[R]} | (within if scale in SIMPLICITY else {})
        lines += score_rows(scale.name, columns, study.rated[scale.set].labels)
    return [*lines, *score_rows("injected", study.injected, study.scores)]


# Tables ------------------------------------------------------------------------------------------


@TABLES
def first(study: Study) -> str:
    """The first page's: r of outputs on all sets, and what raters' reliability lets it be."""
    lines = []
    for scale in (*SIMPLICITY, *MEANING):
        values = [number(study.r(scale)[label][0]) for label in FIRST.values()]
        limit = trust_sets.mean_reliability(study.rows[scale.set], scale.column) ** 0.5
        ceiling = "–" if scale.set == trust_sets.QUESTIONS else number(limit)
        lines.append([scale.title, scale.references, *values, ceiling])
    return table(["rated", "references", *FIRST, "ceiling"], lines)


@TABLES
def sets(study: Study) -> str:
    """How many there are, and how far raters agree."""
    lines = []
    for title, (scale, *_) in SETS.items():
        if title in (trust_sets.TURK_LLMS, trust_sets.QUESTIONS):
            continue
        judged = study.rated[title].judged
        rows = study.data.rows(f"ratings/{scale.file}")
        ratings, raters = trust_sets.read_ratings(rows, scale.column)
        found = people.rater_agreement(ratings)
        alpha = str(Estimate(found.alpha, found.interval)) if found.interval else "–"
        sizes = [len(ratings), len(judged.ratings), judged.sizes["items"]]
        number_of = [len(judged.names) or "–", raters if raters > 1 else "their mean"]
        lines.append([title, *sizes, *number_of, alpha])
    heads = ["set", "rated", "used", "sources", "systems", "raters", "agreement of raters, α"]
    return table(heads, lines)


@TABLES
def reliability(study: Study) -> str:
    scales = ("simplicity", "meaning", "fluency")
    lines = [
        [
            title,
            *(number(trust_sets.mean_reliability(study.rows[title], scale)) for scale in scales),
        ]
        for title in ("QuestEval", "LLMs", "SimpDA 2022")
    ]
    return table(["reliability of mean ratings", *scales], lines)


@TABLES
def later_systems(study: Study) -> str:
    """ρ of systems and pairs in order, simplicity."""
    lines = []
    for title in SETS:
        if title not in (*FIRST_SETS, trust_sets.QUESTIONS):
            rho, pairs = (study.measured[title]["simplicity"][name] for name in (RHO, PAIRS))
            cells = [f"{number(rho[x][0])}; {number(pairs[x][0])}" for x in FIRST.values()]
            lines.append([title, len(study.rated[title].judged.names), *cells])
    return table(["ρ; pairs, simplicity", "systems", *FIRST], lines)


OF_DOCUMENTS = (SIMPLICITY[-1], *MEANING[-2:])


@TABLES
def documents(study: Study) -> str:
    """What scores of documents agree with."""
    columns = {scale.title: estimate(study.r(scale)) for scale in OF_DOCUMENTS}
    for title, column in study.injected.items():
        columns[title] = {label: Estimate(found.value) for label, found in column.items()}
    labels = [EASSE, PRECISION, ALIGNED, ALIGNED_PRECISION, D_SARI, D_SARI_CORRECTED]
    return grid(columns, [*labels, F1, BLEU, LENGTH])


@TABLES
def documents_minus(study: Study) -> str:
    asked = {
        "aligned − `easse`": (ALIGNED, EASSE),
        "both by precision": (ALIGNED_PRECISION, PRECISION),
        "aligned, precision − F1": (ALIGNED_PRECISION, ALIGNED),
        "aligned − `f1_token`": (ALIGNED, F1),
    }
    lines = []
    for scale in OF_DOCUMENTS:
        r = study.r(scale)
        gaps = [Estimate.of(r[one] - r[other]) for one, other in asked.values()]
        lines.append([scale.title, *map(str, gaps)])
    return table(["minus", *asked], lines)


@TABLES
def systems(study: Study) -> str:
    past, rated = study.measured[PAST]["overall_z"], study.rated[PAST]
    resampled = rated.resample("overall_z", "systems", "systems")
    columns = {"ρ": past[RHO], "ρ, systems resampled": resampled[RHO], "pairs": past[PAIRS]}
    return grid({title: estimate(column) for title, column in columns.items()}, SHOWN)


@TABLES
def outputs(study: Study) -> str:
    scales = [scale for scale in (*SIMPLICITY, *MEANING) if scale.set in FIRST_SETS]
    return grid({scale.title: estimate(study.r(scale)) for scale in scales}, SHOWN)


@TABLES
def differences(study: Study) -> str:
    """Of what papers report, minus `easse`: intervals over both, and p-values of permutations."""
    metrics = {label: study.scores[label] for label in COMPARED}
    rows = [*study.rows[PAST]]
    found = people.evaluate(rows, metrics, rating="overall_z", baseline=EASSE, over="both")
    shown = {"systems": "spearman", "outputs": "pearson", "within_systems": "pearson"}
    lines = []
    for label, gaps in found.gaps.items():
        cells = []
        for level, name in shown.items():
            gap = gaps[level][name]
            cells += [str(Estimate(gap.value, gap.interval)), p_value(gap.permutation_p_holm)]
        lines.append([label, *cells])
    heads = [RHO, "p of ρ", R, "p of r", SYSTEM, "p within"]
    return table(["minus `easse`", *heads], lines)


@TABLES
def copying(study: Study) -> str:
    """Where copying, scrambled words and human writers stand among all systems."""
    scores = {label: study.scores[label] for label in RANKING}
    judged = trust_sets.rate(trust_sets.read_set(study.data, PAST), ["overall_z"], scores).judged

    def places(means: Floats) -> list[str]:
        cells = []
        for names in (*([name] for name in CONTROLS), HUMANS):
            own = sorted(means[[judged.names.index(name) for name in names]], reverse=True)
            cells.append(", ".join(str(1 + (means > one + 1e-9).sum()) for one in own))
        return cells

    means = [resampling.columns_of(judged, "systems", i) for i in range(len(scores))]
    lines = [["people", *places(means[0][1])]]
    lines += [[label, *places(own)] for label, (own, _) in zip(scores, means, strict=True)]
    return table(["place among 24, by", "copying", "scrambled words", "the four people"], lines)


@TABLES
def shorter(study: Study) -> str:
    """Whether z(aligned) − z(length) agrees with people, and what half of each source has by it."""
    both = {label: study.scores[label] for label in (ALIGNED, LENGTH)}
    lines = []
    for scale in SIMPLICITY:
        rated = study.rated[scale.set]
        judged = rated.columns[scale.column]
        own = judged.scores[[rated.labels.index(label) for label in both]]
        mean, spread = own.mean(axis=1, keepdims=True), own.std(axis=1, keepdims=True)
        aligned, length = (own - mean) / spread
        r = [np.corrcoef(one, judged.ratings)[0, 1] for one in (aligned, aligned - length)]
        behind = "–"
        if judged.names:
            systems = [(aligned - length)[rows].mean() for rows in judged.groups("within_systems")]
            halves = trust_sets.rate(half_of_sources(study.rows[scale.set]), ["rating"], both)
            half = float(np.subtract(*(halves.judged.scores - mean) / spread).mean())
            behind = f"{sum(half > one for one in systems)} of {len(systems)}"
        lines.append([scale.title, *map(number, r), behind])
    return table(["simplicity, r", "aligned", "aligned − length", "systems behind half"], lines)


def half_of_sources(rows: trust_sets.Rows) -> list[dict[str, object]]:
    """The first half of each source's words, as a system's outputs."""
    halves = []
    for row in {row["item"]: row for row in rows}.values():
        words = row["source"].split()
        halves.append({**row, "prediction": " ".join(words[: len(words) // 2]), "rating": 0.0})
    return halves


@TABLES
def readability_levels(study: Study) -> str:
    """r of the readability level of outputs with simplicity."""
    lines = []
    for scale in SIMPLICITY:
        r = study.r(scale)
        lines.append([scale.title, *(str(Estimate.of(r[label])) for label in LEVELS.values())])
    return table(["simplicity, r", *LEVELS], lines)


def side(data: Data, encoder: Metric) -> str:
    """Simplicity and meaning side by side: r of outputs."""
    scores: trust_sets.Scorers = {
        "recall": (encoder, "recall_to_source"),
        "Levenshtein": (SimplificationStats(), "levenshtein_similarity"),
    }
    heads, _, *rows = (
        [cell.strip("| ") for cell in row.split(" | ")]
        for row in pages.read("trust")["first"].splitlines()
    )
    shown = {row[0]: dict(zip(heads, row, strict=True)) for row in rows}
    lines = []
    for scale in MEANING:
        texts = [{**row, "references": []} for row in trust_sets.read_set(data, scale.set)]
        rated = trust_sets.rate(texts, [scale.column], scores)
        found = estimate(rated.resample(scale.column, "outputs")[R])
        simplicity = shown.get(f"{scale.set}, simplicity", {})
        cells = [simplicity.get(score, "–") for score in ("aligned", "length")]
        cells += [str(found["recall"]), number(found["Levenshtein"].value)]
        lines.append([scale.title, *cells, shown[scale.title]["length"]])
    return table(["rated", "aligned", "length", *scores, "length, meaning"], lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write tables, or with ``--check`` compare them: 1 if some differ."""
    parser = pages.parser(__doc__)
    parser.add_argument("--model", metavar="ENCODER", help="the table side alone, by an encoder")
    options = parser.parse_args(arguments)
    data = Data(options.data)
    if not (options.data / "ratings").is_dir():
        parser.error(f"expected ratings/*.jsonl in {options.data}, see docs/trust-details.md")
    if options.model:
        encoder = BertScore(model=options.model, layer=6, device="cpu")
        return pages.write("trust", {"side": side(data, encoder)}, check=options.check)
    with cache_scope():  # every variant sees the same texts
        study = conduct(data)
        tables = TABLES.fill(study)
    header = ["set", "score", "coefficient", "value", "low", "high", "note"]
    files = {SCORES: pages.as_csv(header, csv_rows(study))}
    return pages.write("trust", tables, files, check=options.check)


if __name__ == "__main__":
    sys.exit(main())
