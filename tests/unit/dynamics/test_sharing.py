"""Efforts of more motors than freedoms."""

import dataclasses
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gough
from batches import check_batch
from gough.dynamics.methods import METHODS
from gough.dynamics.shared.sharing import Sharing
from gough.errors import EffortsInfeasible, FrozenFreedom, InputError, SingularPose, WrongMotors
from masks import masked
from robots import random_freedoms, relative, robot


def with_third_motor():
    r = robot("five_bar")
    return dataclasses.replace(r, motors=(*r.motors, "elbow1"), redundant=True)


def state(name, count=1, seed=0):
    found = gough.state(robot(name), *random_freedoms(name, count, 0.1, seed))
    return found[0] if count == 1 else found


def by_enumeration(A, w, weights, low, high):
    """The smallest efforts within bounds: every set of active bounds is tried."""
    best, least = None, np.inf
    for sides in product((0, -1, 1), repeat=A.shape[1]):
        held = {i: (low[i], high[i])[side > 0] for i, side in enumerate(sides) if side}
        if not np.isfinite(list(held.values())).all():
            continue
        rows = [A, np.eye(A.shape[1])[list(held)]]
        C, d = np.vstack(rows), np.concatenate([w, list(held.values())])
        root = np.sqrt(weights)
        tau = np.linalg.pinv(C / root) @ d / root
        fits = np.abs(C @ tau - d).max() < 1e-9 * (1.0 + np.abs(d).max())
        within = (tau > low - 1e-9).all() and (tau < high + 1e-9).all()
        if fits and within and weights @ tau**2 < least:
            best, least = tau, weights @ tau**2
    return best


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("r", [robot("four_rrr"), with_third_motor()], ids=["4-RRR", "five-bar"])
def test_smallest_efforts(r, method):
    """Every method: the pseudo-inverse on the wrench of the square machine, and the motion back."""
    name = "four_rrr" if r.name == "four_rrr" else "five_bar"
    moving = state(name)
    n = r.mobility
    tau = gough.inverse_dynamics(r, moving, method=method)
    J_inv = gough.inverse_jacobian(r, moving.T_0p)
    square = dataclasses.replace(r, motors=r.motors[:n], redundant=False)
    w = gough.inverse_jacobian(square, moving.T_0p).T @ gough.inverse_dynamics(square, moving)
    assert relative(tau, np.linalg.pinv(J_inv.T) @ w) < 1e-12
    assert (
        relative(gough.forward_dynamics(r, moving, tau, method=method).Vdot_0p, moving.Vdot_0p)
        < 1e-9
    )
    N = gough.internal_efforts(r, moving.T_0p)
    assert np.abs(N.T @ N - np.eye(len(r.motors) - n)).max() < 1e-12
    assert np.abs(N.T @ tau).max() < 1e-12 * np.abs(tau).max()


def test_internal_efforts_move_nothing():
    r = robot("four_rrr")
    moving = state("four_rrr", 3)
    tau = gough.inverse_dynamics(r, moving)
    pushed = tau + 7.0 * gough.internal_efforts(r, moving.T_0p)[..., 0]
    assert relative(gough.forward_dynamics(r, moving, pushed).Vdot_0p, moving.Vdot_0p) < 1e-9
    with pytest.raises(InputError, match="no efforts cancel"):
        gough.internal_efforts(robot("delta"), robot("delta").assembly.T_home)


def _projector(r, state, **options):
    """A basis is unique but for a rotation: what it spans is compared."""
    N = gough.internal_efforts(r, state, **options)
    return N @ np.swapaxes(N, -1, -2)


@pytest.mark.parametrize("engine", ["auto", "compiled"])
def test_internal_efforts_of_batches(engine):
    check_batch(_projector, "four_rrr", engine=engine)
    N = gough.internal_efforts(robot("four_rrr"), state("four_rrr", 12).reshape(3, 4))
    assert N.shape == (3, 4, 4, 1)


def test_internal_efforts_on_a_type_2_singularity():
    r = robot("four_rrr")
    T = state("four_rrr", 9).T_0p.copy()
    T[4] = gough.nearest_type_2(r, r.home_pose).T_0p
    with pytest.raises(SingularPose, match=r"sample 4: .*Type 2"):
        gough.internal_efforts(r, T)
    found = gough.internal_efforts(r, T, on_error="nan")
    assert np.isnan(found[4]).all()
    assert np.isfinite(np.delete(found, 4, axis=0)).all()


