"""The page on which people rate: by keyboard, mouse and finger, whatever happens."""

import functools
import json
import signal
import subprocess
import urllib.error
import urllib.request
from dataclasses import replace

import pytest

from tests.browser.conftest import SECONDS, console, downloads, emulate, requested, wait
from tests.browser.spaces import HOSTILE, answers, free_port
from tests.commands import SCRIPT
from tests.given import write
from textsimp.extensions import people
from textsimp.extensions.people.judgements.schemes import NAMES, Scheme
from textsimp.extensions.people.page import build_rate

pytest.importorskip("gradio", reason="gradio is not installed")
keys = pytest.importorskip("selenium.webdriver", reason="selenium is not installed").Keys

N = 8
SYSTEMS = ("zeus", "hera", "ares", "kronos")
OWN = {
    "name": "own",
    "version": 1,
    "instructions": f"Be kind. {HOSTILE}",
    "criteria": {
        "kind": {
            "question": f"How kind? {HOSTILE}",
            "steps": {"no": "Not at all.", "yes": HOSTILE},
        },
        "long": {"question": "How long?", "steps": {"0": "Short.", "10": "Long."}},
    },
}
# The keys that answer a screen, and the ratings that they give, in two ways.
ENTER = keys.ENTER
LIKERT = [
    (["5", "4", "3", "-", "1"], {"fluency": 5, "meaning": 4, "simplicity": 3, "simpler": -1}),
    (["1", "2", "1", "2"], {"fluency": 1, "meaning": 2, "simplicity": 1, "simpler": 2}),
]
DIRECT = [
    (
        ["7", "5", ENTER, "1", "0", "0", ENTER, "0"],
        {"fluency": 75, "meaning": 100, "simplicity": 0},
    ),
    (["8", ENTER, "9", "9", ENTER, "5", "0"], {"fluency": 8, "meaning": 99, "simplicity": 50}),
]
RANK = [
    (["8", "0", ENTER, "7", "0", ENTER, "8", "0", ENTER, "5"], {"overall": [80, 70, 80, 5]}),
    (["1", ENTER, "2", ENTER, "3", ENTER, "4"], {"overall": [1, 2, 3, 4]}),
]
PAIR = [
    (["a", "e", "b"], {"fluency": "A", "meaning": "equal", "simplicity": "B"}),
    (["b", "b", "A"], {"fluency": "B", "meaning": "B", "simplicity": "A"}),
]
LEVEL = [(["3"], {"level": "B1"}), (["6"], {"level": "C2"})]
ERRORS = [
    (["0", "1", "2"], {"insertion": 0, "deletion": 1, "substitution": 2}),
    (["x"], {"insertion": -1, "deletion": -1, "substitution": -1}),
]
OWN_KEYS = [(["1", "2"], {"kind": "no", "long": 10}), (["2", "1"], {"kind": "yes", "long": 0})]
PRESS = dict(
    zip((*NAMES, "own"), (LIKERT, DIRECT, RANK, PAIR, LEVEL, ERRORS, OWN_KEYS), strict=True)
)


