"""Machines whose platform cannot move: answers that are empty or right, or an error by name."""

from contextlib import suppress
from functools import partial

import numpy as np
import pytest

import gough
from gough.errors import GoughError, InconsistentTwist, WrongMotors
from machines import BASE, Drawing

Z = (0.0, 0.0, 1.0)


def welded() -> gough.Robot:
    """A post and a table, screwed down: a machine without a moving joint."""
    d = Drawing(41)
    d.body("post", (0.0, 0.0, 0.3)), d.body("platform", (0.1, 0.0, 0.6))
    d.joint("foot", "fixed", BASE, "post", (0.0, 0.0, 0.0))
    d.joint("head", "fixed", "post", "platform", (0.0, 0.0, 0.5))
    return d.robot("welded", "platform", [], (0.0, 0.0, 0.6))


def frame(motors: tuple[str, ...] = ()) -> gough.Robot:
    """Three struts between pins, one of them slanted: a frame that stands still."""
    d = Drawing(42)
    top = np.array([0.2, 0.4, 0.0])
    d.body("platform", top)
    for i, (foot, head) in enumerate(((0.0, 0.0), (0.2, 0.25), (0.4, 0.4))):
        d.body(f"strut{i}", (foot, 0.2, 0.0))
        d.joint(f"a{i}", "revolute", BASE, f"strut{i}", (foot, 0.0, 0.0), Z)
        d.joint(f"b{i}", "revolute", f"strut{i}", "platform", (head, 0.4, 0.0), Z)
    return d.robot("frame", "platform", list(motors), top)


MACHINES = {"welded": welded(), "frame": frame(), "driven": frame(("a0",))}


def _calls(r: gough.Robot) -> dict:
    T, q = r.home_pose, np.zeros(len(r.motors))
    hold = gough.motion.hold
    found = {}
    for engine in ("numpy", "compiled"):
        for method in ("legs", "elements", "screws", "tree"):
            under = gough.options(engine=engine)
            found |= {
                f"idm {engine} {method}": under(
                    partial(gough.inverse_dynamics, r, T, method=method)
                ),
                f"ddm {engine} {method}": under(
                    partial(gough.forward_dynamics, r, T, q, method=method)
                ),
            }
    return found | {
        "geometry": lambda: gough.inverse_kinematics(r, T),
        "velocity": lambda: gough.motor_rates(r, T),
        "acceleration": lambda: gough.motor_accelerations(r, T),
        "inertia": lambda: gough.inertia_matrix(r, T),
        "inertia by columns": lambda: gough.inertia_matrix(r, T, by="columns"),
        "cartesian": lambda: gough.cartesian_dynamics(r, T),
        "joints": lambda: gough.motor_accelerations(r, gough.forward_dynamics(r, T, q)),
        "implicit": lambda: gough.implicit_model(r, T),
        "coordinates": lambda: gough.kinematic_coordinates(r, T),
        "bias": lambda: gough.bias_wrench(r, T),
        "gravity": lambda: gough.gravity_wrench(r, T),
        "energy": lambda: gough.energy(r, T),
        "audit": lambda: gough.audit(r, T),
        "reactions": lambda: gough.reactions(r, T),
        "state": lambda: gough.state(r, np.zeros((3, 0))),
        "from motors": lambda: gough.state_from_motors(r, q),
        "posture": lambda: gough.posture(r, T),
        "jacobian": lambda: gough.jacobian(r, T),
        "legs": lambda: gough.leg_jacobians(r, T),
        "screws": lambda: gough.reciprocal_screws(r, T),
        "influence": lambda: gough.influence_coefficients(r, T),
        "partial screws": lambda: gough.partial_screws(r, T, by="freedoms"),
        "internal": lambda: gough.internal_efforts(r, T),
        "elements": lambda: gough.elements(r),
        "observe": lambda: gough.inverse_dynamics_observed(r, gough.observe(r, T)),
        "simulate": lambda: gough.simulate(r, T, t_end=0.01),
        "hold": lambda: hold(r),
        "analyse": lambda: gough.analyse(r, hold(r)),
        "circle": lambda: gough.motion.circle(r, radius=0.1, duration=1.0),
        "singularities": lambda: gough.singularities(r, T, distance=True),
        "direct geometry": lambda: gough.forward_kinematics(r, q),
        "pose": lambda: gough.pose_from_motors(r, q, T),
        "track": lambda: gough.track(r, np.zeros((3, len(q)))),
        "workspace": lambda: gough.workspace(r),
        "locus": lambda: gough.singularity_locus(r),
        "doctor": lambda: gough.doctor(r),
        "sheet": lambda: str(gough.sheet(r)),
        "draw": lambda: gough.draw(r),
        "compile": lambda: gough.compile(r, "forward_dynamics"),
        "control": lambda: gough.control.joint_pd(r, hold(r), bandwidth=10.0),
        "crossing": lambda: gough.crossing(r, hold(r)),
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("machine", MACHINES)
def test_every_door_answers_or_says_why_not(machine):
    for call in _calls(MACHINES[machine]).values():
        with suppress(GoughError):
            call()


@pytest.mark.parametrize("method", ["legs", "elements", "screws", "tree"])
@pytest.mark.parametrize("engine", ["numpy", "compiled"])
@pytest.mark.parametrize("machine", ["welded", "frame"])
def test_nothing_is_driven_and_nothing_accelerates(machine, engine, method):
    r = MACHINES[machine]
    T = r.home_pose
    assert r.mobility == 0
    with gough.options(engine=engine):
        assert gough.inverse_dynamics(r, T, method=method).shape == (0,)
        assert gough.inverse_dynamics(r, np.stack([T, T]), method=method).shape == (2, 0)
        assert not gough.forward_dynamics(r, T, [], method=method).Vdot_0p.any()
        with pytest.raises(InconsistentTwist):
            gough.forward_dynamics(r, gough.State(T, np.full(6, 0.1)), [], method=method)


def test_a_motor_on_what_cannot_move_is_refused_as_superfluous():
    r = MACHINES["driven"]
    with pytest.raises(WrongMotors, match="1 motor for 0 freedoms"):
        gough.inverse_dynamics(r, r.home_pose)


@pytest.mark.parametrize("machine", ["welded", "frame"])
def test_the_base_bears_weight_and_load(machine):
    """Force and moment that the base exerts: statics of the whole, by hand."""
    r = MACHINES[machine]
    T, V, push = r.home_pose, np.zeros(6), np.array([3.0, -4.0, 5.0])
    at = gough.posture(r, T)
    found = gough.reactions(
        r, gough.State(T, V, V), loads=gough.Loads(forces=[gough.Force("platform", push)])
    )
    force, moment = -push, -np.cross(at.bodies["platform"][:3, 3], push)
    for body in r.bodies:
        weight = body.mass * np.asarray(r.gravity)
        center = (at.bodies[body.name] @ [*body.center, 1.0])[:3]
        force, moment = force - weight, moment - np.cross(center, weight)
    assert np.abs(found.ground - np.concatenate([force, moment])).max() < 1e-11
