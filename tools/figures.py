"""The figures that cards and documentation give of public test sets, computed and written in place.

    python tools/figures.py [NAME …]            writes them, and names the pages that it changed
    python tools/figures.py --check [NAME …]    names the pages that differ from what is computed

``--data FOLDER``, by default ``../shared/data`` beside the project, holds the test sets. Each is a
folder as ``textsimp score -t`` reads it, with the published outputs of systems:
``asset_test/source.txt``, ``asset_test/references/*.txt``, ``asset_test/systems/*.txt``. They can't
be redistributed, so they aren't here.

In a page a figure stands between ``<!-- figures: NAME -->`` and ``<!-- /figures -->``, where NAME
is that of a function below, with dashes. What the prose beside it says is asserted here, so that it
can't outlive the figures. Those of speed come from the scripts in ``benchmarks/`` instead.
"""

from __future__ import annotations

import argparse
import functools
import html
import importlib
import itertools
import json
import operator
import random
import re
import sys
import tarfile
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.audits import Audit, Effect, audit_errors, audit_gaming
from textsimp.core import significance, tables
from textsimp.core.metric import COLUMNS, Metric
from textsimp.corpora import artefacts, checks, testsets
from textsimp.corpora.files import read_lines
from textsimp.corpora.tables import read_table
from textsimp.metrics import catalogue, entailment
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.d_sari import DSari
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors
from textsimp.metrics.readability import Readability
from textsimp.metrics.sari import Sari
from textsimp.metrics.simplification_stats import SimplificationStats
from textsimp.metrics.word_difficulty import LEVELS, WordDifficulty
from textsimp.metrics.word_transformations import LABELS, WordTransformations
from textsimp.scoring.comparison import check_examples
from textsimp.text.alignment import OPERATIONS
from textsimp.text.memory import cache_scope
from textsimp.text.sentence_alignment import get_aligner
from textsimp.text.sentences import DEFAULT_SPLITTER, get_splitter
from textsimp.text.tokenizers import tokenize_13a

PROJECT = Path(__file__).parents[1]
DATA = PROJECT.parent / "shared" / "data"
PAGES = sorted(
    page
    for pattern in ("*.md", "docs/*.md", "metrics/*/*.md", "benchmarks/*.md", "examples/*.md")
    for page in PROJECT.glob(pattern)
)
MARKED = r"^([ ]*)<!-- {0}: (\S+) -->\n(.*?)^\1<!-- /{0} -->$"
WIDTH = 105

LABELLED = {
    "reference": "references",
    "ACCESS": "ACCESS",
    "ControlTS": "ControlTS",
    "Dress": "DRESS",
    "EditNTS": "EditNTS",
    "T5": "T5",
}
PAPERS = {
    "ACCESS": "ACCESS (Martin et al., 2020)",
    "DMASS-DCSS": "DMASS-DCSS (Zhao et al., 2018)",
    "Dress-Ls": "Dress-Ls (Zhang & Lapata, 2017)",
    "UNTS": "UNTS (Surya et al., 2019)",
}


@dataclass(frozen=True)
class TestSet:
    """Columns, and the outputs of systems."""

    sources: list[str]
    references: list[list[str]]
    systems: dict[str, list[str]]

    def score(self, metric: Metric, system: str | None = None, **options: Any) -> dict[str, Any]:
        """Scores of a system, or of the sources unchanged."""
        return metric.score(
            sources=self.sources,
            predictions=self.sources if system is None else self.systems[system],
            references=self.references,
            **options,
        )


class Data:
    """The folder of test sets."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.test_set = functools.cache(self._test_set)

    def _test_set(self, name: str) -> TestSet:
        sources, references = testsets.load(name, str(self.folder))
        files = sorted((self.folder / name / "systems").glob("*.txt"), key=lambda p: p.name.lower())
        return TestSet(sources, references, {file.stem: read_lines(file) for file in files})


FIGURES: dict[str, Callable[[Data], str]] = {}


def figures(function: Callable[[Data], str]) -> Callable[[Data], str]:
    """Give a function its name in the pages."""
    FIGURES[function.__name__.replace("_", "-")] = function
    return function


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |".replace("|  |", "| |") for cells in (header, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(header), *lines[1:]])


def prose(text: str) -> str:
    """A paragraph."""
    words = " ".join(text.split())
    return textwrap.fill(words, WIDTH, break_on_hyphens=False, break_long_words=False)


def enumerate_names(names: Sequence[str]) -> str:
    """Join names as prose does.

    >>> enumerate_names(["A", "B", "C"])
    'A, B and C'
    """
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def best(values: dict[Any, float]) -> Any:
    return max(values, key=values.__getitem__)


def ranking(values: dict[Any, float]) -> list[Any]:
    return sorted(values, key=values.__getitem__)


# SARI --------------------------------------------------------------------------------------------


def _sari(data: Data) -> dict[str, dict[str | None, float]]:
    """Variant → system, None for the source → SARI of ASSET's test set."""
    asset = data.test_set("asset_test")
    metrics = {
        "easse": Sari.preset("easse"),
        "xu": Sari.preset("xu", tokenizer="13a"),
        "huggingface": Sari.preset("huggingface"),
    }
    return {
        variant: {s: asset.score(metric, s)["sari"] for s in (None, *PAPERS)}
        for variant, metric in metrics.items()
    }


@figures
def sari_asset(data: Data) -> str:
    scores = _sari(data)
    assert best(scores["huggingface"]) is None, "the card says that it ranks doing nothing first"
    rows = [
        [
            PAPERS.get(system, "source unchanged"),
            *(
                f"**{found[system]:.2f}**" if system == best(found) else f"{found[system]:.2f}"
                for found in scores.values()
            ),
        ]
        for system in (None, *PAPERS)
    ]
    return table(["system", "`easse`", "`xu` (13a)", "`huggingface`"], rows)


@figures
def trainer_copy(data: Data) -> str:
    score = _sari(data)["easse"][None]
    return prose(
        f"""SARI doesn't start at 0. The unchanged source scores {score:.1f} on ASSET's test set. A
        third of the score is for deletions, and most rewritten outputs delete correctly. If the
        curve is flat, look at `add` and `keep`."""
    )


# D-SARI ------------------------------------------------------------------------------------------


@figures
def d_sari_long_references(data: Data) -> str:
    documents = data.test_set("d_wikipedia_valid_60")
    sources, references = documents.sources, [row[0] for row in documents.references]
    longer = sum(
        len(reference.split()) >= len(source.split())
        for source, reference in zip(sources, references, strict=True)
    )
    return prose(
        f"""In {longer} of the {len(sources)} documents of the table below, the reference is at
        least as long as the source."""
    )


@figures
def d_sari_variants(data: Data) -> str:
    documents = data.test_set("d_wikipedia_valid_60")
    assert all(len(row) == 1 for row in documents.references), "the card says so"
    metrics = {
        "`sun`": DSari.preset("sun"),
        "with smooth LP2": DSari.preset("sun", excess="smooth"),
        "with 13a": DSari.preset("sun", tokenizer="13a"),
        "`corrected`": DSari.preset("corrected"),
    }
    systems = {
        None: "source unchanged",
        "first2sent": "first two sentences",
        "first60pct": "first 60 % of the tokens",
    }
    rows = [
        [label, *(f"{documents.score(m, system)['d_sari']:.2f}" for m in metrics.values())]
        for system, label in systems.items()
    ]
    return table(["", *metrics], rows)


# FKGL --------------------------------------------------------------------------------------------


