"""Jerk is the derivative of acceleration: of every joint, of every body, of the platform itself."""

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import gough
from gough import screw
from gough.errors import InconsistentTwist, InputError
from robots import ALL_NAMES, IDLE_NAMES, random_freedoms, relative, robot

# Central differences of fourth order: truncation h^4/30 = 2e-15 times a fifth derivative, which
# reaches 1e8 in hexapods near the end of their reach, 1e-7 of the jerk; rounding 1e-13 / h = 2e-10.
H = 5e-4
TOLERANCE = 1e-6
# Sums of some hundred products whose largest is as large as the largest jerk, or speed cubed.
ROUNDING = 1e-11


class Case(NamedTuple):
    """Five moments of a motion with constant third derivative, and the jerks in the middle."""

    robot: gough.Robot
    state: gough.State
    around: gough.Posture
    posture: gough.Posture

    @property
    def middle(self) -> tuple[np.ndarray, ...]:
        """Pose, twist and its derivatives in the middle."""
        state = self.state[2]
        return (*state.arrays, state.Vddot_0p)

    @property
    def size(self) -> float:
        """Of the largest jerk."""
        groups = (self.posture.joint_jerks, self.posture.twist_jerks)
        return max(float(np.abs(a).max()) for group in groups for a in group.values())


@cache
def case(name: str) -> Case:
    r = robot(name)
    (x,), (xd,), (xdd,) = random_freedoms(name, 1, 0.04, seed=5)
    xddd = np.random.default_rng(8).normal(size=len(x)) * r.assembly.scales.freedoms
    t = (np.array([-2, -1, 0, 1, 2]) * H)[:, None]
    state = gough.state(
        r,
        x + xd * t + xdd * t**2 / 2.0 + xddd * t**3 / 6.0,
        xd + xdd * t + xddd * t**2 / 2.0,
        xdd + xddd * t,
        xddd + 0.0 * t,
    )
    return Case(r, state, gough.posture(r, gough.State(*state.arrays)), gough.posture(r, state[2]))


def _slope(a):
    return (a[0] - 8.0 * a[1] + 8.0 * a[3] - a[4]) / (12.0 * H)


def _idle(r):
    """Bodies that spin idly, and axes on them: their angle is no function of the pose."""
    bodies = {body for freedom in r.assembly.idle for body in freedom.bodies}
    beside = (j for j in r.joints if {j.parent, j.child} & bodies)
    return bodies, {axis for j in beside for axis in j.axis_names if axis not in r.motors}


@pytest.mark.parametrize("name", ALL_NAMES)
def test_jerks_are_derivatives_of_accelerations(name):
    c = case(name)
    idle_bodies, idle_axes = _idle(c.robot)
    assert np.abs(_slope(c.state.Vdot_0p) - c.state.Vddot_0p[2]).max() < TOLERANCE * max(
        c.size, 1.0
    )
    for axis in set(c.posture.joints) - idle_axes:
        found = c.posture.joint_jerks[axis]
        expected = _slope(c.around.joint_accelerations[axis])
        assert found.shape == expected.shape
        assert np.abs(found - expected).max() < TOLERANCE * c.size, axis
    for body, found in c.posture.twist_jerks.items():
        expected = _slope(c.around.twist_rates[body])
        # of an idle body the angular jerk is the same in any spin, that of its origin is not
        part = slice(3, 6) if body in idle_bodies else slice(0, 6)
        assert np.abs(found - expected)[part].max() < TOLERANCE * c.size, body


@pytest.mark.parametrize("name", ALL_NAMES)
def test_the_bodies_of_a_joint_share_its_point(name):
    """Jerk of the centre of a turning joint is the same on both bodies; idle ones included."""
    c = case(name)
    tried = 0
    for joint in c.robot.joints:
        if joint.kind not in ("revolute", "universal", "spherical", "fixed"):
            continue
        ends = (joint.parent, joint.parent_frame), (joint.child, joint.child_frame)
        one, other = (_point_jerk(c.posture, c.robot.base, b, f.matrix[:3, 3]) for b, f in ends)
        assert np.abs(one - other).max() < ROUNDING * c.size, joint.name
        tried += 1
    assert tried or name in ("screw_pendulum", "rccc", "contact_tripod", "c5")


def _point_jerk(p, base, body, point):
    """Jerk of a point of a rigid body: the third derivative of ``R point``, and the origin's."""
    if body == base:
        return np.zeros(3)
    r = p.bodies[body][:3, :3] @ point
    w, wd, (j, wdd) = (
        p.twists[body][3:],
        p.twist_rates[body][3:],
        np.split(p.twist_jerks[body], 2),
    )
    first = np.cross(w, r)
    second = np.cross(wd, r) + np.cross(w, first)
    return j + np.cross(wdd, r) + 2.0 * np.cross(wd, first) + np.cross(w, second)


@pytest.mark.parametrize("name", IDLE_NAMES)
def test_idle_bodies_do_not_begin_to_spin(name):
    """The second derivative of ``x . omega = 0``, x turning with the body."""
    c = case(name)
    p = c.posture
    for freedom in c.robot.assembly.idle:
        body = freedom.bodies[0]
        x = p.bodies[body][:3, :3] @ freedom.spin
        w, wd, wdd = p.twists[body][3:], p.twist_rates[body][3:], p.twist_jerks[body][3:]
        xd = np.cross(w, x)
        xdd = np.cross(wd, x) + np.cross(w, xd)
        assert abs(x @ wdd + 2.0 * xd @ wd + xdd @ w) < ROUNDING * c.size


