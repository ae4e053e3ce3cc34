"""Pictures of the page that computes, taken by a browser without a screen, and its figures.

Needs Chromium, its driver and Selenium; prints size and script time of the pages in docs/view.md.
"""

from __future__ import annotations

import io
import statistics
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

import gough

HERE = Path(__file__).resolve().parent
FLAGS = ("--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
TIMED = """
const [done] = arguments, slider = document.getElementById("freedom-0"), found = [];
const low = Number(slider.min), high = Number(slider.max);
let k = 0;
const next = () => {
  if (k > 9) found.push(Number(document.body.dataset.ms) + took);
  if (k++ > 100) return done(found);
  const begin = performance.now();
  slider.value = low + (high - low) * (0.5 + 0.25 * Math.sin(k / 8));
  slider.dispatchEvent(new Event("input"));
  took = performance.now() - begin;
  requestAnimationFrame(() => requestAnimationFrame(next));
};
let took = 0;
next();
"""
SET = """
for (const [id, value] of Object.entries(arguments[0])) {
  const element = document.getElementById(id);
  if (element.type === "checkbox" || element.type === "button") element.click();
  else { element.value = value; element.dispatchEvent(new Event("input")); }
}
"""


def browser(width: int, height: int) -> Any:
    """A browser of a size."""
    options = Options()
    for flag in (*FLAGS, "--hide-scrollbars", f"--window-size={width},{height}"):
        options.add_argument(flag)
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def opened(driver: Any, page: Path, given: dict[str, Any]) -> None:
    """Show a page, and set elements of it by their names."""
    driver.get(page.as_uri())
    wait = "const [done] = arguments; setTimeout(done, 600)"
    driver.execute_async_script(wait)
    driver.execute_script(SET, given)
    driver.execute_async_script(wait)


def taken(driver: Any, name: str) -> None:
    """Write what is seen into a picture."""
    picture = Image.open(io.BytesIO(driver.get_screenshot_as_png())).convert("RGB")
    picture.save(HERE / name, optimize=True)


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    robot = gough.zoo.load("delta")
    cycle = gough.motion.pick_and_place(robot, cycle=0.5)
    delta = gough.view(cycle, path=folder / "delta.html", modes=False)
    hexapod = gough.view(gough.zoo.load("gough_stewart"), path=folder / "hexapod.html")
    five_bar = gough.view(gough.zoo.load("five_bar"), path=folder / "five_bar.html")
    driver = browser(1240, 860)
    opened(driver, delta, {"payload": 0.5, "time": 62})
    taken(driver, "view.png")
    opened(driver, hexapod, {"freedom-3": 0.25, "freedom-0": 0.1, "payload": 20, "reactions": 1})
    taken(driver, "view_hexapod.png")
    for name in ("five_bar", "delta", "gough_stewart"):
        page = gough.view(gough.zoo.load(name), path=folder / f"{name}.html")
        opened(driver, page, {})
        found = statistics.median(driver.execute_async_script(TIMED))
        print(f"| {name} | {page.stat().st_size / 1000:.0f} | {found:.1f} |")
    driver.quit()
    driver = browser(500, 1000)
    opened(driver, five_bar, {"freedom-1": 9.0})
    taken(driver, "view_phone.png")
    driver.quit()


if __name__ == "__main__":
    main()
