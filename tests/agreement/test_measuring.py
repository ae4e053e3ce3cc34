"""Machines that are slightly wrong and what is measured on them, against the library's own."""

import numpy as np
import pytest

import gough
from closing import NotClosed, closed, closed_many
from differences import by_differences
from gough.calibration.measured import View
from loops import Loops, vectors
from maximal import Machine
from measuring import (
    at_home,
    bent,
    crooked,
    measured,
    observed,
    platform,
    reachable,
    states_at,
)
from robots import robot

NAMES = ["gough_stewart", "delta", "five_bar", "three_rrr", "tilt_3rps", "linear_delta", "quattro"]
NOISE = (2e-5, 5e-5)


# joints of all eight kinds, among them a screw, a plane and cylinders
@pytest.mark.parametrize("name", ["delta", "screw_hexapod", "c5", "rccc", "split_hexapod"])
def test_constraints_are_those_of_maximal_coordinates(name):
    """Bodies anywhere: all constraints and their derivatives, row by row."""
    r = robot(name)
    loops, names = Loops.of(r), [body.name for body in r.bodies]
    rng = np.random.default_rng(1)
    bodies = loops.moved(at_home(r), 0.1 * rng.normal(size=6 * len(names)))
    still = {body: np.zeros(6) for body in names}
    m = Machine(r, dict(zip(names, bodies, strict=True)), still, loops.length).constraints
    ends, q = loops.ends(bodies), np.zeros(len(r.motors))
    x, J = (a[: len(m.x)] for a in (loops.residual(ends, q), loops.jacobian(ends)))
    units = np.tile([loops.length] * 3 + [1.0] * 3, len(names))
    expected = m.J[:, :-6] * units
    # rows of distances are counted in units of the length here
    sizes = np.linalg.norm(J, axis=1) / np.linalg.norm(expected, axis=1)
    assert set(np.round(sizes * loops.length, 9)) <= {1.0, round(loops.length, 9)}
    assert np.abs(J - expected * sizes[:, None]).max() < 1e-14
    assert np.abs(x - m.x * sizes).max() < 1e-14


@pytest.mark.parametrize("name", NAMES)
def test_machines_as_described_are_where_the_library_has_them(name):
    r, states = robot(name), reachable(name, 7)
    T = platform(r, states.bodies)
    # both close loops to 5e-14; a machine near a singularity makes a hundred times that of it
    assert np.abs(T - gough.state_from_motors(r, states.motors).T_0p).max() < 1e-11
    assert np.ptp(T[:, :3, 3], axis=0).max() > 0.1 * Loops.of(r).length
    again = states_at(r, states.motors)
    assert np.abs(again.bodies - states.bodies).max() < 1e-11


@pytest.mark.parametrize("name", ["delta", "three_rrr"])
def test_wrong_machines_are_where_the_library_has_them(name):
    """The description of a wrong machine, read by the library, against displaced frames here."""
    r, states = robot(name), reachable(name, 3)
    truth = crooked(r, 5e-4, 5e-4, np.random.default_rng(2))
    seen = observed(truth, states)
    q = truth.offsets + truth.gains * states.motors
    found = gough.state_from_motors(truth.robot, q, near=seen.T_0p)
    assert np.abs(seen.T_0p - found.T_0p).max() < 1e-11
    assert np.abs(seen.T_0p - platform(r, states.bodies))[:, :3, 3].max() > 2e-4
    start = dict(zip([body.name for body in r.bodies], states.bodies[0], strict=True))
    alone = closed(truth.robot, q[0], start)
    assert np.abs(np.array(list(alone.values())) - seen.bodies[0]).max() < 1e-12


def test_many_machines_are_those_one_by_one():
    r, states = robot("tilt_3rps"), reachable("tilt_3rps", 4)
    truths = crooked(r, 5e-4, 5e-4, np.random.default_rng(3), count=3)
    many = observed(truths, states)
    for k in range(3):
        alone = observed(truths[k], states)
        for name in ("bodies", "T_0p", "T_dt"):
            gap = getattr(alone, name) - getattr(many[k], name)
            assert np.abs(gap).max() < 1e-12
        T = np.linalg.inv(truths.device[k]) @ many[k].T_0p @ truths.tool[k]
        assert np.abs(T - many[k].T_dt).max() < 1e-15
    assert np.abs(many.T_dt[0] - many.T_dt[1]).max() > 1e-4


