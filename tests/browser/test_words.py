"""Words with lines between them, drawn in a browser: nothing overlaps, and lines end at words."""

import html
from importlib import resources

import pytest

from tests.browser.conftest import console, emulate
from tests.report.test_word_links import labelled
from textsimp.documents.words import align
from textsimp.report import word_links

HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)>"
LONG = (
    "Although it had been raining heavily since the early morning, the determined members of the "
    "local walking club, most of whom were well over sixty years of age, set out at nine o'clock "
    "for the summit of the mountain, which they reached, tired but happy, shortly before the sun "
    "went down behind the distant hills, and 3,000 Mummy WWW MMMM."
)
SHORT = (
    "The members of the local walking club set out at nine o'clock. They were over sixty years "
    "old. It had been raining since the early morning. 3,000 Mummy WWW MMMM."
)
WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"


def pairs():
    crossing = [(0, 4), (1, 5), (2, 0), (3, 1), (4, 2), (5, 3)]
    return {
        "long": align([LONG], [SHORT])[0],
        "crossing": labelled("in 1998 the band split up", "the band split up in 1998", *crossing),
        "arabic": labelled(
            "أعلن الوزير يوم الثلاثاء عن C++",
            "يوم الثلاثاء قال الوزير C++",
            (0, 2),
            (1, 3),
            (2, 0),
            (3, 1),
            (5, 4),
        ),
        "chinese": labelled(
            "这只老猫 坐在 红色的 垫子上", "坐在 垫子上 这只老猫", (0, 2), (1, 0), (3, 1)
        ),
        "thai": labelled("แมวตัวนี้ นอน อยู่", "นอน แมวตัวนี้", (0, 1), (1, 0)),
        "joined": labelled(f"close to {WORD} {HOSTILE}", f"near {WORD}", (0, 0), (1, 0), (2, 1)),
        "unlinked": labelled("all gone", ""),
    }


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The address of a page with drawings of all of them."""
    shared = (
        resources.files(word_links.__package__).joinpath("shared.css").read_text(encoding="utf-8")
    )
    drawn = "".join(
        f'<div id="{name}">{word_links.html(found, html.escape(name))}</div>'
        for name, found in pairs().items()
    )
    path = tmp_path_factory.mktemp("words") / "page.html"
    path.write_text(
        '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<style>{shared}{word_links.style()} body {{ font: 1rem sans-serif }}</style>"
        f'<body class="ts"><p>{word_links.LEGEND}</p>{drawn}',
        encoding="utf-8",
    )
    return path.as_uri()


def boxes(browser, name, row):
    """Where the words of a drawing's rows are."""
    return browser.execute_script(
        """return [...document.querySelectorAll(arguments[0])].map((word) => {
            const range = document.createRange()
            range.selectNodeContents(word)
            const {left, right, top, bottom} = range.getBoundingClientRect()
            return {left, right, top, bottom}
        })""",
        f"#{name} p:{row}-child > span > :first-child",
    )


def lines(browser, name):
    """Where the lines of a drawing begin and end."""
    return browser.execute_script(
        """return [...document.querySelectorAll(arguments[0])].map((path) => {
            const shown = path.getScreenCTM()
            const [a, b] = [0, 1e9].map((at) => path.getPointAtLength(at).matrixTransform(shown))
            return {x1: a.x, y1: a.y, x2: b.x, y2: b.y}
        })""",
        f"#{name} path",
    )


def at(places, x, y):
    """Which of the words a point is just below or above."""
    (found,) = [
        i
        for i, box in enumerate(places)
        if abs((box["left"] + box["right"]) / 2 - x) < 4
        and min(abs(box["top"] - y), abs(box["bottom"] - y)) < 8
    ]
    return found


@pytest.mark.parametrize("width", [390, 1280])
def test_words_dont_overlap_and_lines_end_at_them(browser, page, width):
    console(browser)
    emulate(browser, width)
    browser.get(page)
    assert console(browser) == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    for name, found in pairs().items():
        sides = boxes(browser, name, "first"), boxes(browser, name, "last")
        assert [*map(len, sides)] == [len(found.source_words), len(found.prediction_words)]
        places = [*sides[0], *sides[1]]
        for i, one in enumerate(places):
            assert 0 <= one["left"] <= one["right"] <= width
            for other in places[:i]:
                apart = one["left"] >= other["right"] or other["left"] >= one["right"]
                assert apart or one["top"] >= other["bottom"] or other["top"] >= one["bottom"], name
        drawn = [
            [at(sides[0], line["x1"], line["y1"]), at(sides[1], line["x2"], line["y2"])]
            for line in lines(browser, name)
        ]
        numbered = len(browser.find_elements("css selector", f"#{name} p:first-child small"))
        assert len(drawn) + numbered == len(found.word_alignment)
        assert all(link in found.word_alignment for link in drawn)
        assert not numbered or name == "long"
        if name != "long":
            assert sorted(drawn) == found.word_alignment


def test_right_to_left_words_begin_at_the_right(browser, page):
    emulate(browser, 1280)
    browser.get(page)
    first, *_, last = boxes(browser, "arabic", "first")
    assert first["left"] > last["right"]


def test_marks_differ_without_colour(browser, page):
    browser.get(page)
    looks = browser.execute_script(
        """return [...document.querySelectorAll("body > p .words > *")].map((mark) => {
            const style = getComputedStyle(mark)
            return [style.textDecorationLine, style.textDecorationStyle, style.borderStyle]
        })"""
    )
    copied, deleted, moved, replaced, by_this, added = map(tuple, looks)
    assert replaced == by_this
    assert len({copied, deleted, moved, replaced, added}) == 5
