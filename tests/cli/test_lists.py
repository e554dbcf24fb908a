"""``textsimp metrics`` and ``textsimp datasets``."""

from __future__ import annotations

import json
from typing import Any

from textsimp import catalogue, testsets


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
    table = run("metrics sari").stdout
    assert "'easse_legacy'  source_tokenizer='none', lowercase=False\n" in table
    assert ["lowercase", "True", "True,", "False"] in [line.split() for line in table.splitlines()]
    sari = json.loads(run("metrics sari --json").stdout)
    assert sari["variants"]["easse_paper"] == {"average": "precision_recall"}


def test_an_unknown_metric_is_told_with_those_there_are(fails: Any) -> None:
    assert fails("metrics rouge").startswith("unknown metric 'rouge': expected one of sari, ")


def test_every_test_set_is_listed(run: Any) -> None:
    table = run("datasets").stdout
    assert all(f"-t {name} " in table for name in testsets.names())
    assert "on the Hub: facebook/asset (simplification)" in table
    assert json.loads(run("datasets --json").stdout) == testsets.listed()