def _fkgl(data: Data) -> dict[str, dict[str, dict[str, Any]]]:
    """Variant → ``source``, ``references`` or system → scores of ASSET's test set."""
    asset = data.test_set("asset_test")
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for variant in ("default", "easse", "textstat"):
        metric = FkglComponents.preset(variant)
        of_systems = {system: asset.score(metric, system) for system in PAPERS}
        some = of_systems["ACCESS"]
        found[variant] = {
            side: {
                name.removeprefix(prefix): value
                for name, value in some.items()
                if name.startswith(prefix)
            }
            for side, prefix in (("source", "source_"), ("references", "reference_"))
        } | of_systems
    return found


@figures
def fkgl_asset(data: Data) -> str:
    scores = _fkgl(data)
    default = scores["default"]
    rows = []
    for name in ("source", "references", *ranking({s: default[s]["fkgl"] for s in PAPERS})):
        own = default[name]
        rows.append(
            [
                PAPERS.get(name, name),
                f"{own['fkgl']:.2f}",
                f"{own['words_per_sentence']:.1f}",
                f"{own['syllables_per_word']:.2f}",
                f"{100 * own['split_rate']:.1f} %" if "split_rate" in own else "",
                f"{scores['easse'][name]['fkgl']:.2f}",
                f"{scores['textstat'][name]['fkgl']:.1f}",
            ]
        )
    spread = max(
        max(found[name]["fkgl"] for found in scores.values())
        - min(found[name]["fkgl"] for found in scores.values())
        for name in default
    )
    last = [row[0] for row in rows[-2:]]
    a, b = (default[name] for name in PAPERS if PAPERS[name] in last)
    assert round(a["fkgl"], 2) == round(b["fkgl"], 2), "the card says that they are equal"
    lower = [default[name]["fkgl"] - scores["easse"][name]["fkgl"] for name in default]
    assert all(round(difference) == 2 for difference in lower), (
        "the card says that `easse` is two grades lower"
    )
    orders = {tuple(ranking({s: found[s]["fkgl"] for s in PAPERS})) for found in scores.values()}
    assert len(orders) > 1, "the card says that programs rank differently"
    header = ["", "`fkgl`", "words per sentence", "syllables per word", "split rate"]
    claims = f"""The last two have the same FKGL for different reasons: one uses shorter words,
        the other deletes many words. On the same text the three programs differ by up to
        {spread:.1f} grades. They rank the systems differently."""
    return f"{table([*header, '`easse`', '`textstat`'], rows)}\n\n{prose(claims)}"


@figures
def fkgl_tokenised(data: Data) -> str:
    natural, legacy = (
        data.test_set(f"turkcorpus_test{suffix}").sources for suffix in ("", "_legacy")
    )
    metric = FkglComponents.preset()
    first, second = (metric.score(predictions=texts)["fkgl"] for texts in (natural, legacy))
    return prose(
        f"""So the sources of TurkCorpus score {first:.2f} as natural text and {second:.2f} as
        tokenised, lowercased text."""
    )


@functools.cache
def _gamed(data: Data) -> Audit:
    asset = data.test_set("asset_test")
    return audit_gaming(
        [FkglComponents(), Bleu(), Sari("joshua")],
        asset.systems["ACCESS"],
        sources=asset.sources,
        references=asset.references,
        modifications=["random-period", "random-period+replace-longest"],
        shares=[1.0],
    )


def _before_and_after(metric: str, data: Data) -> tuple[float, float, float]:
    """A score unchanged, with a period in each line, and with the longest word replaced too."""
    period, both = _gamed(data).of(metric)
    return period.before, _after(period), _after(both)


def _after(effect: Effect) -> float:
    return effect.before + effect.differences[-1]


@figures
def fkgl_gamed(data: Data) -> str:
    before, period, both = _before_and_after("fkgl_components", data)
    return prose(
        f"""On ASSET's test set ACCESS scores {before:.2f}. With a period in every line it scores
        {period:.2f}. With the longest word of each line replaced by `the` too, it scores
        {both:.2f}. The components show why; see `docs/audits.md`."""
    )


@figures
def gaming_access(data: Data) -> str:
    fkgl, period, both = _before_and_after("fkgl_components", data)
    bleu, _, bleu_after = _before_and_after("bleu", data)
    sari, _, sari_after = _before_and_after("sari", data)
    return prose(
        f"""On ASSET's test set the outputs of ACCESS (Martin et al., 2020) have an FKGL of
        {fkgl:.2f}. A period in every line lowers it to {period:.2f}, and replacing the longest word
        too lowers it to {both:.2f}. BLEU (`easse`) falls from {bleu:.1f} to {bleu_after:.1f}, SARI
        (`joshua`) from {sari:.1f} to {sari_after:.1f}."""
    )


# Readability -------------------------------------------------------------------------------------

FORMULAS = {
    key: Readability().find_score(key).title for key in Readability(dale_chall=True).formulas()
}


@figures
def readability_asset(data: Data) -> str:
    asset = data.test_set("asset_test")
    scores = {system: asset.score(Readability(dale_chall=True), system) for system in PAPERS}
    some = scores["ACCESS"]
    for side in ("source", "reference"):
        prefix = f"{side}_"
        scores[side] = {n.removeprefix(prefix): v for n, v in some.items() if n.startswith(prefix)}
    order = ["source", "reference", *ranking({s: scores[s]["lix"] for s in PAPERS})]
    rows = [
        [PAPERS.get(name, f"{name}s"), *(f"{scores[name][key]:.1f}" for key in FORMULAS)]
        for name in order
    ]

    def order_by(key: str) -> list[str]:
        easy = ranking({system: scores[system][key] for system in PAPERS})
        return easy[::-1] if key == "flesch_reading_ease" else easy

    orders = {tuple(order_by(key)) for key in FORMULAS}
    assert len(orders) > 1, "the card says that the formulas don't order systems alike"
    assert all(
        (scores["source"][key] < scores["reference"][key]) == (key == "flesch_reading_ease")
        for key in FORMULAS
    ), "the card says that references are easier than sources by every formula"
    claims = """By every formula the references are easier than the sources. The formulas rank the
        systems differently."""
    return f"{table(['', *FORMULAS.values()], rows)}\n\n{prose(claims)}"


@figures
def gaming_formulas(data: Data) -> str:
    asset = data.test_set("asset_test")
    metrics = [FkglComponents(), Readability(dale_chall=True)]
    result = audit_gaming(metrics, asset.systems["ACCESS"], shares=[1.0], repeats=20)
    moved = ("random-period", "replace-longest", "random-period+replace-longest")
    rows, by_the = [], []
    for effects in result.main_effects().values():
        title = effects[0].score.title.replace("FKGL", "FKGL (default)")
        fooled = {effect.change for effect in effects if effect.verdict == "gets better"}
        assert {*moved} <= fooled, "the page says that periods and lost long words fool each"
        after = {effect.change: _after(effect) for effect in effects}
        values = [effects[0].before, *(after[name] for name in moved)]
        rows.append([title, *(f"{v:.2f}" for v in values), f"{len(fooled)} of {len(effects)}"])
        by_the += [title] * ("random-the" in fooled)
    header = [
        "",
        "unchanged",
        "a period in each line",
        "longest word replaced",
        "both",
        "fooled by",
    ]
    claims = f"""Every formula gets better with a period, and without the longest word.
        {enumerate_names(by_the)} also get better with an inserted *the*, although it makes
        every sentence longer."""
    return f"{table(header, rows)}\n\n{prose(claims)}"


# BLEU --------------------------------------------------------------------------------------------


