"""What a report's page contains."""

import functools
import html
import re
from html.parser import HTMLParser

from textsimp.report import examples


class Reader(HTMLParser):
    """Checks that elements are closed, and collects what tests ask for."""

    VOID = ("meta", "input", "br", "wbr", "link", "img")

    def __init__(self):
        super().__init__()
        self.open = []
        self.tags = []
        self.scripts = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            attributes, text = self.scripts.pop()
            self.scripts.append((attributes, text + data))
        else:
            self.text += data


@functools.cache
def read(page_text):
    reader = Reader()
    reader.feed(page_text)
    reader.close()
    assert reader.open == []
    return reader


def unpacked(page, id):
    (text,) = [text for tag, text in read(page).scripts if tag.get("id") == id]
    return examples.unpack(text)


def data_of(page):
    return unpacked(page, "data")


def measures_of(page):
    """What can be shown beside examples: key → values of each system."""
    return {measure["key"]: measure["values"] for measure in data_of(page)["measures"]}


def section(page):
    """The verdict as text."""
    start = page.index('<section id="verdict"')
    text = re.sub("<[^>]+>", " ", page[start : page.index("</section>", start)])
    return re.sub(r"\s+", " ", html.unescape(text)).strip()
