"""The page in a browser: what it prints is what Python says, and nothing leaves it."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import gough
from gough.mechanism.mobility.measures import measures_at
from gough.report.view.ranges import find_ranges
from mesh_files import bumpy
from page.browser import Browser, browser, number, require_browser

ROBOTS = ("five_bar", "four_rrr", "delta", "gough_stewart")
VALUES = 20
HOSTILE = "</script><script>window.taken=1</script><img src=x onerror='window.taken=2'>&lt;b&gt;"


@pytest.fixture(scope="module")
def shown() -> Iterator[Browser]:
    require_browser()
    with browser() as found:
        yield found


@pytest.fixture(scope="module", params=ROBOTS)
def opened(request: Any, shown: Browser, tmp_path_factory: Any) -> tuple[Browser, gough.Robot]:
    robot = gough.zoo.load(request.param)
    file = tmp_path_factory.mktemp("page") / "page.html"
    shown.open(Path(gough.view(robot, path=file)))
    return shown, robot


def _ids(robot: gough.Robot) -> list[str]:
    n, m = robot.mobility, len(robot.motors)
    freedoms = [f"freedom-{k}-value" for k in range(n)]
    motors = [f"motor-{k}-value" for k in range(m)] + [f"effort-{k}" for k in range(m)]
    return [*freedoms, *motors, *(f"distance-{key}" for key in ("type_1", "type_2", "constraint"))]


def _check(robot: gough.Robot, found: list[dict[str, Any]], mass: float = 0.0) -> None:
    """All printed numbers of postures against Python's, to the last digit."""
    n, m = robot.mobility, len(robot.motors)
    x = np.array([[float(value) for _, value in each["numbers"][:n]] for each in found])
    state = gough.state(robot, x)
    loads = (
        gough.Loads(payload=gough.Payload(mass, robot.platform_frame.position)) if mass else None
    )
    q = gough.inverse_kinematics(robot, state)
    tau = gough.inverse_dynamics(robot, state, loads=loads)
    for k, each in enumerate(found):
        a = robot.assembly
        solution = a.solution(gough.geometry.inverse.posed(a, state.T_0p[k]))
        seen = measures_at(a, solution)
        near = [float(seen.type_1), float(seen.type_2), float(seen.constraint)]
        expected = [*x[k], *q[k], *tau[k], *near]
        assert len(expected) == len(each["numbers"]) == n + 2 * m + 3
        for (text, _), value in zip(each["numbers"], expected, strict=True):
            printed, half = number(text)
            # a number between two digits may fall on either side
            assert abs(printed - value) <= half * (1.0 + 1e-6) + 1e-9 * abs(value), (text, value)


def test_every_slider_of_the_freedoms(opened: tuple[Browser, gough.Robot]) -> None:
    page, robot = opened
    before = page.picture()
    for k, (low, high) in enumerate(find_ranges(robot.assembly).freedoms):
        page.click("posture-0")
        # sliders reach beyond what is free; there Python refuses, and the page says so
        values = np.linspace(low + 0.08 * (high - low), high - 0.08 * (high - low), VALUES)
        found = page.move(f"freedom-{k}", values, _ids(robot))
        assert not any("Out of reach" in each["words"] for each in found)
        assert np.allclose([float(each["numbers"][k][1]) for each in found], values, atol=1e-12)
        _check(robot, found)
        assert page.picture() != before
    assert page.messages() == []


def test_every_slider_of_the_motors(opened: tuple[Browser, gough.Robot]) -> None:
    page, robot = opened
    n = robot.mobility
    ranges = find_ranges(robot.assembly).motors
    for k, name in enumerate(robot.motors):
        page.click("posture-0")
        home, (low, high) = robot.assembly.home_values[name], ranges[k]
        values = home + np.linspace(-0.2, 0.2, VALUES) * min(home - low, high - home)
        found = page.move(f"motor-{k}", values, _ids(robot))
        assert np.allclose([float(each["numbers"][n + k][1]) for each in found], values, atol=1e-9)
        _check(robot, found)
        if robot.redundant:  # one leads, as many hold as is needed, the others follow
            said = page.ask("document.getElementById('leading').textContent")
            assert said.startswith(f"{name} leads, ")
            assert all(each in said for each in robot.motors)
    assert page.messages() == []


def test_a_payload_is_carried(opened: tuple[Browser, gough.Robot]) -> None:
    page, robot = opened
    page.click("posture-0")
    _check(robot, page.move("payload", [1.25], _ids(robot)), mass=1.25)
    page.move("payload", [0.0], _ids(robot))


def test_beyond_reach_it_says_so_and_stays(opened: tuple[Browser, gough.Robot]) -> None:
    page, robot = opened
    page.click("posture-0")
    high = find_ranges(robot.assembly).freedoms[0, 1]
    (found,) = page.move("freedom-0", [high], _ids(robot))
    # legs of a hexapod are as long as they are wanted: it is never out of reach
    assert ("Within all limits" in found["words"]) == (robot.mobility == 6)
    assert gough.state(robot, [float(value) for _, value in found["numbers"][: robot.mobility]])