@figures
def bleu_case(data: Data) -> str:
    asset = data.test_set("asset_test")
    found = {}
    for variant in ("easse", "sacrebleu"):
        scores = {
            name: Bleu.preset(variant).score(predictions=texts, references=asset.references)["bleu"]
            for name, texts in asset.systems.items()
        }
        rank = 1 + sum(score > scores["UNTS"] for score in scores.values())
        found[variant] = f"{scores['UNTS']:.2f} (number {rank} of {len(scores)} systems)"
    return prose(
        f"""UNTS (Surya et al., 2019) often writes in another case than the references of ASSET's
        test set. There it has a BLEU of {found["easse"]} by `easse` and {found["sacrebleu"]} by
        `sacrebleu`."""
    )


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


@figures
def checks_written(data: Data) -> str:
    """What it changes to write the outputs of a system, and nothing else, in another way."""
    asset = data.test_set("asset_test")
    metrics = [
        (Sari(), "sari"),
        (Bleu.preset("easse"), "bleu"),
        (Bleu.preset("sacrebleu"), "bleu"),
        (FkglComponents.preset(), "fkgl"),
        (EditOps(), "change_percentage"),
        (DSari.preset(), "d_sari"),
    ]
    header = ["ACCESS on ASSET", "outputs", "SARI", "BLEU (easse)", "BLEU (sacrebleu)"]
    rows, found = [], {}
    for way, rewrite in REWRITTEN.items():
        outputs = [*map(rewrite, asset.systems["ACCESS"])]
        rewritten = TestSet(asset.sources, asset.references, {"ours": outputs})
        found[way] = scores = [rewritten.score(metric, "ours")[name] for metric, name in metrics]
        number = sum(map(operator.ne, outputs, asset.systems["ACCESS"]))
        rows.append([way, f"{number:,}", *(f"{score:.2f}" for score in scores)])
    for way in ("lowercased", "spaces before punctuation"):
        assert found[way][:2] == found["as published"][:2], "the page says that they are the same"
    return table([*header, "FKGL (default)", "edit operations, %", "D-SARI"], rows)


@figures
def checks_shifted(data: Data) -> str:
    """How often a lost or added line is found, and how far from where it was."""
    draw = random.Random(0)
    found, missed, apart = 0, [], []
    for name in ("asset_test", "turkcorpus_test_legacy"):
        texts = data.test_set(name)
        for outputs in texts.systems.values():
            assert not _shifts(texts, outputs), "the page says that none is found in them"
            for _ in range(25):
                at = draw.randrange(len(outputs))
                lost = [*outputs[:at], *outputs[at + 1 :], outputs[0]]
                added = [*outputs[:at], draw.choice(outputs), *outputs[at:-1]]
                for shifted in (lost, added):
                    if starts := _shifts(texts, shifted):
                        assert len(starts) == 1, "the page says that it is found once"
                        found += 1
                        apart.append(abs(starts[0] - 1 - at))
                    else:
                        missed.append(len(outputs) - at)
    return prose(
        f"""We took lines out of the outputs of four systems on ASSET and on TurkCorpus, or put
        lines in, at random. The check finds {found} of {found + len(missed)}, at most {max(apart)}
        line from the right place. The others were among the last {max(missed)} lines. In the
        outputs as published it finds nothing."""
    )


def _shifts(texts: TestSet, outputs: list[str]) -> list[int]:
    findings = checks.find(texts.sources, None, {"ours": outputs})
    return [finding.examples[0] for finding in findings if finding.kind == "shifted"]


def _published_outputs(data: Data) -> Iterator[tuple[str, TestSet]]:
    """The test sets of the folder with all systems whose outputs are there, people left out."""
    folder = data.folder
    more = {
        "asset_test": ("published/muss_asset/*.txt", "bless/systems/*.txt", "bless/runs/*/*.txt"),
        "turkcorpus_test": (),
        "turkcorpus_test_legacy": ("published/turkcorpus_test_legacy/*.txt",),
        "d_wikipedia_valid_60": (),
    }
    for name, patterns in more.items():
        texts, systems = data.test_set(name), {}
        for path in sorted(path for pattern in patterns for path in folder.glob(pattern)):
            systems["/".join(path.with_suffix("").parts[-2:])] = read_lines(path)
        yield name, TestSet(texts.sources, texts.references, texts.systems | systems)
    for name in ("bless/med_easi", "published/wikismall"):
        sources, references = (
            read_lines(folder / name / f"{x}.txt") for x in ("source", "reference")
        )
        paths = sorted((folder / name / "systems").glob("*.txt"))
        systems = {path.stem: read_lines(path) for path in paths}
        yield name, TestSet(sources, [[text] for text in references], systems)


def _shuffled(outputs: Sequence[str], number: int, draw: random.Random) -> list[str]:
    """Outputs of which a number, drawn at random, is in another order."""
    rows = draw.sample(range(len(outputs)), number)
    shuffled = [*outputs]
    for row, other in zip(rows, draw.sample(rows, number), strict=True):
        shuffled[row] = outputs[other]
    return shuffled


def _rank(texts: TestSet, systems: Sequence[str], rows: Iterable[int]) -> dict[str, int]:
    """System → rank by SARI on some rows."""
    chosen = [*rows]
    scores = {}
    for system in systems:
        columns = (texts.sources, texts.references, texts.systems[system])
        sources, references, outputs = ([column[i] for i in chosen] for column in columns)
        score = Sari().score(sources=sources, references=references, predictions=outputs)
        scores[system] = score["sari"]
    order = sorted(scores, key=lambda system: -scores[system])
    return {system: rank for rank, system in enumerate(order, 1)}


INSTRUCTION = re.compile(r"\W*(?:please )?rewrite the (?:following )?complex sentence", re.I)


@figures
def checks_bless(data: Data) -> str:
    """What a published benchmark has of outputs that are the instruction, and what it changes."""
    sentences = []
    for name, texts in _published_outputs(data):
        if name not in ("asset_test", "bless/med_easi"):
            continue
        title, n = ("Med-EaSi" if "med" in name else "ASSET"), len(texts.sources)
        wrong = {
            system: {i for i, text in enumerate(outputs) if INSTRUCTION.match(text)}
            for system, outputs in texts.systems.items()
        }
        found: dict[str, set[int]] = {system: set() for system in texts.systems}
        for finding in checks.find(texts.sources, texts.references, texts.systems):
            for system, rows in finding.rows.items() if finding.gravity == "problem" else ():
                found[system] |= {number - 1 for number in rows}
        assert all(wrong[system] <= found[system] for system in wrong), "each is a problem"
        systems = [key for key in wrong if title == "Med-EaSi" or key.startswith("systems/")]
        every = {i for system in systems for i in wrong[system]}
        ranks = [_rank(texts, systems, rows) for rows in (range(n), sorted({*range(n)} - every))]
        pairs = [*itertools.combinations(systems, 2)]
        swapped = sum((ranks[0][a] < ranks[0][b]) != (ranks[1][a] < ranks[1][b]) for a, b in pairs)
        moved = max(systems, key=lambda system: ranks[0][system] - ranks[1][system])
        sizes = [len(wrong[system]) for system in systems if wrong[system]]
        sentences.append(
            f"""On {title} the instruction is the output of {len(sizes)} of {len(systems)} models,
            for {min(sizes)} to {max(sizes)} of {n} examples. Without these {len(every)} examples
            {swapped} of {len(pairs)} pairs swap in the ranking by SARI, and
            {moved.removeprefix("systems/")} rises from rank {ranks[0][moved]} to
            {ranks[1][moved]}."""
        )
    return prose(" ".join(sentences))


