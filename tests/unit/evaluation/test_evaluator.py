"""The public functions by kernel: the same answers, the same errors, sample by sample."""

import dataclasses

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.base.spatial import rotation_z
from gough.dynamics.methods import METHODS
from gough.dynamics.quantities.variant import Variant
from gough.errors import GoughError, InconsistentTwist, InputError, SingularPose, UnreachablePose
from gough.evaluation import engine
from gough.evaluation.compile import whole_program
from masks import masked
from numbers_robots import gs_ref
from robots import DRIVEN_NAMES, random_freedoms, relative, robot

METHODS_OF = ["five_bar", "four_rrr", "tilt_3rps"]


def motion(name, count=5, amplitude=0.05, seed=0):
    return gough.state(robot(name), *random_freedoms(name, count, amplitude, seed))


@pytest.mark.parametrize("name", DRIVEN_NAMES)
def test_inverse_dynamics_of_every_robot(name):
    r, states = robot(name), motion(name, 3)
    with gough.options(engine="numpy"):
        expected = gough.inverse_dynamics(r, states)
    with gough.options(engine="compiled"):
        found = gough.inverse_dynamics(r, states)
    assert relative(found, expected) < 1e-11
    doubt = gough.compile(r, "inverse_dynamics")(*states.arrays)["doubt"]
    assert doubt.sum(axis=-1).max() < 1e-2, "regular states need no second look"


@pytest.mark.parametrize("name", ["five_bar", "delta", "tilt_3rps", "c5"])
def test_the_other_quantities(name):
    r = robot(name)
    state = motion(name, 3)
    tau = gough.inverse_dynamics(r, state)
    for function in (
        gough.inverse_kinematics,
        gough.motor_rates,
        lambda r, state: gough.forward_dynamics(r, state, tau).Vdot_0p,
        gough.inertia_matrix,
        gough.bias_wrench,
        gough.energy,
    ):
        with gough.options(engine="numpy"):
            expected = np.asarray(function(r, state))
        with gough.options(engine="compiled"):
            found = np.asarray(function(r, state))
        assert relative(found, expected) < 1e-11, function.__name__


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", METHODS_OF)
def test_every_method_with_loads(name, method):
    r = robot(name)
    state = motion(name, 3)
    rng = np.random.default_rng(1)
    push = gough.Force(
        r.platform, rng.normal(size=(3, 3)), rng.normal(size=3), 0.1 * rng.normal(size=3)
    )
    payload = gough.Payload(rng.uniform(0.0, 2.0, 3), (0.01, 0.02, 0.03), 0.01 * np.eye(3))
    loads = {"loads": gough.Loads([push], payload, smoothing=0.1), "method": method}
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, state, **loads)
    with gough.options(engine="compiled"):
        assert relative(gough.inverse_dynamics(r, state, **loads), tau) < 1e-10
        found = gough.forward_dynamics(r, state, tau, **loads).Vdot_0p
    assert relative(found, state.Vdot_0p) < 1e-8


def test_shares():
    r, states = robot("four_rrr"), motion("four_rrr", 4)
    for share in (gough.EffortSharing(weights=[1, 2, 3, 4]), gough.EffortSharing(bounds=(-30, 30))):
        with gough.options(engine="numpy"):
            expected = gough.inverse_dynamics(r, states, share=share)
        with gough.options(engine="compiled"):
            found = gough.inverse_dynamics(r, states, share=share)
        assert relative(found, expected) < 1e-12


