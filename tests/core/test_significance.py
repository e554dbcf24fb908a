import math

import numpy as np
import pytest

from textsimp import InputError
from textsimp.core import significance
from textsimp.core.significance import Difference


def test_nothing_is_detectable_where_resamples_do_not_differ():
    for interval in ([1.0, 1.0], [1.0, 1 + 1e-15], [math.nan, math.nan]):
        assert significance.detectable(interval, 0.95) is None
    for confidence in (1e-17, 1 - 1e-16):
        size = significance.detectable([0, 1], confidence)
        assert size is None or size > 0


def test_tests_of_fewer_than_ten_examples_are_to_be_taken_with_caution():
    assert significance.caution(10, 1000) == ""
    assert "no p-value" in significance.caution(1, 1000)
    assert significance.caution(5, 1000).endswith("can give is 0.0625")
    assert significance.caution(9, 99).endswith("can give is 0.01")


def test_differences_are_adjusted_score_by_score_and_test_by_test():
    tests = {
        "a": {"x": Difference(1, [0, 2], 0.01, 0.04), "y": Difference(1, [0, 2], 0.5, 0.5)},
        "b": {"x": Difference(2, [0, 2], 0.03, 0.02), "y": Difference(2, [0, 2], 0.3, 0.1)},
    }
    found = significance.adjust(tests)
    x = [found[system]["x"] for system in tests]
    assert [test.bootstrap_p_holm for test in x] == [0.02, 0.03]
    assert [test.permutation_p_holm for test in x] == [0.04, 0.04]
    assert found["b"]["y"].permutation_p_holm == 0.2
    assert [test.bootstrap_p for test in x] == [0.01, 0.03]
    assert tests["a"]["x"].bootstrap_p_holm is None  # what was given stays as it is


def test_what_has_no_p_value_is_none_of_several_tests():
    p_values = {"a": 0.01, "b": None, "c": 0.03}
    tests = {name: {"x": Difference(1, [0, 2], p, p)} for name, p in p_values.items()}
    found = significance.adjust({**tests, "d": {}})
    adjusted = [found[name]["x"].permutation_p_holm for name in tests]
    assert adjusted == [0.02, None, 0.03]


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("confidence", 1.0),
        ("confidence", math.nan),
        ("resamples", 0),
        ("resamples", 10**30),
        ("seed", -1),
    ],
)
def test_bad_options_are_refused(name, bad):
    legal = {"confidence": np.float32(0.9), "resamples": np.int64(1), "seed": np.int64(0)}
    significance.check(**legal)
    significance.check(None, 1, 0)
    with pytest.raises(InputError, match=f"^{name}: "):
        significance.check(**legal | {name: bad})
