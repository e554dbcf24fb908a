import math
from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from textsimp import InputError
from textsimp.core import significance
from textsimp.core.intervals import tails_of
from textsimp.core.significance import Difference
from textsimp.support.errors import check_sampling


def test_nothing_is_detectable_where_resamples_do_not_differ():
    for interval in ([1.0, 1.0], [1.0, 1 + 1e-15], [math.nan, math.nan]):
        assert significance.detectable(Difference(0, interval, 1, 1, units=9), 0.95) is None
    for confidence in (1e-17, 1 - 1e-16):
        size = significance.detectable(Difference(0, [0, 1], 1, 1, units=9), confidence)
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


def normal_power(size, units, family):
    """How often a t test of units with a standard deviation of 1 finds such a difference."""
    critical = stats.t.ppf(1 - 0.025 / family, units - 1)
    return stats.nct.sf(critical, units - 1, size * units**0.5)


@pytest.mark.parametrize(("units", "family"), [(10, 1), (10, 4), (20, 36), (100, 1), (100, 36)])
def test_a_detectable_difference_is_that_of_a_t_test_adjusted_for_its_family(units, family):
    tail, _ = tails_of(0.95, units)
    width = -2 * stats.norm.ppf(tail) * ((units - 1) / units / units) ** 0.5  # of the bootstrap
    test = Difference(0, [0, width], 1, 1, units=units, family=family)
    size = significance.detectable(test, 0.95)
    assert normal_power(size, units, family) == pytest.approx(0.8, abs=0.05)


def test_nothing_is_said_where_too_few_swaps_are_significant():
    """Of ten units the smallest p-value is 2 / 1024, of which no 36 tests are significant."""
    sizes = [
        significance.detectable(Difference(0, [-1, 1], 1, 1, units=10, family=family), 0.95)
        for family in (1, 3, 6, 36)
    ]
    assert [size is None for size in sizes] == [False, False, True, True]


def test_more_units_detect_a_smaller_difference():
    test = Difference(0, [-1, 1], 1, 1, units=20)
    sizes = [significance.detectable(test, 0.95, units) for units in (20, 80, 320)]
    assert sizes[0] / sizes[1] == pytest.approx(2, rel=0.05)
    assert sizes[1] / sizes[2] == pytest.approx(2, rel=0.02)


def pairs_that_may_be_equal(systems):
    """By all ways to make groups of equal systems."""
    return {
        sum(first == second for first, second in combinations(groups, 2))
        for groups in product(range(systems), repeat=systems)
    }


@pytest.mark.parametrize("systems", [2, 3, 4, 5, 6])
def test_factors_of_all_pairs_are_how_many_may_still_be_equal(systems):
    possible = pairs_that_may_be_equal(systems)
    rest = range(math.comb(systems, 2), 0, -1)
    expected = tuple(max(n for n in possible if n <= most) for most in rest)
    assert significance.all_pairs(systems) == expected


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
    check_sampling(**legal)
    check_sampling(None, 1, 0)
    with pytest.raises(InputError, match=f"^{name}: "):
        check_sampling(**legal | {name: bad})


def test_an_interval_that_decides_is_adjusted_for_several_tests():
    p = significance.p_of(2.0, [0.2, 3.8], 0.95, math.inf)  # 0.03
    test = Difference(2.0, [0.2, 3.8], 0.001, 0.001, interval_decides=True, interval_p=p)
    for number, significant in ((1, True), (2, False)):
        adjusted = significance.adjust({i: {"sari": test} for i in range(number)})
        assert adjusted[0]["sari"].is_significant(0.95) is significant


def test_a_p_value_of_exactly_the_level_is_not_below_it():
    assert not Difference(1.0, [0.0, 2.0], 0.05, 0.05, 0.05, 0.05).is_significant(0.95)
