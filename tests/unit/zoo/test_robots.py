"""What holds for every robot of the zoo: published mobility, a regular home, laws of mechanics."""

import importlib
import inspect
import re
from collections import Counter

import numpy as np
import pytest

import gough
from gough import zoo
from gough.robot.file import dumps
from gough.robot.file.reading import reads
from gough.robot.remarks import remarks
from robots import REDUNDANT_NAMES, condition, robot

PUBLISHED = {
    "five_bar": ("x", "y"),
    "three_rrr": ("x", "y", "rz"),
    "four_rrr": ("x", "y", "rz"),
    "spherical_2dof": ("rx", "ry"),
    "agile_eye": ("rx", "ry", "rz"),
    "delta": ("x", "y", "z"),
    "linear_delta": ("x", "y", "z"),
    "delta_4": ("x", "y", "z", "rz"),
    "quattro": ("x", "y", "z", "rz"),
    "h4": ("x", "y", "z", "rz"),
    "orthoglide": ("x", "y", "z"),
    "dymo": ("x", "y", "z"),
    "tilt_3rps": ("z", "rx", "ry"),
    "space_3ups": ("x", "y", "z", "rx", "ry", "rz"),
    "c5": ("x", "y", "z", "rx", "ry", "rz"),
    "gough_stewart": ("x", "y", "z", "rx", "ry", "rz"),
    "gough_stewart_6spu": ("x", "y", "z", "rx", "ry", "rz"),
    "hexapod_6rus": ("x", "y", "z", "rx", "ry", "rz"),
    "hexapod_6pus": ("x", "y", "z", "rx", "ry", "rz"),
}
OWN = ("agile_eye", "linear_delta", "delta_4", "h4", "dymo", "gough_stewart_6spu", "hexapod_6pus")
OWN += ("four_rrr",)
LEGS = {"c5": 6, "five_bar": 2, "spherical_2dof": 2, "delta_4": 4, "quattro": 4, "h4": 4}
LEGS |= {"four_rrr": 4}
SPARE = dict.fromkeys(REDUNDANT_NAMES, 1)


@pytest.mark.parametrize("name", zoo.names())
def test_mobility_is_as_published(name):
    assert robot(name).freedoms == PUBLISHED[name]
    assert robot(name).mobility == len(PUBLISHED[name])


@pytest.mark.parametrize("name", zoo.names())
def test_the_legs_are_the_machine_s(name):
    legs = len(robot(name).assembly.topology.legs)
    assert legs == LEGS.get(name, 3 if robot(name).mobility == 3 or name == "space_3ups" else 6)


@pytest.mark.parametrize("name", zoo.names())
def test_home_is_regular_and_the_motors_control_the_platform(name):
    a = robot(name).assembly
    assert a.findings == ()
    assert a.start[1] is a.home
    assert len(robot(name).motors) == a.mobility + SPARE.get(name, 0)
    assert robot(name).redundant == (name in SPARE)
    assert a.motors_control_platform
    assert a.modes == (a.mobility,)
    assert a.idle == ()
    # natural units; yaw of a small nacelle under long legs is what is hardest to hold: 16
    assert condition(a, 0) < 25.0
    assert remarks(robot(name)) == ()


@pytest.mark.parametrize("name", zoo.names())
def test_home_is_given_exactly(name):
    """Where a body is drawn, it stands: closing the loops moves nothing."""
    r = robot(name)
    rough = r.home.bodies[r.platform].matrix @ r.platform_frame.matrix
    # rounding of a few products of poses
    assert np.abs(rough - r.home_pose).max() < 1e-12


# of every kind of joint, body and platform one
@pytest.mark.parametrize(
    "name", ["c5", "delta_4", "dymo", "five_bar", "four_rrr", "h4", "space_3ups"]
)
def test_a_robot_survives_its_file(name):
    assert reads(dumps(robot(name))) == robot(name)


@pytest.mark.parametrize("name", zoo.names())
def test_name_label_and_source_are_filled(name):
    assert robot(name).name == name
    assert robot(name).label
    assert robot(name).source


@pytest.mark.parametrize("name", zoo.names())
def test_its_file_tells_what_it_is(name):
    module = importlib.import_module(f"gough.zoo.{name}")
    text = module.__doc__
    builder = getattr(module, name)
    assert re.search(r"\[(BK|KI|OZ|GA)\]|(19|20)\d\d", text), "no source"
    assert "numbers" in text or "figures" in text
    assert max(Counter(text).get(c, 0) for c in "/\\|o=") > 3, "no drawing"
    *own, rest = inspect.signature(builder).parameters.values()
    shared = {"gravity", "platform"}  # read by the register, with name, label and source
    defaults = zoo.parameters(name)
    assert [key for key in defaults if key not in shared] == [p.name for p in own]  # in this order
    assert all(p.kind is p.KEYWORD_ONLY for p in own)
    assert rest.kind is rest.VAR_KEYWORD
    for key in defaults:
        told = f"``{key}``" if key in shared else f"{key}:"
        assert told in builder.__doc__, f"{key} is not documented"


@pytest.mark.parametrize("name", zoo.names())
def test_bodies_are_physical(name):
    for body in robot(name).bodies:
        a, b, c = np.linalg.eigvalsh(np.array(body.inertia))
        assert body.mass >= 0.0
        assert a >= -1e-9 * c  # a slender bar has none about its axis, but for rounding
        assert a + b >= c * (1.0 - 1e-9)
        # no mass further out than the machine is large
        assert np.sqrt(c / body.mass if body.mass else 0.0) < robot(name).assembly.length


@pytest.mark.parametrize("name", OWN)
def test_numbers_of_our_own_are_uneven(name):
    bodies = robot(name).bodies
    kinds: dict[str, list[gough.Body]] = {}
    for body in bodies:
        kinds.setdefault(re.sub(r"\d", "", body.name), []).append(body)
    for alike in kinds.values():
        assert len({body.mass for body in alike}) == len(alike)
    for body in bodies:
        assert np.count_nonzero(np.abs(body.center) > 1e-6) >= 2  # off every axis
        inertia = np.array(body.inertia)
        assert np.abs(inertia - np.diag(np.diag(inertia))).max() > 1e-9
    motors = [robot(name).axis(m) for m in robot(name).motors]
    assert len({(m.viscous, m.rotor_inertia) for m in motors}) > 1
    assert all(m.viscous and m.coulomb and m.rotor_inertia for m in motors)
    assert "our own" in robot(name).source
    assert "ours" in importlib.import_module(f"gough.zoo.{name}").__doc__


@pytest.mark.parametrize("name", zoo.names())
def test_postures_around_home_are_regular(name):
    """Where ranks were taken: a few hundredths of the machine's size away from home."""
    a = robot(name).assembly
    assert len(a.samples) > 3
    for k in range(len(a.samples)):
        assert condition(a, k) < 50.0  # at home below 25, see above
