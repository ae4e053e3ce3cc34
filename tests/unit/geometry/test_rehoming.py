"""A robot with another home is the same machine: every mode, every method, kernels included."""

import ctypes
import shutil
import subprocess
from functools import cache

import numpy as np
import pytest

import gough
from gough.base import spatial
from gough.dynamics.methods import METHODS
from gough.geometry.walk import configuration_at
from gough.robot.file import dumps, loads
from maximal import Machine
from robots import motors_from, relative, robot

NAMES = ("five_bar", "delta", "three_rrr", "hexapod_6rus")


@cache
def modes(name):
    r = robot(name)
    home = [r.assembly.home_values[motor] for motor in r.motors]
    # beside home, so that nothing is symmetric
    q = np.array(home) + np.linspace(0.02, 0.05, len(home))
    found = gough.forward_kinematics(r, q)
    regular = [mode for mode in found if mode.condition < 1e4]
    return q, [(mode, r.rehomed(mode)) for mode in (regular[0], *regular[-2:])]


def moving(r, T_0p, seed=5):
    """A state of motion at a pose."""
    rng = np.random.default_rng(seed)
    freedoms = r.assembly.chart.coordinates(T_0p)[list(r.assembly.free)]
    return gough.state(r, freedoms, *rng.uniform(-1.0, 1.0, (2, r.mobility)))


