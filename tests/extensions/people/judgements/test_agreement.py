"""Raters' agreement: Krippendorff's alpha and the share with a majority."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extensions.people.judgements.krippendorff import literal_alpha
from textsimp import InputError
from textsimp.core.intervals import tails_of
from textsimp.extensions import people

# Krippendorff (2011), section D: observers A to D, 12 units.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
UNITS = [list(unit) for unit in zip(*OBSERVERS, strict=True)]
LEVELS = ("nominal", "ordinal", "interval")


@pytest.mark.parametrize(
    ("level", "printed"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)],
)
def test_alpha_is_what_krippendorff_prints(level, printed):
    assert people.rater_agreement(UNITS, level=level, confidence=None).alpha == pytest.approx(
        printed, abs=5e-4
    )


RATINGS = st.lists(
    st.lists(st.none() | st.integers(0, 4), min_size=1, max_size=4), min_size=1, max_size=8
)


@pytest.mark.parametrize("level", LEVELS)
@given(RATINGS)
def test_alpha_is_the_printed_formula(level, units):
    found = people.rater_agreement(units, level=level, confidence=None).alpha
    expected = literal_alpha(units, level)
    assert found == (None if expected is None else pytest.approx(expected, abs=1e-12))


def test_the_same_rating_everywhere_has_no_alpha_and_says_why():
    found = people.rater_agreement([[3, 3], [3, 3]])
    assert (found.alpha, found.interval) == (None, None)
    assert "all ratings are the same" in found.reason
    assert "all ratings are the same" in found.to_markdown()


def test_ratings_by_one_rater_have_no_alpha_and_say_why():
    found = people.rater_agreement([1, 2, 3])
    assert (found.alpha, found.majority, found.outputs) == (None, None, 0)
    assert found.reason == "no output has two ratings"


def test_reliability_of_the_mean_is_kalpha_by_1_plus_k_minus_1_alpha():
    found = people.rater_agreement([[1, 2, 2], [4, 3, 5], [2, 4, 3], [1, None]])
    k = (3 + 3 + 3 + 1) / 4
    assert found.reliability == pytest.approx(k * found.alpha / (1 + (k - 1) * found.alpha))
    assert people.rater_agreement([[3, 3], [3, 3]]).reliability is None


def test_raters_who_contradict_each_other_have_no_reliability():
    found = people.rater_agreement([[1, 3], [3, 1]])
    assert found.alpha < 0
    assert found.reliability == 0


def test_a_majority_is_more_than_half():
    found = people.rater_agreement([[1, 1, 2], [1, 2], [1, 2, 3], [2, 2, None]], confidence=None)
    assert found.majority == 2 / 4


@pytest.mark.parametrize("units", [UNITS, [[1, 1], [1, 1], [1, 2]], [[0.1, 0.1], [1e99, 0.2]]])
@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_is_that_of_resampled_outputs(level, units):
    """Those of ten outputs or more are moved, so that their mean is alpha."""
    found = people.rater_agreement(units, level=level, resamples=50, seed=3)
    values = np.array(units, float)
    values = values[np.count_nonzero(~np.isnan(values), axis=1) > 1]
    rng = np.random.default_rng(3)
    drawn = [values[rng.integers(0, len(values), len(values))] for _ in range(50)]
    alphas = [literal_alpha(_units(rows / np.nanmax(values)), level) for rows in drawn]
    tails = tails_of(0.95, len(values))
    expected = np.array([alpha for alpha in alphas if alpha is not None])
    if len(values) >= 10:
        expected = np.minimum(1, expected + found.alpha - expected.mean())
    expected = np.quantile(expected, tails)
    assert found.interval == pytest.approx(expected.tolist(), abs=1e-12)


def _units(values):
    return [[None if math.isnan(v) else v for v in row] for row in values.tolist()]


@pytest.mark.parametrize(
    ("ratings", "options", "place"),
    [
        ([[1, 2], [1, "x"]], {}, "row 1 of ratings"),
        ([[1, 2]], {"level": "intervall"}, "^level: "),
        ([], {}, "^ratings: "),
    ],
)
def test_bad_input_is_refused(ratings, options, place):
    with pytest.raises(InputError, match=place):
        people.rater_agreement(ratings, **options)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "raters"), [(20, 3), (40, 5)])
def test_intervals_of_few_sources_cover_the_alpha_of_lenient_raters(n, raters):
    """Without moving resamples they cover 90 and 91 %. The simulation may be wrong by 2 %."""
    rng, covered = np.random.default_rng(7), []
    leniency = rng.normal(size=raters)

    def rate(outputs):
        quality = rng.normal(size=(outputs, 1)) + 0.8 * rng.normal(size=(outputs, raters))
        return (quality + leniency).tolist()

    true = people.rater_agreement(rate(5000), confidence=None).alpha
    for seed in range(600):
        low, high = people.rater_agreement(rate(n), resamples=400, seed=seed).interval
        covered.append(low <= true <= high)
    assert np.mean(covered) >= 0.91