class TestVerdicts:
    """Bad samples in the middle of good ones."""

    def test_out_of_reach(self):
        r = robot("delta")
        T, V, Vdot = motion("delta", 6).arrays
        T = T.copy()
        T[3, 2, 3] -= 5.0
        for engine_name in ("numpy", "compiled"):
            with (
                pytest.raises(UnreachablePose, match="sample 3"),
                gough.options(engine=engine_name),
            ):
                gough.inverse_dynamics(r, gough.State(T, V, Vdot))
        with gough.options(engine="compiled"):
            tau, failed = masked(gough.inverse_dynamics(r, gough.State(T, V, Vdot), on_error="nan"))
        assert failed.tolist() == [False] * 3 + [True] + [False] * 2
        assert np.isnan(tau[3]).all()
        assert np.isfinite(tau[~failed]).all()

    @pytest.mark.parametrize("name", ["five_bar", "tilt_3rps", "delta", "three_rrr", "h4", "rccc"])
    def test_inconsistent_pose(self, name):
        """A small turn about each axis, and a small way along each: as NumPy says."""
        r = robot(name)
        T = motion(name, 1).T_0p
        turns = [spatial.rotation_exp(1e-4 * e) for e in np.eye(3)]
        moved = [spatial.pose(R @ T[0, :3, :3], T[0, :3, 3]) for R in turns]
        moved += [spatial.pose(T[0, :3, :3], T[0, :3, 3] + 1e-4 * e) for e in np.eye(3)]
        poses = np.array(moved)
        with gough.options(engine="numpy"):
            _, expected = masked(gough.inverse_kinematics(r, poses, on_error="nan"))
        with gough.options(engine="compiled"):
            _, failed = masked(gough.inverse_kinematics(r, poses, on_error="nan"))
        assert failed.any()
        assert (failed == expected).all()

    def test_inconsistent_twist(self):
        r = robot("delta")
        T, V, Vdot = (a.copy() for a in motion("delta", 4).arrays)
        V[2, 4] = 0.3
        with pytest.raises(InconsistentTwist, match="sample 2"), gough.options(engine="compiled"):
            gough.inverse_dynamics(r, gough.State(T, V, Vdot))
        with pytest.raises(InconsistentTwist, match="sample 2"), gough.options(engine="compiled"):
            gough.motor_rates(r, gough.State(T, V))
        V[2, 4], Vdot[1, 3] = 0.0, 1e-3
        with pytest.raises(InconsistentTwist, match="sample 1"), gough.options(engine="compiled"):
            gough.inverse_dynamics(r, gough.State(T, V, Vdot))

    def test_inconsistent_twist_where_psi_depends_on_the_pose(self):
        r = robot("tilt_3rps")
        T, V, Vdot = (a.copy() for a in motion("tilt_3rps", 4).arrays)
        V[2, 0] += 0.1
        with pytest.raises(InconsistentTwist, match="sample 2"), gough.options(engine="compiled"):
            gough.inverse_dynamics(r, gough.State(T, V, Vdot))

    def test_singular_poses(self):
        """Fichter's: level, centred, turned by a right angle; direct dynamics runs there."""
        r = gs_ref()
        a = r.assembly
        x = np.zeros((3, 6))
        x[:, 2] = a.T_home[2, 3]
        x[:, 5] = [0.3, np.pi / 2, 0.5]
        state = gough.state(r, x, np.ones((3, 6)), np.zeros((3, 6)))
        with pytest.raises(SingularPose, match="sample 1"), gough.options(engine="compiled"):
            gough.inverse_dynamics(r, state)
        tau = np.ones((3, 6))
        with gough.options(engine="numpy"):
            expected = gough.forward_dynamics(r, state, tau).Vdot_0p
        with gough.options(engine="compiled"):
            assert relative(gough.forward_dynamics(r, state, tau).Vdot_0p, expected) < 1e-9

    @pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
    def test_numbers_that_are_none(self, bad):
        r = robot("gough_stewart")
        arrays = [a.copy() for a in motion("gough_stewart", 3).arrays]
        for which, place in ((0, (1, 0, 3)), (1, (1, 2)), (2, (1, 5))):
            if bad == 1e200 and which == 2:
                continue  # efforts of 1e200, as asked
            broken = [a.copy() for a in arrays]
            broken[which][place] = bad
            with pytest.raises(GoughError, match="sample 1"), gough.options(engine="compiled"):
                gough.inverse_dynamics(r, gough.State(*broken))

    def test_matrices_that_are_no_poses(self):
        r = robot("gough_stewart")
        T, V, Vdot = motion("gough_stewart", 3).arrays
        for entries, value in (((slice(3), 2), -T[1, :3, 2]), ((0, 0), 1.1), ((3, 0), 1e-3)):
            broken = T.copy()
            broken[(1, *entries)] = value
            with pytest.raises(InputError, match="sample 1"), gough.options(engine="compiled"):
                gough.inverse_dynamics(r, gough.State(broken, V, Vdot))

    def test_payloads_that_no_body_has(self):
        r = robot("delta")
        states = motion("delta", 3)
        with (
            pytest.raises(InputError, match=r"sample 1: loads\.payload\.mass is -1"),
            gough.options(engine="compiled"),
        ):
            gough.inverse_dynamics(
                r, states, loads=gough.Loads(payload=gough.Payload([1.0, -1.0, 2.0]))
            )

    def test_far_poses_are_not_refused(self):
        """What the fixed pivots are not sure of is worked out again."""
        for name in ("five_bar", "tilt_3rps", "delta"):
            r = robot(name)
            x, xd, xdd = random_freedoms(name, 12, 0.6, seed=4)
            states, lost = masked(gough.state(r, x, xd, xdd, on_error="nan"))
            states = states[~lost]
            with gough.options(engine="numpy"):
                expected, refused = masked(gough.inverse_dynamics(r, states, on_error="nan"))
            with gough.options(engine="compiled"):
                found, failed = masked(gough.inverse_dynamics(r, states, on_error="nan"))
            assert (failed == refused).all()
            kept = ~failed
            for a, b in zip(found[kept], expected[kept], strict=True):
                assert relative(a, b) < 1e-7


