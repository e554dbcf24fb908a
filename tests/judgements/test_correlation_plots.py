"""Pictures of scores against ratings."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from textsimp import judgements

pytest.importorskip("vl_convert", reason="needs the extra report")


def study(systems: int, items: int = 8, **options: Any) -> judgements.Agreement:
    """Systems whose ratings are close to each other, as names then are."""
    rng = np.random.default_rng(0)
    n = systems * items
    return judgements.correlate(
        {"one": rng.normal(size=n).tolist(), "two": rng.normal(size=n).tolist()},
        rng.integers(1, 6, n).tolist(),
        items=np.repeat(np.arange(items), systems).tolist(),
        systems=[f"system {i} $x_{{" for i in range(systems)] * items,
        **{"resamples": 20, **options},
    )


def panels(agreement: judgements.Agreement) -> list[dict[str, Any]]:
    rows = judgements.plot(agreement).spec["vconcat"]
    return [panel for row in rows for panel in row["concat"]]


def values(panel: dict[str, Any]) -> list[dict[str, Any]]:
    return panel["data"]["values"]


@pytest.mark.parametrize("systems", [1, 2, 24, 60])
def test_names_of_systems_are_in_the_order_of_ratings_and_do_not_overlap(systems: int) -> None:
    for panel in panels(study(systems))[:2]:
        low, high = panel["encoding"]["y"]["scale"]["domain"]
        places = sorted((row["place"] - low) / (high - low) for row in values(panel))
        pixels = [place * panel["height"] for place in places]
        assert len(pixels) == systems
        assert all(above - below > 9 for below, above in itertools.pairwise(pixels))
        by_rating = sorted(values(panel), key=lambda row: row["y"])
        assert [row["place"] for row in by_rating] == sorted(row["place"] for row in by_rating)


def test_long_names_are_cut() -> None:
    names = ["a" * 99, "many words " * 9, "line\nbreak"]
    found = judgements.correlate([1, 2, 3] * 3, [1, 2, 3] * 3, systems=names * 3, resamples=9)
    shown = [row["name"] for row in values(panels(found)[0])]
    assert shown == ["a" * 27 + "…", "many words many words many …", "line break"]


def test_points_are_the_systems_scores_and_mean_ratings_with_intervals() -> None:
    found = study(5)
    judged = found.judged
    for system, row in enumerate(values(panels(found)[0])):
        own = judged.systems == system
        assert row["x"] == pytest.approx(judged.scores[0][own].mean())
        assert row["y"] == pytest.approx(judged.ratings[own].mean())
        assert row["x1"] < row["x"] < row["x2"]
        assert row["y1"] < row["y"] < row["y2"]


def test_more_systems_than_have_room_have_no_names() -> None:
    panel = panels(study(61, items=3))[0]
    assert "text" not in [layer["mark"]["type"] for layer in panel["layer"]]


@pytest.mark.parametrize(("items", "most"), [(8, 40), (100, 300)])
def test_circles_count_all_outputs_and_many_outputs_are_put_in_bins(items: int, most: int) -> None:
    rows = values(panels(study(5, items=items))[2])
    assert sum(row["outputs"] for row in rows) == 5 * items
    assert len(rows) <= most


def test_without_systems_intervals_or_coefficients_there_is_a_picture_too() -> None:
    constant = judgements.correlate([1, 1, 1], [1, 2, 3], confidence=None)
    assert [panel["title"] for panel in panels(constant)] == [
        ["scores, outputs", "constant scores"]
    ]
    assert judgements.plot(constant).draw("pdf").startswith(b"%PDF")
    without = study(4, confidence=None)
    assert len(panels(without)) == 4
    assert judgements.plot(without).draw("svg").startswith(b"<svg")
