"""Published numbers: the tables of docs/published.md, and what published outputs show.

    python tools/published.py            writes what stands between marks, and the field's scores
    python tools/published.py --check    names what differs

The tables follow from ``textsimp/scoring/published.csv``, which is written by hand: a row per
printed number. ``--data FOLDER``, by default ``../shared/data`` beside the project, has test sets
and published outputs, which can't be redistributed; without it only these tables are written.

In a page a table stands between ``<!-- published: NAME -->`` and ``<!-- /published -->``.
"""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pages
from pages import Data, TestSet

from textsimp.core.examples import ScriptWarning
from textsimp.core.metric import Metric
from textsimp.extensions.people.judgements import coefficients
from textsimp.metrics import catalogue
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari
from textsimp.scoring import published

TURK = "TurkCorpus, legacy"
FOLDERS = {"ASSET": "asset_test", "TurkCorpus": "turkcorpus_test", TURK: "turkcorpus_test_legacy"}
STAR, EIGHT = "sari:variant=star", "sari:variant=easse_legacy"
MUSS = "MUSS, WikiLarge + mined"
LEFT_OUT = 42
"""Numbers that are quoted from memory, in no paper or table at hand: the page lists them."""


# Tables of the file ------------------------------------------------------------------------------


class Printed(SimpleNamespace):
    """A row of the file, whose fields are its columns."""

    @property
    def family(self) -> str:
        return published.family(vars(self)).get("formula", "")

    @property
    def values(self) -> tuple[float, float]:
        """What is printed, and the default's."""
        return float(self.printed), float(self.default)


def printed() -> list[Printed]:
    return [Printed(**row) for row in published.table("published")]


def rows(metric: str, family: str = "", *, equal: bool = True) -> list[Printed]:
    """Printed scores of a metric and family, those reproduced or the others."""
    return [
        row
        for row in printed()
        if row.metric == metric and row.family == family and (row.equal != "no") == equal
    ]


def table(chosen: Sequence[Printed], *, formula: bool = False) -> str:
    """Printed scores, by test set and paper."""
    header = ["test set", "system", "paper", "printed", *(["by"] if formula else []), "default"]
    lines = []
    for row in sorted(chosen, key=lambda row: row.test_set):
        system = f"{row.system} ({row.note})" if row.note else row.system
        how = [by(row)] if formula else []
        lines.append([row.test_set, system, row.paper, row.printed, *how, row.default])
    return pages.table(header, lines)


def by(row: Printed) -> str:
    """The formula, with the nearest value if it isn't the printed one."""
    known = row.formula.split(":")[0] in catalogue.all_names()
    words = [f"`{row.formula}`" if known else row.formula]
    words += [f"after {row.prepared}"] if row.prepared else []
    words += ["cut"] if row.equal == "cut" else []
    return ", ".join(words) + (f": {float(row.value):.2f}" if row.equal == "no" else "")


def families() -> str:
    lines = []
    for row in published.table("formulas"):
        formula, title = row["formula"], row["name"]
        equal = rows("SARI", formula)
        papers = list(dict.fromkeys(row.paper for row in equal))
        sets = list(dict.fromkeys(row.test_set for row in equal))
        total = len(equal) + len(rows("SARI", formula, equal=False))
        counts = f"{len(equal)} of {total}"
        lines.append([title, f"`{formula}`", "; ".join(papers), "; ".join(sets), counts])
    return pages.table(["SARI", "", "printed by", "on", "equal"], lines)


def count() -> str:
    every = printed()
    equal = [row for row in every if row.equal != "no"]
    cut = sum(row.equal == "cut" for row in equal)
    header = ["printed", "papers", "reproduced", "of these cut", "left out"]
    row = [len(every), len({row.paper for row in every}), len(equal), cut, LEFT_OUT]
    return pages.table(header, [row])


def not_reproduced() -> str:
    chosen = [row for row in printed() if row.equal == "no"]
    header = ["test set", "system", "paper", "printed", "the nearest", "default"]
    lines = [
        [row.test_set, row.system, row.paper, f"{row.metric} {row.printed}", by(row), row.default]
        for row in chosen
    ]
    noted = [f"- {row.system} ({row.paper}): {row.note}." for row in chosen if row.note]
    return "\n".join([pages.table(header, lines), "", *dict.fromkeys(noted)])


def scorers() -> str:
    """How EASSE's default differs from what is printed, and in which order the systems are."""
    star = [row for row in rows("SARI", STAR) if row.paper != "Kumar et al. 2020"]
    of_2017 = "Zhang & Lapata 2017"
    chosen = {
        test_set: [*{row.system: row for row in star if row.test_set == test_set}.values()]
        for test_set in ("Newsela", "WikiSmall")
    }
    chosen |= {
        "all by STAR": rows("SARI", STAR),
        "TurkCorpus by STAR": rows("SARI", EIGHT),
        f"TurkCorpus, {of_2017}": [row for row in rows("SARI", EIGHT) if row.paper == of_2017],
    }
    lines = []
    for what, own in chosen.items():
        x, y = np.array([row.values for row in own]).T
        (tau,) = coefficients.kendall(x, y, np.ones((1, len(own))))
        lines.append([what, len(own), min(y - x), max(y - x), tau])
    return pages.table(["default − printed", "scores", "from", "to", "Kendall's τ"], lines)