@pytest.mark.usefixtures("strangers")
def test_engines_are_chosen_by_what_pays(monkeypatch):
    """Few states by NumPy, small batches interpreted, by a kernel once that has been often."""
    states = motion("five_bar", 3)
    traced, built = [], []
    trace, compiled = engine.whole_program, engine.find_kernel
    monkeypatch.setattr(engine, "whole_program", lambda *a: traced.append(a) or trace(*a))
    monkeypatch.setattr(engine, "find_kernel", lambda *a, **k: built.append(a) or compiled(*a, **k))
    monkeypatch.setattr(engine, "stored_kernel", lambda *a: None)
    monkeypatch.setattr(engine, "ASKED", 8)
    monkeypatch.setattr(engine, "UNITS", 4)
    monkeypatch.setattr(engine, "STORING", 0.0)
    r = dataclasses.replace(robot("five_bar"), label="fresh")
    by_numpy = gough.inverse_dynamics(r, states)
    gough.inverse_dynamics(r, states)
    assert not traced
    interpreted = gough.inverse_dynamics(r, states)  # the ninth state
    assert (len(traced), len(built)) == (1, 0)
    assert relative(interpreted, by_numpy) < 1e-12
    for _ in range(4):
        by_kernel = gough.inverse_dynamics(r, states)
    assert len(traced) == len(built) == 1
    assert relative(by_kernel, by_numpy) < 1e-12
    other = dataclasses.replace(robot("five_bar"), label="fresh too")
    many = gough.State.concatenate([states] * 3)
    assert relative(gough.inverse_dynamics(other, many)[:3], by_numpy) < 1e-12
    assert (len(traced), len(built)) == (2, 1)
    # a large batch pays at once: three thousand states are three units and one for the call
    third = dataclasses.replace(robot("five_bar"), label="fresh once more")
    gough.inverse_dynamics(third, gough.State.concatenate([states] * 1000))
    assert len(built) == 2
    with pytest.raises(InputError, match="engine is 'fast'"):
        gough.options(engine="fast")


