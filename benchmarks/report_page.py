"""What it takes a browser to open a report, to show examples, and to find others.

    python benchmarks/report_page.py

The main thread's CPU in Chromium, headless, on a screen of 1280 × 900. Needs chromium,
chromedriver and selenium.
Texts are made up as in ``report.py``.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from report import corpus
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from timing import Row, show

from textsimp import report

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
SENTENCES = 40  # of a document
TYPED = "etaoi"
IDLE = 0.02  # seconds of CPU in one second of a page that has come to rest


def reports() -> Iterator[tuple[str, str]]:
    """What it is on, and the page."""
    for sources, references, systems in ((359, 10, 12), (10_000, 1, 5)):
        texts, lists, outputs = corpus(sources, references, systems)
        data = f"{sources:,} × {references}, {systems} systems"
        yield data, report.html(outputs, sources=texts, references=lists, resamples=100)
    texts, lists, outputs = corpus(60 * SENTENCES, 1, 2)
    page = report.html(
        {name: joined(of) for name, of in outputs.items()},
        sources=joined(texts),
        references=[[text] for text in joined([row[0] for row in lists])],
        metrics=["d_sari"],
        resamples=100,
    )
    yield f"60 documents of {SENTENCES} sentences, 2 systems", page


def joined(sentences: list[str]) -> list[str]:
    starts = range(0, len(sentences), SENTENCES)
    return [" ".join(sentences[start : start + SENTENCES]) for start in starts]


class Page:
    """A report in a browser."""

    def __init__(self, driver: Any, path: Path) -> None:
        self.driver, self.path = driver, path

    def open(self) -> None:
        self.driver.get(self.path.as_uri())

    def scroll(self) -> None:
        self.driver.execute_script("document.querySelector('#example-rest').scrollIntoView()")

    def type(self, letter: str) -> None:
        self.driver.find_element("css selector", "#example-text").send_keys(letter)

    def cpu(self, task: Callable[..., object], *arguments: str) -> float:
        """Seconds of CPU of the page's main thread, until it has come to rest."""
        before = self.rest()
        task(*arguments)
        return self.rest() - before

    def rest(self) -> float:
        """Its CPU so far, once it has little to do any more."""
        before, now = -1.0, self._cpu()
        while now - before > IDLE:
            time.sleep(1)
            before, now = now, self._cpu()
        return now

    def _cpu(self) -> float:
        metrics = self.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return float(next(m["value"] for m in metrics if m["name"] == "ThreadTime"))


def rows(driver: Any, folder: Path) -> Iterator[Row]:
    blank = folder / "blank.html"
    blank.write_text("<!doctype html><title>blank</title>", encoding="utf-8")
    driver.execute_cdp_cmd("Performance.enable", {})
    for data, text in reports():
        page = Page(driver, folder / "report.html")
        page.path.write_text(text, encoding="utf-8")
        driver.get(blank.as_uri())  # of the same process
        size = len(text.encode()) / 1e6
        opened = Row(f"opening a page of {size:.1f} MB", data, page.cpu(page.open))
        yield opened
        yield Row("more examples, scrolled to", data, page.cpu(page.scroll), opened)
        taken = [page.cpu(page.type, letter) for letter in TYPED]
        yield Row("a letter typed in its search", data, sum(taken) / len(taken), opened)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in (*ARGUMENTS, "--window-size=1280,900"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        with tempfile.TemporaryDirectory() as folder:
            show(rows(driver, Path(folder)))
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