def planned(name, raters=1, screens=N, *, practice=False):
    """A plan of so many screens for each rater."""
    scheme = Scheme.from_dict(OWN) if name == "own" else Scheme.load(name)
    scheme = scheme if practice else replace(scheme, practice=())
    several = scheme.compares or scheme.grouping == "source"
    n = {"output": screens // 2, "pair": screens // 2, "source": screens}[scheme.grouping]
    systems = SYSTEMS if several else SYSTEMS[:2]
    sources = [f"Source number {i}, quite {'long and ' * (i % 4) ** 2}plain." for i in range(n)]
    outputs = {
        one: [f"Output {k} of number {i}. {HOSTILE if i % 3 else ''}" for i in range(n)]
        for k, one in enumerate(systems)
    }
    plan = people.design(sources, outputs, scheme, raters=raters, per_output=raters)
    counts = {sum(one.rater == rater for one in plan.screens) for rater in plan.raters}
    assert counts == {screens}
    return plan


class Server:
    """``textsimp rate serve`` in a process of its own."""

    def __init__(self, folder, plan, *options):
        self.folder, self.port = folder, free_port()
        self.options = ("--scheme", "scheme.json", *options, *(() if plan.tokens else ("--open",)))
        self.address = f"http://127.0.0.1:{self.port}"
        self.write(plan)
        self.start()

    def write(self, plan):
        write(self.folder / "plan.jsonl", plan.to_dicts())
        write(self.folder / "scheme.json", plan.scheme.to_dict())

    def start(self):
        command = [str(SCRIPT), "rate", "serve", "plan.jsonl", "--port", str(self.port)]
        command += self.options
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)
        wait(lambda: self.process.poll() is not None or answers(self.address), "server")
        assert self.process.poll() is None, (self.folder / "log").read_text()

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait(SECONDS)

    def fluency(self, name="rater 1"):
        """Screen → the last rating of fluency."""
        return {row["screen"]: row["fluency"] for row in kept(self.folder / "answers", name)}


def kept(folder, name="rater 1"):
    """The rows in a rater's file, as far as they are whole."""
    path = folder / f"{name}.jsonl"
    lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else [""]
    return [json.loads(line) for line in lines[:-1]]


@pytest.fixture
def serve(tmp_path):
    started = []

    def start(plan, *options):
        started.append(Server(tmp_path, plan, *options))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


