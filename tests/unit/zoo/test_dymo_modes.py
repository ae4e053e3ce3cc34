"""The DYMO in its operation modes: one machine, three freedoms each, of different kinds."""

from functools import cache

import numpy as np
import pytest

import gough
from gough import zoo
from gough.base.spatial import rotation_exp
from gough.dynamics.methods import METHODS
from gough.errors import DescriptionError
from gough.geometry.newton import AssembledState
from gough.geometry.rehoming import home_of
from gough.robot.file import dumps, loads
from gough.zoo.dymo_modes import MODES
from maximal import Machine
from robots import condition, relative

FREEDOMS = {
    "translational": ("x", "y", "z"),
    "translational_turned": ("x", "y", "z"),
    "rotational": ("rx", "ry", "rz"),
    "planar": ("x", "y", "rz"),
    "planar_overturned": ("x", "y", "rz"),
    "mixed": ("x", "y", "z"),
    "mixed_turned": ("x", "y", "z"),
}
Z = np.array([0.0, 0.0, 1.0])


@cache
def dymo(mode: str) -> gough.Robot:
    return zoo.load("dymo", mode=mode)


@cache
def moving(mode: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two states of motion beside home."""
    a = dymo(mode).assembly
    rng = np.random.default_rng(11)
    home = a.chart.coordinates(a.T_home)[list(a.free)]
    x, xd, xdd = rng.uniform(-1.0, 1.0, (3, 2, 3)) * a.scales.freedoms
    return gough.state(dymo(mode), home + 0.06 * x, xd, xdd)


def twists(robot: gough.Robot, T_0p: np.ndarray) -> np.ndarray:
    """Twists ``[v; omega]`` of the platform's origin that the joints allow there, 6x3.

    By maximal coordinates: the null space of what every joint forbids every body.
    """
    poses = gough.posture(robot, T_0p).bodies
    still = {name: np.zeros(6) for name in poses}
    machine = Machine(robot, poses, still, robot.length)
    J = machine.constraints.J[:, :-6]  # the base does not move
    _, s, Vt = np.linalg.svd(J)
    # lengths of 0.4 m: singular values of what is forbidden are above 1e-3, rounding is 1e-16
    free = Vt[int((s > 1e-9).sum()) :].T
    i = 6 * machine.index[robot.platform]
    assert free.shape[1] == 3
    return free[i : i + 6]


def test_all_modes_are_tested_and_the_first_is_the_default():
    assert tuple(FREEDOMS) == tuple(MODES) == tuple(zoo.parameters("dymo")["home"])
    assert zoo.load("dymo") == dymo("translational")


@pytest.mark.parametrize("mode", MODES)
def test_home_is_regular_and_the_motors_control_it(mode):
    r = dymo(mode)
    a = r.assembly
    assert (a.mobility, a.mobility_at_home, a.modes) == (3, 3, (3,))
    assert a.findings == ()
    assert r.freedoms == FREEDOMS[mode]
    for k in range(len(a.samples)):
        assert condition(a, k) < 25.0  # natural units, as of all robots of the zoo
    # the description has it: closing the loops moves nothing but rounding
    assert r.home.bodies["platform"].matrix == pytest.approx(r.home_pose, abs=1e-12)
    assert loads(dumps(r)) == r
    assert f"in its {mode.replace('_', ' ')} mode" in r.label


@pytest.mark.parametrize("mode", ["translational", "translational_turned"])
def test_translational_modes_keep_the_orientation(mode):
    kept = dymo(mode).home_pose[:3, :3]
    assert kept[2, 2] == 1.0
    assert kept[0, 0] == (-1.0 if mode.endswith("turned") else 1.0)
    for T in moving(mode).T_0p:
        assert T[:3, :3] == pytest.approx(kept, abs=1e-12)
        assert np.abs(twists(dymo(mode), T)[3:]).max() < 1e-12


def test_the_rotational_mode_keeps_the_centre():
    for T in moving("rotational").T_0p:
        assert np.abs(T[:3, 3]).max() < 1e-12
        V = twists(dymo("rotational"), T)  # of P, which is in O
        assert np.abs(V[:3]).max() < 1e-12
        assert np.linalg.matrix_rank(V[3:]) == 3


@pytest.mark.parametrize("mode", ["planar", "planar_overturned"])
def test_planar_modes_stay_in_the_plane(mode):
    up = -1.0 if mode.endswith("overturned") else 1.0
    for T in moving(mode).T_0p:
        assert abs(T[2, 3]) < 1e-12
        assert T[2, 2] == pytest.approx(up, abs=1e-12)
        assert np.abs(twists(dymo(mode), T)[2:5]).max() < 1e-12  # v_z, omega_x, omega_y


@pytest.mark.parametrize("mode", ["mixed", "mixed_turned"])
def test_mixed_modes_are_a_mirror(mode):
    """Base and platform are images of each other: across it a translation, in it two axes."""
    for T in moving(mode).T_0p:
        R, p = T[:3, :3], T[:3, 3]
        d = p / np.linalg.norm(p)
        mirror = np.eye(3) - 2.0 * np.outer(d, d)
        assert -mirror @ Z == pytest.approx(R @ Z, abs=1e-12)
        V = twists(dymo(mode), T)
        slides = [*d, 0.0, 0.0, 0.0]
        assert np.linalg.matrix_rank(np.column_stack([V, slides]), tol=1e-9) == 3
        assert np.linalg.matrix_rank(V[3:], tol=1e-9) == 2
        at_mirror = V[:3] - np.cross(V[3:].T, p / 2.0).T  # of the point half-way
        assert np.abs(V[3:].T @ d).max() < 1e-12
        assert np.abs(mirror @ at_mirror + at_mirror).max() < 1e-12  # along d only
    turned = np.trace(dymo("mixed_turned").home_pose[:3, :3])
    assert turned == pytest.approx(-1.0, abs=1e-12)  # half a turn, about OP


@pytest.mark.parametrize("mode", MODES)
def test_methods_and_maximal_coordinates_agree(mode):
    r = dymo(mode)
    state = moving(mode)
    with gough.options(engine="numpy"):
        tau = gough.inverse_dynamics(r, state)
    posture = gough.posture(r, state)
    for method in METHODS:
        # conditions below 25, and rounding
        assert relative(gough.inverse_dynamics(r, state, method=method), tau) < 1e-10
        assert (
            relative(gough.forward_dynamics(r, state, tau, method=method).Vdot_0p, state.Vdot_0p)
            < 1e-9
        )
    for i in range(2):
        bodies = {name: pose[i] for name, pose in posture.bodies.items()}
        machine = Machine(r, bodies, {n: v[i] for n, v in posture.twists.items()}, r.length)
        assert np.abs(machine.constraints.x).max() < 1e-12
        rates = machine.solve(tau[i]).rates["platform"]
        assert relative(rates, state.Vdot_0p[i]) < 1e-8  # least squares over all constraints
    assert gough.audit(r, state).passed


@pytest.mark.parametrize("mode", MODES)
def test_motors_are_those_of_the_pose(mode):
    """There and back: kernels, loops and the way from motors to the platform."""
    r = dymo(mode)
    T = moving(mode).T_0p
    with gough.options(engine="numpy"):
        q = gough.inverse_kinematics(r, T)
    with gough.options(engine="compiled"):
        assert gough.inverse_kinematics(r, T) == pytest.approx(q, abs=1e-10)
    assert gough.pose_from_motors(r, q).T_0p == pytest.approx(T, abs=1e-9)


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "translational"])
@pytest.mark.parametrize("start", ["translational", "mixed"])
def test_another_home_of_the_same_machine(start, mode):
    """Masses, lengths and zeros of the motors are those of the machine, not of the mode."""
    r = dymo(mode)
    assembly = r.assembly
    home = home_of(assembly, AssembledState(assembly.T_home, assembly.home))
    own = {name: q for name, q in home.joints.items() if not name.startswith("wrist")}
    there = dymo(start).rehomed(gough.Home(home.bodies, own))
    assert there.freedoms == r.freedoms
    state = moving(mode)
    q = gough.inverse_kinematics(r, state)
    assert gough.inverse_kinematics(there, state) == pytest.approx(q, abs=1e-10)
    tau = gough.inverse_dynamics(r, state)
    assert relative(gough.inverse_dynamics(there, state), tau) < 1e-10


@pytest.mark.parametrize(
    ("mode", "home", "why"),
    [
        ("translational_turned", (0.0, 0.0, 0.4), "home: P is straight over O"),
        ("mixed", (0.1, 0.1, 0.0), "home: P is straight over O, or in the plane"),
        ("mixed_turned", (0.0, 0.0, 0.4), "home: P is straight over O"),
        ("rotational", (0.0, 0.0, 0.7), "home: the platform turns about z alone"),
        ("rotational", (0.3, 0.7, 0.0), "home: .* about an axis of the base plane"),
        ("rotational", (0.0, np.pi * 0.6, np.pi * 0.8), "home: .* half a turn"),
        ("planar", (0.0, 0.0, 0.7), "home: P is in O"),
        ("planar", (0.1, 0.1, 0.0), "home: .* the rays of P are parallel"),
        ("planar_overturned", (0.1 * np.cos(0.15), 0.1 * np.sin(0.15), 0.3), "on the axis"),
        ("planar", {"planar": (0.0, 0.0, 0.7)}, "home.planar: P is in O"),
        ("planar", {"mixed": (0.1, 0.1, 0.3)}, "home: has no 'planar'"),
        ("planar", {"planar": (0.1, 0.1, 0.3), "flat": (0.1, 0.1, 0.3)}, "unknown key 'flat'"),
    ],
)
def test_where_modes_meet_is_no_home(mode, home, why):
    with pytest.raises(DescriptionError, match=why):
        zoo.load("dymo", mode=mode, home=home)


def nearest_modes(R: np.ndarray, p: np.ndarray) -> dict[str, float]:
    """How far a pose is from what every mode says of it."""
    half = 2.0 * np.outer(p, p) / max(p @ p, 1e-12) - np.eye(3)  # in O there is no axis OP
    turned = np.diag([-1.0, -1.0, 1.0])
    return {
        "translational": np.abs(R - np.eye(3)).max(),
        "translational_turned": np.abs(R - turned).max(),
        "rotational": np.abs(p).max(),
        "planar": np.abs([p[2], *(R @ Z - Z)]).max(),
        "planar_overturned": np.abs([p[2], *(R @ Z + Z)]).max(),
        "mixed": np.abs(R - half @ turned).max(),
        "mixed_turned": np.abs(R - half).max(),
    }


def test_there_are_no_other_modes():
    """Whatever poses put O, P and both rays of every leg in one plane, they are of one mode."""
    rays = [
        [np.cos(leg["angle"]), np.sin(leg["angle"]), 0.0] for leg in zoo.parameters("dymo")["legs"]
    ]
    rng = np.random.default_rng(4)
    reached: dict[str, int] = dict.fromkeys(MODES, 0)
    for _ in range(100):
        R, p = rotation_exp(rng.normal(size=3) * 1.5), rng.normal(size=3)
        for _ in range(80):  # Gauss and Newton, the shortest steps
            v = [R @ u for u in rays]
            gaps = np.array([p @ np.cross(u, Ru) for u, Ru in zip(rays, v, strict=True)])
            rows = [
                [*np.cross(u, Ru), *np.cross(Ru, np.cross(p, u))]
                for u, Ru in zip(rays, v, strict=True)
            ]
            step = -np.linalg.pinv(np.array(rows), rcond=1e-9) @ gaps
            step /= max(1.0, 2.0 * np.abs(step).max())
            p, R = p + step[:3], rotation_exp(step[3:]) @ R
        if np.abs(gaps).max() < 1e-14 and np.linalg.svd(rows, compute_uv=False)[-1] > 1e-2:
            mode, far = min(nearest_modes(R, p).items(), key=lambda item: item[1])
            # gaps of 1e-14 over singular values of 1e-2
            assert far < 1e-10, (mode, far, R, p)
            reached[mode] += 1
    assert min(reached.values()) > 0, reached


def test_an_unknown_mode_lists_the_known_ones():
    with pytest.raises(DescriptionError, match="mode: unknown value 'sperical'") as caught:
        zoo.load("dymo", mode="sperical")
    assert all(mode in caught.value.hint for mode in MODES)


@pytest.mark.parametrize("mode", MODES)
def test_the_machine_can_be_varied_in_every_mode(mode):
    """Other angles, lengths and motors: what the platform does is the mode's, not the numbers'."""
    legs = zoo.parameters("dymo")["legs"]
    for leg, angle in zip(legs, (0.3, 1.9, 4.4), strict=True):
        leg |= {"angle": angle, "proximal_length": 0.33, "distal_length": 0.36}
    r = zoo.load("dymo", mode=mode, legs=legs, drive="knee")
    assert r.freedoms == FREEDOMS[mode]
    assert r.motors == ("knee1", "knee2", "knee3")
    assert r.assembly.motor_rank == 3
    figures = zoo.parameters("dymo") | {"mode": mode}  # the home goes with the mode
    assert zoo.load("dymo", **figures) == dymo(mode)


def test_first_axes_control_the_rotations_only():
    rank = {m: zoo.load("dymo", mode=m, drive="first").assembly.motor_rank for m in MODES}
    assert rank == {
        "translational": 2,
        "translational_turned": 2,
        "rotational": 3,
        "planar": 0,
        "planar_overturned": 0,
        "mixed": 2,
        "mixed_turned": 2,
    }
