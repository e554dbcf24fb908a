"""The coefficients, against SciPy and against slow literal transcriptions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.extensions.literal import pairs as literal
from textsimp.extensions.people.judgements import coefficients

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@st.composite
def rated(draw):
    """Scores and ratings with ties, neither constant, and weights of them."""
    n = draw(st.integers(3, 9))
    numbers = st.lists(st.integers(-3, 3), min_size=n, max_size=n)
    x, y = (draw(numbers.filter(lambda row: len(set(row)) > 1)) for _ in range(2))
    weights = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    return np.array(x) / 10, np.array(y, float), np.array(weights, float)


def of_outputs(name, x, y, weights):
    (value,) = coefficients.OF_OUTPUTS[name](x, y, weights[None])
    return value


def of_systems(name, x, y, weights):
    (value,) = coefficients.OF_SYSTEMS[name](x[None], y[None], weights[None])
    return value


@pytest.mark.parametrize("f", [of_outputs, of_systems])
@pytest.mark.parametrize("name", SCIPY)
@given(rated())
def test_coefficients_are_scipys_and_a_weight_is_a_number_of_copies(f, name, columns):
    x, y, weights = columns
    assert f(name, x, y, np.ones(len(x))) == pytest.approx(SCIPY[name](x, y)[0], abs=1e-12)
    copies = np.repeat(np.arange(len(x)), weights.astype(int))
    x_of, y_of = x[copies], y[copies]
    found = f(name, x, y, weights)
    if len({*x_of}) < 2 or len({*y_of}) < 2:
        assert np.isnan(found)
    else:
        assert found == pytest.approx(SCIPY[name](x_of, y_of)[0], abs=1e-9)


@pytest.mark.parametrize("f", [of_outputs, of_systems])
@pytest.mark.parametrize("name", SCIPY)
@pytest.mark.parametrize("value", [0.0, 0.1, 1e9 / 3])
def test_constant_scores_have_no_coefficient(f, name, value):
    y = np.arange(7.0)
    assert np.isnan(f(name, np.full(7, value), y, np.ones(7)))
    assert np.isnan(f(name, y, np.full(7, value), np.ones(7)))


@given(st.integers(0, 99), st.sampled_from([3, 40, 10**9]))
def test_many_outputs_are_compared_as_few_are(seed, values):
    rng = np.random.default_rng(seed)
    n = 150 + seed  # more than are compared pair by pair
    x, y = (rng.integers(0, values, n) / 10 for _ in range(2))
    weights = rng.integers(0, 3, n).astype(float)
    copies = np.repeat(np.arange(n), weights.astype(int))
    expected = stats.kendalltau(x[copies], y[copies])[0]
    assert of_outputs("kendall", x, y, weights) == pytest.approx(expected, abs=1e-12)


@given(rated())
def test_accuracy_of_systems_takes_scores_as_they_are(columns):
    x, y, weights = columns
    copies = np.repeat(np.arange(len(x)), weights.astype(int))
    constant = len({*x[copies]}) < 2 or len({*y[copies]}) < 2
    expected = np.nan if constant else literal.accuracy(x, y, copies)
    found = of_systems("accuracy", x, y, weights)
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_systems_that_tie_but_for_rounding_are_ties():
    x = 1000 * np.array([0.1 + 0.2, 0.3, 1.0])
    assert of_systems("kendall", x, np.array([1.0, 1.0, 2.0]), np.ones(3)) == pytest.approx(1)
    assert of_systems("accuracy", x, np.array([1.0, 1.0, 2.0]), np.ones(3)) == 1
