"""Studies whose pages the tests open, and what answers their screens."""

import functools
import json
import signal
import subprocess
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

    def rate(self, *rows, way=LIKERT[0]):
        """Answer screens in one of the ways of `PRESS`, and go on."""
        for row in rows:
            self.at(row)
            self.press(*way[0], ENTER)

    def fits(self):
        """Whether the page is no wider than the window."""
        return self.browser.execute_script(
            "return document.documentElement.scrollWidth <= window.innerWidth"
        )

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
