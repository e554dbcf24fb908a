"""The report's plots: what their marks tell and lead to, and what they are called."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from textsimp import Bleu, Sari
from textsimp.core.tables import Cell, Grid
from textsimp.report import measurements, plots, score_tables

HOSTILE = '</title><script>alert(1)</script>"&|tip:'
SIMILARITY = plots.DISTRIBUTIONS[1]


# Pictures ----------------------------------------------------------------------------------------


def drawn(plot):
    return ElementTree.fromstring(plot.svg("a plot"))


def told(picture):
    return [title.text or "" for title in picture.iter("title")]


def histogram(values, name="ours"):
    of_row = np.array(values)
    return plots.distribution(SIMILARITY, {name: of_row, "references": of_row})


def rows(picture):
    return [group for group in picture.iter("g") if group.get("role") == "img"]


def test_bars_tell_the_median_and_have_their_counts():
    (ours, _) = rows(drawn(histogram([0.52, 0.54, 1.0])))
    assert ours[0].text == "ours\nmedian: 0.540\nmiddle half: 0.530 to 0.770"
    median, low, high, *counts = json.loads(ours.get("data-numbers"))
    assert [median, low, high] == pytest.approx([0.54, 0.53, 0.77])
    assert (counts[0], counts[-1], sum(counts)) == (1, 1, 3)  # 1 is in the last bar


def bins_of(values):
    """The names of the bins, and those that aren't empty."""
    picture = drawn(plots.distribution(plots.DISTRIBUTIONS[0], {"a": np.array(values)}))
    names = json.loads(picture.get("data-columns"))[3:]
    numbers = json.loads(rows(picture)[0].get("data-numbers"))[3:]
    return names, [name for name, n in zip(names, numbers, strict=True) if n]


def test_a_bin_has_its_lower_end():
    _, filled = bins_of([0.1, 0.15, 0.15, 1.0, 1.02])
    assert filled == ["0.10–0.15", "0.15–0.20", "1.00–1.05"]


def test_outer_bins_say_whether_they_hold_what_is_beyond():
    inside = [i / 100 for i in range(40, 61)] * 5
    names, _ = bins_of([*inside, 40.0])
    assert [names[0], names[1], names[-1]] == ["up to 0.42", "0.42–0.43", "0.59+"]
    assert bins_of([0.0] * 9 + [1.0] * 9)[1] == ["0.00–0.05", "0.95–1.00"]


def test_distributions_have_one_scale():
    values = {"a": np.array([0.5]), "b": np.array([0.5, 0.6, 0.7, 0.8])}
    a, b = rows(drawn(plots.distribution(SIMILARITY, values)))
    heights = [float(re.search(r"v(-[\d.]+)", row.find("svg/path").get("d"))[1]) for row in (a, b)]
    assert heights == [-1, -0.25]


def test_a_stacked_bar_tells_all_shares():
    plot = plots.operations({"a": dict(zip(plots.OPERATIONS, (6, 1, 2, 1), strict=True))})
    (row,) = rows(drawn(plot))
    assert row[0].text == "a\nkept: 60.0 %\nreplaced: 10.0 %\ndeleted: 20.0 %\ninserted: 10.0 %"
    assert json.loads(row.get("data-numbers")) == [60, 10, 20, 10]


def test_a_plot_has_a_name():
    assert drawn(histogram([0.5])).get("aria-label") == "a plot"


def test_hostile_names_stay_text():
    picture = drawn(histogram([0.5], HOSTILE))
    tags = {"svg", "g", "rect", "line", "path", "text", "title"}
    assert {element.tag for element in picture.iter()} == tags
    assert told(picture)[0].startswith(HOSTILE)


@pytest.mark.parametrize(
    "name", ["\x00\x0b", "two\nlines", 'a\u2028\\"b\u2029', "\ufffe", "שלום", "漢字" * 40]
)
def test_unusual_names_can_be_drawn(name):
    drawn(histogram([0.5], name))
    drawn(overview((name, 0, 0, 0)))


def test_a_plot_without_any_score_has_an_axis():
    assert rows(drawn(overview())) == []


def overview(*rows):
    """A plot of rows' scores with the bounds of their intervals."""
    cells = [[Cell(name), Cell.of(score, (low, high), 1)] for name, score, low, high in rows]
    return plots.overview(Grid(["", "sari"], cells), [name for name, *_ in rows], 0.9)


def test_an_overview_has_a_mark_and_a_label_per_row_and_round_ticks():
    picture = drawn(overview(("a", 40.123, 38, 42), ("b", 41, 39, 43)))
    texts = [text.text for text in picture.iter("text")]
    assert texts == ["38", "40", "42", "sari", "a", "b"]
    assert told(picture) == [
        "a\nsari: 40.1\n90 % interval: 38.0 to 42.0",
        "b\nsari: 41.0\n90 % interval: 39.0 to 43.0",
    ]
    assert [json.loads(row.get("data-numbers")) for row in rows(picture)] == [
        [40.123, 38, 42],
        [41, 39, 43],
    ]
    assert [path.get("fill") for path in picture.iter("path")] == ["var(--c0)", "var(--c1)"]


def test_a_plot_of_many_systems_is_short_at_first():
    named = [(f"system {i}", 40 - i / 10, 38, 42) for i in range(13)]
    plot = overview(*named, ("source unchanged", 20, 19, 21))
    assert [row.name for row in plot.few.rows] == [name for name, *_ in named[:10]] + [
        "source unchanged"
    ]
    assert len(plot.rows) == 14
    assert overview(*named[:12]).few is None


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-3.2, 0.4), (20.1, 45), (0.0012, 0.0013), (0, 1e6)]
)
def test_marks_stand_at_their_places_on_the_axis(low, high):
    middle = (low + high) / 2
    picture = drawn(overview(("a", middle, low, high)))
    ticks = {
        float(text.text.replace("−", "-").replace(",", "")): float(text.get("x").strip("%"))
        for text in [*picture.iter("text")][:-2]
    }
    assert 2 <= len(ticks) <= 7
    (value, place), *_, (other, end) = ticks.items()
    (row,) = rows(picture)
    found = [row.find("line").get("x1"), row.find("line").get("x2"), row.find("svg").get("x")]
    expected = [place + (x - value) / (other - value) * (end - place) for x in (low, high, middle)]
    assert [float(x.strip("%")) for x in found] == pytest.approx(expected, abs=0.02)


def test_rows_that_are_no_systems_look_the_same_wherever_they_stand():
    looks = plots.looks(["source unchanged", "a", "b"])
    assert looks == plots.looks(["a", "source unchanged"]) | plots.looks(["a", "b"])
    many = plots.looks([f"system {i}" for i in range(40)]).values()
    assert len({look[1:] for look in many}) == 40


# Systems by two scores ---------------------------------------------------------------------------


def measured(metrics, references):
    systems = {"a": ["a cat ."], "b": ["a dog sat ."]}
    texts, _ = measurements.check(systems, ["a cat sat ."], references)
    sampling = {"confidence": 0.95, "resamples": 10, "seed": 0}
    return measurements.measure(texts, metrics, sampling)


def test_what_is_kept_and_the_main_score_are_drawn_at_first():
    kept = "Similarity"
    both = measured({"sari": Sari(), "bleu": Bleu()}, [["a cat ."]])
    assert score_tables.first_pair(both) == (kept, "SARI (easse)")
    alone = measured({}, None)
    assert score_tables.first_pair(alone) == (kept, "FKGL (textsimp's count)")
