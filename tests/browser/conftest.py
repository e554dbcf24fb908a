"""A headless Chromium for tests of pages; they are skipped where it or selenium is absent."""

import contextlib
import json
import shutil
import time
from importlib import resources

import pytest

from tests.demo.pages import build
from tests.given import columns, lines
from textsimp import report

SECONDS = 120  # on a machine that does much else
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A selenium driver that logs the console and the network."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.chrome.service import Service

    programs = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    for name, path in programs.items():
        if path is None:
            pytest.skip(f"{name} is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = programs["chromium"]
    for argument in (*ARGUMENTS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(programs["chromedriver"]))
    driver.set_page_load_timeout(60)
    driver.set_script_timeout(SECONDS)
    yield driver
    driver.quit()


def console(driver):
    """What the page wrote to the console since the last call."""
    return [entry["message"] for entry in driver.get_log("browser")]


def requested(driver):
    """The addresses that pages asked for since the last call."""
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]


def emulate(driver, width, scheme="light"):
    """Give the page a width and a colour scheme; below 500 pixels it is a phone."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


@pytest.fixture(scope="session")
def violations():
    """``violations(driver, within)``: what axe-core finds wrong in a page, or in parts of it.

    Text on an image or a gradient is wrong, since axe can't compute its contrast. Only the shadows
    of boxes that scroll are hidden. With ``grave`` only what is serious or critical counts, and
    not in Gradio's own button for uploads.
    """
    pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    axe = resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")

    def run(driver, within=None, rules=None, grave=False):
        driver.execute_script(axe)
        found = driver.execute_async_script(
            """const [within, rules, grave, done] = arguments
            const style = document.createElement('style')
            style.textContent = '.scroll { background-image: none !important }'
            document.head.append(style)
            const uploads = [['button[aria-label="common.upload"]']]
            const context = within ? {include: [[within]]} : {exclude: grave ? uploads : []}
            const resultTypes = ['violations', 'incomplete']
            const options = {resultTypes, ...(rules && {runOnly: rules})}
            const onImage = (node) => node.any.some(
                ({data}) => ['bgGradient', 'bgImage'].includes(data?.messageKey))
            axe.run(context, options).then(({violations, incomplete}) => {
                style.remove()
                const unknown = incomplete.map(
                    (rule) => ({...rule, nodes: rule.nodes.filter(onImage)}))
                const kept = [...violations, ...unknown].filter(({impact}) =>
                    !grave || ['serious', 'critical'].includes(impact))
                done(kept.flatMap(({id, nodes}) => nodes.map(
                    ({target, failureSummary}) => `${id}: ${target} ${failureSummary}`)))
            }, (error) => done([String(error)]))""",
            within,
            rules,
            grave,
        )
        return [" ".join(one.split()) for one in found]

    return run


class Served(dict[str, str]):
    """Name → address of a page of this process, which is served when it is first asked for."""

    def __init__(self):
        super().__init__()
        self.pages = []

    def __missing__(self, name):
        self.pages.append(build(name))
        self[name] = self.pages[-1].launch(prevent_thread_lock=True, quiet=True)[1]
        return self[name]


@pytest.fixture(scope="session")
def served():
    """Pages of metrics, ``"compare"`` and ``"splits"``."""
    found = Served()
    yield found
    for page in found.pages:
        page.close()


@pytest.fixture(scope="module")
def spaces(tmp_path_factory):
    from tests.browser.spaces import Spaces

    started = Spaces(tmp_path_factory.mktemp)
    yield started
    for process in started.running:
        process.terminate()
    for process in started.running:
        process.wait()


# Reports

HOSTILE_NAME = "<img src=x onerror=x()>"
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
LONG = "checkpoint-of-the-third-experiment_with_control_tokens_step_000120000"
RIGHT_TO_LEFT = "القط جلس على السجادة."
ODD = {  # source → output of the first system
    "An empty output follows.": "",
    "😀 one 😀 two.": "😀 one 😀😀 three.",
    "The cat sat.\nOn the mat.": "The cat\n\nsat.",
    RIGHT_TO_LEFT: f"{RIGHT_TO_LEFT} نعم.",
    "long " * 400: "very long " * 400,
    "=1+1 is no formula.": '-1 is, "or isn\'t".',
}
SOURCE = (
    "The old harbour was closed in winter. The bridge was built in 1890, and it was painted red. "
    "Nobody remembers the mayor. Swans nest under the willows. Herons fish beside the lake. "
    "The museum opens on Sundays."
)
OUTPUT = (
    "The museum opens on Sundays. The harbour was closed in winter. The bridge was built in 1890. "
    "It was painted red. Tickets cost nothing. "
    "Swans nest under the willows and herons fish beside the lake."
)


def write_report(factory, systems, **options):
    """The address of a new report."""
    pytest.importorskip("jinja2", reason="jinja2 is not installed")
    path = factory.mktemp("report") / "report.html"
    report.write(path, systems, **options)
    return path.as_uri()


@pytest.fixture(scope="session")
def texts():
    """Examples, some of them odd; one system is malicious."""
    n = 30
    sources = [*lines("source.txt")[:n], *ODD]
    systems = {
        "splitter": [*lines("systems/splitter.txt")[:n], *ODD.values()],
        "substituter": [*lines("systems/substituter.txt")[:n], *ODD],
        HOSTILE_NAME: [f"{text} {HOSTILE}" for text in sources],
    }
    references = columns()["references"][:n]
    return {
        "systems": systems,
        "sources": sources,
        "references": [*references, *([text, text] for text in ODD)],
    }


@pytest.fixture(scope="session")
def page(tmp_path_factory, texts):
    """The address of a report on these examples."""
    options = {"title": "Ours & <theirs>: a Report", "metrics": ["sari", "bleu"], "resamples": 50}
    return write_report(tmp_path_factory, **texts, **options)


def many_systems():
    """The columns of a report on many systems.

    Some have long names, one is written to the left.
    """
    n = 24
    outputs = [lines(f"systems/{name}.txt")[:n] for name in ("splitter", "substituter")]
    names = ["splitter", "substituter", f"{LONG}_a", f"{LONG}_b", "نظام-التبسيط"]
    names += ["sixth", "seventh", "eighth"]
    systems = {
        name: [text + " Yes." * i for text in outputs[i % 2]] for i, name in enumerate(names)
    }
    references = columns()["references"][:n]
    return {"systems": systems, "sources": lines("source.txt")[:n], "references": references}


MANY = {"metrics": ["sari", "bleu"], "resamples": 50, "examples": 2}


@pytest.fixture(scope="session")
def many(tmp_path_factory):
    """The address of a report on many systems."""
    return write_report(tmp_path_factory, **many_systems(), **MANY)


@pytest.fixture(scope="session")
def documents(tmp_path_factory):
    """The address of a report on documents by many scores; the first has all operations."""
    sources = lines("documents/source.txt")
    others = ("d_sari", "bleu", "f1_token", "word_transformations", "split_f1")
    return write_report(
        tmp_path_factory,
        {
            "ours": [OUTPUT, *lines("documents/systems/rewriter.txt")],
            HOSTILE_NAME: [f"{SOURCE} {HOSTILE}.", *(f"{HOSTILE} {text}" for text in sources)],
        },
        sources=[SOURCE, *sources],
        references=[OUTPUT, *lines("documents/references/0.txt")],
        metrics=["sari(level=aligned, monotone=False)", *others],
        resamples=10,
        examples=1,
    )


def visit(browser, page, hash="", width=1280, scheme="light", scripts=True):
    """Open a page afresh, without what earlier ones logged."""
    console(browser)
    requested(browser)
    emulate(browser, width, scheme)
    browser.get("about:blank")  # so that another hash is another page
    browser.get(page + hash)
    settled = "return !document.querySelector('#example-controls[hidden]')"
    wait(lambda: browser.execute_script(settled) if scripts else True)
    return browser


@pytest.fixture
def opened(browser, page):
    """The report on a wide screen."""
    return visit(browser, page)


def draw_examples(browser):
    """Cards are drawn when they are scrolled to."""
    browser.execute_script("document.querySelector('#examples').scrollIntoView()")
    wait(lambda: find(browser, "article"))


def wait(condition, what=""):
    """What a condition gives once it isn't false; parts of a page may be replaced meanwhile."""
    from selenium.common.exceptions import WebDriverException

    end, pause = time.monotonic() + SECONDS, 0.02
    while time.monotonic() < end:
        with contextlib.suppress(WebDriverException, IndexError, ValueError):
            if found := condition():
                return found
        time.sleep(pause)
        pause = min(1.5 * pause, 0.5)  # asking often takes time from what is waited for
    raise AssertionError(f"nothing after {SECONDS} s: {what}")


