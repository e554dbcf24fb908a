"""What programs get of pages that run, by ``gradio_client``."""

import json

import pytest

import textsimp
from tests.demo.pages import build
from textsimp.demo.example_corpus import SYSTEMS, examples

pytest.importorskip("gradio", reason="gradio is not installed")

ROWS = examples("sentences")
TEXTS = {
    "sources": [row["source"] for row in ROWS],
    "references": [row["references"] for row in ROWS],
}
OUTPUTS = {name: [row[name] for row in ROWS] for name in SYSTEMS["sentences"]}
SUBSETS = {
    name: {"source": TEXTS["sources"], "target": [row[i] for row in TEXTS["references"]]}
    for i, name in enumerate(("train", "validation", "test"))
}


@pytest.fixture(scope="module")
def call():
    """``call(page, **arguments)``: what the page's endpoint returns."""
    from gradio_client import Client

    pages, clients = [], {}

    def predict(name, **arguments):
        if name not in clients:
            pages.append(build(name))
            _, address, _ = pages[-1].launch(prevent_thread_lock=True, quiet=True)
            clients[name] = Client(address, verbose=False)
        (endpoint,) = clients[name].view_api(return_format="dict")["named_endpoints"]
        return clients[name].predict(**arguments, api_name=endpoint)

    yield predict
    for page in pages:
        page.close()


def test_a_corpus_is_scored_as_in_python(call):
    texts = {"predictions": OUTPUTS["splitter"], **TEXTS}
    expected = textsimp.Sari("xu").score(**texts, confidence=0.95, per_example=True)
    found = call("sari", **texts, options={"variant": "xu"})
    assert found == json.loads(json.dumps(expected.to_dict()))


def test_a_metrics_own_columns_are_parameters(call):
    found = call("information_errors", insertion=[[0]], deletion=[[1]], substitution=[[0]])
    assert (found["insertion_0"], found["deletion_1"]) == (100, 100)


def test_systems_are_compared(call):
    found = call("compare", systems=OUTPUTS, **TEXTS)
    assert found["verdict"].startswith("substituter leads significantly by SARI: 41.5, 7.1 [")
    main = {row["system"]: row for row in found["rows"] if row["score"] == "sari"}
    assert main["splitter"]["permutation_p_holm"] < 0.05
    assert {*main} == {*OUTPUTS, "source unchanged", "source truncated"}
    assert found["warnings"] == []
    (warning,) = call("compare", systems=OUTPUTS, **TEXTS, metric="sari(xu)")["warnings"]
    assert "aren't tokenised, which tokenizer='none' of sari expects" in warning


@pytest.mark.parametrize("method", ["random", "balanced", "poor_alignments"])
def test_every_pair_is_in_one_subset_or_removed(call, method):
    found = call("splits", subsets=SUBSETS, method=method, fraction=0.1)
    places = [(x["subset"], x["row"]) for part in found["subsets"].values() for x in part]
    places += [(x["subset"], x["row"]) for x in found["removed"]]
    assert sorted(places) == sorted((name, i) for name in SUBSETS for i in range(len(ROWS)))
    assert len(found["removed"]) == (12 if method == "poor_alignments" else 0)


def test_a_split_is_told_to_be_less_alike_than_random_ones(call):
    balanced = call("splits", subsets=SUBSETS)["verdict"]
    assert "test and train differ more in their change percentages than random" in balanced
    assert "balances means, but leaves distributions further apart" in balanced
    random = [call("splits", subsets=SUBSETS, method="random", seed=i)["verdict"] for i in (0, 1)]
    assert random[0].endswith("so this is chance: another seed draws others.")
    assert random[1].startswith("After: no two subsets differ more")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("sari", {"sources": "x", "predictions": ["a"], "references": [["a"]]}, "sources: exp"),
        ("sari", {"sources": ["x"], "predictions": [], "references": [["a"]]}, "predictions: exp"),
        (
            "sari",
            {"options": {"weight": 0}, "predictions": TEXTS["sources"], **TEXTS},
            "weight: expected",
        ),
        (
            "sari",
            {"options": "xu", "predictions": TEXTS["sources"], **TEXTS},
            "options: expected a mapping",
        ),
        ("sari", {"sources": ["x" * 10_001], "predictions": ["a"], "references": ["a"]}, "at most"),
        ("compare", {"systems": 3, "sources": ["x"], "metric": "edit_ops"}, "systems: exp"),
        ("compare", {"systems": {}, "sources": ["x"], "metric": "edit_ops"}, "systems: expected"),
        ("compare", {"systems": {"a": ["x"]}, "sources": ["x"]}, "references: sari needs"),
        ("compare", {"systems": OUTPUTS, **TEXTS, "metric": "lens"}, "metric: expected one of"),
        ("compare", {"systems": {c: ["x"] for c in "abcdefghijk"}, "sources": ["x"]}, "references"),
        ("splits", {"subsets": ["x"]}, "subsets: expected a mapping"),
        ("splits", {"subsets": {"a": {"source": ["x"]}}}, "subset a: expected the field 'target'"),
        ("splits", {"subsets": SUBSETS, "method": "x"}, "method: expected one of"),
        ("splits", {"subsets": SUBSETS, "seed": -1}, "seed: expected an integer"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(call, name, arguments, message):
    with pytest.raises(Exception, match=message) as error:
        call(name, **arguments)
    assert "\n" not in str(error.value)
