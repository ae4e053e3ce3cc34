"""The page on a phone: one finger drags the platform or turns the view, two zoom and shift it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import gough
from page.browser import Browser, browser, require_browser

WIDTH, HEIGHT = 390, 844  # a phone upright, CSS pixels
STEPS = 8

Point = tuple[float, float]


@pytest.fixture(scope="module")
def phone(tmp_path_factory: Any) -> Iterator[Browser]:
    require_browser()
    robot = gough.zoo.load("delta")
    file = Path(gough.view(robot, path=tmp_path_factory.mktemp("page") / "page.html", modes=False))
    with browser() as found:
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": True}
        found.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        found.driver.execute_cdp_cmd(
            "Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5}
        )
        found.open(file)
        yield found


def _touch(page: Browser, *ways: tuple[Point, Point]) -> None:
    """Put fingers down, lead each along its way, and lift them."""

    def send(kind: str, points: Sequence[Point]) -> None:
        fingers = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        page.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers}
        )

    begin = [start for start, _ in ways]
    for count in range(1, len(ways) + 1):  # one finger after the other, as hands do it
        send("touchStart", begin[:count])
    for k in range(1, STEPS + 1):
        share = k / STEPS
        send(
            "touchMove",
            [(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) for a, b in ways],
        )
    send("touchEnd", [])
    page.run("const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(done));")


def _box(page: Browser) -> tuple[np.ndarray, float]:
    """Middle and width of what is painted on the stage [pixels]: what stands out of its rows."""
    picture = np.asarray(Image.open(io.BytesIO(page.picture())).convert("RGB")).astype(float)
    off = np.abs(picture - picture[:, 1:2]).max(axis=2) > 40.0
    off[:, -12:] = False  # a scroll bar that comes and goes
    rows, columns = np.nonzero(off)
    middle = np.array([np.median(columns), np.median(rows)])
    return middle, float(np.percentile(columns, 98) - np.percentile(columns, 2))


def _freedoms(page: Browser) -> list[float]:
    values = "[...document.querySelectorAll('[id^=freedom-][id$=-value]')]"
    return list(page.ask(f"{values}.map((each) => Number(each.dataset.value))"))


def _fresh(page: Browser, *, words: bool = True) -> tuple[float, float]:
    """The page as it is opened, or without what is written over the robot; the picture's middle."""
    page.open(Path(page.driver.current_url.removeprefix("file://")))
    x, y = page.run(
        """
        const [words, done] = arguments, frame = requestAnimationFrame;
        const over = document.querySelectorAll("header, #tools, #words");
        over.forEach((each) => (each.style.visibility = words ? "" : "hidden"));
        const r = document.getElementById("canvas").getBoundingClientRect();
        frame(() => frame(() => done([r.x + r.width / 2, r.y + r.height / 2])));""",
        words,
    )
    return float(x), float(y)


def test_everything_fits_the_width_of_a_phone(phone: Browser) -> None:
    _fresh(phone)
    assert phone.ask("document.documentElement.scrollWidth") <= WIDTH
    for name in ("canvas", "freedom-0", "motor-0", "payload", "words"):
        box = phone.ask(f"document.getElementById('{name}').getBoundingClientRect().toJSON()")
        assert box["left"] >= 0.0
        assert box["right"] <= WIDTH
    tools, words = (
        phone.ask(f"document.getElementById('{name}').getBoundingClientRect().toJSON()")
        for name in ("tools", "words")
    )
    assert words["bottom"] <= tools["top"]


def test_two_fingers_zoom(phone: Browser) -> None:
    x, y = _fresh(phone, words=False)
    before = _box(phone)[1]
    _touch(phone, ((x - 120, y), (x - 60, y)), ((x + 120, y), (x + 60, y)))
    assert _box(phone)[1] == pytest.approx(before / 2.0, rel=0.15)  # perspective: near parts more
    _touch(phone, ((x - 60, y), (x - 120, y)), ((x + 60, y), (x + 120, y)))
    assert _box(phone)[1] == pytest.approx(before, rel=0.03)
    assert phone.messages() == []


def test_two_fingers_shift(phone: Browser) -> None:
    x, y = _fresh(phone, words=False)
    (left, top), width = _box(phone)
    _touch(phone, ((x - 60, y), (x - 30, y + 40)), ((x + 60, y), (x + 90, y + 40)))
    (right, bottom), same = _box(phone)
    assert (right - left, bottom - top) == (pytest.approx(30, abs=6), pytest.approx(40, abs=6))
    assert same == pytest.approx(width, rel=0.05)
    assert phone.messages() == []


def test_one_finger_turns_the_view_and_leaves_the_robot(phone: Browser) -> None:
    _, y = _fresh(phone)
    before, posture = phone.picture(), _freedoms(phone)
    _touch(phone, ((30.0, y), (110.0, y)))
    assert phone.picture() != before
    assert _freedoms(phone) == posture
    assert phone.ask("window.scrollY") == 0
    assert phone.messages() == []


@pytest.mark.parametrize("beside", [0.0, 8.0])  # of places 6 pixels apart
def test_one_finger_drags_the_platform(phone: Browser, beside: float) -> None:
    """Also one that is a little beside it: fingers are wider than pointers."""
    _fresh(phone)
    posture, (x, y) = _freedoms(phone), phone.platform(lowest=beside > 0.0)
    _touch(phone, ((x, y + beside), (x + 36, y + beside)))
    assert _freedoms(phone)[0] > posture[0] + 0.01
    assert phone.messages() == []


def test_sliders_are_moved_by_a_finger(phone: Browser) -> None:
    _fresh(phone)
    place = phone.run(
        "const e = document.getElementById('freedom-0'); e.scrollIntoView({block: 'center'});"
        "const r = e.getBoundingClientRect(); arguments[0]([r.x, r.y + r.height / 2, r.width]);"
    )
    posture = _freedoms(phone)
    left, y, width = (float(value) for value in place)
    _touch(phone, ((left + 0.5 * width, y), (left + 0.7 * width, y)))
    assert _freedoms(phone)[0] > posture[0] + 0.01
    assert phone.messages() == []
