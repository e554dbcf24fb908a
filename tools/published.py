"""Published numbers: the tables of docs/published.md, and what published outputs show.

    python tools/published.py            writes what stands between marks, and the field's scores
    python tools/published.py --check    names what differs

The tables follow from ``textsimp/scoring/published.csv``, which is written by hand: a row per
printed number. ``--data FOLDER``, by default ``../shared/data`` beside the project, has test sets
and published outputs, which can't be redistributed; without it only the tables are written.

In a page a text stands between ``<!-- published: NAME -->`` and ``<!-- /published -->``, where NAME
is that of a function below, with dashes.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
import warnings
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import figures
import numpy as np

from textsimp.core.examples import ScriptWarning
from textsimp.core.metric import Metric
from textsimp.corpora.files import read_lines
from textsimp.metrics import catalogue
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari
from textsimp.scoring import published

WORD = "published"
TURK = "TurkCorpus, legacy"
FOLDERS = {"ASSET": "asset_test", "TurkCorpus": "turkcorpus_test", TURK: "turkcorpus_test_legacy"}
LEFT_OUT = {
    "Zhang & Lapata 2017, FKGL": 19,
    "Kriz et al. 2019, SARI": 7,
    "Martin et al. 2022 (MUSS), the rest of SARI, BLEU and FKGL": 7,
    "Surya et al. 2019, SARI and BLEU": 4,
    "Dong et al. 2019, FKGL": 2,
    "Martin et al. 2019 (ACCESS), FKGL": 1,
    "Zhao et al. 2018, FKGL": 1,
    "DMASS on Newsela, SARI, of which even the paper is unsure": 1,
}
"""Numbers that are quoted from memory, and that no paper or table at hand has."""


# Tables of the file ------------------------------------------------------------------------------


class Printed(SimpleNamespace):
    """A row of the file, whose fields are its columns."""

    @property
    def family(self) -> str:
        return published.family(vars(self)).get("formula", "")


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
    return figures.table(
        header,
        [
            [
                row.test_set,
                f"{row.system} ({row.note})" if row.note else row.system,
                row.paper,
                row.printed,
                *([by(row)] if formula else []),
                row.default,
            ]
            for row in sorted(chosen, key=lambda row: row.test_set)
        ],
    )


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
    return figures.table(["SARI", "", "printed by", "on", "equal"], lines)


def count() -> str:
    every = printed()
    equal = [row for row in every if row.equal != "no"]
    left = sum(LEFT_OUT.values())
    return figures.prose(
        f"""The page has {len(every)} printed numbers of {len({row.paper for row in every})} papers.
        **{len(equal)} of them were reproduced to the last printed digit**,
        {sum(row.equal == "cut" for row in equal)} of these cut instead of rounded. {left} more are
        left out, because they were quoted from memory and no paper or table at hand has them."""
    )


def star() -> str:
    return table(rows("SARI", "sari:variant=star"))


def star_eight() -> str:
    return table(rows("SARI", "sari:variant=easse_legacy"))


def sentence() -> str:
    return table(rows("SARI", "sari:variant=xu"))


def easse() -> str:
    return table(rows("SARI", "sari"))


def bleu() -> str:
    return table(rows("BLEU"), formula=True)


def fkgl() -> str:
    return table(rows("FKGL"), formula=True)


def not_reproduced() -> str:
    chosen = [row for row in printed() if row.equal == "no"]
    header = ["test set", "system", "paper", "printed", "the nearest", "default"]
    lines = [
        [row.test_set, row.system, row.paper, f"{row.metric} {row.printed}", by(row), row.default]
        for row in chosen
    ]
    noted = [f"- {row.system} ({row.paper}): {row.note}." for row in chosen if row.note]
    return "\n".join([figures.table(header, lines), "", *dict.fromkeys(noted)])


def left_out() -> str:
    return "\n".join(f"- {what}: {number}" for what, number in LEFT_OUT.items())


def jump() -> str:
    higher = [gap(row) for row in rows("SARI", "sari:variant=star")]
    taus = {}
    for test_set in ("Newsela", "WikiSmall"):
        scores = {
            row.system: (float(row.printed), float(row.default))
            for row in rows("SARI", "sari:variant=star")
            if row.test_set == test_set and row.paper != "Kumar et al. 2020"
        }
        taus[test_set] = tau([*scores.values()])
    return figures.prose(
        f"""The same outputs have {min(higher):.1f} to {max(higher):.1f} more by EASSE's, in another
        order: Kendall's τ between both is {taus["Newsela"]:.2f} on Newsela and
        {taus["WikiSmall"]:.2f} on WikiSmall. **So the jump of some ten SARI on Newsela about 2020
        is a change of scorers.**"""
    )


def below() -> str:
    lower = [-gap(row) for row in rows("SARI", "sari:variant=easse_legacy")]
    printed = [row for row in rows("SARI", "sari:variant=easse_legacy") if row.paper[:5] == "Zhang"]
    scores = [(float(row.printed), float(row.default)) for row in printed]
    assert tau(scores) == 1, "the page says that the order is the same"
    return figures.prose(
        f"""On TurkCorpus, with eight references, STAR is a formula of EASSE's, too: `easse_legacy`.
        EASSE's default is {min(lower):.2f} to {max(lower):.2f} below it. The order of Zhang &
        Lapata's six systems stays."""
    )