@contextlib.contextmanager
def emulated(browser, media="", **features):
    """Another medium, or other wishes, such as ``forced_colors="active"``, for a while."""
    wishes = [{"name": key.replace("_", "-"), "value": value} for key, value in features.items()]
    wanted = {"media": media, "features": wishes}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", wanted)
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def downloads(browser, folder):
    """Let the browser save files in a folder."""
    where = {"behavior": "allow", "downloadPath": str(folder)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", where)


def wait_for_download(path):
    """Wait until Chromium has moved a download to its place, where it first makes an empty file."""
    wait(lambda: path.exists() and path.stat().st_size > 0)


def find(browser, selector):
    return list(browser.find_elements("css selector", selector))


def displayed(browser, selector):
    return [element for element in find(browser, selector) if element.is_displayed()]


def page_width(browser):
    """The width that the page would scroll over."""
    return browser.execute_script("return document.documentElement.scrollWidth")


def row_names(browser, table):
    return [cell.text for cell in displayed(browser, f"#{table} tbody th")]


def press(browser, *keys):
    """Press keys and return what has the focus."""
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()
    return browser.switch_to.active_element


def type_into(browser, selector, text):
    from selenium.webdriver import Keys

    (field,) = find(browser, selector)
    field.send_keys(Keys.CONTROL, "a", Keys.NULL, text or Keys.BACKSPACE)


def select(browser, selector, value):
    from selenium.webdriver.support.ui import Select

    Select(find(browser, selector)[0]).select_by_value(value)
