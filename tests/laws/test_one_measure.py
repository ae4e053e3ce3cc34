"""One distance to singularities and one bound, from every door, down to the singularity itself.

Ladders lead towards a singularity in steps of ten.  At every rung all functions give the same
numbers, and refuse, call singular or answer alike; so does the same machine in micrometres.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.errors import SingularPose
from gough.mechanism.mobility.measures import measures_at
from gough.singularity.singularities import explained
from gough.singularity.state import StateSingularity, state_at
from machines import WRIST, WRIST_AXIS, WRIST_BEND, wrist_arm
from numbers_robots import gs_ref
from robots import ALL_NAMES, random_freedoms, robot
from scaled import moved, scaled

REST = np.zeros(6)
RUNGS = (1e-2, 1e-3, 1e-5, 1e-6, 1e-7, 0.0)
FEW_RUNGS = (1e-2, 1e-5, 1e-7)  # regular, near, singular
KINDS = ("type_1", "type_2", "constraint")


def _stretched_five_bar(off: float) -> np.ndarray:
    """Crank and bar of the first leg, the platform's own, in a line but for an angle."""
    angle = np.arctan2(0.432, 0.16) + 0.02
    crank, bar = (np.array([np.cos(a), np.sin(a), 0.0]) for a in (angle - off, angle))
    return spatial.pose(spatial.rotation_z(angle), [-0.16, 0.0, 0.0] + 0.3 * crank + 0.42 * bar)


def _stretched_delta(off: float) -> np.ndarray:
    """Arm and bars of the first leg of the Delta in a line but for an angle."""
    arm, bars = (np.array([np.cos(a), 0.0, -np.sin(a)]) for a in (1.9 - off, 1.9))
    return spatial.pose(np.eye(3), [0.11, 0.0, 0.0] + 0.2 * arm + 0.48 * bars)


@cache
def _nearest(name: str, radius: float) -> np.ndarray:
    found = gough.nearest_type_2(robot(name), robot(name).assembly.T_home, radius=radius)
    assert found.found
    return robot(name).assembly.chart.coordinates(found.T_0p)


def _towards(name: str, off: float, radius: float = 0.5) -> np.ndarray:
    """A pose between the nearest Type 2 pose and home."""
    r = robot(name)
    a, free = r.assembly, list(r.assembly.free)
    there, home = _nearest(name, radius)[free], a.chart.coordinates(a.T_home)[free]
    T = gough.state(r, there + off * (home - there), np.zeros(r.mobility)).T_0p
    return T


def _turned_hexapod(off: float) -> np.ndarray:
    """A hexapod a quarter turn about its axis, but for an angle: Fichter's pose."""
    return spatial.pose(spatial.rotation_z(0.5 * np.pi - off), np.array([0.0, 0.0, 2.0]))


def _upright_dymo(off: float) -> np.ndarray:
    """DYMO straight over its base but for a way."""
    return spatial.pose(np.eye(3), np.array([0.5 * off, 0.0, 0.5]))


_wrist_arm = cache(wrist_arm)


def _straight_wrist(off: float) -> np.ndarray:
    """First and last axis of an arm's wrist in a line but for an angle."""
    R = spatial.rotation_exp((off - WRIST_BEND) * WRIST_AXIS)
    return spatial.pose(R, WRIST - R @ WRIST) @ _wrist_arm().home_pose


LADDERS = {
    "five_bar, Type 1": (lambda: robot("five_bar"), _stretched_five_bar),
    "delta, Type 1": (lambda: robot("delta"), _stretched_delta),
    "five_bar, Type 2": (lambda: robot("five_bar"), lambda off: _towards("five_bar", off)),
    "three_rrr, Type 2": (lambda: robot("three_rrr"), lambda off: _towards("three_rrr", off)),
    "tilt_3rps, Type 2": (lambda: robot("tilt_3rps"), lambda off: _towards("tilt_3rps", off, 1.0)),
    "hexapod, Type 2": (gs_ref, _turned_hexapod),
    "wrist, Type 1": (_wrist_arm, _straight_wrist),
    "dymo, constraint": (lambda: robot("dymo"), _upright_dymo),
}


