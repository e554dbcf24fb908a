"""A metric with a model next to one without: in a Trainer, a report and a comparison."""

import html

import pytest

import textsimp
from textsimp import BertScore

transformers = pytest.importorskip("transformers")

SOURCES = ["the small cat sat on the mat .", "it rained , and we left .", "dogs ran fast ."]
OUTPUTS = ["a cat sat .", "it rained . we left .", "big dogs ran ."]
REFERENCES = [["the cat sat .", "a cat sat on it ."], ["it rained ."], ["dogs ran ."]]


@pytest.fixture
def metrics(bert):
    return ["sari", BertScore(model=str(bert), layer=3, device="cpu")]


@pytest.mark.filterwarnings("ignore:3 examples")
def test_a_report_and_a_comparison_have_the_same_scores(metrics):
    pytest.importorskip("jinja2", reason="needs the extra report")
    given = {"sources": SOURCES, "references": REFERENCES}
    systems = {"ours": OUTPUTS, "copy": SOURCES}
    compared = textsimp.compare(systems, metric=metrics, **given, resamples=50)
    page = textsimp.report.html(systems, **given, metrics=metrics, resamples=50)
    for comparison in compared.values():
        for scores in comparison.systems.values():
            assert f"{scores.main.value:.2f}" in page
            assert scores.signature in html.unescape(page)
