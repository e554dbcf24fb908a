"""The page to annotate, as annotators use it: by keyboard, mouse and finger, whatever happens."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import console, emulate, requested
from tests.browser.test_spaces import (  # noqa: F401
    HOSTILE,
    SECONDS,
    Spaces,
    answers,
    free_port,
    spaces,
    wait,
)
from tests.cli.conftest import SCRIPT
from textsimp.errors import annotation
from textsimp.metrics.information_errors import CATEGORIES

pytest.importorskip("gradio", reason="gradio is not installed")
keys = pytest.importorskip("selenium.webdriver", reason="selenium is not installed").Keys

N = 20
ROWS = [
    {
        "id": 10**15 + i,
        "system": "A",
        "source": f"Source number {i}, quite {'long and ' * (i % 4) ** 2}plain.",
        "prediction": f"Output number {i}. {HOSTILE if i == 3 else ''}",
    }
    for i in range(N)
]
LEVELS = [[i % 3, i // 3 % 3, i // 9] for i in range(N)]  # what is answered in these tests


class Server:
    """``textsimp errors annotate`` in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.command = [str(SCRIPT), "errors", "annotate", "pairs.jsonl", "-o", "answers", *options]
        self.start()

    def start(self) -> None:
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                [*self.command, "--port", str(self.port)], cwd=self.folder, stdout=log, stderr=log
            )
        wait(lambda: self.process.poll() is not None or answers(self.address), "server")
        assert self.process.poll() is None, (self.folder / "log").read_text()

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)

    def kept(self, name: str) -> dict[int, list[int | None]]:
        """Row → labels of the categories, as they are in an annotator's file."""
        found = annotation._last_answers(self.folder / "answers" / f"{name}.jsonl")
        return {int(a.pair.id) - 10**15: [a.labels[c] for c in CATEGORIES] for a, _ in found}


def pairs(folder: Path) -> Path:
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests that leave it alone; each has annotators of its own."""
    folder = tmp_path_factory.mktemp("annotate")
    pairs(folder)
    server = Server(folder)
    yield server
    server.end(signal.SIGKILL)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    pairs(tmp_path)
    started: list[Server] = []

    def start(*options: str) -> Server:
        started.append(Server(tmp_path, *options))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


class Sheet:
    """The page, in a tab."""

    def __init__(
        self, browser: Any, address: str, name: str = "", width: int = 1280, scheme: str = "light"
    ):
        self.browser = browser
        emulate(browser, width, scheme)
        browser.get(address)
        self.wait()
        browser.execute_script("sessionStorage.clear()")  # a tab that is new
        console(browser)
        requested(browser)
        browser.refresh()
        self.wait()
        if name:
            self.begin(name)

    def wait(self) -> None:
        wait(lambda: any(map(self.seen, (".start", ".work", ".end"))), "the page")

    def find(self, selector: str) -> Any:
        (found,) = self.browser.find_elements("css selector", f".annotate {selector}")
        return found

    def seen(self, selector: str) -> bool:
        return bool(self.find(selector).is_displayed())

    def begin(self, name: str) -> None:
        box = self.find(".start input[name=name]")
        box.clear()
        box.send_keys(name + keys.ENTER)

    def press(self, *pressed: str) -> None:
        """Keys, one after the other, to whatever has the focus."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in pressed:
            ActionChains(self.browser).send_keys(key).perform()

    def at(self, row: int) -> None:
        """Wait until a row is there to be read."""
        wait(lambda: self.find("").get_attribute("data-row") == str(row), f"row {row}")
        wait(lambda: self.find(".where").text.startswith(f"{row + 1} of "), f"row {row}")

    def answer(self, row: int) -> None:
        """Three keys, and the next row."""
        self.at(row)
        self.press(*map(str, LEVELS[row]), keys.ENTER)

    def chosen(self) -> list[int | None]:
        """The labels whose buttons are pressed."""
        pressed = [
            self.browser.find_elements(
                "css selector", f".annotate [data-category='{i}'] [aria-pressed=true]"
            )
            for i in range(3)
        ]
        return [int(found[0].get_attribute("data-level")) if found else None for found in pressed]

    def status(self, text: str) -> None:
        wait(lambda: text in self.find(".saved").text, text)

    def click(self, selector: str) -> None:
        wait(lambda: self.seen(selector), selector)
        self.find(selector).click()

    def ended(self, text: str) -> str:
        wait(lambda: self.seen(".end") and text in self.find(".end").text, text)
        return str(self.find(".end").text)

    def save(self, folder: Path) -> Path:
        """Save the answers."""
        behaviour = {"behavior": "allow", "downloadPath": str(folder)}
        self.browser.execute_cdp_cmd("Page.setDownloadBehavior", behaviour)
        self.click(".foot .save:not(.csv)")
        wait(lambda: list(folder.glob("*.jsonl")), "download")
        (path,) = folder.glob("*.jsonl")
        return path

    def check_quiet(self) -> None:
        assert console(self.browser) == []
        hosts = {url.split("/")[2].split(":")[0] for url in requested(self.browser) if "//" in url}
        assert hosts == {"127.0.0.1"}


