"""States of machines with serial axes that are easily taken for what they are not.

A parallel robot that rests on a table that turns, couplings in any order, arms that stretch, and
states in single precision: one verdict, whatever the engine.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.errors import FrozenFreedom, InputError, SingularInertia
from hybrids import along, figures, hybrid, moving, on_platform
from robots import relative, robot

ENGINES = ("numpy", "compiled")
pytestmark = pytest.mark.filterwarnings("ignore::gough.GoughWarning")


def resting(machine, seed=3):
    """The parallel robot within at rest, and everything else in motion."""
    rng, count = np.random.default_rng(seed), len(machine.serial_axes)
    axes = along(machine, *(rng.uniform(-x, x, count) for x in (0.1, 2.0, 5.0)))
    return gough.serial_state(machine, gough.State(gough.serial_core(machine).home_pose, **axes))


def rubbing(machine):
    """The same machine with Coulomb friction in the motors of its parallel robot."""
    core = {name for name in machine.motors if name not in machine.serial_axes}
    joints = [
        replace(j, axes=tuple(replace(a, coulomb=5.0) for a in j.axes)) if j.name in core else j
        for j in machine.joints
    ]
    return replace(machine, joints=tuple(joints))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", ["table_below", "wrist_above", "delta_on_table_and_track"])
def test_what_rests_on_something_that_moves_does_not_rub(case, engine):
    """Its rates are differences of large ones: their rounding has no sign."""
    machine = rubbing(hybrid(case))
    for seed in range(3):
        state = resting(machine, seed)
        with gough.options(engine=engine):
            smooth, rough = (
                gough.inverse_dynamics(machine, state, loads=loads)
                for loads in (gough.Loads(friction=False), None)
            )
        own = [k for k, name in enumerate(machine.motors) if name not in machine.serial_axes]
        # viscous friction of rates that are rounding
        np.testing.assert_allclose(rough[own], smooth[own], rtol=0, atol=1e-11)


@pytest.mark.parametrize("engine", ENGINES)
def test_coulomb_friction_of_a_sum_of_axes_that_cancel(engine):
    """A third finger that couplings hold still while two move has no friction."""
    machine = on_platform(robot("gough_stewart"), ("one", "two", "three"))
    joints = {j.name: replace(j, axes=(gough.Axis(coulomb=2.0),)) for j in machine.joints[-3:]}
    machine = replace(
        machine,
        joints=(*machine.joints[:-3], *joints.values()),
        motors=machine.motors[:-1],
        couplings=(gough.Coupling("sum", {"one": 3.0, "two": 1.0, "three": -1.0}),),
    )
    state = gough.State(machine.home_pose, internal_rate={"one": 0.1, "two": -0.3})
    assert machine.serial_axes == ("one", "two")
    assert 3.0 * 0.1 - 0.3 != 0.0  # rounding
    with gough.options(engine=engine):
        rough, smooth = (
            gough.inverse_dynamics(machine, state, loads=gough.Loads(friction=f))
            for f in (True, False)
        )
    np.testing.assert_allclose((rough - smooth)[-2:], [2.0, -2.0], atol=1e-12)


@pytest.mark.parametrize("case", ["delta_on_table_and_track", "tripod_with_finger"])
def test_a_posture_asks_for_no_twist_rate(case):
    """If none is given, the freedoms of the parallel robot do not accelerate."""
    machine = hybrid(case)
    state = next(moving(case, 1)).replace(Vdot_0p=None, internal_acceleration=None)
    at = gough.posture(machine, state)
    core = gough.serial_core(machine)
    frame = machine.platform_frame.matrix
    Vdot = at.twist_rates[machine.platform]
    w, wd, r = state.V_0p[3:], Vdot[3:], at.bodies[machine.platform][:3, :3] @ frame[:3, 3]
    Vdot = np.concatenate([Vdot[:3] + np.cross(wd, r) + np.cross(w, np.cross(w, r)), wd])
    again = gough.posture(machine, state.replace(Vdot_0p=Vdot))
    for name in core.motors:
        found, wanted = at.joint_accelerations[name], again.joint_accelerations[name]
        assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("which", ["all", "serial"])
def test_single_precision(which, engine):
    """As for every robot: what rounding leaves outside the mobility is taken out."""
    machine = hybrid("delta_on_table_and_track")
    state = next(moving("delta_on_table_and_track", 1))
    tau = gough.inverse_dynamics(machine, state)
    arrays = [x.astype(np.float32) if which == "all" else x for x in state.arrays]
    axes = along(machine, *(x.astype(np.float32) for x in figures(state)))
    with gough.options(engine=engine):
        found = gough.inverse_dynamics(machine, gough.State(*arrays, **axes))
        assert relative(found, tau) < 1e-6  # seven digits
        assert gough.audit(machine, gough.State(*arrays, **axes)).passed


@pytest.mark.parametrize("turned", [False, True])
def test_couplings_in_any_order(turned):
    """A finger that follows a finger that follows a motor."""
    machine = on_platform(robot("gough_stewart"), ("one", "two", "three"))
    couplings = [
        gough.Coupling("near", {"one": 1.0, "two": -0.5}),
        gough.Coupling("far", {"two": 1.0, "three": 2.0}),
    ]
    machine = replace(
        machine, motors=machine.motors[:-2], couplings=tuple(couplings[:: -1 if turned else 1])
    )
    assert machine.serial_axes == ("one",)
    state = gough.State(machine.home_pose, internal={"one": 0.1}, internal_rate={"one": 1.0})
    at = gough.posture(machine, state)
    assert at.joints["three"] == pytest.approx(-0.1)
    assert at.joint_rates["three"] == pytest.approx(-1.0)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_arm_that_stretches_has_no_inertia_along_itself(engine):
    """Upper arm without mass, a point at its end: stretched, one motion has no inertia."""
    hexapod = robot("gough_stewart")
    upper = gough.Joint("upper", "revolute", hexapod.platform, "link", axes=(gough.Axis(),))
    lower = gough.Joint(
        "lower", "revolute", "link", "point", gough.Frame((0.1, 0.0, 0.0)), axes=(gough.Axis(),)
    )
    machine = gough.build.holding(hexapod, upper, gough.Body("link", 0.0, massless=True))
    machine = gough.build.holding(machine, lower, gough.Body("point", 1.0, (0.2, 0.0, 0.0)))

    def direct(q):
        state = gough.State(machine.home_pose, internal={"upper": 0.3, "lower": q})
        tau = gough.inverse_dynamics(machine, state)
        with gough.options(engine=engine):
            found = gough.forward_dynamics(machine, state, tau)
        return np.concatenate([found.Vdot_0p, figures(found)[2]])

    np.testing.assert_allclose(direct(0.5), 0.0, atol=1e-10)
    for stretched in (0.0, 1e-7, np.pi):
        with pytest.raises(SingularInertia):
            direct(stretched)


def test_what_is_not_a_number_is_named():
    machine = hybrid("table_below")
    state = gough.State(machine.home_pose, internal={"table": np.nan})
    for ask in (gough.posture, gough.serial_state, gough.inverse_kinematics):
        with pytest.raises(InputError, match="internal"):
            ask(machine, state)
    with pytest.raises(InputError, match=r"internal\['table'\]"):
        gough.State(machine.home_pose, internal={"table": 1j})


def test_what_follows_from_a_pose_asks_for_the_serial_axes():
    """Never numbers for axes that happen to be somewhere."""
    machine, T = hybrid("table_below"), hybrid("table_below").home_pose
    core = gough.serial_core(machine)
    stroke = gough.motion.point_to_point(core, None, [0.05, 0.02, 0.63, 0, 0.1, 0.2], duration=0.5)
    asked = [
        (gough.inverse_kinematics, (T,)),
        (gough.motor_rates, (T,)),
        (gough.motor_accelerations, (T,)),
        (gough.inverse_dynamics, (T,)),
        (gough.posture, (T,)),
        (gough.jacobian, (T,)),
        (gough.inverse_jacobian, (T,)),
        (gough.leg_jacobians, (T,)),
        (gough.internal_efforts, (T,)),
        (gough.reciprocal_screws, (T,)),
        (gough.state_from_motors, (np.zeros(len(machine.motors)),)),
        (gough.base_parameters, ()),
        (gough.analyse, (stroke,)),
        (gough.simulate, (stroke,)),
        (gough.workspace, ()),
        (gough.compile, ("inverse_kinematics",)),
    ]
    for ask, arguments in asked:
        with pytest.raises(FrozenFreedom, match="below or above its loops") as refused:
            ask(machine, *arguments)
        assert "internal=" in refused.value.hint
        assert "serial_core" in refused.value.hint


def test_what_hangs_on_the_carrier_is_not_taken_for_fixed():
    """Motors of the parallel robot do not feel it swing, the track does."""
    machine = hybrid("wrist_above")
    hanging = gough.Joint("hinge", "revolute", "track_body", "pendulum", axes=(gough.Axis(),))
    body = gough.Body("pendulum", 5.0, (0.0, 0.3, 0.0))
    driven = gough.build.holding(machine, hanging, body)
    assert driven.serial_axes == ("track", "wrist", "hinge")
    free = replace(driven, motors=machine.motors)
    assert free.serial_axes == ()
    with pytest.raises(FrozenFreedom):
        gough.inverse_dynamics(free, free.home_pose)
    held = replace(free, joints=(*free.joints[:-1], replace(hanging, idle="locked")))
    assert held.serial_axes == ("track", "wrist")


def test_a_parallel_robot_whose_motors_are_no_function_of_its_pose_is_not_taken_apart():
    """A Delta upside down on a hexapod, all of it on a track."""
    below, above = robot("gough_stewart"), robot("delta")
    seat = gough.posture(below, below.home_pose).bodies
    on = gough.posture(above, above.home_pose).bodies
    at = {name: gough.Frame.from_matrix(pose) for name, pose in seat.items()}
    at |= {
        f"top_{name}": gough.Frame.from_matrix(seat[below.platform] @ pose)
        for name, pose in on.items()
    }
    ends = {above.base: below.platform, **{b.name: f"top_{b.name}" for b in above.bodies}}
    joints = [
        replace(j, name=f"top_{j.name}", parent=ends[j.parent], child=ends[j.child])
        for j in above.joints
    ]
    both = replace(
        below,
        bodies=(*below.bodies, *(replace(b, name=ends[b.name]) for b in above.bodies)),
        joints=(*below.joints, *joints),
        motors=(*below.motors, *(f"top_{name}" for name in above.motors)),
        platform=ends[above.platform],
        platform_frame=above.platform_frame,
        home=gough.Home(at),
    )
    track = gough.Joint("track", "prismatic", both.base, "cart", axes=(gough.Axis(),))
    machine = gough.build.carried(both, track, gough.Body("cart", 5.0))
    assert machine.serial_axes == ()
    with pytest.raises(FrozenFreedom):
        gough.inverse_dynamics(machine, machine.home_pose)


def test_listings_and_sheets_know_serial_axes():
    machine = hybrid("planar_on_track")
    found = gough.listing(machine, "serial_inverse_kinematics")
    assert "q_s_1" in str(found)
    lines = dict(gough.sheet(machine).lines())
    assert lines["serial axes"] == "track, finger"
    assert "idle" not in lines  # what a motor moves does not move idly


@pytest.mark.parametrize("at", ["x", 1j, np.nan, None])
def test_builders_name_a_home_that_is_no_number(at):
    hexapod, body = robot("gough_stewart"), gough.Body("more", 1.0)
    below = gough.Joint("axis", "revolute", hexapod.base, "more", axes=(gough.Axis(),))
    above = replace(below, parent=hexapod.platform)
    for build, joint in ((gough.build.carried, below), (gough.build.holding, above)):
        with pytest.raises(InputError, match="at: "):
            build(hexapod, joint, body, at=at)
