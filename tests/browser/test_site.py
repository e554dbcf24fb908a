"""The documentation as a site: ``make docs``."""

import importlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

import textsimp
from tests.browser.access import settle
from tests.browser.conftest import find, page_width, press, visit, wait
from tests.project import PROJECT

MAKEFILE = (PROJECT / "Makefile").read_text(encoding="utf-8")
pytestmark = pytest.mark.slow
pytest.importorskip("furo", reason="needs what pages are built with")
pytest.importorskip("myst_parser", reason="needs what pages are built with")


class Page(HTMLParser):
    """The anchors and links of a page."""

    def __init__(self, path):
        super().__init__()
        self.anchors = set()
        self.links = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.add(values.get("id") or "")
        for link in (values.get("href"), values.get("src")):
            self.links |= {link} if link else set()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built without a warning by the command of the Makefile."""
    folder = tmp_path_factory.mktemp("site")
    command = re.search(r"^docs:.*\n\t\$\(BIN\)/python (.*)$", MAKEFILE, re.MULTILINE)
    assert command is not None
    arguments = command[1].replace("build/", f"{folder}/").split()
    done = subprocess.run([sys.executable, *arguments], cwd=PROJECT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path) for path in site.rglob("*.html")}


def targets(page, links):
    """The files and anchors of a page's links into the site."""
    for link in links:
        parts = urlsplit(link)
        if not parts.scheme and not parts.netloc:
            path = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            yield path, unquote(parts.fragment)


def test_links_and_anchors_lead_somewhere(pages):
    lost = [
        f"{page.name}: {path}#{anchor}"
        for page, content in pages.items()
        for path, anchor in targets(page, content.links)
        if not path.is_file() or (anchor and anchor not in pages[path].anchors)
    ]
    assert not lost


def test_it_asks_no_other_host_for_anything(pages):
    loaded = re.compile(r"<(?:script|img|link|iframe)[^>]+(?:src|href)=\"(?:https?:)?//[^\"]+")
    for page in pages:
        assert not loaded.findall(page.read_text(encoding="utf-8")), page


def public_names():
    names = [f"textsimp.{name}" for name in textsimp.__all__ if name != "__version__"]
    for part in ("textsimp.demo", *textsimp._MODULES.values()):
        module = importlib.import_module(part)
        names += [f"{module.__name__}.{name}" for name in getattr(module, "__all__", ())]
    return names


def test_every_public_name_is_in_the_reference(pages):
    anchors = set().union(
        *(page.anchors for path, page in pages.items() if "reference" in path.parts)
    )
    names = public_names()
    assert len(names) > 80
    assert {*names} <= anchors


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("sari", "metrics/sari.html"),
        ("D-SARI", "metrics/d_sari.html"),
        ("fkgl", "metrics/fkgl_components.html"),
        ("bertscore", "extensions/models.html"),
    ],
)
def test_search_for_a_metrics_name_finds_its_page_first(browser, site, name, page):
    visit(browser, (site / "search.html").as_uri(), f"?q={name}")
    first = wait(lambda: find(browser, "ul.search li a"), "results")[0]
    assert page in first.get_attribute("href")


WIDE, PHONE = (1280, "light"), (390, "dark")
KINDS = [
    *(("index", *one) for one in (WIDE, PHONE)),
    *((name, *WIDE) for name in ("cli", "reference/metrics", "search")),
    *((name, *PHONE) for name in ("trust", "metrics/sari", "genindex")),
]


@pytest.mark.parametrize(("name", "width", "scheme"), KINDS)
def test_axe_finds_nothing_in_a_page_that_fits(browser, site, violations, name, width, scheme):
    visit(browser, (site / f"{name}.html").as_uri(), "", width, scheme)
    wait(lambda: browser.execute_script("return document.readyState") == "complete")
    settle(browser)
    assert violations(browser) == []
    assert page_width(browser) <= width


def test_keys_open_the_navigation_of_a_phone(browser, site):
    from selenium.webdriver import Keys

    visit(browser, (site / "index.html").as_uri(), "", 390)
    (menu,) = find(browser, "button.nav-overlay-icon")
    (link,) = find(browser, '.sidebar-tree a[href="start.html"]')
    assert not link.is_displayed()
    browser.execute_script("arguments[0].focus()", menu)
    press(browser, Keys.ENTER)
    wait(link.is_displayed, "the navigation")
    assert menu.get_attribute("aria-expanded") == "true"


def test_focus_is_seen_on_everything(browser, site):
    """The sidebar with a tree that unfolds, and the table of contents behind a button."""
    from selenium.webdriver import Keys

    visit(browser, (site / "cli.html").as_uri())
    unseen = []
    for _ in range(60):
        focused = press(browser, Keys.TAB)
        box = focused.get_attribute("type") == "checkbox"  # its label has the outline
        seen = find(browser, ":focus + label")[0] if box else focused
        if seen.value_of_css_property("outline-style") == "none":
            unseen.append(focused.get_attribute("outerHTML")[:80])
    assert unseen == []