def test_twenty_examples_by_keyboard_from_the_first_to_the_merged_download(
    browser: Any, server: Server, tmp_path: Path
) -> None:
    page = Sheet(browser, server.address)
    page.begin("Ann")
    for row in range(N):
        page.answer(row)
    assert "All 20 answered. Thank you, Ann!" in page.ended("All")
    assert server.kept("ann") == dict(enumerate(LEVELS))
    (tmp_path / "saved").mkdir()
    saved = page.save(tmp_path / "saved")
    assert saved.name == "ann.jsonl"
    merged = annotation.merge([saved])
    assert [[row[c] for c in CATEGORIES] for row in merged] == [[[x] for x in r] for r in LEVELS]
    assert [row["id"] for row in merged] == [row["id"] for row in ROWS]  # beyond 2**49, exact
    assert [row["prediction"] for row in merged] == [row["prediction"] for row in ROWS]
    page.check_quiet()


def test_texts_are_shown_as_text_with_their_differences_marked(
    browser: Any, server: Server
) -> None:
    page = Sheet(browser, server.address, "Reader")
    page.at(0)
    page.press(*[keys.ARROW_RIGHT] * 3)
    page.at(3)
    assert HOSTILE in page.find(".text.prediction").get_attribute("textContent")
    assert browser.find_elements("css selector", ".text script, .text img") == []
    assert browser.find_elements("css selector", ".text.source del")
    assert browser.find_elements("css selector", ".text.prediction ins")
    page.check_quiet()


def test_going_back_and_changing_an_answer(browser: Any, server: Server) -> None:
    page = Sheet(browser, server.address, "Changer")
    for row in range(3):
        page.answer(row)
    page.at(3)
    page.press(keys.ARROW_LEFT, "b")
    page.at(1)
    assert page.chosen() == LEVELS[1]
    page.press("2", "2")  # no question is marked: a key too many changes nothing
    assert page.chosen() == LEVELS[1]
    page.press("d", "2")
    assert page.chosen() == [LEVELS[1][0], 2, LEVELS[1][2]]
    page.press("g")
    assert page.chosen() == [None] * 3
    assert page.find(".gibberish").get_attribute("aria-pressed") == "true"
    page.status("Saved")
    assert server.kept("changer")[1] == [-1, -1, -1]
    page.press("s", "1")  # not gibberish after all: the other two are asked again
    page.status("Saved")
    assert wait(lambda: server.kept("changer")[1] == [None, None, 1])
    page.press("0", "0", "n", "n")
    page.at(3)
    assert wait(lambda: server.kept("changer")[1] == [0, 0, 1])
    page.check_quiet()


def test_a_reload_in_the_middle_loses_nothing(browser: Any, server: Server) -> None:
    page = Sheet(browser, server.address)
    page.begin(" Reloader ")
    for row in range(4):
        page.answer(row)
    page.at(4)
    page.press("2", "1")
    page.status("Saved")
    browser.refresh()
    page.at(4)
    assert page.chosen() == [2, 1, None]
    page.press("0")
    page.status("Saved")
    assert server.kept("reloader")[4] == [2, 1, 0]
    browser.refresh()
    page.at(5)
    assert "5 answered" in page.find(".where").text
    page.click(".leave")  # and another day, by the same name
    page.begin("reloader")
    page.at(5)


