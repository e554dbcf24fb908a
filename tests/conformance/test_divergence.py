"""Divergences between subsets, as Vásquez-Rodríguez et al. 2021 publish them."""

import numpy as np
import pytest

from textsimp.splits import divergence


@pytest.fixture(scope="module")
def golden(goldens):
    return next(row for row in goldens("divergence") if ".ori" in row["input"])


def assert_published(found, golden):
    assert found["counts"] == {"test": golden["counts_a"], "validation": golden["counts_b"]}
    for name, key in (("test", "edges_a"), ("validation", "edges_b")):
        edges = found["edges"][name]
        assert [edges[0], edges[-1]] == pytest.approx(golden[key], abs=1e-9)
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"]) == ("test", "validation")
    assert pair["kl_nats"] == pytest.approx(golden["kl_ab_nats"], abs=1e-9)
    assert pair["kl_reverse_nats"] == pytest.approx(golden["kl_ba_nats"], abs=1e-9)
    assert pair["js_distance_base2"] == pytest.approx(golden["js_distance_base2"], abs=1e-9)
    assert pair["js_divergence_bits"] == pytest.approx(golden["js_divergence_bits"], abs=1e-9)


def test_published_divergences_over_the_subsets_own_range_and_over_0_to_100(wikismall, golden):
    assert_published(divergence(wikismall, variant="paper"), golden["own_range"])
    edges = np.linspace(0, 100, 11).tolist()
    assert_published(divergence(wikismall, variant="paper", bins=edges), golden["range_0_100"])


def test_default_bins_are_those_over_0_to_100(wikismall, golden):
    expected = golden["range_0_100"]
    found = divergence(wikismall, smoothing=0)
    assert found["counts"] == {"test": expected["counts_a"], "validation": expected["counts_b"]}
    (pair,) = found["pairs"]
    nats = np.log(2)
    assert pair["kl_bits"] * nats == pytest.approx(expected["kl_ab_nats"], abs=1e-9)
    assert pair["kl_reverse_bits"] * nats == pytest.approx(expected["kl_ba_nats"], abs=1e-9)
    assert pair["js_divergence_bits"] == pytest.approx(expected["js_divergence_bits"], abs=1e-9)


def test_wikismall_is_split_as_if_at_random(wikismall):
    (pair,) = divergence(wikismall)["pairs"]
    assert pair["p_value"] > 0.05
