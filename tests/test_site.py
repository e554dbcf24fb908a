"""The documentation as a site: ``make docs``."""

import importlib
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

import textsimp
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
def test_search_for_a_metrics_name_finds_its_page_first(site, tmp_path, name, page):
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    address = f"{(site / 'search.html').as_uri()}?q={name}"
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000"]
    command = [chromium, *options, f"--user-data-dir={tmp_path}", "--dump-dom", address]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    results = re.findall(r'<li class="kind-\w+"><a href="([^"#?]*)', shown)
    assert results[0].endswith(page)
