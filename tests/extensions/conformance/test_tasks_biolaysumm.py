"""BioLaySumm: textstat's readability, and rouge_score's ROUGE."""

import re

import pytest

from tests.given import rows
from tests.project import SHARED
from textsimp import Readability, Rouge
from textsimp.extensions import tasks
from textsimp.metrics.rouge import f1_scores
from textsimp.metrics.textstat import grades_0_7_4
from textsimp.support.imports import require

DATA = SHARED / "data" / "tasks"
NAMES = ("FKGL", "CLI", "DCRS")


def regex_sentences(text):
    """As the goldens' sentences, since NLTK's data could not be had."""
    return re.split(r"(?<=[.!?])\s+", text)


def test_readability_is_that_of_textstat_0_7_4(goldens):
    require("textstat", extra="languages")
    cases = [c for c in goldens("tasks/biolaysumm_readability") if c["textstat"] != "0.7.13"]
    assert cases
    for case in cases:
        texts = (DATA / case["predictions"]).read_text(encoding="utf-8").removesuffix("\n")
        lines = texts.split("\n")
        for name, own in zip(NAMES, zip(*map(grades_0_7_4, lines), strict=True), strict=True):
            assert [*own] == pytest.approx(case["per_text"][name], abs=1e-9)
        scores = Readability.preset("textstat_0_7_4").score(predictions=lines)
        means = [scores[name] for name in ("fkgl", "coleman_liau", "dale_chall")]
        assert means == pytest.approx([case["mean"][name] for name in NAMES], abs=1e-9)


def test_rouge_is_that_of_rouge_score(goldens):
    cases = {case["case"]: case for case in goldens("tasks/biolaysumm_rouge")}
    pairs = rows(DATA / "biolaysumm" / "rouge_pairs.jsonl")
    outputs = (DATA / "biolaysumm" / "elife.txt").read_text(encoding="utf-8").splitlines()
    references = [row["lay_summary"] for row in rows(DATA / "biolaysumm" / "eLife_val.jsonl")]
    texts = {
        "pairs": [(pair["prediction"], pair["reference"]) for pair in pairs],
        "elife": [*zip(outputs, references, strict=True)],
    }
    assert {*cases} >= {*texts}
    for name, own_texts in texts.items():
        f1 = [f1_scores(*pair, regex_sentences) for pair in own_texts]
        numbers = [[row[i] for row in f1] for i in (0, 1, 3)]
        for own, values in zip(numbers, cases[name]["per_text"].values(), strict=True):
            assert [*own] == pytest.approx(values, abs=1e-9)


def test_rouge_of_evaluate_is_that_of_rouge_score(columns):
    for system, rouge_lsum in (("first2sent", 40.97938469046584), ("first60pct", 36.9150216808688)):
        texts = columns("d_wikipedia_valid_60", system)
        scores = Rouge("evaluate").score(**texts)
        assert scores["rougeLsum"] == pytest.approx(rouge_lsum, abs=1e-9)


def test_a_journal_has_its_official_numbers(goldens):
    require("textstat", extra="languages")
    (case,) = (c for c in goldens("tasks/biolaysumm_rouge") if c["case"] == "elife")
    files = DATA / "biolaysumm" / "eLife_val.jsonl", DATA / "biolaysumm" / "elife.txt"
    result = tasks.score("biolaysumm", gold=files[0], predictions=files[1], year=2024)
    for name in ("ROUGE1", "ROUGE2"):
        assert result[name] == pytest.approx(case[name], abs=1e-9)
    assert result["FKGL"] == pytest.approx(4.015)
    assert abs(result["ROUGELsum"] - case["ROUGELsum_regex_sentences"]) < 0.01
