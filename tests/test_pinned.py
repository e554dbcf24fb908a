"""Keys, their order, signatures and numbers of results stay as they were; see `tests.pinned`."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from tests import pinned
from tests.pinned import differences
from textsimp.core.metric import extra_required_columns
from textsimp.metrics.catalogue import metric_class, names

PINNED = json.loads(Path(pinned.__file__).with_suffix(".json").read_text(encoding="utf-8"))


CALLS = [(entry["call"], entry["result"]) for entry in PINNED["calls"]]


@pytest.mark.parametrize(
    "name", [name for name in names() if not extra_required_columns(metric_class(name))]
)
def test_every_metric_is_pinned(name):
    assert any(call.get("score") == name for call, _ in CALLS), f"python tests/pinned.py {name}"


def named(call):
    return " ".join(str(value) for value in call.values())


def splits_otherwise(call):
    """Whether a metric counts sentences by another version of NLTK than when it was pinned."""
    metrics = [metric_class(name) for name in names() if name in json.dumps(call)]
    splits = any("splitter" in metric.option_names() for metric in metrics)
    return splits and version("nltk") != PINNED["nltk"]


@pytest.mark.parametrize(("call", "expected"), CALLS, ids=[named(call) for call, _ in CALLS])
def test_what_users_see_of_results_is_what_it_was(call, expected):
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
def test_another_order_kind_number_or_text_is_a_difference(found, expected):
    assert list(differences(found, expected))


def test_numbers_by_another_splitter_differ_in_their_kind_only():
    assert not list(differences({"a": [1.0, 2]}, {"a": [1.5, 3]}, numbers=False))
    assert list(differences({"a": [1.0, 2]}, {"a": [1.5, 3.0]}, numbers=False))