def test_programs_with_many_outputs_are_compiled_later():
    """LLVM looks at pairs of stores: an output takes it as long as 33 instructions (measured)."""
    costs = [
        engine.compiling_cost(whole_program(robot("delta").assembly, name, Variant()))
        for name in ("motor_rates", "reactions", "posture")
    ]
    assert costs == sorted(costs)
    assert 1.0 < costs[0] < 1.5
    assert costs[-1] > 4.0


def test_out_of_the_public_functions():
    r, states = robot("five_bar"), motion("five_bar", 3)
    expected = gough.inverse_dynamics(r, states)
    for name in ("numpy", "compiled"):
        out = np.empty((3, 2))
        with gough.options(engine=name):
            assert gough.inverse_dynamics(r, states, out=out) is out
        assert relative(out, expected) < 1e-13
        with pytest.raises(InputError, match="out"), gough.options(engine=name):
            gough.inverse_dynamics(r, states, out=np.empty((3, 4)))


def test_help_tells_of_engines_and_states():
    assert "engine:" in gough.options.__doc__
    for function in (gough.inverse_dynamics, gough.forward_dynamics, gough.inverse_kinematics):
        assert ":class:`gough.State`" in function.__doc__


@pytest.mark.parametrize("name", ["quattro", "h4", "delta_4"])
def test_platforms_that_turn_far_are_answered_alike(name):
    """A nacelle is flat at a right angle, and its legs lead it on."""
    r = robot(name)
    poses = np.stack([r.home_pose] * 9)
    for T, angle in zip(poses, np.radians(np.linspace(-150.0, 150.0, 9)), strict=True):
        T[:3, :3] = rotation_z(angle) @ T[:3, :3]
    with gough.options(engine="numpy"):
        plain = gough.inverse_kinematics(r, poses, on_error="nan")
    for T, q in zip(poses, plain, strict=True):
        reason = gough.explain(r, T)
        assert np.isnan(q).any() == (reason is not None)  # on_error changes no verdict
    for asked in ("numpy", "compiled"):
        with gough.options(engine=asked):
            q = gough.inverse_kinematics(r, poses, on_error="nan")
        np.testing.assert_allclose(q, plain, atol=1e-9)
    good = ~np.isnan(plain).any(axis=1)
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, poses[good], on_error="nan")
    with gough.options(engine="compiled"):
        found = gough.inverse_dynamics(r, poses[good], on_error="nan")
    np.testing.assert_allclose(found, tau, atol=1e-7 * np.nanmax(np.abs(tau)))
    assert good.sum() >= 3


def spoilt(value: float):
    """States and loads with an entry that no result depends on: legs without mass, no turning."""
    angles = np.radians([-12.0, 12.0, 108.0, 132.0, 228.0, 252.0])
    ring = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(6)])
    hexapod = gough.build.hexapod(0.6 * ring, 0.3 * ring[[5, 0, 1, 2, 3, 4]])
    twist = np.zeros(6)
    twist[1] = value
    yield hexapod, gough.State(hexapod.home_pose, twist), None, "V_0p[1]"
    delta = robot("delta")
    payload = gough.Payload(1.0, (value, 0.0, 0.0))
    yield delta, gough.State(delta.home_pose), gough.Loads(payload=payload), "center"
    arm = robot("five_bar")
    force = gough.Force(arm.platform, n=(value, 0.0, 0.0))
    yield arm, gough.State(arm.home_pose), gough.Loads(forces=[force]), "n[0]"


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_no_result_depends_on_is_still_looked_at(value):
    for r, state, loads, name in spoilt(value):
        for mode in ("numpy", "compiled"):
            with gough.options(engine=mode):
                for _ in range(2):  # the second call is held
                    with pytest.raises(InputError, match="not a finite number") as info:
                        gough.inverse_dynamics(r, state, loads=loads)
                    assert name in str(info.value)
                many = gough.State(*(np.tile(a, (3,) + (1,) * a.ndim) for a in state.arrays))
                found = gough.inverse_dynamics(r, many, loads=loads, on_error="nan")
                assert np.isnan(found).all()