def test_a_way_ends_where_two_singularities_meet(shown: Browser, tmp_path: Path) -> None:
    """A wrist in its gimbal lock: behind it is another working mode than that of Python."""
    robot = gough.zoo.load("spherical_2dof")
    shown.open(Path(gough.view(robot, path=tmp_path / "page.html", modes=False)))
    found = shown.move("freedom-1", [1.2, 2.0], _ids(robot))
    assert float(found[1]["numbers"][1][1]) == pytest.approx(np.pi / 2.0, abs=1e-3)
    assert "leg l11 is stretched or folded" in found[1]["words"]
    _check(robot, found)
    assert shown.messages() == []


def test_assembly_modes_have_the_motors_of_home(opened: tuple[Browser, gough.Robot]) -> None:
    page, robot = opened
    page.click("posture-0")
    (home,) = page.move("payload", [0.0], _ids(robot))
    count = page.ask("document.querySelectorAll('[id^=posture-]').length")
    n, m = robot.mobility, len(robot.motors)
    poses = set()
    for k in range(count):
        page.click(f"posture-{k}")
        (found,) = page.move("payload", [0.0], _ids(robot))
        q, q_home = (
            np.array([float(value) for _, value in each["numbers"][n : n + m]])
            for each in (found, home)
        )
        off = q - q_home
        turns = 2.0 * np.pi * np.round(off / (2.0 * np.pi))  # slides here are shorter than 6 m
        assert np.abs(off - turns).max() < 1e-8
        poses.add(tuple(text for text, _ in found["numbers"][:n]))
    assert len(poses) == count
    page.click("posture-0")


def test_nothing_is_asked_for(opened: tuple[Browser, gough.Robot]) -> None:
    page, _ = opened
    page.requests()
    page.driver.refresh()
    page.wait()
    page.click("posture-0")
    asked = page.requests()
    assert asked == [page.driver.current_url]
    assert page.messages() == []


def test_texts_of_a_robot_file_stay_texts(shown: Browser, tmp_path: Path) -> None:

    robot = replace(gough.zoo.load("five_bar"), label=HOSTILE, source=HOSTILE)
    shown.requests()
    shown.messages()
    shown.open(Path(gough.view(robot, path=tmp_path / "page.html")))
    shown.move("freedom-0", [0.01], _ids(robot))
    assert shown.ask("window.taken") is None
    assert shown.ask("document.getElementById('title').textContent") == HOSTILE
    assert shown.ask("document.images.length") == 0
    assert shown.messages() == []
    assert shown.requests() == [shown.driver.current_url]


def test_shapes_of_bodies_are_painted(shown: Browser, tmp_path: Path) -> None:
    """A mesh and a primitive shape stand where the bars of two bodies were."""
    points, faces = bumpy(8, size=(0.2, 0.1, 0.1))
    looks = [
        (gough.Shape("mesh", colour="#20a040", points=points.tolist(), triangles=faces.tolist()),),
        (gough.Shape("ellipsoid", (0.2, 0.1, 0.1)),),
    ]
    robot = gough.zoo.load("five_bar")
    dressed = [replace(body, shapes=own) for body, own in zip(robot.bodies, looks, strict=False)]
    robot = replace(robot, bodies=(*dressed, *robot.bodies[2:]))
    shown.messages()
    shown.open(Path(gough.view(robot, path=tmp_path / "page.html", modes=False)))
    before = shown.picture()
    shown.click("tool-shapes")
    bare = shown.picture()
    assert bare != before
    shown.move("freedom-0", [0.05], _ids(robot))
    assert shown.picture() not in (before, bare)
    assert shown.messages() == []


LOADS = gough.LoadSchedule(
    [
        gough.TimedLoad(gough.Payload(0.4, (0.01, 0.0, -0.02)), start=0.31, end=0.72),
        gough.TimedLoad(gough.Force("platform", [[3, 0, 1], [0, -4, 2]]), times=[0.2, 0.8]),
    ],
    friction=False,
)