def test_weights():
    """W tau is in the range of J_inv: what minimises the weighted norm.  Dear motors do less."""
    r = robot("four_rrr")
    moving = state("four_rrr")
    weights = np.array([1.0, 4.0, 0.5, 2.0])
    tau = gough.inverse_dynamics(r, moving, share=gough.EffortSharing(weights=weights))
    N = gough.internal_efforts(r, moving.T_0p)
    assert np.abs(N.T @ (weights * tau)).max() < 1e-12 * np.abs(tau).max()
    assert relative(gough.forward_dynamics(r, moving, tau).Vdot_0p, moving.Vdot_0p) < 1e-9
    dear = gough.EffortSharing(weights=[1.0, 1e6, 1.0, 1.0])
    assert abs(gough.inverse_dynamics(r, moving, share=dear)[1]) < 1e-4


@pytest.mark.parametrize("method", METHODS)
def test_bounds_are_kept_and_so_is_the_motion(method):
    r = robot("four_rrr")
    moving = state("four_rrr")
    free = gough.inverse_dynamics(r, moving)
    with pytest.raises(EffortsInfeasible) as caught:
        gough.inverse_dynamics(r, moving, share=gough.EffortSharing(bounds=(0.0, 0.0)))
    least = caught.value.data["excess"]  # of all efforts, the smallest largest one
    high = 0.5 * (least + np.abs(free).max())
    share = gough.EffortSharing(bounds=(-high, high))
    tau = gough.inverse_dynamics(r, moving, method=method, share=share)
    assert high * (1.0 - 1e-12) <= np.abs(tau).max() <= high < np.abs(free).max()
    assert (
        relative(gough.forward_dynamics(r, moving, tau, method=method).Vdot_0p, moving.Vdot_0p)
        < 1e-9
    )


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    shape=st.sampled_from([(1, 2), (2, 3), (3, 4), (3, 5), (2, 5), (3, 3)]),
    tight=st.floats(0.3, 1.5),
)
def test_bounded_efforts_are_the_smallest_there_are(seed, shape, tight):
    """Against all sets of active bounds; where none fits, the error."""
    n, m = shape
    rng = np.random.default_rng(seed)
    A, w = rng.normal(size=(n, m)), 5.0 * rng.normal(size=n)
    weights = rng.uniform(0.3, 3.0, m)
    size = np.abs(np.linalg.pinv(A) @ w).max()
    low, high = -tight * size * rng.uniform(0.2, 1.0, m), tight * size * rng.uniform(0.2, 1.0, m)
    low[rng.random(m) < 0.2] = -np.inf
    r = dataclasses.replace(robot("five_bar"), motors=(), redundant=False)
    sharing = Sharing(r.assembly)
    sharing._root, sharing.low, sharing.high, sharing.bounded = np.sqrt(weights), low, high, True
    sharing.robot = dataclasses.replace(  # names for the message
        r, motors=("foot1", "foot2", "elbow1", "elbow2", "wrist2")[:m]
    )
    expected = by_enumeration(A, w, weights, low, high)
    if expected is None:
        with pytest.raises(EffortsInfeasible) as caught:
            sharing.efforts(A, w)
        assert caught.value.data["excess"] > 0.0
        return
    tau = sharing.efforts(A, w)
    assert (tau >= low).all()
    assert (tau <= high).all()
    assert np.abs(A @ tau - w).max() < 1e-9 * np.abs(w).max()
    assert weights @ tau**2 <= (weights @ expected**2) * (1.0 + 1e-9)


def test_infeasible_bounds_are_named():
    r = robot("four_rrr")
    moving = state("four_rrr", 3)
    need = np.abs(gough.inverse_dynamics(r, moving)).max(axis=1)
    share = gough.EffortSharing(bounds=(-0.05, 0.05))
    with pytest.raises(EffortsInfeasible, match="sample 0") as caught:
        gough.inverse_dynamics(r, moving, share=share)
    excess, motors = caught.value.data["excess"], caught.value.data["motors"]
    assert 0.0 < excess < need[0]
    assert set(motors) <= set(r.motors)
    # bounds wider by the excess are just enough
    enough = 0.05 + excess * (1.0 + 1e-6)
    tau = gough.inverse_dynamics(r, moving[0], share=gough.EffortSharing(bounds=(-enough, enough)))
    assert relative(gough.forward_dynamics(r, moving[0], tau).Vdot_0p, moving.Vdot_0p[0]) < 1e-8
    tau, failed = masked(gough.inverse_dynamics(r, moving, share=share, on_error="nan"))
    assert failed.all()
    assert np.isnan(tau).all()


