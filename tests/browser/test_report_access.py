"""The report and the pages for everybody: keyboard, screen reader, phone, paper, copied cells."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import console, emulate
from tests.browser.test_report import find, wait, write_report
from tests.given import lines

LONG = "checkpoint-of-the-third-experiment_with_control_tokens_step_000120000"
SYSTEMS = ("splitter", "substituter")

Violations = Callable[..., list[str]]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report on many systems, some with long names, one written to the left."""
    n = 24
    outputs = [lines(f"systems/{name}.txt")[:n] for name in SYSTEMS]
    names = [*SYSTEMS, f"{LONG}_a", f"{LONG}_b", "نظام-التبسيط"]
    path = write_report(
        tmp_path_factory,
        {name: outputs[i % 2][i:] + outputs[i % 2][:i] for i, name in enumerate(names)},
        sources=lines("source.txt")[:n],
        references=list(zip(*(lines(f"references/{i}.txt")[:n] for i in range(3)), strict=True)),
        metrics=["sari", "bleu"],
        resamples=50,
        examples=2,
    )
    return path.as_uri()


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a report on documents, by many scores."""
    of = [lines(name) for name in ("source.txt", "systems/splitter.txt", "references/0.txt")]
    joined = [[" ".join(texts[i : i + 3]) for i in range(0, 24, 3)] for texts in of]
    sources, outputs, references = joined
    metrics = ("d_sari", "sari", "bleu", "f1_token", "word_transformations", "split_f1")
    given = {"sources": sources, "references": references, "metrics": metrics}
    path = write_report(
        tmp_path_factory, {"ours": outputs, "theirs": references}, **given, resamples=50, examples=1
    )
    return path.as_uri()


def visit(browser: Any, page: str, width: int = 1280, scheme: str = "light") -> Any:
    """The report with all details open."""
    console(browser)
    emulate(browser, width, scheme)
    browser.get(page)
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    wait(lambda: not find(browser, ".plot:empty"))
    settle(browser)
    return browser


def settle(browser: Any) -> None:
    """Wait until what watches sizes has seen them."""
    frames = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))"
    browser.execute_async_script(f"const done = arguments[0]; {frames}")


# axe


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "dark")])
def test_axe_finds_nothing_in_the_report(
    browser: Any, page: str, violations: Violations, width: int, scheme: str
) -> None:
    assert violations(visit(browser, page, width, scheme)) == []


def test_axe_finds_what_is_wrong(browser: Any, page: str, violations: Violations) -> None:
    visit(browser, page)
    browser.execute_script(
        "document.querySelector('#main').insertAdjacentHTML('beforeend', "
        "'<div id=bad><button></button><p style=\"color: #bbb; background: white\">x y</p></div>')"
    )
    found = violations(browser, "#bad")
    assert [one.split(":")[0] for one in found] == ["button-name", "color-contrast"]


# Keyboard


def test_only_what_scrolls_is_reached_by_the_keyboard(browser: Any, page: str) -> None:
    script = """return [...document.querySelectorAll('.scroll, pre')].map((box) => [
        box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight,
        box.tabIndex === 0])"""
    for width in (390, 1920):
        visit(browser, page, width)
        boxes = browser.execute_script(script)
        assert all(scrolls == reached for scrolls, reached in boxes)
    visit(browser, page, 390)
    assert [True, True] in browser.execute_script(script)


def test_a_table_is_scrolled_by_keys_and_shows_that_it_goes_on_at_both_sides(
    browser: Any, page: str
) -> None:
    from selenium.webdriver import ActionChains, Keys

    visit(browser, page, 390)
    (box,) = browser.execute_script("return [document.querySelector('#scores').closest('.scroll')]")
    browser.execute_script("arguments[0].focus()", box)
    name = box.find_element("css selector", "tbody th")
    assert name.value_of_css_property("box-shadow") == "none"
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT * 3).perform()
    wait(lambda: name.value_of_css_property("box-shadow") != "none")
    assert browser.execute_script("return arguments[0].scrollLeft", box) > 0


def test_focus_is_seen_on_everything_and_goes_down_the_page(browser: Any, page: str) -> None:
    from selenium.webdriver import ActionChains, Keys

    visit(browser, page)
    browser.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
    tops, unseen = [], []
    for _ in range(60):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        top, seen, what = browser.execute_script(
            """const focused = document.activeElement, style = getComputedStyle(focused)
            const {top, height} = focused.getBoundingClientRect()
            // A mark of a plot has a stroke around it: a box would hide its neighbours.
            const mark = focused.querySelector(':scope > path')
            const stroke = mark && getComputedStyle(mark)
            return [top + height + scrollY, height > 0 && (mark
                ? stroke.stroke === getComputedStyle(document.body).color
                    && parseFloat(stroke.strokeWidth) >= 2
                : style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1),
                focused.outerHTML.slice(0, 80)]"""
        )
        tops.append(top)
        if not seen:
            unseen.append(what)
    assert unseen == []
    rows = 60  # what stands beside each other may be aligned at another height
    assert all(later > earlier - rows for earlier, later in itertools.pairwise(tops))


# Sizes


@pytest.mark.parametrize("width", [320, 390, 768, 1280, 1920])
def test_the_page_itself_never_scrolls_sideways(browser: Any, page: str, width: int) -> None:
    visit(browser, page, width)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_one_pair_of_scores_is_drawn_as_wide_as_the_page(browser: Any, documents: str) -> None:
    visit(browser, documents, 390)
    (plot,) = [plot for plot in find(browser, "#pairs-section svg") if plot.is_displayed()]
    assert plot.size["width"] > 340


@pytest.mark.parametrize("width", [390, 1280])
def test_names_are_whole_and_told_apart(browser: Any, page: str, width: int) -> None:
    visit(browser, page, width)
    for table in ("scores", "description"):
        cells = find(browser, f"#{table} tbody th")
        shown = [cell.text.replace("\n", "") for cell in cells]
        assert len({*shown}) == len(shown)
        assert f"{LONG}_a" in shown
        for cell in cells:
            assert browser.execute_script(
                "return arguments[0].scrollWidth <= arguments[0].clientWidth + 1", cell
            )


def test_what_is_touched_is_large_enough(browser: Any, page: str) -> None:
    visit(browser, page, 390)
    small = browser.execute_script(
        """return [...document.querySelectorAll('a, button, input, select, summary')]
            .map((element) => element.closest('label, td') ?? element) // links fill their cells
            .filter((element) => !element.closest('p, dd, figcaption, svg, .skip')
                || element.matches('label'))
            .filter((element) => {
                const {width, height} = element.getBoundingClientRect()
                return width && Math.min(width, height) < 24
            }).map((element) => element.outerHTML.slice(0, 80))"""
    )
    assert small == []


# Paper


@pytest.fixture
def printed(browser: Any) -> Iterator[Any]:
    """Shows pages as they are printed, on a dark screen."""

    def show(page: str, width: int = 700) -> Any:
        visit(browser, page, width, "dark")
        features = [{"name": "prefers-color-scheme", "value": "dark"}]
        browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"media": "print", "features": features}
        )
        settle(browser)
        return browser

    yield show
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_paper_is_light_and_has_keys_but_no_controls(printed: Any, page: str) -> None:
    browser = printed(page)
    assert find(browser, "h1")[0].value_of_css_property("color") == "rgba(31, 37, 41, 1)"
    for selector in (".controls", "nav", ".take", ".skip"):
        assert not any(part.is_displayed() for part in find(browser, selector)), selector
    for selector in (".legend", ".marks"):
        assert all(part.is_displayed() for part in find(browser, selector)), selector


@pytest.mark.parametrize("kind", ["page", "documents"])
def test_tables_fit_on_paper(printed: Any, kind: str, request: Any) -> None:
    browser = printed(request.getfixturevalue(kind))  # A4 without margins
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 700
    for table in find(browser, "table"):
        assert table.size["width"] <= 700


def test_numbers_are_printed_although_they_were_folded_away(browser: Any, page: str) -> None:
    emulate(browser, 1280)
    browser.get(page)
    browser.execute_script("document.querySelector('#checks').open = false")
    folded = """return document.querySelector('#tests-bleu').closest('details').open
        || document.querySelector('#checks').open"""
    both = folded.replace("||", "&&")
    assert not browser.execute_script(folded)
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert browser.execute_script(both)
    browser.execute_script("dispatchEvent(new Event('afterprint'))")
    assert not browser.execute_script(folded)


# Other ways to see it


def test_forced_colours_keep_marks_apart(browser: Any, page: str) -> None:
    visit(browser, page)
    features = [{"name": "forced-colors", "value": "active"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        inserted, deleted = (find(browser, f"article {mark}")[0] for mark in ("ins", "del"))
        assert "underline" in inserted.value_of_css_property("text-decoration-line")
        struck = deleted.find_elements("css selector", "s") or [deleted]
        assert "line-through" in struck[0].value_of_css_property("text-decoration-line")
        for mark in find(browser, ".mark"):
            assert mark.value_of_css_property("border-top-style") == "solid"
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_nothing_moves_for_those_who_want_no_motion(browser: Any, page: str) -> None:
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.get(page)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        moving = """return [...document.querySelectorAll('*')].filter((element) => {
            const style = getComputedStyle(element)
            return style.scrollBehavior === 'smooth' || style.animationName !== 'none'
                || parseFloat(style.transitionDuration) > 0 }).length"""
        assert browser.execute_script(moving) == 0
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


# Taking tables away


def copied(browser: Any, first: str, last: str) -> dict[str, str]:
    """What is on the clipboard after copying from one element to another."""
    found: dict[str, str] = browser.execute_script(
        """const [first, last] = [...arguments].map((one) => document.querySelector(one))
        const range = document.createRange()
        range.setStart(first, 0)
        range.setEnd(last, last.childNodes.length)
        getSelection().removeAllRanges()
        getSelection().addRange(range)
        const clipboardData = new DataTransfer()
        const event = new ClipboardEvent('copy', {clipboardData, bubbles: true, cancelable: true})
        document.body.dispatchEvent(event)
        return {plain: clipboardData.getData('text/plain'),
            html: clipboardData.getData('text/html')}""",
        first,
        last,
    )
    return found


def test_copied_cells_are_plain_numbers(browser: Any, page: str) -> None:
    visit(browser, page)
    first, second = map("#tests-sari tbody tr:nth-child({})".format, (1, 2))
    for place, text in ((2, "−1,234.5"), (3, "+0.25"), (4, "–")):
        browser.execute_script(
            "document.querySelector(arguments[0]).innerHTML = `<span class=value>${arguments[1]}`",
            *(f"{first} td:nth-child({place})", text),
        )
    name = browser.execute_script(
        "return document.querySelector(arguments[0]).textContent", f"{first} th bdi"
    )
    found = copied(browser, f"{first} th", f"{second} td:nth-child(4)")
    cells = [line.split("\t") for line in found["plain"].split("\n")]
    assert len(cells) == 2
    assert cells[0][:4] == [name, "-1234.5", "+0.25", ""]
    assert re.fullmatch(r"[+-][\d.]+", cells[1][1])
    assert found["html"].count("<tr>") == 2
    assert "<td>-1234.5</td>" in found["html"]


def test_copied_scores_have_neither_marks_nor_intervals(browser: Any, page: str) -> None:
    visit(browser, page)
    found = copied(browser, "#scores tbody tr:first-child th", "#scores tbody tr:last-child td")
    assert find(browser, "#scores .mark")
    rows = [line.split("\t") for line in found["plain"].split("\n")]
    assert len({len(row) for row in rows}) == 1
    for _, *numbers in rows[:-1]:
        assert [float(number) for number in numbers]


def test_a_part_of_a_table_keeps_its_columns(browser: Any, page: str) -> None:
    visit(browser, page)
    found = copied(
        browser, "#scores tbody tr:nth-child(1) td:nth-child(4)", "#scores tbody tr:nth-child(2) th"
    )
    first, second = found["plain"].split("\n")
    assert first.startswith("\t\t\t")
    assert (
        second
        == find(browser, "#scores tbody tr:nth-child(2) th")[0].text + first.count("\t") * "\t"
    )


def test_rows_that_are_filtered_away_arent_copied(browser: Any, page: str) -> None:
    visit(browser, page)
    find(browser, "[data-filter=scores]")[0].send_keys("source")
    found = copied(browser, "#scores thead th", "#scores tbody tr:last-child td:last-child")
    names = [line.split("\t")[0] for line in found["plain"].split("\n")]
    assert sorted(names) == ["Texts", "source truncated", "source unchanged"]


@pytest.mark.parametrize(
    ("first", "last"), [("h1", "#scores td"), ("h1", "h1"), ("#scores", "#tests-sari td")]
)
def test_other_text_is_copied_as_ever(browser: Any, page: str, first: str, last: str) -> None:
    visit(browser, page)
    assert copied(browser, first, last) == {"plain": "", "html": ""}


def test_a_table_is_saved_as_a_file_and_copied_by_a_button(
    browser: Any, page: str, tmp_path: Path
) -> None:
    browser.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    browser.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
    )
    visit(browser, page)
    (link,) = find(browser, "a[download='scores.tex']")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
    link.click()
    saved = tmp_path / "scores.tex"
    wait(saved.exists)
    text = saved.read_text(encoding="utf-8")
    assert text.startswith(r"\begin{tabular}")
    assert "checkpoint" in text
    button = link.find_element("xpath", "following-sibling::button")
    button.click()
    wait(lambda: button.text == "copied")
    read = browser.execute_async_script(
        "navigator.clipboard.readText().then(arguments[0], (e) => arguments[0](String(e)))"
    )
    assert read == text
    assert console(browser) == []
