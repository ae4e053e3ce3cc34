"""The public functions by kernel: the same answers, the same errors, sample by sample."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.base.spatial import rotation_z
from gough.dynamics.methods import METHODS
from gough.errors import GoughError, InconsistentTwist, InputError, SingularPose, UnreachablePose
from gough.kernels import evaluator
from masks import masked
from numbers_robots import gs_ref
from robots import DRIVEN_NAMES, random_freedoms, relative, robot

METHODS_OF = ["five_bar", "four_rrr", "tilt_3rps"]


def motion(name, count=5, amplitude=0.05, seed=0):
    return gough.state(robot(name), *random_freedoms(name, count, amplitude, seed))


@pytest.mark.parametrize("name", DRIVEN_NAMES)
def test_inverse_dynamics_of_every_robot(name):
    r, states = robot(name), motion(name, 3)
    expected = gough.inverse_dynamics(r, *states, engine="numpy")
    found = gough.inverse_dynamics(r, *states, engine="compiled")
    assert relative(found, expected) < 1e-11
    doubt = gough.compile(r, "inverse_dynamics")(*states)["doubt"]
    assert doubt.sum(axis=-1).max() < 1e-2, "regular states need no second look"


@pytest.mark.parametrize("name", ["five_bar", "delta", "tilt_3rps", "c5"])
def test_the_other_quantities(name):
    r = robot(name)
    T, V, Vdot = motion(name, 3)
    tau = gough.inverse_dynamics(r, T, V, Vdot)
    calls = {
        gough.inverse_geometry: (T,),
        gough.inverse_velocity: (T, V),
        gough.direct_dynamics: (T, V, tau),
        gough.inertia_matrix: (T,),
        gough.bias_wrench: (T, V),
        gough.energy: (T, V),
    }
    for function, arrays in calls.items():
        expected = np.asarray(function(r, *arrays, engine="numpy"))
        found = np.asarray(function(r, *arrays, engine="compiled"))
        assert relative(found, expected) < 1e-11, function.__name__


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", METHODS_OF)
def test_every_method_with_loads(name, method):
    r = robot(name)
    T, V, Vdot = motion(name, 3)
    rng = np.random.default_rng(1)
    push = gough.Force(
        r.platform, rng.normal(size=(3, 3)), rng.normal(size=3), 0.1 * rng.normal(size=3)
    )
    payload = gough.Payload(rng.uniform(0.0, 2.0, 3), (0.01, 0.02, 0.03), 0.01 * np.eye(3))
    loads = {"loads": gough.Loads([push], payload, smoothing=0.1), "method": method}
    tau = gough.inverse_dynamics(r, T, V, Vdot, engine="numpy", **loads)
    assert relative(gough.inverse_dynamics(r, T, V, Vdot, engine="compiled", **loads), tau) < 1e-10
    found = gough.direct_dynamics(r, T, V, tau, engine="compiled", **loads)
    assert relative(found, Vdot) < 1e-8


def test_shares():
    r, states = robot("four_rrr"), motion("four_rrr", 4)
    for share in (gough.Share(weights=[1, 2, 3, 4]), gough.Share(bounds=(-30, 30))):
        expected = gough.inverse_dynamics(r, *states, share=share, engine="numpy")
        found = gough.inverse_dynamics(r, *states, share=share, engine="compiled")
        assert relative(found, expected) < 1e-12


class TestVerdicts:
    """Bad samples in the middle of good ones."""

    def test_out_of_reach(self):
        r = robot("delta")
        T, V, Vdot = motion("delta", 6)
        T = T.copy()
        T[3, 2, 3] -= 5.0
        for engine_name in ("numpy", "compiled"):
            with pytest.raises(UnreachablePose, match="sample 3"):
                gough.inverse_dynamics(r, T, V, Vdot, engine=engine_name)
        tau, failed = masked(
            gough.inverse_dynamics(r, T, V, Vdot, engine="compiled", on_error="nan")
        )
        assert failed.tolist() == [False] * 3 + [True] + [False] * 2
        assert np.isnan(tau[3]).all()
        assert np.isfinite(tau[~failed]).all()

    @pytest.mark.parametrize("name", ["five_bar", "tilt_3rps", "delta", "three_rrr", "h4", "rccc"])
    def test_inconsistent_pose(self, name):
        """A small turn about each axis, and a small way along each: as NumPy says."""
        r = robot(name)
        T, _, _ = motion(name, 1)
        turns = [spatial.rotation_exp(1e-4 * e) for e in np.eye(3)]
        moved = [spatial.pose(R @ T[0, :3, :3], T[0, :3, 3]) for R in turns]
        moved += [spatial.pose(T[0, :3, :3], T[0, :3, 3] + 1e-4 * e) for e in np.eye(3)]
        poses = np.array(moved)
        _, expected = masked(gough.inverse_geometry(r, poses, engine="numpy", on_error="nan"))
        _, failed = masked(gough.inverse_geometry(r, poses, engine="compiled", on_error="nan"))
        assert failed.any()
        assert (failed == expected).all()

    def test_inconsistent_twist(self):
        r = robot("delta")
        T, V, Vdot = (a.copy() for a in motion("delta", 4))
        V[2, 4] = 0.3
        with pytest.raises(InconsistentTwist, match="sample 2"):
            gough.inverse_dynamics(r, T, V, Vdot, engine="compiled")
        with pytest.raises(InconsistentTwist, match="sample 2"):
            gough.inverse_velocity(r, T, V, engine="compiled")
        V[2, 4], Vdot[1, 3] = 0.0, 1e-3
        with pytest.raises(InconsistentTwist, match="sample 1"):
            gough.inverse_dynamics(r, T, V, Vdot, engine="compiled")

    def test_inconsistent_twist_where_psi_depends_on_the_pose(self):
        r = robot("tilt_3rps")
        T, V, Vdot = (a.copy() for a in motion("tilt_3rps", 4))
        V[2, 0] += 0.1
        with pytest.raises(InconsistentTwist, match="sample 2"):
            gough.inverse_dynamics(r, T, V, Vdot, engine="compiled")

    def test_singular_poses(self):
        """Fichter's: level, centred, turned by a right angle; direct dynamics runs there."""
        r = gs_ref()
        a = r.assembly
        x = np.zeros((3, 6))
        x[:, 2] = a.T_home[2, 3]
        x[:, 5] = [0.3, np.pi / 2, 0.5]
        T, V, Vdot = gough.state(r, x, np.ones((3, 6)), np.zeros((3, 6)))
        with pytest.raises(SingularPose, match="sample 1"):
            gough.inverse_dynamics(r, T, V, Vdot, engine="compiled")
        tau = np.ones((3, 6))
        expected = gough.direct_dynamics(r, T, V, tau, engine="numpy")
        assert relative(gough.direct_dynamics(r, T, V, tau, engine="compiled"), expected) < 1e-9

    @pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
    def test_numbers_that_are_none(self, bad):
        r = robot("gough_stewart")
        arrays = [a.copy() for a in motion("gough_stewart", 3)]
        for which, place in ((0, (1, 0, 3)), (1, (1, 2)), (2, (1, 5))):
            if bad == 1e200 and which == 2:
                continue  # efforts of 1e200, as asked
            broken = [a.copy() for a in arrays]
            broken[which][place] = bad
            with pytest.raises(GoughError, match="sample 1"):
                gough.inverse_dynamics(r, *broken, engine="compiled")

    def test_matrices_that_are_no_poses(self):
        r = robot("gough_stewart")
        T, V, Vdot = motion("gough_stewart", 3)
        for entries, value in (((slice(3), 2), -T[1, :3, 2]), ((0, 0), 1.1), ((3, 0), 1e-3)):
            broken = T.copy()
            broken[(1, *entries)] = value
            with pytest.raises(InputError, match="sample 1"):
                gough.inverse_dynamics(r, broken, V, Vdot, engine="compiled")

    def test_payloads_that_no_body_has(self):
        r = robot("delta")
        states = motion("delta", 3)
        with pytest.raises(InputError, match=r"sample 1: loads\.payload\.mass is -1"):
            gough.inverse_dynamics(
                r,
                *states,
                loads=gough.Loads(payload=gough.Payload([1.0, -1.0, 2.0])),
                engine="compiled",
            )

    def test_far_poses_are_not_refused(self):
        """What the fixed pivots are not sure of is worked out again."""
        for name in ("five_bar", "tilt_3rps", "delta"):
            r = robot(name)
            x, xd, xdd = random_freedoms(name, 12, 0.6, seed=4)
            (T, V, Vdot), lost = masked(gough.state(r, x, xd, xdd, on_error="nan"))
            T, V, Vdot = T[~lost], V[~lost], Vdot[~lost]
            expected, refused = masked(
                gough.inverse_dynamics(r, T, V, Vdot, engine="numpy", on_error="nan")
            )
            found, failed = masked(
                gough.inverse_dynamics(r, T, V, Vdot, engine="compiled", on_error="nan")
            )
            assert (failed == refused).all()
            kept = ~failed
            for a, b in zip(found[kept], expected[kept], strict=True):
                assert relative(a, b) < 1e-7


