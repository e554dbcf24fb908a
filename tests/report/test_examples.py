"""The examples of a report, as data: which are there, their texts, numbers and marks."""

import json
import re
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.given import lines
from tests.report.pages import data_of, read
from tests.strategies import messy_texts
from textsimp import report
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.catalogue import make_metrics
from textsimp.metrics.sari import Sari
from textsimp.metrics.simplification_stats import SimplificationStats
from textsimp.report import examples, marks, measurements
from textsimp.report.examples import order
from textsimp.text.sentences import are_documents

FEW = {"resamples": 2}


def embedded(systems, metrics=(), count=10, seed=0, **columns):
    """The data of examples, without the rest of a report."""
    chosen = make_metrics(metrics, "metrics") if metrics else {}
    given = {"references": None, **columns}
    texts, _ = measurements.check(systems, metrics=chosen.values(), **given)
    documents = are_documents(texts.shared["sources"])
    sampling = {"confidence": 0.95, "resamples": 2, "seed": seed}
    report = measurements.measure(texts, chosen, sampling, documents=documents)
    contents = examples.contents(report, count)
    return examples.unpack(contents["data"])


def outputs_of(data):
    """The outputs of a system after the other, as the page's script finds them."""
    return [
        [unescape(re.sub(r"<del.*?</del>|<[^>]*>", "", drawn, flags=re.DOTALL)) for drawn in of]
        for of in data["drawn"]
    ]


def measured(data, key):
    (found,) = [measure["values"] for measure in data["measures"] if measure["key"] == key]
    return found


def told(page):
    return " ".join(read(page).text.split())


# Texts -------------------------------------------------------------------------------------------


def test_all_texts_of_all_examples_are_there(whole, corpus, systems):
    data = data_of(whole)
    texts = data["texts"]
    assert data["numbers"] == [*range(1, len(corpus["sources"]) + 1)]
    assert data["systems"] == ["substituter", "splitter"]
    assert [texts[i] for i in data["sources"]] == corpus["sources"]
    assert outputs_of(data) == [systems[n] for n in data["systems"]]
    assert data["outputs"] == []
    assert [[texts[i] for i in of] for of in data["references"]] == corpus["references"]
    assert " are here, because" not in told(whole)


def test_equal_texts_are_there_once(corpus):
    copies = {"a": corpus["sources"], "b": corpus["sources"]}
    data = embedded(copies, sources=corpus["sources"])
    assert data["texts"] == [*dict.fromkeys(corpus["sources"])]


@pytest.mark.parametrize("text", ["</script>", "</SCRIPT >", "<!--<script>", "\u2028\r\n\x00\x7f"])
def test_texts_that_a_page_could_trip_over_come_back_as_they_are(text):
    assert examples.unpack(examples.pack([text])) == [text]
    data = embedded({"a": [text]}, sources=[f"{text} x"], references=[[text]])
    assert data["texts"] == [f"{text} x", text]
    assert outputs_of(data) == [[text]]


@given(messy_texts, messy_texts)
def test_an_output_is_what_is_not_deleted_in_its_drawing(source, output):
    assert outputs_of({"drawn": [marks.mark_html([source], [output])]}) == [[output]]


def test_what_does_not_fit_is_left_out_and_the_page_says_how_much(monkeypatch, corpus, systems):
    monkeypatch.setattr(examples, "MEGABYTES", 0.02)
    page = report.html(systems, **corpus, examples=3, **FEW)
    data = data_of(page)
    kept = len(data["numbers"])
    assert 3 < kept < len(corpus["sources"])
    assert data["total"] == len(corpus["sources"])
    assert f"{kept} of {data['total']} are here: at most 0.02 MB of texts and numbers" in told(page)
    assert (
        10_000 < len(json.dumps(data, ensure_ascii=False).encode()) < 30_000
    )  # with keys, and about
    assert all(len(of) == kept for of in (data["sources"], data["words"], *data["drawn"]))
    assert all(len(of) == kept for measure in data["measures"] for of in measure["values"])
    assert {k for _, _, members in data["groups"] for k in members} <= {*range(kept)}


