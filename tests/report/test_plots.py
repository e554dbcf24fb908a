"""The report's plots: what their marks tell and lead to, and what they are called."""

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


@pytest.mark.parametrize("lower", [False, True])
def test_slopes_join_what_both_sides_have_with_better_systems_above(lower):
    def table(label, **values):
        cells = {n: Cell.of(x, [x - 1, x + 1], 1) for n, x in values.items()}
        return Grid(["Texts", Cell(label)], [[Cell(n), cell] for n, cell in cells.items()])

    both = [table("SARI", a=40, b=30, copy=20), table("errors", a=1.0, b=3.0)]
    picture = drawn(plots.slopes(both, [False, lower], ["a", "b", "copy"]))
    lines = [path for path in picture.iter("path") if "L" in path.attrib["d"]]
    assert [line[0].text for line in lines] == [
        "a\nSARI: 40\nerrors: 1.0",
        "b\nSARI: 30\nerrors: 3.0",
    ]
    ends = [[float(x.split()[1]) for x in line.attrib["d"].split("L")] for line in lines]
    assert ends[0][0] < ends[1][0]  # smaller is above
    assert (ends[0][1] < ends[1][1]) == lower


def test_bars_tell_their_numbers_and_lines_the_median():
    assert told(drawn(histogram([0.52, 0.54, 1.0])))[:3] == [
        "ours\nsimilarity: 0.50–0.55\nshare: 66.7 %",
        "ours\nsimilarity: 0.95–1.00\nshare: 33.3 %",  # 1 is in the last bar
        "ours\nmedian: 0.54",
    ]


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        ([0.15, 0.15, 1.0, 1.02], ["0.15–0.20", "1.00–1.05"]),  # a bin has its lower end
        ([0.5, 40.0], ["0.50–0.55", "1.50 and more"]),
    ],
)
def test_bars_tell_their_ranges(values, bars):
    plot = plots.distribution(plots.DISTRIBUTIONS[0], {"a": np.array(values)})
    assert told(drawn(plot))[:2] == [f"a\ncompression: {bar}\nshare: 50.0 %" for bar in bars]


def test_a_plot_is_a_picture_with_a_name():
    picture = drawn(histogram([0.5]))
    assert (picture.get("role"), picture.get("aria-label")) == ("img", "a plot")


def test_hostile_names_stay_text():
    picture = drawn(histogram([0.5], HOSTILE))
    assert {element.tag for element in picture.iter()} == {"svg", "path", "text", "title"}
    assert told(picture)[0].startswith(HOSTILE)


@pytest.mark.parametrize(
    "name", ["\x00\x0b", "two\nlines", 'a\u2028\\"b\u2029', "\ufffe", "שלום", "漢字" * 40]
)
def test_unusual_names_can_be_drawn(name):
    drawn(histogram([0.5], name))
    drawn(overview((name, 0, 0, 0)))


def overview(*rows):
    """A plot of rows' scores with the bounds of their intervals."""
    cells = [[Cell(name), Cell.of(score, (low, high), 1)] for name, score, low, high in rows]
    return plots.overview(Grid(["", "sari"], cells), [name for name, *_ in rows])


def test_an_overview_has_a_mark_and_a_label_per_row_and_round_ticks():
    picture = drawn(overview(("a", 40, 38, 42), ("b", 41, 39, 43)))
    texts = [text.text for text in picture.iter("text")]
    assert texts == ["38", "39", "40", "41", "42", "43", "sari", "a", "b"]
    assert told(picture) == [
        "a\nsari: 40\ninterval: [38, 42]",
        "b\nsari: 41\ninterval: [39, 43]",
    ]
    assert [path.attrib["fill"] for path in picture.iter("path")] == [
        "none",
        "var(--c0)",
        "var(--c1)",
    ]


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (-3.2, 0.4), (20.1, 45), (0.0012, 0.0013), (0, 1e6)]
)
def test_marks_stand_at_their_places_on_the_axis(low, high):
    middle = (low + high) / 2
    picture = drawn(overview(("a", middle, low, high)))
    ticks = {
        float(text.text.replace("−", "-").replace(",", "")): float(text.attrib["x"])
        for text in [*picture.iter("text")][:-2]
    }
    assert 2 <= len(ticks) <= 7
    (value, place), *_, (other, end) = ticks.items()
    path = [*picture.iter("path")][1].attrib["d"]
    found = [float(x) for x in re.findall(r"[MH](-?[\d.]+)", path)]  # low, high, score
    expected = [place + (x - value) / (other - value) * (end - place) for x in (low, high, middle)]
    assert found == pytest.approx(expected, abs=0.2)


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