def test_limits_as_bounds():
    r = robot("four_rrr")
    moving = state("four_rrr")
    limits = [r.axis(name).limits.effort for name in r.motors]
    assert None not in limits
    tau = gough.inverse_dynamics(
        r,
        moving,
        loads=gough.Loads(forces=[gough.Force(r.platform, (0, -40.0, 0))]),
        share=gough.EffortSharing(),
    )
    assert np.abs(tau).max() > limits[0]  # the smallest sum of squares breaks a limit ...
    held = gough.inverse_dynamics(
        r,
        moving,
        loads=gough.Loads(forces=[gough.Force(r.platform, (0, -40.0, 0))]),
        share=gough.EffortSharing(bounds="limits"),
    )
    assert (np.abs(held) <= limits).all()  # ... which other efforts keep
    with pytest.raises(InputError, match="no motor of five_bar has an effort limit"):
        gough.inverse_dynamics(
            robot("five_bar"),
            state("five_bar"),
            share=gough.EffortSharing(bounds="limits"),
        )


def test_preload_keeps_gears_on_one_flank():
    """Every motor pushes in the direction of an internal effort, along a whole motion."""
    r = robot("four_rrr")
    moving = state("four_rrr", 6)
    signs = np.sign(gough.internal_efforts(r, r.home_pose)[:, 0])
    preload = {name: 1.5 * s for name, s in zip(r.motors, signs, strict=True)}
    tau = gough.inverse_dynamics(r, moving, share=gough.EffortSharing(preload=preload))
    assert (tau * signs >= 1.5 - 1e-12).all()
    assert (tau * signs).min() == pytest.approx(1.5)
    assert relative(gough.forward_dynamics(r, moving, tau).Vdot_0p, moving.Vdot_0p) < 1e-9
    wrong = {**preload, r.motors[0]: -preload[r.motors[0]]}
    with pytest.raises(EffortsInfeasible):
        gough.inverse_dynamics(r, moving, share=gough.EffortSharing(preload=wrong))


def test_square_machines_have_no_choice():
    r = robot("delta")
    moving = state("delta")
    tau = gough.inverse_dynamics(r, moving)
    wide, narrow = (gough.EffortSharing(bounds=(-b, b)) for b in (np.abs(tau).max(), 0.01))
    assert gough.inverse_dynamics(r, moving, share=wide) == pytest.approx(tau, rel=1e-12)
    with pytest.raises(EffortsInfeasible, match=r"pass them by") as caught:
        gough.inverse_dynamics(r, moving, share=narrow)
    assert caught.value.data["excess"] == pytest.approx(np.abs(tau).max() - 0.01)


def test_redundancy_is_declared():
    r = dataclasses.replace(with_third_motor(), redundant=False)
    moving = state("five_bar")
    with pytest.raises(WrongMotors, match="3 motors for 2 freedoms") as caught:
        gough.inverse_dynamics(r, moving)
    assert "redundant: true" in str(caught.value)
    assert "share=" in str(caught.value)
    declared = gough.inverse_dynamics(with_third_motor(), moving)
    assert (gough.inverse_dynamics(r, moving, share=gough.EffortSharing()) == declared).all()
    few = dataclasses.replace(r, motors=r.motors[:1], redundant=True)
    with pytest.raises(WrongMotors, match="1 motor for 2 freedoms"):
        gough.inverse_dynamics(few, moving, share=gough.EffortSharing())


def test_certificate_of_redundant_motors():
    r = robot("four_rrr")
    motion = state("four_rrr", 2)
    assert gough.audit(r, motion).passed
    share = gough.EffortSharing(weights=[1, 2, 3, 4], bounds=(-20, 20))
    assert gough.audit(r, motion, share=share, loads=gough.Loads(payload=2.0)).passed