@pytest.mark.parametrize("loads", [None, LOADS], ids=["free", "loaded"])
def test_a_motion_is_played(
    shown: Browser, tmp_path: Path, loads: gough.LoadSchedule | None
) -> None:
    robot = gough.zoo.load("delta")
    motion = gough.motion.circle(robot, radius=0.05, duration=1.0)
    shown.open(Path(gough.view(motion, path=tmp_path / "page.html", modes=False, loads=loads)))
    count = int(shown.ask("document.getElementById('time').max"))
    places = np.linspace(0, count, VALUES).round()
    ids = ["clock", *(f"effort-{k}" for k in range(3))]

    def check(found: list[dict[str, Any]], carried: gough.Loads | None = None) -> None:
        for each in found:
            (_, t), *efforts = each["numbers"]
            acting = carried or (None if loads is None else loads.at(float(t)))
            tau = gough.inverse_dynamics(robot, motion(float(t)), loads=acting)
            for (text, _), value in zip(efforts, tau, strict=True):
                printed, half = number(text)
                assert abs(printed - value) <= half * (1.0 + 1e-6)

    check(shown.move("time", places, ids))
    if loads is not None:
        words = shown.ask("document.getElementById('panel').innerText")
        assert "payload: 0.4 kg at" in words
        text = shown.ask("JSON.parse(document.getElementById('content').textContent).play.t")
        times = np.frombuffer(base64.b64decode(text))
        after = np.searchsorted(times, loads.jumps - 1e-9)  # a sample on either side of a change
        assert np.allclose(times[after] - times[after - 1], 2e-9, rtol=1e-3)
        check(shown.move("time", [*after, *(after - 1)], ids))
        shown.move("payload", [0.9], ids)  # takes the place of the given one
        at = loads.at(float(times[100]))
        point = gough.Payload(0.9, robot.platform_frame.position)
        check(shown.move("time", [100], ids), gough.Loads(at.forces, point, friction=False))
    shown.click("play")
    assert shown.ask("document.getElementById('play').textContent") == "Pause"
    assert shown.messages() == []


def _dragged(page: Browser, x: float, y: float) -> float:
    """How far the platform goes along x when a pointer goes 40 pixels to the right."""
    from selenium.webdriver.common.actions.action_builder import ActionBuilder

    x, y = round(x), round(y)
    before = page.ask("document.getElementById('freedom-0-value').dataset.value")
    hand = ActionBuilder(page.driver)
    hand.pointer_action.move_to_location(x, y).pointer_down()
    hand.pointer_action.move_to_location(x + 40, y).pointer_up()
    hand.perform()
    after = page.ask("document.getElementById('freedom-0-value').dataset.value")
    return float(after) - float(before)


def test_the_platform_is_dragged(shown: Browser, tmp_path: Path) -> None:
    robot = gough.zoo.load("delta")
    shown.open(Path(gough.view(robot, path=tmp_path / "page.html", modes=False)))
    assert _dragged(shown, *shown.platform()) > 0.01
    assert shown.messages() == []


def test_without_webgl_the_robot_is_lines_and_all_else_is_as_ever(tmp_path: Path) -> None:
    require_browser()
    robot = gough.zoo.load("delta")
    motion = gough.motion.circle(robot, radius=0.05, duration=1.0)
    file = Path(gough.view(motion, path=tmp_path / "page.html", modes=False))
    with browser(webgl=False) as plain:
        plain.driver.set_window_size(1000, 900)
        plain.open(file)
        assert plain.ask("document.createElement('canvas').getContext('webgl2')") is None
        assert plain.ask("document.body.dataset.failed") is None
        assert "Drawn as lines" in plain.ask("document.getElementById('hint').textContent")
        pictures = [plain.picture()]
        assert _colours(pictures[0]) > 50  # the page without a robot has none

        def changed() -> bool:
            pictures.append(plain.picture())
            return pictures[-1] != pictures[-2]

        plain.click("posture-0")
        _check(robot, plain.move("freedom-0", np.linspace(-0.1, 0.1, 5), _ids(robot)))
        assert changed()
        assert _dragged(plain, *plain.platform()) > 0.01
        assert changed()
        assert _dragged(plain, 40, 400) == 0.0  # beside the robot: the view turns
        assert changed()
        plain.move("time", [50], ["clock"])
        assert changed()
        for button in ("tool-top", "tool-perspective", "tool-frames", "reactions"):
            plain.click(button)
            assert changed(), button
        assert plain.messages() == []


def _colours(picture: bytes) -> int:
    """How many colours a picture has, greys of its background apart."""
    found = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).reshape(-1, 3).astype(int)
    vivid = found[np.ptp(found, axis=1) > 40]
    return len(np.unique(vivid, axis=0))


def test_vibrations_of_an_elastic_machine_are_played(shown: Browser, tmp_path: Path) -> None:
    file = Path(__file__).parents[2] / "examples" / "robots" / "elastic_delta.yaml"
    robot = gough.load(file)
    shown.open(Path(gough.view(robot, path=tmp_path / "page.html", modes=False)))
    expected = gough.elasticity(robot).vibrations(6)
    for k, frequency in enumerate(expected.frequencies):
        label = shown.ask(f"document.getElementById('vibration-{k}').textContent")
        assert label == f"{frequency:.4g} Hz"
    still = shown.picture()
    shown.click("vibration-1")
    assert shown.ask("document.getElementById('vibration').textContent") == expected.sentences()[1]
    # a swing takes a second: at some of these moments the machine is away from home
    pictures = {shown.picture() for _ in range(4)}
    assert len(pictures - {still}) >= 2
    shown.click("posture-0")
    assert shown.picture() == shown.picture()
    assert shown.messages() == []