@pytest.mark.usefixtures("strangers")
def test_engines_are_chosen_by_what_pays(monkeypatch):
    """Few states by NumPy, many by a kernel; and a kernel once NumPy has taken long enough."""
    built = []
    monkeypatch.setattr(evaluator, "find_kernel", lambda *a: built.append(a) or real(*a))
    real = __import__("gough.kernels.compile", fromlist=["x"]).find_kernel
    r = dataclasses.replace(robot("five_bar"), label="fresh")
    states = motion("five_bar", 3)
    gough.inverse_dynamics(r, *states)
    assert not built
    monkeypatch.setattr(evaluator, "PAYS", 0.0)
    gough.inverse_dynamics(r, *states)
    assert len(built) == 1
    other = dataclasses.replace(robot("five_bar"), label="fresh too")
    monkeypatch.setattr(evaluator, "PAYS", 1e9)
    many = [np.concatenate([a] * 30) for a in states]
    gough.inverse_dynamics(other, *many)
    assert len(built) == 2
    gough.inverse_dynamics(other, *states)
    assert len(built) == 2
    with pytest.raises(InputError, match="engine is 'fast'"):
        gough.inverse_dynamics(r, *states, engine="fast")


def test_out_of_the_public_functions():
    r, states = robot("five_bar"), motion("five_bar", 3)
    expected = gough.inverse_dynamics(r, *states)
    for name in ("numpy", "compiled"):
        out = np.empty((3, 2))
        assert gough.inverse_dynamics(r, *states, engine=name, out=out) is out
        assert relative(out, expected) < 1e-13
        with pytest.raises(InputError, match="out"):
            gough.inverse_dynamics(r, *states, engine=name, out=np.empty((3, 4)))


