"""Takes the pictures of docs/report.md: reports on the example corpora, wide and on a phone.

python docs/images/report.py
"""

from __future__ import annotations

import base64
import io
import shutil
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

from textsimp import report

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
HEIGHT = 925
SECONDS = 60


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def picture(driver: Any, width: int, scheme: str, section: str) -> Image.Image:
    """A section of the page and what follows it."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    driver.refresh()
    driver.execute_script("document.querySelector('#examples').scrollIntoView()")
    drawn = "return document.querySelector('article') !== null"
    WebDriverWait(driver, SECONDS).until(lambda d: d.execute_script(drawn))
    top = driver.execute_script("return document.querySelector(arguments[0]).offsetTop", section)
    clip = {"x": 0, "y": top + 1, "width": width, "height": HEIGHT, "scale": 1}
    options = {"captureBeyondViewport": True, "clip": clip}
    taken = driver.execute_cdp_cmd("Page.captureScreenshot", options)
    return Image.open(io.BytesIO(base64.b64decode(taken["data"])))


def reported(
    folder: str, kind: str, systems: tuple[str, ...], references: int, **options: Any
) -> str:
    """The address of a report on one of the example corpora."""
    page = Path(folder, "report.html")
    columns = (lines(f"{kind}references/{i}.txt") for i in range(references))
    report.write(
        page,
        {name: lines(f"{kind}systems/{name}.txt") for name in systems},
        sources=lines(f"{kind}source.txt"),
        references=list(zip(*columns, strict=True)),
        **options,
    )
    return page.as_uri()


def save(name: str, wide: Image.Image, phone: Image.Image) -> None:
    """Write two pictures side by side."""
    both = Image.new("RGB", (wide.width + phone.width + 20, HEIGHT), "white")
    both.paste(wide, (0, 0))
    both.paste(phone, (wide.width + 20, 0))
    both.quantize(256).save(HERE / f"{name}.png", optimize=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        options = webdriver.ChromeOptions()
        options.binary_location = str(shutil.which("chromium"))
        for argument in (*ARGUMENTS, f"--user-data-dir={folder}/chromium", "--hide-scrollbars"):
            options.add_argument(argument)
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

        systems = ("splitter", "substituter")
        title = "Two systems on the example corpus"
        driver.get(reported(folder, "", systems, 3, title=title))
        wide = picture(driver, 1000, "light", "#verdict")
        save("report", wide, picture(driver, 390, "dark", "#examples"))

        aligned = {"sari": {"level": "aligned"}}
        systems = ("rewriter", "shortener")
        driver.get(reported(folder, "documents/", systems, 1, metrics=aligned))
        wide = picture(driver, 1000, "light", "article .document")
        save("report-documents", wide, picture(driver, 390, "dark", ".document + .document"))
        driver.quit()


if __name__ == "__main__":
    main()
