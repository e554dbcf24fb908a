"""The figures that cards and documentation give of public test sets, computed and written in place.

    python tools/figures.py [NAME …]            writes them, and names the pages that it changed
    python tools/figures.py --check [NAME …]    names the pages that differ from what is computed

``--data FOLDER``, by default ``../shared/data`` beside the project, holds the test sets. Each is a
folder as ``textsimp score -t`` reads it, with the published outputs of systems:
``asset_test/source.txt``, ``asset_test/references/*.txt``, ``asset_test/systems/*.txt``. They can't
be redistributed, so they aren't here.

In a page a table stands between ``<!-- figures: NAME -->`` and ``<!-- /figures -->``, where NAME is
that of a function below, with dashes. Figures of speed come from the scripts in ``benchmarks/``.
"""

from __future__ import annotations

import html
import operator
import random
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import audit_figures
import check_figures
import numpy as np
import pages
from pages import Data, TestSet, table

from textsimp.core.metric import Metric
from textsimp.extensions.people.judgements import coefficients
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.d_sari import DSari
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors
from textsimp.metrics.readability import Readability
from textsimp.metrics.sari import Sari
from textsimp.metrics.simplification_stats import SimplificationStats
from textsimp.metrics.word_difficulty import WordDifficulty
from textsimp.metrics.word_transformations import LABELS, WordTransformations
from textsimp.text.alignment import OPERATIONS
from textsimp.text.functions import cache_scope
from textsimp.text.tokenizers import tokenize_13a

Rows = list[list[Any]]
PAPERS = {
    "ACCESS": "ACCESS (Martin et al., 2020)",
    "DMASS-DCSS": "DMASS-DCSS (Zhao et al., 2018)",
    "Dress-Ls": "Dress-Ls (Zhang & Lapata, 2017)",
    "UNTS": "UNTS (Surya et al., 2019)",
}
FIGURES = pages.Tables()
for function in (
    *(check_figures.checks_bless, check_figures.checks_real),
    *(audit_figures.gaming_formulas, audit_figures.errors_audit, audit_figures.errors_access),
):
    FIGURES(function)


def by_system(texts: TestSet, metrics: Iterable[Metric], titles: Mapping[Any, str]) -> Rows:
    """The title of each system, and its main scores; None is the source unchanged."""
    return [
        [title, *(texts.score(metric, system).main.value for metric in metrics)]
        for system, title in titles.items()
    ]


def both_sides(data: Data, metric: Metric, **options: Any) -> dict[str, dict[str, Any]]:
    """``sources``, systems and ``references`` of ASSET → those scores that they have."""
    asset = data.test_set("asset_test")
    systems = {system: {**asset.score(metric, system, **options)} for system in PAPERS}

    def of(side: str) -> dict[str, Any]:
        scores = systems["ACCESS"].items()
        return {name[len(side) :]: value for name, value in scores if name.startswith(side)}

    return {"sources": of("source_"), **systems, "references": of("reference_")}


# SARI and D-SARI ---------------------------------------------------------------------------------


@FIGURES
def sari_asset(data: Data) -> str:
    metrics = {
        "`easse`": Sari("easse"),
        "`xu` (13a)": Sari("xu", tokenizer="13a"),
        "`huggingface`": Sari("huggingface"),
    }
    titles = {None: "source unchanged", **PAPERS}
    rows = by_system(data.test_set("asset_test"), metrics.values(), titles)
    _, *best = (max(column) for column in zip(*rows, strict=True))
    for row in rows:
        for i, top in enumerate(best, 1):
            if row[i] == top:
                row[i] = f"**{top:.2f}**"
    return table(["system", *metrics], rows)


@FIGURES
def d_sari_variants(data: Data) -> str:
    metrics = {
        "`sun`": DSari("sun"),
        "with 13a": DSari("sun", tokenizer="13a"),
        "`corrected`": DSari("corrected"),
    }
    titles = {
        None: "source unchanged",
        "first2sent": "first two sentences",
        "first60pct": "first 60 % of the tokens",
    }
    documents = data.test_set("d_wikipedia_valid_60")
    return table(["", *metrics], by_system(documents, metrics.values(), titles))


# FKGL, readability, BLEU -------------------------------------------------------------------------


