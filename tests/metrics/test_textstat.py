"""The variants `textstat_0_7_13` are the package textstat, whose own tests hold for them, too."""

import importlib.util
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import sentence_texts
from textsimp import FkglComponents, Readability
from textsimp.text.syllables import cmudict

textstat = pytest.importorskip("textstat", reason="needs the extra languages")
if version("textstat") != "0.7.13":
    pytest.skip("compares with textstat 0.7.13", allow_module_level=True)

FUNCTIONS = {
    "fkgl": "flesch_kincaid_grade",
    "flesch_reading_ease": "flesch_reading_ease",
    "ari": "automated_readability_index",
    "coleman_liau": "coleman_liau_index",
    "gunning_fog": "gunning_fog",
    "smog": "smog_index",
    "dale_chall": "dale_chall_readability_score",
    "lix": "lix",
    "rix": "rix",
    "linsear_write": "linsear_write_formula",
}

corpora = st.lists(sentence_texts, min_size=1, max_size=5)
odd = example(["", " ", "...", "1,000", "don't 'quote' O'Brien IT'S", "U.S. e.g. Mr. Éa naïve"])
no_syllable = example(["hmm mm"])
long = example(["The unbelievable cat , ' sat. " * 30])


@pytest.fixture(autouse=True, scope="module")
def dictionary():
    """Give textstat our copy of the dictionary, which it would download."""
    phones = {word: [["AH0"] * number] for word, number in cmudict().items()}
    counts = importlib.import_module("textstat.backend.counts._count_syllables")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "get_cmudict", lambda language: phones)
        yield


def own_cases(function):
    """Texts and values of textstat's own test of a function."""
    folder = Path(textstat.__file__).parents[1] / "tests"
    name = "tests_of_textstat"
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    sys.modules.setdefault(name, importlib.util.module_from_spec(spec))
    module = importlib.import_module(f"{name}.backend.metrics.test_{function}")
    (mark,) = getattr(module, f"test_{function}").pytestmark
    for row in mark.args[1]:
        text, *options, value = row
        if options in ([], ["en_US"], ["en_US", False, True]):
            yield text, value


def score(*lines, **options):
    return Readability("textstat_0_7_13", **options).score(predictions=[*lines])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_of_textstats_own_tests(name):
    cases = [*own_cases(FUNCTIONS[name])]
    assert len(cases) >= 4
    for text, value in cases:
        assert round(score(text)[name], 3) == value


@given(corpora)
@odd
@no_syllable
@long
def test_a_score_is_the_mean_of_textstats(lines):
    scores = score(*lines)
    for name, function in FUNCTIONS.items():
        values = [*map(getattr(textstat, function), lines)]
        assert scores[name] == pytest.approx(sum(values) / len(values), abs=1e-9), name
    fkgl = FkglComponents("textstat_0_7_13").score(predictions=lines)["fkgl"]
    assert fkgl == pytest.approx(scores["fkgl"], abs=1e-9)


@given(corpora)
@no_syllable
@long
def test_joined_scores_are_textstats_of_all_lines(lines):
    text = " ".join(lines)
    fkgl = FkglComponents("textstat_0_7_13", aggregation="joined").score(predictions=lines)["fkgl"]
    assert fkgl == pytest.approx(textstat.flesch_kincaid_grade(text), abs=1e-9)
    scores = score(*lines, aggregation="joined")
    assert "linsear_write" not in scores  # it reads 100 words
    for name in [*FUNCTIONS][:-1]:
        expected = getattr(textstat, FUNCTIONS[name])(text)
        if name == "smog" and not textstat.lexicon_count(text):
            expected = 0
        assert scores[name] == pytest.approx(expected, abs=1e-9), name


def test_means_are_of_texts_and_so_can_be_scored_in_pieces():
    lines = ["It rained all day. It didn't stop.", "Cats sat", "The immunoglobulin was venerable."]
    for variant in FkglComponents.presets:
        metric = FkglComponents(variant, aggregation="mean")
        each = [metric.score(predictions=[line])["fkgl"] for line in lines]
        assert metric.independent_rows
        assert metric.score(predictions=lines)["fkgl"] == pytest.approx(sum(each) / 3)