def gap(row: Printed) -> float:
    return float(row.default) - float(row.printed)


def tau(pairs: Sequence[tuple[float, float]]) -> float:
    """Kendall's τ without ties."""
    signs = [(a - c) * (b - d) for (a, b), (c, d) in combinations(pairs, 2)]
    assert all(signs)
    return sum(1 if sign > 0 else -1 for sign in signs) / len(signs)


# What outputs show -------------------------------------------------------------------------------


def wikismall(data: figures.Data) -> figures.TestSet:
    folder = data.folder / "published" / "wikismall"
    return figures.TestSet(
        read_lines(folder / "source.txt"),
        [[text] for text in read_lines(folder / "reference.txt")],
        {file.stem: read_lines(file) for file in sorted((folder / "systems").glob("*.txt"))},
    )


def runs(data: figures.Data, row: Printed) -> tuple[figures.TestSet, list[list[str]]] | None:
    """The test set of a printed score, and the outputs of each run; None if they aren't at hand."""
    if row.test_set == "WikiSmall":
        tests = wikismall(data)
        return (tests, [tests.systems[row.system]]) if row.system in tests.systems else None
    if row.test_set not in FOLDERS or "cocoxu" in row.outputs:
        return None
    tests = data.test_set(FOLDERS[row.test_set])
    if row.system.startswith("MUSS"):
        files = sorted((data.folder / "published" / "muss_asset").glob("*.txt"))
        right = row.test_set == "ASSET" and row.system == "MUSS, WikiLarge + mined"
        return (tests, [read_lines(file) for file in files]) if right else None
    if row.test_set != TURK:
        known = row.system in tests.systems
        return (tests, [tests.systems[row.system]]) if known else None
    file = data.folder / "published" / "turkcorpus_test_legacy" / f"{row.system}.txt"
    return (tests, [read_lines(file)]) if file.exists() else None


def score(metric: Metric, tests: figures.TestSet, outputs: Sequence[Sequence[str]]) -> float:
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


def nothing(data: figures.Data) -> dict[str, float]:
    """STAR of texts that aren't simplifications, on WikiSmall."""
    tests = wikismall(data)
    texts = {
        "an empty text": [""] * len(tests.sources),
        "the word *the*": ["the"] * len(tests.sources),
        "the reference": [row[0] for row in tests.references],
    }
    return {name: score(Sari("star"), tests, [rows]) for name, rows in texts.items()}


def of_2017() -> list[Printed]:
    """Zhang & Lapata's systems on WikiSmall, the best by their scorer last."""
    chosen = [
        row
        for row in rows("SARI", "sari:variant=star")
        if row.test_set == "WikiSmall" and row.paper == "Zhang & Lapata 2017"
    ]
    return sorted(chosen, key=lambda row: float(row.printed))


