"""What all metrics have in common: how their options are given, checked and named."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from tests.given import given_to, variants
from textsimp import compare
from textsimp.core.declarations import PREDICTIONS, Preset, Score
from textsimp.core.metric import MeanMetric
from textsimp.core.option import option as metric_option
from textsimp.metrics import catalogue
from textsimp.metrics.sari import Sari
from textsimp.support.errors import InputError
from textsimp.support.version import __version__

CLASSES = [catalogue.metric_class(name) for name in catalogue.names()]
VARIANTS = variants()
ROWS = {
    "sources": ["The feline reclined on the mat .", "It rained , and we left early ."],
    "predictions": ["The cat lay on the mat .", "It rained . We left ."],
    "references": [["The cat lay on a mat ."], ["It rained . We left .", "We left early ."]],
}

every_metric = pytest.mark.parametrize("metric", CLASSES, ids=lambda metric: metric.name)
every_variant = pytest.mark.parametrize(("metric", "variant"), VARIANTS, ids=str)


@every_variant
def test_a_constructor_takes_what_the_variant_sets(metric, variant):
    made = metric(variant)
    assert made == metric(variant=variant) == metric.preset(variant)
    for name, value in metric.presets[variant].options.items():
        assert getattr(made, name) == value


@every_metric
def test_without_a_variant_the_first_is_meant(metric):
    first = next(iter(metric.presets))
    assert metric() == metric.preset() == metric(first)
    assert metric().variant == first


@every_metric
@pytest.mark.parametrize("door", ["constructor", "preset", "configure"])
def test_a_mistyped_option_is_answered_by_the_nearest(metric, door):
    doors = {
        "constructor": metric,
        "preset": metric.preset,
        "configure": lambda **options: metric.configure(options),
    }
    for option in metric.option_names():
        with pytest.raises(InputError, match=f"did you mean '{option}'"):
            doors[door](**{option[:-1] + "z": None})


@every_metric
def test_a_mistyped_column_among_options_is_answered_by_the_right_one(metric):
    for column in metric.columns:
        if column.one:
            with pytest.raises(InputError, match=f"did you mean '{column.name}'"):
                metric.configure({column.one: []})


def test_options_may_be_numpy_scalars_and_become_plain():
    given = Sari(lowercase=np.bool_(False), weight=np.int64(8), tokenizer=np.str_("none"))  # type: ignore[arg-type]
    assert given == Sari(lowercase=False, weight=8, tokenizer="none")
    assert [type(value) for value in (given.lowercase, given.weight, given.tokenizer)] == [
        bool,
        int,
        str,
    ]
    for wrong in (np.float64(8), np.bool_(True), np.int64(0)):
        with pytest.raises(InputError):
            Sari(weight=wrong)  # type: ignore[arg-type]


@every_metric
@pytest.mark.parametrize("value", ["no", 1, 0, None, [True]], ids=repr)
def test_per_example_is_true_or_false(metric, value):
    with pytest.raises(InputError):
        metric.configure({"per_example": value})
    with pytest.raises(InputError, match=r"^per_example: "):
        metric().score(**given_to(metric, ROWS), per_example=value)


def test_an_option_among_the_columns_is_refused():
    with pytest.raises(InputError):
        Sari().score(sources=["a"], predictions=["b"], references=["c"], lowercase=False)


def test_an_option_is_named_and_typed_by_its_field_and_begins_with_its_first_value():
    @dataclass(frozen=True)
    class Named(MeanMetric):
        name, scores, presets = "named", (), {"first": Preset(""), "second": Preset("")}
        unit: str = metric_option(choices=("words", "letters"))
        limit: int | None = metric_option(None, least=1)
        device: str | None = metric_option(None, tag="")

        def numbers(self, prepared):
            return np.zeros(0)

    assert Named() == Named("first", unit="words")
    changed = Named(unit="letters", limit=3, device="cpu").signature()
    assert changed == f"named|variant:first|unit:letters|limit:3|v:{__version__}"
    with pytest.raises(InputError):
        Named(limit="3")


# A mean of the user's own


@dataclass(frozen=True)
class Shouted(MeanMetric):
    """Share of capital letters, which a text without letters doesn't have."""

    name, about, papers = "shouted", "", ()
    columns, presets = (PREDICTIONS,), {"usual": Preset("of all letters")}
    scores = (Score("shouted", "Shouted", "capital letters", most=1, better="lower"),)
    incomplete = True

    def numbers(self, prepared, predictions):
        letters = [[*filter(str.isalpha, text)] for text in predictions]
        return np.array([np.mean([*map(str.isupper, row)]) if row else np.nan for row in letters])


def test_a_mean_of_numbers_has_intervals_and_tests_of_the_examples_that_have_one():
    texts = [*["AB", "Ab"] * 12, "1", "2"]
    found = Shouted().score(predictions=texts, confidence=0.95, per_example=True)
    assert found["shouted"] == 0.75
    assert found["shouted_per_example"][:2] == [1, 0.5]
    assert np.isnan(found["shouted_per_example"][-2:]).all()
    error = 0.25 / 24**0.5
    expected = [0.75 - 1.96 * error, 0.75 + 1.96 * error]
    assert found["shouted_interval"] == pytest.approx(expected, abs=0.02)
    lower = [text.lower() for text in texts]
    tested = compare({"a": texts, "b": ["1", *lower[1:]]}, metrics=Shouted(), baseline="a")[
        "shouted"
    ]
    difference = tested.differences["b"]["shouted"]
    assert difference.units == 23
    assert difference.value == pytest.approx(-(0.75 * 24 - 1) / 23)
    assert difference.permutation_p == pytest.approx(1 / 1001)