@figures
def checks_exchanged(data: Data) -> str:
    """How often rows in another order are found."""
    draw = random.Random(0)
    found, tried, systems = 0, 0, 0
    missed: set[tuple[str, str]] = set()
    for name, texts in _published_outputs(data):
        kinds = [finding.kind for finding in checks.find(texts.sources, None, texts.systems)]
        assert "misplaced" not in kinds, "the page says that none is found in them"
        systems += len(texts.systems)
        for share in (0.05, 0.1, 0.2, 0.45):
            number = max(20, round(share * len(texts.sources)))
            wrong = {key: _shuffled(own, number, draw) for key, own in texts.systems.items()}
            findings = checks.find(texts.sources, None, wrong)
            hits = {n for f in findings if f.kind in ("misplaced", "shifted") for n in f.systems}
            found, tried = found + len(hits), tried + len(wrong)
            for key in {*wrong} - hits:
                pairs = zip(texts.sources, texts.systems[key], strict=True)
                words = [({*a.lower().split()}, {*b.lower().split()}) for a, b in pairs]
                assert np.mean([len(a & b) / len(a | b) for a, b in words if a | b]) < 0.3
                missed.add((name, key))
    return prose(
        f"""We shuffled 5, 10, 20 and 45 % of the rows, at least 20, of {systems} systems on six
        test sets. The check finds {found} of {tried} shuffles, and nothing in the outputs as
        published. The others are of {len(missed)} language models whose outputs have less than 30 %
        of their words in common with the sources, even unshuffled."""
    )


@figures
def checks_swapped(data: Data) -> str:
    """How often swapped columns are found."""
    orders = {
        "sources, predictions, references": "spr",
        "predictions, sources, references": "psr",
        "references, predictions, sources": "rps",
        "references, sources, predictions": "rsp",
        "predictions, references, sources": "prs",
        "sources, references, predictions": "srp",
    }
    found, total = Counter[str](), 0
    for _, texts in _published_outputs(data):
        for outputs in texts.systems.values():
            columns = {
                "s": [texts.sources],
                "p": [outputs],
                "r": [*zip(*texts.references, strict=True)],
            }
            total += 1
            for order in orders.values():
                first, second, third = (columns[letter] for letter in order)
                references = [*map(list, zip(*third, strict=True))]
                given = checks._Texts(first[0], references, {"ours": second[0]})
                found[order] += any(True for _ in checks._swapped(given))  # all checks take minutes
    assert not found["spr"] + found["srp"], "the page says so"
    rows = [[what, str(found[order])] for what, order in orders.items()]
    counts = table(["given as sources, predictions, references", f"found, of {total:,}"], rows)
    asset = data.test_set("asset_test")
    swapped = TestSet(asset.systems["ACCESS"], asset.references, {"ours": asset.sources})
    right, wrong = asset.score(Sari(), "ACCESS")["sari"], swapped.score(Sari(), "ours")["sari"]
    text = f"""If ACCESS on ASSET is given as the sources, and the sources as its predictions, SARI
        is {wrong:.2f} instead of {right:.2f}."""
    return f"{counts}\n\n{prose(text)}"


PEOPLE = re.compile(r"references? ?|Human|human|asset|turkcorpus|new_|Elementary|Original")
FALSE = {  # false alarms of systems, of those that were read
    "doubled": "2 of 20",  # the source with a sentence that adds to it
    "cut": "4 of 20",  # whole sentences that only lack the stop
    "unrelated": "1 of 20",  # born in the US, for a date of birth
    "answers": "2 of 20",  # short sentences
    "repeated": "0 of 20",
    "glued": "0 of 20",
    "phrases": "4 of 18",  # a town located in
}


def _real_outputs(data: Data) -> Iterator[tuple[str, list[str], list[str]]]:
    """Name, sources and texts of all systems and people in the folder of test sets."""
    for name in ("asset_test", "turkcorpus_test", "turkcorpus_test_legacy", "d_wikipedia_valid_60"):
        texts = data.test_set(name)
        for system, outputs in texts.systems.items():
            yield system, texts.sources, outputs
        for column in zip(*texts.references, strict=True):
            yield "references", texts.sources, [*column]
    for pattern in ("systems/*.txt", "runs/*/*.txt"):
        for path in sorted((data.folder / "bless").glob(pattern)):
            yield path.stem, data.test_set("asset_test").sources, read_lines(path)
    folder = data.folder / "bless" / "med_easi"
    for path in [folder / "reference.txt", *sorted((folder / "systems").glob("*.txt"))]:
        yield path.stem, read_lines(folder / "source.txt"), read_lines(path)
    for part in ("test", "validation"):
        files = [data.folder / "wikismall" / f"{part}.{x}.txt" for x in ("source", "reference")]
        yield "references", *map(read_lines, files)
    submissions = data.folder / "tasks" / "tsar2025" / "official_data.tar.gz"
    tables = [
        (path.stem, _json_rows(path.read_bytes()))
        for folder in ("information_errors", "ratings")
        for path in sorted((data.folder / folder).glob("*.jsonl"))
    ]
    with tarfile.open(submissions) as archive:
        files = {name: archive.extractfile(name) for name in sorted(archive.getnames())}
        runs = {name: _json_rows(file.read()) for name, file in files.items() if file}
    gold = {row["text_id"]: row for rows in runs.values() for row in rows if "original" in row}
    for name, rows in runs.items():
        of = [(gold.get(row["text_id"]), row.get("simplified")) for row in rows]
        rows = [{"source": g["original"], "prediction": text} for g, text in of if g and text]
        tables.append((name, rows))
    for name, rows in tables:
        for column in {"prediction", "better", "worse"} & {*(rows or [{}])[0]}:
            for system in dict.fromkeys(row.get("system", name) for row in rows):
                own = [row for row in rows if row.get("system", name) == system]
                pairs = [(row["source"], row[column]) for row in own]
                yield system, *map(list, zip(*pairs, strict=True))


def _json_rows(text: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.decode().split("\n") if line.strip()]


@figures
def checks_real(data: Data) -> str:
    """How many texts of real systems and of people are reported, and how many wrongly."""
    reported: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    texts = {True: 0, False: 0}
    for name, sources, outputs in _real_outputs(data):
        people = PEOPLE.match(name) is not None
        texts[people] += len(outputs)
        for finding in checks.find(sources, None, {"ours": outputs}):
            if finding.systems:
                reported[people][finding.kind] += len(finding.examples)
    reasons = {kind: artefact.reason for kind, artefact in artefacts.ARTEFACTS.items()}
    reasons |= {
        "phrases": "five words in 4 outputs and 1 %, and in no source or reference",
        "empty": "no letter and no digit",
    }
    rows = []
    for kind, reason in reasons.items():
        numbers = [f"{reported[people][kind]:,}" for people in (False, True)]
        rows.append([checks.WHAT[kind], reason, *numbers, FALSE.get(kind, "")])
    assert not reported[True]["language"] + reported[True]["repeated"], "the page says so"
    assert reported[True]["glued"] == 27, "the page says so"
    header = ["what is left", "why it isn't prose", f"systems ({texts[False]:,})"]
    return table([*header, f"people ({texts[True]:,})", "false, as read"], rows)


