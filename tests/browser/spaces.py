"""Spaces as the Hub starts them, and what visitors do on their pages."""

import functools
import importlib.metadata
import os
import re
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.browser.conftest import console, emulate, requested, wait
from tests.project import PROJECT
from textsimp.hub import space_folders

FOLDERS = {folder.name: folder for folder in space_folders()}
HOSTILE = "<script>alert(1)</script> <img src=x onerror=alert(2)> ${alert(3)} {{7*7}}"


class Spaces(dict[str, str]):
    """Name → address. Each is started when it is first asked for, since idle ones take time too.

    Each runs in its own folder, with its own packages only.
    """

    def __init__(self, new_folder):
        super().__init__()
        self.new_folder = new_folder
        self.running = []

    def __missing__(self, name):
        home, port = self.new_folder(name), free_port()
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "PYTHONPATH": str(packages(FOLDERS[name], home / "site-packages")),
            "PYTHONDONTWRITEBYTECODE": "1",
            "GRADIO_SERVER_PORT": str(port),
            "GRADIO_ANALYTICS_ENABLED": "False",
            "GRADIO_TEMP_DIR": str(home / "uploads"),
            "HF_HUB_OFFLINE": "1",
        }
        with open(home / "log", "wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-S", "app.py"],
                cwd=FOLDERS[name],
                env=environment,
                stdout=log,
                stderr=log,
            )
        self.running.append(process)
        address = f"http://127.0.0.1:{port}"
        wait(lambda: process.poll() is not None or answers(address), f"the Space {name}")
        assert process.poll() is None, (home / "log").read_text()
        self[name] = address
        return address


def packages(space, folder):
    """Links to what a Space has: Gradio, its requirements, and theirs; textsimp is the checkout.

    The folder is called site-packages because pickling tells libraries from scripts by that.
    """
    from packaging.requirements import Requirement

    folder.mkdir()
    for name in ("textsimp", "metrics", "examples"):
        (folder / name).symlink_to(PROJECT / name)
    lines = (space / "requirements.txt").read_text().split()
    open_, done = [Requirement(line) for line in ("gradio", *lines)], set()
    while open_:
        requirement = open_.pop()
        for extra in ("", *requirement.extras):
            if (requirement.name, extra) in done:
                continue
            done.add((requirement.name, extra))
            needed, tops = installed(requirement.name)
            open_ += [r for r in needed if r.marker is None or r.marker.evaluate({"extra": extra})]
            if requirement.name != "textsimp":
                for top in tops:
                    if not (folder / top.name).exists():
                        (folder / top.name).symlink_to(top)
    return folder


@functools.cache
def installed(name):
    """What a package requires, and its files and folders in site-packages."""
    from packaging.requirements import Requirement

    distribution = importlib.metadata.distribution(name)
    tops = {file.parts[0] for file in distribution.files or ()} - {".."}
    return (
        [Requirement(line) for line in distribution.requires or ()],
        [Path(str(distribution.locate_file(top))) for top in tops],
    )


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def answers(address):
    try:
        urllib.request.urlopen(f"{address}/config", timeout=30).close()
    except OSError:
        return False
    return True


class Page:
    """A Space in the browser."""

    def __init__(self, browser, address, width=1280, scheme="light"):
        console(browser)
        requested(browser)
        emulate(browser, width, scheme)
        browser.get(address)
        self.browser = browser
        wait(lambda: self.find(".ts h1"), "title")

    def find(self, selector):
        return list(self.browser.find_elements("css selector", selector))

    def visible(self, path, what):
        """The first element of an XPath that can be seen."""

        def found():
            elements = self.browser.find_elements("xpath", path)
            return next((one for one in elements if one.is_displayed()), None)

        return wait(found, what)

    def button(self, text, exact=True):
        test = f"normalize-space()='{text}'" if exact else f"contains(., '{text}')"
        return self.visible(f"//button[{test}]", text)

    def click(self, text, exact=True):
        """Click the button of this text, once it stands still and nothing covers it."""
        still = """const [button, done] = arguments
            button.scrollIntoView({block: 'center', behavior: 'instant'})
            const place = () => JSON.stringify(button.getBoundingClientRect())
            const before = place()
            requestAnimationFrame(() => requestAnimationFrame(() => done(place() === before)))"""

        def clicked():
            button = self.button(text, exact=exact)
            if not self.browser.execute_async_script(still, button):
                return False
            button.click()
            return True

        wait(clicked, text)

    def report(self, contain=""):
        """The text of the report in its frame."""

        def text():
            (frame,) = self.find("iframe.report")
            self.browser.switch_to.frame(frame)
            try:
                body = self.browser.find_element("css selector", "body").text
            finally:
                self.browser.switch_to.default_content()
            return str(body) if contain in body else ""

        return str(wait(text, contain or "report"))

    def results(self, contain=""):
        """The text of the results, once it contains something."""

        def text():
            texts = [part.text for part in self.find(".ts")[1:]]
            return next((one for one in texts if one and contain in one), None)

        return wait(text, contain or "results")

    def choose(self, label, value):
        """Choose from a list."""
        for part in (f"input[aria-label='{label}']", f"li[aria-label='{value}']"):
            wait(lambda part=part: [found.click() for found in self.find(part)], part)

    def type(self, label, text):
        path = f"//label[.//span[contains(., '{label}')]]//*[self::textarea or self::input]"
        box = self.visible(path, label)
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
        box.clear()
        box.send_keys(text)

    def upload(self, label, *paths):
        """Give files to the box of this label."""
        block = f"//div[contains(@class, 'block') and starts-with(normalize-space(), '{label}')]"
        (box,) = self.browser.find_elements("xpath", f"{block}//input[@type='file']")
        before = len(self.find(".file-preview"))
        box.send_keys("\n".join(map(str, paths)))
        wait(lambda: len(self.find(".file-preview")) > before, f"upload of {label}")

    def check_quiet(self):
        """Nothing failed, and nothing was asked of another server."""
        assert console(self.browser) == []
        hosts = {re.sub(r"^(\w+:)(//[^/:]*)?.*", r"\1\2", url) for url in requested(self.browser)}
        assert {h for h in hosts if h.startswith("http")} == {"http://127.0.0.1"}

    def check_fits(self):
        width = "document.documentElement.scrollWidth <= window.innerWidth"
        assert self.browser.execute_script(f"return {width}")

    def check_harmless(self):
        """What was typed is text: no element came of it; an alert would fail every other step."""
        assert self.find(".ts img[src='x'], .ts script") == []
