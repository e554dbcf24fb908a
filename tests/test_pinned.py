"""Keys, their order, signatures and numbers of results stay as they were; see `tests.pinned`."""

import json
from importlib.metadata import version

import pytest

from tests import pinned
from tests.given import names_of_text_metrics
from tests.pinned import differences
from textsimp.metrics.catalogue import metric_class, names

GOLDENS = {path: pinned.read(path) for path in sorted(pinned.GOLDENS.glob("*/*.json"))}
CASES = [
    pytest.param(
        golden,
        case,
        id=f"{path.parent.name}/{path.stem} {pinned.named(case['call'])}",
        marks=pytest.mark.slow if "ter documents" in pinned.named(case["call"]) else (),
    )
    for path, golden in GOLDENS.items()
    for case in golden["cases"]
]


@pytest.mark.parametrize("name", names_of_text_metrics())
def test_every_metric_is_pinned(name):
    assert pinned.GOLDENS / name / "pinned.json" in GOLDENS, f"python -m tests.pinned {name}"


def splits_otherwise(call, golden):
    """Whether a metric counts sentences by another version of NLTK than when it was pinned."""
    metrics = [metric_class(name) for name in names() if name in json.dumps(call)]
    splits = any("splitter" in metric.option_names() for metric in metrics)
    return splits and version("nltk") != golden["nltk"]


@pytest.mark.parametrize(("golden", "case"), CASES)
def test_a_result_is_what_its_golden_says(golden, case):
    found, expected = pinned.result(case["call"]), case["result"]
    if "nltk" in golden:
        numbers = not splits_otherwise(case["call"], golden)
        assert not list(differences(found, expected, numbers=numbers))
        return
    assert golden["from"], "say where the numbers come from"
    shown = {name: pinned.rounded(found[name], expected[name]) for name in expected}
    assert shown == expected


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