def test_help_tells_of_engines():
    for function in (gough.inverse_dynamics, gough.direct_dynamics, gough.inverse_geometry):
        assert "engine:" in function.__doc__
        assert "T_0p: platform pose" in function.__doc__


@pytest.mark.parametrize("name", ["quattro", "h4", "delta_4"])
def test_platforms_that_turn_far_are_answered_alike(name):
    """A nacelle is flat at a right angle, and its legs lead it on."""
    r, still = robot(name), np.zeros(6)
    poses = np.stack([r.home_pose] * 9)
    for T, angle in zip(poses, np.radians(np.linspace(-150.0, 150.0, 9)), strict=True):
        T[:3, :3] = rotation_z(angle) @ T[:3, :3]
    plain = gough.inverse_geometry(r, poses, engine="numpy", on_error="nan")
    for T, q in zip(poses, plain, strict=True):
        reason = gough.explain(r, T)
        assert np.isnan(q).any() == (reason is not None)  # on_error changes no verdict
    for engine in ("numpy", "compiled"):
        q = gough.inverse_geometry(r, poses, engine=engine, on_error="nan")
        np.testing.assert_allclose(q, plain, atol=1e-9)
    good = ~np.isnan(plain).any(axis=1)
    tau = gough.inverse_dynamics(r, poses[good], still, still, engine="numpy", on_error="nan")
    found = gough.inverse_dynamics(r, poses[good], still, still, engine="compiled", on_error="nan")
    np.testing.assert_allclose(found, tau, atol=1e-7 * np.nanmax(np.abs(tau)))
    assert good.sum() >= 3
