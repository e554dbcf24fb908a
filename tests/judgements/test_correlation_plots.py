"""Pictures of scores against ratings."""

import itertools

import numpy as np
import pytest

from textsimp import judgements

matplotlib = pytest.importorskip("matplotlib", reason="needs the extra report")


def study(systems, items=8, **options):
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


def texts(panel):
    return [text for text in panel.texts if text.get_text()]


@pytest.mark.parametrize("systems", [1, 2, 24, 60])
def test_names_of_systems_are_in_the_order_of_ratings_and_do_not_overlap(systems):
    found = study(systems)
    figure = judgements.plot(found)
    figure.draw_without_rendering()
    ratings = {
        name: found.judged.ratings[found.judged.systems == i].mean()
        for i, name in enumerate(found.judged.names)
    }
    for panel in figure.axes[:2]:
        shown = sorted(texts(panel), key=lambda text: extent(text).y0)
        assert len(shown) == systems
        for below, above in itertools.pairwise(shown):
            # the space for letters that reach below the line
            assert extent(above).y0 > extent(below).y1 - 1.5
            assert ratings[above.get_text()] >= ratings[below.get_text()]


def extent(text):
    """Where the text itself is, without the line that leads to it."""
    return matplotlib.text.Text.get_window_extent(text)


def test_long_names_are_cut():
    names = ["a" * 99, "many words " * 9, "line\nbreak"]
    found = judgements.correlate([1, 2, 3] * 3, [1, 2, 3] * 3, systems=names * 3, resamples=9)
    shown = [text.get_text() for text in texts(judgements.plot(found).axes[0])]
    assert shown == ["a" * 27 + "…", "many words many words many …", "line break"]


def test_points_are_the_systems_scores_and_mean_ratings():
    found = study(5)
    (points,) = judgements.plot(found).axes[0].collections[-1:]
    judged = found.judged
    for system, (score, rating) in enumerate(points.get_offsets()):
        own = judged.systems == system
        assert score == pytest.approx(judged.scores[0][own].mean())
        assert rating == pytest.approx(judged.ratings[own].mean())


def test_more_systems_than_have_room_have_no_names():
    assert not texts(judgements.plot(study(61, items=3)).axes[0])


def test_each_output_is_a_point():
    found = study(5)
    points = judgements.plot(found).axes[2].collections[0].get_offsets()
    assert [*points[:, 0]] == pytest.approx(found.judged.scores[0])


def test_without_systems_intervals_or_coefficients_there_is_a_picture_too():
    figure = judgements.plot(judgements.correlate([1, 1, 1], [1, 2, 3], confidence=None))
    assert [panel.get_title() for panel in figure.axes] == ["scores, outputs\nconstant scores"]
    assert len(judgements.plot(study(4, confidence=None)).axes) == 4
    figure.draw_without_rendering()