def _refused(function, *given, **rest):
    """The kind of singularity for which a call is refused; none if it is answered."""
    try:
        function(*given, **rest)
    except SingularPose as err:
        return err.kind
    return None


def _analysed(r, T, count=2, **options):
    """An analysis of a motion that rests in a pose: by NumPy if it is short, else by kernels."""
    still = np.zeros((count, 6))
    motion = SimpleNamespace(
        t=np.linspace(0.0, 1.0, count), T_0p=np.tile(T, (count, 1, 1)), V_0p=still, Vdot_0p=still
    )
    return gough.analyse(r, motion, agreement=False, **options)


def _mapped(r, T, **options):
    """A workspace of one point."""
    a = r.assembly
    first, *rest = zip(a.freedoms, a.chart.coordinates(T)[list(a.free)], strict=True)
    return gough.workspace(r, **{first[0]: [first[1]]}, at=dict(rest), limits=False, **options)


def _distances(seen):
    return np.array([float(getattr(getattr(seen, k), "smallest", getattr(seen, k))) for k in KINDS])


def _of_state(r, state):
    """Singularities of an assembled state, whatever its branch."""
    return explained(StateSingularity(r.assembly, state))


def _numbers(r, T, samples=2):
    """Distances by every door that gives them, and by singularities at the same state."""
    here = _distances(gough.singularities(r, T))
    yield "audit", _distances(gough.audit(r, T)), here
    seen = _analysed(r, T, samples).conditioning
    type_1 = min(seen.type_1[0].min(), seen.freedoms[0])
    yield "analyse", np.array([type_1, seen.type_2[0], seen.constraint[0]]), here
    w = _mapped(r, T)
    if w.reach[0]:  # next to the border of reach it may miss a point
        there = _of_state(r, w.branch(0))
        found = np.array([float(getattr(w, kind)[0]) for kind in KINDS])
        yield "workspace", found, _distances(there)


def _verdicts(r, T, engines=("numpy", "compiled")):
    """What every door calls a pose, by the kind of singularity that it finds."""
    kinds = gough.singularities(r, T).kinds
    doors = {"singularities": kinds[0] if kinds else None}
    for engine in engines:
        with gough.options(engine=engine):
            doors[f"dynamics {engine}"] = _refused(gough.inverse_dynamics, r, T)
            held = _refused(gough.motor_rates, r, T)
        if doors["singularities"] != "Type 2":  # motors follow the platform on such a pose
            doors[f"velocity {engine}"] = held
        else:
            assert held is None
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(r, T)
    still = np.zeros(len(q))
    doors["from motors"] = _refused(gough.state_from_motors, r, q, near=T)
    with gough.options(engine="numpy"):
        dynamics = gough.inverse_dynamics_from_motors
        doors["dynamics from motors"] = _refused(dynamics, r, q, still, still, near=T)
    doors["jacobian"] = _refused(gough.jacobian, r, T)
    doors["audit"] = _refused(gough.audit, r, T)
    doors["reactions"] = _refused(gough.reactions, r, T)
    doors["analyse"] = _refused(_analysed, r, T)
    return doors


@pytest.mark.parametrize("ladder", LADDERS)
def test_every_door_has_the_same_numbers_and_the_same_bound(ladder):
    make, rung = LADDERS[ladder]
    r, kind = make(), ladder.split(", ")[1]
    verdicts = []
    for off in RUNGS:
        T = rung(off)
        doors = _verdicts(r, T)
        assert len(set(doors.values())) == 1, (off, doors)
        verdicts.append(doors["audit"])
        if verdicts[-1] is None:
            for door, found, expected in _numbers(r, T, 64 if off == 1e-3 else 2):
                # what rounding does to joints next to the border of reach
                slack = 1e-9 * expected + 1e-14 / expected.min()
                assert (np.abs(found - expected) <= slack).all(), (off, door, found)
    assert verdicts[0] is None
    assert verdicts[-1] == kind
    assert set(verdicts) == {None, kind}
    assert all(verdicts[verdicts.index(kind) :])
    stays = _analysed(r, rung(0.0), on_error="nan").violations[0]
    assert stays.kind == kind.lower().replace(" ", "_")


