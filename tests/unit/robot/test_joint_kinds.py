"""Every joint kind keeps to the laws from which rows, wrenches, screws and axes are derived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gough.base import spatial
from gough.mechanism.closure import rows as closure
from gough.mechanism.closure.recursion import Motion
from gough.mechanism.closure.rows import LoopJoint
from gough.mechanism.topology.moves import steps
from gough.robot import KINDS
from gough.robot.joint_kinds import BALL, SCREW, SLIDE, JointKind
from gough.robot.joint_kinds.kind import CarriedWrench, WrenchPart

PITCH = 0.3
H = 1e-3
"""Step of differences: of the fourth order, errors of 1e-12 in rates, 1e-9 in accelerations."""

Poses = Callable[[float], tuple[np.ndarray, np.ndarray]]


def pitch_of(kind: JointKind) -> float:
    return PITCH if kind.is_screw else 0.0


def placed(kind: JointKind, q: np.ndarray, ball: np.ndarray) -> np.ndarray:
    """Pose of B in A, by the chain of steps, which trees of links are made of."""
    T, values = np.eye(4), iter(q)
    for step in steps(kind):
        R, p = np.eye(3), np.zeros(3)
        if step.move == BALL:
            R = ball
        else:
            value = next(values)
            if step.move != SLIDE:
                R = spatial.rotation_z(value)
            if step.move in (SLIDE, SCREW):
                p = np.array([0.0, 0.0, value * (pitch_of(kind) if step.move == SCREW else 1.0)])
        T = T @ spatial.pose(step.before, np.zeros(3)) @ spatial.pose(R, p)
        T = T @ spatial.pose(step.after, np.zeros(3))
    return T


def scalars(kind: JointKind) -> int:
    return sum(move.what != BALL for move in kind.moves)


class Moving:
    """Frames A and B in a random motion with a joint that stays whole, but for its acceleration."""

    def __init__(self, kind: JointKind, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.kind, n = kind, scalars(kind)
        self.q, self.qd, self.qdd = rng.uniform(-1.0, 1.0, (3, n))
        self.turns = rng.normal(size=(3, 3))
        self.base = rng.normal(size=(6, 3))
        self.opening = rng.normal(size=6)

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """Poses of A and B in the base."""
        turn, spin, p, v, a, s = self.base
        exp = spatial.rotation_exp
        T_A = spatial.pose(exp(spin * t + s * t * t) @ exp(turn), p + v * t + a * t * t)
        q = self.q + self.qd * t + self.qdd * t * t / 2.0
        r, rd, rdd = self.turns
        T_AB = placed(self.kind, q, exp(r) @ exp(rd * t + rdd * t * t / 2.0))
        # it opens by an acceleration alone: rows are exact derivatives of a whole joint
        off = self.opening * t * t / 2.0
        return T_A, T_A @ T_AB @ spatial.pose(exp(off[3:]), off[:3])


def derivative(f: Callable[[float], np.ndarray], order: int) -> np.ndarray:
    """First or second derivative at 0, by differences of the fourth order."""
    a, b, c, d, e = (np.asarray(f(k * H), dtype=float) for k in (-2, -1, 0, 1, 2))
    if order == 1:
        return (a - 8.0 * b + 8.0 * d - e) / (12.0 * H)
    return (-a + 16.0 * b - 30.0 * c + 16.0 * d - e) / (12.0 * H * H)


def motion_of(T: Callable[[float], np.ndarray], axes: np.ndarray) -> Motion:
    """Velocity and acceleration of a frame, in given axes."""
    R = T(0.0)[:3, :3]

    def spin(t: float) -> np.ndarray:
        def near(s: float) -> np.ndarray:
            return T(t + s)[:3, :3]

        W = derivative(near, 1) @ near(0.0).T
        return spatial.unskew(W)

    def origin(t: float) -> np.ndarray:
        return T(t)[:3, 3]

    assert R.shape == (3, 3)
    parts = (derivative(origin, 1), spin(0.0), derivative(origin, 2), derivative(spin, 1))
    return Motion(*(axes.T @ part for part in parts))


def seen(kind: JointKind, near: np.ndarray, far: np.ndarray, *, parent_is_near: bool) -> LoopJoint:
    T = np.linalg.inv(near) @ far
    return LoopJoint(kind, pitch_of(kind), parent_is_near, T[:3, :3], T[:3, 3])


def check_laws(kind: JointKind, seed: int) -> None:
    """Residual, rows, bias, axes and wrenches of a kind against differences and each other."""
    moving = Moving(kind, seed)
    T_A, T_B = moving.at(0.0)
    T_AB = np.linalg.inv(T_A) @ T_B
    R, p, pitch = T_AB[:3, :3], T_AB[:3, 3], pitch_of(kind)

    # where joints are whole
    assert np.abs(kind.residual(R, p, pitch)).max(initial=0.0) < 1e-13
    if kind.turns < 3:
        np.testing.assert_allclose(kind.across(moving.q, pitch), T_AB, atol=1e-13)
    ends = ((T_A, T_B, True), (T_B, T_A, False))
    for near, far, parent in ends:
        assert not closure.is_flipped(seen(kind, near, far, parent_is_near=parent))

    # what is carried does no work in what is free, and no direction is missing
    free = np.array([np.concatenate(each) for each in kind.free_twists(R, pitch)]).reshape(-1, 6)
    held = np.array([each.row() for each in kind.carried(R, pitch)], dtype=float).reshape(-1, 6)
    assert len(free) == kind.freedoms
    assert len(free) + len(held) == 6 == len(kind.rows) + kind.freedoms
    np.testing.assert_allclose(held @ free.T, 0.0, atol=1e-14)
    assert np.linalg.matrix_rank(np.vstack([free, held])) == 6

    # rows of both sides are derivatives of the residual
    for index in (0, 1):
        parent = index == 0

        def residual(t: float, index: int = index, parent: bool = parent) -> np.ndarray:
            poses = moving.at(t)
            m = seen(kind, poses[index], poses[1 - index], parent_is_near=parent)
            return np.array(closure.residual(m), dtype=float)

        near, far = (T_A, T_B) if parent else (T_B, T_A)
        m = seen(kind, near, far, parent_is_near=parent)
        one = motion_of(lambda t, i=index: moving.at(t)[i], near[:3, :3])
        other = motion_of(lambda t, i=index: moving.at(t)[1 - i], near[:3, :3])
        rates = np.zeros(len(kind.rows))
        for motion, point, sign in (
            (one, closure.near_point(m), -1.0),
            (other, closure.far_point(m), 1.0),
        ):
            v = closure.moved_to(point, motion.v, motion.w)
            rates = rates + sign * np.array(closure.rows(m, v, motion.w), dtype=float)
        np.testing.assert_allclose(rates, derivative(residual, 1), atol=1e-8)
        biases = np.array(closure.bias(m, one, other), dtype=float)
        np.testing.assert_allclose(biases, derivative(residual, 2), atol=1e-5)

    # axes are read off the pose and the velocity
    found = [at for at in kind.coordinates(R, p, pitch) if at.shape != (3, 3)]
    angles = [np.arctan2(at[1], at[0]) if len(at) == 2 else at[0] for at in found]
    np.testing.assert_allclose(angles, moving.q, atol=1e-13)

    moves = iter(kind.coordinates(R, p, pitch))
    axes = [[next(moves) for _ in own] for own in kind.groups.values()]
    R_again, p_again = kind.pose([a[0] if len(a) == 1 else np.concatenate(a) for a in axes], pitch)
    np.testing.assert_allclose(R_again, R, atol=1e-13)
    np.testing.assert_allclose(p_again, p, atol=1e-13)

    def between(t: float) -> np.ndarray:
        poses = moving.at(t)
        return np.linalg.inv(poses[0]) @ poses[1]

    relative = motion_of(between, np.eye(3))
    read = [part for rate in kind.axis_rates(R, relative.v, relative.w) for part in np.ravel(rate)]
    slots = [k for move in kind.moves for k in ([None] * 3 if move.what == BALL else [0])]
    plain = [x for x, slot in zip(read, slots, strict=True) if slot is not None]
    np.testing.assert_allclose(plain, moving.qd, atol=1e-9)
    turning = [x for x, slot in zip(read, slots, strict=True) if slot is None]
    if turning:
        np.testing.assert_allclose(turning, R.T @ relative.w, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_kind_keeps_to_the_laws(kind: JointKind) -> None:
    for seed in range(4):
        check_laws(kind, seed)


def test_kinds_have_names_and_letters_of_their_own() -> None:
    assert all(name == kind.name for name, kind in KINDS.items())
    assert len({kind.letter for kind in KINDS.values()}) == len(KINDS)
    words = [word for kind in KINDS.values() for word in kind.synonyms.split()]
    assert len(words) == len(set(words))
    assert not set(words) & set(KINDS)


def test_directions_of_bearings() -> None:
    held = {kind.name: " ".join(kind.bearing) for kind in KINDS.values()}
    assert held == {
        "revolute": "radial axial tilt",
        "prismatic": "radial tilt torsion",
        "helical": "radial axial tilt",
        "universal": "radial axial tilt",
        "cylindrical": "radial tilt",
        "spherical": "radial axial",
        "planar": "axial tilt",
        "planar_contact": "axial",
        "fixed": "radial axial tilt torsion",
    }


# the laws notice what is wrong


def test_the_wrong_sign_of_a_pitch_is_noticed() -> None:
    own = KINDS["helical"]
    wrong = replace(own, residual=lambda R, p, pitch: own.residual(R, p, -pitch))
    with pytest.raises(AssertionError):
        check_laws(wrong, 0)


def test_a_wrong_cross_product_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    carried = JointKind.carried

    def wrong(
        self: JointKind, R: np.ndarray, pitch: float = 0.0, **more: bool
    ) -> list[CarriedWrench]:
        found = carried(self, R, pitch, **more)
        z = R[:, 2]
        return [*found[:-1], found[-1]._replace(parts=(WrenchPart(4, z[0]), WrenchPart(3, z[1])))]

    monkeypatch.setattr(JointKind, "carried", wrong)
    with pytest.raises(AssertionError):
        check_laws(KINDS["universal"], 0)


@pytest.mark.parametrize(
    ("name", "kind"), [("near_point", "prismatic"), ("far_point", "planar_contact")]
)
def test_a_point_that_does_not_slide_is_noticed(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closure, name, lambda m: None)
    with pytest.raises(AssertionError):
        check_laws(KINDS[kind], 0)


def test_a_row_that_does_not_turn_itself_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    bias = closure.bias

    def wrong(m: LoopJoint, near: Motion, far: Motion) -> list[float]:
        w, z = far.w - near.w, m.R[:, 2]
        found = bias(m, near, far)
        return [*found[:-1], found[-1] + w[2] * (w @ z)]

    monkeypatch.setattr(closure, "bias", wrong)
    with pytest.raises(AssertionError):
        check_laws(KINDS["universal"], 0)