def test_parts_of_a_machine_are_wrong_as_asked():
    r, rng = robot("five_bar"), np.random.default_rng(4)
    truth = crooked(r, 1e-3, 2e-3, rng, parts=("frames",), count=4000)
    assert not truth.offsets.any()
    assert (truth.gains == 1.0).all()
    assert np.array_equal(truth.tool, np.broadcast_to(np.eye(4), truth.tool.shape))
    spread = truth.errors.std(axis=0)
    # of 4000 draws a standard deviation is known to 1 %: five times that
    assert spread[..., [0, 1]] == pytest.approx(1e-3, rel=0.05)
    assert spread[..., 5] == pytest.approx(2e-3, rel=0.05)
    assert not spread[..., [2, 3, 4]].any()  # out of the plane
    one = crooked(robot("delta"), 1e-3, 2e-3, rng, only={"arm*.parent": ("z",)})
    assert np.argwhere(one.errors).tolist() == [[j, 0, 2] for j in (0, 5, 10)]
    assert np.array_equal(bent(r, np.zeros((5, 2, 6))).joints, r.joints)


def test_loops_that_cannot_close_are_refused():
    """A planar machine with an axis tilted out of its plane."""
    r, states = robot("five_bar"), reachable("five_bar", 2)
    errors = np.zeros((5, 2, 6))
    errors[1, 0, 3] = 1e-3
    with pytest.raises(NotClosed, match="2 of 2 states"):
        closed_many(Loops.of(bent(r, errors)), states.motors, states.bodies)


@pytest.mark.parametrize(
    ("name", "found", "with_gains"), [("five_bar", 13, 15), ("three_rrr", 21, 24)]
)
def test_poses_show_as_many_figures_of_planar_machines_as_are_known(name, found, with_gains):
    """Lengths, bases and motors of the plane; of frames on one body only what is between them."""
    r, states = robot(name), reachable(name, 20)
    found_by = by_differences(crooked(r, 1e-3, 1e-3, np.random.default_rng(1)), states)
    for parts, rank in (
        (("frames", "offsets"), found),
        (("frames", "offsets", "gains"), with_gains),
    ):
        J = np.hstack([found_by[part].reshape(6 * len(states.motors), -1) for part in parts])
        sizes = np.linalg.svd(J, compute_uv=False)
        # the smallest is 3e-5 of the largest, and the first zero of differences 3e-10
        assert (sizes > 1e-7 * sizes[0]).sum() == rank


def test_differences_are_those_of_wrong_machines():
    """All figures of a machine changed a little at once: to second order the sum of all parts."""
    r, states = robot("tilt_3rps"), reachable("tilt_3rps", 4)
    # changes are counted from the machine as described, where both ways to write them agree
    exact, small = (crooked(r, x, x, np.random.default_rng(6)) for x in (0.0, 1e-5))
    J = by_differences(exact, states)
    twists = (displacements_of(T) for T in (small.tool, small.device))
    changes = [small.errors, small.offsets, small.gains - 1.0, *twists]
    expected = sum(
        np.tensordot(J[part], change, axes=change.ndim)
        for part, change in zip(J, changes, strict=True)
    )
    after, before = (observed(truth, states).T_dt for truth in (small, exact))
    gap = expected[:, :3] - (after - before)[:, :3, 3]
    turned = expected[:, 3:] - vectors(after[:, :3, :3] @ before[:, :3, :3].swapaxes(1, 2))
    assert np.abs(expected).max() > 1e-5
    # squares of 1e-5, 111 figures together
    assert max(np.abs(gap).max(), np.abs(turned).max()) < 1e-8


def displacements_of(T):
    return np.concatenate([T[:3, 3], vectors(T[:3, :3])])


KINDS = {
    "pose": {},
    "position": {},
    "orientation": {},
    "height": {},
    "distance": {},
    "length": {"anchor": (0.1, -0.2, 0.3)},
    "encoder": {"axis": "u1.first"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_measurements_of_every_kind_are_those_of_the_truth(kind):
    """Without noise nothing is left against the truth; with noise as much as was said."""
    name = "gough_stewart"
    rng, states = np.random.default_rng(5), reachable(name, 40)
    device = np.eye(4)
    device[:3, 3] = -0.3, 0.2, -1.5
    seen = observed(crooked(robot(name), 5e-4, 5e-4, rng, device=device), states)
    for noise in (0.0, np.array(NOISE)):
        data = measured(seen, kind, noise, rng, **KINDS[kind])
        assert data.kind == kind
        views = seen.T_dt[:, None] if kind != "distance" else seen.T_dt.reshape(-1, 2, 4, 4)
        axes = {data.axis: seen.axis(data.axis)[:, None]} if data.axis else {}
        off = data.compared(View(views, axes)).off
        if not np.any(noise):
            assert np.isnan(data.std).all()
            assert np.abs(off).max() < 1e-14
        else:
            # squares of 20 numbers or more, of mean 1: five standard deviations
            chi2 = np.square(off / data.std)
            assert abs(chi2.mean() - 1.0) < 5.0 * np.sqrt(2.0 / chi2.size)
    assert np.ptp(data.values, axis=0).max() > 1e-2 or kind in ("pose", "orientation")