def star_empty(data: figures.Data) -> str:
    found, best = nothing(data), of_2017()[-1].printed
    assert float(best) < found["an empty text"], "the page says that an empty text beats all"
    return figures.prose(
        f"""**An empty text beats every system that Zhang & Lapata print.** By STAR it has
        {found["an empty text"]:.2f} on WikiSmall, where their best system has {best}. The word
        *the* has {found["the word *the*"]:.2f}, and the reference itself
        {found["the reference"]:.2f}. On Newsela an empty text has 32.85, their best system
        30.00."""
    )


def star_card(data: figures.Data) -> str:
    found, best = nothing(data), of_2017()[-1].printed
    return figures.prose(
        f"""On WikiSmall an empty output has {found["an empty text"]:.2f}, more than every system
        that Zhang & Lapata print (the best: {best}); on Newsela 32.85 (30.00). The reference itself
        has {found["the reference"]:.2f}."""
    )


def readme(data: figures.Data) -> str:
    tests = wikismall(data)
    empty = [score(Sari(v), tests, [[""] * len(tests.sources)]) for v in ("star", "easse")]
    chosen = of_2017()
    (dress,) = (row for row in chosen if row.system == "Dress")
    lines = [
        ["Dress", dress.printed, dress.default],
        [f"{chosen[-1].system}, the best of five", chosen[-1].printed, chosen[-1].default],
        ["an empty text", f"**{empty[0]:.2f}**", f"{empty[1]:.2f}"],
    ]
    assert empty[0] > float(chosen[-1].printed)
    assert empty[1] < min(float(row.default) for row in chosen)
    return figures.table(["WikiSmall", "SARI in 2017", "SARI today"], lines)


def one_output(data: figures.Data) -> str:
    tests = data.test_set("turkcorpus_test_legacy")
    folder = data.folder / "published" / "turkcorpus_test_legacy"
    unts = read_lines(folder / "UNTS.txt")
    cased, lower = (
        score(Sari("easse_legacy", lowercase=lower), tests, [unts]) for lower in (False, True)
    )
    access = [
        score(Sari(), tests, [read_lines(folder / "ACCESS.txt")]),
        score(Sari(), (new := data.test_set("turkcorpus_test")), [new.systems["ACCESS"]]),
    ]
    asset = data.test_set("asset_test")
    copy = [score(Sari(v), asset, [asset.sources]) for v in ("easse_legacy", "easse")]
    return "\n".join(
        [
            "- SBMT-SARI on TurkCorpus is printed as 37.91 (`xu`), 38.59 (`xu` after `(` became",
            "  `-lrb-`) and 39.96 (`easse_legacy`).",
            f"- UNTS has {cased:.2f} by `easse_legacy` and {lower:.2f} if all is lowercased first.",
            f"- ACCESS has {access[0]:.2f} on the tokenised TurkCorpus and {access[1]:.2f} on the "
            "other one, both by the default.",
            f"- `easse_legacy` is for tokenised texts. It gives a copy of ASSET's sources "
            f"{copy[0]:.2f}, the default {copy[1]:.2f}.",
        ]
    )


def grade_levels(data: figures.Data) -> str:
    folder = data.folder / "published" / "turkcorpus_test_legacy"
    tests = data.test_set("turkcorpus_test_legacy")
    names = ("ACCESS", "Dress-Ls")
    own, easse = (
        [score(metric, tests, [read_lines(folder / f"{name}.txt")]) for name in names]
        for metric in (FkglComponents(), FkglComponents("easse"))
    )
    return figures.table(
        ["TurkCorpus, tokenised", "FKGL by default", "EASSE's"],
        [[name, f"{own[i]:.2f}", f"{easse[i]:.2f}"] for i, name in enumerate(names)],
    )


# The field's scores ------------------------------------------------------------------------------

