"""Pictures of scores against ratings."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import judgements
from textsimp.judgements.correlation_plots import spread

matplotlib = pytest.importorskip("matplotlib", reason="needs the extra report")


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


def texts(panel: Any) -> list[Any]:
    return [text for text in panel.texts if text.get_text()]


@pytest.mark.parametrize("systems", [1, 2, 24, 60])
def test_names_of_systems_do_not_overlap(systems: int) -> None:
    figure = judgements.plot(study(systems))
    figure.draw_without_rendering()
    first, second = figure.axes[:2]
    for panel in (first, second):
        assert len(texts(panel)) == systems
        boxes = sorted((extent(text).y0, extent(text).y1) for text in texts(panel))
        for (_, top), (bottom, _) in itertools.pairwise(boxes):
            assert bottom > top - 1.5  # the space for letters that reach below the line


def extent(text: Any) -> Any:
    """Where the text itself is, without the line that leads to it."""
    return matplotlib.text.Text.get_window_extent(text)


def test_long_names_are_cut() -> None:
    names = ["a" * 99, "many words " * 9, "line\nbreak"]
    found = judgements.correlate([1, 2, 3] * 3, [1, 2, 3] * 3, systems=names * 3, resamples=9)
    shown = [text.get_text() for text in texts(judgements.plot(found).axes[0])]
    assert shown == ["a" * 27 + "…", "many words many words many …", "line break"]


def test_points_are_the_systems_scores_and_mean_ratings() -> None:
    found = study(5)
    (points,) = judgements.plot(found).axes[0].collections[-1:]
    judged = found.judged
    for system, (score, rating) in enumerate(points.get_offsets()):
        own = judged.systems == system
        assert score == pytest.approx(judged.scores[0][own].mean())
        assert rating == pytest.approx(judged.ratings[own].mean())


def test_more_systems_than_have_room_have_no_names() -> None:
    assert not texts(judgements.plot(study(61, items=3)).axes[0])


def test_many_outputs_are_a_density() -> None:
    few, many = judgements.plot(study(5)), judgements.plot(study(5, items=100))
    assert type(few.axes[2].collections[0]).__name__ == "PathCollection"
    density = many.axes[2].collections[0]
    assert density.get_array().sum() == 500


def test_without_systems_intervals_or_coefficients_there_is_a_picture_too() -> None:
    figure = judgements.plot(judgements.correlate([1, 1, 1], [1, 2, 3], confidence=None))
    assert [panel.get_title() for panel in figure.axes] == ["scores, outputs\nconstant scores"]
    assert len(judgements.plot(study(4, confidence=None)).axes) == 4
    figure.draw_without_rendering()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.floats(0, 0.2))
def test_places_are_spread_in_their_order_between_the_ends(places: list[float], gap: float) -> None:
    found = spread(np.sort(places), gap)
    assert (np.diff(found) >= min(gap, 1 / max(1, len(places) - 1)) - 1e-9).all()
    assert -1e-9 <= found.min() <= found.max() <= 1 + 1e-9
