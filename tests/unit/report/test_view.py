"""The page that computes, as a file: small, closed to everything, and true to the robot."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gough
from gough.report.view.page import Page
from gough.report.view.shaking import shaking
from pages import content, text
from robots import robot

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\u2028'\""


def test_nothing_is_from_elsewhere() -> None:
    page = text("delta")
    loaded = r"https?:|\bimport\s*\(|\bfetch\(|XMLHttp|url\(|<link|@import|\bsrc="
    assert not re.search(loaded, page)
    assert not re.search(r"\son\w+=|javascript:", page.partition('id="content"')[0])


def test_a_policy_allows_the_script_of_the_page_alone() -> None:
    page = text("delta")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "default-src 'none'" in policy[1]
    assert "unsafe-inline" not in policy[1]
    assert "'unsafe-eval'" not in policy[1]
    for tag, rule in (('script type="module"', "script-src"), ("style", "style-src")):
        inside = page.split(f"<{tag}>")[1].split(f"</{tag.split()[0]}>")[0]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in policy[1]


def test_texts_of_users_are_no_markup() -> None:
    page = str(gough.view(replace(robot("five_bar"), label=HOSTILE, source=HOSTILE), modes=False))
    assert content(page)["label"] == HOSTILE.replace("\u2028", r"\u2028")
    assert "alert(1)</script>" not in page
    assert page.count("<script") == 2
    assert page.count("<img") == 0
    inside = Page(page)._repr_html_()
    assert "<script" not in inside
    assert inside.count('"') == Page()._repr_html_().count('"')


@pytest.mark.parametrize("place", ["title", "policy", "style", "content", "script"])
def test_places_of_the_page_in_a_label_stay_words(place: str) -> None:
    label = f"{{{{{place}}}}}"
    page = str(gough.view(replace(robot("five_bar"), label=label), modes=False))
    assert f"<title>{label}</title>" in page
    assert content(page)["label"] == label
    # but for digits: which kernels were there before decides the last ones
    plain, usual = (NUMBER.sub("0", each) for each in (page, text("five_bar")))
    assert plain.replace(label, robot("five_bar").label) == usual


NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


OBEYED = "a \x1b[31m\u202eback\u2066 \x00 b\x9d"


def test_what_a_reader_would_obey_is_spelled_out() -> None:
    """Of labels, on pages, in notebooks and in the words of a result."""
    r = replace(robot("five_bar"), label=OBEYED, source=OBEYED)
    page, result = gough.view(r, modes=False), gough.sheet(r)
    spelled = r"a \x1b[31m\u202eback\u2066 \x00 b\x9d"
    assert content(str(page))["label"] == spelled
    for words in (str(page), str(result), r._repr_html_(), result._repr_html_()):
        assert spelled in words
        assert not set("\x1b\u202e\u2066\x00\x9d") & set(words)


def test_shapes_stand_where_the_picture_has_them() -> None:
    """At home every joint's mark is where ``gough.draw`` draws it."""
    r = robot("gough_stewart")
    known, (scene,) = content(text("gough_stewart")), gough.report.drawing.scenes(r)
    poses = gough.posture(r, r.assembly.T_home).bodies
    bodies = [np.eye(4), *(poses[body.name] for body in r.bodies)]
    marks = {mark.joint: mark.position for mark in scene.marks}
    names = [joint["name"] for joint in known["joints"]]
    for part in known["shapes"]["primitives"]:
        if "joint" in part and "mouth" not in part:
            T = bodies[part["at"]]
            place = T[:3, :3] @ part["point"] + T[:3, 3]
            assert np.allclose(place, marks[names[part["joint"]]], atol=1e-5)


def test_motions_and_simulations_are_played() -> None:
    r = robot("five_bar")
    motion = gough.motion.circle(r, radius=0.02, duration=0.5)
    for given in (gough.view(motion, modes=False), gough.view(r, motion, modes=False)):
        play = content(str(given))["play"]
        t, y = (np.frombuffer(base64.b64decode(play[key])) for key in ("t", "y"))
        assert not play["simulated"]
        assert np.allclose(y.reshape(-1, 6)[:, :3], motion(t).T_0p[:, :3, 3], atol=1e-12)
    found = gough.simulate(r, motion.start, t_end=0.05)
    play = content(str(gough.view(found, modes=False)))["play"]
    assert play["simulated"]
    assert play["count"] == len(np.frombuffer(base64.b64decode(play["tau"]))) // 2


