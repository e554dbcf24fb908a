"""The documentation as a site: ``make docs``."""

import importlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import textsimp

PROJECT = Path(__file__).parents[1]
MAKEFILE = (PROJECT / "Makefile").read_text(encoding="utf-8")
pytestmark = pytest.mark.slow
pytest.importorskip("furo", reason="needs what pages are built with")
pytest.importorskip("myst_parser", reason="needs what pages are built with")


class Page(HTMLParser):
    """The anchors and links of a page; ``article`` holds the links outside the navigation."""

    def __init__(self, path):
        super().__init__()
        self.anchors = set()
        self.links = set()
        self.article = set()
        self.inside = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.add(values.get("id") or "")
        self.inside = self.inside or tag == "article"
        for link in (values.get("href"), values.get("src")):
            self.links |= {link} if link else set()
            self.article |= {link} if link and self.inside else set()

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "article"


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
    for part in ("demo", *textsimp._PARTS.values()):
        module = importlib.import_module(f"textsimp.{part}")
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
    ("page", "anchor", "text"),
    [
        ("cli.html", "scores", "-p systems"),  # the command for a folder of outputs
        ("trust.html", "report-this", "Sentences"),
        ("start.html", "what-a-signature-means", "which published definition"),
        ("contributing.html", "a-metric-step-by-step", "tools/new_metric.py"),
        ("metrics/sari.html", "options", "multi_reference"),
        ("reference/results.html", "textsimp.Scores", "A metric’s scores of one system"),
    ],
)
def test_a_newcomer_finds_it_in_two_clicks(page, anchor, text, site, pages):
    first = site / "index.html"
    one = {path for path, _ in targets(first, pages[first].article) if path in pages}
    two = {path for each in one for path, _ in targets(each, pages[each].article)}
    assert site / page in one | two
    assert anchor in pages[site / page].anchors
    assert text in re.sub("<.*?>", "", (site / page).read_text(encoding="utf-8"))


def test_search_knows_words_of_pages_cards_and_docstrings(site):
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    for page in ("start", "metrics/sari", "reference/results"):
        assert f'"{page}"' in index
