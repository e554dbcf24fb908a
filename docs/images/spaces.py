"""Takes the pictures of docs/spaces.md and docs/ratings.md: a metric, to compare, to rate.

python docs/images/spaces.py
"""

from __future__ import annotations

import base64
import io
import shutil
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

import textsimp.demo
from textsimp import judgements

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
SECONDS = 60
WIDTH = 1280


def read(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def wait(driver: Any, script: str) -> None:
    """Wait until a script of the page gives something true."""
    WebDriverWait(driver, SECONDS).until(lambda d: d.execute_script(f"return {script}"))


def resize(driver: Any, height: int) -> None:
    size = {"width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wait(driver, f"innerHeight == {height}")


def picture(driver: Any, name: str, height: int) -> None:
    """Write the top of the page."""
    resize(driver, height)
    time.sleep(2)  # until frames are drawn again, of which the page learns nothing
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 1}
    taken = driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})
    image = Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB")
    image.quantize(128).save(HERE / f"{name}.png", optimize=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        options = webdriver.ChromeOptions()
        options.binary_location = str(shutil.which("chromium"))
        for argument in (*ARGUMENTS, f"--user-data-dir={folder}/chromium", "--hide-scrollbars"):
            options.add_argument(argument)
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        resize(driver, 1200)

        page = textsimp.demo.build_demo("sari")
        _, address, _ = page.launch(prevent_thread_lock=True, quiet=True)
        driver.get(address)
        wait(driver, "document.querySelector('.ts .example')")
        picture(driver, "space-sari", 1000)
        page.close()

        page = textsimp.demo.build_compare()
        _, address, _ = page.launch(prevent_thread_lock=True, quiet=True)
        driver.get(address)
        wait(driver, "document.querySelector('iframe.report')")
        driver.switch_to.frame(driver.find_element("css selector", "iframe.report"))
        wait(driver, "document.querySelector('h1')")
        driver.switch_to.default_content()
        picture(driver, "space-compare", 1130)
        page.close()

        systems = {name: read(f"systems/{name}.txt") for name in ("splitter", "substituter")}
        scheme = replace(judgements.Scheme.load("likert"), practice=())
        plan = judgements.design(read("source.txt"), systems, scheme)
        page = textsimp.demo.build_rate(plan, answers=Path(folder, "answers"))
        _, address, _ = page.launch(prevent_thread_lock=True, quiet=True)
        driver.get(f"{address}?rater=rater%201")
        wait(driver, "document.querySelector('.rate .intro:not([hidden])')")
        ActionChains(driver).send_keys(Keys.ENTER).perform()
        wait(driver, "document.querySelector('.rate')?.dataset.row == 0")
        ActionChains(driver).send_keys("544").perform()
        wait(driver, "document.querySelector('.rate .saved').textContent == 'Saved'")
        picture(driver, "space-rate", 900)
        page.close()
        driver.quit()


if __name__ == "__main__":
    main()