@FIGURES
def fkgl_asset(data: Data) -> str:
    default, easse, textstat = (
        both_sides(data, FkglComponents(variant)) for variant in ("default", "easse", "textstat")
    )
    rows = []
    for name, title in ordered(default, "fkgl").items():
        own = default[name]
        cells = [own["fkgl"], f"{own['words_per_sentence']:.1f}", own["syllables_per_word"]]
        cells.append(percent(own["split_rate"], 1) if "split_rate" in own else "")
        cells += [easse[name]["fkgl"], f"{textstat[name]['fkgl']:.1f}"]
        rows.append([title, *cells])
    header = ["", "`fkgl`", "words per sentence", "syllables per word", "split rate"]
    return table([*header, "`easse`", "`textstat`"], rows)


def ordered(sides: Mapping[str, Mapping[str, float]], score: str) -> dict[str, str]:
    """Sides by their titles: sources, references, and systems from the lowest score."""
    systems = sorted(PAPERS, key=lambda system: sides[system][score])
    names = ("sources", "references", *systems)
    return {name: PAPERS.get(name, name) for name in names}


def percent(share: float, decimals: int = 0) -> str:
    return f"{100 * share:.{decimals}f} %"


@FIGURES
def fkgl_programs(data: Data) -> str:
    """FKGL of sources and systems by the programs whose numbers are printed."""
    programs = {
        FkglComponents(): "textsimp",
        FkglComponents("easse"): "EASSE",
        FkglComponents("textstat", aggregation="mean"): "textstat 0.7.4, mean of texts",
        FkglComponents("textstat"): "textstat 0.7.4, texts joined",
        FkglComponents("textstat_0_7_13"): "textstat 0.7.13, mean of texts",
        FkglComponents("textstat_0_7_13", aggregation="joined"): "textstat 0.7.13, texts joined",
    }
    rows = []
    for metric, program in programs.items():
        found = both_sides(data, metric)
        grades = [found[name]["fkgl"] for name in ("sources", *PAPERS)]
        rows.append([program, f"`{metric}`", *grades])
    return table(["program", "textsimp", "source", *PAPERS], rows)


@FIGURES
def fkgl_tokenised(data: Data) -> str:
    forms = {"natural": "turkcorpus_test", "tokenised, lowercased": "turkcorpus_test_legacy"}
    rows = [
        [form, FkglComponents().score(predictions=data.test_set(name).sources)["fkgl"]]
        for form, name in forms.items()
    ]
    return table(["sources of TurkCorpus", "FKGL"], rows)


@FIGURES
def readability_asset(data: Data) -> str:
    metric = Readability(dale_chall=True)
    found, keys = both_sides(data, metric), [*metric.formulas()]
    rows = [
        [title, *(found[name][key] for key in keys)]
        for name, title in ordered(found, "lix").items()
    ]
    return table(["", *(metric.find_score(key).title for key in keys)], rows, decimals=1)


@FIGURES
def readability_people(data: Data) -> str:
    """Spearman's ρ of formulas with ratings of how hard sentences are, in three languages."""
    rows = []
    for language, name in (("en", "English"), ("fr", "French"), ("ru", "Russian")):
        rated = data.rows(f"readability/{language}")
        ratings = np.array([float(row["rating"]) for row in rated])
        weights = np.ones((1, len(rated)))
        scores = Readability(language=language).score(
            predictions=[row["sentence"] for row in rated], per_example=True
        )
        found = [
            coefficients.spearman(np.array(scores[f"{key}_per_example"]), ratings, weights).item()
            for key in ("lix", "rix", "flesch_reading_ease", "words")
        ]
        rows.append([name, len(rated), *found])
    return table(["ρ with ratings", "sentences", "LIX", "RIX", "Flesch", "words"], rows)


# Data checks -------------------------------------------------------------------------------------

REWRITTEN: dict[str, Callable[[str], str]] = {
    "as published": str,
    "lowercased": str.lower,
    "spaces before punctuation": lambda t: re.sub(r"(?<=\S)([.,;:!?])(?=\s|$)", r" \1", t),
    "`do n't` for `don't`": lambda t: re.sub(r"(\w)(n't|'(?:s|re|ve|ll|d|m))\b", r"\1 \2", t),
    "`-LRB-` for `(`": lambda t: t.replace("(", "-LRB- ").replace(")", " -RRB-"),
    '` `` ` for `"`': lambda t: re.sub(r'"([^"]*)"', r"`` \1 ''", t),
    "`&quot;` and `&#x27;`": html.escape,
}


