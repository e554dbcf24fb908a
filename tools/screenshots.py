"""Take the pictures of docs/look.md, docs/report.md and docs/spaces.md, in docs/images."""

import base64
import html
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

from selenium.webdriver import ActionChains, Chrome, ChromeOptions, Keys

from textsimp import demo
from textsimp.extensions.people.page import build_rate

ROOT = Path(__file__).parents[1]
REPORT = "report -s source.txt -r references -p systems --ratings ratings.jsonl"
DOCUMENTS = "report -s documents/source.txt -r documents/references -p documents/systems"
SCORE = "score -m sari,bleu -s source.txt -r references -p systems"


def run(command: str) -> str:
    """Return what a command prints on a terminal of 100 columns."""
    shell = f"stty cols 100; {sys.executable} -m textsimp {command}"
    arguments = ["script", "-qc", shell, "/dev/null"]
    return subprocess.check_output(arguments, cwd=ROOT / "examples").decode()


def shoot(driver: Chrome, name: str, address: str, shown: str, size: str, at: str = "html") -> None:
    """Save a part of a page once something is shown; a width below 500 is a phone in the dark."""
    width, height = map(int, size.split("x"))
    phone, local = width < 500, address.startswith(("file:", "data:"))
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if phone else "light"}]
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    if address:
        driver.get(address)
    while not driver.execute_script(f"return document.querySelector('{shown}') !== null"):
        driver.execute_script("document.querySelector('#examples')?.scrollIntoView()")
        time.sleep(1)
    time.sleep(2 if local else 8)  # until frames are drawn and blocks have faded in
    box = driver.find_element("css selector", at).rect
    clip = {"x": 0, "y": box["y"], "width": width, "height": height, "scale": 1}
    options = {"format": "webp", "quality": 40, "captureBeyondViewport": local, "clip": clip}
    taken = driver.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
    (ROOT / "docs" / "images" / f"{name}.webp").write_bytes(base64.b64decode(taken))


def main() -> None:
    arguments = ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        arguments.add_argument(argument)
    driver, folder = Chrome(options=arguments), Path(tempfile.mkdtemp())
    page = (folder / "report.html").as_uri()
    run(f"{REPORT} -o {folder}/report.html")
    shoot(driver, "report", page, "article", "1000x785", "#verdict")
    shoot(driver, "report-phone", page, "article", "390x925", "#people-section")
    run(f"{DOCUMENTS} -o {folder}/report.html --force")
    shoot(driver, "report-documents", page, "article", "1000x925", "article .document")
    pre = f"<pre style='font:13px monospace'>{html.escape(run(SCORE))}</pre>"
    shoot(driver, "terminal", f"data:text/html;charset=utf-8,{quote(pre)}", "pre", "840x325")
    pages = (demo.build_demo("sari"), demo.build_compare(), demo.build_splits(), build_rate())
    addresses = (one.launch(prevent_thread_lock=True, quiet=True)[1] for one in pages)
    sari, compare, splits, rate = addresses
    shoot(driver, "space-sari", sari, ".ts .example", "1280x1000")
    shoot(driver, "space-compare", compare, "iframe.report", "1280x1000")
    shoot(driver, "space-splits", splits, ".ts .plots", "1280x1000")
    driver.get(rate)
    time.sleep(8)
    ActionChains(driver).send_keys(Keys.ENTER).perform()
    shoot(driver, "space-rate", "", ".rate .saved", "1280x770")
    driver.quit()
    os._exit(0)  # the servers of pages don't end by themselves


if __name__ == "__main__":
    main()
