"""Scores of the reference implementations, as papers print them, are those of their variants."""

from functools import cache

import pytest

from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari
from textsimp.scoring import explanation
from textsimp.scoring.explanation import explain
from textsimp.text.functions import cache_scope

from .variants import BLEU, sari_options


def same(configuration, options):
    """Whether a configuration has these options and all references, under any variant."""
    meant = type(configuration.metric).preset(**options)
    names = meant.option_names()
    alike = all(getattr(configuration.metric, name) == getattr(meant, name) for name in names)
    return alike and configuration.reference is None


def rounds_to(value, printed, configuration):
    readings = explanation.parse_score(printed, configuration.metric.scores[0])
    return any(abs(value - number) <= half + 1e-9 for number, half, _ in readings)


def compute(cls, predictions, **shared):
    """The scores of texts by all configurations with all references."""
    examples = Examples(shared, {UNNAMED_SYSTEM: {"predictions": predictions}})
    every = explanation.make_configurations(cls, examples)[0]
    configurations = [one for one in every if one.reference is None]
    with cache_scope():
        scores = explanation.compute_scores(configurations, examples, cls.scores[0].key)
        return [(value, one) for value, one, *_ in scores]


def is_explained(values, score, options):
    """Whether the configuration with these options gives the score, as papers print it."""
    found = [(value, one) for value, one in values if same(one, options)]
    return any(rounds_to(value, f"{score:.2f}", one) for value, one in found)


def simplest(values, printed):
    """The most plausible of the configurations that give the score."""
    found = [one for value, one in values if rounds_to(value, printed, one)]
    return str(min(found, key=lambda one: one.plausibility))


@pytest.fixture(scope="module")
def values(columns):
    """``values(Sari, "asset_test", "ACCESS")`` → those that are tried first."""

    @cache
    def usual(cls, dataset, system):
        return [pair for pair in compute(cls, **columns(dataset, system)) if pair[1].stage < 3]

    return usual


@pytest.mark.parametrize("cls", [Sari, Bleu])
@pytest.mark.parametrize(
    ("dataset", "system"),
    [
        ("asset_test", "ACCESS"),
        pytest.param("turkcorpus_test_legacy", "Dress-Ls", marks=pytest.mark.slow),
    ],
)
def test_a_score_of_a_reference_implementation_is_that_of_its_variant_which_is_tried_first(
    goldens, values, cls, dataset, system
):
    compared = 0
    for line in goldens(cls.name):
        options = sari_options(line) if cls is Sari else BLEU[line["variant"]]
        if options is None or (line["dataset"], line["system"]) != (dataset, system):
            continue
        assert is_explained(values(cls, dataset, system), line[cls.name], options), line
        compared += 1
    assert compared >= 4


def test_the_simplest_explanation_of_the_published_score_of_access_is_easse(values):
    assert simplest(values(Sari, "asset_test", "ACCESS"), "40.13") == "sari"


@pytest.mark.parametrize("article", range(4))
def test_table_6_of_the_d_sari_paper_is_explained_by_its_variant(table_6, article):
    line = table_6[article]
    texts = {"sources": [line["source"]], "predictions": [line["output"]]}
    texts["references"] = [line["references"]]
    found = explain(f"{line['published'][4]:.2f}", **texts, metrics="d_sari")
    matches = [one for match in found.matches for one in (match.configuration, *match.also)]
    assert any(same(configuration, {}) for configuration in matches)


@pytest.mark.slow
def test_fkgl_is_explained_by_its_splitter(goldens, lines):
    pytest.importorskip("pysbd", reason="needs the extra languages")
    rows = [line for line in goldens("fkgl") if line["text"] == "ref 0"]
    found = compute(FkglComponents, lines(f"{rows[0]['dataset']}/references/0.txt"))
    for line in rows:
        splitter = line["splitter"].removesuffix("-0.3.4").removeprefix("nltk-")
        options = {"variant": "easse", "splitter": splitter}
        assert is_explained(found, line["fkgl"], options), line
    assert len(rows) == 3


FKGL_OF_ACCESS = {
    "9.22": "fkgl_components",
    "7.29": "fkgl_components(easse)",
    "9.18": "fkgl_components(textstat_0_7_13)",
    "7.86": "fkgl_components(textstat, aggregation=mean)",
}


@pytest.mark.slow
def test_each_program_explains_its_fkgl_of_access(lines):
    pytest.importorskip("textstat", reason="needs the extra languages")
    found = compute(FkglComponents, lines("asset_test/systems/ACCESS.txt"))
    assert {printed: simplest(found, printed) for printed in FKGL_OF_ACCESS} == FKGL_OF_ACCESS