def test_a_text_that_is_too_long_leaves_room_for_others(monkeypatch):
    monkeypatch.setattr(examples, "MEGABYTES", 0.0015)
    texts = ["long " * 400, "a b", "c d"]
    assert embedded({"a": texts}, sources=texts)["numbers"] == [2, 3]
    monkeypatch.setattr(examples, "MEGABYTES", 0)
    data = embedded({"a": texts}, sources=texts)
    assert data["numbers"] == data["texts"] == []


def test_examples_of_groups_come_before_the_first_ones():
    groups = {("highest", "a"): [3], ("lowest", "a"): [0, 4, 1], ("highest", "b"): [2, 1]}
    assert order(groups, 6) == [0, 2, 3, 1, 4, 5]


# Marks -------------------------------------------------------------------------------------------


def test_outputs_are_drawn_with_their_edits(whole, corpus, systems):
    data = data_of(whole)
    for name, drawn in zip(data["systems"], data["drawn"], strict=True):
        assert drawn == marks.mark_html(corpus["sources"], systems[name])
    assert not data["linked"]


# Numbers -----------------------------------------------------------------------------------------


def test_every_output_has_the_scores_of_metrics_that_judge(whole, corpus, systems):
    data = data_of(whole)
    assert [measure["key"] for measure in data["measures"]][:2] == ["sari.sari", "sari.add"]
    for metric, key in ((Sari(), "sari"), (Bleu.preset(), "bleu")):
        for i, name in enumerate(data["systems"]):
            given = {"predictions": systems[name], "references": corpus["references"]}
            given |= {"sources": corpus["sources"]} if key == "sari" else {}
            expected = metric.score(**given, per_example=True)[f"{key}_per_example"]
            assert measured(data, f"{key}.{key}")[i] == pytest.approx(expected, abs=1e-4)


def test_and_what_was_done_to_the_text(whole, corpus, systems):
    data = data_of(whole)
    keys = ["compression_ratio", "levenshtein_similarity", "sentence_splits", "exact_copies"]
    for i, name in enumerate(data["systems"]):
        scores = SimplificationStats.preset().score(
            predictions=systems[name], **corpus, per_example=True
        )
        for key in [*keys, "words"]:
            found = measured(data, f"simplification_stats.{key}")[i]
            assert found == pytest.approx(scores[f"{key}_per_example"], abs=1e-5), key
    assert measured(data, "edit_ops.change_percentage")
    assert measured(data, "edit_ops.move")
    assert data["words"] == [len(text.split()) for text in corpus["sources"]]


def test_metrics_that_were_asked_for_and_do_not_judge_are_there_too(corpus, systems):
    data = embedded(systems, ["readability"], sources=corpus["sources"])
    assert data["measures"][0]["key"].startswith("readability.")
    assert not data["main"]


def test_numbers_that_are_none_are_null():
    assert examples._numbers(np.array([1.0, np.nan, np.inf, 3.0])) == [1, None, None, 3]
    assert examples._numbers(np.array([0.1234567, np.nan])) == [0.123457, None]
    assert examples._numbers(np.array([np.nan])) == [None]
    assert examples._numbers(np.array([])) == []


def test_groups_have_their_examples_by_rank(whole, corpus, systems):
    data = data_of(whole)
    groups = {(group, system): members for group, system, members in data["groups"]}
    scores = measured(data, "sari.sari")
    for i in (0, 1):
        highest, lowest = groups["highest", i], groups["lowest", i]
        copies = measured(data, "simplification_stats.exact_copies")[i]
        changed = [score for score, copy in zip(scores[i], copies, strict=True) if not copy]
        assert [scores[i][k] for k in highest] == sorted(scores[i], reverse=True)[:10]
        assert [scores[i][k] for k in lowest] == sorted(changed)[:10]
    assert len(groups["sampled", -1]) == 10


def groups_of(sources, outputs, seed=0, count=3):
    options = {"references": [[text] for text in sources], "count": count, "seed": seed}
    data = embedded(outputs, ["sari"], sources=sources, **options)
    return {group: members for group, _, members in data["groups"]}