class Page:
    """A page in this process, of a plan with many raters: each test takes another."""

    def __init__(self, plan, folder):
        self.plan, self.folder = plan, folder
        self.raters = iter(plan.raters)
        self.demo = build_rate(plan, answers=folder, by_name=True)
        _, address, _ = self.demo.launch(
            server_port=free_port(), prevent_thread_lock=True, quiet=True
        )
        self.address = address.rstrip("/")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """``pages(scheme)``: one for all tests that leave it alone."""
    made = {}

    def make(name):
        if name not in made:
            size = (16, N) if name in ("likert", "direct_assessment") else (4, N // 2)
            plan = planned(name, *size, practice=name == "information_errors")
            made[name] = Page(plan, tmp_path_factory.mktemp(name))
        return made[name]

    yield make
    for page in made.values():
        page.demo.close(verbose=False)


class Sheet:
    """The page, in a tab."""

    def __init__(self, browser, address, name="", width=1280, scheme="light"):
        self.browser = browser
        emulate(browser, width, scheme)
        browser.get(f"{address.split('/?')[0]}/theme.css")  # of the same storage
        browser.execute_script("sessionStorage.clear()")  # a tab that is new
        console(browser)
        requested(browser)
        browser.get(address)
        self.wait()
        if name:
            self.begin(name)

    def wait(self):
        parts = (".start", ".intro", ".work", ".end", ".problem")
        wait(lambda: any(map(self.seen, parts)), "the page")

    def find(self, selector):
        (found,) = self.browser.find_elements("css selector", f".rate {selector}")
        return found

    def seen(self, selector):
        found = self.browser.find_elements("css selector", f".rate {selector}")
        return any(one.is_displayed() for one in found)

    def begin(self, name):
        """Choose a name by keyboard, and read the instructions."""
        wait(lambda: self.seen(".start"), "the form")
        box = self.find(".start [name=name]:enabled")
        box.send_keys(name)
        self.press(*([keys.TAB] if box.tag_name == "select" else []), ENTER)
        wait(lambda: any(map(self.seen, (".intro", ".work", ".end"))), "instructions")
        if self.seen(".intro"):
            self.press(keys.ENTER)

    def press(self, *pressed):
        """Keys, one after the other, to whatever has the focus."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in pressed:
            ActionChains(self.browser).send_keys(key).perform()

    def at(self, row, part=""):
        """Wait until a screen is there to be read."""
        beginning = f"{part}{row + 1} of "
        wait(lambda: self.find("").get_attribute("data-row") == str(row), f"row {row}")
        wait(lambda: self.find(".where").text.startswith(beginning), f"row {row}")

    def practise(self):
        """Answer what information_errors has to practise, as it should be."""
        scheme = Scheme.load("information_errors")
        for row, item in enumerate(scheme.practice):
            self.at(row, "Practice: ")
            ratings = [item.ratings[0].get(name, 0) for name in scheme.criteria]
            self.press(*("x" if rating == -1 else str(rating) for rating in ratings), ENTER)
            wait(lambda: self.seen(".feedback"), "feedback")
            self.press(ENTER)
        self.ended("right: ")
        self.press(ENTER)
        wait(lambda: self.seen(".work"), "the study")

    def status(self, text):
        wait(lambda: text in self.find(".saved").text, text)

    def chosen(self):
        """What the buttons say that are pressed."""
        found = self.browser.find_elements("css selector", ".rate .question [aria-pressed=true]")
        return [one.get_attribute("data-value") for one in found]

    def click(self, selector):
        wait(lambda: self.seen(selector), selector)
        self.find(selector).click()

    def ended(self, text):
        wait(lambda: self.seen(".end") and text in self.find(".end").text, text)
        return str(self.find(".end").text)

    def save(self, folder):
        """Save the answers."""
        downloads(self.browser, folder)
        self.click(".foot .save:not(.csv)")
        wait(lambda: list(folder.glob("*.jsonl")), "download")
        (path,) = folder.glob("*.jsonl")
        return path

    def check_quiet(self):
        assert console(self.browser) == []
        hosts = {url.split("/")[2].split(":")[0] for url in requested(self.browser) if "//" in url}
        assert hosts == {"127.0.0.1"}


@pytest.fixture
def begun(browser, pages):
    """``begun(scheme)``: the page at the first screen of a rater of their own."""

    def begin(study, /, **options):
        page = pages(study)
        name = next(page.raters)
        sheet = Sheet(browser, page.address, name, **options)
        wait(lambda: sheet.seen(".work"), "the work")
        if page.plan.scheme.practice:
            sheet.practise()
        sheet.at(0)
        return sheet, page, name

    return begin


@pytest.fixture
def likert(begun):
    return functools.partial(begun, "likert")


# Every scheme


@pytest.mark.parametrize("name", PRESS)
def test_screens_by_keyboard_are_the_answers_of_the_plan(name, begun):
    sheet, page, rater = begun(name)
    ways = PRESS[name]
    n = len(page.plan.screens) // len(page.plan.raters)
    for row in range(n):
        sheet.at(row)
        sheet.press(*ways[row % 2][0], ENTER)
    assert f"All {n} rated. Thank you, {rater}!" in sheet.ended("All")
    rated = people.read(page.folder / f"{rater}.jsonl", page.plan.scheme, plan=page.plan)
    assert rater not in rated.missing
    screens = {}
    for answer in kept(page.folder, rater):
        assert 0 <= answer["seconds"] < SECONDS
        screens.setdefault(answer["screen"], {})[str(answer["prediction"])] = answer
    for screen, rows in screens.items():
        for criterion, expected in ways[(screen - 1) % 2][1].items():
            several = expected if name == "rank_and_rate" else [expected]
            assert [one[criterion] for one in rows.values()] == several
    sheet.check_quiet()


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        *((name, 390, "dark") for name in PRESS),
        *((name, 1280, "light") for name in ("likert", "pairwise", "rank_and_rate")),
    ],
)
def test_texts_are_texts_and_axe_finds_nothing(name, width, scheme, browser, pages, violations):
    page = pages(name)
    rater = page.plan.raters[-1]
    sheet = Sheet(browser, page.address, rater, width, scheme)
    wait(lambda: sheet.seen(".rate[data-row]") or sheet.find("").get_attribute("data-row"))
    shown = sheet.find(".seen").get_attribute("textContent")
    practice = page.plan.scheme.practice
    first = practice[0].prediction[0] if practice else "Output"
    assert first in shown
    assert browser.find_elements("css selector", ".rate script, .rate img") == []
    assert violations(browser, grave=True) == []
    sheet.press("?")
    wait(lambda: page.plan.scheme.instructions[:40] in sheet.find(".help").text)
    sheet.press(PRESS[name][0][0][0])  # an answer, with the instructions open
    assert violations(browser, ".rate") == []
    assert browser.execute_script(
        "return document.documentElement.scrollWidth <= window.innerWidth"
    )
    sheet.check_quiet()


def test_hostile_instructions_are_shown_as_text(browser, pages):
    page = pages("own")
    sheet = Sheet(browser, page.address)
    wait(lambda: sheet.seen(".start"))
    sheet.find(".start select").send_keys(next(page.raters))
    sheet.press(keys.TAB, ENTER)
    wait(lambda: sheet.seen(".intro"))
    assert sheet.find(".intro").text.count(HOSTILE) == 3
    assert browser.find_elements("css selector", ".rate script, .rate img") == []
    sheet.check_quiet()


def test_the_order_of_outputs_is_shown_while_they_are_rated(begun):
    sheet, _, _ = begun("rank_and_rate")
    assert sheet.find(".order").text == "Order: –"
    sheet.press("8", "0", ENTER, "9", "0")
    assert sheet.find(".order").text == "Order: B > A"
    sheet.press(ENTER, "8", "0")
    assert sheet.find(".order").text == "Order: B > A = C"
    sheet.press(keys.ARROW_UP, keys.ARROW_UP, "9", "5")
    assert sheet.find(".order").text == "Order: A > B > C"


def test_a_slider_takes_a_mouse_and_arrows(browser, begun):
    sheet, page, name = begun("direct_assessment")
    ranges = browser.find_elements("css selector", ".rate [type=range]")
    ranges[0].click()  # in the middle, where it stands before it is set
    ranges[1].click()
    sheet.press(keys.ARROW_RIGHT, keys.ARROW_RIGHT)
    sheet.press(keys.TAB, *"10")
    sheet.status("Saved")
    wait(lambda: kept(page.folder, name)[-1]["meaning"] == 10)
    assert kept(page.folder, name)[-1]["fluency"] == 50


@pytest.mark.parametrize("typed", ["150", "10e"])
def test_what_is_not_on_the_scale_of_a_slider_is_no_rating(typed, browser, begun):
    sheet, page, name = begun("direct_assessment")
    box = browser.find_elements("css selector", ".rate [type=number]")[0]
    box.click()
    box.send_keys(keys.CONTROL, "a", keys.NULL, "20")
    wait(lambda: kept(page.folder, name) and kept(page.folder, name)[-1]["fluency"] == 20)
    box.send_keys(keys.CONTROL, "a", keys.NULL, typed, ENTER)  # which doesn't leave it
    wait(lambda: kept(page.folder, name)[-1]["fluency"] is None)
    assert box.get_attribute("value") in (typed, "")  # a browser doesn't tell what is no number
    assert browser.switch_to.active_element == box
    sheet.press(keys.ARROW_DOWN)
    assert box.get_attribute("value") == ""
    assert "unset" in browser.find_elements("css selector", ".rate [type=range]")[0].get_attribute(
        "class"
    )
    sheet.press(keys.ARROW_UP, "7", "0")
    wait(lambda: kept(page.folder, name)[-1]["fluency"] == 70)
    sheet.check_quiet()


# Practice


def test_practice_says_what_is_right_and_why(browser, pages, violations):
    page = pages("information_errors")
    sheet = Sheet(browser, page.address, next(page.raters))
    sheet.at(0, "Practice: ")
    sheet.press("0", "1", "0", ENTER)
    wait(lambda: sheet.seen(".feedback"))
    told = sheet.find(".feedback").text
    assert violations(browser, ".rate") == []
    assert "Insertion ✓ right" in told
    assert "Deletion ✗ expected 0" in told
    assert page.plan.scheme.practice[0].why in told
    sheet.press("1")  # what was checked stays
    assert sheet.chosen() == ["0", "1", "0"]
    browser.refresh()
    sheet.at(1, "Practice: ")
    assert "1 checked" in sheet.find(".where").text
    for row in range(1, 10):
        sheet.at(row, "Practice: ")
        sheet.press("0", "0", "0", ENTER)
        wait(lambda: sheet.seen(".feedback"))
        sheet.press(ENTER)
    told = sheet.ended("right: ")
    assert violations(browser, ".rate") == []
    assert "At least 75 % are asked. Read the instructions once more, and practise again" in told
    assert "begin" not in told
    browser.refresh()
    sheet.ended("Practise again")
    sheet.press(ENTER)  # a key too many does nothing
    sheet.click(".return")
    wait(lambda: sheet.seen(".intro"))
    sheet.press(ENTER)
    sheet.practise()
    sheet.at(0)
    assert f"1 of {N // 2} · 0 rated" in sheet.find(".where").text


# Nothing is lost


def test_going_back_and_changing_an_answer(likert):
    sheet, page, name = likert()
    for row in range(3):
        sheet.at(row)
        sheet.press(*LIKERT[0][0], ENTER)
    sheet.at(3)
    sheet.press(keys.ARROW_LEFT, keys.ARROW_LEFT)
    sheet.at(1)
    assert sheet.chosen() == ["5", "4", "3", "-1"]
    sheet.press(keys.ARROW_DOWN, "1")
    assert sheet.chosen() == ["5", "1", "3", "-1"]
    sheet.press("u")
    assert sheet.chosen() == ["5", "4", "3", "-1"]
    sheet.press("u")  # the answer before, on the screen before
    sheet.at(2)
    assert sheet.chosen() == ["5", "4", "3"]
    sheet.status("Saved")
    newest = {row["screen"]: row for row in kept(page.folder, name)}
    assert [newest[2][name] for name in ("meaning", "simpler")] == [4, -1]
    assert [newest[3][name] for name in ("meaning", "simpler")] == [4, None]
    sheet.check_quiet()


def test_a_reload_in_the_middle_loses_nothing(browser, likert):
    sheet, page, name = likert()
    for row in range(3):
        sheet.at(row)
        sheet.press(*LIKERT[0][0], ENTER)
    sheet.at(3)
    sheet.press("2", "1", "m", *"So so.", keys.ESCAPE)
    sheet.status("Saved")
    browser.refresh()
    sheet.at(3)
    assert sheet.chosen() == ["2", "1"]
    assert sheet.find("textarea").get_attribute("value") == "So so."
    sheet.press("4")
    sheet.status("Saved")
    last = kept(page.folder, name)[-1]
    assert (last["comment"], last["meaning"], last["simplicity"]) == ("So so.", 1, 4)
    sheet.click(".leave")  # and another day, by the same name
    sheet.begin(name)
    sheet.at(3)
    assert "3 rated" in sheet.find(".where").text


def test_somebody_else_begins_with_nothing_of_the_rater_before(likert):
    sheet, page, name = likert()
    sheet.press("2", "m", *"Mine.", keys.ESCAPE)
    sheet.click(".leave")
    wait(lambda: kept(page.folder, name)[-1]["comment"] == "Mine.")
    other = next(page.raters)
    sheet.begin(other)
    sheet.at(0)
    assert sheet.chosen() == []
    assert sheet.find("textarea").get_attribute("value") == ""
    sheet.press("4")
    sheet.status("Saved")
    wait(lambda: kept(page.folder, other))
    assert [row["comment"] for row in kept(page.folder, other)] == [""]


def test_a_pause_counts_no_time_and_goes_on(browser, likert):
    sheet, page, name = likert()
    sheet.press("5", "p")
    assert f"{N} of {N} are left" in sheet.ended("left")
    browser.execute_script("return new Promise((done) => setTimeout(done, 2500))")
    sheet.press(ENTER)
    sheet.at(0)
    sheet.press("4")
    sheet.status("Saved")
    wait(lambda: kept(page.folder, name)[-1]["meaning"] == 4)
    assert kept(page.folder, name)[-1]["seconds"] < 2.5


def test_what_was_left_out_is_asked_at_the_end(browser, likert):
    sheet, _, _ = likert()
    for row in range(N):
        sheet.at(row)
        sheet.press(*(LIKERT[0][0] if row != 3 else []), keys.ARROW_RIGHT)
    assert f"1 of {N} is left" in sheet.ended("left")
    sheet.press(ENTER)
    sheet.at(3)
    sheet.press(*LIKERT[1][0], ENTER)
    sheet.at(4)
    browser.refresh()
    assert f"All {N} rated" in sheet.ended("All")


def test_answers_survive_kill_9_and_are_sent_when_the_server_is_back(browser, serve):
    server = serve(planned("likert"))
    sheet = Sheet(browser, server.address, "rater 1")
    for row in range(3):
        sheet.at(row)
        sheet.press(*LIKERT[0][0], ENTER)
    sheet.at(3)
    sheet.status("Saved")
    server.end(signal.SIGKILL)
    path = server.folder / "answers" / "rater 1.jsonl"
    before = path.read_bytes()
    path.write_bytes(before + before.split(b"\n")[0][:70])  # what it was writing
    sheet.press(*LIKERT[1][0])
    sheet.status("Not saved")
    assert sheet.chosen() == ["1", "2", "1", "2"]
    server.start()
    sheet.status("Saved")
    assert server.fluency() == {1: 5, 2: 5, 3: 5, 4: 1}
    assert path.read_bytes().startswith(before)
    sheet.press(ENTER)
    sheet.at(4)
    server.end(signal.SIGKILL)
    sheet.press(*LIKERT[0][0])
    sheet.status("Not saved")
    server.start()
    browser.refresh()  # before it has sent what it keeps
    sheet.at(5)
    wait(lambda: server.fluency() == {1: 5, 2: 5, 3: 5, 4: 1, 5: 5}, "what it kept")
    assert not sheet.seen(".problem")


def test_answers_to_screens_that_are_gone_arent_kept(browser, serve):
    server = serve(planned("level"))
    sheet = Sheet(browser, server.address, "rater 1")
    sheet.at(0)
    server.end(signal.SIGKILL)
    systems = {"zeus": ["Another text."]}
    scheme = planned("level").scheme
    server.write(people.design(["A source."], systems, scheme, raters=1))
    server.start()
    sheet.press("1")
    wait(lambda: "The study was changed" in sheet.find(".problem").text)
    assert kept(server.folder / "answers") == []
    browser.refresh()
    wait(lambda: sheet.seen(".intro") or sheet.seen(".work") or sheet.seen(".end"))


def test_a_study_is_served_by_its_own_names_only(serve):
    """And by those that are allowed, as its middleware has it."""
    server = serve(planned("level"), "--allow-host", "rate.example.org")

    def ask(host):
        path = f"{server.address}/gradio_api/component_server"
        headers = {"Host": host, "Origin": f"http://{host}"}
        request = urllib.request.Request(path, b"{}", headers, method="POST")
        try:
            return urllib.request.urlopen(request, timeout=SECONDS).status
        except urllib.error.HTTPError as error:
            return error.code

    assert ask("evil.example") == 403
    assert ask(f"127.0.0.1:{server.port}") != 403
    assert ask("rate.example.org") != 403


# Mouse, touch and looks


def test_it_works_by_mouse_and_by_tab(browser, likert):
    sheet, page, name = likert()
    for i, step in enumerate((2, 4, 1, 3)):
        browser.find_elements("css selector", ".rate .options")[i].find_elements(
            "css selector", "button"
        )[step - 1].click()
    assert sheet.chosen() == ["2", "4", "1", "0"]
    sheet.press(ENTER)  # not the button that was clicked last
    sheet.at(1)
    sheet.click(".next")
    sheet.at(2)
    sheet.click(".back")
    sheet.at(1)
    first = browser.find_elements("css selector", ".rate .options button")[0]
    browser.execute_script("arguments[0].focus()", first)
    sheet.press(keys.TAB, keys.SPACE)  # with the button that has the focus
    sheet.status("Saved")
    wait(lambda: kept(page.folder, name)[-1]["fluency"] == 2)
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert browser.execute_script(outline) == "solid"


def test_a_key_that_is_held_down_answers_once(browser, likert):
    sheet, _, _ = likert()
    for repeated in (False, True, True):
        key = {"type": "keyDown", "key": "1", "text": "1", "autoRepeat": repeated}
        browser.execute_cdp_cmd("Input.dispatchKeyEvent", key)
    browser.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", "key": "1"})
    sheet.status("Saved")
    assert sheet.chosen() == ["1"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_no_button_moves_from_one_screen_to_the_next(browser, likert, width, scheme):
    sheet, _, _ = likert(width=width, scheme=scheme)
    places = """return [...document.querySelectorAll('.rate .work button')]
        .filter((button) => button.checkVisibility()).map(button => button.getBoundingClientRect())
        .map(({x, y, width, height}) => [x, y, width, height].join(' '))"""
    before = browser.execute_script(places)
    heights = [float(place.split()[3]) for place in before]
    assert min(heights) >= 32
    assert len([height for height in heights if height >= 44]) >= 9
    for row in range(1, 4):
        sheet.press("5", "4", "3", "2", keys.ARROW_RIGHT)
        sheet.at(row)
        sheet.status("Saved")
        assert browser.execute_script(places) == before
    assert browser.execute_script(
        "return document.documentElement.scrollWidth <= window.innerWidth"
    )


# Names, and the end


def test_a_link_says_whose_page_it_is(browser, pages):
    page = pages("likert")
    name = next(page.raters)
    sheet = Sheet(browser, f"{page.address}/?rater={name.replace(' ', '%20')}")
    wait(lambda: sheet.seen(".intro"))
    assert f"Rater: {name}" in sheet.find(".foot").text
    sheet = Sheet(browser, f"{page.address}/?rater=%3Cb%3EAnn")
    wait(lambda: "name of the rater: expected" in sheet.find(".problem").text)
    assert "<b>Ann" in sheet.find(".problem").text


def test_a_link_with_a_token_is_a_rater_s_and_the_page_names_no_other(browser, serve):
    plan = planned("level", raters=2).with_tokens()
    server = serve(plan)
    links = {name: f"{server.address}/?token={token}" for name, token in plan.tokens.items()}
    printed = "\n".join(f"{name}: {link}" for name, link in links.items())
    wait(lambda: printed in (server.folder / "log").read_text(), "the links")
    sheet = Sheet(browser, links["rater 2"])
    wait(lambda: sheet.seen(".intro"))
    assert "Rater: rater 2" in sheet.find(".foot").text
    assert "rater 1" not in browser.page_source
    assert not sheet.seen(".leave")
    sheet.press(ENTER)
    sheet.at(0)
    sheet.press("3", ENTER)
    sheet.at(1)
    sheet.status("Saved")
    browser.refresh()
    sheet.at(1)
    assert [row["level"] for row in kept(server.folder / "answers", "rater 2")] == ["B1"]
    sheet.check_quiet()


def test_the_owner_sees_two_raters_who_rate_at_a_time(browser, serve, violations):
    server = serve(planned("level", raters=2).with_tokens())
    log = (server.folder / "log").read_text().splitlines()
    page, *links = (line.split(": ")[1] for line in log if "?token=" in line)
    windows = [browser.current_window_handle]
    for link in links:
        sheet = Sheet(browser, link)
        sheet.press(ENTER)
        assert page.split("=")[1] not in browser.page_source
        browser.switch_to.new_window("tab")
        windows.append(browser.current_window_handle)
    for row, window in ((0, 0), (0, 1), (1, 1), (1, 0), (2, 0)):
        browser.switch_to.window(windows[window])
        sheet.at(row)
        sheet.press("3" if row else "4", ENTER)
        sheet.at(row + 1)
        sheet.status("Saved")
    for width, scheme in ((390, "dark"), (1280, "light")):
        emulate(browser, width, scheme)
        browser.get(page)
        told = browser.find_element("css selector", "main").text
        assert all(text in told for text in (f"2 of {N}", f"3 of {N}", "ordinal"))
        assert violations(browser) == []
        fits = "return document.documentElement.scrollWidth <= window.innerWidth"
        assert browser.execute_script(fits)
    sheet.check_quiet()
    for window in windows[:0:-1]:
        browser.switch_to.window(window)
        browser.close()
    browser.switch_to.window(windows[0])


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("", "Open the link that you were given"),
        ("?token=x&rater=rater", "this link is nobody's"),
    ],
)
def test_without_a_link_nobody_rates(query, told, browser, serve):
    server = serve(planned("level").with_tokens())
    sheet = Sheet(browser, f"{server.address}/")
    browser.get(f"{server.address}/{query}")
    wait(lambda: told in sheet.find(".problem").text, told)
    assert not any(map(sheet.seen, (".start", ".intro", ".work", ".end", ".foot")))
    assert "rater 1" not in browser.page_source


def test_answers_are_saved_without_systems(browser, likert, tmp_path):
    sheet, page, name = likert()
    sheet.press(*LIKERT[0][0], ENTER)
    sheet.at(1)
    saved = sheet.save(tmp_path)
    assert saved.name == f"{name}.jsonl"
    assert people.read(saved, page.plan.scheme).values("meaning").tolist() == [4]
    assert "system" not in saved.read_text(encoding="utf-8")


def test_ctrl_c_ends_the_server_and_answers_are_there(browser, serve):
    server = serve(planned("level"))
    sheet = Sheet(browser, server.address, "rater 1")
    sheet.at(0)
    sheet.press("3", ENTER)
    sheet.at(1)
    sheet.status("Saved")  # the next screen is shown before
    assert server.end(signal.SIGINT) == 130
    log = (server.folder / "log").read_text()
    assert f"{server.address}/ (Ctrl-C ends it; answers are in answers)" in log
    assert log.endswith("Interrupted\n")
    assert "Traceback" not in log
    assert [row["level"] for row in kept(server.folder / "answers")] == ["B1"]


def test_the_space_serves_examples_and_keeps_answers_while_it_runs(browser, spaces):
    sheet = Sheet(browser, spaces["rate"])
    wait(lambda: sheet.seen(".intro"))
    assert "until it restarts" in sheet.find(".foot").text
    assert sheet.find(".who").text.startswith("visitor")
    sheet.click(".leave")
    sheet.begin("Ann")
    sheet.practise()
    sheet.at(0)
    sheet.press(*ERRORS[0][0], ENTER)
    sheet.at(1)
    sheet.status("Saved")
    assert browser.find_elements("css selector", ".rate .text ins, .rate .text del")
    browser.refresh()
    sheet.at(1)
    assert "1 rated" in sheet.find(".where").text
    sheet.click(".leave")
    sheet.begin("Bob")
    sheet.at(0, "Practice: ")
    assert sheet.chosen() == []
    sheet.click(".leave")
    sheet.begin("Ann")
    sheet.at(1)
    assert "1 rated" in sheet.find(".where").text
    sheet.check_quiet()
    other = Sheet(browser, f"{spaces['rate']}/?rater=Ann")  # another visitor's tab
    wait(lambda: other.seen(".intro"))
    other.press(ENTER)
    other.at(0, "Practice: ")