@FIGURES
def checks_written(data: Data) -> str:
    """What it changes to write the outputs of a system, and nothing else, in another way."""
    asset = data.test_set("asset_test")
    published = asset.systems["ACCESS"]
    metrics = {
        "SARI": Sari(),
        "BLEU (easse)": Bleu("easse"),
        "BLEU (sacrebleu)": Bleu("sacrebleu"),
        "FKGL (textsimp's count)": FkglComponents(),
        "edit operations, %": EditOps(),
        "D-SARI": DSari(),
    }
    rows = []
    for way, rewrite in REWRITTEN.items():
        outputs = [*map(rewrite, published)]
        texts = replace(asset, systems={"ours": outputs})
        ((_, *scores),) = by_system(texts, metrics.values(), {"ours": way})
        rows.append([way, sum(map(operator.ne, outputs, published)), *scores])
    return table(["ACCESS on ASSET", "outputs", *metrics], rows)


# What outputs are like ---------------------------------------------------------------------------


@FIGURES
def edit_ops_asset(data: Data) -> str:
    found = both_sides(data, EditOps(tokenizer="13a"), confidence=0.95)
    n, rows = len(data.test_set("asset_test").sources), []
    for name in (*PAPERS, "references"):
        scores = found[name]
        low, high = scores["change_percentage_interval"]
        estimate = f"{scores['change_percentage']:.1f} [{low:.1f}, {high:.1f}]"
        cells = [estimate, f"{scores['corpus_change_percentage']:.1f}"]
        cells += [scores[operation] / n for operation in OPERATIONS]
        rows.append([PAPERS.get(name, name), *cells])
    return table(["", "`change_percentage`", "`corpus_…`", *OPERATIONS], rows)


@FIGURES
def edit_ops_paths(data: Data) -> str:
    """By how much the path of an alignment changes edit operations."""
    asset = data.test_set("asset_test")
    means, sentences = [], []
    for outputs in [*asset.systems.values(), *zip(*asset.references, strict=True)]:
        texts = {"sources": asset.sources, "predictions": [*outputs]}
        scores = [
            EditOps(variant, tokenizer="13a").score(**texts, per_example=True)
            for variant in ("paper", "shortest")
        ]
        paper, shortest = (np.array(x["change_percentage_per_example"]) for x in scores)
        means.append(abs(paper.mean() - shortest.mean()))
        sentences.append(abs(paper - shortest).max())
    row = [f"{max(means):.3f}", f"{max(sentences):.1f}"]
    return table(["largest difference of means", "of a sentence"], [row])


@FIGURES
def bleu_case(data: Data) -> str:
    """UNTS, which often writes in another case than the references, by two forms of BLEU."""
    asset = data.test_set("asset_test")
    rows = []
    for variant in ("easse", "sacrebleu"):
        metric = Bleu(variant)
        scores = {system: asset.score(metric, system)["bleu"] for system in asset.systems}
        rank = 1 + sum(score > scores["UNTS"] for score in scores.values())
        rows.append([f"`{variant}`", scores["UNTS"], rank, len(scores)])
    return table(["", "UNTS", "rank", "of systems"], rows)


def _table_of_sides(data: Data, metric: Metric, show: Callable[[str, float], str]) -> str:
    sides = both_sides(data, metric)
    rows = []
    for name in metric.score_names():
        if not name.startswith("source_"):
            cells = [show(name, own[name]) if name in own else "" for own in sides.values()]
            rows.append([f"`{name}`", *cells])
    return table(["", *sides], rows)


@FIGURES
def stats_asset(data: Data) -> str:
    def show(name: str, value: float) -> str:
        return f"{value:.{1 if name == 'length_change' else 2}f}".replace("-", "−")

    return _table_of_sides(data, SimplificationStats(lexical_complexity=True), show)


@FIGURES
def word_difficulty_asset(data: Data) -> str:
    metric = WordDifficulty(cefr=True)
    formats = {"share": "{:.1%}", "words": "{:,.0f}", "": "{:.2f}"}

    def show(name: str, value: float) -> str:
        return formats[metric.find_score(name).unit].format(value).replace("%", " %")

    return _table_of_sides(data, metric, show)


@FIGURES
def word_difficulty_words(data: Data) -> str:
    """Words of ASSET's sources: levels by parts of speech, and rare ones with a capital letter."""
    import cefrpy  # type: ignore[import-not-found,import-untyped,unused-ignore]

    levels = cefrpy.CEFRAnalyzer()
    pairs = [round(x) for _, _, x in levels.yield_word_pos_level(word_level_as_float=True)]
    tokens = [t for text in data.test_set("asset_test").sources for t in tokenize_13a(text).split()]
    differ = []
    for word in (token.lower() for token in tokens if token.isalpha()):
        by_tag = levels.get_pos_level_dict_for_word(word, word_level_as_float=True)
        if by_tag:
            mean = levels.get_average_word_level_float(word)
            differ.append(round(mean) != round(min(by_tag.values())))
    words = sorted({*tokens})
    shares = WordDifficulty().score(predictions=words, per_example=True)["rare_share_per_example"]
    rare = [word for word, share in zip(words, shares, strict=True) if share]
    values = {
        "words with another level by the mean over parts of speech": np.mean(differ),
        "cefrpy's pairs that are C2": pairs.count(6) / len(pairs),
        "rare words with a capital letter": np.mean([word[0].isupper() for word in rare]),
    }
    return table(["", "share"], [[name, percent(value)] for name, value in values.items()])