@pytest.mark.parametrize(
    ("share", "words"),
    [
        ({"weights": [1, 2, 3]}, "share.weights has shape"),
        ({"weights": [1, 2, 3, 0]}, "expected positive numbers"),
        ({"weights": [1, 2, 3, np.nan]}, "not a number"),
        ({"bounds": "limit"}, "expected 'limits' or"),
        ({"bounds": 3.0}, "expected 'limits' or"),
        ({"bounds": (1.0, -1.0)}, "is to stay above 1 and below -1"),
        ({"bounds": ([1, 2], 3)}, "share.bounds has shape"),
        ({"preload": {"foot9": 1.0}}, "no motor 'foot9'"),
        ({"preload": 3.0}, "expected {motor: least effort}"),
        ({"preload": {"foot1": 5.0}, "bounds": (-2, 2)}, "is to stay above 5 and below 2"),
    ],
)
def test_shares_that_make_no_sense(share, words):
    r = robot("four_rrr")
    with pytest.raises(InputError) as caught:
        gough.inverse_dynamics(r, state("four_rrr"), share=gough.EffortSharing(**share))
    assert words in str(caught.value)


def test_a_share_is_a_share():
    with pytest.raises(InputError, match=r"expected gough\.EffortSharing, got dict"):
        gough.inverse_dynamics(robot("four_rrr"), state("four_rrr"), share={"weights": 1})


def gantry(**options):
    """Two motors push one beam; a third slides the head on it, and nothing else can."""
    x, y = (2.0, 1.0, 0.0), (-2.0, -1.0, -3.0)

    def slide(name, parent, child, z):
        frame = gough.Frame.from_axes(z=z)
        return gough.Joint(name, "prismatic", parent, child, frame, frame)

    joints = (
        slide("x1", "base", "beam", x),
        slide("x2", "base", "beam", x),
        slide("y", "beam", "head", y),
    )
    bodies = (gough.Body("beam", 3.0), gough.Body("head", 1.0))
    return gough.Robot("gantry", bodies, joints, "head", motors=("x1", "x2", "y"), redundant=True)


def test_a_motor_that_no_other_can_push_against():
    """Rounding is no lever: its preload is refused, the others' is held."""
    r = gantry()
    rest = r.home_pose
    with pytest.raises(EffortsInfeasible, match="at y"):
        gough.inverse_dynamics(r, rest, share=gough.EffortSharing(preload={"y": 15.0}))
    tau = gough.inverse_dynamics(r, rest, share=gough.EffortSharing(preload={"x1": 15.0}))
    free = gough.inverse_dynamics(r, rest)
    assert tau[0] == pytest.approx(15.0)
    assert tau[:2].sum() == pytest.approx(free[:2].sum())
    assert tau[2] == pytest.approx(free[2])


@pytest.mark.parametrize("wide", [1e3, 1e9, 1e15, np.inf])
def test_wide_bounds_do_not_loosen_narrow_ones(wide):
    r = with_third_motor()
    motion = state("five_bar")
    bounds = ([-0.01, -0.01, -wide], [0.01, 0.01, wide])
    with pytest.raises(EffortsInfeasible) as caught:
        gough.inverse_dynamics(r, motion, share=gough.EffortSharing(bounds=bounds))
    excess = caught.value.data["excess"]
    enough = 0.01 + 1.001 * excess
    bounds = ([-enough, -enough, -wide], [enough, enough, wide])
    tau = gough.inverse_dynamics(r, motion, share=gough.EffortSharing(bounds=bounds))
    assert (np.abs(tau[:2]) <= enough).all()
    square = robot("five_bar")
    with pytest.raises(EffortsInfeasible):
        gough.inverse_dynamics(
            square,
            motion,
            share=gough.EffortSharing(bounds=([-1e-3, -wide], [1e-3, wide])),
        )


def test_motors_that_the_platform_does_not_feel_are_not_redundant():
    r = dataclasses.replace(robot("delta"), platform="arm1", redundant=True)
    T = r.home_pose
    with pytest.raises(FrozenFreedom, match="motors 'arm2' and 'arm3'"):
        gough.inverse_dynamics(r, T)


@pytest.mark.parametrize(
    "share",
    [
        {"preload": {"foot1": np.inf}},
        {"preload": {"foot1": [1, 2, 3]}},
        {"bounds": (np.inf, np.inf)},
        {"bounds": (-np.inf, -np.inf)},
    ],
)
def test_demands_that_nothing_meets(share):
    with pytest.raises(InputError):
        gough.inverse_dynamics(
            robot("four_rrr"), state("four_rrr"), share=gough.EffortSharing(**share)
        )
