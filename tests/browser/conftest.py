"""A headless Chromium for tests of pages; they are skipped where it or selenium is absent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from importlib import resources
from typing import Any

import pytest

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
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
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
    yield driver
    driver.quit()


def console(driver: Any) -> list[str]:
    """What the page wrote to the console since the last call."""
    return [entry["message"] for entry in driver.get_log("browser")]


def requested(driver: Any) -> list[str]:
    """The addresses that pages asked for since the last call."""
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]


def emulate(driver: Any, width: int, scheme: str = "light") -> None:
    """Give the page a width and a colour scheme; below 500 pixels it is a phone."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


@pytest.fixture(scope="session")
def violations() -> Callable[..., list[str]]:
    """``violations(driver, within)``: what axe-core finds wrong in a page, or in parts of it."""
    pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    axe = resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")

    def run(driver: Any, within: str | None = None) -> list[str]:
        driver.execute_script(axe)
        found = driver.execute_async_script(
            """const [within, done] = arguments
            // Shadows at the edges keep axe from knowing what text stands on.
            const style = document.createElement('style')
            style.textContent = '* { background-image: none !important }'
            document.head.append(style)
            const context = within ? {include: [[within]]} : document
            axe.run(context, {resultTypes: ['violations']}).then(({violations}) => {
                style.remove()
                done(violations.flatMap(({id, nodes}) => nodes.map(
                    ({target, failureSummary}) => `${id}: ${target} ${failureSummary}`)))
            }, (error) => done([String(error)]))""",
            within,
        )
        return [" ".join(one.split()) for one in found]

    return run