@pytest.mark.parametrize("name", NAMES)
def test_every_mode_is_a_home(name):
    r = robot(name)
    q, found = modes(name)
    assert len(found) > 1
    for mode, there in found:
        assert there.home_pose == pytest.approx(mode.T_0p, abs=1e-12)
        # zeros of encoders stay
        assert gough.inverse_kinematics(there, mode.T_0p) == pytest.approx(q, abs=1e-10)
        assert loads(dumps(there)) == there
        beside = spatial.pose(mode.T_0p[:3, :3], mode.T_0p[:3, 3] + [4e-4, 3e-4, 0.0])
        if r.mobility in (3, 6) and name != "three_rrr":
            beside[2, 3] += 5e-4
        if name == "five_bar":
            beside = gough.state(there, beside[:2, 3]).T_0p
        old = motors_from(r, beside, mode.branch)
        assert gough.inverse_kinematics(there, beside) == pytest.approx(old, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_and_the_kernels_agree_in_every_mode(name):
    r = robot(name)
    for mode, there in modes(name)[1]:
        state = moving(there, mode.T_0p)
        with gough.options(engine="numpy"):
            tau = gough.inverse_dynamics(there, state)
        for method in METHODS:
            assert relative(gough.inverse_dynamics(there, state, method=method), tau) < 1e-9
        batch = gough.State.stack([state, state])
        with gough.options(engine="compiled"):
            compiled = gough.inverse_dynamics(there, batch)
            q = gough.inverse_kinematics(there, batch)
        assert relative(compiled[1], tau) < 1e-9
        assert q[1] == pytest.approx(motors_from(r, mode.T_0p, mode.branch), abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_maximal_coordinates_accelerate_as_was_asked_in_every_mode(name):
    """Another program, which knows the description and where the bodies are, agrees there."""
    for mode, there in modes(name)[1]:
        state = moving(there, mode.T_0p)
        p = gough.posture(there, state)
        machine = Machine(there, p.bodies, p.twists, there.length)
        assert np.abs(machine.constraints.x).max() < 1e-12
        for engine in ("numpy", "compiled"):
            with gough.options(engine=engine):
                tau = gough.inverse_dynamics(there, state)
            rates = machine.solve(tau).rates[there.platform]
            # condition numbers up to 1e4 and least squares over all constraints
            assert relative(_at_frame(there, rates, state.V_0p, state.T_0p), state.Vdot_0p) < 1e-7
        with gough.options(engine="compiled"):
            again = gough.forward_dynamics(there, state, tau).Vdot_0p
        assert relative(again, state.Vdot_0p) < 1e-7


def _at_frame(r, rate, V, T):
    """Rate of the platform frame's twist from that of its body: another point, the same axes."""
    arm = T[:3, :3] @ np.linalg.inv(r.platform_frame.matrix)[:3, 3]  # from the frame to the body
    v, w = rate[:3], rate[3:]
    return np.concatenate([v - np.cross(w, arm) - np.cross(V[3:], np.cross(V[3:], arm)), w])


@pytest.mark.skipif(not shutil.which("gcc"), reason="there is no C compiler")
@pytest.mark.parametrize("name", ["five_bar", "three_rrr", "delta"])
def test_exported_c_knows_the_mode(name, tmp_path):
    mode, there = modes(name)[1][-1]
    state = moving(there, mode.T_0p)
    code, _ = gough.export_c(there, "inverse_dynamics", tmp_path)
    library = tmp_path / "code.so"
    command = ["gcc", "-std=c99", "-O1", "-fPIC", "-shared", str(code), "-o", str(library), "-lm"]
    subprocess.run(command, check=True, capture_output=True)
    out = np.full(len(there.motors), np.nan)
    arrays = [*(np.ascontiguousarray(a) for a in state.arrays), out]
    function = getattr(ctypes.CDLL(str(library)), code.stem)
    assert function(*(ctypes.c_void_p(a.ctypes.data) for a in arrays)) == 0
    with gough.options(engine="numpy"):
        assert relative(out, gough.inverse_dynamics(there, state)) < 1e-9


@pytest.mark.parametrize("name", NAMES)
def test_efforts_are_those_of_the_old_robot_on_that_branch(name):
    """At rest they do the work that the bodies of the old robot take up there: virtual work."""
    r = robot(name)
    assembly, mass = r.assembly, {body.name: body for body in r.bodies}

    def potential(T, branch):
        poses = assembly.equations(T, configuration_at(assembly, T, branch)).body_poses
        centers = {n: pose.R @ np.array(mass[n].center) + pose.p for n, pose in poses.items()}
        return -sum(mass[n].mass * np.dot(r.gravity, center) for n, center in centers.items())

    for mode, there in modes(name)[1]:
        tau = gough.inverse_dynamics(there, mode.T_0p, loads=gough.Loads(friction=False))
        x = there.assembly.chart.coordinates(mode.T_0p)[list(there.assembly.free)]
        for k in range(r.mobility):
            step = 1e-5 * np.eye(r.mobility)[k]
            ends = [gough.state(there, x + way * step).T_0p for way in (-1.0, 1.0)]
            dq = np.subtract(*(motors_from(r, T, mode.branch) for T in ends[::-1]))
            dU = potential(ends[1], mode.branch) - potential(ends[0], mode.branch)
            # central differences near a stretched leg: found 2e-5; another branch is off by its all
            assert tau @ dq == pytest.approx(dU, abs=1e-4 * np.abs(tau) @ np.abs(dq))


@pytest.mark.parametrize("name", ["five_bar", "delta"])
def test_energy_is_conserved_in_another_mode(name):
    mode, there = modes(name)[1][-1]
    found = gough.simulate(there, mode.T_0p, t_end=0.1, loads=gough.Loads(friction=False))
    energies = gough.energy(there, gough.State(found.T_0p, found.V_0p))
    total = energies.kinetic + energies.potential
    assert np.ptp(total) < 1e-6 * np.abs(energies.kinetic).max()


def test_four_working_modes_of_a_five_bar():
    """The same point with each elbow bent either way: four sets of motor positions."""
    r = robot("five_bar")
    point = r.home_pose[:2, 3]
    posed = gough.posture(r, r.home_pose)
    feet = {leg: posed.bodies[f"prox{leg}"][:2, 3] for leg in (1, 2)}
    at_home = r.assembly.home_values

    def bent(leg, way):
        """Joints of a leg, bent as at home or mirrored in the line from its foot to the point."""
        foot, elbow = (at_home[f"{name}{leg}"] for name in ("foot", "elbow"))
        line = np.arctan2(*(point - feet[leg])[::-1])
        mirrored = foot if way > 0 else 2.0 * line - foot
        return {f"foot{leg}": mirrored + 0.01, f"elbow{leg}": way * elbow - 0.02}

    found = []
    for first in (1.0, -1.0):
        for second in (1.0, -1.0):
            there = r.rehomed(gough.Home(joints=bent(1, first) | bent(2, second)))
            exact = there.rehomed(gough.state(there, point).T_0p)  # rough figures: not quite there
            values = exact.assembly.home_values
            signs = [np.sign(values[f"elbow{leg}"] * at_home[f"elbow{leg}"]) for leg in (1, 2)]
            assert signs == [first, second]
            q = gough.inverse_kinematics(exact, exact.home_pose)
            poses = gough.forward_kinematics(r, q).poses
            assert np.abs(poses[:, :2, 3] - point).max(axis=1).min() < 1e-9
            found.append(q)
    apart = np.abs(np.array(found)[:, None] - np.array(found)).max(axis=2)
    assert (apart + np.eye(4) > 0.1).all()


def test_turns_are_kept():
    r = robot("five_bar")
    q = gough.inverse_kinematics(r, r.home_pose) + np.array([2.0 * np.pi, 0.05])
    for mode in gough.forward_kinematics(r, q):
        there = r.rehomed(mode)
        assert gough.inverse_kinematics(there, mode.T_0p) == pytest.approx(q, abs=1e-9)
        assert gough.inverse_kinematics(loads(dumps(there)), mode.T_0p) == pytest.approx(
            q, abs=1e-9
        )


def test_a_track_ends_at_home():
    r = robot("five_bar")
    q = gough.inverse_kinematics(r, r.home_pose)
    track = gough.track(r, q + np.linspace(0.0, 0.3, 10)[:, None])
    there = r.rehomed(track)
    assert gough.inverse_kinematics(there, track.T_0p[-1]) == pytest.approx(q + 0.3, abs=1e-9)


def test_a_pose_is_walked_to():
    r = robot("five_bar")
    T = gough.state(r, [0.03, 0.25]).T_0p
    assert r.rehomed(T).assembly.T_home == pytest.approx(T, abs=1e-12)
    assert r.rehomed(gough.posture(r, T)).assembly.T_home == pytest.approx(T, abs=1e-12)
    rough = r.home
    assert r.rehomed(rough) == r
    # a pose that the link cannot have: its freedoms count
    tilted = T.copy()
    tilted[:3, :3] = spatial.rotation_z(0.3) @ T[:3, :3]
    assert r.rehomed(tilted).assembly.T_home == pytest.approx(T, abs=1e-10)


def test_an_error_leads_to_the_other_working_mode():
    r = robot("hexapod_6rus")
    home = [r.assembly.home_values[motor] for motor in r.motors]
    first, second, *_ = gough.forward_kinematics(r, home)
    with pytest.raises(gough.errors.UnreachablePose, match="rehomed") as caught:
        motors_from(r, first.T_0p, second.branch)
    there = r.rehomed(caught.value.branch)
    assert there.home_pose == pytest.approx(first.T_0p, abs=1e-9)
    # the leg is bent otherwise than in the mode of that pose
    leg = caught.value.leg
    told = {name: q for name, q in caught.value.joints.items() if name in r.motors}
    assert told
    for name, q in told.items():
        assert there.assembly.home_values[name] == pytest.approx(q, abs=1e-5), leg


def test_what_is_no_home_is_refused():
    r, other = robot("five_bar"), robot("delta")
    far = r.home_pose.copy()
    far[0, 3] += 5.0
    for near in (other.assembly.start, "mode 1", 3.0, np.eye(3), np.zeros((2, 4, 4))):
        with pytest.raises(gough.errors.InputError):
            r.rehomed(near)
    with pytest.raises(gough.errors.InputError, match="not an assembled state"):
        r.rehomed(modes("delta")[1][0][0])
    with pytest.raises(gough.errors.UnreachablePose):
        r.rehomed(far)
    with pytest.raises(gough.errors.NotAssembled):
        r.rehomed(gough.Home({r.platform: gough.Frame((3.0, 0.0, 0.0))}))
    several = gough.posture(r, np.stack([r.home_pose] * 2))
    with pytest.raises(gough.errors.InputError, match="several states"):
        r.rehomed(several)