# What outputs show -------------------------------------------------------------------------------


Outputs = dict[str, list[list[str]]]  # system → outputs of each run


@functools.cache
def field(data: Data) -> dict[str, tuple[TestSet, Outputs]]:
    """Test set → its texts, and the published outputs that are at hand."""
    sets = {name: data.test_set(folder) for name, folder in FOLDERS.items()}
    sets[TURK] = replace(sets[TURK], systems=data.outputs(f"published/{FOLDERS[TURK]}/*.txt"))
    sets["WikiSmall"] = data.parallel("published/wikismall")
    found = {
        name: (tests, {system: [texts] for system, texts in tests.systems.items()})
        for name, tests in sets.items()
    }
    of_asset = found["ASSET"][1]
    of_asset[MUSS] = [*data.outputs("published/muss_asset/*.txt").values()]
    for name, texts in data.outputs("bless/systems/*.txt").items():
        if not name.startswith("muss"):
            of_asset[name] = [texts]
    return found


def runs(data: Data, row: Printed) -> tuple[TestSet, list[list[str]]] | None:
    """The test set of a printed score, and the outputs of each run; None if they aren't at hand."""
    if row.test_set not in field(data) or "cocoxu" in row.outputs:
        return None
    tests, systems = field(data)[row.test_set]
    return (tests, systems[row.system]) if row.system in systems else None


def score(metric: Metric, tests: TestSet, outputs: Sequence[Sequence[str]]) -> float:
    """The mean of the main scores of runs."""
    values = [
        metric.score(sources=tests.sources, references=tests.references, predictions=[*texts])
        for texts in outputs
    ]
    return sum(value.main.value for value in values) / len(values)


def metric_of(formula: str) -> Metric | None:
    """The metric of a formula as -m takes it; None for other programs."""
    if formula.split(":")[0] not in catalogue.all_names():
        return None
    (metric,) = catalogue.make_metrics(formula, "-m").values()
    return metric


def nothing(data: Data) -> str:
    """STAR of texts that aren't simplifications, on WikiSmall."""
    tests = data.parallel("published/wikismall")
    texts = {
        "an empty text": [""] * len(tests.sources),
        "the word *the*": ["the"] * len(tests.sources),
        "the reference": [row[0] for row in tests.references],
    }
    scores = [[name, score(Sari("star"), tests, [rows])] for name, rows in texts.items()]
    return pages.table(["WikiSmall", "STAR"], scores)


def readme(data: Data) -> str:
    tests = data.parallel("published/wikismall")
    empty = [score(Sari(v), tests, [[""] * len(tests.sources)]) for v in ("star", "easse")]
    chosen = [
        row
        for row in rows("SARI", STAR)
        if row.test_set == "WikiSmall" and row.paper == "Zhang & Lapata 2017"
    ]
    (dress,) = (row for row in chosen if row.system == "Dress")
    best = max(chosen, key=lambda row: row.values)
    lines = [
        ["Dress", *dress.values],
        [f"{best.system}, the best of five", *best.values],
        ["an empty text", f"**{empty[0]:.2f}**", empty[1]],
    ]
    return pages.table(["WikiSmall", "SARI in 2017", "SARI today"], lines)


def one_output(data: Data) -> str:
    new, asset = data.test_set("turkcorpus_test"), data.test_set("asset_test")
    old, outputs = field(data)[TURK]
    cased, lower = (Sari("easse_legacy", lowercase=lower) for lower in (False, True))
    lines = [
        ["UNTS, `easse_legacy`", score(cased, old, outputs["UNTS"])],
        ["UNTS, lowercased first", score(lower, old, outputs["UNTS"])],
        ["ACCESS, tokenised TurkCorpus", score(Sari(), old, outputs["ACCESS"])],
        ["ACCESS, the other TurkCorpus", new.score(Sari(), "ACCESS")["sari"]],
        ["copied sources of ASSET, `easse_legacy`", asset.score(Sari("easse_legacy"))["sari"]],
        ["copied sources of ASSET, default", asset.score(Sari())["sari"]],
    ]
    return pages.table(["one output", "SARI"], lines)


def grade_levels(data: Data) -> str:
    tests, outputs = field(data)[TURK]
    metrics = (FkglComponents(), FkglComponents("easse"))
    lines = [
        [name, *(score(metric, tests, outputs[name]) for metric in metrics)]
        for name in ("ACCESS", "Dress-Ls")
    ]
    return pages.table(["TurkCorpus, tokenised", "FKGL by default", "EASSE's"], lines)


