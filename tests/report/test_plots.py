"""The report's plots: what their marks tell and lead to, and what they are called."""

import re
from urllib.parse import parse_qs
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp.core.tables import Cell, Grid
from textsimp.metrics.catalogue import make_metrics
from textsimp.report import plots, report_rows, score_tables

HOSTILE = '</title><script>alert(1)</script>"&|tip:'
SIMILARITY = plots.DISTRIBUTIONS[1]


# Pictures ----------------------------------------------------------------------------------------


def drawn(plot):
    return ElementTree.fromstring(plot.svg("a plot"))


def told(picture):
    return [title.text or "" for title in picture.iter("title")]


def state(link):
    return parse_qs(link.attrib["href"].removeprefix("#?"), strict_parsing=True)


def histogram(values, name="ours"):
    of_row = np.array(values)
    return plots.distribution(SIMILARITY, [of_row, of_row], [name, "references"], systems=[name])


@pytest.mark.parametrize("lower", [False, True])
def test_slopes_join_what_both_sides_have_with_better_systems_above(lower):
    def table(label, **values):
        cells = {n: Cell.of(x, [x - 1, x + 1], 1) for n, x in values.items()}
        return Grid(["Texts", Cell(label)], [[Cell(n), cell] for n, cell in cells.items()])

    left = plots.Side(table("SARI", a=40, b=30, copy=20), 0, lower=False)
    right = plots.Side(table("errors", a=1.0, b=3.0), 0, lower=lower)
    picture = drawn(plots.slopes(left, right, ["a", "b", "copy"]))
    lines = [path for path in picture.iter("path") if "L" in path.attrib["d"]]
    assert [line[0].text for line in lines] == [
        "a\nSARI: 40\nerrors: 1.0",
        "b\nSARI: 30\nerrors: 3.0",
    ]
    ends = [[float(x.split()[1]) for x in line.attrib["d"].split("L")] for line in lines]
    assert ends[0][0] < ends[1][0]  # smaller is above
    assert (ends[0][1] < ends[1][1]) == lower


def test_a_bar_leads_to_its_examples_and_says_so():
    links = [*drawn(histogram([0.52, 0.54, 1.0])).iter("a")]
    key = "simplification_stats.levenshtein_similarity"
    assert [state(link) for link in links] == [
        {"range": [f"{key}:0.5:0.55"], "system": ["ours"]},
        {"range": [f"{key}:0.95:"], "system": ["ours"]},  # 1 is in the last bar
    ]
    assert [link.attrib["aria-label"] for link in links] == [
        "ours\nsimilarity: 0.50–0.55\nshare: 66.7 %",
        "ours\nsimilarity: 0.95–1.00\nshare: 33.3 %",
    ]


def test_the_bars_of_rows_without_examples_lead_nowhere_but_tell_their_numbers():
    picture = drawn(histogram([0.52]))
    assert len([*picture.iter("a")]) == 1
    assert told(picture)[:2] == [
        "ours\nmedian: 0.52",
        "references\nsimilarity: 0.50–0.55\nshare: 100.0 %",
    ]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_every_value_is_among_the_examples_of_one_bar(values):
    found = 0
    for link in drawn(histogram(values)).iter("a"):
        _, low, high = state(link)["range"][0].split(":")
        found += sum(float(low) - 1e-8 <= v < float(high or 2) - 1e-8 for v in values)
    assert found == len(values)


@pytest.mark.parametrize(
    ("values", "bars"),
    [
        ([0.15, 0.15, 1.0, 1.02], ["0.15–0.20", "1.00–1.05"]),  # a bin has its lower end
        ([0.5, 40.0], ["0.50–0.55", "1.50 and more"]),
    ],
)
def test_bars_tell_their_ranges(values, bars):
    plot = plots.distribution(plots.DISTRIBUTIONS[0], [np.array(values)], ["a"])
    assert told(drawn(plot))[:2] == [f"a\ncompression: {bar}\nshare: 50.0 %" for bar in bars]


def by_length(name="ours"):
    heads = [Cell(f"{group} words", about="10 sources") for group in ("3–7", "8")]
    cells = [Cell.of(40.0, (39, 41), 1)] * 2
    rows = [name, "source unchanged"]
    return plots.by_length(Grid(["", *heads], [[Cell(row), *cells] for row in rows]), "SARI", rows)


def test_groups_by_length_lead_to_their_examples():
    links = [*drawn(by_length()).iter("a")]
    assert [state(link) for link in links] == [
        {"words": ["3-7"], "system": ["ours"]},
        {"words": ["3-7"]},
        {"words": ["8-8"], "system": ["ours"]},
        {"words": ["8-8"]},
    ]
    assert links[0].attrib["aria-label"] == (
        "ours\nSARI: 40.0\nwords: 3–7\ngroup: 10 sources\ninterval: [39.0, 41.0]"
    )


def test_what_only_the_eye_needs_is_hidden_from_screen_readers():
    picture = drawn(by_length())
    assert picture.attrib["role"] == "group"
    hidden, *links = picture
    assert hidden.attrib["aria-hidden"] == "true"
    assert {link.tag for link in links} == {"a"}
    plot = plots.operations([dict.fromkeys(plots.OPERATIONS, 0.25)], ["a"])
    assert drawn(plot).get("role") == "img"


def test_hostile_names_stay_text():
    picture = drawn(histogram([0.5], HOSTILE))
    tags = {element.tag for element in picture.iter()}
    assert tags == {"svg", "g", "path", "text", "title", "a"}
    (link,) = picture.iter("a")
    assert state(link)["system"] == [HOSTILE]
    assert link.attrib["aria-label"].startswith(HOSTILE)


@pytest.mark.parametrize(
    "name", ["\x00\x0b", "two\nlines", 'a\u2028\\"b\u2029', "\ufffe", "שלום", "漢字" * 40]
)
def test_unusual_names_can_be_drawn(name):
    drawn(histogram([0.5], name))
    drawn(by_length(name))
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
    assert looks == [plots.looks(["a", "source unchanged"])[1], *plots.looks(["a", "b"])]
    assert len({look[1:] for look in plots.looks([f"system {i}" for i in range(40)])}) == 40


# Systems by two scores ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def measured():
    def of(metrics, **columns):
        data = report_rows.check(
            {"a": ["a cat ."], "b": ["a dog sat ."]}, ["a cat sat ."], **columns
        )
        chosen = make_metrics(metrics, "metrics") if metrics else {}
        return report_rows.measure(data, chosen, report_rows.Sampling(0.95, 10, 0))

    return of


def test_what_is_kept_and_the_main_score_are_drawn_at_first(measured):
    kept = "Similarity"
    measurements = measured(["sari", "bleu"], references=[["a cat ."]])
    assert score_tables.first_pair(measurements) == (kept, "SARI (easse)")
    alone = measured({}, references=None)
    assert score_tables.first_pair(alone) == (kept, "FKGL (default)")
