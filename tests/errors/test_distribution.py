"""How often systems have each label, as a table and as a picture."""

from __future__ import annotations

from typing import Any

import pytest

from textsimp import InputError, errors

SYSTEMS = {
    "good": {"insertion": [0] * 8, "deletion": [0, 0, 0, 1] * 2, "substitution": [0] * 8},
    "$bad_": {"insertion": [-1, 1], "deletion": [2, [0, 1]], "substitution": [2, 2]},
}


def test_systems_may_have_outputs_of_other_sources() -> None:
    found = errors.distribution(SYSTEMS, confidence=None)
    assert found.systems["good"]["deletion_1"] == 25
    assert found.grid().header[2:] == ["0", "1", "2", "gibberish", "labelled"]
    assert found.grid().rows[3:5] == [
        ["$bad_", "insertion", "0.0", "50.0", "0.0", "50.0", "2"],
        ["$bad_", "deletion", "0.0", "0.0", "100.0", "0.0", "1"],
    ]
    assert found.to_dict()["good"]["labelled"] == 8


def test_a_category_without_labels_has_no_shares() -> None:
    none = {"insertion": [None], "deletion": [[0, 1]], "substitution": [2]}
    rows = errors.distribution({"a": none}).grid().rows
    assert rows[0] == ["a", "insertion", "–", "–", "–", "–", "0"]
    assert rows[1] == ["a", "deletion", "–", "–", "–", "–", "0"]
    assert rows[2][-1] == "1"


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ({}, "^systems: expected a mapping from names to columns of labels"),
        ({"a": [0, 1]}, "^systems: expected a mapping"),
        ({"a": {"insertion": [0]}}, "^deletion: information_errors needs this column"),
    ],
)
def test_bad_input_is_refused(systems: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        errors.distribution(systems)


def test_bars_are_stacked_to_the_share_with_any_error_and_all_panels_show_them() -> None:
    pytest.importorskip("matplotlib", reason="needs the extra report")
    figure = errors.plot(errors.distribution(SYSTEMS, resamples=20))
    assert [panel.get_title() for panel in figure.axes] == ["insertion", "deletion", "substitution"]
    for panel in figure.axes:
        assert panel.get_xlim()[0] == 0
        assert panel.get_xlim()[1] >= 100
        assert len(panel.lines) == 4
    ends = [bar.get_x() + bar.get_width() for bar in figure.axes[1].patches]
    assert ends == [0, 100, 25, 100, 25, 100]  # with 2; with 1 or 2; with gibberish, too
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == list(SYSTEMS)
    figure.canvas.draw()
    without = errors.plot(errors.distribution(SYSTEMS, confidence=None))
    assert not without.axes[0].lines