FIELD = figures.PROJECT / "textsimp" / "scoring" / "field.csv"
TEST_SETS = figures.PROJECT / "textsimp" / "scoring" / "test_sets.csv"
SCORED = ("sari", "sari:variant=easse_legacy", "sari:variant=xu", "sari:variant=huggingface")
SCORED += ("sari:variant=star", "bleu", "bleu:lowercase=False")
SCORED += ("fkgl_components", "fkgl_components:variant=easse")
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
MUSS = "MUSS, WikiLarge + mined"
NO_SYSTEMS = ("Normal Wikipedia", "Mechanical Turk")
Outputs = dict[tuple[str, str], list[list[str]]]  # system and authors → outputs of each run


def field(data: figures.Data) -> dict[str, tuple[figures.TestSet, Outputs]]:
    """Test set → its texts, and the published outputs that are at hand."""
    folder = data.folder

    def of(tests: figures.TestSet) -> Outputs:
        return {(name, AUTHORS[name]): [texts] for name, texts in tests.systems.items()}

    asset = data.test_set("asset_test")
    systems = of(asset)
    muss = sorted((folder / "published" / "muss_asset").glob("*.txt"))
    systems[MUSS, "Martin et al. 2022"] = [read_lines(file) for file in muss]
    for file in sorted((folder / "bless" / "systems").glob("*.txt")):
        if not file.stem.startswith("muss"):
            systems[file.stem, "Kew et al. 2023"] = [read_lines(file)]
    legacy = data.test_set(FOLDERS[TURK])
    files = sorted((folder / "published" / FOLDERS[TURK]).glob("*.txt"))
    of_legacy: Outputs = {(f.stem, AUTHORS[f.stem]): [read_lines(f)] for f in files}
    cased, small = data.test_set("turkcorpus_test"), wikismall(data)
    return {
        "ASSET": (asset, systems),
        "TurkCorpus": (cased, of(cased)),
        TURK: (legacy, of_legacy),
        "WikiSmall": (small, of(small)),
    }


def scored(metric: Metric, tests: figures.TestSet, outputs: list[list[str]]) -> list[float]:
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


def field_rows(data: figures.Data) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """The rows of field.csv and test_sets.csv."""
    found, sets = [], []
    metrics = [one for one in map(metric_of, SCORED) if one is not None]
    for name, (tests, systems) in field(data).items():
        digests = published.digests(tests.sources, tests.references)
        sets.append(dict(zip(("test_set", "digest", "sources"), (name, *digests), strict=True)))
        known = set()
        for (system, authors), outputs in systems.items():
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
    head = ("test_set", "system", "paper", "signature", "value", "low", "high")
    return [dict(zip(head, row, strict=True)) for row in found], sets


OF_FILE: tuple[Callable[[], str], ...] = (
    *(families, count, star, star_eight, sentence, easse, bleu, fkgl),
    *(not_reproduced, left_out, jump, below),
)
OF_DATA: tuple[Callable[[figures.Data], str], ...] = (
    *(star_empty, star_card, readme, one_output, grade_levels),
)


def as_csv(rows: Sequence[dict[str, Any]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the texts, or with ``--check`` compare them: 1 if some differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=figures.DATA, metavar="FOLDER")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    options = parser.parse_args(arguments)
    files: dict[Path, str] = {}
    texts: dict[str, Any] = {function.__name__: function() for function in OF_FILE}
    if options.data.is_dir():
        data = figures.Data(options.data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ScriptWarning)  # of weights larger than one
            files = dict(zip((FIELD, TEST_SETS), map(as_csv, field_rows(data)), strict=True))
            texts |= {function.__name__: function(data) for function in OF_DATA}
    named = {name.replace("_", "-"): text for name, text in texts.items()}
    different = figures.write_pages(named, options.check, WORD)
    for file, text in files.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            different += 1
            print(f"{file.name}: {'differs' if options.check else 'written'}")
            if not options.check:
                file.write_text(text, encoding="utf-8")
    return int(options.check and different > 0)


if __name__ == "__main__":
    sys.exit(main())
