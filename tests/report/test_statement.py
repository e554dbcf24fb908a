"""``textsimp statement``: what saved results say to a reviewer, and what they leave open."""

from functools import partial

import pytest

import textsimp
from tests.report.results import SIGNATURES, state_results
from textsimp import report
from textsimp.support.errors import InputError


@pytest.fixture
def state(tmp_path):
    return partial(state_results, tmp_path)


def test_metrics_are_spelled_out_with_versions_and_signature(state):
    used, sari = state()["C4"]
    assert used == "Scores were computed by textsimp 0.1.0, Python 3.12.1, sacrebleu 2.6.0."
    assert "variant `xu`" in sari
    assert f"`{SIGNATURES['sari']}`" in sari


def test_options_beside_the_variant_are_named(state):
    signature = "sari|variant:xu|tok:intl|case:mixed|refs:8|v:0.1.0"
    sari = state(signatures={"sari": signature})["C4"][1]
    assert "tokenizer `intl`, lowercase `False`" in sari


def test_statistics_have_interval_resamples_seed_n_test_and_family(state):
    intervals, tests, runs = state()["C3"]
    for figure in ("90 %", "359 examples", "2,000", "seed 7"):
        assert figure in intervals
    assert "`ours`" in tests
    assert "Holm's method" in tests
    assert runs[0] + runs[-1] == "[]"


def test_several_baselines_and_runs_are_named(state):
    systems = {
        "a": {"sari": {"sari": 40.0, "sari_runs": [39.0, 41.0, 40.0], "add_runs": [1, 2, 3]}}
    }
    answers = state(systems=systems, other_differences={"copy": {}})["C3"]
    _, tests, runs, decided, others = answers
    assert "`copy`, `ours`" in tests
    assert runs.startswith("Scores of `a` are means over 3 runs")
    assert decided.startswith("p-values are of these runs. Systems of several runs differ signif")
    assert others[0] + others[-1] == "[]"


def test_the_runs_in_a_report_are_named(tmp_path, corpus, systems):
    page = report.html({"ours": [*systems.values()]}, **corpus, resamples=10, examples=1)
    (tmp_path / "report.html").write_text(page, encoding="utf-8")
    answers = textsimp.statement(tmp_path / "report.html").answers["C3"]
    assert "Scores of `ours` are means over 2 runs, which the intervals draw, too." in answers


def test_systems_of_as_many_runs_share_a_sentence(state):
    three, two = ({"sari": {"sari_runs": runs}} for runs in ([1, 2, 3], [1, 2]))
    answers = state(systems={"a": three, "b": three, "c": two})["C3"]
    runs = [text for text in answers if text.startswith("Scores of")]
    assert [text.partition(",")[0] for text in runs] == [
        "Scores of `a` and `b` are means over 3 runs",
        "Scores of `c` are means over 2 runs",
    ]


@pytest.mark.parametrize("place", ["asset_test", "corpora/asset_test"])
def test_a_folder_of_a_test_set_is_called_by_its_corpus(state, place):
    answers = state(provenance={"files": {"test_set": place}})
    assert answers["B1"][0].startswith("ASSET (`asset_test`) is by ")


def test_published_systems_are_said_to_be_untested(state):
    published = {"systems": ["one (Who 2020)", "two (Who 2020)"], "remark": "2 published systems"}
    untested = "Scores of published systems, 2 here, were not tested."
    assert untested in state(published=published)["C3"]
    assert untested not in state(published=None)["C3"]


def test_a_single_system_has_no_test(state):
    assert not any("p-values" in text for text in state(differences={})["C3"])


def test_a_known_test_set_has_creators_licence_and_splits(state):
    answers = state()
    assert "ASSET (`asset_test`) is by Alva-Manchego et al. 2020." in answers["B1"]
    assert "ASSET (`asset_test`): CC BY-NC 4.0 (authors' repository)." in answers["B2"]
    assert "359 in test, 2,000 in validation" in answers["B6"][0]
    assert "8 references" in answers["B6"][1]
    assert "sources `abababababab`" in answers["B6"][1]
    assert "predictions" not in answers["B6"][1]


def test_what_results_cannot_know_is_a_blank(state):
    answers = state(provenance={"files": {"sources": "mine.txt"}})
    for question in ("B1", "B2", "B6"):
        assert answers[question][0].startswith("[")
        assert "`mine.txt`" in answers[question][0]
    assert "[platform]" in answers["C1"][0]
    assert answers["C1"][1][0] == "["


def test_an_unknown_metric_stays_a_blank(state):
    answers = state(signatures={"mine": "mine|v:1"})
    assert answers["C4"][1] == "[What `mine` is and how it was set.] Its signature is `mine|v:1`."
    assert "[Who made `mine`.]" in answers["B1"]


@pytest.mark.parametrize("text", ["[1]", "{}", "nothing", '{"examples": "48"}'])
def test_other_files_are_refused(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"other\.json"):
        textsimp.statement(path)


WRONG = {
    "signatures": [{"sari": 1}, []],
    "seed": ["x"],
    "provenance": ["x", {"files": {"test_set": []}}, {"data": [{}]}],
    "systems": [[], {"ours": 1}, {"ours": {"sari": 1}}],
    "baseline_by_metric": [["ours"]],
}


@pytest.mark.parametrize(("key", "value"), [(k, value) for k, of in WRONG.items() for value in of])
def test_results_with_other_values_than_were_printed_are_refused(key, value, state):
    with pytest.raises(InputError, match=r"scores\.json: .*not as printed: "):
        state(**{key: value})


@pytest.mark.parametrize("value", [None, {}, {"python": None, "packages": None, "data": None}])
def test_what_made_results_may_be_unknown(value, state):
    assert state(provenance=value)["C1"][0] == "Scores were computed on [platform]."


def test_a_report_says_what_json_says(tmp_path):
    rows = {"sources": ["A feline sat.", "It poured."], "references": ["A cat sat.", "It rained."]}
    systems = {"a": ["A cat sat.", "It rained."], "b": ["A feline sat.", "It poured."]}
    path = tmp_path / "report.html"
    textsimp.report.write(path, systems, **rows, metrics=["sari"], resamples=100, seed=3)
    answers = textsimp.statement(path).answers
    assert "over 2 examples (100 resamples, seed 3)" in answers["C3"][0]
    assert "of each two systems" in answers["C3"][1]
    assert any("`sari|variant:easse|" in text for text in answers["C4"])