def test_a_slice_of_the_workspace_is_laid_over() -> None:
    r = robot("five_bar")
    found = gough.workspace(r, x=(-0.3, 0.3, 21), y=(0.2, 0.7, 21))
    known = content(str(gough.view(r, modes=False, workspace=found)))["overlay"]
    assert {"border", "Type 1"} <= {each["kind"] for each in known}
    curves = [np.frombuffer(base64.b64decode(each["points"])).reshape(-1, 3) for each in known]
    z = r.assembly.T_home[2, 3]
    assert all(np.allclose(curve[:, 2], z, atol=1e-12) for curve in curves)
    for wrong in ("x", gough.workspace(robot("delta"), x=(-0.1, 0.1, 5), y=(-0.1, 0.1, 5))):
        with pytest.raises(gough.errors.InputError, match="workspace"):
            gough.view(r, modes=False, workspace=wrong)


def test_files_are_written(tmp_path: Path) -> None:
    file = gough.view(robot("five_bar"), path=tmp_path / "page.html", modes=False)
    assert_same(content(Path(file).read_text("utf-8")), content(text("five_bar")))


def assert_same(one: Any, other: Any) -> None:
    """The same content, but for digits: after some calls a kernel answers instead of NumPy."""
    assert type(one) is type(other)
    if isinstance(one, dict):
        assert list(one) == list(other)
        one, other = list(one.values()), list(other.values())
    if isinstance(one, list):
        assert len(one) == len(other)
        for pair in zip(one, other, strict=True):
            assert_same(*pair)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-8, abs=1e-9)
    else:
        assert one == other


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("delta",), "expected a gough.Robot"),
        ((robot("delta"), 3), "motion"),
        ((robot("delta"), gough.motion.hold(robot("five_bar"))), "five_bar"),
    ],
)
def test_what_is_no_robot_or_motion_is_refused(arguments: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(gough.errors.InputError, match=reason):
        gough.view(*arguments)


def test_a_machine_without_dynamics_moves_all_the_same() -> None:
    """A driven finger on the platform, which no model shows: its page says so."""
    r = robot("gough_stewart")
    at = gough.Frame((0.1, 0.0, 0.05))
    gripping = replace(
        r,
        bodies=(*r.bodies, gough.Body("finger", 0.1, center=(0.03, 0.02, 0.0))),
        joints=(*r.joints, gough.Joint("grip", "revolute", r.platform, "finger", at, at)),
        motors=(*r.motors, "grip"),
        home=gough.Home({**r.home.bodies, "finger": r.home.bodies[r.platform]}),
    )
    known = content(str(gough.view(gripping, modes=False)))
    assert "step_of_freedoms" in known["kernels"]["functions"]
    assert "efforts_in_view" not in known["kernels"]["functions"]
    assert any("does not compute efforts" in note for note in known["notes"])
    with pytest.raises(gough.errors.FrozenFreedom):
        gough.view(gripping, modes=False, loads=gough.Loads(payload=0.1))


def test_vibrations_move_bodies_as_the_machine_shakes() -> None:
    file = Path(__file__).parents[3] / "examples" / "robots" / "elastic_delta.yaml"
    machine = gough.load(file)
    found = shaking(machine.assembly)
    vibrations = gough.elasticity(machine).vibrations(len(found))
    assert [each["frequency"] for each in found] == vibrations.frequencies.tolist()
    names = [machine.base, *(body.name for body in machine.bodies)]
    platform = names.index(machine.platform)
    poses = gough.posture(machine, machine.home_pose).bodies
    for k, each in enumerate(found):
        moves = np.array(each["moves"])
        assert moves.shape == (len(names), 6)
        assert not moves[0].any()  # the base stands still
        # the platform is rigid: its origin moves as the vibration says, all of one scale
        u, theta = moves[platform, :3], moves[platform, 3:]
        arm = machine.home_pose[:3, 3] - poses[machine.platform][:3, 3]
        seen = np.concatenate([u + np.cross(theta, arm), theta])
        true = vibrations.platform[k]
        share = seen @ true / (true @ true)
        assert np.abs(seen - share * true).max() < 1e-6 * np.abs(seen).max() + 1e-8
    assert shaking(gough.zoo.load("delta").assembly) == []
