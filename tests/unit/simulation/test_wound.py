"""Springs on axes that go round: whole turns are state, in efforts, energies and accelerations."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from swinging import hinge

INERTIA, STIFFNESS, REST = 0.1, 5.0, 6.0 * np.pi
RATE = np.sqrt(STIFFNESS / INERTIA)
INTEGRATORS = pytest.mark.parametrize("integrator", ["rk4", "dop853"])


def wheel(spring: gough.Spring | None, motors=()) -> gough.Robot:
    body = gough.Body("wheel", mass=1.0, inertia=(np.eye(3) * INERTIA).tolist())
    axle = gough.Joint("axle", "revolute", "base", "wheel", axes=(gough.Axis(spring=spring),))
    return gough.Robot("wheel", (body,), (axle,), "wheel", motors=motors)


def angles(T: np.ndarray) -> np.ndarray:
    """Turned about z, all the way."""
    return np.unwrap(np.arctan2(T[:, 1, 0], T[:, 0, 0]))


@INTEGRATORS
@pytest.mark.parametrize("motors", [(), ("axle",)])
def test_a_spring_wound_by_three_turns(integrator, motors):
    """``phi = rest (1 - cos(w t))``: three turns to rest, three beyond, and back."""
    robot = wheel(gough.Spring(STIFFNESS, REST), motors)
    found = gough.simulate(robot, np.eye(4), None, 2.0, integrator=integrator)
    assert found.event is None
    known = REST * (1.0 - np.cos(RATE * found.t))
    assert known.max() > 11.9 * np.pi
    tolerance = 1e-4 if integrator == "rk4" else 1e-7  # rk4: of order h^4 over 14 rad of phase
    assert angles(found.T_0p) == pytest.approx(known, abs=tolerance)
    if motors:
        assert found.q[:, 0] == pytest.approx(known, abs=tolerance)
    pull = STIFFNESS * (REST - known) / INERTIA
    assert found.Vdot_0p[:, 5] == pytest.approx(pull, abs=1e2 * tolerance)
    assert found.potential == pytest.approx(
        0.5 * STIFFNESS * (REST - known) ** 2, abs=1e3 * tolerance
    )
    assert np.abs(found.balance).max() < 1e-6 * found.kinetic.max()


@INTEGRATORS
def test_stiffness_as_a_parameter_of_a_batch(integrator):
    figures = {"stiffness": [[5.0], [2.0]], "rest": [[REST], [-40.0]]}
    robot, start = wheel(None, ("axle",)), np.stack([np.eye(4)] * 2)
    found = gough.simulate(robot, start, None, 0.8, integrator=integrator, parameters=figures)
    for i, (stiffness, rest) in enumerate([(5.0, REST), (2.0, -40.0)]):
        known = rest * (1.0 - np.cos(np.sqrt(stiffness / INERTIA) * found.t))
        assert found[i].q[:, 0] == pytest.approx(known, abs=1e-4)


def test_a_single_state_knows_the_angle_nearest_home():
    robot = wheel(gough.Spring(STIFFNESS, REST), ("axle",))
    turned = np.eye(4)
    turned[:2, :2] = [[np.cos(7.0), -np.sin(7.0)], [np.sin(7.0), np.cos(7.0)]]
    tau = gough.inverse_dynamics(robot, turned)
    assert tau == pytest.approx([STIFFNESS * (7.0 - 2.0 * np.pi - REST)])


A, B, C, D = 0.1, 0.3, 0.25, 0.3
FOOT = np.array([D, 0.0, 0.0])


def far_end(tip: np.ndarray) -> np.ndarray:
    """Where the coupler ends: circles about the crank's tip and the rocker's foot meet."""
    way = FOOT - tip
    far = np.linalg.norm(way)
    along = (far**2 + B**2 - C**2) / (2.0 * far)
    across = np.array([-way[2], 0.0, way[0]]) / far
    return tip + along * way / far + np.sqrt(B**2 - along**2) * across


def crank_rocker(spring: gough.Spring) -> gough.Robot:
    """A crank that goes round, the platform; a coupler, and a rocker on the base.

    The spring is between crank and coupler, at a joint that closes the loop at the platform.
    """
    tip = np.array([0.0, 0.0, A])
    end = far_end(tip)

    def pointing(v: np.ndarray, at) -> gough.Frame:
        z = v / np.linalg.norm(v)
        return gough.Frame.from_axes(at, z=z, x=np.cross([0.0, 1.0, 0.0], z))

    bodies = [
        gough.Body(name, **gough.inertia.rod(1.0, (0.0, 0.0, 0.0), (0.0, 0.0, length)))
        for name, length in (("crank", A), ("coupler", B), ("rocker", C))
    ]
    pin = hinge("pin", "crank", "coupler", (0.0, 0.0, A))
    joints = (
        hinge("foot", "base", "crank", (0.0, 0.0, 0.0)),
        replace(pin, axes=(gough.Axis(spring=spring),)),
        hinge("hip", "base", "rocker", FOOT),
        hinge("knee", "rocker", "coupler", (0.0, 0.0, C), (0.0, 0.0, B)),
    )
    home = gough.Home(
        {
            "crank": gough.Frame(),
            "coupler": pointing(end - tip, tip),
            "rocker": pointing(end - FOOT, FOOT),
        }
    )
    return gough.Robot("rocker", tuple(bodies), joints, "crank", home=home, gravity=(0.0, 0.0, 0.0))


@INTEGRATORS
def test_a_spring_at_a_joint_that_closes_a_loop(integrator):
    """Its energy by turns counted along the crank's poses, the coupler by hand."""
    spring = gough.Spring(0.05, 0.0)
    robot = crank_rocker(spring)
    assert robot.assembly.axes["pin"].links == ()  # it closes the loop
    start = gough.state(robot, [0.0], [30.0])
    found = gough.simulate(robot, start, None, 0.5, integrator=integrator, step=5e-4)
    assert found.event is None
    direction = found.T_0p[:, :3, 2]
    crank = np.unwrap(np.arctan2(direction[:, 0], direction[:, 2]))
    assert np.abs(crank[-1] - crank[0]) > 3.0 * np.pi
    along = np.array([far_end(A * z) - A * z for z in direction])
    coupler = np.unwrap(np.arctan2(along[:, 0], along[:, 2]))
    turned = (coupler - crank) - (coupler - crank)[0]
    known = 0.5 * spring.stiffness * (robot.assembly.home_values["pin"] + turned) ** 2
    assert found.potential == pytest.approx(known, abs=1e-9)
    assert found.potential.max() > 0.5 * spring.stiffness * (2.5 * np.pi) ** 2
    assert np.abs(found.balance).max() < 1e-4 * found.kinetic.max()