def test_answers_survive_kill_9_and_are_sent_when_the_server_is_back(
    browser: Any, serve: Callable[..., Server]
) -> None:
    server = serve("--annotator", "Ann")
    page = Sheet(browser, server.address)
    for row in range(3):
        page.answer(row)
    page.at(3)
    page.status("Saved")
    server.end(signal.SIGKILL)
    path = server.folder / "answers" / "ann.jsonl"
    before = path.read_bytes()
    path.write_bytes(before + before.split(b"\n")[0][:70])  # what it was writing
    page.press(*map(str, LEVELS[3]))
    page.status("Not saved")
    assert page.chosen() == LEVELS[3]
    server.start()
    page.status("Saved")
    assert server.kept("ann") == dict(enumerate(LEVELS[:4]))
    assert path.read_bytes().startswith(before)
    page.press(keys.ENTER)
    page.answer(4)
    page.at(5)
    page.status("Saved")
    server.end(signal.SIGKILL)
    page.press(*map(str, LEVELS[5]))
    page.status("Not saved")
    server.start()
    browser.refresh()  # before it has sent what it keeps
    page.at(6)
    wait(lambda: server.kept("ann") == dict(enumerate(LEVELS[:6])), "what it kept")
    assert not page.seen(".problem")


def test_what_was_left_out_is_asked_at_the_end(browser: Any, server: Server) -> None:
    page = Sheet(browser, server.address, "Leaver")
    for row in range(N):
        page.at(row)
        page.press(*("g" if row != 7 else ""), keys.ARROW_RIGHT)
    assert "1 of 20 is not answered yet" in page.ended("not answered")
    page.click(".return")
    page.at(7)
    page.press("0", "0", "0", *[keys.ARROW_RIGHT] * 1)
    page.at(8)
    browser.refresh()
    assert "All 20 answered" in page.ended("All 20")


def test_known_pairs_come_first_and_the_share_right_is_told(
    browser: Any, serve: Callable[..., Server], tmp_path: Path
) -> None:
    known = [{**ROWS[i], **dict.fromkeys(CATEGORIES, i)} for i in range(2)]
    (tmp_path / "known.jsonl").write_text("".join(json.dumps(row) + "\n" for row in known))
    server = serve("--qualification", "known.jsonl")
    for name, pressed, told, more in (
        ("Ann", ("000", "110"), "5 of 6 right: 83 %", "so you can begin"),
        ("Bob", ("001", "110"), "4 of 6 right: 66 %", "Read the scheme once more"),
    ):
        page = Sheet(browser, server.address)
        page.begin(name)
        for row in range(2):
            page.at(row)
            page.press(*pressed[row], keys.ENTER)
        assert more in page.ended(told)
        page.click(".on")
        page.at(0)
        assert "1 of 20 · 0 answered" in page.find(".where").text
        page.press("2")
        page.status("Saved")
        assert server.kept(name.lower()) == {0: [2, None, None]}
        browser.refresh()
        page.at(0)
        assert "of 20" in page.find(".where").text
        page.click(".leave")


def test_it_works_by_mouse_and_by_tab(browser: Any, server: Server) -> None:
    page = Sheet(browser, server.address, "Mouse")
    page.at(0)
    for category, level in enumerate((2, 0, 1)):
        page.click(f"[data-category='{category}'] [data-level='{level}']")
    assert page.chosen() == [2, 0, 1]
    page.press(keys.ENTER)  # not the button that was clicked last
    page.at(1)
    page.click(".gibberish")
    page.click(".next")
    page.at(2)
    page.click(".back")
    page.at(1)
    browser.execute_script(
        "arguments[0].focus()", page.find("[data-category='1'] [data-level='0']")
    )
    page.press(keys.TAB, keys.SPACE)  # with the button that has the focus
    page.status("Saved")
    assert wait(lambda: server.kept("mouse") == {0: [2, 0, 1], 1: [None, 1, None]})
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert browser.execute_script(outline) == "solid"


