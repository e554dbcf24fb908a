"""Published systems beside those of one's own, where test set and signature are the same."""

from importlib.metadata import version
from types import SimpleNamespace

import pytest

from textsimp import Bleu, FkglComponents, Sari
from textsimp.core.examples import Examples
from textsimp.core.scores import Value
from textsimp.scoring import published
from textsimp.scoring.published import bare, digest, find_field

SOURCES = ["The cat ( a pet ) sat .", "It rained ."]
REFERENCES = [["A cat sat.", "The pet sat."], ["Rain.", "It was wet."]]
SARI = Sari().signature(REFERENCES)
BLEU = Bleu().signature(REFERENCES)


@pytest.fixture(autouse=True)
def tables(monkeypatch):
    """A test set with three published systems, in place of those of the package."""
    rows = []
    for system, sari, bleu in (("low", "30.5", "9"), ("high", "40.25", ""), ("other", "", "50")):
        for signature, value in ((SARI, sari), (BLEU, bleu)):
            if value:
                of = {"test_set": "Pets", "system": system, "paper": "Who 2020", "value": value}
                rows.append(of | {"signature": bare(signature), "low": "", "high": ""})
    rows[0] |= {"low": "29", "high": "32"}
    of_set = {"test_set": "Pets", "digest": digest(SOURCES, REFERENCES)}
    files = {"field": rows, "test_sets": [of_set]}
    monkeypatch.setattr(published, "table", files.__getitem__)
    return files


def find(signatures, own=None, confidence=0.95, sources=SOURCES, references=REFERENCES):
    """The published scores beside those of one's own systems, if there are any."""
    every = own or {"a baseline": dict.fromkeys(signatures, float("nan"))}
    scores = {
        metric: {
            system: SimpleNamespace(signature=signature, main=Value(values[metric]))
            for system, values in every.items()
        }
        for metric, signature in signatures.items()
    }
    texts = Examples({"sources": sources, "references": references}, {}) if sources else None
    return find_field(texts, scores, own or [], confidence)


def test_systems_are_found_by_signatures_the_best_first():
    found, remark = find({"sari": SARI, "bleu": BLEU})
    assert found == {
        "high (Who 2020)": {"sari": Value(40.25)},
        "low (Who 2020)": {"sari": Value(30.5, [29, 32]), "bleu": Value(9)},
    }
    assert remark.startswith("2 published systems on Pets, by the same signatures")


def test_published_copies_of_ones_own_outputs_are_left_out_and_named(tables):
    tables["field"][0]["value"] = "30.5123"
    signatures = {"sari": SARI, "bleu": BLEU}
    for sari, bleu, same in ((30.51234, 9.0049, False), (30.51234, 9, False), (30.6, 9, False)):
        own = {"ours": {"sari": sari, "bleu": bleu}}
        found, _ = find(signatures, own)
        assert ("low (Who 2020)" not in found) == same
    tables["field"][1]["value"] = "9.0049"
    own = {"theirs": {"sari": 1.0, "bleu": 9.0}, "ours": {"sari": 30.51234, "bleu": 9.00491}}
    found, remark = find(signatures, own)
    assert [*found] == ["high (Who 2020)"]
    assert remark.endswith(". Left out: low (Who 2020) is ours")


def test_of_many_published_copies_three_are_named(tables):
    tables["field"] += [
        {**tables["field"][0], "system": f"s{i}", "value": f"3{i}.123"} for i in range(6)
    ]
    own = {f"own {i}": {"sari": float(f"3{i}.123")} for i in range(6)}
    _, remark = find({"sari": SARI}, own)
    assert remark.endswith("; s2 (Who 2020) is own 2; and 3 more that are yours")


def test_five_published_systems_are_near_on_either_side_of_ones_own():
    field = [f"p{i}" for i in range(20)]
    ranking = [*field[:7], "ours", *field[7:14], "theirs", *field[14:]]
    near = published.neighbours(ranking, ["ours"], field)
    assert near == [*field[2:7], "ours", *field[7:12], "theirs"]
    assert published.neighbours(ranking, ["ours", "theirs"], field) == [
        *(*field[2:7], "ours", *field[7:14], "theirs", *field[14:19])
    ]
    assert published.neighbours(["ours", *field], ["ours"], field) == ["ours", *field[:5]]


def test_intervals_are_of_95_percent_only():
    found, _ = find({"sari": SARI}, confidence=0.9)
    assert found["low (Who 2020)"]["sari"].interval is None


def test_the_order_of_references_and_spaces_do_not_matter():
    turned = [row[::-1] for row in REFERENCES]
    spaced = [f" {text} " for text in SOURCES]
    assert find({"sari": SARI}, sources=spaced, references=turned)[0]


def test_another_signature_has_no_rows_and_says_so():
    signature = Sari("xu").signature(REFERENCES)
    found, remark = find({"sari": signature})
    assert (found, remark) == ({}, f"No published scores on Pets by {signature}")


@pytest.mark.parametrize(
    ("sources", "references"), [(SOURCES, [["A."], ["B."]]), (["Else."], [["B."]]), (None, None)]
)
def test_other_texts_have_no_rows_and_the_known_test_sets_are_named(sources, references):
    found, remark = find({"sari": SARI}, sources=sources, references=references)
    assert found == {}
    assert "aren't those of Pets, or are another version" in remark


def test_versions_of_packages_do_not_count_but_those_of_splitters():
    assert bare("sari|variant:easse|refs:2|v:0.1.0") == "sari|variant:easse|refs:2"
    assert bare(BLEU).endswith("smooth:exp")
    pytest.importorskip("punkt.data", reason="needs the extra languages")
    signature = FkglComponents(splitter="nltk-punkt-en").signature()
    assert f"splitter:nltk-punkt-en-{version('nltk')}" in bare(signature)