# The field's scores ------------------------------------------------------------------------------

SCORING = pages.PROJECT / "textsimp" / "scoring"
FIELD, TEST_SETS = SCORING / "field.csv", SCORING / "test_sets.csv"
SCORED = ("sari", EIGHT, "sari:variant=xu", "sari:variant=huggingface", STAR)
SCORED += ("bleu", "bleu:lowercase=False", "fkgl_components", "fkgl_components:variant=easse")
AUTHORS = {
    **dict.fromkeys(("Dress", "Dress-Ls", "EncDecA"), "Zhang & Lapata 2017"),
    **dict.fromkeys(("UNTS", "UNTS_10K"), "Surya et al. 2019"),
    "ACCESS": "Martin et al. 2019",
    "DMASS-DCSS": "Zhao et al. 2018",
    "Hybrid": "Narayan & Gardent 2014",
    "PBMT-R": "Wubben et al. 2012",
    "SBMT-SARI": "Xu et al. 2016",
    "EditNTS": "Dong et al. 2019",
}
NO_SYSTEMS = ("Normal Wikipedia", "Mechanical Turk")


def scored(metric: Metric, tests: TestSet, outputs: list[list[str]]) -> list[float]:
    """The mean main score of runs, and its bootstrap interval."""
    columns = {"sources": tests.sources, "references": tests.references}
    options = {"confidence": 0.95, "resamples": 1000}
    if len(outputs) == 1:
        main = metric.score(predictions=outputs[0], **columns, **options).main
        return [main.value, *main.interval]
    key, draws = metric.scores[0].key, np.random.default_rng(0)
    rows = draws.integers(len(tests.sources), size=(1000, len(tests.sources)))
    values, resampled = [], []
    for texts in outputs:
        known = {c.name for c in metric.columns}
        given = {n: c for n, c in (columns | {"predictions": texts}).items() if n in known}
        (counts,) = metric.compute_statistics(metric.check(**given)).values()
        values.append(float(metric.reduce(counts.sum(axis=0))[key]))
        totals = np.stack([counts[drawn].sum(axis=0) for drawn in rows])
        resampled.append(metric.reduce(totals)[key])
    low, high = np.percentile(np.mean(resampled, axis=0), [2.5, 97.5])
    return [sum(values) / len(values), float(low), float(high)]


def field_files(data: Data) -> dict[Path, str]:
    """field.csv and test_sets.csv."""
    found, sets = [], []
    metrics = [one for one in map(metric_of, SCORED) if one is not None]
    for name, (tests, systems) in field(data).items():
        sets.append([name, published.digest(tests.sources, tests.references)])
        known = set()
        for system, outputs in systems.items():
            authors = {MUSS: "Martin et al. 2022", **AUTHORS}.get(system, "Kew et al. 2023")
            for metric in metrics:
                signature = published.bare(metric.signature(tests.references))
                values = [f"{value:.4f}" for value in scored(metric, tests, outputs)]
                found.append([name, system, authors, signature, *values])
                known.add((system.replace("_", "+"), signature))
        for row in printed():
            if row.test_set != name or row.prepared or row.system in NO_SYSTEMS:
                continue
            usual = {"SARI": "sari", "BLEU": "bleu", "FKGL": "fkgl_components"}[row.metric]
            for formula, value in ((usual, row.default), (row.formula, row.value)):
                metric = metric_of(formula)
                signature = published.bare(metric.signature(tests.references)) if metric else ""
                system = row.system.replace("_", "+")
                if metric and value and (system, signature) not in known:
                    known.add((system, signature))
                    authors = AUTHORS.get(row.system, row.paper)
                    found.append([name, row.system, authors, signature, value, "", ""])
    head = ["test_set", "system", "paper", "signature", "value", "low", "high"]
    return {
        FIELD: pages.as_csv(head, found),
        TEST_SETS: pages.as_csv(["test_set", "digest"], sets),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write tables and files, or with ``--check`` compare them: 1 if some differ."""
    options = pages.parser(__doc__).parse_args(arguments)
    tables = {
        "families": families(),
        "count": count(),
        "star": table(rows("SARI", STAR)),
        "star-eight": table(rows("SARI", EIGHT)),
        "sentence": table(rows("SARI", "sari:variant=xu")),
        "easse": table(rows("SARI", "sari")),
        "fkgl": table(rows("FKGL"), formula=True),
        "not-reproduced": not_reproduced(),
        "scorers": scorers(),
    }
    files: dict[Path, str] = {}
    if options.data.is_dir():
        data = Data(options.data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ScriptWarning)  # of weights larger than one
            files = field_files(data)
            for function in (nothing, readme, one_output, grade_levels):
                tables[function.__name__.replace("_", "-")] = function(data)
    return pages.write("published", tables, files, check=options.check)


if __name__ == "__main__":
    sys.exit(main())