@pytest.mark.parametrize("ladder", LADDERS)
def test_a_refusal_has_the_figure_of_singularities(ladder):
    """The smallest singular value by which a pose is refused, by its motors too."""
    make, rung = LADDERS[ladder]
    r, T, kind = make(), rung(1e-7), ladder.split(", ")[1]
    expected = _distances(gough.singularities(r, T))[KINDS.index(kind.lower().replace(" ", "_"))]
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(r, T)
    calls = (
        lambda: gough.inverse_dynamics(r, T),
        lambda: gough.jacobian(r, T),
        lambda: gough.state_from_motors(r, q, near=T),
    )
    for call in calls:
        with pytest.raises(SingularPose) as info, gough.options(engine="numpy"):
            call()
        assert info.value.kind == kind
        # motors tell the pose to the root of the rounding: 1e-8 of a distance of 1e-7
        assert info.value.smallest == pytest.approx(expected, rel=0.2)


@pytest.mark.parametrize("ladder", LADDERS)
def test_the_same_machine_in_micrometres(ladder):
    make, rung = LADDERS[ladder]
    r = make()
    small = scaled(r, 1e-6, 1e-9)
    for off in FEW_RUNGS:
        T = rung(off)
        before, after = gough.singularities(r, T), gough.singularities(small, moved(T, 1e-6))
        assert after.kinds == before.kinds
        doors = _verdicts(small, moved(T, 1e-6), ("numpy",))
        assert set(doors.values()) == set(before.kinds or (None,)), (off, doors)
        if not before.is_singular:
            one, other = _distances(before), _distances(after)
            assert (np.abs(other - one) <= 1e-9 * one + 1e-14 / one.min()).all()


@pytest.mark.parametrize("name", ["five_bar", "delta", "tilt_3rps", "quattro"])
def test_modes_have_the_numbers_of_their_poses(name):
    r = robot(name)
    T = gough.state(r, *random_freedoms(name, 1, 0.05)).T_0p
    q = gough.inverse_kinematics(r, T[0])
    for mode in gough.forward_kinematics(r, q):
        seen = _of_state(r, mode.branch).type_2
        assert mode.smallest == pytest.approx(seen.smallest, rel=1e-9)
        assert mode.condition == pytest.approx(seen.condition, rel=1e-9)
        assert mode.sign == seen.sign
        # the robot at home there measures its own size, and may choose other freedoms
        there = gough.singularities(r.rehomed(mode), mode.T_0p, length=r.length)
        assert mode.smallest == pytest.approx(there.type_2.smallest, rel=1e-9)
    there = gough.singularities(r, T[0]).type_2.smallest
    for engine in ("numpy", "compiled"):
        with gough.options(engine=engine):
            track = gough.track(r, np.array([q, q]), T[0])
        assert track.smallest == pytest.approx(there, rel=1e-9)


@pytest.mark.parametrize("length", [0.1, 3.0])
def test_another_length_is_another_number_and_says_so(length):
    """Declared by the user: the same in singularities and maps, and in no other function."""
    r = robot("tilt_3rps")
    T = gough.state(r, *random_freedoms("tilt_3rps", 1, 0.05)).T_0p
    own, found = gough.singularities(r, T[0]), gough.singularities(r, T[0], length=length)
    assert (own.length, found.length) == (r.length, length)
    assert f"units of {length:.4g} m" in str(found)
    assert abs(found.type_2.smallest - own.type_2.smallest) > 1e-3
    w = _mapped(r, T[0], length=length)
    assert w.length == length
    assert [float(getattr(w, k)[0]) for k in KINDS] == pytest.approx(_distances(found), rel=1e-9)


@pytest.mark.parametrize("name", [*ALL_NAMES])
def test_measures_are_the_numbers_of_singularities(name):
    r = robot(name)
    if len(r.motors) < r.mobility or not r.mobility:
        return
    T = gough.state(r, *random_freedoms(name, 1, 0.03)).T_0p
    seen = gough.singularities(r, T[0])
    a = r.assembly
    found = measures_at(a, a.solution(a.equations(*state_at(a, T[0]))))
    assert _distances(found) == pytest.approx(_distances(seen), rel=1e-9)
    assert float(found.condition) == pytest.approx(seen.type_2.condition, rel=1e-9)
    assert float(found.sign) == seen.type_2.sign