INJECTED: dict[str, Callable[[str, str, str], str]] = {
    "`<think>…</think>`": lambda t, s, n: f"<think>Shorter words, two sentences.</think> {t}",
    "`**bold**`": lambda t, s, n: f"**{t}**",
    "bullets": lambda t, s, n: "- " + t.replace(". ", ". - "),
    "numbering": lambda t, s, n: f"1. {t}",
    "heading": lambda t, s, n: f"## Simplified\n{t}",
    "code fence": lambda t, s, n: f"```\n{t}\n```",
    "(Note: I replaced …)": lambda t, s, n: f"{t} (Note: I replaced hard words with easy ones.)",
    "Let me know …": lambda t, s, n: f"{t} Let me know if you need anything else!",
    "Okay, here is …:": lambda t, s, n: f"Okay, here is a simpler version of the sentence: {t}",
    "Complex: … Simple: …": lambda t, s, n: f"Complex: {s} Simple: {t}",
    "another example": lambda t, s, n: f"{t}\n\nInput: {n}\nOutput: {n[:60]}",
    "two candidates": lambda t, s, n: f"{t} Or: {t[:60]}",
    "`<simplified>`": lambda t, s, n: f"<simplified>{t}</simplified>",
    r"a literal `\n`": lambda t, s, n: rf"{t}\n",
    "cut off after 60 % of the words": lambda t, s, n: " ".join(
        t.split()[: max(1, round(0.6 * len(t.split())))]
    ),
    "source and output": lambda t, s, n: f"{s} {t}",
    "I'm sorry …": lambda t, s, n: "I'm sorry, but I can't help with that.",
    "I can't …": lambda t, s, n: "I can't simplify this sentence.",
    "As an AI …": lambda t, s, n: "As an AI language model, I have no opinion on this.",
    "in German": lambda t, s, n: "Der Mann ging mit dem Hund durch die Stadt.",
    "quotation marks around": lambda t, s, n: f"“{t}”",
    "a quotation mark before": lambda t, s, n: f"“{t}",
    "the instruction": lambda t, s, n: "Rewrite the complex sentence with simple sentence(s).",
    "the output of the next source": lambda t, s, n: n,
    "the last sentence again": lambda t, s, n: f"{t} It is so in this city. It is so in this city.",
    "another sentence without a space": lambda t, s, n: f"{t}According to them it was so.",
    "*Yes.*": lambda t, s, n: "Yes.",
    "`####`": lambda t, s, n: "####",
}


@figures
def checks_injected(data: Data) -> str:
    """The share of injected artefacts that is found, by their number."""
    asset, draw = data.test_set("asset_test"), random.Random(0)
    outputs, count = asset.systems["ACCESS"], len(asset.sources)
    kinds = {*artefacts.ARTEFACTS, "language", "empty", "misplaced", "shifted"}
    rows = []
    for what, inject in INJECTED.items():
        row = [what]
        for share in (0.01, 0.1, 1.0):
            at = {*draw.sample(range(count), round(share * count))}
            others = [*asset.sources[1:], asset.sources[0]]
            texts = [*zip(outputs, asset.sources, others, strict=True)]
            wrong = [inject(*text) if i in at else text[0] for i, text in enumerate(texts)]
            findings = checks.find(asset.sources, asset.references, {"ours": wrong})
            own = [finding for finding in findings if finding.kind in kinds and finding.systems]
            found = at & {number - 1 for finding in own for number in finding.examples}
            row.append(f"{100 * len(found) / len(at):.0f}")
        rows.append(row)
    return table(["injected into ACCESS on ASSET", "1 %", "10 %", "100 %"], rows)


# Edit operations ---------------------------------------------------------------------------------


def _edits(data: Data) -> dict[str, dict[str, Any]]:
    """``references`` or system → scores with intervals of ASSET's test set."""
    asset = data.test_set("asset_test")
    metric = EditOps.preset(tokenizer="13a")
    found = {system: asset.score(metric, system, confidence=0.95) for system in PAPERS}
    of_references = {
        name.removeprefix("reference_"): value
        for name, value in found["ACCESS"].items()
        if name.startswith("reference_")
    }
    return {**found, "references": of_references}


@figures
def edit_ops_asset(data: Data) -> str:
    n = len(data.test_set("asset_test").sources)
    found = _edits(data)
    rows = []
    for name, scores in found.items():
        low, high = scores["change_percentage_interval"]
        rows.append(
            [
                PAPERS.get(name, name),
                f"{scores['change_percentage']:.1f} [{low:.1f}, {high:.1f}]",
                f"{scores['corpus_change_percentage']:.1f}",
                *(f"{scores[operation] / n:.2f}" for operation in OPERATIONS),
            ]
        )
    percentages = {name: scores["change_percentage"] for name, scores in found.items()}
    shares = [100 * percentages[s] / percentages["references"] for s in PAPERS]
    claim = (
        f"""Systems change {min(shares):.0f} to {max(shares):.0f} % as much as the references."""
    )
    header = ["", "`change_percentage`", "`corpus_…`", *OPERATIONS]
    return f"{table(header, rows)}\n\n{prose(claim)}"


@figures
def edit_ops_paths(data: Data) -> str:
    asset = data.test_set("asset_test")
    columns = [*asset.systems.values(), *(list(c) for c in zip(*asset.references, strict=True))]
    means, singles = [], []
    for predictions in columns:
        both = [
            EditOps.preset(variant, tokenizer="13a").score(
                sources=asset.sources, predictions=predictions, per_example=True
            )["change_percentage_per_example"]
            for variant in ("paper", "shortest")
        ]
        paper, shortest = map(np.array, both)
        means.append(abs(paper.mean() - shortest.mean()))
        singles.append(abs(paper - shortest).max())
    return prose(
        f"""On ASSET's systems and references (13a tokens) the means differ by at most
        {max(means):.3f} points. Single sentences differ by up to {max(singles):.1f}."""
    )


@figures
def edit_ops_wikismall(data: Data) -> str:
    means = {}
    for name in ("test", "validation"):
        sources, targets = (
            read_lines(data.folder / "wikismall" / f"{name}.{side}.txt")
            for side in ("source", "reference")
        )
        scores = EditOps.preset().score(sources=sources, predictions=targets)
        means[name] = scores["change_percentage"]
    return prose(
        f"""The default `tokenizer="none"` reproduces the percentages of the authors' code to the
        last bit. Their mean is {means["test"]:.2f} on WikiSmall's test set and
        {means["validation"]:.2f} on its validation set."""
    )


# Simplification statistics -----------------------------------------------------------------------


@figures
def stats_asset(data: Data) -> str:
    asset = data.test_set("asset_test")
    metric = SimplificationStats.preset(lexical_complexity=True)
    found = {system: asset.score(metric, system) for system in PAPERS}
    some = found["ACCESS"]
    sides = {
        "sources": {n: some[f"source_{n}"] for n in metric.score_names() if f"source_{n}" in some},
        **found,
        "references": {
            n: some[f"reference_{n}"]
            for n in metric.score_names()
            if n in some and f"reference_{n}" in some
        },
    }
    rows = []
    for name in metric.score_names():
        if not name.startswith("source_"):
            decimals = 1 if name == "length_change" else 2
            cells = [
                f"{scores[name]:.{decimals}f}".replace("-", "−") if name in scores else ""
                for scores in sides.values()
            ]
            rows.append([f"`{name}`", *cells])
    similarity = {side: scores.get("levenshtein_similarity", 0) for side, scores in sides.items()}
    assert min(similarity[s] for s in PAPERS) > similarity["references"], "they keep closer"
    dress = found["Dress-Ls"]
    assert max(found[s]["split_share"] for s in PAPERS) == found["ACCESS"]["split_share"]
    claims = f"""All four systems change their sources less than people do. ACCESS splits and
        rewrites. Dress-Ls mostly deletes: {100 * dress["unchanged_share"]:.0f} % of its outputs are
        copies, and {100 * dress["under_half_share"]:.0f} % are shorter than half their source."""
    return f"{table(['', *sides], rows)}\n\n{prose(claims)}"


# Word difficulty ----------------------------------------------------------------------------------