PRINTED = (40.31, 1.43, 12.62, 86.76)
"""Dress-Ls in Table 3 of Alva-Manchego et al. (2019): delete, move, replace, copy."""


@FIGURES
def word_transformations_printed(data: Data) -> str:
    turk, system = data.test_set("turkcorpus_test_legacy"), "Dress-Ls"
    forms = {
        "`easse2019`": WordTransformations("easse2019"),
        '`easse2019`, `parts="none"`': WordTransformations("easse2019", parts="none"),
        "`easse2019`, `gap=5`": WordTransformations("easse2019", gap=5),
    }
    rows: list[list[Any]] = [["printed", *PRINTED, "", ""]]
    for name, metric in forms.items():
        scores = [turk.score(metric, system)[label] for label in LABELS]
        gaps = np.abs(np.subtract(scores[: len(PRINTED)], PRINTED))
        rows.append([name, *scores, gaps.mean()])
    return table([PAPERS[system], *(f"`{label}`" for label in LABELS), "mean distance"], rows)


# Errors ------------------------------------------------------------------------------------------


def _shuffled(outputs: Sequence[str], number: int, draw: random.Random) -> list[str]:
    """Outputs of which a number, drawn at random, is in another order."""
    rows = draw.sample(range(len(outputs)), number)
    shuffled = [*outputs]
    for row, other in zip(rows, draw.sample(rows, number), strict=True):
        shuffled[row] = outputs[other]
    return shuffled


@FIGURES
def shuffled_scores(data: Data) -> str:
    """What shuffled rows change in scores."""
    asset, draw = data.test_set("asset_test"), random.Random(0)
    outputs, rows = asset.systems["ACCESS"], list[list[Any]]()
    for share in (0, 0.05, 0.1, 0.2, 0.5, 1):
        number = round(share * len(outputs))
        texts = replace(asset, systems={"ours": _shuffled(outputs, number, draw)})
        sari, bleu = texts.score(Sari(), "ours"), texts.score(Bleu("easse"), "ours")
        scores = [sari[name] for name in ("sari", "add", "keep", "delete")]
        rows.append([number, *scores, bleu["bleu"]])
    return table(["rows shuffled, of 359", "SARI", "add", "keep", "delete", "BLEU (easse)"], rows)


LABELLED = ("reference", "ACCESS", "ControlTS", "Dress", "EditNTS", "T5")


@FIGURES
def information_errors_wikilarge(data: Data) -> str:
    """The tables of Devaraj et al. (2022), from the labels that they published."""
    rows = []
    for name in LABELLED:
        title = {"reference": "references", "Dress": "DRESS"}.get(name, name)
        labelled = data.rows(f"information_errors/{name}")
        labels = {category: [row[category] for row in labelled] for category in CATEGORIES}
        found = InformationErrors().score(**labels)
        shares = ("0", "1", "2", "gibberish")
        cells = [
            " / ".join(f"{found[f'{category}_{share}']:.1f}" for share in shares)
            for category in CATEGORIES
        ]
        rows.append([title, *cells, f"{100 * found['information_errors']:.1f}"])
    header = ["", *(f"{category}: 0 / 1 / 2 / −1" for category in CATEGORIES), "any error"]
    return table(header, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the figures, or with ``--check`` compare them: 1 if some differ."""
    parser = pages.parser(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these figures")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        parser.error(f"no folder of test sets: {options.data}; name one with --data")
    places = pages.read("figures")
    names = options.names or sorted({*places, *FIGURES})
    for name in sorted({*names} - {*FIGURES}):
        parser.error(f"no function for {name!r}: expected some of {', '.join(FIGURES)}")
    for name in sorted({*names} - {*places}):
        parser.error(f"no page has a place for {name!r}: <!-- figures: {name} -->")
    with cache_scope():  # of the same test sets again and again
        computed = FIGURES.fill(Data(options.data), names)
    return pages.write("figures", computed, check=options.check)


if __name__ == "__main__":
    sys.exit(main())