def test_a_key_that_is_held_down_answers_once(browser: Any, server: Server) -> None:
    page = Sheet(browser, server.address, "Holder")
    page.at(0)
    for repeated in (False, True, True):
        key = {"type": "keyDown", "key": "1", "text": "1", "autoRepeat": repeated}
        browser.execute_cdp_cmd("Input.dispatchKeyEvent", key)
    browser.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", "key": "1"})
    page.status("Saved")
    assert page.chosen() == [1, None, None]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_no_button_moves_from_one_example_to_the_next(
    browser: Any, server: Server, width: int, scheme: str
) -> None:
    page = Sheet(browser, server.address, f"Still {width}", width, scheme)
    places = """return [...document.querySelectorAll('.annotate .work button')]
        .map(button => button.getBoundingClientRect()).map(({x, y, width, height}) =>
            [x, y, width, height].join(' '))"""
    page.at(0)
    before = browser.execute_script(places)
    assert len(before) == 12
    assert all(float(place.split()[3]) >= 44 for place in before)
    for row in range(1, 8):
        page.press("0", "1", "g" if row % 2 else "2", keys.ARROW_RIGHT)
        page.at(row)
        page.status("Saved")
        assert browser.execute_script(places) == before
    assert browser.execute_script(
        "return document.documentElement.scrollWidth <= window.innerWidth"
    )
    page.check_quiet()


def test_the_scheme_opens_by_a_key(browser: Any, server: Server) -> None:
    page = Sheet(browser, server.address, "Opener")
    page.at(0)
    page.press("?")
    assert "The opposite of the source." in page.find(".scheme").text
    page.press("?")
    assert "The opposite of the source." not in page.find(".scheme").text


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing_in_the_sheet_and_its_scheme(
    browser: Any, server: Server, violations: Callable[..., list[str]], width: int, scheme: str
) -> None:
    page = Sheet(browser, server.address, f"axe {width}", width, scheme)
    page.at(0)
    page.press("?")
    wait(lambda: "The opposite of the source." in page.find(".scheme").text)
    assert violations(browser, ".annotate") == []


def test_what_is_wrong_is_told_as_text(browser: Any, server: Server) -> None:
    page = Sheet(browser, server.address)
    page.begin("<b>Ann</b>")
    wait(lambda: "name of the annotator: expected" in page.find(".problem").text)
    assert "<b>Ann</b>" in page.find(".problem").text
    page.begin("Wrong at first")
    page.at(0)
    assert not page.seen(".problem")


def test_ctrl_c_ends_the_server_and_answers_are_there(
    browser: Any, serve: Callable[..., Server]
) -> None:
    server = serve("--annotator", "Ann")
    page = Sheet(browser, server.address)
    page.answer(0)
    page.status("Saved")  # the next row is shown before
    assert server.end(signal.SIGINT) == 130
    log = (server.folder / "log").read_text()
    assert f"{server.address}/ (Ctrl-C ends it; answers are in answers)" in log
    assert log.endswith("Interrupted\n")
    assert "Traceback" not in log
    assert server.kept("ann") == {0: LEVELS[0]}


def test_answers_to_pairs_that_have_changed_arent_kept(
    browser: Any, serve: Callable[..., Server]
) -> None:
    server = serve("--annotator", "Ann")
    page = Sheet(browser, server.address)
    page.at(0)
    server.end(signal.SIGKILL)
    path = server.folder / "pairs.jsonl"
    path.write_text("".join(f"{line}\n" for line in path.read_text().splitlines()[::-1]))
    server.start()
    page.press("1")
    wait(lambda: "others than this page has shown" in page.find(".problem").text)
    assert not (server.folder / "answers").exists()
    browser.refresh()
    page.at(0)
    assert page.find(".text.source").text == ROWS[-1]["source"]


def test_the_space_serves_example_pairs_and_keeps_answers_while_it_runs(
    browser: Any,
    spaces: Spaces,  # noqa: F811
) -> None:
    page = Sheet(browser, spaces["annotate"])
    page.at(0)  # to be tried at once
    assert "until it restarts" in page.find(".foot").text
    assert page.find(".who").text.startswith("visitor")
    page.click(".leave")
    page.begin("Ann")
    page.answer(0)
    page.at(1)
    page.status("Saved")
    browser.refresh()
    page.at(1)
    assert "1 answered" in page.find(".where").text
    page.click(".leave")
    page.begin("Bob")
    page.at(0)
    assert page.chosen() == [None] * 3
    page.check_quiet()
