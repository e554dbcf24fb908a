"""Takes the pictures of docs/spaces.md and docs/errors.md: a metric, to compare, to annotate.

python docs/images/spaces.py
"""

from __future__ import annotations

import base64
import io
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

import textsimp.demo

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
SECONDS = 60
WIDTH = 1280


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

        answers = Path(folder, "answers")
        pairs = EXAMPLES / "annotations" / "ann.jsonl"
        page = textsimp.demo.build_annotate(pairs, folder=answers, annotator="Ann")
        _, address, _ = page.launch(prevent_thread_lock=True, quiet=True)
        driver.get(address)
        for row, keys in enumerate(["010" + Keys.ENTER, "000" + Keys.ENTER, "00"]):
            wait(driver, f"document.querySelector('.annotate')?.dataset.row == {row}")
            ActionChains(driver).send_keys(keys).perform()
        wait(driver, "document.querySelector('.annotate .saved').textContent == 'Saved'")
        picture(driver, "space-annotate", 780)
        page.close()
        driver.quit()


if __name__ == "__main__":
    main()