def test_the_gearshift_by_lie_products():
    """[GA] section 5: both chains carry the knob with the same jerk, by brackets of their screws.

    No dual number is in it: the sum of screw.chain_jerk, whose axes are read off the poses.
    """
    c = case("spherical_2dof")
    p, knob = c.posture, c.posture.twist_jerks["knob"]
    assert np.abs(knob[:3]).max() < ROUNDING * c.size  # all axes meet in its origin
    for chain in (("q1", "b1", "b3"), ("q2", "b2")):
        screws = []
        for joint in map(c.robot.joint, chain):
            parent = np.eye(4) if joint.parent == c.robot.base else p.bodies[joint.parent]
            screws.append(screw.revolute((parent @ joint.parent_frame.matrix)[:3, 2], np.zeros(3)))
        orders = (p.joint_rates, p.joint_accelerations, p.joint_jerks)
        found = screw.chain_jerk(screws, *([of[name] for name in chain] for of in orders))
        np.testing.assert_allclose(found[:3], knob[3:], atol=ROUNDING * c.size)


def test_a_leg_of_the_hexapod_by_lie_products():
    """The same where screws have dual parts: three turns for a ball, a slide, a universal joint.

    All derivatives are solved from the leg's own six screws, as [GA] (59) and (69) do.
    """
    c = case("gough_stewart_6spu")
    T, V, Vdot, Vddot = c.middle
    p, hooke, at = c.posture, c.robot.joint("u1"), T[:3, 3]
    first, last = p.bodies["rod1"] @ hooke.parent_frame.matrix, T @ hooke.child_frame.matrix
    S, U = p.bodies["cyl1"][:3, 3], last[:3, 3]
    leg = [screw.revolute(e, S) for e in np.eye(3)]
    leg += [screw.prismatic((U - S) / np.linalg.norm(U - S))]
    leg += [screw.revolute(first[:3, 2], U), screw.revolute(last[:3, 2], U)]
    J = np.stack(leg, axis=1)
    rates = np.linalg.solve(J, screw.from_twist(V, at))
    lie = screw.lie_screw(leg, rates)
    accelerations = np.linalg.solve(J, screw.from_twist_rate(V, Vdot, at) - lie)
    carried = screw.chain_jerk(leg, rates, accelerations, np.zeros(6))
    jerks = np.linalg.solve(J, screw.from_twist_jerk(V, Vdot, Vddot, at) - carried)
    for found, slide in ((rates, p.joint_rates), (accelerations, p.joint_accelerations)):
        assert abs(found[3] - slide["p1"]) < ROUNDING * c.size
    assert abs(jerks[3] - p.joint_jerks["p1"]) < ROUNDING * c.size


@pytest.mark.parametrize("name", ["five_bar", "tilt_3rps", "delta", "h4", "spherical_2dof"])
def test_a_jerk_outside_the_mobility_is_refused(name):
    c = case(name)
    T, V, Vdot, Vddot = c.middle
    n = c.robot.mobility
    forbidden = next(i for i in range(6) if i not in c.robot.assembly.free)
    wrong = Vddot.copy()
    wrong[forbidden] += 1e-3 * np.abs(Vddot).max()
    with pytest.raises(InconsistentTwist, match=f"d2/dt2.*\n?.*{n} freedom"):
        gough.posture(c.robot, gough.State(T, V, Vdot, wrong))
    batch = gough.posture(
        c.robot, gough.State(T, V, Vdot, np.stack([Vddot, wrong])), on_error="nan"
    )
    for array in (batch.closure, *batch.joint_jerks.values(), *batch.twist_jerks.values()):
        assert np.isfinite(array[0]).all()
        assert np.isnan(array[1]).all()


def test_a_jerk_is_worked_out_only_where_it_is_asked_for():
    c = case("tilt_3rps")
    T, V, Vdot, Vddot = c.middle
    without = gough.posture(c.robot, gough.State(T, V, Vdot))
    assert without.joint_jerks is None
    assert without.twist_jerks is None
    assert "qddd_leg1" not in without.columns()
    with pytest.raises(InputError, match="Vdot_0p"):
        gough.State(T, V, Vddot_0p=Vddot)
    jerks = [name for name in c.posture.columns() if name.startswith("qddd_")]
    assert jerks
    assert len(jerks) == len([name for name in c.posture.columns() if name.startswith("qdd_")])


def test_single_precision_is_taken_at_its_own():
    """float32 has steps of 1.2e-7; what depends on the freedoms is made exact."""
    c = case("tilt_3rps")
    state = [a.astype(np.float32) for a in c.middle]
    found = gough.posture(c.robot, gough.State(*state))
    for axis, expected in c.posture.joint_jerks.items():
        assert np.abs(found.joint_jerks[axis] - expected).max() < 1e-5 * c.size


def test_a_wrong_jerk_would_be_noticed():
    """Freedoms that jerk otherwise move the joints otherwise, by more than the tolerance."""
    c = case("gough_stewart")
    T, V, Vdot, Vddot = c.middle
    other = gough.posture(c.robot, gough.State(T, V, Vdot, 1.001 * Vddot))
    names = list(other.joint_jerks)
    off = [relative(other.joint_jerks[a], c.posture.joint_jerks[a]) for a in names]
    assert max(off) > 10.0 * TOLERANCE
