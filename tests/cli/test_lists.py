"""``textsimp metrics`` and ``textsimp datasets``."""

from __future__ import annotations

import json
import re
from typing import Any

from textsimp import catalogue
from textsimp.corpora import testsets
from textsimp.metrics.d_sari import DSari
from textsimp.metrics.sari import Sari


def test_every_metric_is_listed_with_its_variants_and_options(run: Any) -> None:
    listed = json.loads(run("metrics --json").stdout)
    assert [metric["metric"] for metric in listed] == catalogue.names()
    for metric in listed:
        assert metric["about"]
        assert metric["variants"]
        assert "predictions" in metric["needs"]
    table = run("metrics").stdout
    assert all(name in table for name in catalogue.names())


def test_one_metric_is_described_as_options_are_given(run: Any) -> None:
    text = " ".join(run("metrics sari").stdout.split())
    sari = catalogue.metric_class("sari")
    assert "no lowercasing [source_tokenizer='none', lowercase=False]" in text
    assert "lowercase=True lowercase all texts first [True, False]" in text
    assert f"{sari.scores[0].about}, 0 to 100, higher is better" in text
    described = json.loads(run("metrics sari --json").stdout)
    assert described["variants"]["easse_paper"]["options"] == {"average": "precision_recall"}
    assert [score["key"] for score in described["scores"]] == [s.key for s in sari.scores]


def test_an_unknown_metric_is_told_with_those_there_are(fails: Any) -> None:
    assert fails("metrics rouge").startswith("unknown metric 'rouge': expected one of sari, ")


def test_every_test_set_is_listed(run: Any) -> None:
    table = run("datasets").stdout
    assert all(f"-t {name} " in table for name in testsets.names())
    assert "on the Hub: facebook/asset (simplification)" in table
    assert json.loads(run("datasets --json").stdout) == testsets.listed()


def test_papers_of_metrics_can_be_cited(run: Any) -> None:
    printed = run("cite -m sari,D-SARI").stdout
    entries = re.findall(r"^@\w+\{(.+),$", printed, re.MULTILINE)
    assert entries[0] == "textsimp"
    assert entries[1:] == list(dict.fromkeys((*Sari.papers, *DSari.papers)))
