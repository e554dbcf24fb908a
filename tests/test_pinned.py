"""Keys, their order, signatures and numbers of results stay as they were; see `tests.pinned`."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests import pinned
from tests.pinned import differences
from textsimp.core.metric import beyond
from textsimp.metrics.catalogue import metric_class, names

PINNED = json.loads(Path(pinned.__file__).with_suffix(".json").read_text(encoding="utf-8"))


CALLS = [(entry["call"], entry["result"]) for entry in PINNED["calls"]]


@pytest.mark.parametrize("name", [name for name in names() if not beyond(metric_class(name))])
def test_every_metric_is_pinned(name: str) -> None:
    assert any(call.get("score") == name for call, _ in CALLS), f"python tests/pinned.py {name}"


def named(call: dict[str, Any]) -> str:
    return " ".join(str(value) for value in call.values())


def splits_otherwise(call: dict[str, Any]) -> bool:
    """Whether a metric counts sentences by another version of NLTK than when it was pinned."""
    metrics = [metric_class(name) for name in names() if name in json.dumps(call)]
    splits = any("splitter" in metric.option_names() for metric in metrics)
    return splits and version("nltk") != PINNED["nltk"]


@pytest.mark.parametrize(("call", "expected"), CALLS, ids=[named(call) for call, _ in CALLS])
def test_what_users_see_of_results_is_what_it_was(call: dict[str, Any], expected: Any) -> None:
    found = pinned.result(call)
    assert not list(differences(found, expected, numbers=not splits_otherwise(call)))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0}),
        ({"a": 1.0}, {"a": 1}),
        ({"a": 1.0}, {"a": 1.0, "b": 1.0}),
        ({"a": [1.0, 2.0]}, {"a": [1.0, 2.0 + 1e-11]}),
        ({"a": [1.0]}, {"a": [1.0, 2.0]}),
        ({"signature": "a|v:*"}, {"signature": "b|v:*"}),
    ],
)
def test_another_order_kind_number_or_text_is_a_difference(found: Any, expected: Any) -> None:
    assert list(differences(found, expected))


def test_numbers_by_another_splitter_differ_in_their_kind_only() -> None:
    assert not list(differences({"a": [1.0, 2]}, {"a": [1.5, 3]}, numbers=False))
    assert list(differences({"a": [1.0, 2]}, {"a": [1.5, 3.0]}, numbers=False))


def test_the_last_bits_of_a_number_are_none() -> None:
    assert not list(differences({"a": [1e5]}, {"a": [1e5 + 1e-9]}))


def test_rows_in_another_order_are_told_from_those_that_were_pinned() -> None:
    rows = [float(number) for number in range(20)]
    assert pinned.brief(rows) != pinned.brief(rows[::-1])
    texts = ["a-b"] * 19 + ["c"]
    assert pinned.brief(texts) != pinned.brief(texts[::-1])


def test_versions_are_not_pinned() -> None:
    assert pinned.brief("bleu|smooth:exp|version:2.6.0") == "bleu|smooth:exp|version:*"
    assert pinned.brief("stats|lexical:wordfreq-3.1.1|v:0.1.0") == "stats|lexical:wordfreq-*|v:*"


def test_only_what_differs_is_written_anew() -> None:
    old = {"a": 1.0, "b": [1.0, 2.0], "gone": 1}
    new = {"c": 3.0, "a": 1.0 + 1e-15, "b": [1.0, 2.5]}
    result = pinned.updated(new, old)
    assert list(result.items()) == [("c", 3.0), ("a", 1.0), ("b", [1.0, 2.5])]
    assert repr(result["a"]) == "1.0"


def test_calls_of_a_metric_are_its_own_and_those_of_all_together() -> None:
    assert pinned.concerns({"score": "sari", "options": {}}, "sari")
    assert pinned.concerns({"train": ["d_sari", "sari"]}, "sari")
    assert pinned.concerns({"command": "score -m sari,bleu -s source.txt"}, "sari")
    assert not pinned.concerns({"score": "d_sari", "options": {}}, "sari")