THREE = ["One cat sat.", "Two cats sat.", "Three cats sat."]


def test_outputs_without_a_changed_word_are_not_those_of_lowest_score():
    groups = groups_of(THREE, {"a": [THREE[0], "Cats sat.", THREE[2].upper()]})
    assert groups["lowest"] == [1]
    assert groups["highest"][0] == 0


def test_systems_disagree_where_their_scores_are_furthest_apart():
    outputs = {"a": THREE, "b": [THREE[0], "Cats.", "Three cats lay."]}
    assert groups_of(THREE, outputs)["disagree"] == [1, 2]


def test_sampled_examples_depend_on_the_seed_only():
    texts = [f"a b {i}" for i in range(50)]
    samples = [groups_of(texts, {"a": texts}, seed, 5)["sampled"] for seed in (1, 1, 2)]
    assert samples[0] == samples[1] != samples[2]


def test_outputs_without_words_are_listed():
    texts = ["a b.", "", " \u2003"]
    data = embedded({"a": texts, "b": ["x"] * 3}, sources=["a b."] * 3)
    assert data["empty"] == [[1, 2], []]


# Documents and words -----------------------------------------------------------------------------

DOCUMENTS = ["d_sari", "sari, bleu(level=aligned)", ["sari"]]


def of_documents(metrics, **columns):
    names = ("shortener", "rewriter")
    systems = {name: lines(f"documents/systems/{name}.txt")[:4] for name in names}
    return embedded(systems, metrics, sources=lines("documents/source.txt")[:4], **columns)


@pytest.mark.parametrize("metrics", DOCUMENTS)
def test_documents_stand_beside_their_outputs_with_links(metrics):
    references = [[text] for text in lines("documents/references/0.txt")[:4]]
    data = of_documents(metrics, references=references)
    drawings = [drawing for of_system in data["drawn"] for drawing in of_system]
    assert len(drawings) == 2 * 4
    for drawing in drawings:
        tags = read(drawing).tags
        assert tags[0] == ("div", {"class": "linked"})
    assert data["linked"]


def test_without_references_documents_are_linked_too():
    page = report.html(
        {"shortener": lines("documents/systems/shortener.txt")},
        sources=lines("documents/source.txt"),
        metrics=["edit_ops"],
        **FEW,
    )
    assert read(data_of(page)["drawn"][0][0]).tags[0] == ("div", {"class": "linked"})
    assert "sees words, not meaning" in page


def test_sentences_are_not_drawn_as_documents(whole):
    assert not data_of(whole)["linked"]
    assert "sees words, not meaning" not in whole


@pytest.mark.parametrize("metrics", DOCUMENTS)
def test_empty_and_hostile_texts_can_be_drawn(metrics):
    texts = ["", "<script>alert(1)</script>. One. Two.", " ", "\u2028 \x85 a\u2029b. \x0b &quot;"]
    systems = {"</script><b>": texts[::-1], "b": ["", "", "", ""]}
    data = embedded(systems, metrics, sources=texts, references=[[text] for text in texts])
    for drawing in [drawing for of_system in data["drawn"] for drawing in of_system]:
        assert "script" not in {tag for tag, _ in read(drawing).tags}


# Controls ----------------------------------------------------------------------------------------


def test_controls_offer_what_there_is(corpus, systems):
    one = report.html({"only": systems["splitter"]}, sources=corpus["sources"], **FEW)
    names = {of.get("name") for tag, of in read(one).tags if tag in ("select", "input")}
    assert not names & {"system", "a", "b"}
    options = [of["value"] for tag, of in read(one).tags if tag == "option"]
    assert "references" not in options
    assert "disagreement" not in options


@given(st.sampled_from(["q", "system", "lines"]), messy_texts)
def test_a_link_keeps_what_it_is_given(key, value):
    from urllib.parse import parse_qsl

    link = examples.link(**{key: value})
    assert parse_qsl(link.removeprefix("#?"), keep_blank_values=True) == (
        [(key, value)] if value else []
    )
