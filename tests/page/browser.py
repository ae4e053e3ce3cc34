"""A page in a browser without a screen: sliders moved, numbers read, messages and requests kept."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

DRIVER = "/usr/bin/chromedriver"
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=900,480"),
    *("--disable-background-networking", "--no-first-run"),
)
_WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")  # without a graphics card
_NO_WEBGL = ("--disable-gpu", "--disable-webgl", "--disable-3d-apis")
# Moves one slider to values, and reads every number after each: the page asks for its frame first,
# so that it has written all when ours comes.
_MOVE = """
const [id, values, ids, done] = arguments, slider = document.getElementById(id), found = [];
const frame = () => new Promise((ready) => requestAnimationFrame(ready));
(async () => {
  for (const value of values) {
    slider.value = value;
    slider.dispatchEvent(new Event("input"));
    await frame();
    const read = (key) => document.getElementById(key);
    const numbers = ids.map((key) => [read(key).textContent, read(key).dataset.value]);
    found.push({ numbers, words: read("words").innerText });
  }
  slider.dispatchEvent(new Event("change"));
  await frame();
  done(found);
})();
"""


def binary() -> str | None:
    """Where a browser is."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


def require_browser() -> None:
    """Skip where no browser is installed; fail where one must be."""
    missing = [what for what, there in _parts().items() if not there]
    if not missing:
        return
    reason = f"no {' and no '.join(missing)}: apt-get install chromium chromium-driver"
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def _parts() -> dict[str, bool]:
    try:
        import selenium  # noqa: F401

        known = True
    except ImportError:
        known = False
    driver = Path(DRIVER).exists() or shutil.which("chromedriver")
    return {"selenium": known, "chromium": bool(binary()), "chromedriver": bool(driver)}


class Browser:
    """A browser that shows pages of this machine."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path) -> None:
        """Show a file, and wait until it has drawn itself."""
        self.driver.get(path.as_uri())
        self.wait()

    def wait(self) -> None:
        """Wait until the page has drawn itself."""
        self.run("""
            const [done] = arguments, frame = requestAnimationFrame, { dataset } = document.body;
            const shown = () => frame(() => frame(done)); // what is drawn is seen a frame later
            const wait = () => (dataset.frames > 0 || dataset.failed ? shown() : frame(wait));
            wait();""")

    def run(self, script: str, *given: Any) -> Any:
        """Run a script that says when it is done."""
        return self.driver.execute_async_script(script, *given)

    def ask(self, expression: str) -> Any:
        """The value of an expression."""
        return self.driver.execute_script(f"return {expression}")

    def move(self, slider: str, values: Any, ids: list[str]) -> list[dict[str, Any]]:
        """Numbers (text and value) and words after a slider has moved to each of the values."""
        return list(self.run(_MOVE, slider, [float(value) for value in values], ids))

    def click(self, name: str) -> None:
        """Click a button, and wait for the next picture."""
        self.run(
            """
            const [id, done] = arguments;
            document.getElementById(id).click();
            requestAnimationFrame(() => requestAnimationFrame(() => done()));""",
            name,
        )

    def platform(self, *, lowest: bool = False) -> tuple[float, float]:
        """A place in the window where a pointer takes hold of the platform, the lowest or any."""
        found = self.run(
            """
            const [lowest, done] = arguments, canvas = document.getElementById("canvas");
            const box = canvas.getBoundingClientRect(), places = [];
            for (let x = box.left; x < box.right; x += 6)
              for (let y = box.top; y < box.bottom; y += 6) {
                canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y }));
                if (canvas.classList.contains("moving")) places.push([x, y]);
              }
            if (lowest) places.sort((a, b) => b[1] - a[1]);
            done(places[lowest ? 0 : places.length >> 1]);""",
            lowest,
        )
        assert found, "the platform is not to be seen"
        return float(found[0]), float(found[1])

    def picture(self) -> bytes:
        """What the robot looks like."""
        found: bytes = self.driver.find_element("id", "canvas").screenshot_as_png
        return found

    def messages(self) -> list[str]:
        """What was written to the console since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses that were asked for since it was last asked."""
        events = [
            json.loads(each["message"])["message"] for each in self.driver.get_log("performance")
        ]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]


@contextmanager
def browser(*, webgl: bool = True) -> Iterator[Browser]:
    """A browser, closed in the end; without WebGL as on remote desktops."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    for flag in (*_FLAGS, *(_WEBGL if webgl else _NO_WEBGL)):
        options.add_argument(flag)
    options.binary_location = binary() or ""
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = Service(DRIVER if Path(DRIVER).exists() else shutil.which("chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(60)
    try:
        yield Browser(driver)
    finally:
        driver.quit()


def number(text: str) -> tuple[float, float]:
    """A printed number in SI units, and half of its last digit."""
    match = re.fullmatch(r"(-?[\d.]+)\s?(mm|°|N|N·m|)", text)
    assert match, f"no number: {text!r}"
    digits, unit = match.groups()
    scale = {"mm": 1e-3, "°": 0.017453292519943295}.get(unit, 1.0)
    last = 10.0 ** -len(digits.partition(".")[2])
    return float(digits) * scale, 0.5 * last * scale