@figures
def word_difficulty_asset(data: Data) -> str:
    asset = data.test_set("asset_test")
    metric = WordDifficulty(cefr=True)
    found = {system: asset.score(metric, system) for system in PAPERS}
    some = found["ACCESS"]
    sides = {
        "sources": {name: some[f"source_{name}"] for name in metric.score_names()},
        **found,
        "references": {name: some[f"reference_{name}"] for name in metric.score_names()},
    }
    rows = []
    for name in metric.score_names():
        score = metric.find_score(name)
        formats = {"share": "{:.1%}", "words": "{:,.0f}", "": "{:.2f}"}
        cells = [formats[score.unit].format(scores[name]) for scores in sides.values()]
        rows.append([f"`{name}`", *(cell.replace("%", " %") for cell in cells)])
    source, references = sides["sources"], sides["references"]
    assert all(s["mean_zipf"] > source["mean_zipf"] for s in (*found.values(), references))
    assert all(s["mean_cefr"] < source["mean_cefr"] for s in (*found.values(), references))
    content = asset.score(WordDifficulty(content_words=True), "ACCESS")
    tokens = {token for text in asset.sources for token in tokenize_13a(text).split()}
    one = WordDifficulty().score(predictions=sorted(tokens), per_example=True)
    rare = [
        token
        for token, share in zip(sorted(tokens), one["rare_share_per_example"], strict=True)
        if share
    ]
    capital = sum(token[0].isupper() for token in rare) / len(rare)
    claims = f"""People and systems use more frequent words than the sources do. Between Zipf 3 and
        4 are {references["zipf_3_4"]:.1%} of the references' words and {source["zipf_3_4"]:.1%} of
        the sources'. The share of rare words hardly changes, because many are names:
        {capital:.0%} of those in the sources have a capital letter. With `content_words`, the mean
        Zipf frequency is {content["source_mean_zipf"]:.2f} for the sources,
        {content["mean_zipf"]:.2f} for ACCESS and {content["reference_mean_zipf"]:.2f} for the
        references."""
    return f"{table(['', *sides], rows)}\n\n{prose(claims.replace('%', ' %'))}"


@figures
def word_difficulty_levels(data: Data) -> str:
    import cefrpy  # type: ignore[import-not-found,import-untyped,unused-ignore]

    words = cefrpy.CEFRAnalyzer()
    levels = [round(x) for _, _, x in words.yield_word_pos_level(word_level_as_float=True)]
    texts = " ".join(data.test_set("asset_test").sources)
    tokens = [token for token in tokenize_13a(texts.lower()).split() if token.isalpha()]
    both = [
        (round(words.get_average_word_level_float(token)), round(min(by_tag.values())))
        for token in tokens
        if (by_tag := words.get_pos_level_dict_for_word(token, word_level_as_float=True))
    ]
    other = sum(mean != least for mean, least in both) / len(both)
    return prose(
        f"""For {100 * other:.0f} % of the words of ASSET's sources the mean gives another level.
        cefrpy's list has {len(levels):,} pairs of a word and a part of speech, of which
        {100 * levels.count(len(LEVELS)) / len(levels):.0f} % are {LEVELS[-1]}."""
    )


# Word transformations ----------------------------------------------------------------------------

PRINTED = {  # Table 3 of Alva-Manchego et al. (2019): delete, move, replace, copy
    "PBMT-R": (34.18, 2.64, 23.65, 93.50),
    "Dress-Ls": (40.31, 1.43, 12.62, 86.76),
}


def printed_distance(scores: Mapping[str, float], system: str) -> float:
    """Mean distance from what Table 3 prints of a system, in points."""
    printed = PRINTED[system]
    distances = [abs(scores[label] - p) for label, p in zip(LABELS, printed, strict=False)]
    return float(np.mean(distances))


@figures
def word_transformations_printed(data: Data) -> str:
    turk = data.test_set("turkcorpus_test_legacy")
    forms = {
        "`easse2019`": WordTransformations("easse2019"),
        '`easse2019`, `parts="none"`': WordTransformations("easse2019", parts="none"),
        "`easse2019`, `gap=5`": WordTransformations("easse2019", gap=5),
    }
    system = "Dress-Ls"
    found = {name: turk.score(metric, system) for name, metric in forms.items()}
    rows = [["printed", *(f"{p:.2f}" for p in PRINTED[system]), "", ""]]
    for name, scores in found.items():
        distance = f"{printed_distance(scores, system):.2f}"
        rows.append([name, *(f"{scores[label]:.2f}" for label in LABELS), distance])
    nearest = min(found, key=lambda name: printed_distance(found[name], system))
    assert nearest == "`easse2019`", "the card says so"
    header = [PAPERS[system], *(f"`{label}`" for label in LABELS), "mean distance"]
    claims = """On the legacy test set of TurkCorpus, with its 8 references. EASSE's aligner knows
        few paraphrases. Aligning gaps by their parts of speech replaces more words than EASSE
        does. Without parts of speech almost no word is replaced."""
    return f"{table(header, rows)}\n\n{prose(claims)}"


@figures
def word_transformations_turkcorpus(data: Data) -> str:
    turk = data.test_set("turkcorpus_test_legacy")
    rows = []
    for variant in WordTransformations.presets:
        metric = WordTransformations(variant)
        for system in (None, *PAPERS):
            scores = turk.score(metric, system)
            name = PAPERS[system] if system else "source"
            rows.append([f"`{variant}`", name, *(f"{scores[label]:.2f}" for label in LABELS)])
            if system is None:
                assert max(scores[label] for label in LABELS if label != "copy") == 0
    return table(["", "", *(f"`{label}`" for label in LABELS)], rows)


# Information errors ------------------------------------------------------------------------------


def _audited(data: Data, system: str | None, metrics: Sequence[str]) -> Audit:
    """Errors in all outputs of ASSET's test set that can have them: of a system, or of a person.

    The person wrote the first reference of each source, and is judged by the others.
    """
    asset = data.test_set("asset_test")
    references = asset.references
    return audit_errors(
        metrics,
        [row[0] for row in references] if system is None else asset.systems[system],
        sources=asset.sources,
        references=references if system else [row[1:] for row in references],
        shares=[1.0],
    )


SHUFFLED = (0, 0.05, 0.1, 0.2, 0.5, 1)


@figures
def shuffled_scores(data: Data) -> str:
    """What shuffled rows change in scores."""
    asset, draw = data.test_set("asset_test"), random.Random(0)
    outputs, rows = asset.systems["ACCESS"], list[list[float]]()
    for share in SHUFFLED:
        number = round(share * len(outputs))
        texts = TestSet(asset.sources, asset.references, {"ours": _shuffled(outputs, number, draw)})
        sari, bleu = texts.score(Sari(), "ours"), texts.score(Bleu.preset("easse"), "ours")
        scores = [sari[name] for name in ("sari", "add", "keep", "delete")]
        rows.append([number, *scores, bleu["bleu"]])
    assert rows[3][1] > rows[0][1] - 1, "the text says so"
    cells = [[f"{row[0]:,}", *(f"{score:.2f}" for score in row[1:])] for row in rows]
    header = ["rows shuffled, of 359", "SARI", "add", "keep", "delete", "BLEU (easse)"]
    (_, sari, _, keep, delete, bleu), after = rows[0], rows[3]
    text = f"""With {after[0]} of 359 rows shuffled SARI falls by {sari - after[1]:.2f} only: *keep*
        falls by {keep - after[3]:.1f}, but *delete* rises by {after[4] - delete:.1f}, since words
        of the source that are missing count as deleted. BLEU falls by {bleu - after[5]:.1f}."""
    return f"{table(header, cells)}\n\n{prose(text)}"


@figures
def errors_audit(data: Data) -> str:
    texts = [
        name
        for name in catalogue.names()
        if all(c.name in COLUMNS for c in catalogue.metric_class(name).columns if c.required)
    ]
    judging = [name for name in texts if catalogue.metric_class(name).scores[0].better]
    describing = [name for name in texts if name not in judging]
    person = _audited(data, None, [*judging, *describing])
    found = {effect.change: effect for effect in person.of("sari")}
    tables_of = []
    for names in (judging, describing):
        columns = [person.of(name) for name in names]
        rows = [
            [
                f"`{first.change}`",
                str(first.outputs),
                *(_change(effect) for effect in (first, *others)),
            ]
            for first, *others in zip(*columns, strict=True)
        ]
        titles = [person.metrics[n].heading(person.metrics[n].scores[0].title) for n in names]
        tables_of.append(table(["error", "outputs", *titles], rows))
    access = _audited(data, "ACCESS", ["sari", "d_sari", "bleu"])
    sari = {effect.change: effect for effect in access.of("sari")}
    unnoticed = [error for error, effect in sari.items() if effect.verdict == "doesn't notice"]
    assert "negated" in unnoticed, "the page says so"
    assert all(e.verdict == "gets worse" for e in (*person.of("bleu"), *access.of("bleu")))
    special = ("sari", "d_sari", "split_f1", "word_transformations")
    assert all(effect.verdict == "gets worse" for effect in person.of("sari"))
    worse = {
        name: all(effect.verdict == "gets worse" for effect in person.of(name))
        for name in judging
        if name not in special
    }
    better = [e for e in access.of("d_sari") if e.verdict == "gets better"]
    assert better, "the page says so"
    gains = ", ".join(f"{effect.differences[-1]:.1f} (`{effect.change}`)" for effect in better)
    titles = {name: person.metrics[name].scores[0].title for name in worse}
    falling = [titles[name] for name in worse if worse[name]]
    others = [titles[name] for name in worse if not worse[name]]
    exception = f" Some errors don't lower {enumerate_names(others)}." if others else ""
    quoted = enumerate_names([f"`{error}`" for error in unnoticed])
    claims = f"""{enumerate_names(falling)} fall with every error, because each changed word is a
        word less in common with the references. For a person's outputs SARI falls with every
        error, too. But it falls only by {-found["negated"].differences[-1]:.1f} if every output
        with an auxiliary says the opposite. If unrelated sentences follow every output, it falls
        by {-found["phrase_inserted_2"].differences[-1]:.1f}. For the outputs of
        {PAPERS["ACCESS"]} SARI doesn't notice {quoted} at all. D-SARI rewards short
        outputs, so there it *gets better* by {gains}. Split F1 evaluates splits only, so it isn't
        meant to find errors.{exception}"""
    return "\n\n".join([*tables_of, prose(claims)])


def _change(effect: Effect) -> str:
    """A change with its interval: bold if the score gets better, italic if it doesn't notice."""
    decimals = 3 if effect.score.key == "compression_ratio" else 1
    text = tables.Cell.of(effect.differences[-1], effect.intervals[-1], decimals, sign=True)
    text = str(text).replace("-", "−")
    mark = {"gets better": "**", "doesn't notice": "*"}.get(effect.verdict, "")
    return f"{mark}{text}{mark}"


@figures
def information_errors_wikilarge(data: Data) -> str:
    """The tables of Devaraj et al. (2022), from the labels that they published."""
    rows = []
    for name, title in LABELLED.items():
        table_file = read_table(data.folder / "information_errors" / f"{name}.jsonl")
        labels = {category: table_file.column(category) for category in CATEGORIES}
        found = InformationErrors().score(**labels)
        shares = ("0", "1", "2", "gibberish")
        cells = [
            " / ".join(f"{found[f'{category}_{share}']:.1f}" for share in shares)
            for category in CATEGORIES
        ]
        rows.append([title, *cells, f"{100 * found['information_errors']:.1f}"])
    header = ["", *(f"{category}: 0 / 1 / 2 / −1" for category in CATEGORIES), "any error"]
    return table(header, rows)


@figures
def error_features(data: Data) -> str:
    """How well a logistic regression on offline features finds information errors."""
    example = _load_example("error_features")
    files = sorted((data.folder / "information_errors").glob("*.jsonl"))
    read = {f.stem: [json.loads(line) for line in read_lines(f)] for f in files}
    references = read.pop("reference")
    systems = [row for rows in read.values() for row in rows]
    rows, values = [], {}
    for category in CATEGORIES:
        everything, own, other = (
            example.read_outputs(part, category)
            for part in ([*references, *systems], systems, references)
        )
        both = values[category] = example.cross_validate(everything)
        trained = example.cross_validate(own, other)
        for tested, samples in (("all", both), ("systems, trained on references", trained)):
            cells = [*map(str, example.tabulate(samples).rows[0][2:])]
            counts = [f"{count:,}" for count in _confusion(samples["features"]).sum(axis=1)]
            rows.append([f"{category}, {tested}", " / ".join(counts), *cells])
    header = ["", "labelled 0 / 1 / 2", "F1(1)", "F1(2)", "mean"]
    # what the page says of them
    scores = {category: own["features"].value() for category, own in values.items()}
    means = {category: own["mean"] for category, own in scores.items()}
    assert means["deletion"] > 0.5 > 0.25 > means["substitution"] > means["insertion"]
    for category, samples in values.items():
        bounds = samples["features"].interval(confidence=0.95, resamples=1000, seed=0)
        assert bounds["mean"][0] > 0 == samples["majority"].value()["mean"]
        if category != "deletion":
            assert scores[category]["f1"][2] < 0.2
            confusion = _confusion(samples["features"])
            assert confusion[0, 1:].sum() > confusion[:, 1:].sum() / 2
    return table(header, rows)


def _load_example(name: str) -> Any:
    """A script of examples/, as a module."""
    sys.path.append(str(PROJECT / "examples"))
    return importlib.import_module(name)


def _confusion(sample: Any) -> Any:
    """(3, 3) how often each label was predicted, a row per true label."""
    return sample.rows.sum(axis=0).reshape(3, 3).astype(int)


@figures
def error_ranks(data: Data) -> str:
    """How often what needs no model ranks an output with an error above one without."""
    example = _load_example("error_features")
    files = sorted((data.folder / "information_errors").glob("*.jsonl"))
    rows_of = [json.loads(line) for file in files for line in read_lines(file)]
    counted = ("additions_proportion", "deletions_proportion", "novel_1grams")
    rows, shares = [], {}
    for category in CATEGORIES:
        outputs = example.read_outputs(rows_of, category)
        wrong = outputs.labels > 0
        ranked = [outputs.features[:, example.FEATURES.index(name)] for name in counted]
        ranked.append(_probabilities(example, outputs))
        shares[category] = [_above(scores, wrong) for scores in ranked]
        drawn = _resampled(outputs.groups)
        intervals = [
            np.nanpercentile([_above(scores[i], wrong[i]) for i in drawn], [2.5, 97.5])
            for scores in ranked
        ]
        cells = [
            str(tables.Cell.of(value, [*interval], 3))
            for value, interval in zip(shares[category], intervals, strict=True)
        ]
        rows.append([category, f"{wrong.sum():,} of {len(wrong):,}", *cells])
    # what the page says of them
    assert shares["insertion"][0] > 0.85 < shares["deletion"][1]
    assert max(shares["substitution"]) < 0.8
    assert shares["deletion"][3] > shares["deletion"][1]
    assert shares["insertion"][3] < shares["insertion"][0]
    return table(["", "outputs with it", *(f"`{name}`" for name in counted), "regression"], rows)


def _probabilities(example: Any, outputs: Any) -> Any:
    """(n,) of an error, each fifth of the sources by a regression on the others."""
    probabilities = np.zeros(len(outputs.labels))
    for rows in example.folds(outputs):
        test = outputs.take(rows)
        fitted = example.fit(outputs.without(test))
        none = fitted.classes_.tolist().index(0)
        probabilities[rows] = 1 - fitted.predict_proba(test.features)[:, none]
    return probabilities


def _above(scores: Any, wrong: Any) -> float:
    """How often a score of ``wrong`` is above one of the others, ties by half: the area under the
    receiver's curve. NaN without both.
    """
    others = np.sort(scores[~wrong])
    if not len(others) or not wrong.any():
        return float("nan")
    below = np.searchsorted(others, scores[wrong]) / 2
    upto = np.searchsorted(others, scores[wrong], side="right") / 2
    return float((below + upto).mean() / len(others))


def _resampled(groups: Any, resamples: int = 1000) -> list[Any]:
    """Indices of the rows of sources drawn with replacement."""
    random = np.random.default_rng(0)
    rows = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    draws = random.integers(0, len(rows), (resamples, len(rows)))
    return [np.concatenate([rows[i] for i in draw]) for draw in draws.tolist()]


@figures
def entailment_pairs(data: Data) -> str:
    """How many pairs of sentences the metric `entailment` asks a model of."""
    pairs, examples, linked, alone = {}, {}, {}, {}
    for name, splitter in (
        ("asset_test", DEFAULT_SPLITTER),
        ("d_wikipedia_valid_60", "simple-token"),
    ):
        test_set = data.test_set(name)
        split = get_splitter(splitter).sentences
        sources = [split(text) for text in test_set.sources]
        outputs = [split(row[0]) for row in test_set.references]
        asked: set[entailment.Pair] = set()

        def listen(found: list[entailment.Pair], asked: set[entailment.Pair] = asked) -> Any:
            asked.update(found)
            return np.zeros((len(found), 2))

        entailment.judge(sources, outputs, listen)
        pairs[name], examples[name] = len(asked), len(sources)
        links = [np.isfinite(found) for found in get_aligner().align(sources, outputs)]
        joined = sum((found.sum(axis) > 1).sum() for found in links for axis in (0, 1))
        linked[name] = (2 * sum(found.sum() for found in links) + joined) / len(asked)
        alone[name] = 1 - sum(found.any(axis=0).sum() for found in links) / sum(map(len, outputs))
    asset, documents = pairs
    text = f"""The model predicts 2·m·n pairs of m source and n output sentences, and up to m + n
        pairs with joined sentences. Equal pairs are predicted once. A person's simplifications of
        ASSET's {examples[asset]} test sentences take {pairs[asset]:,} pairs. The references of
        {examples[documents]} documents of D-Wikipedia take {pairs[documents]:,}. Comparing only
        sentences that share words would take {100 * linked[documents]:.0f} % of the latter. But it
        would leave {100 * alone[documents]:.0f} % of the output's sentences without a premise, such
        as invented ones. So there is no such option."""
    return prose(text)


# Power -------------------------------------------------------------------------------------------

TRIES = 300


@figures
def power_tries(data: Data) -> str:
    """Draw half, once and twice the examples that a difference takes, and test them."""
    asset = data.test_set("asset_test")
    options = {"resamples": 1000, "seed": 0}
    rng = np.random.default_rng(1)
    sizes, rows, errors = {}, [], []
    for metric in (Sari.preset("easse"), Bleu.preset("easse")):
        key = metric.scores[0].key
        columns = {"sources": asset.sources, "references": asset.references}
        systems = {**asset.systems, "copy": asset.sources}
        statistics = metric.compute_statistics(check_examples([metric], systems, columns))
        for one, other in itertools.combinations(systems, 2):
            pair = [statistics[one], statistics[other]]
            first, second = map(metric.sample, pair)
            test = second.minus(first, confidence=0.95, **options)[key]
            smallest = significance.detectable(test.interval, 0.95)
            assert smallest is not None
            sizes[key, one, other] = smallest
            if "copy" in (one, other):
                continue
            needed = len(pair[0]) * (smallest / test.value) ** 2
            if not 40 <= needed <= 2000:
                continue  # too few for the bootstrap, or equal
            shares = []
            for part, expected in ((0.5, 0.51), (1, 0.80), (2, 0.98)):
                p_values = []
                for _ in range(TRIES):
                    drawn = rng.integers(0, len(pair[0]), round(part * needed))
                    few = {"resamples": 200, "seed": int(rng.integers(2**31))}
                    drawn_again = first.take(drawn), second.take(drawn)
                    found = drawn_again[1].minus(drawn_again[0], confidence=0.95, **few)
                    p_values.append(found[key].permutation_p)
                shares.append(float(np.mean(np.array(p_values) < 0.05)))
                errors.append(abs(shares[-1] - expected))
            rows.append(
                [
                    f"{metric.scores[0].title}: {one} − {other}",
                    tables.number(abs(test.value), 1),
                    tables.number(smallest, 1),
                    f"{needed:,.0f}",
                    *(f"{share:.2f}" for share in shares),
                ]
            )
    assert np.mean(errors) < 0.05, "the page says that both agree"
    of_sari = [size for (key, *pair), size in sizes.items() if key == "sari" and "copy" not in pair]
    assert f"{np.median(of_sari):.1f}" == "1.6", "the page says so"
    assert f"{sizes['sari', 'ACCESS', 'copy']:.1f}" == "1.2", "the page says so"
    header = ["", "difference", "detectable by 359", "*n* for 0.80", "½ *n*: 0.51"]
    return table([*header, "*n*: 0.80", "2 *n*: 0.98"], rows)


# Pages -------------------------------------------------------------------------------------------


def marked(word: str) -> re.Pattern[str]:
    """What stands between the marks of a script: indent, name, text."""
    return re.compile(MARKED.format(word), re.DOTALL | re.MULTILINE)


def used(word: str = "figures") -> dict[str, list[Path]]:
    """Names in the pages → where they are."""
    found: dict[str, list[Path]] = {}
    for page in PAGES:
        for mark in marked(word).finditer(page.read_text(encoding="utf-8")):
            found.setdefault(mark[2], []).append(page)
    return found


def filled(text: str, computed: dict[str, str], word: str = "figures") -> str:
    """A page with the figures computed; those that aren't stay as they are."""

    def fill(mark: re.Match[str]) -> str:
        indent, name, _ = mark.groups()
        if name not in computed:
            return mark[0]
        lines = f"<!-- {word}: {name} -->\n{computed[name]}\n<!-- /{word} -->"
        return textwrap.indent(lines, indent)

    return marked(word).sub(fill, text)


def write_pages(computed: dict[str, str], check: bool, word: str = "figures") -> int:
    """Fill all pages, or say which differ; how many do."""
    different = 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        new = filled(text, computed, word)
        if new != text:
            different += 1
            print(f"{page.relative_to(PROJECT)}: {'differs' if check else 'written'}")
            if not check:
                page.write_text(new, encoding="utf-8")
    return different


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the figures, or with ``--check`` compare them: 1 if some differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="FOLDER", help="test sets")
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these figures")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        parser.error(f"no folder of test sets: {options.data}; name one with --data")
    data = Data(options.data)
    places = used()
    names = options.names or sorted({*places, *FIGURES})
    for name in names:
        if name not in FIGURES:
            parser.error(f"no function for {name!r}: expected some of {', '.join(FIGURES)}")
    for name in names:
        if name not in places:
            parser.error(f"no page has a place for {name!r}: <!-- figures: {name} -->")
    with cache_scope():  # of the same test sets again and again
        computed = {name: FIGURES[name](data) for name in names}
    different = write_pages(computed, options.check)
    if not different:
        print(f"{len(computed)} figures are as computed")
    return int(options.check and different > 0)


if __name__ == "__main__":
    sys.exit(main())
